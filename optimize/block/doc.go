// Package block finds what a block of neighbouring instances of a stage reads and writes: the windows of images that one
// work-item can load before it starts, and the outputs that it can store when it is done.
//
// It finds facts that lowering needs exactly and decides nothing. It knows the typed program, not devices.
package block
