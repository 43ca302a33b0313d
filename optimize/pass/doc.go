// Package pass improves kernels after lowering, by rewriting kir to kir that computes the same bits. The passes stand in one table,
// with what each does, which others it comes after, and whether it may be left out; what runs between them, a dump or the verifier, is
// up to the caller.
//
// A pass is here where its effect was measured or can be seen in what people read: most of what compilers call optimizations is done
// by the compilers of the devices, and lowering makes no constant that could be folded and names what it needs twice. What a program says
// twice, or a built-in that stands for several reads, is named here.
//
// It knows kir, types, operators and intervals: neither hast, nor devices, nor targets.
package pass
