package sema_test

import (
	"context"
	"testing"

	"imgc"
	"imgc/diag"
)

// TestIntegersThatLoseWhatTheResultHolds has a program for each kind of loss, and next to it ones that lose nothing.
func TestIntegersThatLoseWhatTheResultHolds(t *testing.T) {
	for _, c := range []struct {
		name, body string
		warnings   int
	}{
		{"sum over a range of run time", "long[x] = sum(a[z][x] for z in 0:D);", 1},
		{"sum of converted pixels", "long[x] = sum(i64(a[z][x]) for z in 0:D);", 0},
		{"sum of few pixels", "long[x] = sum(a[z][x] for z in 0:9);", 0},
		{"sum whose place has its kind", "word[x] = sum(a[z][x] for z in 0:D);", 0},
		{"product of pixels and a constant", "long[x] = a[0][x] * a[0][x] * 100;", 1},
		{"product that becomes a float", "real[x] = f32(a[0][x] * a[0][x]);", 1},
		{"product of converted pixels", "long[x] = i64(a[0][x]) * a[0][x] * 100;", 0},
		{"product of bytes", "long[x] = u8(a[0][x]) * u8(a[0][x]) * 100;", 0},
		{"product of coordinates", "long[x] = x * x * 100;", 0},
		{"quotient of two numbers", "real[x] = 1/3 * a[0][x];", 1},
		{"quotient with a point", "real[x] = 1.0/3 * a[0][x];", 0},
		{"quotient that is not 0", "real[x] = 7/2 * a[0][x];", 0},
		{"quotient of a name", "{ let n = 3; real[x] = 1/n * a[0][x]; }", 0},
	} {
		text := "pipeline p(in a: u16[D][N] border clamp, inout long: i64[N], inout word: i32[N], inout real: f32[N]) { iterate (x) over long border clamp " + c.body + " }"
		result, err := imgc.Check(context.Background(), "narrow.img", text, imgc.Options{})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		n := 0
		for _, d := range result.Diagnostics.Sorted() {
			if d.Code == diag.TooNarrow {
				n++
			} else {
				t.Errorf("%s: %s", c.name, d.Message)
			}
		}
		if n != c.warnings {
			t.Errorf("%s: %d warnings, want %d", c.name, n, c.warnings)
		}
	}
}
