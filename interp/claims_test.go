package interp

import (
	"context"
	"strings"
	"testing"

	"imgc/hast"
)

// TestClaimsAreHeldAgainstValues has a stage whose index is the iterator, of which right and wrong things are claimed.
func TestClaimsAreHeldAgainstValues(t *testing.T) {
	for _, c := range []struct {
		name  string
		claim hast.Claim
		want  string // "" where the claim holds
	}{
		{"right", hast.Claim{Lo: 0, Hi: 4}, ""},
		{"too low an end", hast.Claim{Lo: 0, Hi: 3}, "a value of 4 is claimed to be 0 to 3"},
		{"too high a beginning", hast.Claim{Lo: 1, Hi: 4}, "a value of 0 is claimed to be 1 to 4"},
		{"one of two values", hast.Claim{Lo: 0, Hi: 4, Equal: []hast.Expr{i32(-7), nil}}, ""},
		{"another value", hast.Claim{Lo: 0, Hi: 4, Equal: []hast.Expr{i32(2)}}, "a value of 0 is claimed to be 2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newProgram()
			image := p.image("dst", hast.Out, tI32, 5)
			x := newVar("x", tI32, hast.Iterator)
			index := add(ref(x), i32(0))
			for i, e := range c.claim.Equal {
				if e == nil {
					c.claim.Equal[i] = ref(x)
				}
			}
			p.stage(image, []*hast.Var{x}, store(image, ref(x), index))
			_, err := Run(context.Background(), p.Pipeline, Args{}, Options{Workers: 1, Claims: hast.Claims{index: c.claim}})
			switch {
			case c.want == "" && err != nil:
				t.Error(err)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("the error is %v, and should say %q", err, c.want)
			}
		})
	}
}
