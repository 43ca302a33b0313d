package kir

import (
	"fmt"
	"strconv"
	"strings"

	"imgc/ops"
	"imgc/types"
)

// Dump is a program as compact text, for tests and for people who debug passes. An operator or conversion that is not Exact has
// a ~ behind it where that matters: +~ may wrap, /~ may divide by zero. /+ and %+ are Natural.
func Dump(p *Program) string {
	d := &dumper{}
	d.line("program %s %s", p.Name, p.Mode)
	for _, t := range p.Tables {
		d.line("table %s: %s = %s", t.Var.Name, t.Var.Type, wordsText(t.Var.Type.Kind, t.Words))
	}
	for _, f := range p.Funcs {
		d.fun(f)
	}
	for _, k := range p.Kernels {
		d.kernel(k)
	}
	for _, pl := range p.Pipelines {
		d.pipeline(pl)
	}
	return d.out.String()
}

var loops = map[Rounds]string{AnyForm: "for", WrittenOut: "unroll", Looped: "loop", Several: "several"}

type dumper struct {
	out    strings.Builder
	indent int
}

func (d *dumper) line(format string, args ...any) {
	d.out.WriteString(strings.Repeat("    ", d.indent))
	fmt.Fprintf(&d.out, format+"\n", args...)
}

func (d *dumper) fun(f *Func) {
	result := ""
	if f.Result.IsValid() {
		result = ": " + f.Result.String()
	}
	if f.Out != nil {
		result = " -> " + varText(f.Out)
	}
	d.line("func %s(%s)%s", f.Name, varsText(f.Params), result)
	d.block(f.Body)
}

func (d *dumper) kernel(k *Kernel) {
	resident := ""
	if k.Resident > 0 {
		resident = fmt.Sprintf(" resident %d", k.Resident)
	}
	d.line("kernel %s(%s) group %dx%dx%d%s", k.Name, varsText(k.Params), k.Group[0], k.Group[1], k.Group[2], resident)
	d.block(k.Body)
}

func varsText(vars []*Var) string {
	texts := make([]string, len(vars))
	for i, v := range vars {
		texts[i] = varText(v)
	}
	return strings.Join(texts, ", ")
}

// varText is a declaration: "x: i32", "src: global u8 r".
func varText(v *Var) string {
	space := [...]string{Private: "", Global: "global ", Constant: "constant ", Local: "local "}[v.Space]
	access := ""
	if v.Space == Global {
		access = " " + [...]string{"", "r", "w", "rw"}[v.Access&(Reads|Writes)]
		if v.Access&Shared != 0 {
			access += " shared"
		}
	}
	return v.Name + ": " + space + v.Type.String() + access
}

func (d *dumper) block(list []Stmt) {
	d.indent++
	for _, s := range list {
		d.stmt(s)
	}
	d.indent--
}

func (d *dumper) stmt(s Stmt) {
	switch s := s.(type) {
	case *Decl:
		word, init := "var ", ""
		if s.Var.Const {
			word = "let "
		}
		if s.Init != nil {
			init = " = " + ExprText(s.Init)
		}
		d.line("%s%s%s", word, varText(s.Var), init)
	case *Assign:
		d.line("%s%s = %s%s", s.Var.Name, indexText(s.Index), ExprText(s.Value), word(s.Copied, "copied"))
	case *Store:
		d.line("%s[%s]%s := %s", s.Buffer.Name, ExprText(s.Offset), word(s.Aligned, "aligned")+word(s.First, "first")+word(s.Once, "once"), ExprText(s.Value))
	case *LoadRun:
		d.line("%s%s.. = %s[%s .. %d]%s", s.Var.Name, indexText(s.Index), s.Buffer.Name, ExprText(s.Offset), s.Count, word(s.Anywhere, "anywhere")+word(s.Beyond, "beyond"))
	case *StoreRun:
		d.line("%s[%s .. %d]%s%s := %s%s..", s.Buffer.Name, ExprText(s.Offset), s.Count, word(s.Anywhere, "anywhere"), word(s.First, "first"), s.Var.Name, indexText(s.Index))
	case *Atomic:
		d.line("atomic %s[%s] %s= %s", s.Buffer.Name, ExprText(s.Offset), s.Op, ExprText(s.Value))
	case *Critical:
		d.line("critical %s[%s]", s.Lock.Name, ExprText(s.Offset))
		d.block(s.Body)
	case *LastGroup:
		d.line("last group by %s", s.Counter.Name)
		d.block(s.Body)
	case *LastSum:
		d.line("last by %s += %s below bit %d, %s", s.Tally.Name, ExprText(s.Part), s.Shift, s.Sum.Name)
		d.block(s.Body)
	case *Leave:
		d.line("leave %s[%s] = %s of launch %s", s.Places.Name, ExprText(s.At), ExprText(s.Value), ExprText(s.Round))
	case *LastWaits:
		d.line("last waits for %d of %s of launch %s in %s", s.Count, s.Places.Name, ExprText(s.Round), s.Parts.Name)
		d.block(s.Body)
	case *If:
		d.line("if %s", ExprText(s.Cond))
		d.block(s.Then)
		if len(s.Else) > 0 {
			d.line("else")
			d.block(s.Else)
		}
	case *For:
		d.line("%s %s = %s : %s : %d", loops[s.Rounds], s.Var.Name, ExprText(s.Lo), ExprText(s.Hi), s.Step)
		d.block(s.Body)
	case *While:
		d.line("while %s", ExprText(s.Cond))
		d.block(s.Body)
	case *Break:
		d.line("break")
	case *Continue:
		d.line("continue")
	case *Return:
		if s.Value == nil {
			d.line("return")
		} else {
			d.line("return %s", ExprText(s.Value))
		}
	case *CallInto:
		d.line("%s = %s(%s)", s.Out.Name, s.Func.Name, exprsText(s.Args))
	case *MatrixSum:
		d.line("%s += matrix sum of %s[%s][%s] with %s in lane %s, %d down, %d across%s", s.Acc.Name, s.Bytes.Name, ExprText(s.Row), ExprText(s.Word), s.Weights.Name, ExprText(s.Lane),
			s.Down, s.Across, map[bool]string{true: ", unsigned"}[s.Unsigned])
	case *Barrier:
		d.line("barrier%s%s", word(s.Buffers, "for buffers"), word(s.Copied, "for copies"))
	case *Comment:
		d.line("// %s", s.Text)
	default:
		d.line("?%T", s)
	}
}

func (d *dumper) pipeline(p *Pipeline) {
	d.line("pipeline %s", p.Name)
	d.indent++
	defer func() { d.indent-- }()
	for _, q := range p.Params {
		d.param(q)
	}
	for _, m := range p.Locals {
		d.line("local %s", imageText(m))
	}
	for _, f := range p.Pyramids {
		d.pyramid(f)
	}
	for _, m := range p.Leveled {
		d.line("level %s of %s: %s", ExprText(m.Index), m.Of.Name, imageText(m))
	}
	for _, s := range p.Sizes {
		d.line("size %s: %s.extent(%d) = %d*%s + %d", s.Var.Name, s.Image.Name, s.Axis, s.Mul, s.Var.Name, s.Add)
	}
	for _, c := range p.Checks {
		d.line("check %s else %q%s", ExprText(c.Cond), c.Message, overText(c.Over))
	}
	for _, s := range p.Steps {
		d.step(s)
	}
}

func (d *dumper) param(q *Param) {
	dir := [...]string{In: "in", Out: "out", InOut: "inout", Temporary: "temporary"}[q.Dir]
	if q.Image != nil {
		d.line("%s %s", dir, imageText(q.Image))
		return
	}
	init := ""
	if q.Default != nil {
		init = " = " + wordsText(q.Default.Type.Kind, q.Default.Words)
	}
	d.line("%s %s: %s%s", dir, q.Name, q.Scalar.Type, init)
}

func imageText(m *Image) string {
	text := m.Name + ": " + m.Elem.String()
	for _, e := range m.Extent {
		text += "[" + ExprText(e) + "]"
	}
	text += fmt.Sprintf(" lines %d", m.LineAxis)
	if m.Zero {
		text += " zero"
	}
	if m.Kept {
		text += " kept zero"
	}
	return text
}

func (d *dumper) step(s Step) {
	switch s := s.(type) {
	case *Launch:
		args := make([]string, len(s.Args))
		for i, a := range s.Args {
			if args[i] = "nothing"; a.Image != nil {
				args[i] = a.Image.Name
			} else if a.Table != nil {
				args[i] = "table " + a.Table.Var.Name
			} else if a.Value != nil {
				args[i] = ExprText(a.Value)
			}
		}
		d.line("launch %s(%s) over %s", s.Kernel.Name, strings.Join(args, ", "), exprsText(s.Items[:]))
	case *Let:
		d.line("let %s: %s = %s", s.Var.Name, s.Var.Type, ExprText(s.Value))
	case *SetScalar:
		if s.From != nil {
			d.line("set %s from %s at the end", s.Var.Name, s.From.Name)
			return
		}
		d.line("set %s = %s", s.Var.Name, ExprText(s.Value))
	default:
		d.control(s)
	}
}

func exprsText(es []Expr) string {
	texts := make([]string, len(es))
	for i, e := range es {
		texts[i] = ExprText(e)
	}
	return strings.Join(texts, ", ")
}

// word is a word behind what it says something of, where that is so.
func word(is bool, text string) string {
	if is {
		return " " + text
	}
	return ""
}

func indexText(index []Expr) string {
	text := ""
	for _, i := range index {
		text += "[" + ExprText(i) + "]"
	}
	return text
}

// ExprText is an expression as compact text. Operators inside operators stand in parentheses.
func ExprText(e Expr) string {
	switch e := e.(type) {
	case nil:
		return "nothing"
	case *Const:
		return constText(e)
	case *Ref:
		return nameOf(e.Var)
	case *Op:
		return opText(e)
	case *Convert:
		how := [...]string{Wrap: "", Saturate: "sat ", Bitcast: "bits "}[min(e.How, Bitcast)]
		return fmt.Sprintf("%s%s%s(%s)", how, e.T, mark(e.Exact, e.How != Bitcast), ExprText(e.X))
	case *Select:
		lazy := ""
		if e.Lazy {
			lazy = "lazy "
		}
		return fmt.Sprintf("(%s%s ? %s : %s)", lazy, ExprText(e.Cond), ExprText(e.Then), ExprText(e.Else))
	case *Vec:
		return fmt.Sprintf("%s(%s)", e.T, exprsText(e.Parts))
	case *Lanes:
		return inner(e.X) + "." + lanesText(e.Lanes)
	case *Elem:
		return nameOf(e.Var) + indexText(e.Index)
	case *Load:
		return fmt.Sprintf("%s[%s]%s", nameOf(e.Buffer), ExprText(e.Offset), loadLanes(e))
	case *Gather:
		return fmt.Sprintf("%s[%s + (%s)]", nameOf(e.Buffer), ExprText(e.Offset), ExprText(e.Places))
	case *Interleaved:
		parts := make([]string, len(e.Parts))
		for i, x := range e.Parts {
			parts[i] = ExprText(x)
		}
		return fmt.Sprintf("interleaved%d(%s)", e.Piece, strings.Join(parts, ", "))
	case *Alternate:
		return fmt.Sprintf("alternate%d(%s)", e.First, ExprText(e.X))
	case *FourBytes:
		return fmt.Sprintf("bytes(%s%s, %s)", nameOf(e.Var), indexText(e.Index), ExprText(e.At))
	case *Dot4:
		return fmt.Sprintf("dot4(%s, %s, %s)", ExprText(e.Bytes), ExprText(e.Weights), ExprText(e.Acc))
	case *Dot2:
		return e.text()
	case *Pairs:
		return e.text()
	case *Permute:
		return e.text()
	case *Halves:
		return e.text()
	case *Shuffle:
		return e.text()
	case *Joined:
		return e.text()
	case *Call:
		return fmt.Sprintf("%s(%s)", e.Func.Name, exprsText(e.Args))
	case *GlobalID:
		return fmt.Sprintf("id.%c", dimName(e.Dim))
	case *LocalID:
		return fmt.Sprintf("local.%c", dimName(e.Dim))
	case *GroupID:
		return fmt.Sprintf("group.%c", dimName(e.Dim))
	}
	return fmt.Sprintf("?%T", e)
}

func dimName(dim int) byte { return "xyz?"[min(uint(dim), 3)] }

func nameOf(v *Var) string {
	if v == nil {
		return "nothing"
	}
	return v.Name
}

func lanesText(lanes []int) string {
	text := ""
	for _, l := range lanes {
		text += string("xyzw"[l&3])
	}
	return text
}

func loadLanes(e *Load) string {
	switch {
	case e.Stride > 1:
		return fmt.Sprintf("x%d:%d", e.T.Lanes, e.Stride)
	case e.T.Lanes > 1:
		return fmt.Sprintf("x%d%s", e.T.Lanes, word(e.Aligned, "aligned"))
	}
	return ""
}

// mark is ~ where an operation is not known to be exact and could be.
func mark(exact, matters bool) string {
	if exact || !matters {
		return ""
	}
	return "~"
}

// opens lists the operators whose results C may leave open on integers.
var opens = map[ops.Op]bool{
	ops.Neg: true, ops.Add: true, ops.Sub: true, ops.Mul: true, ops.Div: true, ops.Rem: true, ops.Mod: true, ops.FloorDiv: true,
	ops.Shl: true, ops.Shr: true, ops.Abs: true,
}

func opText(e *Op) string {
	m := ""
	if len(e.Args) > 0 {
		m = mark(e.Exact, opens[e.Op] && e.Args[0].Type().Kind.IsInt())
	}
	if e.Short {
		m = map[ops.Op]string{ops.Abs: "-", ops.Mul: "24", ops.Exp: "87", ops.Div: "'", ops.Mod: "'", ops.Rem: "'", ops.FloorDiv: "'", ops.Max: "'"}[e.Op]
	}
	if e.Natural {
		m = "+"
	}
	switch {
	case e.Op.Info().Call || len(e.Args) > 2 || len(e.Args) == 0:
		return fmt.Sprintf("%s%s(%s)", e.Op, m, exprsText(e.Args))
	case len(e.Args) == 1:
		return e.Op.String() + m + inner(e.Args[0])
	}
	return fmt.Sprintf("%s %s%s %s", inner(e.Args[0]), e.Op, m, inner(e.Args[1]))
}

// inner is an operand: in parentheses where it has operands of its own that are not.
func inner(e Expr) string {
	if o, ok := e.(*Op); ok && !o.Op.Info().Call {
		return "(" + ExprText(e) + ")"
	}
	return ExprText(e)
}

func constText(e *Const) string {
	if e.T.Lanes > 1 {
		return e.T.String() + "(" + wordsText(e.T.Kind, e.Words) + ")"
	}
	return wordsText(e.T.Kind, e.Words)
}

func wordsText(k types.Kind, words []types.Word) string {
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = wordText(k, w)
	}
	return strings.Join(texts, " ")
}

// wordText is a component as the language writes it.
func wordText(k types.Kind, w types.Word) string {
	switch {
	case k == types.Bool:
		return strconv.FormatBool(w.Truth())
	case k.IsFloat():
		text := strconv.FormatFloat(w.Float(), 'g', -1, 64)
		if !strings.ContainsAny(text, ".eIN") {
			text += ".0"
		}
		return text
	case k.IsUnsigned():
		return strconv.FormatUint(w.Uint(), 10)
	}
	return strconv.FormatInt(w.Int(), 10)
}
