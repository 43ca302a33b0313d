package pyramids

// A program is called once for each number of pixels; images are i32 of one axis, scalars i32. want is of the first call.
type program struct {
	name, text string
	images     []string // in and inout: pixel i of the k-th is (7*i + 3*k) % 11 + k
	scalars    map[string]int64
	sizes      []int
	want       map[string][]int64
}

type (
	images  = map[string][]int64
	scalars = map[string]int64
)

var programs = []program{
	{
		// Pairs are summed on the way down, and the sum is spread on the way up.
		name: "collapse", text: `
pipeline collapse(inout a: i32[N], in depth: i32, out levels: i32) {
    pyramid g: i32[N] levels depth;
    g[0] = a;
    traverse (g) {
        if (!g.top)
            iterate (i) over g[0] border(g: constant(0)) g[0][i] = g[-1][2*i] + g[-1][2*i+1];
        descend;
        if (!g.bottom)
            iterate (i) over g[0] g[0][i] = 100 * g[0][i] + g[+1][i/2];
    }
    a = g[0];
    levels = g.levels;
}`,
		images: []string{"a"}, scalars: scalars{"depth": 3}, sizes: []int{5, 1, 2, 7, 64},
		// 0 7 3 10 6: sums 7 13 6, then 20 6; up: 720 1320 606, then 720 1420 1620 2320 1206
		want: images{"a": {720, 1420, 1620, 2320, 1206}, "levels": {3}},
	},
	{
		// A pyramid that is filled by one traverse and read by another.
		name: "again", text: `
pipeline again(inout a: i32[N], in depth: i32) {
    pyramid g: i32[N] levels depth;
    g[0] = a;
    traverse (g) { descend; g[0] = [1 + g.level for i]; }
    traverse (g) { descend; g[0] = [g[0][i] + 1 for i]; }
    a = g[0];
}`,
		images: []string{"a"}, scalars: scalars{"depth": 3}, sizes: []int{5, 1},
		want: images{"a": {2, 2, 2, 2, 2}},
	},
	{
		// Every level writes what it is, in the order of the visits: W of gamma 2 with work between.
		name: "order", text: `
pipeline order(out visits: i32[N], in depth: i32, in gamma: i32) {
    pyramid g: i32[4] levels depth;
    visits = 0;
    var n = 0;
    traverse (g) {
        let mark = 10 * g.level + 1;
        if (n >= 0 && n < N) visits[n] = mark;
        n += 1;
        descend gamma {
            if (n >= 0 && n < N) visits[n] = mark + 1;
            n += 1;
        }
        if (n >= 0 && n < N) visits[n] = mark + 2;
        n += 1;
    }
}`,
		scalars: scalars{"depth": 3, "gamma": 2}, sizes: []int{20, 4},
		want: images{"visits": {1, 11, 21, 23, 12, 21, 23, 13, 2, 11, 21, 23, 12, 21, 23, 13, 3, 0, 0, 0}},
	},
	{
		name: "never", text: `
pipeline never(inout a: i32[N], in gamma: i32) {
    pyramid g: i32[N] levels 4;
    g[0] = a;
    traverse (g) {
        g[0] = [g[0][i] + 1 for i];
        descend gamma { g[0] = 9; }
    }
    a = [g[0][i] + 10 * g[1][i/2] for i];
}`,
		images: []string{"a"}, scalars: scalars{"gamma": -3}, sizes: []int{3, 1},
		want: images{"a": {1, 8, 4}},
	},
	{
		// Levels are read between pixels as images are: 0 3 6 is the coarser one, 4*0.75 and 4*0.25 the weights at the end.
		name: "sampled", text: `
pipeline sampled(inout a: i32[N], in depth: i32) {
    pyramid g: i32[N] border clamp levels depth;
    g[0] = a;
    traverse (g) {
        if (!g.top) g[0] = [g[-1][2*i] for i];
        descend;
        if (!g.bottom) g[0] = [g[0][i] + i32(4 * sample(g[+1], i / 2.0, linear)) for i];
    }
    a = [i32(4 * sample(g[0], i + 0.25, linear)) for i];
}`,
		images: []string{"a"}, scalars: scalars{"depth": 2}, sizes: []int{5, 1, 2, 7},
		want: images{"a": {13, 54, 73, 114, 120}},
	},
	{
		// Variables and images of a level keep their values while coarser levels have theirs.
		name: "own", text: `
pipeline own(inout a: i32[N], in depth: i32) {
    pyramid g: i32[N] levels depth;
    g[0] = a;
    traverse (g) {
        var k = g.level;
        let fixed = 2*k + 1;
        image before: i32[N] = [g.level + i for i];
        image small: i32[g[0].width];
        small[0] = fixed;
        for (j in 0:2) {
            k += j;
            if (j == 1) {
                if (!g.bottom) g[+1] = 0;
                descend;
            }
            k += 10 * fixed;
        }
        g[0] = [g[0][i] + 1000*before[i] + k + small[i] for i];
        if (!g.bottom) g[0] = [g[0][i] + g[+1][i/2] for i];
    }
    a = g[0];
}`,
		images: []string{"a"}, scalars: scalars{"depth": 2}, sizes: []int{3, 1, 9},
		// level 1: k = 1, then 1 + 30 + 1 + 30 = 62; 1000*(1 + i) + 62 + (3, 0) = 1065 2062
		// level 0: k = 0 + 10 + 1 + 10 = 21; (0 7 3) + 1000*i + 21 + (1 0 0) + (1065 1065 2062)
		want: images{"a": {1087, 2093, 4086}},
	},
	{
		// Jacobi steps with swaps of levels, and a swap of the pyramids at the end.
		name: "swaps", text: `
pipeline swaps(inout a: i32[N], out b: i32[N], out c: i32[N], in depth: i32) {
    pyramid u: i32[N] border clamp levels depth;
    pyramid t: i32[N] levels depth;
    u[0] = a;
    traverse (u, t) {
        for (n in 0:3) {
            iterate (i) over u[0] t[0][i] = u[0][i-1] + u[0][i] + u[0][i+1];
            swap(u[0], t[0]);
        }
        if (!u.bottom) {
            iterate (i) over u[+1] u[+1][i] = u[0][2*i] % 100;
            descend;
            iterate (i) over u[0] u[0][i] = u[0][i] + u[+1][i/2];
            swap(u[+1], t[+1]);
        }
    }
    swap(u, t);
    swap(t[0], a);
    b = u[0];
    c = [u[1][i/2] for i];
}`,
		images: []string{"a"}, scalars: scalars{"depth": 2}, sizes: []int{4, 1, 33},
	},
	{
		// The levels of an inner traverse change with those of the outer one.
		name: "nested", text: `
kernel pairs(in a: i32[n] border constant(0), out b: i32[(n + 1)/2]) {
    image twice: i32[n] = [2 * a[i] for i];
    image mixed: i32[2*n];
    iterate (i) over twice mixed[2*i + 1] = twice[i];
    b = [mixed[2*i] + mixed[min(2*i + 1, 2*n - 1)] + a[2*i + 1] for i];
}

pipeline nested(inout a: i32[N], in n: i32, in m: i32) {
    pyramid g: i32[N] levels n;
    pyramid h: i32[2*N] border clamp levels m scale (3);
    g[0] = a;
    h[0] = 1;
    traverse (g) {
        if (!g.top) pairs(g[-1], g[0]);
        let outer = g.level;
        image keep: i32[g[0].width] = g[0];
        traverse (h) {
            image both: i32[g[0].width + h[0].width];
            both[h[0].width] = outer;
            iterate (i) over both both[i] = both[i] + 10 * g.level + h.level + keep[min(i, g[0].width - 1)];
            if (!h.top) iterate (i) over h[0] h[0][i] = h[-1][3*i] + both[i];
            descend 2;
            if (!h.bottom) h[0] = [h[0][i] + both[i] + h[+1][i/3] for i];
        }
        descend;
        g[0] = [g[0][i] + keep[i] + h[0][2*i] for i];
    }
    a = g[0];
}`,
		images: []string{"a"}, scalars: scalars{"n": 3, "m": 3}, sizes: []int{5, 1, 2, 23},
	},
	{
		// Updates of levels: widened copies, locks, and values that the device computes.
		name: "updates", text: `
commutative func merge(a: i32x2, b: i32x2): i32x2 = i32x2(max(a.x, b.x), a.y + b.y);

pipeline updates(inout a: i32[N], in depth: i32, out total: i64) {
    pyramid g: u8[N] levels depth;
    pyramid p: i32x2[N] levels depth;
    g[0] = [u8(a[i]) for i];
    traverse (g, p) {
        if (!g.bottom) {
            g[+1] = 0;
            iterate (i) over g[0] g[+1][i/2] += g[0][i];
            iterate (i) over g[0] p[+1][i/2] = fold(merge, p[+1][i/2], i32x2(i, 1));
        }
        let sum = sum(g[0]);
        descend;
        total = sum;
        iterate (i) over g[0] a[i] = a[i] + 10 * i32(sum) + p[0][i].x + 100 * p[0][i].y;
    }
}`,
		images: []string{"a"}, scalars: scalars{"depth": 3}, sizes: []int{5, 1, 40},
		want: images{
			// sums 26 of 0 7 3 10 6, of 7 13 6 and of 20 6; p is (0 0) everywhere, (1 2) (3 2) (4 1), and (1 2) (2 1)
			"a": {0 + 3*260 + 201 + 201, 7 + 3*260 + 203 + 102, 3 + 2*260 + 104, 10 + 260, 6 + 260}, "total": {26},
		},
	},
	{
		// A pyramid of a kernel, called twice and in a loop: it starts as zeros every time.
		name: "kernels", text: `
kernel mean(inout a: i32[n], in depth: i32) {
    pyramid g: i32[n] levels depth;
    iterate (i) over a where (i % 2 == 0) g[0][i] = a[i];
    traverse (g) {
        if (!g.top) iterate (i) over g[0] g[0][i] = g[0][i] + g[-1][2*i];
        descend;
        if (!g.bottom) iterate (i) over g[0] g[0][i] = g[0][i] + g[+1][i/2];
    }
    a = g[0];
}

pipeline kernels(inout a: i32[N], inout b: i32[N], in depth: i32) {
    mean(a, depth);
    for (k in 0:3) {
        if (k != 1) mean(b, depth);
    }
}`,
		images: []string{"a", "b"}, scalars: scalars{"depth": 3}, sizes: []int{6, 1, 17},
	},
	{
		// Planes, a scale of each axis, absolute levels and constant extents.
		name: "planes", text: `
pipeline planes(inout a: i32[N], in flag: i32) {
    pyramid g: i32[3][N][4] border reflect levels 3 scale (1, 3, 2);
    iterate (c in 0:3, y in 0:N, x in 0:4) g[0][c][y][x] = a[y] + 10*c + x;
    traverse (g) {
        if (!g.top) iterate (c, y, x) over g[0] g[0][c][y][x] = sum(g[-1][c][3*y-1 : 3][2*x : 2]);
        if (g.level + 2 < g.levels) g[+2] = 7;
        descend;
        if (g.level >= 2) iterate (c, y, x) over g[-2] border(g: clamp) g[-2][c][y][x] = g[-2][c][y][x] + g[0][c][y/9][x/4];
    }
    if (flag > 0) g[2] = 5;
    a = [g[0][2][i][3] + g[1][1][i/3][1] + g[2][0][i/9][0] for i];
}`,
		images: []string{"a"}, scalars: scalars{"flag": 0}, sizes: []int{5, 1, 10, 28},
	},
	{
		// A demand on extents, at the levels where it is made.
		name: "demands", text: `
pipeline demands(inout a: i32[N], in depth: i32) {
    pyramid g: i32[N] levels depth;
    g[0] = a;
    traverse (g) {
        if (!g.bottom) {
            image sums: i32[g[0].width] = [g[0][i] + g[0][2] for i];
            g[+1] = [sums[2*i] for i];
            descend;
            g[0] = [g[0][i] + g[+1][1] for i];
        }
    }
    a = g[0];
}`,
		images: []string{"a"}, scalars: scalars{"depth": 2}, sizes: []int{5, 16},
	},
	{
		// Views of levels and planes of them, passed to kernels.
		name: "views", text: `
kernel add(in a: i32[n], inout b: i32[n], in k: i32) {
    iterate (i) over b b[i] = b[i] + k*a[i];
}

pipeline views(inout a: i32[N], in depth: i32) {
    pyramid g: i32[2][N] border clamp levels depth scale (1, 2);
    g[0][0] = a;
    g[0][1] = [2*a[i] for i];
    traverse (g) {
        view left = g[0][0][0 : (g[0].width + 1)/2];
        iterate (i) over left left[i] = left[i] + 5;
        add(g[0][0], g[0][1], 3);
        if (!g.bottom) {
            for (c in 0:2) {
                view coarse = g[+1][c];
                coarse = [g[0][c][2*i] - g[0][c][2*i-1] for i];
            }
            descend;
            g[0][1] = [g[0][1][i] + g[+1][0][i/2] for i];
        }
    }
    a = g[0][1];
}`,
		images: []string{"a"}, scalars: scalars{"depth": 3}, sizes: []int{5, 1, 2, 19},
	},
	{
		// The host decides at every level on what the device has found there.
		name: "waits", text: `
pipeline waits(inout a: i32[N], in depth: i32, out rounds: i32, out least: i32) {
    pyramid g: i32[N] border clamp levels depth;
    g[0] = a;
    var n = 0;
    var bottom = 0;
    traverse (g) {
        var changed = 0;
        image next: i32[g[0].width];
        changed = 1;
        var k = 0;
        while (changed > 0 && k < 4 + g.level) {
            changed = 0;
            iterate (i) over g[0] {
                next[i] = max(g[0][i-1], g[0][i]);
                changed += i32(next[i] != g[0][i]);
            }
            swap(g[0], next);
            k += 1;
        }
        n += k;
        if (!g.bottom) {
            g[+1] = [g[0][2*i] - i for i];
            if (sum(g[0]) > 20) { descend; g[0] = [g[0][i] + g[+1][i/2] for i]; }
        }
        bottom min= min(g[0]) - g.level;
        g[0] = [g[0][i] + k for i];
    }
    a = g[0];
    rounds = n;
    least = bottom;
}`,
		images: []string{"a"}, scalars: scalars{"depth": 3}, sizes: []int{7, 1, 2, 30},
	},
	{
		// Scans, blocks and histograms of levels.
		name: "orders", text: `
pipeline orders(inout a: i32[N], in depth: i32) {
    pyramid g: i32[N][4] levels depth;
    pyramid h: u32[16] levels depth;
    iterate (y in 0:N) g[0][y][0 : 4] = a[y];
    traverse (g, h) {
        if (!g.top) iterate (y in 0 : g[0].height, x in 0 : g[0].width) g[0][y][x] = g[-1][2*y][2*x];
        iterate (y, x) over g[0] scan(y) border constant(1) g[0][y][x] = g[0][y-1][x] + g[0][y][x] % 5;
        descend;
        h[0] = 0;
        iterate (y, x) over g[0] border(h: skip) h[0][g[0][y][x]] += 1;
        iterate (i) over h[0] scan(i) border constant(0) h[0][i] = h[0][i-1] + h[0][i];
        if (!g.bottom) iterate (y, x) over g[0] g[0][y][x] = g[0][y][x] + g[+1][y/2][x/2];
    }
    a = [g[0][i][3] + 100*i32(h[0][i % 16]) for i];
}`,
		images: []string{"a"}, scalars: scalars{"depth": 4}, sizes: []int{6, 1, 3, 21},
	},
}
