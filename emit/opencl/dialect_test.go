package opencl

import (
	"strings"
	"testing"

	"imgc/emit/clike"
	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

func TestEveryOperatorHasASpellingOnTheKindsThatItIsDefinedOn(t *testing.T) {
	for _, op := range ops.AllOps() {
		r := op.Info().Result
		whole := r == ops.Scalar || r == ops.Flag || op == ops.Cross || op == ops.Normalize
		for _, k := range types.Kinds {
			if want := ops.Defined(op, k) && !whole; dialect.Spelled(op, k) != want {
				t.Errorf("%s of %s is spelled: %v, but kernels may use it: %v", op, k, !want, want)
			}
		}
	}
}

func TestSupportFunctionsThatTablesNameExist(t *testing.T) {
	check := func(what, pattern string, kinds ...types.Kind) {
		for _, k := range kinds {
			if name := strings.ReplaceAll(pattern, "$", k.String()); pattern != "" && !dialect.Support.Has(name) {
				t.Errorf("%s needs %s, which no support file defines", what, name)
			}
		}
	}
	kinds := map[clike.Class][]types.Kind{
		clike.Signed: {types.I32, types.I64}, clike.Unsigned: {types.U32, types.U64}, clike.Floats: {types.F32, types.F64},
	}
	for _, op := range ops.AllOps() {
		for class, row := range dialect.Ops[op] {
			check(op.String(), row.Exact.Support, kinds[class]...)
			check(op.String(), row.Any.Support, kinds[class]...)
		}
	}
	for _, from := range types.Kinds {
		for _, to := range types.Kinds {
			for how := kir.Wrap; how <= kir.Bitcast; how++ {
				if from != to && (how != kir.Bitcast || from.Bits() == to.Bits()) {
					s := conversions.Spell(from, to, how, false)
					check("a conversion", strings.ReplaceAll(s.Support, "@", from.String()), to)
				}
			}
		}
	}
}

func TestNoReservedWordIsListedTwice(t *testing.T) {
	seen := map[string]bool{}
	for _, w := range reserved() {
		if seen[w] {
			t.Errorf("%s is listed twice", w)
		}
		seen[w] = true
	}
}
