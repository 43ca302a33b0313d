// Package claims holds what the proofs say of values against what programs compute: of each operator and reduction of integers, over kinds at their extremes and short
// spaces, every value has to lie in what was claimed of it. Its tests show, too, that a claim that is made wrong is found.
package claims
