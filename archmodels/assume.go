package archmodels

import (
	"maps"
	"math"
	"sync"
)

// usual is what is assumed of devices of a class where nobody has found a figure out, each figure with why. Most figures are unknown there, too: who plans
// takes the careful way without them.
var usual = sync.OnceValue(func() map[Class]*Model {
	out := map[Class]*Model{}
	for c, name := range classes {
		file := "classes/" + name + ending
		text, err := shipped.ReadFile(file)
		if err != nil {
			panic("internal error: " + err.Error())
		}
		r := &reader{file: "archmodels/" + file, hows: hows[:]}
		if out[Class(c)] = r.read(text, nil); len(r.errs) > 0 {
			panic("internal error: " + r.errs[0].Error())
		}
	}
	return out
})

// WithUsual is the model with figures in place of those that it does not know, as far as its class has usual ones: without them what a device computes would
// cost nothing. They are of the size that the model's own figures give: rates as many as its multiply-adds allow, bandwidth and units such that there are as
// many operations for a byte as usual.
func (m *Model) WithUsual() *Model {
	out, u := *m, usual()[m.Class]
	rates := 1.0
	if u.Rates.FMA.Known {
		rates = m.Rates.FMA.Or(u.Rates.FMA.Value) / u.Rates.FMA.Value
	}
	out.Sources = maps.Clone(m.Sources)
	for _, f := range Fields {
		at, from := f.At(&out), f.At(u)
		if at.Known || !from.Known {
			continue
		}
		*at = *from
		if f.Unit == perUnit {
			at.Value *= rates
		}
		if _, ok := m.Sources[at.Source]; !ok {
			out.Sources[at.Source] = u.Sources[at.Source]
		}
	}
	if u.Bandwidth.Peak.Known {
		out.balance(m, u)
	}
	return &out
}

// balance gives the model, which had the figures of known, as many operations for each byte as usual where these leave that open.
func (m *Model) balance(known, usual *Model) {
	times := func(r *Rates) float64 { return r.Units.Value * r.Clock.Value * r.FMA.Value }
	b := &m.Bandwidth
	switch more := times(&m.Rates) / times(&usual.Rates); {
	case known.Bandwidth.Copy.Known && !known.Bandwidth.Peak.Known: // which says more than a peak
		b.Peak = Figure{}
		fallthrough
	case known.Bandwidth.Peak.Known:
		if bytes := b.Copy.Or(b.Peak.Value) / usual.Bandwidth.Peak.Value; !known.Rates.Units.Known {
			m.Rates.Units.Value = max(1, math.Round(m.Rates.Units.Value*bytes/more))
		}
	default:
		b.Peak.Value *= more
	}
}

// Assumed lists the fields whose figures the model has by assumption.
func (m *Model) Assumed() (list []*Field) {
	for _, f := range Fields {
		if at := f.At(m); at.Known && at.How == Assumed {
			list = append(list, f)
		}
	}
	return list
}
