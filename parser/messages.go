package parser

import (
	"strings"

	"imgc/diag"
	"imgc/grammar"
)

// Codes of what is wrong with the grammar of a text.
const (
	codeUnexpected   diag.Code = "IMG0110"
	codeSemicolon    diag.Code = "IMG0111"
	codeUnclosed     diag.Code = "IMG0112"
	codeUnopened     diag.Code = "IMG0113"
	codeNoExpr       diag.Code = "IMG0114"
	codeKeywordName  diag.Code = "IMG0115"
	codeNoDirection  diag.Code = "IMG0116"
	codeNoDecl       diag.Code = "IMG0117"
	codeNoType       diag.Code = "IMG0121"
	codeNoEffect     diag.Code = "IMG0122"
	codeTrailing     diag.Code = "IMG0123"
	codeString       diag.Code = "IMG0124"
	codeInnerDecl    diag.Code = "IMG0125"
	codeNoMethod     diag.Code = "IMG0126"
	codeCast         diag.Code = "IMG0130"
	codeIncrement    diag.Code = "IMG0131"
	codeTypeFirst    diag.Code = "IMG0132"
	codeCountingFor  diag.Code = "IMG0133"
	codeBraces       diag.Code = "IMG0134"
	codeForeignOp    diag.Code = "IMG0135"
	codeCommaIndex   diag.Code = "IMG0136"
	codeEqualsInCond diag.Code = "IMG0137"
	codeForeignFunc  diag.Code = "IMG0138"
	codeForeignWord  diag.Code = "IMG0139"
)

// report puts an error of the grammar into words. It returns the index of the token that did not fit and of the one from which
// to go on; the latter is -1 if the rest of the item is to be skipped.
func (p *parser) report(in context, first int, err error) (at, next int) {
	f := p.newFailure(in, first, err)
	if f.spoilt() {
		p.failed = true
		return f.at, -1
	}
	for _, h := range habits {
		if h(f) {
			return f.at, -1
		}
	}
	if e, ok := expectations[f.expect]; ok {
		return f.at, e(f)
	}
	return f.at, expectAnything(f)
}

// expectations says for each symbol of the grammar what its absence means to a reader. The functions return the token from
// which to go on, or -1.
var expectations = map[string]func(*failure) int{
	"":             expectItem,
	`";"`:          expectSemicolon,
	`")"`:          expectCloser,
	`"]"`:          expectCloser,
	`"}"`:          expectCloser,
	"Operand":      expectOperand,
	"MinMax":       expectAssignment,
	"Stmt":         expectBody,
	"TypeRef":      expectType,
	"<ident>":      expectName,
	"Name":         expectName,
	"Var":          expectName,
	"Ref":          expectName,
	"Rule":         expectName,
	"Args":         expectArgs,
	"Param":        expectParam,
	"FuncParam":    expectParam,
	"<string>":     expect("a text in quotes"),
	"Device":       expect("a device's name in quotes"),
	"<int>":        expect("an integer"),
	"Source":       expect("a language and a file, such as opencl \"f.cl\""),
	"Comp":         expect("variables such as y, x or d in dom"),
	"BorderClause": expect("a border rule such as clamp"),
	"Clause":       expect("a clause: border, where or scan"),
	"Place":        expect("a place such as [*], [-1] or [+2]"),
	"Item":         expect("a decision such as inline or tile(32, 8)"),
	"ItemArg":      expect("a decision's argument: a number or a name"),
	"NamedRule":    expect("an image and its border rule, such as src: clamp"),
	"ScanVar":      expect("the variable to scan along"),
	"Block":        expectBlock,
	"Frames":       expect("'{'"),
	"Decisions":    expect("'{'"),
	"ForVar":       expect("a variable"),
	`"*"`:          expect("'*', '-' or '+'"),
	`"mask"`:       expect("a type"),
	"<type>":       expect("an element type"),
	"Elem":         expect("an element type"),
	"<assignop>":   expectAssignment,
}

// expectAnything serves the symbols that read as they are written: "=" and other punctuation, words.
func expectAnything(f *failure) int {
	return expect("'" + strings.Trim(f.expect, `"`) + "'")(f)
}

// expect reports that what was expected is missing and shows the form of the construct.
func expect(what string) func(*failure) int {
	return func(f *failure) int {
		f.shape(f.errorf(codeUnexpected, f.missing(), "expected %s%s, found %s", what, f.after(), f.found()))
		return -1
	}
}

// after says behind which token something was expected.
func (f *failure) after() string {
	if f.at == f.first {
		return ""
	}
	return " after '" + short(f.got(-1)) + "'"
}

// shapes shows how constructs are written, by their first word.
var shapes = map[string]string{
	"import":      `import "file.img";`,
	"const":       "const N = 3;",
	"mask":        "mask g: f32[3][3] = [[...], [...], [...]];",
	"domain":      "domain d[3][3] = [[...], [...], [...]];",
	"border":      "border name(s[M][N]) { s[*][-1] = ...; } else rule",
	"func":        "func f(a: f32, b: i32): f32 = ...;",
	"extern":      `extern func f(inout v: f32[8]) reads(v[0:8]) writes(v[0:8]) from opencl "f.cl";`,
	"commutative": "commutative func merge(a: f32, b: f32): f32 = ...;",
	"kernel":      "kernel k(in a: f32[h][w], out b: f32[h][w]) { ... }",
	"pipeline":    "pipeline p(in a: u8[H][W], out b: u8[H][W]) { ... }",
	"schedule":    `schedule p on "device" { stage: inline; }`,
	"if":          "if (condition) statement",
	"for":         "for (i in lo : hi) statement",
	"while":       "while (condition) statement",
	"iterate":     "iterate (y, x) over image where (condition) border rule statement, or over ranges, iterate (y in 0:H, x in 0:W) statement",
	"traverse":    "traverse (p, q) { ... }",
	"descend":     "descend;",
	"let":         "let name: type = value;",
	"var":         "var name: type = value;",
	"image":       "image name: u8[H][W] = value;",
	"pyramid":     "pyramid name: f32[H][W] levels n;",
	"view":        "view name = image[y0 : height][x0 : width];",
}

// shape adds how the construct around the failure is written.
func (f *failure) shape(d *diag.Diagnostic) {
	head := f.head()
	if f.in == inFile && shapes[f.value(f.first)] != "" {
		head = f.value(f.first)
	}
	if s := shapes[head]; s != "" && f.opener < 0 {
		d.Note("it is written: %s", s)
	}
}

// constructs names what a statement or declaration is, by its first word.
var constructs = map[string]string{
	"import": "import", "const": "declaration of the const", "mask": "declaration of the mask",
	"domain": "declaration of the domain", "func": "definition of the func", "return": "return", "break": "break",
	"continue": "continue", "let": "let", "var": "declaration of the variable", "image": "declaration of the image",
	"pyramid": "declaration of the pyramid", "view": "declaration of the view", "descend": "descend",
}

func (f *failure) construct() string {
	if c := constructs[f.head()]; c != "" {
		return c
	}
	switch {
	case f.in == inSchedule:
		return "decision"
	case f.in == inBlock && f.value(f.stmt+1) == "(":
		return "call of '" + short(f.head()) + "'"
	}
	return "assignment"
}

func expectSemicolon(f *failure) int {
	switch {
	case f.newLine() || f.got(0) == "}" || contains(statementWords, f.got(0)):
		f.errorf(codeSemicolon, f.behind(f.at-1), "expected ';' after the %s", f.construct()).Mark("';' is missing")
		if f.got(0) != "else" {
			return f.at
		}
	case f.got(0) == ")" || f.got(0) == "]":
		f.errorf(codeUnopened, f.here(), "'%s' without a '%s' before it", f.got(0), opening[f.got(0)])
	case (f.got(0) == "=" || f.is(0, grammar.AssignOp)) && f.got(-1) == ")" && f.value(f.stmt+1) == "(":
		f.errorf(codeUnexpected, f.here(), "a call cannot be assigned to").
			Note("a pixel is written %s[y][x] %s ...;", short(f.head()), f.got(0))
	case f.got(0) == "=" || f.is(0, grammar.AssignOp):
		f.errorf(codeUnexpected, f.here(), "an assignment is no expression and cannot stand inside another").
			Note("write two statements")
	default:
		d := f.errorf(codeSemicolon, f.here(), "expected ';' or an operator after the %s, found %s", f.construct(), f.found())
		f.didYouMean(d, f.value(f.stmt), f.words())
	}
	return -1
}

var opening = map[string]string{")": "(", "]": "[", "}": "{"}

// words are the reserved words with which an item may start here.
func (f *failure) words() []string {
	if f.in == inBlock {
		return statementWords
	}
	return declarationWords
}

// didYouMean suggests one of the words for another.
func (f *failure) didYouMean(d *diag.Diagnostic, word string, words []string) {
	if s := diag.Suggest(word, words); s != "" && len(word) > 2 {
		d.Note("did you mean '%s'?", s)
	}
}

var (
	declarationWords = strings.Fields("import const mask domain border func commutative extern kernel pipeline schedule")
	statementWords   = strings.Fields("iterate image pyramid view let var if else for while return traverse descend break continue")
)

// expectCloser reports a bracket that is not closed, or what stands in its place.
func expectCloser(f *failure) int {
	closer := strings.Trim(f.expect, `"`)
	switch {
	case f.opener < 0:
		return expectAnything(f)
	case f.opener == f.at-1 && f.bracketOf() == "the parameters":
		return expectParam(f)
	}
	name := f.bracketOf()
	switch v := f.got(0); {
	case v == ";" || v == "{" || v == "}" || f.newLine() || contains(statementWords, v):
		f.errorf(codeUnclosed, f.behind(f.at-1), "expected '%s' to close %s", closer, name).
			NoteAt(f.token(f.tokens[f.opener]), "opened here")
		if f.newLine() || v == "}" {
			return f.at
		}
	case v == ")" || v == "]":
		f.errorf(codeUnclosed, f.here(), "expected '%s' to close %s, found '%s'", closer, name, v).
			NoteAt(f.token(f.tokens[f.opener]), "opened here")
	case v == "=" && strings.HasPrefix(name, "the list of the"):
		f.errorf(codeUnexpected, f.here(), "expected 'in', found '='").
			Note("a range is written %s in lo : hi", short(f.got(-1)))
	case v == "=":
		f.errorf(codeUnexpected, f.here(), "expected '%s' or ',' in %s, found '='", closer, name).
			Note("arguments are told apart by their order, not by names")
	case v == "," && name == "the list of the for":
		f.errorf(codeUnexpected, f.here(), "expected ')' in the list of the for, found ','").
			Note("a for counts one variable: write one for inside of the other, for (y in 0:H) for (x in 0:W)")
	default:
		f.errorf(codeUnexpected, f.here(), "expected %s in %s, found %s", f.separators(closer), name, f.found())
	}
	return -1
}

// separators is the closing bracket, and the comma where that may stand.
func (f *failure) separators(closer string) string {
	switch f.bracketOf() {
	case "the subscript", "the extent", "the condition", "the parentheses", "the list of the for":
		return "'" + closer + "' or an operator"
	}
	return "'" + closer + "' or ','"
}

// bracketOf names the bracket around the failure.
func (f *failure) bracketOf() string {
	before := f.value(f.opener - 1)
	switch {
	case f.opener <= f.first:
		return "the parentheses"
	case before == "if" || before == "while" || before == "where":
		return "the condition"
	case before == "for" || before == "iterate" || before == "independent" || before == "traverse":
		return "the list of the " + map[bool]string{true: "iterate", false: before}[before == "independent"]
	case f.value(f.opener) == "[" && f.inType():
		return "the extent"
	case f.value(f.opener) == "[" && endsOperand(f.tokens[f.opener-1]):
		return "the subscript"
	case f.value(f.opener) == "[":
		return "the list"
	case f.in == inFile && (f.value(f.opener-2) == f.head() || before == ">"):
		return "the parameters"
	case endsOperand(f.tokens[f.opener-1]) || before == ">":
		return "the arguments"
	}
	return "the parentheses"
}

// inType reports whether the bracket around the failure is an extent of a type.
func (f *failure) inType() bool {
	i := f.opener - 1
	for depth := 0; i > f.first && (f.value(i) == "]" || depth > 0); i-- {
		switch f.value(i) {
		case "]":
			depth++
		case "[":
			depth--
		}
	}
	return f.tokens[i].Type == grammar.Type || i > f.first && f.value(i-1) == ":" && f.tokens[i].Type == grammar.Ident && f.in == inFile
}

// endsOperand reports whether an operand may end in a token, so that a bracket behind it is a subscript or arguments.
func endsOperand(t grammar.Token) bool {
	switch t.Type {
	case grammar.Ident, grammar.Type, grammar.Int, grammar.Float:
		return true
	}
	return t.Value == ")" || t.Value == "]"
}

func contains(words []string, word string) bool {
	for _, w := range words {
		if w == word {
			return true
		}
	}
	return false
}

func expectOperand(f *failure) int {
	d := f.errorf(codeNoExpr, f.missing(), "expected an expression%s, found %s", f.after(), f.found())
	if f.got(0) == "if" && !f.newLine() {
		d.Note("a choice between two values is written condition ? a : b")
	}
	if f.got(-1) == ":" && f.got(0) == "]" {
		d.Note("a window is start : count, and the count is a constant, as in [y-1 : 3]")
	}
	if f.newLine() && f.at < len(f.tokens) && contains(statementWords, f.got(0)) {
		return f.at
	}
	return -1
}

// expectAssignment is reached behind a name and its subscripts, where no statement ends.
func expectAssignment(f *failure) int {
	if f.at == f.stmt+1 && f.is(0, grammar.Ident, grammar.Type, grammar.Keyword) && !f.newLine() {
		d := f.errorf(codeForeignWord, f.from(-1, -1), "no statement starts with '%s'", f.got(-1))
		f.didYouMean(d, f.got(-1), statementWords)
		return -1
	}
	switch {
	case f.got(0) == ",":
		f.errorf(codeUnexpected, f.here(), "an assignment has one target").Note("write one assignment for each")
	case f.newLine() || f.got(0) == ";" || f.got(0) == "}" || f.is(0, grammar.BinaryOp, grammar.SignOp):
		f.noEffect(f.from(f.stmt-f.at, -1))
	default:
		f.errorf(codeUnexpected, f.here(), "expected '=' or another assignment after '%s', found %s", f.target(), f.found())
	}
	return -1
}

func (f *failure) target() string { return short(f.from(f.stmt-f.at, -1).Text()) }

// expectBody is reached where if, for, while, iterate or a label lacks its statement.
func expectBody(f *failure) int {
	head := f.head()
	if f.tokens[f.stmt].Type == grammar.Ident {
		head = "label"
	}
	f.errorf(codeUnexpected, f.missing(), "expected a statement for the %s, found %s", head, f.found()).
		Note("the body is one statement, a block { ... }, or a lone ';'")
	return -1
}

func expectType(f *failure) int {
	d := f.errorf(codeNoType, f.missing(), "expected a type%s, found %s", f.after(), f.found())
	if f.got(0) == "=" && f.got(-1) == ":" && (f.head() == "let" || f.head() == "var" || f.head() == "const") {
		d.Note("leave the ':' out and the value gives the type")
	} else {
		d.Note("element types are bool, i8 to i64, u8 to u64, f16, bf16, f32, f64 and vectors of them such as u8x3")
	}
	return -1
}

func expectName(f *failure) int {
	what := "a name"
	if before := f.got(-1); f.opener >= 0 || before == "over" || before == "border" || before == "." {
		what = f.thing()
	}
	return expect(what)(f)
}

// thing says what a name stands for at the failure.
func (f *failure) thing() string {
	switch {
	case f.expect == "Operand" || f.expect == "":
		return "an image or a variable"
	case f.got(-1) == ".":
		return "a component or property"
	case f.got(-1) == "over":
		return "an image"
	case f.got(-1) == "border":
		return "a border rule"
	case f.opener >= 0 && f.bracketOf() == "the parameters":
		return "a parameter"
	case f.opener >= 0:
		return "a variable"
	}
	if n := named[f.head()]; n != "" {
		return n
	}
	return "a name"
}

var named = map[string]string{
	"const": "a const", "mask": "a mask", "domain": "a domain", "border": "a border", "func": "a func",
	"kernel": "a kernel", "pipeline": "a pipeline", "schedule": "a pipeline", "let": "a variable", "var": "a variable",
	"image": "an image", "pyramid": "a pyramid", "view": "a view", "for": "a variable", "iterate": "a variable",
}

func expectArgs(f *failure) int {
	if f.got(0) == ">" && f.got(-2) == "<" {
		typeArguments(f)
		return -1
	}
	f.errorf(codeUnexpected, f.here(), "a conversion needs parentheses around its value").
		Note("write %s(...)", short(f.conversion()))
	return -1
}

// typeArguments reports name<type>(...), whose name is no sat or bitcast.
func typeArguments(f *failure) {
	d := f.errorf(codeUnexpected, f.from(-3, 0), "only sat<...> and bitcast<...> take a type in brackets")
	switch name, to := f.got(-3), f.typeAt(-1); {
	case name == "at" || name == "ptr":
		d.Note("a pixel is read as src[y][x]")
	case name == "static_cast":
		d.Note("write %s(...)", to)
	case name == "saturate_cast" || strings.HasPrefix(name, "convert"):
		d.Note("write sat<%s>(...), which saturates, or %s(...)", to, to)
	case strings.HasPrefix(name, "reinterpret"):
		d.Note("write bitcast<%s>(...)", to)
	default:
		d.Note("write %s(...)", to)
	}
}

// conversion is the type, or sat<type>, in front of the failure.
func (f *failure) conversion() string {
	if f.got(-1) != ">" {
		return f.got(-1)
	}
	for i := f.at - 2; i >= f.first; i-- {
		if f.value(i) == "<" {
			return f.from(i-1-f.at, -1).Text()
		}
	}
	return f.got(-2)
}

func expectBlock(f *failure) int {
	if f.head() == "descend" {
		return expect("';' or a block")(f)
	}
	return expect("'{'")(f)
}

func expectParam(f *failure) int {
	what := "a parameter such as in a: u8[H][W]"
	if f.head() == "func" {
		what = "a parameter such as a: f32"
	}
	return expect(what)(f)
}

// expectItem is reached where a declaration, statement, frame or decision should start.
func expectItem(f *failure) int {
	switch f.in {
	case inFile:
		return expectDecl(f)
	case inBorder:
		f.errorf(codeUnexpected, f.here(), "expected a line of the border, found %s", f.found()).
			Note("a line is written: s[*][-1] = value;")
	case inSchedule:
		f.errorf(codeUnexpected, f.here(), "expected a decision, found %s", f.found()).
			Note("a decision is written: stage: inline; or stage: tile(32, 8) item(4, 2);")
	case inExpr:
		f.errorf(codeUnexpected, f.here(), "expected an operator or the end of the expression, found %s", f.found())
	default:
		return expectStatement(f)
	}
	return -1
}

func expectStatement(f *failure) int {
	v := f.got(0)
	switch {
	case v == "else":
		f.errorf(codeUnexpected, f.here(), "'else' without an 'if' before it").
			Note("an else follows the statement or block of its if; two statements need a block { ... }")
	case v == "where" || v == "border" || v == "scan" || v == "over":
		f.errorf(codeUnexpected, f.here(), "'%s' belongs to an iterate or comprehension and stands before the body", v).
			Note("it is written: %s", shapes["iterate"])
	case v == ")" || v == "]":
		f.errorf(codeUnopened, f.here(), "'%s' without a '%s' before it", v, opening[v])
	case f.is(0, grammar.Int, grammar.Float, grammar.Type, grammar.BinaryOp, grammar.SignOp, grammar.NotOp) || v == "(" || v == "[":
		f.errorf(codeNoEffect, f.here(), "expected a statement, found %s", f.found()).
			Note("a statement assigns (name = value;), calls a kernel (name(...);) or has a label (name: statement)")
	default:
		f.errorf(codeUnexpected, f.here(), "expected a statement, found %s", f.found())
	}
	return -1
}

func expectDecl(f *failure) int {
	v := f.got(0)
	switch {
	case v == "}" || v == ")" || v == "]":
		f.errorf(codeUnopened, f.here(), "'%s' without a '%s' before it", v, opening[v])
	case v == ";":
		message := "there is nothing that this ';' could end"
		if f.got(-1) == "}" {
			message = "no ';' stands behind the '}' of a declaration"
		}
		f.errorf(codeNoDecl, f.here(), "%s", message).Note("delete it")
		return f.at + 1
	default:
		d := f.errorf(codeNoDecl, f.here(), "expected a declaration, found %s", f.found())
		if f.got(0) == "let" && f.is(1, grammar.Ident) {
			d.Note("a value that is known at compile time is declared as: const %s = ...;", f.got(1))
		}
		if f.isStatement() {
			d.Note("statements stand inside a pipeline, kernel or func; does an earlier '}' close too much?")
			return f.nextDecl()
		}
		if s := diag.Suggest(v, declarationWords); s != "" && f.is(0, grammar.Ident) {
			d.Note("did you mean '%s'?", s)
		} else {
			d.Note("declarations start with import, const, mask, domain, border, func, extern, kernel, pipeline or schedule")
		}
	}
	return -1
}

// isStatement reports whether what does not fit looks like a statement.
func (f *failure) isStatement() bool {
	next := f.got(1)
	return contains(statementWords, f.got(0)) ||
		f.is(0, grammar.Ident) && (f.is(1, grammar.AssignOp) || next == "[" || next == "." || next == "(" && !f.headOfBlock())
}

// headOfBlock reports whether parentheses and a block follow, as they do behind a mistyped kernel or pipeline.
func (f *failure) headOfBlock() bool {
	return f.value(f.closing(f.at+1, len(f.tokens))+1) == "{"
}

// nextDecl is the index of the first token behind the failure that starts a declaration.
func (f *failure) nextDecl() int {
	for i := f.at + 1; i < len(f.tokens); i++ {
		if t := f.tokens[i]; grammar.StartsDecl(t) || strongDeclWords[t.Value] || t.Value == "border" && t.Pos.Column == 1 {
			return i
		}
	}
	return len(f.tokens)
}
