package interp

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"imgc/hast"
	"imgc/ops"
	"imgc/types"
)

// sameWord compares bits, but for NaN.
func sameWord(k types.Kind, a, b types.Word) bool {
	return a == b || k.IsFloat() && math.IsNaN(a.Float()) && math.IsNaN(b.Float())
}

// sampleWords are edges of a kind and random values.
func sampleWords(g *generator, k types.Kind, n int) []types.Word {
	words := []types.Word{types.Lowest(k), types.Highest(k), 0, types.Convert(1, types.I32, k)}
	for len(words) < n {
		words = append(words, g.word(k))
	}
	return words
}

func emptyBinding() *Binding {
	return &Binding{
		pipeline: &hast.Pipeline{Name: "test"},
		limit:    limit{context.Background(), DefaultSteps, DefaultRounds},
		values:   map[*hast.Var][]types.Word{},
	}
}

// evaluator compiles an expression of the given variables; the closure sets them and runs it.
func evaluator(e hast.Expr, vars ...*hast.Var) func(values ...types.Word) []types.Word {
	c := newCompiler(emptyBinding(), nil)
	at := c.temp(e.Type())
	code := c.store(e, at)
	slots := make([]int, len(vars))
	for i, v := range vars {
		slots[i] = c.slot(v)
	}
	fr := c.newFrame()
	return func(values ...types.Word) []types.Word {
		for i, slot := range slots {
			fr.w[slot] = values[i]
		}
		fr.begin()
		code(fr)
		return fr.w[at : at+e.Type().Words()]
	}
}

func TestOperatorsEqualTheTable(t *testing.T) {
	g := &generator{Rand: rand.New(rand.NewPCG(1, 2))}
	for _, o := range ops.AllOps() {
		for _, k := range types.Kinds {
			if isWhole(o) || !ops.Defined(o, k) {
				continue
			}
			checkOperator(t, g, o, k)
		}
	}
}

// checkOperator tries operands in variables, and each of them as a constant.
func checkOperator(t *testing.T, g *generator, o ops.Op, k types.Kind) {
	arity := o.Info().Arity
	vars, args := make([]*hast.Var, arity), make([]hast.Expr, arity)
	samples := make([][]types.Word, arity)
	for i := range vars {
		vars[i] = newVar("v", types.Scalar(k), hast.Value)
		args[i] = ref(vars[i])
		samples[i] = sampleWords(g, k, 24/arity)
	}
	result := op(o, args...).Type().Kind
	run := evaluator(op(o, args...), vars...)
	each(samples, func(w []types.Word) {
		want := ops.Eval(o, k, w...)
		if got := run(w...)[0]; !sameWord(result, got, want) {
			t.Errorf("%s of %s %x is %x, want %x", o, k, w, got, want)
		}
	})
	for i := range args {
		for _, fixed := range samples[i][:8] {
			held := append([]hast.Expr(nil), args...)
			held[i] = constant(types.Scalar(k), fixed)
			run := evaluator(op(o, held...), vars...)
			narrowed := append([][]types.Word(nil), samples...)
			narrowed[i] = []types.Word{fixed}
			each(narrowed, func(w []types.Word) {
				if got, want := run(w...)[0], ops.Eval(o, k, w...); !sameWord(result, got, want) {
					t.Errorf("%s of %s %x, operand %d constant, is %x, want %x", o, k, w, i, got, want)
				}
			})
		}
	}
}

// each calls f with every choice of one word from each list.
func each(lists [][]types.Word, f func([]types.Word)) {
	choice := make([]types.Word, len(lists))
	var walk func(i int)
	walk = func(i int) {
		if i == len(lists) {
			f(choice)
			return
		}
		for _, w := range lists[i] {
			choice[i] = w
			walk(i + 1)
		}
	}
	walk(0)
}

func TestConversionsEqualPackageTypes(t *testing.T) {
	g := &generator{Rand: rand.New(rand.NewPCG(3, 4))}
	for _, from := range types.Kinds {
		for _, to := range types.Kinds {
			for how, convert := range conversions {
				if hast.How(how) == hast.Bitcast && from.Bits() != to.Bits() {
					continue
				}
				v := newVar("v", types.Scalar(from), hast.Value)
				conversion := func(x hast.Expr) hast.Expr {
					return &hast.Convert{Typed: typed(types.Scalar(to)), X: x, How: hast.How(how)}
				}
				run := evaluator(conversion(ref(v)), v)
				for _, w := range sampleWords(g, from, 60) {
					want := convert(w, from, to)
					folded := evaluator(conversion(constant(types.Scalar(from), w)))()[0]
					if got := run(w)[0]; !sameWord(to, got, want) || !sameWord(to, folded, want) {
						t.Errorf("%s of %x from %s is %x, as a constant %x, want %x", fmt.Sprint(to, how), w, from, got, folded, want)
					}
				}
			}
		}
	}
}

func TestOpsOfVectorsEqualTheTable(t *testing.T) {
	g := &generator{Rand: rand.New(rand.NewPCG(5, 6))}
	for _, o := range []ops.Op{ops.Dot, ops.Cross, ops.Length, ops.Normalize, ops.Any, ops.All} {
		for _, k := range types.Kinds {
			for lanes := 2; lanes <= 4; lanes++ {
				if !ops.Defined(o, k) || o == ops.Cross && lanes == 2 {
					continue
				}
				for range 40 {
					vt := types.Vector(k, lanes)
					var args []hast.Expr
					var words [][]types.Word
					for range o.Info().Arity {
						e := g.constant(vt).(*hast.Const)
						args, words = append(args, e), append(words, e.Words)
					}
					second := []types.Word(nil)
					if len(words) == 2 {
						second = words[1]
					}
					e := op(o, args...)
					got, want := evaluator(e)(), ops.EvalVector(o, k, words[0], second)
					for i := range want {
						if !sameWord(e.Type().Kind, got[i], want[i]) {
							t.Errorf("%s of %s %x is %x, want %x", o, vt, words, got, want)
							break
						}
					}
				}
			}
		}
	}
}
