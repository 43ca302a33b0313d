package host

import (
	"fmt"
	"slices"
	"strings"

	"imgc/emit/ctree"
	"imgc/kir"
)

// Each level of a pyramid is a view of its own, in the order of the levels behind that of the finest one. A traverse is a
// function that calls itself one level coarser. What every level has of its own, the variables of a traverse and those that its
// body declares, is a structure: who descends keeps a copy.

// A traverse is the function of one.
type traverse struct {
	Func, Member string
	Fields       []field
	Lines        []string
	Where        string   // in the program
	Unused       bool     // the body uses no parameter
	Enter, Next  []string // assignments that go to the finest level, and one level on
	Descends     bool     // something goes one level on
}

// levelViews is how many views a pyramid has.
func levelViews(p *kir.Pyramid) int {
	if n, ok := intConst(p.Own().Count); ok && n >= 1 && n <= kir.MaxLevels {
		return int(n)
	}
	return kir.MaxLevels
}

func intConst(e kir.Expr) (int64, bool) {
	c, ok := e.(*kir.Const)
	if !ok || !c.T.IsScalar() {
		return 0, false
	}
	return c.Words[0].Int(), true
}

// addPyramid adds the views of a pyramid.
func (v *pipeline) addPyramid(p *kir.Pyramid) {
	v.families[p] = v.ImageCount
	v.addRow(&kir.Image{Name: p.Name, Elem: p.Elem, LineAxis: p.LineAxis, Extent: p.Extent}, levelViews(p))
	v.Levels = true
}

// addLeveled says where the views of levels are, once the variables that decide it have their names.
func (v *pipeline) addLeveled() {
	for _, m := range v.plan.Leveled {
		v.place(m)
	}
}

// view is the C expression for an image's index among the views.
func (v *pipeline) view(m *kir.Image) string {
	if m.Of == nil {
		return fmt.Sprint(v.index[m])
	}
	base := v.families[m.Of]
	if k, ok := intConst(m.Index); ok {
		return fmt.Sprint(base + int(k))
	}
	if _, either := m.Index.(*kir.Select); either {
		return fmt.Sprintf("%d + (%s)", base, v.expr(m.Index))
	}
	return fmt.Sprintf("%d + %s", base, v.expr(m.Index))
}

// addTraverses gives the variables of every traverse, and those that its body declares, a structure.
func (v *pipeline) addTraverses(fields *ctree.Namer) {
	kir.WalkSteps(v.plan.Steps, func(s kir.Step) {
		t, ok := s.(*kir.Traverse)
		if !ok {
			return
		}
		member := fields.Give("traverse")
		out := &traverse{Func: v.Func + "_" + member, Member: member, Where: "a traverse"}
		if t.At.IsValid() {
			out.Where = fmt.Sprintf("the traverse of %s:%d", t.At.File.Told(), t.At.Line())
		}
		names := namer()
		for _, x := range append(t.Levels.Vars(), kir.Declared(t.Body)...) {
			id := names.Give(x.Name)
			out.Fields = append(out.Fields, field{scalarTypes[x.Type.Kind].host + " ", id + lanesSuffix(x.Type)})
			v.vars[x] = "c->" + member + "." + id
			v.labels[x] = x.Name
		}
		out.Enter, out.Next = v.enterLevels(t.Levels), v.coarser(t.Levels)
		v.functions[t], v.counts[t.Levels] = out, out
	})
}

// addLevels names the variables of what counts levels outside of a traverse: they are needed for checks and extents only.
func (v *pipeline) addLevels(fields *ctree.Namer) {
	for _, l := range v.plan.Levels {
		for _, x := range l.Vars() {
			if v.vars[x] == "" {
				v.addField(fields, x)
			}
		}
	}
}

// checkLevels writes the checks of what counts levels.
func (v *pipeline) checkLevels() {
	for _, l := range v.plan.Levels {
		v.check("TRY(count_levels(self, %s, %d, %s));", v.expr(l.Count), kir.MaxLevels, ctree.Quote(l.Name))
		for _, s := range l.Scaled {
			most := int64(1 << 30)
			for range s.Finer {
				most /= s.Factor
			}
			v.check("TRY(finest(self, %s, %d, %s));", v.expr(s.Finest), most, ctree.Quote(l.Name))
		}
	}
}

// layOut writes the extents of all levels of a pyramid.
func (v *pipeline) layOut(p *kir.Pyramid) {
	base := v.families[p]
	if n := levelViews(p); n > 1 {
		v.check("for (int k = 1; k < %d; k++)", n)
		v.check("    c->image[%d + k] = c->image[%d];", base, base)
	}
	v.eachLevel(p.Over, func() {
		if p.Used != nil {
			v.check("if (%s) {", v.expr(p.Used))
			v.checkDepth++
		}
		v.check("struct view *view = &c->image[%d + %s]; /* %s */", base, v.vars[p.Own().Level], strings.ReplaceAll(p.Name, "*/", "*-/"))
		for axis, e := range p.Extent {
			v.check("view->extent[%d] = %s;", axis, v.expr(e))
		}
		if p.Moves() {
			v.check("TRY(settle_largest(self, view));")
		} else {
			v.check("TRY(settle(self, view));")
		}
		if p.Used != nil {
			v.checkDepth--
			v.check("}")
		}
	})
}

// eachLevel writes loops over all levels around what inner writes.
func (v *pipeline) eachLevel(over []*kir.Levels, inner func()) {
	if len(over) == 0 {
		inner()
		return
	}
	l := over[0]
	level := v.vars[l.Level]
	enter, next := strings.Join(v.enterLevels(l), ", "), strings.Join(v.coarser(l), ", ")
	if f := v.counts[l]; f != nil {
		f.Descends = true
		enter, next = f.Func+"_finest(c)", f.Func+"_coarser(c)"
	}
	v.check("for (%s; %s < %s; %s) {", enter, level, v.expr(l.Count), next)
	v.checkDepth++
	v.eachLevel(over[1:], inner)
	v.checkDepth--
	v.check("}")
}

// enterLevels are the assignments that go to the finest level.
func (v *pipeline) enterLevels(l *kir.Levels) []string {
	list := []string{v.vars[l.Level] + " = 0"}
	for _, s := range l.Scaled {
		list = append(list, fmt.Sprintf("%s = %s", v.vars[s.Var], v.expr(s.Finest)))
		finer := s.Var
		for _, x := range s.Finer {
			list = append(list, fmt.Sprintf("%s = %d * %s", v.vars[x], s.Factor, v.vars[finer]))
			finer = x
		}
	}
	return list
}

// coarser are the assignments that go one level on.
func (v *pipeline) coarser(l *kir.Levels) []string {
	list := []string{v.vars[l.Level] + "++"}
	for _, s := range l.Scaled {
		for i := len(s.Finer) - 1; i >= 0; i-- {
			from := s.Var
			if i > 0 {
				from = s.Finer[i-1]
			}
			list = append(list, fmt.Sprintf("%s = %s", v.vars[s.Finer[i]], v.vars[from]))
		}
		list = append(list, fmt.Sprintf("%s = (%s - 1) / %d + 1", v.vars[s.Var], v.vars[s.Var], s.Factor))
	}
	return list
}

// traversal writes the steps of pyramids.
func (v *pipeline) traversal(s kir.Step, kernels map[*kir.Kernel]int) error {
	switch s := s.(type) {
	case *kir.Traverse:
		return v.traverse(s, kernels)
	case *kir.Descend:
		return v.descend(s, kernels)
	case *kir.Resize:
		v.line("{ /* %s */", s.Image.Name)
		v.line("    struct view *view = &c->image[%s];", v.view(s.Image))
		for axis, e := range s.Image.Extent {
			v.line("    view->extent[%d] = %s;", axis, v.expr(e))
		}
		v.line("    view->pitch = 0;")
		v.line("    TRY(settle(self, view));")
		v.line("}")
	case *kir.ClearPyramid:
		v.clearPyramid(s.Pyramid)
	case *kir.SwapPyramids:
		v.line("for (int k = 0; k < %d; k++) /* %s, %s */", levelViews(s.A), s.A.Name, s.B.Name)
		v.line("    swap(&c->image[%d + k], &c->image[%d + k]);", v.families[s.A], v.families[s.B])
	default:
		return fmt.Errorf("internal error: the host has no code for a step of type %T", s)
	}
	return nil
}

// clearPyramid fills the levels that there are with zeros.
func (v *pipeline) clearPyramid(p *kir.Pyramid) {
	v.line("for (int k = 0; k < %d; k++) /* %s */", levelViews(p), p.Name)
	v.line("    if (c->image[%d + k].memory != NULL)", v.families[p])
	v.line("        TRY(fill_zero(self, s, &c->image[%d + k]));", v.families[p])
}

// traverse writes the function of a traverse, and its call at the finest level.
func (v *pipeline) traverse(s *kir.Traverse, kernels map[*kir.Kernel]int) error {
	f := v.functions[s]
	lines, depth := v.StepLines, v.depth
	v.StepLines, v.depth = nil, 0
	err := v.steps(s.Body, kernels)
	f.Lines, v.StepLines, v.depth = v.StepLines, lines, depth
	f.Unused = !slices.ContainsFunc(f.Lines, func(line string) bool { return strings.Contains(line, "(self, s, ") })
	v.Traverses = append(v.Traverses, f) // behind those that it calls
	v.line("%s_finest(c);", f.Func)
	v.line("TRY(%s(self, s, c));", f.Func)
	return err
}

func (v *pipeline) descend(s *kir.Descend, kernels map[*kir.Kernel]int) error {
	f := v.functions[s.Of]
	l := s.Of.Levels
	v.line("if (%s + 1 < %s) {", v.vars[l.Level], v.expr(l.Count))
	v.depth++
	defer func() {
		v.depth--
		v.line("}")
	}()
	if n, ok := intConst(s.Times); ok && n == 1 {
		v.descendOnce(f)
		return nil
	}
	v.line("int64_t times;")
	v.line("TRY(set_int(self, %s, \"how often to descend\", &times));", v.expr(s.Times))
	v.line("for (int64_t turn = 0; turn < times; turn++) {")
	v.depth++
	if len(s.Between) > 0 {
		v.line("if (turn > 0) {")
		if err := v.block(s.Between, kernels); err != nil {
			return err
		}
		v.line("}")
	}
	v.descendOnce(f)
	v.depth--
	v.line("}")
	return nil
}

// descendOnce calls the function of a traverse one level coarser.
func (v *pipeline) descendOnce(f *traverse) {
	f.Descends = true
	v.line("const struct %s kept = c->%s;", f.Func, f.Member)
	v.line("%s_coarser(c);", f.Func)
	v.line("TRY(%s(self, s, c));", f.Func)
	v.line("c->%s = kept;", f.Member)
}
