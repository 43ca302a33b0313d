// Package harness is what the tests of whole programs share: deterministic inputs, comparison of images within stated bounds, the
// runs of NumPy references, of Oclgrind and of generated C projects. Only tests import it; what a machine lacks skips a test with
// the name of what is missing.
//
// It may know everything of the project.
package harness
