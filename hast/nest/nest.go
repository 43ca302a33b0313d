package nest

import (
	"fmt"
	"slices"

	"imgc/hast"
	"imgc/hast/linear"
	"imgc/ops"
	"imgc/types"
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
			writes = writes || !hast.ReadsPixels(i) && hast.Names(i, withLets(f.Space.Vars, f.Body))
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
		if d, ok := st.(*hast.Define); ok && d.Init != nil && !hast.ReadsPixels(d.Init) && hast.Names(d.Init, vars) {
			vars = append(vars, d.Var)
		}
	}, nil)
	return vars
}

// distributed are the stages of which each does one part of what the instances of a stage without a scan do: each loop over pixels, and what stands before, between and behind them. Instances touch
// no pixel together, and so may all do one thing first and then the next. What a variable has got in one part and others read is a pixel for each instance.
func (k *nester) distributed(s *hast.Stage) []*hast.Stage {
	if s.Scan != nil {
		return []*hast.Stage{s}
	}
	parts, shared, ok := parted(s.Body)
	axes, known := axesOf(s)
	if !ok || len(parts) < 2 || len(shared) > 0 && (!known || !pixels(axes) || s.Where != nil) {
		return []*hast.Stage{s}
	}
	for _, x := range shared {
		k.handOver(s, parts, x, axes)
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

// axesOf are the variables of a stage with their ranges.
func axesOf(s *hast.Stage) (out []axis, ok bool) {
	for i, v := range s.Space.Vars {
		a, ok := axisOf(v, s.Space.Ranges[i])
		if !ok {
			return nil, false
		}
		out = append(out, a)
	}
	return out, true
}

// A sharing is a variable that one part of a body sets, and later ones read.
type sharing struct {
	*hast.Define
	from int
}

// handOver has a part store what it makes of a variable, and later ones read that.
func (k *nester) handOver(s *hast.Stage, parts [][]hast.Stmt, x sharing, axes []axis) {
	m, at := k.imageOf(s.Name, x.Var, axes)
	read := &hast.Load{Typed: hast.Typed{T: m.Elem, At: x.At}, Image: m}
	for _, i := range at {
		read.Index = append(read.Index, hast.Coord{X: i})
	}
	parts[x.from] = append(parts[x.from], &hast.Store{Image: m, Index: at, Value: hast.RefTo(x.Var), At: x.At})
	for i := x.from + 1; i < len(parts); i++ {
		parts[i] = slices.DeleteFunc(replaced(parts[i], map[*hast.Var]hast.Expr{x.Var: read}), func(st hast.Stmt) bool {
			d, ok := st.(*hast.Define)
			return ok && d.Var == x.Var
		})
	}
}

// parted are the parts of a body that may be done one after the other, each with the definitions that it uses, and the variables that connect them; false where something else does.
func parted(body []hast.Stmt) (parts [][]hast.Stmt, shared []sharing, ok bool) {
	of, count := groups(body)
	var defined []*hast.Define
	lists := make([][]hast.Stmt, count)
	for i, st := range body {
		if d, ok := st.(*hast.Define); ok {
			defined = append(defined, d)
		} else {
			lists[of[i]] = append(lists[of[i]], st)
		}
	}
	used := make([]map[*hast.Var]bool, count)
	for g, list := range lists {
		used[g] = usedIn(list, defined)
	}
	written := writes(body)
	for _, d := range defined {
		var users []int
		for g := range used {
			if used[g][d.Var] {
				users = append(users, g)
			}
		}
		switch {
		case len(users) == 0 || count == 1:
		case d.Var.Class != hast.Mutable && readsAny(d.Init, written):
			return nil, nil, false
		case d.Var.Class != hast.Mutable || len(users) == 1:
		case d.Var.Type.IsArray() || d.Var.Type.Kind == types.Bool || slices.ContainsFunc(users[1:], func(g int) bool { return sets(lists[g], d.Var) }) || slices.ContainsFunc(lists[users[0]], isLoop):
			return nil, nil, false
		case keptBefore(body, d.Var):
			return nil, nil, false
		default:
			shared = append(shared, sharing{d, users[0]})
		}
	}
	for g := range count {
		var part []hast.Stmt
		for i, st := range body {
			if d, ok := st.(*hast.Define); ok && used[g][d.Var] || !ok && of[i] == g {
				part = append(part, st)
			}
		}
		parts = append(parts, part)
	}
	return parts, shared, true
}

// groups are the numbers of the parts to which statements belong that are no definitions: each loop over pixels is one, and what stands between two.
func groups(body []hast.Stmt) (of []int, count int) {
	open := false
	for _, st := range body {
		if _, ok := st.(*hast.Define); ok {
			of = append(of, -1)
			continue
		}
		long := isLoop(st)
		if long || !open {
			count++
		}
		open = !long
		of = append(of, count-1)
	}
	return of, count
}

// isLoop reports whether a statement is a loop over pixels.
func isLoop(st hast.Stmt) bool {
	f, ok := st.(*hast.For)
	return ok && isLong(f)
}

// keptBefore reports whether a definition keeps what a variable has before a statement sets it once more.
func keptBefore(body []hast.Stmt, v *hast.Var) bool {
	kept := false
	for _, st := range body {
		if d, ok := st.(*hast.Define); ok && d.Init != nil && hast.Names(d.Init, []*hast.Var{v}) {
			kept = true
		}
		if kept && sets([]hast.Stmt{st}, v) {
			return true
		}
	}
	return false
}

// sets reports whether statements set a variable.
func sets(list []hast.Stmt, v *hast.Var) (found bool) {
	hast.WalkBody(list, func(st hast.Stmt) {
		if s, ok := st.(*hast.Set); ok {
			found = found || s.Var == v
		}
	}, nil)
	return found
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
