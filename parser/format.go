package parser

import (
	"sort"
	"strings"

	"imgc/grammar"
	"imgc/source"
	"imgc/syntax"
)

// Format returns the text of a file in the canonical layout: four blanks for each level, one statement on a line, at most
// one empty line in a row, lines broken at 110 columns, rows of literals as they stand. Every token and every comment is
// kept, so the result parses to the same tree, and formatting it again changes nothing.
//
// The tree must come from Parse; where errors have left out part of the text, that is returned as it is.
func Format(f *syntax.File) string {
	text := grammar.Scan(f.Source.Text)
	if len(text.Problems) > 0 {
		return f.Source.Text
	}
	p := &printer{file: f.Source, tokens: text.Tokens, comments: text.Comments, lines: lineEnds(f.Source.Text)}
	for i, d := range f.Decls {
		if i > 0 {
			p.newline(true)
		}
		p.decl(d)
	}
	if p.next != len(p.tokens) {
		p.lost = true
	}
	p.newline(true)
	p.flushComments(len(f.Source.Text))
	if p.lost {
		return f.Source.Text
	}
	return render(p.pieces)
}

// printer walks over a tree and over the tokens of its text at the same time, and lays out pieces.
type printer struct {
	file         *source.File
	tokens       []grammar.Token
	comments     []grammar.Extent // those not yet printed
	lines        []int            // offsets of the line ends
	pieces       []piece
	next         int  // index of the next token
	end          int  // offset behind the last token or comment printed
	pending      gap  // what stands between that and the next
	indent       int  // levels
	lineIndent   int  // columns in front of the line, where it was not broken
	level        int  // groups open, for breaks
	solid        int  // if positive, breaks are blanks
	afterComment bool // the last thing printed is a comment
	lost         bool
}

// A gap is what stands between two tokens.
type gap struct {
	kind   gapKind
	piece  pieceKind // of a gapBreak
	indent int       // columns, of a break or newline
	level  int       // of a break
	empty  bool      // of a newline: an empty line of the source is kept
}

type gapKind uint8

const (
	gapNone gapKind = iota
	gapBlank
	gapBreak
	gapNewline
)

// continuation is how much further lines are indented that go on with a statement.
const continuation = 2 * tabColumns

func (p *printer) blank() { p.pending = gap{kind: gapBlank} }

func (p *printer) addBreak(kind pieceKind, indent int) {
	if p.solid > 0 {
		if kind == blankPiece {
			p.blank()
		}
		return
	}
	p.pending = gap{kind: gapBreak, piece: kind, indent: indent, level: p.level}
}

// brk is a blank where the statement may go on on the next line; soft is such a place without a blank.
func (p *printer) brk()  { p.addBreak(blankPiece, p.indent*tabColumns+continuation) }
func (p *printer) soft() { p.addBreak(softPiece, p.indent*tabColumns+continuation) }

// newline ends the line; keepEmpty keeps one empty line if the source has one or more.
func (p *printer) newline(keepEmpty bool) {
	p.pending = gap{kind: gapNewline, indent: p.indent * tabColumns, empty: keepEmpty}
}

func (p *printer) group(body func()) {
	p.level++
	body()
	p.level--
}

// t prints the next token of the source, which the tree says is one of the given texts.
func (p *printer) t(texts ...string) {
	if p.next >= len(p.tokens) || !contains(texts, p.tokens[p.next].Value) {
		p.lost = true
		return
	}
	p.token()
}

// name prints a name; that of an import with a prefix, or of a stage in a labelled call, is several tokens.
func (p *printer) name(n syntax.Name) {
	for i, part := range strings.Split(n.Text, ".") {
		if i > 0 {
			p.t(".")
		}
		p.t(part)
	}
}

// token prints the next token and, before it, the gap and the comments in front of it. Comments in front of a comma or
// semicolon come behind that, with the next token.
func (p *printer) token() {
	t := p.tokens[p.next]
	p.next++
	defer func() { p.afterComment = false }()
	if (t.Value == "," || t.Value == ";") && p.pending.kind != gapNewline {
		p.pending = gap{}
		p.put(t.Value)
		if p.hasComment(t.Pos.Offset) {
			return // the place of those comments is judged from the token before
		}
	} else {
		p.flushComments(t.Pos.Offset)
		if t.Value == "}" {
			p.pending.empty = false
		}
		p.flushGap(t.Pos.Offset)
		p.put(t.Value)
	}
	p.end = t.Pos.Offset + len(t.Value)
}

func (p *printer) put(text string) { p.pieces = append(p.pieces, piece{kind: textPiece, text: text}) }

// line is the line of an offset. It takes no look at the text, so that it is quick on long lines.
func (p *printer) line(offset int) int { return sort.SearchInts(p.lines, offset) }

// lineEnds returns the offsets of the line ends of a text.
func lineEnds(text string) []int {
	var ends []int
	for i := 0; i < len(text); i++ {
		if text[i] == '\n' {
			ends = append(ends, i)
		}
	}
	return ends
}

// emptyBetween reports whether an empty line stands between two offsets.
func (p *printer) emptyBetween(a, b int) bool { return p.line(b)-p.line(a) > 1 }

// flushGap turns the pending gap into a piece; what follows starts at offset in the source.
func (p *printer) flushGap(offset int) {
	g := p.pending
	p.pending = gap{}
	if len(p.pieces) == 0 {
		return
	}
	switch g.kind {
	case gapBlank:
		p.put(" ")
	case gapBreak:
		p.pieces = append(p.pieces, piece{kind: g.piece, level: g.level, indent: g.indent})
	case gapNewline:
		p.pieces = append(p.pieces, piece{kind: newlinePiece, indent: g.indent, empty: g.empty && p.emptyBetween(p.end, offset)})
		p.lineIndent = g.indent
	}
}

// hasComment reports whether a comment stands before an offset and has not been printed.
func (p *printer) hasComment(offset int) bool {
	return len(p.comments) > 0 && p.comments[0].Start < offset
}
