// Package skew stores what scans along slanted lines carry by their steps. Where a pixel needs those before it in its own line and in the one above, as in
// error diffusion, in alignments and in distances, pixels on slanted lines, x = t - 2*y, are independent, and a scan goes from line to line. The next steps read
// what it writes at a constant distance of steps and of y, which places in the image do not show: neighbours of an instance lie in other rows and
// other columns. So the scan writes a second image of axes t and y, of which it needs the last few lines alone, and reads that; its own image it writes still where others
// read it. This is skewing as of loops (M. Wolfe, "Loop Skewing: The Wavefront Method Revisited", 1986), of the storage in place of the loops.
//
// Where the scan leaves out pixels, at the ends of lines, whole lines, or where data say so, there are instances for these as well, which carry what was there before the scan.
//
// In that form the scan is one whose steps read neighbours in the steps before, which groups compute in pieces (block.Trapezoid), and its lines lie as
// neighbouring work-items access them. Programs mean the same, to the bit.
//
// It knows hast, types and operators: neither kir nor devices.
package skew
