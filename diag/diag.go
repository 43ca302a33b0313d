package diag

import (
	"fmt"
	"sort"

	"imgc/source"
)

// Severity ranks a diagnostic; only errors stop a compilation.
type Severity uint8

const (
	Error Severity = iota
	Warning
	Info
)

// String is the word printed before the code.
func (s Severity) String() string { return [...]string{"error", "warning", "info"}[s] }

// A Code names a kind of diagnostic for good: "IMG0203". The registry (codes.go) documents each.
type Code string

// A Diagnostic is one finding.
type Diagnostic struct {
	Severity Severity
	Code     Code
	Message  string // one sentence in the user's terms, no full stop
	Span     source.Span
	Label    string // a word or two under the caret; may be empty
	Notes    []Note
}

// A Note says what was found, why it matters or what to write instead; its span may be no place.
type Note struct {
	Message string
	Span    source.Span
}

// Note adds a note without a place and returns d.
func (d *Diagnostic) Note(format string, args ...any) *Diagnostic {
	return d.NoteAt(source.Span{}, format, args...)
}

// NoteAt adds a note at a place and returns d.
func (d *Diagnostic) NoteAt(span source.Span, format string, args ...any) *Diagnostic {
	d.Notes = append(d.Notes, Note{Message: fmt.Sprintf(format, args...), Span: span})
	return d
}

// Mark sets the words under the caret and returns d.
func (d *Diagnostic) Mark(format string, args ...any) *Diagnostic {
	d.Label = fmt.Sprintf(format, args...)
	return d
}

// A List collects diagnostics. The zero List is ready to use. Of each severity it keeps the first MaxKept and counts the others: a text
// of ten megabytes can be wrong in a million places.
type List struct {
	all      []*Diagnostic
	number   []int // of each of all: how many had been reported with it
	reported int
	count    [3]int // by severity
	dropped  [3]int // of those, the ones that are not kept
}

// MaxKept is how many diagnostics of each severity a List keeps.
const MaxKept = 1000

// Errorf, Warnf and Infof report at span and return the diagnostic, so that notes can be added.
func (l *List) Errorf(code Code, span source.Span, format string, args ...any) *Diagnostic {
	return l.add(Error, code, span, format, args)
}
func (l *List) Warnf(code Code, span source.Span, format string, args ...any) *Diagnostic {
	return l.add(Warning, code, span, format, args)
}
func (l *List) Infof(code Code, span source.Span, format string, args ...any) *Diagnostic {
	return l.add(Info, code, span, format, args)
}

func (l *List) add(s Severity, code Code, span source.Span, format string, args []any) *Diagnostic {
	l.reported++
	l.count[s]++
	if l.count[s] > MaxKept {
		l.dropped[s]++
		return &Diagnostic{Severity: s, Code: code, Span: span} // for the caller's notes
	}
	d := &Diagnostic{Severity: s, Code: code, Message: fmt.Sprintf(format, args...), Span: span}
	l.all, l.number = append(l.all, d), append(l.number, l.reported)
	return d
}

// Append adds all of m.
func (l *List) Append(m *List) {
	for i, d := range m.all {
		l.all, l.number = append(l.all, d), append(l.number, l.reported+m.number[i])
	}
	l.reported += m.reported
	for s := range m.count {
		l.count[s] += m.count[s]
		l.dropped[s] += m.dropped[s]
	}
}

// Len is the number of diagnostics of every severity, with those that were not kept.
func (l *List) Len() int { return l.reported }

// Dropped is the number of diagnostics that were not kept.
func (l *List) Dropped() int { return l.reported - len(l.all) }

// Since returns what has been reported after the first n, and was kept, in the order of report.
func (l *List) Since(n int) []*Diagnostic {
	return l.all[sort.SearchInts(l.number, n+1):]
}

// HasErrors reports whether any diagnostic is an error.
func (l *List) HasErrors() bool { return l.count[Error] > 0 }

// Sorted returns the diagnostics by file, place, and order of report; the same code at the same place is listed once.
func (l *List) Sorted() []*Diagnostic {
	out := append([]*Diagnostic(nil), l.all...)
	sort.SliceStable(out, func(i, j int) bool { return before(out[i].Span, out[j].Span) })
	kept := out[:0]
	type key struct {
		code Code
		span source.Span
	}
	seen := map[key]bool{}
	for _, d := range out {
		k := key{d.Code, d.Span}
		if !seen[k] || !d.Span.IsValid() {
			kept = append(kept, d)
		}
		seen[k] = true
	}
	return kept
}

func before(a, b source.Span) bool {
	switch {
	case a.File == b.File:
		return a.Start < b.Start
	case a.File == nil || b.File == nil:
		return b.File == nil
	}
	return a.File.Name < b.File.Name
}
