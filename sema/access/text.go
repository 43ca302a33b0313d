package access

import (
	"fmt"
	"strconv"
	"strings"

	"imgc/hast"
	"imgc/ops"
	"imgc/source"
)

// longestQuote bounds what messages quote from the program.
const longestQuote = 48

// text is an expression written out in the language, "the index" where that is long.
func text(e hast.Expr) string {
	if t := written(e); len(t) <= longestQuote {
		return t
	}
	return "the index"
}

// written is an expression written out in the language, without conversions.
func written(e hast.Expr) string {
	w := &textwriter{}
	w.expr(e, 0)
	return w.String()
}

// quote is how the program itself spells an access to an image; "" if the place shows something else or too much.
func quote(image *hast.Image, at source.Span) string {
	t := strings.Join(strings.Fields(at.Text()), " ")
	if len(t) > longestQuote || !strings.HasPrefix(t, image.Name+"[") || !strings.HasSuffix(t, "]") {
		return ""
	}
	return t
}

// oneLine is the text of a place where the program has it in one line, else another one.
func oneLine(at source.Span, other string) string {
	t := at.Text()
	if t == "" || len(t) > longestQuote || strings.Contains(t, "\n") {
		return other
	}
	return t
}

type textwriter struct{ strings.Builder }

// levels are the precedences of C.
var levels = map[ops.Op]int{
	ops.LOr: 1, ops.LAnd: 2, ops.Or: 3, ops.Xor: 4, ops.And: 5, ops.Eq: 6, ops.Ne: 6, ops.Lt: 7, ops.Le: 7, ops.Gt: 7, ops.Ge: 7,
	ops.Shl: 8, ops.Shr: 8, ops.Add: 9, ops.Sub: 9, ops.Mul: 10, ops.Div: 10, ops.Rem: 10,
}

const unary = 11

func (w *textwriter) expr(e hast.Expr, level int) {
	switch e := e.(type) {
	case *hast.Const:
		w.constant(e)
	case *hast.Ref:
		w.WriteString(e.Var.Name)
	case *hast.Op:
		w.op(e, level)
	case *hast.Convert:
		if e.X.Type().Kind.IsFloat() != e.T.Kind.IsFloat() || e.How != hast.Wrap {
			w.call(e.T.String(), []hast.Expr{e.X})
		} else {
			w.expr(e.X, level) // the number is the same, or meant to be
		}
	case *hast.Select:
		w.WriteString("(")
		w.expr(e.Cond, 1)
		w.WriteString(" ? ")
		w.expr(e.Then, 1)
		w.WriteString(" : ")
		w.expr(e.Else, 1)
		w.WriteString(")")
	case *hast.Load:
		if e.Image.Scalar { // as the program computes it
			w.WriteString(oneLine(e.At, e.Image.Name))
			return
		}
		w.WriteString(e.Image.Name)
		for _, c := range e.Index {
			w.WriteString("[")
			w.expr(c.X, 0)
			w.WriteString("]")
		}
	case *hast.Elem:
		w.expr(e.X, unary)
		for _, i := range e.Index {
			w.WriteString("[")
			w.expr(i, 0)
			w.WriteString("]")
		}
	case *hast.Call:
		w.call(e.Func.Name, e.Args)
	case *hast.Swizzle:
		w.expr(e.X, unary)
		w.WriteString(".")
		for _, lane := range e.Lanes {
			w.WriteByte("xyzw"[lane])
		}
	case *hast.Reduce:
		w.WriteString(e.Op.String() + "(...)")
	default:
		w.WriteString("...")
	}
}

func (w *textwriter) constant(e *hast.Const) {
	switch {
	case e.Name != "":
		w.WriteString(e.Name)
	case !e.T.IsScalar():
		w.WriteString("[...]")
	case e.T.Kind.IsInt():
		w.WriteString(strconv.FormatInt(e.Words[0].Int(), 10))
	case e.T.Kind.IsFloat():
		f := strconv.FormatFloat(e.Words[0].Float(), 'g', -1, 64)
		if !strings.ContainsAny(f, ".en") {
			f += ".0"
		}
		w.WriteString(f)
	default:
		fmt.Fprint(w, e.Words[0].Truth())
	}
}

func (w *textwriter) op(e *hast.Op, level int) {
	info := e.Op.Info()
	own, isInfix := levels[e.Op]
	switch {
	case info.Call:
		w.call(info.Name, e.Args)
	case isInfix:
		if own < level {
			w.WriteString("(")
			defer w.WriteString(")")
		}
		w.expr(e.Args[0], own)
		w.WriteString(" " + info.Name + " ")
		w.expr(e.Args[1], own+1)
	default:
		w.WriteString(info.Name)
		w.expr(e.Args[0], unary)
	}
}

func (w *textwriter) call(name string, args []hast.Expr) {
	w.WriteString(name + "(")
	for i, arg := range args {
		if i > 0 {
			w.WriteString(", ")
		}
		w.expr(arg, 0)
	}
	w.WriteString(")")
}
