package arithmetic

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"imgc"
	"imgc/device"
	"imgc/pixels"
	"imgc/testsuite/harness"
	"imgc/types"
)

// An operation is one output of the pipeline that its kind names.
type operation struct {
	name, text string
	whole      bool       // of integers
	broken     bool       // of floats
	keeps      bool       // does not promote
	result     types.Kind // where it is not the kind that is computed in
	free       bool       // a device may return either zero
}

var operations = []operation{
	{name: "add", text: "a[i] + b[i]", whole: true, broken: true},
	{name: "sub", text: "a[i] - b[i]", whole: true, broken: true},
	{name: "mul", text: "a[i] * b[i]", whole: true, broken: true},
	{name: "div", text: "a[i] / b[i]", whole: true, broken: true},
	{name: "rem", text: "a[i] % b[i]", whole: true, broken: true},
	{name: "mod", text: "mod(a[i], b[i])", whole: true},
	{name: "floordiv", text: "floordiv(a[i], b[i])", whole: true},
	{name: "and", text: "a[i] & b[i]", whole: true},
	{name: "or", text: "a[i] | b[i]", whole: true},
	{name: "xor", text: "a[i] ^ b[i]", whole: true},
	{name: "shl", text: "a[i] << b[i]", whole: true},
	{name: "shr", text: "a[i] >> b[i]", whole: true},
	{name: "neg", text: "-a[i]", whole: true, broken: true},
	{name: "not", text: "~a[i]", whole: true},
	{name: "abs", text: "abs(a[i])", whole: true, broken: true},
	{name: "sign", text: "sign(a[i])", whole: true, broken: true},
	{name: "popcount", text: "popcount(a[i])", whole: true, result: types.I32},
	{name: "clz", text: "clz(a[i])", whole: true, result: types.I32},
	{name: "min", text: "min(a[i], b[i])", whole: true, broken: true, keeps: true, free: true},
	{name: "max", text: "max(a[i], b[i])", whole: true, broken: true, keeps: true, free: true},
	{name: "clamp", text: "clamp(a[i], b[i], c[i])", whole: true, broken: true, keeps: true, free: true},
	{name: "less", text: "a[i] < b[i]", whole: true, broken: true, result: types.Bool},
	{name: "equal", text: "a[i] == b[i]", whole: true, broken: true, result: types.Bool},
	{name: "fma", text: "fma(a[i], b[i], c[i])", broken: true},
	{name: "floor", text: "floor(a[i])", broken: true},
	{name: "ceil", text: "ceil(a[i])", broken: true},
	{name: "trunc", text: "trunc(a[i])", broken: true},
	{name: "round", text: "round(a[i])", broken: true},
	{name: "fract", text: "fract(a[i])", broken: true},
	{name: "sqrt", text: "sqrt(a[i])", broken: true},
	{name: "step", text: "step(a[i], b[i])", broken: true},
}

// computed is the kind in which an operation computes on operands of a kind, returned what it gives.
func (o operation) computed(k types.Kind) types.Kind {
	if o.keeps {
		return k
	}
	return types.Promote(k)
}

func (o operation) returned(k types.Kind) types.Kind {
	if o.result != types.Invalid {
		return o.result
	}
	return o.computed(k)
}

var operandKinds = []types.Kind{types.I8, types.I16, types.I32, types.I64, types.U8, types.U16, types.U32, types.U64, types.F16, types.F32, types.F64}

// operationsOf lists the operations of a kind.
func operationsOf(k types.Kind) []operation {
	var all []operation
	for _, o := range operations {
		if o.whole && k.IsInt() || o.broken && k.IsFloat() {
			all = append(all, o)
		}
	}
	return all
}

func operatorProgram() string {
	var b strings.Builder
	for _, k := range operandKinds {
		params, body := "", ""
		for _, o := range operationsOf(k) {
			params += fmt.Sprintf(", out do_%s: %s[N]", o.name, o.returned(k))
			body += fmt.Sprintf("        do_%s[i] = %s;\n", o.name, o.text)
		}
		fmt.Fprintf(&b, "pipeline on_%s(in a: %s[N], in b: %s[N], in c: %s[N]%s) {\n    iterate (i) over a {\n%s    }\n}\n", k, k, k, k, params, body)
	}
	return b.String()
}

// tuples are operands side by side: the extremes of a kind with the same list shifted, so that they meet each other.
func tuples(k types.Kind) map[string]*pixels.Image {
	values := operands(k)
	n := values.Words()
	all := map[string]*pixels.Image{}
	for name, shifts := range map[string][3]int{"a": {0, 0, 0}, "b": {1, n / 3, 37}, "c": {n / 2, 11, 5}} {
		m, err := pixels.New(types.Scalar(k), 3*n)
		if err != nil {
			panic(err)
		}
		for i := range 3 * n {
			m.SetWord(i, values.Word((i+shifts[i/n])%n))
		}
		all[name] = m
	}
	return all
}

func TestOperators(t *testing.T) {
	p := harness.Compile(t, "operators.img", operatorProgram(), imgc.Strict)
	wants := map[types.Kind]imgc.Results{}
	for _, k := range operandKinds {
		wants[k] = harness.Interpret(t, p, "on_"+k.String(), imgc.Args{Images: tuples(k)})
	}
	t.Run("reference", func(t *testing.T) { compareOperators(t, wants) })
	t.Run("device", func(t *testing.T) {
		built := harness.Build(t, p)
		for _, k := range operandKinds {
			r, err := built.Run(context.Background(), "on_"+k.String(), device.Args{Images: tuples(k)}, device.Layout{})
			if err != nil {
				t.Fatal(err)
			}
			for _, o := range operationsOf(k) {
				if k.IsFloat() && o.free {
					continue
				}
				if err := same(r.Images["do_"+o.name], wants[k].Images["do_"+o.name], tuples(k)["a"]); err != nil {
					t.Errorf("%s of %s: %v", o.name, k, err)
				}
			}
		}
	})
}

// compareOperators holds the interpreter against exact arithmetic.
func compareOperators(t *testing.T, wants map[types.Kind]imgc.Results) {
	var calls []harness.ReferenceCase
	var names []string
	for _, k := range operandKinds {
		in := tuples(k)
		for _, o := range operationsOf(k) {
			names = append(names, fmt.Sprint(o.name, "_", k))
			calls = append(calls, harness.ReferenceCase{
				Function: "operators.apply", Images: []*pixels.Image{in["a"], in["b"], in["c"]}, Want: []*pixels.Image{wants[k].Images["do_"+o.name]},
				Scalars: map[string]any{"op": o.name, "kind": k.String(), "computed": o.computed(k).String(), "result": o.returned(k).String()},
			})
		}
	}
	for i, r := range harness.References(t, calls) {
		t.Run(names[i], func(t *testing.T) {
			if r.Err != nil {
				t.Fatal(r.Err)
			}
			if err := same(calls[i].Want[0], r.Images[0], calls[i].Images[0]); err != nil {
				t.Error(err)
			}
		})
	}
}
