package plan_test

import (
	"strings"
	"testing"

	"imgc/kir"
	"imgc/optimize/plan"
)

// TestLoopsInCommon plans products of matrices in blocks, large ones in larger blocks than small ones, and what shares nothing as before.
func TestLoopsInCommon(t *testing.T) {
	product := func(elem string) string {
		return "pipeline products(in a: f32[H][W], in b: f32[W][H], out c: f32[H][H]) { c = [sum(" + elem + " for k in 0:W) for y, x]; }"
	}
	for _, c := range []struct {
		name, program string
		model         string
		size          int64
		want          string
		least, most   float64 // ms
	}{
		{"large", product("a[y][k]*b[k][x]"), "nvidia-h200", 4096, "tile(128, 128) item(8, 8) local panels(16)", 2.6, 4.5},
		{"small", product("a[y][k]*b[k][x]"), "nvidia-h200", 512, "tile(64, 64) item(4, 4) local panels(16)", 0.005, 0.03},
		{"with less known", product("a[y][k]*b[k][x]"), "nvidia-a100", 4096, "local panels(16)", 2.6, 12},
		{"with little local memory", product("a[y][k]*b[k][x]"), "amd-rx-7900-xtx", 4096, "local panels(8)", 2.6, 40},
		{"turned", product("(a[y][k] - a[x][k])*(a[y][k] - a[x][k])"), "nvidia-h200", 4096, "local panels(", 4, 8},
		{"rows alone", product("a[y][k]*a[y][k]"), "nvidia-h200", 4096, "", 0, 1000},
	} {
		p := plan.For(compiled(t, c.program), target(t, c.model, c.size, kir.Contract))
		text := p.Schedule().String()
		if c.want == "" == strings.Contains(text, "panels") || !strings.Contains(text, c.want) || p.Time() < c.least/1e3 || p.Time() > c.most/1e3 {
			t.Errorf("%s: want %s\n%s", c.name, c.want, p.Text())
		}
	}
}

// TestWindowsOfTheHost plans windows of which the host gives the extents, by pieces that one access loads.
func TestWindowsOfTheHost(t *testing.T) {
	window := func(kind, body string) string {
		return "pipeline windows(in src: " + kind + "[H][W] border clamp, in k: mask " + kind + "[h][w], out dst: " + kind + "[H][W]) { iterate (y, x) over dst dst[y][x] = " + body + "; }"
	}
	for _, c := range []struct{ name, program, model, want string }{
		{"floats", window("f32", "convolve(k, src[y][x])"), "nvidia-h200", "tile(128, 16) item(4, 4) panels(4)"},
		{"bytes", window("u8", "max(k[d] != 0 ? src[y+d.y][x+d.x] : 0 for d in k)"), "nvidia-h200", "tile(256, 16) item(8, 4) panels(8)"},
		{"doubles", window("f64", "convolve(k, src[y][x])"), "nvidia-h200", "item(2, "},
		{"with less known", window("f32", "convolve(k, src[y][x])"), "amd-rx-7900-xtx", "panels(4)"},
		{"what does not slide", window("f32", "sum(k[d] * src[y+d.x][x+d.y] for d in k)"), "nvidia-h200", ""},
		{"on a processor", window("f32", "convolve(k, src[y][x])"), "generic-cpu", ""},
	} {
		p := plan.For(compiled(t, c.program), target(t, c.model, 4096, kir.Contract))
		text := p.Schedule().String()
		if c.want == "" == strings.Contains(text, "panels") || !strings.Contains(text, c.want) {
			t.Errorf("%s: want %s\n%s", c.name, c.want, p.Text())
		}
	}
}
