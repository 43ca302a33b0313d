package device

import (
	"imgc/pixels"
	"math"
	"strings"

	"imgc/kir"
	"imgc/source"
	"imgc/types"
)

// maxExtent is the largest extent of an image and of an iteration: kernels compute coordinates in 32 bits.
const maxExtent = 1 << 30

// bindSizes gives every size name its value: (extent - Add) / Mul of the image that binds it, or the one in Args.Sizes where
// that image is an out image that was not given.
func (c *call) bindSizes() error {
	for _, s := range c.plan.Sizes {
		if err := c.bindSize(s); err != nil {
			return err
		}
	}
	return nil
}

func (c *call) bindSize(s *kir.Size) error {
	name := s.Var.Name
	given, isGiven := c.args.Sizes[name]
	m := c.args.Images[s.Image.Name]
	if m == nil {
		if !isGiven {
			return c.failf(s.Image.At, "nothing gives the size %s: pass the image %s or the size", name, s.Image.Name)
		}
		if given < math.MinInt32 || given > math.MaxInt32 {
			return c.failf(s.Image.At, "the size %s = %d does not fit an i32", name, given)
		}
		c.setSize(s.Var, int64(given), "given")
		return nil
	}
	extent := int64(m.Extent[s.Axis])
	n := (extent - s.Add) / s.Mul
	if n*s.Mul+s.Add != extent {
		return c.failf(s.Image.At, "%s is %s, but no whole number %s gives %s = %d %s", s.Image.Name,
			pixels.Dimensions(m.Extent), name, text(s.Image.Extent[s.Axis]), extent, axisName(len(s.Image.Extent), s.Axis))
	}
	if isGiven && int64(given) != n {
		return c.failf(s.Image.At, "%s = %d was given, but %s is %s, so %s = %d", name, given, s.Image.Name,
			pixels.Dimensions(m.Extent), name, n)
	}
	c.setSize(s.Var, n, "bound by "+s.Image.Name)
	return nil
}

func (c *call) setSize(v *kir.Var, n int64, origin string) {
	c.values[v] = types.Of(v.Type.Kind, types.Int(n))
	c.origin[v] = origin
}

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
	for _, m := range c.images {
		extent := make([]int, len(m.Extent))
		for axis, e := range m.Extent {
			n, err := c.integer(e, m.At)
			if err != nil {
				return err
			}
			if n < math.MinInt32 || n > math.MaxInt32 {
				return c.failf(m.At, "an extent of %s is %s = %d%s, which does not fit an i32", m.Name, text(e), n, c.because(e))
			}
			extent[axis] = int(n)
		}
		c.extents[m] = extent
		if given := c.args.Images[m.Name]; given != nil && m.Dir != kir.Temporary {
			if err := c.compare(m, given.Extent); err != nil {
				return err
			}
		}
		if err := c.checkExtents(m, extent); err != nil {
			return err
		}
	}
	return nil
}

func (c *call) checkExtents(m *kir.Image, extent []int) error {
	for axis, e := range extent {
		if e < 1 {
			return c.failf(m.At, "%s would be %s%s, but every extent must be at least 1",
				m.Name, pixels.Dimensions(extent), c.because(m.Extent[axis]))
		}
		if e > maxExtent {
			return c.failf(m.At, "%s would be %s%s, but an extent is at most %d",
				m.Name, pixels.Dimensions(extent), c.because(m.Extent[axis]), maxExtent)
		}
	}
	if _, err := sizeOf(m.Elem, extent); err != nil {
		return c.failf(m.At, "%s is %s: %v", m.Name, pixels.Dimensions(extent), err)
	}
	return nil
}

func (c *call) compare(m *kir.Image, given []int) error {
	for axis, want := range c.extents[m] {
		if given[axis] == want {
			continue
		}
		reason := "its declaration"
		if known := c.known(m.Extent[axis]); known != "" {
			reason = known
		}
		return c.failf(m.At, "%s is %s, but %s asks for %d %s",
			m.Name, pixels.Dimensions(given), reason, want, axisName(len(m.Extent), axis))
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

// because is " for H = 98 (bound by src)", or nothing where e is a constant.
func (c *call) because(e kir.Expr) string {
	if known := c.known(e); known != "" {
		return " for " + known
	}
	return ""
}

// known lists the values that a host expression is made of: "H = 98 and W = 5 (bound by src)".
func (c *call) known(e kir.Expr) string {
	var vars []*kir.Var
	kir.Walk(e, func(e kir.Expr) {
		if r, ok := e.(*kir.Ref); ok && !contains(vars, r.Var) {
			vars = append(vars, r.Var)
		}
	})
	var parts []string
	for i, v := range vars {
		part := v.Name + " = " + valueText(c.values[v])
		origin := c.origin[v]
		if origin != "" && (i+1 == len(vars) || c.origin[vars[i+1]] != origin) {
			part += " (" + origin + ")"
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, " and ")
}

func contains(list []*kir.Var, v *kir.Var) bool {
	for _, x := range list {
		if x == v {
			return true
		}
	}
	return false
}
