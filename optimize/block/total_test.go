package block_test

import (
	"testing"

	"imgc/hast"
	"imgc/optimize/block"
	"imgc/sema/sematest"
)

// lastStage is that of the first pipeline of a program.
func lastStage(t *testing.T, text string) *hast.Stage {
	t.Helper()
	steps := sematest.Program(t, text).Pipelines[0].Steps
	return steps[len(steps)-1].(*hast.Stage)
}

func TestTotalsAndFlags(t *testing.T) {
	for _, c := range []struct {
		name, space, update string
		total, flag         bool
	}{
		{"a sum", "over src", "one[1] += src[y][x];", true, false},
		{"a difference", "over src", "one[1] -= src[y][x];", true, false},
		{"the greatest", "over src", "one[1] max= src[y][x];", true, false},
		{"a product", "over src", "one[1] *= src[y][x];", false, false},
		{"a place of data", "over src", "one[src[y][x] & 1] += 1;", false, false},
		{"a place of the host", "over src", "one[k] += 1;", false, false},
		{"two places", "over src", "one[0] += 1; one[1] += src[y][x];", true, false},
		{"two operators", "over src", "one[0] += 1; one[1] max= src[y][x];", false, false},
		{"where there may be no pixel", "over src border(few: skip)", "few[1] += src[y][x];", false, false},
		{"what is read", "over src", "one[1] += one[0];", false, false},
		{"step by step", "over src scan(y)", "one[1] += src[y][x];", false, false},
		{"one instance", "in 0:1, x in 0:1", "one[1] += src[y][x];", false, false},
		{"a part of an image", "over src", "part[1] += src[y][x];", true, false},
		{"a part somewhere", "over src", "moved[1] += src[y][x];", false, false},
		{"a flag", "over src", "marks[1] |= src[y][x] > k;", true, true},
		{"a flag at a place of the host", "over src", "marks[k] |= src[y][x] > k;", true, true},
		{"a flag of what holds for all", "over src", "marks[1] &= src[y][x] > k;", true, true},
		{"flags", "over src", "marks[src[y][x] & 1] |= true;", false, true},
		{"bools that are turned around", "over src", "marks[1] ^= src[y][x] > k;", false, false},
		{"flags of both kinds", "over src", "marks[0] |= src[y][x] > k; marks[1] &= src[y][x] > k;", false, false},
	} {
		space := "(y, x) " + c.space
		if c.space[:2] == "in" {
			space = "(y " + c.space + ")"
		}
		text := `pipeline p(in src: i32[H][W], in k: i32, inout one: i32[N], inout few: i32[M], inout marks: bool[2]) {
    assume(N >= 8 && k >= 0 && k < 2);
    view part = one[2 : 3];
    view moved = one[k : 3];
    iterate ` + space + " { " + c.update + " }\n}"
		s := lastStage(t, text)
		hast.EachStore(s.Body, func(st *hast.Store) {
			if total, flag := block.Total(s, st), block.Flag(s, st.Image.Base()); total != c.total || flag != c.flag {
				t.Errorf("%s: total is %t, flag is %t", c.name, total, flag)
			}
		})
	}
}
