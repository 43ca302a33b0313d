package ops

import (
	"testing"

	"imgc/types"
)

func BenchmarkEval(b *testing.B) {
	for _, c := range []struct {
		op Op
		k  types.Kind
	}{{Add, types.I32}, {Mul, types.I32}, {Add, types.F32}, {Mul, types.F16}, {Fma, types.F32}, {Exp, types.F32}, {Sin, types.F32}} {
		b.Run(c.op.String()+" "+c.k.String(), func(b *testing.B) {
			x := types.Convert(types.Int(3), types.I32, c.k)
			args := []types.Word{x, x, x}[:c.op.Info().Arity]
			for b.Loop() {
				Eval(c.op, c.k, args...)
			}
		})
	}
}
