package grammar

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2/lexer"
)

func kindName(kind lexer.TokenType) string {
	for name, k := range kindNames {
		if k == kind {
			return name
		}
	}
	return "?"
}

func TestScanSplitsTextsIntoTokens(t *testing.T) {
	tests := []struct{ text, want string }{
		{"", ""},
		{"\ufeffx", "Ident:x"},
		{"x y_1 _z", "Ident:x Ident:y_1 Ident:_z"},
		{"in inner out1", "Keyword:in Ident:inner Ident:out1"},
		{"u8 u8x3 u8x5 u9 f16 bf16x2 boolx4 u8x3x", "Type:u8 Type:u8x3 Ident:u8x5 Ident:u9 Type:f16 Type:bf16x2 Type:boolx4 Ident:u8x3x"},
		{"0 12 0xfF 3u 4l 5ul 0xful", "Int:0 Int:12 Int:0xfF Int:3u Int:4l Int:5ul Int:0xful"},
		{"1.5 1e3 1E-3 2.5e+10f 0.5h 3.0d 00.5", "Float:1.5 Float:1e3 Float:1E-3 Float:2.5e+10f Float:0.5h Float:3.0d Float:00.5"},
		{"1-2 1e-x", "Int:1 SignOp:- Int:2 Int:1e SignOp:- Ident:x"},
		{"1.5.*x", "Float:1.5 BinaryOp:.* Ident:x"},
		{"2 .* v ./ w", "Int:2 BinaryOp:.* Ident:v BinaryOp:./ Ident:w"},
		{"a<<=b>>=c<<d>>e<=f>=g", "Ident:a AssignOp:<<= Ident:b AssignOp:>>= Ident:c BinaryOp:<< Ident:d BinaryOp:>> Ident:e BinaryOp:<= Ident:f BinaryOp:>= Ident:g"},
		{"!a&&~b||c!=d", "NotOp:! Ident:a BinaryOp:&& NotOp:~ Ident:b BinaryOp:|| Ident:c BinaryOp:!= Ident:d"},
		{"x min= 3", "Ident:x Ident:min AssignOp:= Int:3"},
		{`"a//b" "/*"`, `String:"a//b" String:"/*"`},
		{"a // b\nc /* d\n*/ e", "Ident:a Ident:c Ident:e"},
		{"a/**/b/***/c", "Ident:a Ident:b Ident:c"},
		{"({[?:;,.]})", "Punct:( Punct:{ Punct:[ Punct:? Punct:: Punct:; Punct:, Punct:. Punct:] Punct:} Punct:)"},
		{"x\u00a0y", "Ident:x Ident:y"},
	}
	for _, test := range tests {
		var got []string
		for _, tok := range Scan(test.text).Tokens {
			got = append(got, kindName(tok.Type)+":"+tok.Value)
		}
		if s := strings.Join(got, " "); s != test.want {
			t.Errorf("%q: %s, want %s", test.text, s, test.want)
		}
	}
}

func TestScanReportsWhatIsNoTokenAndReadsOn(t *testing.T) {
	tests := []struct {
		text string
		kind ProblemKind
		bad  string // the stretch reported
		rest string // the tokens
	}{
		{"a $ b", BadChar, "$", "a b"},
		{"a @@\\` b", BadChar, "@@\\`", "a b"},
		{"größe = 1", BadChar, "größe", "größe = 1"},
		{"a × b", BadChar, "×", "a b"},
		{"a \xff\xfe b", BadUTF8, "\xff\xfe", "a b"},
		{"a /* \xff */ b", BadUTF8, "\xff", "a b"},
		{"a // \xc3\xa4\xe4\nb", BadUTF8, "\xe4", "a b"},
		{"a \"\xff\" b", BadUTF8, "\xff", "a \"\xff\" b"},
		{"a \x00 b", BadChar, "\x00", "a b"},
		{"a /* b", OpenComment, "/*", "a"},
		{"a \"b; \nc", OpenString, "\"b;", "a \"b; c"},
		{"1. + 2", BadNumber, "1.", "1. + 2"},
		{"2.*v", BadNumber, "2.", "2. * v"},
		{".5", BadNumber, ".5", ".5"},
		{"1..3", BadNumber, "1..3", "1..3"},
		{"012", BadNumber, "012", "012"},
		{"1_000", BadNumber, "1_000", "1_000"},
		{"1f", BadNumber, "1f", "1f"},
		{"1ull", BadNumber, "1ull", "1ull"},
		{"0x", BadNumber, "0x", "0x"},
		{"1.5e", BadNumber, "1.5e", "1.5e"},
		{"'c' + 1", CharLiteral, "'c'", "'c' + 1"},
		{"a ' b", BadChar, "'", "a b"},
		{"#define A 1 \nb", Directive, "#define A 1", "b"},
		{"  #if 1", Directive, "#if 1", ""},
		{"a # b", BadChar, "#", "a b"},
	}
	for _, test := range tests {
		text := Scan(test.text)
		var got []string
		for _, tok := range text.Tokens {
			got = append(got, tok.Value)
		}
		if s := strings.Join(got, " "); s != test.rest {
			t.Errorf("%q: tokens %q, want %q", test.text, s, test.rest)
		}
		if len(text.Problems) != 1 {
			t.Errorf("%q: %d problems", test.text, len(text.Problems))
			continue
		}
		p := text.Problems[0]
		if bad := test.text[p.Start:p.End]; p.Kind != test.kind || bad != test.bad {
			t.Errorf("%q: problem %d at %q, want %d at %q", test.text, p.Kind, bad, test.kind, test.bad)
		}
	}
}

func TestTokensKnowTheirPlaces(t *testing.T) {
	const text = "a /* b\n*/ c\n\n  \"d\" /* e\n f */ g // h\ni"
	scanned := Scan(text)
	lines := strings.Split(text, "\n")
	for _, tok := range scanned.Tokens {
		p := tok.Pos
		if !strings.HasPrefix(text[p.Offset:], tok.Value) || !strings.HasPrefix(lines[p.Line-1][p.Column-1:], tok.Value) {
			t.Errorf("%s is not at %v", tok.Value, p)
		}
	}
	var comments []string
	for _, c := range scanned.Comments {
		comments = append(comments, text[c.Start:c.End])
	}
	if got := strings.Join(comments, "|"); got != "/* b\n*/|/* e\n f */|// h" {
		t.Errorf("comments %q", got)
	}
}

func TestLexerCountsTheTokensOfATextByIndex(t *testing.T) {
	text := Scan("a b /* c */ d")
	for i, tok := range text.Tokens {
		if int(text.Lexer.RawCursor()) != i || text.Lexer.Peek().Value != tok.Value {
			t.Errorf("cursor %d at %s, want %d at %s", text.Lexer.RawCursor(), text.Lexer.Peek().Value, i, tok.Value)
		}
		text.Lexer.Next()
	}
	if !text.Lexer.Peek().EOF() {
		t.Error("tokens behind the last")
	}
}

func TestReservedWordsAreThoseOfTheDesign(t *testing.T) {
	for _, word := range Keywords() {
		if !keywords[word] || isType(word) {
			t.Errorf("%s", word)
		}
	}
	for _, word := range strings.Fields("levels scale on from as independent commutative reads writes min max clamp cuda opencl") {
		if keywords[word] || isType(word) {
			t.Errorf("%s is reserved", word)
		}
	}
	if len(Keywords()) != 35 {
		t.Errorf("%d reserved words", len(Keywords()))
	}
}

func TestEBNFDefinesWhatItUses(t *testing.T) {
	text := EBNF()
	defined := map[string]bool{}
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		name, _, ok := strings.Cut(line, " = ")
		if !ok || !strings.HasSuffix(line, " .") || defined[name] {
			t.Errorf("no production, or the second: %s", line)
		}
		defined[name] = true
	}
	literal := regexp.MustCompile(`"[^"]*"`)
	for _, line := range strings.Split(text, "\n") {
		name, body, _ := strings.Cut(line, " = ")
		if strings.HasPrefix(name, "<") {
			continue
		}
		for _, symbol := range regexp.MustCompile(`<[a-z]+>|[A-Z][A-Za-z]*`).FindAllString(literal.ReplaceAllString(body, ""), -1) {
			if !defined[symbol] {
				t.Errorf("%s uses %s, which is not defined", name, symbol)
			}
		}
	}
	for _, want := range []string{"File = Decl* .", `Block = "{" Stmt* "}" .`, `Frames = "{" Frame* "}" .`, `Decisions = "{" Decision* "}" .`} {
		if !strings.Contains(text, want+"\n") {
			t.Errorf("no %s", want)
		}
	}
	if strings.Contains(text, "Numbers") || strings.Contains(text, "Body") {
		t.Error("helpers of the implementation show")
	}
}

func TestGroupsEndAtTheirBraceOrADeclaration(t *testing.T) {
	tests := []struct {
		text        string
		close, next int
	}{
		{"{ a } b", 2, 3},
		{"{ { } { { } } } b", 7, 8},
		{"{ a", 2, 2},
		{"{ a {\nkernel b", 3, 3},
		{"{ a\n kernel }", 3, 4},
	}
	for _, test := range tests {
		text := Scan(test.text)
		var g Group
		if err := g.Parse(text.Lexer); err != nil || g.Open != 0 || g.Close != test.close || int(text.Lexer.RawCursor()) != test.next {
			t.Errorf("%q: %+v, then %d, %v", test.text, g, text.Lexer.RawCursor(), err)
		}
	}
}

func FuzzScan(f *testing.F) {
	f.Add("const a = 1.5; // b")
	f.Add("/* \xff \" ' # 0x1. ..")
	f.Fuzz(func(t *testing.T, text string) {
		scanned := Scan(text)
		end := 0
		for _, tok := range scanned.Tokens {
			if tok.Pos.Offset < end || tok.Value == "" || text[tok.Pos.Offset:tok.Pos.Offset+len(tok.Value)] != tok.Value {
				t.Fatalf("token %q at %d after %d", tok.Value, tok.Pos.Offset, end)
			}
			end = tok.Pos.Offset + len(tok.Value)
		}
		if len(scanned.Problems) == 0 && !utf8.ValidString(text) {
			t.Fatalf("nothing is wrong with %q", text)
		}
	})
}
