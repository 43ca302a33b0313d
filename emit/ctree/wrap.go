package ctree

import "strings"

// wrap breaks a text into lines of at most width columns, the first indented by first and the others by rest columns.
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

// breakAt chooses where to end a line that starts at start; -1 where it cannot be broken. The best place lies the least deep in
// the expression, unless that would leave most of the line empty.
func breakAt(breaks []breakPoint, start, room int) int {
	best, least := -1, 0
	for _, b := range breaks {
		if b.offset <= start {
			continue
		}
		if b.offset > start+room {
			if best < 0 { // nothing fits: the first place there is
				return b.offset
			}
			break
		}
		if cost := b.depth*depthCost + (start+room-b.offset)/emptyColumns; best < 0 || cost <= least {
			best, least = b.offset, cost
		}
	}
	return best
}

// One step deeper is as bad as this many times emptyColumns unused columns.
const (
	depthCost    = 12
	emptyColumns = 4
)
