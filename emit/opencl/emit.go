package opencl

import (
	"regexp"
	"slices"
	"strings"

	"imgc/emit/clike"
	"imgc/emit/ctree"
	"imgc/kir"
	"imgc/source"
)

// Options are what the text says beyond the program.
type Options struct {
	Version    string // of the compiler, for the header comment
	Directives bool   // #line directives
}

// An Output is an emitted program.
type Output struct {
	Source   string        // OpenCL C
	Lines    []source.Span // the source place of each line of Source, the first at index 0
	Kernels  []KernelInfo  // in the order of the program
	UsesFP64 bool          // needs cl_khr_fp64

	UsesInt64Atomics bool // needs cl_khr_int64_base_atomics

	// BuildOptions are for clBuildProgram. RoundedDivide is another one, without which a strict program's f32 divisions and roots are
	// not exact, and which only devices with CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT take; "" in other modes.
	BuildOptions  string
	RoundedDivide string

	// Capability, with the compute capability of one of NVIDIA's devices behind it (61 for 6.1), is a build option under which
	// its instructions are used; "" where the program has no use for them.
	Capability string

	foreignFP64 bool // a text that is taken as it is computes in f64
}

var double = regexp.MustCompile(`\bdouble\d*\b`)

// A KernelInfo is a kernel as it was emitted. A buffer is passed as a memory object, and a scalar or vector as its components lie in
// memory (types.Store): a bool is a byte, f16 and bf16 are their 16 bits, and three lanes take the space of four.
type KernelInfo = clike.KernelInfo

const standard = "-cl-std=CL1.2"

// modeOptions: those of fast mode are what -cl-fast-relaxed-math has, but for -cl-finite-math-only, under which compilers take isnan for false.
var modeOptions = [...]string{
	kir.Contract: standard,
	kir.Strict:   standard,
	kir.Fast:     standard + " -cl-mad-enable -cl-no-signed-zeros -cl-unsafe-math-optimizations -cl-denorms-are-zero",
}

// Emit writes a program. The same program and options give the same bytes. It fails where kir.Verify does.
func Emit(p *kir.Program, opts Options) (*Output, error) {
	if err := kir.Verify(p); err != nil {
		return nil, err
	}
	u := clike.NewUnit(dialects[p.Mode], clike.Words(p.Foreign)...)
	out := &Output{BuildOptions: modeOptions[p.Mode]}
	if p.Mode == kir.Strict {
		out.RoundedDivide = "-cl-fp32-correctly-rounded-divide-sqrt"
	}
	for _, t := range p.Foreign {
		out.foreignFP64 = out.foreignFP64 || double.MatchString(t.Text)
	}
	var decls []ctree.Decl
	decls, out.Kernels = u.Program(p)
	out.UsesFP64 = u.UsesFP64() || out.foreignFP64
	file := &ctree.File{}
	out.UsesInt64Atomics = usesInt64Atomics(p)
	file.Add(header(p, opts, out)...)
	if wides := u.WideTypes(p.Kernels); len(wides) > 0 {
		file.Add(quiet)
		file.Add(wides...)
	}
	file.Add(u.Support()...)
	file.Add(decls...)
	if slices.ContainsFunc(u.Support(), asksCapability) {
		out.Capability = "-D" + capabilityMacro + "="
	}
	out.Source, out.Lines = ctree.Print(file, ctree.Options{Places: !opts.Directives, Directives: opts.Directives})
	return out, nil
}

// capabilityMacro is what support functions ask for a device's compute capability.
const capabilityMacro = "IMGC_COMPUTE_CAPABILITY"

func asksCapability(d ctree.Decl) bool {
	raw, ok := d.(*ctree.Raw)
	return ok && strings.Contains(raw.Text, capabilityMacro)
}

// quiet keeps clang from warning of functions that pass wide values, which processors without registers of that width pass in another way: all
// that call them are compiled with them.
var quiet = ctree.Directive{Text: `#pragma clang diagnostic ignored "-Wpsabi"`}

// header says what the file is and sets up the compiler.
func header(p *kir.Program, opts Options, out *Output) []ctree.Decl {
	decls := []ctree.Decl{&ctree.Remark{Text: clike.About(p, opts.Version), Apart: true}}
	if out.UsesFP64 {
		decls = append(decls, ctree.Directive{Text: "#pragma OPENCL EXTENSION cl_khr_fp64 : enable"})
	}
	if out.UsesInt64Atomics {
		decls = append(decls, ctree.Directive{Text: "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable"})
	}
	contract := "ON"
	if p.Mode == kir.Strict {
		contract = "OFF"
	}
	return append(decls, ctree.Directive{Text: "#pragma OPENCL FP_CONTRACT " + contract})
}
