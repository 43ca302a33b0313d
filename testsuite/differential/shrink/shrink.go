package shrink

import (
	"cmp"
	"reflect"
	"slices"

	"imgc/diag"
	"imgc/parser"
	"imgc/source"
	"imgc/syntax"
)

// Shrink returns a smaller text for which fails is true, as it is for the given one. It asks at most limit times.
func Shrink(text string, fails func(text string) bool, limit int) string {
	tried := map[string]bool{text: true}
	for smaller := true; smaller; {
		smaller = false
		longest := len(text) // edits that remove more have been tried in this round
		for {
			next, removed := text, 0
			for _, e := range edits(text) {
				if e.removes() > longest {
					continue
				}
				attempt := text[:e.start] + e.with + text[e.end:]
				if tried[attempt] {
					continue
				}
				tried[attempt] = true
				if limit--; limit < 0 {
					return tidy(text)
				}
				if fails(attempt) {
					next, removed = attempt, e.removes()
					break
				}
			}
			if next == text {
				break
			}
			text, longest, smaller = next, removed, true
		}
	}
	if pretty := tidy(text); fails(pretty) {
		return pretty
	}
	return text
}

// tidy is the canonical layout.
func tidy(text string) string {
	var diags diag.List
	tree := parser.Parse(source.NewFile("shrunk.img", text), &diags)
	if diags.HasErrors() {
		return text
	}
	return parser.Format(tree)
}

// An edit replaces a part of the text by another, which is shorter.
type edit struct {
	start, end int
	with       string
}

func (e edit) removes() int { return e.end - e.start - len(e.with) }

// edits lists what may be tried, what removes most first.
func edits(text string) []edit {
	var diags diag.List
	tree := parser.Parse(source.NewFile("shrink.img", text), &diags)
	if diags.HasErrors() {
		return nil
	}
	w := &walker{}
	w.walk(reflect.ValueOf(tree))
	w.all = slices.DeleteFunc(w.all, func(e edit) bool { return e.removes() <= 0 })
	slices.SortStableFunc(w.all, func(a, b edit) int { return cmp.Compare(b.removes(), a.removes()) })
	return w.all
}

type walker struct{ all []edit }

var (
	exprType = reflect.TypeFor[syntax.Expr]()
	stmtType = reflect.TypeFor[syntax.Stmt]()
)

// walk looks at every field below v.
func (w *walker) walk(v reflect.Value) {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if v.IsNil() {
			return
		}
		switch v.Type() {
		case exprType:
			w.expr(v.Interface().(syntax.Expr))
		case stmtType:
			w.stmt(v.Interface().(syntax.Stmt))
		}
		if _, isFile := v.Interface().(*source.File); !isFile {
			w.walk(v.Elem())
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[source.Span]() {
			return
		}
		for i := range v.NumField() {
			w.walk(v.Field(i))
		}
	case reflect.Slice:
		w.list(v)
		for i := range v.Len() {
			w.walk(v.Index(i))
		}
	}
}

// list leaves out one element, or half of them.
func (w *walker) list(v reflect.Value) {
	spans := make([]source.Span, v.Len())
	for i := range spans {
		e := v.Index(i)
		if e.Kind() == reflect.Struct {
			e = e.Addr()
		}
		n, ok := e.Interface().(syntax.Node)
		if !ok {
			return
		}
		spans[i] = n.Span()
	}
	for size := len(spans); size > 0; size /= 2 {
		for i := 0; i+size <= len(spans); i += size {
			w.leaveOut(spans, i, i+size)
		}
	}
}

// leaveOut removes elements lo to hi with the commas that become too many: those in front of the first one that stays are theirs.
func (w *walker) leaveOut(spans []source.Span, lo, hi int) {
	start, end := spans[lo].Start, spans[hi-1].End
	w.all = append(w.all, edit{start, end, ""})
	switch {
	case hi < len(spans):
		w.all = append(w.all, edit{start, spans[hi].Start, ""})
	case lo > 0:
		w.all = append(w.all, edit{spans[lo-1].End, end, ""})
	}
}

// stmt puts a part of a statement in its place.
func (w *walker) stmt(s syntax.Stmt) {
	at := s.Span()
	w.all = append(w.all, edit{at.Start, at.End, ";"})
	for _, part := range parts(s, stmtType) {
		w.all = append(w.all, edit{at.Start, at.End, part.Span().Text()})
	}
	if b, ok := s.(*syntax.If); ok && b.Else != nil {
		w.all = append(w.all, edit{b.Then.Span().End, b.Else.Span().End, ""})
	}
	if b, ok := s.(*syntax.Block); ok && len(b.Stmts) > 0 {
		w.all = append(w.all, edit{at.Start, at.End, at.File.Text[b.Stmts[0].Span().Start:b.Stmts[len(b.Stmts)-1].Span().End]})
	}
}

// expr puts an operand or a literal in the place of an expression.
func (w *walker) expr(x syntax.Expr) {
	at := x.Span()
	for _, literal := range []string{"0", "1", "true", "0.5"} {
		w.all = append(w.all, edit{at.Start, at.End, literal})
	}
	for _, part := range parts(x, exprType) {
		w.all = append(w.all, edit{at.Start, at.End, part.Span().Text()})
	}
}

// parts are the nearest nodes of a type below one.
func parts(n syntax.Node, of reflect.Type) []syntax.Node {
	var all []syntax.Node
	var look func(v reflect.Value)
	look = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Interface, reflect.Pointer:
			if v.IsNil() {
				return
			}
			if v.Type() == of {
				all = append(all, v.Interface().(syntax.Node))
				return
			}
			if _, isFile := v.Interface().(*source.File); !isFile {
				look(v.Elem())
			}
		case reflect.Struct:
			for i := range v.NumField() {
				look(v.Field(i))
			}
		case reflect.Slice:
			for i := range v.Len() {
				look(v.Index(i))
			}
		}
	}
	look(reflect.ValueOf(n).Elem())
	return all
}
