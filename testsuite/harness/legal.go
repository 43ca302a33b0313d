package harness

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"

	"imgc/hast"
	"imgc/kir"
	"imgc/optimize/block"
	"imgc/optimize/lower"
	"imgc/optimize/schedule"
)

// grouped are the ways in which a pipeline's stages are put together: each as chance has it, or all alike, as far as they can be.
var grouped = [][]schedule.Placement{
	{schedule.Root, schedule.Fuse, schedule.Inline, schedule.Join}, {schedule.Root}, {schedule.Fuse}, {schedule.Inline}, {schedule.Join}, {schedule.Fuse, schedule.Join},
	{schedule.Split, schedule.Split, schedule.Fuse}, {schedule.Kept}, {schedule.Kept, schedule.Fuse, schedule.Join},
}

// mostlyFused are those of pipelines whose groups compute tiles together.
var mostlyFused = [][]schedule.Placement{{schedule.Fuse}, {schedule.Fuse, schedule.Fuse, schedule.Fuse, schedule.Root}, {schedule.Fuse, schedule.Join}, {schedule.Kept, schedule.Fuse}}

// Legal makes up decisions of all kinds, the same for the same seed: what a stage refuses in a mode is left out. For one seed of two all
// groups that reduce have as many items, since the last group of a launch can only then go on with the stage behind it, and all updates that can
// are made in copies. Traverses have their finest level by itself, have it not, or nothing is said, for a third of the seeds each. For one of two, stages that
// write blocks of pixels are computed pixel by pixel. For one of three,
// groups compute tiles together where they can, with what is fused with them: chance alone finds few tiles and items that go together.
func Legal(seed uint64, mode kir.Mode) func(pipeline string, s *hast.Stage) schedule.Decisions {
	blocks, groups, tiles := Blocks(seed), groupsAlike(seed), tilesTogether(seed)
	places := grouped[rand.New(rand.NewPCG(seed, 3)).IntN(len(grouped))]
	if tiles != nil {
		places = mostlyFused[seed%uint64(len(mostlyFused))]
	}
	reduces := rand.New(rand.NewPCG(seed, 4)).IntN(3) == 0 // where what is in memory is reduced by who computes it
	gather := rand.New(rand.NewPCG(seed, 6)).IntN(2)
	rotated := int(seed / 3 % 2)
	levels := schedule.Levels(1 + seed%4) // as many of the seeds have no decision of levels, which is another path
	return func(pipeline string, s *hast.Stage) schedule.Decisions {
		h := fnv.New64()
		fmt.Fprint(h, pipeline, "/", s.Name)
		rng := rand.New(rand.NewPCG(seed, ^h.Sum64()))
		d := groups(s, mode)
		if d.Copies[0] > 0 && rng.IntN(2) == 0 || d == (schedule.Decisions{}) && rng.IntN(4) == 0 {
			d = persistent(rng, s, mode).Over(d)
		}
		if d.Copies[0] == 0 && rng.IntN(2) == 0 {
			d = inCells(rng, s, mode).Over(d)
		}
		if d == (schedule.Decisions{}) && tiles != nil {
			d = tiles(rng, s, mode)
		}
		if d == (schedule.Decisions{}) && rng.IntN(2) == 0 {
			d = blocks(pipeline, s)
		}
		if d.Place = places[rng.IntN(len(places))]; reduces && d.Place == schedule.Root {
			d.Place = schedule.Reduced
		}
		for range 30 { // rare ones need several attempts
			if next := d.Over(schedule.Random(rng)); lower.Refuse(s, next, mode) == "" {
				d = next
			}
		}
		if next := d; rng.IntN(3) == 0 {
			if next.Loops = [2]int{32 << rng.IntN(4), 1 << rng.IntN(14)}; lower.Refuse(s, next, mode) == "" {
				d = next
			}
		}
		if next := d; rng.IntN(2) == 0 {
			if next.Coarse = [3]int{32 << rng.IntN(4), 1 << rng.IntN(14), 2 + rng.IntN(4)}; lower.Refuse(s, next, mode) == "" {
				d = next
			}
		}
		if next := (schedule.Decisions{Place: d.Place}); s.Scan != nil && rng.IntN(2) == 0 {
			next.Trapezoid = [3]int{8 << rng.IntN(6), 1 + rng.IntN(8), 1 + rng.IntN(8)}
			if lower.Refuse(s, next, mode) == "" {
				d = next
			}
		}
		d.Gather = gather
		if d.Finest = levels; levels > schedule.Alike {
			d.Finest = 0
		}
		d.Rotated = rotated
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
		ways = []schedule.Decisions{{Reduce: items, Last: 1}, {Reduce: items, Abreast: rng.IntN(9)}, {Reduce: items}, {Copies: [3]int{1 + rng.IntN(2), items, each}, Last: min(1, rng.IntN(4))}}
		if parts := 1 + rng.IntN(9); parts > 1 { // of what needs as many, or of anything
			in := ways[3]
			in.Copies[2], in.Parts = in.Copies[2]*parts, parts
			ways = append(ways, in)
			if rng.IntN(2) == 0 {
				ways[3], ways[4] = ways[4], ways[3]
			}
		}
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

// persistent makes up decisions under which groups that update copies are persistent; none for a stage that refuses them.
func persistent(rng *rand.Rand, s *hast.Stage, mode kir.Mode) schedule.Decisions {
	pick := func(list ...int) int { return list[rng.IntN(len(list))] }
	for range 5 {
		item, across, down := [2]int{pick(1, 2, 4, 4, 8), pick(1, 1, 2, 4)}, pick(1, 2, 4, 8), pick(1, 2, 4)
		d := schedule.Decisions{
			Item: item, Tile: [2]int{item[0] * across, item[1] * down}, Copies: [3]int{pick(1, 2, across*down), across * down, pick(1, 3, 16)},
			Vector: pick(0, 4, 16), Interior: pick(0, 1), Last: pick(0, 0, 1), Packed16: pick(0, 0, 1), Dot4: pick(0, 0, 0, 1),
		}
		if len(s.Space.Vars) == 1 {
			d.Tile[1], d.Item[1], d.Copies[1] = 0, 0, across
		}
		if lower.Refuse(s, d, mode) == "" {
			return d
		}
	}
	return schedule.Decisions{}
}

// inCells makes up decisions under which groups count in cells of their own; none for a stage that has no cells, or refuses them.
func inCells(rng *rand.Rand, s *hast.Stage, mode kir.Mode) schedule.Decisions {
	cells, _ := block.CellsOf(s)
	if cells == nil {
		return schedule.Decisions{}
	}
	pick := func(list ...int) int { return list[rng.IntN(len(list))] }
	for range 10 {
		item := [2]int{pick(1, 2, 4, 4, 8), pick(1, 1, 2, 4)}
		d := schedule.Decisions{
			Item: item, Tile: [2]int{pick(1, 2, 4) * max(item[0], cells.Size[0]), pick(1, 2) * max(item[1], cells.Size[1])},
			Vector: pick(0, 4, 16), Interior: pick(0, 1), Packed16: pick(0, 0, 1), Dot4: pick(0, 0, 0, 1),
			Filled: pick(0, 1), Cells: pick(1, 2, max(1, cells.Size[0]/item[0])*max(1, cells.Size[1]/item[1])),
		}
		if len(s.Space.Vars) == 1 {
			d.Tile[1], d.Item[1], d.Cells = 0, 0, pick(1, max(1, cells.Size[0]/item[0]))
		}
		if lower.Refuse(s, d, mode) == "" {
			return d
		}
	}
	return schedule.Decisions{}
}

// tilesTogether makes up for one seed of three decisions under which groups compute tiles together, in the first way that a stage does not
// refuse; nil for the others.
func tilesTogether(seed uint64) func(rng *rand.Rand, s *hast.Stage, mode kir.Mode) schedule.Decisions {
	own := rand.New(rand.NewPCG(seed, 5))
	if own.IntN(3) > 0 {
		return nil
	}
	order := own.Perm(4)
	return func(rng *rand.Rand, s *hast.Stage, mode kir.Mode) schedule.Decisions {
		pick := func(list ...int) int { return list[rng.IntN(len(list))] }
		for range 5 {
			item, down := [2]int{pick(1, 2, 4, 4, 8), pick(1, 1, 2, 4)}, pick(4, 9, 20)
			tile := [2]int{item[0] * pick(2, 4, 8, 16), item[1] * pick(1, 2, 4, 8)}
			vector, resident := pick(0, 0, 4, 16), pick(0, 0, 2)
			all := []schedule.Decisions{
				{Tile: tile, Item: item, Local: schedule.Sweep, Interior: pick(0, 1)}, {Tile: tile, Item: item, Local: schedule.Direct, Interior: pick(0, 1)},
				{Tile: tile, Item: item, Local: schedule.Shared},
				{Tile: [2]int{tile[0], down}, Item: [2]int{item[0], down}, Local: schedule.Shared, Stream: pick(2, 2, 4), Rolled: pick(0, 1, 100)},
			}
			for _, i := range order {
				d := all[i]
				d.Vector, d.Resident = vector, resident
				if len(s.Space.Vars) == 1 {
					d.Tile[1], d.Item[1] = 0, 0
				}
				if lower.Refuse(s, d, mode) == "" {
					return d
				}
			}
		}
		return schedule.Decisions{}
	}
}
