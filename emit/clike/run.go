package clike

import (
	"fmt"

	"imgc/emit/ctree"
	"imgc/kir"
	"imgc/types"
)

// A Run is what a function does that moves components: Count of a kind, of a kir.StoreRun where Store is set, else of a kir.LoadRun. It is one
// vector access, unless the components lie anywhere. Packed is of bytes to words, Floats of small integers to f32, Ints from i32 that small
// integers hold, and Bits of floats of 16 bits as they are. Beyond is of loads Anywhere, which may read the whole word in which they end.
type Run struct {
	Name                            string
	Store, Packed, Floats, Anywhere bool
	Ints, Bits, Beyond              bool
	Kind                            types.Kind
	Count                           int
}

// Element is the kind of the elements in private memory.
func (r Run) Element() types.Kind {
	switch {
	case r.Packed:
		return types.U32
	case r.Floats:
		return types.F32
	case r.Ints:
		return types.I32
	case r.Bits:
		return types.U16
	}
	return r.Kind
}

// Float is the value of component at of a word, the first one lowest, as f32.
func (r Run) Float(u *Unit, word string, at int) string {
	return fmt.Sprintf("%s(%s, %d)", u.Use("imgc_float_"+r.Kind.String()), word, at)
}

// run translates a kir.LoadRun or StoreRun to a call of a function that is made on first use: imgc_load_u8x16(memory, elements).
func (s *scope) run(pos ctree.Pos, r Run, buffer *kir.Var, offset kir.Expr, v *kir.Var, index []kir.Expr) ctree.Stmt {
	r.Kind = buffer.Type.Kind
	if held := v.Type.Kind; held != r.Kind {
		r.Packed, r.Floats, r.Ints, r.Bits = held == types.U32, held == types.F32, held == types.I32, held == types.U16
	}
	word := map[bool]string{false: "load", true: "store"}[r.Store]
	if r.Anywhere {
		word += "_anywhere"
	}
	if r.Beyond {
		word += "_beyond"
	}
	if r.Packed {
		word += "_packed"
	}
	if r.Floats {
		word += "_floats"
	}
	if r.Ints {
		word += "_ints"
	}
	if r.Bits {
		word += "_bits"
	}
	r.Name = fmt.Sprintf("%s%s_%sx%d", ctree.HelperPrefix, word, r.Kind, r.Count)
	if !s.wrapped[r.Name] {
		s.wrapped[r.Name] = true
		s.wrappers = append(s.wrappers, &ctree.Raw{Text: s.Dialect.Run(s.Unit, r)})
	}
	last := len(index) - 1
	elements := s.variable(v)
	if last > 0 {
		elements = ctree.At(elements, s.args(index[:last])...)
	}
	if c, ok := index[last].(*kir.Const); !ok || c.Words[0].Int() != 0 {
		elements = Address(elements, s.value(index[last]))
	}
	return &ctree.Do{Pos: pos, X: ctree.CallTo(r.Name, Address(s.variable(buffer), s.value(offset)), elements)}
}
