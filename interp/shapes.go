package interp

import (
	"context"

	"imgc/hast"
)

// Shapes are the extents of the images that a pipeline takes and returns, by the names of the parameters, slowest axis first, for sizes
// and scalars alone: what a caller has to allocate. Args hold every size name and scalars as for a run; images in them are not looked
// at. Where no call of such sizes and scalars is possible, the error is the *Error of that call.
func Shapes(ctx context.Context, p *hast.Pipeline, args Args, opts Options) (map[string][]int, error) {
	asked := *p
	asked.Params = nil
	for _, q := range p.Params {
		if q.Image != nil {
			returned := *q
			returned.Dir, q = hast.Out, &returned // sizes then come from the arguments alone
		}
		asked.Params = append(asked.Params, q)
	}
	args.Images = nil
	b, err := Bind(ctx, &asked, args, opts)
	if err != nil {
		return nil, err
	}
	shapes := map[string][]int{}
	for _, q := range p.Params {
		if q.Image != nil {
			shapes[q.Name] = b.Extent(q.Image)
		}
	}
	return shapes, nil
}
