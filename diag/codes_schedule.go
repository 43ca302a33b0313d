package diag

// scheduleEntries documents IMG07xx: schedules, in a program or in a file of their own.
var scheduleEntries = []Entry{
	{
		Code: BadSchedule, Since: "0.1",
		Title: "schedule that fits nothing",
		Text: "A schedule names a pipeline of the program and, line by line, its stages: an iterate by its label, else by the image " +
			"that it writes first. Each line lists decisions, each of them once, with the numbers that it takes. There is one schedule " +
			"for a pipeline and a device.",
		Failing: `pipeline p(in src: u8[H][W], out dst: u8[H][W]) {
    iterate (y, x) over dst
        dst[y][x] = u8(src[y][x] / 2);
}

schedule p {
    dts: tile(64, 4);
}
`,
		Mended: `pipeline p(in src: u8[H][W], out dst: u8[H][W]) {
    iterate (y, x) over dst
        dst[y][x] = u8(src[y][x] / 2);
}

schedule p {
    dst: tile(64, 4);
}
`,
	},
	{
		Code: IllegalDecision, Since: "0.1",
		Title: "decision that a stage cannot follow",
		Text: "Decisions change how fast a stage is, never what it computes. One that its form does not allow, or that no device could " +
			"run, is an error rather than ignored.",
		Failing: `pipeline p(in src: u8[N], out dst: u8[N]) {
    iterate (x) over dst
        dst[x] = u8(src[x] / 2);
}

schedule p {
    dst: tile(64, 4);
}
`,
		Mended: `pipeline p(in src: u8[N], out dst: u8[N]) {
    iterate (x) over dst
        dst[x] = u8(src[x] / 2);
}

schedule p {
    dst: tile(256);
}
`,
	},
}
