package sema

import (
	"regexp"
	"strings"

	"imgc/diag"
	"imgc/hast"
	"imgc/source"
	"imgc/std"
	"imgc/syntax"
	"imgc/types"
)

// What C, OpenCL, CUDA, Halide, HIPAcc, OpenCV and NumPy call things that have another name here. A message shows the
// spelling here.

// foreignTypes are names of scalar types. A vector is one of them with a number after it: uchar4, float3.
var foreignTypes = map[string]types.Kind{
	"char": types.I8, "schar": types.I8, "uchar": types.U8, "byte": types.U8, "short": types.I16, "ushort": types.U16,
	"int": types.I32, "uint": types.U32, "long": types.I64, "ulong": types.U64, "unsigned": types.U32, "signed": types.I32,
	"half": types.F16, "float": types.F32, "double": types.F64, "bfloat": types.BF16, "_Bool": types.Bool, "boolean": types.Bool,
	"int8": types.I8, "int16": types.I16, "int32": types.I32, "int64": types.I64,
	"uint8": types.U8, "uint16": types.U16, "uint32": types.U32, "uint64": types.U64,
	"float16": types.F16, "bfloat16": types.BF16, "float32": types.F32, "float64": types.F64,
	"s8": types.I8, "s16": types.I16, "s32": types.I32, "s64": types.I64, "size_t": types.I32,
}

var vectorName = regexp.MustCompile(`^([a-z_0-9]*[a-z_])x?([234])$`)

// foreignType finds the spelling here of a type of another language.
func foreignType(name string) (string, bool) {
	plain := strings.TrimSuffix(name, "_t")
	if pair, ok := foreignPairs[name]; ok {
		return pair, true
	}
	if k, ok := foreignTypes[name]; ok {
		return k.String(), true
	}
	if k, ok := foreignTypes[plain]; ok {
		return k.String(), true
	}
	if m := vectorName.FindStringSubmatch(name); m != nil {
		if k, ok := foreignTypes[m[1]]; ok {
			return types.Vector(k, int(m[2][0]-'0')).String(), true
		}
		if k, ok := types.ParseKind(m[1]); ok {
			return types.Vector(k, int(m[2][0]-'0')).String(), true
		}
	}
	return "", false
}

// foreignCalls are functions of other languages; the text completes "write ...".
var foreignCalls = map[string]string{
	"fabs": "abs(x)", "fabsf": "abs(x)", "absdiff": "abs(a - b)", "abs_diff": "abs(a - b)", "labs": "abs(x)", "iabs": "abs(x)",
	"fmin": "min(a, b)", "fminf": "min(a, b)", "fmax": "max(a, b)", "fmaxf": "max(a, b)", "minimum": "min(a, b)", "maximum": "max(a, b)",
	"imin": "min(a, b)", "imax": "max(a, b)", "saturate": "clamp(x, 0.0, 1.0), or sat<u8>(x) to convert",
	"sqrtf": "sqrt(x)", "rsqrtf": "rsqrt(x)", "cbrtf": "cbrt(x)", "powf": "pow(x, y)", "pown": "pow(x, y)", "powr": "pow(x, y)",
	"expf": "exp(x)", "exp2f": "exp2(x)", "fast_exp": "exp(x)", "logf": "log(x)", "log2f": "log2(x)", "log10f": "log10(x)", "ln": "log(x)",
	"sinf": "sin(x)", "cosf": "cos(x)", "tanf": "tan(x)", "asinf": "asin(x)", "acosf": "acos(x)", "atanf": "atan(x)", "atan2f": "atan2(y, x)",
	"sinhf": "sinh(x)", "coshf": "cosh(x)", "tanhf": "tanh(x)", "hypotf": "hypot(x, y)",
	"floorf": "floor(x)", "ceilf": "ceil(x)", "roundf": "round(x)", "truncf": "trunc(x)", "rint": "sat<i32>(x), which rounds to nearest even",
	"rintf": "sat<i32>(x), which rounds to nearest even", "lround": "i32(round(x))",
	"fmod": "x % y", "fmodf": "x % y", "remainder": "x % y", "frac": "fract(x)", "sqr": "x * x", "square": "x * x",
	"mad": "fma(a, b, c)", "fmaf": "fma(a, b, c)", "mad24": "a * b + c", "mul24": "a * b", "lerp": "mix(a, b, t)", "smooth_step": "smoothstep(a, b, x)",
	"native_sqrt": "sqrt(x), and --fp=fast", "native_exp": "exp(x), and --fp=fast", "native_divide": "a / b, and --fp=fast",
	"native_recip": "1 / x, and --fp=fast", "native_rsqrt": "rsqrt(x), and --fp=fast", "half_sqrt": "sqrt(x), and --fp=fast",
	"popc": "popcount(x)", "__popc": "popcount(x)", "bitcount": "popcount(x)", "__clz": "clz(x)",
	"cast": "T(x), as in f32(x)", "static_cast": "T(x), as in f32(x)", "reinterpret_cast": "bitcast<T>(x)",
	"saturate_cast": "sat<T>(x), as in sat<u8>(x)", "u8_sat": "sat<u8>(x)", "as_float": "bitcast<f32>(x)", "as_int": "bitcast<i32>(x)",
	"as_uint": "bitcast<u32>(x)", "clip": "clamp(x, low, high)", "where": "select(c, a, b), or c ? a : b", "ifelse": "c ? a : b",
	"norm": "length(v)", "magnitude": "hypot(x, y)", "vec2": "f32x2(x, y)", "vec3": "f32x3(x, y, z)", "vec4": "f32x4(x, y, z, w)",
	"average": "mean(...)", "avg": "mean(...)", "prod": "product(...)", "reduce": "fold(f, init, e for d in dom)",
	"texture": "sample(src, fy, fx, linear)", "tex1D": "sample(src, fx, linear)", "tex2D": "sample(src, fy, fx, linear)",
	"tex3D": "sample(src, fz, fy, fx, linear)", "tex2DLod": "sample(src, fy, fx, linear)", "bilinear": "sample(src, fy, fx, linear)",
	"interp": "sample(src, fy, fx, linear)", "read_imagef": "sample(src, fy, fx, linear), or src[y][x]", "read_imageui": "src[y][x]",
	"read_imagei": "src[y][x]", "atomicAdd": "a[i] += e;", "atomic_add": "a[i] += e;", "atomic_inc": "a[i] += 1;",
	"atomicMax": "a[i] max= e;", "atomic_max": "a[i] max= e;", "atomicMin": "a[i] min= e;", "atomic_min": "a[i] min= e;",
	"filter2D": "convolve(m, src[y][x])", "conv2d": "convolve(m, src[y][x])", "convolution": "convolve(m, src[y][x])",
	"isNaN": "isnan(x)", "isInf": "isinf(x)", "sizeof": "the number itself: a type's size is known",
	"get_global_id": "an iteration variable of iterate", "printf": "nothing: a program computes images only",
	"range": "lo : hi, as in y in 0:H", "arange": "[i for i in 0:n]", "zeros": "image a: f32[H][W] = 0;", "ones": "image a: f32[H][W] = 1;",
	"zeros_like": "image a: f32[H][W] = 0;", "resize": "view v: f32[h][w] = resample(src, linear);", "pad": "src[y][x] under a border rule",
	"roll": "src[y][x-1] under border repeat", "bincount": "hist[src[y][x]] += 1;", "cumsum": "an iterate with scan(x)",
	"absolute": "abs(x)", "power": "pow(x, y)", "bitwise_count": "popcount(x)", "std": "sqrt of the mean of squared differences",
	"len": "src.height and src.width, or the name of the size", "distance": "length(a - b)", "dist": "length(a - b)", "conj": "f32x2(z.x, -z.y)",
	"isfinite": "abs(x) <= 3.4028235e38, which infinities and NaN are not", "isnormal": "abs(x) <= 3.4028235e38",
	"GaussianBlur":    "convolve(m, src[y][x]) with a mask m, or import \"std/filters.img\", which has binomial3 and gaussian",
	"gaussian_filter": "convolve(m, src[y][x]) with a mask m, or import \"std/filters.img\", which has binomial3 and gaussian",
	"blur":            "mean(src[y+dy][x+dx] for dy in -1:2, dx in -1:2)", "boxFilter": "mean(src[y+dy][x+dx] for dy in -1:2, dx in -1:2)",
	"medianBlur": "median(src[y+dy][x+dx] for dy in -1:2, dx in -1:2)", "median_filter": "median(src[y+dy][x+dx] for dy in -1:2, dx in -1:2)",
	"Sobel":     "convolve(m, src[y][x]) with mask m: i32[3][3] = [-1, 0, 1, -2, 0, 2, -1, 0, 1];",
	"Scharr":    "convolve(m, src[y][x]) with mask m: i32[3][3] = [-3, 0, 3, -10, 0, 10, -3, 0, 3];",
	"Laplacian": "convolve(m, src[y][x]) with mask m: i32[3][3] = [0, 1, 0, 1, -4, 1, 0, 1, 0];",
	"erode":     "min(src[y+dy][x+dx] for dy in -1:2, dx in -1:2)", "dilate": "max(src[y+dy][x+dx] for dy in -1:2, dx in -1:2)",
	"softmax": "exp(v - m) / sum(exp(e - m) for ...), with m the max", "relu": "max(x, 0)", "sigmoid": "1 / (1 + exp(-x))",
}

// foreignValues are constants, and names that C++ puts a type behind in angle brackets; the text completes "write ...".
var foreignValues = map[string]string{
	"PI": "const PI: f32 = 3.14159265;", "M_PI": "const M_PI: f32 = 3.14159265;", "M_PI_F": "const M_PI_F: f32 = 3.14159265;",
	"CV_PI": "const CV_PI: f32 = 3.14159265;", "CUDART_PI_F": "const CUDART_PI_F: f32 = 3.14159265;",
	"M_E": "const M_E: f32 = 2.71828183;", "M_SQRT2": "const M_SQRT2: f32 = 1.41421356;",
	"FLT_EPSILON": "1.19209290e-7", "INT_MAX": "2147483647", "UCHAR_MAX": "255", "USHRT_MAX": "65535",
	"static_cast": "T(x), as in i32(x)", "reinterpret_cast": "bitcast<T>(x)", "saturate_cast": "sat<T>(x), as in sat<u8>(x)",
}

// foreignModules are the names in front of functions of other languages' libraries: np.sqrt(x).
var foreignModules = map[string]bool{"np": true, "numpy": true, "cv": true, "cv2": true, "scipy": true, "math": true, "std": true, "torch": true, "Math": true}

// foreignPairs are complex numbers, of two components here.
var foreignPairs = map[string]string{"complex": "f32x2", "complex64": "f32x2", "complex128": "f64x2", "cuComplex": "f32x2", "cuDoubleComplex": "f64x2"}

// makeCall is how CUDA builds vectors: make_float3(x, y, z).
var makeCall = regexp.MustCompile(`^make_([a-z]+[234])$`)

var convertCall = regexp.MustCompile(`^convert_([a-z]+)([234]?)(_sat)?(_rt[ezpn])?$`)

// foreignCall reports a call that another language spells so; false if it is none.
func (e *env) foreignCall(x *syntax.Call) bool {
	hint, ok := foreignHint(x.Fun.Text, x.Args)
	if !ok {
		hint, ok = e.memberHint(x)
	}
	if !ok {
		return false
	}
	e.errorf(diag.UnknownName, x.Fun.At, "there is no function %s", x.Fun.Text).Note("write %s", hint)
	return true
}

// foreignHint is what is written for a call that another language spells so.
func foreignHint(name string, args []syntax.Expr) (string, bool) {
	if hint, ok := foreignCalls[name]; ok {
		return hint, true
	}
	if m := makeCall.FindStringSubmatch(name); m != nil {
		if t, ok := foreignType(m[1]); ok {
			return t + "(" + strings.Join([]string{"x", "y", "z", "w"}[:t[len(t)-1]-'0'], ", ") + ")", true
		}
	}
	return foreignConversion(name, args)
}

// memberHint is what is written for a function of a library's, np.sqrt(x), or of an image, src.mean().
func (e *env) memberHint(x *syntax.Call) (string, bool) {
	dot := strings.LastIndexByte(x.Fun.Text, '.')
	if dot < 0 {
		return "", false
	}
	owner, name := x.Fun.Text[:dot], x.Fun.Text[dot+1:]
	declared := e.scope.find(owner)
	switch {
	case declared == nil && !foreignModules[owner]:
		return "", false
	case declared == nil && isBuiltin(name):
		return name + "(" + argumentsText(x.Args) + ")", true
	case declared != nil && isBuiltin(name):
		return name + "(" + owner + ")", true
	}
	return foreignHint(name, x.Args)
}

// argumentsText is what a call has between its parentheses, in short.
func argumentsText(args []syntax.Expr) string {
	if len(args) == 0 {
		return ""
	}
	return excerpt(args[0].Span().To(args[len(args)-1].Span()))
}

// foreignConversion recognises uchar(x), float4(a, b, c, d), convert_uchar4_sat(x) and the like.
func foreignConversion(name string, args []syntax.Expr) (string, bool) {
	inside := "e"
	if len(args) > 0 {
		inside = argumentsText(args)
	}
	if t, ok := foreignType(name); ok {
		return t + "(" + inside + ")", true
	}
	m := convertCall.FindStringSubmatch(name)
	if m == nil {
		return "", false
	}
	t, ok := foreignType(m[1] + m[2])
	if !ok {
		return "", false
	}
	if m[3] != "" || m[4] == "_rte" {
		return "sat<" + t + ">(" + inside + ")", true
	}
	return t + "(" + inside + ")", true
}

// foreignRules are border rules of other systems, lower case and without separators.
var foreignRules = map[string]string{
	"mirror": "reflect (edge pixel repeated) or reflect101 (edge pixel once)", "symmetric": "reflect", "reflecthalf": "reflect",
	"borderreflect": "reflect", "mirrorimage": "reflect", "mirrorinterior": "reflect101", "mirroredrepeat": "reflect",
	"borderreflect101": "reflect101", "borderdefault": "reflect101", "reflectborder": "reflect", "mirror101": "reflect101",
	"repeatedge": "clamp", "replicate": "clamp", "borderreplicate": "clamp", "clamptoedge": "clamp", "edge": "clamp", "nearest": "clamp",
	"extend": "clamp", "addressclamptoedge": "clamp", "clkaddressclamptoedge": "clamp", "boundaryclamp": "clamp",
	"wrap": "repeat", "borderwrap": "repeat", "repeatimage": "repeat", "circular": "repeat", "periodic": "repeat", "cyclic": "repeat",
	"boundaryrepeat": "repeat", "boundarymirror": "reflect", "addressrepeat": "repeat",
	"zero": "constant(0)", "zeros": "constant(0)", "zeropad": "constant(0)", "black": "constant(0)", "borderconstant": "constant(0)",
	"boundaryconstant": "constant(0)", "constantexterior": "constant(0)", "clamptoborder": "constant(0)", "addressclamp": "constant(0)",
	"fill": "constant(v)", "none": "undefined", "boundaryundefined": "undefined", "transparent": "undefined", "bordertransparent": "undefined",
}

// foreignRule finds the spelling here of a border rule of another system.
func foreignRule(name string) (string, bool) {
	flat := strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(name))
	for _, here := range ruleNames {
		if flat == here && here == hast.RuleNames[hast.Constant] {
			return "constant(0)", true
		}
		if flat == here {
			return here, true
		}
	}
	here, ok := foreignRules[flat]
	return here, ok
}

// foreignFields are members of image classes; the text completes "write ...".
var foreignFields = map[string]string{
	"rows": "height", "cols": "width", "columns": "width", "w": "width", "h": "height", "x_size": "width", "y_size": "height",
	"size": "height and width", "shape": "height and width", "dim": "height and width", "extents": "height and width",
}

// partialName is true where a name may be missing for a reason that has been reported: the file did not parse whole, or
// imports what is not read yet.
func (c *checker) partialName(string) bool { return c.partial }

// unknown reports a name that nothing declares.
func (e *env) unknown(name string, at source.Span, fits func(entity) bool) {
	if e.partialName(name) || name == "" {
		return
	}
	d := e.errorf(diag.UnknownName, at, "%s is not declared", name)
	candidates := e.scope.visible(fits)
	if fits(&funcEnt{}) {
		d.Message = "there is no function " + name
		candidates = append(candidates, builtinNames()...)
	} else if isBuiltin(name) {
		d.Message = name + " is a function"
		d.Note("write %s(...)", name)
		return
	}
	if hint, ok := foreignValues[name]; ok {
		d.Note("write %s", hint)
		return
	}
	if file := std.Declaring(name); file != "" {
		d.Note("the standard library has %s: import %q;", name, file)
		return
	}
	if best := diag.Suggest(name, candidates); best != "" {
		d.Note("did you mean %s?", best)
		return
	}
	other := e.scope.visible(func(x entity) bool { _, bad := x.(*badEnt); return !bad })
	if best := diag.Suggest(name, other); best != "" {
		d.Note("did you mean %s, which is %s?", best, e.scope.find(best).noun())
	}
}
