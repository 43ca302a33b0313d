package parser

import (
	"strings"

	"imgc/grammar"
)

// resume goes from the first token of an item with an error to where the next item may start, and parses the blocks that it
// passes, whose errors do not depend on that one. next is the index to go on from, or -1 to skip the rest of the item; at is
// the token that did not fit and end is behind the last token of the surrounding group.
func (p *parser) resume(in context, first, at, next, end int) {
	s := &skipper{parser: p, in: in, first: first, at: at, end: end}
	stop := next
	if next < 0 {
		stop = s.find()
	} else {
		s.passBlocks(next)
	}
	p.jump(max(stop, first+1))
}

// skipper passes over an item that could not be parsed.
type skipper struct {
	*parser
	in             context
	first, at, end int
	open           []int // the ( and [ that are open
	semicolons     int   // passed inside the parentheses of a for
}

// find returns the index behind the item: behind its semicolon or block, or in front of the closing brace of its group or of
// a word that starts another item. It never stops before the error.
func (s *skipper) find() int {
	for i := s.first; i < s.end; i++ {
		switch v := s.value(i); {
		case s.startsItem(i):
			return i
		case v == "(" || v == "[" || v == ")" || v == "]":
			s.bracket(i)
		case v == "{":
			i = s.passGroup(i)
			if i >= s.at && s.endsWithGroup(i) {
				return i + 1
			}
		case v == "}" && i >= s.at:
			if s.in == inFile {
				return i + 1
			}
			return i
		case v == ";" && i >= s.at && !s.inCountingFor():
			return i + 1
		}
	}
	return s.end
}

// bracket brings open up to date.
func (s *skipper) bracket(i int) {
	if v := s.value(i); v == "(" || v == "[" {
		s.open = append(s.open, i)
	} else if n := len(s.open); n > 0 {
		s.open = s.open[:n-1]
	}
}

// startsItem reports whether the token with index i, not before the error, starts another item.
func (s *skipper) startsItem(i int) bool {
	if i <= s.first || i < s.at {
		return false
	}
	t := s.tokens[i]
	firstOnLine := t.Pos.Line > s.tokens[i-1].Pos.Line
	switch {
	case grammar.StartsDecl(t):
		return true
	case s.in == inFile && (firstOnLine || s.value(i-1) == ";" || s.value(i-1) == "}"):
		starts := t.Type == grammar.Ident && i > s.at || t.Value == "border" && s.value(i+2) == "("
		return strongDeclWords[t.Value] || len(s.open) == 0 && t.Pos.Column == 1 && starts
	case s.in == inBlock && (firstOnLine || i > s.at && len(s.open) == 0 && t.Value != "for"):
		return contains(statementWords, t.Value) && t.Value != "else"
	}
	return false
}

// strongDeclWords stand nowhere but at the start of a declaration.
var strongDeclWords = map[string]bool{"import": true, "func": true, "extern": true, "kernel": true, "pipeline": true, "schedule": true}

// passGroup returns the index of the brace that closes the group at i, or the last of the surrounding one.
func (s *skipper) passGroup(i int) int {
	last := s.closing(i, s.end)
	if last >= s.end {
		last = s.end - 1
	}
	if s.isBlock(i) {
		s.open = nil // no block stands inside parentheses: one was not closed
		s.parseGroup(i, last)
	}
	return last
}

// isBlock tells a block from an array value in braces.
func (s *skipper) isBlock(i int) bool {
	if i == s.first {
		return true
	}
	t := s.tokens[i-1]
	switch t.Type {
	case grammar.AssignOp, grammar.BinaryOp, grammar.SignOp, grammar.NotOp:
		return false
	}
	return t.Value != "(" && t.Value != "[" && t.Value != "," && t.Value != "return"
}

// parseGroup reports the errors inside the group from open to last; what it holds is dropped with the item around it.
func (s *skipper) parseGroup(open, last int) {
	back := s.lex.MakeCheckpoint()
	defer s.lex.LoadCheckpoint(back)
	s.jump(open)
	var g grammar.Group
	if g.Parse(s.lex) != nil || g.Close > last {
		return
	}
	switch head := s.value(s.first); {
	case s.in == inBlock, s.in == inFile && strings.Contains(" kernel pipeline func commutative ", " "+head+" "):
		within(s.parser, g, inBlock, s.grammar.Stmt, s.stmt)
	case s.in == inFile && head == "border":
		within(s.parser, g, inBorder, s.grammar.Frame, s.frame)
	case s.in == inFile && head == "schedule":
		within(s.parser, g, inSchedule, s.grammar.Decision, s.decision)
	}
}

// passBlocks parses the blocks of an item in front of the token from which the parse goes on.
func (s *skipper) passBlocks(next int) {
	for i := s.first; i < next; i++ {
		switch s.value(i) {
		case "(", "[", ")", "]":
			s.bracket(i)
		case "{":
			i = s.passGroup(i)
		}
	}
}

// endsWithGroup reports whether the item ends with the group that closes at i: neither else nor a semicolon follows.
func (s *skipper) endsWithGroup(i int) bool {
	next := s.value(i + 1)
	return next != "else" && next != ";"
}

// inCountingFor reports whether a semicolon stands in for (int i = 0; i < n; i++), which has two.
func (s *skipper) inCountingFor() bool {
	if n := len(s.open); n == 0 || s.value(s.open[n-1]-1) != "for" {
		return false
	}
	s.semicolons++
	return s.semicolons <= 2
}

// checkClosed reports a group without its closing brace, once for all groups that end at the same place.
func (p *parser) checkClosed(g grammar.Group) {
	if p.value(g.Close) == "}" || p.open == g.Close+1 {
		return
	}
	p.open = g.Close + 1
	end := p.token(p.tokens[g.Close-1]).End
	p.errorf(codeUnclosed, p.span(end, end), "expected '}' to close a block").
		NoteAt(p.token(p.tokens[p.likelyOpen(g)]), "opened here")
}

// likelyOpen guesses which brace of an unclosed group lacks its partner: the first whose supposed partner is indented
// differently, else the innermost that has none.
func (p *parser) likelyOpen(g grammar.Group) int {
	var open []int
	for i := g.Open; i < g.Close; i++ {
		switch p.value(i) {
		case "{":
			open = append(open, i)
		case "}":
			n := len(open) - 1
			if first := p.firstOnLine(i); first == i && p.column(p.firstOnLine(open[n])) != p.column(i) {
				return open[n]
			}
			open = open[:n]
		}
	}
	return open[len(open)-1]
}

// firstOnLine is the index of the first token on the line of token i.
func (p *parser) firstOnLine(i int) int {
	for i > 0 && p.tokens[i-1].Pos.Line == p.tokens[i].Pos.Line {
		i--
	}
	return i
}

func (p *parser) column(i int) int { return p.tokens[i].Pos.Column }
