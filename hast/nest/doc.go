// Package nest takes loops over pixels out of the bodies of instances, as those write them who come from languages where everything is loops: an instance for each line, or one for the whole
// image, that goes through pixels one after the other keeps a GPU waiting for each of them. Variables of such loops become variables of the stage, if its instances are the better for it:
// all at once where no round needs what another writes, a scan where rounds need those before along one variable, and lines x = t - s*y where they need both the pixel before and lines above
// (U. Banerjee, "Loop Parallelization", 1994: distances of dependences in nests, here over affine subscripts). What stands beside a loop becomes a stage of its own (loop distribution), and a
// variable that a loop carries from round to round a pixel (scalar expansion).
//
// Programs mean the same, to the bit. Loops that stay are told, with what keeps them (Serial).
//
// It knows hast, types and operators: neither kir nor devices.
package nest
