package hast

import (
	"fmt"
	"strings"

	"imgc/ops"
)

// Text is an expression in the notation of the language, with every conversion written out and operators in parentheses. What
// the language has no notation for looks like a call in capitals: SPLAT f32x3(e).
func Text(x Expr) string {
	switch x := x.(type) {
	case nil:
		return "nothing"
	case *Const:
		if x.Name != "" && x.T.IsArray() {
			return x.Name
		}
		return constText(x.T, x.Words)
	case *Ref:
		return x.Var.Name
	case *Op:
		return opText(x)
	case *Convert:
		return [...]string{Wrap: "", Saturate: "sat ", Bitcast: "bitcast "}[x.How] + x.T.String() + "(" + Text(x.X) + ")"
	case *Splat:
		return "SPLAT " + x.T.String() + "(" + Text(x.X) + ")"
	case *Select:
		if x.Cond.Type().IsScalar() {
			return "(" + Text(x.Cond) + " ? " + Text(x.Then) + " : " + Text(x.Else) + ")"
		}
		return "select" + args(x.Cond, x.Then, x.Else)
	case *Vec:
		return x.T.String() + args(x.Parts...)
	case *Swizzle:
		lanes := ""
		for _, l := range x.Lanes {
			lanes += "xyzw"[l : l+1]
		}
		return Text(x.X) + "." + lanes
	case *Array:
		return "ARRAY " + x.T.String() + args(x.Elems...)
	case *Elem:
		mark := "?"
		if x.InRange {
			mark = ""
		}
		return Text(x.X) + mark + indexText(x.Index)
	case *Transpose:
		return "transpose" + args(x.X)
	case *MatMul:
		return "MATMUL" + args(x.X, x.Y)
	case *Reshape:
		return "RESHAPE " + x.T.String() + args(x.X)
	case *Load:
		return x.Image.Name + coordsText(x.Index) + ruleText(x.Rule)
	case *Window:
		return windowText(x)
	case *Call:
		return x.Func.Name + args(x.Args...)
	case *Reduce:
		return reduceText(x)
	}
	return fmt.Sprintf("%T", x)
}

// Written is a host expression as the program has it, where it stands there; else in the notation of the language.
func Written(e Expr) string {
	x, isOp := e.(*Op)
	if s := e.Span().Text(); s != "" && !(isOp && assigned(x, s)) {
		return s
	}
	switch e := e.(type) {
	case *Const:
		return constText(e.T, e.Words)
	case *Ref:
		return e.Var.Name
	case *Op:
		return writtenOp(e)
	}
	return "..."
}

// assigned reports whether a text is an assignment such as t += n, of which an operation is what t becomes.
func assigned(e *Op, text string) bool {
	if len(e.Args) != 2 {
		return false
	}
	rest, ok := strings.CutPrefix(text, e.Args[0].Span().Text())
	return ok && strings.HasPrefix(strings.TrimSpace(rest), e.Op.Info().Name+"=")
}

// bindsMore reports whether the second operand of an operation needs no parentheses: products in sums, and sums in sums.
func bindsMore(inner, outer ops.Op) bool {
	return (inner == ops.Mul || inner == ops.Div) && (outer == ops.Add || outer == ops.Sub) || inner == ops.Add && outer == ops.Add
}

func writtenOp(e *Op) string {
	info := e.Op.Info()
	args := make([]string, len(e.Args))
	for i, a := range e.Args {
		args[i] = Written(a)
		if inner, ok := a.(*Op); ok && !info.Call && !inner.Op.Info().Call && (!a.Span().IsValid() || i == 1 && !bindsMore(inner.Op, e.Op)) {
			args[i] = "(" + args[i] + ")"
		}
	}
	switch {
	case info.Call:
		return info.Name + "(" + strings.Join(args, ", ") + ")"
	case len(args) == 1:
		return info.Name + args[0]
	case e.Op == ops.Mul || e.Op == ops.Div:
		return strings.Join(args, info.Name)
	}
	return strings.Join(args, " "+info.Name+" ")
}

func args(list ...Expr) string {
	texts := make([]string, len(list))
	for i, x := range list {
		texts[i] = Text(x)
	}
	return "(" + strings.Join(texts, ", ") + ")"
}

func opText(x *Op) string {
	info := x.Op.Info()
	switch {
	case info.Call || x.Op == ops.None:
		return x.Op.String() + args(x.Args...)
	case len(x.Args) == 1:
		return info.Name + Text(x.Args[0])
	}
	return "(" + Text(x.Args[0]) + " " + info.Name + " " + Text(x.Args[1]) + ")"
}

// mark says on which sides a coordinate can leave the image.
func (c Coord) mark() string {
	return [...]string{"", "<", ">", "<>"}[b2i(c.Below)+2*b2i(c.Above)]
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func coordsText(index []Coord) string {
	var b strings.Builder
	for _, c := range index {
		b.WriteString("[" + Text(c.X) + c.mark() + "]")
	}
	return b.String()
}

func ruleText(r *Rule) string {
	switch {
	case r == nil:
		return ""
	case r.Kind == Constant:
		return "@constant(" + Text(r.Value) + ")"
	case r.Kind == Formula:
		return "@" + r.Border.Name
	}
	return "@" + r.Kind.String()
}

func windowText(w *Window) string {
	var b strings.Builder
	b.WriteString(w.Image.Name)
	for _, a := range w.Axes {
		b.WriteString("[" + Text(a.Start.X) + a.Start.mark())
		if a.Colon {
			fmt.Fprintf(&b, " : %d", a.Count)
		}
		if a.Stride != 1 {
			fmt.Fprintf(&b, " : %d", a.Stride)
		}
		b.WriteString("]")
	}
	return b.String() + ruleText(w.Rule)
}

func reduceText(x *Reduce) string {
	head := x.Op.String() + "("
	if x.Op == Fold {
		head += x.Func.Name + ", " + Text(x.Init) + ", "
	}
	tail := " for " + spaceText(x.Space)
	if x.Ways != 0 {
		tail += fmt.Sprintf(" in %d ways", x.Ways)
	}
	if x.Where != nil {
		tail += " where " + Text(x.Where)
	}
	return head + Text(x.Elem) + tail + ")"
}
