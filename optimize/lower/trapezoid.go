package lower

import (
	"fmt"
	"slices"

	"imgc/hast"
	"imgc/interval"
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/optimize/schedule"
	"imgc/types"
)

// Groups take pieces of the lines across a scan by trapezoids (block.Trapezoid): a launch is some steps, of which each group computes those of its columns and of
// a frame, with the lines of the steps before in local memory, and stores its own columns. The host launches strips of steps one after the other. Lines
// that one group takes as a whole need no frame, and one launch.

// A trapezoid is what a group computes while it is lowered.
type trapezoid struct {
	*kernelBuilder
	*block.Trapezoid
	stage *hast.Stage
	items int // of the group
	steps int // of a launch
	early int // steps of which all that can be is computed before any is complete

	lines      map[*hast.Image]*kir.Var // steps x columns
	item       kir.Expr
	index      kir.Expr                  // the item's column, from the first of the line on
	there      kir.Expr                  // the line has it
	mine       kir.Expr                  // and it is none of the frame's
	count      kir.Expr                  // steps of the scan
	from, upTo kir.Expr                  // steps of the launch
	shrink     [2]kir.Expr               // by how many columns the frame shrinks on each side with each step; nil where it has none there
	step       kir.Expr                  // the first of those that are computed together
	held       map[*hast.Var]*kir.Var    // what is computed early of the steps that are computed together
	beside     map[*block.State]*kir.Var // what columns without instances have in these steps; nil where all have some
}

// mostEarly bounds the components that are computed early: they are registers.
const mostEarly = 64

// refuseTrapezoid says why groups cannot compute steps of a stage by trapezoids, as the end of a sentence; "" where they can.
func refuseTrapezoid(s *hast.Stage, d schedule.Decisions, most int) string {
	items, steps, early := d.Trapezoid[0], d.Trapezoid[1], d.Trapezoid[2]
	d.Place, d.Trapezoid, d.Unroll, d.Resident = 0, [3]int{}, 0, 0
	if d != (schedule.Decisions{}) {
		return "trapezoid stands with unroll and resident alone"
	}
	x, why := block.AnalyzeTrapezoid(s)
	if why != "" {
		return why
	}
	switch bytes := x.LocalBytes(items, early); {
	case items <= x.Frame()*steps:
		return fmt.Sprintf("the frames of %d steps take %d work-items, which leaves none of a group of %d", steps, x.Frame()*steps, items)
	case early <= x.Depth:
		return fmt.Sprintf("it reads %d steps before, and more than that are to be computed together, not %d", x.Depth, early)
	case early*x.Registers() > mostEarly:
		return fmt.Sprintf("%d steps compute %d components early, and %d is the most", early, early*x.Registers(), mostEarly)
	case x.Ring > 0 && steps+x.Depth > x.Ring:
		return fmt.Sprintf("of what steps have written %d lines are kept, and groups that are behind read the last %d before %d steps of those that are ahead", x.Ring, x.Depth, steps)
	case bytes > most:
		return fmt.Sprintf("its lines take %d bytes of local memory, and %d is the most", bytes, most)
	}
	return ""
}

// inTrapezoids lowers a scan in strips of steps.
func (k *kernelBuilder) inTrapezoids(s *hast.Stage) kir.Step {
	what, _ := block.AnalyzeTrapezoid(s)
	d := k.decided.Trapezoid
	t := &trapezoid{kernelBuilder: k, Trapezoid: what, stage: s, items: d[0], steps: d[1], early: d[2], lines: map[*hast.Image]*kir.Var{}, held: map[*hast.Var]*kir.Var{}, beside: map[*block.State]*kir.Var{}}
	k.cut = t
	for _, o := range t.Old {
		k.plan.copyOld(o, s)
	}
	v := &hast.Var{Name: s.Space.Vars[t.Along].Name + "_strip", Type: i32T, Class: hast.HostLoop, At: s.At}
	strip := k.plan.hostVar(v, types.Scalar(types.I64))
	items, strips := t.place(ref(strip))
	decls := t.declare()
	t.before()
	t.together()
	launch := k.finish(s.Name, shape{items: items, group: [3]int{t.items, 1, 1}, shared: decls})
	return &kir.ForHost{Var: strip, Lo: i64(0), Hi: strips, Step: 1, Body: []kir.Step{launch}}
}

// copyOld makes a copy of an image.
func (pl *planner) copyOld(o *block.Old, s *hast.Stage) {
	pl.beside(o.Copy, o.Image)
	pl.image(o.Copy)
	stage := hast.CopyStage(o.Copy, o.Image, s.Name+"_old", s.At)
	d := schedule.Decisions{Tile: [2]int{128, 4}, Item: [2]int{4, 1}, Vector: schedule.MaxVector}
	if Refuse(stage, d, pl.opts.Mode) != "" {
		d = schedule.Decisions{}
	}
	pl.stageAs(stage, pl.opts.filled(stage, d, d))
}

// place declares where an item is, in a strip of steps.
func (t *trapezoid) place(strip kir.Expr) (items [3]kir.Expr, strips kir.Expr) {
	b, along, across := t.body, t.Along, t.Line
	name := t.stage.Space.Vars[across].Name
	most := interval.Between(0, hast.MaxExtent)
	steps := t.kernelBuilder.count(t.stage.Space.Ranges[along])
	columns := t.kernelBuilder.count(t.stage.Space.Ranges[across])
	whole := opExpr(boolType, ops.Le, []kir.Expr{columns, i64(int64(t.items))}, true)
	either := func(one, other kir.Expr) kir.Expr {
		if t.Partial { // what lies beside the line is in a frame
			return other
		}
		return &kir.Select{Typed: kir.Typed{T: i64T}, Cond: whole, Then: one, Else: other}
	}
	frame := int64(t.Reach[0] * t.steps)
	each, own := either(opExpr(i64T, ops.Max, []kir.Expr{steps, i64(1)}, true), i64(int64(t.steps))), either(i64(int64(t.items)), i64(int64(t.items-t.Frame()*t.steps)))
	first := mul(strip, each)
	t.count = t.scalar(t.stage.Space.Vars[along].Name+"_count", i32T, steps, most)
	t.from = t.scalar("from", i32T, first, interval.Between(0, hast.MaxExtent-1))
	t.upTo = t.scalar("up_to", i32T, opExpr(i64T, ops.Min, []kir.Expr{add(first, each), steps}, true), most)
	for side, reach := range t.Reach {
		if reach > 0 {
			t.shrink[side] = t.scalar([]string{"shrink", "shrink_behind"}[side], i32T, either(i64(0), i64(int64(reach))), interval.Between(0, int64(reach)))
		}
	}
	beside := t.scalar("frame", i32T, either(i64(0), i64(frame)), interval.Between(0, frame))
	width := t.scalar("own", i32T, own, interval.Between(1, int64(t.items)))
	items = t.apart(t.stage, t.others())
	groups := div(add(columns, sub(own, i64(1))), own)
	items[0] = mul(groups, i64(int64(t.items)))

	item := b.declare("item", i32T, false, &kir.LocalID{Typed: kir.Typed{T: i32T}, Dim: 0})
	b.bounds[item] = interval.Between(0, int64(t.items)-1)
	t.item = ref(item)
	column := exactly(ops.Mul, &kir.GroupID{Typed: kir.Typed{T: i32T}, Dim: 0}, width)
	index := b.declare("index", i32T, false, exactly(ops.Sub, exactly(ops.Add, column, t.item), beside))
	b.bounds[index] = interval.Between(-frame, hast.MaxExtent+int64(t.items))
	t.index = ref(index)
	line := t.scalar(name+"_count", i32T, columns, most)
	t.there = b.once("there", b.and(b.op(boolType, ops.Ge, t.index, i32(0)), b.op(boolType, ops.Lt, t.index, line)))
	inner := b.and(b.op(boolType, ops.Ge, t.item, beside), b.op(boolType, ops.Lt, t.item, exactly(ops.Add, beside, width)))
	t.mine = b.once("mine", b.and(t.there, inner))
	return items, div(add(steps, sub(each, i64(1))), each)
}

// others are the variables beside those of the trapezoid.
func (t *trapezoid) others() (list []int) {
	for _, i := range t.stage.Across() {
		if i != t.Line {
			list = append(list, i)
		}
	}
	return list
}

// declare makes the lines in local memory, and variables for what is computed early.
func (t *trapezoid) declare() (decls []kir.Stmt) {
	for _, x := range t.States {
		t.buffer(x.Image, kir.Reads|kir.Writes)
		columns := t.items * int(x.Image.Elem.Lanes)
		v := &kir.Var{Name: identifier(x.Image) + "_lines", Type: types.Scalar(x.Image.Elem.Kind).Array(t.early+t.Depth, columns), Space: kir.Local, At: x.Image.At}
		t.lines[x.Image] = v
		decls = append(decls, &kir.Decl{Var: v})
	}
	for _, x := range t.States {
		if t.Partial {
			t.beside[x] = t.body.declare(identifier(x.Image)+"_beside", x.Image.Elem.Array(t.early), true, nil)
		}
	}
	for _, d := range slices.Concat(t.Between(), t.Handed()) {
		if t.held[d.Var] == nil {
			t.held[d.Var] = t.body.declare(d.Var.Name+"_early", d.Var.Type.Array(t.early), true, nil)
		}
	}
	return decls
}

// stores does what a store of an instance does: a state's goes to the lines, and what is the group's own to memory. False where that is all left to do.
func (t *trapezoid) stores(s *hast.Store) bool {
	b, cut := t.body, t.kernelBuilder.cut
	always := func() {
		t.kernelBuilder.cut = nil
		b.storeAlways(s)
		t.kernelBuilder.cut = cut
	}
	for _, x := range t.States {
		if x.Store != s {
			continue
		}
		value := b.once("now", b.expr(s.Value))
		coords := b.exprs(s.Index)
		t.put(x, exactly(ops.Add, t.behind(coords[x.Along]), i32(int64(t.Depth))), t.item, b.lanesOf(value))
		buf := b.kernel.buffer(x.Image, kir.Writes)
		b.when(t.mine, func() { b.storePixel(buf, b.offset(buf, coords), value) })
		return true
	}
	b.when(t.mine, always)
	return true
}

// before loads what steps before the launch have written.
func (t *trapezoid) before() {
	b := t.body
	for d := range t.Depth {
		for _, x := range t.States {
			buf := b.kernel.buffer(x.Image, kir.Reads)
			along := exactly(ops.Sub, t.value(t.Along, t.from), i32(int64(d+1)))
			if t.stage.Scan.Down {
				along = exactly(ops.Add, t.value(t.Along, t.from), i32(int64(d+1)))
			}
			along = b.once("at", along)
			inside := b.op(boolType, ops.Ge, t.from, i32(int64(d+1)))
			if !x.Image.Ring { // it may have lines before the scan's first
				inside = b.and(b.op(boolType, ops.Ge, along, i32(0)), b.op(boolType, ops.Lt, along, buf.extent[x.Along]))
			}
			b.when(b.and(t.inImage(x), inside), func() {
				t.put(x, i32(int64(t.Depth-1-d)), t.item, b.lanesOf(t.pixelOf(x, along)))
			})
		}
	}
}

// inImage is whether a state has the item's column.
func (t *trapezoid) inImage(x *block.State) kir.Expr {
	if !t.Partial {
		return t.there
	}
	b, at := t.body, t.value(t.Line, t.index)
	extent := b.kernel.buffer(x.Image, kir.Reads).extent[x.Line]
	return b.and(b.op(boolType, ops.Ge, at, i32(0)), b.op(boolType, ops.Lt, at, extent))
}

// pixelOf loads the pixel of a state in the item's column at a place along the scan.
func (t *trapezoid) pixelOf(x *block.State, along kir.Expr) kir.Expr {
	b, buf := t.body, t.body.kernel.buffer(x.Image, kir.Reads)
	coords := make([]kir.Expr, len(x.Store.Index))
	for axis, e := range x.Store.Index {
		switch axis {
		case x.Along:
			coords[axis] = along
		case x.Line:
			coords[axis] = b.once("column", t.value(t.Line, t.index))
		default:
			coords[axis] = b.expr(e)
		}
	}
	return b.loadPixel(buf, b.offset(buf, coords))
}

// without does something in columns of a state that have no instances.
func (t *trapezoid) without(x *block.State, f func()) {
	b := t.body
	b.when(b.and(b.op(boolType, ops.Not, t.there), t.inImage(x)), f)
}

// besides loads what columns without instances have in these steps, which no step writes.
func (t *trapezoid) besides() {
	for _, x := range t.States {
		if t.beside[x] == nil {
			continue
		}
		t.without(x, func() {
			t.each(func(u kir.Expr) {
				step := exactly(ops.Min, exactly(ops.Add, t.step, u), exactly(ops.Sub, t.upTo, i32(1)))
				value := t.pixelOf(x, t.body.once("at", t.value(t.Along, step)))
				t.body.emit(&kir.Assign{Placed: t.body.placed(), Var: t.beside[x], Index: []kir.Expr{u}, Value: value})
			})
		})
	}
}

// together computes the steps of the launch, some together.
func (t *trapezoid) together() {
	b := t.body
	v := b.loopVar("step", interval.Between(0, hast.MaxExtent-1))
	t.step = ref(v)
	several := &kir.For{Placed: b.placed(), Var: v, Lo: t.from, Hi: t.upTo, Step: int64(t.early), Rounds: kir.Looped, Exact: true}
	several.Body = b.inside(false, func() {
		if len(t.Ahead) > 0 {
			b.when(t.there, t.inAdvance)
		}
		t.besides()
		t.each(t.complete)
		t.keep()
	})
	b.emit(several)
}

// each runs f for the number of each of the steps that are computed together.
func (t *trapezoid) each(f func(u kir.Expr)) {
	t.body.unrolled("u", t.early, f)
}

// inAdvance computes what does not depend on steps before; behind the last step that is done for this once more, so that nothing hangs on conditions and
// what all steps read is on its way together.
func (t *trapezoid) inAdvance() {
	t.each(func(u kir.Expr) { t.compute(t.Ahead, nil, u) })
	if between := t.Between(); len(between) > 0 {
		t.each(func(u kir.Expr) { t.compute(t.Early, between, u) })
	}
}

// compute computes lets of a step that is done early, with others that are held.
func (t *trapezoid) compute(lets, with []*hast.Define, u kir.Expr) {
	b := t.body
	t.instanceAt(exactly(ops.Min, exactly(ops.Add, t.step, u), exactly(ops.Sub, t.upTo, i32(1))))
	t.hand(with, u)
	for _, d := range lets {
		b.pos = d.At
		b.define(d)
	}
	for _, d := range lets {
		if held := t.held[d.Var]; held != nil {
			b.emit(&kir.Assign{Placed: b.placed(), Var: held, Index: []kir.Expr{u}, Value: b.vars[d.Var]})
		}
	}
}

// hand declares lets as what is held of them.
func (t *trapezoid) hand(lets []*hast.Define, u kir.Expr) {
	b := t.body
	for _, d := range lets {
		b.vars[d.Var] = ref(b.declare(d.Var.Name, d.Var.Type, false, b.elemOf(t.held[d.Var], []kir.Expr{u})))
	}
}

// instanceAt declares the variables of the item's instance in a step.
func (t *trapezoid) instanceAt(step kir.Expr) {
	s := t.stage
	if s.Scan.Down {
		step = exactly(ops.Sub, exactly(ops.Sub, t.count, i32(1)), step)
	}
	t.iterator(s.Space.Vars[t.Along], s.Space.Ranges[t.Along], step)
	t.iterator(s.Space.Vars[t.Line], s.Space.Ranges[t.Line], t.index)
}

// complete computes the rest of a step, when all have computed the one before.
func (t *trapezoid) complete(u kir.Expr) {
	b := t.body
	b.emit(&kir.Barrier{Placed: b.placed()})
	step := b.once("now", exactly(ops.Add, t.step, u))
	b.when(b.and(b.and(t.there, b.op(boolType, ops.Lt, step, t.upTo)), t.needed(step)), func() {
		t.instanceAt(step)
		t.hand(t.Handed(), u)
		b.stmts(t.Late)
	})
	for _, x := range t.States {
		if t.beside[x] != nil {
			t.without(x, func() {
				t.put(x, exactly(ops.Add, u, i32(int64(t.Depth))), t.item, b.lanesOf(b.elemOf(t.beside[x], []kir.Expr{u})))
			})
		}
	}
}

// needed is whether the item's column is one of those that are left of the frame in a step.
func (t *trapezoid) needed(step kir.Expr) (out kir.Expr) {
	b := t.body
	steps := exactly(ops.Add, exactly(ops.Sub, step, t.from), i32(1))
	if t.shrink[0] != nil {
		out = b.op(boolType, ops.Ge, t.item, b.once("shrunk", exactly(ops.Mul, t.shrink[0], steps)))
	}
	if t.shrink[1] != nil {
		shrunk := b.once("shrunk_behind", exactly(ops.Mul, t.shrink[1], steps))
		out = b.and(out, b.op(boolType, ops.Lt, t.item, exactly(ops.Sub, i32(int64(t.items)), shrunk)))
	}
	return out
}

// keep has the last of the steps be those before the next ones. Who reads the lines there has done so: more steps than these have been computed since.
func (t *trapezoid) keep() {
	for d := range t.Depth {
		for _, x := range t.States {
			t.put(x, i32(int64(d)), t.item, t.inLines(x, i32(int64(t.early+d)), t.item))
		}
	}
}
