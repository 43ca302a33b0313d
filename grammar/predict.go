package grammar

import (
	"errors"
	"math"
	"reflect"
	"slices"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
)

// A rule is a production, or a part of one, for a parser that decides by the next token alone: the grammar is LL(1). It is made of
// the tags that participle reads, and takes a small part of its time, which matters to programs of megabytes. It has no messages:
// where a text does not match, participle parses it once more and says why.
type rule struct {
	kind  ruleKind
	word  string          // of a literal
	token lexer.TokenType // of a terminal
	parts []*rule         // of a sequence or choice; the one part of an option, repetition or capture
	field int             // of a capture: in the struct
	node  reflect.Type    // of a production: its struct
	all   int             // of a production: the field Tokens; -1 without
	first *firstSet       // what it may start with; see first.of
}

type ruleKind uint8

const (
	literalRule ruleKind = iota
	terminalRule
	sequenceRule
	choiceRule
	optionRule     // (...)?
	repeatRule     // (...)*
	someRule       // (...)+
	captureRule    // @(...)
	productionRule // @@
	ownRule        // @@ of a type that parses itself
)

// A firstSet is what a rule may start with.
type firstSet struct {
	kinds uint32   // a bit for each kind of token
	words []string // literals
	any   bool     // a type that parses itself decides by itself
	empty bool     // it may match nothing
}

func (f *firstSet) has(t *Token) bool {
	return f.any || t.Type > 0 && f.kinds&(1<<t.Type) != 0 || len(f.words) > 0 && slices.Contains(f.words, t.Value)
}

// prepare computes all first sets, so that the rules may be used concurrently.
func (r *rule) prepare(seen map[*rule]bool) {
	if seen[r] {
		return
	}
	seen[r] = true
	r.starts()
	for _, p := range r.parts {
		p.prepare(seen)
	}
}

// starts computes the first set of a rule, once. The grammar has no left recursion.
func (r *rule) starts() *firstSet {
	if r.first != nil {
		return r.first
	}
	f := &firstSet{}
	switch r.kind {
	case literalRule:
		f.words = []string{r.word}
	case terminalRule:
		f.kinds = 1 << r.token
	case ownRule:
		f.any = true
	case choiceRule:
		for _, p := range r.parts {
			s := p.starts()
			f.join(s)
			f.empty = f.empty || s.empty
		}
	default:
		f.empty = true
		for _, p := range r.parts {
			s := p.starts()
			f.join(s)
			if f.empty = s.empty; !f.empty {
				break
			}
		}
		f.empty = f.empty || r.kind == optionRule || r.kind == repeatRule
	}
	r.first = f
	return f
}

func (f *firstSet) join(s *firstSet) {
	f.kinds |= s.kinds
	f.words = append(f.words, s.words...)
	f.any = f.any || s.any
}

// A match is how a rule fared.
type match uint8

const (
	missed  match = iota // not even the first token fits; nothing is taken
	matched              // it may have matched nothing
	failed               // some tokens fit, the next does not
)

// take matches the rule and stores what it captures in the struct v.
func (r *rule) take(lex *lexer.PeekingLexer, v reflect.Value) match {
	switch r.kind {
	case literalRule, terminalRule:
		t := lex.Peek()
		if r.kind == literalRule && t.Value != r.word || r.kind == terminalRule && t.Type != r.token {
			return missed
		}
		lex.Next()
		return matched
	case sequenceRule:
		return r.sequence(lex, v)
	case choiceRule:
		return r.choose(lex, v)
	case optionRule:
		return r.repeat(lex, v, 0, 1)
	case repeatRule:
		return r.repeat(lex, v, 0, math.MaxInt)
	case someRule:
		return r.repeat(lex, v, 1, math.MaxInt)
	case captureRule:
		return r.capture(lex, v)
	}
	panic("a production is only captured")
}

func (r *rule) sequence(lex *lexer.PeekingLexer, v reflect.Value) match {
	start := lex.RawCursor()
	for _, p := range r.parts {
		switch m := p.take(lex, v); {
		case m == matched:
		case m == missed && lex.RawCursor() == start && !p.starts().empty:
			return missed
		default:
			return failed
		}
	}
	return matched
}

func (r *rule) choose(lex *lexer.PeekingLexer, v reflect.Value) match {
	t := lex.Peek()
	for _, p := range r.parts {
		if f := p.starts(); f.has(t) {
			if m := p.take(lex, v); m != missed {
				return m
			}
		}
	}
	if r.starts().empty {
		return matched
	}
	return missed
}

func (r *rule) repeat(lex *lexer.PeekingLexer, v reflect.Value, least, most int) match {
	part := r.parts[0]
	n := 0
	for ; n < most && part.starts().has(lex.Peek()); n++ {
		m := part.take(lex, v)
		if m == missed {
			break
		}
		if m == failed {
			return failed
		}
	}
	if n < least {
		return missed
	}
	return matched
}

// capture matches a part and stores it in a field.
func (r *rule) capture(lex *lexer.PeekingLexer, v reflect.Value) match {
	part, field := r.parts[0], v.Field(r.field)
	if part.kind == productionRule || part.kind == ownRule {
		return part.captureNode(lex, field)
	}
	start := lex.RawCursor()
	if m := part.take(lex, v); m != matched {
		return m
	}
	tokens := lex.Range(start, lex.RawCursor())
	switch to := field.Addr().Interface().(type) {
	case *Token:
		*to = tokens[0]
	case *[]Token:
		*to = tokens
	case *bool:
		*to = true
	case *[]string:
		for _, t := range tokens {
			*to = append(*to, t.Value)
		}
	}
	return matched
}

// captureNode makes a node and stores a pointer to it, or appends one.
func (r *rule) captureNode(lex *lexer.PeekingLexer, field reflect.Value) match {
	node := reflect.New(r.node)
	if m := r.fill(lex, node); m != matched {
		return m
	}
	if field.Kind() == reflect.Slice {
		field.Set(reflect.Append(field, node))
	} else {
		field.Set(node)
	}
	return matched
}

// fill parses a production into a node.
func (r *rule) fill(lex *lexer.PeekingLexer, node reflect.Value) match {
	if r.kind == ownRule {
		switch err := node.Interface().(participle.Parseable).Parse(lex); {
		case err == nil:
			return matched
		case errors.Is(err, participle.NextMatch):
			return missed
		}
		return failed
	}
	start := lex.RawCursor()
	if m := r.parts[0].take(lex, node.Elem()); m != matched {
		return m
	}
	if r.all >= 0 {
		*node.Elem().Field(r.all).Addr().Interface().(*[]Token) = lex.Range(start, lex.RawCursor())
	}
	return matched
}
