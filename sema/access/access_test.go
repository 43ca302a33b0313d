package access

import (
	"slices"
	"strings"
	"testing"

	"imgc/hast"
)

// Each case gives the errors, or for each read the sides on which each axis can leave ("<" below, ">" above, "-" neither),
// images that start as zeros, and checks.
var cases = []struct {
	name, program string
	points        [][]int64
	want          []string
}{
	{"the box of a point list", `
in src[H][W]
out dst[H][W]
iterate y in 0:H, x in 0:W border clamp {
    dst[y][x] = points(dy, dx, src[y + dy][x + dx])
}
`, square(2), []string{"src[y + dy][x + dx] <> <>"}},
	{"a point list on one side", `
in src[H][W]
out dst[H][W]
iterate y in 0:H, x in 0:W border clamp {
    dst[y][x] = points(dy, dx, src[y + dy][x + dx])
}
`, [][]int64{{-1, 0}, {0, 1}}, []string{"src[y + dy][x + dx] < >"}},
	{"points one by one where the box says too much", `
in src[H][W]
out dst[H][W]
iterate y in 0:H, x in 1:W {
    dst[y][x] = points(dy, dx, src[y][x + dy - dx])
}
`, [][]int64{{0, 0}, {1, 1}, {1, 2}, {5, 5}}, []string{"src[y][x + dy - dx] - -", "dst zero"}},
	{"a rule that is not needed goes", `
in src[H][W]
out dst[H][W]
iterate y in 0:H, x in 1:W - 1 border reflect {
    dst[y][x] = src[y][x - 1] + src[y][x + 2]
}
`, nil, []string{"src[y][x - 1] - -", "src[y][x + 2] - >", "dst zero"}},
	{"windows with a stride", `
in src[H][W]
out dst[H][W]
iterate y in 1:H - 1, x in 0:W border repeat {
    dst[y][x] = window(src[y - 1][x - 4], 3, 5, 2)
}
`, nil, []string{"src[y - 1:3][x - 4:5] > <>", "dst zero"}},
	{"what only data or a parameter decides can leave on both sides", `
in src[H][W]
in lut[W]
out dst[H][W]
scalar k
iterate y in 0:H, x in 0:W border clamp {
    dst[y][x] = src[lut[x]][x + k]
}
`, nil, []string{"lut[x] -", "src[lut[x]][x + k] <> <>"}},
	{"bytes are not negative", `
in src[H][W]
in lut[W]: u8
out dst[H][W]
iterate y in 0:H, x in 0:W border clamp {
    dst[y][x] = src[lut[x]][x - lut[x]]
}
`, nil, []string{"lut[x] -", "lut[x] -", "src[lut[x]][x - lut[x]] > <"}},
	{"a far offset may wrap around", `
in src[H][W]
out dst[H][W]
iterate y in 0:H, x in 0:W border clamp {
    dst[y][x] = src[y][x + 1500000000] + src[y][x + 1000000000]
}
`, nil, []string{"src[y][x + 1500000000] - <>", "src[y][x + 1000000000] - >"}},
	{"a variable that a loop counts is any number", `
in src[H][W]
out dst[H][W]
iterate y in 0:H, x in 0:W border clamp {
    n := 0
    for n < 5 {
        n = n + 1
        dst[y][x] = src[y][x + n]
    }
}
`, nil, []string{"src[y][x + n] - <>", "dst zero"}},
	{"negative steps", `
in src[N]
out dst[N]
iterate i in N - 1:0:-1 {
    dst[i] = src[i - 1]
}
`, nil, []string{"src[i - 1] -", "dst zero"}},
	{"steps that cover with their offsets", `
in src[N]
out dst[2*N]
iterate i in 0:2*N:2 {
    dst[i] = src[i/2]
    dst[i + 1] = src[i/2]
}
`, nil, []string{"src[i/2] -", "src[i/2] -"}},
	{"lower bounds", `
in src[H][-2@W + 4]
out dst[H][W]
iterate y in 0:H, x in 0:W {
    dst[y][x] = src[y][x - 2] + src[y][x + 1]
}
`, nil, []string{"src[y][x - 2] - -", "src[y][x + 1] - -"}},
	{"lower bounds are left, too", `
in src[H][-2@W + 4]
out dst[H][W]
iterate y in 0:H, x in 0:W {
    dst[y][x] = src[y][x - 3]
}
`, nil, []string{"IMG0501 for x = 0 this reads src[y][-3]"}},
	{"flags and their negation", `
in src[H][W]
flag wide
out dst[H][W]
iterate y in 0:H, x in 0:W {
    left := x > 0 && !wide
    if left {
        dst[y][x] = src[y][x - 1]
    } else {
        dst[y][x] = src[y][choose(!left && !wide, x + W - 1, x)]
    }
}
`, nil, []string{"src[y][x - 1] - -", "src[y][choose(!left && !wide, x + W - 1, x)] - -"}},
	{"a product of sizes", `
in src[H][W]
out dst[N]
assume N == H*W
iterate y in 0:H, x in 0:W {
    dst[y*W + x] = src[y][x]
}
`, nil, []string{"src[y][x] - -", "dst zero", "an assumption needs H * W <= 2147483647, because indices are of type i32"}},
	{"quotient and remainder by a size", `
in src[H][W]
out dst[N]
assume N == H*W
iterate i in 0:N {
    dst[i] = src[i / W][i % W]
}
`, nil, []string{"src[i / W][i % W] - -", "an assumption needs H * W <= 2147483647, because indices are of type i32"}},
	{"the floored remainder by a size is inside, whatever is divided", `
in src[H][W]
out dst[H][W]
scalar k
iterate y in 0:H, x in 0:W {
    dst[y][x] = src[mod(y - 3, H)][mod(x + k, W)] + src[mod(y - 2*k, H)][mod(7, W)]
}
`, nil, []string{"src[mod(y - 3, H)][mod(x + k, W)] - -", "src[mod(y - 2*k, H)][mod(7, W)] - -"}},
	{"that of what may be written twice is no place of its own", `
in src[H][W]
out dst[H][W]
iterate y in 0:H, x in 0:W {
    dst[mod(y - 1, H)][x] = src[mod(y - 1, W)][x]
}
`, nil, []string{"IMG0503 cannot prove that no two instances write one pixel of dst", "IMG0507 cannot prove that src[mod(y - 1, W)][x] stays inside src"}},
	{"a promise stands in for the proof of independence alone", `
in src[H][W]
out dst[H][W]
iterate independent y in 0:H, x in 0:W {
    dst[y][x / 2] = dst[y][0]
    dst[y][x + 1] = 0
}
`, nil, []string{"IMG0502 for W = 8, x = 7 this writes dst[y][8]"}},
	{"commutative updates may meet", `
in src[H][W]: u8
out dst[256]
iterate y in 0:H, x in 0:W {
    dst[src[y][x]] += 1
}
`, nil, []string{"src[y][x] - -", "dst zero"}},
	{"an assumption mends what repeat breaks", `
inout u[H][W]
scalar c
assume H % 2 == 0
assume W % 2 == 0
iterate y in 0:H, x in 0:W border repeat where (y + x) % 2 == c {
    u[y][x] = u[y - 1][x] + u[y][x + 1]
}
`, nil, []string{"u[y - 1][x] < -", "u[y][x + 1] - >"}},
	{"two images that have to fit", `
in src[n]
out dst[m + n]
in other[m]
iterate i in 0:n {
    dst[i] = src[i]
    dst[m + i] = src[i]
}
`, nil, []string{"src[i] -", "src[i] -", "dst zero", "dst needs m >= n, because no two instances may write one pixel of dst"}},
}

func square(r int64) (out [][]int64) {
	for y := -r; y <= r; y++ {
		for x := -r; x <= r; x++ {
			out = append(out, []int64{y, x})
		}
	}
	return out
}

func TestProve(t *testing.T) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			assumed := strings.Count(c.program, "\nassume ")
			p, diags := proved(t, c.program, c.points...)
			got := messages(diags)
			if len(got) == 0 {
				got = summary(p, assumed)
			}
			for i := range got {
				got[i], _, _ = strings.Cut(got[i], " (test.img")
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got  %s\nwant %s", strings.Join(got, "\n     "), strings.Join(c.want, "\n     "))
			}
		})
	}
}

func TestIndicesIntoArrays(t *testing.T) {
	p, diags := proved(t, `
table taps 1 2 3
in src[H][W]
out dst[H][W]
iterate y in 0:H, x in 0:W {
    dst[y][x] = sum(i, 0, 3, taps[i]) + taps[x & 1] + taps[x] + taps[src[y][x] % 3]
}
`)
	if diags.Len() > 0 {
		t.Fatal(messages(diags))
	}
	w := &walker{known: map[*hast.Func]bool{}}
	w.stageBody(p.Steps[0].(*hast.Stage), &scope{})
	var got []bool
	for _, e := range w.elems {
		got = append(got, *e.inRange)
	}
	if want := []bool{true, true, false, false}; !slices.Equal(got, want) {
		t.Errorf("in range: %v, want %v", got, want)
	}
}

func TestChecksComeInTheSameOrderEveryTime(t *testing.T) {
	text := `
in src[h][w]
out dst[H][W]
scalar k
iterate y in 0:H, x in 0:W {
    dst[y][x] = src[y][x] + src[k][w - 5] + src[h - 2][0] + src[h - 7][0]
}
`
	want := []string{"src needs h > k", "src needs h >= H", "src needs w >= W", "src needs k >= 0", "src needs w >= 5", "src needs h >= 7"}
	for range 5 {
		p, _ := proved(t, text)
		var got []string
		for _, c := range p.Checks {
			need, _, _ := strings.Cut(c.Message, ",")
			got = append(got, need)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("got  %q\nwant %q", got, want)
		}
	}
}

// TestLargeProgramsStayQuick has no limit of its own: what explodes runs into the test's.
func TestLargeProgramsStayQuick(t *testing.T) {
	disc := [][]int64{}
	for _, p := range square(15) {
		if p[0]*p[0]+p[1]*p[1] <= 15*15 {
			disc = append(disc, p)
		}
	}
	unrolled := "0"
	for _, p := range square(7) {
		unrolled += " + src[y + " + number10(p[0]) + "][x + " + number10(p[1]) + "]"
	}
	for _, text := range []string{`
in src[H][W]
out dst[H][W]
iterate y in 15:H - 15, x in 15:W - 15 {
    dst[y][x] = points(dy, dx, src[y + dy][x + dx])
}
`, `
in src[H][W]
out dst[H][W]
iterate y in 0:H, x in 0:W border clamp {
    dst[y][x] = points(dy, dx, points(ey, ex, src[y + dy + ey][x + dx + ex]))
}
`, `
in src[H][W]
out dst[H][W]
iterate y in 0:H, x in 0:W border clamp {
    dst[y][x] = ` + unrolled + `
}
`} {
		if _, diags := proved(t, text, disc...); diags.Len() > 0 {
			t.Error(messages(diags))
		}
	}
}

func number10(n int64) string {
	if n < 0 {
		return "(0 - " + string(rune('0'-n)) + ")"
	}
	return string(rune('0' + n))
}
