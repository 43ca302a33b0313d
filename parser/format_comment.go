package parser

import (
	"strings"

	"imgc/grammar"
)

// flushComments prints the comments in front of an offset, where the next token or the end of the text is. They stay on the
// line, or on lines of their own, as they stand in the source.
func (p *printer) flushComments(offset int) {
	for p.hasComment(offset) {
		c := p.comments[0]
		p.comments = p.comments[1:]
		next := p.behindRun(c, offset)
		place := commentPlace{
			line:     strings.HasPrefix(p.file.Text[c.Start:], "//"),
			behind:   len(p.pieces) > 0 && p.line(p.end) == p.line(c.Start),
			before:   p.line(c.End) == p.line(next) && next < len(p.file.Text),
			closing:  !p.hasComment(offset) && offset < len(p.file.Text) && strings.IndexByte(")]", p.file.Text[offset]) >= 0,
			newlines: p.pending.kind == gapNewline || len(p.pieces) == 0,
		}
		if place.newlines {
			p.commentBetween(c, place)
		} else {
			p.commentInside(c, place)
		}
		p.end = c.End
	}
}

// behindRun is the offset of the first token or comment that does not stand on the line of the comments from c on.
func (p *printer) behindRun(c grammar.Extent, offset int) int {
	for _, other := range p.comments {
		if other.Start >= offset {
			break
		}
		if p.line(other.Start) != p.line(c.End) {
			return other.Start
		}
		c = other
	}
	return offset
}

// commentPlace says where a comment stands.
type commentPlace struct {
	line     bool // it is a // comment
	behind   bool // something stands before it on its line
	before   bool // a token stands behind it on its line, perhaps after other comments
	closing  bool // a closing bracket follows
	newlines bool // it stands between two statements, declarations or rows
}

// commentBetween prints a comment where a line ends.
func (p *printer) commentBetween(c grammar.Extent, place commentPlace) {
	g := p.pending
	if place.behind && !place.before {
		p.trailing(c)
		p.pending = g
		return
	}
	p.flushGap(c.Start)
	p.comment(c)
	p.pending = gap{kind: gapNewline, indent: g.indent, empty: true}
	if place.before && !place.line {
		p.blank()
	}
}

// commentInside prints a comment in the middle of a statement.
func (p *printer) commentInside(c grammar.Extent, place commentPlace) {
	goOn := gap{kind: gapNewline, indent: p.indent*tabColumns + continuation}
	switch {
	case place.line && place.behind:
		p.trailing(c)
		p.pending = goOn
	case place.line, !place.behind && !place.before:
		p.pending = goOn
		p.flushGap(c.Start)
		p.comment(c)
		p.pending = goOn
	default:
		if p.pending.kind == gapNone && !strings.HasSuffix(p.pieces[len(p.pieces)-1].text, "(") &&
			!strings.HasSuffix(p.pieces[len(p.pieces)-1].text, "[") {
			p.blank()
		}
		p.flushGap(c.Start)
		p.comment(c)
		if !place.closing {
			p.blank()
		}
	}
}

// trailing prints a comment at the end of a line: two blanks behind a token, one behind another comment.
func (p *printer) trailing(c grammar.Extent) {
	p.pending = gap{}
	first := len(p.pieces)
	if p.put(" "); !p.afterComment {
		p.put(" ")
	}
	p.comment(c)
	for i := first; i < len(p.pieces) && p.pieces[i].kind == textPiece; i++ {
		p.pieces[i].free = true
	}
}

// comment prints the text of a comment. The lines of one that are marked by a star keep in line with the first.
func (p *printer) comment(c grammar.Extent) {
	for i, line := range strings.Split(p.file.Text[c.Start:c.End], "\n") {
		line = strings.TrimRight(line, " \t\r\v\f")
		if i > 0 {
			newline := piece{kind: newlinePiece}
			if text := strings.TrimLeft(line, " \t"); strings.HasPrefix(text, "*") {
				newline.indent, line = p.lineIndent+1, text
			}
			p.pieces = append(p.pieces, newline)
		}
		p.put(line)
	}
	p.afterComment = true
}
