package strips

import "strings"

// rules are the border rules that programs run under.
var rules = []string{"clamp", "reflect", "reflect101", "repeat", "constant(7)", "formula"}

const borders = `border formula1(s[N]) {
    s[-1] = s[0] + 3;
    s[+2] = 2*s[N - 1];
} else reflect101

border formula2(s[M][N]) {
    s[*][-1] = s[*][0] + 3;
    s[-2][*] = 2*s[M - 1][*];
    s[+1][+1] = 7;
} else reflect101

border formula3(s[L][M][N]) {
    s[*][*][-1] = s[*][*][0] + 3;
} else repeat

mask ramp: i32[3][3] = [[1, -2, 3], [-4, 5, -6], [7, -8, 9]];
mask wide: f32[3][7] = [[1, 2, 3, 4, 5, 6, 7], [0, 0.5, 0, 0, 0, 0.25, 0], [-1, -2, -3, -4, -5, -6, -7]];
mask smooth: i32[3][5] = [[1, 2, 3, 2, 1], [-2, -4, -6, -4, -2], [3, 6, 9, 6, 3]];
mask tall: i32[5][1] = [[1], [2], [4], [8], [16]];

commutative func larger(a: i32, b: i32): i32 = max(a, b);

`

// bordered are pipelines that read outside of their images; RULE1, RULE2 and RULE3 stand for a rule of images of that rank.
const bordered = `pipeline bytes(in src: u8[H][W], out dst: i32[H][W]) {
    iterate (y, x) over dst border RULE2
        dst[y][x] = convolve(ramp, src[y][x]);
}

pipeline floats(in src: f32[H][W], out dst: f32[H][W]) {
    iterate (y, x) over dst border RULE2
        dst[y][x] = convolve(wide, src[y][x]);
}

pipeline product(in src: u8[H][W], out dst: i32[H][W], out edge: u8[H][W]) {
    iterate (y, x) over dst border RULE2 {
        dst[y][x] = convolve(smooth, src[y][x]);
        edge[y][x] = sat<u8>(abs(convolve(smooth, src[y - 1][x + 1])) >> 3);
    }
}

pipeline rounds(in src: u8[H][W], out dst: u8[H][W]) {
    iterate (y, x) over dst border RULE2 {
        let here = i32(src[y][x]);
        var total = i32x2(0, 0);
        for (d in smooth) {
            let there = i32(src[y + d.y][x + d.x]);
            let near = 255 - abs(there - here);
            total += near * i32x2(there, 1);
        }
        dst[y][x] = sat<u8>(f32(total.x) / f32(max(total.y, 1)));
    }
}

pipeline words(in src: u16[H][W], out dst: i32[H][W], out far: i16[H][W]) {
    iterate (y, x) over dst border RULE2 {
        dst[y][x] = convolve(tall, src[y][x]);
        far[y][x] = i16(3*src[y - 2][x + 3] - src[y + 1][x - 1]);
    }
}

pipeline colour(in src: u8x3[H][W], out dst: u8x3[H][W]) {
    iterate (y, x) over dst border CONST3
        dst[y][x] = max(src[y][x - 1], max(src[y - 1][x], src[y + 1][x + 2]));
}

pipeline channels(in src: u8[H][W][3], out dst: i32[H][W][3], out grey: u8[H][W]) {
    iterate (y, x) over grey border RULE3 {
        dst[y][x][0] = src[y][x + 1][2] - 2*src[y - 1][x][0];
        dst[y][x][2] = src[y][x][1];
        dst[y][x][1] = src[y + 1][x - 2][1];
        grey[y][x] = u8(src[y][x][0] / 2 + src[y][x][1] / 4 + src[y][x][2] / 4);
    }
}

pipeline planes(in src: i16[3][H][W], out dst: i16[3][H][W]) {
    iterate (c, y, x) over dst border RULE3
        dst[c][y][x] = i16(src[c][y][x - 1] - src[c][y][x + 1] + src[c][y + 1][x] - src[0][y][x]);
}

pipeline views(in src: u8[H][W], inout dst: i32[H][W]) {
    view left = src[0 : H][0 : (W + 1)/2];
    view low = src[H/2 : H - H/2][W/3 : W - W/3];
    view lower = low[0 : H - H/2][(W - W/3)/2 : W - W/3 - (W - W/3)/2];
    view there = dst[H/2 : H - H/2][W/3 : W - W/3];
    iterate (y, x) over there border RULE2
        there[y][x] = convolve(ramp, left[y][x]) + convolve(smooth, low[y - 1][x + 2]) - lower[y][x - 1];
}

pipeline parts(in src: u8[3][H][W], out dst: u8[3][H][W]) {
    view first = src[0];
    view written = dst[1];
    iterate (y, x) over written border RULE2
        written[y][x] = sat<u8>(convolve(ramp, first[y][x]) >> 2);
    for (k in 0 : 3) {
        view from = src[k];
        view to = dst[2 - k];
        iterate (y, x) over to border RULE2
            to[y][x] = u8((from[y - 1][x - 1] + 2*from[y][x] + from[y + 1][x + 1] + 2) / 4);
    }
}

pipeline region(in src: u8[H][W][3], inout dst: u8[H][W][3]) {
    view from = src[0 : H][W/2 : W - W/2][0 : 3];
    view to = dst[0 : H][W/4 : W - W/2][0 : 3];
    iterate (y, x, c) over to border RULE3
        to[y][x][c] = u8(from[y][x - 1][c] / 2 + from[y + 1][x][c] / 2);
}

pipeline down(in src: u8[H][W], out dst: i32[(H + 1) / 2][(W + 1) / 2]) {
    iterate (y, x) over dst border RULE2
        dst[y][x] = convolve(ramp, src[2*y][2*x]);
}

pipeline line(in src: i32[W], out dst: i32[W]) {
    iterate (i) over dst border RULE1
        dst[i] = src[i - 2] + 3*src[i - 1] - src[i + 2] + 2*src[i];
}

pipeline middle(in src: u8[H][W], out dst: u8[H][W]) {
    iterate (y, x) over dst border RULE2
        dst[y][x] = median(src[y - 1 : 3][x - 1 : 3]);
}

pipeline ordered(in src: f32[H][W], out dst: f32[H][W]) {
    iterate (y, x) over dst border RULE2
        dst[y][x] = median(src[y - 1 : 3][x - 1 : 3]) - max(src[y : 1][x - 2 : 5]);
}

pipeline mixed(in src: i32[H][W], in at: u8[H][W], out dst: i32[H][W], inout counts: i32[256], inout best: i32[H][W]) {
    iterate (y, x) over dst border RULE2 {
        let n = at[y][x];
        let row = y + 1;
        var sum = src[row][x - 1];
        for (k in 0 : n % 4)
            sum += src[y - k][x + k];
        if (sum > 0)
            dst[y][x] = sum;
        counts[n] += 1;
        best[y][x] = best[y][x] + src[y][x - 1];
    }
}

pipeline picked(in src: i32[H][W], out dst: i32[H][W]) {
    iterate (y, x) over dst where (src[y][x] > src[y][x - 1]) border RULE2
        dst[y][x] = src[y - 1][x];
}

` + conditions + kept

// conditions reads neighbours on the sides of conditions, which are there wherever an instance is.
const conditions = `pipeline conditions(in src: u8[H][W], in far: f32[H][W], out dst: i32[H][W], out edge: f32[H][W]) {
    iterate (y, x) over dst border RULE2 {
        let here = i32(src[y][x]);
        var n = here;
        if (here > 60) {
            n += src[y][x + 1];
            if (n % 2 == 0)
                n -= 3*src[y - 1][x - 2];
        } else if (x > 5) {
            n = src[y + 1][x + 3] - here;
        }
        dst[y][x] = here < 9 ? n : 2*n + src[y + 2][x];
        edge[y][x] = n > 150 ? far[y][x - 1] - far[y][x] : n > 50 ? far[y - 1][x] : 0.5;
    }
}

`

// kept stores to a pixel several times, on both sides of conditions or over again, beside what reads neighbours.
const kept = `pipeline kept(in src: u8[H][W], out low: u8[H][W], out high: i32[H][W]) {
    iterate (y, x) over low border RULE2 {
        low[y][x] = src[y][x - 1];
        if (src[y][x] > 40) {
            high[y][x] = src[y][x + 1] - src[y - 1][x];
            if (src[y][x] > 90) low[y][x] = src[y + 1][x + 1];
        } else {
            high[y][x] = -1000;
            low[y][x] = src[y + 1][x];
        }
    }
}

`

// plain are pipelines that stay in their images.
const plain = `pipeline inner(in src: u8[H][W], inout dst: u8[H][W]) {
    iterate (y in 1 : H - 1, x in 3 : W - 2)
        dst[y][x] = u8(src[y - 1][x - 3] + 2*src[y + 1][x + 2] + src[y][x]);
}

pipeline shifted(in src: f32[H + 2][W + 5], out dst: f32[H][W]) {
    iterate (y, x) over dst
        dst[y][x] = src[y + 1][x + 3] - src[y][x + 5];
}

pipeline own(inout a: u16[H][W], inout b: f32x2[H][W]) {
    iterate (y, x) over a {
        a[y][x] = u16(a[y][x] * 3);
        b[y][x] = b[y][x].yx + f32(a[y][x]);
    }
}

pipeline points(in a: u8[H][W], in b: f32[H][W], in c: u8x3[H][W], out p: f32[H][W], out q: u8[H][W], out r: f32x4[H][W]) {
    iterate (y, x) over p {
        p[y][x] = a[y][x] * b[y][x];
        q[y][x] = u8((c[y][x].r + 2*c[y][x].g + c[y][x].b) / 4);
        r[y][x] = f32x4(b[y][x], 1.0, 2.0, 3.0);
    }
}

pipeline kinds(in a: bool[H][W], in b: f16[H][W], in c: bf16[H][W], in d: f64[H][W], in e: i64[H][W],
               out p: bool[H][W], out q: f16[H][W], out r: bf16[H][W], out s: f64[H][W], out t: i8[H][W]) {
    iterate (y, x) over a {
        p[y][x] = !a[y][x];
        q[y][x] = b[y][x] + b[y][x];
        r[y][x] = bf16(f32(c[y][x]) * 2.0);
        s[y][x] = d[y][x] + f64(e[y][x]);
        t[y][x] = i8(e[y][x]);
    }
}

pipeline cube(in a: u8[D][H][W], in b: u8[D][H][W], out c: u8[D][H][W]) {
    iterate (z, y, x) over c
        c[z][y][x] = max(a[z][y][x], b[z][y][x]);
}

pipeline coordinates(out dst: i32[H][W]) {
    iterate (y, x) over dst
        dst[y][x] = 1000*y + x;
}

pipeline bounds(in src: i32[H][W], out dst: i32[H][W]) {
    image d: i32[-2 : H + 2][-1 : W + 1];
    iterate (y, x) over d border(src: reflect)
        d[y][x] = 2*src[y][x];
    iterate (y, x) over dst
        dst[y][x] = d[y - 2][x - 1] + d[y + 1][x];
}

pipeline turned(in src: u8[H][W], out dst: u8[W][H]) {
    iterate (y, x) over dst
        dst[y][x] = src[x][y];
}
`

// program is the text of all pipelines. Those that read outside take the rules in turn, from rule number first on.
func program(first int) string {
	parts := strings.SplitAfter(bordered, "}\n\n")
	for i, p := range parts {
		parts[i] = under(rules[(first+i)%len(rules)], p)
	}
	return borders + strings.Join(parts, "") + plain
}

// under is a pipeline under a rule.
func under(rule, text string) string {
	named := func(rank string) string {
		if rule == "formula" {
			return "formula" + rank
		}
		return rule
	}
	ofVectors := rule
	switch rule {
	case "formula":
		ofVectors = "clamp"
	case "constant(7)":
		ofVectors = "constant(u8x3(1, 2, 3))"
	}
	return strings.NewReplacer("RULE1", named("1"), "RULE2", named("2"), "RULE3", named("3"), "CONST3", ofVectors).Replace(text)
}
