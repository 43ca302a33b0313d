package strips

import (
	"testing"

	"imgc/hast"
	"imgc/optimize/schedule"
	"imgc/testsuite/harness"
)

// sideBySide are pipelines under conditions under some rules, and schedules that compute neighbours side by side.
func sideBySide(rules ...string) (text string, decide decider) {
	text = borders + underEach(conditions, "conditions", rules) + underEach(kept, "kept", rules)
	n := 0
	return text, func(string, *hast.Stage) schedule.Decisions {
		n++
		return schedule.Decisions{Rows: []int{1, 2, 3, 8}[n%4], Lanes: []int{16, 8, 32}[n%3]}
	}
}

// TestConditionsSideBySide runs over less than one step, some steps, and what they leave over, under the rules that are no functions, each of them for several
// numbers of rows and lanes.
func TestConditionsSideBySide(t *testing.T) {
	text, decide := sideBySide("clamp", "constant(7)", "constant(7)", "clamp")
	runAll(t, cpu, text, decide, steps)
}

// TestConditionsUnderOclgrind has the simulator watch them.
func TestConditionsUnderOclgrind(t *testing.T) {
	if harness.UnderOclgrind() {
		t.Skip("runs TestSimulatedConditions there")
	}
	harness.SimulateTest(t, "TestSimulatedConditions")
}

// TestSimulatedConditions runs in the process that TestConditionsUnderOclgrind starts.
func TestSimulatedConditions(t *testing.T) {
	if !harness.UnderOclgrind() {
		t.Skip("TestConditionsUnderOclgrind runs it in a process of its own")
	}
	text, decide := sideBySide("clamp", "constant(7)")
	runAll(t, cpu, text, decide, [][2]int{{1, 2}, {3, 41}})
}
