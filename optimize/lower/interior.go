package lower

import (
	"imgc/hast"
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/optimize/schedule"
)

// apart runs f for a whole block: where that is decided, once for blocks all of whose windows lie inside of the images, which then have no
// border rules, and once for others. Columns are those of the whole group, so that its items go one way.
func (t *strip) apart(windows []*window, f func()) {
	if t.decided.Interior == 0 {
		f()
		return
	}
	b := t.body
	cond := t.lies(windows)
	if cond == nil {
		f()
		return
	}
	t.interior = true
	then := b.inside(false, f)
	t.interior = false
	els := b.inside(false, f)
	b.emit(&kir.If{Placed: b.placed(), Cond: b.once("interior", cond), Then: then, Else: els})
}

// lies is the condition that windows lie inside of the images, and the block's rows in the iteration; nil where they always do.
func (t *strip) lies(windows []*window) (all kir.Expr) {
	b := t.body
	seen := map[string]bool{}
	need := func(cond kir.Expr) {
		if k := key(cond, b.ids); !seen[k] {
			seen[k] = true
			all = b.and(all, cond)
		}
	}
	if t.what.Y != nil {
		need(b.op(boolType, ops.Le, b.op(i32T, ops.Add, t.first[1], i32(int64(t.item[1]))), t.end[1]))
	}
	first := t.groupFirst()
	width := t.decided.Tile[0]
	for _, w := range windows {
		if w == nil { // read pixel by pixel, by its border rule
			continue
		}
		at := func(n int) int { return (n + w.per - 1) / w.per }
		line, pixel, _ := block.Axes(w.Image)
		extent := t.extents(w.Image, t.buffer(w.Image.Base(), 0))
		left := t.below(w.X, first)
		if before := at(w.lead.size); before > 0 || rangeOf(left, b.bounds).Lo < 0 {
			need(b.op(boolType, ops.Ge, left, i32(int64(before))))
		}
		if behind := at(w.trail.size); behind > 0 {
			need(b.op(boolType, ops.Le, b.op(i32T, ops.Add, left, i32(int64(w.X.Covers(width)+behind))), extent[pixel]))
		}
		if w.rule == hast.Undefined && !t.anyShort || line < 0 {
			continue
		}
		top := kir.Expr(i32(0))
		if w.Y.Stride > 0 {
			top = t.below(w.Y, t.first[1])
		}
		if rangeOf(top, b.bounds).Lo+int64(w.Y.First()) < 0 {
			need(b.op(boolType, ops.Ge, top, i32(int64(-w.Y.First()))))
		}
		need(b.op(boolType, ops.Le, b.op(i32T, ops.Add, top, i32(int64(w.Y.First()+w.rows))), extent[line]))
	}
	return all
}

// groupFirst is the first instance of the item's group along x.
func (t *strip) groupFirst() kir.Expr {
	b := t.body
	before := opExpr(i32T, ops.Mul, []kir.Expr{t.localID(0), i32(int64(t.item[0]))}, true)
	v := b.declare("group_first", i32T, false, opExpr(i32T, ops.Sub, []kir.Expr{t.first[0], before}, true))
	b.bounds[v] = rangeOf(t.first[0], b.bounds)
	return ref(v)
}

// refuseRuns says why items do not load the runs of pixels that their instance reads.
func refuseRuns(s *hast.Stage, d, full schedule.Decisions) string {
	others := d.Local != 0 || d.Matrix != 0 || d.Reduce > 0 || d.Copies[0] > 0 || d.Rows > 0 || d.Lines() || d.Ahead > 0 || d.Fetch > 0 || d.Keep > 0 || d.Lanes > 0
	ways := d.Interior != 0 || d.Stream > 0 || d.Rolled > 0 || d.Dot4 != 0 || d.Packed16 != 0 || d.Flat != 0 || d.Small > 0
	if d.Runs != 0 && (full.Item[0]*max(1, full.Item[1]) > 1 || others || ways || len(s.Fused) > 0 || s.Scan != nil) {
		return "runs is for work-items of one instance, which load what it reads for themselves; tile, vector, unroll and resident alone stand beside it"
	}
	return ""
}

// refuseInterior says why blocks inside of images cannot be told apart.
func refuseInterior(d, full schedule.Decisions) string {
	alone := full.Item[0]*max(1, full.Item[1]) == 1
	if d.Interior != 0 && (alone || d.Local == schedule.Shared || d.Flat != 0 || d.Stream > 0 || d.Rolled > 0 || d.Matrix != 0 || d.Reduce > 0 || d.Copies[0] > 0 && !d.Persistent() || d.Rows > 0 || d.Lines()) {
		return "interior is for work-items of several instances that load what they read for themselves, before they compute, and for sweep and direct"
	}
	return ""
}
