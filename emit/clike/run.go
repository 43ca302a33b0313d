package clike

import (
	"fmt"

	"imgc/emit/ctree"
	"imgc/kir"
)

// run translates a kir.LoadRun or StoreRun to a call of a function that is made on first use: imgc_load_u8x16(memory, elements).
func (s *scope) run(pos ctree.Pos, word string, buffer *kir.Var, offset kir.Expr, v *kir.Var, index []kir.Expr, count int) ctree.Stmt {
	k := v.Type.Kind
	name := fmt.Sprintf("%s%s_%sx%d", ctree.HelperPrefix, word, k, count)
	packed := k != buffer.Type.Kind
	if packed {
		k = buffer.Type.Kind
		name = fmt.Sprintf("%s%s_packed_%sx%d", ctree.HelperPrefix, word, k, count)
	}
	if !s.wrapped[name] {
		s.wrapped[name] = true
		s.wrappers = append(s.wrappers, &ctree.Raw{Text: s.Dialect.Run(s.Unit, name, word == "store", packed, k, count)})
	}
	last := len(index) - 1
	elements := s.variable(v)
	if last > 0 {
		elements = ctree.At(elements, s.args(index[:last])...)
	}
	if c, ok := index[last].(*kir.Const); !ok || c.Words[0].Int() != 0 {
		elements = Address(elements, s.value(index[last]))
	}
	return &ctree.Do{Pos: pos, X: ctree.CallTo(name, Address(s.variable(buffer), s.value(offset)), elements)}
}
