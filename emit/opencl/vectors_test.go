package opencl_test

import (
	"fmt"
	"math"
	"testing"

	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

// vectorOps lists the operators that kir applies to whole vectors of kind k.
func vectorOps(k types.Kind) []ops.Op {
	if k == types.Bool || k == types.F16 || k == types.BF16 {
		return nil
	}
	var list []ops.Op
	for _, op := range laneOps(k) {
		switch op {
		case ops.Neg, ops.Add, ops.Sub, ops.Mul, ops.Div, ops.And, ops.Or, ops.Xor, ops.BitNot:
			list = append(list, op)
		default:
			if k.IsFloat() && op.Info().Call && op.Info().Result == ops.Same {
				list = append(list, op)
			}
		}
	}
	return list
}

// vectorKernel does what opKernel does with vectors: operands and results lie packed.
func vectorKernel(t types.Type, list []ops.Op) *kir.Kernel {
	w := &writer{}
	at := w.let("at", exact(ops.Mul, i64T, wide(gid(0)), num(types.I64, float64(t.Lanes))))
	operands, params := make([]kir.Expr, 3), make([]*kir.Var, 3)
	for c := range operands {
		params[c] = buffer(string("abc"[c]), t.Kind, kir.Reads)
		operands[c] = w.let(string("xyz"[c]), read(t, params[c], at))
	}
	out := buffer("out", t.Kind, kir.Writes)
	for j, o := range list {
		w.store(out, exact(ops.Add, i64T, num(types.I64, float64(j*samples)), at), op(o, t, operands[:o.Info().Arity]...))
	}
	return &kir.Kernel{Name: "vectors_" + t.String(), Params: append(params, out), Group: [3]int{64, 1, 1}, Body: w.stmts}
}

func TestVectorOperatorsMeanTheSameInEachLane(t *testing.T) {
	p := &kir.Program{Name: "vectors", Mode: kir.Strict}
	var list []types.Type
	for _, k := range types.Kinds {
		if len(vectorOps(k)) > 0 {
			v := types.Vector(k, 2+int(k)%3)
			list = append(list, v)
			p.Kernels = append(p.Kernels, vectorKernel(v, vectorOps(k)))
		}
	}
	eachMachine(t, p, func(m *machine) {
		for n, v := range list {
			in := tuples(v.Kind, 3)
			out := &array{v.Kind, make([]types.Word, len(vectorOps(v.Kind))*samples)}
			items := samples / int(v.Lanes) / 64 * 64
			m.run(n, items, &array{v.Kind, in[0]}, &array{v.Kind, in[1]}, &array{v.Kind, in[2]}, out)
			for j, o := range vectorOps(v.Kind) {
				compare(m.t, o, v.Kind, in, out.words[j*samples:][:items*int(v.Lanes)])
			}
		}
	})
}

// exactOps lists integer operators, and operands of kind k with which none of them reaches a case that C leaves open.
func exactOps(k types.Kind) ([]ops.Op, [][]types.Word) {
	in := make([][]types.Word, 3)
	for i := range samples {
		in[0] = append(in[0], types.Int(int64(i%11)))
		in[1] = append(in[1], types.Int(int64(1+i/11%6)))
		in[2] = append(in[2], types.Int(int64(1+i/66%5)))
		if k.IsSigned() && i%2 == 1 {
			in[0][i] = -in[0][i]
		}
	}
	var list []ops.Op
	for _, op := range laneOps(k) {
		if k.IsSigned() || op != ops.Neg && op != ops.Sub {
			list = append(list, op)
		}
	}
	return list, in
}

func TestExactIntegersNeedNoFunctions(t *testing.T) {
	p := &kir.Program{Name: "exact"}
	var kinds []types.Kind
	for _, k := range types.Kinds {
		if !k.IsInt() {
			continue
		}
		kinds = append(kinds, k)
		list, _ := exactOps(k)
		kernel := opKernel(k, list)
		kir.WalkStmts(kernel.Body, nil, func(e kir.Expr) {
			if o, ok := e.(*kir.Op); ok {
				o.Exact = true
			}
		})
		p.Kernels = append(p.Kernels, kernel)
	}
	eachMachine(t, p, func(m *machine) {
		for n, k := range kinds {
			list, in := exactOps(k)
			results := &array{k, make([]types.Word, len(list)*samples)}
			truths := &array{types.Bool, make([]types.Word, len(list)*samples)}
			counts := &array{types.I32, make([]types.Word, len(list)*samples)}
			args := []any{&array{k, in[0]}, &array{k, in[1]}, &array{k, in[2]}, results, truths}
			if k == types.I32 {
				counts = results
			} else {
				args = append(args, counts)
			}
			m.run(n, samples, args...)
			outs := map[types.Kind]*array{types.Bool: truths, types.I32: counts, k: results}
			for j, o := range list {
				compare(m.t, o, k, in, outs[resultKind(o, k)].words[j*samples:(j+1)*samples])
			}
		}
	})
}

// wideOps lists the operators that are applied to floats side by side.
func wideOps() []ops.Op {
	var list []ops.Op
	for _, op := range laneOps(types.F32) {
		if kir.WideOp(op, types.F32) && op.Info().Result == ops.Same {
			list = append(list, op)
		}
	}
	return list
}

func TestWideOperatorsMeanTheSameInEachLane(t *testing.T) {
	list := wideOps()
	for _, mode := range []kir.Mode{kir.Contract, kir.Strict} {
		p := &kir.Program{Name: "wide", Mode: mode}
		lanes := []int{8, 16}
		for _, n := range lanes {
			p.Kernels = append(p.Kernels, vectorKernel(types.Vector(types.F32, n), list))
		}
		eachMachine(t, p, func(m *machine) {
			for i, n := range lanes {
				in := tuples(types.F32, 3)
				out := &array{types.F32, make([]types.Word, len(list)*samples)}
				m.run(i, samples/n, &array{types.F32, in[0]}, &array{types.F32, in[1]}, &array{types.F32, in[2]}, out)
				for j, o := range list {
					if mode == kir.Strict || o.Info().ULP > 0 && o != ops.Sqrt { // others may be fused, and divide less exactly
						compare(m.t, o, types.F32, in, out.words[j*samples:(j+1)*samples])
					}
				}
			}
		})
	}
}

func TestShortExponentialsAreAsNear(t *testing.T) {
	for _, mode := range []kir.Mode{kir.Contract, kir.Strict, kir.Fast} {
		v := types.Vector(types.F32, 16)
		k := vectorKernel(v, []ops.Op{ops.Exp})
		kir.WalkStmts(k.Body, nil, func(e kir.Expr) {
			if o, ok := e.(*kir.Op); ok && o.Op == ops.Exp {
				o.Short, o.Exact = true, true
			}
		})
		eachMachine(t, &kir.Program{Name: "short", Mode: mode, Kernels: []*kir.Kernel{k}}, func(m *machine) {
			in := make([]types.Word, samples)
			for i := range in {
				in[i] = types.Float(types.Round(types.F32, kir.ShortPower*(2*float64(i)/(samples-1)-1)))
			}
			x, out := &array{types.F32, in}, &array{types.F32, make([]types.Word, samples)}
			m.run(0, samples/16, x, x, x, out)
			compare(m.t, ops.Exp, types.F32, [][]types.Word{in, in, in}, out.words)
		})
	}
}

func TestWideFloatsAreRoundedHalvesToEven(t *testing.T) {
	for _, mode := range []kir.Mode{kir.Contract, kir.Fast} {
		p := &kir.Program{Name: "nearest", Mode: mode}
		for _, n := range []int{8, 16} {
			w := &writer{}
			a, out := buffer("a", types.F32, kir.Reads), buffer("out", types.I32, kir.Writes)
			at := w.let("at", exact(ops.Mul, i64T, wide(gid(0)), num(types.I64, float64(n))))
			w.store(out, at, conv(types.Vector(types.I32, n), kir.Saturate, true, read(types.Vector(types.F32, n), a, at)))
			p.Kernels = append(p.Kernels, &kir.Kernel{Name: fmt.Sprintf("nearest%d", n), Params: []*kir.Var{a, out}, Group: [3]int{64, 1, 1}, Body: w.stmts})
		}
		eachMachine(t, p, func(m *machine) {
			for k, n := range []int{8, 16} {
				in, out := &array{types.F32, make([]types.Word, samples)}, &array{types.I32, make([]types.Word, samples)}
				for i := range in.words {
					in.words[i] = types.Float(float64(i-samples/2) / 4)
				}
				m.run(k, samples/n, in, out)
				for i, x := range in.words {
					if want := math.RoundToEven(x.Float()); float64(out.words[i].Int()) != want {
						t.Fatalf("%d lanes round %g to %d", n, x.Float(), out.words[i].Int())
					}
				}
			}
		})
	}
}
