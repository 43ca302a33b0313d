package generate

import (
	"fmt"
	"strings"

	"imgc/types"
)

// A smooth program is one for the modes that leave freedom to floats: all that it computes is a sum, product or quotient of positive
// numbers of moderate size, or one of the functions that do not make errors larger. So each result is within a small factor of the
// interpreter's, however operations are fused, reassociated or approximated.
type smooth struct {
	*generator
	kind   types.Kind
	bytes  []string // images of small integers
	floats []string // images of positive floats
	lines  []string
}

// The relative error that a smooth program may have by mode: some tens of operations of float precision, or of approximations.
var smoothBounds = map[string]string{"contract": "3e-5", "fast": "2e-3"}

// smoothProgram is a whole program of that sort.
func (g *generator) smoothProgram() (mode, text string) {
	mode = pick(g, []string{"contract", "contract", "fast"})
	s := &smooth{generator: g, kind: types.F32, bytes: []string{"a", "b"}}
	if g.chance(15) {
		s.kind = types.F64
	}
	for range 1 + g.IntN(4) {
		s.step()
	}
	s.lines = append(s.lines, fmt.Sprintf("out1 = [%s for y, x] border %s;", s.value(2, "y", "x"), pick(g, plainRules)))
	params := fmt.Sprintf("in a: u8[H][W], in b: u16[H][W], in k: u8, out out1: %s[H][W], out total: %s", s.kind, s.kind)
	s.lines = append(s.lines, fmt.Sprintf("total = %s(%s);", pick(g, []string{"sum", "mean", "max", "min"}), s.image()))
	return mode, fmt.Sprintf("pipeline run(%s) %s", params, block(strings.Join(s.lines, "\n")+"\n"))
}

// image is one of positive floats, made if there is none.
func (s *smooth) image() string {
	if len(s.floats) == 0 {
		s.step()
	}
	return pick(s.generator, s.floats)
}

// step makes an image of floats.
func (s *smooth) step() {
	name := s.name("t")
	declared := fmt.Sprintf("image %s: %s[H][W]", name, s.kind)
	rule := pick(s.generator, plainRules)
	switch roll := s.IntN(10); {
	case roll < 4:
		s.lines = append(s.lines, fmt.Sprintf("%s = [%s for y, x] border %s;", declared, s.value(3, "y", "x"), rule))
	case roll < 6:
		s.lines = append(s.lines, fmt.Sprintf("%s = [%s for y, x] border %s;", declared, s.convolved("y", "x"), rule))
	case roll < 7 && len(s.floats) > 0:
		from := pick(s.generator, s.floats)
		view := s.name("v")
		s.lines = append(s.lines, fmt.Sprintf("view %s: %s[H + 1][2*W] = resample(%s, linear);", view, s.kind, from),
			fmt.Sprintf("%s = [%s[y][2*x] + 1 for y, x];", declared, view))
	case roll < 8:
		s.lines = append(s.lines, fmt.Sprintf("%s = [1 + mean(%s for n in 0:W) for y, x] border %s;", declared, s.value(1, "y", "n"), rule))
	default:
		at, by := pick(s.generator, [][2]string{{"y", "x - 1"}, {"y", "x + 1"}}), "x"
		if strings.HasSuffix(at[1], "+ 1") {
			by = "-x"
		}
		s.lines = append(s.lines, declared+";", fmt.Sprintf("iterate (y, x) over %s border(%s: %s) border clamp scan(%s)\n    %s[y][x] = %s + 0.%d * %s[%s][%s];",
			name, name, pick(s.generator, []string{"constant(1)", "constant(0)"}), by, name, s.value(1, "y", "x"), 1+s.IntN(9), name, at[0], at[1]))
	}
	s.floats = append(s.floats, name)
}

// pixel is a positive number near a place.
func (s *smooth) pixel(y, x string) string {
	if s.chance(30) {
		y += pick(s.generator, []string{" - 1", " + 1", " + 2"})
	}
	if s.chance(50) {
		x += pick(s.generator, []string{" - 1", " + 1", " - 2", " + 3"})
	}
	if len(s.floats) > 0 && s.chance(60) {
		return fmt.Sprintf("%s[%s][%s]", pick(s.generator, s.floats), y, x)
	}
	return fmt.Sprintf("%s(%s[%s][%s] + 1)", s.kind, pick(s.generator, s.bytes), y, x)
}

// convolved is a mask with positive coefficients, or one of any sign beside a number that keeps the sum positive.
func (s *smooth) convolved(y, x string) string {
	name := s.name("m")
	h, w := 1+s.IntN(4), 1+s.IntN(5)
	signed := s.chance(30)
	column := make([]string, w)
	for i := range column {
		column[i] = pick(s.generator, []string{"0.25", "1", "0.1", "2", "0.5"})
	}
	separable := s.chance(40)
	s.apart(func() string {
		rows := make([]string, h)
		for j := range rows {
			row := make([]string, w)
			factor := pick(s.generator, []string{"1", "0.5", "3"})
			for i := range row {
				row[i] = pick(s.generator, []string{"0.25", "1", "0.1", "2", "0", "0.3"})
				if separable {
					row[i] = factor + "*" + column[i]
				}
				if signed && s.chance(40) {
					row[i] = "-" + row[i]
				}
			}
			rows[j] = "[" + strings.Join(row, ", ") + "]"
		}
		return fmt.Sprintf("mask %s: %s[%d][%d] = [%s];\n", name, s.kind, h, w, strings.Join(rows, ", "))
	})
	if signed { // 20 coefficients of 6 at most
		return fmt.Sprintf("%s(70000.0) + convolve(%s, a[%s][%s])", s.kind, name, y, x)
	}
	return fmt.Sprintf("1 + convolve(%s, %s[%s][%s])", name, pick(s.generator, append(s.bytes, s.floats...)), y, x)
}

// value is a positive expression; deeper ones stay below what a float holds.
func (s *smooth) value(depth int, y, x string) string {
	if depth <= 0 {
		return s.pixel(y, x)
	}
	sub := func() string { return s.value(depth-1, y, x) }
	form := pick(s.generator, []string{
		"(%s + %s)", "(%s + %s)", "(%s / (1 + %s))", "sqrt(%s * %s)", "max(%s, %s)", "min(%s, %s)", "fma(%s, 0.5, %s)", "(%s * 0.75 + %s)",
		"(0.3 * (%s) + 0.7 * (%s))", "(1.5 + sin(min(%s / (3 * (%s) + 1), 2.5)) * 0.5)", "(exp(-1 / (1 + %s)) + %s)", "log2(4 + %s + %s)",
	})
	if s.chance(20) {
		return fmt.Sprintf("(%s > k ? %s : %s)", "a["+y+"]["+x+"]", sub(), sub())
	}
	if s.chance(15) {
		n := s.name("n")
		return fmt.Sprintf("%s(%s for %s in -1:3)", pick(s.generator, []string{"sum", "mean", "max"}), s.value(depth-1, y, x+" + "+n), n)
	}
	return "(" + fmt.Sprintf(form, sub(), sub()) + ")"
}
