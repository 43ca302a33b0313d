// Package trial runs one program in two ways and says whether they agree: with the reference interpreter and on an OpenCL device
// or, built with a C compiler, as a generated project. What a call is given follows from the pipeline and a number alone, so that a
// program with that number is a whole test.
//
// It may know everything of the project.
package trial
