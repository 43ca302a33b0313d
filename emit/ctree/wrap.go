package ctree

import "strings"

// wrap breaks a text into lines of at most width columns, the first indented by first and the others by rest columns. Of the
// places where a line may end it takes the one that lies the least deep in the expression, and of those the last.
func wrap(text string, breaks []breakPoint, first, rest, width int) []string {
	var lines []string
	start, indent := 0, first
	for {
		room := max(width-indent, 1)
		at := -1
		if len(text)-start > room {
			at = breakAt(breaks, start, room)
		}
		if at < 0 {
			return append(lines, strings.Repeat(" ", indent)+text[start:])
		}
		lines = append(lines, strings.Repeat(" ", indent)+strings.TrimRight(text[start:at], " "))
		start, indent = at+1, rest
	}
}

// breakAt chooses where to end a line that starts at start; -1 where it cannot be broken. A line is not left mostly empty for
// the sake of a better place.
func breakAt(breaks []breakPoint, start, room int) int {
	best, bestDepth := -1, 0
	for _, short := range []int{start + room/3, start} {
		for _, b := range breaks {
			if b.offset > short && b.offset <= start+room && (best < 0 || b.depth <= bestDepth) {
				best, bestDepth = b.offset, b.depth
			}
		}
		if best >= 0 {
			return best
		}
	}
	for _, b := range breaks { // nothing fits: the first place there is
		if b.offset > start {
			return b.offset
		}
	}
	return -1
}
