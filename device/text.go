package device

import (
	"fmt"
	"strings"

	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// axisName is what users call the extent of an axis.
func axisName(rank, axis int) string {
	switch {
	case rank == 1:
		return "elements"
	case rank == 2 && axis == 0:
		return "rows"
	case rank == 2:
		return "columns"
	}
	return fmt.Sprintf("along axis %d", axis)
}

// declared is an image's type like its declaration: "u8[H][W]".
func declared(m *kir.Image) string {
	s := m.Elem.String()
	for _, e := range m.Extent {
		s += "[" + text(e) + "]"
	}
	return s
}

// text is a host expression as a program would have it; the widening that lowering adds is left out.
func text(e kir.Expr) string {
	switch e := e.(type) {
	case *kir.Const:
		if e.Name != "" {
			return e.Name
		}
		return valueText(types.Value{Type: e.T, Words: e.Words})
	case *kir.Ref:
		return e.Var.Name
	case *kir.Convert:
		return text(e.X)
	case *kir.Op:
		return opText(e)
	}
	return "..."
}

func opText(e *kir.Op) string {
	info := e.Op.Info()
	args := make([]string, len(e.Args))
	for i, a := range e.Args {
		args[i] = text(a)
		if inner, ok := unconverted(a).(*kir.Op); ok && !info.Call && !inner.Op.Info().Call {
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

func unconverted(e kir.Expr) kir.Expr {
	for {
		c, ok := e.(*kir.Convert)
		if !ok {
			return e
		}
		e = c.X
	}
}

func valueText(v types.Value) string {
	parts := make([]string, len(v.Words))
	for i, w := range v.Words {
		switch k := v.Type.Kind; {
		case k == types.Bool:
			parts[i] = fmt.Sprint(w.Truth())
		case k.IsFloat():
			parts[i] = fmt.Sprint(w.Float())
		case k.IsSigned():
			parts[i] = fmt.Sprint(w.Int())
		default:
			parts[i] = fmt.Sprint(w.Uint())
		}
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return "(" + strings.Join(parts, ", ") + ")"
}
