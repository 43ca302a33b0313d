package cuda

import (
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
	Source  string             // CUDA C++
	Lines   []source.Span      // the source place of each line of Source, the first at index 0
	Kernels []clike.KernelInfo // in the order of the program

	// Flags are for nvcc: what the mode allows it, and that nothing be said of types that it is about to rename. Without them the results
	// are at least as exact.
	Flags []string
}

// modeFlags: strict programs need none, since their text leaves nothing open.
var modeFlags = [...][]string{
	kir.Contract: {"--prec-div=false", "--prec-sqrt=false"},
	kir.Strict:   nil,
	kir.Fast:     {"--use_fast_math"},
}

// Refuse says why a program cannot be written in CUDA; "" where it can. Wide values are for the vector registers of processors.
func Refuse(p *kir.Program) string {
	reason := ""
	for _, k := range p.Kernels {
		note := func(e kir.Expr) {
			if kir.Wide(e.Type()) {
				reason = k.Name + " computes lanes side by side in vector registers, which CUDA's devices have none of"
			}
		}
		kir.WalkStmts(k.Body, nil, note)
	}
	return reason
}

// Emit writes a program, one that Refuse has nothing against. The same program and options give the same bytes. It fails where kir.Verify does.
func Emit(p *kir.Program, opts Options) (*Output, error) {
	if err := kir.Verify(p); err != nil {
		return nil, err
	}
	u := clike.NewUnit(dialects[p.Mode], clike.Words(p.Foreign)...)
	out := &Output{Flags: modeFlags[p.Mode]}
	var decls []ctree.Decl
	decls, out.Kernels = u.Program(p)
	supports := u.Support()
	file := &ctree.File{}
	file.Add(&ctree.Remark{Text: clike.About(p, opts.Version), Apart: true})
	file.Add(includes(supports, decls)...)
	if p.Mode == kir.Strict {
		file.Add(ctree.Directive{Text: "#define IMGC_STRICT"})
	}
	file.Add(supports...)
	file.Add(decls...)
	out.Source, out.Lines = ctree.Print(file, ctree.Options{Places: !opts.Directives, Directives: opts.Directives})
	if strings.Contains(out.Source, "double4") || strings.Contains(out.Source, "longlong4") {
		out.Flags = append(slices.Clip(out.Flags), "-D__NV_NO_VECTOR_DEPRECATION_DIAG") // CUDA 13 has two of each, by alignment
	}
	return out, nil
}

// headers are what CUDA's types and functions need beyond its compilers' own, by parts of their names: a text may convert to a type and back, and have no
// variable of it.
var headers = []struct {
	name  string
	words []string
}{
	{"<cuda_bf16.h>", []string{"bfloat16"}},
	{"<cuda_fp16.h>", []string{"__half", "2half"}},
	{"<limits.h>", []string{"_M"}}, // INT_MIN and its like
	{"<math.h>", []string{""}},
	{"<stdint.h>", []string{""}},
}

func includes(parts ...[]ctree.Decl) []ctree.Decl {
	file := &ctree.File{}
	for _, p := range parts {
		file.Add(p...)
	}
	text, _ := ctree.Print(file, ctree.Options{})
	var out []ctree.Decl
	for _, h := range headers {
		if slices.ContainsFunc(h.words, func(word string) bool { return strings.Contains(text, word) }) {
			out = append(out, ctree.Directive{Text: "#include " + h.name})
		}
	}
	return out
}
