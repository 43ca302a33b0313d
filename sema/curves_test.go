package sema_test

import (
	"fmt"
	"math"
	"math/rand"
	"strings"
	"testing"
	"time"

	"imgc/diag"
	"imgc/parser"
	"imgc/sema"
	"imgc/source"
)

// curves are programs that grow by one thing. What takes longer than n log n to check shows in them.
var curves = []struct {
	name  string
	sizes []int
	text  func(n int) string
}{
	{"stores", []int{100, 200, 400, 800, 1600, 2000}, guardedStores},
	{"else-if", []int{20, 40, 80, 160}, elseIfChain},
	{"conditions", []int{20, 40, 80}, nestedConditions},
	{"stages", []int{100, 200, 400, 800, 1600, 2000}, manyStages},
	{"tree", []int{4, 6, 8, 10}, conditionTree},
}

// BenchmarkCurves checks programs of growing size and prints the least time of each, and what that is for one of n log n:
//
//	go test -run '^$' -bench Curves -benchtime 3x ./sema
func BenchmarkCurves(b *testing.B) {
	for _, c := range curves {
		for _, n := range c.sizes {
			text := c.text(n)
			b.Run(fmt.Sprintf("%s/%d", c.name, n), func(b *testing.B) {
				least := math.Inf(1)
				for b.Loop() {
					start := time.Now()
					checkText(b, text)
					least = min(least, time.Since(start).Seconds())
				}
				b.ReportMetric(least*1e3, "least-ms")
			})
		}
	}
}

func checkText(tb testing.TB, text string) {
	tb.Helper()
	var diags diag.List
	sema.Check(parser.Parse(source.NewFile("t.img", text), &diags), sema.Options{}, &diags)
	if diags.HasErrors() {
		tb.Fatal(diags.Sorted()[0].Message)
	}
}

func pointwise(body string) string {
	return "pipeline p(in src: u8[H][W] border clamp, in sel: u16[H][W], out dst: u8[H][W]) {\niterate (y, x) over dst {\n" + body + "}\n}\n"
}

func guardedStores(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "if (sel[y][x] == %d) dst[y][x] = u8(src[y][x] + %d);\n", i, i)
	}
	return pointwise(b.String())
}

func elseIfChain(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "if (sel[y][x] == %d) dst[y][x] = u8(src[y][x] + %d);\nelse ", i, i)
	}
	return pointwise(b.String() + "dst[y][x] = 0;\n")
}

func nestedConditions(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "if (sel[y][x] != %d) {\n", i)
	}
	return pointwise(b.String() + "dst[y][x] = src[y][x];\n" + strings.Repeat("}", n))
}

func manyStages(n int) string {
	var b strings.Builder
	b.WriteString("pipeline p(in src: f32[H][W] border clamp, out dst: f32[H][W]) {\n")
	from := "src"
	for i := range n {
		fmt.Fprintf(&b, "image t%d: f32[H][W] border clamp = [(%[2]s[y-1][x] + %[2]s[y][x-1] + %[2]s[y+1][x] + %[2]s[y][x+1])/4 + %[1]d for y, x];\n", i, from)
		from = fmt.Sprintf("t%d", i)
	}
	return b.String() + "dst = " + from + ";\n}\n"
}

func conditionTree(depth int) string {
	r := rand.New(rand.NewSource(1))
	var tree func(depth int) string
	tree = func(depth int) string {
		if depth == 0 {
			return fmt.Sprintf("dst[y][x] = %d;\n", r.Intn(256))
		}
		return fmt.Sprintf("if (src[y][x+%d] < src[y+%d][x]) {\n%s} else {\n%s}\n", r.Intn(18), r.Intn(18), tree(depth-1), tree(depth-1))
	}
	return pointwise(tree(depth))
}
