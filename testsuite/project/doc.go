// Package project tests generated C projects as their users meet them: compiled with every warning an error, from C and C++, by
// CMake and through pkg-config; called rightly and wrongly under sanitizers, with host and with device memory. What the
// functions compute on images is the matter of testsuite/samples, what they do where calls fail that of testsuite/robust.
package project
