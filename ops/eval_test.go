package ops

import (
	"math"
	"testing"

	"imgc/types"
)

var (
	intKinds   = []types.Kind{types.I8, types.I16, types.I32, types.I64, types.U8, types.U16, types.U32, types.U64}
	floatKinds = []types.Kind{types.F16, types.BF16, types.F32, types.F64}
	classes    = map[Operands][]types.Kind{
		Numbers:  append(append([]types.Kind(nil), intKinds...), floatKinds...),
		Integers: intKinds,
		Floats:   floatKinds,
		Bools:    {types.Bool},
		Anything: types.Kinds,
	}
)

func contains(kinds []types.Kind, k types.Kind) bool {
	for _, kind := range kinds {
		if kind == k {
			return true
		}
	}
	return false
}

func (info Info) ofVectors() bool { return info.Result == Flag || info.Steps && info.Arity <= 2 }

// ask evaluates op on ones, in the way that its row asks for, and reports a panic.
func ask(op Op, k types.Kind) (panicked bool) {
	defer func() { panicked = recover() != nil }()
	one := types.Convert(types.Int(1), types.I32, k)
	if op.Info().ofVectors() {
		EvalVector(op, k, []types.Word{one, one, one}, []types.Word{one, one, one})
	} else {
		Eval(op, k, []types.Word{one, one, one}[:op.Info().Arity]...)
	}
	return false
}

func TestEveryOpHasAMeaningOnTheKindsOfItsRowAndNoOthers(t *testing.T) {
	for _, op := range AllOps() {
		for _, k := range types.Kinds {
			want := contains(classes[op.Info().Operands], k)
			if Defined(op, k) != want {
				t.Errorf("Defined(%s, %s) = %v, but its row takes such operands: %v", op, k, !want, want)
			}
			if panicked := ask(op, k); panicked == want {
				t.Errorf("evaluating %s of %s panicked: %v", op, k, panicked)
			}
		}
	}
	if Defined(None, types.I32) || Defined(count, types.I32) || Defined(Add, types.Invalid) {
		t.Error("Defined accepts what is no op or no kind")
	}
}

func TestEvalRefusesAWrongNumberOfOperands(t *testing.T) {
	for n := range 5 {
		func() {
			defer func() {
				if failed := recover() != nil; failed != (n != 2) {
					t.Errorf("with %d operands, + panics: %v", n, failed)
				}
			}()
			Eval(Add, types.I32, make([]types.Word, n)...)
		}()
	}
}

func TestEveryRowOfTheTableIsComplete(t *testing.T) {
	seen := map[string]Op{}
	for _, op := range AllOps() {
		info := op.Info()
		if info.Name == "" || info.Arity < 1 || info.Arity > 3 || info.Operands == 0 || info.Result == 0 {
			t.Errorf("op %d: incomplete row %+v", op, info)
		}
		find := Operator
		if info.Call {
			find = func(name string, _ int) (Op, bool) { return Function(name) }
		}
		if got, ok := find(info.Name, info.Arity); !ok || got != op {
			t.Errorf("%q with %d operands finds %s", info.Name, info.Arity, got)
		}
		if before, ok := seen[info.Name]; ok && info.Call {
			t.Errorf("%s and %s share a name", before, op)
		}
		seen[info.Name] = op
	}
	if _, ok := Function("+"); ok {
		t.Error("+ is found as a function")
	}
	if None.String() != "none" || count.String() != "none" {
		t.Error("an op out of the table has a name")
	}
}

// interesting are components of kind k where operators have their special cases.
func interesting(k types.Kind) []types.Word {
	words := []types.Word{types.Lowest(k), types.Highest(k)}
	for _, v := range []float64{
		0, math.Copysign(0, -1), 1, -1, 2, -2, 3, -7, 0.5, -0.5, 1.5, 2.5, -2.5, 100, 1e-7, 1e10, -1e10, math.Pi, math.NaN(),
		0x1p-149, 65504, math.MaxFloat32, 0x1p-126, 1e300,
	} {
		words = append(words, types.Convert(types.Float(v), types.F64, k))
	}
	return words
}

func TestCommutativeOpsCommute(t *testing.T) {
	for _, op := range AllOps() {
		if !op.Info().Commutes || op.Info().ofVectors() {
			continue
		}
		for _, k := range classes[op.Info().Operands] {
			for _, a := range interesting(k) {
				for _, b := range interesting(k) {
					ab, ba := Eval(op, k, a, b), Eval(op, k, b, a)
					if ab != ba && !(isNaN(k, ab) && isNaN(k, ba)) {
						t.Errorf("%s of %s: %#x, %#x give %#x and, swapped, %#x", op, k, a, b, ab, ba)
					}
				}
			}
		}
	}
}

func isNaN(k types.Kind, w types.Word) bool { return k.IsFloat() && w.Float() != w.Float() }

// resultKind is the kind of what Eval returns.
func resultKind(op Op, k types.Kind) types.Kind {
	switch op.Info().Result {
	case Truth, Flag:
		return types.Bool
	case Index:
		return types.I32
	}
	return k
}

func TestResultsAreCanonicalWordsOfTheResultKind(t *testing.T) {
	for _, op := range AllOps() {
		if op.Info().ofVectors() {
			continue
		}
		for _, k := range classes[op.Info().Operands] {
			to := resultKind(op, k)
			values := interesting(k)
			for i, a := range values {
				for j, b := range values {
					args := []types.Word{a, b, values[(i*7+j)%len(values)]}[:op.Info().Arity]
					got := Eval(op, k, args...)
					if got != types.FromBits(to, types.Bits(to, got)) && !isNaN(to, got) {
						t.Fatalf("%s of %s on %#x gives %#x, no word of %s", op, k, args, got, to)
					}
				}
			}
		}
	}
}
