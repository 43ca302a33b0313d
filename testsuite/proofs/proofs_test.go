package proofs

import (
	"context"
	"flag"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"imgc"
	"imgc/pixels"
	"imgc/testsuite/harness"
	"imgc/types"
)

var every = flag.Int("every", 24, "one of how many conditions is tried; 1 tries all, which takes minutes")

// most is how many conditions a text has: a checker stops after 1,000 errors.
const most = 150

// points is how many pixels an image has.
const points = 64

// funcs are the functions that expressions call, of pixels of a kind.
func funcs(k types.Kind) string {
	return fmt.Sprintf(`func first(p: %[1]s, q: %[1]s): %[1]s { var r = p; if (p != q) r = p; else r = q; return r; }
func last(p: %[1]s, q: %[1]s): %[1]s = q;
`, k)
}

// accepted checks a text and returns the lines that errors begin at, the first of a program's being 1.
func accepted(t *testing.T, text string) (*imgc.Program, map[int]string) {
	t.Helper()
	result, err := imgc.Check(context.Background(), "proofs.img", text, imgc.Options{Mode: imgc.Strict, CheckClaims: true})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	lines := map[int]string{}
	for _, d := range result.Diagnostics.Sorted() {
		if d.Severity.String() == "error" {
			line, _ := d.Span.File.Position(d.Span.Start)
			lines[line] += d.Message + "\n"
		}
	}
	return result.Program, lines
}

// meaningful are the expressions that the language takes.
func meaningful(t *testing.T, k types.Kind) (all []expression) {
	candidates := expressions(k)
	_, wrong := accepted(t, evaluations(k, candidates))
	for i, e := range candidates {
		if _, bad := wrong[i+lineOfFirst]; !bad {
			all = append(all, e)
		}
	}
	return all
}

// lineOfFirst is the line on which the first of a list of pipelines stands: behind two functions.
const lineOfFirst = 3

// evaluations are pipelines, one a line, that store what expressions are. A read under a condition on them has the proofs look at them, so that
// the interpreter holds what is claimed of them against their values.
func evaluations(k types.Kind, all []expression) string {
	var b strings.Builder
	b.WriteString(funcs(k))
	for i, e := range all {
		condition := "v < 3"
		if e.result == types.Bool {
			condition = "v"
		}
		fmt.Fprintf(&b, "pipeline e%d(in a: %s[N], in b: %[2]s[N], in n: i32, out r: %[3]s[N], out near: %[2]s[N]) { iterate (i) over r border clamp "+
			"{ let v = %[3]s(%[4]s); r[i] = v; near[i] = b[i]; if (%[5]s) near[i] = b[i + 1]; } }\n", i, k, e.result, e.text, condition)
	}
	return b.String()
}

// A value is what an expression was seen to be, as the language writes it, and how.
type value struct {
	text  string
	least bool // nothing smaller was seen
	most  bool
}

// seen are the smallest, the largest and another value of an expression; of floats only those that are numbers of moderate size.
func seen(words []types.Word, k types.Kind) (all []value) {
	if k == types.Bool {
		for _, v := range []bool{false, true} {
			for _, w := range words {
				if (w != 0) == v {
					return append(all, value{fmt.Sprint(v), false, false})
				}
			}
		}
	}
	least, most, some, found := types.Word(0), types.Word(0), types.Word(0), false
	for i, w := range words {
		if !moderate(w, k) {
			continue
		}
		if !found {
			least, most, found = w, w, true
		}
		if less(w, least, k) {
			least = w
		}
		if less(most, w, k) {
			most = w
		}
		if i%7 == 3 {
			some = w
		}
	}
	if !found {
		return nil
	}
	all = []value{{spelled(least, k), true, least == most}, {spelled(most, k), least == most, true}}
	if some != 0 && moderate(some, k) {
		all = append(all, value{spelled(some, k), false, false})
	}
	return all
}

// moderate are numbers with which the prover can count: its sums have 64 bits, and what does not fit is refused.
func moderate(w types.Word, k types.Kind) bool {
	if k == types.F64 {
		v := math.Abs(w.Float())
		return v <= 1e15 && (v == 0 || v >= 1e-15)
	}
	return w.Int() > math.MinInt64/16 && w.Int() < math.MaxInt64/16
}

func less(v, w types.Word, k types.Kind) bool {
	if k == types.F64 {
		return v.Float() < w.Float()
	}
	return v.Int() < w.Int()
}

func spelled(w types.Word, k types.Kind) string {
	if k == types.F64 {
		return fmt.Sprintf("f64(%.17e)", w.Float())
	}
	return fmt.Sprintf("i64(%d)", w.Int())
}

// satisfied are conditions that a pixel satisfies.
func satisfied(e expression, values []value) (all []string) {
	as := fmt.Sprintf("%s(%s)", e.result, e.text)
	for _, v := range values {
		all = append(all, as+" == "+v.text)
		if v.least {
			all = append(all, as+" <= "+v.text)
		}
		if v.most {
			all = append(all, as+" >= "+v.text)
		}
		if e.result == types.I64 && v.least {
			all = append(all, as+" < "+v.text+" + 1")
		}
	}
	if len(values) > 1 && values[0].text != values[1].text {
		all = append(all, as+" != "+values[0].text, "!("+as+" == "+values[1].text+")")
	}
	return all
}

// forbidden are accesses behind a condition that break a promise as soon as one pixel satisfies it, and allowed ones that break none. Each has
// a place for the condition.
var (
	forbidden = []struct{ name, text string }{
		{"a read outside", "iterate (i) over d { var v: u8 = 7; if (%s) v = s[i + 1000000]; d[i] = v; }"},
		{"a write outside", "d = 0; iterate (i) over a if (%s) d[i - 77] = 9;"},
		{"a place that two write", "d = 0; iterate (i) over a if (%s) { d[0] = 9; d[i] = 3; }"},
		{"a pixel of another instance", "iterate (i) over d if (%s) d[i] = d[N - 1 - i];"},
	}
	allowed = []string{
		"iterate (i) over d { var v: u8 = 7; if (%s) v = s[i]; d[i] = v; }",
		"d = 0; iterate (i) over a if (%s) d[i] = 9;",
	}
)

// TestConditionsThatPixelsSatisfy is of everything that can stand in a condition.
func TestConditionsThatPixelsSatisfy(t *testing.T) {
	for _, k := range kinds {
		t.Run(k.String(), func(t *testing.T) {
			t.Parallel()
			list := meaningful(t, k)
			program, wrong := accepted(t, evaluations(k, list))
			if program == nil {
				t.Fatalf("%v", wrong)
			}
			images := map[string]*pixels.Image{}
			for _, name := range []string{"a", "b"} {
				images[name] = harness.Input(name, harness.Extremes, types.Scalar(k), points)
			}
			var conditions []string
			for i, e := range list {
				for _, n := range []int64{0, 2} {
					args := imgc.Args{Images: images, Scalars: map[string]types.Value{"n": types.Of(types.I32, types.Int(n))}}
					got := harness.Interpret(t, program, fmt.Sprintf("e%d", i), args)
					conditions = append(conditions, satisfied(e, seen(wordsOf(got.Images["r"]), e.result))...)
				}
			}
			if len(conditions) < 3*len(list) {
				t.Errorf("%d conditions for %d expressions", len(conditions), len(list))
			}
			tried := sampled(conditions, int(k))
			t.Logf("%d expressions, %d conditions, %d of them tried", len(list), len(conditions), len(tried))
			for texts := range slices.Chunk(tried, most) {
				refuses(t, k, texts)
			}
		})
	}
}

// sampled is one of so many conditions, others for each kind.
func sampled(all []string, kind int) (some []string) {
	for i := kind % *every; i < len(all); i += *every {
		some = append(some, all[i])
	}
	return some
}

func wordsOf(m *pixels.Image) (all []types.Word) {
	for i := range m.Words() {
		all = append(all, m.Word(i))
	}
	return all
}

// refuses expects the conditions' forbidden accesses to be refused, and the allowed ones not to be.
func refuses(t *testing.T, k types.Kind, conditions []string) {
	t.Helper()
	var b strings.Builder
	b.WriteString(funcs(k))
	for _, c := range conditions {
		for _, f := range forbidden {
			pipelineOf(&b, k, fmt.Sprintf(f.text, c))
		}
		for _, text := range allowed {
			pipelineOf(&b, k, fmt.Sprintf(text, c))
		}
	}
	_, wrong := accepted(t, b.String())
	for i, c := range conditions {
		line := lineOfFirst + i*(len(forbidden)+len(allowed))
		for j, f := range forbidden {
			if wrong[line+j] == "" {
				t.Errorf("%s is accepted behind if (%s), which pixels of %s satisfy", f.name, c, k)
			}
		}
		for j := range allowed {
			if message := wrong[line+len(forbidden)+j]; message != "" {
				t.Errorf("an access inside is refused behind if (%s): %s", c, message)
			}
		}
	}
}

// pipelineOf is one line.
func pipelineOf(b *strings.Builder, k types.Kind, body string) {
	dir := "out"
	if strings.Contains(body, "= d[") {
		dir = "inout"
	}
	fmt.Fprintf(b, "pipeline p%d(in a: %s[N], in b: %[2]s[N], in s: u8[N], in n: i32, %s d: u8[N]) { %s }\n", b.Len(), k, dir, body)
}
