package diag

import (
	"fmt"
	"slices"
	"strings"
)

// An Entry documents one code for `imgc explain`, the reference and the tests: Failing must report exactly Code, Mended
// nothing. Both are whole img files.
type Entry struct {
	Code    Code
	Title   string // a noun phrase: "missing semicolon"
	Text    string // what the rule is and why; one or more sentences
	Failing string // the shortest natural program that breaks the rule
	Mended  string // the same program as it should be
	Since   string // the release that first reported it: "0.1"
}

// registry holds the entries of every phase; each phase has a file codes_PHASE.go with its slice, sorted by code.
//
//	IMG01xx  lexer and parser     codes_syntax.go
//	IMG02xx  and up, sema         codes_sema.go
//	IMG05xx  access analysis      codes_access.go
//	IMG07xx  schedules            codes_schedule.go
var registry = index(syntaxEntries, semaEntries, accessEntries)

// index merges the slices of the phases. A code listed twice is a mistake of ours that must not wait for a user to meet it.
func index(phases ...[]Entry) []Entry {
	all := slices.Concat(phases...)
	slices.SortFunc(all, func(a, b Entry) int { return strings.Compare(string(a.Code), string(b.Code)) })
	for i := 1; i < len(all); i++ {
		if all[i].Code == all[i-1].Code {
			panic(fmt.Sprintf("diag: code %s is documented twice", all[i].Code))
		}
	}
	return all
}

// Entries returns the documentation of every code, sorted by code.
func Entries() []Entry { return slices.Clone(registry) }

// Describe returns the documentation of a code.
func Describe(code Code) (Entry, bool) {
	i, ok := slices.BinarySearchFunc(registry, code, func(e Entry, c Code) int { return strings.Compare(string(e.Code), string(c)) })
	if !ok {
		return Entry{}, false
	}
	return registry[i], true
}
