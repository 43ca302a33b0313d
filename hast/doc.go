// Package hast is the typed high-level program: pipelines of stages over images, with every name resolved, every type known,
// every constant folded, kernels and generics expanded, and for each access to an image the proof of where it can leave the
// image. Analysis, interpretation and lowering share this one form.
//
// Vocabulary. A Pipeline is an entry point; it runs Steps in order on the host. A Stage is a step that runs a body for every
// instance of an iteration space, in any order or at once. An Expr computes a value: in a body on the device, in a Step on the
// host, where it may use sizes and scalars only (then it is called a host expression). A Pyramid is a family of images, one for each
// level that a Levels counts; a Traverse is the step that goes through them, and runs its own body again where a Descend says so.
//
// Sugar is gone. convolve is a sum Reduce over the mask's non-zero entries; a comprehension that initialises an image, a copy
// and a fill are Stages; over an image means ranges; mask[d] and d.y are indexing and plain i32 variables.
//
// It knows positions, types and operators: not the syntax it came from, nor devices.
package hast
