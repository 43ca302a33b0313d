package interp

import "imgc/hast"

// Fold maps coordinate i of an axis with n >= 1 pixels to the pixel that the border rule reads there, 0 <= j < n. It takes
// the same time for any i and n. inside is false only under the constant rule where i is out of range: the rule's value
// stands in for the pixel then.
func Fold(rule hast.RuleKind, i, n int) (j int, inside bool) {
	if 0 <= i && i < n {
		return i, true
	}
	return folds[rule](i, n), rule != hast.Constant
}

// folds has the meaning of each rule out of range.
var folds = [...]func(i, n int) int{
	hast.Clamp:      clampIndex,
	hast.Reflect:    func(i, n int) int { return mirror(i, 2*n, 1) },
	hast.Reflect101: reflect101,
	hast.Repeat:     floorMod,
	hast.Constant:   clampIndex,
	hast.Undefined:  clampIndex,
}

func clampIndex(i, n int) int { return min(max(i, 0), n-1) }

func reflect101(i, n int) int {
	if n == 1 {
		return 0
	}
	return mirror(i, 2*n-2, 0)
}

// mirror folds i into the first half of a period whose second half runs backwards; back is how far before the period's end
// pixel 0 is met again.
func mirror(i, period, back int) int {
	i = floorMod(i, period)
	return min(i, period-back-i)
}

// floorMod is i modulo n, in [0, n).
func floorMod(i, n int) int {
	if i %= n; i < 0 {
		i += n
	}
	return i
}
