package parser

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"imgc/grammar"
	"imgc/source"
)

// lexical reports what the scanner found.
func (p *parser) lexical(problem grammar.Problem) {
	at := p.span(problem.Start, problem.End)
	lexicalReports[problem.Kind](p, at, at.Text())
}

var lexicalReports = [...]func(p *parser, at source.Span, text string){
	grammar.BadChar:     badChar,
	grammar.BadUTF8:     badUTF8,
	grammar.OpenComment: openComment,
	grammar.OpenString:  openString,
	grammar.BadNumber:   badNumber,
	grammar.CharLiteral: charLiteral,
	grammar.Directive:   directive,
}

// lookAlike maps characters that editors and documents put in place of ASCII, and symbols of other languages.
var lookAlike = map[rune]string{
	'\u00a0': "a non-breaking space; use a plain one", '\u200b': "an invisible space; delete it",
	'\u2212': "a minus sign; write '-'", '\u2013': "a dash; write '-'", '\u2014': "a dash; write '-'",
	'\u00d7': "write '*'", '\u00b7': "write '*'", '\u00f7': "write '/'",
	'\u2264': "write '<='", '\u2265': "write '>='", '\u2260': "write '!='",
	'\u201c': "a typographic quote; write '\"'", '\u201d': "a typographic quote; write '\"'",
	'\u2018': "a typographic quote", '\u2019': "a typographic quote",
	'\'': "there are no character literals; write the number",
	'@':  "matrices are multiplied by '*'", '\\': "lines need no continuation mark",
	'#': "comments start with '//'", '$': "names consist of letters, digits and '_'",
}

func badChar(p *parser, at source.Span, text string) {
	first, n := utf8.DecodeRuneInString(text)
	if isWord(text) {
		p.errorf(codeBadChar, at, "names consist of the letters a to z, A to Z, digits and '_'; '%s' has others", short(text))
		return
	}
	what := "characters that mean nothing here"
	if n == len(text) {
		what = fmt.Sprintf("the character %q (U+%04X) means nothing here", first, first)
	}
	d := p.errorf(codeBadChar, at, "%s", what)
	if hint := lookAlike[first]; hint != "" {
		d.Note("%s", hint)
	}
}

func isWord(text string) bool {
	for _, r := range text {
		if !(r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || isForeignLetter(r)) {
			return false
		}
	}
	return true
}

func badUTF8(p *parser, at source.Span, text string) {
	p.errorf(codeBadUTF8, at, "the file is not UTF-8 text: byte 0x%02X", text[0]).
		Note("save the file as UTF-8; img programs are text files")
}

func openComment(p *parser, at source.Span, _ string) {
	p.errorf(codeOpenComment, at, "this comment is never closed").Note("a comment that starts with /* ends at the next */")
}

func openString(p *parser, at source.Span, _ string) {
	p.errorf(codeOpenString, at, `this string has no closing '"' on its line`)
}

func charLiteral(p *parser, at source.Span, text string) {
	d := p.errorf(codeCharLiteral, at, "there are no character literals")
	if r, n := utf8.DecodeRuneInString(text[1:]); n == len(text)-2 && r < utf8.RuneSelf {
		d.Note("write the number %d", r)
	}
}

func directive(p *parser, at source.Span, text string) {
	words := strings.Fields(strings.TrimPrefix(text, "#"))
	d := p.errorf(codeDirective, at, "there is no preprocessor")
	switch words[0] {
	case "define":
		example := "N = 3"
		if len(words) >= 3 && !strings.Contains(words[1], "(") {
			example = words[1] + " = " + short(strings.Join(words[2:], " "))
		}
		d.Note("a constant is declared as: const %s;", example)
		d.Note("what takes arguments is a func: func f(a: f32): f32 = ...;")
	case "include", "import":
		d.Note(`other files are imported as: import "file.img";`)
	case "pragma":
		d.Note("how a program is mapped to a device is said in a schedule")
	default:
		d.Note("variants are chosen by constants, which -D NAME=VALUE overrides, and by if")
	}
}

// badNumber says what a number should have been.
func badNumber(p *parser, at source.Span, text string) {
	rest := p.file.Text[at.End:]
	d := p.errorf(codeBadNumber, at, "'%s' is no number", short(text))
	whole, frac, point := strings.Cut(text, ".")
	switch {
	case strings.Contains(text, "_"):
		d.Note("digits stand together: write %s", short(strings.ReplaceAll(text, "_", "")))
	case point && whole == "" && isDigits(strings.TrimRight(frac, "fdh")):
		d.Note("digits stand on both sides of the point: write 0%s", short(text))
	case strings.Contains(text, ".."):
		d.Note("a range is written lo : hi")
	case point && frac == "" && isDigits(whole) && (strings.HasPrefix(rest, "*") || strings.HasPrefix(rest, "/")):
		d.Note("write %s.0 %s x for a product or quotient of numbers, %s .%s x for one by element", whole, rest[:1], whole, rest[:1])
	case point && isDigits(whole) && strings.Trim(frac, "fdh") == "":
		d.Note("digits stand on both sides of the point: write %s.0%s", short(whole), frac)
	case !point && len(text) > 1 && text[0] == '0' && isDigits(text):
		d.Note("a leading zero would mean octal in C: write %s, or 0x for hexadecimal", short(decimal(text)))
	case !point && isDigits(strings.TrimRight(text, "fFdDhH")):
		d.Note("digits stand on both sides of the point: write %s", short(strings.TrimRight(text, "fFdDhH")+".0"+suffix(text)))
	default:
		d.Note("integers are written 12 or 0xff, with u, l, ul behind them; floats 1.5 or 2e-3, with f, d, h")
	}
}

func suffix(text string) string { return strings.ToLower(strings.TrimLeft(text, "0123456789")) }

func decimal(text string) string {
	if trimmed := strings.TrimLeft(text, "0"); trimmed != "" {
		return trimmed
	}
	return "0"
}

func isDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

func isForeignLetter(r rune) bool {
	return r >= utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r))
}
