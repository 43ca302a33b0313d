package parser

import (
	"fmt"
	"strings"

	"imgc/grammar"
)

// habits recognise what a user of C, OpenCL, CUDA, Halide, HIPAcc, OpenCV or Python would type, and say how it is written
// here. The first that recognises a failure reports it.
var habits = []func(*failure) bool{
	keywordAsName, innerDeclaration, missingDirection, countingFor, increment, cast, bracesAroundValues,
	foreignFunction, foreignOperator, choiceBehind, typeArgument, commaInSubscript, equalsInCondition, stringAsValue, typeFirst, foreignWord, trailingComma, halfConditional, genericWithout, borderByValue, borderInBrackets, severalValues, severalNames, wholeAxis,
}

// foreignTypes maps the names of types in other languages.
var foreignTypes = func() map[string]string {
	types := map[string]string{
		"float": "f32", "double": "f64", "half": "f16", "char": "i8", "uchar": "u8", "short": "i16", "ushort": "u16",
		"int": "i32", "uint": "u32", "long": "i64", "ulong": "u64", "size_t": "u64", "unsigned": "u32", "signed": "i32",
		"int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64", "uint8": "u8", "uint16": "u16", "uint32": "u32",
		"uint64": "u64", "float16": "f16", "float32": "f32", "float64": "f64", "byte": "u8", "boolean": "bool",
	}
	for _, width := range []string{"8", "16", "32", "64"} {
		types["int"+width+"_t"], types["uint"+width+"_t"] = "i"+width, "u"+width
	}
	for _, n := range []string{"2", "3", "4"} {
		for _, base := range strings.Fields("float double half char uchar short ushort int uint long ulong") {
			types[base+n] = types[base] + "x" + n
		}
	}
	return types
}()

// typeAt returns the type here that the token n behind the failure stands for, "" if it stands for none.
func (f *failure) typeAt(n int) string {
	if f.is(n, grammar.Type) {
		return f.got(n)
	}
	return foreignTypes[f.got(n)]
}

// keywordAsName: let in = 3; out[y][x] = 1; x = over + 1;
func keywordAsName(f *failure) bool {
	if !f.is(0, grammar.Keyword, grammar.Type) || contains(statementWords, f.got(0)) && !f.usedAsName() {
		return false
	}
	word := "a keyword"
	if f.is(0, grammar.Type) {
		word = "a type"
	}
	switch f.expect {
	case "<ident>", "Name", "Var", "Ref", "ForVar":
		if f.is(0, grammar.Type) && f.is(1, grammar.Ident) {
			return false // a type in front of the name
		}
	case "Operand", "":
		if f.is(0, grammar.Type) || f.expect == "" && f.in != inBlock || !f.usedAsName() {
			return false
		}
	default:
		return false
	}
	d := f.errorf(codeKeywordName, f.here(), "'%s' is %s and cannot name %s", f.got(0), word, f.thing())
	if f.is(0, grammar.Type) {
		d.Note("a name stands in front of its type: name: %s", f.got(0))
	} else {
		d.Note("choose another name, such as %s_", f.got(0))
	}
	return true
}

// usedAsName reports whether what follows the token can only follow a name.
func (f *failure) usedAsName() bool {
	next := f.got(1)
	switch f.got(0) {
	case "if", "for", "while", "where", "scan", "sat", "bitcast", "true", "false", "iterate", "traverse", "return":
		return next == "=" || next == "["
	case "let", "var":
		return next == "=" || next == "[" || next == "."
	}
	return f.is(1, grammar.AssignOp, grammar.BinaryOp, grammar.SignOp) || next == "[" || next == "." || next == ")" || next == "," || next == "]" ||
		next == "(" && f.got(0) != "func" || next == ";" && f.expect == "Operand" || next == "in" || next == ":"
}

// innerDeclaration: const N = 3; in a pipeline.
func innerDeclaration(f *failure) bool {
	v := f.got(0)
	if f.in != inBlock || f.expect != "" || f.at != f.stmt || !contains(declarationWords, v) {
		return false
	}
	if v == "border" && !f.is(1, grammar.Ident) || v == "border" && f.got(2) != "(" {
		return false
	}
	d := f.errorf(codeInnerDecl, f.here(), "%s %s is declared outside of pipelines, kernels and funcs", article(v), v)
	switch {
	case v == "const" && f.typeAt(1) != "":
		d.Note("inside, a value that does not change is declared as: let %s: %s = ...;", f.nameAt(2), f.typeAt(1))
	case v == "const":
		d.Note("inside, a value that does not change is declared as: let %s = ...;", f.nameAt(1))
	case v == "mask":
		d.Note("inside, an array of coefficients is declared as: let %s: f32[3][3] = [...];", f.nameAt(1))
	}
	return true
}

func article(word string) string {
	if strings.ContainsAny(word[:1], "aeiou") {
		return "an"
	}
	return "a"
}

// nameAt is the name n tokens behind the failure, or a stand-in.
func (f *failure) nameAt(n int) string {
	if f.is(n, grammar.Ident) {
		return short(f.got(n))
	}
	return "name"
}

// missingDirection: pipeline p(src: u8[H][W])
func missingDirection(f *failure) bool {
	first := f.expect == `")"` && f.opener == f.at-1
	if f.in != inFile || !(first || f.expect == "Param") || f.head() == "func" {
		return false
	}
	name := f.at
	if f.got(0) == "mask" || f.got(0) == "const" {
		name++
	}
	if f.value(name+1) != ":" {
		return false
	}
	d := f.errorf(codeNoDirection, f.here(), "the parameter '%s' lacks its direction", short(f.value(name)))
	if f.got(0) == "mask" {
		d.Note("a mask given at run time is written in %s: mask f32[KH][KW]", short(f.value(name)))
	} else {
		d.Note("write in %s for what is read, out for what is written, inout for both", short(f.value(name)))
	}
	return true
}

// countingFor: for (int i = 0; i < n; i++)
func countingFor(f *failure) bool {
	if f.opener < 1 || f.value(f.opener-1) != "for" || f.in != inBlock {
		return false
	}
	switch f.expect {
	case `"in"`, "<ident>", "ForVar", `")"`:
	default:
		return false
	}
	if f.expect == `")"` && f.got(0) != ";" {
		return false
	}
	end := f.closing(f.opener, len(f.tokens))
	name, lo, hi := "i", "0", "n"
	counting := false
	for i := f.opener + 1; i < end && f.value(i) != "{" && f.value(i) != "}"; i++ {
		switch v := f.value(i); {
		case v == ";":
			counting = true
		case v == "=" && !counting && f.value(i+2) == ";":
			name, lo = f.value(i-1), f.value(i+1)
		case (v == "<" || v == "<=") && counting && f.value(i-1) == name && f.value(i+2) == ";":
			if hi = f.value(i + 1); v == "<=" {
				hi += " + 1"
			}
		}
	}
	switch {
	case counting:
		f.errorf(codeCountingFor, f.from(f.opener-1-f.at, 0), "a for runs over a range, it does not count by statements").
			Note("write for (%s in %s : %s)", short(name), short(lo), short(hi))
	case f.got(0) == "=" || f.got(0) == ":":
		f.errorf(codeCountingFor, f.here(), "expected 'in' after the variable of the for, found '%s'", f.got(0)).
			Note("write for (%s in lo : hi)", short(f.got(-1)))
	default:
		return false
	}
	return true
}

// borderByValue: in src: u8[H][W] border 0
func borderByValue(f *failure) bool {
	if f.at == f.first || f.got(-1) != "border" || !f.is(0, grammar.Int, grammar.Float) {
		return false
	}
	f.errorf(codeUnexpected, f.here(), "expected a border rule after 'border', found %s", f.found()).
		Note("pixels that have a value outside are those of border constant(%s)", short(f.got(0)))
	return true
}

// borderInBrackets: image t: u8[H][W] border(clamp); iterate (y, x) over t border(constant(0)) ...
func borderInBrackets(f *failure) bool {
	switch {
	case f.at == f.first:
		return false
	case f.got(-1) == "border" && f.got(0) == "(" && f.is(1, grammar.Ident):
		f.errorf(codeUnexpected, f.here(), "expected a border rule after 'border', found '('").
			Note("a rule of an image stands without parentheses: border %s", f.ruleAt(1))
	case f.at-f.first >= 3 && f.got(-3) == "border" && f.got(-2) == "(" && f.is(-1, grammar.Ident) && (f.got(0) == ")" || f.got(0) == "("):
		f.errorf(codeUnexpected, f.here(), "expected ':' after '%s', found %s", short(f.got(-1)), f.found()).
			Note("write border %s for all images that are read, border(src: %[1]s) for one", f.ruleAt(-1))
	default:
		return false
	}
	return true
}

// ruleAt is the border rule whose name is the token n behind the failure.
func (f *failure) ruleAt(n int) string {
	name := short(f.got(n))
	if f.got(n+1) == "(" {
		return name + "(" + short(f.got(n+2)) + ")"
	}
	return name
}

// severalValues: dst[y][x] = (a, b);
func severalValues(f *failure) bool {
	if f.got(0) != "," || f.opener <= f.stmt || f.bracketOf() != "the parentheses" {
		return false
	}
	f.errorf(codeUnexpected, f.here(), "expected ')' or an operator in the parentheses, found ','").
		Note("several values together are a vector, f32x2(a, b), or an array, [a, b]")
	return true
}

// severalNames: let (r, g, b) = src[y][x];
func severalNames(f *failure) bool {
	if f.at == f.first || f.got(-1) != "let" && f.got(-1) != "var" || f.got(0) != "(" {
		return false
	}
	f.errorf(codeUnexpected, f.here(), "a %s has one name", f.got(-1)).
		Note("name the whole and use its parts: %s p = ...; and p.x, p.y, or p[0], p[1] of an array", f.got(-1))
	return true
}

// wholeAxis: max(src[n][:][y]), dst = src[:, 0];
func wholeAxis(f *failure) bool {
	if f.got(-1) != "[" || f.got(0) != ":" || f.at == f.first {
		return false
	}
	f.errorf(codeNoExpr, f.here(), "expected an expression after '[', found ':'").
		Note("a part is written [first : count]; last axes without a subscript are taken whole").
		Note("a reduction along an axis names its places: max(src[k][y] for k in 0:n)")
	return true
}

// increment: i++; ++i; x = i++;
func increment(f *failure) bool {
	m := 0
	switch {
	case f.same(0, "+") || f.same(0, "-"):
	case f.expect == "Operand" && (f.same(-2, "+") || f.same(-2, "-")) && !f.is(0, grammar.Ident, grammar.Int, grammar.Float):
		m = -2
	default:
		return false
	}
	name, op := "x", f.got(m)
	switch {
	case f.is(m-1, grammar.Ident) && f.at+m > f.stmt:
		name = f.got(m - 1)
	case f.is(m+2, grammar.Ident):
		name = f.got(m + 2)
	}
	f.errorf(codeIncrement, f.from(m, m+1), "there is no operator %s%s", op, op).Note("write %s %s= 1;", short(name), op)
	return true
}

// same reports whether token n and the next are both op and stand together.
func (f *failure) same(n int, op string) bool {
	return f.got(n) == op && f.got(n+1) == op && f.touching(n)
}

// cast: (float)x, (u8)x, (unsigned char)x
func cast(f *failure) bool {
	var target string
	open := 0
	switch {
	case f.got(0) == ")" && f.got(-2) == "(" && f.is(-1, grammar.Type): // (u8)
		target, open = f.got(-1), -2
	case f.got(-1) == ")" && f.got(-3) == "(" && f.typeAt(-2) != "" && !f.newLine() && f.startsOperand():
		target, open = f.typeAt(-2), -3
	case f.got(-2) == "(" && f.got(-1) == "unsigned" && foreignTypes[f.got(0)] != "":
		target, open = unsigned(foreignTypes[f.got(0)]), -2
	default:
		return false
	}
	if before := f.at + open - 1; before >= f.first && endsOperand(f.tokens[before]) && f.tokens[before].Type == grammar.Ident {
		return false // the argument of a call
	}
	end := -1
	for n := 0; n <= 1 && f.got(-1) != ")"; n++ {
		if f.got(n) == ")" {
			end = n
			break
		}
	}
	f.errorf(codeCast, f.from(open, end), "there are no casts in front of an expression").Note("write %s(...)", target)
	return true
}

func (f *failure) startsOperand() bool {
	return f.is(0, grammar.Ident, grammar.Int, grammar.Float, grammar.Type) || f.got(0) == "("
}

func unsigned(t string) string { return "u" + strings.TrimLeft(t, "iu") }

// bracesAroundValues: var v: f32[4] = {1, 2, 3, 4};
func bracesAroundValues(f *failure) bool {
	if f.got(0) != "{" || f.expect != "Operand" || f.got(-1) == "descend" {
		return false
	}
	f.errorf(codeBraces, f.here(), "the values of an array stand in brackets, not in braces").Note("write [1, 2, 3]")
	return true
}

// foreignOperators maps a pair of touching tokens to what is said about it.
var foreignOperators = map[string]string{
	"= >":  "there is no operator =>; 'greater or equal' is >=",
	"= <":  "there is no operator =<; 'less or equal' is <=",
	"* *":  "there is no operator **; powers are written pow(a, b)",
	"- >":  "there is no operator ->; properties and components are written a.name",
	": :":  "there is no operator ::",
	": =":  "there is no operator :=; a value is named by let name = value;",
	"== =": "there is no operator ===; equality is ==",
	"!= =": "there is no operator !==; inequality is !=",
	"< >":  "there is no operator <>; inequality is !=",
	". .":  "there is no operator ..; a range is written lo : hi, without hi",
	"? ?":  "there is no operator ??", "? .": "there is no operator ?.",
	"< -": "there is no operator <-", "% %": "there is no operator %%",
	">> >": "there is no operator >>>; >> on an unsigned type shifts zeros in",
}

var foreignWordOperators = map[string]string{
	"and": "&&", "or": "||", "not": "!", "xor": "^", "div": "/", "bitand": "&", "bitor": "|", "is": "==",
}

// foreignOperator: a and b, a => b, a ** b, p->x
func foreignOperator(f *failure) bool {
	for _, n := range []int{-1, 0} {
		if f.expect == "TypeRef" {
			break
		}
		if text := foreignOperators[f.got(n)+" "+f.got(n+1)]; text != "" && f.touching(n) && f.at+n >= f.first {
			f.errorf(codeForeignOp, f.from(n, n+1), "%s", text)
			return true
		}
		if op := foreignWordOperators[f.got(n)]; op != "" && f.is(n, grammar.Ident) && !f.newLine() && (n == 0) != (f.got(n) == "not") &&
			f.expect != "<ident>" && f.expect != "Name" && f.at+n > f.first {
			f.errorf(codeForeignOp, f.from(n, n), "there is no operator '%s'", f.got(n)).Note("write %s", op)
			return true
		}
	}
	if f.expect == "Operand" && (f.got(0) == "*" || f.got(0) == "&") && f.is(1, grammar.Ident) {
		f.errorf(codeForeignOp, f.here(), "there are no pointers: %s%s", f.got(0), short(f.got(1))).
			Note("images and arrays are read as a[y][x] and passed by their names")
		return true
	}
	return false
}

// choiceBehind: a if c else b
func choiceBehind(f *failure) bool {
	if f.got(0) != "if" || f.expect == "Operand" || f.at == f.stmt || f.newLine() {
		return false
	}
	for n := 1; f.got(n) != "else"; n++ {
		if v := f.got(n); v == ";" || v == "{" || v == "}" || f.at+n >= len(f.tokens) {
			return false
		}
	}
	f.errorf(codeForeignOp, f.here(), "there is no operator 'if'").Note("a choice is written condition ? this : other")
	return true
}

// commaInSubscript: src[y, x], u8[H, W]
func commaInSubscript(f *failure) bool {
	if f.got(0) != "," || f.expect != `"]"` || f.opener < 0 || f.value(f.opener) != "[" {
		return false
	}
	end := f.closing(f.opener, len(f.tokens))
	d := f.errorf(codeCommaIndex, f.here(), "each subscript has brackets of its own")
	if text := short(f.span(f.tokens[f.opener].Pos.Offset, f.endOf(end)).Text()); f.onOneLine(f.opener, end) {
		d.Note("write %s", strings.ReplaceAll(strings.ReplaceAll(text, ", ", "]["), ",", "]["))
	} else {
		d.Note("write [y][x]")
	}
	return true
}

// endOf is the offset behind token i, or the end of the text.
func (p *parser) endOf(i int) int {
	if i >= len(p.tokens) {
		return len(p.file.Text)
	}
	return p.token(p.tokens[i]).End
}

// onOneLine reports whether tokens i to j exist and stand on one line, not too far apart to be quoted.
func (p *parser) onOneLine(i, j int) bool {
	return j < len(p.tokens) && p.tokens[i].Pos.Line == p.tokens[j].Pos.Line && p.tokens[j].Pos.Offset-p.tokens[i].Pos.Offset < 40
}

// equalsInCondition: if (a = b)
func equalsInCondition(f *failure) bool {
	if f.got(0) != "=" || f.expect != `")"` || f.opener < 0 || f.got(1) == "=" {
		return false
	}
	for i := f.opener; i > f.first && f.value(i) == "("; i-- {
		switch f.value(i - 1) {
		case "if", "while", "where", "assume":
			f.errorf(codeEqualsInCond, f.here(), "'=' assigns and cannot stand in a condition").Note("compare with ==")
			return true
		}
	}
	return false
}

// stringAsValue: x = "abc";
func stringAsValue(f *failure) bool {
	if !f.is(0, grammar.String) || f.expect != "Operand" && f.expect != "" {
		return false
	}
	f.errorf(codeString, f.here(), "texts are no values").
		Note("only import, extern and schedule take a text in quotes")
	return true
}

// foreignFunctionWords start functions in other languages.
var foreignFunctionWords = map[string]bool{
	"function": true, "def": true, "fn": true, "fun": true, "void": true, "inline": true, "static": true, "__kernel": true,
	"__global__": true, "__device__": true, "proc": true, "procedure": true, "auto": true, "template": true,
}

// foreignFunction: float f(float a) { ... }, def f(a):, func f32 lum(...), func f(a: f32) -> f32
func foreignFunction(f *failure) bool {
	if f.in != inFile {
		return false
	}
	const form = "func name(a: f32): f32 = value;"
	at := f.here()
	head := f.value(f.first)
	switch {
	case f.expect == "" && foreignFunctionWords[f.got(0)]:
	case f.expect == "" && f.typeAt(0) != "" && f.is(1, grammar.Ident) && f.got(2) == "(":
	case head == "func" && (f.is(0, grammar.Type) || f.typeAt(-1) != "" && f.is(0, grammar.Ident)) && f.at <= f.first+2:
	case head == "func" && f.got(0) == "-" && f.got(1) == ">" && f.got(-1) == ")":
		at = f.from(0, 1)
	case f.expect == `":"` && (f.got(0) == "{" || f.got(0) == "=") && f.got(-1) == ")":
		f.errorf(codeForeignFunc, f.behind(f.at-1), "a func names the type of its result").
			Note("write %s : type behind the parameters", short(f.value(f.first+1)))
		return true
	case (head == "kernel" || head == "pipeline") && (f.got(0) == ":" || f.got(0) == "-" && f.got(1) == ">") && f.got(-1) == ")":
		f.errorf(codeForeignFunc, f.here(), "a %s has no result", head).Note("it writes to its out and inout parameters")
		return true
	case (head == "kernel" || head == "pipeline") && (f.typeAt(-1) != "" || f.got(-1) == "void") && f.at == f.first+2:
		f.errorf(codeForeignFunc, f.from(-1, -1), "a %s has no result", head).Note("it writes to its out and inout parameters")
		return true
	default:
		return false
	}
	f.errorf(codeForeignFunc, at, "a function is written in another way here").
		Note("values: %s", form).
		Note("images: kernel name(in a: u8[h][w], out b: u8[h][w]) { ... }, or pipeline for an entry point")
	return true
}

// typeFirst: float x = 1; const int N = 3; in float gain
func typeFirst(f *failure) bool {
	n := -1 // the type's place
	switch {
	case f.is(0, grammar.Type) && f.is(1, grammar.Ident) && (f.expect == "" || f.expect == "<ident>"):
		n = 0
	case f.expect == "" && foreignTypes[f.got(0)] != "" && f.is(1, grammar.Ident):
		n = 0
	case f.at == f.first || foreignTypes[f.got(-1)] == "" || f.newLine():
		return false
	case !f.is(0, grammar.Ident):
		return false
	case f.expect != "MinMax" && f.expect != `"="` && f.expect != `":"` && f.expect != `";"` && f.expect != `")"`:
		return false
	}
	kind, last := f.typeAt(n), n+1
	if f.got(n) == "unsigned" && foreignTypes[f.got(n+1)] != "" {
		kind, last = unsigned(foreignTypes[f.got(n+1)]), n+2
	}
	if !f.is(last, grammar.Ident) {
		return false
	}
	f.errorf(codeTypeFirst, f.from(n, last), "the type stands behind the name").Note("write %s", f.declared(n, f.got(last), kind))
	return true
}

// declared is how a name is declared with its type where token n stands.
func (f *failure) declared(n int, name, kind string) string {
	name = short(name)
	before := f.got(n - 1)
	switch {
	case f.at+n <= f.first && f.in == inFile:
		return fmt.Sprintf("const %s: %s = ...;", name, kind)
	case f.at+n <= f.stmt && f.in == inBlock:
		return fmt.Sprintf("var %s: %s = ...;", name, kind)
	case (before == "(" || before == ",") && strings.HasPrefix(f.bracketOf(), "the list of the"):
		return name + " in lo : hi; iteration variables are i32"
	case before == "(" || before == ",":
		return fmt.Sprintf("%s: %s", name, kind)
	}
	if f.in == inBlock || before == "const" {
		return fmt.Sprintf("%s %s: %s = ...;", before, name, kind)
	}
	return fmt.Sprintf("%s %s: %s", before, name, kind)
}

// foreignWords start statements and declarations in other languages.
var foreignWords = map[string]string{
	"elif": "write else if (...)", "elseif": "write else if (...)", "elsif": "write else if (...)",
	"do": "write while (...) { ... }", "until": "write while (!...) { ... }", "loop": "write while (...) { ... }",
	"foreach": "write for (i in lo : hi), or iterate (y, x) over image", "switch": "write if (...) ... else if (...) ...",
	"case": "write if (...) ... else if (...) ...", "goto": "use if, for and while", "auto": "write let name = value;",
	"Var":  "iteration variables are named where they run: iterate (y, x) ..., or [e for y, x]",
	"RDom": "a reduction runs over a domain or range: sum(e for d in dom)",
	"Func": "write image name: f32[H][W] = [e for y, x];", "Expr": "write let name = value;",
	"Image": "write image name: f32[H][W];", "Buffer": "write image name: f32[H][W];", "Mat": "write image name: u8[H][W];",
	"Mask": "write mask name: f32[3][3] = [[...], ...];", "Domain": "write domain name[3][3] = [[...], ...];",
	"Accessor":          "images are read as src[y][x]; the border rule stands at the iterate",
	"BoundaryCondition": "the border rule stands at the iterate: iterate (y, x) over dst border clamp",
	"IterationSpace":    "write iterate (y, x) over dst",
	"print":             "a pipeline has no output but its out parameters", "printf": "a pipeline has no output but its out parameters",
	"struct": "there are no structures; vectors are f32x2 to f32x4", "typedef": "types have one name each",
	"using": "other files are imported as: import \"file.img\";", "include": "other files are imported as: import \"file.img\";",
	"from": "other files are imported as: import \"file.img\";", "namespace": "names need no namespace: import \"file.img\" as prefix;",
	"__local": "where an image is kept is said in a schedule", "__shared__": "where an image is kept is said in a schedule",
	"__constant": "write const or mask outside of the pipeline", "__global": "a parameter is written in a: u8[H][W]",
}

// foreignWord: Var x; elif (c) {
func foreignWord(f *failure) bool {
	start := f.stmt
	hint := foreignWords[f.value(start)]
	if hint == "" || f.in != inBlock && f.in != inFile || start > f.at || f.tokens[start].Type != grammar.Ident {
		return false
	}
	switch f.expect {
	case "", "MinMax", `";"`, `")"`, "Operand", "Stmt":
	default:
		return false
	}
	f.errorf(codeForeignWord, f.token(f.tokens[start]), "there is no '%s' here", f.value(start)).Note("%s", hint)
	return true
}

// trailingComma: f(a, b,) and [1, 2,]
func trailingComma(f *failure) bool {
	if f.got(-1) != "," || f.got(0) != ")" && f.got(0) != "]" {
		return false
	}
	f.errorf(codeTrailing, f.from(-1, -1), "the last element has no comma behind it").Note("delete the comma")
	return true
}

// halfConditional: x = c ? a;
func halfConditional(f *failure) bool {
	if f.expect != `":"` || !f.between(max(f.stmt, f.opener+1), "?") {
		return false
	}
	f.errorf(codeUnexpected, f.missing(), "expected ':' and the other value of the conditional, found %s", f.found()).
		Note("a choice between two values is written condition ? a : b")
	return true
}

// between reports whether a token with the text stands from index i to the failure.
func (f *failure) between(i int, text string) bool {
	for ; i < f.at; i++ {
		if f.value(i) == text {
			return true
		}
	}
	return false
}

// genericWithout: sat(e)
func genericWithout(f *failure) bool {
	if f.expect != `"<"` {
		return false
	}
	f.errorf(codeUnexpected, f.missing(), "'%s' names the type that it converts to", f.got(-1)).
		Note("write %s<u8>(...)", f.got(-1))
	return true
}

// typeArgument: src.at<uchar>(y, x), which reads as two comparisons up to the comma.
func typeArgument(f *failure) bool {
	o := f.opener
	if f.got(0) != "," || o < f.first+4 || f.value(o) != "(" || f.value(o-1) != ">" || f.value(o-3) != "<" || foreignTypes[f.value(o-2)] == "" {
		return false
	}
	at := *f
	at.at = o - 1
	typeArguments(&at)
	return true
}
