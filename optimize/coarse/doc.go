// Package coarse writes the coarse levels of a traverse as one list of stages, level by level down and up again, which one work-group can run on the device in
// one launch: where levels are small, a launch for each stage of each takes longer than what it computes.
//
// It knows hast and what a work-group can run of a stage (loops): neither schedules nor kir nor devices.
package coarse
