// Package schedule holds decisions as data: how each stage of a pipeline is mapped to a device. A schedule is a value that the
// planner makes, that a user writes (the schedule declaration), that is printed and read back without loss, and that lowering
// carries out. It decides nothing, and nothing in it can change a result.
//
// It knows the syntax of declarations and the names of stages, not devices nor what a decision costs.
package schedule
