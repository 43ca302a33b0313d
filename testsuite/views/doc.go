// Package views tests views and planes: parts of images that are read, written, updated, passed to kernels and folded at their own
// edges. The interpreter, the device, Oclgrind, generated libraries and NumPy's slices agree on small images of every shape.
package views
