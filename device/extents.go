package device

import (
	"math"
	"strings"

	"imgc/arguments"
	"imgc/kir"
	"imgc/pixels"
	"imgc/source"
	"imgc/types"
)

// computeHostValues runs the definitions outside of control flow that depend on nothing inside of it: checks and extents may
// depend on them.
func (c *call) computeHostValues() error {
	for _, p := range c.plan.Params {
		if p.Scalar != nil && p.Dir == kir.Out { // where no step gets to set it
			c.values[p.Scalar] = types.Value{Type: p.Scalar.Type, Words: make([]types.Word, p.Scalar.Type.Words())}
		}
	}
	for _, step := range c.plan.Steps {
		var err error
		switch s := step.(type) {
		case *kir.Let:
			if c.knows(s.Value) && s.Var.Const {
				c.values[s.Var], err = c.eval(s.Value, s.Var.At)
			}
		case *kir.SetScalar:
			if s.From == nil && c.knows(s.Value) {
				c.values[s.Var], err = c.eval(s.Value, s.Var.At)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// bindExtents evaluates every image's extents, and compares those of the arguments with them.
func (c *call) bindExtents() error {
	for _, m := range c.plan.Extents {
		extent := make([]int, len(m.Extent))
		for axis, e := range m.Extent {
			n, err := c.integer(e, m.At)
			if err != nil {
				return err
			}
			if n < math.MinInt32 || n > math.MaxInt32 {
				return c.failf(m.At, "an extent of %s is %s = %d%s, which does not fit an i32", m.Name, m.ExtentText(axis), n, c.because(e))
			}
			extent[axis] = int(n)
		}
		c.extents[m] = extent
		if given := c.args.Images[m.Name]; given != nil && m.Dir != kir.Temporary {
			if err := c.made(m, extent).Fit(given.Extent); err != nil {
				return c.refused(err)
			}
		}
		if err := c.checkExtents(m, extent); err != nil {
			return err
		}
	}
	return nil
}

// made is what an image's extents come to.
func (c *call) made(m *kir.Image, extent []int) *arguments.Extents {
	return &arguments.Extents{Name: m.Name, Extent: extent, Of: func(axis int) []arguments.Quantity { return c.quantities(m.Extent[axis]) }, At: m.At}
}

func (c *call) checkExtents(m *kir.Image, extent []int) error {
	if err := c.made(m, extent).Possible(); err != nil {
		return c.refused(err)
	}
	if _, err := sizeOf(m.Elem, extent); err != nil {
		return c.failf(m.At, "%s is %s: %v", m.Name, pixels.Dimensions(extent), err)
	}
	return nil
}

// test reports the first check that does not hold.
func (c *call) test() error {
	for _, check := range c.plan.Checks {
		err := c.eachLevel(check.Over, func() error {
			v, err := c.eval(check.Cond, check.At)
			if err == nil && !v.Words[0].Truth() {
				err = c.failf(check.At, "%s", check.Message)
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// eval computes a host expression of what stands at at.
func (c *call) eval(e kir.Expr, at source.Span) (types.Value, error) {
	v, err := kir.Eval(e, c.values)
	switch {
	case err == nil:
		return v, nil
	case strings.HasPrefix(err.Error(), "internal error"):
		return v, internalError{err}
	}
	return v, c.failf(at, "%v", err)
}

// integer computes a host integer.
func (c *call) integer(e kir.Expr, at source.Span) (int64, error) {
	v, err := c.eval(e, at)
	if err != nil {
		return 0, err
	}
	return v.Words[0].Int(), nil
}
