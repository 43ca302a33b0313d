package coarse_test

import (
	"fmt"
	"strings"
	"testing"

	"imgc/hast"
	"imgc/optimize/coarse"
	"imgc/sema/sematest"
)

// outline says which stages a list of steps has, the image that each writes, and its rows, and under which conditions.
func outline(list []hast.Step) string {
	var parts []string
	for _, s := range list {
		switch s := s.(type) {
		case *hast.IfHost:
			part := "if " + hast.Text(s.Cond) + " {" + outline(s.Then) + "}"
			if len(s.Else) > 0 {
				part += " else {" + outline(s.Else) + "}"
			}
			parts = append(parts, part)
		case *hast.Stage:
			hast.EachStore(s.Body, func(st *hast.Store) {
				parts = append(parts, st.Image.Name+" of "+hast.Text(s.Space.Ranges[0].Hi))
			})
		default:
			parts = append(parts, fmt.Sprintf("%T", s))
		}
	}
	return strings.Join(parts, "; ")
}

func traverse(t *testing.T, body string) (*hast.Pipeline, *hast.Traverse) {
	t.Helper()
	p := sematest.Program(t, "pipeline p(inout a: i32[N], in n: i32) { pyramid g: i32[N] border clamp levels n; g[0] = a; traverse (g) { "+body+" } a = g[0]; }").Pipelines[0]
	for _, s := range p.Steps {
		if s, ok := s.(*hast.Traverse); ok {
			return p, s
		}
	}
	t.Fatal("no traverse")
	return nil, nil
}

func TestLevelsWrittenOut(t *testing.T) {
	for _, c := range []struct {
		name, body string
		levels     int
		want       string
	}{
		{
			"down", "if (!g.top) g[0] = [g[-1][2*i] for i]; descend;", 2,
			"if !(level == 0) {g[0] of N_level}; if ((level + 1) < n) {g[+1] of (((N_level - 1) / 2) + 1)}",
		},
		{
			"up", "descend; if (!g.bottom) g[0] = [g[+1][i/2] for i];", 2,
			"if ((level + 1) < n) {if !(((level + 1) + 1) == n) {g[+1] of (((N_level - 1) / 2) + 1)}}; if !((level + 1) == n) {g[0] of N_level}",
		},
		{
			"either side", "if (g.top) g[0] = 1; else g[0] = 2; descend;", 3,
			"if (level == 0) {g[0] of N_level} else {g[0] of N_level}; if ((level + 1) < n) {g[+1] of (((N_level - 1) / 2) + 1); " +
				"if ((level + 2) < n) {g[+2] of (((N_level - 1) / 4) + 1)}}",
		},
		{
			"from above", "if (!g.top) g[0] = [g[-1][2*i] for i]; descend; if (!g.bottom) g[+1] = 3;", 2,
			"if !(level == 0) {g[0] of N_level}; if ((level + 1) < n) {g[+1] of (((N_level - 1) / 2) + 1); " +
				"if !(((level + 1) + 1) == n) {g[+2] of (((((N_level - 1) / 2) + 1) + 1) / 2)}}; if !((level + 1) == n) {g[+1] of ((N_level + 1) / 2)}",
		},
	} {
		p, x := traverse(t, c.body)
		if why := coarse.Refuse(p, x); why != "" {
			t.Errorf("%s: %s", c.name, why)
			continue
		}
		before := hast.Dump(&hast.Program{Pipelines: []*hast.Pipeline{p}})
		if got := outline(coarse.Unroll(x, c.levels).Steps); got != c.want {
			t.Errorf("%s: %s\nwant %s", c.name, got, c.want)
		}
		if hast.Dump(&hast.Program{Pipelines: []*hast.Pipeline{p}}) != before {
			t.Errorf("%s: the program has changed", c.name)
		}
	}
}

func TestHowManyLevelsAreWrittenOut(t *testing.T) {
	_, x := traverse(t, "if (!g.top) g[0] = [g[-1][2*i] for i]; descend;")
	for levels, refused := range map[int]bool{1: true, 2: false, coarse.Most: false, coarse.Most + 1: true} {
		if why := coarse.RefuseLevels(x, levels); (why != "") != refused {
			t.Errorf("%d levels: %q", levels, why)
		}
	}
}

// TestStoredPartsRunInTurn: stages that were put together, and store what they hand on, are written out one after the other.
func TestStoredPartsRunInTurn(t *testing.T) {
	p, x := traverse(t, "if (!g.top) { g[0] = [g[-1][2*i] for i]; g[-1] = [g[0][i/2] for i]; } descend; if (!g.bottom) g[0] = [g[+1][i/2] for i];")
	first := x.Body[0].(*hast.IfHost)
	together := *first.Then[1].(*hast.Stage)
	together.Fused = []*hast.Stage{first.Then[0].(*hast.Stage)}
	first.Then = []hast.Step{&together}
	if why := coarse.Refuse(p, x); why != "" {
		t.Fatal(why)
	}
	if got, want := outline(coarse.Unroll(x, 2).Steps[:1]), "if !(level == 0) {g[0] of N_level; g[-1] of N_finer}"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	together.Inner = []*hast.Image{{Name: "m"}}
	if why := coarse.Refuse(p, x); !strings.HasSuffix(why, "has others fused with it") {
		t.Errorf("what is in no memory: %q", why)
	}
}
