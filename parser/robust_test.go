package parser

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"imgc/diag"
	"imgc/grammar"
	"imgc/source"
)

// mutate changes some tokens of a text: leaves out, doubles, exchanges or replaces them, and lays the rest out at random.
func mutate(r *rand.Rand, text string, changes int, vocabulary []string) string {
	var words []string
	for _, t := range grammar.Scan(text).Tokens {
		words = append(words, t.Value)
	}
	for range changes {
		if len(words) < 2 {
			break
		}
		i := r.IntN(len(words) - 1)
		switch r.IntN(5) {
		case 0:
			words = append(words[:i], words[i+1:]...)
		case 1:
			words = append(words[:i], append([]string{words[i]}, words[i:]...)...)
		case 2:
			words[i], words[i+1] = words[i+1], words[i]
		case 3:
			words[i] = vocabulary[r.IntN(len(vocabulary))]
		case 4:
			words = append(words[:i], append([]string{vocabulary[r.IntN(len(vocabulary))]}, words[i:]...)...)
		}
	}
	return layOut(r, words)
}

// layOut puts blanks, line ends and comments between words at random.
func layOut(r *rand.Rand, words []string) string {
	var b strings.Builder
	for _, w := range words {
		b.WriteString(w)
		switch r.IntN(40) {
		case 0:
			b.WriteString("\n")
		case 1:
			b.WriteString(" // c\n")
		case 2:
			b.WriteString("\n\n  // own\n")
		case 3:
			b.WriteString(" /* c */ ")
		case 4:
			b.WriteString("\n\n/* a\n * b */\n\n")
		case 5:
			b.WriteString("  ;  "[:r.IntN(2)*2+1])
		default:
			b.WriteString(" ")
		}
	}
	return b.String()
}

// vocabulary is every token of the grammar, and words of other languages.
func vocabulary() []string {
	words := append(grammar.Keywords(), strings.Fields(`( ) [ ] { } ( ) [ ] { } ? : ; , . = += <<= || && + - * / < > == .* ./ ! ~
		x y u8 f32x3 1 2.5 0xff 1. .5 "s" clamp min independent commutative levels scale on from as reads writes float int
		unsigned and not ++ -> :: => 'c' # @ elif Var def`)...)
	return words
}

func TestMutatedProgramsNeverPanicAndValidOnesKeepTheirTree(t *testing.T) {
	rounds := 40
	if testing.Short() {
		rounds = 5
	}
	words := vocabulary()
	for name, text := range validFiles(t) {
		for seed := range rounds {
			r := rand.New(rand.NewPCG(uint64(seed), uint64(len(text))))
			mutant := mutate(r, text, seed%4, words)
			var diags diag.List
			tree := Parse(source.NewFile(name, mutant), &diags)
			checkSpans(t, tree)
			if diags.HasErrors() {
				if elements(Format(tree)) != elements(mutant) {
					t.Errorf("%s, seed %d: a text with errors lost something", name, seed)
				}
			} else {
				checkFormat(t, fmt.Sprintf("%s, seed %d", name, seed), mutant)
			}
		}
	}
}

func TestOneSlipGivesOneMessage(t *testing.T) {
	// Leaving out any one token of a valid program gives few messages, not one for everything that follows.
	for name, text := range validFiles(t) {
		tokens := grammar.Scan(text).Tokens
		for i := 0; i < len(tokens); i += 5 {
			tok := tokens[i]
			var diags diag.List
			Parse(source.NewFile(name, text[:tok.Pos.Offset]+text[tok.Pos.Offset+len(tok.Value):]), &diags)
			if diags.Len() > 3 {
				t.Errorf("%s without token %d, %q, of line %d gives %d messages", name, i, tok.Value, tok.Pos.Line, diags.Len())
			}
		}
	}
}

func TestConcurrentParsesAgree(t *testing.T) {
	files := validFiles(t)
	files["wrong.img"] = "pipeline p() { x = ; y = (1; z = [1, 2,]; }"
	want := map[string]string{}
	for name, text := range files {
		want[name] = report(name, text)
	}
	var wg sync.WaitGroup
	for range 8 {
		for name, text := range files {
			wg.Go(func() {
				if got := report(name, text); got != want[name] {
					t.Errorf("%s: a concurrent parse differs", name)
				}
			})
		}
	}
	wg.Wait()
}

// report is everything that a parse gives.
func report(name, text string) string {
	var diags diag.List
	tree := Parse(source.NewFile(name, text), &diags)
	var b strings.Builder
	for _, d := range diags.Sorted() {
		b.WriteString(line(d) + "\n")
	}
	return b.String() + dump(tree) + Format(tree)
}

func TestLongTextsOfOneKindAreReadToTheEnd(t *testing.T) {
	const size = 5_000
	for _, unit := range []string{"(", ")", "[", "{", "}", "{}", "{;}", ";", "/*", "\"", "'", "#", "# ", "\xff\x00", "@ ", "/ ", "a ", "a", "1", "1.",
		"a?", "-", "a+", "a[", "a.b", ",", "1,", "\n", "\r", "// c\n", "/**/", "const = ;\n", "pipeline p() {\n", "kernel ", "if (a) ", "else ", "for (",
		"a: ", "f(x) {} ", "= {},", "x = ;", "border b(s[N]) {", "schedule p {", "0..", "é", "\ufeff"} {
		for _, frame := range []string{"%s", "pipeline p() { %s }", "const a = %s;", "pipeline p() { x = [%s]; }"} {
			text := fmt.Sprintf(frame, strings.Repeat(unit, size/len(unit)))
			var diags diag.List
			Format(Parse(source.NewFile("long.img", text), &diags))
			if diags.Len() > maxErrors+2 {
				t.Errorf("%q in %q gives %d messages", unit, frame, diags.Len())
			}
		}
	}
}

func TestLimitsLeaveRoomForPrograms(t *testing.T) {
	nest := func(open, middle, end string, n int) string {
		return strings.Repeat(open, n) + middle + strings.Repeat(end, n)
	}
	tests := []struct {
		name, text string
		code       diag.Code // "" where it parses
	}{
		{"150 parentheses", "const a = " + nest("(", "1", ")", 150) + ";", ""},
		{"250 parentheses", "const a = " + nest("(", "1", ")", 250) + ";", codeTooDeep},
		{"150 blocks", "pipeline p() " + nest("{", "", "}", 150), ""},
		{"250 blocks", "pipeline p() " + nest("{", "", "}", 250), codeTooDeep},
		{"150 conditionals", "const a = " + nest("b ? 1 : ", "2", "", 150) + ";", ""},
		{"250 conditionals", "const a = " + nest("b ? 1 : ", "2", "", 250) + ";", codeTooDeep},
		{"90 else if", "pipeline p() { " + nest("if (a) x = 1; else ", "x = 2;", "", 90) + " }", ""},
		{"250 else if", "pipeline p() { " + nest("if (a) x = 1; else ", "x = 2;", "", 250) + " }", codeTooDeep},
		{"250 while", "pipeline p() { " + nest("while (a) ", ";", "", 250) + " }", codeTooDeep},
		{"250 labels", "pipeline p() { " + nest("a: ", ";", "", 250) + " }", codeTooDeep},
		{"250 signs", "const a = " + nest("-", "1", "", 250) + ";", codeTooDeep},
		{"1000 operators", "const a = " + nest("1 + ", "1", "", 1000) + ";", ""},
		{"3000 operators", "const a = " + nest("1 + ", "1", "", 3000) + ";", codeTooLong},
		{"3000 subscripts", "const a = b" + nest("[1]", "", "", 3000) + ";", codeTooLong},
		{"1000 statements in a row", "pipeline p() { " + nest("if (a) x = 1; ", "", "", 1000) + " }", ""},
		{"1000 elements with conditionals", "const a = [" + nest("b ? 1 : 2, ", "1", "", 1000) + "];", ""},
		{"1000 unclosed calls", "pipeline p() { " + nest("f(a; ", "", "", 50) + " }", codeUnclosed},
	}
	for _, test := range tests {
		var diags diag.List
		Parse(source.NewFile("limits.img", test.text), &diags)
		got := diag.Code("")
		if all := diags.Sorted(); len(all) > 0 {
			got = all[0].Code
		}
		if got != test.code {
			t.Errorf("%s: %q, want %q", test.name, got, test.code)
		}
	}
}

func TestParseExprTakesOneExpression(t *testing.T) {
	tests := []struct {
		text string
		code diag.Code
	}{
		{"13", ""}, {" -2.5f ", ""}, {"2*R + 1", ""}, {"[1, 2]", ""}, {"true", ""}, {"(1)", ""},
		{"", codeNoExpr}, {"1;", codeUnexpected}, {"1 2", codeUnexpected}, {"a b", codeUnexpected}, {"1 +", codeNoExpr},
		{"(1", codeUnclosed}, {"f(1,)", codeTrailing}, {"1.", codeBadNumber}, {"$", codeBadChar}, {"a[c ? 1 : 2 : 3]", codeColonCond},
		{"in", codeNoExpr}, {"(float)x", codeCast}, {"/*", codeOpenComment}, {"{1, 2}", codeBraces}, {"\"a\"", codeString},
	}
	for _, test := range tests {
		var diags diag.List
		x := ParseExpr(source.NewFile("-D", test.text), &diags)
		got := diag.Code("")
		if all := diags.Sorted(); len(all) > 0 {
			got = all[0].Code
		}
		if got != test.code || (x == nil) != (test.code != "") {
			t.Errorf("%q: %q and %v, want %q", test.text, got, x, test.code)
		}
	}
}
