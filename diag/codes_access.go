package diag

// The codes of the access analysis: where reads and writes go, and whether instances meet.
const (
	ReadOutside    Code = "IMG0501"
	WriteOutside   Code = "IMG0502"
	WritesMeet     Code = "IMG0503"
	ReadsWritten   Code = "IMG0504"
	ElementOutside Code = "IMG0505"
	NoPixels       Code = "IMG0506"
	ReadUnknown    Code = "IMG0507"
	WriteUnknown   Code = "IMG0508"
	ViewOutside    Code = "IMG0509"
	NoLevel        Code = "IMG0510"
	OnlySquare     Code = "IMG0511"
	SerialLoop     Code = "IMG0512"
	MissingLine    Code = "IMG0520"
)

// accessEntries documents what the access analysis reports.
var accessEntries = []Entry{
	{
		Code:  ReadOutside,
		Title: "read outside of an image",
		Text: "Every read of a pixel is proved to stay inside its image, or has a border rule that says what a pixel outside is. " +
			"The message shows values of the iterators for which this one leaves. Where only sizes and scalar parameters decide, " +
			"there is no error: the entry point checks the condition.",
		Failing: `pipeline left(in src: u8[H][W], out dst: u8[H][W]) {
    iterate (y, x) over dst
        dst[y][x] = src[y][x - 1];
}
`,
		Mended: `pipeline left(in src: u8[H][W], out dst: u8[H][W]) {
    iterate (y, x) over dst border(src: clamp)
        dst[y][x] = src[y][x - 1];
}
`,
		Since: "0.1",
	},
	{
		Code:  WriteOutside,
		Title: "write outside of an image",
		Text: "Every write is proved to stay inside its image; border rules serve reads only. Narrow the ranges of the iterate, or " +
			"write under a condition. With border(a: skip), an iterate drops what it writes outside of a.",
		Failing: `pipeline right(in src: u8[H][W], out dst: u8[H][W]) {
    iterate (y, x) over src
        dst[y][x + 1] = src[y][x];
}
`,
		Mended: `pipeline right(in src: u8[H][W], out dst: u8[H][W]) {
    iterate (y in 0:H, x in 0:W - 1)
        dst[y][x + 1] = src[y][x];
}
`,
		Since: "0.1",
	},
	{
		Code:  WritesMeet,
		Title: "two instances write one pixel",
		Text: "The instances of an iterate may run in any order and at once, so no two of them may write one pixel: the result would " +
			"depend on which is last. Two statements of one instance may. Iterate over the pixels that are written, and read " +
			"what each of them needs.",
		Failing: `pipeline halve(in src: u8[H][W], out dst: u8[H][W]) {
    iterate (y, x) over src
        dst[y][x / 2] = src[y][x];
}
`,
		Mended: `pipeline halve(in src: u8[H][W], out dst: u8[H][W]) {
    iterate (y in 0:H, x in 0:W / 2)
        dst[y][x] = src[y][2*x];
}
`,
		Since: "0.1",
	},
	{
		Code:  ReadsWritten,
		Title: "read of a pixel that another instance writes",
		Text: "An iterate may read an image that it writes only at the pixel that the instance itself writes, or at pixels that no " +
			"instance writes, decided after the border rule has mapped the index. Else the instance would find the old or the new " +
			"value, depending on which runs first. Write to another image, or split the pixels with where into passes that read " +
			"only what they do not write.",
		Failing: `pipeline relax(inout u: f32[H][W]) {
    iterate (y, x) over u border clamp
        u[y][x] = (u[y][x - 1] + u[y][x + 1]) / 2;
}
`,
		Mended: `pipeline relax(inout u: f32[H][W], in colour: i32) {
    iterate (y, x) over u border clamp where (x % 2 == colour)
        u[y][x] = (u[y][x - 1] + u[y][x + 1]) / 2;
}
`,
		Since: "0.1",
	},
	{
		Code:  ElementOutside,
		Title: "index outside of an array",
		Text: "An element outside of an array reads as 0 and is not written, so that no index can do harm. An index that is outside " +
			"whatever happens is a mistake all the same.",
		Failing: `pipeline table(in src: u8[H][W], out dst: u8[H][W]) {
    iterate (y, x) over dst {
        let gain: i32[3] = [1, 2, 4];
        let last = 3;
        dst[y][x] = u8(gain[last] * src[y][x]);
    }
}
`,
		Mended: `pipeline table(in src: u8[H][W], out dst: u8[H][W]) {
    iterate (y, x) over dst {
        let gain: i32[3] = [1, 2, 4];
        let last = 2;
        dst[y][x] = u8(gain[last] * src[y][x]);
    }
}
`,
		Since: "0.1",
	},
	{
		Code:  NoPixels,
		Title: "image without pixels",
		Text: "Every extent is at least 1. Where sizes decide, the entry point checks it; this one is less than 1 whatever the " +
			"sizes are.",
		Failing: `pipeline inner(in src: u8[H][W], out dst: u8[H][W]) {
    image tmp: u8[H][W - W] = 1;
    iterate (y, x) over dst border clamp
        dst[y][x] = max(src[y][x], tmp[y][x]);
}
`,
		Mended: `pipeline inner(in src: u8[H][W], out dst: u8[H][W]) {
    image tmp: u8[H][W - 2] = 1;
    iterate (y, x) over dst border clamp
        dst[y][x] = max(src[y][x], tmp[y][x]);
}
`,
		Since: "0.1",
	},
	{
		Code:  ReadUnknown,
		Title: "read at an index that is not known to be in range",
		Text: "The index is computed from data, or in a way that is not linear, so that little is known of it, and there is no border " +
			"rule. Give the read a rule, or bring the index into range with clamp.",
		Failing: `pipeline pick(in src: u8[H][W], in column: i32[W], out dst: u8[H][W]) {
    iterate (y, x) over dst
        dst[y][x] = src[y][column[x]];
}
`,
		Mended: `pipeline pick(in src: u8[H][W], in column: i32[W], out dst: u8[H][W]) {
    iterate (y, x) over dst
        dst[y][x] = src[y][clamp(column[x], 0, W - 1)];
}
`,
		Since: "0.1",
	},
	{
		Code:  WriteUnknown,
		Title: "write at an index that is not known to be in range",
		Text: "The index is computed from data, or in a way that is not linear, so that it may lie outside of the image. Write under " +
			"a condition that keeps it in range, or bring it there with clamp.",
		Failing: `pipeline plot(in value: i32[W], out dst: u8[H][W]) {
    iterate (x) over value
        dst[value[x]][x] = 255;
}
`,
		Mended: `pipeline plot(in value: i32[W], out dst: u8[H][W]) {
    iterate (x) over value
        if (value[x] >= 0 && value[x] < H) dst[value[x]][x] = 255;
}
`,
		Since: "0.1",
	},
	{
		Code:  ViewOutside,
		Title: "view outside of its image",
		Text: "A view is a part of an image. Where sizes and scalar parameters decide, the entry point checks that it lies inside; " +
			"what a loop or a var decides is proved, and this one leaves the image.",
		Failing: `pipeline tiles(inout a: u8[H][W]) {
    for (i in 0 : H/8 + 1) {
        view rows = a[8*i : 8];
        iterate (y, x) over rows
            rows[y][x] = u8(rows[y][x] + i);
    }
}
`,
		Mended: `pipeline tiles(inout a: u8[H][W]) {
    for (i in 0 : H/8) {
        view rows = a[8*i : 8];
        iterate (y, x) over rows
            rows[y][x] = u8(rows[y][x] + i);
    }
}
`,
		Since: "0.1",
	},
	{
		Code:  NoLevel,
		Title: "level that a pyramid does not have",
		Text: "In a traverse, p[+1] is the next coarser level and p[-1] the next finer one. The coarsest level has no coarser one and " +
			"the finest no finer one, so that they stand under a condition which says that they exist: !p.bottom, !p.top, or one " +
			"on p.level and p.levels.",
		Failing: `pipeline p(inout a: f32[H][W]) {
    pyramid g: f32[H][W] levels 4;
    g[0] = a;
    traverse (g) {
        g[+1] = 0;
        descend;
    }
    a = g[0];
}
`,
		Mended: `pipeline p(inout a: f32[H][W]) {
    pyramid g: f32[H][W] levels 4;
    g[0] = a;
    traverse (g) {
        if (!g.bottom) g[+1] = 0;
        descend;
    }
    a = g[0];
}
`,
		Since: "0.1",
	},
	{
		Code:  OnlySquare,
		Title: "sizes that have to be equal",
		Text: "A warning. What an entry point checks of two sizes leaves only calls in which they are equal, although the program names " +
			"them apart: most likely two axes have changed places. The last subscript, and the last variable of an iterate, run along the " +
			"rows of memory.",
		Failing: `pipeline invert(in src: u8[H][W], out dst: u8[H][W]) {
    iterate (x, y) over dst
        dst[y][x] = u8(255 - src[y][x]);
}
`,
		Mended: `pipeline invert(in src: u8[H][W], out dst: u8[H][W]) {
    iterate (y, x) over dst
        dst[y][x] = u8(255 - src[y][x]);
}
`,
		Since: "0.1",
	},
	{
		Code:  SerialLoop,
		Title: "a loop over pixels that one work-item runs",
		Text: "A warning. The body of an iterate that has an instance for each line, or a single one, goes through pixels in a loop. Such loops become variables of the iterate " +
			"where it is known which rounds need which others: then they run side by side, as a scan, or along slanted lines. This one stays, and the message says why. On a GPU " +
			"each of its rounds waits for memory by itself, some 0.1 us for each pixel. Where pixels need no others, make the loop's variable one of the iterate; where they need those before along " +
			"one axis, do that and scan along it; where they need the pixel before and lines above, scan slanted lines.",
		Failing: `pipeline decay(in src: i32[H][W], out dst: i32[H][W]) {
    iterate (i in 0:1) {
        var s: i32 = 0;
        for (y in 0:H)
            for (x in 0:W) {
                s = s / 2 + src[y][x];
                dst[y][x] = s;
            }
    }
}
`,
		Mended: `pipeline decay(in src: i32[H][W], out dst: i32[H][W] border constant(0)) {
    iterate (y, x) over dst scan(x)
        dst[y][x] = dst[y][x-1] / 2 + src[y][x];
}
`,
		Since: "0.1",
	},
	{
		Code:  MissingLine,
		Title: "border by formula without a line that is needed",
		Text: "Every coordinate that a read can have is inside, or a line of the border serves it, or its else does. The message " +
			"lists the rows, columns and corners without a line.",
		Failing: `border copied(s[N]) {
    s[-1] = s[0];
}

pipeline p(in src: u8[W], out dst: u8[W]) {
    iterate (x) over dst border copied
        dst[x] = max(src[x-1], src[x+1]);
}
`,
		Mended: `border copied(s[N]) {
    s[-1] = s[0];
    s[+1] = s[N-1];
}

pipeline p(in src: u8[W], out dst: u8[W]) {
    iterate (x) over dst border copied
        dst[x] = max(src[x-1], src[x+1]);
}
`,
		Since: "0.1",
	},
}
