package sema

import (
	"fmt"
	"strconv"

	"imgc/diag"
	"imgc/hast"
	"imgc/ops"
	"imgc/source"
	"imgc/syntax"
	"imgc/types"
)

// pyramidEnt is a pyramid of a pipeline. Each of its levels that the text names is an imageEnt.
type pyramidEnt struct {
	declared
	*usage
	pyr    *hast.Pyramid
	extent []hast.Expr // of the finest level; nil after an error in the declaration
	scale  []int64     // what divides each extent from level to level
	border *syntax.Rule
	home   *env      // of the declaration
	whole  *imageEnt // stands for every level in border clauses
	levels map[levelKey]*imageEnt
	bound  *traversal // the traverse whose body is being checked; nil outside
}

func (*pyramidEnt) noun() string { return "a pyramid" }

// A levelKey names a level: an absolute one, or in a traverse by its distance from the one at hand.
type levelKey struct {
	in *traversal
	k  int64
}

// A traversal is a traverse whose body is being checked.
type traversal struct {
	node *hast.Traverse
	up   *traversal
}

// over lists what counts the levels around, outermost first.
func (t *traversal) over() []*hast.Levels {
	if t == nil {
		return nil
	}
	return append(t.up.over(), t.node.Levels)
}

// pyramid declares a pyramid of a pipeline.
func (e *env) pyramid(s *syntax.Pyramid) {
	if s.Type == nil {
		return
	}
	if e.trav != nil {
		e.notYet(s.At, "a pyramid in the body of a traverse").Note("declare it before the traverse")
		e.declare(s.Name, &badEnt{declared{s.Name.At}})
		return
	}
	p := &pyramidEnt{
		declared: declared{s.Name.At}, usage: &usage{}, border: s.Border, home: e, levels: map[levelKey]*imageEnt{},
	}
	images := len(e.pipe.images)
	p.whole = e.newImage(s.Name, s.Type, hast.Local)
	e.pipe.images = e.pipe.images[:images] // its levels are images, not the pyramid
	count := e.hostInt(e.operand(s.Levels), "the number of levels")
	scale, ok := e.scale(s, len(p.whole.img.Extent))
	img := p.whole.img
	p.pyr = &hast.Pyramid{Name: s.Name.Text, Elem: img.Elem, Lower: img.Lower, Zero: true, At: s.Name.At}
	e.declare(s.Name, p)
	if !ok || count == nil || !e.levelCount(count, s) || !img.Elem.IsValid() {
		p.pyr.Elem = types.Type{}
		return
	}
	own := &hast.Levels{Level: levelVar(s.Name.Text+"_level", s.Name.At), Count: count, At: s.At}
	p.extent, p.scale = img.Extent, scale
	p.countedBy(own)
	e.pipe.p.Pyramids = append(e.pipe.p.Pyramids, p.pyr)
	e.pipe.pyramids = append(e.pipe.pyramids, p)
	if e.nests {
		e.emit(&hast.FreshPyramid{Pyramid: p.pyr, At: s.At})
	}
}

// countedBy makes l what counts the levels of the pyramid: its own, or those of the last traverse through it, which has as many.
func (p *pyramidEnt) countedBy(l *hast.Levels) {
	p.pyr.Over, p.pyr.Extent = []*hast.Levels{l}, nil
	for i, x := range p.extent {
		p.pyr.Extent = append(p.pyr.Extent, scaledExtent(l, x, p.scale[i], 0, p.at))
	}
}

func levelVar(name string, at source.Span) *hast.Var {
	return &hast.Var{Name: name, Type: types.Scalar(types.I32), Class: hast.HostLevel, At: at}
}

// levelCount reports a constant number of levels that no pyramid has.
func (e *env) levelCount(count hast.Expr, s *syntax.Pyramid) bool {
	n, ok := constInt(count)
	if ok && (n < 1 || n > hast.MaxLevels) {
		e.errorf(diag.BadExtent, s.Levels.Span(), "a pyramid has 1 to %d levels, this has %d", hast.MaxLevels, n)
		return false
	}
	return true
}

// scale is what divides each extent from level to level: 2 for the last two unless it is written.
func (e *env) scale(s *syntax.Pyramid, rank int) ([]int64, bool) {
	factors := make([]int64, rank)
	for i := range factors {
		if factors[i] = 1; i >= rank-2 {
			factors[i] = 2
		}
	}
	if s.Scale == nil {
		return factors, true
	}
	if len(s.Scale) != rank {
		e.errorf(diag.BadExtent, s.At, "scale names %s, %s has %s", plural(len(s.Scale), "factor"), s.Name.Text, plural(rank, "extent")).
			Note("write a factor for each extent; 1 keeps it")
		return nil, false
	}
	for i, text := range s.Scale {
		n, err := strconv.ParseInt(text, 0, 64)
		if err != nil || n < 1 || n > maxScale {
			e.errorf(diag.BadExtent, s.At, "a factor of scale is between 1 and %d, this is %s", maxScale, text)
			return nil, false
		}
		factors[i] = n
	}
	return factors, true
}

// maxScale bounds the factors between two levels.
const maxScale = 1 << 10

// scaledExtent is an extent k levels coarser than the one at hand, in terms of the variables of l.
func scaledExtent(l *hast.Levels, finest hast.Expr, factor, k int64, at source.Span) hast.Expr {
	if factor == 1 {
		return finest
	}
	var s *hast.Scaled
	for _, other := range l.Scaled {
		if other.Factor == factor && hast.Equal(other.Finest, finest) {
			s = other
		}
	}
	if s == nil {
		s = &hast.Scaled{Var: levelVar(scaledName(finest)+"_level", at), Finest: finest, Factor: factor}
		l.Scaled = append(l.Scaled, s)
	}
	for int64(len(s.Finer)) < -k {
		s.Finer = append(s.Finer, levelVar(fmt.Sprintf("%s_finer%s", scaledName(finest), suffix(len(s.Finer))), at))
	}
	if k < 0 {
		return ref(s.Finer[-k-1], at)
	}
	x := ref(s.Var, at)
	for range k {
		x = coarser(x, factor, at)
	}
	return x
}

func suffix(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n + 1)
}

// scaledName is what messages and generated code call an extent.
func scaledName(x hast.Expr) string {
	if r, ok := x.(*hast.Ref); ok {
		return r.Var.Name
	}
	return "extent"
}

// coarser is an extent one level coarser: (x + factor - 1) / factor, as kernels write it.
func coarser(x hast.Expr, factor int64, at source.Span) hast.Expr {
	if n, ok := constInt(x); ok {
		return intConst((n+factor-1)/factor, at)
	}
	return binaryInt(ops.Div, plus(x, factor-1, at), intConst(factor, at), at)
}

// level is p[k] as an image; nil after an error.
func (e *env) level(p *pyramidEnt, sub syntax.Sub) *imageEnt {
	if sub.Star || sub.Count != nil {
		e.errorf(diag.BadSubscript, sub.At, "%s has levels: its first subscript is the number of one", p.pyr.Name)
		return nil
	}
	o := e.operand(sub.Start)
	if !o.valid() || !p.pyr.Elem.IsValid() {
		return nil
	}
	n, ok := o.con.index()
	switch {
	case !o.typ.IsScalar() || !o.typ.Kind.IsInt():
		e.errorf(diag.BadSubscript, o.at, "a level is an integer, this is %s", o.typ)
		return nil
	case !ok && p.bound != nil:
		e.errorf(diag.NotConstant, o.at, "inside its traverse a level is a constant: 0 is the one at hand, +1 the next coarser, -1 the next finer")
		return nil
	case !ok:
		e.notYet(o.at, "a level that is not a constant").Note("traverse (%s) { ... } goes through the levels", p.pyr.Name)
		return nil
	case p.bound == nil && n < 0 || n <= -hast.MaxLevels || n >= hast.MaxLevels:
		d := e.errorf(diag.IndexRange, o.at, "%s has no level %d", p.pyr.Name, n)
		if p.bound == nil {
			d.Note("outside of a traverse levels are counted from 0, the finest")
		}
		return nil
	}
	return e.levelImage(p, levelKey{p.bound, int64(n)}, o.at)
}

// levelImage makes the image of a level where the text names it first.
func (e *env) levelImage(p *pyramidEnt, key levelKey, at source.Span) *imageEnt {
	if m := p.levels[key]; m != nil {
		return m
	}
	img := &hast.Image{Dir: hast.Local, Elem: p.pyr.Elem, Lower: p.pyr.Lower, Of: p.pyr, At: p.at}
	if key.in == nil {
		img.Name = fmt.Sprintf("%s[%d]", p.pyr.Name, key.k)
		img.Index = intConst(key.k, at)
		for i, x := range p.extent {
			for range key.k {
				if p.scale[i] > 1 {
					x = coarser(x, p.scale[i], at)
				}
			}
			img.Extent = append(img.Extent, x)
		}
	} else {
		img.Name = p.pyr.Name + "[0]"
		if key.k != 0 {
			img.Name = fmt.Sprintf("%s[%+d]", p.pyr.Name, key.k)
		}
		l := key.in.node.Levels
		img.Index = plusOrSame(ref(l.Level, at), key.k, at)
		for i, x := range p.extent {
			img.Extent = append(img.Extent, scaledExtent(l, x, p.scale[i], key.k, at))
		}
	}
	m := &imageEnt{declared: p.declared, img: img, dir: hast.Local, usage: p.usage, of: p}
	p.levels[key] = m
	p.home.ownRule(m, p.border)
	e.pipe.images = append(e.pipe.images, m)
	return m
}

// inLevels makes an image that is declared in the body of a traverse one for each level.
func (e *env) inLevels(m *hast.Image) {
	if e.trav == nil || m.Dir != hast.Local {
		return
	}
	f := &hast.Pyramid{Name: m.Name, Elem: m.Elem, Over: e.trav.over(), Extent: m.Extent, Lower: m.Lower, At: m.At}
	for _, g := range e.guards {
		if f.Used == nil {
			f.Used = g
			continue
		}
		f.Used = &hast.Op{Typed: typed(types.Scalar(types.Bool), m.At), Op: ops.LAnd, Args: []hast.Expr{f.Used, g}}
	}
	m.Of, m.Index = f, ref(f.Own().Level, m.At)
	e.pipe.p.Pyramids = append(e.pipe.p.Pyramids, f)
}

// barePyramid is the pyramid that an expression names without subscripts; nil if it does not.
func (e *env) barePyramid(x syntax.Expr) *pyramidEnt {
	id, ok := syntax.Unparen(x).(*syntax.Ident)
	if !ok {
		return nil
	}
	p, _ := e.scope.find(id.Name).(*pyramidEnt)
	return p
}

// leveled resolves the first subscript of a pyramid. It returns the entity that the name and the subscripts before rest stand for:
// badEnt after an error.
func (e *env) leveled(ent entity, subs []syntax.Sub, at source.Span) (entity, []syntax.Sub) {
	p, ok := ent.(*pyramidEnt)
	if !ok {
		return ent, subs
	}
	if len(subs) == 0 {
		e.noLevel(p, at)
		return &badEnt{p.declared}, nil
	}
	m := e.level(p, subs[0])
	if m == nil {
		return &badEnt{p.declared}, subs[1:]
	}
	return m, subs[1:]
}

// levelRead is p[k][y][x]: a pixel or window of a level.
func (e *env) levelRead(p *pyramidEnt, x *syntax.Index, subs []syntax.Sub) operand {
	ent, rest := e.leveled(p, subs, x.At)
	m, ok := ent.(*imageEnt)
	if !ok {
		e.subscriptErrors(rest)
		return invalid(x.At)
	}
	if len(rest) == 0 {
		m.read = true
		e.errorf(diag.WrongUse, x.At, "%s is an image, which is no value by itself", m.img.Name).Note("write %s for one pixel", m.example())
		return invalid(x.At)
	}
	return e.read(m, x, rest)
}

// noLevel reports a pyramid where one of its levels is asked for.
func (e *env) noLevel(p *pyramidEnt, at source.Span) {
	p.read = true
	e.errorf(diag.WrongUse, at, "%s is a pyramid; an image is one of its levels", p.pyr.Name).Note("write %s[0] for the finest", p.pyr.Name)
}

// pyramidField is g.level, g.levels, g.top and g.bottom.
func (e *env) pyramidField(p *pyramidEnt, x *syntax.Field) operand {
	if !p.pyr.Elem.IsValid() {
		return invalid(x.At)
	}
	count := p.pyr.Own().Count
	if x.Name.Text == "levels" {
		return e.hostOperand(count, x)
	}
	is := func(level, n hast.Expr) operand {
		return runtime(&hast.Op{Typed: typed(types.Scalar(types.Bool), x.At), Op: ops.Eq, Args: []hast.Expr{level, n}})
	}
	fields := map[string]func(level hast.Expr) operand{
		"level":  func(level hast.Expr) operand { return runtime(level) },
		"top":    func(level hast.Expr) operand { return is(level, intConst(0, x.At)) },
		"bottom": func(level hast.Expr) operand { return is(plus(level, 1, x.At), count) },
	}
	f := fields[x.Name.Text]
	switch {
	case f == nil:
		d := e.errorf(diag.UnknownField, x.Name.At, "a pyramid has no .%s", x.Name.Text)
		if x.Name.Text == "height" || x.Name.Text == "width" {
			d.Note("write %s[0].%s for the extent of a level", p.pyr.Name, x.Name.Text)
			return invalid(x.At)
		}
		suggest(d, x.Name.Text, []string{"level", "levels", "top", "bottom"})
		return invalid(x.At)
	case p.bound == nil:
		e.errorf(diag.Misplaced, x.At, "%s is known inside of a traverse of %s", excerpt(x.At), p.pyr.Name).
			Note("%s.levels is the number of levels", p.pyr.Name)
		return invalid(x.At)
	}
	return f(ref(p.bound.node.Levels.Level, x.At))
}
