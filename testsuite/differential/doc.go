// Command differential writes random programs and runs each in several ways: with the reference interpreter, on the first OpenCL
// device, and for a share of them on the simulator Oclgrind and as a generated C project.
//
//	go run ./testsuite/differential -n 1000 -seed 1
//
// Programs follow from their seeds, so that -n 1 -seed 4711 repeats one. Where two ways differ, it makes the program smaller as long
// as they do, writes it to the folder of -out, and ends with status 1. What is mended leaves its small program in testdata, which
// the package's test runs.
//
// It needs no Go where it runs, so that a machine with a GPU takes it as it is: testsuite/gpu/prepare.sh builds it with RANDOM_PROGRAMS=1. There the first OpenCL device is
// the GPU, if OCL_ICD_VENDORS and OCL_ICD_FILENAMES name its driver alone:
//
//	differential -n 100000 -for 200s -j 14 -oclgrind 0 -project 0 -out failed
//
// It may know everything of the project.
package main
