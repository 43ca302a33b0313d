package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"imgc"
	"imgc/kir"
	"imgc/optimize/lower"
	"imgc/optimize/plan"
	"imgc/optimize/schedule"
)

func main() {
	if len(os.Args) != 6 {
		fmt.Fprintln(os.Stderr, "usage: schedules PROGRAM ARCH SIZE COUNT DIR")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2], os.Args[3], os.Args[4], os.Args[5]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// A guess is what the model says of one schedule of a pipeline.
type guess struct {
	Line         string  `json:"line"`
	Microseconds float64 `json:"microseconds"`
}

func run(path, archName, sizeText, countText, dir string) error {
	size, err1 := strconv.ParseInt(sizeText, 10, 64)
	count, err2 := strconv.Atoi(countText)
	if err1 != nil || err2 != nil {
		return fmt.Errorf("%s and %s are no numbers", sizeText, countText)
	}
	plans, err := explain(path, archName, size)
	if err != nil {
		return err
	}
	guesses := map[string]map[string]guess{}
	for k := range count {
		name := fmt.Sprintf("rank-%02d", k)
		guesses[name] = map[string]guess{}
		if err := write(dir, name, plans, guesses[name], func(c *plan.Choice, heaviest bool) (plan.Candidate, bool) { return ranked(c, heaviest, k) }); err != nil {
			return err
		}
	}
	for _, d := range without {
		name := "without-" + d.name
		guesses[name] = map[string]guess{}
		if err := write(dir, name, plans, guesses[name], func(c *plan.Choice, _ bool) (plan.Candidate, bool) { return d.of(c) }); err != nil {
			return err
		}
	}
	guesses["without-fusion"] = map[string]guess{}
	if err := apart(dir, "without-fusion", plans, guesses["without-fusion"]); err != nil {
		return err
	}
	text, err := json.MarshalIndent(guesses, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "guesses.json"), text, 0o666)
}

func explain(path, archName string, size int64) ([]*imgc.Plan, error) {
	arch, err := imgc.OpenArchitecture(archName)
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	result, err := imgc.Check(context.Background(), path, string(text), imgc.Options{})
	if err != nil || result.Program == nil {
		return nil, fmt.Errorf("%s does not compile: %w", path, err)
	}
	sizes := map[string]int64{}
	for _, name := range []string{"H", "W", "M", "N"} {
		sizes[name] = size
	}
	return result.Program.Explain(arch, sizes)
}

// write puts the schedule of all pipelines into a file. What choose gives is a stage's candidate, and whether it is another one than
// the planned one; pipelines without such a stage are no part of the file's guesses.
func write(dir, name string, plans []*imgc.Plan, guesses map[string]guess, choose func(c *plan.Choice, heaviest bool) (plan.Candidate, bool)) error {
	text := ""
	for _, p := range plans {
		heaviest := 0
		for i, c := range p.Choices {
			if c.Picked.Cost.Total() > p.Choices[heaviest].Picked.Cost.Total() {
				heaviest = i
			}
		}
		s := &schedule.Schedule{Pipeline: p.Pipeline.Name}
		changed, total, line := false, 0.0, ""
		seen := map[string]bool{}
		for _, g := range p.Groups {
			if g.Place != 0 {
				seen[g.Stage.Name] = true
				s.Stages = append(s.Stages, &schedule.Stage{Name: g.Stage.Name, Decisions: schedule.Decisions{Place: g.Place}})
			}
		}
		for i, c := range p.Choices {
			candidate, other := choose(c, i == heaviest)
			if other && candidate.Decisions == (schedule.Decisions{}) {
				candidate.Decisions.Item[0] = 1 // a line without decisions is planned
			}
			changed, total = changed || other, total+candidate.Cost.Total()
			if i == heaviest {
				line = c.Stage.Of.Name + ": " + lineOf(candidate.Decisions)
			}
			if stage := c.Stage.Of.Name; !seen[stage] && candidate.Decisions != (schedule.Decisions{}) {
				seen[stage] = true
				s.Stages = append(s.Stages, &schedule.Stage{Name: stage, Decisions: candidate.Decisions})
			}
		}
		if changed {
			guesses[p.Pipeline.Name] = guess{line, 1e6 * total}
		}
		text += s.String()
	}
	return os.WriteFile(filepath.Join(dir, name+".img"), []byte(text), 0o666)
}

// apart puts the schedules of the pipelines in which stages are fused or inlined into a file, as they are planned without that.
func apart(dir, name string, plans []*imgc.Plan, guesses map[string]guess) error {
	text := ""
	for _, p := range plans {
		s := &schedule.Schedule{Pipeline: p.Pipeline.Name}
		most := 0.0
		for _, g := range p.Groups {
			if g.Place != 0 {
				most = max(most, g.Apart)
				s.Stages = append(s.Stages, &schedule.Stage{Name: g.Stage.Name, Decisions: schedule.Decisions{Place: schedule.Root}})
			}
		}
		if len(s.Stages) > 0 {
			guesses[p.Pipeline.Name] = guess{s.Stages[0].Name + ": root", 1e6 * most}
			text += s.String()
		}
	}
	return os.WriteFile(filepath.Join(dir, name+".img"), []byte(text), 0o666)
}

// lineOf is what a schedule has of decisions, as long as it has any.
func lineOf(d schedule.Decisions) string {
	if d == (schedule.Decisions{}) {
		return "one instance for each work-item"
	}
	return d.String()
}

// ranked is the k-th candidate of the heaviest stage, and the planned one of others.
func ranked(c *plan.Choice, heaviest bool, k int) (plan.Candidate, bool) {
	if !heaviest || k == 0 {
		return c.Picked, heaviest
	}
	if k > len(c.Rejected) || c.Rejected[k-1].Illegal != "" {
		return c.Picked, false
	}
	return c.Rejected[k-1], true
}

// without are the decisions that are left out one at a time.
var without = []omission{
	{"vectors", func(d *schedule.Decisions) { d.Vector, d.Dot4, d.Packed16, d.Flat = 1, 0, 0, 0 }},
	{"rows", func(d *schedule.Decisions) {
		if d.Item[1] > 1 {
			d.Tile[1], d.Item[1] = d.Tile[1]/d.Item[1], 1
		}
	}},
	{"arithmetic", func(d *schedule.Decisions) { d.Dot4, d.Packed16 = 0, 0 }},
	{"local", func(d *schedule.Decisions) {
		if d.Local != 0 {
			d.Local, d.Item, d.Tile, d.Vector = 0, [2]int{4, 4}, [2]int{128, 16}, 16
		}
	}},
	{"flat", func(d *schedule.Decisions) { d.Flat = 0 }},
	{"tree", func(d *schedule.Decisions) { d.Reduce, d.Copies = 0, [3]int{} }},
	{"everything", func(d *schedule.Decisions) { *d = schedule.Decisions{Item: [2]int{1}} }},
}

// An omission is a decision that is left out.
type omission struct {
	name string
	omit func(d *schedule.Decisions)
}

// of is a stage's plan without the decision, and whether that is another one which the stage accepts.
func (o omission) of(c *plan.Choice) (plan.Candidate, bool) {
	out := c.Picked
	o.omit(&out.Decisions)
	if out.Decisions == c.Picked.Decisions || lower.Refuse(c.Stage.Of, out.Decisions, kir.Contract) != "" {
		return c.Picked, false
	}
	return out, true
}
