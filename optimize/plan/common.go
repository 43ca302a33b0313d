package plan

import (
	"imgc/optimize/block"
	"imgc/optimize/feature"
	"imgc/optimize/schedule"
)

// inCommon is what instances have in common with their neighbours.
func (w *work) inCommon() *block.Commons {
	if w.commons == nil {
		w.commons = &block.Commons{}
		if len(w.stage.Parts) == 0 {
			w.commons = block.FindCommons(w.stage.Of, max(w.unroll(), defaultUnroll))
		}
	}
	return w.commons
}

// rowsInCommon are the rows of which a work-item keeps what they have in common. Fewer compute more beside themselves: a bilateral filter of
// 9 x 9 bytes takes 1.06 times as long with 8 rows on an EPYC with AVX2. With 32, where the second cache has room for them, it takes 0.965 times as long on one with
// AVX-512 (10.23 and 10.59 ms).
var rowsInCommon = []int{16, 32}

// keeping are work-items that compute what their instances have in common once, for blocks of columns of their rows.
func (w *work) keeping() (list []Candidate) {
	if len(w.inCommon().List) == 0 {
		return nil
	}
	one := w.model.Prefers.Access.Int(64) / w.widest()
	for _, lanes := range []int{one / 2, one} {
		for _, line := range []int{64, 128, 256} {
			for _, rows := range rowsInCommon {
				d := schedule.Decisions{Rows: rows, Lanes: lanes, Line: line, Unroll: w.unroll()}
				list = append(list, Candidate{Decisions: d, Why: "rows from end to end, neighbours side by side, what they have in common with others computed once for a block of columns"})
			}
		}
	}
	return list
}

// secondCache is the bytes of a core's second cache, where a model does not know them: those of an EPYC with AVX2.
const secondCache = 512 << 10

// keepingCommon is perInstance where work-items compute once what their instances have in common. What is read is put into an array, which is a load, a
// conversion and a store; a value that is kept takes a store, and a load wherever it is taken.
func (w *work) keepingCommon(d schedule.Decisions) float64 {
	c, columns := w.inCommon(), int(min(float64(d.Line), w.columns()))
	share := func(a block.Area) float64 { return float64(a.Rows*a.Columns) / float64(d.Rows*columns) }
	ops := w.stage.Ops
	ops[feature.Memory] = 0
	all := ops.Total()
	moves := 0.0
	for _, a := range w.stage.Accesses {
		moves += a.Count
	}
	for _, t := range c.Tiles {
		moves += 3 * share(t.Area(d.Rows, columns))
	}
	for _, x := range c.List {
		once := feature.InCommon(x, w.fast)
		reads := once[feature.Memory]
		once[feature.Memory] = 0
		for _, v := range x.Values {
			if v.Keep != nil {
				all -= once.Total()
				moves += 1 - reads
			}
		}
		for _, k := range x.Keeps {
			at := share(k.Area(d.Rows, columns))
			all += at * once.Total()
			moves += at * (reads + 1)
		}
	}
	if c.Bytes(d.Rows, columns) > w.model.Memory.L2.Int(secondCache)/2 { // with room for what passes
		moves *= 2
	}
	registers := float64((d.Lanes*w.widest() + w.model.Prefers.Access.Int(64) - 1) / w.model.Prefers.Access.Int(64))
	return (cpuOverhead + (max(0, all)+moves)*registers) / float64(d.Lanes)
}
