package sema

import (
	"strings"

	"imgc/diag"
	"imgc/hast"
	"imgc/syntax"
)

// A nest is a loop of the host, and such loops as are all of its body, with what the innermost one does.
type nest struct {
	loops []*syntax.For
	body  []syntax.Stmt
}

func nestOf(s *syntax.For) nest {
	n := nest{loops: []*syntax.For{s}}
	for {
		n.body = statements(n.loops[len(n.loops)-1].Body)
		if len(n.body) != 1 {
			return n
		}
		inner, ok := n.body[0].(*syntax.For)
		if !ok || inner.Var.Range == nil {
			return n
		}
		n.loops = append(n.loops, inner)
	}
}

// statements are those of a block, or the one that stands alone.
func statements(s syntax.Stmt) []syntax.Stmt {
	if b, ok := s.(*syntax.Block); ok {
		return b.Stmts
	}
	return []syntax.Stmt{s}
}

// pixelByPixel warns of a loop of the host over an image that computes one pixel after the other, each by launches of its own, where an iterate
// would compute all of them at once. It is sure of that where the loop does nothing but to assign pixels at places that follow its variables, from
// what it does not write.
func (e *env) pixelByPixel(s *syntax.For) bool {
	n := nestOf(s)
	if !e.long(n) || !e.assignsPixels(n) {
		return false
	}
	vars := make([]string, len(n.loops))
	for i, l := range n.loops {
		vars[i] = excerpt(l.Var.Span())
	}
	e.warnf(diag.PixelByPixel, s.Var.Span(), "this loop computes pixels one by one, with launches for each of them").
		Note("write iterate (%s), which computes them all at once", strings.Join(vars, ", "))
	return true
}

// long reports whether a range of the nest ends where the call says.
func (e *env) long(n nest) bool {
	found := false
	for _, l := range n.loops {
		visit(func(id *syntax.Ident) {
			v, ok := e.scope.find(id.Name).(*varEnt)
			found = found || ok && v.v.Class == hast.SizeVar
		}, l.Var.Range.Lo, l.Var.Range.Hi)
	}
	return found
}

// assignsPixels reports whether the nest does nothing but to assign pixels, of images that it does not read, each time others.
func (e *env) assignsPixels(n nest) bool {
	written, wrote := map[string]bool{}, false
	for _, s := range n.body {
		switch s := s.(type) {
		case *syntax.Empty:
		case *syntax.Let:
			if s.Mutable {
				return false
			}
		case *syntax.Assign:
			if !e.assignsPixel(s, n.loops) {
				return false
			}
			base, _ := unchain(s.Target)
			written[base.(*syntax.Ident).Name], wrote = true, true
		default:
			return false
		}
	}
	return wrote && !reads(n.body, written)
}

// assignsPixel reports whether an assignment is to one pixel of an image, whose place says in which round of each loop it is.
func (e *env) assignsPixel(s *syntax.Assign, loops []*syntax.For) bool {
	base, subs := unchain(s.Target)
	id, ok := base.(*syntax.Ident)
	if !ok {
		return false
	}
	if m, ok := e.scope.find(id.Name).(*imageEnt); !ok || len(subs) != m.img.Rank() || isBlock(subs) {
		return false
	}
	named := map[string]bool{}
	for _, sub := range subs {
		visit(func(id *syntax.Ident) { named[id.Name] = true }, sub.Start)
	}
	for _, l := range loops {
		if !named[l.Var.Name.Text] {
			return false
		}
	}
	return true
}

// reads reports whether a value or place of the statements has one of the names.
func reads(list []syntax.Stmt, names map[string]bool) bool {
	found := false
	look := func(id *syntax.Ident) { found = found || names[id.Name] }
	for _, s := range list {
		switch s := s.(type) {
		case *syntax.Let:
			visit(look, s.Value)
		case *syntax.Assign:
			visit(look, s.Value)
			_, subs := unchain(s.Target)
			for _, sub := range subs {
				visit(look, sub.Start)
			}
		}
	}
	return found
}
