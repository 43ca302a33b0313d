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
}
