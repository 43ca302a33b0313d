package samples

import (
	"strings"
	"testing"

	"imgc/testsuite/harness"
)

// TestSamplesUnderOclgrind has the simulator watch every kernel at small sizes.
func TestSamplesUnderOclgrind(t *testing.T) {
	t.Parallel()
	if harness.UnderOclgrind() {
		t.Skip("runs TestSimulatedSamples there")
	}
	harness.SimulateTest(t, "TestSimulatedSamples")
}

// TestSimulatedSamples runs in the process that TestSamplesUnderOclgrind starts.
func TestSimulatedSamples(t *testing.T) {
	if !harness.UnderOclgrind() {
		t.Skip("TestSamplesUnderOclgrind runs it in a process of its own")
	}
	if name := harness.Device(t).Info().Platform; !strings.Contains(name, "Oclgrind") {
		t.Fatalf("the device is one of %s", name)
	}
	for _, r := range chosen() {
		t.Run(r.pipeline, func(t *testing.T) {
			s := r.brief().prepare(t, tiny, harness.Constant, harness.Structured) // which lead to no index that others do not lead to
			s.onDevice(t, s.strict, s.row.strict, layouts[1:])
		})
	}
}
