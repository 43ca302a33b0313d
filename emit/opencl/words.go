package opencl

import "strings"

// reserved lists the words of OpenCL C 1.2 that a program's names must not be: keywords, types, and built-in functions, macros and
// constants (sections 6.1, 6.9, 6.12 of the specification), and those of later versions and of extensions, which drivers declare whatever version is asked for. CLK_* stands for all words that start with CLK_.
func reserved() []string {
	words := strings.Fields(keywords + typeWords + functions + macros)
	roundings := []string{"", "_rte", "_rtz", "_rtp", "_rtn"}
	for _, n := range []string{"", "2", "3", "4", "8", "16"} {
		for _, base := range strings.Fields("char uchar short ushort int uint long ulong float double half bool quad") {
			if n != "" {
				words = append(words, base+n)
			}
			words = append(words, "as_"+base+n)
			for _, r := range roundings {
				words = append(words, "convert_"+base+n+r, "convert_"+base+n+"_sat"+r)
			}
		}
		words = append(words, "vload_half"+n, "vloada_half"+n)
		for _, r := range roundings {
			words = append(words, "vstore_half"+n+r, "vstorea_half"+n+r)
		}
	}
	return words
}

const keywords = `
auto break case char const continue default do double else enum extern float for goto if inline int long register restrict
return short signed sizeof static struct switch typedef union unsigned void volatile while
__kernel kernel __global global __local local __constant constant __private private __generic generic
__read_only read_only __write_only write_only __read_write read_write __attribute__ uniform pipe
complex imaginary asm typeof vec_step class template this throw try catch new delete operator namespace using virtual
`

const typeWords = `
bool true false uchar ushort uint ulong half quad size_t ptrdiff_t intptr_t uintptr_t
image2d_t image3d_t image2d_array_t image1d_t image1d_buffer_t image1d_array_t sampler_t event_t
`

const functions = `
get_work_dim get_global_size get_global_id get_local_size get_local_id get_num_groups get_group_id get_global_offset
acos acosh acospi asin asinh asinpi atan atan2 atanh atanpi atan2pi cbrt ceil copysign cos cosh cospi erfc erf exp exp2 exp10
expm1 fabs fdim floor fma fmax fmin fmod fract frexp hypot ilogb ldexp lgamma lgamma_r log log2 log10 log1p logb mad maxmag
minmag modf nan nextafter pow pown powr remainder remquo rint rootn round rsqrt sin sincos sinh sinpi sqrt tan tanh tanpi tgamma
trunc half_cos half_divide half_exp half_exp2 half_exp10 half_log half_log2 half_log10 half_powr half_recip half_rsqrt half_sin
half_sqrt half_tan native_cos native_divide native_exp native_exp2 native_exp10 native_log native_log2 native_log10 native_powr
native_recip native_rsqrt native_sin native_sqrt native_tan
abs abs_diff add_sat hadd rhadd clamp clz mad_hi mad_sat max min mul_hi rotate sub_sat upsample popcount mad24 mul24
degrees mix radians step smoothstep sign cross dot distance length normalize fast_distance fast_length fast_normalize
isequal isnotequal isgreater isgreaterequal isless islessequal islessgreater isfinite isinf isnan isnormal isordered
isunordered signbit any all bitselect select shuffle shuffle2 printf
barrier mem_fence read_mem_fence write_mem_fence async_work_group_copy async_work_group_strided_copy wait_group_events prefetch
atomic_add atomic_sub atomic_xchg atomic_inc atomic_dec atomic_cmpxchg atomic_min atomic_max atomic_and atomic_or atomic_xor
atom_add atom_sub atom_xchg atom_inc atom_dec atom_cmpxchg atom_min atom_max atom_and atom_or atom_xor
vload2 vload3 vload4 vload8 vload16
vstore2 vstore3 vstore4 vstore8 vstore16 main kernel_exec
`

const macros = `
NULL CHAR_BIT SCHAR_MAX SCHAR_MIN CHAR_MAX CHAR_MIN SHRT_MAX SHRT_MIN INT_MAX INT_MIN LONG_MAX LONG_MIN UCHAR_MAX USHRT_MAX
UINT_MAX ULONG_MAX MAXFLOAT HUGE_VALF HUGE_VAL INFINITY NAN FLT_DIG FLT_MANT_DIG FLT_MAX FLT_MIN FLT_EPSILON FLT_RADIX
FLT_MAX_EXP FLT_MIN_EXP FLT_MAX_10_EXP FLT_MIN_10_EXP DBL_DIG DBL_MANT_DIG DBL_MAX DBL_MIN DBL_EPSILON DBL_MAX_EXP DBL_MIN_EXP
DBL_MAX_10_EXP DBL_MIN_10_EXP M_E M_LOG2E M_LOG10E M_LN2 M_LN10 M_PI M_PI_2 M_PI_4 M_1_PI M_2_PI M_2_SQRTPI M_SQRT2 M_SQRT1_2
M_E_F M_LOG2E_F M_LOG10E_F M_LN2_F M_LN10_F M_PI_F M_PI_2_F M_PI_4_F M_1_PI_F M_2_PI_F M_2_SQRTPI_F M_SQRT2_F M_SQRT1_2_F
linux unix i386 CLK_* CL_* cl_* POCL_* __*
sub_group_* work_group_* intel_* arm_* qcom_* amd_* nv_* image1d_* image2d_* image3d_* read_image* write_image* get_image_* atomic_* atom_*
memory_order* memory_scope* ndrange_* queue_t clk_event_t reserve_id_t enqueue_* get_sub_group_* get_max_sub_group_size get_num_sub_groups
get_enqueued_* get_default_queue get_global_linear_id get_local_linear_id ctz dot_* to_global to_local to_private vloada_* vstorea_*
`
