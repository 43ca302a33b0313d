package access

import (
	"testing"

	"imgc/hast"
)

// TestClaimsOfTwoPlaces joins what is known in two places: a value may have been computed in either.
func TestClaimsOfTwoPlaces(t *testing.T) {
	forms := func(n int) (all []hast.Expr) {
		for range n {
			all = append(all, long(1))
		}
		return all
	}
	for _, c := range []struct {
		name string
		p, q hast.Claim
		want hast.Claim
	}{
		{"ends and powers of 2", hast.Claim{Lo: 0, Hi: 4, Multiple: 4}, hast.Claim{Lo: -2, Hi: 2, Multiple: 2}, hast.Claim{Lo: -2, Hi: 4, Multiple: 2}},
		{"a form in each", hast.Claim{Equal: forms(1)}, hast.Claim{Equal: forms(1)}, hast.Claim{Equal: forms(2)}},
		{"a form in one alone", hast.Claim{Equal: forms(1)}, hast.Claim{}, hast.Claim{}},
		{"more forms than are kept", hast.Claim{Equal: forms(mostForms)}, hast.Claim{Equal: forms(1)}, hast.Claim{}},
	} {
		for _, got := range []hast.Claim{either(c.p, c.q), either(c.q, c.p)} {
			if got.Lo != c.want.Lo || got.Hi != c.want.Hi || got.Multiple != c.want.Multiple || len(got.Equal) != len(c.want.Equal) {
				t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
			}
		}
	}
}
