package samples

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"imgc"
	"imgc/pixels"
	"imgc/testsuite/harness"
	"imgc/types"
)

// A kase is one call of a pipeline.
type kase struct {
	name    string
	weight  weight
	args    imgc.Args
	numbers map[string]any // scalars and free sizes, as the reference and the demo program take them
	finite  bool           // a reference in f64 can be compared
	pattern harness.Pattern
}

// without leaves out the cases of some patterns.
func without(cases []kase, patterns ...harness.Pattern) []kase {
	return slices.DeleteFunc(cases, func(k kase) bool { return slices.Contains(patterns, k.pattern) })
}

func label(extent ...int) string {
	text := make([]string, len(extent))
	for i, e := range extent {
		text[i] = strconv.Itoa(e)
	}
	return strings.Join(text, "x")
}

// patterns are those that the smaller sizes are tried with besides random pixels.
var patterns = []harness.Pattern{harness.Extremes, harness.Constant, harness.Structured, harness.NonFinite}

// cases lists the calls of a row: every size with random pixels, the prime and tiny ones with other patterns, too, and each
// setting of the scalars.
func (r row) cases(p *imgc.Pipeline) []kase {
	sizes := planes
	if r.sizes != nil {
		sizes = r.sizes
	}
	var all []kase
	for i, s := range sizes() {
		all = append(all, r.one(p, s, harness.Random, nil))
		if s.weight == large || i == 0 {
			continue
		}
		if s.weight == small || s.label == "11x13" || s.label == "5x7x11" {
			for _, pattern := range patterns {
				if takesImages(p) && (pattern != harness.NonFinite || takesFloats(p)) {
					all = append(all, r.one(p, s, pattern, nil))
				}
			}
			for _, set := range r.scalars {
				all = append(all, r.one(p, s, harness.Random, set))
			}
		}
	}
	return all
}

func takesImages(p *imgc.Pipeline) bool {
	for _, q := range p.Params {
		if q.IsImage && q.Takes() {
			return true
		}
	}
	return false
}

func takesFloats(p *imgc.Pipeline) bool {
	for _, q := range p.Params {
		if q.IsImage && q.Takes() && q.Type.Kind.IsFloat() {
			return true
		}
	}
	return false
}

func (r row) one(p *imgc.Pipeline, s size, pattern harness.Pattern, set map[string]any) kase {
	k := kase{name: s.label, weight: s.weight, numbers: map[string]any{}, finite: pattern != harness.NonFinite, pattern: pattern}
	if pattern != harness.Random {
		k.name += "/" + string(pattern)
	}
	k.args = imgc.Args{Images: map[string]*pixels.Image{}, Scalars: map[string]types.Value{}, Sizes: map[string]int{}}
	for _, q := range p.Params {
		v, given := set[q.Name]
		if !given {
			v, given = r.usual[q.Name]
		}
		switch {
		case q.IsImage && q.Takes():
			k.args.Images[q.Name] = harness.Input(r.pipeline+"/"+q.Name, pattern, q.Type, extents(q, s)...)
		case given:
			k.args.Scalars[q.Name] = scalar(q.Type.Kind, v)
			k.numbers[q.Name] = v
			k.name += fmt.Sprintf("/%s=%v", q.Name, v)
		}
	}
	if r.adjust != nil {
		r.adjust(k.args.Images)
	}
	for _, n := range p.Sizes {
		if !p.Param(n.Param).Takes() {
			k.args.Sizes[n.Name] = s.extent[n.Name]
			k.numbers[n.Name] = s.extent[n.Name]
		}
	}
	return k
}

// extents are those of an input: constants, and what the size gives by name; of a computed extent its text is the name.
func extents(q *imgc.Param, s size) []int {
	out := make([]int, len(q.Extent))
	for i, name := range q.Extent {
		n, ok := s.extent[name]
		if q.Fixed[i] > 0 {
			n, ok = q.Fixed[i], true
		}
		if !ok {
			panic(fmt.Sprintf("%s: the size list does not give %s", q, name))
		}
		out[i] = n
	}
	return out
}

func scalar(kind types.Kind, v any) types.Value {
	f, ok := v.(float64)
	if !ok {
		f = float64(v.(int))
	}
	return types.Of(kind, types.Convert(types.Float(f), types.F64, kind))
}

// fresh are the arguments for one run, which changes the inout images.
func (k kase) fresh() imgc.Args {
	args := k.args
	args.Images = map[string]*pixels.Image{}
	for name, m := range k.args.Images {
		args.Images[name] = m.Clone()
	}
	return args
}

// inputs are the images of a call in the order of the parameters.
func (k kase) inputs(p *imgc.Pipeline) []*pixels.Image {
	var all []*pixels.Image
	for _, q := range p.Params {
		if m := k.args.Images[q.Name]; m != nil {
			all = append(all, m)
		}
	}
	return all
}

// outputs are the images that a call returned, in the order of the parameters.
func outputs(p *imgc.Pipeline, r imgc.Results) []*pixels.Image {
	var all []*pixels.Image
	for _, q := range p.Params {
		if q.IsImage && q.Returns() {
			all = append(all, r.Images[q.Name])
		}
	}
	return all
}

// compareRun runs a case somewhere and holds the results against the interpreter's.
func compareRun(t *testing.T, want imgc.Results, b harness.Bound, run func() (map[string]*pixels.Image, map[string]types.Value, error)) {
	t.Helper()
	images, scalars, err := run()
	if err != nil {
		t.Fatal(err)
	}
	harness.CompareAll(t, images, scalars, want, b)
}
