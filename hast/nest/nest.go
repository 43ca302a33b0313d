package nest

import (
	"fmt"
	"slices"

	"imgc/hast"
	"imgc/hast/linear"
	"imgc/ops"
)

// Program is p with loops over pixels as variables of stages. It does not change p.
func Program(p *hast.Program) *hast.Program {
	out := *p
	out.Pipelines = nil
	for _, pl := range p.Pipelines {
		q, _ := pipeline(pl)
		out.Pipelines = append(out.Pipelines, q)
	}
	return &out
}

// A Loop is one that stays in the body of a few instances and goes through pixels, and why it does, as the end of a sentence.
type Loop struct {
	Of  *hast.For
	Why string
}

// Serial are the loops of a pipeline that stay.
func Serial(p *hast.Pipeline) []Loop {
	_, loops := pipeline(p)
	return loops
}

// A nester takes apart the stages of one pipeline.
type nester struct {
	out   *hast.Pipeline
	names map[string]bool
	loops []Loop
}

func pipeline(p *hast.Pipeline) (*hast.Pipeline, []Loop) {
	out := *p
	out.Images = slices.Clone(p.Images)
	k := &nester{out: &out, names: map[string]bool{}}
	hast.WalkSteps(p.Steps, func(s hast.Step) {
		if s, ok := s.(*hast.Stage); ok {
			k.names[s.Name] = true
		}
	})
	changed := false
	out.Steps = hast.MapSteps(p.Steps, func(s hast.Step) (list []hast.Step) {
		switch s := s.(type) {
		case *hast.Traverse: // images beside a level would have to be one for each level
			return []hast.Step{s}
		case *hast.Stage:
			stages := k.stage(s)
			if len(stages) == 1 && stages[0] == s {
				return nil
			}
			changed = true
			for _, s := range stages {
				list = append(list, s)
			}
		}
		return list
	})
	if !changed {
		return p, k.loops
	}
	return &out, k.loops
}

// stage are the stages that take the place of one, in order: itself where it has no loops, or they stay.
func (k *nester) stage(s *hast.Stage) (out []*hast.Stage) {
	if len(s.Fused) > 0 || s.Reduced != nil || !hasLong(s) {
		return []*hast.Stage{s}
	}
	for _, part := range k.distributed(s) {
		n := nestOf(part)
		if n == nil {
			k.stays(part, "it is not all that its instance does behind definitions, or the host does not know how far it goes")
			out = append(out, part)
			continue
		}
		to, why := k.flattened(n)
		if to == nil {
			k.stays(part, why)
			out = append(out, part)
			continue
		}
		last := len(to) - 1
		out = append(out, to[:last]...)
		out = append(out, k.stage(to[last])...)
	}
	return out
}

// stays notes the first loop of a stage that stays, if it has one.
func (k *nester) stays(s *hast.Stage, why string) {
	found := false
	hast.WalkBody(s.Body, func(st hast.Stmt) {
		if f, ok := st.(*hast.For); ok && !found && isLong(f) {
			found = true
			k.loops = append(k.loops, Loop{f, why})
		}
	}, nil)
}

// name is a new one for a stage that is a part of another one.
func (k *nester) name(of string) string {
	for n := 2; ; n++ {
		if name := fmt.Sprintf("%s_%d", of, n); !k.names[name] {
			k.names[name] = true
			return name
		}
	}
}

// Loops of more rounds are pixels, and those of fewer components and planes, of which an instance has all.
const fewRounds = 64

// isLong reports whether a loop goes through pixels that it writes: of lines as long as images of the caller's, and not of as many weights or planes as the host says.
func isLong(f *hast.For) bool {
	if f.Chunk || f.Space.Points != nil {
		return false
	}
	writes := false
	hast.EachStore(f.Body, func(st *hast.Store) {
		for _, i := range st.Index {
			writes = writes || !readsMemory(i) && hast.Names(i, withLets(f.Space.Vars, f.Body))
		}
	})
	return writes && slices.ContainsFunc(f.Space.Ranges, func(r hast.Range) bool {
		lo, known := hast.Number(r.Lo)
		hi, too := hast.Number(r.Hi)
		if known && too {
			return max(hi-lo, lo-hi) > fewRounds
		}
		return ofLines(r.Lo) && ofLines(r.Hi)
	})
}

// ofLines reports whether an expression is a sum of sizes, of parts of these, and of names that the program gives such sums: of no other values of the host.
func ofLines(e hast.Expr) bool {
	parts, _ := linear.Parts(e)
	return !slices.ContainsFunc(parts, func(p linear.Part) bool {
		switch x := p.X.(type) {
		case *hast.Ref:
			return x.Var.Class.OfHost() && x.Var.Class != hast.SizeVar
		case *hast.Op:
			if len(x.Args) == 2 && x.Op == ops.Div {
				_, known := hast.Number(x.Args[1])
				return !known || !ofLines(x.Args[0])
			}
		}
		return true
	})
}

// hasLong reports whether a stage of few instances has such loops: of lines, or of one.
func hasLong(s *hast.Stage) (found bool) {
	if len(s.Across()) > 1 {
		return false
	}
	hast.WalkBody(s.Body, func(st hast.Stmt) {
		if f, ok := st.(*hast.For); ok {
			found = found || isLong(f)
		}
	}, nil)
	return found
}

// withLets are variables and those lets of a body that are computed from them alone.
func withLets(vars []*hast.Var, body []hast.Stmt) []*hast.Var {
	vars = slices.Clone(vars)
	hast.WalkBody(body, func(st hast.Stmt) {
		if d, ok := st.(*hast.Define); ok && d.Init != nil && !readsMemory(d.Init) && hast.Names(d.Init, vars) {
			vars = append(vars, d.Var)
		}
	}, nil)
	return vars
}

// distributed are the stages of which each does one part of what the instances of a stage without a scan do: each loop over pixels, and what stands before, between and behind them. Instances touch
// no pixel together, and so may all do one thing first and then the next.
func (k *nester) distributed(s *hast.Stage) []*hast.Stage {
	if s.Scan != nil {
		return []*hast.Stage{s}
	}
	parts, ok := parted(s.Body)
	if !ok || len(parts) < 2 {
		return []*hast.Stage{s}
	}
	var out []*hast.Stage
	named := false
	for i, body := range parts {
		x := *s
		x.Body = hast.Renewed(body)
		if f, ok := body[len(body)-1].(*hast.For); named || !(ok && isLong(f)) && i < len(parts)-1 {
			x.Name = k.name(s.Name)
		} else {
			named = true
		}
		out = append(out, &x)
	}
	return out
}

// parted are the parts of a body that may be done one after the other, each with the definitions that it uses; false where something but lets that read nothing that is written connects them.
func parted(body []hast.Stmt) (parts [][]hast.Stmt, ok bool) {
	var defined []*hast.Define
	var now []hast.Stmt
	var groups [][]hast.Stmt
	for _, st := range body {
		if d, ok := st.(*hast.Define); ok {
			defined = append(defined, d)
			continue
		}
		if f, ok := st.(*hast.For); ok && isLong(f) {
			if len(now) > 0 {
				groups = append(groups, now)
			}
			groups, now = append(groups, []hast.Stmt{st}), nil
			continue
		}
		now = append(now, st)
	}
	if len(now) > 0 {
		groups = append(groups, now)
	}
	written := writes(body)
	users := map[*hast.Var]int{}
	for _, g := range groups {
		used := usedIn(g, defined)
		var part []hast.Stmt
		for _, d := range defined {
			if !used[d.Var] {
				continue
			}
			if users[d.Var]++; users[d.Var] > 1 && (d.Var.Class == hast.Mutable || readsAny(d.Init, written)) || d.Var.Class != hast.Mutable && len(groups) > 1 && readsAny(d.Init, written) {
				return nil, false
			}
			part = append(part, d)
		}
		parts = append(parts, append(part, g...))
	}
	return parts, true
}

// usedIn are the variables of some definitions that statements use, directly or for others.
func usedIn(list []hast.Stmt, defined []*hast.Define) map[*hast.Var]bool {
	used := map[*hast.Var]bool{}
	look := func(e hast.Expr) {
		if r, ok := e.(*hast.Ref); ok {
			used[r.Var] = true
		}
	}
	hast.WalkBody(list, func(st hast.Stmt) {
		if s, ok := st.(*hast.Set); ok {
			used[s.Var] = true
		}
	}, look)
	for _, d := range slices.Backward(defined) {
		if used[d.Var] && d.Init != nil {
			hast.Walk(d.Init, look)
		}
	}
	return used
}

// writes are the images whose storage a body writes.
func writes(body []hast.Stmt) map[*hast.Image]bool {
	out := map[*hast.Image]bool{}
	hast.EachStore(body, func(st *hast.Store) { out[st.Image.Base()] = true })
	return out
}

// readsAny reports whether an expression reads one of some images.
func readsAny(e hast.Expr, images map[*hast.Image]bool) (found bool) {
	if e == nil {
		return false
	}
	hast.Walk(e, func(e hast.Expr) {
		switch e := e.(type) {
		case *hast.Load:
			found = found || images[e.Image.Base()]
		case *hast.Window:
			found = found || images[e.Image.Base()]
		}
	})
	return found
}

func readsMemory(e hast.Expr) (found bool) {
	hast.Walk(e, func(e hast.Expr) {
		switch e.(type) {
		case *hast.Load, *hast.Window:
			found = true
		}
	})
	return found
}
