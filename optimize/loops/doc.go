// Package loops finds loops of a pipeline that one work-group can run on the device, in one launch: where images are small, a launch for each round takes
// longer than what the round computes. Unswitch takes decisions that are the same in all rounds out of loops, so that more of them are such loops. Batched has the host ask
// whether a loop goes on every few rounds, where rounds in vain change nothing. LastAlone are the stages that only the last round of a loop has to run.
//
// It knows hast and what instances write (block): neither schedules nor kir nor devices.
package loops
