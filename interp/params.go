package interp

import (
	"errors"

	"imgc/arguments"
	"imgc/hast"
	"imgc/types"
)

// signature is what the pipeline asks of its arguments.
func signature(p *hast.Pipeline) *arguments.Signature {
	s := &arguments.Signature{At: p.At}
	index := map[*hast.Image]int{}
	for i, q := range p.Params {
		a := arguments.Param{Name: q.Name, Dir: dirs[q.Dir], Default: q.Default, At: q.At}
		if q.Image == nil {
			a.Type = q.Scalar.Type
		} else {
			index[q.Image], a.Type = i, q.Image.Elem
			for _, e := range q.Image.Extent {
				a.Extent = append(a.Extent, hast.Written(e))
			}
		}
		s.Params = append(s.Params, a)
	}
	for _, size := range p.Sizes {
		s.Sizes = append(s.Sizes, arguments.Size{Name: size.Var.Name, Image: index[size.Image], Axis: size.Axis, Mul: size.Mul, Add: size.Add})
	}
	return s
}

var dirs = map[hast.Dir]arguments.Dir{hast.In: arguments.In, hast.Out: arguments.Out, hast.InOut: arguments.InOut}

// bindArguments holds arguments against parameters, and gives in scalars and sizes their values.
func (b *Binding) bindArguments() error {
	bound, err := signature(b.pipeline).Bind(b.args)
	if err != nil {
		return b.refused(err)
	}
	for _, p := range b.pipeline.Params {
		if p.Scalar != nil && p.Dir == hast.In {
			b.values[p.Scalar] = bound.Scalars[p.Name].Words
		}
	}
	for i, s := range b.pipeline.Sizes {
		b.values[s.Var] = []types.Word{types.Int(bound.Sizes[i].Value)}
		b.origin[s.Var] = bound.Sizes[i].Origin
	}
	return nil
}

// refused is an error of package arguments as one of this package.
func (b *Binding) refused(err error) error {
	var e *arguments.Error
	if errors.As(err, &e) {
		return b.failf(e.At, "%s", e.Message)
	}
	return err
}

// quantities lists the values that a host expression is made of.
func (b *Binding) quantities(e hast.Expr) (list []arguments.Quantity) {
	for _, v := range variables(e, nil) {
		list = append(list, arguments.Quantity{Name: v.Name, Value: types.Value{Type: v.Type, Words: b.values[v]}, Origin: b.origin[v]})
	}
	return list
}

// because is " for H = 98 (bound by src)", or nothing where e is a constant.
func (b *Binding) because(e hast.Expr) string { return arguments.Because(b.quantities(e)) }
