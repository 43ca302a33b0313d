package sema

import (
	"fmt"
	"strconv"
	"strings"

	"imgc/source"
)

// longest is the length of program text that a message repeats.
const longest = 48

// excerpt is the program text at a place where it is short enough to repeat in a message, else "e".
func excerpt(at source.Span) string {
	text := strings.TrimSpace(at.Text())
	if text == "" || len(text) > longest || strings.ContainsAny(text, "\n") || strings.Contains(text, "//") {
		return "e"
	}
	return text
}

// parenthesised puts text into parentheses where it is more than a name, number, call or subscript.
func parenthesised(text string) string {
	if strings.ContainsAny(text, "+-*/%<>=!&|^? ") {
		return "(" + text + ")"
	}
	return text
}

// text is a component as a message shows it.
func (n num) text() string {
	if n.i != nil {
		return n.i.String()
	}
	s := strconv.FormatFloat(n.f, 'g', -1, 64)
	if !strings.ContainsAny(s, ".eIN") {
		s += ".0"
	}
	return s
}

// plural is "1 lane", "3 lanes"; a noun whose plural is not formed with s is followed by it.
func plural(n int, noun ...string) string {
	switch {
	case n == 1:
		return "1 " + noun[0]
	case len(noun) > 1:
		return fmt.Sprintf("%d %s", n, noun[1])
	}
	return fmt.Sprintf("%d %ss", n, noun[0])
}

// listed joins words as prose: "a, b and c".
func listed(words []string) string {
	switch len(words) {
	case 0:
		return ""
	case 1:
		return words[0]
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}
