// Package gather has stages whose instances write blocks of pixels, as enlarging has them, as gathers, which have an instance for each pixel:
//
//	iterate (y in -1:h, x in -1:w) border(up: skip)                      iterate (y, x) over up
//	    up[4*y + 2 : 4][4*x + 2 : 4] = u8(P * f32(down[y:2][x:2]));  =>      up[y][x] = u8(P[(y+2) % 4][0] * f32(down[(y+2)/4 - 1][...]) + ...);
//
// The block of a pixel is the quotient of its coordinates, and where it lies in that the remainder. What the pixels of a block are computed by is the same expression but for numbers, which
// become tables by the remainder, or sums with it, and for parts that are chosen by it. Blocks of instances know all of these beforehand (block.Phases), and may begin where rows of
// images do, wherever blocks of the program begin. A gather can be fused with its readers, or inlined into them, as a stage that writes several pixels cannot.
//
// Each pixel is computed by what the program says of it, in its order, so that all bits are the same. What a block computes once for all of its pixels is computed for each of them, which is
// why a plan asks for what is faster.
//
// It knows hast and its operators, and nothing of schedules or targets.
package gather
