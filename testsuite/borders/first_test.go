package borders

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

// folded says which pixel each rule takes for the one that lies i pixels behind the first of n; -1 for the rule's value.
var folded = map[string]func(i, n int) int{
	"clamp": func(i, n int) int { return min(max(i, 0), n-1) },
	"reflect": func(i, n int) int {
		i = modulo(i, 2*n)
		return min(i, 2*n-1-i)
	},
	"reflect101": func(i, n int) int {
		i = modulo(i, max(1, 2*n-2))
		return min(i, max(0, 2*n-2-i))
	},
	"repeat": modulo,
	"constant(77)": func(i, n int) int {
		if i < 0 || i >= n {
			return -1
		}
		return i
	},
}

func modulo(i, n int) int { return (i%n + n) % n }

// ends are coordinates as far as an i32 goes, and around an image of n pixels from first on.
func ends(first, n int) []int {
	var all []int
	for _, near := range []int{-1 << 31, -1<<31 + n, -1<<31 + 1<<20, -1 << 30, first, first + n, 0, 1 << 30, 1<<31 - 1<<20, 1<<31 - 1 - n, 1<<31 - 1} {
		for d := -3; d <= 3; d++ {
			if i := near + d; -1<<31 <= i && i < 1<<31 {
				all = append(all, i)
			}
		}
	}
	return all
}

// firstIndexProgram reads an image whose indices start at first wherever an i32 points, and where one side is proved to be inside.
func firstIndexProgram(first int) string {
	var b strings.Builder
	fmt.Fprintf(&b, `border beyond(s[N]) {
    s[-1] = s[0] + 3;
    s[+2] = 2*s[N - 1];
} else reflect101

pipeline gather(in src: i32[%d : N + %d], in at: i32[M], out clamped: i32[M], out low: i32[M], out high: i32[M], out none: i32[M],
        out mirrored: i32[M], out mirrored101: i32[M], out again: i32[M], out formula: i32[M]) {
`, first, first)
	for _, s := range [][3]string{
		{"clamped", "clamp", "at[i]"}, {"low", "clamp", fmt.Sprintf("min(at[i], N + %d)", first-1)},
		{"high", "constant(77)", fmt.Sprintf("max(at[i], %d)", first)}, {"none", "constant(77)", fmt.Sprintf("min(at[i], N + %d)", first-1)},
		{"mirrored", "reflect", "at[i]"}, {"mirrored101", "reflect101", "at[i]"}, {"again", "repeat", "at[i]"}, {"formula", "beyond", "at[i]"},
	} {
		fmt.Fprintf(&b, "    iterate (i) over %s border(src: %s)\n        %s[i] = src[%s];\n", s[0], s[1], s[0], s[2])
	}
	return b.String() + "}\n"
}

// TestFirstIndices reads images that do not start at 0 at all ends of i32, where the distance from the first pixel takes 33 bits.
func TestFirstIndices(t *testing.T) {
	const n = 7
	for _, first := range []int{1, -2, 1 << 20, -1 << 20} {
		t.Run(fmt.Sprint(first), func(t *testing.T) {
			at := ends(first, n)
			p := harness.Compile(t, "first.img", firstIndexProgram(first), imgc.Strict)
			args := imgc.Args{Images: map[string]*pixels.Image{"src": line(10, 11, 12, 13, 14, 15, 16), "at": line(at...)}}
			want := harness.Interpret(t, p, "gather", args)
			for out, rule := range map[string]string{"clamped": "clamp", "mirrored": "reflect", "mirrored101": "reflect101", "again": "repeat"} {
				for k, i := range at {
					if got := want.Images[out].Word(k).Int(); got != int64(10+folded[rule](i-first, n)) {
						t.Errorf("the interpreter reads %d at %d under %s", got, i, rule)
					}
				}
			}
			r, err := harness.Build(t, p).Run(context.Background(), "gather", device.Args(args), device.Layout{Pad: 1, Offset: 7})
			if err != nil {
				t.Fatal(err)
			}
			harness.CompareAll(t, r.Images, r.Scalars, want, harness.Bound{})
		})
	}
}

func line(values ...int) *pixels.Image {
	m, err := pixels.New(types.Scalar(types.I32), len(values))
	if err != nil {
		panic(err)
	}
	for i, v := range values {
		m.SetWord(i, types.Int(int64(v)))
	}
	return m
}

func TestFirstIndicesUnderOclgrind(t *testing.T) { harness.SimulateTest(t, "TestFirstIndices") }
