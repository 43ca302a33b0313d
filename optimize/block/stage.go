package block

import (
	"slices"

	"imgc/hast"
	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

// A Stage is what matters about a stage. Its last variable is x, the one before is y; a block of instances is some of both.
type Stage struct {
	// Alone says why instances cannot be computed side by side by one work-item, as the end of a sentence; "" where they can.
	Alone   string
	X, Y    *hast.Var // Y is nil in a stage of one variable
	Windows []*Window // what is read at fixed distances from the instance, and not written
	Outputs []*Output // what each instance writes, at a fixed distance from itself
	// Once: the body does something that must be done for instances only, once for each: a store that is no Output, an update, a
	// loop that need not end.
	Once bool
	// Flat: every instance touches its own pixel of every image and nothing else, and the images have the extents of the space, so
	// that the whole may be seen as one line.
	Flat   bool
	Direct []*hast.Image // that are read where no window covers it; as the program names them
	Turns  bool          // windows may be of images that are turned
	Rows   *Rows         // the sums that are computed row by row; nil where none is
	Scope  *Scope        // of the body; its Range knows nothing
	Legs   []*Leg        // of the body where there are loops over planes that blocks load one by one; else nil
}

// FewPixels are so few that an axis is left as it is: it may be that of the components of a pixel, and there is nothing to gain along it.
const FewPixels = 16

// MostPoints bounds the points of windows and loops that phases before plans look at one by one.
const MostPoints = 1 << 12

// A Window is the block of pixels that a block of instances reads of one image.
type Window struct {
	Place
	Rule   *hast.Rule // what is outside of the image; nil where no instance reads there
	Floats bool       // groups may hold it as floats in local memory (Group.HoldsFloats)
	Beyond [2]bool    // whether instances of the stage that reads it may do so outside of the image, along x and y; others may, which are none but computed all the same
	dense  bool       // see Looks.Dense
}

// An Output is the block of pixels that a block of instances writes, all of them and each as a whole: each instance its own, or as many
// rows and columns as it lies apart from its neighbours, from Lo to Hi of the place.
type Output struct{ Place }

// Apart is how many places lie between an instance and the next: those that each of them writes of an output.
func (s Span) Apart() int { return max(1, s.Stride) }

// puts reports whether an image is one of the outputs.
func (s *Stage) puts(m *hast.Image) bool {
	return slices.ContainsFunc(s.Outputs, func(o *Output) bool { return o.Image.Base() == m.Base() })
}

// Shares reports whether neighbouring instances read pixels that they have in common.
func (s *Stage) Shares() bool {
	for _, w := range s.Windows {
		if w.X.Hi > w.X.Lo || w.Y.Hi > w.Y.Lo {
			return true
		}
	}
	return false
}

// A Place is where a block of pixels lies for the instance (y, x): by positions, from the first pixel of an axis on.
type Place struct {
	Image *hast.Image
	Outer []Linear // on the axes before that of the lines: a constant, or some times a variable other than x and y plus one
	Y     Span     // on the axis of the lines; the zero Span of an image of one line
	X     Span     // along the lines
	Turn  Turn     // of the image, before Y and X are
	// Of are the coordinates along the lines and over them where these are periodic, else nil, as distances from the first pixel.
	Of [2]hast.Expr
}

// A Span is Stride*v + Lo ... Stride*v + Hi, where v is the stage's variable; with a Div, the floors of these divided by Div.
type Span struct {
	Stride, Lo, Hi int
	Div            int // 0 of what is not divided
	// Periodic: each Div instances from a multiple of Div on have the places Lo ... Hi together, Stride farther than those before, where any of them may have any (see Phases).
	Periodic bool
}

func (s Span) join(t Span) Span {
	s.Lo, s.Hi = min(s.Lo, t.Lo), max(s.Hi, t.Hi)
	return s
}

func (s Span) contains(t Span) bool { return s.alike(t) && s.Lo <= t.Lo && t.Hi <= s.Hi }

// alike reports whether two spans differ in Lo and Hi alone.
func (s Span) alike(t Span) bool {
	return s.Stride == t.Stride && s.Div == t.Div && s.Periodic == t.Periodic
}

// Sparse reports whether there are places between those that an instance reads and those that the next one does.
func (s Span) Sparse() bool { return s.Div == 0 && s.Each() < s.Stride }

// Each is how many places an instance reads.
func (s Span) Each() int { return s.Hi - s.Lo + 1 }

// Reads reports whether some instance reads a place.
func (s Span) Reads(place int) bool {
	from := place - s.Lo
	return !s.Sparse() || from-s.Stride*int(ops.FloorQuotient(int64(from), int64(s.Stride))) < s.Each()
}

// By is what is divided by, 1 where nothing is.
func (s Span) By() int { return max(1, s.Div) }

// Divides reports whether a block of n instances has the same places, from its own first one on, wherever it is.
func (s Span) Divides(n int) bool {
	if s.Periodic {
		return n%s.Div == 0
	}
	return s.Stride*n%s.By() == 0 || s.common(n)
}

// common reports whether blocks of n instances are parts of those that have a place in common.
func (s Span) common(n int) bool {
	return s.Stride == 1 && n > 1 && s.By() > n && s.By()%n == 0 && s.Lo == s.Hi && s.Lo%s.By() == 0
}

// Covers is the number of places that lie beside each other below a block of n instances.
func (s Span) Covers(n int) int {
	if s.common(n) {
		return 1
	}
	return s.Stride * n / s.By()
}

// First is the place of the first that a block reads, from the first below it on.
func (s Span) First() int {
	if s.Periodic {
		return s.Lo
	}
	return s.under(s.Lo)
}

// Count is the number of places from the first that n instances read to the last.
func (s Span) Count(n int) int { return s.Last(n) - s.First() + 1 }

// Last is the place of the last that n instances read, from the first below them on.
func (s Span) Last(n int) int {
	if s.Periodic {
		return s.Stride*(n/s.Div-1) + s.Hi
	}
	return s.under(s.Stride*(n-1) + s.Hi)
}

// Behind is how many places the last instance reads at most behind those that lie below it; less than 0 where it leaves some of these.
func (s Span) Behind() int { return -s.under(s.Stride - 1 - s.Hi) }

// own is the last of the places below an instance that begins one.
func (s Span) own() int { return -s.under(-s.Stride) - 1 }

// under is x divided by what is divided by, rounded down.
func (s Span) under(x int) int { return int(ops.FloorQuotient(int64(x), int64(s.By()))) }

// Axes are those of an image's lines, of the pixels of a line, and of the channels of a pixel, -1 where there is none.
func Axes(m *hast.Image) (line, pixel, channel int) {
	n := m.Rank()
	last, _ := hast.Number(m.Extent[n-1])
	line = kir.LineAxis(n, last)
	if channel = line + 2; channel >= n {
		channel = -1
	}
	return line, line + 1, channel
}

// Channels is the number of components of what lies at one position of a line.
func Channels(m *hast.Image) int {
	n := int(m.Elem.Lanes)
	if _, _, c := Axes(m); c >= 0 {
		last, _ := hast.Number(m.Extent[c])
		n *= int(last)
	}
	return n
}

// Analyze looks at a stage whose reductions of at most unroll points are written out.
func Analyze(s *hast.Stage, unroll int) *Stage { return analyze(s, unroll, func(*analysis) {}) }

// AnalyzeWords is Analyze for work-items that compute integers in halves of words: windows may lie at divided coordinates, too, though no words of theirs are bytes of neighbours.
func AnalyzeWords(s *hast.Stage, unroll int) *Stage {
	return analyze(s, unroll, func(a *analysis) { a.divides() })
}

// AnalyzeBlocks is AnalyzeLoops for work-items that load what a block reads before they store anything: windows may lie at divided coordinates,
// as in up[y][x] = down[y/2][x/2] (see Span.Divides), or where they do as long as instances are near (Scope.Near), and be of an image that is written, of which each
// instance reads its own pixel. An instance may write several neighbours, as in up[2*y : 2][2*x : 2] = down[y][x].
//
// Loops over planes of images of which there are windows in no other way are Legs, and so are outputs that have weights of their own.
func AnalyzeBlocks(s *hast.Stage, unroll int) *Stage {
	allow := func(a *analysis) {
		a.inPlace, a.loops, a.several = true, true, true
		a.divides()
		a.nears()
	}
	what := analyze(s, unroll, allow)
	if out := inLegs(s, unroll, what, allow); out != nil {
		return out
	}
	if out := inParts(s, what); out != nil {
		return out
	}
	return what
}

// AnalyzeLine is Analyze for groups that take lines block after block, in which items load what they compute from before any of them stores: windows may be of an image
// that is written, of which each instance reads its own pixel.
func AnalyzeLine(s *hast.Stage, unroll int) *Stage {
	return analyze(s, unroll, func(a *analysis) { a.inPlace = true })
}

// analyzePart is Analyze of a stage of a group, which may read what others keep at divided coordinates; what is in memory each instance
// reads there by itself. Without something at divided coordinates it is the same whatever is kept. With turns, windows of what is in memory may be turned.
func analyzePart(s *hast.Stage, unroll int, kept map[*hast.Image]bool, turns bool) (out *Stage, divided bool) {
	a := analysisOf(s, unroll, func(a *analysis) {
		a.kept, a.out.Turns = kept, turns
		a.divides()
	})
	return a.out, a.divided
}

// divides has the variables divided that count from 0 on.
func (a *analysis) divides() { a.out.Scope.Divided = Counting(a.stage) }

// Counting are the variables of a stage that count from 0 on.
func Counting(s *hast.Stage) (list []*hast.Var) {
	for k, r := range s.Space.Ranges {
		if r.Counts() {
			list = append(list, s.Space.Vars[k])
		}
	}
	return list
}

// nears has the instances be near of which the body says something else far away.
func (a *analysis) nears() {
	a.out.Scope.Near = map[*hast.Var]int64{}
	hast.WalkBody(a.stage.Body, nil, func(e hast.Expr) {
		x, ok := e.(*hast.Select)
		if !ok {
			return
		}
		v, below, ok := x.IsNear()
		if was, known := a.out.Scope.Near[v]; ok && (v == a.out.X || v == a.out.Y) && (!known || below < was) {
			a.out.Scope.Near[v] = below
		}
	})
}

// AnalyzeLoops is Analyze where loops of at most unroll points that end in no other way are written out, too.
func AnalyzeLoops(s *hast.Stage, unroll int) *Stage {
	return analyze(s, unroll, func(a *analysis) { a.loops = true })
}

func analyze(s *hast.Stage, unroll int, allow func(*analysis)) *Stage {
	return analysisOf(s, unroll, allow).out
}

// analysisOf goes through a stage. Allow says what windows and outputs may be beside what they always may; it is not asked where instances stay alone.
func analysisOf(s *hast.Stage, unroll int, allow func(*analysis)) *analysis {
	a, why := newAnalysis(s, unroll)
	if why == "" {
		allow(a)
		a.stores(s.Body, s.Where == nil)
		a.run()
	}
	return a
}

// newAnalysis starts to look at a stage; why says why its instances stay alone.
func newAnalysis(s *hast.Stage, unroll int) (a *analysis, why string) {
	n := len(s.Space.Vars)
	out := &Stage{}
	a = &analysis{
		stage: s, out: out, unroll: unroll, ranges: map[*hast.Var][2]int64{}, stored: map[*hast.Image][]*hast.Store{},
	}
	switch {
	case s.Scan != nil:
		out.Alone = "its instances run one after the other"
	case n == 0:
		out.Alone = "it has one instance"
	case s.Space.Ranges[n-1].Step != 1 || n > 1 && s.Space.Ranges[n-2].Step != 1:
		out.Alone = "it leaves out instances"
	}
	if out.Alone != "" {
		return a, out.Alone
	}
	out.X = s.Space.Vars[n-1]
	if n > 1 {
		out.Y = s.Space.Vars[n-2]
	}
	out.Scope = &Scope{Iterators: s.Space.Vars, Lets: map[*hast.Var]hast.Expr{}, Range: func(v *hast.Var) (int64, int64, bool) {
		r, ok := a.ranges[v]
		return r[0], r[1], ok
	}}
	return a, ""
}

// run goes through the body, whose stores are known.
func (a *analysis) run() {
	s := a.stage
	if s.Where != nil {
		a.expr(s.Where)
	}
	a.under(s.Where != nil, func() { a.stmts(s.Body) })
	a.outputs()
	a.out.Flat = a.flat()
	a.out.Scope.Range = func(*hast.Var) (int64, int64, bool) { return 0, 0, false }
}

type analysis struct {
	stage  *hast.Stage
	out    *Stage
	unroll int
	loops  bool
	// inPlace: pixels that an instance writes itself may be in windows. There are so many loads of them.
	inPlace bool
	several bool                   // instances may write several pixels of an output
	kept    map[*hast.Image]bool   // the images of which windows may lie at divided coordinates; nil where these are all
	others  images                 // that are written, and read at other places, or afterwards
	divided bool                   // something is read at divided coordinates
	done    images                 // that have been written
	ranges  map[*hast.Var][2]int64 // of variables of reductions and loops that are written out
	stored  map[*hast.Image][]*hast.Store
	order   []*hast.Image // the keys of stored, as they come
	direct  images
	read    images
	other   bool // there is a read that no window covers
	uses    int  // of iteration variables
	own     int  // of them those in the subscripts of windows and outputs
	byRows  bool // what is read belongs to a sum by rows
	unsure  bool // what is at hand stands under a condition that may never hold
}

// images are a few of them, in which looking one up by itself takes less than a map does.
type images []*hast.Image

func (s images) has(m *hast.Image) bool { return slices.Contains(s, m) }

func (s *images) add(m *hast.Image) {
	if !s.has(m) {
		*s = append(*s, m)
	}
}

// stores notes the stores of a body. Those that not every instance comes to are direct.
func (a *analysis) stores(body []hast.Stmt, always bool) {
	for _, s := range body {
		switch s := s.(type) {
		case *hast.Store:
			m := s.Image.Base()
			if a.stored[m] == nil {
				a.order = append(a.order, m)
			}
			a.stored[m] = append(a.stored[m], s)
			if !always || s.Updates() || s.Skip {
				a.direct.add(m)
			}
		case *hast.While:
			a.out.Once = true
		}
		_, bodies := hast.Parts(s)
		for _, b := range bodies {
			a.stores(b, false)
		}
	}
}

func (a *analysis) stmts(body []hast.Stmt) {
	for _, s := range body {
		a.let(s)
		exprs, bodies := hast.Parts(s)
		for _, e := range exprs {
			a.expr(e)
		}
		if st, ok := s.(*hast.Store); ok {
			a.done.add(st.Image.Base())
		}
		done := func() {}
		if l, ok := s.(*hast.For); ok && a.loops && !Jumps(l.Body) && !a.out.Scope.overPlanes(l.Space) {
			done = a.bind(l.Space)
		}
		l, loop := s.(*hast.For)
		a.under(!loop || Reaches(l.Space, a.unroll) == nil, func() {
			for _, b := range bodies {
				a.stmts(b)
			}
		})
		done()
	}
}

// Jumps reports whether statements have a break or continue.
func Jumps(body []hast.Stmt) bool {
	found := false
	hast.WalkBody(body, func(s hast.Stmt) {
		switch s.(type) {
		case *hast.Break, *hast.Continue:
			found = true
		}
	}, nil)
	return found
}

// bind gives the variables of a space that is written out their ranges, until the function that it returns is called.
func (a *analysis) bind(s hast.Space) (done func()) {
	list := Reaches(s, a.unroll)
	if list == nil {
		return func() {}
	}
	for i, v := range s.Vars {
		a.ranges[v] = list[i]
	}
	return func() {
		for _, v := range s.Vars {
			delete(a.ranges, v)
		}
	}
}

// let notes what a let stands for.
func (a *analysis) let(s hast.Stmt) {
	if d, ok := s.(*hast.Define); ok && d.Var.Class == hast.Value && d.Var.Type == i32 && d.Init != nil {
		a.out.Scope.Lets[d.Var] = d.Init
	}
}

var i32 = types.Scalar(types.I32)

func (a *analysis) expr(e hast.Expr) {
	switch e := e.(type) {
	case *hast.Ref:
		for _, v := range a.stage.Space.Vars {
			if v == e.Var {
				a.uses++
			}
		}
	case *hast.Load:
		a.load(e.Image, e.Index, e.Rule)
	case *hast.Window:
		a.window(e)
	case *hast.Reduce:
		if e.Ways == 0 { // what is done in several ways is not written out
			defer a.bind(e.Space)()
		}
	}
	r, reduces := e.(*hast.Reduce)
	was := a.byRows
	a.byRows = was || reduces && a.out.Rows.of(r) != nil
	n := 0
	hast.EachOperand(e, func(x hast.Expr) {
		a.under(conditional(e, n), func() { a.expr(x) })
		n++
	})
	a.byRows = was
}

// under is f for what stands under a condition, if it does.
func (a *analysis) under(condition bool, f func()) {
	was := a.unsure
	a.unsure = was || condition
	f()
	a.unsure = was
}

// conditional reports whether an operand is computed only where others say so.
func conditional(e hast.Expr, operand int) bool {
	switch e := e.(type) {
	case *hast.Select:
		return operand > 0
	case *hast.Op:
		return operand > 0 && e.Op.Lazy()
	case *hast.Reduce:
		return e.Where != nil
	}
	return false
}

// mayBeEmpty reports whether an image may have no pixels where the stage has instances, as a part of another one. Blocks are loaded whatever conditions say, from pixels that there are.
func (a *analysis) mayBeEmpty(m *hast.Image) bool {
	return m.View != nil && slices.ContainsFunc(m.Extent, func(e hast.Expr) bool {
		n, constant := hast.Number(e)
		covered := func(r hast.Range) bool { return r.Counts() && hast.Equal(r.Hi, e) }
		return (!constant || n < 1) && !slices.ContainsFunc(a.stage.Space.Ranges, covered)
	})
}

// window is the read of a block, where its elements are written out.
func (a *analysis) window(w *hast.Window) {
	if w.T.Len() > a.unroll {
		a.read.add(w.Image.Base())
		a.others.add(w.Image.Base())
		a.other = true
		a.out.Direct = append(a.out.Direct, w.Image)
		return
	}
	first := make([]hast.Coord, len(w.Axes))
	for k, x := range w.Axes {
		first[k] = x.Start
	}
	line, _, _ := Axes(w.Image)
	a.inPlanes(w, first, max(0, line))
}

// inPlanes enters the first and the last pixel of a block in each of its planes, which lie along the first so many axes.
func (a *analysis) inPlanes(w *hast.Window, first []hast.Coord, axes int) {
	last := slices.Clone(first)
	if axes == 0 {
		line, _, _ := Axes(w.Image)
		for k := max(0, line); k < len(w.Axes); k++ {
			last[k] = nth(w.Axes[k], w.Axes[k].Count-1)
		}
		a.enter(w.Image, first, w.Rule)
		a.enter(w.Image, last, w.Rule)
		return
	}
	for n := range w.Axes[axes-1].Count {
		last[axes-1] = nth(w.Axes[axes-1], n)
		a.inPlanes(w, last, axes-1)
	}
}

// nth is the coordinate of so many places behind the first of a block, along an axis.
func nth(x hast.WindowAxis, n int) hast.Coord {
	c := x.Start
	if x.Colon {
		c.X = hast.Plus(c.X, int64(x.Stride*n))
	}
	return c
}

// load enters a read, of several planes one of each where that is of one pixel. Items would hold too much of all planes around pixels: non-local means, which sum columns of
// seven rows of seven planes, took 12.1 ms so on an H200 in CUDA, 4096 x 4096, and take 8.0.
func (a *analysis) load(m *hast.Image, index []hast.Coord, rule *hast.Rule) {
	v := a.planeOf(m, index)
	if v == nil || !a.onePixel(m, index) {
		a.enter(m, index, rule)
		return
	}
	was := a.ranges[v]
	for n := was[0]; n <= was[1]; n++ {
		a.ranges[v] = [2]int64{n, n}
		a.load(m, index, rule)
	}
	a.ranges[v] = was
}

// onePixel reports whether a read is of one pixel of each plane that it reads.
func (a *analysis) onePixel(m *hast.Image, index []hast.Coord) bool {
	v := a.planeOf(m, index)
	if v == nil {
		p, ok := a.out.Place(a.out.Scope, m, index)
		return ok && p.X.Each()*p.Y.Each() == 1
	}
	was := a.ranges[v]
	defer func() { a.ranges[v] = was }()
	a.ranges[v] = [2]int64{was[0], was[0]}
	return a.onePixel(m, index)
}

// enter adds a read to a window.
func (a *analysis) enter(m *hast.Image, index []hast.Coord, rule *hast.Rule) {
	a.read.add(m.Base())
	p, ok := a.out.Place(a.out.Scope, m, index)
	if ok && a.kept != nil && !a.kept[m] {
		ok = p.Y.Div == 0 && p.X.Div == 0
	}
	if a.kept != nil { // parts begin anywhere
		ok = ok && !p.Y.Periodic && !p.X.Periodic
	}
	ok = ok && (p.Turn == Turn{} || !a.kept[m])
	a.divided = a.divided || p.X.Div+p.Y.Div != 0
	if ok && a.stored[m.Base()] != nil {
		ok = a.inPlace && !a.done.has(m.Base()) && m.View == nil && !a.byRows && a.out.itself(p)
	}
	if !ok || a.unsure && a.mayBeEmpty(m) {
		a.others.add(m.Base())
		a.other = true
		a.out.Direct = append(a.out.Direct, m)
		return
	}
	a.own += a.ownPixel(p, index)
	list := &a.out.Windows
	if a.byRows {
		list = &a.out.Rows.Windows
	}
	for _, w := range *list {
		y, okY := w.Y.joined(p.Y)
		x, okX := w.X.joined(p.X)
		if okY && okX && w.along(p) && (w.Rule == nil || rule == nil || sameRule(w.Rule, rule)) {
			w.Y, w.X = y, x
			if w.Rule == nil {
				w.Rule = rule
			}
			w.beyond(index)
			return
		}
	}
	w := &Window{Place: p, Rule: rule}
	w.beyond(index)
	*list = append(*list, w)
}

// beyond notes where a read may lie outside of the image.
func (w *Window) beyond(index []hast.Coord) {
	line, pixel, _ := Axes(w.Image)
	for dim, axis := range [2]int{pixel, line} {
		w.Beyond[dim] = w.Beyond[dim] || axis >= 0 && (index[axis].Below || index[axis].Above)
	}
}

// planeOf is a variable that counts planes of a read, those before its lines, where these are not all the same; nil where there is none.
func (a *analysis) planeOf(m *hast.Image, index []hast.Coord) (v *hast.Var) {
	line, _, _ := Axes(m)
	for _, c := range index[:max(0, line)] {
		hast.Walk(c.X, func(e hast.Expr) {
			if r, ok := e.(*hast.Ref); ok && v == nil && a.ranges[r.Var][0] < a.ranges[r.Var][1] {
				v = r.Var
			}
		})
	}
	return v
}

// sameBut reports whether two places are alike but for the extent of their spans.
func (p Place) sameBut(q Place) bool { return p.along(q) && p.Y.alike(q.Y) && p.X.alike(q.X) }

// along reports whether two places are in the same lines of images that lie alike, at any pixels of these.
func (p Place) along(q Place) bool {
	if p.Image != q.Image || !p.Turn.same(q.Turn) {
		return false
	}
	for k := range p.Outer {
		if p.Outer[k] != q.Outer[k] {
			return false
		}
	}
	return true
}

// Same reports whether two places are the same pixels of the same image.
func (p Place) Same(q Place) bool { return p.sameBut(q) && p.Y == q.Y && p.X == q.X }

// Find is the window that a read belongs to, and where; nil where there is none.
func (s *Stage) Find(scope *Scope, m *hast.Image, index []hast.Coord, rule *hast.Rule) (*Window, Place) {
	return s.find(s.Windows, scope, m, index, rule)
}

// FindInRows is Find for a read of a sum by rows.
func (s *Stage) FindInRows(scope *Scope, m *hast.Image, index []hast.Coord, rule *hast.Rule) (*Window, Place) {
	return s.find(s.Rows.Windows, scope, m, index, rule)
}

func (s *Stage) find(list []*Window, scope *Scope, m *hast.Image, index []hast.Coord, rule *hast.Rule) (*Window, Place) {
	p, ok := s.Place(scope, m, index)
	if !ok {
		return nil, p
	}
	for _, w := range list {
		if w.along(p) && w.Y.holds(p.Y) && w.X.holds(p.X) && (rule == nil || w.Rule != nil && sameRule(w.Rule, rule)) {
			return w, p
		}
	}
	return nil, p
}

// sameRule reports whether two rules give the same pixels.
func sameRule(x, y *hast.Rule) bool {
	switch {
	case x == y:
		return true
	case x.Kind != y.Kind || x.Border != y.Border:
		return false
	}
	return x.Value == nil && y.Value == nil || x.Value != nil && y.Value != nil && hast.Equal(x.Value, y.Value)
}
