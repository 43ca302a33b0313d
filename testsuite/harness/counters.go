package harness

// Kept are sums of an image in whose library something is kept that each call has to find as zeros, and how many launches there are in its text.
var Kept = []struct {
	Name, Text string
	Launches   int
}{
	// The last group of a launch finds itself by a counter.
	{"counter", `
pipeline counters(in src: u8[H][W], out total: i64) { total = sum(src); }
schedule counters { sum_part: item(16, 4) reduce(64); total: item(2, 4) reduce(64) last; }
`, 1},
	// It writes what all have counted in bins, of 32 and of 64 bits; the last ones of images that are too large are updated without.
	{"bins", `
pipeline counters(in src: u8[H][W], out total: i64) {
    image counts: u8[256];
    image high: i64[16];
    counts = 0;
    high = [100 * i64(i) for i];
    iterate (y, x) over src {
        counts[src[y][x]] += 1;
        high[src[y][x] / 16] += i64(src[y][x]);
    }
    image sums: i64[1] = [sum(high[i] - 100 * i64(i) for i in 0:16) + sum(i64(counts[i]) for i in 0:256) - i64(H * W) for n];
    total = sums[0];
}
schedule counters { counts_2: copies(2, 64, 8) last; }
`, 8},
}
