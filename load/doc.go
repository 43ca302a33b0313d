// Package load finds and parses the files that a program imports: relative to the importing file, then in the folders that the
// user named, then in the library inside the compiler. Each file is read once; circles are reported with the way around.
//
// It knows how to find and parse text: not what declarations mean.
package load
