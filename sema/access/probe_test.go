package access

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

var probes = []string{`
in src[H][W]
out dst[H][W]
iterate y in 0:H, x in 0:W {
    dst[y][x] = src[y][x - 1] + src[y+1][x]
}
`, `
in src[H][W]
out dst[H][W]
iterate y in 1:H-1, x in 2:W-2 {
    dst[y][x] = src[y-1][x-2] + src[y+1][x+2]
}
`, `
in src[H][W]
out dst[(H + 1)/2][(W + 1)/2]
iterate y in 0:(H+1)/2, x in 0:(W+1)/2 {
    dst[y][x] = src[2*y][2*x]
}
`, `
in src[H][W]
out dst[W][H]
iterate y in 0:H, x in 0:W {
    dst[x][y] = src[y][x]
}
`, `
in src[H][W]
out dst[H][W]
iterate y in 0:H, x in 0:W where x > 0 && y < H - 1 {
    dst[y][x] = src[y+1][x-1]
}
`, `
in src[H][W]
out dst[H][W]
iterate y in 0:H, x in 0:W {
    dst[0][x] = src[0][W-4]
}
`, `
in src[H][W]
out dst[H][W]
iterate y in 0:H {
    dst[y][W-2] = src[y][W-4]
}
`, `
inout u[H][W]
scalar c
iterate y in 0:H, x in 0:W border reflect101 where (y + x) % 2 == c {
    u[y][x] = u[y-1][x] + u[y+1][x] + u[y][x-1] + u[y][x+1]
}
`, `
inout u[H][W]
scalar c
iterate y in 0:H, x in 0:W border repeat where (y + x) % 2 == c {
    u[y][x] = u[y-1][x] + u[y+1][x] + u[y][x-1] + u[y][x+1]
}
`, `
inout u[H][W]
scalar c
iterate y in 0:H, x in 0:W border clamp where (y + x) % 2 == c {
    u[y][x] = u[y-1][x] + u[y+1][x] + u[y][x-1] + u[y][x+1]
}
`, `
in src[H][W]
out dst[H][W]
iterate y in 0:H, x in 0:W {
    dst[y][x] = src[y][x]
    dst[y][x/2] = 1
}
`, `
in src[H][W]
in lut[W]: u8
out dst[H][W]
iterate y in 0:H, x in 0:W {
    dst[y][x] = src[y][lut[x]]
}
`, `
in src[H][W]
in lut[256]
in idx[W]: u8
out dst[H][W]
iterate y in 0:H, x in 0:W {
    dst[y][x] = lut[idx[x]]
}
`, `
in src[H][W]
scalar k
out dst[H][W]
iterate y in 0:H, x in 0:W {
    dst[y][x] = src[y][k]
}
`, `
in src[H][W]
scalar k
out dst[H][W]
iterate y in 0:H, x in 0:W {
    dst[y][x] = src[y][x+k]
}
`, `
in src[H][W]
scalar k
out dst[H][W]
iterate y in 0:H, x in 0:W {
    if x + k >= 0 && x + k < W {
        dst[y][x] = src[y][x+k]
    }
}
`, `
in src[H][W]
scalar k
out dst[H][W]
iterate y in 0:H, x in 0:W border clamp {
    dst[y][x] = src[y][x+k]
}
`, `
in src[h][w]
out dst[H][W]
iterate y in 0:H, x in 0:W {
    dst[y][x] = src[y][x]
}
`, `
in src[H][W]
out dst[H][W]
local tmp[H-2][W]
iterate y in 1:H-1, x in 0:W {
    tmp[y-1][x] = src[y-1][x] + src[y+1][x]
}
iterate y in 0:H, x in 0:W {
    dst[y][x] = tmp[clamp(y, 0, H-3)][x]
}
`, `
out dst[H][W]
in flat[H*W]
iterate y in 0:H, x in 0:W {
    dst[y][x] = flat[y*W + x]
}
`, `
out flat[N]
in src[H][W]
assume N == H*W
iterate y in 0:H, x in 0:W {
    flat[y*W + x] = src[y][x]
}
`, `
in src[H][W]
in flat[H*W]
out dst[H*W]
iterate i in 0:H*W {
    dst[i] = src[i / W][i % W]
}
`, `
out dst[2*H][2*W]
in src[H][W]
iterate y in 0:H, x in 0:W {
    for i := within(0, 2) ; ; {
       for j := within(0, 2) ; ; {
           dst[2*y + i][2*x + j] = src[y][x]
       }
    }
}
`, `
out dst[H][W]
in src[H][W]
iterate y in 0:(H+1)/2, x in 0:(W+1)/2 {
    dst[2*y][2*x] = 1
    if 2*x + 1 < W {
        dst[2*y][2*x+1] = 2
    }
    if 2*y + 1 < H {
        dst[2*y+1][2*x] = 3
        if 2*x + 1 < W {
            dst[2*y+1][2*x+1] = 3
        }
    }
}
`, `
out dst[H][W]
in src[H][W]
iterate y in 0:H, x in 0:W {
    if src[y][x] > 3 {
        dst[y][x] = 1
    } else {
        dst[y][x] = 2
    }
}
`, `
in src[H][W]
out dst[H][W]
iterate y in 0:H, x in 0:W {
    xx := x - 1
    if xx < 0 {
        xx = 0
    }
    dst[y][x] = src[y][xx]
}
`, `
in src[H][W]
out dst[H][W]
iterate y in 0:H, x in 0:W {
    dst[y][x] = sum(i, -1, 2, choose(x + i >= 0 && x + i < W, src[y][x+i], 0))
}
`, `
in src[N]
out dst[N]
iterate i in 0:N:4 {
    dst[i] = src[i]
    dst[i+1] = src[i]
}
`, `
in src[D][H][W]
out dst[D][H][W]
iterate z in 0:D, y in 0:H, x in 0:W border clamp {
    dst[z][y][x] = src[z-1][y][x+1]
}
`, `
inout src[D][H][W]
scalar c
iterate z in 0:D, y in 0:H, x in 0:W border clamp where (x + y + z) % 2 == c {
    src[z][y][x] = src[z-1][y][x] + src[z][y][x+1]
}
`, `
in src[H][W]
out dst[H][W]
iterate y in 0:H, x in 0:W {
    dst[y][x] = window(src[y][x-1], 1, 3)
}
`, `
in src[H][W]
out dst[H][W]
iterate y in 0:H, x in 0:W {
    dst[y][x] = src[y][2*x]
}
`, `
table offs -1 0 1
in src[H][W]
out dst[H][W]
iterate y in 0:H, x in 1:W-1 {
    dst[y][x] = sum(i, 0, 3, src[y][x + offs[i]]) + offs[3]
}
`,
}

func TestProbe(t *testing.T) {
	for _, text := range probes {
		start := time.Now()
		p := build(t, text, square(1)...)
		n := len(p.Checks)
		p, diags := proved(t, text, square(1)...)
		d := time.Since(start)
		fmt.Println(strings.TrimSpace(text))
		for _, d := range diags.Sorted() {
			fmt.Println("   ", d.Span, d.Code, d.Message)
			for _, n := range d.Notes {
				fmt.Println("          ", n.Message)
			}
		}
		for _, l := range summary(p, n) {
			fmt.Println("   ", l)
		}
		fmt.Println("   ", d)
	}
}
