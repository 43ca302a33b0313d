package block_test

import (
	"fmt"
	"strings"
	"testing"

	"imgc/hast"
	"imgc/optimize/block"
)

// TestPanels finds what blocks of instances share in loops, or why they do not go through them together. Of operands it tells the axis, and whether the next step lies beside the one before.
func TestPanels(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{"iterate (i, j) over c c[i][j] = sum(a[i][p] * b[p][j] for p in 0:K);", "y runs, x"},
		{"iterate (i, j) over c c[i][j] = sum(a[j][p] * b[p][i] for p in 0:K);", "x runs, y"},
		{"iterate (i, j) over c c[i][j] = sum((a[i][p] - w[j][p])*(a[i][p] - w[j][p]) for p in 0:K);", "y runs, x runs"},
		{"iterate (i, j) over c c[i][j] = sum(a[i][p] * w[j][p] for p in 0:K) / max(a[i][p] for p in 0:K);", "y runs, x runs"},
		{"iterate (i, j) over c c[i][j] = sum(a[i][p] * w[j][p] for p in 0:K) + min(a[i][p] for p in 1:K);", "y runs, x runs; y runs"},
		{"iterate (i, j) over c c[i][j] = sum(a[i][p] * w[j][0] for p in 0:K);", "y runs, x still"},
		{"iterate (i, j) over c { let k = 2*i; c[i][j] = sum(a[i][p] * b[p][j] * k for p in 0:K); }", "no reduction"},
		{"iterate (i, j) over c { let s = sum(a[i][p] * b[p][j] for p in 0:K); c[i][j] = s; }", "y runs, x"},
		{"iterate (i, j) over c c[i][j] = i > 3 ? sum(a[i][p] * b[p][j] for p in 0:K) : 0;", "no reduction"},
		{"iterate (i, j) over c c[i][j] = sum(a[i][p] * b[p][j] for p in 0 : min(i, K));", "no reduction"},
		{"iterate (i, j) over c c[i][j] = sum(a[i][p] * b[p][j] for p in 0:9);", "no reduction"},
		{"iterate (i, j) over c c[i][j] = median(a[i][p] * b[p][j] for p in 0:100);", "no reduction"},
		{"iterate (i, j) over c where (i > 2) c[i][j] = sum(a[i][p] * b[p][j] for p in 0:K);", "compute all instances"},
		{"iterate (i, j) over c scan(i) c[i][j] = sum(a[i][p] * b[p][j] for p in 0:K);", "one after the other"},
		{"iterate (i in 0 : M : 2, j in 0:N) c[i][j] = sum(a[i][p] * b[p][j] for p in 0:K);", "leaves out instances"},
		{"iterate (i, j) over c c[0][0] += sum(a[i][p] * b[p][j] for p in 0:K);", "instances share"},
	} {
		s := lastStage(t, `pipeline products(in a: i32[M][K], in b: i32[K][N], in w: i32[N][K], inout c: i32[M][N]) {
    assume(M >= 102 && N >= 100 && K >= 100 && M == N);
    `+c.body+"\n}")
		if got := panelsText(block.AnalyzePanels(s, 64)); got != c.want && (c.want[0] == 'y' || c.want[0] == 'x' || !strings.Contains(got, c.want)) {
			t.Errorf("%s\nis %s, want %s", c.body, got, c.want)
		}
	}
}

func panelsText(p *block.Panels, why string) string {
	if why != "" {
		return why
	}
	var loops []string
	for _, l := range p.Loops {
		var list []string
		for _, o := range l.Operands {
			text := [3]string{"all", "x", "y"}[o.Along+1]
			if !o.Steps {
				text += " still"
			} else if o.Runs {
				text += " runs"
			}
			list = append(list, text)
		}
		loops = append(loops, strings.Join(list, ", "))
	}
	return fmt.Sprint(strings.Join(loops, "; "))
}

// TestSlides finds what slides over images with the steps of a loop as it does with instances: which pixels, what is computed of them alone, whether rows of instances read other lines, and whether conditions
// say that it is read.
func TestSlides(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{"dst[y][x] = convolve(k, src[y][x]);", "src rows"},
		{"dst[y][x] = max(k[d] != 0 ? src[y+d.y][x+d.x] : 0 for d in k);", "src rows lazy, chosen alike"},
		{"dst[y][x] = sum(k[d] * abs(src[y+d.y][x+d.x] - 3) for d in k);", "src computed rows"},
		{"dst[y][x] = sum(src[y+j][x+i+2] * src[y][x+i] for j in -R:R, i in -R:R);", "src rows, src rows"},
		{"dst[y][x] = sum(src[j][x+i] for j in 0:H, i in 0:R);", "src"},
		{"dst[y][x] = sum(src[y+j][x+2*i] for j in -R:R, i in -R:R);", "no reduction"},
		{"dst[y][x] = sum(src[y+j][x-i] for j in -R:R, i in -R:R);", "no reduction"},
		{"dst[y][x] = sum(src[y+j][2*x+i] for j in -R:R, i in -R:R);", "no reduction"},
		{"dst[y][x] = sum(src[y+i][x+j] for j in -R:R, i in -R:R);", "no reduction"},
		{"dst[y][x] = sum(src[y+j*j][x+i] for j in -R:R, i in -R:R);", "no reduction"},
	} {
		s := lastStage(t, `pipeline windows(in src: i32[H][W] border clamp, in k: mask i32[KH][KW], in R: i32, out dst: i32[H][W]) {
    assume(R > 0 && R < 40);
    iterate (y, x) over dst
        `+c.body+"\n}")
		if got := slidesText(block.AnalyzePanels(s, 64)); got != c.want && !strings.Contains(got, c.want) {
			t.Errorf("%s\nis %s, want %s", c.body, got, c.want)
		}
	}
}

func slidesText(p *block.Panels, why string) string {
	if why != "" {
		return why
	}
	var list []string
	for _, l := range p.Loops {
		for _, s := range l.Slides {
			text := s.Load.Image.Name
			for _, is := range []struct {
				so   bool
				word string
			}{{s.Of != hast.Expr(s.Load), " computed"}, {s.Rows, " rows"}, {s.Lazy, " lazy"}} {
				if is.so {
					text += is.word
				}
			}
			list = append(list, text)
		}
		if l.Alike(l.Sums[0]) != nil {
			list = append(list, "chosen alike")
		}
	}
	return strings.Join(list, ", ")
}
