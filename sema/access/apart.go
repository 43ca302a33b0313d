package access

import (
	"encoding/binary"
	"fmt"
	"strings"

	"imgc/hast"
	"imgc/sema/prove"
)

// An excluder answers whether touches can meet whatever the conditions are under which they are made, for all touches of a stage.
//
// Let p and q be two touches, made under the conditions C and D in ranges R and S. If no two different instances of R and S touch one pixel, then
// none do that keep to C and D besides: there are fewer of these. So touches that differ in their conditions alone are one question, however
// many there are. And where coordinates are l + c and m + d, with the constants c and d, they are equal exactly where l - m = d - c, and the ranges do not
// speak of the constants: so pairs that differ in these alone, but not in d - c, are one question as well.
type excluder struct {
	a      *analysis
	stage  *hast.Stage
	places map[string]int
	kinds  map[string]int
	list   []spot
	known  map[string]bool
}

// A spot is a touch without its conditions.
type spot struct {
	touch  touch
	kind   int     // of the ranges, and of the coordinates without their constants
	offset []int64 // the constants
}

func newExcluder(a *analysis, stage *hast.Stage) *excluder {
	return &excluder{a: a, stage: stage, places: map[string]int{}, kinds: map[string]int{}, known: map[string]bool{}}
}

// place is the number of a touch's spot.
func (x *excluder) place(t touch) int {
	t.scope = t.scope.around()
	var kind, offsets strings.Builder
	fmt.Fprintf(&kind, "%p %p", t.scope, t.image)
	s := spot{touch: t}
	for _, l := range t.index {
		c := l.Constant()
		if len(t.facts) > 0 { // which may speak of the constant, too
			c = 0
		}
		s.offset = append(s.offset, c)
		fmt.Fprintf(&kind, ", %v", l.Plus(-c))
		fmt.Fprintf(&offsets, " %d", c)
	}
	for _, f := range t.facts {
		fmt.Fprintf(&kind, ", %v", f)
	}
	s.kind = numbered(x.kinds, kind.String())
	n := numbered(x.places, fmt.Sprint(s.kind, offsets.String()))
	if n == len(x.list) {
		x.list = append(x.list, s)
	}
	return n
}

// numbered is the number of a text, the next one if it is new.
func numbered(numbers map[string]int, text string) int {
	n, known := numbers[text]
	if !known {
		n = len(numbers)
		numbers[text] = n
	}
	return n
}

// apart reports whether it is proved that different instances touch different pixels.
func (x *excluder) apart(p, q int) bool {
	first, second := &x.list[p], &x.list[q]
	key := make([]byte, 0, 64)
	key = binary.AppendVarint(binary.AppendVarint(key, int64(first.kind)), int64(second.kind))
	for k, c := range first.offset {
		key = binary.AppendVarint(key, second.offset[k]-c)
	}
	apart, known := x.known[string(key)]
	if !known {
		m := meeting{a: x.a, stage: x.stage, first: first.touch, second: second.touch}
		apart = m.ask(false).Verdict == prove.Proved
		x.known[string(key)] = apart
	}
	return apart
}

// doubtful is, for each of some places, whether it may meet any of them.
func (x *excluder) doubtful(places []int) []bool {
	doubt := make([]bool, len(x.list))
	for i, p := range places {
		for _, q := range places[i:] {
			if !x.apart(p, q) {
				doubt[p], doubt[q] = true, true
			}
		}
	}
	return doubt
}
