package sema

import (
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"imgc/diag"
	"imgc/hast"
	"imgc/source"
	"imgc/syntax"
	"imgc/types"
)

// operand checks an expression.
func (e *env) operand(x syntax.Expr) operand {
	switch x := x.(type) {
	case *syntax.Lit:
		return e.literal(x)
	case *syntax.Ident:
		return e.name(x)
	case *syntax.Paren:
		return e.operand(x.X)
	case *syntax.Unary:
		return e.unary(x)
	case *syntax.Binary:
		return e.binary(x)
	case *syntax.Cond:
		return e.conditional(x)
	case *syntax.Index:
		return e.index(x)
	case *syntax.Field:
		return e.field(x)
	case *syntax.Call:
		return e.call(x)
	case *syntax.Conv:
		return e.conversion(x)
	case *syntax.List:
		return e.list(x)
	case nil:
		return operand{}
	}
	return invalid(x.Span()) // syntax.Bad has been reported
}

// intSuffixes and floatSuffixes give a literal a kind of its own.
var (
	intSuffixes   = map[string]types.Kind{"u": types.U32, "l": types.I64, "ul": types.U64, "lu": types.U64}
	floatSuffixes = map[string]types.Kind{"f": types.F32, "d": types.F64, "h": types.F16}
)

// literal reads a literal's spelling.
func (e *env) literal(x *syntax.Lit) operand {
	if x.Kind == syntax.BoolLit {
		return constOperand(scalarBool(x.Text == "true"), x.At)
	}
	digits, suffix := splitLiteral(x.Text)
	if k, ok := floatSuffixes[suffix]; ok || x.Kind == syntax.FloatLit {
		v, err := strconv.ParseFloat(digits, 64)
		if err != nil {
			if !e.partial || errors.Is(err, strconv.ErrRange) { // else the parser said so
				e.errorf(diag.ConstantRange, x.At, "%s is out of the range of f64", x.Text)
			}
			return invalid(x.At)
		}
		c := scalarFloat(v)
		return e.suffixed(x, c, k, ok)
	}
	v, ok := new(big.Int).SetString(digits, 0)
	if !ok {
		if !e.partial { // else the parser said so
			e.errorf(diag.ConstantRange, x.At, "%s is not an integer", x.Text)
		}
		return invalid(x.At)
	}
	k, ok := intSuffixes[suffix]
	return e.suffixed(x, scalarInt(v), k, ok)
}

func (e *env) suffixed(x *syntax.Lit, c *constant, k types.Kind, has bool) operand {
	if !has {
		k = c.typ.Kind
	}
	if !c.fits(k) {
		e.doesNotFit(c, k, x.At)
		return invalid(x.At)
	}
	if has {
		c = c.as(k)
	}
	return constOperand(c, x.At)
}

// splitLiteral separates the digits from the suffix. The digits f and d of a hexadecimal number are none.
func splitLiteral(text string) (digits, suffix string) {
	text = strings.ToLower(text)
	letters := "ulfdh"
	if strings.HasPrefix(text, "0x") {
		letters = "ul"
	}
	digits = strings.TrimRight(text, letters)
	return digits, text[len(digits):]
}

// name is an identifier as a value.
func (e *env) name(x *syntax.Ident) operand {
	ent := e.scope.find(x.Name)
	switch ent := ent.(type) {
	case nil:
		if v, ok := builtinValues[x.Name]; ok {
			return constOperand(scalarFloat(v), x.At)
		}
		e.unknown(x.Name, x.At, isValue)
	case *constEnt:
		if v := e.constant(ent); v != nil {
			return constOperand(v, x.At)
		}
	case *boundEnt:
		return constOperand(ent.value, x.At)
	case *varEnt:
		return e.variable(ent, x)
	case *valueEnt:
		if load, ok := ent.value.x.(*hast.Load); ok { // a device scalar, needed here
			return runtime(&hast.Load{Typed: typed(load.T, x.At), Image: load.Image, Index: load.Index})
		}
		return e.placed(ent.value, x)
	case *typeEnt:
		e.errorf(diag.WrongUse, x.At, "%s is a type, which is no value", x.Name).Note("write %s(e) to convert to it", x.Name)
	case *prefixEnt:
		e.errorf(diag.WrongUse, x.At, "%s is the prefix of an import, which is no value", x.Name).Note("write %s.name for what it imports", x.Name)
	case *borderedEnt:
		e.errorf(diag.WrongUse, x.At, "%s is an image, which is no value by itself", x.Name).
			Note("write %s for one pixel", x.Name+subscripts(ent.img.Rank()))
	case *borderEnt:
		e.errorf(diag.WrongUse, x.At, "%s is %s, which is no value", x.Name, ent.noun())
	case *pyramidEnt:
		e.noLevel(ent, x.At)
	case *imageEnt:
		ent.read = true
		d := e.errorf(diag.WrongUse, x.At, "%s is an image, which is no value by itself", x.Name).
			Note("write %s for one pixel", ent.example())
		if w := ent.window(); w != "" {
			d.Note("write %s for all of them, as an array", w)
		}
		if e.where == onHost {
			d.Note("an image is computed pixel by pixel: [%s for %s]", ent.example(), listedVars(ent.img.Rank()))
		}
	case *offsetEnt:
		e.errorf(diag.WrongUse, x.At, "%s is an offset; its parts are values", x.Name).
			Note("write %s", ent.example(x.Name))
	case *funcEnt:
		e.errorf(diag.WrongUse, x.At, "%s is a func; it is called, as in %s", x.Name, ent.example())
	case *pipelineEnt:
		e.errorf(diag.WrongUse, x.At, "%s is %s, which is no value", x.Name, ent.noun())
	}
	return invalid(x.At)
}

// variable reads a variable where its class may be read.
func (e *env) variable(ent *varEnt, x *syntax.Ident) operand {
	ent.used = true
	if ent.v.Class == hast.ScalarOut {
		e.errorf(diag.WrongUse, x.At, "%s is an out parameter, which has no value to read", x.Name).
			Note("keep the value in a let, or in a var where it changes, and assign that to %s", x.Name)
		return invalid(x.At)
	}
	if !ent.v.Type.IsValid() {
		return invalid(x.At)
	}
	if ent.img != nil {
		return runtime(loadVar(ent, x.At))
	}
	return runtime(ref(ent.v, x.At))
}

// axisNames are the subscripts that messages show, slowest axis first.
var axisNames = [...]string{"w", "z", "y", "x"}

// example is a pixel of the image as the user would write it: "src[y][x]".
func (m *imageEnt) example() string { return m.img.Name + subscripts(m.img.Rank()) }

// completed is a pixel of a plane that a program has written with so many subscripts. What lacks one mostly lacks the component.
func (m *imageEnt) completed(at source.Span, subs int) string {
	if subs > 0 && subs == m.img.Rank()-1 {
		return excerpt(at) + "[c]"
	}
	return m.example()
}

// window is the whole of an image as a window; "" if its extents are no constants.
func (m *imageEnt) window() string {
	all := m.allFrom(0)
	if all == "" {
		return ""
	}
	return m.img.Name + all
}

// allFrom are subscripts for all of an image's axes from one on, as of a window; "" where these have no constant extents.
func (m *imageEnt) allFrom(axis int) string {
	if m.img.Lower != nil || !m.img.Elem.IsValid() {
		return ""
	}
	var b strings.Builder
	for _, x := range m.img.Extent[axis:] {
		n, ok := constInt(x)
		if !ok || n > maxWindow {
			return ""
		}
		fmt.Fprintf(&b, "[0 : %d]", n)
	}
	return b.String()
}

func subscripts(rank int) string {
	var b strings.Builder
	for _, a := range axisNames[len(axisNames)-min(rank, len(axisNames)):] {
		b.WriteString("[" + a + "]")
	}
	return b.String()
}

func (d *offsetEnt) example(name string) string {
	var parts []string
	for _, a := range axisNames[len(axisNames)-len(d.dims):] {
		parts = append(parts, name+"."+a)
	}
	return listed(parts)
}

func (f *funcEnt) example() string {
	var args []string
	for _, p := range f.decl.Params {
		args = append(args, p.Name.Text)
	}
	return f.decl.Name.Text + "(" + strings.Join(args, ", ") + ")"
}

func isValue(ent entity) bool {
	switch ent.(type) {
	case *constEnt, *varEnt, *boundEnt, *valueEnt, *imageEnt, *pyramidEnt, *offsetEnt, *borderedEnt:
		return true
	}
	return false
}

// conditional is c ? a : b with a scalar condition.
func (e *env) conditional(x *syntax.Cond) operand {
	cond := e.condition(x.If, "?:")
	a, b := e.operand(x.Then), e.operand(x.Else)
	if !cond.valid() || !a.valid() || !b.valid() {
		return invalid(x.At)
	}
	a, b, k, ok := e.alike(a, b, x)
	if !ok {
		return invalid(x.At)
	}
	if cond.con != nil {
		if cond.con.nums[0].isZero() {
			a = b
		}
		return e.placed(a, x)
	}
	then, otherwise := e.expr(e.toKind(a, k)), e.expr(e.toKind(b, k))
	if then == nil || otherwise == nil {
		return invalid(x.At)
	}
	o := runtime(&hast.Select{Typed: typed(then.Type(), x.At), Cond: cond.x, Then: then, Else: otherwise})
	o.of = &choice{cond.x, a, b}
	return o
}

// alike brings the two values that one of is chosen to one shape and finds the kind that they meet in, without promotion.
// Literals among them have not taken it yet.
func (e *env) alike(a, b operand, x syntax.Node) (operand, operand, types.Kind, bool) {
	k, ok := e.commonKind(a, b, false)
	if !ok {
		e.noCommonKind(x.Span(), "the two values", a, b)
		return a, b, k, false
	}
	shape, ok := joinShapes(a.typ, b.typ)
	if !ok {
		e.errorf(diag.ShapeMismatch, x.Span(), "the two values have the types %s and %s", a.typ, b.typ)
		return a, b, k, false
	}
	return e.splat(e.meet(a, k), shape), e.splat(e.meet(b, k), shape), k, true
}

// condition checks what must be a scalar bool; construct is what asks for it.
func (e *env) condition(x syntax.Expr, construct string) operand {
	o := e.operand(x)
	if !o.valid() || o.typ == types.Scalar(types.Bool) {
		return o
	}
	text := excerpt(x.Span())
	d := e.errorf(diag.NotBool, x.Span(), "the condition of %s must be a bool, this is %s", construct, o.typ)
	switch {
	case o.typ.IsScalar():
		d.Note("write %s != 0", parenthesised(text))
	case o.typ.IsVector() && o.typ.Kind == types.Bool:
		d.Note("write any(%s) or all(%s); select(c, a, b) chooses per component", text, text)
	}
	return invalid(x.Span())
}

// list makes an array from elements or from a comprehension.
func (e *env) list(x *syntax.List) operand {
	if x.For != nil {
		return e.comprehension(x)
	}
	elems := make([]operand, len(x.Elems))
	ok := true
	for i, el := range x.Elems {
		elems[i] = e.operand(el)
		ok = ok && elems[i].valid()
	}
	if len(elems) == 0 {
		e.errorf(diag.ShapeMismatch, x.At, "an array has at least one element")
		return invalid(x.At)
	}
	if !ok {
		return invalid(x.At)
	}
	return e.array(x, elems, []int{len(elems)})
}

// array makes an array of the given extents from equally shaped elements.
func (e *env) array(x syntax.Node, elems []operand, dims []int) operand {
	first := elems[0]
	for _, el := range elems[1:] {
		if el.typ.WithKind(first.typ.Kind) != first.typ {
			e.errorf(diag.ShapeMismatch, el.at, "the elements of an array have one shape: this is %s, the first is %s",
				shapeText(el.typ), shapeText(first.typ)).NoteAt(first.at, "the first element is here")
			return invalid(x.Span())
		}
	}
	if len(dims)+int(first.typ.Rank) > types.MaxRank {
		e.errorf(diag.BadExtent, x.Span(), "an array has at most %d extents", types.MaxRank)
		return invalid(x.Span())
	}
	k, ok := e.kindOfAll(elems)
	if !ok {
		return invalid(x.Span())
	}
	t := first.typ.Elem().WithKind(k).Array(append(dims, first.typ.Shape()...)...)
	if c := listConstant(elems, t); c != nil {
		return constOperand(c, x.Span())
	}
	var parts []hast.Expr
	for _, el := range elems {
		v := e.expr(e.toKind(el, k))
		if v == nil {
			return invalid(x.Span())
		}
		parts = append(parts, elementsOf(v)...)
	}
	return runtime(&hast.Array{Typed: typed(t, x.Span()), Elems: parts})
}

// shapeText names a shape without its kind: "a scalar", "3 components", "[2][3]".
func shapeText(t types.Type) string {
	switch {
	case t.IsArray():
		return "an array " + strings.TrimPrefix(t.String(), t.Elem().String())
	case t.IsVector():
		return "a vector of " + strconv.Itoa(int(t.Lanes))
	}
	return "a scalar"
}

// kindOfAll is the kind that all elements of a list become, without promotion.
func (e *env) kindOfAll(elems []operand) (types.Kind, bool) {
	if c, ok := kindOfConstants(elems); ok {
		return c, true
	}
	whole := elems[0]
	for _, el := range elems[1:] {
		k, ok := e.commonKind(whole, el, false)
		if !ok {
			e.noCommonKind(el.at, "the elements of a list", whole, el)
			return types.Invalid, false
		}
		whole = joined(whole, el, k)
	}
	return whole.typ.Kind, true
}

// kindOfConstants is kindOfAll for the usual long list, of constants that are all soft or all of one kind.
func kindOfConstants(elems []operand) (types.Kind, bool) {
	first := elems[0].con
	if first == nil {
		return types.Invalid, false
	}
	kind := first.typ.Kind
	for _, el := range elems[1:] {
		c := el.con
		switch {
		case c == nil || c.soft != first.soft || !c.soft && c.typ.Kind != kind:
			return types.Invalid, false
		case c.typ.Kind.IsFloat() != kind.IsFloat():
			kind = types.F32
			if c.typ.Kind == types.F64 {
				kind = types.F64
			}
		default:
			kind = wider(kind, c.typ.Kind)
		}
	}
	return kind, true
}

// joined stands for two operands that have met in kind k when a third is compared with them: constants stay constants, of
// both values.
func joined(a, b operand, k types.Kind) operand {
	if a.con != nil && b.con != nil {
		t := types.Scalar(k).Array(a.typ.Words() + b.typ.Words())
		return constOperand(listConstant([]operand{a, b}, t), a.at)
	}
	o := a
	if a.con != nil {
		o = b
	}
	o.con, o.typ = nil, o.typ.WithKind(k)
	return o
}

// listConstant joins constants to an array of kind t.Kind; nil where an element is not constant.
func listConstant(elems []operand, t types.Type) *constant {
	c := &constant{typ: t, soft: true}
	for _, el := range elems {
		if el.con == nil {
			return nil
		}
		c.soft = c.soft && el.con.soft
		for _, n := range el.con.nums {
			if t.Kind.IsFloat() && n.i != nil {
				n = num{f: n.float()}
			}
			c.nums = append(c.nums, n)
		}
	}
	return c.settle()
}
