// Command imgc checks, runs, formats and compiles image programs; `imgc --help` describes it.
//
// Each verb has a file of its own that parses flags, calls the façade and prints. Standard output carries what was asked for, and
// standard error everything else. Exit statuses are those of status.go.
package main
