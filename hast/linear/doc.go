// Package linear takes sums of 32-bit integers, as coordinates are, apart into terms, or into parts that are there several times, and one number, and puts them together again. These add up
// modulo 2^32, in any order.
//
// It knows hast alone.
package linear
