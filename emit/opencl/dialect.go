package opencl

import (
	"embed"
	"fmt"
	"maps"

	"imgc/emit/clike"
	"imgc/emit/ctree"
	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

//go:embed support/*.cl support/wide/*.cl
var supportFiles embed.FS

// wideCalls are the numbers of lanes for which there are functions of wide floats: those of OpenCL's own vectors.
var wideCalls = []string{"8", "16"}

// library panics where a support file that is part of the compiler is wrong, which a test would show. In the files on wide values a dollar
// sign stands for the number of lanes.
func library() *clike.Library {
	l, err := clike.ReadLibrary(supportFiles, "support")
	if err == nil {
		err = l.Repeat(supportFiles, "support/wide", "$", wideCalls)
	}
	if err != nil {
		panic("internal error: " + err.Error())
	}
	return l
}

var valueTypes = map[types.Kind]string{
	types.Bool: "bool",
	types.I8:   "char", types.I16: "short", types.I32: "int", types.I64: "long",
	types.U8: "uchar", types.U16: "ushort", types.U32: "uint", types.U64: "ulong",
	types.F16: "float", types.BF16: "float", types.F32: "float", types.F64: "double",
}

var memoryTypes = map[types.Kind]string{
	types.Bool: "uchar",
	types.I8:   "char", types.I16: "short", types.I32: "int", types.I64: "long",
	types.U8: "uchar", types.U16: "ushort", types.U32: "uint", types.U64: "ulong",
	types.F16: "half", types.BF16: "ushort", types.F32: "float", types.F64: "double",
}

// Capabilities are those of the kernels of OpenCL. It has no shuffles: they are extensions of 3.0, which neither NVIDIA's driver nor PoCL's has.
// OpenCL C 1.2 promises nothing about when a group sees what another one has written (section 3.3.1), and the ordered atomics of 3.0 are optional: a last
// group sees what is written and read by atomic functions. It does not reach matrix units. Groups that go down rows
// pay where they share what they have loaded: of masks of 15 in two steps, 8192 x 8192, NVIDIA's compiler makes kernels that take 208 us where rows come first (on an H100; 229 in tiles,
// CUDA 206), and where columns do 242 (CUDA 205; on an H200 261, in tiles 183, CUDA 161).
var Capabilities = clike.Capabilities{Shuffles: dialect.Shuffle != "", LastGroup: kir.SharedOrder, LastByFence: true, FilledTables: true, LeavesSettled: true, Descents: kir.DescentsOfLoaded}

// dialects are the languages of the three floating-point modes.
var dialects = [...]*clike.Dialect{kir.Contract: contracting(dialect), kir.Strict: dialect, kir.Fast: fastDialect()}

// contracting has products of f16 and bf16 rounded with their sums, and short quotients be products by reciprocals, where the device has them: in strict mode these are rounded to nearest, and in fast mode they are so anyway.
func contracting(of *clike.Dialect) *clike.Dialect {
	d := *of
	d.ShortFloats = maps.Clone(of.ShortFloats)
	d.ShortFloats[ops.Div], d.Contracts, d.Atomic = "imgc_ratio_f32", true, quickAtomic
	return &d
}

// fastDialect has no short remainders: with the options of fast mode compilers may put what these add and take away together.
func fastDialect() *clike.Dialect {
	d := *dialect
	d.Ops, d.ShortFloats, d.Contracts, d.Atomic = fastOperators(), map[ops.Op]string{ops.Max: dialect.ShortFloats[ops.Max]}, true, quickAtomic
	return &d
}

var dialect = &clike.Dialect{
	Reserved:      reserved(),
	Types:         valueTypes,
	Memory:        memoryTypes,
	Suffix:        map[types.Kind]string{types.U32: "u", types.I64: "L", types.U64: "uL", types.F32: "f"},
	Inf:           map[types.Kind]string{types.F32: "(1.0f / 0.0f)", types.F64: "(1.0 / 0.0)"}, // INFINITY and NAN may be calls, which no array of constants can hold
	NaN:           map[types.Kind]string{types.F32: "(0.0f / 0.0f)", types.F64: "(0.0 / 0.0)"},
	MinInt64:      "LONG_MIN",
	Ops:           operators,
	ShortProduct:  "mul24",
	ShortSum:      "mad24",
	ShortFloats:   map[ops.Op]string{ops.Mod: "imgc_short_mod_f32", ops.Rem: "imgc_short_rem_f32", ops.Max: "imgc_short_max_f32"},
	Conversion:    conversions.Spell,
	Cut:           clike.OpaqueCut,
	VectorConvert: vectorConversion,
	VectorType:    vectorName,
	Vectors:       true,
	Broadcast:     true,
	Construct:     construct,
	Mask:          mask,
	Load:          load,
	Store:         store,
	Atomic:        atomic,
	AlignedLoad:   alignedLoad,
	AlignedStore:  alignedStore,
	SharedLoad:    sharedLoad,
	SharedStore:   sharedStore,
	SharedAtomic:  sharedAtomic,
	LocalVector:   localVector,
	FourBytes:     "imgc_four_bytes",
	Dot4:          "imgc_dot4",
	Dot2:          "imgc_dot2",
	Pairs:         [kir.PairOps]string{"imgc_products4", "imgc_differences4", "imgc_squares4"},
	Permute:       "imgc_permute",
	Signs:         "imgc_signs",
	Halves:        map[types.Kind]map[ops.Op]string{types.U16: {ops.Min: "imgc_min_u16x2", ops.Max: "imgc_max_u16x2"}},
	LastGroup:     "imgc_last_group",
	LastSum:       "imgc_last_sum",
	Opaque:        "imgc_opaque",
	Once:          "imgc_once",
	Together:      "imgc_together",
	LineProduct:   "imgc_line",
	AbsDifference: "imgc_abs_diff",
	MatrixSum:     "imgc_matrix_sum",
	Run:           run,
	Wide:          wide,
	Rounds:        map[kir.Rounds]string{kir.WrittenOut: "#pragma unroll", kir.Looped: "#pragma unroll 1", kir.Several: "#pragma unroll 8"},
	TryLock:       "imgc_try_lock",
	Unlock:        "imgc_unlock",
	ArgType:       argType,
	ArgDecode:     argDecode,
	GlobalID:      ofKernel("get_global_id"),
	LocalID:       workID("get_local_id"),
	GroupID:       ofKernel("get_group_id"),
	Barrier:       ctree.CallTo("barrier", ctree.Name("CLK_LOCAL_MEM_FENCE")),
	BufferBarrier: ctree.CallTo("barrier", ctree.Name("CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE")),
	BufferType:    bufferType,
	KernelHead:    kernelHead,
	Enter:         enter,
	KernelPre:     "__kernel",
	RareFuncPre:   "__attribute__((noinline))",
	TablePre:      "__constant",
	SpreadPre:     "__constant",
	LocalPre:      "__local __attribute__((aligned(16)))", // several components at a time can be read and written then
	// Four bytes at once are what NVIDIA's compiler multiplies two of as if the others were 0 (driver 580.159.04; bytes_of_rows_in_local_memory.img of
	// testsuite/differential).
	LocalBytes: "__local __attribute__((aligned(2)))",
	// Of three bytes to a pixel it loses terms of sums over windows of items that are one column wide, however these bytes are loaded and aligned, and none of three integers of 16 bits (the same
	// driver; bytes_of_pixels_in_local_memory.img).
	LocalRGB: map[types.Kind]types.Kind{types.U8: types.U16, types.I8: types.I16},
	True:     "true",
	False:    "false",
	Support:  library(),
}

func vectorType(k types.Kind, lanes uint8) ctree.Base { return ctree.Base(vectorName(k, int(lanes))) }

func construct(_ *clike.Unit, k types.Kind, lanes int, parts []ctree.Expr) ctree.Expr {
	return &ctree.Construct{Type: vectorType(k, uint8(lanes)), Args: parts}
}

// maskKinds are the signed integers whose sign bit select looks at, by the bits of what it selects.
var maskKinds = map[int]types.Kind{8: types.I8, 16: types.I16, 32: types.I32, 64: types.I64}

func mask(_ *clike.Unit, t types.Type, cond, then, els ctree.Expr) ctree.Expr {
	k := maskKinds[clike.Held(t.Kind).Bits()]
	bits := ctree.CallTo(fmt.Sprintf("convert_%s", vectorType(k, t.Lanes)), cond)
	return ctree.CallTo("select", els, then, &ctree.Unary{Op: "-", X: bits})
}

func workID(function string) func(dim int) ctree.Expr {
	return func(dim int) ctree.Expr {
		return &ctree.Cast{Type: ctree.Base("int"), X: ctree.CallTo(function, ctree.Lit(fmt.Sprint(dim)))}
	}
}

func ofKernel(function string) func(_ *kir.Kernel, dim int) ctree.Expr {
	return func(_ *kir.Kernel, dim int) ctree.Expr { return workID(function)(dim) }
}

// bufferType is a pointer to components. Every buffer is an image of its own, which the host has checked; one that is accessed by its
// pointer alone says so.
func bufferType(v *kir.Var, alone bool) ctree.Type {
	qualifier := "__global "
	if v.Access&kir.Writes == 0 {
		qualifier += "const "
	}
	if !alone {
		return &ctree.Pointer{To: ctree.Base(qualifier + memoryTypes[v.Type.Kind])}
	}
	return &ctree.Pointer{To: ctree.Base(qualifier + memoryTypes[v.Type.Kind]), Qual: "restrict"}
}

// enter tells compilers how many groups a unit is to have room for: of groups that need no local memory otherwise. Where it was filled beside what groups had in
// it, on an H100 masks in sweeps took 11 to 16 % longer, sums of floats 12 % and a level set 13 %, and sharpening in tiles 7 % less.
func enter(u *clike.Unit, k *kir.Kernel) []ctree.Stmt {
	if _, bytes := kir.Locals(k); k.Resident == 0 || bytes > 0 {
		return nil
	}
	return []ctree.Stmt{&ctree.Do{X: ctree.CallTo(u.Use("imgc_room"), ctree.Lit(fmt.Sprint(k.Resident)))}}
}

func kernelHead(_ *clike.Unit, k *kir.Kernel) string {
	return fmt.Sprintf("__attribute__((reqd_work_group_size(%d, %d, %d)))", k.Group[0], k.Group[1], k.Group[2])
}
