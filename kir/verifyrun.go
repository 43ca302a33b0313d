package kir

import "imgc/types"

// run checks a LoadRun, or a StoreRun as the LoadRun that it is the opposite of.
func (v *verifier) run(r *LoadRun, access Access) {
	if !v.use(r.Var) || !v.use(r.Buffer) {
		return
	}
	kind := r.kind(access)
	if !v.buffer(r.Buffer, access, types.Scalar(kind)) {
		return
	}
	v.expect(r.Offset, types.Scalar(types.I64), "an offset into "+r.Buffer.Name)
	v.index(r.Var, r.Index)
	switch {
	case r.Var.Space != Private || !r.Var.Type.IsArray() || r.Var.Type.Lanes != 1:
		v.fail("%s is no private array of components", r.Var.Name)
	case r.Buffer.Space != Global || r.Buffer.Access&Shared != 0:
		v.fail("a run of components of %s, which is local or shared", r.Buffer.Name)
	case r.Anywhere && !r.liesAnywhere(kind):
		v.fail("a run of %d components of %s that lie anywhere", r.Count, kind)
	case !r.Anywhere && !r.isOneAccess(kind):
		v.fail("a run of %d components of %s", r.Count, kind)
	case int(r.Var.Type.Dims[r.Var.Type.Rank-1]) < r.elements():
		v.fail("%s of type %s does not hold a run of %d", r.Var.Name, r.Var.Type, r.Count)
	}
}

// inWords reports whether an element of the array holds four bytes.
func (r *LoadRun) inWords() bool {
	return r.Var.Type.Kind == types.U32 && r.Buffer.Type.Kind == types.U8
}

// elements is how many of the array a run takes.
func (r *LoadRun) elements() int {
	if r.inWords() {
		return r.Count / 4
	}
	return r.Count
}

// kind is that of the components which the buffer has to have: another one than that of the array where an element holds several, is converted or is their bits.
func (r *LoadRun) kind(access Access) types.Kind {
	there, here := r.Buffer.Type.Kind, r.Var.Type.Kind
	switch {
	case r.inWords(),
		access == Reads && here == types.F32 && there.IsInt() && there.Bits() <= 16,
		access == Writes && here == types.I32 && (there == types.U8 || there == types.U16),
		here == types.U16 && (there == types.F16 || there == types.BF16):
		return there
	}
	return here
}

// liesAnywhere reports whether the components of a run may lie anywhere.
func (r *LoadRun) liesAnywhere(kind types.Kind) bool {
	bytes := r.Count * kind.Bytes()
	switch {
	case r.Count < 2 || kind.Bits() > 16 || bytes > AnywhereBytes:
		return false
	case r.Beyond:
		return (kind.IsInt() || kind.IsFloat()) && !r.inWords()
	}
	return kind.IsInt() && bytes%4 == 0
}

// isOneAccess reports whether a target moves an aligned run at once.
func (r *LoadRun) isOneAccess(kind types.Kind) bool {
	least := 2
	if r.inWords() {
		least = 4
	}
	return !r.Beyond && least <= r.Count && r.Count <= 16 && r.Count&(r.Count-1) == 0 && r.Count*kind.Bytes() <= RunBytes
}
