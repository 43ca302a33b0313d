package interp

import (
	"context"
	"runtime"

	"imgc/hast"
	"imgc/pixels"
	"imgc/types"
)

// Results are what a run returns, by the name of the parameter.
type Results struct {
	Images  map[string]*pixels.Image // every out and inout image: the caller's own where it gave one
	Scalars map[string]types.Value   // every out scalar
}

// Run runs a pipeline. It writes to the caller's images at the end only: with an error, nothing has changed. Where arguments
// do not fit, or a loop does not end, the error is an *Error; after ctx is cancelled it wraps ctx's cause.
func Run(ctx context.Context, p *hast.Pipeline, args Args, opts Options) (Results, error) {
	b, err := Bind(ctx, p, args, opts)
	if err != nil {
		return Results{}, err
	}
	workers := opts.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	rasters, err := b.allocate()
	if err != nil {
		return Results{}, err
	}
	h := &host{b: b, storage: rasters, workers: workers}
	if _, err := h.steps(p.Steps); err != nil {
		return Results{}, err
	}
	return b.results(rasters)
}

// allocate makes the rasters of all images: arguments with what they hold, all others with zeros.
func (b *Binding) allocate() (rasters *storage, err error) {
	defer guard(b.pipeline.Name, b.pipeline.At, &err)
	rasters = newStorage(b)
	for _, m := range b.pipeline.Images {
		if m.Of != nil {
			continue // made where it is touched first
		}
		r := newRaster(m, b.extents[m])
		if m.Dir == hast.In || m.Dir == hast.InOut {
			r.read(b.args.Images[m.Name])
		}
		rasters.images[m] = r
	}
	return rasters, nil
}

// pixel is what the one pixel of an image holds.
func (b *Binding) pixel(r *raster) []types.Word {
	words := make([]types.Word, r.elem.Words())
	for i := range words {
		words[i] = r.cells.get(i)
	}
	return words
}

// readScalars takes the out scalars that stages have computed.
func (b *Binding) readScalars(rasters *storage) {
	for _, step := range b.pipeline.Steps {
		s, ok := step.(*hast.SetScalar)
		if !ok || s.From == nil {
			continue
		}
		words := b.pixel(rasters.of(s.From))
		if s.Var.Type.Kind == types.Bool {
			words[0] = types.Truth(words[0].Int() != 0)
		}
		b.values[s.Var] = words
	}
}

// results makes the images that the caller did not give, then writes all of them.
func (b *Binding) results(rasters *storage) (res Results, err error) {
	defer guard(b.pipeline.Name, b.pipeline.At, &err)
	res = Results{Images: map[string]*pixels.Image{}, Scalars: map[string]types.Value{}}
	b.readScalars(rasters)
	for _, p := range b.pipeline.Params {
		switch {
		case p.Dir == hast.In:
		case p.Scalar != nil:
			res.Scalars[p.Name] = types.Value{Type: p.Scalar.Type, Words: b.values[p.Scalar]}
		case b.args.Images[p.Name] != nil:
			res.Images[p.Name] = b.args.Images[p.Name]
		default:
			m, err := pixels.New(p.Image.Elem, b.extents[p.Image]...)
			if err != nil {
				return Results{}, b.failf(p.At, "%s: %v", p.Name, err)
			}
			res.Images[p.Name] = m
		}
	}
	for m, r := range rasters.images {
		if m.Dir == hast.Out || m.Dir == hast.InOut {
			r.write(res.Images[m.Name])
		}
	}
	return res, nil
}
