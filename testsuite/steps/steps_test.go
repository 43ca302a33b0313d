package steps

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"imgc"
	"imgc/device"
	"imgc/pixels"
	"imgc/testsuite/harness"
	"imgc/types"
)

// line is an image of one axis.
func line(v ...int64) *pixels.Image {
	m, err := pixels.New(types.Scalar(types.I32), len(v))
	if err != nil {
		panic(err)
	}
	for i, x := range v {
		m.SetWord(i, types.Int(x))
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

func (p program) args() imgc.Args {
	a := imgc.Args{Images: map[string]*pixels.Image{}, Scalars: map[string]types.Value{}, Sizes: p.sizes}
	for name, v := range p.images {
		a.Images[name] = line(v...)
	}
	for name, v := range p.scalars {
		a.Scalars[name] = types.Of(types.I32, types.Int(v))
	}
	return a
}

func TestStepsOfTheHost(t *testing.T) {
	for _, p := range programs {
		t.Run(p.name, func(t *testing.T) {
			compiled := harness.Compile(t, p.name+".img", p.text, imgc.Strict)
			want := harness.Interpret(t, compiled, p.name, p.args())
			for name, v := range p.want {
				got := want.Images[name]
				if got == nil {
					if n := want.Scalars[name].Words[0].Int(); !slices.Equal([]int64{n}, v) {
						t.Errorf("%s = %v, want %v", name, n, v)
					}
				} else if !slices.Equal(values(got), v) {
					t.Errorf("%s = %v, want %v", name, values(got), v)
				}
			}
			built := harness.Build(t, compiled)
			for _, l := range []device.Layout{{}, {Pad: 3, Offset: 5}} {
				r, err := built.Run(context.Background(), p.name, device.Args(p.args()), l)
				if err != nil {
					t.Fatal(err)
				}
				harness.CompareAll(t, r.Images, r.Scalars, want, harness.Bound{})
			}
			times, err := built.Time(context.Background(), p.name, device.Args(p.args()), 2)
			if err != nil || len(times) != 2 {
				t.Errorf("timed %d runs: %v", len(times), err)
			}
		})
	}
}

// refused are programs whose host values leave their types in the middle: every executor says so and returns nothing.
var refused = []struct {
	name, text string
	n          int64
	want       string
}{
	{"counted", "pipeline counted(out dst: i32[N], in n: i32) { var v = n; dst = 1; while (v > 0) v += 1; }", 2147483600,
		"= 2147483648 for v = 2147483647, which does not fit an i32"},
	{"added", "pipeline added(out dst: i32[N], in n: i32) { var t = 0; for (i in 0:3) t += i*n; dst = t; }", 1 << 30,
		":1:72: added: t is t + i*n = 3221225472 for t = 1073741824 and i = 2 and n = 1073741824, which does not fit an i32"},
	{"multiplied", "pipeline multiplied(out dst: i32[N], in n: i32) { var t = 3; t *= n + 1; dst = t; }", 1 << 30,
		"t is t*(n + 1) = 3221225475 for t = 3 and n = 1073741824, which does not fit an i32"},
	{"first", "pipeline first(out dst: i32[N], in n: i32) { var v = 2*n; dst = v; }", 1 << 30,
		"v is 2*n = 2147483648 for n = 1073741824, which does not fit an i32"},
	{"ranged", "pipeline ranged(out dst: i32[N], in n: i32) { var v = n; for (k in 0:1) v *= 2; for (i in 0 : v + v) dst = i; }", 1 << 29,
		"the end of i is v + v = 2147483648 for v = 1073741824, which does not fit an i32"},
}

func TestHostValuesThatLeaveTheirTypesAreRefused(t *testing.T) {
	for _, r := range refused {
		t.Run(r.name, func(t *testing.T) {
			p := program{name: r.name, text: r.text, sizes: map[string]int{"N": 3}, scalars: scalars{"n": r.n}}
			compiled := harness.Compile(t, p.name+".img", p.text, imgc.Strict)
			ref, err := imgc.OpenDevice("ref")
			if err != nil {
				t.Fatal(err)
			}
			_, err = compiled.Run(context.Background(), ref, p.name, p.args())
			if err == nil || !strings.Contains(err.Error(), r.want) {
				t.Errorf("the interpreter: %v, want %s", err, r.want)
			}
			if _, err = harness.Build(t, compiled).Run(context.Background(), p.name, device.Args(p.args()), device.Layout{}); err == nil ||
				!strings.Contains(err.Error(), r.want) {
				t.Errorf("the device: %v, want %s", err, r.want)
			}
			demo := harness.WriteProject(t, compiled, imgc.ProjectOptions{}).Demo(t)
			out, err := exec.Command(demo, "--set", fmt.Sprintf("n=%d", r.n), "--set", "N=3", filepath.Join(t.TempDir(), "dst.npy")).CombinedOutput()
			if err == nil || !strings.Contains(string(out), "does not fit 32 bits") {
				t.Errorf("the generated library: %v\n%s", err, out)
			}
		})
	}
}
