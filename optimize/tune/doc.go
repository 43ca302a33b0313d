// Package tune looks for the fastest schedule of a pipeline by measuring: it starts with one that is given, or planned, and changes one
// decision after the other, those first that the cost model ranks best, keeping what is faster.
//
// What can be decided comes from package plan: where a stage's pixels are, and for each stage the candidates that were rejected there.
// How long a schedule takes is the caller's function, so that the search knows no devices, and is the same for the same times.
package tune
