// Package overlap has instances of a stage share the sums over windows that a loop computes anew in each of its rounds, as stereo matching does for each displacement, a search
// for each motion and non-local means for each distance.
//
// What a window of 7 x 7 adds up for one instance, its neighbours add up as well, but for a row or a column: all 49 terms depend on where they are and on the round alone. So the stage is
// rewritten to one whose instances are blocks of those it had. The loop stays a loop; in each of its rounds a block computes each term of all its windows once, adds them up along rows
// and these sums along columns, and then does for each instance in it what the program does with its sum:
//
//	iterate (y, x) {                                  iterate (Y, X) {                       // blocks
//	    var best = ...;                                   var best: [8][4] = ...;
//	    for (d in 0:32) {                                 for (d in 0:32)
//	        let s = sum(f(y+j, x+i, d) for j, i);  =>         for (v in 0:14) {              // rows of terms
//	        if (s < best) ...                                     terms f(8*Y+v-3, ., d), their sums along the row, those along columns
//	    }                                                         for (u in 0:4) if (s[u] < best[v-6][u]) ...
//	    dst[y][x] = best;                                     }
//	}                                                     for (v in 0:8, u in 0:4) dst[8*Y+v][4*X+u] = best[v][u];
//	                                                  }
//
// What the body keeps from one part of itself to another is an array with an element for each instance of the block, which loops that are written out index with constants, so that it is in registers.
// Sums of integers come to the same in any order, and go on from one row, or column, to the next by what comes and what goes. Those of f32 are added up anew for each instance, rows first, where
// they may be added in another order than the program's at all.
//
// Blocks that lie inside of the iteration, and all of whose reads lie inside of the images, have a body of their own without border rules and bounds.
//
// Its results are typed programs like all others. It knows hast and its operators, and nothing of schedules or targets: who calls it says which stages it is worth it for.
package overlap
