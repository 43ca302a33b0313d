package interp

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"testing"

	"imgc/hast"
	"imgc/pixels"
	"imgc/types"
)

// tables.json holds what NumPy and SciPy compute; testdata/make_tables.py makes it.
type tables struct {
	Pad       []tableRow
	Correlate []tableRow
	Median    []tableRow
}

type tableRow struct {
	Rule   string
	Image  [][]float64
	Padded [][]float64
	Mask   [][]float64
	Shape  []int
	Result [][]float64
}

func readTables(t *testing.T) (all tables) {
	t.Helper()
	text, err := os.ReadFile("testdata/tables.json")
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func (r tableRow) name() string {
	return fmt.Sprintf("%s of %dx%d", r.Rule, len(r.Image), len(r.Image[0]))
}

// rule is the row's rule; the constant is 9, as in the script.
func (r tableRow) rule(t types.Type) *hast.Rule {
	kind := hast.RuleKind(slices.Index(hast.RuleNames[:], r.Rule))
	if kind != hast.Constant {
		return &hast.Rule{Kind: kind}
	}
	return &hast.Rule{Kind: kind, Value: constant(t, wordOf(t.Kind, 9))}
}

func table(t types.Type, rows [][]float64) *pixels.Image {
	return picture(t, []int{len(rows), len(rows[0])}, slices.Concat(rows...)...)
}

// runTable runs a pipeline with one parameter src and one dst.
func runTable(t *testing.T, name string, p *hast.Pipeline, src *pixels.Image, want [][]float64) {
	t.Helper()
	res, err := Run(context.Background(), p, Args{Images: map[string]*pixels.Image{"src": src}}, Options{})
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if got := valuesOf(res.Images["dst"]); !slices.Equal(got, slices.Concat(want...)) {
		t.Errorf("%s\n got %v\nwant %v", name, got, slices.Concat(want...))
	}
}

func TestBorderRulesEqualNumpyPad(t *testing.T) {
	for _, row := range readTables(t).Pad {
		for _, kind := range []types.Type{tU8, tF32, types.Scalar(types.F16)} {
			p := newProgram()
			src := p.image("src", hast.In, kind, "H", "W")
			y, x := iterator("y"), iterator("x")
			dst := p.image("dst", hast.Out, kind, add(src.Extent[0], i32(16)), add(src.Extent[1], i32(18)))
			p.stage(dst, []*hast.Var{y, x},
				store(dst, load(src, row.rule(kind), add(ref(y), i32(-8)), add(ref(x), i32(-9))), ref(y), ref(x)))
			runTable(t, row.name()+" "+kind.String(), p.Pipeline, table(kind, row.Image), row.Padded)
		}
	}
}

// convolve is what sema makes of convolve(mask, src[y][x]): a sum over the mask's entries but zeros.
func convolve(src *hast.Image, mask [][]float64, rule *hast.Rule, k types.Kind, y, x *hast.Var) hast.Expr {
	rows, cols := len(mask), len(mask[0])
	dy, dx := loopVar("dy"), loopVar("dx")
	space := hast.Space{Vars: []*hast.Var{dy, dx}}
	var words []types.Word
	for i, line := range mask {
		for j, v := range line {
			words = append(words, wordOf(k, v))
			if v != 0 {
				space.Points = append(space.Points, []int64{int64(i - rows/2), int64(j - cols/2)})
			}
		}
	}
	t := types.Scalar(k)
	coefficient := elem(constant(t.Array(rows, cols), words...), add(ref(dy), i32(int64(rows/2))), add(ref(dx), i32(int64(cols/2))))
	pixel := convert(k, load(src, rule, add(ref(y), ref(dy)), add(ref(x), ref(dx))))
	return &hast.Reduce{Typed: typed(t), Op: hast.Sum, Space: space, Elem: mul(coefficient, pixel)}
}

func TestConvolutionEqualsScipyCorrelate(t *testing.T) {
	for _, row := range readTables(t).Correlate {
		for _, c := range []struct{ pixel, sum types.Type }{{tU8, tI32}, {tF32, tF32}, {tF64, tF64}, {tU8, types.Scalar(types.I64)}} {
			p := newProgram()
			src, dst := p.image("src", hast.In, c.pixel, "H", "W"), p.image("dst", hast.Out, c.sum, "H", "W")
			y, x := iterator("y"), iterator("x")
			p.stage(dst, []*hast.Var{y, x}, store(dst, convolve(src, row.Mask, row.rule(c.pixel), c.sum.Kind, y, x), ref(y), ref(x)))
			runTable(t, row.name()+" "+c.sum.String(), p.Pipeline, table(c.pixel, row.Image), row.Result)
		}
	}
}

func TestMedianOfWindowEqualsScipy(t *testing.T) {
	for _, row := range readTables(t).Median {
		for _, kind := range []types.Type{tU8, tF32, types.Scalar(types.U64)} {
			p := newProgram()
			src, dst := p.image("src", hast.In, kind, "H", "W"), p.image("dst", hast.Out, kind, "H", "W")
			y, x, i, j := iterator("y"), iterator("x"), loopVar("i"), loopVar("j")
			axis := func(v *hast.Var, n int) hast.WindowAxis {
				start := hast.Coord{X: add(ref(v), i32(int64(-(n / 2)))), Below: true, Above: true}
				return hast.WindowAxis{Start: start, Count: n, Stride: 1, Colon: true}
			}
			window := &hast.Window{Typed: typed(kind.Array(row.Shape...)), Image: src, Rule: row.rule(kind),
				Axes: []hast.WindowAxis{axis(y, row.Shape[0]), axis(x, row.Shape[1])}}
			rows, cols := i32(int64(row.Shape[0])), i32(int64(row.Shape[1]))
			median := &hast.Reduce{Typed: typed(kind), Op: hast.Median, Space: over([]*hast.Var{i, j}, rows, cols),
				Elem: &hast.Elem{Typed: typed(kind), X: window, Index: []hast.Expr{ref(i), ref(j)}, InRange: true}}
			p.stage(dst, []*hast.Var{y, x}, store(dst, median, ref(y), ref(x)))
			runTable(t, row.name()+" "+kind.String(), p.Pipeline, table(kind, row.Image), row.Result)
		}
	}
}
