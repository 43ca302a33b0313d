package main

import (
	"cmp"
	"fmt"
	"slices"

	"imgc"
	"imgc/archmodels"
	"imgc/kir"
	"imgc/optimize/lower"
	"imgc/optimize/plan"
	"imgc/optimize/schedule"
)

// A variant is one way to carry a pipeline out.
type variant struct {
	name      string
	line      string  // of the stage that takes longest
	predicted float64 // microseconds
	columns   int     // by so many images are narrower
	options   imgc.Options
}

// planned is the name of the plan itself.
const planned = "rank-00"

// variants are the plan, the plan without each decision, and the plan with the other candidates of its heaviest stage by rank. Decisions
// of one kind are left out of all stages.
func variants(p *plan.Plan, arch *imgc.Architecture, count int) []variant {
	heaviest := slices.MaxFunc(p.Choices, func(a, b *plan.Choice) int {
		return cmp.Compare(a.Picked.Cost.Total(), b.Picked.Cost.Total())
	})
	total := 0.0
	for _, c := range p.Choices {
		total += c.Picked.Cost.Total()
	}
	name, picked := heaviest.Stage.Of.Name, heaviest.Picked
	with := func(label string, s *schedule.Schedule, total float64) variant {
		s.Device = ""
		return variant{name: label, line: s.Stage(name).String(), predicted: 1e6 * total, options: imgc.Options{Schedule: &imgc.Text{Name: label + ".img", Text: s.String()}}}
	}
	list := []variant{with(planned, p.Schedule(), total)}
	for _, o := range omissions {
		if s := o.of(p); s != nil {
			list = append(list, with("without-"+o.name, s, 0))
		}
	}
	if s := unfused(p); s != nil {
		list = append(list, with("without-fusion", s, 0))
	}
	list = append(list, narrow(arch)...)
	for k, c := range heaviest.Rejected {
		if k+1 >= count || c.Illegal != "" {
			break
		}
		d := c.Decisions
		d.Separate, d.Gather, d.Table, d.Overlap, d.Place = picked.Separate, picked.Gather, picked.Table, picked.Overlap, picked.Place
		list = append(list, with(fmt.Sprintf("rank-%02d", k+1), replaced(p.Schedule(), name, d), total-picked.Cost.Total()+c.Cost.Total()))
	}
	return list
}

// replaced is a schedule with other decisions for a stage. A line without decisions would be planned.
func replaced(s *schedule.Schedule, name string, d schedule.Decisions) *schedule.Schedule {
	if d == (schedule.Decisions{}) {
		d.Item[0] = 1
	}
	for _, st := range s.Stages {
		if st.Name == name {
			st.Decisions = d
			return s
		}
	}
	s.Stages = append(s.Stages, &schedule.Stage{Name: name, Decisions: d})
	return s
}

// An omission leaves decisions of one kind out.
type omission struct {
	name string
	omit func(d *schedule.Decisions)
}

var omissions = []omission{
	{"vectors", func(d *schedule.Decisions) { d.Vector, d.Dot4, d.Packed16, d.Flat = 1, 0, 0, 0 }},
	{"rows", func(d *schedule.Decisions) {
		if d.Item[1] > 1 && d.Tile[1] > 0 {
			d.Tile[1], d.Item[1], d.Stream, d.Rolled = max(1, d.Tile[1]/d.Item[1]), 1, 0, 0
		}
	}},
	{"streams", func(d *schedule.Decisions) { d.Stream, d.Rolled = 0, 0 }},
	{"interior", func(d *schedule.Decisions) { d.Interior = 0 }},
	{"arithmetic", func(d *schedule.Decisions) { d.Dot4, d.Packed16 = 0, 0 }},
	{"local", func(d *schedule.Decisions) {
		if d.Local != 0 {
			d.Local, d.Item, d.Tile, d.Vector, d.Stream, d.Rolled = 0, [2]int{4, 4}, [2]int{128, 16}, 16, 0, 0
		}
	}},
	{"flat", func(d *schedule.Decisions) { d.Flat = 0 }},
	{"registers", func(d *schedule.Decisions) { d.Resident = 0 }},
	{"panels", func(d *schedule.Decisions) {
		if d.Panels > 0 {
			*d = schedule.Decisions{Item: [2]int{1}}
		}
	}},
	{"ahead", func(d *schedule.Decisions) { d.Ahead, d.Fetch = 0, 0 }},
	{"coarse", func(d *schedule.Decisions) { d.Coarse, d.Loops = [3]int{}, [2]int{} }},
	{"tree", func(d *schedule.Decisions) {
		if d.Reduce > 0 || d.Copies[0]+d.Cells > 0 {
			*d = schedule.Decisions{Item: [2]int{1}}
		}
	}},
	{"separation", func(d *schedule.Decisions) { d.Separate = 0 }},
	{"gathers", func(d *schedule.Decisions) { d.Gather = 0 }},
	{"tables", func(d *schedule.Decisions) { d.Table = 0 }},
	{"sharing", func(d *schedule.Decisions) {
		if d.Overlap[0] > 0 {
			*d = schedule.Decisions{Item: [2]int{1}}
		}
	}},
	{"everything", func(d *schedule.Decisions) {
		if d.Place == 0 {
			*d = schedule.Decisions{Item: [2]int{1}}
		}
	}},
}

// of is the plan without decisions of the kind; nil where it has none, or where a stage does not allow it.
func (o omission) of(p *plan.Plan) *schedule.Schedule {
	s, changed := p.Schedule(), false
	rows := map[string]bool{} // stages that there are where others are separated, or have tables
	for _, st := range s.Stages {
		rows[st.Name] = s.Makes(st.Name)
	}
	for _, st := range s.Stages {
		was := st.Decisions
		if o.omit(&st.Decisions); st.Decisions == was {
			continue
		}
		changed = true
		for _, c := range p.Choices {
			if c.Stage.Of.Name == st.Name && lower.Refuse(c.Stage.Of, st.Decisions, kir.Contract) != "" {
				return nil
			}
		}
	}
	if !changed {
		return nil
	}
	s.Stages = slices.DeleteFunc(s.Stages, func(st *schedule.Stage) bool { return rows[st.Name] && !s.Makes(st.Name) })
	return s
}

// unfused is a schedule that puts each stage that is fused or inlined by itself, and leaves the rest to the plan; nil where none is.
func unfused(p *plan.Plan) *schedule.Schedule {
	s := &schedule.Schedule{Pipeline: p.Pipeline.Name}
	for _, g := range p.Groups {
		if g.Place != 0 {
			s.Stages = append(s.Stages, &schedule.Stage{Name: g.Stage.Name, Decisions: schedule.Decisions{Place: schedule.Root}})
		}
	}
	if len(s.Stages) == 0 {
		return nil
	}
	return s
}

// narrow are the plan for images whose lines do not end where they would for vectors, with lines padded as the model wants, and without.
func narrow(arch *imgc.Architecture) []variant {
	bare := *arch
	bare.Memory.RowAlignment = archmodels.Figure{Known: true, Value: 1}
	return []variant{
		{name: "narrow", columns: 1, options: imgc.Options{Arch: arch}},
		{name: "narrow-unpadded", columns: 1, options: imgc.Options{Arch: &bare}},
	}
}
