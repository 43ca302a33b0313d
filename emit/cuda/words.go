package cuda

import "strings"

// reserved lists the words that a program's names must not be: keywords of C++, what CUDA's and C's headers declare, and the functions
// that generated text calls. cuda* stands for all words that start with cuda.
func reserved() []string {
	words := strings.Fields(keywords + device + functions + macros)
	for stem := range strings.FieldsSeq("char uchar short ushort int uint long ulong longlong ulonglong float double") {
		for _, n := range []string{"1", "2", "3", "4"} {
			words = append(words, stem+n, "make_"+stem+n)
		}
	}
	for name := range strings.FieldsSeq(functions) {
		words = append(words, name+"f", name+"l")
	}
	return words
}

const keywords = `
alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class co_await co_return
co_yield compl concept const const_cast consteval constexpr constinit continue decltype default delete do double dynamic_cast else
enum explicit export extern false float for friend goto if inline int long mutable namespace new noexcept not not_eq nullptr operator
or or_eq private protected public register reinterpret_cast requires return short signed sizeof static static_assert static_cast
struct switch template this thread_local throw true try typedef typeid typename typeof union unsigned using virtual void volatile
wchar_t while xor xor_eq restrict main std linux unix
`

const device = `
threadIdx blockIdx blockDim gridDim warpSize dim3 half half2 nv_bfloat16 nv_bfloat162 half1 size_t ptrdiff_t
int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t uintptr_t intmax_t uintmax_t
int_fast* uint_fast* int_least* uint_least* int64_* div_t ldiv_t lldiv_t time_t clock_t va_list
atomic* cuda* CU* cu* nv* surf1D* surf2D* tex1D* tex2D* tex3D* __*
`

const functions = `
abs labs llabs min max umin umax llmin llmax ullmin ullmax div ldiv lldiv exit abort atexit free malloc calloc realloc rand srand qsort
bsearch system getenv atoi atof atol atoll strtod strtof strtol strtoul strtoll clock time signal remove rename printf fprintf sprintf
snprintf vprintf assert memcpy memmove memset memcmp memchr strcpy strncpy strcat strcmp strncmp strlen strchr strstr strtok strerror
index rindex random srandom select stat link unlink read write open close access bcmp bcopy bzero ffs alloca drand48 erand48 ecvt fcvt
acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh cospi cyl_bessel_i0 cyl_bessel_i1 erf erfc erfcinv erfcx erfinv exp
exp10 exp2 expm1 fabs fdim fdivide floor fma fmax fmin fmod frexp hypot ilogb isfinite isinf isnan isnormal signbit isgreater isless
isgreaterequal islessequal islessgreater isunordered fpclassify j0 j1 jn ldexp lgamma llrint llround log log10 log1p log2 logb lrint
lround modf nan nearbyint nextafter nexttoward norm norm3d norm4d normcdf normcdfinv pow pow10 powi rcbrt remainder remquo drem gamma
rhypot rint rnorm rnorm3d rnorm4d round rsqrt scalb scalbln scalbn significand sin sincos sincospi sinh sinpi sqrt tan tanh tgamma trunc
y0 y1 yn saturate signgam
`

const macros = `
NULL EOF INFINITY NAN MAXFLOAT HUGE* FP_* M_* MATH_* DOMAIN SING OVERFLOW UNDERFLOW PLOSS TLOSS CHAR_* SCHAR_* UCHAR_* SHRT_* USHRT_*
INT_* UINT_* LONG_* ULONG_* LLONG_* ULLONG_* INT8_* INT16_* INT32_* INT64_* UINT8_* UINT16_* UINT32_* UINT64_* SIZE_* PTRDIFF_* WCHAR_*
RAND_MAX EXIT_* CLOCKS_* TIME_UTC BIG_ENDIAN LITTLE_ENDIAN PDP_ENDIAN BYTE_ORDER MB_* PATH_MAX NAME_MAX PIPE_BUF LINE_MAX IMGC_* NV_*
CUDA* CUDART_* I _* stdin stdout stderr errno
`
