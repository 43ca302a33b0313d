package block

import (
	"testing"

	"imgc/hast"
	"imgc/types"
)

func TestReachesAreThoseOfPoints(t *testing.T) {
	number := func(n int64) hast.Expr {
		return &hast.Const{Typed: hast.Typed{T: types.Scalar(types.I32)}, Words: []types.Word{types.Int(n)}}
	}
	ranges := func(list ...[3]int64) (s hast.Space) {
		for _, r := range list {
			s.Vars = append(s.Vars, &hast.Var{})
			s.Ranges = append(s.Ranges, hast.Range{Lo: number(r[0]), Hi: number(r[1]), Step: r[2]})
		}
		return s
	}
	for _, s := range []hast.Space{
		ranges([3]int64{-2, 3, 1}), ranges([3]int64{-2, 4, 3}, [3]int64{5, -5, -2}), ranges([3]int64{0, 0, 1}, [3]int64{0, 3, 1}), ranges([3]int64{0, 11, 1}),
		{Vars: make([]*hast.Var, 2), Points: [][]int64{{3, -1}, {-4, 2}, {0, 0}}}, {Vars: make([]*hast.Var, 1), Points: [][]int64{}},
	} {
		const limit = 10
		points, known := Points(s, limit)
		list := Reaches(s, limit)
		if (list != nil) != (known && len(points) > 0) {
			t.Errorf("%v: reaches are %v, of %d points", s, list, len(points))
		}
		for axis, r := range list {
			least, most := points[0][axis], points[0][axis]
			for _, p := range points {
				least, most = min(least, p[axis]), max(most, p[axis])
			}
			if r != [2]int64{least, most} {
				t.Errorf("%v: axis %d reaches %v, want %d to %d", s, axis, r, least, most)
			}
		}
	}
}
