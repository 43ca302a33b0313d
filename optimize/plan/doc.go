// Package plan chooses a schedule for a pipeline on a device: it makes candidates for each stage, drops those that the stage or the
// device does not allow, predicts the time of the rest and takes the shortest. Every choice comes with its reason, the terms of its
// cost and what was rejected.
//
// The cost model is a fixed cost for each launch plus the largest of four terms: compulsory bytes over the bandwidth that accesses
// of that width reach, re-read bytes over the bandwidth between cache and compute units, instructions over the issue rate, and the
// operations of each pipe over its rate. All rates come from the architecture model; a term whose rate is unknown is left out, and
// where nothing is known that tells candidates apart the first legal one is taken: one instance for each work-item.
//
// It knows the typed program, features, schedules and architecture models: not how schedules are carried out.
package plan
