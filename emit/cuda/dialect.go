package cuda

import (
	"embed"
	"fmt"

	"imgc/emit/clike"
	"imgc/emit/ctree"
	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

//go:embed support/*.cuh support/halves/*.cuh support/extremes/*.cuh
var supportFiles embed.FS

// library panics where a support file that is part of the compiler is wrong, which a test would show.
func library() *clike.Library {
	l, err := clike.ReadLibrary(supportFiles, "support")
	if err == nil {
		err = l.Repeat(supportFiles, "support/halves", "$", []string{types.F16.String(), types.BF16.String()})
	}
	if err == nil {
		err = l.Repeat(supportFiles, "support/extremes", "$", []string{ops.Min.String(), ops.Max.String()})
	}
	if err != nil {
		panic("internal error: " + err.Error())
	}
	return l
}

// Integers of 64 bits are those of CUDA's vectors and atomic functions, which int64_t need not be.
var valueTypes = map[types.Kind]string{
	types.Bool: "bool",
	types.I8:   "int8_t", types.I16: "int16_t", types.I32: "int", types.I64: "long long",
	types.U8: "uint8_t", types.U16: "uint16_t", types.U32: "uint32_t", types.U64: "unsigned long long",
	types.F16: "float", types.BF16: "float", types.F32: "float", types.F64: "double",
}

var memoryTypes = map[types.Kind]string{
	types.Bool: "uint8_t",
	types.I8:   "int8_t", types.I16: "int16_t", types.I32: "int", types.I64: "long long",
	types.U8: "uint8_t", types.U16: "uint16_t", types.U32: "uint32_t", types.U64: "unsigned long long",
	types.F16: "__half", types.BF16: "__nv_bfloat16", types.F32: "float", types.F64: "double",
}

// vectorNames are the stems of CUDA's vector types.
var vectorNames = map[types.Kind]string{
	types.I8: "char", types.I16: "short", types.I32: "int", types.I64: "longlong",
	types.U8: "uchar", types.U16: "ushort", types.U32: "uint", types.U64: "ulonglong",
	types.F32: "float", types.F64: "double",
}

// dialects are the languages of the three floating-point modes.
var dialects = [...]*clike.Dialect{
	kir.Contract: ratios(fusing(newDialect(false, atomic))),
	kir.Strict:   newDialect(true, strictAtomic),
	kir.Fast:     fusing(newDialect(false, atomic)),
}

// ratios has short quotients be products by reciprocals, as nvcc's quotients are (--prec-div=false) once it has scaled what might be too large or too small. In fast
// mode they are so anyway, and in strict mode rounded to nearest.
func ratios(d *clike.Dialect) *clike.Dialect {
	d.ShortFloats[ops.Div] = "imgc_ratio_f32"
	return d
}

// fusing has products of f16 and bf16 rounded with their sums, and products by 2, and squares in differences, fused in the text. nvcc fuses what its optimizer has left of products, and that makes sums of these: f32_7x7 of
// testsuite/gpu had 408 fused operations and 1184 additions in place of 800 and 736, and took 4 % longer than with NVIDIA's OpenCL, whose compiler
// fuses first. All others are left to nvcc: where they are written as one operation, groups that go down rows (separable15_f32) took 195 us instead of 160.
func fusing(d *clike.Dialect) *clike.Dialect {
	d.FusesProducts, d.Contracts = true, true
	return d
}

// Capabilities are those of CUDA's kernels.
var Capabilities = clike.Capabilities{
	Shuffles: dialects[kir.Strict].Shuffle != "", LastGroup: kir.FullOrder, Waits: true, MatrixUnits: true, Bounds: true, Graphs: true, FloatHalves: true, DenseRGB: true, Copies: true, Descents: kir.AllDescents,
}

func newDialect(strict bool, update atomicForm) *clike.Dialect {
	return &clike.Dialect{
		Reserved:    reserved(),
		Types:       valueTypes,
		Memory:      memoryTypes,
		Suffix:      map[types.Kind]string{types.U32: "u", types.I64: "LL", types.U64: "uLL", types.F32: "f"},
		Inf:         map[types.Kind]string{types.F32: "INFINITY", types.F64: "(double)INFINITY"},
		NaN:         map[types.Kind]string{types.F32: "NAN", types.F64: "(double)NAN"},
		MinInt64:    "LLONG_MIN",
		CallSuffix:  map[types.Kind]string{types.F32: "f"},
		Ops:         operators(strict),
		ShortFloats: map[ops.Op]string{ops.Mod: "imgc_short_mod_f32", ops.Rem: "imgc_short_rem_f32", ops.Max: "imgc_short_max_f32"},
		Conversion:  conversions.Spell,
		Cut:         clike.OpaqueCut,
		VectorConvert: func(from, to types.Type, how kir.How, exact bool) clike.Spelling {
			return clike.Spelling{} // lane by lane
		},
		VectorType:    vectorType,
		Broadcast:     true,
		Promotes:      true,
		Construct:     construct,
		Mask:          mask,
		Load:          load,
		Store:         store,
		Atomic:        update,
		AlignedLoad:   alignedLoad,
		AlignedStore:  alignedStore,
		SharedLoad:    sharedLoad,
		SharedStore:   sharedStore,
		SharedAtomic:  update,
		LocalVector:   localVector,
		Copy:          "imgc_copy",
		Copied:        "imgc_copied",
		FourBytes:     "imgc_four_bytes",
		Dot4:          "imgc_dot4",
		Dot2:          "imgc_dot2",
		Pairs:         [kir.PairOps]string{"imgc_products4", "imgc_differences4", "imgc_squares4"},
		Permute:       "imgc_permute",
		Signs:         "imgc_signs",
		Halves:        halves(strict),
		ToBits:        map[types.Kind]string{types.F16: "__half_as_ushort", types.BF16: "__bfloat16_as_ushort"},
		FromBits:      map[types.Kind]string{types.F16: "__ushort_as_half", types.BF16: "__ushort_as_bfloat16"},
		Shuffle:       "imgc_shuffle",
		Joined:        map[ops.Op]string{ops.Add: "imgc_joined_sum", ops.Min: "imgc_joined_min", ops.Max: "imgc_joined_max"},
		LastGroup:     "imgc_last_block",
		LastSum:       "imgc_last_sum",
		Leave:         "imgc_leave",
		LastWaits:     "imgc_last_waits",
		Opaque:        "imgc_opaque",
		MatrixSum:     "imgc_matrix_sum",
		Run:           run,
		Rounds:        map[kir.Rounds]string{kir.WrittenOut: "#pragma unroll", kir.Looped: "#pragma unroll 1", kir.Several: "#pragma unroll 8"},
		TryLock:       "imgc_try_lock",
		Unlock:        "imgc_unlock",
		ArgType:       argType,
		ArgDecode:     argDecode,
		GlobalID:      globalID,
		LocalID:       func(dim int) ctree.Expr { return asInt(field("threadIdx", dim)) },
		GroupID:       func(k *kir.Kernel, dim int) ctree.Expr { return asInt(block(k, dim)) },
		Barrier:       ctree.CallTo("__syncthreads"),
		BufferBarrier: ctree.CallTo("__syncthreads"),

		SubgroupBarrier: ctree.CallTo("__syncwarp"),
		Subgroup:        32,

		BufferType:    bufferType,
		KernelHead:    kernelHead,
		Grid:          grid,
		First:         ctree.Param{Type: ctree.Base(FirstType), Name: First},
		Start:         "imgc_start",
		Once:          "imgc_once",
		Together:      "imgc_together",
		LineProduct:   "imgc_line",
		AbsDifference: "imgc_abs_diff",
		KernelPre:     "static __global__",
		FuncPre:       "static __device__",
		RareFuncPre:   "static __device__ __noinline__",
		TablePre:      "static __constant__ const",
		TableBytes:    64 << 10,
		SpreadPre:     "static __device__ const",
		LocalPre:      "__shared__ __align__(16)", // vectors are loaded from it
		Pool:          "imgc_shared_memory",
		Declared:      48 << 10,
		True:          "true",
		False:         "false",
		Support:       library(),
	}
}

// kernelHead says how many threads a block has and, where it matters, how many blocks a multiprocessor is to have room for.
func kernelHead(u *clike.Unit, k *kir.Kernel) string {
	n := k.Group[0] * k.Group[1] * k.Group[2]
	if k.Resident == 0 {
		return fmt.Sprintf("__launch_bounds__(%d)", n)
	}
	return fmt.Sprintf("__launch_bounds__(%d, %s(%d, %d))", n, u.Use("imgc_resident"), n, k.Resident)
}

func vectorType(k types.Kind, lanes int) string { return fmt.Sprintf("%s%d", vectorNames[k], lanes) }

// construct makes a vector; an expression that is to be repeated is evaluated once.
func construct(u *clike.Unit, k types.Kind, lanes int, parts []ctree.Expr) ctree.Expr {
	t := vectorType(k, lanes)
	if len(parts) == 1 {
		switch parts[0].(type) {
		case ctree.Lit, ctree.Name:
			for len(parts) < lanes {
				parts = append(parts, parts[0])
			}
		default:
			return ctree.CallTo(fmt.Sprintf("%s<%s>", u.Use(fmt.Sprintf("imgc_splat%d", lanes)), t), parts...)
		}
	}
	return &ctree.Brace{Type: ctree.Base(t), Args: parts}
}

// mask chooses lanes by those of a vector of bytes.
func mask(u *clike.Unit, t types.Type, cond, then, els ctree.Expr) ctree.Expr {
	return ctree.CallTo(u.Use(fmt.Sprintf("imgc_choose%d", t.Lanes)), cond, then, els)
}

// bufferType is a pointer to components. Every buffer is an image of its own, which the host has checked; one that a kernel only
// reads comes by the path for data that does not change.
func bufferType(v *kir.Var, alone bool) ctree.Type {
	qualifier := ""
	if v.Access&kir.Writes == 0 {
		qualifier = "const "
	}
	p := &ctree.Pointer{To: ctree.Base(qualifier + memoryTypes[v.Type.Kind])}
	if alone {
		p.Qual = "__restrict__"
	}
	return p
}
