package diag

// callEntries documents IMG06xx: imports, calls of kernels, generics, assumptions, and where the host waits.
var callEntries = []Entry{
	{
		Code: BadArgument, Since: "0.1",
		Title: "argument that does not fit its parameter",
		Text: "A kernel's statements become the caller's, with its parameters standing for the arguments. An image must have the " +
			"parameter's element type and number of axes, and the extents that the parameter has for the sizes at hand; what " +
			"depends on sizes is checked when the pipeline is called.",
		Failing: `kernel half(in a: f32[h][w], out b: f32[h][w]) {
    iterate (y, x) over b
        b[y][x] = a[y][x] / 2;
}

pipeline p(in src: u8[H][W], out dst: f32[H][W]) {
    half(src, dst);
}
`,
		Mended: `kernel half<T>(in a: T[h][w], out b: f32[h][w]) {
    iterate (y, x) over b
        b[y][x] = f32(a[y][x]) / 2;
}

pipeline p(in src: u8[H][W], out dst: f32[H][W]) {
    half(src, dst);
}
`,
	},
	{
		Code: SharedImage, Since: "0.1",
		Title: "image that reaches a call twice and is written by it",
		Text: "A kernel may rest on its parameters being different images where it writes one of them. An image that is only read " +
			"may be given more than once.",
		Failing: `kernel add(in a: f32[h][w], inout b: f32[h][w]) {
    iterate (y, x) over b
        b[y][x] = b[y][x] + a[h - 1 - y][x];
}

pipeline p(inout img: f32[H][W]) {
    add(img, img);
}
`,
		Mended: `kernel add(in a: f32[h][w], inout b: f32[h][w]) {
    iterate (y, x) over b
        b[y][x] = b[y][x] + a[h - 1 - y][x];
}

pipeline p(inout img: f32[H][W]) {
    image before: f32[H][W] = img;
    add(before, img);
}
`,
	},
	{
		Code: TypeVariable, Since: "0.1",
		Title: "type variable without one meaning",
		Text: "A type variable of a kernel or func stands for one type in each call, which the arguments give: those whose " +
			"parameters have the variable for their type. Literals take the type that the other arguments give.",
		Failing: `kernel blend<T>(in a: T[h][w], in b: T[h][w], out c: f32[h][w]) {
    iterate (y, x) over c
        c[y][x] = (f32(a[y][x]) + f32(b[y][x])) / 2;
}

pipeline p(in a: u8[H][W], in b: f32[H][W], out c: f32[H][W]) {
    blend(a, b, c);
}
`,
		Mended: `kernel blend<A, B>(in a: A[h][w], in b: B[h][w], out c: f32[h][w]) {
    iterate (y, x) over c
        c[y][x] = (f32(a[y][x]) + f32(b[y][x])) / 2;
}

pipeline p(in a: u8[H][W], in b: f32[H][W], out c: f32[H][W]) {
    blend(a, b, c);
}
`,
	},
	{
		Code: BadAssume, Since: "0.1",
		Title: "assumption that never holds",
		Text: "assume(c) makes the entry point refuse calls for which c is false, before anything is written. One that is false " +
			"for every call would leave nothing to run.",
		Failing: `const R = 9;
pipeline p(in src: u8[H][W], out dst: u8[H][W]) {
    assume(R <= 7);
    dst = src;
}
`,
		Mended: `const R = 5;
pipeline p(in src: u8[H][W], out dst: u8[H][W]) {
    assume(R <= 7);
    dst = src;
}
`,
	},
	{
		Code: TooManyCalls, Since: "0.1",
		Title: "kernels that expand to too many calls",
		Text: "Every call of a kernel is expanded, and those in it too, so that kernels that call others several times can grow beyond " +
			"what a compiler and a device take. A pipeline may come to 1000 calls.",
		Failing: `kernel add(in a: f32[n], inout b: f32[n]) { b = [b[x] + a[x] for x]; }
kernel add8(in a: f32[n], inout b: f32[n]) { add(a, b); add(a, b); add(a, b); add(a, b); add(a, b); add(a, b); add(a, b); add(a, b); }
kernel add64(in a: f32[n], inout b: f32[n]) { add8(a, b); add8(a, b); add8(a, b); add8(a, b); add8(a, b); add8(a, b); add8(a, b); add8(a, b); }
kernel add512(in a: f32[n], inout b: f32[n]) { add64(a, b); add64(a, b); add64(a, b); add64(a, b); add64(a, b); add64(a, b); add64(a, b); add64(a, b); }

pipeline p(in a: f32[N], inout b: f32[N]) {
    add512(a, b);
    add512(a, b);
}
`,
		Mended: `kernel add(in a: f32[n], inout b: f32[n], in times: f32) { b = [b[x] + times * a[x] for x]; }

pipeline p(in a: f32[N], inout b: f32[N]) {
    add(a, b, 1024);
}
`,
	},
	{
		Code: HostWaits, Since: "0.1",
		Title: "place where the host waits for the device",
		Text: "A remark, no error. Values that are computed from pixels stay on the device, and the host goes on. Only where it has to know " +
			"one, in a condition, a range or the place of a block, it waits until the device has computed everything before. In a " +
			"loop that costs more than most kernels: where it can, let every stage take the value instead, or decide every few rounds.",
		Failing: `pipeline stretch(in src: f32[H][W], out dst: f32[H][W]) {
    let top = max(src);
    if (top > 0)
        dst = [src[y][x] / top for y, x];
}
`,
		Mended: `pipeline stretch(in src: f32[H][W], out dst: f32[H][W]) {
    let top = max(src);
    dst = [top > 0 ? src[y][x] / top : 0 for y, x];
}
`,
	},
	{
		Code: BadImport, Since: "0.1",
		Title: "import that cannot be used",
		Text: "An import names a file relative to the file that it stands in, to one of the folders of -I, or in the library inside " +
			"the compiler, \"std/...\". A path with .. is relative to the file only, and no path starts at the root. Files cannot " +
			"import each other in a circle.",
		Failing: `import "std/filterz.img";
pipeline p(in src: u8[H][W], out dst: u8[H][W]) {
    dst = src;
}
`,
		Mended: `import "std/filters.img";
pipeline p(in src: u8[H][W], out dst: u8[H][W]) {
    dst = src;
}
`,
	},
}
