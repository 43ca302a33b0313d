package opencl_test

import (
	"math"
	"testing"

	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

// ulps bounds the distance of a device's result in strict mode. Narrower floats are computed in f32, which leaves one place.
func ulps(op ops.Op, k types.Kind) uint64 {
	info := op.Info()
	switch {
	case op == ops.Div || op == ops.Sqrt:
		return 0
	case info.ULP > 0 && k.Precision() < types.F32.Precision():
		return 1
	}
	return uint64(math.Ceil(info.ULP))
}

// anyZero lists the operators that may return a zero of either sign.
var anyZero = map[ops.Op]bool{ops.Min: true, ops.Max: true, ops.Clamp: true, ops.Smoothstep: true}

// laneOps lists the operators that are computed component by component on kind k.
func laneOps(k types.Kind) []ops.Op {
	var list []ops.Op
	for _, op := range ops.AllOps() {
		r := op.Info().Result
		if ops.Defined(op, k) && (r == ops.Same || r == ops.Truth || r == ops.Index) && op != ops.Cross && op != ops.Normalize {
			list = append(list, op)
		}
	}
	return list
}

func resultKind(op ops.Op, k types.Kind) types.Kind {
	switch op.Info().Result {
	case ops.Truth:
		return types.Bool
	case ops.Index:
		return types.I32
	}
	return k
}

// opKernel computes every operator on each tuple: result number j of tuple i goes to j*samples + i of the buffer of its kind.
func opKernel(k types.Kind, list []ops.Op) *kir.Kernel {
	w := &writer{}
	operands := make([]kir.Expr, 3)
	params := make([]*kir.Var, 3)
	i := w.let("i", gid(0))
	for c := range operands {
		params[c] = buffer(string("abc"[c]), k, kir.Reads)
		operands[c] = w.let(string("xyz"[c]), read(types.Scalar(k), params[c], wide(i)))
	}
	outs := map[types.Kind]*kir.Var{}
	for _, r := range []types.Kind{k, types.Bool, types.I32} {
		if outs[r] == nil {
			outs[r] = buffer("to_"+r.String(), r, kir.Writes)
			params = append(params, outs[r])
		}
	}
	for j, o := range list {
		r := resultKind(o, k)
		at := exact(ops.Add, i64T, num(types.I64, float64(j*samples)), wide(i))
		w.store(outs[r], at, op(o, types.Scalar(r), operands[:o.Info().Arity]...))
	}
	return &kir.Kernel{Name: "ops_" + k.String(), Params: params, Group: [3]int{64, 1, 1}, Body: w.stmts}
}

func TestOperatorsMeanOnDevicesWhatTheReferenceSays(t *testing.T) {
	p := &kir.Program{Name: "operators", Mode: kir.Strict}
	for _, k := range types.Kinds {
		p.Kernels = append(p.Kernels, opKernel(k, laneOps(k)))
	}
	eachMachine(t, p, func(m *machine) {
		for n, k := range types.Kinds {
			list := laneOps(k)
			in := tuples(k, 3)
			args := []any{&array{k, in[0]}, &array{k, in[1]}, &array{k, in[2]}}
			outs := map[types.Kind]*array{}
			for _, r := range []types.Kind{k, types.Bool, types.I32} {
				if outs[r] == nil {
					outs[r] = &array{r, make([]types.Word, len(list)*samples)}
					args = append(args, outs[r])
				}
			}
			m.run(n, samples, args...)
			for j, o := range list {
				got := outs[resultKind(o, k)].words[j*samples : (j+1)*samples]
				compare(m.t, o, k, in, got)
			}
		}
	})
}

// compare reports the worst difference of an operator's results from the reference.
func compare(t *testing.T, o ops.Op, k types.Kind, in [][]types.Word, got []types.Word) {
	t.Helper()
	r := resultKind(o, k)
	worst, where := uint64(0), 0
	want := make([]types.Word, len(got))
	for i := range got {
		args := []types.Word{in[0][i], in[1][i], in[2][i]}[:o.Info().Arity]
		want[i] = ops.Eval(o, k, args...)
		d := apart(r, got[i], want[i])
		if anyZero[o] && r.IsFloat() && got[i].Float() == want[i].Float() {
			d = 0
		}
		if d > worst {
			worst, where = d, i
		}
	}
	if worst > 0 {
		t.Logf("%s of %s: %d apart", o, k, worst)
	}
	if worst > ulps(o, k) {
		args := []types.Word{in[0][where], in[1][where], in[2][where]}[:o.Info().Arity]
		t.Errorf("%s of %s on %s gives %s, the reference %s (%d apart, %d allowed)",
			o, k, texts(k, args), texts(r, got[where:where+1]), texts(r, want[where:where+1]), worst, ulps(o, k))
	}
}
