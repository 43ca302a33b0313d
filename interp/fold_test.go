package interp

import (
	"fmt"
	"testing"

	"imgc/hast"
)

func TestFoldFollowsEachRule(t *testing.T) {
	// Rows are the pixels read at indices -7 to 9 of an image "abcd" (and of "a", "ab"), by hand; a dot is the constant.
	for _, c := range []struct {
		rule  hast.RuleKind
		n     int
		reads string
	}{
		{hast.Clamp, 4, "aaaaaaaabcdddddddd"},
		{hast.Reflect, 4, "bcddcbaabcddcbaabc"},
		{hast.Reflect101, 4, "babcdcbabcdcbabcdc"},
		{hast.Repeat, 4, "bcdabcdabcdabcdabc"},
		{hast.Constant, 4, ".......abcd......."},
		{hast.Undefined, 4, "aaaaaaaabcdddddddd"},
		{hast.Clamp, 1, "aaaaaaaaaaaaaaaaaa"},
		{hast.Reflect, 1, "aaaaaaaaaaaaaaaaaa"},
		{hast.Reflect101, 1, "aaaaaaaaaaaaaaaaaa"},
		{hast.Repeat, 1, "aaaaaaaaaaaaaaaaaa"},
		{hast.Constant, 1, ".......a.........."},
		{hast.Clamp, 2, "aaaaaaaabbbbbbbbbb"},
		{hast.Reflect, 2, "bbaabbaabbaabbaabb"},
		{hast.Reflect101, 2, "bababababababababa"},
		{hast.Repeat, 2, "bababababababababa"},
		{hast.Constant, 2, ".......ab........."},
	} {
		var reads []byte
		for i := -7; i < 11; i++ {
			j, inside := Fold(c.rule, i, c.n)
			if j < 0 || j >= c.n {
				t.Fatalf("%s: index %d of %d pixels is folded to %d", c.rule, i, c.n, j)
			}
			if inside {
				reads = append(reads, byte('a'+j))
			} else {
				reads = append(reads, '.')
			}
		}
		if string(reads) != c.reads {
			t.Errorf("%s of %d pixels reads %s, want %s", c.rule, c.n, reads, c.reads)
		}
	}
}

func TestFoldEqualsFoldingStepByStep(t *testing.T) {
	for rule := range hast.RuleNames {
		for n := 1; n < 12; n++ {
			for i := -60; i < 60; i++ {
				j, inside := Fold(hast.RuleKind(rule), i, n)
				if hast.RuleKind(rule) == hast.Constant {
					if inside != (i >= 0 && i < n) {
						t.Errorf("constant: index %d of %d pixels, inside is %v", i, n, inside)
					}
					continue
				}
				if want := naiveFold(hast.RuleKind(rule), int64(i), int64(n)); j != int(want) || !inside {
					t.Errorf("%s: index %d of %d pixels is folded to %d, %v, want %d", hast.RuleKind(rule), i, n, j, inside, want)
				}
			}
		}
	}
}

// Far offsets are congruent to near ones: 10^9 is 4 modulo 6 and 0 modulo 8 and 10.
func TestFoldOfFarOffsetsTakesNoTime(t *testing.T) {
	for _, c := range []struct {
		rule hast.RuleKind
		i, n int
		want int
	}{
		{hast.Clamp, 1e9, 4, 3},
		{hast.Clamp, -1e9, 4, 0},
		{hast.Reflect, 1e9, 4, 0},        // period 8
		{hast.Reflect, -1e9 - 1, 4, 0},   // -1 is 0
		{hast.Reflect101, 1e9, 4, 2},     // period 6: index 4 is 2
		{hast.Reflect101, -1e9, 4, 2},    // index 2
		{hast.Reflect101, 1e9 + 1, 6, 1}, // period 10
		{hast.Repeat, 1e9, 10, 0},
		{hast.Repeat, -1e9 - 1, 10, 9},
		{hast.Reflect, -1 << 31, hast.MaxExtent, 0}, // two periods of 2^31
		{hast.Repeat, 1<<31 - 1, hast.MaxExtent, 1<<30 - 1},
	} {
		t.Run(fmt.Sprintf("%s %d of %d", c.rule, c.i, c.n), func(t *testing.T) {
			if j, _ := Fold(c.rule, c.i, c.n); j != c.want {
				t.Errorf("got %d, want %d", j, c.want)
			}
		})
	}
}
