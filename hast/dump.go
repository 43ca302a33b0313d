package hast

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"imgc/ops"
	"imgc/types"
)

// Dump is a program as text, for golden tests and for looking at: one line for each declaration and statement, expressions in
// the notation of the language with every conversion written out. It is the same text for the same program.
func Dump(p *Program) string {
	d := &dumper{}
	d.line("program %s", p.Name)
	for _, f := range p.Funcs {
		d.function(f)
	}
	for _, pl := range p.Pipelines {
		d.pipeline(pl)
	}
	return d.b.String()
}

type dumper struct {
	b     strings.Builder
	depth int
}

func (d *dumper) line(format string, args ...any) {
	d.b.WriteString(strings.Repeat("  ", d.depth))
	fmt.Fprintf(&d.b, format, args...)
	d.b.WriteByte('\n')
}

func (d *dumper) nest(f func()) {
	d.depth++
	f()
	d.depth--
}

func (d *dumper) function(f *Func) {
	params := make([]string, len(f.Params))
	for i, p := range f.Params {
		params[i] = p.Name + ": " + p.Type.String()
	}
	word := "func"
	if f.Commutative {
		word = "commutative func"
	}
	d.line("%s %s(%s): %s", word, f.Name, strings.Join(params, ", "), f.Result)
	d.nest(func() { d.stmts(f.Body) })
}

func (d *dumper) pipeline(p *Pipeline) {
	d.line("pipeline %s", p.Name)
	d.nest(func() {
		for _, q := range p.Params {
			d.param(q)
		}
		for _, s := range p.Sizes {
			d.line("size %s from %s axis %d: %d*%s + %d", s.Var.Name, s.Image.Name, s.Axis, s.Mul, s.Var.Name, s.Add)
		}
		for _, f := range p.Pyramids {
			d.pyramid(f)
		}
		for _, m := range p.Images {
			d.image(m)
		}
		for _, b := range formulas(p) {
			d.border(b)
		}
		for _, c := range p.Checks {
			d.line("check %s \"%s\"%s", Text(c.Cond), c.Message, overText(c.Over))
		}
		d.steps(p.Steps)
	})
}

// formulas lists the borders by formula that the stages of a pipeline read under, in the order of their first use.
func formulas(p *Pipeline) (list []*Border) {
	look := func(e Expr) {
		var r *Rule
		switch e := e.(type) {
		case *Load:
			r = e.Rule
		case *Window:
			r = e.Rule
		}
		if r != nil && r.Kind == Formula && !slices.Contains(list, r.Border) {
			list = append(list, r.Border)
		}
	}
	WalkSteps(p.Steps, func(s Step) {
		if s, ok := s.(*Stage); ok {
			for _, s := range s.Parts() {
				if s.Where != nil {
					Walk(s.Where, look)
				}
				WalkBody(s.Body, nil, look)
			}
		}
	})
	return list
}

// border is a border by formula with the places of its lines: * inside, -k before the first, +k behind the last.
func (d *dumper) border(b *Border) {
	names := make([]string, len(b.Coords))
	for i, v := range b.Coords {
		names[i] = v.Name
	}
	d.line("border %s of %s (%s)", b.Name, b.Image.Name, strings.Join(names, ", "))
	d.nest(func() {
		for _, f := range b.Frames {
			place := ""
			for _, k := range f.Places {
				place += fmt.Sprintf("[%s]", map[bool]string{true: "*", false: fmt.Sprintf("%+d", k)}[k == 0])
			}
			d.line("%s = %s", place, Text(f.Value))
		}
		if b.Else != nil {
			d.line("else %s", strings.TrimPrefix(ruleText(b.Else), "@"))
		}
	})
}

func (d *dumper) param(p *Param) {
	switch {
	case p.Image != nil:
		d.line("%s image %s", p.Dir, p.Image.Name)
	case p.Default != nil:
		d.line("%s %s: %s = %s", p.Dir, p.Scalar.Name, p.Scalar.Type, constText(p.Default.Type, p.Default.Words))
	default:
		d.line("%s %s: %s", p.Dir, p.Scalar.Name, p.Scalar.Type)
	}
}

func (d *dumper) image(m *Image) {
	var b strings.Builder
	for i, x := range m.Extent {
		if m.Lower != nil && m.Lower[i] != 0 {
			fmt.Fprintf(&b, "[%d : %d + %s]", m.Lower[i], m.Lower[i], Text(x))
			continue
		}
		fmt.Fprintf(&b, "[%s]", Text(x))
	}
	zero := ""
	if m.Zero {
		zero = " zero"
	}
	if m.Ring {
		zero += " ring"
	}
	if m.Spread {
		zero += " spread"
	}
	if m.Of != nil {
		zero += " is level " + Text(m.Index) + " of " + m.Of.Name
	}
	d.line("%s %s: %s%s%s", m.Dir, m.Name, m.Elem, b.String(), zero)
}

func (d *dumper) step(s Step) {
	switch s := s.(type) {
	case *Stage:
		d.line("stage %s (%s)%s", s.Name, spaceText(s.Space), promises(s))
		d.nest(func() {
			d.fused(s)
			if s.Where != nil {
				d.line("where %s", Text(s.Where))
			}
			d.stmts(s.Body)
			if s.Reduced != nil {
				d.step(s.Reduced)
			}
		})
	case *DefineHost:
		word := map[bool]string{true: "var", false: "let"}[s.Var.Class == HostMutable]
		d.line("%s %s: %s = %s", word, s.Var.Name, s.Var.Type, Text(s.Value))
	case *SetScalar:
		if s.From != nil {
			d.line("%s = %s[0] at the end", s.Var.Name, s.From.Name)
			return
		}
		d.line("%s = %s", s.Var.Name, Text(s.Value))
	default:
		d.control(s)
	}
}

func promises(s *Stage) string {
	text := ""
	if s.Independent {
		text = " independent"
	}
	if s.Scan != nil {
		sign, lines := "", ""
		if s.Scan.Down {
			sign = "-"
		}
		if s.Scan.Lines {
			lines = " by lines"
		}
		text += fmt.Sprintf(" scan(%s%s)%s", sign, s.Space.Vars[s.Scan.Axis].Name, lines)
	}
	return text
}

func (d *dumper) stmts(list []Stmt) {
	for _, s := range list {
		d.stmt(s)
	}
}

func (d *dumper) stmt(s Stmt) {
	switch s := s.(type) {
	case *Define:
		word := map[bool]string{true: "var", false: "let"}[s.Var.Class == Mutable]
		if s.Later {
			d.line("%s %s: %s", word, s.Var.Name, s.Var.Type)
			return
		}
		d.line("%s %s: %s = %s", word, s.Var.Name, s.Var.Type, Text(s.Init))
	case *Set:
		d.line("%s%s = %s", s.Var.Name, indexText(s.Index), Text(s.Value))
	case *Store:
		d.store(s)
	case *If:
		d.line("if %s", Text(s.Cond))
		d.nest(func() { d.stmts(s.Then) })
		if len(s.Else) > 0 {
			d.line("%s", map[bool]string{true: "else, rarely", false: "else"}[s.Rare])
			d.nest(func() { d.stmts(s.Else) })
		}
	case *For:
		d.line("%s (%s)", map[bool]string{true: "written out", false: "for"}[s.Out], spaceText(s.Space))
		d.nest(func() { d.stmts(s.Body) })
	case *While:
		d.line("while %s", Text(s.Cond))
		d.nest(func() { d.stmts(s.Body) })
	case *Break:
		d.line("break")
	case *Continue:
		d.line("continue")
	case *Return:
		d.line("return %s", Text(s.Value))
	}
}

func (d *dumper) store(s *Store) {
	pixel, value, tail := s.Image.Name+indexText(s.Index), Text(s.Value), ""
	if s.Skip {
		tail += " skip"
	}
	if s.Alone {
		tail += " alone"
	}
	if s.Func != nil {
		value = "fold(" + s.Func.Name + ", " + pixel + ", " + value + ")"
	}
	op := ""
	if s.Op != ops.None {
		op = s.Op.String()
	}
	d.line("%s %s= %s%s", pixel, op, value, tail)
}

func spaceText(s Space) string {
	names := make([]string, len(s.Vars))
	for i, v := range s.Vars {
		names[i] = v.Name
		if s.Points == nil && i < len(s.Ranges) {
			r := s.Ranges[i]
			names[i] += " in " + Text(r.Lo) + ":" + Text(r.Hi)
			if r.Step != 1 {
				names[i] += fmt.Sprintf(":%d", r.Step)
			}
		}
	}
	text := strings.Join(names, ", ")
	if s.Points != nil {
		text += " in " + pointsText(s.Points)
	}
	return text
}

// shown bounds the points and components that a dump lists; the number of all follows.
const shown = 25

func pointsText(points [][]int64) string {
	var b strings.Builder
	b.WriteByte('{')
	for i, p := range points {
		if i == shown {
			fmt.Fprintf(&b, " ... %d points", len(points))
			break
		}
		if i > 0 {
			b.WriteByte(' ')
		}
		for k, c := range p {
			if k > 0 {
				b.WriteByte(',')
			}
			b.WriteString(strconv.FormatInt(c, 10))
		}
	}
	b.WriteByte('}')
	return b.String()
}

func indexText(index []Expr) string {
	var b strings.Builder
	for _, x := range index {
		b.WriteString("[" + Text(x) + "]")
	}
	return b.String()
}

func constText(t types.Type, words []types.Word) string {
	if t.IsScalar() && len(words) == 1 {
		return wordText(t.Kind, words[0])
	}
	var b strings.Builder
	b.WriteString(t.String() + "{")
	for i, w := range words {
		if i == shown {
			fmt.Fprintf(&b, " ... %d", len(words))
			break
		}
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(wordText(t.Kind, w))
	}
	b.WriteByte('}')
	return b.String()
}

// suffixes tell constants of different kinds apart where the language has a suffix; the others are written as conversions.
var suffixes = map[types.Kind]string{types.I32: "", types.U32: "u", types.I64: "l", types.U64: "ul", types.F32: "", types.F64: "d", types.F16: "h"}

func wordText(k types.Kind, w types.Word) string {
	text := ""
	switch {
	case k == types.Bool:
		return strconv.FormatBool(w.Truth())
	case k.IsFloat():
		bits := 64
		if k != types.F64 {
			bits = 32
		}
		text = strconv.FormatFloat(w.Float(), 'g', -1, bits)
		if !strings.ContainsAny(text, ".eIN") {
			text += ".0"
		}
	case k.IsUnsigned():
		text = strconv.FormatUint(w.Uint(), 10)
	default:
		text = strconv.FormatInt(w.Int(), 10)
	}
	if s, ok := suffixes[k]; ok {
		return text + s
	}
	return k.String() + "(" + text + ")"
}
