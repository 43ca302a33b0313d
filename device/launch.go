package device

import (
	"fmt"
	"math"

	"imgc/device/cl"
	"imgc/kir"
	"imgc/source"
	"imgc/types"
)

// A launch is a kernel with its arguments and its range, ready to be enqueued.
type launch struct {
	kernel *cl.Kernel
	over   cl.Range
	args   []any
	at     source.Span
}

// launch prepares one; nil where it would run no item.
func (p *Program) launch(c *call, mem *memory, s *kir.Launch) (*launch, error) {
	l := &launch{kernel: p.kernels[s.Kernel], at: s.At}
	if err := mem.locateFor(c, s); err != nil {
		return nil, err
	}
	for dim, e := range s.Items {
		n, err := c.integer(e, s.At)
		if err != nil {
			return nil, err
		}
		if n < 1 {
			return nil, nil
		}
		group := int64(s.Kernel.Group[dim])
		if n > math.MaxInt32-group {
			return nil, c.failf(s.At, "an iteration of %d instances in one dimension is too large", n)
		}
		l.over.Global = append(l.over.Global, int((n+group-1)/group*group))
		l.over.Local = append(l.over.Local, int(group))
	}
	for i, a := range s.Args {
		if a.Table != nil {
			l.args = append(l.args, p.tables[a.Table])
			continue
		}
		arg, err := c.argument(mem, a, s.Kernel.Params[i], s.At)
		if err != nil {
			return nil, err
		}
		l.args = append(l.args, arg)
	}
	return l, nil
}

// locateFor tells the extents and arguments of a launch where the levels lie that they speak of: those that the kernel takes, and others.
func (mem *memory) locateFor(c *call, s *kir.Launch) error {
	for _, n := range s.Items {
		if err := mem.locate(c, n); err != nil {
			return err
		}
	}
	for _, a := range s.Args {
		var err error
		switch {
		case a.Value != nil:
			err = mem.locate(c, a.Value)
		case a.Image != nil && a.Image.Of != nil:
			_, err = mem.of(c, a.Image)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// argument is a kernel's argument as cl takes it.
func (c *call) argument(mem *memory, a kir.Arg, param *kir.Var, at source.Span) (any, error) {
	if a.Image != nil {
		b, err := mem.of(c, a.Image)
		if err != nil {
			return nil, err
		}
		return b.buffer, nil
	}
	v, err := c.eval(unwidened(a.Value), at)
	if err != nil {
		return nil, err
	}
	if v.Type == types.Scalar(types.I64) && param.Type == types.Scalar(types.I32) {
		n := v.Words[0].Int()
		if n < math.MinInt32 || n > math.MaxInt32 {
			return nil, c.failf(at, "%s is %d, which does not fit 32 bits", kir.HostText(a.Value, nil), n)
		}
		v = types.Of(types.I32, types.Int(n))
	}
	if v.Type != param.Type {
		return nil, fmt.Errorf("%w: kernel argument %s is of type %s, but %s was computed for it", ErrInternal, param.Name, param.Type, v.Type)
	}
	return encode(v), nil
}

// unwidened drops the conversion to i32 of a host integer: whether it fits is tested here.
func unwidened(e kir.Expr) kir.Expr {
	if c, ok := e.(*kir.Convert); ok && c.Exact && c.T == types.Scalar(types.I32) && c.X.Type() == types.Scalar(types.I64) {
		return c.X
	}
	return e
}

// encode is a value as kernels take it: like it lies in memory, but that three lanes take the space of four.
func encode(v types.Value) cl.Bytes {
	b := stored(v)
	if len(v.Words) == 3 {
		b = append(b, make([]byte, v.Type.Kind.Bytes())...)
	}
	return b
}

// stored are the bytes of a value as it lies in memory.
func stored(v types.Value) []byte {
	size := v.Type.Kind.Bytes()
	b := make([]byte, len(v.Words)*size)
	for i, w := range v.Words {
		types.Store(v.Type.Kind, b[i*size:], w)
	}
	return b
}
