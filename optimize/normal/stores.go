package normal

import (
	"slices"

	"imgc/hast"
	"imgc/ops"
	"imgc/source"
	"imgc/types"
)

// joined is the body of a stage with the stores of each pixel joined where that can be.
func joined(s *hast.Stage) []hast.Stmt {
	x := *s
	x.Body = chosen(s.Body)
	for _, m := range stored(x.Body) {
		if body := asVar(&x, m); body != nil {
			x.Body = body
		}
	}
	return x.Body
}

// chosen is a body in which conditions whose sides do no more than to store the same pixel are stores of what the condition chooses.
func chosen(list []hast.Stmt) []hast.Stmt {
	out := make([]hast.Stmt, len(list))
	for i, s := range list {
		s = hast.MapBodies(s, chosen)
		if x, ok := s.(*hast.If); ok {
			s = choice(x)
		}
		out[i] = s
	}
	return out
}

func choice(s *hast.If) hast.Stmt {
	if len(s.Then) != 1 || len(s.Else) != 1 {
		return s
	}
	x, ok1 := s.Then[0].(*hast.Store)
	y, ok2 := s.Else[0].(*hast.Store)
	if !ok1 || !ok2 || x.Op != y.Op || x.Func != y.Func || x.Skip != y.Skip || x.Alone != y.Alone || !samePixel(x, y) {
		return s
	}
	one := *x
	one.Value = &hast.Select{Typed: hast.Typed{T: x.Value.Type(), At: s.At}, Cond: s.Cond, Then: x.Value, Else: y.Value}
	return &one
}

func samePixel(x, y *hast.Store) bool {
	return x.Image == y.Image && slices.EqualFunc(x.Index, y.Index, hast.Equal)
}

// stored are the images that a body stores to, in the order of the text.
func stored(list []hast.Stmt) (images []*hast.Image) {
	hast.EachStore(list, func(s *hast.Store) {
		if !slices.Contains(images, s.Image.Base()) {
			images = append(images, s.Image.Base())
		}
	})
	return images
}

// asVar is the body of a stage in which a var stands for the pixel of an image that it stores several times, and is stored at last; nil where
// that cannot be, or brings nothing.
func asVar(s *hast.Stage, m *hast.Image) []hast.Stmt {
	var first *hast.Store
	same, count := s.Scan == nil && !s.Loads(m), 0
	hast.EachStore(s.Body, func(x *hast.Store) {
		if x.Image.Base() != m {
			return
		}
		if first == nil {
			first = x
		}
		count++
		same = same && x.Op == ops.None && x.Func == nil && !x.Skip && samePixel(x, first)
	})
	moves := func(e hast.Expr) bool { return !hast.Fixed(e) }
	if !same || count < 2 || !always(s.Body, m) || slices.ContainsFunc(first.Index, moves) {
		return nil
	}
	v := &hast.Var{Name: m.Name + "_pixel", Type: first.Image.Elem, Class: hast.Mutable, At: first.At}
	from, to := span(s.Body, m)
	define := &hast.Define{Var: v, Init: zero(v.Type, first.At), At: first.At}
	body := append(slices.Clone(s.Body[:from]), define)
	if s.Body[from] == hast.Stmt(first) {
		define.Init = first.Value
		from++
	}
	body = append(body, sets(s.Body[from:to], m, v)...)
	last := *first
	last.Value = &hast.Ref{Typed: hast.Typed{T: v.Type, At: first.At}, Var: v}
	return append(append(body, &last), s.Body[to:]...)
}

func zero(t types.Type, at source.Span) hast.Expr {
	return &hast.Const{Typed: hast.Typed{T: t, At: at}, Words: make([]types.Word, t.Lanes)}
}

// always reports whether a list of statements stores to an image on every way through it.
func always(list []hast.Stmt, m *hast.Image) bool {
	return slices.ContainsFunc(list, func(s hast.Stmt) bool {
		switch s := s.(type) {
		case *hast.Store:
			return s.Image.Base() == m
		case *hast.If:
			return always(s.Then, m) && always(s.Else, m)
		}
		return false
	})
}

// span is from the first statement of a list that stores to an image to behind the last one.
func span(list []hast.Stmt, m *hast.Image) (from, to int) {
	from = -1
	for i := range list {
		if slices.Contains(stored(list[i:i+1]), m) {
			if to = i + 1; from < 0 {
				from = i
			}
		}
	}
	return from, to
}

// sets is a list of statements that sets v instead of storing to an image.
func sets(list []hast.Stmt, m *hast.Image, v *hast.Var) []hast.Stmt {
	out := make([]hast.Stmt, len(list))
	for i, s := range list {
		if x, ok := s.(*hast.Store); ok && x.Image.Base() == m {
			out[i] = &hast.Set{Var: v, Value: x.Value, At: x.At}
			continue
		}
		out[i] = hast.MapBodies(s, func(list []hast.Stmt) []hast.Stmt { return sets(list, m, v) })
	}
	return out
}
