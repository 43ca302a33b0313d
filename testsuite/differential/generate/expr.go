package generate

import (
	"fmt"
	"strings"

	"imgc/types"
)

// expr is an expression of just type t.
func (g *generator) expr(t types.Type, depth int) string {
	switch {
	case t.IsArray():
		return g.array(t, depth)
	case t.Kind == types.Bool && t.Lanes == 1:
		return g.truth(depth)
	case t.Kind == types.Bool:
		return g.truths(t, depth)
	case t.Kind == types.BF16:
		return fmt.Sprintf("%s(%s)", t, g.expr(t.WithKind(types.F32), depth))
	case depth <= 0 || g.chance(12):
		return g.leaf(t)
	case t.Lanes > 1:
		return g.vector(t, depth-1)
	}
	return g.scalar(t.Kind, depth-1)
}

// leaf is a variable, a pixel or a literal.
func (g *generator) leaf(t types.Type) string {
	if g.chance(50) {
		if text, ok := g.named(t); ok {
			return text
		}
	}
	if g.chance(70) {
		if text, ok := g.pixelOf(t); ok {
			return text
		}
	}
	if text, ok := g.named(t); ok && g.chance(60) {
		return text
	}
	if t.Lanes > 1 {
		return g.parts(t, 0)
	}
	return g.literal(t.Kind)
}

// named is a variable of type t, or one of another kind converted to it.
func (g *generator) named(t types.Type) (string, bool) {
	var same, other []string
	for _, v := range g.values {
		switch {
		case v.typ == t:
			same = append(same, v.name)
		case v.typ.Rank == 0 && t.Rank == 0 && v.typ.Lanes == t.Lanes:
			other = append(other, v.name)
		}
	}
	if len(same) > 0 && (len(other) == 0 || g.chance(70)) {
		return pick(g, same), true
	}
	if len(other) > 0 {
		return g.cast(t, pick(g, other)), true
	}
	return "", false
}

// pixelOf is a pixel of some image, converted to type t.
func (g *generator) pixelOf(t types.Type) (string, bool) {
	var same, other []*image
	for _, m := range g.readable() {
		switch {
		case m.elem == t:
			same = append(same, m)
		case m.elem.Lanes == t.Lanes:
			other = append(other, m)
		}
	}
	if len(same) > 0 && g.chance(80) {
		return g.load(pick(g, same), 0), true
	}
	if len(other) > 0 {
		m := pick(g, other)
		return g.cast(t, g.load(m, 0)), true
	}
	if len(same) > 0 {
		return g.load(pick(g, same), 0), true
	}
	return "", false
}

// cast converts what is of any kind to type t.
func (g *generator) cast(t types.Type, text string) string {
	if g.chance(25) && t.Kind != types.Bool {
		return fmt.Sprintf("sat<%s>(%s)", t, text)
	}
	return fmt.Sprintf("%s(%s)", t, text)
}

func (g *generator) literal(k types.Kind) string {
	switch {
	case k == types.Bool:
		return pick(g, []string{"true", "false"})
	case k.IsFloat():
		return fmt.Sprintf("%s(%s)", k, pick(g, []string{"0.0", "1.0", "-1.0", "0.5", "2.5", "-3.75", "100.0", "1e-5", "255.0", "0.1", "60000.0", "7"}))
	}
	return fmt.Sprintf("%s(%s)", k, pick(g, []string{"0", "1", "-1", "2", "3", "7", "8", "31", "32", "63", "100", "127", "128", "-128", "255", "32767",
		"65535", "2147483647", "-2147483647 - 1", "65536", "123456789", "0x7f"}))
}

// moving is a value of kind k that no compiler can know.
func (g *generator) moving(k types.Kind) string {
	var able []string
	for _, v := range g.values {
		if !v.fixed && v.typ.Rank == 0 && v.typ.Lanes == 1 && v.typ.Kind.IsInt() {
			able = append(able, v.name)
		}
	}
	if len(able) == 0 {
		return ""
	}
	return fmt.Sprintf("%s(%s)", k, pick(g, able))
}

// meeting is a kind whose arithmetic with k is defined.
func (g *generator) meeting(k types.Kind) types.Kind {
	for range 4 {
		if other := g.number(); other.IsFloat() == k.IsFloat() || k.IsFloat() {
			if _, ok := types.Common(k, other); ok {
				return other
			}
		}
	}
	return k
}

func (g *generator) scalar(k types.Kind, depth int) string {
	t := types.Scalar(k)
	sub := func() string { return g.expr(t, depth) }
	switch g.IntN(16) {
	case 0:
		return g.cast(t, g.expr(types.Scalar(g.number()), depth))
	case 1:
		return fmt.Sprintf("(%s ? %s : %s)", g.truth(depth), sub(), sub())
	case 2, 3, 4:
		return g.reduction(k, depth)
	case 5:
		n := 2 + g.IntN(3)
		return fmt.Sprintf("(%s).%c", g.expr(types.Vector(k, n), depth), pick(g, lanes(n)))
	case 6:
		return g.cast(t, g.call(depth))
	case 7:
		if text, ok := g.element(t, depth); ok {
			return text
		}
	case 8:
		if text, ok := g.sampled(depth); ok {
			return g.cast(t, text)
		}
	case 9:
		if all := g.readable(); len(all) > 0 {
			m := pick(g, all)
			text := g.load(m, depth)
			if m.elem.Lanes > 1 {
				text += "." + string(pick(g, lanes(int(m.elem.Lanes))))
			}
			return g.cast(t, text)
		}
	case 10:
		if text, ok := g.inexact(depth); ok {
			return fmt.Sprintf("%s(%s)", k, text)
		}
	}
	if k.IsFloat() {
		return fmt.Sprintf("%s(%s)", k, g.floatOp(t, sub, depth))
	}
	return fmt.Sprintf("%s(%s)", k, g.intOp(t, sub, depth))
}

// inexact is the whole part of a function that devices approximate, where its value is far from a whole number.
func (g *generator) inexact(depth int) (string, bool) {
	if g.whole {
		return "", false
	}
	x := fmt.Sprintf("f32(%s)", g.expr(types.Scalar(types.U8), depth))
	return pick(g, []string{
		"floor(sin(" + x + ") * 0.25 + 0.5)", "floor(exp(-" + x + ") * 0.5 + 0.25)", "floor(atan(" + x + ") * 0.5 + 0.0625)",
		"round(tanh(" + x + " + 1.0) * 0.25 + 3.0)", "round(log2(exp2(" + x + " * 0.25)) * 4.0)", "round(hypot(3.0 * " + x + ", 4.0 * " + x + "))",
		"floor(cos(" + x + ") * 0.25 + 0.5)", "round(pow(" + x + " + 1.0, 2.0))", "round(cbrt(" + x + " * " + x + " * " + x + "))",
	}), true
}

func lanes(n int) []byte {
	return []byte("xyzwrgba"[:4])[:n]
}

// twoOf are the functions of two numbers; of floats those that choose between zeros of either sign are elsewhere.
var (
	intFuncs   = []string{"min", "max", "mod", "floordiv"}
	floatFuncs = []string{"mod", "step"}
	floatOnes  = []string{"-", "abs", "sign", "floor", "ceil", "round", "trunc", "fract", "sqrt"}
)

func (g *generator) intOp(t types.Type, sub func() string, depth int) string {
	k := t.Kind
	switch g.IntN(8) {
	case 0:
		return fmt.Sprintf("%s(%s)", pick(g, []string{"-", "~", "+"}), sub())
	case 1:
		return fmt.Sprintf("%s(%s)", pick(g, []string{"abs", "sign", "popcount", "clz"}), sub())
	case 2:
		return fmt.Sprintf("%s(%s, %s)", pick(g, intFuncs), sub(), g.divisor(t, sub()))
	case 3:
		shift := t.WithKind(pick(g, integers))
		return fmt.Sprintf("(%s) %s (%s)", sub(), pick(g, []string{"<<", ">>"}), g.expr(shift, depth))
	case 4:
		if from, ok := sameBits[k]; ok && (!from.IsFloat() || !g.whole) {
			return fmt.Sprintf("bitcast<%s>(%s)", t, g.finite(t.WithKind(from), depth))
		}
		return fmt.Sprintf("clamp(%s, %s, %s)", sub(), sub(), sub())
	case 5:
		other := g.meeting(k)
		if other.IsFloat() {
			other = k
		}
		return g.binary(t, sub(), t.WithKind(other), depth)
	}
	return g.binary(t, sub(), t, depth)
}

var sameBits = map[types.Kind]types.Kind{types.I8: types.U8, types.U8: types.I8, types.I32: types.F32, types.U32: types.F32, types.U64: types.F64,
	types.I64: types.U64, types.U16: types.F16, types.I16: types.U16}

// finite is an expression that is no NaN: the bits of one are not defined.
func (g *generator) finite(t types.Type, depth int) string {
	text := g.expr(t, depth)
	if !t.Kind.IsFloat() {
		return text
	}
	from := t.WithKind(types.I8)
	return fmt.Sprintf("%s(%s)", t, g.expr(from, depth))
}

// binary is an operator of integers with its operands. A divisor is no constant: a constant zero would be an error.
func (g *generator) binary(t types.Type, left string, right types.Type, depth int) string {
	op := pick(g, []string{"+", "-", "*", "/", "%", "&", "|", "^"})
	operand := g.expr(right, depth)
	if op == "/" || op == "%" {
		operand = g.divisor(right, operand)
	}
	return fmt.Sprintf("(%s) %s (%s)", left, op, operand)
}

func (g *generator) divisor(t types.Type, operand string) string {
	if by := g.moving(t.Kind); by != "" {
		return fmt.Sprintf("%s((%s) - %s)", t, operand, by)
	}
	return fmt.Sprintf("%s((%s) | %s(1))", t, operand, t.Kind)
}

func (g *generator) floatOp(t types.Type, sub func() string, depth int) string {
	switch g.IntN(8) {
	case 0:
		return fmt.Sprintf("%s(%s)", pick(g, floatOnes), sub())
	case 1:
		return fmt.Sprintf("%s(%s, %s, %s)", pick(g, []string{"fma", "mix"}), sub(), sub(), sub())
	case 2:
		return fmt.Sprintf("%s(%s, %s)", pick(g, floatFuncs), sub(), sub())
	case 3: // no zero to choose: no bound is one
		return fmt.Sprintf(pick(g, []string{"min(%s, %s(2.5))", "max(%s, %s(-0.75))", "clamp(%s, %s(0.5), 100)"}), sub(), t)
	}
	other := t
	if g.chance(30) {
		other = t.WithKind(g.meeting(t.Kind))
	}
	return fmt.Sprintf("(%s) %s (%s)", sub(), pick(g, []string{"+", "-", "*", "/"}), g.expr(other, depth))
}

func (g *generator) vector(t types.Type, depth int) string {
	sub := func() string { return g.expr(t, depth) }
	switch g.IntN(9) {
	case 0:
		return g.parts(t, depth)
	case 1:
		return g.cast(t, g.expr(t.WithKind(g.number()), depth))
	case 2:
		n := 2 + g.IntN(3)
		names := ""
		for range t.Lanes {
			names += string(pick(g, lanes(n)))
		}
		return fmt.Sprintf("(%s).%s", g.expr(types.Vector(t.Kind, n), depth), names)
	case 3:
		return fmt.Sprintf("select(%s, %s, %s)", g.truths(t, depth), sub(), sub())
	case 4:
		return fmt.Sprintf("%s((%s) * (%s))", t, sub(), g.expr(types.Scalar(t.Kind), depth))
	case 5:
		if t.Lanes == 3 && t.Kind.IsFloat() {
			return fmt.Sprintf("%s(cross(%s, %s))", t, sub(), sub())
		}
	}
	if t.Kind.IsFloat() {
		return fmt.Sprintf("%s(%s)", t, g.floatOp(t, sub, depth))
	}
	return fmt.Sprintf("%s(%s)", t, g.intOp(t, sub, depth))
}

// parts makes a vector of scalars and shorter vectors.
func (g *generator) parts(t types.Type, depth int) string {
	if g.chance(15) {
		return fmt.Sprintf("%s(%s)", t, g.expr(types.Scalar(t.Kind), depth))
	}
	var list []string
	for left := int(t.Lanes); left > 0; {
		part := types.Vector(t.Kind, 1)
		if left >= 2 && left < int(t.Lanes) && g.chance(20) {
			part.Lanes = 2
		}
		left -= int(part.Lanes)
		list = append(list, g.expr(part, depth))
	}
	return fmt.Sprintf("%s(%s)", t, strings.Join(list, ", "))
}

var comparisons = []string{"<", "<=", ">", ">=", "==", "!="}

// truth is a scalar condition.
func (g *generator) truth(depth int) string {
	if depth <= 0 {
		k := g.number()
		return fmt.Sprintf("(%s) %s (%s)", g.leaf(types.Scalar(k)), pick(g, comparisons), g.literal(k))
	}
	switch g.IntN(8) {
	case 0:
		return fmt.Sprintf("(%s && %s)", g.truth(depth-1), g.truth(depth-1))
	case 1:
		return fmt.Sprintf("(%s || %s)", g.truth(depth-1), g.truth(depth-1))
	case 2:
		return fmt.Sprintf("!(%s)", g.truth(depth-1))
	case 3:
		if k, ok := g.float(); ok {
			return fmt.Sprintf("%s(%s)", pick(g, []string{"isnan", "isinf"}), g.expr(types.Scalar(k), depth-1))
		}
	case 4:
		return fmt.Sprintf("%s(%s)", pick(g, []string{"any", "all"}), g.truths(types.Vector(g.number(), 2+g.IntN(3)), depth-1))
	case 5:
		if text, ok := g.pixelOf(tBool); ok {
			return text
		}
	case 6:
		if text, ok := g.window(types.Scalar(g.number()), 0); ok {
			return fmt.Sprintf("%s(%s %s %s)", pick(g, []string{"any", "all"}), text, pick(g, comparisons), "3")
		}
	}
	t := types.Scalar(g.number())
	return fmt.Sprintf("(%s) %s (%s)", g.expr(t, depth-1), pick(g, comparisons), g.expr(types.Scalar(g.meeting(t.Kind)), depth-1))
}

// truths compares vectors of as many lanes as t has.
func (g *generator) truths(t types.Type, depth int) string {
	if t.Kind == types.Bool {
		t.Kind = g.number()
	}
	return fmt.Sprintf("((%s) %s (%s))", g.expr(t, depth-1), pick(g, comparisons), g.expr(t, depth-1))
}
