package docs_test

import (
	"fmt"
	"strings"
	"testing"

	"imgc/hast"
	"imgc/interp"
	"imgc/types"
)

func TestReferenceShowsTheBorderRules(t *testing.T) {
	const pixels, beyond = "abcd", 6
	var b strings.Builder
	b.WriteString("```\ncoordinate ")
	for i := -beyond; i < len(pixels)+beyond; i++ {
		fmt.Fprintf(&b, "%s%3d", bar(i, len(pixels)), i)
	}
	b.WriteString("\n")
	for k := hast.Clamp; k <= hast.Constant; k++ {
		name := k.String()
		if k == hast.Constant {
			name += "(v)"
		}
		fmt.Fprintf(&b, "%-11s", name)
		for i := -beyond; i < len(pixels)+beyond; i++ {
			letter := "v"
			if j, inside := interp.Fold(k, i, len(pixels)); inside {
				letter = pixels[j : j+1]
			}
			fmt.Fprintf(&b, "%s%3s", bar(i, len(pixels)), letter)
		}
		b.WriteString("\n")
	}
	b.WriteString("```\n")
	section(t, "docs/language.md", "borders", b.String())
}

// bar separates what is inside from what is not.
func bar(i, n int) string {
	if i == 0 || i == n {
		return "  |"
	}
	return ""
}

func TestReferenceListsTheKinds(t *testing.T) {
	var b strings.Builder
	b.WriteString("| kind | bytes | smallest | largest | becomes by itself |\n|---|---|---|---|---|\n")
	for _, k := range types.Kinds {
		var holds []string
		for _, to := range types.Kinds {
			if to != k && types.Holds(k, to) {
				holds = append(holds, to.String())
			}
		}
		if len(holds) == 0 {
			holds = []string{"-"}
		}
		low, high := limits(k)
		fmt.Fprintf(&b, "| `%s` | %d | %s | %s | %s |\n", k, k.Bytes(), low, high, strings.Join(holds, " "))
	}
	section(t, "docs/language.md", "kinds", b.String())
}

// limits are the smallest and the largest value of a kind; of a float its largest finite values.
func limits(k types.Kind) (low, high string) {
	switch {
	case k == types.Bool:
		return "false", "true"
	case k == types.F16:
		return "-65504", "65504"
	case k == types.BF16, k == types.F32:
		return "-3.4e38", "3.4e38"
	case k == types.F64:
		return "-1.8e308", "1.8e308"
	}
	w := []types.Word{types.Lowest(k), types.Highest(k)}
	return text(k, w[:1], nil), text(k, w[1:], nil)
}

func TestReferenceShowsWhereOperandsMeet(t *testing.T) {
	var b strings.Builder
	b.WriteString("```\n     ")
	for _, k := range types.Kinds {
		fmt.Fprintf(&b, "%5s", k)
	}
	b.WriteString("\n")
	for _, k := range types.Kinds {
		fmt.Fprintf(&b, "%-5s", k)
		for _, other := range types.Kinds {
			meet := "."
			if c, ok := types.Common(k, other); ok {
				meet = c.String()
			}
			fmt.Fprintf(&b, "%5s", meet)
		}
		b.WriteString("\n")
	}
	b.WriteString("```\n")
	section(t, "docs/language.md", "meeting", b.String())
}
