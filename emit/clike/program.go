package clike

import (
	"crypto/sha256"
	"fmt"
	"path"
	"strings"

	"imgc/emit/ctree"
	"imgc/kir"
	"imgc/source"
)

// A KernelInfo is a kernel as it was emitted; Params are in the order of its arguments.
type KernelInfo struct {
	Kernel *kir.Kernel
	Name   string
	Params []KernelParam
	Pool   int // bytes of local memory that the host has to ask for; 0 where the kernel declares what it takes
}

// Program translates all that a program has: tables, foreign texts, funcs and kernels, in this order.
func (u *Unit) Program(p *kir.Program) (decls []ctree.Decl, kernels []KernelInfo) {
	for _, k := range p.Kernels {
		u.Name(k, k.Name) // kernels are called by name from outside: they choose first
	}
	for _, t := range p.Tables {
		decls = append(decls, u.Table(t))
	}
	for _, t := range p.Foreign {
		decls = append(decls, &ctree.Remark{Text: "from " + t.File, Apart: true}, &ctree.Raw{Text: strings.TrimRight(t.Text, "\n")})
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
		kernels = append(kernels, KernelInfo{k, f.Name, params, u.pool(k)})
	}
	return decls, kernels
}

// About says in a comment's lines what made a file, of what, and in which floating-point mode; version is the compiler's.
func About(p *kir.Program, version string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Made by imgc %s.\n", version)
	if p.File != nil {
		fmt.Fprintf(&b, "source: %s\n", named(p.File))
	}
	for _, f := range p.Imports {
		fmt.Fprintf(&b, "import: %s\n", named(f))
	}
	fmt.Fprintf(&b, "floating point: %s", p.Mode)
	return b.String()
}

// named is a file's name, without folders of the machine that it was on, and what tells its contents from others.
func named(f *source.File) string {
	return fmt.Sprintf("%s, sha256 %x", path.Base(f.Name), sha256.Sum256([]byte(f.Text)))
}
