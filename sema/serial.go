package sema

import (
	"imgc/diag"
	"imgc/hast"
	serial "imgc/hast/nest"
	"imgc/sema/access"
	"imgc/source"
)

// serialLoops warns of loops over pixels that stay in bodies of few instances, once for each place in the text.
func serialLoops(list []*hast.Pipeline, diags *diag.List) {
	seen := map[source.Span]bool{}
	for _, p := range list {
		for _, l := range serial.Serial(p) {
			if at := l.Of.At; !seen[at] {
				seen[at] = true
				diags.Warnf(diag.SerialLoop, at, "one work-item runs this loop over pixels, some 0.1 us for each on a GPU, because %s", l.Why).
					Note("where pixels need no others, make its variable one of the iterate; where they need those before along one axis, scan along that; where they need both the row before and the pixel before, %s", access.Slanted)
			}
		}
	}
}
