package pass

import (
	"math/rand/v2"
	"strings"
	"testing"

	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

var pairSource = &kir.Var{Name: "src", Type: types.Scalar(types.U16), Space: kir.Global, Access: kir.Reads}

// weighed sums elements of an array, from a place on, with weights.
func weighed(a, sum *kir.Var, from func(k int64) kir.Expr, weights ...int64) []kir.Stmt {
	var out []kir.Stmt
	for k, w := range weights {
		e := &kir.Elem{Typed: kir.Typed{T: a.Type.Elem()}, Var: a, Index: []kir.Expr{from(int64(k))}}
		term := kir.Expr(&kir.Convert{Typed: kir.Typed{T: i32}, X: e, Exact: true})
		if w != 1 {
			term = op(ops.Mul, num(w), term)
		}
		if k == 0 {
			out = append(out, let(sum, term))
		} else {
			out = append(out, &kir.Assign{Var: sum, Value: op(ops.Add, ref(sum), term)})
		}
	}
	return out
}

func runInto(a *kir.Var, at int64, count int) kir.Stmt {
	start := &kir.Const{Typed: kir.Typed{T: types.Scalar(types.I64)}, Words: []types.Word{0}}
	return &kir.LoadRun{Var: a, Index: []kir.Expr{num(at)}, Buffer: pairSource, Offset: start, Count: count}
}

// TestPairs has sums of neighbours that were loaded by words computed from these, and leaves all others.
func TestPairs(t *testing.T) {
	u := &kir.Var{Name: "u", Type: i32, Const: true}
	constant := func(first int64) func(int64) kir.Expr { return func(k int64) kir.Expr { return num(first + k) } }
	variable := func(k int64) kir.Expr {
		if k == 0 {
			return ref(u)
		}
		return op(ops.Add, ref(u), num(k))
	}
	for _, c := range []struct {
		name string
		load int64
		from func(int64) kir.Expr
		w    []int64
		want string
	}{
		{"an even place", 0, constant(2), []int64{1, 2, 1}, "var sum: i32 = dot2(u32(a[4]) | (u32(a[5]) << 16), 1 0, dot2(u32(a[2]) | (u32(a[3]) << 16), 1 2, 0))"},
		{"an odd one", 0, constant(1), []int64{1, -2, 1}, "var sum: i32 = dot2(u32(a[2]) | (u32(a[3]) << 16), -2 1, dot2(u32(a[0]) | (u32(a[1]) << 16), 0 1, 0))"},
		{"one that loops decide", 0, variable, []int64{1, 2, 1}, "var sum: i32 = (lazy (u & 1) == 0 ? dot2("},
		{"two alone", 0, constant(2), []int64{1, 2}, "var sum: i32 = i32(a[2])"},
		{"large weights", 0, constant(2), []int64{1, 128, 1}, "var sum: i32 = i32(a[2])"},
		{"elements that are not neighbours", 0, func(k int64) kir.Expr { return num(2 * k) }, []int64{1, 2, 1}, "var sum: i32 = i32(a[0])"},
		{"runs at odd places", 1, constant(2), []int64{1, 2, 1}, "var sum: i32 = i32(a[2])"},
	} {
		a, sum := &kir.Var{Name: "a", Type: types.Scalar(types.U16).Array(8)}, &kir.Var{Name: "sum", Type: i32}
		body := append([]kir.Stmt{&kir.Decl{Var: a}, runInto(a, c.load, 4)}, weighed(a, sum, c.from, c.w...)...)
		got := after(t, "pairs", []*kir.Var{pairSource, u}, body...)
		if lines := strings.Split(got, "\n"); !strings.HasPrefix(lines[2], c.want) {
			t.Errorf("%s: pairs leaves\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

// TestPairsComeToTheSame computes sums with random weights at all places, as they are and by pairs.
func TestPairsComeToTheSame(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		n := 3 + rng.IntN(5)
		weights := make([]int64, n)
		for i := range weights {
			weights[i] = rng.Int64N(256) - 128
		}
		u := &kir.Var{Name: "u", Type: i32, Const: true}
		a, sum := &kir.Var{Name: "a", Type: types.Scalar(types.U16).Array(16)}, &kir.Var{Name: "sum", Type: i32}
		list := weighed(a, sum, func(k int64) kir.Expr { return op(ops.Add, ref(u), num(k)) }, weights...)
		made := pairs(append([]kir.Stmt{runInto(a, 0, 8), runInto(a, 8, 8)}, list...))
		if len(made) != 3 {
			t.Fatalf("weights %v are not paired", weights)
		}
		values := make([]int64, 16)
		for i := range values {
			values[i] = rng.Int64N(1 << 16)
		}
		for first := range 16 - n {
			want := int64(0)
			for k, w := range weights {
				want += w * values[first+k]
			}
			r := pairRun{u: int64(first), values: values, t: t}
			if got := r.eval(made[2].(*kir.Decl).Init); got != want {
				t.Fatalf("weights %v from %d on: %d, not %d", weights, first, got, want)
			}
		}
	}
}

// A pairRun computes what pairs makes.
type pairRun struct {
	u      int64
	values []int64
	t      *testing.T
}

func (r pairRun) eval(e kir.Expr) int64 {
	switch e := e.(type) {
	case *kir.Const:
		return e.Words[0].Int()
	case *kir.Ref:
		return r.u
	case *kir.Elem:
		return r.values[r.eval(e.Index[0])]
	case *kir.Convert:
		return r.eval(e.X)
	case *kir.Select:
		if r.eval(e.Cond) != 0 {
			return r.eval(e.Then)
		}
		return r.eval(e.Else)
	case *kir.Op:
		return ops.Eval(e.Op, types.I64, types.Int(r.eval(e.Args[0])), types.Int(r.eval(e.Args[1]))).Int()
	case *kir.Dot2:
		word := r.eval(e.Halves)
		return r.eval(e.Acc) + word&0xffff*int64(e.Weights[0]) + word>>16*int64(e.Weights[1])
	}
	r.t.Fatalf("pairs makes %s", kir.ExprText(e))
	return 0
}
