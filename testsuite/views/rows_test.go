package views

// A row is the body of a pipeline with the parameters of head, and what it does to dst and cube in Python. a is H/2 and b is W/3.
type row struct {
	name, elem, text, python string
	least                    int // of H and W; 1 for 0
}

const head = `pipeline %s(in src: %[2]s[H][W], in planes: %[2]s[3][H][W], inout dst: %[2]s[H][W], inout cube: %[2]s[3][H][W], in a: i32, in b: i32) {
    %s
}
`

const shared = `
mask cross: i32[3][3] = [[0, 1, 0], [2, 1, 2], [0, 1, 0]];

border straight(s[M][N]) {
    s[*][-1] = 3*s[*][0];
    s[*][+1] = s[*][N-1] + 1;
    s[-1][*] = s[0][*] - 1;
    s[+1][*] = s[M-1][*] + 2;
} else clamp

commutative func join(p: i32, q: i32): i32 = max(p, q);

kernel blur<T>(in p: T[h][w], out q: T[h][w]) {
    iterate (y, x) over q border clamp
        q[y][x] = T(p[y][x-1] + p[y][x+1] + 2*p[y-1][x]);
}

kernel exchange(inout p: i32[h][w], inout q: i32[h][w]) {
    image t: i32[h][w] = p;
    p = q;
    q = t;
}

kernel part(in p: i32[h][w], out q: i32[h][w], in n: i32) {
    view top = p[0 : n];
    view bottom = p[n : h - n];
    view below = q[h - n : n];
    view above = q[0 : h - n];
    below = top;
    above = bottom;
}
`

// neighbours reads around a part of src under a rule.
const neighbours = `view v = src[a : H - a][b : W - b];
    view w = dst[0 : H - a][0 : W - b];
    iterate (y, x) over w border RULE
        w[y][x] = v[y-1][x] + 2*v[y+1][x] - 3*v[y][x-1] + 5*v[y][x+1];`

const neighboursPython = `v = src[a:, b:]
p = np.pad(v, 1, MODE)
dst[:H-a, :W-b] = p[:-2, 1:-1] + 2*p[2:, 1:-1] - 3*p[1:-1, :-2] + 5*p[1:-1, 2:]`

var rows = []row{
	{name: "copy", elem: "u8", text: `view v = src[a : H - a][b : W - b];
    iterate (y, x) over v dst[y][x] = v[y][x];`, python: "dst[:H-a, :W-b] = src[a:, b:]"},
	{name: "typed", elem: "u8", text: `view v: u8[H - a][W - b] = src[a : H - a][b : W - b]; view w: u8[H-a][W] = dst[a : H - a];
    iterate (y, x) over v w[y][x] = v[y][x];`, python: "dst[a:, :W-b] = src[a:, b:]"},
	{name: "write", elem: "f32", text: `view v = dst[a : H - a][b : W - b]; v = 3; v[0][0] = 4;`, python: "dst[a:, b:] = 3; dst[a, b] = 4"},
	{name: "comprehension", elem: "i32", text: `view v = dst[a : H - a][0 : W - b]; v = [src[y][x] + W * y for y, x];`,
		python: "dst[a:, :W-b] = src[:H-a, :W-b] + W * np.arange(H-a, dtype=np.int32)[:, None]"},
	{name: "vectors", elem: "u8x3", text: `view v = src[a : H - a][b : W - b];
    iterate (y, x) over v dst[y][x] = v[H-a-1-y][x].zyx;`, python: "dst[:H-a, :W-b] = src[a:, b:][::-1, :, ::-1]"},
	{name: "pixels", elem: "u8", text: `view v = src[a : H - a][b : W - b]; dst = v[0][0];`, python: "dst[:] = src[a, b]"},
	{name: "swapped", elem: "i32", text: `image t: i32[H][W] = src; view v = t[a : H - a][b : W - b]; v = 1; swap(t, dst); v = 2; swap(t, dst); v = 3; swap(t, dst);`,
		python: "u = dst.copy(); u[a:, b:] = 2; dst[:] = src; dst[a:, b:] = 3"},
	{name: "swapped_odd", elem: "i32", text: `image t: i32[H][W] = src; view v = dst[a : H - a][b : W - b]; swap(t, dst); iterate (y, x) over v v[y][x] = v[y][x] + 1;`,
		python: "dst[:] = src; dst[a:, b:] += 1"},
	{name: "clamped", elem: "i32", text: rule("clamp"), python: padded("'edge'")},
	{name: "constant", elem: "i32", text: rule("constant(7)"), python: padded("constant_values=7")},
	{name: "reflected", elem: "i32", text: rule("reflect"), python: padded("'symmetric'")},
	{name: "reflected101", elem: "i32", text: rule("reflect101"), python: padded("'reflect'"), least: 4},
	{name: "repeated", elem: "i32", text: rule("repeat"), python: padded("'wrap'")},
	{name: "own_rule", elem: "i32", text: `view v border repeat = src[a : H - a][b : W - b]; view w = dst[0 : H - a][0 : W - b];
    iterate (y, x) over w w[y][x] = v[y][x-1];`, python: "dst[:H-a, :W-b] = np.roll(src[a:, b:], 1, 1)"},
	{name: "formula", elem: "i32", text: rule("straight"), python: `v = src[a:, b:]
dst[:H-a, :W-b] = (np.vstack([v[:1] - 1, v[:-1]]) + 2*np.vstack([v[1:], v[-1:] + 2]) - 3*np.hstack([3*v[:, :1], v[:, :-1]])
    + 5*np.hstack([v[:, 1:], v[:, -1:] + 1]))`},
	{name: "convolved", elem: "i32", text: `view v = src[a : H - a][b : W - b]; view w = dst[0 : H - a][0 : W - b];
    iterate (y, x) over w border clamp w[y][x] = convolve(cross, v[y][x]) + sum(v[y : 2][x : 1]);`, python: `v = src[a:, b:]
p = np.pad(v, 1, 'edge')
dst[:H-a, :W-b] = p[:-2, 1:-1] + 2*p[2:, 1:-1] + 2*p[1:-1, :-2] + 2*p[1:-1, 2:] + 2*v`},
	{name: "nested", elem: "i32", text: `view v = src[a : H - a]; view u = v[0 : H - a][b : W - b]; view t = u[H - a - 1];
    iterate (x) over t dst[0][x] = t[x];`, python: "dst[0, :W-b] = src[H-1, b:]"},
	{name: "line", elem: "u8", text: `view column = src[0 : H][b]; view row = dst[a]; view other = dst[0 : H][0]; other = column; row[W-1] = 9;`,
		python: "dst[:, 0] = src[:, b]; dst[a, W-1] = 9"},
	{name: "skipped", elem: "i32", text: `view v = dst[a : H - a][0 : W - b];
    iterate (y, x) over src border(v: skip) v[y-1][x+1] = src[y][x];`,
		python: "v = dst[a:, :W-b]; n, m = v.shape; u = src[1:1+n, :max(m-1, 0)]; v[:u.shape[0], 1:1+u.shape[1]] = u"},
	{name: "counted", elem: "i32", text: `view v = dst[a]; iterate (y, x) over src v[(src[y][x] & 15) % W] += 1;`,
		python: "np.add.at(dst[a], (src & 15) % W, 1)"},
	{name: "counted_small", elem: "u8", text: `view v = dst[a]; iterate (y, x) over src v[src[y][x] % W] += 3;`,
		python: "np.add.at(dst[a], src % W, np.uint8(3))"},
	{name: "joined", elem: "i32", text: `view v = dst[a]; iterate (y, x) over src v[(src[y][x] & 15) % W] = fold(join, v[(src[y][x] & 15) % W], src[y][x]);`,
		python: "np.maximum.at(dst[a], (src & 15) % W, src)"},
	{name: "summed", elem: "i32", text: `view v = dst[a : H - a]; iterate (y, x) over v scan(x) border constant(0) v[y][x] = v[y][x-1] + src[y][x];`,
		python: "dst[a:] = np.cumsum(src[:H-a], 1, dtype=np.int32)"},
	{name: "reduced", elem: "i32", text: `view v = src[a : H - a][b : W - b]; let m = max(v); let n = sum(planes[1]); dst[0][0] = m; dst[H-1][W-1] = i32(n + max(planes[2]));`,
		python: "dst[0, 0] = src[a:, b:].max(); dst[H-1, W-1] = (planes[1].sum(dtype=np.int64) + planes[2].max()).astype(np.int32)"},
	{name: "window_reduced", elem: "u8", text: `let m = max(src[a : H - a][b : W - b]); dst = m;`, python: "dst[:] = src[a:, b:].max()"},
	{name: "tiles", elem: "i32", text: `for (i in 0 : H/2) { view v = dst[2*i : 2][0 : W]; v = i; }`,
		python: "dst[:H//2*2] = np.repeat(np.arange(H//2), 2)[:, None]"},
	{name: "moving", elem: "i32", text: `var k = 0;
    while (k < H) { view v = dst[clamp(k, 0, H - 1)]; view u = src[clamp(k, 0, H - 1)]; k += 2; v = u; v[0] = k; }`,
		python: "dst[::2] = src[::2]; dst[::2, 0] = np.arange(2, H + 2, 2)"},
	{name: "planar", elem: "i32", text: `cube[0] = planes[2]; cube[1] = src; cube[2][a] = 5; iterate (y, x) over cube[1] dst[y][x] = cube[0][y][x];`,
		python: "cube[0] = planes[2]; cube[1] = src; cube[2, a] = 5; dst[:] = cube[0]"},
	{name: "plane_arguments", elem: "i32", text: `for (k in 0:3) blur(planes[k], cube[k]); blur(cube[0], cube[1]); blur(cube[1], dst);`, python: `def blur(p):
    q = np.pad(p, 1, 'edge')
    return q[1:-1, :-2] + q[1:-1, 2:] + 2*q[:-2, 1:-1]
for k in range(3): cube[k] = blur(planes[k])
cube[1] = blur(cube[0]); dst[:] = blur(cube[1])`},
	{name: "plane_views", elem: "u8", text: `view v = cube[1][a : H - a][b : W - b]; blur(planes[0][a : H - a][b : W - b], v); view two = planes[0:2]; let n = two.extent(0) + two.extent(1);
    dst = [two[1][y][x] for y, x]; dst[0][0] = u8(n);`, python: `q = np.pad(planes[0, a:, b:], 1, 'edge')
cube[1, a:, b:] = q[1:-1, :-2] + q[1:-1, 2:] + 2*q[:-2, 1:-1]
dst[:] = planes[1]; dst[0, 0] = (2 + H) % 256`},
	{name: "quadrants", elem: "i32", text: `view p = dst[0 : H/2][0 : W/2]; view q = dst[H/2 : H/2][W/2 : W/2]; exchange(p, q);`,
		python: "h, w = H//2, W//2; t = dst[:h, :w].copy(); dst[:h, :w] = dst[h:2*h, w:2*w]; dst[h:2*h, w:2*w] = t", least: 2},
	{name: "rolled", elem: "i32", text: `part(src, dst, a); part(planes[1], cube[2], 0);`, python: "dst[:] = np.roll(src, -a, 0); cube[2] = planes[1]"},
	{name: "empty", elem: "i32", text: `view v = src[H : 0][0 : W]; view u = dst[a : 0]; u = 3; iterate (y, x) over v border clamp dst[y][x] = v[y-1][x]; dst[0][0] = i32(sum(v)) + v.height;`,
		python: "dst[0, 0] = 0"},
	{name: "mixed", elem: "i32", text: `view v = dst[0 : H][b : W - b]; iterate (y, x) over v { v[y][x] += src[y][x]; } iterate (y, x) over v border clamp where (y % 2 == 0) v[y][x] = dst[y][x+b] + src[y][x];`,
		python: "dst[:, b:] += src[:, :W-b]; dst[::2, b:] += src[::2, :W-b]"},
}
