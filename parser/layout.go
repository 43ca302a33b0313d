package parser

import (
	"strings"
	"unicode/utf8"
)

// The formatter's second half: where lines are broken. The first half hands over a flat list of pieces; a break is taken if what
// stands between it and the next break of the same or an outer level does not fit on the line.

const (
	lineWidth  = 110
	tabColumns = 4
)

type pieceKind uint8

const (
	textPiece    pieceKind = iota
	blankPiece             // a blank, or a line end where the line is full
	softPiece              // nothing, or a line end where the line is full
	newlinePiece           // a line end
)

// A piece is a text or a place where a line may or must end.
type piece struct {
	kind   pieceKind
	text   string // of a textPiece
	level  int    // of a break: how many groups it stands in
	indent int    // columns in front of the next line, if the line ends here
	empty  bool   // of a newlinePiece: an empty line follows
	free   bool   // of a textPiece: it may stick out, being a comment at the end of a line
}

// width is the number of columns of a piece on a line that is not broken there.
func (p *piece) width() int {
	switch p.kind {
	case textPiece:
		if p.free {
			return 0
		}
		return utf8.RuneCountInString(p.text)
	case blankPiece:
		return 1
	}
	return 0
}

// render puts the pieces on lines. The text ends in a line end unless there are no pieces.
func render(pieces []piece) string {
	rest := spans(pieces)
	var b strings.Builder
	col := 0
	lineEnd := func(indent int) {
		b.WriteByte('\n')
		b.WriteString(strings.Repeat(" ", indent))
		col = indent
	}
	for i := range pieces {
		p := &pieces[i]
		w := p.width()
		switch p.kind {
		case textPiece:
			b.WriteString(p.text)
			col += w
		case newlinePiece:
			if p.empty {
				b.WriteByte('\n')
			}
			lineEnd(p.indent)
		default:
			if col+rest[i] > lineWidth && col > p.indent {
				lineEnd(p.indent)
				continue
			}
			b.WriteString(" "[:w])
			col += w
		}
	}
	if len(pieces) > 0 {
		b.WriteByte('\n')
	}
	return b.String()
}

// spans returns for each break the columns that it and what follows take up to the next break of the same or an outer level.
func spans(pieces []piece) []int {
	sizes := make([]int, len(pieces))
	type stop struct{ level, at int }
	var stops []stop // from right to left, levels falling
	right := 0       // columns behind the piece, counted from the end
	for i := len(pieces) - 1; i >= 0; i-- {
		p := &pieces[i]
		switch p.kind {
		case newlinePiece:
			stops = append(stops[:0], stop{-1, right})
		case blankPiece, softPiece:
			for len(stops) > 0 && stops[len(stops)-1].level > p.level {
				stops = stops[:len(stops)-1]
			}
			next := 0
			if len(stops) > 0 {
				next = stops[len(stops)-1].at
			}
			sizes[i] = right + p.width() - next
			stops = append(stops, stop{p.level, right + p.width()})
		}
		right += p.width()
	}
	return sizes
}
