package grammar

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2/lexer"
)

// A Text is a scanned program.
type Text struct {
	Lexer    *lexer.PeekingLexer // stands before the first token
	Tokens   []Token             // all tokens without the end of file; Lexer's raw cursor is an index into it
	Comments []Extent            // in the order of the text, with delimiters, without line ends
	Problems []Problem           // in the order of the text
}

// An Extent is the bytes Start up to End of the text.
type Extent struct{ Start, End int }

// A Problem is a stretch of text that is no token. The scanner reads on as if what was meant stood there, so that one slip
// gives one message.
type Problem struct {
	Extent
	Kind ProblemKind
}

// ProblemKind tells lexical problems apart.
type ProblemKind uint8

const (
	BadChar     ProblemKind = iota // characters that no token has, or a name with letters outside ASCII
	BadUTF8                        // bytes that are not UTF-8
	OpenComment                    // /* without */
	OpenString                     // a string that does not end on its line
	BadNumber                      // 1. .5 1_000 012 3px
	CharLiteral                    // 'c'
	Directive                      // a preprocessor line
)

// maxProblems bounds what is kept of a text that is no program at all.
const maxProblems = 1000

// Scan splits a text into tokens. It never fails and takes time linear in the text.
func Scan(text string) *Text {
	s := newScanner(text)
	lex, err := lexer.Upgrade(s)
	if err != nil {
		panic(err) // Next returns no error
	}
	return &Text{Lexer: lex, Tokens: lex.Range(0, lexer.RawCursor(s.count)), Comments: s.comments, Problems: s.problems}
}

// scanner implements lexer.Lexer.
type scanner struct {
	text      string
	pos       int
	line      int // of pos, from 1
	lineStart int // offset of the line's first byte
	last      int // offset behind what was passed over last, blanks aside
	count     int // tokens given out
	comments  []Extent
	problems  []Problem
}

func newScanner(text string) *scanner {
	s := &scanner{text: text, line: 1}
	s.pos = len(text) - len(strings.TrimPrefix(text, "\ufeff")) // a byte order mark is no part of the program
	return s
}

// Next returns the next token; comments, blanks and what is no token are passed over.
func (s *scanner) Next() (Token, error) {
	for {
		s.skipBlanks()
		if s.pos >= len(s.text) {
			return lexer.EOFToken(s.position(s.pos)), nil
		}
		start := s.pos
		at := s.position(start)
		kind, ok := s.scan()
		s.last = s.pos
		if ok {
			s.count++
			return Token{Type: kind, Value: s.text[start:s.pos], Pos: at}, nil
		}
	}
}

func (s *scanner) position(offset int) lexer.Position {
	return lexer.Position{Offset: offset, Line: s.line, Column: offset - s.lineStart + 1}
}

func (s *scanner) skipBlanks() {
	for ; s.pos < len(s.text); s.pos++ {
		switch s.text[s.pos] {
		case '\n':
			s.line++
			s.lineStart = s.pos + 1
		case ' ', '\t', '\r', '\v', '\f':
		default:
			return
		}
	}
}

// scan passes over what starts at pos and returns its kind; ok is false if that is no token.
func (s *scanner) scan() (kind lexer.TokenType, ok bool) {
	c := s.text[s.pos]
	switch {
	case c == '/' && s.at(1) == '/':
		s.lineComment()
	case c == '/' && s.at(1) == '*':
		s.blockComment()
	case isDigit(c) || c == '.' && isDigit(s.at(1)):
		return s.number(), true
	case isLetter(c) || c >= utf8.RuneSelf && s.letterHere():
		return s.word(), true
	case c == '"':
		return s.string(), true
	case c == '\'':
		return s.character()
	case c == '#':
		s.directive()
	default:
		if kind, n := longestOperator(s.text[s.pos:]); n > 0 {
			s.pos += n
			return kind, true
		}
		s.garbage()
	}
	return 0, false
}

// at returns the byte n after pos, 0 beyond the end.
func (s *scanner) at(n int) byte {
	if s.pos+n < len(s.text) {
		return s.text[s.pos+n]
	}
	return 0
}

func (s *scanner) problem(kind ProblemKind, start, end int) {
	if len(s.problems) < maxProblems {
		s.problems = append(s.problems, Problem{Extent{start, end}, kind})
	}
}

func (s *scanner) lineEnd() int {
	if n := strings.IndexByte(s.text[s.pos:], '\n'); n >= 0 {
		return s.pos + n
	}
	return len(s.text)
}

func (s *scanner) lineComment() {
	start := s.pos
	s.pos = s.lineEnd()
	text := strings.TrimRight(s.text[start:s.pos], " \t\r")
	s.comments = append(s.comments, Extent{start, start + len(text)})
	s.checkUTF8(start)
}

func (s *scanner) blockComment() {
	start := s.pos
	if n := strings.Index(s.text[start+2:], "*/"); n >= 0 {
		s.pos = start + 2 + n + 2
	} else {
		s.pos = len(s.text)
		s.problem(OpenComment, start, start+2)
	}
	s.comments = append(s.comments, Extent{start, s.pos})
	s.checkUTF8(start)
	s.countLines(start)
}

// checkUTF8 reports the first bytes from start to pos that are not UTF-8, in a comment or string.
func (s *scanner) checkUTF8(start int) {
	if utf8.ValidString(s.text[start:s.pos]) {
		return
	}
	for i, r := range s.text[start:s.pos] {
		if _, n := utf8.DecodeRuneInString(s.text[start+i:]); r == utf8.RuneError && n == 1 {
			s.problem(BadUTF8, start+i, start+i+1)
			return
		}
	}
}

// countLines brings line and lineStart up to date after a jump from start to pos.
func (s *scanner) countLines(start int) {
	passed := s.text[start:s.pos]
	if n := strings.Count(passed, "\n"); n > 0 {
		s.line += n
		s.lineStart = start + strings.LastIndexByte(passed, '\n') + 1
	}
}

func (s *scanner) string() lexer.TokenType {
	start := s.pos
	n := strings.IndexAny(s.text[start+1:], "\"\n")
	if n >= 0 && s.text[start+1+n] == '"' {
		s.pos = start + 1 + n + 1
		s.checkUTF8(start)
		return String
	}
	s.pos = start + len(strings.TrimRight(s.text[start:s.lineEnd()], " \t\r"))
	s.problem(OpenString, start, s.pos)
	return String
}

// character passes over 'c' and '\n', which stand for an integer, or over a lone quote.
func (s *scanner) character() (lexer.TokenType, bool) {
	const most = 8 // bytes between the quotes: more is no slip of one character
	start := s.pos
	rest := s.text[start+1 : min(len(s.text), start+2+most)]
	if n := strings.IndexAny(rest, "'\n"); n > 0 && rest[n] == '\'' {
		s.pos = start + 1 + n + 1
		s.problem(CharLiteral, start, s.pos)
		return Int, true
	}
	s.pos++
	s.problem(BadChar, start, s.pos)
	return 0, false
}

func (s *scanner) directive() {
	start := s.pos
	s.pos++
	if s.last <= s.lineStart && isLetter(s.at(0)) {
		s.pos = s.lineEnd()
		s.problem(Directive, start, start+len(strings.TrimRight(s.text[start:s.pos], " \t\r")))
		return
	}
	s.problem(BadChar, start, s.pos)
}

func (s *scanner) word() lexer.TokenType {
	start, ascii := s.pos, true
	for s.pos < len(s.text) {
		if c := s.text[s.pos]; isLetter(c) || isDigit(c) {
			s.pos++
			continue
		}
		if !s.letterHere() {
			break
		}
		_, n := utf8.DecodeRuneInString(s.text[s.pos:])
		s.pos += n
		ascii = false
	}
	word := s.text[start:s.pos]
	switch {
	case !ascii:
		s.problem(BadChar, start, s.pos)
	case keywords[word]:
		return Keyword
	case isType(word):
		return Type
	}
	return Ident
}

// letterHere reports whether a letter or digit outside ASCII stands at pos.
func (s *scanner) letterHere() bool {
	if s.text[s.pos] < utf8.RuneSelf {
		return false
	}
	r, _ := utf8.DecodeRuneInString(s.text[s.pos:])
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r))
}

// garbage passes over the characters that no token has, up to one that may start a token or a blank.
func (s *scanner) garbage() {
	start := s.pos
	kind, n := s.stray()
	for k := kind; n > 0 && k == kind; k, n = s.stray() {
		s.pos += n
	}
	s.problem(kind, start, s.pos)
}

// stray returns the length of the character at pos and what is wrong with it; 0 if a token or a blank may start there.
func (s *scanner) stray() (kind ProblemKind, n int) {
	if s.pos >= len(s.text) {
		return 0, 0
	}
	c := s.text[s.pos]
	if c < utf8.RuneSelf {
		if strings.IndexByte("$@`\\", c) >= 0 || c < ' ' && strings.IndexByte(" \t\r\n\v\f", c) < 0 || c == 0x7f {
			return BadChar, 1
		}
		return 0, 0
	}
	switch r, n := utf8.DecodeRuneInString(s.text[s.pos:]); {
	case r == utf8.RuneError && n == 1:
		return BadUTF8, 1
	case s.letterHere():
		return 0, 0
	default:
		return BadChar, n
	}
}

// number passes over a number and everything that sticks to it.
func (s *scanner) number() lexer.TokenType {
	start := s.pos
	s.wordTail()
	kind := Int
	if hex := strings.HasPrefix(s.text[start:], "0x") || strings.HasPrefix(s.text[start:], "0X"); !hex {
		for s.at(0) == '.' && (kind == Int || s.at(1) != '*' && s.at(1) != '/') {
			kind = Float
			s.pos++
			s.wordTail()
		}
		if last := s.text[s.pos-1]; (last == 'e' || last == 'E') && (s.at(0) == '+' || s.at(0) == '-') && isDigit(s.at(1)) {
			s.pos++
			s.wordTail()
		}
	}
	if literal := s.text[start:s.pos]; isFloat(literal) {
		kind = Float
	} else if kind == Float || !isInt(literal) {
		s.problem(BadNumber, start, s.pos)
	}
	return kind
}

func (s *scanner) wordTail() {
	for isLetter(s.at(0)) || isDigit(s.at(0)) {
		s.pos++
	}
}

// isInt reports whether a literal is 0, 12, 0xff, with a suffix u, l or ul. A leading zero would be octal in C.
func isInt(literal string) bool {
	if hex, ok := cutEither(literal, "0x", "0X"); ok {
		digits := strings.TrimLeft(hex, "0123456789abcdefABCDEF")
		return len(digits) < len(hex) && intSuffix[digits]
	}
	rest := strings.TrimLeft(literal, "0123456789")
	digits := literal[:len(literal)-len(rest)]
	return digits != "" && (digits == "0" || digits[0] != '0') && intSuffix[rest]
}

// isFloat reports whether a literal is 1.5, 1e3 or 1.5e-3, with a suffix f, d or h.
func isFloat(literal string) bool {
	rest := strings.TrimLeft(literal, "0123456789")
	marked := false
	if rest == literal {
		return false
	}
	if frac, ok := strings.CutPrefix(rest, "."); ok {
		rest = strings.TrimLeft(frac, "0123456789")
		if rest == frac {
			return false
		}
		marked = true
	}
	if exp, ok := cutEither(rest, "e", "E"); ok {
		exp = strings.TrimPrefix(strings.TrimPrefix(exp, "+"), "-")
		rest = strings.TrimLeft(exp, "0123456789")
		if rest == exp {
			return false
		}
		marked = true
	}
	return marked && floatSuffix[rest]
}

var (
	intSuffix   = map[string]bool{"": true, "u": true, "l": true, "ul": true}
	floatSuffix = map[string]bool{"": true, "f": true, "d": true, "h": true}
)

func cutEither(s, a, b string) (string, bool) {
	if rest, ok := strings.CutPrefix(s, a); ok {
		return rest, true
	}
	return strings.CutPrefix(s, b)
}

var operatorKind = func() map[string]lexer.TokenType {
	kinds := map[string]lexer.TokenType{}
	for kind, spellings := range operators {
		for _, op := range spellings {
			kinds[op] = kind
		}
	}
	return kinds
}()

func longestOperator(text string) (kind lexer.TokenType, length int) {
	for n := min(3, len(text)); n > 0; n-- {
		if kind, ok := operatorKind[text[:n]]; ok {
			return kind, n
		}
	}
	return 0, 0
}

func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' }

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

func sorted(set map[string]bool) []string { return slices.Sorted(maps.Keys(set)) }
