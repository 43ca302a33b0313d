// Command differential writes random programs and runs each in several ways: with the reference interpreter, on the first OpenCL
// device, and for a share of them on the simulator Oclgrind and as a generated C project.
//
//	go run ./testsuite/differential -n 1000 -seed 1
//
// Programs follow from their seeds, so that -n 1 -seed 4711 repeats one. Where two ways differ, it makes the program smaller as long
// as they do, writes it to the folder of -out, and ends with status 1. What is mended leaves its small program in testdata, which
// the package's test runs.
//
// It needs no Go where it runs: on a machine with a GPU, testsuite/gpu/random.sh runs it on that device.
//
// It may know everything of the project.
package main
