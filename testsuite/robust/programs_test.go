package robust

import (
	"path/filepath"
	"strings"

	"imgc"
)

// A program is what a library is made of, and two calls of each of its pipelines.
type program struct {
	file  string // relative to the repository
	loose bool   // of floats whose last bits are the device's: the first results count
	sizes [2]map[string]int
	set   map[string]float64
	skip  []string // pipelines that are left out
}

func planes(h, w, h2, w2 int) [2]map[string]int {
	return [2]map[string]int{{"H": h, "W": w}, {"H": h2, "W": w2}}
}

// programs have between them: stencils, reductions, histograms, bins that are kept, locks, scans, masks, pyramids, loops whose end the device decides,
// swaps, tables in buffers, scalars that are computed on the device, several pipelines, parameters of every kind.
var programs = []program{
	{file: "testsuite/robust/testdata/kinds.img", sizes: [2]map[string]int{{"H": 5, "W": 7, "N": 9, "D": 2}, {"H": 6, "W": 17, "N": 300, "D": 3}},
		set: map[string]float64{"row": 2, "scale": 1.5, "twice": 1}},
	{file: "testsuite/robust/testdata/locks.img", sizes: planes(5, 7, 19, 23)},
	{file: "testsuite/robust/testdata/bins.img", sizes: planes(5, 7, 19, 23)},
	{file: "samples/basics/blur.img", sizes: planes(5, 7, 19, 23)},
	{file: "samples/basics/statistics.img", sizes: planes(5, 7, 19, 23)},
	{file: "samples/basics/histogram.img", sizes: planes(5, 7, 19, 23)},
	{file: "samples/basics/otsu.img", sizes: planes(5, 7, 19, 23)},
	{file: "samples/basics/tone.img", sizes: planes(5, 7, 19, 23), skip: []string{"curve"}},
	{file: "samples/basics/poisson.img", sizes: planes(5, 7, 6, 9), loose: true},
	{file: "samples/halide/diffusion.img", sizes: planes(5, 7, 19, 23), set: map[string]float64{"rounds": 3}},
	{file: "samples/hipacc/detail.img", sizes: planes(5, 7, 19, 23), set: map[string]float64{"depth": 4}},
	{file: "samples/hipacc/multigrid.img", sizes: planes(5, 7, 11, 8), loose: true,
		set: map[string]float64{"depth": 3, "cycles": 1, "red_black": 0}},
	{file: "samples/library/filters.img", sizes: planes(9, 7, 19, 23), skip: []string{"ranks", "softened", "slopes"}},
}

// short are the programs of a short run: between them they have every construct of the generated host code.
var short = []string{"kinds", "bins", "statistics", "diffusion", "multigrid", "tone"}

// architectures are what the libraries are planned for; "" is for no plan.
var architectures = []string{"", "nvidia-h200"}

func (r program) name() string { return strings.TrimSuffix(filepath.Base(r.file), ".img") }

// keep lists the pipelines of a program that are not left out.
func (r program) keep(p *imgc.Program) []string {
	var names []string
	for _, q := range p.Pipelines {
		left := false
		for _, s := range r.skip {
			left = left || s == q.Name
		}
		if !left {
			names = append(names, q.Name)
		}
	}
	return names
}
