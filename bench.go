package imgc

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"imgc/interp"
	"imgc/pixels"
	"imgc/types"
)

// RandomArgs are arguments for measuring a pipeline: images of random pixels, the same ones in every run, beside the sizes and scalars
// that are given. Integers of up to 16 bits have any value, larger ones 0 to 65535, floats are from 0 to 1. A size or scalar that is
// missing, and what fits no call, is a CallError.
func (p *Program) RandomArgs(ctx context.Context, pipeline string, sizes map[string]int, scalars map[string]types.Value) (args Args, err error) {
	defer guard(&err, "making arguments for %s of %s", pipeline, p.File())
	q, err := p.Pipeline(pipeline)
	if err != nil {
		return Args{}, err
	}
	args = Args{Images: map[string]*pixels.Image{}, Scalars: scalars, Sizes: sizes}
	shapes, err := interp.Shapes(ctx, q.typed, args, interp.Options{Externs: p.options.Externs})
	if err != nil {
		return Args{}, interpError(err)
	}
	for i, param := range q.Params {
		if !param.IsImage || !param.Takes() {
			continue
		}
		m, err := pixels.New(param.Type, shapes[param.Name]...)
		if err != nil {
			return Args{}, &CallError{Pipeline: q.Name, Message: fmt.Sprintf("%s: %v", param.Name, err)}
		}
		fillRandomly(m, uint64(i))
		args.Images[param.Name] = m
	}
	return args, nil
}

// period is after how many words random pixels come again: no power of two, so that lines differ.
const period = 1<<20 - 3

func fillRandomly(m *pixels.Image, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 1))
	first := min(period, m.Words())
	for i := range first {
		m.SetWord(i, randomWord(r, m.Elem.Kind))
	}
	size := m.Elem.Kind.Bytes()
	for done := first * size; done < len(m.Data); {
		done += copy(m.Data[done:], m.Data[:done])
	}
}

func randomWord(r *rand.Rand, k types.Kind) types.Word {
	switch {
	case k == types.Bool:
		return types.Truth(r.Uint64()&1 != 0)
	case k.IsFloat():
		return types.Float(types.Round(k, r.Float64()))
	case k.Bits() > 16:
		return types.Uint(r.Uint64() & 0xFFFF)
	}
	return types.Wrap(k, types.Uint(r.Uint64()))
}

// A Benchmark is what a pipeline takes on a device, and what the device can do.
type Benchmark struct {
	Times
	// Bytes of the images that the pipeline takes and returns, each read or written once: what no schedule can do without.
	Bytes int64
	// Copy is the least time in which a kernel of this compiler copied half as many bytes, which reads and writes as many; 0 of the
	// reference interpreter, and where there is nothing to copy.
	Copy time.Duration
}

// Bench measures so many runs of a pipeline on a device, planned for the sizes of the arguments, and a copy of as many bytes.
func (p *Program) Bench(ctx context.Context, d *Device, pipeline string, args Args, runs int) (b Benchmark, err error) {
	defer guard(&err, "timing %s of %s on %s", pipeline, p.File(), d)
	q, err := p.Pipeline(pipeline)
	if err != nil {
		return Benchmark{}, err
	}
	planned := p.PlannedFor(extents(args.Sizes))
	defer d.forget(planned)
	if b.Times, err = planned.Time(ctx, d, pipeline, args, runs); err != nil {
		return Benchmark{}, err
	}
	shapes, err := interp.Shapes(ctx, q.typed, Args{Scalars: args.Scalars, Sizes: args.Sizes}, interp.Options{Externs: p.options.Externs})
	if err != nil {
		return Benchmark{}, interpError(err)
	}
	for _, param := range q.Params {
		if !param.IsImage {
			continue
		}
		n, err := pixels.Size(param.Type, shapes[param.Name]...)
		if err != nil {
			return Benchmark{}, err
		}
		if param.Takes() {
			b.Bytes += int64(n)
		}
		if param.Returns() {
			b.Bytes += int64(n)
		}
	}
	if !d.IsReference() && b.Bytes > 0 {
		b.Copy, err = d.copyTime(ctx, b.Bytes, runs)
	}
	return b, err
}

// copying is the program that a Benchmark is held against.
const copying = `pipeline copy(in src: u8[H][W], out dst: u8[H][W]) {
    dst = src;
}
`

// copyTime is how long the device takes to read and write so many bytes together.
func (d *Device) copyTime(ctx context.Context, bytes int64, runs int) (time.Duration, error) {
	checked, err := Check(ctx, "copy.img", copying, Options{})
	if err != nil {
		return 0, err
	}
	p := checked.Program
	defer d.forget(p)
	line := min(4096, (bytes+1)/2)
	lines := (bytes/2 + line - 1) / line
	lines = min(max(lines, 1), 1<<19) // 2 GiB of each image at most
	args, err := p.RandomArgs(ctx, "copy", map[string]int{"H": int(lines), "W": int(line)}, nil)
	if err != nil {
		return 0, err
	}
	t, err := p.Time(ctx, d, "copy", args, runs)
	return time.Duration(float64(t.Minimum) * float64(bytes) / float64(2*lines*line)), err
}
