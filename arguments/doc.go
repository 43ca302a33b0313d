// Package arguments holds what a caller passes against what a pipeline declares: names, types, the memory of images, size names and
// extents. Each rule and its message stands here once, for the reference interpreter and for devices.
//
// A Signature is what the rules look at. Whoever runs a pipeline makes one of its own form of the program, binds arguments with
// it, evaluates extents itself, and holds those against the arguments with the functions of this package.
//
// It knows types, images and positions: neither the language's programs nor the kernels made of them.
package arguments
