package shrink

import (
	"context"
	"strings"
	"testing"

	"imgc"
)

func TestShrunkenProgramsKeepWhatFails(t *testing.T) {
	const text = `const A = 3; func f(a: i32): i32 { if (a > 2) return a; return a * popcount(a) + 1; }
pipeline p(in a: i32[N], in b: u8[N], out c: i32[N]) {
    image t: i32[N] = [a[i] + b[i] for i];
    if (N > 3) iterate (i) over c { let v = f(t[i]); c[i] = v + A; } else c = t;
    iterate (i) over c { c[i] = c[i] + b[i]; }
}`
	valid := func(text string) bool {
		r, err := imgc.Check(context.Background(), "p.img", text, imgc.Options{})
		return err == nil && r.Program != nil
	}
	for _, test := range []struct {
		what    string
		longest int
	}{{"popcount", 120}, {"f(", 110}, {"+ b[i]", 120}, {"if (N", 120}, {"iterate", 100}} {
		got := Shrink(text, func(s string) bool { return strings.Contains(s, test.what) && valid(s) }, 5000)
		if !strings.Contains(got, test.what) || !valid(got) || len(got) > test.longest {
			t.Errorf("%s: %d bytes are left:\n%s", test.what, len(got), got)
		}
	}
}

func TestShrinkingEnds(t *testing.T) {
	const text = "const A = 1 + 2;"
	asked := 0
	Shrink(text, func(string) bool { asked++; return false }, 3)
	if asked > 4 {
		t.Errorf("asked %d times, 3 are allowed", asked)
	}
	if got := Shrink("not a program", func(string) bool { return true }, 10); got != "not a program" {
		t.Errorf("what does not parse is %q", got)
	}
}
