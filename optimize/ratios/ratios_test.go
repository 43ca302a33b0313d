package ratios_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"imgc/hast"
	"imgc/interp"
	"imgc/interp/interptest"
	"imgc/optimize/ratios"
	"imgc/pixels"
	"imgc/sema/sematest"
	"imgc/types"
)

// formed is the text of a program whose stages have been told to the package in their order.
func formed(t *testing.T, text string, exact bool) string {
	t.Helper()
	return hast.Dump(told(t, sematest.Program(t, text), exact))
}

// told is a program whose stages have been told to the package.
func told(t *testing.T, p *hast.Program, exact bool) *hast.Program {
	t.Helper()
	out := *p
	out.Pipelines = nil
	for _, q := range p.Pipelines {
		places, x := ratios.Of(q, exact), *q
		x.Steps = hast.MapSteps(q.Steps, func(s hast.Step) []hast.Step {
			switch s := s.(type) {
			case *hast.Stage:
				to := places.Stage(s)
				places.Past(s)
				return []hast.Step{to}
			case *hast.DefineHost:
				places.Know(s.Var, s.Value)
			}
			return nil
		})
		out.Pipelines = append(out.Pipelines, &x)
	}
	if err := hast.Verify(&out); err != nil {
		t.Errorf("%v\n%s", err, hast.Dump(&out))
	}
	return &out
}

// TestFarAwayInstancesComputeWhatTheProgramSays has positions lie where floats of 32 bits have begun to round them, which integers do not.
func TestFarAwayInstancesComputeWhatTheProgramSays(t *testing.T) {
	p := sematest.Program(t, "pipeline p(in src: u8[M] border reflect, in like: u8[N], out dst: f32[N]) { dst = [sample(src, (i + 0.5)*0.875 - 0.5, linear) for i]; }")
	q := told(t, p, true)
	const limit = 1 << 20
	if text := hast.Dump(q); !strings.Contains(text, fmt.Sprintf("(i < %d)", limit)) {
		t.Fatalf("no limit of %d in\n%s", limit, text)
	}
	args := interp.Args{Images: map[string]*pixels.Image{"src": image(t, 97), "like": image(t, 1_200_000)}}
	want, got := interptest.Words(t, p.Pipelines[0], args, "dst"), interptest.Words(t, q.Pipelines[0], args, "dst")
	if !slices.Equal(got, want) {
		t.Error("pixels differ")
	}
	far := 0
	for i := limit; i < len(want); i++ {
		if rounded := float32(i) + 0.5; float64(rounded)*0.875-0.5 != float64(rounded*0.875-0.5) {
			far++
		}
	}
	if far == 0 {
		t.Error("floats are exact everywhere")
	}
}

// image is a row of bytes.
func image(t *testing.T, n int) *pixels.Image {
	t.Helper()
	m, err := pixels.New(types.Scalar(types.U8), n)
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		m.SetWord(i, types.Int(int64(i*i*37%251)))
	}
	return m
}

func TestPositionsAreQuotients(t *testing.T) {
	for _, c := range []struct {
		name, body string
		exact      bool
		has        []string // in the text of the stage
		hasNot     []string
	}{
		{"twice", "dst[i] = sample(src, (i + 0.5)/2 - 0.5, linear);", true,
			[]string{"let i_phase: i32 = mod(i, 2)", "(i < 4194304) ? (floordiv((i + 1), 2) - 1)", "f32[2]{0.75 0.25}[i_phase]", "f32[2]{0.25 0.75}[i_phase]"}, nil},
		{"half", "dst[i] = sample(src, (i + 0.5)*2 - 0.5, linear);", true, []string{"? (2 * i)", "? 0.5 :"}, []string{"i_phase"}},
		{"three halves", "dst[i] = sample(src, (i + 0.5)*1.5 - 0.5, linear);", true, []string{"floordiv((3 * i), 2)", "f32[2]{0.25 0.75}[i_phase]"}, nil},
		{"two thirds in strict mode", "dst[i] = sample(src, (i + 0.5)/3 - 0.5, linear);", true, nil, []string{"floordiv", "i_phase"}},
		{"two thirds", "dst[i] = sample(src, (i + 0.5)/3 - 0.5, linear);", false, []string{"(floordiv((i + 2), 3) - 1)", "f32[3]{"}, nil},
		{"with lets", "{ let f = i*0.5f; let k = i32(floor(f)); let t = f - k; dst[i] = t*src[k]; }", true, []string{"src[((i < 8388608) ? floordiv(i, 2) :", "{0.0 0.5}[i_phase]"},
			[]string{"let f:", "let k:"}},
		{"with a loop", "{ let f = i*0.5f; let k = i32(floor(f)); var s = 0.0; for (j in -1:2) s += exp(f - (k + j))*src[k + j]; dst[i] = s; }", true,
			[]string{"exp((f32[2]{0.0 0.5}[i_phase] + f32((0 - j))))"}, nil},
		{"towards 0", "dst[i] = src[i32(i*0.5f)];", true, []string{"floordiv(i, 2)"}, nil},
		{"towards 0 from below", "dst[i] = src[i32(i*0.5f - 1)];", true, nil, []string{"floordiv"}},
		{"backwards", "dst[i] = sample(src, 9 - i*0.5, linear);", true, nil, []string{"floordiv"}}, // neighbours of a block do not have that
		{"a tenth", "dst[i] = sample(src, i*0.1, linear);", false, nil, []string{"floordiv"}},
		{"a large number", "dst[i] = sample(src, (i + 1e8)/2 - 5e7, linear);", false, nil, []string{"floordiv"}},
		{"a parameter", "dst[i] = sample(src, (i + by)/2, linear);", false, nil, []string{"floordiv"}},
		{"a zero below 0", "{ let f = i*0.5f; dst[i] = src[i32(floor(f))]*(-(f - floor(f))); }", true, []string{"f32[2]{-0.0 -0.5}[i_phase]"}, nil},
		{"what is not read by it", "dst[i] = src[0]*fract(i*0.5f);", true, nil, []string{"i_phase"}},
		{"a product of small numbers", "dst[i] = sample(src, (i + 0.5)*0.9375 - 0.5, linear);", true, nil, []string{"i_phase"}}, // too far apart for blocks
	} {
		text := formed(t, "pipeline p(in src: f32[N] border clamp, in by: f32, out dst: f32[n]) { iterate (i) over dst "+c.body+" }", c.exact)
		for _, want := range c.has {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q in\n%s", c.name, want, text)
			}
		}
		for _, bad := range c.hasNot {
			if strings.Contains(text, bad) {
				t.Errorf("%s: %q in\n%s", c.name, bad, text)
			}
		}
	}
}

func TestTablesOfViewsAreNotRead(t *testing.T) {
	for _, c := range []struct {
		name, extent, mode string
		read               bool // the tables still are
		has                string
	}{
		{"twice", "2*N", "linear", false, "(floordiv((x + 1), 2) - 1)"},
		{"three times", "3*N", "cubic", false, "(floordiv((x + 2), 3) - 1)"}, // weights as the stage of the table computes them
		{"one and a half", "3*N", "nearest", false, "floordiv"},
		{"one more", "2*N + 1", "linear", true, "= v_x[x]"},
		{"steps", "N + 5", "linear, 0.5", false, "floordiv"},
		{"steps of a third", "N + 5", "linear, 0.3", true, "= v_x[x]"},
	} {
		text := formed(t, "pipeline p(in src: f32[N] border clamp, out dst: f32["+c.extent+"]) { view v: f32["+c.extent+"] = resample(src, "+c.mode+"); dst = v; }", true)
		stage := text[strings.Index(text, "stage dst"):]
		if strings.Contains(stage, " v_x[") != c.read || !strings.Contains(stage, c.has) {
			t.Errorf("%s: read %v, want %v and %q in\n%s", c.name, !c.read, c.read, c.has, stage)
		}
	}
}

func TestTablesThatChangeAreRead(t *testing.T) {
	const fill = "iterate (i) over at at[i] = i32(floor(i*0.5f));"
	for _, c := range []struct {
		name, body string
		read       bool
	}{
		{"as it is", fill + " dst = [src[at[i]] for i];", false},
		{"changed before", fill + " at[0] = 1; dst = [src[at[i]] for i];", true},
		{"changed behind", fill + " dst = [src[at[i]] for i]; at[0] = 1;", true},
		{"read before", "dst = [src[at[i]] for i]; " + fill, true},
		{"under a condition", "if (by > 0) { " + fill + " } dst = [src[at[i]] for i];", true},
		{"at another place", fill + " dst = [src[at[N - 1 - i]] for i];", true},
		{"filled in part", "iterate (i in 1:N) at[i] = i32(floor(i*0.5f)); dst = [src[at[i]] for i];", true},
		{"of pixels", "iterate (i) over at at[i] = i32(floor(i*0.5f)) + i32(src[i] > 0 ? 0 : 0); dst = [src[at[i]] for i];", true},
	} {
		text := formed(t, "pipeline p(in src: f32[N] border clamp, in by: f32, out dst: f32[N]) { image at: i32[N]; "+c.body+" }", true)
		stage := text[strings.Index(text, "stage dst"):]
		if strings.Contains(stage, "src[at[") != c.read {
			t.Errorf("%s: read %v, want %v in\n%s", c.name, !c.read, c.read, stage)
		}
	}
}
