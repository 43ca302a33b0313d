package interp

import (
	"context"
	"errors"
	"strings"
	"testing"

	"imgc/hast"
	"imgc/ops"
	"imgc/types"
)

// roundAndRound is a pipeline with a loop of the host that does not end.
func roundAndRound() *hast.Pipeline {
	p := newProgram()
	p.Name = "endless"
	p.image("dst", hast.Out, tU8, i32(1))
	yes := &hast.Const{Typed: typed(tBool), Words: []types.Word{1}}
	p.Steps = []hast.Step{&hast.WhileHost{Cond: yes, Body: []hast.Step{&hast.IfHost{Cond: yes, Then: []hast.Step{&hast.ContinueHost{}}}, &hast.BreakHost{}}}}
	return p.Pipeline
}

func TestALoopOfTheHostWithoutEndIsStopped(t *testing.T) {
	_, err := Run(context.Background(), roundAndRound(), Args{}, Options{MaxRounds: 1000})
	if err == nil || !strings.Contains(err.Error(), "this loop does not seem to end: the pipeline has made 1000 rounds") {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Run(ctx, roundAndRound(), Args{}, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("after it was cancelled: %v", err)
	}
}

// TestControlFlowOfTheHost counts rounds: each adds to an out scalar what the loop's variable is.
func TestControlFlowOfTheHost(t *testing.T) {
	sum, k := newVar("sum", tI32, hast.HostMutable), newVar("k", tI32, hast.HostLoop)
	add := &hast.SetHost{Var: sum, Value: op(ops.Add, ref(sum), ref(k))}
	at := func(n int64, then hast.Step) hast.Step {
		return &hast.IfHost{Cond: op(ops.Eq, ref(k), i32(n)), Then: []hast.Step{then}}
	}
	for _, c := range []struct {
		name string
		r    hast.Range
		body []hast.Step
		want int64
	}{
		{"up", hast.Range{Lo: i32(1), Hi: i32(6), Step: 2}, []hast.Step{add}, 9},
		{"down", hast.Range{Lo: i32(5), Hi: i32(0), Step: -2}, []hast.Step{add}, 9},
		{"not at all", hast.Range{Lo: i32(5), Hi: i32(0), Step: 1}, []hast.Step{add}, 0},
		{"break", hast.Range{Lo: i32(0), Hi: i32(10), Step: 1}, []hast.Step{at(3, &hast.BreakHost{}), add}, 3},
		{"continue", hast.Range{Lo: i32(0), Hi: i32(5), Step: 1}, []hast.Step{at(3, &hast.ContinueHost{}), add}, 7},
		{"inner break", hast.Range{Lo: i32(0), Hi: i32(3), Step: 1}, []hast.Step{
			&hast.WhileHost{Cond: op(ops.Eq, ref(k), ref(k)), Body: []hast.Step{&hast.BreakHost{}}}, add}, 3},
	} {
		p := newProgram()
		out := p.scalar("out", hast.Out, tI32)
		p.Steps = []hast.Step{
			&hast.DefineHost{Var: sum, Value: i32(0)},
			&hast.ForHost{Var: k, Range: c.r, Body: c.body},
			&hast.SetScalar{Var: out, Value: ref(sum)},
		}
		if err := hast.Verify(&hast.Program{Pipelines: []*hast.Pipeline{p.Pipeline}}); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		r, err := Run(context.Background(), p.Pipeline, Args{}, Options{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		} else if got := r.Scalars["out"].Words[0].Int(); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}
