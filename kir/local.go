package kir

import "imgc/types"

// Locals says where the Local variables of a kernel lie, in bytes from the start of the group's local memory, and how many bytes they take: one
// after the other, each at a multiple of RunBytes.
func Locals(k *Kernel) (at map[*Var]int, bytes int) {
	at = map[*Var]int{}
	for _, s := range k.Body { // which are declared nowhere else
		d, ok := s.(*Decl)
		if !ok || d.Var.Space != Local {
			continue
		}
		at[d.Var] = bytes
		bytes += d.Var.localBytes()
	}
	return at, bytes
}

// localBytes is LocalBytes of a variable, whose bytes may have more room than they need.
func (v *Var) localBytes() int {
	if v.Spread && v.Type.Kind.Bytes() == 1 {
		return LocalBytes(types.Scalar(types.U16).Array(v.Type.Words()))
	}
	return LocalBytes(v.Type)
}

// LocalBytes is what a variable of a type takes in local memory, where each begins at a multiple of RunBytes.
func LocalBytes(t types.Type) int {
	return (LocalComponent(t.Kind)*t.Words() + RunBytes - 1) / RunBytes * RunBytes
}

// LocalComponent is what a component takes there: floats of 16 bits are held as f32.
func LocalComponent(k types.Kind) int {
	switch k {
	case types.Bool:
		return 1
	case types.F16, types.BF16:
		return types.F32.Bytes()
	}
	return k.Bytes()
}
