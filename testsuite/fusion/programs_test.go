package fusion

import "strings"

// rules are the border rules that intermediate images are read under; formulas and repeat keep those stages apart that are fused with others before.
var rules = []string{"clamp", "reflect", "reflect101", "constant(7)", "repeat", "undefined", "formula2"}

const head = `border formula2(s[M][N]) {
    s[*][-1] = s[*][0] + 3;
    s[-2][*] = 2*s[M - 1][*];
    s[+1][+1] = 7;
} else reflect101

mask ramp: i32[3][3] = [[1, -2, 3], [-4, 5, -6], [7, -8, 9]];
mask bell: i32[5][3] = [[1, 2, -1], [4, 8, -4], [0, 0, 0], [-3, -6, 3], [1, 2, -1]];
mask ramp_12th: f32[3][3] = ramp / 12.0;
mask tall: i32[5][1] = [[1], [2], [4], [8], [16]];
mask wide: i32[1][7] = [[1, 2, 3, 4, 5, 6, 7]];

`

// programs are pipelines; IN and RULE stand for two rules.
const programs = `pipeline rows_columns(in src: u16[H][W] border IN, out dst: u16[H][W]) {
    image rows: u16[H][W] border RULE = [u16(sum(src[y][x-1 : 3]) / 3) for y, x];
    dst = [u16(sum(rows[y-1 : 3][x]) / 3) for y, x];
}

pipeline columns_rows(in src: u8[H][W] border IN, out dst: i32[H][W]) {
    image columns: i32[H][W] border RULE = [convolve(tall, src[y][x]) for y, x];
    dst = [convolve(wide, columns[y][x]) for y, x];
}

pipeline gradients(in src: u8[H][W] border IN, out corners: i32[H][W]) {
    image products: i32x3[H][W] border clamp;
    iterate (y, x) over products {
        let dx = i32(src[y][x + 1]) - src[y][x - 1];
        let dy = i32(src[y + 1][x]) - src[y - 1][x];
        products[y][x] = i32x3(dx * dx, dx * dy, dy * dy);
    }
    image tensor: i32x3[H][W] = [sum(products[y-1 : 3][x-1 : 3]) for y, x];
    iterate (y, x) over corners {
        let t = tensor[y][x];
        corners[y][x] = t.x - 2*t.y + t.z;
    }
}

pipeline harris(in src: f32[H][W] border IN, out dst: f32[H][W]) {
    image xx: f32[H][W];
    image xy: f32[H][W];
    image yy: f32[H][W];
    iterate (y, x) over xx border(src: IN) {
        let gx = convolve(ramp_12th, src[y][x]);
        let gy = 0.25*(src[y + 1][x] - src[y - 1][x]);
        xx[y][x] = gx*gx;
        xy[y][x] = gx*gy;
        yy[y][x] = gy*gy;
    }
    iterate (y, x) over dst border RULE {
        let a = sum(xx[y-1 : 3][x-1 : 3]);
        let b = sum(xy[y-1 : 3][x-1 : 3]);
        let c = sum(yy[y-1 : 3][x-1 : 3]);
        dst[y][x] = a*c - b*b - 0.04*(a + c)*(a + c);
    }
}

pipeline chain(in src: i32[H][W] border IN, out dst: i32[H][W]) {
    image a: i32[H][W] border RULE = [src[y][x] + 3*src[y - 1][x + 2] for y, x];
    image b: i32[H][W] border RULE = [a[y][x - 1] - 2*a[y + 2][x] for y, x];
    image c: i32[H][W] border RULE = [convolve(ramp, b[y][x]) for y, x];
    dst = [c[y - 1][x] + c[y][x + 1] for y, x];
}

pipeline lopsided(in src: i32[H][W] border IN, out dst: i32[H][W]) {
    image a: i32[H][W] border RULE = [src[y][x] + 3*src[y - 1][x + 2] for y, x];
    image b: i32[H][W] border RULE = [a[y - 1][x] - 2*a[y - 2][x + 1] for y, x];
    dst = [b[y][x] + 5*b[y + 1][x - 1] - b[y + 2][x] for y, x];
}

pipeline shared(in src: i32[H][W] border IN, out sharp: i32[H][W], out edges: i32[H][W]) {
    image smooth: i32[H][W] border RULE = [convolve(ramp, src[y][x]) for y, x];
    sharp = [2*src[y][x] - smooth[y][x] for y, x];
    edges = [smooth[y][x + 1] - smooth[y - 1][x] for y, x];
}

pipeline kept(in src: i32[H][W] border IN, out smooth: i32[H][W], out sharp: i32[H][W]) {
    iterate (y, x) over smooth
        smooth[y][x] = convolve(ramp, src[y][x]);
    iterate (y, x) over sharp border RULE
        sharp[y][x] = 3*src[y][x] - smooth[y][x - 2] + smooth[y + 1][x];
}

pipeline pair(in src: i32[H][W] border IN, out dst: i32[H][W]) {
    image p: i32[H][W];
    image q: i16x2[H][W];
    iterate (y, x) over p border(src: IN) {
        p[y][x] = src[y][x] + x;
        q[y][x] = i16x2(i16(src[y][x + 1]), i16(src[y - 1][x] + y));
    }
    iterate (y, x) over dst border RULE
        dst[y][x] = p[y][x - 1] + p[y + 1][x] + i32(q[y][x].x) - i32(q[y][x].y);
}

pipeline halved(in src: u8[2*H][2*W] border IN, out dst: i32[H][W]) {
    image smooth: i32[2*H][2*W] border clamp = [convolve(ramp, src[y][x]) for y, x];
    dst = [convolve(ramp, smooth[2*y][2*x]) for y, x];
}

pipeline quartered(in src: u8[4*H][4*W] border IN, out dst: i32[H][W]) {
    image half: i32[2*H][2*W] border reflect = [src[2*y][2*x] + 2*src[2*y + 1][2*x - 1] for y, x];
    dst = [half[2*y][2*x] - half[2*y - 1][2*x + 2] for y, x];
}

pipeline separable(in src: u8[H][W] border RULE, out dst: i32[H][W]) {
    dst = [2*convolve(bell, src[y][x]) - src[y][x] for y, x];
}

pipeline separable_steps(in src: i32[2*H][2*W] border IN, out dst: i32[H][W]) {
    image mid: i32[H][W] border clamp = [convolve(bell, src[2*y][2*x]) for y, x];
    dst = [mid[y][x - 1] + mid[y + 1][x] for y, x];
}

pipeline half_sums(in src: u8[H][W] border IN, out dst: i32[(H + 1)/2][(W + 1)/2]) {
    image smooth: u8[H][W] border RULE = [u8(sum(src[y][x-1 : 3]) / 3) for y, x];
    dst = [sum(i32(smooth[2*y - 1 : 4][2*x - 1 : 4])) for y, x];
}

pipeline half_and_more(in src: f32[H][W] border IN, out dst: f32[H/2 + 1][W/2 + 1]) {
    image twice: f32[H][W] border RULE = [2*src[y][x] for y, x];
    dst = [twice[2*y][2*x] + 4*twice[2*y + 1][2*x + 1] for y, x];
}

pipeline third(in src: i32[H][W] border IN, out dst: i32[(H + 2)/3][(W + 2)/3]) {
    image mid: i32[H][W] border RULE = [convolve(ramp, src[y][x]) for y, x];
    dst = [mid[3*y - 2][3*x] + 2*mid[3*y + 2][3*x + 4] - mid[3*y][3*x - 1] for y, x];
}

pipeline half_of_half(in src: u8[H][W] border IN, out dst: i32[((H + 1)/2 + 1)/2][((W + 1)/2 + 1)/2]) {
    image dark: i32[H][W] border RULE = [src[y][x] / 2 - src[y][x - 1] for y, x];
    image halved_once: i32[(H + 1)/2][(W + 1)/2] border clamp = [dark[2*y][2*x] - dark[2*y - 1][2*x + 2] for y, x];
    dst = [convolve(ramp, halved_once[2*y][2*x]) for y, x];
}

pipeline halves(in src: i32[H][W] border IN, out even: i32[(H + 1)/2][(W + 1)/2], out odd: i32[(H + 1)/2][(W + 1)/2]) {
    image mid: i32[H][W] border RULE = [src[y][x] ^ (x - y) for y, x];
    even = [mid[2*y][2*x] - mid[2*y - 2][2*x + 3] for y, x];
    odd = [mid[2*y + 1][2*x + 1] for y, x];
}

pipeline half_and_own(in src: u8[H][W] border IN, out half: i32[(H + 1)/2][(W + 1)/2], out own: i32[H][W]) {
    image mid: i32[H][W] border RULE = [3*src[y][x] - src[y][x + 1] + x for y, x];
    half = [mid[2*y - 1][2*x + 2] + 2*mid[2*y][2*x] for y, x];
    own = [mid[y][x] - 2*src[y][x] for y, x];
}

pipeline half_and_data(in src: u8[H][W] border IN, out half: i32[(H + 1)/2][(W + 1)/2], out data: i32[H][W]) {
    image mid: i32[H][W] border RULE = [src[y][x] ^ (y + 2*x) for y, x];
    half = [sum(mid[2*y - 1 : 4][2*x - 1 : 4]) for y, x];
    data = [mid[y][(x + src[y][x]) % W] - mid[(y + src[y][x]) % H][x] for y, x];
}

pipeline half_planes(in src: i16[3][H][W], out dst: i16[3][(H + 1)/2][W]) {
    image mid: i16[3][H][W];
    iterate (c, y, x) over mid border CUBE
        mid[c][y][x] = i16(src[c][y][x - 1] - src[c][y][x + 1] + c);
    iterate (c, y, x) over dst border CUBE
        dst[c][y][x] = i16(mid[c][2*y - 1][x] + mid[c][2*y + 2][x + 1]);
}

pipeline half_pixels(in src: u8x3[H][W] border IN, out dst: u8x3[(H + 1)/2][(W + 1)/2]) {
    image mid: u8x3[H][W] border RULE = [u8x3(src[y][x] / 2 + src[y + 1][x] / 2) for y, x];
    dst = [u8x3(mid[2*y][2*x - 1] + mid[2*y + 1][2*x + 2]) for y, x];
}

pipeline half_line(in src: i32[W], out dst: i32[(W + 1)/2]) {
    image mid: i32[W];
    iterate (i) over mid border LINE
        mid[i] = src[i - 2] + 3*src[i + 1];
    iterate (i) over dst border LINE
        dst[i] = mid[2*i - 1] - mid[2*i + 3];
}

pipeline wider(in src: i32[H][W] border IN, out dst: i32[H + 2][W + 3]) {
    image mid: i32[H][W] border RULE = [src[y][x] + 5*src[y][x + 1] for y, x];
    dst = [mid[y - 1][x - 1] - mid[y][x + 1] for y, x];
}

pipeline half_alone(in src: i32[H][W], out dst: i32[(H + 1)/2][(W + 1)/2]) {
    image mid: i32[H][W] border RULE = [x + 300*y for y, x];
    dst = [2*mid[2*y + 1][2*x + 1] - mid[2*y][2*x] for y, x];
}

pipeline unrelated(in src: i32[H][W] border IN, out dst: i32[W][H], out more: i32[2*H][W]) {
    image mid: i32[H][W] border RULE = [src[y][x - 1] + 300*y for y, x];
    dst = [2*mid[y][x] - mid[y - 1][x + 2] for y, x];
    more = [mid[2*y + 1][x] + mid[2*y][x + 3] for y, x];
}

pipeline far(in src: u8[H][W] border IN, out dst: i32[H][W], out half: u8[(H + 1)/2][W]) {
    image mid: u8[H][W] border RULE = [u8(src[y][x + 1] / 2 + src[y - 1][x] / 2) for y, x];
    dst = [mid[y][x - 9] - 2*mid[y + 5][x] for y, x];
    half = [u8(mid[2*y + 6][x] + mid[2*y - 1][x + 2]) for y, x];
}

pipeline within(in src: i32[H + 4][W + 6], out dst: i32[H][W]) {
    image mid: i32[H + 4][W + 6] = [3*src[y][x] + x - y for y, x];
    dst = [mid[y + 4][x] - mid[y + 1][x + 6] for y, x];
}

pipeline planes(in src: i16[3][H][W], out dst: i16[3][H][W]) {
    image mid: i16[3][H][W];
    iterate (c, y, x) over mid border CUBE
        mid[c][y][x] = i16(src[c][y][x - 1] - src[c][y + 1][x] + c);
    iterate (c, y, x) over dst border CUBE
        dst[c][y][x] = i16(mid[c][y][x - 1] - mid[c][y][x + 1] + mid[c][y + 1][x]);
}

pipeline channels(in src: u8[H][W][3], out dst: i32[H][W]) {
    image mid: i32[H][W][3];
    iterate (y, x) over dst border CUBE {
        mid[y][x][0] = src[y][x + 1][2] - 2*src[y - 1][x][0];
        mid[y][x][2] = src[y][x][1];
        mid[y][x][1] = src[y + 1][x - 2][1];
    }
    iterate (y, x) over dst border CUBE
        dst[y][x] = mid[y][x][0] + mid[y - 1][x + 1][1] + 2*mid[y][x - 1][2];
}

pipeline line(in src: i32[W], out dst: i32[W]) {
    image mid: i32[W];
    iterate (i) over mid border LINE
        mid[i] = src[i - 2] + 3*src[i + 1];
    iterate (i) over dst border LINE
        dst[i] = mid[i - 1] - mid[i + 3];
}

pipeline counted(in src: u8[H][W] border IN, out counts: i32[256]) {
    image mid: u8[H][W] border RULE = [u8(src[y][x] / 2 + src[y - 1][x + 1] / 4) for y, x];
    iterate (y, x) over src
        counts[mid[y][x]] += 1;
}

pipeline picked(in src: i32[H][W] border IN, out dst: i32[H][W]) {
    image mid: i32[H][W] = [src[y][x] - src[y][x - 1] for y, x];
    iterate (y, x) over dst where (mid[y][x] > 0) border RULE
        dst[y][x] = mid[y - 1][x];
}

pipeline table(in src: u8[H][W] border IN, in curve: i32[256], out dst: i32[H][W]) {
    image mid: u8[H][W] border RULE = [u8(src[y][x + 1] ^ y) for y, x];
    dst = [curve[mid[y][x]] + curve[mid[y + 1][x]] for y, x];
}

pipeline rounds(in src: i32[H][W] border IN, out dst: i32[H][W]) {
    dst = src;
    for (k in 0 : 3) {
        image mid: i32[H][W] border RULE = [dst[y][x] / 2 + k for y, x];
        image next: i32[H][W] = [mid[y - 1][x] + mid[y][x + 1] for y, x];
        dst = next;
    }
}

pipeline siblings(in src: u8[H][W] border IN, out dx: i16[H][W], out dy: i32[H][W], out sum: u8x2[H][W]) {
    image smooth: u8[H][W] border RULE = [u8(sum(src[y][x-1 : 3]) / 3) for y, x];
    iterate (y, x) over dx
        dx[y][x] = i16(smooth[y][x + 1] - smooth[y][x - 1]);
    iterate (v, u) over dy {
        let above = i32(smooth[v - 1][u]);
        dy[v][u] = smooth[v + 1][u] - above;
    }
    iterate (y, x) over sum {
        let above = i32(smooth[y - 1][x]);
        sum[y][x] = u8x2(u8((above + src[y][x]) / 2), smooth[y][x]);
    }
}

pipeline counters(in src: u8[H][W], inout a: u8[H][W], out low: i32[16], out high: i32[16], out rows: i32[H], out most: i32[H]) {
    iterate (y, x) over src
        low[src[y][x] % 16] += 1;
    iterate (y, x) over src
        high[src[y][x] / 16] += 1;
    iterate (y, x) over a
        a[y][x] = u8(a[y][x] ^ src[y][x]);
    rows = [sum(src[y][x] for x in 0 : W) for y];
    most = [max(src[y][x] for x in 0 : W) - sum(a[y][x] for x in 0 : W) for y];
}

pipeline between(in src: i32[H][W] border IN, inout a: i32[H][W], out dst: i32[H][W]) {
    image mid: i32[H][W] border RULE = [a[y][x] + src[y][x] for y, x];
    a = [src[y][x] for y, x];
    dst = [mid[y][x - 1] + a[y][x] for y, x];
}

`

// program is the text with the rules of a round in the places of the names.
func program(round int) string { return withRules(round, programs) }

// withRules is a text of pipelines with the rules of a round.
func withRules(round int, pipelines string) string {
	rule, in := rules[round%len(rules)], rules[(3*round+1)%len(rules)]
	if in == "undefined" { // a promise that is not kept
		in = "clamp"
	}
	if rule == "undefined" {
		rule = "reflect"
	}
	cube := rule
	if rule == "formula2" {
		cube = "repeat"
	}
	return head + strings.NewReplacer("RULE", rule, "IN", in, "CUBE", cube, "LINE", cube).Replace(pipelines)
}
