package singles

import (
	"imgc/hast"
	"imgc/types"
)

// Join is p with its stages of one instance joined. It does not change p.
func Join(p *hast.Program) *hast.Program {
	out := *p
	out.Pipelines = nil
	for _, q := range p.Pipelines {
		x := *q
		x.Steps = joined(q.Steps)
		drop(&x)
		out.Pipelines = append(out.Pipelines, &x)
	}
	return &out
}

// joined is a list of steps with its stages joined, in the lists inside of it too.
func joined(list []hast.Step) []hast.Step {
	var out []hast.Step
	var run []*hast.Stage // stages of one instance that wait
	flush := func() {
		if len(run) > 0 {
			out = append(out, merge(run))
			run = nil
		}
	}
	for _, s := range list {
		stage, ok := s.(*hast.Stage)
		switch {
		case ok && single(stage):
			if len(run) > 0 && !follows(run, stage) {
				flush()
			}
			run = append(run, stage)
		case ok && independent(run, stage):
			out = append(out, s)
		default:
			flush()
			out = append(out, inside(s))
		}
	}
	flush()
	return out
}

// inside is a step with the stages of its own lists joined. Levels of pyramids are left alone: what a scalar is there depends on the
// level at hand.
func inside(s hast.Step) hast.Step {
	switch s := s.(type) {
	case *hast.IfHost:
		x := *s
		x.Then, x.Else = joined(s.Then), joined(s.Else)
		return &x
	case *hast.ForHost:
		x := *s
		x.Body = joined(s.Body)
		return &x
	case *hast.WhileHost:
		x := *s
		x.Body = joined(s.Body)
		return &x
	}
	return s
}

// single reports whether a stage has one instance, which does nothing but compute values and write pixels at fixed places.
func single(s *hast.Stage) bool {
	if s.Where != nil || s.Scan != nil || len(s.Space.Vars) == 0 {
		return false
	}
	for _, r := range s.Space.Ranges {
		lo, ok1 := hast.Number(r.Lo)
		hi, ok2 := hast.Number(r.Hi)
		if !ok1 || !ok2 || r.Step != 1 || hi != lo+1 {
			return false
		}
	}
	for _, st := range s.Body {
		switch st := st.(type) {
		case *hast.Define:
			if st.Var.Class != hast.Value || st.Var.Type.IsArray() || st.Init == nil {
				return false
			}
		case *hast.Store:
			if st.Updates() || st.Skip || st.Image.View != nil || st.Image.Of != nil {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// A touch is what a stage does with an image: whether it reads and writes it.
type touch struct{ reads, writes bool }

// touches are the images with storage that a stage touches.
func touches(s *hast.Stage) map[*hast.Image]touch {
	out := map[*hast.Image]touch{}
	add := func(m *hast.Image, here touch) {
		t := out[m.Base()]
		out[m.Base()] = touch{t.reads || here.reads, t.writes || here.writes}
	}
	s.EachRead(func(m *hast.Image) { add(m, touch{reads: true}) })
	hast.EachStore(s.Body, func(st *hast.Store) { add(st.Image, touch{reads: st.Updates(), writes: true}) })
	return out
}

// independent reports whether a stage may run before those that wait.
func independent(run []*hast.Stage, s *hast.Stage) bool {
	here := touches(s)
	for _, r := range run {
		for m, t := range touches(r) {
			if x, ok := here[m]; ok && (t.writes || x.writes) {
				return false
			}
		}
	}
	return true
}

// follows reports whether a stage can be part of those that wait: it writes nothing that they read, since the items that share the
// stage read at any time, and reads of what they write scalars alone.
func follows(run []*hast.Stage, s *hast.Stage) bool {
	here := touches(s)
	for _, r := range run {
		for m, t := range touches(r) {
			x, ok := here[m]
			if ok && (x.writes && t.reads || x.reads && t.writes && !m.Scalar) {
				return false
			}
		}
	}
	return true
}

// merge makes one stage of several, with the name of the last one.
func merge(run []*hast.Stage) hast.Step {
	if len(run) == 1 {
		return run[0]
	}
	last := *run[len(run)-1]
	i32 := types.Scalar(types.I32)
	number := func(v int64) hast.Expr {
		return &hast.Const{Typed: hast.Typed{T: i32, At: last.At}, Words: []types.Word{types.Int(v)}}
	}
	v := &hast.Var{Name: "i", Type: i32, Class: hast.Iterator, At: last.At}
	last.Space = hast.Space{Vars: []*hast.Var{v}, Ranges: []hast.Range{{Lo: number(0), Hi: number(1), Step: 1}}}
	last.Body = nil
	kept := map[*hast.Image]*hast.Var{} // scalars that were written, with their values
	for _, s := range run {
		places := map[*hast.Var]hast.Expr{}
		for k, v := range s.Space.Vars {
			places[v] = s.Space.Ranges[k].Lo
		}
		body := hast.MapStmts(s.Body, func(e hast.Expr) hast.Expr {
			return hast.Map(e, func(e hast.Expr) hast.Expr {
				switch e := e.(type) {
				case *hast.Ref:
					return places[e.Var]
				case *hast.Load:
					if v := kept[e.Image]; v != nil {
						return &hast.Ref{Typed: e.Typed, Var: v}
					}
				}
				return nil
			})
		})
		for _, st := range body {
			store, ok := st.(*hast.Store)
			if !ok || !store.Image.Scalar {
				last.Body = append(last.Body, st)
				continue
			}
			v := &hast.Var{Name: store.Image.Name, Type: store.Value.Type(), Class: hast.Value, At: store.At}
			x := *store
			x.Value = &hast.Ref{Typed: hast.Typed{T: v.Type, At: store.At}, Var: v}
			last.Body = append(last.Body, &hast.Define{Var: v, Init: store.Value, At: store.At}, &x)
			kept[store.Image] = v
		}
	}
	return &last
}
