// Package probe measures a running OpenCL device: it fills in those figures of an architecture model that a kernel can find out, and
// those that the driver tells.
//
//	model, err := probe.Run(ctx, context, base, probe.Options{})
//
// What is measured is a row of a table: a kernel of kernels.cl, what one of its work-items does, and the figure that follows from its
// time. The same kernel runs in several shapes, since GPUs and CPUs want others; the best of them counts, as the schema of models
// defines its figures.
//
// It knows devices and models: neither programs nor what plans make of a figure.
package probe
