// Package ratios has places between pixels that lie a constant ratio apart, as those of an image that is enlarged by 2, as quotients and remainders of coordinates:
//
//	i32(floor((x + 0.5)/2 - 0.5))  is  (x + 1)/2 - 1, and what floor leaves is 0.75 or 0.25, by x % 2
//
// So later phases see which pixels neighbouring instances have in common, and weights are entries of constant arrays, one for each phase. Floats are exact up to
// some coordinate; for those above a choice keeps what the program says.
//
// It knows hast, operators and types: neither kir nor devices.
package ratios
