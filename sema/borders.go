package sema

import (
	"strconv"
	"strings"

	"imgc/diag"
	"imgc/hast"
	"imgc/source"
	"imgc/syntax"
	"imgc/types"
)

// maxPlace bounds how far outside a line of a border may lie; farther places are mistakes.
const maxPlace = 1 << 16

type (
	// borderEnt is a border by formula. It is made anew for each image that it is applied to, since values take the image's
	// element type and extents.
	borderEnt struct {
		declared
		decl  *syntax.Border
		home  *scope     // of the file that declares it
		elem  types.Type // the fixed element type; invalid for any
		lines []*line
		bad   bool // reported as a whole; uses say nothing more
		used  bool
		made  map[*hast.Image]*hast.Rule // nil after an error
	}
	// borderedEnt is the image inside of a border: s of border name(s[M][N]).
	borderedEnt struct {
		declared
		img    *hast.Image
		coords []*hast.Var
		line   *line // whose value is being checked
	}
	// A line is one frame with valid places.
	line struct {
		frame  *syntax.Frame
		places []int64 // as in hast.Frame
	}
)

func (*borderEnt) noun() string   { return "a border" }
func (*borderedEnt) noun() string { return "the image of a border" }

// addBorder enters a border by formula.
func (e *env) addBorder(d *syntax.Border) {
	b := &borderEnt{declared: declared{d.Name.At}, decl: d, home: e.scope, made: map[*hast.Image]*hast.Rule{}}
	if _, taken := ruleKinds[d.Name.Text]; taken || d.Name.Text == skipRule {
		e.errorf(diag.HiddenName, d.Name.At, "%s is a named border rule and cannot be declared again", d.Name.Text)
		return
	}
	e.declare(d.Name, b)
	e.borders = append(e.borders, b)
}

// border checks what does not depend on an image: the places of the lines and the rule behind else.
func (e *env) border(b *borderEnt) {
	d := b.decl
	if len(d.Sizes) > types.MaxRank {
		e.errorf(diag.BadExtent, d.Image.At, "an image has at most %d extents, this has %d", types.MaxRank, len(d.Sizes))
		b.bad = true
		return
	}
	errors := e.errors
	if d.Elem != nil {
		b.elem = e.baseType(d.Elem.Base)
	}
	for _, f := range d.Frames {
		if places, ok := e.places(b, f); ok {
			b.lines = append(b.lines, &line{f, places})
		}
	}
	if d.Else != nil {
		if k, ok := e.ruleKind(d.Else); ok && k == hast.Formula {
			e.errorf(diag.BadBorder, d.Else.At, "else takes a named rule, %s is a border by formula", d.Else.Name.Text)
		}
	}
	b.bad = e.errors > errors
}

// places reads the left side of a line.
func (e *env) places(b *borderEnt, f *syntax.Frame) ([]int64, bool) {
	if f.Image.Text != b.decl.Image.Text {
		e.errorf(diag.BadBorder, f.Image.At, "a line of the border %s gives pixels of %s, this names %s", b.decl.Name.Text, b.decl.Image.Text, f.Image.Text)
		return nil, false
	}
	if len(f.Places) != len(b.decl.Sizes) {
		e.errorf(diag.BadBorder, f.At, "%s has %s, this names %d", b.decl.Image.Text, plural(len(b.decl.Sizes), "axis", "axes"), len(f.Places))
		return nil, false
	}
	places := make([]int64, len(f.Places))
	inside := true
	for i, p := range f.Places {
		if p.Star {
			continue
		}
		inside = false
		n, err := strconv.ParseInt(p.N, 0, 64)
		if err != nil || n < 1 || n > maxPlace {
			e.errorf(diag.BadBorder, p.At, "a place outside is -1, -2, ... before the first or +1, +2, ... behind the last, this is %c%s", p.Sign, p.N)
			return nil, false
		}
		if places[i] = n; p.Sign == '-' {
			places[i] = -n
		}
	}
	if inside {
		e.errorf(diag.BadBorder, f.At, "%s is inside the image; a line gives pixels outside", placesText(b.decl.Image.Text, places)).
			Note("-1 is the first row or column outside at the top or left, +1 at the bottom or right")
		return nil, false
	}
	for _, l := range b.lines {
		if placesText("", l.places) == placesText("", places) {
			e.errorf(diag.BadBorder, f.At, "a second line for %s", placesText(b.decl.Image.Text, places)).NoteAt(l.frame.At, "the first is here")
			return nil, false
		}
	}
	return places, true
}

// placesText is a left side as the program writes it: "s[*][-1]".
func placesText(name string, places []int64) string {
	var b strings.Builder
	b.WriteString(name)
	for _, p := range places {
		switch {
		case p == 0:
			b.WriteString("[*]")
		case p > 0:
			b.WriteString("[+" + strconv.FormatInt(p, 10) + "]")
		default:
			b.WriteString("[" + strconv.FormatInt(p, 10) + "]")
		}
	}
	return b.String()
}

// formula is the rule that a border makes for an image; r is where it is applied.
func (e *env) formula(b *borderEnt, m *hast.Image, r *syntax.Rule) (*hast.Rule, bool) {
	b.used = true
	if b.bad {
		return nil, false
	}
	if rule, ok := b.made[m]; ok {
		return rule, rule != nil
	}
	b.made[m] = nil
	if rank := len(b.decl.Sizes); rank != m.Rank() {
		e.errorf(diag.BadBorder, r.At, "the border %s is for images with %s, %s has %d", r.Name.Text, plural(rank, "axis", "axes"), m.Name, m.Rank()).
			NoteAt(b.at, "it is declared here")
		return nil, false
	}
	if b.elem.IsValid() && b.elem != m.Elem {
		e.errorf(diag.BadBorder, r.At, "the border %s is for images of %s, %s has pixels of %s", r.Name.Text, b.elem, m.Name, m.Elem).
			NoteAt(b.at, "it is declared here").Note("without an element type a border serves images of any")
		return nil, false
	}
	made := e.bordering(b, m)
	if made == nil {
		return nil, false
	}
	b.made[m] = &hast.Rule{Kind: hast.Formula, Border: made}
	return b.made[m], true
}

// bordering makes a border for an image; nil after an error.
func (e *env) bordering(b *borderEnt, m *hast.Image) *hast.Border {
	d := b.decl
	out := &hast.Border{Name: d.Name.Text, Image: m, At: b.at}
	inner := &env{checker: e.checker, scope: newScope(b.home), where: inBody, pipe: e.pipe}
	for i, a := range axisNames[len(axisNames)-m.Rank():] {
		v := &hast.Var{Name: a, Type: types.Scalar(types.I32), Class: hast.Loop, At: d.Image.At}
		out.Coords = append(out.Coords, v)
		inner.declare(d.Sizes[i], &valueEnt{declared{d.Sizes[i].At}, e.hostOperand(m.Extent[i], d.Sizes[i])})
	}
	ent := &borderedEnt{declared: declared{d.Image.At}, img: m, coords: out.Coords}
	inner.declare(d.Image, ent)
	ok := true
	for _, l := range b.lines {
		ent.line = l
		v := inner.outsideValue(b, m, l)
		out.Frames = append(out.Frames, &hast.Frame{Places: l.places, Value: v})
		ok = ok && v != nil
	}
	if d.Else != nil {
		host := &env{checker: e.checker, scope: b.home, where: inConst}
		rule, valid := host.resolveRule(d.Else, m)
		out.Else, ok = rule, ok && valid
	}
	if !ok {
		return nil
	}
	return out
}

// outsideValue is the value of a line: converted with sat, or by the rule of stores where the element type is fixed.
func (e *env) outsideValue(b *borderEnt, m *hast.Image, l *line) hast.Expr {
	o := e.operand(l.frame.Value)
	purpose := placesText(b.decl.Image.Text, l.places)
	if b.elem.IsValid() || m.Elem.Kind == types.Bool || !o.valid() {
		return e.expr(e.assign(o, m.Elem, purpose))
	}
	shape, ok := joinShapes(m.Elem, o.typ)
	if !ok || shape != m.Elem {
		e.errorf(diag.ShapeMismatch, o.at, "%s of %s is %s, but this is %s", purpose, m.Name, m.Elem, o.typ)
		return nil
	}
	if o.con != nil && o.con.takes(m.Elem.Kind) {
		return e.expr(e.assign(o, m.Elem, purpose))
	}
	return e.expr(e.splat(e.convert(o, m.Elem.Kind, hast.Saturate), m.Elem))
}

// borderedRead is a pixel or window of the image inside of a border; [*] is the coordinate that the left side leaves open.
func (e *env) borderedRead(ent *borderedEnt, x *syntax.Index, subs []syntax.Sub) operand {
	rank := ent.img.Rank()
	if len(subs) != rank {
		e.errorf(diag.BadSubscript, x.At, "%s has %s, this has %s", x.At.Text(), plural(rank, "axis", "axes"), plural(len(subs), "subscript"))
		return invalid(x.At)
	}
	axes := make([]hast.WindowAxis, rank)
	ok := true
	for i, s := range subs {
		if s.Star {
			axes[i] = hast.WindowAxis{Start: hast.Coord{X: ref(ent.coords[i], s.At), Below: true, Above: true}, Count: 1, Stride: 1}
			ok = e.starAllowed(ent, i, s.At) && ok
			continue
		}
		axis, valid := e.windowAxis(s)
		axes[i], ok = axis, ok && valid
		if valid { // numbers count from the first pixel, whatever its index
			axes[i].Start.X = plusOrSame(axis.Start.X, lowerOf(ent.img, i), s.At)
		}
	}
	if !ok {
		return invalid(x.At)
	}
	return e.readAt(ent.img, nil, axes, x.At)
}

func (e *env) starAllowed(ent *borderedEnt, axis int, at source.Span) bool {
	if ent.line.places[axis] == 0 {
		return true
	}
	e.errorf(diag.BadBorder, at, "[*] is the coordinate at [*] on the left side, where %s names a place instead",
		placesText(ent.line.frame.Image.Text, ent.line.places)).
		Note("write the coordinate of a pixel inside: a number, or a size less a number")
	return false
}

// unusedBorders warns of borders of this file that nothing uses: their values have not been checked.
func (e *env) unusedBorders() {
	if e.errors > 0 || e.partial {
		return
	}
	for _, b := range e.borders {
		if !b.used && b.at.File == e.program.File {
			e.warnf(diag.Unused, b.at, "nothing uses the border %s, so its values have not been checked", b.decl.Name.Text)
		}
	}
}
