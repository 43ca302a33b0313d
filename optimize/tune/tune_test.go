package tune

import (
	"errors"
	"strings"
	"testing"
	"time"

	"imgc/hast"
	"imgc/optimize/feature"
	"imgc/optimize/plan"
	"imgc/optimize/schedule"
)

func tiles(n int) schedule.Decisions { return schedule.Decisions{Tile: [2]int{n}} }

// planned has the stages a, which may be fused with b, and b: each with some candidates beside the planned tile(1).
func planned(placed map[string]schedule.Placement) *plan.Plan {
	choice := func(name string) *plan.Choice {
		c := &plan.Choice{Stage: &feature.Stage{Of: &hast.Stage{Name: name}}, Picked: plan.Candidate{Decisions: tiles(1)}}
		for _, n := range []int{2, 3, 4} {
			c.Rejected = append(c.Rejected, plan.Candidate{Decisions: tiles(n)})
		}
		c.Rejected = append(c.Rejected, plan.Candidate{Decisions: tiles(99), Illegal: "too large"})
		return c
	}
	a := &plan.Grouping{Stage: &hast.Stage{Name: "a"}, Tried: schedule.Fuse, Place: placed["a"]}
	if a.Place == schedule.Root {
		a.Place = 0
	}
	p := &plan.Plan{Pipeline: &hast.Pipeline{Name: "p"}, Groups: []*plan.Grouping{a}, Choices: []*plan.Choice{choice("b")}}
	if a.Place == 0 {
		p.Choices = append([]*plan.Choice{choice("a")}, p.Choices...)
	}
	return p
}

var errBroken = errors.New("the driver refuses it")

func TestSearch(t *testing.T) {
	for _, c := range []struct {
		name   string
		time   func(text string) time.Duration // 0 for a schedule that fails
		from   *schedule.Schedule
		skip   int
		most   int // schedules that are measured; 0 for all
		want   string
		tried  int
		failed int
	}{
		{name: "fusing pays, then another tile", time: func(s string) time.Duration {
			n := time.Duration(1000)
			if strings.Contains(s, "a: fuse") {
				n -= 300
			}
			if strings.Contains(s, "b: tile(3)") {
				n -= 200
			}
			return n
		}, want: "b: tile(3); a: fuse;", tried: 4},
		{name: "each stage by itself", time: func(s string) time.Duration {
			n := time.Duration(1000)
			for _, good := range []string{"a: tile(4)", "b: tile(2)"} {
				if strings.Contains(s, good) {
					n -= 100
				}
			}
			return n
		}, want: "a: tile(4); b: tile(2);", tried: 7},
		{name: "chance is not followed", time: func(s string) time.Duration {
			return time.Duration(1000 - strings.Count(s, "tile(2)"))
		}, want: "a: tile(1); b: tile(1);", tried: 7},
		{name: "what fails is passed over", time: func(s string) time.Duration {
			switch {
			case strings.Contains(s, "tile(2)"), strings.Contains(s, "fuse"):
				return 0
			case strings.Contains(s, "b: tile(3)"):
				return 500
			}
			return 1000
		}, want: "b: tile(3); a: tile(1);", tried: 7, failed: 3},
		{name: "an earlier search goes on", time: func(s string) time.Duration {
			if strings.Contains(s, "tile(2)") || strings.Contains(s, "fuse") {
				return 1 // was not so good before
			}
			return 1000
		}, from: &schedule.Schedule{Stages: []*schedule.Stage{{Name: "b", Decisions: tiles(4)}}}, skip: 3, want: "b: tile(4); a: tile(1);", tried: 7},
		{name: "time runs out", time: func(s string) time.Duration { return 1000 }, most: 2, want: "a: tile(1); b: tile(1);", tried: 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			steps := 0
			out, err := Search(Problem{
				Plan: planned, From: c.from, Skip: c.skip, Step: func(Step) { steps++ },
				Over: func() bool { return c.most > 0 && steps >= c.most },
				Time: func(s *schedule.Schedule) (time.Duration, error) {
					d := c.time(s.String())
					if d == 0 {
						return 0, errBroken
					}
					return d, nil
				},
			})
			if err != nil {
				t.Fatal(err)
			}
			if got := lines(out.Schedule); !sameLines(got, c.want) || out.Tried != c.tried || out.Failed != c.failed {
				t.Errorf("%s with %d tried, %d failed, want %s with %d, %d", got, out.Tried, out.Failed, c.want, c.tried, c.failed)
			}
		})
	}
}

func lines(s *schedule.Schedule) string {
	_, text, _ := strings.Cut(strings.TrimSuffix(s.String(), "}\n"), "{\n")
	return strings.TrimSpace(strings.ReplaceAll(strings.ReplaceAll(text, "\n", " "), "    ", ""))
}

// sameLines compares without regard to order.
func sameLines(a, b string) bool {
	of := func(s string) map[string]bool {
		m := map[string]bool{}
		for _, l := range strings.Split(s, ";") {
			m[strings.TrimSpace(l)] = true
		}
		return m
	}
	x, y := of(a), of(b)
	for l := range x {
		if !y[l] {
			return false
		}
	}
	return len(x) == len(y)
}

func TestALostDeviceEndsTheSearch(t *testing.T) {
	for _, after := range []int{0, 3} {
		n := 0
		_, err := Search(Problem{Plan: planned, Time: func(*schedule.Schedule) (time.Duration, error) {
			if n++; n > after {
				return 0, errBroken
			}
			return time.Duration(1000), nil
		}})
		if !errors.Is(err, errBroken) {
			t.Errorf("lost after %d measurements: %v", after, err)
		}
	}
}
