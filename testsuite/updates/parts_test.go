package updates

import (
	"strings"
	"testing"

	"imgc"
	"imgc/hast"
	"imgc/kir"
	"imgc/optimize/lower"
	"imgc/optimize/schedule"
	"imgc/testsuite/harness"
)

// inParts updates in copies of parts wherever a stage allows it, else in copies; last has the last group write what all have found.
func inParts(copies, size, shares, width, parts, last int) imgc.Options {
	return imgc.Options{Mode: imgc.Strict, Decide: func(_ string, s *hast.Stage) schedule.Decisions {
		d := schedule.Decisions{Copies: [3]int{copies, size, shares * parts}, Item: [2]int{width}, Parts: parts, Last: last}
		if lower.Refuse(s, d, kir.Strict) != "" {
			d.Item[0] = 0
		}
		if lower.Refuse(s, d, kir.Strict) != "" {
			d.Parts = 0
		}
		return d
	}}
}

// together is the update's programs without what each instance updates by itself, which groups of each part would do.
func (u update) together() string {
	var b strings.Builder
	for _, line := range strings.SplitAfter(u.program(), "\n") {
		if !strings.Contains(line, "own[y][x]") {
			b.WriteString(line)
		}
	}
	return b.String()
}

// TestUpdatesInParts has groups with a part of what they update: parts that are alike, such that the last one is shorter, and more than there are pixels; of groups and of items alone, and
// of what the last group writes.
func TestUpdatesInParts(t *testing.T) {
	made := 0
	for i, u := range all {
		t.Run(u.name, func(t *testing.T) {
			u.text = u.together()
			p, list := callsWith(t, u, 99, inParts(4, 32, 3, []int{8, 1, 16}[i%3], []int{3, 2, 7}[i%3], 0))
			runAll(t, harness.BuildPlain(t, p), list)
			kernels, err := p.OpenCL()
			if err != nil {
				t.Fatal(err)
			}
			made += strings.Count(kernels.Output.Source, "int part = ")
			switch {
			case i%3 == 0:
				alone, list := callsWith(t, u, few, inParts(4, 1, 3, 1, []int{200, 3}[i/3%2], 0))
				runAll(t, harness.BuildPlain(t, alone), list)
			case u.op != "":
				runInBins(t, u, few, inParts(4, 32, 2, []int{8, 1, 16}[i%3], []int{4, 3, 2}[i%3], 1))
			}
		})
	}
	if made == 0 {
		t.Error("no image was updated in parts")
	}
}
