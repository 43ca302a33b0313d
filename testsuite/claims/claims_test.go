package claims

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"imgc/diag"
	"imgc/hast"
	"imgc/hast/claims"
	"imgc/interp"
	"imgc/parser"
	"imgc/pixels"
	"imgc/sema"
	"imgc/source"
	"imgc/types"
)

// extremes are the values that pixels of a kind have: its ends, and those around 0.
func extremes(k types.Kind) []types.Word {
	all := []types.Word{types.Lowest(k), types.Highest(k)}
	for _, v := range []int64{-7, -1, 0, 1, 2, 3, 8} {
		if v >= 0 || !k.IsUnsigned() {
			all = append(all, types.Int(v))
		}
	}
	return all
}

// operands makes the pairs of all extremes: s[y][x] is the one with the number y, t[y][x] the one with the number x.
func operands(t *testing.T, k types.Kind) map[string]*pixels.Image {
	values := extremes(k)
	images := map[string]*pixels.Image{}
	for _, name := range []string{"s", "t"} {
		m, err := pixels.New(types.Scalar(k), len(values), len(values))
		if err != nil {
			t.Fatal(err)
		}
		for y := range values {
			for x := range values {
				m.SetWord(y*len(values)+x, values[map[string]int{"s": y, "t": x}[name]])
			}
		}
		images[name] = m
	}
	return images
}

// scalars are expressions of p and q, two pixels of a kind K, and of x and y.
var scalars = []string{
	"p + q", "p - q", "p * q", "p / q", "p % q", "mod(p, q)", "floordiv(p, q)", "p & q", "p | q", "p ^ q", "p << (q & 7)", "p >> (q & 7)", "~p",
	"min(p, q)", "max(p, q)", "clamp(p, K(1), K(3))", "abs(p)", "sign(p)", "popcount(p)", "clz(p)", "(p & K(7)) + (q & K(3))", "(p & K(4)) | (q & K(3))",
	"p / K(3)", "p % K(3)", "mod(p, K(3))", "floordiv(p, K(3))", "p * K(4)", "p & K(12)", "p | K(12)", "p ^ K(1)", "p << K(2)", "p >> K(1)",
	"popcount(p & K(6))", "clz(p & K(6))", "clz(p | K(2))", "popcount(max(p, K(1)))", "p > q ? p : q", "(p > K(1) ? K(4) : K(8))",
	"i8(p)", "u8(p)", "i16(q)", "u16(p)", "i32(p)", "u32(p)", "i64(p)", "u64(p)", "sat<i8>(p)", "sat<u8>(p)", "sat<i32>(p)", "sat<u32>(p)", "sat<u64>(p)",
	"i32(f32(clamp(p, K(0), K(9))) * 0.5)", "sat<u8>(f32(p))", "i32(floor(f32(x) / 3.0))", "i32(p > q)", "bitcast<i32>(f32(x))", "bitcast<u16>(f16(x))", "bitcast<i64>(f64(x))",
	"x + y", "x - y", "x * y", "(x + 1) / 2", "(x - 3) % 4", "mod(x - 3, 4)", "floordiv(y - 4, 3)", "x ^ 1", "x & 6", "x << 2", "abs(x - y)", "min(x, y) * 4",
}

// spaces are those of reductions: lists, steps both ways, empty ranges, and ranges of which the length depends on the instance.
var spaces = []string{
	"j in 0:1", "j in 0:3", "j in 3:0", "j in 0:7:3", "j in 4:-1:-2", "j in 0:2, k in 0:2", "j in 0:y", "j in y:3", "j in 0:y:2", "j in 0:H", "o in five", "o in none",
}

// reductions have a space to reduce over.
var reductions = []string{
	"count(p > q for %s)", "count(p > K(1) for %s)", "sum(p for %s)", "sum(i32(p > K(1)) for %s)", "sum(max(p, K(1)) for %s)", "sum(p & K(3) for %s)",
	"product(p & K(3) for %s)", "min(p for %s)", "max(p for %s)", "min(p & K(7) for %s)", "max((p & K(3)) + K(1) for %s)", "median(p for %s)", "median(p & K(7) for %s)",
	"i32(any(p > q for %s))", "i32(all(p > q for %s))", "i32(mean(f32(p) for %s))", "min(K(4) for %s)", "sum(K(1) for %s)", "count(true for %s)",
}

// places are what argmin and argmax find over one variable.
var places = []string{"argmin(p * K(j) for %s)", "argmax(p ^ K(j) for %s)"}

// program computes an expression for all operands. The proofs look at it because reads stand under conditions on it.
func program(e, kind string) string {
	e = strings.ReplaceAll(e, "K(", kind+"(")
	return fmt.Sprintf(`domain five[5] = [1, 1, 1, 1, 1];
domain none[3] = [0, 0, 0];
pipeline run(in s: %[1]s[H][W], in t: %[1]s[H][W], out d: i32[H][W]) {
    assume(H == W);
    iterate (y, x) over d {
        let p = s[y][x];
        let q = t[y][x];
        let v = %[2]s;
        let doubled = i64(v) * 2;
        var n = 0;
        if (v > 3) n += i32(s[y][x]);
        if (v + 1 < 4) n += i32(s[y][x]);
        if (doubled < 5) n += i32(s[y][x]);
        d[y][x] = n;
    }
}`, kind, e)
}

// run compiles a program and runs it under its claims, or those that change leaves. It returns how many expressions have claims; -1 where the program is refused.
func run(t *testing.T, text string, k types.Kind, change func(*hast.Program, *claims.Table)) (int, error) {
	t.Helper()
	diags, table := &diag.List{}, claims.NewTable()
	p := sema.Check(parser.Parse(source.NewFile("claims.img", text), diags), sema.Options{Claims: table}, diags)
	if p == nil {
		var b strings.Builder
		if err := diag.Text(&b, diags, diag.TextOptions{}); err != nil {
			t.Fatal(err)
		}
		t.Log(b.String())
		return -1, nil
	}
	if change != nil {
		change(p, table)
	}
	_, err := interp.Run(context.Background(), p.Pipelines[0], interp.Args{Images: operands(t, k)}, interp.Options{Workers: 1, Claims: table})
	return table.Len(), err
}

var kinds = []types.Kind{types.I8, types.U8, types.I16, types.U16, types.I32, types.U32, types.I64, types.U64}

// TestClaimsHold computes everything above on all pairs of extremes of all kinds.
func TestClaimsHold(t *testing.T) {
	expressions := append([]string{}, scalars...)
	for _, space := range spaces {
		for _, r := range reductions {
			expressions = append(expressions, fmt.Sprintf(r, space))
		}
		if !strings.Contains(space, "o in") && !strings.Contains(space, "k in") {
			for _, r := range places {
				expressions = append(expressions, fmt.Sprintf(r, space))
			}
		}
	}
	ran, refused := 0, map[string]int{}
	for _, e := range expressions {
		for _, k := range kinds {
			n, err := run(t, program(e, k.String()), k, nil)
			switch {
			case err != nil:
				t.Errorf("%s of %s: %v", e, k, err)
			case n < 0:
				refused[e]++
			case n == 0:
				t.Errorf("%s of %s: the proofs say nothing of any value", e, k)
			default:
				ran++
			}
		}
	}
	for e, n := range refused {
		t.Logf("not accepted for %d kinds: %s", n, e)
	}
	if ran < len(expressions)*len(kinds)*3/4 {
		t.Errorf("only %d of %d programs ran", ran, len(expressions)*len(kinds))
	}
	t.Logf("%d of %d programs ran", ran, len(expressions)*len(kinds))
}

// TestWrongClaimsAreFound makes what is claimed of a reduction wrong, as it was when a count of n points was taken to be n.
func TestWrongClaimsAreFound(t *testing.T) {
	text := program("count(p > q for j in 0:3)", "u8")
	if _, err := run(t, text, types.U8, nil); err != nil {
		t.Fatal(err)
	}
	wrong := map[string]func(*claims.Claim){
		"range":    func(c *claims.Claim) { c.Within.Lo = c.Within.Hi },
		"sign":     func(c *claims.Claim) { c.Within.Hi = c.Within.Lo - 1 },
		"multiple": func(c *claims.Claim) { c.Multiple = 2 },
		"form": func(c *claims.Claim) {
			c.Form = &claims.Form{Text: "H", Of: func(value func(*hast.Var) (int64, bool)) (int64, bool) { return 9, true }}
		},
	}
	for name, spoil := range wrong {
		_, err := run(t, text, types.U8, func(p *hast.Program, table *claims.Table) {
			hast.WalkBody(p.Pipelines[0].Steps[len(p.Pipelines[0].Steps)-1].(*hast.Stage).Body, nil, func(e hast.Expr) {
				if _, ok := e.(*hast.Reduce); ok && len(table.Of(e)) > 0 {
					spoil(&table.Of(e)[0])
				}
			})
		})
		if err == nil || !strings.Contains(err.Error(), "a claim of the proofs does not hold") {
			t.Errorf("a wrong %s is not found: %v", name, err)
		}
	}
}
