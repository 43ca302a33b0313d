package ctree

import (
	"fmt"
	"strings"
)

var escapes = map[byte]string{'"': `\"`, '\\': `\\`, '\n': `\n`, '\t': `\t`, '\r': `\r`}

// Quote is a C string literal. Bytes that are not ASCII letters, digits or marks are octal escapes of three digits, which no
// digit behind them can prolong, and ?? is kept from being a trigraph.
func Quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch e, ok := escapes[c]; {
		case ok:
			b.WriteString(e)
		case c == '?' && i > 0 && s[i-1] == '?':
			b.WriteString(`\?`)
		case c < ' ' || c > '~':
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
