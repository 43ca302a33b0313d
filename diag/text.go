package diag

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode"

	"imgc/source"
)

// TextOptions says how Text prints. The zero value is plain text with the defaults named here.
type TextOptions struct {
	Color bool // colours by ANSI escape sequences
	Max   int  // the most diagnostics printed; 0 means 50, a negative number all
	Width int  // the most columns of a source line shown; 0 means 120
}

const (
	defaultMax   = 50
	defaultWidth = 120
	tabWidth     = 4
)

// Text prints diagnostics for people, sorted by place, and last how many there are:
//
//	blur.img:7:17: error[IMG0203]: message
//	  7 |     dst[y][x] = src[y-1][x];
//	    |                 ^^^^^^^^^^^ label
//	    = a note
//	blur.img:2:5: note: a note with a place
//	  2 |     image src: u8[H][W];
//	    |           ^^^
//	1 error
//
// An empty list prints nothing.
func Text(w io.Writer, list *List, opts TextOptions) error {
	if opts.Max == 0 {
		opts.Max = defaultMax
	}
	if opts.Width <= 0 {
		opts.Width = defaultWidth
	}
	t := &textPrinter{out: bufio.NewWriter(w), opts: opts}
	all := list.Sorted()
	shown := len(all)
	if opts.Max >= 0 {
		shown = min(shown, opts.Max)
	}
	for _, d := range all[:shown] {
		t.diagnostic(d)
	}
	if more := len(all) - shown + list.Dropped(); more > 0 {
		fmt.Fprintf(t.out, "... and %d more that are not shown\n", more)
	}
	if len(all) > 0 {
		fmt.Fprintln(t.out, counts(all, list))
	}
	return t.out.Flush()
}

// counts is "2 errors, 1 warning", of those shown and those that were not kept; infos are not counted.
func counts(all []*Diagnostic, list *List) string {
	var n [3]int
	for _, d := range all {
		n[d.Severity]++
	}
	for s, dropped := range list.dropped {
		n[s] += dropped
	}
	var parts []string
	for s, count := range n[:Info] {
		if count > 0 {
			parts = append(parts, fmt.Sprintf("%d %s%s", count, Severity(s), plural(count)))
		}
	}
	if len(parts) == 0 {
		return "no errors"
	}
	return strings.Join(parts, ", ")
}

func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}

type textPrinter struct {
	out  *bufio.Writer
	opts TextOptions
}

// ANSI attributes.
const (
	bold    = "1"
	red     = "1;31"
	magenta = "1;35"
	blue    = "1;34"
	cyan    = "1;36"
)

var severityColor = [...]string{Error: red, Warning: magenta, Info: cyan}

func (t *textPrinter) paint(attribute, text string) string {
	if !t.opts.Color || text == "" {
		return text
	}
	return "\x1b[" + attribute + "m" + text + "\x1b[0m"
}

func (t *textPrinter) diagnostic(d *Diagnostic) {
	word, color := d.Severity.String(), severityColor[d.Severity]
	if d.Code != "" {
		word += "[" + string(d.Code) + "]"
	}
	t.headline(d.Span, t.paint(color, word), t.paint(bold, printable(d.Message)))
	width := t.snippet(d.Span, d.Label, color)
	for _, n := range d.Notes {
		if n.Span.IsValid() {
			t.headline(n.Span, t.paint(cyan, "note"), printable(n.Message))
			t.snippet(n.Span, "", cyan)
			continue
		}
		fmt.Fprintf(t.out, "%*s %s %s\n", width, "", t.paint(blue, "="), printable(n.Message))
	}
}

func (t *textPrinter) headline(span source.Span, word, message string) {
	if span.IsValid() {
		fmt.Fprint(t.out, t.paint(bold, printable(span.String())+":"), " ")
	}
	fmt.Fprintf(t.out, "%s: %s\n", word, message)
}

// snippet shows the line or lines of a span with carets and returns the width of the gutter.
func (t *textPrinter) snippet(span source.Span, label, color string) (gutter int) {
	if !span.IsValid() {
		return 1
	}
	first, startCol := span.File.Position(span.Start)
	last, endCol := span.File.Position(max(span.Start, span.End))
	if last > first && endCol == 1 { // the span ends in the line end before
		last--
		endCol = len([]rune(span.File.Line(last))) + 1
	}
	gutter = max(3, len(fmt.Sprint(last))+1)
	if first == last {
		t.line(span.File, first, startCol, max(endCol, startCol+1), gutter, label, color)
		return gutter
	}
	end := len([]rune(span.File.Line(first))) + 1
	t.line(span.File, first, startCol, max(end, startCol+1), gutter, "", color)
	if last > first+1 {
		fmt.Fprintf(t.out, "%*s\n", gutter, t.paint(blue, "..."))
	}
	text := span.File.Line(last)
	indent := len([]rune(text)) - len([]rune(strings.TrimLeft(text, " \t")))
	t.line(span.File, last, min(indent+1, endCol-1), endCol, gutter, label, color)
	return gutter
}

// line prints a source line and carets under the characters from column start up to end.
func (t *textPrinter) line(f *source.File, n, start, end, gutter int, label, color string) {
	cells := layout(f.Line(n))
	from, to := column(cells, start), column(cells, end)
	if to <= from {
		to = from + 1
	}
	text, shift := t.cut(cells, from, to)
	from, to = max(0, from-shift), to-shift
	to = min(to, max(t.opts.Width, from+1))
	bar := t.paint(blue, "|")
	if text != "" {
		text = " " + text
	}
	fmt.Fprintf(t.out, "%s %s%s\n", t.paint(blue, fmt.Sprintf("%*d", gutter, n)), bar, text)
	carets := strings.Repeat(" ", from) + t.paint(color, strings.Repeat("^", to-from))
	if label != "" {
		carets += " " + t.paint(color, printable(label))
	}
	fmt.Fprintf(t.out, "%*s %s %s\n", gutter, "", bar, carets)
}

// A cell is what one character of a line prints and how many columns that takes.
type cell struct {
	text  string
	width int
}

// layout expands tabs and makes every character printable.
func layout(line string) []cell {
	cells := make([]cell, 0, len(line))
	col := 0
	for _, r := range line {
		c := cell{string(r), runeWidth(r)}
		switch {
		case r == '\t':
			n := tabWidth - col%tabWidth
			c = cell{strings.Repeat(" ", n), n}
		case !unicode.IsPrint(r):
			c = cell{string(unicode.ReplacementChar), 1}
		}
		col += c.width
		cells = append(cells, c)
	}
	return cells
}

// column is the number of columns in front of character n, from 1.
func column(cells []cell, n int) int {
	col := 0
	for i := 0; i < n-1; i++ {
		if i >= len(cells) {
			return col + n - 1 - i
		}
		col += cells[i].width
	}
	return col
}

// cut returns the part of a line to show around the columns from to to, and how many columns it starts further left.
func (t *textPrinter) cut(cells []cell, from, to int) (text string, shift int) {
	const ellipsis = "..."
	total := 0
	for _, c := range cells {
		total += c.width
	}
	left := 0
	if total > t.opts.Width && to > t.opts.Width-len(ellipsis) {
		left = max(0, from-t.opts.Width/3)
	}
	var b strings.Builder
	col, width := 0, 0
	if left > 0 {
		b.WriteString(ellipsis)
		width = len(ellipsis)
		shift = -1
	}
	for _, c := range cells {
		if col >= left {
			if shift < 0 {
				shift = col - len(ellipsis)
			}
			if rest := total - col; width+rest > t.opts.Width && width+c.width > t.opts.Width-len(ellipsis) {
				b.WriteString(ellipsis)
				break
			}
			b.WriteString(c.text)
			width += c.width
		}
		col += c.width
	}
	return strings.TrimRight(b.String(), " "), max(shift, 0)
}

// printable replaces control characters, which could act on a terminal; line ends and tabs become blanks.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case unicode.IsPrint(r):
			return r
		}
		return unicode.ReplacementChar
	}, text)
}

// wide are the blocks whose characters take two columns on a terminal: East Asian scripts and pictures.
var wide = &unicode.RangeTable{
	R16: []unicode.Range16{{Lo: 0x1100, Hi: 0x115f, Stride: 1}, {Lo: 0x2e80, Hi: 0xa4cf, Stride: 1}, {Lo: 0xac00, Hi: 0xd7a3, Stride: 1},
		{Lo: 0xf900, Hi: 0xfaff, Stride: 1}, {Lo: 0xfe30, Hi: 0xfe6f, Stride: 1}, {Lo: 0xff00, Hi: 0xff60, Stride: 1},
		{Lo: 0xffe0, Hi: 0xffe6, Stride: 1}},
	R32: []unicode.Range32{{Lo: 0x1f300, Hi: 0x1faff, Stride: 1}, {Lo: 0x20000, Hi: 0x3fffd, Stride: 1}},
}

func runeWidth(r rune) int {
	switch {
	case unicode.In(r, unicode.Mn, unicode.Me):
		return 0
	case unicode.Is(wide, r):
		return 2
	}
	return 1
}
