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

// Blocks makes up decisions, the same for the same seed, under which work-items compute blocks of instances wherever a stage lets
// them.
func Blocks(seed uint64) func(pipeline string, s *hast.Stage) schedule.Decisions {
	return func(pipeline string, s *hast.Stage) schedule.Decisions {
		h := fnv.New64()
		fmt.Fprint(h, pipeline, "/", s.Name)
		rng := rand.New(rand.NewPCG(seed, h.Sum64()))
		pick := func(list ...int) int { return list[rng.IntN(len(list))] }
		for range 100 {
			d := schedule.Decisions{
				Item: [2]int{pick(1, 2, 3, 4, 4, 8, 8, 16), pick(0, 0, 1, 1, 2, 3, 7)}, Vector: pick(0, 0, 1, 4, 8, 16), Flat: pick(0, 0, 1), Dot4: pick(0, 1, 1),
				Stream: pick(0, 0, 1, 2, 3), Rolled: pick(0, 1, 2, 100), Small: pick(0, 0, 0, 500), Interior: pick(0, 0, 1), Words: pick(0, 0, 0, 1),
			}
			if len(s.Space.Vars) == 1 {
				d.Item[1] = 0
			}
			layers := 0
			if len(s.Space.Vars) > 2 && d.Flat == 0 {
				layers = pick(0, 1)
			}
			d.Tile = [2]int{d.Item[0] * pick(1, 2, 4), d.Item[1] * pick(1, 2)}
			switch pick(0, 0, 0, 0, 0, 1, 1, 2, 3) {
			case 1:
				d = schedule.Decisions{Item: d.Item, Tile: d.Tile, Local: []schedule.Locality{schedule.Shared, schedule.Direct, schedule.Sweep}[pick(0, 1, 2)]}
				if d.Local == schedule.Sweep {
					d.Interior = pick(0, 1)
				}
			case 2:
				rows := pick(1, 2, 7, 30)
				d = schedule.Decisions{
					Item: [2]int{d.Item[0], rows}, Tile: [2]int{d.Tile[0], rows}, Vector: d.Vector, Local: schedule.Shared, Stream: pick(2, 2, 4), Rolled: d.Rolled,
				}
			case 3:
				d = schedule.Decisions{Tile: [2]int{pick(1, 2, 4), pick(0, 1, 2)}, Vector: d.Vector, Runs: 1}
				if len(s.Space.Vars) == 1 {
					d.Tile[1] = 0
				}
			}
			d.Layers = layers
			if d.Blocks() && lower.Refuse(s, d, kir.Strict) == "" {
				return d
			}
		}
		return schedule.Decisions{}
	}
}

// Rows makes up decisions under which work-items compute rows of instances, as many side by side as a stage lets them.
func Rows(seed uint64) func(pipeline string, s *hast.Stage) schedule.Decisions {
	return func(pipeline string, s *hast.Stage) schedule.Decisions {
		h := fnv.New64()
		fmt.Fprint(h, pipeline, "/", s.Name)
		rng := rand.New(rand.NewPCG(seed, h.Sum64()))
		pick := func(list ...int) int { return list[rng.IntN(len(list))] }
		for range 20 {
			d := schedule.Decisions{Rows: pick(1, 2, 3, 4, 5), Lanes: pick(0, 8, 16, 16, 32, 64), RowSums: pick(0, 1), Line: pick(0, 0, 64, 128), Block: pick(0, 0, 16, 64)}
			if len(s.Fused) > 0 {
				d.Lanes, d.Line, d.Block = pick(8, 8, 16, 32), 0, 0
				d.Tile = [2]int{pick(16, 17, 32, 40, 100), pick(2, 4, 5, 8, 12)}
			}
			if lower.Refuse(s, d, kir.Strict) == "" {
				return d
			}
		}
		return schedule.Decisions{}
	}
}
