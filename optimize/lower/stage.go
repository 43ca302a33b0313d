package lower

import (
	"fmt"
	"math"
	"slices"

	"imgc/hast"
	"imgc/interval"
	"imgc/kir"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/optimize/schedule"
	"imgc/types"
)

// A kernelBuilder collects the parameters of one kernel and the arguments of its launch while the body is lowered.
type kernelBuilder struct {
	plan    *planner
	of      *hast.Stage
	decided schedule.Decisions // none undecided
	body    *body
	blocks  *strip // nil where a work-item computes one instance
	rows    *rows  // nil where a work-item computes no rows
	buffers []*buffer
	byImage map[*hast.Image]*buffer
	updates
	scalars []param
	byKey   map[string]*kir.Var // host values by key
	ids     map[*kir.Var]int
	team    *team                    // where groups share reductions
	private map[*hast.Image]*private // images that are updated in copies
	copyOf  kir.Expr                 // which copy is the item's
	passes  bool                     // what it writes is for the last group
	behind  bool                     // the body is run by the last group of a launch
	free    map[types.Kind]*kir.Var  // arrays in local memory that this is done with, by kind
	fills   []*hast.Stage            // that the last group of the launch does
	last    *kir.LastGroup           // where it does; nil without them
	matrix  *matrixTile              // nil where no matrix units compute sums
	own     []*total                 // totals of the work-item
	// carriers are what the step of a scan at hand has of the one before; none where memory alone has it.
	carriers []*carrier
	ahead    *aheadReads    // what its steps have of other images; nil where memory has it
	fetches  []*block.Ahead // what the steps of the instance's chunk are to have of them
	layers   *layers        // of a tile, whose groups come one after the other; nil where those of a layer do
	folds    *folds         // over lines; nil where items of a group stand side by side
	cells    *cellTile      // whose pixels the group alone updates; nil where it has none
	tiles    *tiles         // that the group goes through, while those are lowered; nil where it has one
	reducing *reducing      // what it reduces of what it computes; nil where it does not
	// computed are the images whose pixels a stage computes wherever they are looked at, since they are in no memory, or not yet.
	computed map[*hast.Image]*hast.Stage
	keeper   *keeper    // what the work-item keeps of an image that it updates; nil where it keeps nothing
	cut      *trapezoid // of which the group computes some steps; nil where it does not

	// evenOnly: the kernel is for images whose lines start where vectors may alone. even is when they do, a host value; nil where it does not
	// matter. loose: it is that for all others, and moves components one by one.
	evenOnly, loose bool
	even            kir.Expr
	oneLine         kir.Expr // when what the kernel takes as points of one line is one, a host value; nil where it takes none so
	columns         *kir.Var // host value: up to which column the first of these computes whole blocks, from which the other one goes on
	upTo            kir.Expr // what it is for images that even is of; nil where the kernels do not share them out

	besides     bool   // the points of a reduction are being taken side by side
	wideSums    int    // reductions whose points are
	sidewaysWhy string // why they are not after all
}

// A buffer is an image as a kernel sees it.
type buffer struct {
	of           *hast.Image
	image        *kir.Image
	v            *kir.Var
	elem         types.Type
	lineAxis     int
	memory       types.Type // of a pixel in memory: elem, or wider while the image is updated
	aligned      bool       // pixels lie at multiples of what they take, and one access moves one
	start, pitch kir.Expr   // of the first line; nil where it is 0, or the image has one line
	// origin, where v is an array of the work-item that holds a part of the image, is the position of its first pixel, in x and y; else nil.
	origin *[2]kir.Expr
	extent []kir.Expr
	params []param // of start and pitch
}

// A param is a scalar kernel parameter and the host value that it gets: host, in the parameter's kind.
type param struct {
	v           *kir.Var
	value, host kir.Expr
}

// stage lowers an iterate: a kernel with one work-item for each instance, and its launch.
func (pl *planner) stage(s *hast.Stage) {
	switch d := pl.decisions(s); {
	case d.Reduce > 0 && d.Flat != 0 && d.Last == 0:
		pl.onOneLine(s, d)
	default:
		pl.stageAs(s, d)
	}
}

// stageAs is stage of what is decided.
func (pl *planner) stageAs(s *hast.Stage, d schedule.Decisions) *kernelBuilder {
	k := pl.newKernel(s, d)
	k.fills = pl.fills[s]
	after := k.prepareUpdates(s)
	k.passOn(s)
	for _, m := range s.Inner {
		pl.images[m] = pl.describe(m)
	}
	switch d := k.decided; {
	case d.Panels > 0 && d.Local == 0:
		pl.emit(k.byAlignment(s, (*kernelBuilder).inPanels)...)
	case d.Panels > 0:
		pl.emit(k.inPanels(s))
	case d.Last != 0 && d.Copies[0] == 0 && pl.byLastGroup(s, k):
	case s.Reduced != nil:
		pl.emit(k.persistent(s, true)...)
	case d.Cells > 0:
		pl.emit(k.inCells(s)...)
	case d.Copies[0] > 0:
		pl.emit(k.inCopies(s)...)
	case d.Matrix != 0:
		pl.emit(k.byMatrix(s))
	case d.Descends():
		pl.emit(k.byAlignment(s, (*kernelBuilder).descends)...)
	case d.Trapezoid[0] > 0:
		pl.emit(k.inTrapezoids(s))
	case d.Band[0] > 0:
		pl.emit(k.byAlignment(s, (*kernelBuilder).inBands)...)
	case d.Local != 0:
		pl.emit(k.byAlignment(s, (*kernelBuilder).inLocal)...)
	case len(s.Fused) > 0 && d.Rows > 0:
		pl.emit(k.inRowTiles(s))
	case len(s.Fused) > 0:
		pl.emit(k.byAlignment(s, (*kernelBuilder).fused)...)
	case d.Reduce == 0 && d.Prefix == 0 && d.Blocks():
		k.bySize(s, func() { k.strips(s) })
	case d.Rows > 0:
		pl.emit(k.byRows(s))
	default:
		pl.emit(k.finish(s.Name, k.shape(s)))
	}
	if !isPersistent(s, k.decided) {
		pl.noteWhole(k, s)
	}
	after() // whose launches nothing goes on with
	return k
}

// bySize does large or, where that is decided, for images of few instances has a work-item compute each of them: the sizes tell which when
// the stage is run.
func (k *kernelBuilder) bySize(s *hast.Stage, large func()) {
	pl, most := k.plan, k.decided.Small
	if most == 0 {
		large()
		return
	}
	one := schedule.Decisions{Unroll: k.decided.Unroll}
	single := pl.newKernel(s, one.Over(pl.opts.fallback(s, one)))
	single.updates = k.updates
	few := single.finish(s.Name+"_small", single.shape(s))
	n := i64(1)
	for _, r := range s.Space.Ranges {
		n = mul(n, k.count(r))
	}
	many := pl.inside(large)
	pl.emit(&kir.IfHost{Cond: opExpr(boolType, ops.Lt, []kir.Expr{n, i64(int64(most))}, true), Then: []kir.Step{few}, Else: many})
}

// newKernel starts the kernel of a stage.
func (pl *planner) newKernel(s *hast.Stage, d schedule.Decisions) *kernelBuilder {
	k := &kernelBuilder{
		plan: pl, of: s, decided: d, body: pl.newBody(), byImage: map[*hast.Image]*buffer{}, byKey: map[string]*kir.Var{}, ids: map[*kir.Var]int{},
	}
	k.body.kernel, k.body.pos, k.body.unroll = k, s.At, d.Unroll
	return k
}

// finish makes the kernel of the body and its launch.
func (k *kernelBuilder) finish(name string, form shape) *kir.Launch {
	at := k.body.pos
	k.updateTotals()
	body := dropUnused(slices.Concat(form.shared, k.unlessSettled(), k.declared(), k.body.scope.stmts))
	if k.loose {
		name += "_unaligned"
	}
	kernel := &kir.Kernel{Name: k.plan.kernelName(name), Group: form.group, Resident: k.decided.Resident, Body: body, At: at}
	launch := &kir.Launch{Kernel: kernel, Items: form.items, At: at}
	k.pass(kernel, launch)
	k.plan.lowering.out.Kernels = append(k.plan.lowering.out.Kernels, kernel)
	return launch
}

// A shape is how work-items are laid out over a stage.
type shape struct {
	items  [3]kir.Expr // work-items of the launch
	group  [3]int
	shared []kir.Stmt // declarations in local memory
}

// shape lowers the body in the shape that is decided.
func (k *kernelBuilder) shape(s *hast.Stage) shape {
	switch d := k.decided; {
	case d.Reduce > 0:
		return k.teams(s)
	case d.Prefix > 0:
		return k.scanLines(s, d.Prefix, d.Item[0])
	case d.Steps > 0:
		return k.inSteps(s, d.Steps)
	case d.Copies[0] > 0:
		return k.privately(s, k.turns)
	case d.Keep > 0:
		return k.keeping(s, d.Keep)
	}
	k.fold(across(s))
	items := k.grid(across(s))
	k.steps(s, func() { k.instance(s) })
	return shape{items: items, group: k.group(len(workVars(s)))}
}

// instance lowers what one instance does.
func (k *kernelBuilder) instance(s *hast.Stage) {
	body := func() { k.body.stmts(s.Body) }
	if k.decided.Fetch > 0 {
		k.fetches = block.AheadOf(s)
	}
	if k.team != nil {
		body = func() { k.body.teamStmts(s) }
	}
	if s.Where == nil {
		body()
		return
	}
	cond := k.body.expr(s.Where)
	k.body.emit(&kir.If{Placed: kir.Placed{At: s.Where.Span()}, Cond: cond, Then: k.body.inside(false, body)})
}

// pass gives the kernel its parameters: each buffer with its start and pitch, then the scalars that the body uses.
func (k *kernelBuilder) pass(kernel *kir.Kernel, launch *kir.Launch) {
	used := kir.Uses(kernel.Body)
	scalars := func(list []param) {
		for _, p := range list {
			if used[p.v] {
				kernel.Params = append(kernel.Params, p.v)
				launch.Args = append(launch.Args, kir.Arg{Value: p.value})
			}
		}
	}
	for _, b := range k.buffers {
		if !used[b.v] {
			continue
		}
		kernel.Params = append(kernel.Params, b.v)
		launch.Args = append(launch.Args, kir.Arg{Image: b.image})
		scalars(b.params)
	}
	scalars(k.scalars)
}

// dropUnused removes declarations of values that nothing reads, and what is assigned to them, from the last to the first, so that what only
// they read goes too.
func dropUnused(list []kir.Stmt) []kir.Stmt {
	for {
		unread := unreadVars(list)
		if len(unread) == 0 {
			return list
		}
		list = withoutVars(list, unread)
	}
}

// unreadVars are the variables that are declared in a list of statements and read nowhere in it.
func unreadVars(list []kir.Stmt) map[*kir.Var]bool {
	read, unread := kir.ReadVars(list), map[*kir.Var]bool{}
	kir.WalkStmts(list, func(s kir.Stmt) {
		if d, ok := s.(*kir.Decl); ok && !read[d.Var] {
			unread[d.Var] = true
		}
	}, func(kir.Expr) {})
	return unread
}

// withoutVars is a list without the declarations of some variables, and without what writes them.
func withoutVars(list []kir.Stmt, unread map[*kir.Var]bool) (kept []kir.Stmt) {
	for _, s := range list {
		if unread[kir.Written(s)] {
			continue
		}
		switch s := s.(type) {
		case *kir.If:
			s.Then, s.Else = withoutVars(s.Then, unread), withoutVars(s.Else, unread)
		case *kir.For:
			s.Body = withoutVars(s.Body, unread)
		case *kir.Critical:
			s.Body = withoutVars(s.Body, unread)
		case *kir.LastGroup:
			s.Body = withoutVars(s.Body, unread)
		case *kir.LastSum:
			s.Body = withoutVars(s.Body, unread)
		case *kir.LastWaits:
			s.Body = withoutVars(s.Body, unread)
		case *kir.While:
			s.Body = withoutVars(s.Body, unread)
		}
		kept = append(kept, s)
	}
	return kept
}

// grid declares the iteration variables: the last is x, the one before y, and all others share z. Items beyond the space leave.
func (k *kernelBuilder) grid(s *hast.Stage) [3]kir.Expr {
	b := k.body
	items := [3]kir.Expr{i64(1), i64(1), i64(1)}
	n := len(s.Space.Vars)
	var outside kir.Expr
	k.layer(s)
	k.tile(s)
	rest := k.itemID(2)
	for i := n - 1; i >= 0; i-- {
		dim := min(n-1-i, 2)
		r := s.Space.Ranges[i]
		if k.blocks != nil && dim < 2 {
			items[dim] = k.blocks.start(dim, s.Space.Vars[i], r)
			if k.blocks.shared != nil {
				continue // every group has a tile, and all of its items are needed at its barriers
			}
			outside = b.or(outside, b.op(boolType, ops.Ge, k.blocks.first[dim], k.blocks.end[dim]))
			continue
		}
		count := k.count(r)
		index := k.itemID(dim)
		if dim == 2 {
			index = rest
			if i > 0 {
				steps := k.scalar(s.Space.Vars[i].Name+"_count", i32T, count, interval.Between(1, hast.MaxExtent))
				index = b.op(i32T, ops.Rem, rest, steps)
				rest = b.once("z", b.op(i32T, ops.Div, rest, steps))
			}
		}
		items[dim] = mul(items[dim], count)
		v := k.iterator(s.Space.Vars[i], r, index)
		if g := int64(k.group(n)[dim]); k.folds != nil && dim < 2 || g > 1 && !isMultiple(count, g) {
			outside = b.or(outside, k.beyond(v, r))
		}
	}
	if outside != nil {
		b.emit(&kir.If{Placed: b.placed(), Cond: outside, Then: []kir.Stmt{k.leave()}})
	}
	return k.inFolds(k.inLayers(items))
}

// isMultiple reports whether a host value is known to be a multiple of a number.
func isMultiple(count kir.Expr, of int64) bool {
	n, ok := constInt(count)
	return ok && n%of == 0
}

// or joins two conditions; nil is false.
func (b *body) or(x, y kir.Expr) kir.Expr {
	if x == nil {
		return y
	}
	return b.op(boolType, ops.LOr, x, y)
}

// count is the number of values of a range, a host value.
func (k *kernelBuilder) count(r hast.Range) kir.Expr { return k.plan.count(r) }

// count is the number of values of a range, a host value; not above 0 where it has none.
func (pl *planner) count(r hast.Range) kir.Expr {
	lo, hi := pl.hostExpr(r.Lo), pl.hostExpr(r.Hi)
	if r.Step < 0 {
		lo, hi = hi, lo
	}
	step := max(r.Step, -r.Step)
	return div(add(sub(hi, lo), i64(step-1)), i64(step))
}

// rounds is the number of values of a range for kernels that count in loops: 0 where it ends before it starts, as 4:W-4 of few columns does. A count below 0
// would have loops over what is left behind whole parts begin below 0, too.
func (k *kernelBuilder) rounds(r hast.Range) kir.Expr {
	count := k.count(r)
	lo, hi := k.plan.hostInterval(r.Lo), k.plan.hostInterval(r.Hi)
	if r.Step < 0 {
		lo, hi = hi, lo
	}
	if _, known := constInt(count); known || hi.Lo >= lo.Hi {
		return count
	}
	return atLeast0(count)
}

// iterator declares an iteration variable: lo + index*step.
func (k *kernelBuilder) iterator(v *hast.Var, r hast.Range, index kir.Expr) *kir.Var {
	b := k.body
	limits := interval.Between(-hast.MaxExtent, hast.MaxExtent)
	lo, hi := k.plan.hostInterval(r.Lo).Meet(limits), k.plan.hostInterval(r.Hi).Meet(limits)
	iv := loopInterval(lo, hi, r.Step)
	value := index
	if r.Step != 1 {
		value = opExpr(i32T, ops.Mul, []kir.Expr{value, i32(r.Step)}, true)
	}
	value = opExpr(i32T, ops.Add, []kir.Expr{k.bound(v.Name+"_from", r.Lo), value}, true)
	kv := b.declare(v.Name, i32T, false, value)
	b.bounds[kv] = iv
	if r.Step > 0 {
		b.limits[kv] = k.bound(v.Name+"_to", r.Hi)
	}
	b.vars[v] = ref(kv)
	return kv
}

// beyond is the test for an item that lies outside the range.
func (k *kernelBuilder) beyond(v *kir.Var, r hast.Range) kir.Expr {
	op := ops.Ge
	if r.Step < 0 {
		op = ops.Le
	}
	return k.body.op(boolType, op, ref(v), k.bound(v.Name+"_to", r.Hi))
}

// bound is a host value in the kernel: a constant, or an i32 parameter named name unless it is a plain size.
func (k *kernelBuilder) bound(name string, e hast.Expr) kir.Expr {
	host := k.plan.hostExpr(e)
	if c, ok := constInt(host); ok {
		return i32(c)
	}
	iv := k.plan.hostInterval(e).Meet(interval.Between(-hast.MaxExtent, hast.MaxExtent))
	if r, ok := host.(*kir.Ref); ok {
		name = r.Var.Name
	}
	return k.scalar(name, i32T, host, iv)
}

// scalar makes a parameter for a host value; equal values share one.
func (k *kernelBuilder) scalar(name string, t types.Type, host kir.Expr, iv interval.Interval) kir.Expr {
	id := key(host, k.ids)
	v := k.byKey[id]
	if v == nil {
		v = &kir.Var{Name: name, Type: t, Const: true}
		k.byKey[id] = v
		k.body.bounds[v], k.plan.lowering.scalars[v] = iv, iv
		k.scalars = append(k.scalars, param{v, convert(host, t.Kind), host})
	}
	return ref(v)
}

// scalarOrConst is a host value in the kernel: a constant, or an i32 parameter.
func (k *kernelBuilder) scalarOrConst(name string, host kir.Expr, iv interval.Interval) kir.Expr {
	if c, ok := constInt(host); ok {
		return i32(c)
	}
	return k.scalar(name, i32T, host, iv)
}

// hostValue is a size, scalar parameter or host let in the body.
func (k *kernelBuilder) hostValue(v *hast.Var) kir.Expr {
	hv := k.plan.host[v]
	if hv == nil {
		panic(fmt.Sprintf("lower: %s is read outside of its scope", v.Name))
	}
	iv, ok := k.plan.bounds[v]
	if !ok {
		iv = interval.OfKind(v.Type.Kind)
	}
	if assumed, ok := k.plan.assumed[v]; ok {
		iv = iv.Meet(assumed)
	}
	return k.scalar(v.Name, v.Type, ref(hv), iv)
}

// buffer is an image as this kernel sees it, made on first use.
func (k *kernelBuilder) buffer(m *hast.Image, access kir.Access) *buffer {
	if b := k.byImage[m]; b != nil {
		b.v.Access |= access
		return b
	}
	im, name := k.plan.images[m], identifier(m)
	if wide := k.wide[m]; wide != nil {
		im, name = k.plan.images[wide], wide.Name
	}
	if k.shared[m] {
		access |= kir.Shared
	}
	b := &buffer{of: m, image: im, elem: m.Elem, memory: im.Elem.WithLanes(int(m.Elem.Lanes)), lineAxis: im.LineAxis, aligned: k.plan.aligned(m, im)}
	b.v = &kir.Var{Name: name, Type: types.Scalar(im.Elem.Kind), Space: kir.Global, Access: access, Const: true, At: m.At}
	if iv := k.plan.contents.in(m); iv != interval.OfKind(m.Elem.Kind) && !k.plan.swapped[m] {
		k.body.bounds[b.v] = iv
	}
	pass := func(v *kir.Var) kir.Expr {
		p := &kir.Var{Name: v.Name, Type: i64T, Const: true}
		k.body.bounds[p] = interval.Between(0, math.MaxInt32)
		b.params = append(b.params, param{p, ref(v), ref(v)})
		return ref(p)
	}
	if im.Offset != nil {
		b.start = pass(im.Offset)
	}
	if im.Pitch != nil {
		b.pitch = pass(im.Pitch)
	}
	for i, e := range m.Extent {
		b.extent = append(b.extent, k.extent(m, i, e))
	}
	k.byImage[m] = b
	k.buffers = append(k.buffers, b)
	return b
}

// extent is one extent of an image in the kernel. It becomes a parameter only where the body uses it.
func (k *kernelBuilder) extent(m *hast.Image, axis int, e hast.Expr) kir.Expr {
	name := fmt.Sprintf("%s_extent%d", identifier(m), axis)
	if from := len(m.Extent) - axis; from <= 2 {
		name = identifier(m) + map[int]string{1: "_width", 2: "_height"}[from]
	}
	host := k.plan.hostExpr(e)
	if c, ok := constInt(host); ok {
		return i32(c)
	}
	if r, ok := host.(*kir.Ref); ok {
		name = r.Var.Name
	}
	return k.scalar(name, i32T, host, k.plan.extentInterval(m, e))
}
