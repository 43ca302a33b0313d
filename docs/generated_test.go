package docs_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"imgc"
	"imgc/diag"
	"imgc/grammar"
	"imgc/ops"
)

func TestGrammarPageIsTheGrammar(t *testing.T) {
	section(t, "docs/grammar.md", "grammar", "```ebnf\n"+grammar.EBNF()+"```\n")
}

func TestErrorPageIsTheRegistry(t *testing.T) {
	var b strings.Builder
	for _, e := range diag.Entries() {
		describeCode(&b, e)
	}
	section(t, "docs/errors.md", "codes", b.String())

	b.Reset()
	for _, e := range diag.Entries() {
		fmt.Fprintf(&b, "- [%s](#%s) %s\n", e.Code, strings.ToLower(string(e.Code)), e.Title)
	}
	section(t, "docs/errors.md", "list", b.String())
}

// describeCode writes an entry of the registry: what the rule is, a program that breaks it, what the compiler says, and the
// program mended.
func describeCode(b *strings.Builder, e diag.Entry) {
	result, err := imgc.Check(context.Background(), "example.img", e.Failing, imgc.Options{})
	if err != nil {
		panic(err)
	}
	var report strings.Builder
	diag.Text(&report, result.Diagnostics, diag.TextOptions{})
	fmt.Fprintf(b, "## %s\n\n**%s** (since %s). %s\n\n", e.Code, capital(e.Title), e.Since, e.Text)
	fmt.Fprintf(b, "```\n%s```\n\n```\n%s```\n\nMended:\n\n```\n%s```\n\n", shown(e.Failing), shown(report.String()), shown(e.Mended))
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// shown is a program or message fit for a page: valid UTF-8 in lines of a length to read, ending in a newline.
func shown(text string) string {
	const longest = 160
	lines := strings.Split(strings.TrimRight(strings.ToValidUTF8(text, "\uFFFD"), "\n"), "\n")
	for i, line := range lines {
		if r := []rune(line); len(r) > longest {
			lines[i] = string(r[:60]) + " ... " + string(r[len(r)-20:])
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

var operandNames = map[ops.Operands]string{
	ops.Numbers:  "numbers",
	ops.Integers: "integers",
	ops.Floats:   "floats",
	ops.Bools:    "bools",
	ops.Anything: "numbers, bools",
}

var resultNames = map[ops.Result]string{
	ops.Same:   "their kind",
	ops.Truth:  "bool",
	ops.Scalar: "one component",
	ops.Flag:   "one bool",
	ops.Index:  "i32",
}

// meanings completes the table of built-ins; every function of package ops has a line.
var meanings = map[ops.Op]string{
	ops.Abs:        "absolute value; of the smallest integer that integer itself",
	ops.Sign:       "-1, 0 or 1; keeps the sign of zero; 0 of NaN",
	ops.Min:        "the smaller; NaN loses against a number. `min(a, b, c, ...)` too",
	ops.Max:        "the larger; NaN loses against a number. `max(a, b, c, ...)` too",
	ops.Clamp:      "`clamp(x, lo, hi)` = `min(max(x, lo), hi)`",
	ops.Mod:        "remainder of the floored division: it has the sign of the divisor; integers: `mod(x, 0)` is 0",
	ops.FloorDiv:   "quotient rounded down; `floordiv(x, 0)` is 0",
	ops.Floor:      "rounds down",
	ops.Ceil:       "rounds up",
	ops.Round:      "rounds to the nearest integer, half away from zero",
	ops.Trunc:      "rounds toward zero",
	ops.Fract:      "`x - floor(x)`",
	ops.Sqrt:       "square root",
	ops.Rsqrt:      "`1 / sqrt(x)`",
	ops.Cbrt:       "cube root",
	ops.Exp:        "e to the power x",
	ops.Exp2:       "2 to the power x",
	ops.Log:        "natural logarithm",
	ops.Log2:       "logarithm to base 2",
	ops.Log10:      "logarithm to base 10",
	ops.Sin:        "sine of an angle in radians",
	ops.Cos:        "cosine",
	ops.Tan:        "tangent",
	ops.Asin:       "arc sine",
	ops.Acos:       "arc cosine",
	ops.Atan:       "arc tangent",
	ops.Sinh:       "hyperbolic sine",
	ops.Cosh:       "hyperbolic cosine",
	ops.Tanh:       "hyperbolic tangent",
	ops.Pow:        "`pow(x, y)`: x to the power y; where y is a whole constant from -8 to 16, products, [below](#whole-powers)",
	ops.Atan2:      "`atan2(y, x)`: the angle of the point (x, y)",
	ops.Hypot:      "`sqrt(x*x + y*y)` without overflow on the way",
	ops.Fma:        "`fma(a, b, c)` = `a*b + c`, rounded once",
	ops.Mix:        "`mix(a, b, t)` = `a + (b - a)*t`",
	ops.Step:       "`step(edge, x)` is 0 for `x < edge`, else 1",
	ops.Smoothstep: "`smoothstep(a, b, x)` = `t*t*(3 - 2*t)` with `t = clamp((x - a)/(b - a), 0, 1)`",
	ops.IsNan:      "is it NaN?",
	ops.IsInf:      "is it plus or minus infinity?",
	ops.Popcount:   "number of bits that are 1",
	ops.Clz:        "zeros above the highest bit that is 1; of 0 the width",
	ops.Dot:        "sum of the products, from left to right",
	ops.Cross:      "cross product of 3 components; of 4 the last is 0",
	ops.Length:     "`sqrt(dot(v, v))`",
	ops.Normalize:  "`v / length(v)`; `v` where its length is 0",
	ops.Any:        "is one component true?",
	ops.All:        "are all components true?",
}

func TestReferenceListsTheBuiltIns(t *testing.T) {
	var b strings.Builder
	b.WriteString("| function | arguments | of | gives | meaning | f32 error |\n|---|---|---|---|---|---|\n")
	for _, op := range ops.AllOps() {
		info := op.Info()
		if !info.Call {
			continue
		}
		meaning, ok := meanings[op]
		if !ok {
			t.Errorf("the reference does not say what %s means: add a line to meanings", op)
		}
		of := operandNames[info.Operands]
		if info.Result == ops.Scalar || info.Result == ops.Flag || op == ops.Cross || op == ops.Normalize {
			of = "a vector of " + of
		}
		fmt.Fprintf(&b, "| `%s` | %d | %s | %s | %s | %s |\n", op, info.Arity, of, resultNames[info.Result], meaning, accuracy(info))
	}
	section(t, "docs/language.md", "built-ins", b.String())
}

func accuracy(info ops.Info) string {
	switch {
	case info.Steps:
		return "each step rounded"
	case info.ULP == 0:
		return "none"
	}
	return fmt.Sprintf("%g ulp", info.ULP)
}

func TestReferenceListsTheOperators(t *testing.T) {
	var b strings.Builder
	b.WriteString("| operator | operands | of | gives |\n|---|---|---|---|\n")
	for _, op := range ops.AllOps() {
		if info := op.Info(); !info.Call {
			fmt.Fprintf(&b, "| `%s` | %d | %s | %s |\n", strings.ReplaceAll(op.String(), "|", "\\|"), info.Arity,
				operandNames[info.Operands], resultNames[info.Result])
		}
	}
	section(t, "docs/language.md", "operators", b.String())
}

func TestReadmeListsTheSamples(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(root, "samples/*/*.img"))
	if err != nil || len(files) == 0 {
		t.Fatal("no samples", err)
	}
	slices.Sort(files)
	var b strings.Builder
	b.WriteString("| program | what it does | pipelines |\n|---|---|---|\n")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		path, _ := filepath.Rel(root, file)
		result, err := imgc.Check(context.Background(), path, string(text), imgc.Options{})
		if err != nil || result.Program == nil {
			t.Fatalf("%s does not compile: %v", path, err)
		}
		var names []string
		for _, p := range result.Program.Pipelines {
			names = append(names, "`"+p.Name+"`")
		}
		fmt.Fprintf(&b, "| [%s](%s) | %s | %s |\n", strings.TrimSuffix(filepath.Base(path), ".img"), filepath.ToSlash(path),
			leadComment(t, path, string(text)), strings.Join(names, ", "))
	}
	section(t, "README.md", "samples", b.String())
}

// leadComment is the first sentence of the comment at the start of a program, which says what it does, as one line.
func leadComment(t *testing.T, path, text string) string {
	var words []string
	for line := range strings.Lines(text) {
		comment, ok := strings.CutPrefix(line, "// ")
		if !ok {
			break
		}
		words = append(words, strings.TrimSpace(comment))
	}
	if len(words) == 0 {
		t.Errorf("%s does not start with a comment that says what it does", path)
	}
	sentence, _, more := strings.Cut(strings.Join(words, " "), ". ")
	if more {
		sentence += "."
	}
	return sentence
}
