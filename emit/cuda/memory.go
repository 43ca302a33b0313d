package cuda

import (
	"fmt"

	"imgc/emit/clike"
	"imgc/emit/ctree"
	"imgc/kir"
	"imgc/types"
)

// Vectors lie packed: their components are read and written side by side from any component on, but for those that are known to be aligned.

// fromMemory and toMemory are CUDA's functions between the 16-bit floats of memory and f32.
var (
	fromMemory = map[types.Kind]string{types.F16: "__half2float", types.BF16: "__bfloat162float"}
	toMemory   = map[types.Kind]string{types.F16: "__float2half_rn", types.BF16: "__float2bfloat16_rn"}
)

// load reads a vector, or a scalar whose memory holds something else than its variable.
func load(u *clike.Unit, t types.Type, buffer, offset ctree.Expr) clike.Form {
	held := clike.Held(t.Kind)
	if t.Lanes == 1 {
		if t.Kind == types.Bool {
			return clike.Form{X: ctree.Op2("!=", ctree.At(buffer, offset), ctree.Lit("0")), Kind: held}
		}
		if f := fromMemory[t.Kind]; f != "" {
			return clike.Form{X: ctree.CallTo(f, ctree.At(buffer, offset)), Kind: held}
		}
		return clike.Form{}
	}
	if t.Kind == types.Bool {
		held = types.U8
	}
	return clike.Form{X: lanes(u, "load", t, clike.Address(buffer, offset)), Kind: held}
}

// lanes calls the support function that moves a vector: one for each of the kinds whose memory differs from their variables, else one
// for the vector's type.
func lanes(u *clike.Unit, word string, t types.Type, args ...ctree.Expr) ctree.Expr {
	switch t.Kind {
	case types.Bool, types.F16, types.BF16:
		return ctree.CallTo(u.Use(fmt.Sprintf("imgc_%s_%sx%d", word, t.Kind, t.Lanes)), args...)
	}
	name := u.Use(fmt.Sprintf("imgc_%s%d", word, t.Lanes))
	if word == "load" {
		name += "<" + vectorType(t.Kind, int(t.Lanes)) + ">"
	}
	return ctree.CallTo(name, args...)
}

// store is the opposite of load. What is stored to f16 and bf16 has been rounded already.
func store(u *clike.Unit, t types.Type, buffer, offset, value ctree.Expr) ctree.Expr {
	if t.Lanes == 1 {
		if f := toMemory[t.Kind]; f != "" {
			return &ctree.AssignTo{Op: "=", X: ctree.At(buffer, offset), Y: ctree.CallTo(f, value)}
		}
		return nil
	}
	if t.Kind == types.Bool {
		t.Kind = types.U8 // lanes are 0 or 1
	}
	return lanes(u, "store", t, clike.Address(buffer, offset), value)
}

// alignedLoad reads a vector by one access, floats of 16 bits by their bits.
func alignedLoad(u *clike.Unit, t types.Type, place, pixel ctree.Expr) clike.Form {
	x := atVector("const ", t, place, pixel)
	if clike.Narrow(t.Kind) {
		x = ctree.CallTo(u.Use(fmt.Sprintf("imgc_from_%sx%d", t.Kind, t.Lanes)), x)
	}
	return clike.Form{X: x, Kind: clike.Held(t.Kind)}
}

// localVector is a vector in shared memory.
func localVector(t types.Type, place ctree.Expr) ctree.Expr {
	return clike.AtVector(vectorType(t.Kind, int(t.Lanes)), place, nil)
}

// alignedStore is the opposite of alignedLoad.
func alignedStore(u *clike.Unit, t types.Type, place, pixel, value ctree.Expr) ctree.Expr {
	if clike.Narrow(t.Kind) {
		value = ctree.CallTo(u.Use(fmt.Sprintf("imgc_to_%sx%d", t.Kind, t.Lanes)), value)
	}
	return &ctree.AssignTo{Op: "=", X: atVector("", t, place, pixel), Y: value}
}

// atVector is the vector at a place in memory.
func atVector(access string, t types.Type, place, pixel ctree.Expr) ctree.Expr {
	k := t.Kind
	if clike.Narrow(k) {
		k = types.U16
	}
	return clike.AtVector(access+vectorType(k, int(t.Lanes)), place, pixel)
}

// argType: floats of 16 bits are passed as memory holds them, vectors of them by their bits.
func argType(t types.Type) string {
	switch {
	case fromMemory[t.Kind] == "":
		return ""
	case t.Lanes > 1:
		return vectorType(types.U16, int(t.Lanes))
	}
	return memoryTypes[t.Kind]
}

func argDecode(u *clike.Unit, t types.Type, arg ctree.Expr) clike.Form {
	if t.Lanes > 1 {
		return clike.Form{X: ctree.CallTo(u.Use(fmt.Sprintf("imgc_from_%sx%d", t.Kind, t.Lanes)), arg), Kind: types.F32}
	}
	return clike.Form{X: ctree.CallTo(fromMemory[t.Kind], arg), Kind: types.F32}
}

// ArgumentType is the type of a kernel's scalar of kind k, for readers.
func ArgumentType(k types.Kind) string {
	if clike.Narrow(k) {
		return memoryTypes[k]
	}
	return valueTypes[k]
}

// BufferType is the type of a kernel's buffer.
func BufferType(v *kir.Var) string {
	p := bufferType(v, false).(*ctree.Pointer)
	return ctree.Declarator(ctree.PtrTo(p.To), "")
}

// OldestArchitecture is the oldest compute capability that the newest CUDA compiles for, as CMake spells it. Its code compiles on all
// newer devices when it is first used.
const OldestArchitecture = "75"
