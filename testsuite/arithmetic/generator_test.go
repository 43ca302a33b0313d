package arithmetic

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"imgc/types"
)

// A generator writes valid programs whose results under strict arithmetic are defined to the last bit. It leaves out: functions
// that devices approximate, the least and greatest of floats (either zero may come out), bits of NaN, and arithmetic in bf16.
type generator struct {
	*rand.Rand
	images []variable // that may be read at any pixel
	scope  []variable
	loops  int // depth
	next   int // number of the next name
}

type variable struct {
	name    string
	typ     types.Type
	mutable bool
}

var (
	arithmetic = []types.Kind{types.I8, types.I16, types.I32, types.I64, types.U8, types.U16, types.U32, types.U64, types.F16, types.F32, types.F64}
	integers   = arithmetic[:8]
	floats     = arithmetic[8:]
)

func pick[T any](g *generator, list []T) T { return list[g.IntN(len(list))] }

func (g *generator) chance(percent int) bool { return g.IntN(100) < percent }

func (g *generator) name(prefix string) string {
	g.next++
	return fmt.Sprintf("%s%d", prefix, g.next)
}

func (g *generator) typ() types.Type {
	if g.chance(25) {
		return types.Vector(pick(g, arithmetic), 2+g.IntN(3))
	}
	return types.Scalar(pick(g, arithmetic))
}

// program writes n pipelines, and funcs that they call.
func (g *generator) program(n int) string {
	var b strings.Builder
	b.WriteString(preamble)
	for i := range n {
		b.WriteString(g.pipeline(fmt.Sprintf("p%d", i)))
	}
	return b.String()
}

// preamble is what the expressions call and look up.
const preamble = `mask m: i32[3][3] = [[1, -2, 0], [3, 40, -5], [0, 6, 7]];
const table: i32[8] = [3, -1, 4, -1, 5, -9, 2, 6];
func steps(n: i32, by: i32): i32 {
    var count = 0;
    var rest = n;
    while (rest > 0 && count < 9) {
        rest = rest / 2 - by;
        count += 1;
        if (rest % 7 == 3) return -count;
    }
    return count;
}
func turn(v: f32x3, w: f32): f32x3 = cross(v, f32x3(w, 1.0, -w)) + v.zxy * w;
func window(v: i32[3][3], at: i32): i32 {
    var best = v[1][1];
    for (i in 0:3) {
        if (i == at) continue;
        best = best * 3 + v[i][2 - i] - transpose(v)[i][0];
    }
    return best + sum(v * v);
}

`

var inputs = []variable{
	{name: "a", typ: types.Scalar(types.U8)}, {name: "b", typ: types.Scalar(types.I32)}, {name: "c", typ: types.Scalar(types.F32)},
	{name: "d", typ: types.Vector(types.I16, 3)}, {name: "e", typ: types.Scalar(types.U64)}, {name: "f", typ: types.Vector(types.F32, 4)},
	{name: "g", typ: types.Scalar(types.F16)}, {name: "h", typ: types.Scalar(types.F64)}, {name: "u", typ: types.Vector(types.U8, 2)},
}

func (g *generator) pipeline(name string) string {
	g.images = nil
	params := ""
	for _, v := range inputs {
		g.images = append(g.images, v)
		params += fmt.Sprintf("in %s: %s[H][W], ", v.name, v.typ)
	}
	out, local := variable{name: "dst", typ: g.typ()}, variable{name: g.name("tmp"), typ: g.typ()}
	rule := func() string { return pick(g, []string{"clamp", "reflect", "reflect101", "repeat", "constant(0)"}) }
	text := fmt.Sprintf("pipeline %s(%sin k: i32, out dst: %s[H][W]) {\n    image %s: %s[H][W];\n", name, params, out.typ, local.name, local.typ)
	text += g.stage(local, rule())
	g.images = append(g.images, local)
	return text + g.stage(out, rule()) + "}\n\n"
}

func (g *generator) stage(target variable, rule string) string {
	i32 := types.Scalar(types.I32)
	g.scope = []variable{{name: "y", typ: i32}, {name: "x", typ: i32}, {name: "k", typ: i32}}
	body := g.block(1+g.IntN(4), 2)
	return fmt.Sprintf("    iterate (y, x) over %s border %s {\n        var list: i64[4];\n%s        %s[y][x] = %s;\n    }\n", target.name, rule, body,
		target.name, g.result(target.typ))
}

// result mixes an expression with the variables of the body, so that what they hold can be seen.
func (g *generator) result(t types.Type) string {
	text := g.expr(t, 3)
	for _, v := range g.scope[3:] {
		value := v.name
		if v.typ.Lanes > 1 {
			value += ".x"
		}
		text = fmt.Sprintf("%s((%s) + %s(%s))", t, text, t, value)
	}
	return text
}

// block writes statements; what they declare leaves the scope at its end unless it is the body itself.
func (g *generator) block(n, depth int) string {
	var b strings.Builder
	for range n {
		b.WriteString(g.stmt(depth))
	}
	return b.String()
}

func (g *generator) nested(n, depth int) string {
	outer := g.scope
	text := g.block(n, depth)
	g.scope = outer
	return text
}

func (g *generator) stmt(depth int) string {
	switch roll := g.IntN(10); {
	case roll < 3 || depth == 0:
		return g.assign()
	case roll < 5:
		t := g.typ()
		v := variable{g.name("v"), t, false}
		text := fmt.Sprintf("        let %s: %s = %s;\n", v.name, t, g.expr(t, 3))
		if g.chance(70) {
			v.mutable = true
			text = strings.Replace(text, "let", "var", 1)
		}
		g.scope = append(g.scope, v)
		return text
	case roll < 7:
		text := fmt.Sprintf("        if (%s) {\n%s        }", g.truth(2), g.nested(1+g.IntN(2), depth-1))
		if g.chance(50) {
			text += fmt.Sprintf(" else {\n%s        }", g.nested(1+g.IntN(2), depth-1))
		}
		return text + "\n"
	case roll < 8:
		return fmt.Sprintf("        list[(%s) & 3] %s %s;\n", g.expr(types.Scalar(types.I32), 2), pick(g, []string{"=", "+=", "^="}), g.expr(types.Scalar(types.I64), 2))
	case g.loops < 2:
		return g.loop(depth)
	}
	return g.assign()
}

func (g *generator) loop(depth int) string {
	g.loops++
	outer := g.scope
	defer func() { g.loops--; g.scope = outer }()
	jump := ""
	if g.chance(50) {
		jump = fmt.Sprintf("        if (%s) %s;\n", g.truth(1), pick(g, []string{"break", "continue"}))
	}
	v := variable{name: g.name("n"), typ: types.Scalar(types.I32)}
	if g.chance(60) {
		g.scope = append(g.scope, v)
		span := pick(g, []string{"0:3", "-2:3:2", "4:0:-1", "k:k+2", "0:0"})
		return fmt.Sprintf("        for (%s in %s) {\n%s%s        }\n", v.name, span, jump, g.nested(1+g.IntN(2), depth-1))
	}
	g.scope = append(g.scope, v)
	return fmt.Sprintf("        var %s: i32 = 0;\n        while (%s < 4 && %s) {\n        %s += 1;\n%s%s        }\n",
		v.name, v.name, g.truth(1), v.name, jump, g.nested(1+g.IntN(2), depth-1))
}

// assign changes a variable, where there is one.
func (g *generator) assign() string {
	var able []variable
	for _, v := range g.scope {
		if v.mutable {
			able = append(able, v)
		}
	}
	if len(able) == 0 {
		t := g.typ()
		v := variable{g.name("v"), t, true}
		text := fmt.Sprintf("        var %s: %s = %s;\n", v.name, t, g.expr(t, 2))
		g.scope = append(g.scope, v)
		return text
	}
	v := pick(g, able)
	op := "="
	if g.chance(50) {
		op = pick(g, []string{"+=", "-=", "*="})
		if v.typ.Kind.IsInt() {
			op = pick(g, []string{"+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "min=", "max="})
		}
	}
	return fmt.Sprintf("        %s %s %s;\n", v.name, op, g.expr(v.typ, 3))
}

// expr is an expression of just type t.
func (g *generator) expr(t types.Type, depth int) string {
	if depth <= 0 || g.chance(10) {
		return g.leaf(t)
	}
	if t.Lanes > 1 {
		return g.vector(t, depth-1)
	}
	return g.scalar(t.Kind, depth-1)
}

func (g *generator) leaf(t types.Type) string {
	var able []string
	for _, v := range g.scope {
		if v.typ == t {
			able = append(able, v.name)
		}
	}
	for _, v := range g.images {
		if v.typ == t {
			able = append(able, g.load(v, 0))
		}
	}
	if len(able) > 0 && g.chance(80) {
		return pick(g, able)
	}
	if t.Lanes > 1 {
		return g.parts(t, 0)
	}
	return g.literal(t.Kind)
}

func (g *generator) literal(k types.Kind) string {
	if k.IsFloat() {
		return fmt.Sprintf("%s(%s)", k, pick(g, []string{"0.0", "1.0", "-1.0", "0.5", "2.5", "-3.75", "100.0", "1e-5", "255.0", "0.1", "60000.0"}))
	}
	return fmt.Sprintf("%s(%s)", k, pick(g, []string{"0", "1", "-1", "2", "3", "7", "8", "31", "32", "100", "127", "128", "-128", "255", "32767", "65535",
		"2147483647", "-2147483647 - 1", "65536", "123456789"}))
}

// load reads an image near the pixel, across the image or wherever a value says.
func (g *generator) load(v variable, depth int) string {
	y, x := pick(g, []string{"y", "y - 1", "y + 2", "2*y - 3", "k"}), pick(g, []string{"x", "x + 1", "x - 4", "H - x", "y"})
	if depth > 0 && g.chance(20) {
		x = g.expr(types.Scalar(types.I32), depth-1)
	}
	return fmt.Sprintf("%s[%s][%s]", v.name, y, x)
}

// cast brings an expression of any number type to kind k.
func (g *generator) cast(k types.Type, text string) string {
	if g.chance(20) {
		return fmt.Sprintf("sat<%s>(%s)", k, text)
	}
	return fmt.Sprintf("%s(%s)", k, text)
}

func (g *generator) scalar(k types.Kind, depth int) string {
	t := types.Scalar(k)
	sub := func() string { return g.expr(t, depth) }
	switch g.IntN(14) {
	case 5, 6:
		return g.cast(t, g.call(depth))
	case 0:
		return g.cast(t, g.expr(types.Scalar(pick(g, arithmetic)), depth))
	case 1:
		return fmt.Sprintf("(%s ? %s : %s)", g.truth(depth), sub(), sub())
	case 2:
		return g.reduction(k, depth)
	case 3:
		n := 2 + g.IntN(3)
		return fmt.Sprintf("(%s).%c", g.expr(types.Vector(k, n), depth), "xyzw"[g.IntN(n)])
	case 4:
		v := pick(g, g.images)
		if v.typ.Lanes > 1 {
			return fmt.Sprintf("%s(%s.%c)", k, g.load(v, depth), "xyzw"[g.IntN(int(v.typ.Lanes))])
		}
		return g.cast(t, g.load(v, depth))
	}
	if k.IsFloat() {
		return fmt.Sprintf("%s(%s)", k, g.floatOp(sub, depth))
	}
	return fmt.Sprintf("%s(%s)", k, g.intOp(k, sub, depth))
}

// call is a value of a func or of the array, of one kind or another.
func (g *generator) call(depth int) string {
	i32 := func() string { return g.expr(types.Scalar(types.I32), depth) }
	switch g.IntN(4) {
	case 0:
		return fmt.Sprintf("steps(%s, %s)", i32(), i32())
	case 1:
		return fmt.Sprintf("turn(%s, %s).y", g.expr(types.Vector(types.F32, 3), depth), g.expr(types.Scalar(types.F32), depth))
	case 2:
		return fmt.Sprintf("window(i32(%s[y-1 : 3][x : 3]), %s)", pick(g, []string{"a", "b", "e"}), i32())
	}
	return fmt.Sprintf("list[(%s) & 3]", i32())
}

func (g *generator) intOp(k types.Kind, sub func() string, depth int) string {
	switch g.IntN(6) {
	case 0:
		return fmt.Sprintf("%s(%s)", pick(g, []string{"-", "~"}), sub())
	case 1:
		return fmt.Sprintf("%s(%s)", pick(g, []string{"abs", "sign", "popcount", "clz"}), sub())
	case 2:
		return fmt.Sprintf("%s(%s, (%s) - %s(x))", pick(g, []string{"min", "max", "mod", "floordiv"}), sub(), sub(), k)
	case 3:
		return fmt.Sprintf("(%s) %s (%s)", sub(), pick(g, []string{"<<", ">>"}), g.expr(types.Scalar(pick(g, integers)), depth))
	case 4:
		if same := map[types.Kind]types.Kind{types.I8: types.U8, types.U8: types.I8, types.I32: types.U32, types.U64: types.I64}[k]; same != 0 {
			return fmt.Sprintf("bitcast<%s>(%s)", k, g.expr(types.Scalar(same), depth))
		}
		return fmt.Sprintf("clamp(%s, %s, %s)", sub(), sub(), sub())
	}
	return fmt.Sprintf("(%s) %s", sub(), g.rest(types.Scalar(k), sub()))
}

// rest is an integer operator with its right operand. A divisor is no constant: a constant zero would be an error.
func (g *generator) rest(t types.Type, operand string) string {
	op := pick(g, []string{"+", "-", "*", "/", "%", "&", "|", "^"})
	if op == "/" || op == "%" {
		return fmt.Sprintf("%s ((%s) - %s(x))", op, operand, t)
	}
	return fmt.Sprintf("%s (%s)", op, operand)
}

func (g *generator) floatOp(sub func() string, depth int) string {
	switch g.IntN(6) {
	case 0:
		return fmt.Sprintf("%s(%s)", pick(g, []string{"-", "abs", "sign", "floor", "ceil", "round", "trunc", "fract", "sqrt"}), sub())
	case 1:
		return fmt.Sprintf("%s(%s, %s, %s)", pick(g, []string{"fma", "mix"}), sub(), sub(), sub())
	case 2:
		return fmt.Sprintf("%s(%s, %s)", pick(g, []string{"mod", "step"}), sub(), sub())
	}
	return fmt.Sprintf("(%s) %s (%s)", sub(), pick(g, []string{"+", "-", "*", "/"}), sub())
}

// reduction folds a window or a comprehension; its own type is cast to k.
func (g *generator) reduction(k types.Kind, depth int) string {
	var scalars []variable
	for _, v := range g.images {
		if v.typ.Lanes == 1 {
			scalars = append(scalars, v)
		}
	}
	v := pick(g, scalars)
	window := fmt.Sprintf("%s[y-1 : %d][x-%d : %d]", v.name, 1+g.IntN(3), g.IntN(4), 1+g.IntN(4))
	switch g.IntN(6) {
	case 0:
		return fmt.Sprintf("%s(convolve(m, b[y][x]))", k)
	case 1:
		return fmt.Sprintf("%s(count(%s > %s))", k, window, g.literal(v.typ.Kind))
	case 2:
		if v.typ.Kind.IsInt() {
			return fmt.Sprintf("%s(%s(%s))", k, pick(g, []string{"min", "max", "median", "product"}), window)
		}
	case 3, 4:
		i := variable{name: g.name("n"), typ: types.Scalar(types.I32)}
		outer := g.scope
		g.scope = append(g.scope, i)
		element, of := g.expr(types.Scalar(types.I32), depth), pick(g, []string{"sum", "min", "argmax", "argmin", "product"})
		g.scope = outer
		return fmt.Sprintf("%s(%s(%s for %s in %s))", k, of, element, i.name, pick(g, []string{"0:4", "-1:2", "0:70"}))
	case 5:
		return fmt.Sprintf("%s(table[(%s) & 7])", k, g.expr(types.Scalar(types.I32), depth))
	}
	return fmt.Sprintf("%s(sum(%s))", k, window)
}

func (g *generator) vector(t types.Type, depth int) string {
	sub := func() string { return g.expr(t, depth) }
	switch g.IntN(8) {
	case 0:
		return g.parts(t, depth)
	case 1:
		return g.cast(t, g.expr(types.Vector(pick(g, arithmetic), int(t.Lanes)), depth))
	case 2:
		n := 2 + g.IntN(3)
		lanes := ""
		for range t.Lanes {
			lanes += string("xyzw"[g.IntN(n)])
		}
		return fmt.Sprintf("(%s).%s", g.expr(types.Vector(t.Kind, n), depth), lanes)
	case 3:
		return fmt.Sprintf("select((%s) %s (%s), %s, %s)", sub(), pick(g, []string{"<", "==", ">="}), sub(), sub(), sub())
	case 4:
		return fmt.Sprintf("%s((%s) * (%s))", t, sub(), g.expr(types.Scalar(t.Kind), depth))
	}
	if t.Kind.IsFloat() {
		return fmt.Sprintf("%s(%s)", t, g.floatOp(sub, depth))
	}
	if g.chance(20) {
		return fmt.Sprintf("%s((%s) %s (%s))", t, sub(), pick(g, []string{"<<", ">>"}), sub())
	}
	return fmt.Sprintf("%s((%s) %s)", t, sub(), g.rest(t, sub()))
}

func (g *generator) parts(t types.Type, depth int) string {
	parts := make([]string, t.Lanes)
	for i := range parts {
		parts[i] = g.expr(types.Scalar(t.Kind), depth)
	}
	return fmt.Sprintf("%s(%s)", t, strings.Join(parts, ", "))
}

// truth is a scalar condition.
func (g *generator) truth(depth int) string {
	if depth <= 0 {
		return fmt.Sprintf("(%s) %s %s", g.leaf(types.Scalar(types.I32)), pick(g, []string{"<", "!=", ">="}), g.literal(types.I32))
	}
	switch g.IntN(6) {
	case 0:
		return fmt.Sprintf("(%s && %s)", g.truth(depth-1), g.truth(depth-1))
	case 1:
		return fmt.Sprintf("(%s || %s)", g.truth(depth-1), g.truth(depth-1))
	case 2:
		return fmt.Sprintf("!(%s)", g.truth(depth-1))
	case 3:
		return fmt.Sprintf("%s(%s)", pick(g, []string{"isnan", "isinf"}), g.expr(types.Scalar(pick(g, floats)), depth-1))
	case 4:
		t := types.Vector(pick(g, arithmetic), 2+g.IntN(3))
		return fmt.Sprintf("%s((%s) < (%s))", pick(g, []string{"any", "all"}), g.expr(t, depth-1), g.expr(t, depth-1))
	}
	t := types.Scalar(pick(g, arithmetic))
	return fmt.Sprintf("(%s) %s (%s)", g.expr(t, depth-1), pick(g, []string{"<", "<=", ">", ">=", "==", "!="}), g.expr(t, depth-1))
}
