package harness

import (
	"testing"

	"imgc"
	"imgc/hast"
	"imgc/kir"
	"imgc/optimize/lower"
	"imgc/optimize/schedule"
)

// Refused says why the first stage of a program cannot follow decisions in strict mode; "" where it can. The program is compiled without them.
func Refused(t *testing.T, text string, d schedule.Decisions) (why string) {
	t.Helper()
	asked := false
	p := CompileWith(t, "refused.img", text, imgc.Options{Decide: func(_ string, s *hast.Stage) schedule.Decisions {
		if !asked { // of what becomes of the stage it may be asked again
			asked, why = true, lower.Refuse(s, d, kir.Strict)
		}
		return schedule.Decisions{}
	}})
	if _, err := p.OpenCL(); err != nil {
		t.Fatal(err)
	}
	return why
}
