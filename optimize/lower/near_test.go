package lower_test

import (
	"slices"
	"testing"

	"imgc/hast"
	"imgc/kir"
	"imgc/optimize/lower"
	"imgc/optimize/normal"
	"imgc/optimize/schedule"
	"imgc/sema/sematest"
)

// TestFarBlocksAreComputedInParts: at most four instances read for themselves at a time where a block may be far, however wide it is, and a block whose width four does not divide is halved as far as it goes.
func TestFarBlocksAreComputedInParts(t *testing.T) {
	const twice = "pipeline p(in src: u8[H][W] border clamp, out dst: u8[2*H][2*W]) { dst = [sat<u8>(sample(src, (y + 0.5)/2 - 0.5, (x + 0.5)/2 - 0.5, linear)) for y, x]; }"
	const mask = "pipeline p(in src: u8[H][W] border clamp, out dst: u8[H][W]) { dst = [max(src[y][x - 1 : 3]) for y, x]; }"
	for _, c := range []struct {
		name, text string
		columns    int
		want       []int // instances of a part
	}{
		{"sixteen columns", twice, 16, []int{4}},
		{"twelve", twice, 12, []int{3}},
		{"four", twice, 4, nil},
		{"never far", mask, 16, nil},
	} {
		p := normal.Program(sematest.Program(t, c.text), normal.Options{Blocks: func(string) bool { return true }})
		opts := lower.Defaults()
		opts.Decide = func(string, *hast.Stage) schedule.Decisions {
			return schedule.Decisions{Tile: [2]int{32 * c.columns, 8}, Item: [2]int{c.columns, 2}, Vector: 16}
		}
		if got := partsOf(lower.Program(p, opts)); !slices.Equal(got, c.want) {
			t.Errorf("%s: parts of %v instances, want %v", c.name, got, c.want)
		}
	}
}

// partsOf are the rounds of the first loop in each loop over parts of the first kernel.
func partsOf(p *kir.Program) (widths []int) {
	kir.WalkStmts(p.Kernels[0].Body, func(s kir.Stmt) {
		parts, ok := s.(*kir.For)
		if !ok || parts.Var.Name != "part" {
			return
		}
		first := slices.IndexFunc(parts.Body, func(s kir.Stmt) bool { _, ok := s.(*kir.For); return ok })
		widths = append(widths, int(parts.Body[first].(*kir.For).Hi.(*kir.Const).Words[0].Int()))
	}, func(kir.Expr) {})
	return widths
}
