package ctree

import (
	"fmt"
	"slices"
	"strings"
)

// HelperPrefix starts the names of functions that support generated code; no name of a program keeps it.
const HelperPrefix = "imgc_"

// A Namer gives names in one scope of C, which sees the names of the scopes around it. The same requests in the same order
// give the same names.
type Namer struct {
	parent   *Namer
	reserved *Reserved
	used     map[string]bool
	next     map[string]int // the least number that may be free, by the name that was wanted
}

// Reserved is a set of words that no name may be.
type Reserved struct {
	words    map[string]bool
	prefixes []string
}

// NewReserved makes a set of words; one that ends in * stands for all that start with it.
func NewReserved(words []string) *Reserved {
	r := &Reserved{words: make(map[string]bool, len(words))}
	for _, w := range words {
		if prefix, ok := strings.CutSuffix(w, "*"); ok {
			r.prefixes = append(r.prefixes, prefix)
		} else {
			r.words[w] = true
		}
	}
	return r
}

// Has reports whether name is reserved.
func (r *Reserved) Has(name string) bool {
	return r.words[name] || slices.ContainsFunc(r.prefixes, func(p string) bool { return strings.HasPrefix(name, p) })
}

// NewNamer starts with an outermost scope in which no reserved word is given, as NewReserved understands them.
func NewNamer(reserved []string) *Namer {
	return &Namer{reserved: NewReserved(reserved), used: map[string]bool{}, next: map[string]int{}}
}

// Inner is a scope inside n. Names given in n afterwards do not clash with it, as long as they are declared behind it.
func (n *Namer) Inner() *Namer {
	return &Namer{parent: n, reserved: n.reserved, used: map[string]bool{}, next: map[string]int{}}
}

// Give returns a name that is want where that is free, want_ where it is reserved, and want_2, want_3, ... where it is taken.
func (n *Namer) Give(want string) string {
	want = n.legal(want)
	name := want
	i := n.first(want)
	for ; n.taken(name); i++ {
		name = fmt.Sprintf("%s_%d", strings.TrimRight(want, "_"), i)
	}
	n.used[name], n.next[want] = true, i
	return name
}

// first is the number to begin with for a name: those below are taken, and stay so.
func (n *Namer) first(want string) int {
	i := 2
	for ; n != nil; n = n.parent {
		i = max(i, n.next[want])
	}
	return i
}

// Take marks a name that something else has.
func (n *Namer) Take(name string) { n.used[name] = true }

func (n *Namer) taken(name string) bool {
	for ; n != nil; n = n.parent {
		if n.used[name] || n.reserved.words[name] {
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
	if n.reserved.Has(name) || strings.HasPrefix(name, HelperPrefix) {
		name += "_"
	}
	return name
}
