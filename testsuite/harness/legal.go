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

// grouped are the ways in which a pipeline's stages are put together: each as chance has it, or all alike, as far as they can be.
var grouped = [][]schedule.Placement{
	{schedule.Root, schedule.Fuse, schedule.Inline, schedule.Join}, {schedule.Root}, {schedule.Fuse}, {schedule.Inline}, {schedule.Join}, {schedule.Fuse, schedule.Join},
}

// Legal makes up decisions of all kinds, the same for the same seed: what a stage refuses in a mode is left out.
func Legal(seed uint64, mode kir.Mode) func(pipeline string, s *hast.Stage) schedule.Decisions {
	blocks := Blocks(seed)
	places := grouped[rand.New(rand.NewPCG(seed, 3)).IntN(len(grouped))]
	return func(pipeline string, s *hast.Stage) schedule.Decisions {
		h := fnv.New64()
		fmt.Fprint(h, pipeline, "/", s.Name)
		rng := rand.New(rand.NewPCG(seed, ^h.Sum64()))
		var d schedule.Decisions
		if rng.IntN(2) == 0 {
			d = blocks(pipeline, s)
		}
		d.Place = places[rng.IntN(len(places))]
		for range 30 { // rare ones need several attempts
			if next := d.Over(schedule.Random(rng)); lower.Refuse(s, next, mode) == "" {
				d = next
			}
		}
		return d
	}
}
