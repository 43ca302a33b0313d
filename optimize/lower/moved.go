package lower

import (
	"slices"

	"imgc/hast"
	"imgc/interval"
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/types"
)

// Lines need not have room for whole blocks. Then a second launch computes what is left, by the kernel for lines that start anywhere: the block
// that the end of a line cuts becomes one that lies further left, so that it ends where the line does. What it has in common with its
// neighbour is computed twice, and the same is stored twice. Where what the block before it reads beside itself would lie across the end, that one is left to
// the second launch, too, and moved to where it does not. So every block ends where the line does or reads nothing beyond that, and the
// code for whole blocks does, with accesses that need no alignment. In a line of 4097 floats, of which up to two beside a block of 4 are read,
// the first launch has blocks at 0, 4 ... 4088, the second one at 4091 and 4093.
//
// Where windows lie at every second pixel, lines of odd extents end within a pair, and nothing that is known of a block stands for the pixel behind
// the end: such lines are left to the second launch, too, and its code for blocks that are not whole. So it is where a stage reads what it writes, or does
// what must be done once, since blocks that are moved compute some instances twice; and where instances know where they are in periods of their coordinates (isScaled).
//
// The code for the second launch is not in the kernel of the first one, which would have more registers with it: 108 in place of 94 for the
// corners of Harris, and 128 in place of 95 for a mean of words of 16 bits.

// margins are how many places beside a block, of columns and rows, accesses of it reach.
type margins struct {
	left, right  int
	above, below int  // of images between stages
	down         bool // blocks are moved along columns, too
	ends         []*window
}

// A placing is what is done with a block by where it lies: fast where it is whole, and slow where it is not. Parted is whether whole blocks may have a
// launch of their own, and movable whether blocks may lie anywhere.
type placing struct {
	fast, slow      func()
	margins         margins
	parted, movable bool
	conditions      []kir.Expr // more of them for the block to be whole
}

// lineEnds finds out whether blocks are whole but for those at the ends of lines, whether these may be moved, and what they need beside them there: where
// they are moved, computing an instance twice has to do no harm, and all that is read has to end where the instances do.
func (t *strip) lineEnds() (m margins, parted, movable bool) {
	scaled := t.isScaled()
	if t.flat || t.item[0] == 1 || scaled && !t.overhangs(1) || t.mayBeFar() || !t.fromZero(t.what.X) {
		return m, false, false
	}
	b := t.body
	movable = !t.what.Once && !t.readsOutputs() && !scaled
	for _, w := range t.all() {
		if w.X.Stride < 1 || w.X.Div != 0 && !scaled || !w.lead.folds {
			return m, false, false
		}
		if t.lines(&w.tile) && len(t.rowsInside(w)) > 0 && !t.foldsRows(w) {
			return m, false, false
		}
		if w.X.Stride != 1 || w.X.Div != 0 || !w.trail.folds || key(t.extent(&w.tile), b.ids) != key(t.end[0], b.ids) {
			m.ends = append(m.ends, w)
		}
		before, behind := w.beside()
		m.left, m.right = max(m.left, ceilDiv(before*w.X.By(), w.X.Stride)), max(m.right, ceilDiv(behind*w.X.By(), w.X.Stride))
		movable = movable && w.trail.folds
	}
	return m, true, movable && max(m.left, m.right) <= t.item[0]
}

// beside is how many pixels accesses take before and behind those of the block.
func (w *window) beside() (before, behind int) {
	return ceilDiv(w.lead.size, w.per), ceilDiv(w.trail.size, w.per)
}

// fromZero reports whether an iteration starts at 0.
func (t *strip) fromZero(v *hast.Var) bool {
	lo, known := constInt(t.plan.hostExpr(t.rangeOf(v).Lo))
	return known && lo == 0
}

// foldsRows reports whether the rows of a window are no farther from an image of some height than one fold brings back, wherever the block is.
func (t *strip) foldsRows(w *window) bool {
	if w.rule == hast.Formula || w.Y.Stride < 1 || w.Y.Div != 0 {
		return false
	}
	return w.Y.Stride > 1 && t.fromZero(t.what.Y) || w.Y.Stride == 1 && key(t.height(w), t.body.ids) == key(t.end[1], t.body.ids)
}

// readsOutputs reports whether a stage reads an image that it writes: what an instance stores would be read by the same one of the other block.
func (t *strip) readsOutputs() bool {
	read := slices.Clone(t.what.Direct)
	for _, w := range t.all() {
		read = append(read, w.Image)
	}
	return t.writesOneOf(read)
}

// writesOneOf reports whether some of the images are written.
func (t *strip) writesOneOf(list []*hast.Image) bool {
	return slices.ContainsFunc(t.outputs, func(o *output) bool {
		return slices.ContainsFunc(list, func(m *hast.Image) bool { return m.Base() == o.Image.Base() })
	})
}

// lineEnds are those of a strip where the frames of images between stages, too, are told from blocks that lie anywhere.
func (f *fusion) lineEnds() (m margins, parted, movable bool) {
	m, _, ok := f.strip.lineEnds()
	ok = ok && len(m.ends) == 0
	for _, p := range f.group.Parts {
		ok = ok && !p.Stage.Once && !f.writesOneOf(p.Stage.Direct) && p.Short[0] == 0
	}
	for _, w := range f.group.Tiles {
		for dim, s := range []block.Span{w.X, w.Y} {
			before, behind := framed(w, s)
			ok = ok && f.short(w, dim) == 0 && !f.group.IsFar(w.Image)
			if before+behind == 0 {
				continue
			}
			ok = ok && s.Stride == 1 && key(f.ends(w, dim).extent, f.body.ids) == key(f.end[dim], f.body.ids) &&
				mirrored(w.Rule, max(before, behind)) <= f.item[dim]
			if dim == 0 {
				m.left, m.right = max(m.left, before), max(m.right, behind)
			} else {
				m.above, m.below, m.down = max(m.above, before), max(m.below, behind), true
			}
		}
	}
	ok = ok && (!m.down || f.fromZero(f.what.Y))
	ok = ok && max(m.left, m.right) <= f.item[0] && max(m.above, m.below) <= f.item[1]
	return m, ok, ok
}

// byPlace lowers a block. Where whole blocks may have a launch of their own, the kernel for images whose lines start where vectors may has the code
// for these alone.
func (t *strip) byPlace(p placing) {
	switch {
	case t.reducing != nil && p.movable && !t.lacksRoom(p):
		t.reduceByPlace(p)
	case !p.parted || !t.evenOnly && !t.loose || t.tiles != nil || t.lacksRoom(p): // what groups accumulate is joined once
		t.conditions(p.conditions...)
		t.either(p.fast, p.slow)
	case t.hasParts(p):
		t.partWhole(p)
		whole := t.scalar(t.what.X.Name+"_whole", i32T, ref(t.columns), interval.Between(0, hast.MaxExtent))
		t.leaveFrom(whole)
		t.move(p.margins, false, p.fast)
	case p.movable:
		t.beginWhereLeft()
		first := t.first
		t.body.either(t.room(p), func() { t.move(p.margins, true, p.fast) }, func() {
			t.first = first
			p.slow()
		})
	default:
		t.beginWhereLeft()
		t.conditions(p.conditions...)
		t.either(p.fast, p.slow)
	}
}

// hasParts reports whether the kernel, of images whose lines start where vectors may, is for whole blocks alone.
func (t *strip) hasParts(p placing) bool {
	return p.parted && t.evenOnly && t.tiles == nil && t.usesVectors() && !t.lacksRoom(p)
}

// usesVectors reports whether whole blocks are moved by accesses of more than a component.
func (t *strip) usesVectors() bool {
	return slices.ContainsFunc(t.all(), func(w *window) bool { return max(w.chunk, w.lead.chunk, w.trail.chunk) > 1 }) ||
		slices.ContainsFunc(t.outputs, func(o *output) bool { return o.chunk > 1 })
}

// leaveFrom ends items whose blocks begin at a column or behind it.
func (t *strip) leaveFrom(column kir.Expr) {
	b := t.body
	beyond := b.op(boolType, ops.Ge, t.first[0], column)
	b.emit(&kir.If{Placed: b.placed(), Cond: beyond, Then: []kir.Stmt{t.leave()}})
}

// A need is a condition on an image's extent: to be at least n, and so many more as a strip has rows.
type need struct {
	dim  int
	tall bool
	n    int
}

// needs are those for blocks to be moved as far as they have to be without reaching across both ends, and for rows to be folded once.
func (t *strip) needs(p placing) (list []need) {
	m := p.margins
	if p.movable {
		list = append(list, need{dim: 0, n: t.item[0] + m.left + m.right})
	}
	if m.down {
		list = append(list, need{dim: 1, n: t.item[1] + m.above + m.below})
	}
	for _, w := range t.all() {
		if t.lines(&w.tile) && w.Y.Stride == 1 && len(t.rowsInside(w)) > 0 {
			list = append(list, need{1, true, w.reach - max(t.tall, t.item[1]) + abs(w.Y.First()) + 1})
		}
	}
	return list
}

// An operator applies one to values of a kernel, or of the host.
type operator func(t types.Type, op ops.Op, args ...kir.Expr) kir.Expr

// hostOp is that of host values, which are in its range.
func hostOp(t types.Type, op ops.Op, args ...kir.Expr) kir.Expr { return opExpr(t, op, args, true) }

// foldsOnce are the conditions for the rows of windows that lie at some rows of their images only to be folded once: in images of so many rows, for an
// iteration of so many, in strips of so many.
func (t *strip) foldsOnce(op operator, w *window, n, end, strip kir.Expr) (conds []kir.Expr) {
	of := n.Type()
	number := func(v int) kir.Expr { return intConst(of.Kind, int64(v)) }
	last := 0 // rows that are not folded
	if w.rule == hast.Reflect101 {
		last = 1
	}
	first, rest := w.Y.First(), w.reach-w.Y.Stride*max(t.tall, t.item[1])
	rows := op(of, ops.Add, op(of, ops.Sub, end, number(1)), strip) // from the first to the last one that the last strip may have, and one more
	bottom := op(of, ops.Add, op(of, ops.Mul, rows, number(w.Y.Stride)), number(rest+first))
	return []kir.Expr{
		op(boolType, ops.Ge, n, number(last-first)),
		op(boolType, ops.Ge, op(of, ops.Sub, op(of, ops.Mul, n, number(2)), number(last)), bottom),
	}
}

// farRows are the windows that foldsOnce is for.
func (t *strip) farRows() (list []*window) {
	for _, w := range t.all() {
		if t.lines(&w.tile) && w.Y.Stride > 1 && len(t.rowsInside(w)) > 0 {
			list = append(list, w)
		}
	}
	return list
}

// extents are what needs are held against, as values of a kernel or of the host.
type extents struct {
	op     operator
	kind   types.Kind
	end    func(dim int) kir.Expr   // of the iteration
	height func(w *window) kir.Expr // of a window's image
	rows   kir.Expr                 // of a strip
}

// inKernel are those that the kernel knows.
func (t *strip) inKernel() extents {
	rows := t.length
	if rows == nil {
		rows = i32(int64(max(t.tall, t.item[1])))
	}
	return extents{t.body.op, types.I32, func(dim int) kir.Expr { return t.end[dim] }, t.height, rows}
}

// onHost are those that the host knows.
func (t *strip) onHost() extents {
	end := func(dim int) kir.Expr { return t.plan.hostExpr(t.rangeOf([2]*hast.Var{t.what.X, t.what.Y}[dim]).Hi) }
	height := func(w *window) kir.Expr {
		line, _, _ := block.Axes(w.Image)
		return t.plan.hostExpr(w.Image.Extent[line])
	}
	rows := kir.Expr(i64(int64(max(t.tall, t.item[1]))))
	if t.length != nil {
		rows = t.hostOf(t.length)
	}
	return extents{hostOp, types.I64, end, height, rows}
}

// met are the conditions that all needs are.
func (t *strip) met(p placing, x extents) (list []kir.Expr) {
	for _, need := range t.needs(p) {
		least := kir.Expr(intConst(x.kind, int64(need.n)))
		if need.tall {
			least = x.op(types.Scalar(x.kind), ops.Add, x.rows, least)
		}
		list = append(list, x.op(boolType, ops.Ge, x.end(need.dim), least))
	}
	for _, w := range t.farRows() {
		list = append(list, t.foldsOnce(x.op, w, x.height(w), x.end(1), x.rows)...)
	}
	return list
}

// room is the condition that all needs are met, and that the last block is whole if it is moved; nil where they always are.
func (t *strip) room(p placing) kir.Expr {
	b := t.body
	c := b.conjunction()
	c.need(t.met(p, t.inKernel())...)
	for _, w := range p.margins.ends {
		c.need(w.endsWith(b.op, b.op(i32T, ops.Mul, t.end[0], i32(int64(w.X.Stride))), t.extent(&w.tile)))
	}
	return c.all
}

// endsWith is the condition that a block is whole behind whose pixels a place lies, the last ones of the iteration, in lines of some extent: where
// that is where the line ends, or all that it reads lies before that.
func (w *window) endsWith(op operator, place, extent kir.Expr) kir.Expr {
	_, behind := w.beside()
	within := op(boolType, ops.Le, op(place.Type(), ops.Add, place, intConst(place.Type().Kind, int64(behind))), extent)
	if behind == 0 || !w.trail.folds {
		return within
	}
	return op(boolType, ops.LOr, op(boolType, ops.Eq, place, extent), within)
}

// lacksRoom reports whether images are too small for the launches of parts, whatever they are.
func (t *strip) lacksRoom(p placing) bool {
	return slices.ContainsFunc(t.met(p, t.onHost()), func(cond kir.Expr) bool {
		c, known := constInt(cond)
		return known && c == 0
	})
}

// hostOf is the host value that a parameter gets.
func (k *kernelBuilder) hostOf(x kir.Expr) kir.Expr {
	i := slices.IndexFunc(k.scalars, func(p param) bool { return p.v == x.(*kir.Ref).Var })
	return k.scalars[i].host
}

// partWhole says for which images the kernel of whole blocks is launched, and up to which column: to the end of lines that end with a block, else
// for the blocks of which no access reaches beyond it.
func (t *strip) partWhole(p placing) {
	m, c := p.margins, t.body.conjunction()
	if starts := t.starts(); starts != nil {
		c.need(starts)
	}
	c.need(t.met(p, t.onHost())...)
	if t.even = c.all; t.even == nil {
		t.even = constant(boolType, []types.Word{types.Int(1)}, "")
	}
	item, end := i64(int64(t.item[0])), t.plan.hostExpr(t.rangeOf(t.what.X).Hi)
	within := sub(end, i64(int64(m.right)))
	last := t.body.conjunction()
	last.need(opExpr(boolType, ops.Eq, []kir.Expr{opExpr(i64T, ops.Rem, []kir.Expr{end, item}, true), i64(0)}, true))
	for _, w := range m.ends {
		_, pixel, _ := block.Axes(w.Image)
		_, behind := w.beside()
		extent, stride, by := t.plan.hostExpr(w.Image.Extent[pixel]), i64(int64(w.X.Stride)), i64(int64(w.X.By()))
		within = opExpr(i64T, ops.Min, []kir.Expr{within, div(mul(sub(extent, i64(int64(behind))), by), stride)}, true)
		last.need(w.endsWith(hostOp, div(add(mul(end, stride), i64(int64(w.X.By())-1)), by), extent))
	}
	if !p.movable && m.right > 0 || len(m.ends) > 0 { // lines may be shorter than what is read behind a block
		within = opExpr(i64T, ops.Max, []kir.Expr{within, i64(0)}, true)
	}
	t.upTo = mul(div(within, item), item)
	if m.right > 0 || len(m.ends) > 0 {
		t.upTo = chosen(last.all, end, t.upTo)
	}
}

// chosen is one of two host values, the first one under a condition that holds always, which is nil.
func chosen(cond, then, els kir.Expr) kir.Expr {
	if cond == nil {
		return then
	}
	if c, known := constInt(cond); known && c != 0 {
		return then
	} else if known {
		return els
	}
	return &kir.Select{Typed: kir.Typed{T: i64T}, Cond: cond, Then: then, Else: els}
}

// inParts has the kernel of whole blocks compute the columns up to one, and the other kernel those from there on: all of them where images do not
// start where vectors may.
func (k *kernelBuilder) inParts(whole, rest *kir.Launch, other *kernelBuilder) []kir.Step {
	t := k.blocks
	item, end := i64(int64(t.item[0])), k.plan.hostExpr(t.rangeOf(t.what.X).Hi)
	left := sub(end, ref(k.columns))
	rest.Items = other.inLayers([3]kir.Expr{div(add(left, sub(item, i64(1))), item), rest.Items[1], rest.Items[2]})
	some := func(n kir.Expr) kir.Expr { return opExpr(boolType, ops.Gt, []kir.Expr{n, i64(0)}, true) }
	steps := []kir.Step{&kir.Let{Var: k.columns, Value: chosen(k.even, k.upTo, i64(0))}}
	if t.length != nil {
		steps = append(steps, other.shorten(rest, some(ref(k.columns))))
	}
	return append(steps, &kir.IfHost{Cond: some(ref(k.columns)), Then: []kir.Step{whole}}, &kir.IfHost{Cond: some(left), Then: []kir.Step{rest}})
}

// fewRows are the rows of long strips where these are what is left of lines: they are few, and none of them shall take long.
const fewRows = 16

// shorten has the strips of a launch have fewer rows if a condition holds.
func (k *kernelBuilder) shorten(l *kir.Launch, cond kir.Expr) kir.Step {
	t := k.blocks
	rows := t.hostOf(t.length)
	few := opExpr(i64T, ops.Min, []kir.Expr{rows, i64(int64(max(fewRows, t.behind)))}, true)
	v := &kir.Var{Name: k.columns.Name + "_rows", Type: i64T, Const: true, At: k.columns.At}
	count := k.count(t.rangeOf(t.what.Y))
	l.Items[1] = div(add(count, sub(ref(v), i64(1))), ref(v))
	for i, p := range l.Kernel.Params {
		if p == t.length.(*kir.Ref).Var {
			l.Args[i].Value = convert(ref(v), i32T.Kind)
		}
	}
	return &kir.Let{Var: v, Value: chosen(cond, few, rows)}
}

// beginWhereLeft has blocks begin at the first column that is left.
func (t *strip) beginWhereLeft() {
	if t.columns == nil || !t.loose {
		return
	}
	b, x := t.body, t.what.X
	from := t.scalar(x.Name+"_begin", i32T, ref(t.columns), interval.Between(0, hast.MaxExtent))
	at := b.declare(x.Name+"0", i32T, false, opExpr(i32T, ops.Add, []kir.Expr{from, t.first[0]}, true))
	b.bounds[at] = rangeOf(t.first[0], b.bounds)
	t.first[0] = ref(at)
	t.leaveFrom(t.end[0])
}

// move runs f for the block where it is moved to, of columns if these are not known to be whole.
func (t *strip) move(m margins, columns bool, f func()) {
	first := t.first
	if columns {
		t.first[0] = t.movedFirst(0, m.right)
	}
	if m.down {
		t.first[1], t.allRows = t.movedFirst(1, m.below), true
	}
	f()
	t.first, t.allRows = first, false
}

// movedFirst is the first place of a block on an axis, where so many behind it are needed.
func (t *strip) movedFirst(dim, behind int) kir.Expr {
	b, first := t.body, t.first[dim]
	last := b.once("last", b.op(i32T, ops.Sub, t.end[dim], i32(int64(t.item[dim]))))
	before := b.op(i32T, ops.Min, first, b.op(i32T, ops.Sub, last, i32(int64(behind))))
	at := b.declare("moved", i32T, false, &kir.Select{Typed: kir.Typed{T: i32T}, Cond: b.op(boolType, ops.Ge, first, last), Then: last, Else: before})
	b.bounds[at] = rangeOf(first, b.bounds)
	return ref(at)
}
