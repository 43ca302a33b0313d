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

// Legal makes up decisions of all kinds, the same for the same seed: what a stage refuses in a mode is left out. For one seed of two all
// groups that reduce have as many items, since the last group of a launch can only then go on with the stage behind it.
func Legal(seed uint64, mode kir.Mode) func(pipeline string, s *hast.Stage) schedule.Decisions {
	blocks, groups := Blocks(seed), groupsAlike(seed)
	places := grouped[rand.New(rand.NewPCG(seed, 3)).IntN(len(grouped))]
	return func(pipeline string, s *hast.Stage) schedule.Decisions {
		h := fnv.New64()
		fmt.Fprint(h, pipeline, "/", s.Name)
		rng := rand.New(rand.NewPCG(seed, ^h.Sum64()))
		d := groups(s, mode)
		if d == (schedule.Decisions{}) && rng.IntN(2) == 0 {
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

// groupsAlike makes up for one seed of two decisions under which groups of one number of items compute whatever they can, the last one of a
// launch what comes behind it.
func groupsAlike(seed uint64) func(s *hast.Stage, mode kir.Mode) schedule.Decisions {
	rng := rand.New(rand.NewPCG(seed, 4))
	items, each := 1<<rng.IntN(9), 1<<rng.IntN(4)
	var ways []schedule.Decisions
	if rng.IntN(2) == 0 {
		ways = []schedule.Decisions{{Reduce: items, Last: 1}, {Reduce: items}, {Copies: [3]int{1, items, each}}}
	}
	return func(s *hast.Stage, mode kir.Mode) schedule.Decisions {
		for _, d := range ways {
			if lower.Refuse(s, d, mode) == "" {
				return d
			}
		}
		return schedule.Decisions{}
	}
}
