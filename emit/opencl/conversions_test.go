package opencl_test

import (
	"fmt"
	"testing"

	"imgc/kir"
	"imgc/types"
)

// A change is one conversion from a kind.
type change struct {
	to  types.Kind
	how kir.How
}

func changes(from types.Kind) []change {
	var list []change
	for _, to := range types.Kinds {
		list = append(list, change{to, kir.Wrap}, change{to, kir.Saturate})
		if to.Bits() == from.Bits() && to != types.Bool {
			list = append(list, change{to, kir.Bitcast})
		}
	}
	return list
}

func (c change) of(w types.Word, from types.Kind) types.Word {
	switch c.how {
	case kir.Saturate:
		return types.Saturate(w, from, c.to)
	case kir.Bitcast:
		return types.Bitcast(w, from, c.to)
	}
	return types.Convert(w, from, c.to)
}

// changeKernel reads a scalar or vector of a kind and writes it as every other kind.
func changeKernel(from types.Type) *kir.Kernel {
	w := &writer{}
	in := buffer("from", from.Kind, kir.Reads)
	params := []*kir.Var{in}
	i := w.let("i", gid(0))
	at := w.let("at", exact(mul, i64T, wide(i), num(types.I64, float64(from.Lanes))))
	x := w.let("x", read(from, in, at))
	for _, c := range changes(from.Kind) {
		out := buffer(fmt.Sprintf("to_%s_%d", c.to, c.how), c.to, kir.Writes)
		params = append(params, out)
		w.store(out, at, conv(from.WithKind(c.to), c.how, false, x))
	}
	return &kir.Kernel{Name: "convert_" + from.String(), Params: params, Group: [3]int{64, 1, 1}, Body: w.stmts}
}

func TestConversionsMeanOnDevicesWhatTheReferenceSays(t *testing.T) {
	p := &kir.Program{Name: "conversions", Mode: kir.Strict}
	var from []types.Type
	for _, k := range types.Kinds {
		for _, lanes := range []int{1, 3} {
			from = append(from, types.Vector(k, lanes))
			p.Kernels = append(p.Kernels, changeKernel(types.Vector(k, lanes)))
		}
	}
	eachMachine(t, p, func(m *machine) {
		for n, f := range from {
			in := tuples(f.Kind, 1)[0][:samples/64/3*64*3]
			args := []any{&array{f.Kind, in}}
			for _, c := range changes(f.Kind) {
				args = append(args, &array{c.to, make([]types.Word, len(in))})
			}
			m.run(n, len(in)/int(f.Lanes)/64*64, args...)
			for j, c := range changes(f.Kind) {
				checkChange(m.t, f, c, in, args[j+1].(*array).words)
			}
		}
	})
}

func checkChange(t *testing.T, from types.Type, c change, in, got []types.Word) {
	t.Helper()
	for i, w := range in {
		if c.how == kir.Bitcast && from.Kind == types.F16 && w.Float() != w.Float() {
			continue // which of the NaNs vstore_half writes is left to the device
		}
		if want := c.of(w, from.Kind); apart(c.to, got[i], want) != 0 {
			t.Errorf("%s to %s (how %d) of %s gives %s, the reference %s",
				from, c.to, c.how, texts(from.Kind, in[i:i+1]), texts(c.to, got[i:i+1]), texts(c.to, []types.Word{want}))
			return
		}
	}
}
