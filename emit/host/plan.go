package host

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"imgc/emit/clike"
	"imgc/emit/ctree"
	"imgc/kir"
	"imgc/types"
)

// body fills in the lines that bind, check and launch.
func (v *pipeline) body(kernels map[*kir.Kernel]int) error {
	bound := map[[2]int]bool{}
	for _, s := range v.plan.Sizes {
		i := v.index[s.Image]
		bound[[2]int{i, s.Axis}] = true
		v.check("TRY(bind(self, &c->image[%d], %d, %d, %d, %s, &%s));", i, s.Axis, s.Mul, s.Add, ctree.Quote(s.Var.Name), v.vars[s.Var])
	}
	for _, q := range v.plan.Params {
		if q.Image == nil {
			continue
		}
		for axis, e := range q.Image.Extent {
			if i := v.index[q.Image]; !bound[[2]int{i, axis}] {
				v.check("TRY(expect(self, &c->image[%d], %d, %s, %s));", i, axis, v.expr(e), ctree.Quote(v.label(e)))
			}
		}
	}
	v.checkLevels()
	for _, c := range v.plan.Checks {
		v.eachLevel(c.Over, func() {
			v.check("if (!(%s))", v.expr(c.Cond))
			v.check("    return fail(self, status_condition, \"%%s\", %s);", ctree.Quote(c.Message))
		})
	}
	for _, m := range v.locals {
		i := v.index[m]
		for axis, e := range m.Extent {
			v.check("c->image[%d].extent[%d] = %s;", i, axis, v.expr(e))
		}
		v.check("TRY(settle(self, &c->image[%d]));", i)
		v.check("TRY(pad(self, &c->image[%d], %d));", i, v.padding)
	}
	for _, p := range v.plan.Pyramids {
		v.layOut(p)
	}
	for _, p := range v.plan.Pyramids {
		if p.Zero {
			v.clearPyramid(p)
		}
	}
	return v.steps(v.plan.Steps, kernels)
}

func (v *pipeline) check(format string, args ...any) {
	v.CheckLines = append(v.CheckLines, strings.Repeat("    ", v.checkDepth)+fmt.Sprintf(format, args...))
}

// Ignored are the parameters of a function of these lines that none of them names: self, c and others.
func (v *pipeline) Ignored(lines []string, others ...string) []string {
	text := strings.Join(lines, "\n")
	return slices.DeleteFunc(slices.Concat([]string{"self"}, others, []string{"c"}), func(p string) bool { return regexp.MustCompile(`\b` + p + `\b`).MatchString(text) })
}

func (v *pipeline) step(s kir.Step, kernels map[*kir.Kernel]int) error {
	switch s := s.(type) {
	case *kir.Let:
		v.assign(s.Var, s.Value)
	case *kir.SetScalar:
		if s.From != nil {
			return nil // read at the end
		}
		v.assign(s.Var, s.Value)
	case *kir.Launch:
		v.launch(s, kernels[s.Kernel])
		v.describeLaunch(s, v.Library.Grids[kernels[s.Kernel]])
	default:
		return v.control(s, kernels)
	}
	return nil
}

// assign gives a host variable its value, a vector by its components.
func (v *pipeline) assign(hv *kir.Var, value kir.Expr) {
	if hv.Type.Lanes == 1 {
		v.line("%s = %s;", v.vars[hv], v.expr(value))
		return
	}
	for lane := range int(hv.Type.Lanes) {
		v.line("%s[%d] = %s;", v.vars[hv], lane, v.component(value, lane))
	}
}

// launch sets a kernel's arguments and runs it.
func (v *pipeline) launch(l *kir.Launch, kernel int) {
	where := ""
	if l.At.IsValid() {
		where = fmt.Sprintf(", %s:%d", l.At.File.Told(), l.At.Line())
	}
	v.line("{ /* %s%s */", l.Kernel.Name, strings.ReplaceAll(where, "*/", "*-/"))
	v.line("    "+v.Library.to.handle, kernel)
	v.line("    const int64_t items_wanted[3] = {%s, %s, %s};", v.expr(l.Items[0]), v.expr(l.Items[1]), v.expr(l.Items[2]))
	g := l.Kernel.Group
	v.line("    const size_t group[3] = {%d, %d, %d};", g[0], g[1], g[2])
	for i, a := range l.Args {
		v.line("    %s", v.argument(i, a, l.Kernel.Params[i]))
	}
	function := "launch"
	if v.isLast(l) {
		function = v.Library.to.last
	}
	v.line("    TRY(%s(self, s, kernel, items_wanted, group));", function)
	v.line("}")
}

// isLast reports whether a launch is the last command of every call: nothing is copied behind it.
func (v *pipeline) isLast(l *kir.Launch) bool {
	n := len(v.plan.Steps)
	return n > 0 && v.plan.Steps[n-1] == kir.Step(l) && len(v.Groups) == 0 && !v.DeviceResults()
}

func (v *pipeline) argument(i int, a kir.Arg, p *kir.Var) string {
	switch {
	case a.Image != nil:
		set := "memory_arg"
		if p.Access&kir.Writes != 0 {
			set = v.Library.to.written
		}
		return fmt.Sprintf("TRY(%s(self, kernel, %d, &c->image[%s])); /* %s */", set, i, v.view(a.Image), a.Image.Name)
	case a.Table != nil:
		return fmt.Sprintf("TRY("+v.Library.to.table+"); /* %s */", i, v.Library.tables[a.Table], a.Table.Var.Name)
	case p.Type == types.Scalar(types.I64):
		return fmt.Sprintf("TRY(long_arg(self, kernel, %d, %s)); /* %s */", i, v.expr(a.Value), p.Name)
	case p.Type == types.Scalar(types.I32):
		return fmt.Sprintf("TRY(int_arg(self, kernel, %d, %s, %s));", i, v.expr(unwidened(a.Value)), ctree.Quote(p.Name))
	}
	arg := scalarTypes[p.Type.Kind].arg
	if n := int(p.Type.Lanes); n > 1 {
		set := ""
		for lane := range n {
			set += fmt.Sprintf("value[%d] = %s; ", lane, v.bits(p.Type.Kind, v.component(a.Value, lane)))
		}
		return fmt.Sprintf("{ %s value[%d] = {0}; %sTRY(arg(self, kernel, %d, sizeof value, value)); } /* %s */",
			arg, n+n%2*(n/2), set, i, p.Name) // three lanes take the space of four
	}
	return fmt.Sprintf("{ const %s value = %s; TRY(arg(self, kernel, %d, sizeof value, &value)); } /* %s */",
		arg, v.bits(p.Type.Kind, v.expr(a.Value)), i, p.Name)
}

// component is one lane of a vector that the host passes on or computes.
func (v *pipeline) component(e kir.Expr, lane int) string { return v.expr(v.lane(e, lane)) }

// A vectorPart is a component of a host variable.
type vectorPart struct {
	of   *kir.Var
	lane int
}

// lane is the expression of one lane, since C has no vectors to compute with.
func (v *pipeline) lane(e kir.Expr, lane int) kir.Expr {
	t := kir.Typed{T: e.Type().WithLanes(1)}
	if e.Type().Lanes == 1 {
		return e
	}
	lanes := func(list ...kir.Expr) []kir.Expr {
		out := make([]kir.Expr, len(list))
		for i, x := range list {
			out[i] = v.lane(x, lane)
		}
		return out
	}
	switch e := e.(type) {
	case *kir.Ref:
		part := &kir.Var{Name: e.Var.Name, Type: t.T}
		v.vars[part] = fmt.Sprintf("%s[%d]", v.vars[e.Var], lane)
		v.parts[part] = vectorPart{e.Var, lane}
		v.labels[part] = fmt.Sprintf("%s.%c", v.labels[e.Var], "xyzw"[lane])
		return &kir.Ref{Typed: t, Var: part}
	case *kir.Const:
		return &kir.Const{Typed: t, Words: e.Words[lane : lane+1]}
	case *kir.Vec:
		return e.Parts[min(lane, len(e.Parts)-1)]
	case *kir.Lanes:
		return v.lane(e.X, e.Lanes[lane])
	case *kir.Op:
		return &kir.Op{Typed: t, Op: e.Op, Args: lanes(e.Args...), Exact: e.Exact}
	case *kir.Convert:
		return &kir.Convert{Typed: t, X: v.lane(e.X, lane), How: e.How, Exact: e.Exact}
	case *kir.Select:
		x := lanes(e.Cond, e.Then, e.Else)
		return &kir.Select{Typed: t, Cond: x[0], Then: x[1], Else: x[2], Lazy: e.Lazy}
	}
	panic(fmt.Sprintf("internal error: the host cannot compute a vector by %T", e))
}

// bits is a value as a kernel takes it: floats of 16 bits by their bits.
func (v *pipeline) bits(k types.Kind, value string) string {
	if k != types.F16 && k != types.BF16 {
		return value
	}
	return fmt.Sprintf("%s(%s)", v.unit.Use("imgc_bits_"+k.String()), value)
}

// A launch is what the README says of a kernel.
type launch struct {
	Kernel, Items, Group string
	Arguments            []argument
}

type argument struct{ Name, Type, Value string }

// describeLaunch writes a launch down for the README.
func (v *pipeline) describeLaunch(l *kir.Launch, g grid) {
	d := launch{Kernel: l.Kernel.Name, Group: fmt.Sprintf("%d x %d x %d", l.Kernel.Group[0], l.Kernel.Group[1], l.Kernel.Group[2])}
	d.Items = fmt.Sprintf("%s x %s x %s", v.label(l.Items[0]), v.label(l.Items[1]), v.label(l.Items[2]))
	for i, a := range l.Args {
		p := l.Kernel.Params[i]
		arg := argument{Name: p.Name, Type: v.Library.to.argTypes(p.Type.Kind)}
		if a.Image != nil {
			arg.Type, arg.Value = v.Library.to.imageType(p), "memory of "+a.Image.Name
		} else if a.Table != nil {
			arg.Type, arg.Value = v.Library.to.imageType(p), "the constants of "+a.Table.Var.Name
		} else {
			arg.Value = v.label(unwidened(a.Value))
		}
		d.Arguments = append(d.Arguments, arg)
	}
	if g.how == clike.InParts {
		d.Arguments = append(d.Arguments, v.Library.to.first)
	}
	v.Launches = append(v.Launches, d)
}

// unwidened drops the conversion to i32 of a host value: whether it fits is tested when the argument is set.
func unwidened(e kir.Expr) kir.Expr {
	if c, ok := e.(*kir.Convert); ok && c.Exact && c.X.Type() == types.Scalar(types.I64) {
		return c.X
	}
	return e
}

// describe writes the comment over the functions in the header.
func (v *pipeline) describe() {
	var sig []string
	for _, q := range v.plan.Params {
		dir := [...]string{"in", "out", "inout"}[q.Dir]
		t := ""
		if q.Image != nil {
			t = q.Image.Elem.String()
			for _, e := range q.Image.Extent {
				t += "[" + v.value(e) + "]"
			}
		} else {
			t = q.Scalar.Type.String()
		}
		sig = append(sig, fmt.Sprintf("%s %s: %s", dir, q.Name, t))
	}
	v.Signature = fmt.Sprintf("%s(%s)", v.Name, strings.Join(sig, ", "))
	for _, q := range v.plan.Params {
		if q.Default != nil {
			v.Docs = append(v.Docs, fmt.Sprintf("Default of %s: %s.", q.Name, valueText(*q.Default)))
		}
	}
	for _, c := range v.plan.Checks {
		v.Docs = append(v.Docs, "Condition: "+c.Message+".")
	}
	for i := range v.Docs {
		v.Docs[i] = strings.ReplaceAll(v.Docs[i], "*/", "*-/")
	}
	v.Signature = strings.ReplaceAll(v.Signature, "*/", "*-/")
}

// valueText spells a constant, the components of a vector one after the other.
func valueText(v types.Value) string {
	parts := make([]string, len(v.Words))
	for i, w := range v.Words {
		parts[i] = wordText(v.Type.Kind, w)
	}
	return strings.Join(parts, ", ")
}

func wordText(k types.Kind, w types.Word) string {
	switch {
	case k == types.Bool:
		return fmt.Sprint(w.Truth())
	case k == types.F64:
		return fmt.Sprint(w.Float())
	case k.IsFloat():
		return fmt.Sprint(float32(w.Float()))
	case k.IsUnsigned():
		return fmt.Sprint(w.Uint())
	}
	return fmt.Sprint(w.Int())
}
