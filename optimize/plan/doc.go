// Package plan chooses a schedule for a pipeline on a device: it makes candidates for each stage, drops those that the stage or the
// device does not allow, predicts the time of the rest and takes the shortest. Every choice comes with its reason, the terms of its
// cost and what was rejected.
//
// The cost model (Cost) is a fixed cost for each launch plus the largest of some terms, and a part of what overlaps less than
// perfectly: compulsory bytes over the bandwidth that accesses
// of that width reach, re-read bytes over the bandwidth between cache and compute units or of local memory, instructions over the issue rate, the
// operations of the busiest pipe over its rate, updates that meet, groups that start, and steps that wait for each other. All rates come from the architecture model; a term whose rate is unknown is left out, and
// where nothing is known that tells candidates apart the first legal one is taken: one instance for each work-item.
//
// Before, it puts stages together (group.go): a grouper goes through the stages in each of some ways (tries), and what takes the least time is planned.
//
// It knows the typed program, features, schedules and architecture models, and asks optimize/fuse and optimize/block what may be: not how schedules are carried out.
package plan
