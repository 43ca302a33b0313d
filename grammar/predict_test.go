package grammar

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
)

// TestPredictionAgreesWithParticiple parses from every place of many texts, right and wrong ones, in both ways: what one takes the
// other takes, with the same nodes.
func TestPredictionAgreesWithParticiple(t *testing.T) {
	var paths []string
	for _, pattern := range []string{"../parser/testdata/valid/*.img", "../parser/testdata/wrong/*.img", "../samples/*/*.img", "../std/*.img"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, found...)
	}
	if len(paths) < 20 {
		t.Fatalf("only %d texts", len(paths))
	}
	p := Get()
	both := 0
	for n, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		lex := Scan(string(text)).Lexer
		for i := 0; !lex.Peek().EOF(); i++ {
			if i%7 == n%7 {
				both += agree(t, path, p.Decl, lex) + agree(t, path, p.Stmt, lex) + agree(t, path, p.Expr, lex)
				both += agree(t, path, p.Frame, lex) + agree(t, path, p.Decision, lex)
			}
			lex.Next()
		}
	}
	if both < 1000 {
		t.Errorf("only %d times something parsed", both)
	}
}

// agree compares the two ways at one place and returns 1 where both match.
func agree[P any](t *testing.T, path string, p *Production[P], lex *lexer.PeekingLexer) int {
	t.Helper()
	start := lex.MakeCheckpoint()
	defer lex.LoadCheckpoint(start)
	got := new(P)
	m := p.rule.fill(lex, reflect.ValueOf(got))
	end := lex.RawCursor()
	lex.LoadCheckpoint(start)
	want, err := p.participle.ParseFromLexer(lex, participle.AllowTrailing(true))
	at := lex.RawCursor()
	place := lex.Range(start.RawCursor(), start.RawCursor()+1)[0]
	switch {
	case (m == matched) != (err == nil):
		t.Fatalf("%s:%d:%d: %T: prediction says %d, participle %v", path, place.Pos.Line, place.Pos.Column, got, m, err)
	case m != matched:
		return 0
	case end != at:
		t.Fatalf("%s:%d:%d: %T: prediction takes %d tokens, participle %d", path, place.Pos.Line, place.Pos.Column, got, end, at)
	case !reflect.DeepEqual(got, want):
		t.Fatalf("%s:%d:%d: %T: the nodes differ", path, place.Pos.Line, place.Pos.Column, got)
	}
	return 1
}
