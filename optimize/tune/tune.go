package tune

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"imgc/optimize/plan"
	"imgc/optimize/schedule"
)

// A Problem is what is to be tuned.
type Problem struct {
	// Plan plans the pipeline where these stages, by their names, are placed like this.
	Plan func(placed map[string]schedule.Placement) *plan.Plan
	// Time measures a schedule.
	Time func(*schedule.Schedule) (time.Duration, error)
	// From is the schedule to begin with; nil for the planned one.
	From *schedule.Schedule
	// Skip is how many schedules an earlier search, which From comes from, has tried.
	Skip int
	// Over, asked before each schedule, ends the search; nil for never.
	Over func() bool
	// Step, if not nil, hears of each schedule that was measured.
	Step func(Step)
}

// A Step is a schedule that was tried.
type Step struct {
	Tried, All int
	Time       time.Duration // 0 where it could not be measured
	Best       time.Duration // of all so far
	Err        error         // why it could not be measured, although the best one still can
	So         Outcome       // what the search would end with now
}

// An Outcome is the best schedule that was found.
type Outcome struct {
	Schedule    *schedule.Schedule
	Start, Best time.Duration // of the schedule that it began with, and of the best
	Tried, All  int           // of the schedules that the search knows, earlier searches included
	Failed      int           // that could not be measured
}

// enough is how much less time a schedule has to take, so as not to follow chance.
const enough = 0.99

// Search tries schedules until none is left or the search is over. The error is that of measuring: of the schedule that it began with, or
// of the best one, measured again after another has failed.
func Search(p Problem) (*Outcome, error) {
	s := &search{Problem: p, places: map[string]schedule.Placement{}}
	if p.From != nil {
		for _, st := range p.From.Stages {
			if st.Place != 0 {
				s.places[st.Name] = st.Place
			}
		}
	}
	s.plan = p.Plan(s.places)
	s.out.Schedule = s.plan.Schedule()
	if p.From != nil {
		s.out.Schedule = over(p.From, s.out.Schedule)
	}
	t, err := p.Time(s.out.Schedule)
	if err != nil {
		return nil, err
	}
	s.out.Start, s.out.Best = t, t
	for _, phase := range []func() error{s.placements, s.candidates} {
		if err := phase(); err != nil {
			return nil, err
		}
	}
	return &s.out, nil
}

// over is a schedule with the lines of another for stages that it has none for.
func over(from, base *schedule.Schedule) *schedule.Schedule {
	out := &schedule.Schedule{Pipeline: base.Pipeline, Device: base.Device}
	for _, st := range from.Stages {
		out.Stages = append(out.Stages, &schedule.Stage{Name: st.Name, Decisions: st.Decisions})
	}
	for _, st := range base.Stages {
		if out.Stage(st.Name) == (schedule.Decisions{}) {
			out.Stages = append(out.Stages, st)
		}
	}
	return out
}

type search struct {
	Problem
	places map[string]schedule.Placement
	plan   *plan.Plan // of the best schedule
	out    Outcome
}

// over reports whether the search has to end.
func (s *search) over() bool { return s.Over != nil && s.Over() }

// try measures a schedule, and keeps it where it is faster. One that an earlier search has tried is passed by.
func (s *search) try(next *schedule.Schedule) (kept bool, err error) {
	s.out.Tried++
	if s.out.Tried <= s.Skip {
		return false, nil
	}
	step := Step{Tried: s.out.Tried, All: s.out.All}
	step.Time, step.Err = s.Time(next)
	if step.Err != nil {
		s.out.Failed++
		step.Time = 0
		if _, err := s.Time(s.out.Schedule); err != nil {
			return false, err // it is the device, not the schedule
		}
	} else if kept, err = s.faster(next, step.Time); err != nil {
		return false, err
	}
	step.Best, step.So = s.out.Best, s.out
	if s.Step != nil {
		s.Step(step)
	}
	return kept, nil
}

// faster keeps a schedule that takes less time, measured a second time, in turn with the best one.
func (s *search) faster(next *schedule.Schedule, t time.Duration) (bool, error) {
	less := func(a, b time.Duration) bool { return float64(a) < enough*float64(b) }
	if !less(t, s.out.Best) {
		return false, nil
	}
	best, err := s.Time(s.out.Schedule)
	if err != nil {
		return false, err
	}
	again, err := s.Time(next)
	if err != nil {
		return false, err
	}
	s.out.Best, t = min(s.out.Best, best), min(t, again)
	if !less(t, s.out.Best) {
		return false, nil
	}
	s.out.Schedule, s.out.Best = next, t
	return true, nil
}

// placements tries each stage that may be fused or inlined the other way.
func (s *search) placements() error {
	for _, g := range s.plan.Groups {
		if g.Why != "" {
			continue
		}
		s.out.All = max(s.out.All, s.out.Tried+1)
		if s.over() {
			return nil
		}
		places := maps.Clone(s.places)
		if places[g.Stage.Name] = schedule.Root; g.Place <= schedule.Root {
			places[g.Stage.Name] = g.Tried
		}
		next := s.Plan(places)
		kept, err := s.try(next.Schedule())
		if err != nil {
			return err
		}
		if kept {
			s.plan, s.places = next, places
		}
	}
	return nil
}

// A move gives a stage other decisions.
type move struct {
	rank      int
	cost      float64 // that is predicted for the stage as it is
	stage     string
	decisions schedule.Decisions
}

// candidates tries the rejected candidates of all stages: by rank, and of the same rank those of the stage that takes longest.
func (s *search) candidates() error {
	moves := moves(s.plan)
	s.out.All = s.out.Tried + len(moves)
	for _, m := range moves {
		if s.over() {
			return nil
		}
		next := over(&schedule.Schedule{Stages: []*schedule.Stage{{Name: m.stage, Decisions: m.decisions}}}, s.out.Schedule)
		if next.String() == s.out.Schedule.String() {
			s.out.Tried++
			continue
		}
		if _, err := s.try(next); err != nil {
			return err
		}
	}
	return nil
}

func moves(p *plan.Plan) []move {
	var all []move
	seen := map[string]bool{}
	for _, c := range p.Choices {
		name := c.Stage.Of.Name
		if seen[name] {
			continue // lines of a schedule are for the first stage of a name
		}
		seen[name] = true
		rank := 0
		for _, r := range c.Rejected {
			d := r.Decisions
			d.Separate, d.Overlap = c.Picked.Separate, c.Picked.Overlap // which made the stage that they are for
			if r.Illegal != "" || d.Whole() != c.Picked.Whole() {       // lines as wholes are other stages than chunks
				continue
			}
			if d == (schedule.Decisions{}) {
				d.Item[0] = 1 // a line without decisions would be planned
			}
			rank++
			all = append(all, move{rank, c.Picked.Cost.Total(), name, d})
		}
	}
	slices.SortStableFunc(all, func(a, b move) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(b.cost, a.cost))
	})
	return all
}

// String is the outcome in a line: "0.123 ms, 0.150 ms before; 41 of 120 schedules tried".
func (o *Outcome) String() string {
	ms := func(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
	return fmt.Sprintf("%.4g ms, %.4g ms before; %d of %d schedules tried", ms(o.Best), ms(o.Start), o.Tried, o.All)
}
