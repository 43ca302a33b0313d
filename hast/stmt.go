package hast

import (
	"imgc/ops"
	"imgc/source"
	"imgc/types"
)

// A Stmt is a statement of a stage's body or of a func.
type Stmt interface {
	Span() source.Span
	stmt()
}

type (
	// Define introduces a let (assigned once) or a var; a var without initial value in the program has one of zeros.
	Define struct {
		Var   *Var
		Init  Expr // of Var.Type; nil with Later
		Later bool // of a var that is an array: each element is set before it is read
		At    source.Span
	}
	// Set changes a var: all of it, or where Index is not empty one array element. An index is of kind i32; out of the
	// array's range the assignment does nothing (proved not to happen where possible).
	Set struct {
		Var   *Var // Mutable
		Index []Expr
		Value Expr
		At    source.Span
	}
	// Store writes one pixel: Value, or what a commutative update makes of the pixel, Op or Func of the old pixel and Value. Updates
	// of different instances may meet at a pixel; they act one after the other in any order. An Op acts per component in the
	// image's own kind: integers wrap.
	Store struct {
		Image *Image
		Index []Expr // i32, one for each axis, proved to be in range unless Skip is set
		Skip  bool   // outside of the image the store does nothing
		Op    ops.Op // of an update by an operator (see Commutes), else ops.None
		Func  *Func  // of an update by a commutative func, else nil
		Alone bool   // of an update: proved that no other instance touches the pixel, so that it need not be atomic
		Value Expr   // of Image.Elem
		At    source.Span
	}
	// If runs Then where Cond holds, else Else. Rare says that Else is for what hardly ever happens, so that nothing is planned for it.
	If struct {
		Cond       Expr // bool
		Then, Else []Stmt
		Rare       bool
		At         source.Span
	}
	// For runs Body for each point of Space in order. Chunk says that these are the steps of a chunk of a scan's line, of which there are many.
	For struct {
		Space Space
		Body  []Stmt
		Chunk bool
		At    source.Span
		Out   bool // of one variable with constant bounds: compilers are to write it out, since it indexes arrays that are to be in registers
	}
	// While runs Body as long as Cond holds.
	While struct {
		Cond Expr // bool
		Body []Stmt
		At   source.Span
	}
	// Break and Continue act on the innermost For or While.
	Break    struct{ At source.Span }
	Continue struct{ At source.Span }
	// Return ends a func with a value.
	Return struct {
		Value Expr
		At    source.Span
	}
)

// Commutes reports whether an operator may update pixels of a kind: the order of such updates does not matter, but for rounding.
// Bools are updated by "and", "or" and "unlike".
func Commutes(op ops.Op, k types.Kind) bool {
	if k == types.Bool {
		return op == ops.LAnd || op == ops.LOr || op == ops.Ne
	}
	switch op {
	case ops.Add, ops.Sub, ops.Mul, ops.Min, ops.Max, ops.And, ops.Or, ops.Xor:
		return true
	}
	return false
}

// Updates reports whether the store depends on the pixel's old value.
func (s *Store) Updates() bool { return s.Op != ops.None || s.Func != nil }

// EachStore visits the stores of a body, nested ones included, in the order of the text.
func EachStore(body []Stmt, visit func(*Store)) {
	WalkBody(body, func(s Stmt) {
		if st, ok := s.(*Store); ok {
			visit(st)
		}
	}, nil)
}

// Fills reports whether the instances of a stage are the pixels of an image with storage of its own that begins at 0, and each writes its own by a store.
func (s *Stage) Fills(st *Store) bool {
	m := st.Image
	if m.Lower != nil || m.View != nil || len(st.Index) != len(s.Space.Vars) {
		return false
	}
	for k, v := range s.Space.Vars {
		if at, ok := st.Index[k].(*Ref); !ok || at.Var != v || !s.Space.Ranges[k].Covers(m, k) {
			return false
		}
	}
	return true
}

// EachRule visits the border rules of what a stage by itself reads.
func (s *Stage) EachRule(visit func(*Rule)) {
	look := func(e Expr) {
		var rule *Rule
		switch e := e.(type) {
		case *Load:
			rule = e.Rule
		case *Window:
			rule = e.Rule
		}
		if rule != nil {
			visit(rule)
		}
	}
	if s.Where != nil {
		Walk(s.Where, look)
	}
	WalkBody(s.Body, nil, look)
}

// EachRead visits the image of every read of pixels in the condition and the body of a stage by itself, once for each read, as the program names it. What
// updates read of the pixels that they change is not in it, nor what borders by formula look at.
func (s *Stage) EachRead(visit func(*Image)) {
	look := func(e Expr) {
		switch e := e.(type) {
		case *Load:
			visit(e.Image)
		case *Window:
			visit(e.Image)
		}
	}
	if s.Where != nil {
		Walk(s.Where, look)
	}
	WalkBody(s.Body, nil, look)
}

// Loads reports whether the instances of a stage by itself read an image with storage of its own, or a part of it.
func (s *Stage) Loads(m *Image) (found bool) {
	s.EachRead(func(read *Image) { found = found || read.Base() == m })
	return found
}

// OnlyUpdate is the operator by which a stage updates an image, if it does nothing else to it and does not read it.
func (s *Stage) OnlyUpdate(m *Image) (op ops.Op, ok bool) {
	ok = !s.Loads(m)
	EachStore(s.Body, func(st *Store) {
		if st.Image.Base() == m {
			ok = ok && st.Op != ops.None && (op == ops.None || op == st.Op)
			op = st.Op
		}
	})
	return op, ok && op != ops.None
}

func (s *Define) Span() source.Span   { return s.At }
func (s *Set) Span() source.Span      { return s.At }
func (s *Store) Span() source.Span    { return s.At }
func (s *If) Span() source.Span       { return s.At }
func (s *For) Span() source.Span      { return s.At }
func (s *While) Span() source.Span    { return s.At }
func (s *Break) Span() source.Span    { return s.At }
func (s *Continue) Span() source.Span { return s.At }
func (s *Return) Span() source.Span   { return s.At }

func (*Define) stmt()   {}
func (*Set) stmt()      {}
func (*Store) stmt()    {}
func (*If) stmt()       {}
func (*For) stmt()      {}
func (*While) stmt()    {}
func (*Break) stmt()    {}
func (*Continue) stmt() {}
func (*Return) stmt()   {}
