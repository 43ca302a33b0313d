package clike

import (
	"crypto/sha256"
	"fmt"
	"path"
	"slices"
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
	Grid   Grid
}

// A Grid is what the host does where a kernel has more groups than one launch may have.
type Grid uint8

// The ways to launch kernels.
const (
	OneLaunch Grid = iota // refuses the call
	InParts               // launches it part by part; the last argument, behind Params, says where a part begins
	CountsOn              // has the groups of the third dimension stand for more of the second
)

// grid is that of a kernel.
func (u *Unit) grid(k *kir.Kernel) Grid {
	if u.Dialect.Grid == nil {
		return OneLaunch
	}
	return u.Dialect.Grid(k)
}

// Program translates all that a program has: tables, foreign texts, funcs and kernels, in this order.
func (u *Unit) Program(p *kir.Program) (decls []ctree.Decl, kernels []KernelInfo) {
	for _, k := range p.Kernels {
		u.Name(k, k.Name) // kernels are called by name from outside: they choose first
	}
	u.beyond = u.tablesBeyond(p.Tables)
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
		kernels = append(kernels, KernelInfo{k, f.Name, params, u.pool(k), u.grid(k)})
	}
	return decls, kernels
}

// tablesBeyond are the largest tables, as many as the memory for tables does not hold.
func (u *Unit) tablesBeyond(tables []*kir.Table) map[*kir.Table]bool {
	beyond, left := map[*kir.Table]bool{}, u.Dialect.TableBytes
	if left == 0 {
		return beyond
	}
	bySize := slices.SortedStableFunc(slices.Values(tables), func(a, b *kir.Table) int { return tableBytes(a) - tableBytes(b) })
	for _, t := range bySize {
		if t.Spread {
			continue
		}
		left -= tableBytes(t)
		beyond[t] = left < 0
	}
	return beyond
}

// tableBytes is what a table takes at most, with what may lie between it and the next one.
func tableBytes(t *kir.Table) int {
	elem, n := t.Var.Type.Elem(), 1
	for _, extent := range t.Var.Type.Shape() {
		n *= extent
	}
	lanes := int(elem.Lanes)
	if lanes == 3 {
		lanes = 4
	}
	const between = 16
	return n*lanes*heldOf(elem).Bytes() + between
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
