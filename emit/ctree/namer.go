package ctree

import (
	"fmt"
	"strings"
)

// HelperPrefix starts the names of functions that support generated code; no name of a program keeps it.
const HelperPrefix = "imgc_"

// A Namer gives names in one scope of C, which sees the names of the scopes around it. The same requests in the same order
// give the same names.
type Namer struct {
	parent   *Namer
	reserved map[string]bool
	used     map[string]bool
}

// NewNamer starts with an outermost scope in which no reserved word is given.
func NewNamer(reserved []string) *Namer {
	n := &Namer{reserved: make(map[string]bool, len(reserved)), used: map[string]bool{}}
	for _, w := range reserved {
		n.reserved[w] = true
	}
	return n
}

// Inner is a scope inside n. Names given in n afterwards do not clash with it, as long as they are declared behind it.
func (n *Namer) Inner() *Namer {
	return &Namer{parent: n, reserved: n.reserved, used: map[string]bool{}}
}

// Give returns a name that is want where that is free, want_ where it is reserved, and want_2, want_3, ... where it is taken.
func (n *Namer) Give(want string) string {
	want = n.legal(want)
	name := want
	for i := 2; n.taken(name); i++ {
		name = fmt.Sprintf("%s_%d", strings.TrimRight(want, "_"), i)
	}
	n.used[name] = true
	return name
}

// Take marks a name that something else has.
func (n *Namer) Take(name string) { n.used[name] = true }

func (n *Namer) taken(name string) bool {
	for ; n != nil; n = n.parent {
		if n.used[name] || n.reserved[name] {
			return true
		}
	}
	return false
}

// legal makes a C identifier of a name that is no reserved word, and none that C keeps for itself.
func (n *Namer) legal(want string) string {
	var b strings.Builder
	for i, r := range want {
		switch {
		case r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_':
			b.WriteRune(r)
		case r >= '0' && r <= '9':
			if i == 0 {
				b.WriteByte('n')
			}
			b.WriteRune(r)
		default:
			b.WriteByte('_')
		}
	}
	name := b.String()
	if name == "" || name[0] == '_' {
		name = "v" + name
	}
	if n.reserved[name] || strings.HasPrefix(name, HelperPrefix) {
		name += "_"
	}
	return name
}
