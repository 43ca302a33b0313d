package fusion

import (
	"fmt"
	"testing"

	"imgc"
	"imgc/testsuite/harness"
)

// Borders take several pixels of what a stage keeps, on both axes, at corners, and by data; they are right for images of one pixel.
const formulas = `border line(s[M][N]) {
    s[*][-2] = 2*s[*][N/2] - s[*][0];
    s[*][-1] = s[*][0] + s[*][N - 1];
    s[*][+1] = 2*s[*][N - 1] - s[*][N/2];
    s[-1][*] = s[M - 1][*] - 3*s[M/2][*];
    s[-2][*] = s[0][*] + 5;
    s[+1][*] = s[0][*] + s[M/2][*];
    s[+2][*] = 7;
    s[-1][-1] = s[0][0] - s[M - 1][N - 1];
} else repeat

border mean(s[M][N]) {
    s[*][-1] = (s[*][0] + s[*][N/2] + 1) / 2;
    s[*][+1] = s[*][N - 1] / 2;
    s[-1][*] = sum(s[k][*] for k in 0 : M) / M;
    s[+1][+1] = s[0][0];
} else reflect101

border ends(s[N]) {
    s[-1] = 2*s[0] - s[N/2];
    s[+1] = s[N - 1] + s[0];
} else constant(9)

border planes(s[P][M][N]) {
    s[*][-1][*] = 2*s[*][0][*] - s[*][M - 1][*];
    s[*][*][-1] = s[*][*][N/2] + 3;
    s[*][+1][*] = s[*][M - 1][*] + s[*][M/2][*];
} else clamp

border colours(s[M][N][C]) {
    s[-1][*][*] = 2*s[0][*][*] - s[M - 1][*][*];
    s[*][-1][*] = s[*][N/2][0] + s[*][0][*];
    s[*][+1][*] = s[*][N - 1][*] + 3;
} else clamp

mask three: i32[3][3] = [[1, -2, 3], [-4, 5, -6], [7, -8, 9]];

`

// byFormula are chains whose image between is read under a border by formula, and the forms of a kernel that they are computed in: all for some, and a few
// for those in which something else differs.
var byFormula = []ended{
	{"smoothed", `(in src: u8[H][W] border mean, out dst: i32[H][W]) {
    image mid: i32[H][W] border line = [convolve(three, src[y][x]) for y, x];
    dst = [mid[y - 2][x - 1] - 2*mid[y + 1][x + 1] + 3*mid[y][x - 2] + mid[y - 1][x] for y, x];
}`, []string{byItems, square, plain, local, direct, sweep}},
	{"halved", `(in src: u8[H][W] border mean, out dst: u8[(H + 1)/2][(W + 1)/2]) {
    image mid: u8[H][W] border mean = [u8(sum(src[y][x-1 : 3]) / 3) for y, x];
    dst = [u8(sum(mid[2*y-1 : 3][2*x]) / 3) for y, x];
}`, []string{byItems, square, plain, local}},
	{"enlarged", `(in src: i32[2*H][2*W] border mean, out dst: i32[2*H][2*W]) {
    image mid: i32[H][W] border line = [src[2*y][2*x] - src[2*y][2*x + 1] for y, x];
    dst = [mid[(y + 1)/2][x/2 - 1] + 2*mid[y/2 - 1][(x + 1)/2] for y, x];
}`, []string{"tile(16, 4) item(4, 2) vector(16)", square, local}},
	{"steps", `(in src: i32[H][W] border clamp, out dst: i32[H][W]) {
    image mid: i32[H][W] border line;
    iterate (y, x) over mid {
        var sum = 0;
        for (k in -2 : 3) {
            let v = src[y][x + k];
            if (v > 0)
                sum += k * v;
            else
                sum -= v;
        }
        mid[y][x] = sum + x - 300*y;
    }
    dst = [mid[y][x - 2] - mid[y + 1][x] for y, x];
}`, []string{byItems, square, plain, local}},
	{"stored", `(in src: i32[H][W] border reflect, out mid: i32[H][W], out dst: i32[H][W]) {
    iterate (y, x) over mid
        mid[y][x] = src[y][x] + 3*src[y - 1][x + 1];
    iterate (y, x) over dst border line
        dst[y][x] = mid[y][x - 1] - 2*mid[y + 1][x] + src[y][x];
}`, []string{square, local, direct}},
	{"pairs", `(in src: i32[H][W] border clamp, out dst: i32[H][W]) {
    image mid: i32[H][W];
    image low: u8[H][W];
    iterate (y, x) over mid {
        let v = src[y][x + 1] - src[y - 1][x];
        mid[y][x] = v;
        low[y][x] = sat<u8>(v + y);
    }
    iterate (y, x) over dst border(mid: line, low: mean)
        dst[y][x] = mid[y][x - 2] - mid[y + 1][x] + i32(low[y][x + 1]) * low[y - 1][x];
}`, []string{byItems, square, plain, local, direct, sweep}},
	{"vectors", `(in src: u8[H][W] border clamp, out dst: i16x2[H][W]) {
    image mid: i16x2[H][W] border line = [i16x2(i16(src[y][x + 1]), i16(src[y - 1][x] + y)) for y, x];
    dst = [i16x2(mid[y][x - 1] + mid[y + 1][x]) for y, x];
}`, []string{byItems, local, sweep}},
	{"channels", `(in src: u8[H][W] border clamp, out dst: i32[H][W][3]) {
    image mid: i32[H][W][3] border colours;
    iterate (y, x) over src {
        mid[y][x][0] = src[y][x];
        mid[y][x][1] = 2*src[y][x + 1];
        mid[y][x][2] = i32(src[y - 1][x]) - 4;
    }
    iterate (y, x) over src {
        dst[y][x][0] = mid[y][x - 1][1];
        dst[y][x][1] = mid[y + 1][x][0] + mid[y][x + 1][2];
        dst[y][x][2] = mid[y - 1][x + 1][2];
    }
}`, []string{byItems, square, plain, local, direct, sweep}},
	{"volume", `(in src: i32[3][H][W] border clamp, out dst: i32[3][H][W]) {
    image mid: i32[3][H][W] border planes = [src[z][y][x] - 2*src[z][y][x + 1] + z for z, y, x];
    dst = [mid[z][y - 1][x] + 3*mid[z][y + 1][x - 1] for z, y, x];
}`, []string{plain, local, direct}},
	{"unknown", `(in src: i32[H][W] border reflect, out dst: i32[W][H]) {
    image mid: i32[H][W] border line = [src[y][x - 1] + 300*y for y, x];
    dst = [2*mid[y][x] - mid[y - 1][x + 2] for y, x];
}`, []string{byItems, local, sweep}},
	{"row", `(in src: f32[W] border repeat, out dst: f32[W]) {
    image mid: f32[W] border ends = [2*src[i] - src[i + 1] for i];
    dst = [mid[i - 1] + 4*mid[i + 1] for i];
}`, []string{"tile(16) item(4) vector(16)", "tile(32) item(2)", "tile(16) item(2) local"}},
}

// TestBordersByFormula runs each of them in all forms.
func TestBordersByFormula(t *testing.T) { runByFormula(t, append(sizes, [2]int{12, 31})) }

// TestBordersByFormulaUnderOclgrind has the simulator watch what they read and write.
func TestBordersByFormulaUnderOclgrind(t *testing.T) {
	if harness.UnderOclgrind() {
		t.Skip("runs TestSimulatedBordersByFormula there")
	}
	harness.SimulateTest(t, "TestSimulatedBordersByFormula")
}

// TestSimulatedBordersByFormula runs in the process that TestBordersByFormulaUnderOclgrind starts.
func TestSimulatedBordersByFormula(t *testing.T) {
	if !harness.UnderOclgrind() {
		t.Skip("TestBordersByFormulaUnderOclgrind runs it in a process of its own")
	}
	runByFormula(t, [][2]int{small[1], small[3]})
}

func runByFormula(t *testing.T, sizes [][2]int) {
	for _, c := range byFormula {
		t.Run(c.name, func(t *testing.T) {
			text := formulas
			for i, shape := range c.shapes {
				name := fmt.Sprintf("%s_%d", c.name, i)
				text += fmt.Sprintf("pipeline %s%s\nschedule %s { mid: fuse; dst: %s; }\n", name, c.text, name, shape)
			}
			p := harness.CompileWith(t, "formula.img", text, imgc.Options{Mode: imgc.Strict})
			agree(t, p, harness.BuildPlain(t, p), sizes)
		})
	}
}
