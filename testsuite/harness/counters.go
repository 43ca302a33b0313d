package harness

// Counters is a sum in one launch, whose last group finds itself by a counter that each call has to find at 0.
const Counters = `
pipeline counters(in src: u8[H][W], out total: i64) { total = sum(src); }
schedule counters { sum_part: item(16, 4) reduce(64); total: item(2, 4) reduce(64) last; }
`
