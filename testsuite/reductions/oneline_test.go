package reductions

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"imgc"
	"imgc/device"
	"imgc/hast"
	"imgc/optimize/lower"
	"imgc/optimize/schedule"
	"imgc/pixels"
	"imgc/testsuite/harness"
)

// Reductions whose points groups take as those of one line, beside those of this package: of two images, of pixels that something is done to, and of a step that leaves gaps and of a part,
// which are no line.
const oneLines = `
pipeline differences(in a: u8[H][W], in b: u8[H][W], out value: i64) {
    value = sum(abs(i32(a[y][x]) - b[y][x]) for y in 0:H, x in 0:W);
}

pipeline far(in src: i16[H][W], out value: i64) {
    value = count(abs(i32(src[y][x])) > 9000 for (y, x) over src);
}

pipeline widest(in src: f32x2[H][W], out value: f32x2) {
    value = max(abs(src[y][x]) for (y, x) over src);
}

pipeline some(in src: u16[H][W], out value: i64) {
    value = sum(src[y][x] % 3 == 1 ? src[y][x] : 0 for (y, x) over src);
}

pipeline planes3(in src: u8[3][H][W], out value: i64) {
    value = sum(src);
}

pipeline by_place(in src: u8[H][W], out value: i64) {
    value = sum(i32(src[y][x]) * (x & 1) for (y, x) over src);
}

pipeline but_one(in src: u8[H][W], out value: i64) {
    value = sum(src[y][x] for y in 1:H, x in 0:W);
}
`

// asOneLine has groups take points as those of one line wherever a reduction lets them, and the last group go on.
func asOneLine(d schedule.Decisions, seen map[string]bool) func(string, *hast.Stage) schedule.Decisions {
	return func(pipeline string, s *hast.Stage) schedule.Decisions {
		for _, bytes := range []int{1, 0} {
			flat := d
			flat.Flat, flat.Dot4 = 1, bytes
			if lower.Refuse(s, flat, imgc.Strict) == "" {
				seen[pipeline] = true
				return flat
			}
		}
		last := schedule.Decisions{Reduce: d.Reduce, Last: 1}
		if lower.Refuse(s, last, imgc.Strict) == "" {
			return last
		}
		return schedule.Decisions{}
	}
}

// lineCases are sizes: of whole blocks, so few that not every item has one and so many that items have several, and others; and how images lie.
var (
	lineSizes   = [][2]int{{1, 16}, {36, 64}, {130, 160}, {37, 53}}
	lineLayouts = []device.Layout{{}, {Pad: 16}, {Offset: 16}, {Pad: 1, Offset: 7}}
)

// lineProgram has these pipelines and those of some rows.
func lineProgram() string {
	some := []string{"sum_u8", "sum_i32", "sum_f32", "product_i16", "mean_u8", "min_i16", "max_f32", "max_vector", "all_dark", "count_dark", "inner", "every_second", "several"}
	return oneLines + programOf(slices.DeleteFunc(slices.Clone(rows), func(r row) bool { return !slices.Contains(some, r.name) }))
}

func TestPointsAsOneLine(t *testing.T) {
	t.Parallel()
	for _, d := range []schedule.Decisions{
		{Reduce: 128, Abreast: 4, Item: [2]int{16, 1}}, {Reduce: 8, Abreast: 4, Item: [2]int{4, 2}}, {Reduce: 4, Item: [2]int{8, 3}},
	} {
		t.Run(d.String(), func(t *testing.T) {
			seen := map[string]bool{}
			p := harness.CompileWith(t, "lines.img", lineProgram(), imgc.Options{Mode: imgc.Strict, Decide: asOneLine(d, seen)})
			built := harness.BuildPlain(t, p) // which asks for decisions
			for name, want := range map[string]bool{
				"differences": true, "far": true, "widest": true, "some": true, "planes3": true, "sum_u8": true, "sum_i32": true, "min_i16": true, "max_vector": true,
				"by_place": false, "but_one": false, "sum_f32": false, "every_second": false, "inner": false,
			} {
				if seen[name] != want {
					t.Errorf("%s: the points are those of one line: %v, want %v", name, seen[name], want)
				}
			}
			for _, q := range p.Pipelines {
				if !seen[q.Name] {
					continue
				}
				for _, size := range lineSizes {
					args := lineArgs(q, size)
					want := harness.Interpret(t, p, q.Name, args)
					for _, layout := range lineLayouts {
						t.Run(fmt.Sprintf("%s/%dx%d/%+v", q.Name, size[0], size[1], layout), func(t *testing.T) {
							got, err := built.Run(context.Background(), q.Name, device.Args(args), layout)
							if err != nil {
								t.Fatal(err)
							}
							harness.CompareAll(t, got.Images, got.Scalars, want, harness.Bound{})
						})
					}
				}
			}
		})
	}
}

func lineArgs(q *imgc.Pipeline, size [2]int) imgc.Args {
	args := imgc.Args{Images: map[string]*pixels.Image{}}
	for _, in := range q.Params {
		if in.Dir == "in" {
			extent := size[:]
			if len(in.Extent) == 3 {
				extent = []int{3, size[0], size[1]}
			}
			args.Images[in.Name] = harness.Input(in.Name, harness.Random, in.Type, extent...)
		}
	}
	return args
}

// TestCUDATakesPointsAsOneLine runs CUDA's kernels, whose warps join what they have in one step.
func TestCUDATakesPointsAsOneLine(t *testing.T) {
	t.Parallel()
	host := harness.CUDAOnHost(t)
	seen := map[string]bool{}
	p := harness.CompileWith(t, "lines.img", lineProgram(), imgc.Options{Mode: imgc.Strict, Decide: asOneLine(schedule.Decisions{Reduce: 512, Abreast: 2, Item: [2]int{4, 2}}, seen)})
	project := harness.WriteProject(t, p, imgc.ProjectOptions{Targets: []imgc.Target{imgc.TargetCUDA}})
	var list []*call
	for _, q := range p.Pipelines {
		i := slices.IndexFunc(rows, func(r row) bool { return r.name == q.Name })
		if i < 0 || !seen[q.Name] {
			continue
		}
		c := &call{row: rows[i], name: q.Name, args: lineArgs(q, [2]int{36, 64})}
		c.want = harness.Interpret(t, p, q.Name, c.args)
		list = append(list, c)
	}
	onDemo(t, host.Build(t, project, nil, "src/"+project.Name+".c", "demo/main.c", "demo/image.c"), list)
}
