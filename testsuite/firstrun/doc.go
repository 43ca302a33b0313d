// Package firstrun tests what a newcomer types first, make demo and make build, on a machine that lacks what setup installs. Stubs stand for
// setup, go and pkg-config, and change their answers as a machine does. It knows the Makefile and script/cgo.
package firstrun
