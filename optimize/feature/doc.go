// Package feature says what a stage does, as far as a plan for a device depends on it: which pixels an instance reads and
// writes relative to its own coordinates, whether neighbours share them and in which direction, how many bytes must move, and
// how many operations of each sort an instance takes.
//
// Features are facts of the program. They depend on no device and decide nothing.
//
// It knows the typed program (hast), types and operators, and how much schedules may write out.
package feature
