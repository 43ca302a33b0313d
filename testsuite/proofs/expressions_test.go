package proofs

import (
	"fmt"
	"strings"

	"imgc/hast"
	"imgc/ops"
	"imgc/types"
)

// An expression is text of the language over pixels of one kind: a[i] and b[i], with a scalar n that is 0 or more.
type expression struct {
	kind   types.Kind // of the pixels
	text   string
	result types.Kind // what it is compared as: Bool, I64, or F64
}

// kinds are those of the pixels. What u64 holds beyond i64 could not be compared as a number.
var kinds = []types.Kind{types.Bool, types.I8, types.U8, types.I16, types.U16, types.I32, types.U32, types.I64, types.U64, types.F16, types.BF16, types.F32, types.F64}

// takes reports whether operands of a kind may be what an operator is of.
func takes(o ops.Operands, k types.Kind) bool {
	switch o {
	case ops.Bools:
		return k == types.Bool
	case ops.Integers:
		return k.IsInt()
	case ops.Anything:
		return true
	}
	return k != types.Bool
}

// comparedAs is the kind in which a value of kind k is looked at.
func comparedAs(k types.Kind) types.Kind {
	switch {
	case k == types.Bool:
		return types.Bool
	case k.IsFloat():
		return types.F64
	}
	return types.I64
}

// vectors are the operators of whole vectors, with operands that they take.
var vectors = map[ops.Op]string{
	ops.Dot: "dot(f32x2(a[i], 3), f32x2(b[i], 1))", ops.Cross: "cross(f32x3(a[i], 1, 2), f32x3(b[i], 3, 1)).z", ops.Length: "length(f32x2(a[i], b[i]))",
	ops.Normalize: "normalize(f32x2(a[i], 2)).x", ops.Any: "any(boolx2(a[i], b[i]))", ops.All: "all(boolx2(a[i], b[i]))",
}

// operators are all operators and functions over pixels of a kind, with pixels and constants as operands.
func operators(k types.Kind) (all []expression) {
	for _, op := range ops.AllOps() {
		info := op.Info()
		if !takes(info.Operands, k) {
			continue
		}
		result := types.I64
		switch {
		case info.Result == ops.Truth || info.Result == ops.Flag || k == types.Bool:
			result = types.Bool
		case info.Operands == ops.Floats || k.IsFloat():
			result = types.F64
		}
		if text, whole := vectors[op]; whole {
			all = append(all, expression{k, text, result})
			continue
		}
		for _, args := range operands(info.Arity, k) {
			all = append(all, expression{k, written(info, args), result})
		}
	}
	return all
}

// operands are lists of so many, in which a pixel stands in each place.
func operands(arity int, k types.Kind) [][]string {
	constant := "3"
	if k == types.Bool {
		constant = "true"
	}
	switch arity {
	case 1:
		return [][]string{{"a[i]"}}
	case 2:
		return [][]string{{"a[i]", "b[i]"}, {"a[i]", constant}, {constant, "a[i]"}}
	}
	return [][]string{{"a[i]", "b[i]", constant}, {constant, "a[i]", "b[i]"}, {"a[i]", "1", constant}}
}

func written(info ops.Info, args []string) string {
	switch {
	case info.Call:
		return info.Name + "(" + strings.Join(args, ", ") + ")"
	case len(args) == 1:
		return info.Name + args[0]
	}
	return args[0] + " " + info.Name + " " + args[1]
}

// conversions are all of them from a kind.
func conversions(k types.Kind) (all []expression) {
	for _, to := range kinds {
		result := comparedAs(to)
		all = append(all, expression{k, fmt.Sprintf("%s(a[i])", to), result})
		if k != types.Bool && to != types.Bool {
			all = append(all, expression{k, fmt.Sprintf("sat<%s>(a[i])", to), result})
			if k.Bits() == to.Bits() {
				all = append(all, expression{k, fmt.Sprintf("bitcast<%s>(a[i])", to), result})
			}
		}
		// What is known of a first conversion, that it is small or whole, must not be taken to be known of a second one.
		for _, second := range []string{"i32", "i64", "sat<u8>", "bitcast<i32>", "bitcast<i64>", "bitcast<i16>", "bitcast<u8>"} {
			all = append(all, expression{k, fmt.Sprintf("%s(%s(i8(a[i])))", second, to), types.I64})
		}
	}
	return all
}

// spaces are what reductions go over: ranges, with a step, backward, empty, of the host's extents, and with conditions.
var spaces = []string{"k in 0:2", "k in 0:5:2", "k in 3:0:-1", "k in 0:0", "k in 0:n", "j in 0:2, k in 0:2", "k in 0:3 where k != 1", "k in 0:4 where a[i] == b[i]"}

// reductions are all of them over a kind: of what does not depend on the point, and of what does.
func reductions(k types.Kind) (all []expression) {
	elements, truths := []string{"a[i]", "k == 1 ? a[i] : b[i]"}, []string{"a[i] == b[i]", "a[i] != b[i] && k < 2"}
	for i := range hast.ReduceNames {
		op := hast.ReduceOp(i)
		if op == hast.Fold {
			continue // of a func: see others
		}
		of, result := elements, comparedAs(k)
		switch op {
		case hast.Any, hast.All:
			of, result = truths, types.Bool
		case hast.Count:
			of, result = truths, types.I64
		case hast.ArgMin, hast.ArgMax:
			result = types.I64
		case hast.Mean:
			result = types.F64
		}
		if k == types.Bool && op != hast.Any && op != hast.All && op != hast.Count {
			continue
		}
		for _, space := range spaces {
			for _, e := range of {
				text := fmt.Sprintf("%s(%s for %s)", op, e, space)
				if (op == hast.ArgMin || op == hast.ArgMax) && strings.Contains(space, "j in") {
					text = "(" + text + ").x"
				}
				all = append(all, expression{k, text, result})
			}
		}
	}
	return all
}

// others are values that statements make, selections, and what functions of the program give.
func others(k types.Kind) (all []expression) {
	result := comparedAs(k)
	for _, text := range []string{"a[i] == b[i] ? a[i] : b[i]", "first(a[i], b[i])", "[a[i], b[i]][i & 1]", "fold(last, a[i], b[i] for k in 0:n)"} {
		all = append(all, expression{k, text, result})
	}
	return all
}

// expressions are all of a kind.
func expressions(k types.Kind) []expression {
	var all []expression
	for _, list := range [][]expression{operators(k), conversions(k), reductions(k), others(k)} {
		all = append(all, list...)
	}
	return all
}
