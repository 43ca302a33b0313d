package trial

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"

	"imgc"
	"imgc/pixels"
	"imgc/testsuite/harness"
	"imgc/types"
)

// lengths are extents, the more common first; odd and tiny ones, and next to powers of two.
var lengths = []int{1, 2, 3, 5, 4, 7, 8, 1, 3, 9, 16, 2, 17, 13, 31, 33, 65, 130}

// longLengths are those of images that blocks of work-groups lie inside of.
var longLengths = []int{17, 24, 31, 33, 37, 40, 48, 61, 64, 65, 67, 80, 96, 100, 128, 130, 150, 257}

// Most pixels of an image, so that a call takes milliseconds.
const (
	mostPixels           = 700
	mostPixelsSmall      = 30
	mostPixelsSmallLarge = 400
)

// bounds are how large images are: of so many pixels at most, and where large is said, of about as many mostly.
type bounds struct {
	most  int
	large bool
}

// arguments makes the arguments of a call that its number stands for.
func arguments(p *imgc.Pipeline, number uint64, b bounds) (imgc.Args, error) {
	hash := fnv.New64a()
	fmt.Fprint(hash, p)
	r := rand.New(rand.NewPCG(number, hash.Sum64()))
	args := imgc.Args{Images: map[string]*pixels.Image{}, Scalars: map[string]types.Value{}, Sizes: sizes(r, p, b)}
	pattern := []harness.Pattern{harness.Random, harness.NonFinite, harness.Structured, harness.Extremes, harness.Random}[number%5]
	known := map[string]int64{}
	for name, n := range args.Sizes {
		known[name] = int64(n)
	}
	for _, q := range p.Params {
		if q.IsImage || !q.Takes() {
			continue
		}
		if q.Default != nil && r.IntN(2) == 0 {
			known[q.Name] = q.Default.Words[0].Int()
			continue
		}
		args.Scalars[q.Name] = scalar(r, q.Type)
		known[q.Name] = args.Scalars[q.Name].Words[0].Int()
	}
	for _, q := range p.Params {
		if !q.IsImage || !q.Takes() && r.IntN(2) == 0 {
			continue // an out image is allocated, or given with something in it
		}
		var extent []int
		for _, text := range q.Extent {
			n, err := evaluate(text, known)
			if err != nil {
				return args, fmt.Errorf("%s: %w", q, err)
			}
			extent = append(extent, int(max(n, 0)))
		}
		if _, err := pixels.New(q.Type, extent...); err != nil {
			continue // the pipeline refuses it by itself
		}
		args.Images[q.Name] = harness.Input(fmt.Sprint(q.Name, number), pattern, q.Type, extent...)
	}
	return args, nil
}

// sizes gives every size name a value, so that images have about so many pixels at most.
func sizes(r *rand.Rand, p *imgc.Pipeline, b bounds) map[string]int {
	all, left := map[string]int{}, b.most
	if b.large && r.IntN(4) > 0 {
		return longSizes(r, p, left)
	}
	for _, s := range p.Sizes {
		n := lengths[min(r.IntN(len(lengths)), r.IntN(len(lengths)))]
		for n > left {
			n = lengths[r.IntN(3)]
			if n > left {
				n = 1
			}
		}
		all[s.Name] = n
		left /= n
	}
	return all
}

// longSizes gives size names values that make images large, in no order of axes; the last may be short.
func longSizes(r *rand.Rand, p *imgc.Pipeline, left int) map[string]int {
	all := map[string]int{}
	for _, i := range r.Perm(len(p.Sizes)) {
		n := left + 1
		for range 20 {
			if n > left {
				n = longLengths[r.IntN(len(longLengths))]
			}
		}
		all[p.Sizes[i].Name] = min(n, left)
		left /= min(n, left)
	}
	return all
}

// scalar is a small number mostly, for hosts that count with it; else any.
func scalar(r *rand.Rand, t types.Type) types.Value {
	v := types.Value{Type: t, Words: make([]types.Word, t.Words())}
	for i := range v.Words {
		v.Words[i] = types.Convert(types.Int(int64(r.IntN(10)-3)), types.I64, t.Kind)
		if r.IntN(4) == 0 {
			m := harness.Input(fmt.Sprint(r.Uint64()), harness.NonFinite, types.Scalar(t.Kind), 1)
			v.Words[i] = m.Word(0)
		}
	}
	return v
}
