package access_test

import (
	"fmt"
	"strings"
	"testing"

	"imgc/diag"
	"imgc/parser"
	"imgc/sema"
	"imgc/source"
)

// Stores that differ in their conditions alone are one question. Here the conditions decide, so that this question has no answer, and each pair is
// asked with its own; and one pair among many that meets is found.
func TestConditionsOfStores(t *testing.T) {
	for _, test := range []struct {
		name, body string
		meets      bool
	}{
		{"one place each", "if (a[y][x] == 1) b[y][x] = 1; if (a[y][x] == 2) b[y][x] = 2;", false},
		{"halves by condition", "if (x % 2 == 0) b[y][x] = 1; if (x % 2 == 0 && x + 1 < W) b[y][x + 1] = 2;", false},
		{"neighbours under data", "if (a[y][x] == 1) b[y][x] = 1; if (a[y][x] == 2 && x + 1 < W) b[y][x + 1] = 2;", true},
		{"one instance each", "if (y == 0) b[0][x] = 1; if (y == 1) b[1][x] = 2;", false},
		{"one row of all", "if (a[y][x] == 1) b[0][x] = 1;", true},
		{"mirrored", "if (a[y][x] == 1) b[y][x] = 1; if (a[y][x] == 1) b[y][W - 1 - x] = 1;", true},
		{"read where it is written", "if (a[y][x] == 1) b[y][x] = u8(b[y][x] + 1); if (a[y][x] == 2) b[y][x] = u8(b[y][x] + 2);", false},
		{"read beside", "if (a[y][x] == 1 && x > 0) b[y][x] = b[y][x - 1];", true},
		{"read what a condition keeps apart", "if (x % 2 == 1) b[y][x] = b[y][x - 1];", false},
	} {
		text := "pipeline p(in a: u8[H][W], inout b: u8[H][W]) {\n assume(H >= 2);\niterate (y, x) over b {\n" + test.body + "\n}\n}\n"
		if met := meets(text); met != test.meets {
			t.Errorf("%s: meets is %v, want %v", test.name, met, test.meets)
		}
	}
}

// The one store among many that meets another is found, wherever it stands.
func TestOneOfManyStores(t *testing.T) {
	const n = 60
	for _, odd := range []int{0, n / 2, n - 1} {
		var b strings.Builder
		for i := range n {
			place := "b[y][x]"
			if i == odd {
				place = "b[y][W - 1 - x]"
			}
			fmt.Fprintf(&b, "if (a[y][x] == %d) %s = %d;\n", i, place, i)
		}
		text := "pipeline p(in a: u8[H][W], inout b: u8[H][W]) {\niterate (y, x) over b {\n" + b.String() + "}\n}\n"
		if !meets(text) {
			t.Errorf("store %d of %d meets others and is accepted", odd, n)
		}
	}
}

func meets(text string) bool {
	var diags diag.List
	sema.Check(parser.Parse(source.NewFile("t.img", text), &diags), sema.Options{}, &diags)
	for _, d := range diags.Sorted() {
		if d.Code == diag.WritesMeet || d.Code == diag.ReadsWritten {
			return true
		}
	}
	return false
}
