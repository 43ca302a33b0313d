package opencl

import (
	"fmt"

	"imgc/emit/clike"
	"imgc/emit/ctree"
	"imgc/types"
)

// Vectors lie packed: their components are read and written side by side from any component on, but for those that are known to be aligned. NVIDIA's
// compiler makes an access of each component of the first.

// load reads a vector, or a scalar whose memory holds something else than its variable: bytes for bools, halves, and the upper
// halves of floats for bf16.
func load(u *clike.Unit, t types.Type, buffer, offset ctree.Expr) clike.Form {
	held := clike.Held(t.Kind)
	if t.Lanes == 1 {
		switch t.Kind {
		case types.Bool:
			return clike.Form{X: ctree.Op2("!=", ctree.At(buffer, offset), ctree.Lit("0")), Kind: held}
		case types.F16:
			return clike.Form{X: ctree.CallTo("vload_half", offset, buffer), Kind: held}
		case types.BF16:
			return clike.Form{X: ctree.CallTo(u.Use("imgc_from_bf16"), ctree.At(buffer, offset)), Kind: held}
		}
		return clike.Form{}
	}
	at := clike.Address(buffer, offset)
	lanes := func(f string) ctree.Expr { return ctree.CallTo(fmt.Sprintf("%s%d", f, t.Lanes), ctree.Lit("0"), at) }
	switch t.Kind {
	case types.Bool:
		return clike.Form{X: ctree.CallTo(u.Use(laneName("imgc_from_bool", t)), lanes("vload")), Kind: types.U8}
	case types.F16:
		return clike.Form{X: lanes("vload_half"), Kind: held}
	case types.BF16:
		return clike.Form{X: ctree.CallTo(u.Use(laneName("imgc_from_bf16", t)), lanes("vload")), Kind: held}
	}
	return clike.Form{X: lanes("vload"), Kind: held}
}

func laneName(name string, t types.Type) string { return fmt.Sprintf("%sx%d", name, t.Lanes) }

// store is the opposite of load. What is stored to f16 and bf16 has been rounded already.
func store(u *clike.Unit, t types.Type, buffer, offset, value ctree.Expr) ctree.Expr {
	if t.Lanes == 1 {
		switch t.Kind {
		case types.F16:
			return ctree.CallTo("vstore_half", value, offset, buffer)
		case types.BF16:
			return &ctree.AssignTo{Op: "=", X: ctree.At(buffer, offset), Y: ctree.CallTo(u.Use("imgc_to_bf16"), value)}
		}
		return nil
	}
	f := "vstore"
	switch t.Kind {
	case types.F16:
		f = "vstore_half"
	case types.BF16:
		value = ctree.CallTo(u.Use(laneName("imgc_to_bf16", t)), value)
	}
	return ctree.CallTo(fmt.Sprintf("%s%d", f, t.Lanes), value, ctree.Lit("0"), clike.Address(buffer, offset))
}

// alignedLoad reads a vector by one access, floats of 16 bits by their bits: of halves, NVIDIA's compiler makes an access of each.
func alignedLoad(u *clike.Unit, t types.Type, place, pixel ctree.Expr) clike.Form {
	x := atVector("const ", t, place, pixel)
	if clike.Narrow(t.Kind) {
		x = ctree.CallTo(u.Use(laneName("imgc_from_"+t.Kind.String(), t)), x)
	}
	return clike.Form{X: x, Kind: clike.Held(t.Kind)}
}

// localVector is a vector in local memory.
func localVector(t types.Type, place ctree.Expr) ctree.Expr {
	return clike.AtVector(fmt.Sprintf("__local %s%d", memoryTypes[t.Kind], t.Lanes), place, nil)
}

// alignedStore is the opposite of alignedLoad.
func alignedStore(u *clike.Unit, t types.Type, place, pixel, value ctree.Expr) ctree.Expr {
	if clike.Narrow(t.Kind) {
		value = ctree.CallTo(u.Use(laneName("imgc_to_"+t.Kind.String(), t)), value)
	}
	return &ctree.AssignTo{Op: "=", X: atVector("", t, place, pixel), Y: value}
}

// atVector is the vector at a place in global memory.
func atVector(access string, t types.Type, place, pixel ctree.Expr) ctree.Expr {
	return clike.AtVector(fmt.Sprintf("%s__global %s%d", access, bitsOf(t.Kind), t.Lanes), place, pixel)
}

// bitsOf is how memory holds a kind where halves are no type to compute with.
func bitsOf(k types.Kind) string {
	if k == types.F16 {
		return "ushort"
	}
	return memoryTypes[k]
}

// Kernels take no bool, and without an extension no half: their arguments are the bits of what memory holds.
var argTypes = map[types.Kind]string{types.Bool: "uchar", types.F16: "ushort", types.BF16: "ushort"}

func argType(t types.Type) string {
	name := argTypes[t.Kind]
	if name != "" && t.Lanes > 1 {
		return fmt.Sprintf("%s%d", name, t.Lanes)
	}
	return name
}

func argDecode(u *clike.Unit, t types.Type, arg ctree.Expr) clike.Form {
	held := clike.Held(t.Kind)
	name := "imgc_from_" + t.Kind.String()
	if t.Lanes > 1 {
		return clike.Form{X: ctree.CallTo(u.Use(laneName(name, t)), arg), Kind: held}
	}
	if t.Kind == types.Bool {
		return clike.Form{X: ctree.Op2("!=", arg, ctree.Lit("0")), Kind: held}
	}
	return clike.Form{X: ctree.CallTo(u.Use(name), arg), Kind: held}
}
