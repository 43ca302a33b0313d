// Package normal brings bodies into the forms that later phases look for. Programs mean the same, to the bit where results are to be exact.
//
// A body stores each pixel once: what a program assigns on both sides of a condition, or first and then again under one, is one store of what comes
// out. So later phases see that every instance writes the pixel: it can be written by vectors, side by side with those of neighbours, and by a stage
// that is fused with its reader.
//
// The mean of a window is its sum, divided, which may be taken apart into rows and columns; of small integers, and of products of them, an exact sum of integers.
// Loops that do nothing but to add up, or to find the least or the greatest, are sums, minima and maxima. Elements of arrays that are made element by element, as NumPy's users write windows, are
// made of pixels.
//
// Weights that are computed where they are used, with constants and the variables of sums and loops, are entries of constant arrays, as those of masks. Sums of integers over differences from
// what is the same at all points are sums without it.
//
// Sums of small integers as floats are sums of integers where floats would round nothing: weights that are all multiples of a power of two, as those of binomials, are integers times that number. Where
// results need not be exact that may be any number, as 1/9, and rounds once at the end instead of at each pixel.
//
// Updates of which it is known beforehand which instances meet at a pixel are reductions where that is asked for; of floats only where results need not be exact.
//
// Where colour is an axis, pixels are vectors, and an instance has a pixel with all of its components. What an instance writes in a loop, neighbours or planes, it writes one by one.
//
// All outputs of a place that are made of the same pixels are one instance, and what is the same for all of them, or at all points of a reduction, is computed once. Short loops that add to what
// a variable begins with are written out.
//
// Images begin at 0 along each axis, and stages that write the whole of one count from there. They have every n-th place of an axis alone where nobody reads
// the others.
//
// It knows hast, types, which masks are separable, and the proofs' view of constants: neither kir nor devices.
package normal
