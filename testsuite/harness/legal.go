package harness

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"

	"imgc/hast"
	"imgc/kir"
	"imgc/optimize/lower"
	"imgc/optimize/schedule"
)

// Legal makes up decisions of all kinds, the same for the same seed: what a stage refuses in a mode is left out.
func Legal(seed uint64, mode kir.Mode) func(pipeline string, s *hast.Stage) schedule.Decisions {
	blocks := Blocks(seed)
	return func(pipeline string, s *hast.Stage) schedule.Decisions {
		h := fnv.New64()
		fmt.Fprint(h, pipeline, "/", s.Name)
		rng := rand.New(rand.NewPCG(seed, ^h.Sum64()))
		var d schedule.Decisions
		if rng.IntN(2) == 0 {
			d = blocks(pipeline, s)
		}
		for range 30 { // rare ones need several attempts
			if next := d.Over(schedule.Random(rng)); lower.Refuse(s, next, mode) == "" {
				d = next
			}
		}
		return d
	}
}
