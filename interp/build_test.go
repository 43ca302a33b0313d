package interp

import (
	"imgc/hast"
	"imgc/ops"
	"imgc/pixels"
	"imgc/types"
)

// Short names to build hast by hand.

var (
	tBool = types.Scalar(types.Bool)
	tU8   = types.Scalar(types.U8)
	tI32  = types.Scalar(types.I32)
	tF32  = types.Scalar(types.F32)
	tF64  = types.Scalar(types.F64)
)

func typed(t types.Type) hast.Typed { return hast.Typed{T: t} }

func constant(t types.Type, words ...types.Word) hast.Expr {
	return &hast.Const{Typed: typed(t), Words: words}
}

func i32(v int64) hast.Expr   { return constant(tI32, types.Int(v)) }
func f32(v float64) hast.Expr { return constant(tF32, types.Float(v)) }

func ints32(t types.Type, values ...int64) hast.Expr {
	words := make([]types.Word, len(values))
	for i, v := range values {
		words[i] = types.Int(v)
	}
	return constant(t, words...)
}

func ref(v *hast.Var) hast.Expr { return &hast.Ref{Typed: typed(v.Type), Var: v} }

func newVar(name string, t types.Type, class hast.VarClass) *hast.Var {
	return &hast.Var{Name: name, Type: t, Class: class}
}

func iterator(name string) *hast.Var { return newVar(name, tI32, hast.Iterator) }
func loopVar(name string) *hast.Var  { return newVar(name, tI32, hast.Loop) }

// op applies an operator to operands of one type; the result's type follows from the table.
func op(o ops.Op, args ...hast.Expr) hast.Expr {
	t := args[0].Type()
	switch o.Info().Result {
	case ops.Truth:
		t = t.WithKind(types.Bool)
	case ops.Index:
		t = t.WithKind(types.I32)
	case ops.Scalar:
		t.Lanes = 1
	case ops.Flag:
		t = types.Scalar(types.Bool)
	}
	return &hast.Op{Typed: typed(t), Op: o, Args: args}
}

func add(x, y hast.Expr) hast.Expr { return op(ops.Add, x, y) }
func mul(x, y hast.Expr) hast.Expr { return op(ops.Mul, x, y) }

func convert(k types.Kind, x hast.Expr) hast.Expr {
	return &hast.Convert{Typed: typed(x.Type().WithKind(k)), X: x}
}

// load reads a pixel that may be anywhere, under a rule; with a nil rule it is said to be inside.
func load(m *hast.Image, rule *hast.Rule, index ...hast.Expr) hast.Expr {
	e := &hast.Load{Typed: typed(m.Elem), Image: m, Rule: rule}
	for _, x := range index {
		e.Index = append(e.Index, hast.Coord{X: x, Below: rule != nil, Above: rule != nil})
	}
	return e
}

func elem(x hast.Expr, index ...hast.Expr) hast.Expr {
	return &hast.Elem{Typed: typed(x.Type().Elem()), X: x, Index: index}
}

func upTo(n hast.Expr) hast.Range { return hast.Range{Lo: i32(0), Hi: n, Step: 1} }

// over is the space of vars from 0 up to each of n.
func over(vars []*hast.Var, n ...hast.Expr) hast.Space {
	s := hast.Space{Vars: vars}
	for _, e := range n {
		s.Ranges = append(s.Ranges, upTo(e))
	}
	return s
}

// A program is a pipeline under construction.
type program struct {
	*hast.Pipeline
	sizes map[string]*hast.Var
}

func newProgram() *program {
	return &program{&hast.Pipeline{Name: "test"}, map[string]*hast.Var{}}
}

// image adds an image whose extents are size names or host expressions. A size name is bound by the first parameter that
// has it.
func (p *program) image(name string, dir hast.Dir, t types.Type, extent ...any) *hast.Image {
	m := &hast.Image{Name: name, Dir: dir, Elem: t, Zero: true}
	for axis, e := range extent {
		switch e := e.(type) {
		case string:
			if p.sizes[e] == nil {
				p.sizes[e] = newVar(e, tI32, hast.SizeVar)
				p.Sizes = append(p.Sizes, &hast.Size{Var: p.sizes[e], Image: m, Axis: axis, Mul: 1})
			}
			m.Extent = append(m.Extent, ref(p.sizes[e]))
		case int:
			m.Extent = append(m.Extent, i32(int64(e)))
		case hast.Expr:
			m.Extent = append(m.Extent, e)
		}
	}
	p.Images = append(p.Images, m)
	if dir != hast.Local {
		p.Params = append(p.Params, &hast.Param{Name: name, Dir: dir, Image: m})
	}
	return m
}

func (p *program) scalar(name string, dir hast.Dir, t types.Type) *hast.Var {
	v := newVar(name, t, hast.ScalarIn)
	if dir == hast.Out {
		v.Class = hast.ScalarOut
	}
	p.Params = append(p.Params, &hast.Param{Name: name, Dir: dir, Scalar: v})
	return v
}

// stage adds a stage over all pixels of m.
func (p *program) stage(m *hast.Image, vars []*hast.Var, body ...hast.Stmt) *hast.Stage {
	s := &hast.Stage{Name: m.Name, Space: over(vars, m.Extent...), Body: body}
	p.Steps = append(p.Steps, s)
	return s
}

func store(m *hast.Image, value hast.Expr, index ...hast.Expr) hast.Stmt {
	return &hast.Store{Image: m, Index: index, Value: value}
}

// picture makes an image from component values.
func picture(t types.Type, extent []int, values ...float64) *pixels.Image {
	m, err := pixels.New(t, extent...)
	if err != nil {
		panic(err)
	}
	for i, v := range values {
		m.SetWord(i, wordOf(t.Kind, v))
	}
	return m
}

func wordOf(k types.Kind, v float64) types.Word { return types.Convert(types.Float(v), types.F64, k) }

// valuesOf lists the components of an image.
func valuesOf(m *pixels.Image) []float64 {
	values := make([]float64, m.Words())
	for i := range values {
		values[i] = types.Convert(m.Word(i), m.Elem.Kind, types.F64).Float()
	}
	return values
}
