package diag

import "strings"

// syntaxEntries documents what the lexer and the parser report: IMG0101 to IMG0109 what is wrong with characters and sizes,
// IMG0110 to IMG0126 with the grammar, and from IMG0130 on habits of other languages.
var syntaxEntries = []Entry{
	{
		Code: "IMG0101", Since: "0.1",
		Title: "character without a meaning",
		Text: "Programs are made of ASCII letters, digits, '_' and the operators of the reference; other characters may " +
			"stand in comments and texts in quotes only. Editors and documents often put a typographic character in place " +
			"of the plain one.",
		Failing: `pipeline p(in a: u8[H][W], out d: u8[H][W]) {
    d = a × 2;
}
`,
		Mended: `pipeline p(in a: u8[H][W], out d: u8[H][W]) {
    d = a * 2;
}
`,
	},
	{
		Code: "IMG0102", Since: "0.1",
		Title: "text that is not UTF-8",
		Text: "A program is a text file in UTF-8. Bytes that are not UTF-8 come from another encoding or from a file that " +
			"is no text.",
		Failing: "const a = 1; \xff\n",
		Mended:  "const a = 1;\n",
	},
	{
		Code: "IMG0103", Since: "0.1",
		Title:   "comment without an end",
		Text:    "A comment that starts with /* goes on to the next */. Such comments do not nest.",
		Failing: "const a = 1; /* one\n",
		Mended:  "const a = 1; /* one */\n",
	},
	{
		Code: "IMG0104", Since: "0.1",
		Title:   "text without a closing quote",
		Text:    "A text in quotes ends on the line where it starts.",
		Failing: "import \"filters.img;\n",
		Mended:  "import \"filters.img\";\n",
	},
	{
		Code: "IMG0105", Since: "0.1",
		Title: "malformed number",
		Text: "Integers are written 12 or 0xff, with u, l or ul behind them for unsigned and 64 bits; floats have digits on " +
			"both sides of the point, 1.0 and 0.5, or an exponent, and f, d or h behind them. The point needs its digits " +
			"because .* and ./ are operators: 2.*v could mean two things. A leading zero is refused because it means " +
			"octal in C and nothing elsewhere.",
		Failing: "const half = .5;\n",
		Mended:  "const half = 0.5;\n",
	},
	{
		Code: "IMG0106", Since: "0.1",
		Title: "character literal",
		Text:  "There is no character type: pixels are numbers.",
		Failing: `pipeline p(in a: u8[H][W], out d: u8[H][W]) {
    d = 'A';
}
`,
		Mended: `pipeline p(in a: u8[H][W], out d: u8[H][W]) {
    d = 65;
}
`,
	},
	{
		Code: "IMG0107", Since: "0.1",
		Title: "preprocessor line",
		Text: "There is no preprocessor. Constants are declared with const and may be overridden on the command line with " +
			"-D NAME=VALUE, functions with func, and other files are imported.",
		Failing: "#define RADIUS 3\n",
		Mended:  "const RADIUS = 3;\n",
	},
	{
		Code: "IMG0108", Since: "0.1",
		Title: "nesting too deep",
		Text: "Brackets, statements and conditionals nest at most 200 levels deep, so that no text can exhaust the memory " +
			"of the compiler. Programs that people write stay far below.",
		Failing: "const a = " + strings.Repeat("(", 201) + "1" + strings.Repeat(")", 201) + ";\n",
		Mended:  "const a = 1;\n",
	},
	{
		Code: "IMG0109", Since: "0.1",
		Title: "expression too long",
		Text: "One expression has at most 2000 operators and subscripts. Longer sums are written over a mask, an array or a " +
			"domain.",
		Failing: "const a = 1" + strings.Repeat(" + 1", 2001) + ";\n",
		Mended:  "const a = 1 + 1;\n",
	},
	{
		Code: "IMG0110", Since: "0.1",
		Title:   "unexpected word or symbol",
		Text:    "Something else is needed at this place; the message says what, and how the construct is written.",
		Failing: "const N 3;\n",
		Mended:  "const N = 3;\n",
	},
	{
		Code: "IMG0111", Since: "0.1",
		Title: "missing semicolon",
		Text: "Every statement and declaration without a block ends in a semicolon. The place shown is where it is missing, " +
			"behind the last word of the statement.",
		Failing: `pipeline p(in a: u8[H][W], out d: u8[H][W]) {
    let x = a[0][0]
    d = x;
}
`,
		Mended: `pipeline p(in a: u8[H][W], out d: u8[H][W]) {
    let x = a[0][0];
    d = x;
}
`,
	},
	{
		Code: "IMG0112", Since: "0.1",
		Title: "missing closing bracket",
		Text: "A bracket was opened and not closed before something that cannot stand inside it. For braces the opening one " +
			"shown is a guess from the indentation.",
		Failing: `pipeline p(in a: u8[H][W], out d: u8[H][W]) {
    d = (a + 1;
}
`,
		Mended: `pipeline p(in a: u8[H][W], out d: u8[H][W]) {
    d = (a + 1);
}
`,
	},
	{
		Code: "IMG0113", Since: "0.1",
		Title: "closing bracket without an opening one",
		Text:  "The bracket closes nothing: an earlier one closes too much, or it is left over.",
		Failing: `pipeline p(in a: u8[H][W], out d: u8[H][W]) {
    d = a + 1);
}
`,
		Mended: `pipeline p(in a: u8[H][W], out d: u8[H][W]) {
    d = a + 1;
}
`,
	},
	{
		Code: "IMG0114", Since: "0.1",
		Title: "missing expression",
		Text:  "An operator, bracket or assignment needs a value at this place.",
		Failing: `pipeline p(in a: u8[H][W], out d: u8[H][W]) {
    d = a + ;
}
`,
		Mended: `pipeline p(in a: u8[H][W], out d: u8[H][W]) {
    d = a + 1;
}
`,
	},
	{
		Code: "IMG0115", Since: "0.1",
		Title: "keyword or type as a name",
		Text: "Reserved words and the names of types cannot name anything else. Among them are in, out and over, which " +
			"programs in other languages like to use for images.",
		Failing: `pipeline p(in a: u8[H][W], out d: u8[H][W]) {
    let in = 3;
}
`,
		Mended: `pipeline p(in a: u8[H][W], out d: u8[H][W]) {
    let input = 3;
}
`,
	},
	{
		Code: "IMG0116", Since: "0.1",
		Title: "parameter without a direction",
		Text: "Every parameter of a kernel or pipeline says whether it is read (in), written (out) or both (inout). The " +
			"compiler plans transfers and proves the absence of races from that.",
		Failing: "pipeline p(src: u8[H][W], out dst: u8[H][W]) { dst = src; }\n",
		Mended:  "pipeline p(in src: u8[H][W], out dst: u8[H][W]) { dst = src; }\n",
	},
	{
		Code: "IMG0117", Since: "0.1",
		Title: "no declaration",
		Text: "Only declarations stand outside of braces: import, const, mask, domain, border, func, commutative func, " +
			"extern func, kernel, pipeline and schedule. A statement here is often the sign of a closing brace too many " +
			"before it.",
		Failing: "pipline p(in a: u8[H][W], out d: u8[H][W]) { d = a; }\n",
		Mended:  "pipeline p(in a: u8[H][W], out d: u8[H][W]) { d = a; }\n",
	},
	{
		Code: "IMG0118", Since: "0.1",
		Title: "conditional beside a colon",
		Text: "In c ? 0 : 1 : n the first colon belongs to the question mark and the second to the range, which a reader " +
			"cannot see. The conditional needs parentheses.",
		Failing: `pipeline p(in a: u8[H][W], out d: u8[H][W]) {
    for (i in 0 : H > 9 ? 1 : 2) d = u8(i);
}
`,
		Mended: `pipeline p(in a: u8[H][W], out d: u8[H][W]) {
    for (i in 0 : (H > 9 ? 1 : 2)) d = u8(i);
}
`,
	},
	{
		Code: "IMG0119", Since: "0.1",
		Title: "descend with a block but no count",
		Text: "descend n { ... } descends n times and runs the block between two descents. With one descent there is " +
			"nothing in between.",
		Failing: `pipeline p(in a: u8[H][W], out d: u8[H][W]) {
    pyramid g: u8[H][W] levels 3;
    traverse (g) { descend { d = 1; } }
}
`,
		Mended: `pipeline p(in a: u8[H][W], out d: u8[H][W]) {
    pyramid g: u8[H][W] levels 3;
    traverse (g) { descend 2 { d = 1; } }
}
`,
	},
	{
		Code: "IMG0120", Since: "0.1",
		Title: "comprehension with several elements",
		Text: "A comprehension has one expression in front of its for; its values become the elements. Rows of several " +
			"values are a comprehension of lists.",
		Failing: "const a = [i, i*i for i in 0:4];\n",
		Mended:  "const a = [[i, i*i] for i in 0:4];\n",
	},
	{
		Code: "IMG0121", Since: "0.1",
		Title:   "missing type",
		Text:    "A type is an element type, such as u8 or f32x4, or a type variable, with extents in brackets.",
		Failing: "const N: = 3;\n",
		Mended:  "const N: i32 = 3;\n",
	},
	{
		Code: "IMG0122", Since: "0.1",
		Title: "expression in place of a statement",
		Text: "An expression alone does nothing: functions have no side effects. A statement assigns, calls a kernel, " +
			"declares something, or controls what is done.",
		Failing: `pipeline p(in a: u8[H][W], out d: u8[H][W]) {
    a[0][0] + 1;
}
`,
		Mended: `pipeline p(in a: u8[H][W], out d: u8[H][W]) {
    d = a[0][0] + 1;
}
`,
	},
	{
		Code: "IMG0123", Since: "0.1",
		Title:   "comma behind the last element",
		Text:    "Commas stand between elements.",
		Failing: "const a = [1, 2, 3,];\n",
		Mended:  "const a = [1, 2, 3];\n",
	},
	{
		Code: "IMG0124", Since: "0.1",
		Title: "text as a value",
		Text:  "Texts in quotes name files, languages and devices in import, extern and schedule. There is no type for them.",
		Failing: `pipeline p(in a: u8[H][W], out d: u8[H][W]) {
    d = "white";
}
`,
		Mended: `pipeline p(in a: u8[H][W], out d: u8[H][W]) {
    d = 255;
}
`,
	},
	{
		Code: "IMG0125", Since: "0.1",
		Title: "declaration inside a block",
		Text: "const, mask, domain, border, func, kernel, pipeline, schedule and import stand outside of pipelines, kernels " +
			"and funcs, where every one of them can use them. Inside, let names a value.",
		Failing: `pipeline p(in a: u8[H][W], out d: u8[H][W]) {
    const N = 3;
    d = N;
}
`,
		Mended: `const N = 3;
pipeline p(in a: u8[H][W], out d: u8[H][W]) {
    d = N;
}
`,
	},
	{
		Code: "IMG0126", Since: "0.1",
		Title: "call of a function of a value",
		Text: "Values have no functions of their own: a function takes all its arguments in parentheses. What stands before the " +
			"point of a call is the prefix of an import, as in f.gauss(x).",
		Failing: `func f(a: f32x3): f32 = (2 * a).length();
`,
		Mended: `func f(a: f32x3): f32 = length(2 * a);
`,
	},
	{
		Code: "IMG0130", Since: "0.1",
		Title: "cast in front of an expression",
		Text: "Conversions are written like calls: f32(e). They wrap integers and truncate floats; sat<u8>(e) rounds and " +
			"saturates.",
		Failing: `pipeline p(in a: u8[H][W], out d: u8[H][W]) {
    d = (u8)(a[0][0] + 1);
}
`,
		Mended: `pipeline p(in a: u8[H][W], out d: u8[H][W]) {
    d = u8(a[0][0] + 1);
}
`,
	},
	{
		Code: "IMG0131", Since: "0.1",
		Title: "increment or decrement",
		Text:  "There are no operators ++ and --; assignments are statements, not expressions.",
		Failing: `pipeline p(in a: u8[H][W], out d: u8[H][W]) {
    var i = 0;
    i++;
}
`,
		Mended: `pipeline p(in a: u8[H][W], out d: u8[H][W]) {
    var i = 0;
    i += 1;
}
`,
	},
	{
		Code: "IMG0132", Since: "0.1",
		Title: "type in front of a name",
		Text: "A name stands in front of its type, with a colon between them, and let or var in front of the name of a " +
			"value.",
		Failing: `pipeline p(in a: u8[H][W], out d: u8[H][W]) {
    float x = 1.5;
}
`,
		Mended: `pipeline p(in a: u8[H][W], out d: u8[H][W]) {
    var x: f32 = 1.5;
}
`,
	},
	{
		Code: "IMG0133", Since: "0.1",
		Title: "for that counts by statements",
		Text:  "A for runs over a range whose bounds are known when it starts: lo : hi, half open, or lo : hi : step.",
		Failing: `pipeline p(in a: u8[H][W], out d: u8[H][W]) {
    for (int i = 0; i < 3; i++) d = i;
}
`,
		Mended: `pipeline p(in a: u8[H][W], out d: u8[H][W]) {
    for (i in 0 : 3) d = i;
}
`,
	},
	{
		Code: "IMG0134", Since: "0.1",
		Title:   "values in braces",
		Text:    "The values of an array or mask stand in brackets, row by row. Braces make blocks.",
		Failing: "mask box: f32[1][3] = {{1, 1, 1}};\n",
		Mended:  "mask box: f32[1][3] = [[1, 1, 1]];\n",
	},
	{
		Code: "IMG0135", Since: "0.1",
		Title: "operator of another language",
		Text: "The operators are those of C without assignment inside expressions, increment and pointers, and .* and ./ " +
			"for arrays.",
		Failing: `pipeline p(in a: u8[H][W], out d: u8[H][W]) {
    if (a[0][0] > 1 and a[0][1] > 1) d = 1;
}
`,
		Mended: `pipeline p(in a: u8[H][W], out d: u8[H][W]) {
    if (a[0][0] > 1 && a[0][1] > 1) d = 1;
}
`,
	},
	{
		Code: "IMG0136", Since: "0.1",
		Title: "comma in a subscript",
		Text:  "Each subscript and each extent has brackets of its own, the last one along the rows of memory.",
		Failing: `pipeline p(in a: u8[H][W], out d: u8[H][W]) {
    d = a[0, 1];
}
`,
		Mended: `pipeline p(in a: u8[H][W], out d: u8[H][W]) {
    d = a[0][1];
}
`,
	},
	{
		Code: "IMG0137", Since: "0.1",
		Title: "assignment in a condition",
		Text:  "A single = assigns and is a statement. Conditions compare with ==.",
		Failing: `pipeline p(in a: u8[H][W], out d: u8[H][W]) {
    if (a[0][0] = 1) d = 1;
}
`,
		Mended: `pipeline p(in a: u8[H][W], out d: u8[H][W]) {
    if (a[0][0] == 1) d = 1;
}
`,
	},
	{
		Code: "IMG0138", Since: "0.1",
		Title: "function in the form of another language",
		Text: "Functions of values are written func name(a: f32): f32 = value; or with a block that returns. What reads and " +
			"writes images is a kernel, or a pipeline as an entry point, and has out parameters in place of a result.",
		Failing: "float twice(float a) { return 2 * a; }\n",
		Mended:  "func twice(a: f32): f32 { return 2 * a; }\n",
	},
	{
		Code: "IMG0139", Since: "0.1",
		Title: "statement or declaration of another language",
		Text: "No statement or declaration starts with this word. Where there is a counterpart, the message says how it is " +
			"written.",
		Failing: `pipeline p(in a: u8[H][W], out d: u8[H][W]) {
    do { d = 1; } while (H > 1);
}
`,
		Mended: `pipeline p(in a: u8[H][W], out d: u8[H][W]) {
    while (H > 1) { d = 1; }
}
`,
	},
}
