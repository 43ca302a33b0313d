package tables_test

import (
	"slices"
	"testing"

	"imgc/hast"
	"imgc/optimize/tables"
	"imgc/sema/sematest"
)

// entries are what the tables of the last stage of a program hold, and whether they may be computed before all steps; nil where it has none.
func entries(t *testing.T, text string) (list []string, early bool) {
	t.Helper()
	p := sematest.Program(t, text)
	steps := p.Pipelines[0].Steps
	out := tables.Of(steps[len(steps)-1].(*hast.Stage), map[string]bool{"dst_table2": true})
	if out == nil {
		return nil, false
	}
	hast.EachStore(out.Before.Body, func(st *hast.Store) { list = append(list, st.Image.Name+" "+hast.Text(st.Value)) })
	q := *p
	one := *p.Pipelines[0]
	one.Steps = append(slices.Clone(steps[:len(steps)-1]), out.Before, out.Stage)
	one.Images = slices.Concat(one.Images, out.Images)
	q.Pipelines = []*hast.Pipeline{&one}
	if err := hast.Verify(&q); err != nil {
		t.Errorf("%s: %v", text, err)
	}
	return list, out.Early
}

const funcs = `func curve(v: f32): f32 = v <= 0.04 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
func rounds(v: f32): f32 { var s = v; while (s < 100) s *= 2; return sqrt(s) / v; }
`

func TestWhatDependsOnOneByteHasTables(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
		late       bool
	}{
		{"a parameter, and what is made of the value", "in src: u8[H][W], in g: f32, out dst: u8[H][W]) { dst = [sat<u8>(255 * pow(src[y][x] / 255.0, g)) for y, x]; }",
			[]string{"dst_table sat u8((255.0 * pow((f32(u8(i)) / 255.0), g)))"}, false},
		{"a value of the host", "in src: i8[H][W], in n: i32, out dst: i32[H][W]) { let k = n + 1; dst = [src[y][x] * 7 / k % k for y, x]; }",
			[]string{"dst_table ((((i - 128) * 7) / k) % k)"}, true},
		{"components of a let", "in src: u8x3[H][W], out dst: f32[H][W]) { iterate (y, x) over dst { let p = f32x3(src[y][x]) / 255; dst[y][x] = curve(p.r) + 2 * curve(p.g); } }",
			[]string{"dst_table curve((f32(u8(i)) / 255.0))", "dst_table3 (2.0 * curve((f32(u8(i)) / 255.0)))"}, false},
		{"a let that several read", "in src: u8[H][W], in m: f32[H][W], out dst: f32[H][W]) { iterate (y, x) over dst { let p = curve(f32(src[y][x])); dst[y][x] = (p + 1) * m[y][x] + p; } }",
			[]string{"dst_table curve(f32(u8(i)))"}, false},
		{"an entry of a table", "in src: u8[H][W], in t: f32[256], out dst: f32[H][W]) { dst = [sqrt(t[src[y][x]] / 3 + 1) for y, x]; }",
			[]string{"dst_table sqrt(((t[i] / 3.0) + 1.0))"}, true},
		{"points of a sum", "in src: u8[H][W] border clamp, out dst: f32[H][W]) { dst = [sum(j * log(src[y][x+j] + 1.0) for j in -1:2) for y, x]; }",
			[]string{"dst_table log((f32(u8(i)) + 1.0))"}, false},
		{"little", "in src: u8[H][W], out dst: f32[H][W]) { dst = [src[y][x] / 255.0 for y, x]; }", nil, false},
		{"two bytes", "in src: u8[H][W], in b: u8[H][W], out dst: f32[H][W]) { dst = [pow(f32(src[y][x]), f32(b[y][x])) for y, x]; }", nil, false},
		{"the place", "in src: u8[H][W], out dst: f32[H][W]) { dst = [pow(f32(src[y][x]), f32(x)) for y, x]; }", nil, false},
		{"words", "in src: u16[H][W], out dst: f32[H][W]) { dst = [pow(f32(src[y][x]), 2.4) for y, x]; }", nil, false},
		{"what may not end", "in src: u8[H][W], out dst: f32[H][W]) { dst = [rounds(f32(src[y][x])) for y, x]; }", nil, false},
		{"a table that is too short", "in src: u8[H][W], in t: f32[255] border clamp, out dst: f32[H][W]) { dst = [sqrt(t[src[y][x]] / 3 + 1) for y, x]; }", nil, false},
		{"a read under a condition", "in src: u8[H][W], in k: i32, out dst: f32[H][W]) { dst = [pow(k >= 0 && k < H ? f32(src[k][x]) : 1.0, 2.4) for y, x]; }", nil, false},
		{"what has changed", "inout src: u8[H][W], out dst: f32[H][W]) { iterate (y, x) over dst { let v = f32(src[y][x]); src[y][x] = 0; dst[y][x] = pow(v, 2.4); } }", nil, false},
		{"a var", "in src: u8[H][W], out dst: f32[H][W]) { iterate (y, x) over dst { var k = x; let v = f32(src[y][k]); k = 0; dst[y][x] = pow(v, k + 2.4); } }", nil, false},
		{"a scan", "in src: u8[H][W], out dst: f32[H][W]) { iterate (y, x) over dst scan(x) border(dst: constant(0)) { dst[y][x] = dst[y][x-1] / 2 + pow(f32(src[y][x]), 2.4); } }", nil, false},
	} {
		got, early := entries(t, funcs+"pipeline run("+c.text)
		if !slices.Equal(got, c.want) || got != nil && early == c.late {
			t.Errorf("%s: tables of\n%q, early %v; want\n%q", c.name, got, early, c.want)
		}
	}
}

// TestBytesAreReadWhereTheyWere reads a pixel that has changed once it has, and not where a let had it.
func TestBytesAreReadWhereTheyWere(t *testing.T) {
	p := sematest.Program(t, funcs+`pipeline run(inout src: u8[H][W], out dst: f32[H][W]) {
    iterate (y, x) over dst { let v = src[y][x]; src[y][x] = 0; dst[y][x] = pow(f32(v), 2.4) - pow(f32(src[y][x]), 2.4); }
}`)
	out := tables.Of(p.Pipelines[0].Steps[0].(*hast.Stage), map[string]bool{})
	last := out.Stage.Body[2].(*hast.Store)
	if got, want := hast.Text(last.Value), "(src_table[i32(v)] - src_table[i32(src[y][x])])"; got != want {
		t.Errorf("%s is computed, want %s", got, want)
	}
}
