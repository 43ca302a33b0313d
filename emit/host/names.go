package host

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"imgc/emit/ctree"
)

// words are what no C or C++ program may use as a name, and what the included headers define as macros or types.
var words = strings.Fields(`
		auto break case char const continue default do double else enum extern float for goto if inline int long register
		restrict return short signed sizeof static struct switch typedef union unsigned void volatile while
		alignas alignof and and_eq asm bitand bitor bool catch char8_t char16_t char32_t class compl concept const_cast
		consteval constexpr constinit co_await co_return co_yield decltype delete dynamic_cast explicit export false friend
		mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public reinterpret_cast
		requires static_assert static_cast template this thread_local throw true try typeid typename using virtual wchar_t
		xor xor_eq main linux unix

		NULL EOF BUFSIZ INFINITY NAN MAXFLOAT HUGE* FP_* M_* MATH_* DOMAIN SING OVERFLOW UNDERFLOW PLOSS TLOSS CHAR_* SCHAR_*
		UCHAR_* SHRT_* USHRT_* INT* UINT* LONG_* ULONG_* LLONG_* ULLONG_* SIZE_* SSIZE_* PTRDIFF_* WCHAR_* WINT_* SIG_* SEEK_*
		EXIT_* RAND_MAX TMP_MAX FILENAME_MAX FOPEN_MAX L_* P_tmpdir CL_* cl_* CU* cu* dim3 FILE FD_* CLOCK* TIME_UTC BIG_ENDIAN LITTLE_ENDIAN
		PDP_ENDIAN BYTE_ORDER NAME_MAX PATH_MAX PIPE_BUF LINE_MAX stdin stdout stderr errno assert
		int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t uintptr_t intmax_t uintmax_t size_t ssize_t
		ptrdiff_t va_list time_t clock_t`)

// libraryWords are what functions and types of a library cannot be called besides: functions of the C library, its headers, which
// the library's own would hide, and the targets that CMake and its linker know.
var libraryWords = strings.Fields(`
		abs labs llabs div ldiv exit abort atexit free malloc calloc realloc rand srand qsort bsearch system getenv atoi atof atol
		strtod strtol time clock signal remove rename printf scanf puts gets getc putc fopen fclose fread fwrite fflush fseek
		ftell rewind feof ferror perror tmpfile tmpnam index rindex random select stat link unlink read write open close access
		acos asin atan atan2 acosh asinh atanh cos sin tan cosh sinh tanh exp exp2 expm1 frexp ldexp log log10 log1p log2 logb
		modf scalbn scalb cbrt fabs hypot pow sqrt erf erfc lgamma tgamma gamma ceil floor nearbyint rint round trunc fmod
		remainder remquo drem copysign nan nextafter nexttoward fdim fmax fmin fma j0 j1 jn y0 y1 yn significand signgam
		memcpy memmove memset memcmp memchr strcpy strcat strcmp strlen isnan isinf isfinite isnormal signbit isgreater isless
		complex ctype fenv float inttypes iso646 limits locale math setjmp stdalign stdarg stdatomic stdbool stddef stdint
		stdio stdlib stdnoreturn string strings tgmath threads uchar wchar wctype memory image features sched search regex glob
		all test install clean help package depend edit_cache rebuild_cache c m dl rt pthread OpenCL cuda cudart`)

// internal are the functions, macros and constants of the generated library, which a parameter must not hide.
var internal = sync.OnceValue(func() []string {
	return matches(`\b([A-Za-z_]\w*)\(|\b(?:define) (\w+)|\b(status_\w+|[a-z]+_count|max_extent|kernel_\w+)\b`,
		append([]string{"templates/library.c.tmpl", "templates/opencl/library.c.tmpl", "templates/cuda/library.c.tmpl"}, runtimes...)...)
})

// runtimes are the support code of all targets: a program's names fit every one.
var runtimes = []string{
	"support/runtime.c", "support/opencl.c", "support/capture.c", "support/cuda.c", "support/graph.c", "support/last.c",
}

// fileScope is what the generated files have at file scope, their types included.
var fileScope = sync.OnceValue(func() []string {
	paths := append([]string{"support/image.h", "templates/library.c.tmpl", "templates/opencl/library.c.tmpl", "templates/cuda/library.c.tmpl",
		"templates/main.c.tmpl", "templates/opencl/main.c.tmpl", "templates/cuda/main.c.tmpl"}, runtimes...)
	return slices.Concat(internal(), matches(`\b([A-Za-z_]\w*)\(|\bstruct (\w+)|\bstatic const [^=;(]*?(\w+)\[`, paths...), enumerators(paths))
})

// enumerators lists the constants of the enums at file scope in embedded C files.
func enumerators(paths []string) (out []string) {
	actions, enum, name := regexp.MustCompile(`\{\{.*?\}\}`), regexp.MustCompile(`(?m)^enum \{([^}]*)\}`), regexp.MustCompile(`(\w+) =`)
	for _, path := range paths {
		text, err := files.ReadFile(path)
		if err != nil {
			panic(err) // embedded: cannot be missing
		}
		for _, body := range enum.FindAllSubmatch(actions.ReplaceAll(text, nil), -1) {
			for _, m := range name.FindAllSubmatch(body[1], -1) {
				out = append(out, string(m[1]))
			}
		}
	}
	return out
}

// matches lists what the groups of a pattern find in embedded C files, comments and texts aside.
func matches(pattern string, paths ...string) []string {
	remarks := regexp.MustCompile(`(?s)/\*.*?\*/|"(?:[^"\\\n]|\\.)*"`)
	find := regexp.MustCompile(pattern)
	var out []string
	for _, path := range paths {
		text, err := files.ReadFile(path)
		if err != nil {
			panic(err) // embedded: cannot be missing
		}
		for _, m := range find.FindAllSubmatch(remarks.ReplaceAll(text, nil), -1) {
			out = append(out, string(slices.Concat(m[1:]...)))
		}
	}
	return out
}

var notLibraries = sync.OnceValue(func() *ctree.Reserved {
	return ctree.NewReserved(slices.Concat(fileScope(), libraryWords, words))
})

// isLibraryName reports whether s can name a library, its files, functions and types.
func isLibraryName(s string) bool {
	if s == "" || notLibraries().Has(s) || s[0] >= '0' && s[0] <= '9' || s[0] == '_' {
		return false
	}
	for i := range len(s) {
		if !isWord(s[i]) {
			return false
		}
	}
	return true
}

// LibraryName makes the name of a library of a program's name: gaussian-5x5 becomes gaussian_5x5, test becomes test_img since
// CMake has a target of that name.
func LibraryName(program string) string {
	var b strings.Builder
	for _, r := range program {
		if r > 127 || !isWord(byte(r)) {
			r = '_'
		}
		b.WriteRune(r)
	}
	id := strings.TrimLeft(b.String(), "_")
	if id == "" || id[0] >= '0' && id[0] <= '9' {
		id = "program_" + id
	}
	id = strings.TrimRight(id, "_")
	if !isLibraryName(id) {
		id += "_img"
	}
	return id
}

// namer gives names of the program names in C: the same, unless that is a word of C, one of taken or one that the generated
// files need.
func namer(taken ...string) *ctree.Namer {
	return ctree.NewNamer(slices.Concat(taken, internal(), words))
}
