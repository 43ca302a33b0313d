package access

import (
	"flag"
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"imgc/diag"
	"imgc/hast"
	"imgc/ops"
	"imgc/types"
)

var rounds = flag.Int("rounds", 200, "random programs that are compared with an enumeration of small sizes")

// A machine runs a pipeline at given sizes and records what its accesses do.
type machine struct {
	p      *hast.Pipeline
	values map[*hast.Var]int64
	extent map[*hast.Image][]int64
	// seen are the sides on which a coordinate left its image.
	below, above map[*hast.Coord]bool
	storesOut    bool
	readsOut     bool
	races        bool // two instances wrote a pixel, or one read what another wrote
	written      map[*hast.Image]map[[4]int64]bool
	instance     int
	writers      map[pixel]int
	readers      map[pixel][]int
}

type pixel struct {
	image *hast.Image
	at    [4]int64
}

func (m *machine) run() {
	for _, step := range m.p.Steps {
		switch step := step.(type) {
		case *hast.DefineHost:
			m.values[step.Var] = m.eval(step.Value)
		case *hast.Stage:
			m.runStage(step)
		}
	}
}

func (m *machine) runStage(st *hast.Stage) {
	m.writers, m.readers = map[pixel]int{}, map[pixel][]int{}
	m.instance = 0
	m.each(&st.Space, 0, func() bool {
		m.instance++
		if st.Where == nil || m.eval(st.Where) != 0 {
			m.exec(st.Body)
		}
		return true
	})
	for at, readers := range m.readers {
		if w, ok := m.writers[at]; ok && slices.ContainsFunc(readers, func(r int) bool { return r != w }) {
			m.races = true
		}
	}
}

// each runs f for the points of a space until it returns false.
func (m *machine) each(sp *hast.Space, k int, f func() bool) bool {
	if sp.Points != nil {
		for _, p := range sp.Points {
			for i, v := range sp.Vars {
				m.values[v] = p[i]
			}
			if !f() {
				return false
			}
		}
		return true
	}
	if k == len(sp.Vars) {
		return f()
	}
	r := sp.Ranges[k]
	lo, hi := m.eval(r.Lo), m.eval(r.Hi)
	for x := lo; r.Step > 0 && x < hi || r.Step < 0 && x > hi; x += r.Step {
		m.values[sp.Vars[k]] = x
		if !m.each(sp, k+1, f) {
			return false
		}
	}
	return true
}

type outcome uint8

const (
	fellThrough outcome = iota
	broke
	continued
)

func (m *machine) exec(body []hast.Stmt) outcome {
	for _, s := range body {
		switch s := s.(type) {
		case *hast.Define:
			m.values[s.Var] = m.eval(s.Init)
		case *hast.Set:
			m.values[s.Var] = m.eval(s.Value)
		case *hast.Store:
			m.store(s)
		case *hast.If:
			branch := s.Else
			if m.eval(s.Cond) != 0 {
				branch = s.Then
			}
			if o := m.exec(branch); o != fellThrough {
				return o
			}
		case *hast.For:
			m.each(&s.Space, 0, func() bool { return m.exec(s.Body) != broke })
		case *hast.While:
			for m.eval(s.Cond) != 0 && m.exec(s.Body) != broke {
			}
		case *hast.Break:
			return broke
		case *hast.Continue:
			return continued
		}
	}
	return fellThrough
}

func (m *machine) store(s *hast.Store) {
	m.eval(s.Value)
	at := pixel{image: s.Image}
	for k, e := range s.Index {
		at.at[k] = m.eval(e)
		if at.at[k] < 0 || at.at[k] >= m.extent[s.Image][k] {
			m.storesOut = true
		}
	}
	if w, ok := m.writers[at]; ok && w != m.instance {
		m.races = true
	}
	m.writers[at] = m.instance
	m.written[s.Image][at.at] = true
}

// window reads all pixels of a window.
func (m *machine) window(w *hast.Window) (sum int64) {
	offsets := make([]int64, len(w.Axes))
	for {
		sum += m.pixel(w.Image, w.Rule, func(k int) (*hast.Coord, int64) { return &w.Axes[k].Start, offsets[k] * int64(w.Axes[k].Stride) })
		k := len(offsets) - 1
		for k >= 0 && offsets[k] == int64(w.Axes[k].Count)-1 {
			offsets[k] = 0
			k--
		}
		if k < 0 {
			return sum
		}
		offsets[k]++
	}
}

func (m *machine) load(l *hast.Load) int64 {
	return m.pixel(l.Image, l.Rule, func(k int) (*hast.Coord, int64) { return &l.Index[k], 0 })
}

// pixel reads one pixel; coord gives a coordinate of the node and what is added to it.
func (m *machine) pixel(image *hast.Image, rule *hast.Rule, coord func(k int) (*hast.Coord, int64)) int64 {
	at := pixel{image: image}
	outside := false
	for k := range image.Extent {
		c, offset := coord(k)
		x, n := m.eval(c.X)+offset, m.extent[image][k]
		if x < 0 {
			m.below[c] = true
		}
		if x >= n {
			m.above[c] = true
		}
		if x < 0 || x >= n {
			outside = true
			if rule == nil {
				m.readsOut = true
				return 0
			}
			x = fold(rule.Kind, x, n)
		}
		at.at[k] = x
	}
	if outside && rule.Kind == hast.Constant {
		return 0
	}
	m.readers[at] = append(m.readers[at], m.instance)
	return (at.at[0]*7+at.at[1]*13)%5 - 2
}

func (m *machine) complete(image *hast.Image) bool {
	n := int64(1)
	for _, e := range m.extent[image] {
		n *= e
	}
	return int64(len(m.written[image])) == n
}

// fold is a border rule by its definition, one step at a time.
func fold(k hast.RuleKind, x, n int64) int64 {
	for x < 0 || x >= n {
		switch {
		case k == hast.Clamp:
			x = min(max(x, 0), n-1)
		case k == hast.Repeat && x < 0:
			x += n
		case k == hast.Repeat:
			x -= n
		case k == hast.Reflect && x < 0:
			x = -1 - x
		case k == hast.Reflect:
			x = 2*n - 1 - x
		case k == hast.Reflect101 && n == 1:
			x = 0
		case k == hast.Reflect101 && x < 0:
			x = -x
		case k == hast.Reflect101:
			x = 2*n - 2 - x
		default:
			return x
		}
	}
	return x
}

func (m *machine) eval(e hast.Expr) int64 {
	switch e := e.(type) {
	case *hast.Const:
		return e.Words[0].Int()
	case *hast.Ref:
		return m.values[e.Var]
	case *hast.Convert:
		return m.eval(e.X)
	case *hast.Select:
		if m.eval(e.Cond) != 0 {
			return m.eval(e.Then)
		}
		return m.eval(e.Else)
	case *hast.Load:
		return m.load(e)
	case *hast.Window:
		return m.window(e)
	case *hast.Reduce:
		sum := int64(0)
		m.each(&e.Space, 0, func() bool { sum += m.eval(e.Elem); return true })
		return sum
	case *hast.Op:
		switch {
		case e.Op == ops.LAnd && m.eval(e.Args[0]) == 0:
			return 0
		case e.Op == ops.LOr && m.eval(e.Args[0]) != 0:
			return 1
		}
		kind := e.Args[0].Type().Kind
		args := make([]types.Word, len(e.Args))
		for i, arg := range e.Args {
			args[i] = types.Int(m.eval(arg))
		}
		return ops.Eval(e.Op, kind, args...).Int()
	}
	panic(fmt.Sprintf("%T", e))
}

// A generator writes random programs whose indices are mostly linear.
type generator struct{ *rand.Rand }

func (g generator) pick(from ...string) string { return from[g.Intn(len(from))] }

func (g generator) offset(v string) string {
	if k := g.Intn(7) - 3; k < 0 {
		return fmt.Sprintf("%s - %d", v, -k)
	} else if k > 0 {
		return fmt.Sprintf("%s + %d", v, k)
	}
	return v
}

// offset2 is seldom more than the variable.
func (g generator) offset2(v string) string {
	if g.Intn(4) > 0 {
		return v
	}
	return "(" + g.offset(v) + ")"
}

// coordinate is an index along an axis of the given extent.
func (g generator) coordinate(v, size string) string {
	switch g.Intn(20) {
	case 0:
		return "2*" + v
	case 1:
		return fmt.Sprintf("2*%s + %d", v, g.Intn(3))
	case 2:
		return v + "/2"
	case 3:
		return fmt.Sprintf("(%s) %% %d", g.offset(v), 2+g.Intn(2))
	case 4:
		return fmt.Sprintf("clamp(%s, 0, %s - 1)", g.offset(v), size)
	case 5:
		return fmt.Sprintf("min(%s, %s - 1)", g.offset(v), size)
	case 6:
		return fmt.Sprintf("max(%s, 0)", g.offset(v))
	case 7:
		return size + " - 1 - " + v
	case 8:
		return fmt.Sprintf("(%s) >> 1", g.offset(v))
	case 9:
		return fmt.Sprintf("abs(%s)", g.offset(v))
	case 10:
		return fmt.Sprintf("choose(%s > 1, %s, %s)", v, g.offset(v), v)
	case 11:
		return fmt.Sprintf("%s %% %s", v, g.pick("H", "W"))
	case 12:
		return fmt.Sprintf("%s / %s", v, g.pick("H", "W"))
	case 13:
		return fmt.Sprintf("(%s) ^ 1", v)
	case 14:
		return fmt.Sprintf("mod(%s, %s)", g.offset(v), size)
	}
	return g.offset(v)
}

func (g generator) condition() string {
	return g.pick("x > 0", "x < W - 1", "y != x", "(y + x) % 2 == c", "x % 3 == 1", "y > 0 && x > 0", "y == 0 || x < W - 2",
		"(x & 1) == 0", "y >= c", "2*x < W", "!(x == 0)", "src[y][x] > 0")
}

func (g generator) pixel(image string) string {
	y, x := "y", "x"
	if g.Intn(8) == 0 {
		y, x = x, y
	}
	return fmt.Sprintf("%s[%s][%s]", image, g.coordinate(y, "H"), g.coordinate(x, "W"))
}

func (g generator) target() string {
	switch g.Intn(4) {
	case 0:
		return g.pixel("dst")
	case 1:
		return fmt.Sprintf("dst[%s][%s]", g.offset("y"), g.offset("x"))
	}
	return "dst[y][x]"
}

func (g generator) rangeOf(size string) string {
	r := g.pick("0", "0", "0", "1", "2") + ":" + g.pick("%", "%", "% - 1", "%/2", "(% + 1)/2", "% - 2")
	r = strings.ReplaceAll(r, "%", size)
	if g.Intn(5) == 0 {
		r += ":" + g.pick("2", "3")
	}
	return r
}

func (g generator) statement(depth int, source string) string {
	switch {
	case depth > 0 && g.Intn(3) == 0:
		text := fmt.Sprintf("if %s {\n%s}", g.condition(), g.statement(depth-1, source))
		if g.Intn(2) == 0 {
			text += fmt.Sprintf(" else {\n%s}", g.statement(depth-1, source))
		}
		return text + "\n"
	case depth > 0 && g.Intn(5) == 0:
		skip := ""
		if g.Intn(2) == 0 {
			skip = "if " + g.condition() + " {\n" + g.pick("continue", "break") + "\n}\n"
		}
		return fmt.Sprintf("for i := within(0, 2) ; ; {\n%sdst[y][2*x + i] = 1\n}\n", skip)
	case g.Intn(5) == 0:
		return fmt.Sprintf("v = %s\n", g.coordinate("x", "W"))
	case g.Intn(6) == 0:
		return fmt.Sprintf("%s = %s[y][v]\n", g.target(), source)
	case depth > 0 && g.Intn(8) == 0:
		return fmt.Sprintf("b = b %s (%s)\nif b {\n%s}\n", g.pick("&&", "||", "=="), g.condition(), g.statement(depth-1, source))
	case g.Intn(8) == 0:
		return fmt.Sprintf("%s = window(%s[%s][%s], %d, 2, %d)\n", g.target(), source, g.offset("y"), g.offset("x"), 1+g.Intn(3), 1+g.Intn(2))
	case g.Intn(10) == 0:
		return fmt.Sprintf("flat[%s*W + %s] = 1\n", g.offset2("y"), g.offset2("x"))
	case g.Intn(10) == 0:
		return fmt.Sprintf("%s = points(dy, dx, %s[y + dy][x + dx - dy])\n", g.target(), source)
	case g.Intn(12) == 0:
		return fmt.Sprintf("n = 0\nfor n < %d {\nn = n + 1\n%s = %s[y][x + n]\n}\n", 1+g.Intn(3), g.target(), source)
	}
	return fmt.Sprintf("%s = %s\n", g.target(), g.pixel(source))
}

func (g generator) program() string {
	var b strings.Builder
	b.WriteString("in src[H][W]\nscalar c\n")
	source := "src"
	switch g.Intn(4) {
	case 0:
		b.WriteString("inout dst[H][W]\n")
		source = g.pick("src", "dst")
	case 1:
		b.WriteString("out dst[2*H][2*W]\n")
	default:
		b.WriteString("out dst[H][W]\n")
	}
	b.WriteString("out flat[H*W]\n")
	fmt.Fprintf(&b, "iterate y in %s, x in %s", g.rangeOf("H"), g.rangeOf("W"))
	if g.Intn(3) > 0 {
		b.WriteString(" border " + g.pick("clamp", "reflect", "reflect101", "repeat", "constant"))
	}
	if g.Intn(3) == 0 {
		b.WriteString(" where " + g.condition())
	}
	body := "v := x\nb := x > y\nn := 0\n"
	for range 1 + g.Intn(3) {
		body += g.statement(2, source)
	}
	body = strings.TrimSuffix(strings.ReplaceAll("\n"+body, "\n", "\n  "), "  ")
	return b.String() + " {" + body + "}\n"
}

// observed is what happened in all calls.
type observed struct {
	machine
	admitted, refused int  // calls that the checks let pass and not
	refusedHarmless   bool // a call was refused that breaks no promise
	incomplete        bool // a pixel of an image that does not start as zeros was not written
}

const largestSize = 7

// observe runs p at all small sizes and a few values of its scalar.
func observe(p *hast.Pipeline) (out observed) {
	out.below, out.above = map[*hast.Coord]bool{}, map[*hast.Coord]bool{}
	for h := int64(1); h <= largestSize; h++ {
		for w := int64(1); w <= largestSize; w++ {
			for c := int64(-1); c <= 2; c++ {
				out.call(p, h, w, c)
			}
		}
	}
	return out
}

func (out *observed) call(p *hast.Pipeline, h, w, c int64) {
	m := machine{
		p: p, values: map[*hast.Var]int64{}, extent: map[*hast.Image][]int64{}, below: map[*hast.Coord]bool{}, above: map[*hast.Coord]bool{},
		written: map[*hast.Image]map[[4]int64]bool{},
	}
	for _, s := range p.Sizes {
		m.values[s.Var] = map[string]int64{"H": h, "W": w}[s.Var.Name]
	}
	for _, q := range p.Params {
		if q.Scalar != nil {
			m.values[q.Scalar] = c
		}
	}
	for _, im := range p.Images {
		m.written[im] = map[[4]int64]bool{}
		for _, e := range im.Extent {
			m.extent[im] = append(m.extent[im], m.eval(e))
		}
	}
	admitted := true
	for _, check := range p.Checks {
		admitted = admitted && m.eval(check.Cond) != 0
	}
	m.run()
	broken := m.races || m.readsOut || m.storesOut
	if !admitted {
		out.refused++
		out.refusedHarmless = out.refusedHarmless || !broken
		return
	}
	out.admitted++
	for c := range m.below {
		out.below[c] = true
	}
	for c := range m.above {
		out.above[c] = true
	}
	out.races = out.races || m.races
	out.readsOut = out.readsOut || m.readsOut
	out.storesOut = out.storesOut || m.storesOut
	for _, im := range p.Images {
		if im.Dir == hast.Out && !im.Zero && !m.complete(im) {
			out.incomplete = true
		}
	}
}

// TestVerdictsAgreeWithEnumeration compares what is proved of random programs with what happens at all small sizes. A promise
// that is reported as kept must be kept; one that is reported as broken must be broken somewhere.
func TestVerdictsAgreeWithEnumeration(t *testing.T) {
	counts := map[string]int{}
	for seed := range *rounds {
		text := generator{rand.New(rand.NewSource(int64(seed)))}.program()
		p := build(t, text, [][]int64{{-1, 0}, {0, 0}, {1, 2}, {2, 2}}...)
		diags := &diag.List{}
		Prove(p, diags)
		compare(t, seed, text, p, diags, counts)
		if t.Failed() {
			return
		}
	}
	t.Log(counts)
}

func compare(t *testing.T, seed int, text string, p *hast.Pipeline, diags *diag.List, counts map[string]int) {
	t.Helper()
	fail := func(what string) {
		t.Errorf("seed %d: %s\n%s\n%s\n%s", seed, what, text, strings.Join(messages(diags), "\n"), strings.Join(summary(p, 0), "\n"))
	}
	o := observe(p)
	errors := map[diag.Code]bool{}
	for _, d := range diags.Sorted() {
		errors[d.Code] = true
	}
	promises := []struct {
		name   string
		codes  []diag.Code
		broken bool
		blind  bool // not judged because of other errors
	}{
		{"reads stay inside", []diag.Code{diag.ReadOutside, diag.ReadUnknown}, o.readsOut, false},
		{"writes stay inside", []diag.Code{diag.WriteOutside, diag.WriteUnknown}, o.storesOut, false},
		{"instances do not meet", []diag.Code{diag.WritesMeet, diag.ReadsWritten}, o.races, o.storesOut || o.readsOut || errors[diag.WriteOutside] || errors[diag.WriteUnknown]},
	}
	for _, q := range promises {
		reported := slices.ContainsFunc(q.codes, func(c diag.Code) bool { return errors[c] })
		switch {
		case q.broken && !reported && !q.blind:
			fail("broken, but nothing is reported: " + q.name)
		case reported && !q.broken:
			counts["not confirmed: "+q.name]++
		case reported:
			counts["reported: "+q.name]++
		default:
			counts["proved: "+q.name]++
		}
	}
	if o.incomplete && len(errors) == 0 {
		fail("a pixel that nothing writes is not zeroed")
	}
	if o.refusedHarmless {
		counts["refused without need"]++
	}
	if len(errors) == 0 {
		compareSides(p, o, fail, counts)
	}
}

func compareSides(p *hast.Pipeline, o observed, fail func(string), counts map[string]int) {
	w := &walker{known: map[*hast.Func]bool{}}
	for _, step := range p.Steps {
		w.stageBody(step.(*hast.Stage), &scope{})
	}
	for _, r := range w.reads {
		for _, ax := range r.axes {
			for _, side := range []struct{ seen, said bool }{{o.below[ax.coord], ax.coord.Below}, {o.above[ax.coord], ax.coord.Above}} {
				switch {
				case side.seen && !side.said:
					fail("a read leaves where it is said not to: " + r.text())
				case side.said && !side.seen:
					counts["side not confirmed"]++
				case side.said:
					counts["side confirmed"]++
				default:
					counts["side excluded"]++
				}
			}
		}
	}
}
