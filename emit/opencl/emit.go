package opencl

import (
	"crypto/sha256"
	"fmt"
	"path"
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

// A KernelInfo is a kernel as it was emitted; Params are in the order of its arguments. A buffer is passed as a memory object, and a
// scalar or vector as its components lie in memory (types.Store): a bool is a byte, f16 and bf16 are their 16 bits, and three
// lanes take the space of four.
type KernelInfo struct {
	Kernel *kir.Kernel
	Name   string
	Params []clike.KernelParam
}

const standard = "-cl-std=CL1.2"

var modeOptions = [...]string{kir.Contract: standard, kir.Strict: standard, kir.Fast: standard + " -cl-fast-relaxed-math"}

// Emit writes a program. The same program and options give the same bytes. It fails where kir.Verify does.
func Emit(p *kir.Program, opts Options) (*Output, error) {
	if err := kir.Verify(p); err != nil {
		return nil, err
	}
	u := clike.NewUnit(dialect, clike.Words(p.Foreign)...)
	out := &Output{BuildOptions: modeOptions[p.Mode]}
	if p.Mode == kir.Strict {
		out.RoundedDivide = "-cl-fp32-correctly-rounded-divide-sqrt"
	}
	for _, k := range p.Kernels {
		u.Name(k, k.Name) // kernels are called by name from outside: they choose first
	}
	var decls []ctree.Decl
	for _, t := range p.Tables {
		decls = append(decls, u.Table(t))
	}
	for _, t := range p.Foreign {
		decls = append(decls, &ctree.Remark{Text: "from " + t.File, Apart: true}, &ctree.Raw{Text: strings.TrimRight(t.Text, "\n")})
		out.foreignFP64 = out.foreignFP64 || double.MatchString(t.Text)
	}
	for _, f := range p.Funcs {
		if f.Foreign == nil {
			decls = append(decls, u.Func(f))
		} else if wrapper := u.Foreign(f); wrapper != nil {
			decls = append(decls, wrapper)
		}
	}
	for _, k := range p.Kernels {
		f, params := u.Kernel(k)
		decls = append(decls, f)
		out.Kernels = append(out.Kernels, KernelInfo{k, f.Name, params})
	}
	out.UsesFP64 = u.UsesFP64() || out.foreignFP64
	file := &ctree.File{}
	out.UsesInt64Atomics = usesInt64Atomics(p)
	file.Add(header(p, opts, out)...)
	file.Add(u.WideTypes(p.Kernels)...)
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

// named is a file's name, without folders of the machine that it was on, and what tells its contents from others.
func named(f *source.File) string {
	return fmt.Sprintf("%s, sha256 %x", path.Base(f.Name), sha256.Sum256([]byte(f.Text)))
}

// header says what the file is and sets up the compiler.
func header(p *kir.Program, opts Options, out *Output) []ctree.Decl {
	var b strings.Builder
	fmt.Fprintf(&b, "Made by imgc %s.\n", opts.Version)
	if p.File != nil {
		fmt.Fprintf(&b, "source: %s\n", named(p.File))
	}
	for _, f := range p.Imports {
		fmt.Fprintf(&b, "import: %s\n", named(f))
	}
	fmt.Fprintf(&b, "floating point: %s", p.Mode)
	decls := []ctree.Decl{&ctree.Remark{Text: b.String(), Apart: true}}
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
