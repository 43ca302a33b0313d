package diag

// constantEntries documents IMG03xx: what is computed at compile time.
var constantEntries = []Entry{
	{
		Code: NotConstant, Since: "0.1",
		Title: "value that is not known at compile time",
		Text: "Extents of arrays, counts and strides of windows, steps of ranges, values of consts and masks and " +
			"default values are computed by the compiler: from literals, consts, masks, and funcs and built-ins of " +
			"them.",
		Failing: `pipeline p(in src: u8[H][W], in n: i32, out dst: u8[H][W]) {
    iterate (y, x) over dst border clamp {
        dst[y][x] = u8(max(src[y : n][x]));
    }
}
`,
		Mended: `const N = 5;

pipeline p(in src: u8[H][W], out dst: u8[H][W]) {
    iterate (y, x) over dst border clamp {
        dst[y][x] = max(src[y : N][x]);
    }
}
`,
	},
	{
		Code: ConstantRange, Since: "0.1",
		Title: "constant that its type does not hold",
		Text: "A literal or constant takes the type that its surroundings ask for, if that holds its value. T(e) wraps " +
			"or truncates, sat<T>(e) takes the nearest value.",
		Failing: `const LIMIT: u8 = 256;
`,
		Mended: `const LIMIT: u8 = 255;
`,
	},
	{
		Code: ConstantCycle, Since: "0.1",
		Title: "constant that depends on itself",
		Text:  "Constants may be declared in any order and use each other, but not in a circle.",
		Failing: `const A = B + 1;
const B = A - 1;
`,
		Mended: `const A = B + 1;
const B = 2;
`,
	},
	{
		Code: ConstantArithmetic, Since: "0.1",
		Title: "constant that has no value",
		Text: "At run time nothing traps: x / 0 is 0. In a constant a division by zero, a shift by 64 bits or more, a " +
			"minimum over nothing and a loop without end are mistakes.",
		Failing: `const N = 0;
const STEP = 255 / N;
`,
		Mended: `const N = 5;
const STEP = 255 / N;
`,
	},
	{
		Code: IndexRange, Since: "0.1",
		Title: "index outside an array",
		Text: "A constant index is from 0 to the extent less 1. An index computed at run time reads 0 outside the " +
			"array.",
		Failing: `mask taps: i32[3] = [1, 2, 1];
const LAST = taps[3];
`,
		Mended: `mask taps: i32[3] = [1, 2, 1];
const LAST = taps[2];
`,
	},
	{
		Code: BadExtent, Since: "0.1",
		Title: "extent that is no positive integer",
		Text: "An extent is an integer of at least 1; an image or array has one to four of them. Windows and arrays " +
			"made at run time are bounded, since they live in registers.",
		Failing: `mask box: f32[0][3] = 1.0;
`,
		Mended: `mask box: f32[3][3] = 1.0;
`,
	},
}

// imageEntries documents IMG04xx, on images and borders, and IMG09xx, on what is to come.
var imageEntries = []Entry{
	{
		Code: UnknownRule, Since: "0.1",
		Title: "border rule that does not exist",
		Text: "The named rules are clamp (aaa|abcd|ddd), reflect (cba|abcd|dcb), reflect101 (dcb|abcd|cba), repeat " +
			"(bcd|abcd|abc), constant(v) and undefined. Names of other systems are reported with the rule here.",
		Failing: `pipeline p(in src: u8[H][W], out dst: u8[H][W]) {
    iterate (y, x) over dst border replicate {
        dst[y][x] = src[y][x + 1];
    }
}
`,
		Mended: `pipeline p(in src: u8[H][W], out dst: u8[H][W]) {
    iterate (y, x) over dst border clamp {
        dst[y][x] = src[y][x + 1];
    }
}
`,
	},
	{
		Code: RuleValue, Since: "0.1",
		Title: "border rule with a wrong value",
		Text: "constant needs the value of the pixels outside, of the image's element type; the other rules take none. " +
			"A clause gives one rule to an image.",
		Failing: `pipeline p(in src: u8[H][W], out dst: u8[H][W]) {
    iterate (y, x) over dst border constant {
        dst[y][x] = src[y][x + 1];
    }
}
`,
		Mended: `pipeline p(in src: u8[H][W], out dst: u8[H][W]) {
    iterate (y, x) over dst border constant(0) {
        dst[y][x] = src[y][x + 1];
    }
}
`,
	},
	{
		Code: UnboundSize, Since: "0.1",
		Title: "size name that no extent gives",
		Text: "A size name gets its value from the first extent of a parameter that is linear in it: n, 2*n, n+1. Other " +
			"extents are compared with it at entry. From h*w or (h+1)/2 alone a size cannot be computed.",
		Failing: `pipeline p(in src: u8[H*W], out dst: u8[H*W]) {
    iterate (i) over dst dst[i] = src[i];
}
`,
		Mended: `pipeline p(in src: u8[N], out dst: u8[N]) {
    iterate (i) over dst dst[i] = src[i];
}
`,
	},
	{
		Code: WriteToIn, Since: "0.1",
		Title: "write to an in parameter",
		Text:  "An in image is read only: the caller may pass memory that cannot be written. inout reads and writes.",
		Failing: `pipeline p(in image_: u8[H][W]) {
    iterate (y, x) over image_ image_[y][x] = u8(255 - image_[y][x]);
}
`,
		Mended: `pipeline p(inout image_: u8[H][W]) {
    iterate (y, x) over image_ image_[y][x] = u8(255 - image_[y][x]);
}
`,
	},
	{
		Code: OutRead, Since: "0.1",
		Title: "read of an out parameter before it is written",
		Text: "An out image holds nothing at the start. It may be read once an earlier statement has written it, an earlier step of a scan, or an earlier round of a loop in the same body; inout " +
			"keeps what the caller passes.",
		Failing: `pipeline p(out dst: u8[H][W]) {
    iterate (y, x) over dst dst[y][x] = u8(dst[y][x] / 2);
}
`,
		Mended: `pipeline p(inout dst: u8[H][W]) {
    iterate (y, x) over dst dst[y][x] = u8(dst[y][x] / 2);
}
`,
	},
	{
		Code: BadConvolve, Since: "0.1",
		Title: "convolution of the wrong thing",
		Text: "convolve(m, src[y][x]) takes a mask of constants and one pixel, which the mask is centred on; " +
			"convolve(m, window) a window of the mask's extents.",
		Failing: `mask box: i32[1][3] = 1;

pipeline p(in src: u8[H][W], out dst: u8[H][W]) {
    iterate (y, x) over dst border clamp {
        dst[y][x] = u8(convolve(src[y][x], box) / 3);
    }
}
`,
		Mended: `mask box: i32[1][3] = 1;

pipeline p(in src: u8[H][W], out dst: u8[H][W]) {
    iterate (y, x) over dst border clamp {
        dst[y][x] = u8(convolve(box, src[y][x]) / 3);
    }
}
`,
	},
	{
		Code: CopyMismatch, Since: "0.1",
		Title: "copy between images that differ",
		Text:  "a = b copies an image of the same extents, whose pixels become those of a without a written conversion.",
		Failing: `pipeline p(in src: f32[H][W], out dst: u8[H][W]) {
    dst = src;
}
`,
		Mended: `pipeline p(in src: f32[H][W], out dst: u8[H][W]) {
    dst = [sat<u8>(src[y][x]) for y, x];
}
`,
	},
	{
		Code: NeverWritten, Since: "0.1",
		Title: "out parameter that nothing writes",
		Text: "A scalar out has no value unless it is assigned. An image that nothing writes is returned as zeros, " +
			"which is reported as a warning.",
		Failing: `pipeline p(in src: u8[H][W], out dst: u8[H][W], out area: i32) {
    dst = src;
}
`,
		Mended: `pipeline p(in src: u8[H][W], out dst: u8[H][W], out area: i32) {
    dst = src;
    area = H * W;
}
`,
	},
	{
		Code: MaskAxes, Since: "0.1",
		Title: "mask that slides along colour components",
		Text: "A mask with fewer axes than the image slides along the image's last axes. Where the last is as short as " +
			"colour components are, the axes before it are most likely meant, which a mask with one more extent of 1 " +
			"says.",
		Failing: `mask box: i32[3][3] = 1;

pipeline p(in src: u8[H][W][3], out dst: u8[H][W][3]) {
    iterate (y, x, c) over dst border clamp
        dst[y][x][c] = u8(convolve(box, src[y][x][c]) / 9);
}
`,
		Mended: `mask box: i32[3][3][1] = 1;

pipeline p(in src: u8[H][W][3], out dst: u8[H][W][3]) {
    iterate (y, x, c) over dst border clamp
        dst[y][x][c] = u8(convolve(box, src[y][x][c]) / 9);
}
`,
	},
	{
		Code: BadBorder, Since: "0.1",
		Title: "border by formula that does not fit",
		Text: "A line gives pixels outside of the image: on each axis [*], which is any coordinate inside and the same on both " +
			"sides, [-k], the k-th before the first, or [+k], the k-th behind the last. The value reads pixels inside. A border " +
			"serves images with as many axes as it has sizes, and of its element type where it names one.",
		Failing: `border mirrored(s[M][N]) {
    s[*][-1] = s[*][0];
    s[*][+1] = s[*][N-1];
    s[-1][-1] = s[0][*];
} else clamp

pipeline p(in src: u8[H][W], out dst: u8[H][W]) {
    iterate (y, x) over dst border mirrored
        dst[y][x] = max(src[y-1][x-1], src[y][x+1]);
}
`,
		Mended: `border mirrored(s[M][N]) {
    s[*][-1] = s[*][0];
    s[*][+1] = s[*][N-1];
    s[-1][-1] = s[0][0];
} else clamp

pipeline p(in src: u8[H][W], out dst: u8[H][W]) {
    iterate (y, x) over dst border mirrored
        dst[y][x] = max(src[y-1][x-1], src[y][x+1]);
}
`,
	},
	{
		Code: BadScan, Since: "0.1",
		Title: "scan that orders nothing",
		Text:  "scan(x) orders the instances of an iterate along x, one of its variables; scan(-x) from larger values to smaller ones.",
		Failing: `pipeline running(in src: u32[N], out total: u32[N]) {
    iterate (x) over total scan(i) border constant(0)
        total[x] = total[x-1] + src[x];
}
`,
		Mended: `pipeline running(in src: u32[N], out total: u32[N]) {
    iterate (x) over total scan(x) border constant(0)
        total[x] = total[x-1] + src[x];
}
`,
	},
	{
		Code: NotSupported, Since: "0.1",
		Title: "construct that is not supported yet",
		Text: "The construct belongs to the language, and this release does not compile it. The reference says what " +
			"each release adds.",
		Failing: `pipeline p(in src: f32[N], in k: i32, out dst: f32[N]) {
    pyramid g: f32[N] levels 3;
    g[0] = src;
    dst = g[k];
}
`,
		Mended: `pipeline p(in src: f32[N], out dst: f32[N]) {
    pyramid g: f32[N] levels 3;
    g[0] = src;
    dst = g[0];
}
`,
	},
}
