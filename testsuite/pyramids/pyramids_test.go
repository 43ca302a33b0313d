package pyramids

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"imgc"
	"imgc/device"
	"imgc/imagefile"
	"imgc/pixels"
	"imgc/testsuite/harness"
	"imgc/types"
)

// line is an image of one axis.
func line(n, k int) *pixels.Image {
	m, err := pixels.New(types.Scalar(types.I32), n)
	if err != nil {
		panic(err)
	}
	for i := range n {
		m.SetWord(i, types.Int(int64((7*i+3*k)%11+k)))
	}
	return m
}

func values(m *pixels.Image) []int64 {
	var out []int64
	for i := range m.Words() {
		out = append(out, m.Word(i).Int())
	}
	return out
}

func (p program) args(n int) imgc.Args {
	a := imgc.Args{Images: map[string]*pixels.Image{}, Scalars: map[string]types.Value{}, Sizes: map[string]int{"N": n}}
	for k, name := range p.images {
		a.Images[name] = line(n, k)
	}
	for name, v := range p.scalars {
		a.Scalars[name] = types.Of(types.I32, types.Int(v))
	}
	return a
}

func TestProgramsWithPyramids(t *testing.T) {
	for _, p := range programs {
		t.Run(p.name, func(t *testing.T) {
			compiled := harness.Compile(t, p.name+".img", p.text, imgc.Strict)
			built := harness.Build(t, compiled)
			for i, n := range p.sizes {
				want := harness.Interpret(t, compiled, p.name, p.args(n))
				if i == 0 {
					p.compare(t, want)
				}
				for _, l := range []device.Layout{{}, {Pad: 3, Offset: 5}} {
					r, err := built.Run(context.Background(), p.name, device.Args(p.args(n)), l)
					if err != nil {
						t.Fatal(err)
					}
					harness.CompareAll(t, r.Images, r.Scalars, want, harness.Bound{})
				}
			}
		})
	}
}

// compare holds results against the values by hand.
func (p program) compare(t *testing.T, got imgc.Results) {
	for name, v := range p.want {
		m := got.Images[name]
		if m == nil {
			if n := got.Scalars[name].Words[0].Int(); !slices.Equal([]int64{n}, v) {
				t.Errorf("%s = %v, want %v", name, n, v)
			}
		} else if !slices.Equal(values(m), v) {
			t.Errorf("%s = %v, want %v", name, values(m), v)
		}
	}
}

// TestGeneratedProject runs the programs, all in one library, through the demo program, on the OpenCL device and under Oclgrind.
func TestGeneratedProject(t *testing.T) {
	harness.Device(t)
	var text strings.Builder
	for _, p := range programs {
		text.WriteString(p.text)
	}
	all := harness.Compile(t, "pyramids.img", text.String(), imgc.Strict)
	demo := harness.WriteProject(t, all, imgc.ProjectOptions{}).Demo(t)
	for _, p := range programs {
		t.Run(p.name, func(t *testing.T) {
			for _, n := range p.sizes {
				p.onDemo(t, all, n, func(dir string, args ...string) { harness.Command(t, dir, demo, args...) })
			}
		})
		t.Run(p.name+"/oclgrind", func(t *testing.T) {
			p.onDemo(t, all, p.sizes[0], func(_ string, args ...string) { harness.Simulate(t, demo, args...) })
		})
	}
}

// onDemo passes a program's images as files and holds what run leaves there against the interpreter's.
func (p program) onDemo(t *testing.T, all *imgc.Program, n int, run func(dir string, args ...string)) {
	dir := t.TempDir()
	want := harness.Interpret(t, all, p.name, p.args(n))
	pipeline, err := all.Pipeline(p.name)
	if err != nil {
		t.Fatal(err)
	}
	var args, paths []string
	for name, v := range p.scalars {
		args = append(args, "--set", fmt.Sprintf("%s=%d", name, v))
	}
	for _, q := range pipeline.Params {
		if !q.IsImage {
			continue
		}
		path := filepath.Join(dir, q.Name+".npy")
		if q.Takes() && q.Returns() {
			paths = append(paths, path) // what it is before, and after
		}
		if k := slices.Index(p.images, q.Name); k >= 0 {
			if err := imagefile.Write(path, line(n, k), imagefile.Want{}); err != nil {
				t.Fatal(err)
			}
		} else if len(p.images) == 0 {
			args = append(args, "--set", fmt.Sprintf("N=%d", n))
		}
		paths = append(paths, path)
	}
	run(dir, append(append(args, p.name), paths...)...)
	for name, m := range want.Images {
		got, err := harness.ReadArray(filepath.Join(dir, name+".npy"), m)
		if err == nil {
			err = harness.Compare(got, m, harness.Bound{})
		}
		if err != nil {
			t.Errorf("%s of %d pixels: %v", name, n, err)
		}
	}
}
