package borders

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"imgc"
	"imgc/device"
	"imgc/pixels"
	"imgc/testsuite/harness"
	"imgc/types"
)

// sizes are extents of src, slowest first, for each rank: one pixel, lines, less than every mask, primes.
var sizes = [][][]int{
	1: {{1}, {2}, {3}, {17}, {257}},
	2: {{1, 1}, {1, 7}, {5, 1}, {2, 3}, {11, 13}, {37, 53}},
	3: {{1, 1, 1}, {1, 1, 5}, {1, 4, 1}, {3, 1, 1}, {2, 2, 2}, {5, 7, 11}},
	4: {{1, 1, 1, 1}, {2, 1, 3, 1}, {1, 2, 1, 4}, {3, 2, 5, 4}},
}

const few = 4 // sizes that Oclgrind runs

// indices are what gather reads at: in range, next to it, and as far as an i32 goes.
func indices(n int) *pixels.Image {
	all := []int{0, -1, 1, n - 1, n, n + 1, -n, 2*n - 1, 2 * n, -2 * n, 3*n + 1, 7, -9, 100, -1000, 1<<31 - 1, -1 << 31, 1<<31 - 2, 1<<31 - n, n - 1<<31}
	m, err := pixels.New(types.Scalar(types.I32), len(all))
	if err != nil {
		panic(err)
	}
	for i, v := range all {
		m.SetWord(i, types.Int(int64(v)))
	}
	return m
}

// A call is one shape at one size.
type call struct {
	shape
	rule    rule
	name    string
	program *imgc.Program
	args    imgc.Args
	want    *pixels.Image
}

// calls compiles the program of a rule and runs the interpreter over every shape and size.
func calls(t *testing.T, r rule, most int) (*imgc.Program, []*call) {
	t.Helper()
	p := harness.Compile(t, "borders_"+r.name+".img", program(r), imgc.Strict)
	var all []*call
	for _, s := range shapes {
		for _, extent := range sizes[s.rank][:min(most, len(sizes[s.rank]))] {
			for _, pattern := range []harness.Pattern{harness.Random, harness.Extremes} {
				c := &call{shape: s, rule: r, program: p, name: strings.ReplaceAll(strings.Trim(fmt.Sprint(extent), "[]"), " ", "x") + "/" + string(pattern)}
				c.args.Images = map[string]*pixels.Image{"src": harness.Input(s.name, pattern, s.elem, extent...)}
				if s.reference == "gather" {
					c.args.Images["at"] = indices(extent[0])
				}
				c.want = harness.Interpret(t, p, s.name, c.args).Images["dst"]
				all = append(all, c)
			}
		}
	}
	return p, all
}

func TestBorderRules(t *testing.T) {
	var everything []*call
	for _, r := range rules {
		t.Run("device/"+r.text, func(t *testing.T) {
			p, all := calls(t, r, 99)
			everything = append(everything, all...)
			runAll(t, p, all)
		})
	}
	t.Run("reference", func(t *testing.T) { compareReferences(t, everything) })
}

// layouts are how images lie in device memory: packed, and with odd gaps between and before their lines.
var layouts = []device.Layout{{}, {Pad: 1, Offset: 7}}

func runAll(t *testing.T, p *imgc.Program, all []*call) {
	built := harness.Build(t, p)
	for _, c := range all {
		t.Run(c.shape.name+"/"+c.name, func(t *testing.T) {
			for _, l := range layouts {
				r, err := built.Run(context.Background(), c.shape.name, device.Args(c.args), l)
				if err != nil {
					t.Fatal(err)
				}
				if err := harness.Compare(r.Images["dst"], c.want, harness.Bound{}); err != nil {
					t.Fatalf("with the layout %+v: %v", l, err)
				}
			}
		})
	}
}

func compareReferences(t *testing.T, all []*call) {
	var list []harness.ReferenceCase
	for _, c := range all {
		k := harness.ReferenceCase{
			Function: "borders." + c.reference, Images: []*pixels.Image{c.args.Images["src"]}, Want: []*pixels.Image{c.want},
			Scalars: map[string]any{"rule": c.rule.name, "value": c.rule.value},
		}
		switch c.reference {
		case "stencil":
			k.Scalars["mask"], k.Scalars["kind"] = c.nested(c.mask(), c.rank), c.kind
		case "shift":
			k.Scalars["offset"] = c.offset
		case "gather":
			k.Images = append(k.Images, c.args.Images["at"])
		}
		list = append(list, k)
	}
	for i, r := range harness.References(t, list) {
		c := all[i]
		t.Run(c.rule.text+"/"+c.shape.name+"/"+c.name, func(t *testing.T) {
			if r.Err != nil {
				t.Fatal(r.Err)
			}
			if err := harness.Compare(c.want, r.Images[0], harness.Bound{}); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestBorderRulesUnderOclgrind has the simulator watch the remapping at small sizes.
func TestBorderRulesUnderOclgrind(t *testing.T) {
	if harness.UnderOclgrind() {
		t.Skip("runs TestSimulatedBorderRules there")
	}
	harness.SimulateTest(t, "TestSimulatedBorderRules")
}

// TestSimulatedBorderRules runs in the process that TestBorderRulesUnderOclgrind starts.
func TestSimulatedBorderRules(t *testing.T) {
	if !harness.UnderOclgrind() {
		t.Skip("TestBorderRulesUnderOclgrind runs it in a process of its own")
	}
	for _, r := range rules {
		t.Run(r.text, func(t *testing.T) {
			p, all := calls(t, r, few)
			runAll(t, p, all)
		})
	}
}

// TestUndefinedBorderReadsNothingElse: where a program keeps the promise that undefined makes, it reads the pixels themselves.
func TestUndefinedBorderReadsNothingElse(t *testing.T) {
	const text = `
mask m: i32[3][5] = [[1, -2, 3, -4, 5], [6, 0, 8, 9, -1], [2, 4, -6, 8, 10]];
pipeline inside(in src: u8[H][W], in k: i32, inout dst: i32[H][W]) {
    iterate (y, x) over dst where (y >= k && y < H - k && x >= 2*k && x < W - 2*k) border undefined
        dst[y][x] = convolve(m, src[y][x]);
}
pipeline clamped(in src: u8[H][W], in k: i32, inout dst: i32[H][W]) {
    iterate (y, x) over dst where (y >= k && y < H - k && x >= 2*k && x < W - 2*k) border clamp
        dst[y][x] = convolve(m, src[y][x]);
}
`
	p := harness.Compile(t, "undefined.img", text, imgc.Strict)
	built := harness.Build(t, p)
	for _, extent := range sizes[2] {
		args := imgc.Args{Images: map[string]*pixels.Image{
			"src": harness.Input("undefined", harness.Random, types.Scalar(types.U8), extent...),
			"dst": harness.Input("before", harness.Random, types.Scalar(types.I32), extent...),
		}, Scalars: map[string]types.Value{"k": types.Of(types.I32, types.Int(1))}}
		copied := func() imgc.Args {
			a := args
			a.Images = map[string]*pixels.Image{"src": args.Images["src"], "dst": args.Images["dst"].Clone()}
			return a
		}
		want := harness.Interpret(t, p, "clamped", copied())
		for _, pipeline := range []string{"inside", "clamped"} {
			r, err := built.Run(context.Background(), pipeline, device.Args(copied()), layouts[1])
			if err != nil {
				t.Fatal(err)
			}
			harness.CompareAll(t, r.Images, r.Scalars, want, harness.Bound{})
			harness.CompareAll(t, harness.Interpret(t, p, pipeline, copied()).Images, nil, want, harness.Bound{})
		}
	}
}
