package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"

	"imgc"
)

// again ranks what earlier output has measured by the model as it is now, without a device, and prints the pipelines of which the measured
// schedule that is ranked first takes more than a tenth longer than the best one. Schedules that nothing of the plan leads to any more are
// left out.
func (c *config) again(w io.Writer, files []string) error {
	order, lines, err := read(files)
	if err != nil {
		return err
	}
	arch, err := imgc.OpenArchitecture(c.arch)
	if err != nil {
		return err
	}
	var jobs []job
	times := map[job]map[string]float64{}
	for _, k := range order {
		l := lines[k]
		j := job{l.File, l.Pipeline}
		if times[j] == nil {
			times[j] = map[string]float64{}
			jobs = append(jobs, j)
		}
		if strings.HasPrefix(l.Variant, "rank-") && l.Microseconds > 0 {
			times[j][cmp.Or(l.Schedule, single)] = l.Microseconds
		}
	}
	good, near, total, logs := 0, 0, 0, 0.0
	for _, j := range jobs {
		ratio, told, err := c.ranked(j, arch, times[j])
		switch {
		case err != nil:
			return err
		case told == "":
			continue
		case ratio <= 1.05:
			near++
			fallthrough
		case ratio <= slow:
			good++
		}
		if ratio > slow || c.full {
			fmt.Fprint(w, told)
		}
		total++
		logs += math.Log(ratio)
	}
	_, err = fmt.Fprintf(w, "Within 10 %% of the best: %d of %d, within 5 %%: %d; first / best is %.3f in the geometric mean.\n", good, total, near, math.Exp(logs/float64(max(1, total))))
	return err
}

// slow is from which ratio to the best one on the schedule that is ranked first is told of.
const slow = 1.1

// A remeasured is a schedule with what the model says of it now and what was measured.
type remeasured struct {
	line                string
	predicted, measured float64
}

// ranked compares the measured schedules of a pipeline with their ranks now: by how much the first one takes longer than the best. What it tells is empty where none of them is among these.
func (c *config) ranked(j job, arch *imgc.Architecture, times map[string]float64) (ratio float64, told string, err error) {
	text, err := os.ReadFile(j.file)
	if err != nil {
		return 0, "", err
	}
	result, err := imgc.Check(context.Background(), j.file, string(text), imgc.Options{Pipelines: []string{j.pipeline}, Arch: arch})
	if err != nil || result.Program == nil {
		return 0, "", fmt.Errorf("%s does not compile: %w", j.file, err)
	}
	sizes := map[string]int64{}
	for name, n := range sizesOf(result.Program.Pipelines[0], masksOf(j.file, string(text), j.pipeline), c.size, 0) {
		sizes[name] = int64(n)
	}
	plans, err := result.Program.Explain(arch, sizes)
	if err != nil {
		return 0, "", err
	}
	var known []remeasured
	missing := ""
	for k, v := range variants(plans[0], arch, everything) {
		if !strings.HasPrefix(v.name, "rank-") {
			continue
		}
		line := cmp.Or(v.line, single)
		if us, ok := times[line]; ok {
			known = append(known, remeasured{line, v.predicted, us})
		} else if k == 0 {
			missing = fmt.Sprintf("    %8.1f           %s, which is planned, was not measured\n", v.predicted, line)
		}
	}
	if len(known) == 0 {
		return 0, "", nil
	}
	best := slices.MinFunc(known, func(a, b remeasured) int { return cmp.Compare(a.measured, b.measured) })
	told = fmt.Sprintf("%s %s: %.2f\n%s", j.file, j.pipeline, known[0].measured/best.measured, missing)
	for _, r := range known {
		told += fmt.Sprintf("    %8.1f %8.1f  %s\n", r.predicted, r.measured, r.line)
	}
	return known[0].measured / best.measured, told, nil
}

// single is what one instance for each work-item is as decisions.
const single = "item(1)"

// everything is more schedules than any plan has.
const everything = 1 << 20
