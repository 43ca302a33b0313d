// Package recurrence makes scans parallel along their axis. It finds the stages under a scan whose pixels follow from the pixels
// before them by an associative operator, x[i] = op(x[i-1], a[i]), by a linear recurrence,
// x[i] = b[i] + c1[i] x[i-1] + ... + ck[i] x[i-k], or by sums within bounds, x[i] = min(max(x[i-1] + a[i], b[i]), c[i]), and puts
// three ordinary stages in their place, as in G. E. Blelloch, "Prefix Sums and Their Applications", 1990, section 1.4:
//
//	local   cuts each line into chunks. One instance for each chunk but the last runs the recurrence from a neutral state, and,
//	        of a linear one, what it makes of each unit state without the terms b: the chunk as a map of states.
//	        Of sums within bounds it is run from the least and the greatest pixel instead: see the file clamps.go.
//	carry   runs the first k steps of each line as they are written, with their borders, and then carries the state from
//	        chunk to chunk through those maps.
//	        Where few lines have many chunks, groups of chunks become maps first (stages group), the state is carried from group
//	        to group, and then from chunk to chunk in all groups at once (stages spread).
//	apply   runs each chunk from its state, as written but for the pixels before, which are in variables.
//
// The stages are typed programs like all others: what runs or prints hast runs and prints them. Integers come out the same, modulo
// 2^n. Floats are rounded in another order, so float sums and linear recurrences stay as they are under strict arithmetic. A
// map that could lose more than rounding does is not used: see the file growth.go.
//
// A line whose pixels say where the next step reads another image is cut into chunks that are tables of states, and a first step that reduces much is
// taken out of scans: see the files tables.go and peel.go.
//
// It knows hast, types and operators, and the names of the floating-point modes of kir: not syntax, nor targets.
package recurrence
