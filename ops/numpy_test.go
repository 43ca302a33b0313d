package ops

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"imgc/types"
)

// files names what testdata/reference.py calls otherwise: Neg shares its spelling with Sub, and some spellings are no file
// names.
var files = map[Op]string{
	Neg: "neg", Div: "div", Mul: "mul", Lt: "lt", Gt: "gt", Or: "or", Shl: "shl", Shr: "shr", Le: "le", Ge: "ge",
}

// Ops that NumPy has no word on: bools are tested by hand, fma against rational numbers.
var notInNumPy = map[Op]bool{Not: true, LAnd: true, LOr: true, Fma: true}

// python finds an interpreter with NumPy: the one that script/setup makes, or else the system's.
func python(t *testing.T) string {
	t.Helper()
	for _, name := range []string{filepath.Join("..", ".venv", "bin", "python"), "python3"} {
		if path, err := exec.LookPath(name); err == nil && exec.Command(path, "-c", "import numpy").Run() == nil {
			return path
		}
	}
	t.Skip("no Python with NumPy found; script/setup installs one")
	return ""
}

// operands are components of kind k from its special cases, from everywhere in its range and from around 1.
func operands(k types.Kind, random *rand.Rand) []types.Word {
	var words []types.Word
	for range 40 {
		values := interesting(k)
		random.Shuffle(len(values), func(i, j int) { values[i], values[j] = values[j], values[i] })
		words = append(words, values...)
	}
	for len(words) < 3000 {
		w := types.FromBits(k, random.Uint64())
		switch random.IntN(4) {
		case 0:
			w = types.Convert(types.Float(10*random.NormFloat64()), types.F64, k)
		case 1:
			w = types.Convert(types.Float(2*random.Float64()-1), types.F64, k)
		case 2:
			w = types.Convert(types.Int(random.Int64()>>random.IntN(64)), types.I64, k)
		}
		words = append(words, w)
	}
	return words
}

func store(t *testing.T, file string, k types.Kind, words []types.Word) {
	t.Helper()
	data := make([]byte, len(words)*k.Bytes())
	for i, w := range words {
		types.Store(k, data[i*k.Bytes():], w)
	}
	if err := os.WriteFile(file, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

func load(t *testing.T, file string, k types.Kind) []types.Word {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	words := make([]types.Word, len(data)/k.Bytes())
	for i := range words {
		words[i] = types.Load(k, data[i*k.Bytes():])
	}
	return words
}

// apart counts the values of kind k between a and b; two NaNs and two zeros are not apart.
func apart(k types.Kind, a, b types.Word) uint64 {
	if !k.IsFloat() {
		return max(a.Uint(), b.Uint()) - min(a.Uint(), b.Uint())
	}
	if x, y := a.Float(), b.Float(); x == y || x != x && y != y {
		return 0
	} else if x != x || y != y {
		return math.MaxUint64
	}
	i, j := rank(k, a), rank(k, b)
	return uint64(max(i, j) - min(i, j))
}

// rank numbers the values of a float kind in ascending order, from 0 at zero.
func rank(k types.Kind, w types.Word) int64 {
	size := int64(types.Bits(k, types.Float(math.Abs(w.Float()))))
	if w.Float() < 0 {
		return -size
	}
	return size
}

func TestNumPyAgrees(t *testing.T) {
	interpreter, folder := python(t), t.TempDir()
	random := rand.New(rand.NewPCG(10, 11))
	inputs := map[types.Kind][3][]types.Word{}
	for _, k := range types.Kinds {
		inputs[k] = [3][]types.Word{operands(k, random), operands(k, random), operands(k, random)}
		for i, name := range []string{"a", "b", "c"} {
			store(t, filepath.Join(folder, name+"."+k.String()), k, inputs[k][i])
		}
	}
	output, err := exec.Command(interpreter, filepath.Join("testdata", "reference.py"), folder).CombinedOutput()
	if status := (*exec.ExitError)(nil); errors.As(err, &status) && status.ExitCode() == 3 {
		t.Skipf("NumPy cannot serve as a reference: %s", output)
	} else if err != nil {
		t.Fatalf("reference.py: %v\n%s", err, output)
	}
	t.Run("conversions", func(t *testing.T) { conversionsAgree(t, folder, inputs) })
	t.Run("operators", func(t *testing.T) { operatorsAgree(t, folder, inputs) })
}

func conversionsAgree(t *testing.T, folder string, inputs map[types.Kind][3][]types.Word) {
	for name, f := range map[string]func(w types.Word, from, to types.Kind) types.Word{
		"convert": types.Convert, "saturate": types.Saturate,
	} {
		for _, from := range types.Kinds {
			for _, to := range types.Kinds {
				want := load(t, filepath.Join(folder, fmt.Sprintf("%s.%s.%s", name, from, to)), to)
				for i, w := range inputs[from][0] {
					if got := f(w, from, to); apart(to, got, want[i]) != 0 {
						t.Errorf("%s %#x from %s to %s: %#x, NumPy has %#x", name, w, from, to, got, want[i])
						break
					}
				}
			}
		}
	}
}

func operatorsAgree(t *testing.T, folder string, inputs map[types.Kind][3][]types.Word) {
	for _, op := range AllOps() {
		if notInNumPy[op] || op.Info().ofVectors() {
			continue
		}
		name := op.String()
		if file, ok := files[op]; ok {
			name = file
		}
		for _, k := range classes[op.Info().Operands] {
			if k == types.Bool {
				continue
			}
			want := load(t, filepath.Join(folder, name+"."+k.String()), resultKind(op, k))
			worst, where := uint64(0), 0
			in := inputs[k]
			for i := range in[0] {
				got := Eval(op, k, []types.Word{in[0][i], in[1][i], in[2][i]}[:op.Info().Arity]...)
				if d := apart(resultKind(op, k), got, want[i]); d > worst {
					worst, where = d, i
				}
			}
			if worst > tolerance(op, k) {
				args := []types.Word{in[0][where], in[1][where], in[2][where]}[:op.Info().Arity]
				t.Errorf("%s of %s on %#x: %#x, NumPy has %#x, %d apart", op, k, args, Eval(op, k, args...), want[where], worst)
			}
		}
	}
}

// tolerance is how far the reference meaning may be from the rounded exact value: not at all where it is rounded once or
// step by step, else little in comparison with what OpenCL grants a device. Rounded from float64, the narrower kinds are
// off by one in rare cases.
func tolerance(op Op, k types.Kind) uint64 {
	switch {
	case op == Pow:
		return uint64(op.Info().ULP) // whole powers are products
	case op.Info().ULP == 0 || op == Div || op == Sqrt:
		return 0
	case k == types.F64:
		return 3
	}
	return 1
}
