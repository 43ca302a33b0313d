package steps

// A program is called once; images are i32 of one axis, scalars i32.
type program struct {
	name, text string
	images     map[string][]int64
	scalars    map[string]int64
	sizes      map[string]int
	want       map[string][]int64
}

type (
	images  = map[string][]int64
	scalars = map[string]int64
)

var programs = []program{
	{
		name: "loops", text: `
pipeline loops(in src: i32[N], out dst: i32[N], in n: i32, out count: i32) {
    var k = 0;
    image a: i32[N] = src;
    while (k < n) {
        k += 1;
        if (k % 2 == 0) continue;
        if (k > 6) break;
        for (j in 0:k:2)
            a[0] = k * 10 + j;
        image b: i32[N];
        iterate (i in max(k - 4, 0) : N) b[i] = a[i] + k;
        if (k < 5) swap(a, b);
    }
    dst = a;
    count = k;
}`,
		images: images{"src": {1, 2, 3, 4}}, scalars: scalars{"n": 9},
		want: images{"dst": {54, 6, 7, 8}, "count": {7}},
	},
	{
		name: "backwards", text: `
pipeline backwards(out dst: i32[N], in n: i32) {
    for (j in N - 1 : -1 : -2) {
        dst[j] = 10 * j + n;
        if (j < n) { if (j > 0) dst[0] = -j; }
        else dst[j - n] = 7;
    }
}`,
		sizes: map[string]int{"N": 6}, scalars: scalars{"n": 2},
		want: images{"dst": {-1, 12, 0, 32, 0, 52}},
	},
	{
		name: "swapped", text: `
pipeline swapped(in src: i32[N], out a: i32[N], inout b: i32[N], out c: i32[N], in n: i32) {
    a = src;
    c = [10 * src[i] for i];
    for (i in 0:n) { swap(a, b); swap(b, c); }
    image t: i32[N] = a;
    if (n > 0) { swap(t, c); }
}`,
		images: images{"src": {1, 2}, "b": {5, 6}}, scalars: scalars{"n": 2},
		want: images{"a": {10, 20}, "b": {1, 2}, "c": {10, 20}},
	},
	{
		name: "rotated", text: `
pipeline rotated(inout a: i32[N], inout b: i32[N], inout c: i32[N]) {
    swap(a, b);
    swap(b, c);
    iterate (i) over a a[i] = a[i] + 1;
}`,
		images: images{"a": {1, 2}, "b": {3, 4}, "c": {5, 6}},
		want:   images{"a": {4, 5}, "b": {5, 6}, "c": {1, 2}},
	},
	{
		name: "fresh", text: `
pipeline fresh(out dst: i32[N], in n: i32) {
    dst = 0;
    for (k in 0:n) {
        image t: i32[N];
        iterate (i in k : k + 1) where (i < N) t[i] = k + 1;
        iterate (i) over dst dst[i] = dst[i] + t[i];
    }
}`,
		sizes: map[string]int{"N": 4}, scalars: scalars{"n": 4},
		want: images{"dst": {1, 2, 3, 4}},
	},
	{
		name: "redblack", text: `
pipeline redblack(inout u: i32[N], in n: i32) {
    for (k in 0:n) for (colour in 0:2)
        iterate (i) over u border reflect101 where (i % 2 == colour)
            u[i] = u[i - 1] + u[i + 1];
}`,
		images: images{"u": {0, 1, 0, 2}}, scalars: scalars{"n": 1},
		want: images{"u": {2, 5, 3, 6}},
	},
	{
		name: "kernels", text: `
kernel step(in a: i32[n], out b: i32[n], in k: i32, out last: i32) {
    image t: i32[n] = [a[i] + k for i];
    if (k > 1) b = [2 * t[i] for i]; else b = t;
    last = k;
}
pipeline kernels(inout u: i32[N], out v: i32[N], out last: i32) {
    var seen = 0;
    for (k in 0:3) { step(u, v, k, seen); swap(u, v); }
    last = seen;
}`,
		images: images{"u": {1, 2}},
		want:   images{"u": {8, 10}, "v": {2, 3}, "last": {2}},
	},
	{
		name: "unset", text: `
pipeline unset(in src: i32[N], out dst: i32[N], in n: i32, out count: i32) {
    if (n > 3) { dst = src; count = n; }
}`,
		images: images{"src": {1, 2}}, scalars: scalars{"n": 1},
		want: images{"dst": {0, 0}, "count": {0}},
	},
	{
		name: "converging", text: `
pipeline converging(inout u: i32[N], out rounds: i32, out rest: i32, out last: i32) {
    image v: i32[N];
    var change = 1;
    var n = 0;
    while (change > 0) {
        change = 0;
        iterate (i) over v border clamp {
            v[i] = (u[i - 1] + 2 * u[i] + u[i + 1]) / 4;
            change max= abs(v[i] - u[i]);
        }
        swap(u, v);
        n += 1;
        if (n == 50) break;
        if (n % 2 == 0) continue;
        last = n;
    }
    rounds = n;
    rest = change;
}`,
		images: images{"u": {0, 64, 0, 0}},
		want:   images{"u": {11, 11, 11, 11}, "rounds": {18}, "rest": {0}, "last": {17}},
	},
	{
		name: "decided", text: `
pipeline decided(in src: i32[N], out dst: i32[N], out n: i32, out w: i32) {
    let top = max(src);
    if (top > 5 && src[0] < 3) {
        for (i in 0 : min(i32(count(src[x] > 1 for x in 0:N)), N)) dst[i] = top + i;
        iterate (x in src[N - 1] : N) where (x >= 0) dst[x] = -x;
    } else {
        dst = -top;
    }
    dst[clamp(i32(sum(src)), 0, N - 1)] = -3;
    n = top;
    if (top > 5) w = src[clamp(top, 0, N - 1)];
    assume(N > 0);
}`,
		images: images{"src": {2, 7, 1, 3}},
		want:   images{"dst": {7, 8, 9, -3}, "n": {7}, "w": {3}},
	},
	{
		name: "decidedNot", text: `
pipeline decidedNot(in src: i32[N], out dst: i32[N], out n: i32) {
    if (max(src) < 5) dst = src; else { dst[src[0] > 0 ? 0 : N - 1] = 4; n = 1; }
}`,
		images: images{"src": {2, 7, 1, 3}},
		want:   images{"dst": {4, 0, 0, 0}, "n": {1}},
	},
	{
		name: "updated", text: `
commutative func join(a: i32x2, b: i32x2): i32x2 = i32x2(min(a.x, b.x), max(a.y, b.y));
pipeline updated(in src: i32[N], out n: i32, out odd: i32, out low: i32, out high: i32, out product: i32, out mixed: i32) {
    var k = 0;
    var b = i32x2(1000, -1000);
    var p: u8 = 1;
    var every: i64;
    iterate (i) over src {
        if (src[i] % 2 != 0) k += 1;
        b = fold(join, b, i32x2(src[i], src[i]));
        p *= src[i] + 1;
        every += src[i];
    }
    k *= 10;
    let before = k;
    k = 3;
    odd = before;
    n = k + i32(every);
    low = b.x;
    high = b.y;
    product = p;
    mixed = b.x > 0 ? 1 : -1;
}`,
		images: images{"src": {2, 7, -1, 30}},
		want:   images{"n": {41}, "odd": {20}, "low": {-1}, "high": {30}, "product": {0}, "mixed": {-1}},
	},
	{
		name: "passed", text: `
kernel scaled(in a: i32[n], out b: i32[n], in k: i32, out total: i32) {
    b = [a[i] * k for i];
    if (k > 100) b = 0;
    total = i32(sum(b));
}
pipeline passed(in src: i32[N], out dst: i32[N], out total: i32, out t: i32) {
    var v = 0;
    scaled(src, dst, src[1], v);
    for (i in 0:2) { image c: i32[N] = dst; scaled(c, dst, v / 10 + i, v); }
    t = v;
    scaled(src, dst, 2, total);
}`,
		images: images{"src": {1, 2, 3}},
		want:   images{"dst": {2, 4, 6}, "t": {24}, "total": {12}},
	},
	{
		name: "domains", text: `
domain cross[3][3] = [[0, 1, 0], [1, 1, 1], [0, 1, 0]];
domain row[5];
mask m: i32[5] = [1, 0, 3, 0, 5];
func half(n: i32): i32 = (n + 1) / 2;
func steps(n: i32): i32 {
    var v = n;
    var i = 0;
    while (v > 1) { v = v % 2 == 0 ? v / 2 : 3 * v + 1; i += 1; }
    return i;
}
func size(n: i32): i32 { let h = n / 2; if (h > 3) return h; return n + h; }
pipeline domains(in src: i32[N] border clamp, in k: mask i32[A], out seen: i32[9], out lines: i32[N], out box: i32[3][3],
        out h: i32, out c: i32, out s: i32) {
    var n = 0;
    for (d in cross) { seen[clamp(n, 0, 8)] = 10 * d.y + d.x; n += 1; }
    lines = 0;
    for (d in k) lines = [lines[i] + k[d] * src[i + d.x] for i];
    for (d in row) {
        if (d.x == 1) break;
        lines[0] = m[d] + 100 * d.x;
    }
    iterate (d in cross) box[d.y + 1][d.x + 1] = 7 + d.x;
    iterate (i in 0:2, d in row) where (d.x == i) seen[5 + d.x] = m[d] - i;
    image few: i32[half(N)] = 3;
    h = half(N) + few.width;
    c = steps(N);
    s = size(N) + size(10 * N);
}`,
		images: images{"src": {1, 2, 3, 4, 5, 6, 7}, "k": {1, 2, 0}},
		want: images{
			"seen": {-10, -1, 0, 1, 10, 3, -1, 0, 0}, "lines": {3, 5, 8, 11, 14, 17, 20}, "box": {0, 7, 0, 6, 7, 8, 0, 7, 0},
			"h": {8}, "c": {16}, "s": {45},
		},
	},
	{
		name: "vectors", text: `
pipeline vectors(in src: i32[N], out dst: i32[N], out a: i32, out b: i32) {
    let v = i32x3(N, 5, 2).zyx;
    var w = v.xy;
    w += 10;
    a = v.x * 100 + v.z;
    if (any(w > 14) && all(v.xy != 9)) b = i32(dot(v, v)); else b = -1;
    dst = [src[i] * w.y for i];
    dst[1:2] = [w.x, w.y];
    dst[0] = i32(sum(src[1:3:1]));
}`,
		images: images{"src": {1, 2, 3, 4}},
		want:   images{"dst": {9, 12, 15, 60}, "a": {204}, "b": {45}},
	},
	{
		name: "wholes", text: `
pipeline wholes(inout a: i32[N], in b: i32[N], in k: i32, out d: i32[4], inout tiles: i32[2*N]) {
    a += 1;
    a *= b;
    a -= [b[x] * x for x];
    a[1 : k] += k;
    a[N - 1] /= 2;
    a[0:2] <<= 1;
    a += a;
    d = 5;
    d %= max(b);
    d[1:2] += [10, 20];
    d[0:2:2] *= 3;
    d[clamp(b[0], 0, 3)] -= 100;
    assume(N > k && N > 3 && k > 0);
    iterate (x in 0:N) tiles[2*x : 2] += [1, x];
    iterate (x in 0:N/2) tiles[2*x:2] max= a[0:2];
    iterate (x in 0:N/2) tiles[x:3] -= 3;
}`,
		images:  images{"a": {1, 2, 3, 4}, "b": {3, 2, 1, 1}, "tiles": {1, 1, 1, 1, 1, 1, 1, 1}},
		scalars: scalars{"k": 2},
		want:    images{"a": {24, 24, 8, 2}, "d": {6, 12, 66, -98}, "tiles": {21, 18, 18, 21, 2, 3, 2, 4}},
	},
}
