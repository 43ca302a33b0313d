package block_test

import (
	"testing"

	"imgc/hast"
	"imgc/optimize/block"
	"imgc/sema/sematest"
)

func TestEndsByFormula(t *testing.T) {
	for _, c := range []struct {
		name, lines string
		behind      bool
		reach       int // 0 where the formula has no such form
	}{
		{"within reach", "s[-1][*] = 2*s[1][*] - s[3][*]; s[-2][*] = s[0][*];", false, 4},
		{"behind", "s[+1][*] = s[M-2][*]; s[+2][*] = s[M-5][*];", true, 5},
		{"another column", "s[-1][*] = s[1][0]; s[-2][*] = s[0][*];", false, 0},
		{"from the other end", "s[-1][*] = s[M-1][*]; s[-2][*] = s[0][*];", false, 0},
		{"one of two", "s[-1][*] = s[1][*];", false, 0},
		{"in the middle", "s[+1][*] = s[M/2][*]; s[+2][*] = s[M-1][*];", true, 0},
	} {
		p := sematest.Program(t, `border f(s[M][N]) { `+c.lines+` } else clamp
pipeline p(in a: i32[H][W], out r: i32[H][W]) {
    assume(H >= 5);
    iterate (y, x) over r border f r[y][x] = a[y - 2][x] + a[y + 2][x];
}`)
		var rule *hast.Rule
		p.Pipelines[0].Steps[len(p.Pipelines[0].Steps)-1].(*hast.Stage).EachRule(func(r *hast.Rule) { rule = r })
		reach := 0
		if e := block.EndOf(rule, 0, c.behind, 2); e != nil {
			reach = e.Reach
		}
		if reach != c.reach {
			t.Errorf("%s: reaches %d pixels, want %d", c.name, reach, c.reach)
		}
	}
}
