package linear_test

import (
	"testing"

	"imgc/hast"
	"imgc/hast/linear"
	"imgc/ops"
	"imgc/types"
)

func TestDifferences(t *testing.T) {
	h, w := hast.RefTo(&hast.Var{Name: "h", Type: types.Scalar(types.I32)}), hast.RefTo(&hast.Var{Name: "w", Type: types.Scalar(types.I32)})
	twice := hast.Binary(ops.Mul, hast.Int(2), h)
	sum := func(x, y hast.Expr) hast.Expr { return hast.Binary(ops.Add, x, y) }
	for _, c := range []struct {
		x, y  hast.Expr
		n     int64
		known bool
	}{
		{hast.Int(7), hast.Int(3), 4, true},
		{sum(twice, hast.Int(1)), sum(hast.Int(0), hast.Binary(ops.Mul, hast.Int(2), h)), 1, true},
		{sum(w, h), sum(h, sum(hast.Int(5), w)), -5, true},
		{h, w, 0, false},
		{twice, h, 0, false},
		{sum(h, h), h, 0, false},
	} {
		if n, known := linear.Difference(c.x, c.y); n != c.n || known != c.known {
			t.Errorf("%s less %s: %d, %t", hast.Text(c.x), hast.Text(c.y), n, known)
		}
	}
}
