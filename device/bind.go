package device

import (
	"errors"
	"slices"

	"imgc/arguments"
	"imgc/kir"
	"imgc/source"
	"imgc/types"
)

// Args are the arguments of a call, by the name of the parameter.
type Args = arguments.Args

// A call is what is known of a call before anything is allocated.
type call struct {
	plan    *kir.Pipeline
	args    Args
	images  []*kir.Image // parameters first, then locals
	values  map[*kir.Var]types.Value
	origin  map[*kir.Var]string // what bound a size: "bound by src"
	extents map[*kir.Image][]int
}

// bind does what every entry point does before it writes anything.
func bind(plan *kir.Pipeline, args Args) (*call, error) {
	c := &call{
		plan: plan, args: args,
		values: map[*kir.Var]types.Value{}, origin: map[*kir.Var]string{}, extents: map[*kir.Image][]int{},
	}
	for _, p := range plan.Params {
		if p.Image != nil {
			c.images = append(c.images, p.Image)
		}
	}
	c.images = append(c.images, plan.Locals...)
	for _, phase := range []func() error{
		c.bindArguments, c.computeHostValues, c.bindExtents, c.bindPyramids, c.test,
	} {
		if err := phase(); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// at is where a parameter is declared.
func at(p *kir.Param) source.Span {
	if p.Image != nil {
		return p.Image.At
	}
	return p.Scalar.At
}

// signature is what the pipeline asks of its arguments.
func signature(plan *kir.Pipeline) *arguments.Signature {
	s := &arguments.Signature{At: plan.At}
	index := map[*kir.Image]int{}
	for i, q := range plan.Params {
		a := arguments.Param{Name: q.Name, Dir: dirs[q.Dir], Default: q.Default, At: at(q)}
		if q.Image == nil {
			a.Type = q.Scalar.Type
		} else {
			index[q.Image], a.Type = i, q.Image.Elem
			for axis := range q.Image.Extent {
				a.Extent = append(a.Extent, q.Image.ExtentText(axis))
			}
		}
		s.Params = append(s.Params, a)
	}
	for _, size := range plan.Sizes {
		s.Sizes = append(s.Sizes, arguments.Size{Name: size.Var.Name, Image: index[size.Image], Axis: size.Axis, Mul: size.Mul, Add: size.Add})
	}
	return s
}

var dirs = map[kir.Dir]arguments.Dir{kir.In: arguments.In, kir.Out: arguments.Out, kir.InOut: arguments.InOut}

// bindArguments holds arguments against parameters, and gives in scalars and sizes their values.
func (c *call) bindArguments() error {
	bound, err := signature(c.plan).Bind(c.args)
	if err != nil {
		return c.refused(err)
	}
	for _, p := range c.plan.Params {
		if p.Scalar != nil && p.Dir == kir.In {
			c.values[p.Scalar] = bound.Scalars[p.Name]
		}
	}
	for i, s := range c.plan.Sizes {
		c.values[s.Var] = types.Of(s.Var.Type.Kind, types.Int(bound.Sizes[i].Value))
		c.origin[s.Var] = bound.Sizes[i].Origin
	}
	return nil
}

// refused is an error of package arguments as one of this package.
func (c *call) refused(err error) error {
	var e *arguments.Error
	if errors.As(err, &e) {
		return c.failf(e.At, "%s", e.Message)
	}
	return err
}

// quantities lists the values that a host expression is made of.
func (c *call) quantities(e kir.Expr) (list []arguments.Quantity) {
	var vars []*kir.Var
	kir.Walk(e, func(e kir.Expr) {
		if r, ok := e.(*kir.Ref); ok && !slices.Contains(vars, r.Var) {
			vars = append(vars, r.Var)
		}
	})
	for _, v := range vars {
		list = append(list, arguments.Quantity{Name: v.Name, Value: c.values[v], Origin: c.origin[v]})
	}
	return list
}

// because is " for H = 98 (bound by src)", or nothing where e is a constant.
func (c *call) because(e kir.Expr) string { return arguments.Because(c.quantities(e)) }
