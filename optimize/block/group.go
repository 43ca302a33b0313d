package block

import (
	"fmt"
	"slices"

	"imgc/hast"
	"imgc/ops"
)

// A Group is a stage with those that are fused with it. All places in it are for an instance of the last part.
type Group struct {
	// Apart says why the parts cannot be computed together, as the end of a sentence; "" where they can.
	Apart   string
	Parts   []*Part      // in order; the last is the stage itself
	Windows []*Window    // what the parts read of images in memory
	Tiles   []*Window    // what they keep for each other; Rule is what is outside of the image, nil where no part reads there
	folded  bool         // parts compute pixels outside of images for the places that border rules take for them
	turned  []*Window    // see Turned
	staged  [2][]*Window // what Staged has where no part is Direct, and where those are that may be
	swept   []*Window    // what Kept has of groups that sweep
	short   map[*hast.Image][2]int
	loose   map[*hast.Image][2]bool
	unsized map[*hast.Image]bool // images that are read outside, of which nothing says how large they are for the space
	vars    map[*hast.Image]*Window
	by      map[*hast.Image]*Part
}

// A Part is one of the stages.
type Part struct {
	*Stage
	Of      *hast.Stage
	Y, X    Span      // its instances
	Sources []*Window // for each of its Windows, and then for each of its Rows', the window or tile of the group that holds it
	Keeps   []*Window // for each of its Outputs, the tile of the group; nil of the last part
	Stores  []bool    // for each of its Outputs, whether it is an image in memory
	// Far says why the pixels that border rules take for those outside of what it keeps may lie anywhere in the image, as the end of a sentence; "" where they are in the
	// tile. It reads nothing then that others keep, so that these can be computed from memory.
	Far string
	// Straight: of those beside the block, above and below it, a formula says what they are made of, in their column, within reach of the ends of the image (EndOf), so that
	// blocks which end where it does hold them.
	Straight bool
	// Apart: it stores images, and has other instances than the whole, of which Short is by how many along x and y these may fall short of what all blocks together compute: the blocks at
	// its ends hold places then that are no pixels of it.
	Apart  bool
	Short  [2]int
	used   bool
	unread bool // by other parts
	direct bool // see Group.Direct
}

// Reads are the part's windows, those of its sums by rows last.
func (p *Part) Reads() []*Window {
	if p.Rows == nil {
		return p.Windows
	}
	return slices.Concat(p.Windows, p.Rows.Windows)
}

// ByFormula reports whether what a part keeps has a border by formula: of each place outside the formula says what it is, made of pixels that are computed from
// memory (Far), and no other place stands for it.
func (p *Part) ByFormula() bool {
	return slices.ContainsFunc(p.Keeps, func(t *Window) bool { return t.Rule != nil && t.Rule.Kind == hast.Formula })
}

// Last is the part that is the stage itself.
func (g *Group) Last() *Part { return g.Parts[len(g.Parts)-1] }

// Together looks at a stage and those fused with it, whose reductions of at most unroll points are written out. Parts are computed
// for the instances of a block and those around it that later parts need; where these lie outside of an image, a border rule takes
// pixels of the block instead. Where it may take others, since it reaches far or nothing says how large the image is for the space, they are computed from memory
// (Part.Far), or the parts stay apart.
func Together(s *hast.Stage, unroll int) *Group {
	return new(Looks).Together(s, unroll)
}

// ByRows is Together where loops are written out, too, as work-items do that compute rows.
func ByRows(s *hast.Stage, unroll int) *Group {
	return together(s, false, func(of *hast.Stage) *Stage { return AnalyzeLoops(of, unroll) })
}

// together is Together for parts that are looked at in some way, and do with pixels outside of images as folded says.
func together(s *hast.Stage, folded bool, look func(of *hast.Stage) *Stage) *Group {
	g := grouped(s, folded, look)
	g.floatsInLocal()
	if !folded { // groups that go down rows have those of windows there (Descent.Shared)
		g.inLocalMemory()
	}
	return g
}

// grouped is together, but for what groups have in local memory.
func grouped(s *hast.Stage, folded bool, look func(of *hast.Stage) *Stage) *Group {
	g := &Group{folded: folded, short: map[*hast.Image][2]int{}, loose: map[*hast.Image][2]bool{}, unsized: map[*hast.Image]bool{}, vars: map[*hast.Image]*Window{}, by: map[*hast.Image]*Part{}}
	for _, of := range s.Parts() {
		p := &Part{Stage: look(of), Of: of}
		g.Parts = append(g.Parts, p)
		if p.Alone != "" {
			return g.apart("%s cannot be computed in blocks: %s", of.Name, p.Alone)
		}
		if of != s {
			if why := g.produces(p, s); why != "" {
				return g.apart("%s %s", of.Name, why)
			}
		}
	}
	g.conflicts()
	last := g.Last()
	last.include(whole(last.Stage.Y != nil))
	for i := len(g.Parts) - 1; i >= 0 && g.Apart == ""; i-- {
		g.part(g.Parts[i], s)
	}
	return g
}

func (g *Group) apart(format string, args ...any) *Group {
	if g.Apart == "" {
		g.Apart = fmt.Sprintf(format, args...)
	}
	return g
}

// whole is the block itself.
func whole(lines bool) (y, x Span) {
	if lines {
		y.Stride = 1
	}
	return y, Span{Stride: 1}
}

// include makes a part compute more instances; false where they are in other steps than those it computes.
func (p *Part) include(y, x Span) bool {
	if !p.used {
		p.Y, p.X, p.used = y, x, true
		return true
	}
	same := p.Y.alike(y) && p.X.alike(x)
	p.Y, p.X = p.Y.join(y), p.X.join(x)
	return same
}

// produces enters what a fused stage keeps for later ones: whole images, each pixel by the instance of its own coordinates.
func (g *Group) produces(p *Part, s *hast.Stage) string {
	if p.Once || p.Of.Where != nil || len(p.Outputs) == 0 {
		return "does more than to write each pixel of its images once"
	}
	if len(p.Of.Space.Vars) != len(s.Space.Vars) {
		return fmt.Sprintf("and %s run over spaces of %d and %d axes", s.Name, len(p.Of.Space.Vars), len(s.Space.Vars))
	}
	for _, o := range p.Outputs {
		if !p.covers(o) {
			return "does not compute the whole of " + o.Image.Name
		}
		inner := slices.Contains(s.Inner, o.Image)
		tile := &Window{Place: Place{Image: o.Image}}
		if g.by[o.Image] != nil {
			return "writes " + o.Image.Name + ", as another one does"
		}
		g.vars[o.Image], g.by[o.Image] = tile, p
		p.Keeps, p.Stores = append(p.Keeps, tile), append(p.Stores, !inner)
		if inner {
			continue
		}
		tile.Outer = o.Outer
		if !sameSpace(p.Of, s) { // cover finds out whether blocks of s do
			continue
		}
		tile.Y, tile.X = whole(p.Stage.Y != nil)
		p.include(tile.Y, tile.X)
		g.Tiles = append(g.Tiles, tile)
	}
	return ""
}

// sameSpace reports whether two stages of as many variables have the same instances.
func sameSpace(x, y *hast.Stage) bool {
	return slices.EqualFunc(x.Space.Ranges, y.Space.Ranges, sameRange)
}

func sameRange(x, y hast.Range) bool {
	return hast.Equal(x.Lo, y.Lo) && hast.Equal(x.Hi, y.Hi) && x.Step == y.Step
}

// covers reports whether the instances of a part are the pixels of an image that it writes.
func (p *Part) covers(o *Output) bool {
	m := o.Image
	_, pixel, _ := Axes(m)
	vars := p.Of.Space.Vars
	if m.Lower != nil || pixel+1 != len(vars) || o.X != (Span{Stride: 1}) || p.Stage.Y != nil && o.Y != (Span{Stride: 1}) {
		return false
	}
	for k, l := range o.Outer {
		if l != (Linear{Var: vars[k], Stride: 1}) {
			return false
		}
	}
	for k, r := range p.Of.Space.Ranges {
		if !r.Covers(m, k) {
			return false
		}
	}
	return true
}

// conflicts finds images in memory that one part writes and another one reads there.
func (g *Group) conflicts() {
	read := make([][]*hast.Image, len(g.Parts))
	for i, r := range g.Parts {
		r.Of.EachRead(func(m *hast.Image) {
			if (g.by[m] == nil || m.View != nil) && !slices.Contains(read[i], m) {
				read[i] = append(read[i], m)
			}
		})
	}
	for _, w := range g.Parts {
		hast.EachStore(w.Of.Body, func(s *hast.Store) {
			for i, r := range g.Parts {
				for _, m := range read[i] {
					if r != w && m.Base() == s.Image.Base() {
						g.apart("%s writes %s, which %s reads in other places", w.Of.Name, m.Name, r.Of.Name)
					}
				}
			}
		})
	}
}

// part adds what a part reads to the windows and tiles of the group. All that read what it keeps have been looked at.
func (g *Group) part(p *Part, s *hast.Stage) {
	for _, t := range p.Keeps {
		if slices.Contains(g.Tiles, t) {
			g.extend(p, t, s)
		}
	}
	stores := slices.Contains(p.Stores, true)
	if !p.used && stores {
		g.beside(p, s)
	}
	if !p.used {
		g.apart("nothing that is fused with it needs %s", p.Of.Name)
		return
	}
	if stores && !sameSpace(p.Of, s) {
		g.cover(p, s)
	}
	for _, t := range p.Keeps { // each instance writes to all of them
		if t.Y, t.X = p.Y, p.X; !slices.Contains(g.Tiles, t) {
			g.Tiles = append(g.Tiles, t)
		}
		if p.Apart {
			g.ends(t, s)
		}
	}
	for _, m := range p.Direct {
		if g.by[m] != nil {
			g.apart("%s reads %s at places that are not fixed by a distance from its instances", p.Of.Name, m.Name)
		}
	}
	for _, w := range p.Reads() {
		at := w.Place
		at.Y, at.X = through(w.Y, p.Y), through(w.X, p.X)
		if t := g.vars[w.Image]; t != nil {
			g.read(p, t, at, w.Rule)
			p.Sources = append(p.Sources, t)
			continue
		}
		p.Sources = append(p.Sources, g.window(at, w))
	}
	if p.Far != "" {
		g.far(p)
	}
}

// far reports a part whose pixels would have to be computed wherever a border rule takes them from, and cannot be, since it reads what others keep for the
// tile alone, or since the rule is not one.
func (g *Group) far(p *Part) {
	if slices.ContainsFunc(p.Sources, func(w *Window) bool { return slices.Contains(g.Tiles, w) }) {
		g.apart("%s, and computed of what is not in memory", p.Far)
	}
	var first *Window
	for _, t := range p.Keeps {
		switch {
		case t.Rule == nil:
		case first == nil:
			first = t
		case first.Rule.Kind != t.Rule.Kind:
			g.apart("%s, and %s under another rule", p.Far, t.Image.Name)
		}
	}
}

// through is the place that instances at s read, which read at w themselves. Where divided instances read in steps, so many times a quotient may be
// less than the quotient of so many times: then the span is that much larger.
func through(w, s Span) Span {
	if w.Stride == 0 {
		return w
	}
	out := Span{Stride: w.Stride * s.Stride, Lo: w.Stride*s.Lo + s.By()*w.Lo, Hi: w.Stride*s.Hi + s.By()*w.Hi, Div: s.By() * w.By()}
	if w.Stride > 1 {
		out.Lo -= w.Stride * (s.By() - 1)
	}
	return out.reduced()
}

// reduced is a span in the lowest terms, so that those that move alike with the block are alike.
func (s Span) reduced() Span {
	n := gcd(s.By(), s.Stride)
	s.Stride, s.Lo, s.Hi, s.Div = s.Stride/n, int(ops.FloorQuotient(int64(s.Lo), int64(n))), int(ops.FloorQuotient(int64(s.Hi), int64(n))), s.By()/n
	if s.Div == 1 {
		s.Div = 0
	}
	return s
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// window enters a read of memory.
func (g *Group) window(at Place, of *Window) *Window {
	rule := of.Rule
	for _, w := range g.Windows {
		if w.sameBut(at) && (w.Rule == nil || rule == nil || sameRule(w.Rule, rule)) {
			w.Y, w.X = w.Y.join(at.Y), w.X.join(at.X)
			if w.Rule == nil {
				w.Rule = rule
			}
			for dim, beyond := range of.Beyond {
				w.Beyond[dim] = w.Beyond[dim] || beyond
			}
			return w
		}
	}
	w := &Window{Place: at, Rule: rule, Beyond: of.Beyond}
	g.Windows = append(g.Windows, w)
	return w
}

// read enters a read of what an earlier part keeps.
func (g *Group) read(p *Part, t *Window, at Place, rule *hast.Rule) {
	producer := g.by[t.Image]
	if !slices.Contains(g.Tiles, t) {
		t.Place = at
		g.Tiles = append(g.Tiles, t)
	}
	for k, l := range at.Outer {
		if l != (Linear{Var: producer.Of.Space.Vars[k], Stride: 1}) {
			g.apart("%s reads %s in other planes than its own", p.Of.Name, t.Image.Name)
			return
		}
	}
	if !t.Y.alike(at.Y) || !t.X.alike(at.X) {
		g.apart("%s is read in steps that differ", t.Image.Name)
		return
	}
	if t.Rule != nil && rule != nil && !sameRule(t.Rule, rule) {
		g.apart("%s is read under two border rules", t.Image.Name)
		return
	}
	t.Y, t.X = t.Y.join(at.Y), t.X.join(at.X)
	if rule != nil {
		t.Rule = rule
	}
}

// extend makes a tile hold the pixels that its border rule takes for those outside, and the part compute them.
func (g *Group) extend(p *Part, t *Window, s *hast.Stage) {
	if t.Rule != nil {
		g.fits(p, t, s)
	} else {
		g.ends(t, s)
	}
	for dim, span := range []*Span{&t.X, &t.Y} {
		if t.Rule != nil && span.Stride != 0 && !g.folded && p.Far == "" { // else pixels outside are not made of those of the tile
			span.frame(t.Rule.Kind, g.short[t.Image][dim], g.unsized[t.Image])
		}
	}
	if !p.include(t.Y, t.X) {
		g.apart("what %s writes is read in steps that differ", p.Of.Name)
	}
}

// beside makes a part that nothing in the group reads, and which stores its images, compute what blocks of the whole have below themselves.
func (g *Group) beside(p *Part, s *hast.Stage) {
	n := len(s.Space.Vars)
	y, x := whole(p.Stage.Y != nil)
	for dim, span := range []*Span{&x, &y}[:min(n, 2)] {
		if span.Stride, _ = Scale(p.Of.Space.Ranges[n-1-dim], s.Space.Ranges[n-1-dim]); span.Stride == 0 {
			return
		}
		span.Hi = span.Stride - 1
	}
	p.include(y, x)
	p.unread = true
}

// mostScale is how many places of a finer stage an instance of another one has along an axis: of more, blocks of few instances would be more than an item holds.
const mostScale = 4

// Scale is how many values of a range are known to belong to each of another one, along an axis of two stages; 0 where there is no such number. All of them do, or all but less than so many
// at the end.
func Scale(fine, coarse hast.Range) (n int, all bool) {
	if !fine.Counts() || !coarse.Counts() {
		return 0, false
	}
	for n := 1; n <= mostScale; n++ {
		steps := Span{Stride: n}
		if short, known := shortfall(fine.Hi, coarse.Hi, steps); !known || short > n || !within(fine.Hi, hast.Plus(coarse.Hi, 1), steps) {
			continue
		}
		return n, within(fine.Hi, coarse.Hi, steps)
	}
	return 0, false
}

// cover makes a part that stores images of another size than the whole computes, which may be read at divided coordinates or in steps, compute what blocks of the whole have below
// themselves: all of these images, if they have no more pixels.
func (g *Group) cover(p *Part, s *hast.Stage) {
	n, ok := len(s.Space.Vars), true
	for dim, span := range []*Span{&p.X, &p.Y}[:min(n, 2)] {
		r, own := s.Space.Ranges[n-1-dim], p.Of.Space.Ranges[n-1-dim]
		ok = ok && r.Counts() && span.Stride > 0 && within(own.Hi, r.Hi, *span)
		span.Lo, span.Hi = min(span.Lo, 0), max(span.Hi, span.Stride-1)
		p.Short[dim], _ = shortfall(own.Hi, r.Hi, *span)
	}
	p.Apart = true
	for k := range max(0, n-2) {
		ok = ok && sameRange(s.Space.Ranges[k], p.Of.Space.Ranges[k])
	}
	if !ok {
		g.apart("%s writes %s, which has another space than %s", p.Of.Name, p.Keeps[slices.Index(p.Stores, true)].Image.Name, s.Name)
	}
}

// InSteps reports whether an instance of the whole has several of the part below itself.
func (p *Part) InSteps() bool { return max(p.X.Stride, p.Y.Stride) > 1 }

// Within are the instances of a part that lie below those of the whole: what lies around them is for neighbours to store.
func (p *Part) Within() (y, x Span) {
	y, x = p.Y, p.X
	for _, s := range []*Span{&y, &x} {
		s.Lo, s.Hi = 0, max(0, s.Stride-1)
	}
	return y, x
}

// frame makes a span hold the places that a rule takes for those outside of an axis which may be short pixels shorter than all blocks together.
// The last block then ends so far behind the last pixel, which may be the only one of the image that it has. It need not hold those of an image that may have
// none in the block, of which a constant is all that there is then.
func (s *Span) frame(rule hast.RuleKind, short int, unsized bool) {
	lo, behind := s.First(), s.Behind()
	switch last := s.own() - short; {
	case unsized:
		lo, behind = min(lo, 0), max(behind, 0)
	case rule == hast.Reflect || rule == hast.Reflect101:
		n := max(-min(lo, 0, last), behind, 0)
		if lo = -n; behind+short > 0 {
			lo = min(lo, last-behind-short)
		}
		behind = n
	default:
		lo, behind = min(lo, 0, last), max(behind, 0)
	}
	s.Lo, s.Hi = min(s.Lo, lo*s.By()), max(s.Hi, s.Stride-1+behind*s.By())
}

// mostShort is by how many pixels an image that is read outside may at most fall short of the steps of its readers: tiles hold as many more.
const mostShort = 8

// fits finds out how much of a tile's border can be made of the block: by the rule, and by what is known of how large the image is for the space.
func (g *Group) fits(p *Part, t *Window, s *hast.Stage) {
	kind := t.Rule.Kind
	if g.folded && (kind == hast.Formula || kind == hast.Repeat) {
		g.apart("%s is read under a border rule, %s, that takes what no block of it holds", t.Image.Name, kind)
		return
	}
	n, short := len(s.Space.Vars), [2]int{}
	for dim, span := range []Span{t.X, t.Y}[:min(n, 2)] {
		r, extent := s.Space.Ranges[n-1-dim], t.Image.Extent[n-1-dim]
		if g.folded && !hast.Equal(extent, r.Hi) {
			g.apart("%s is read beyond its borders, and has another size than %s computes", t.Image.Name, s.Name)
		}
		lo, fromZero := hast.Number(r.Lo)
		by, known := shortfall(extent, r.Hi, span)
		switch {
		case !fromZero || lo != 0 || span.Stride == 0:
			g.apart("%s is read beyond its borders, and not in steps from its first pixel on", t.Image.Name)
		case !known || by > mostShort:
			g.unsized[t.Image], by = true, 1
		}
		short[dim] = by
	}
	switch {
	case g.unsized[t.Image] && kind != hast.Constant: // which takes no pixel
		p.Far = fmt.Sprintf("%s is read beyond its borders, and nothing says that it is as large as %s reads it", t.Image.Name, s.Name)
	case kind == hast.Repeat || kind == hast.Formula:
		p.Far = fmt.Sprintf("%s is read under a border rule, %s, that takes what no block of it holds", t.Image.Name, kind)
		p.Straight = len(p.Keeps) == 1 && p.Stage.Y != nil && t.straight()
	}
	g.short[t.Image] = short
}

// straight reports whether what lies beside a block is above and below it alone, and made of pixels of its column within reach of the ends of the image.
func (t *Window) straight() bool {
	line, _, _ := Axes(t.Image)
	before, behind := max(0, -t.Y.First()), max(0, t.Y.Behind())
	holds := (before == 0 || t.Y.Behind() >= 0) && (behind == 0 || t.Y.First() <= 0) // all of the block's own rows
	return holds && t.X.First() >= 0 && t.X.Behind() <= 0 && t.Y.Div == 0 && t.Y.Stride > 0 &&
		EndOf(t.Rule, line, false, before) != nil && EndOf(t.Rule, line, true, behind) != nil
}

// IsStraight reports whether an image is one that such a part keeps.
func (g *Group) IsStraight(m *hast.Image) bool { return g.by[m] != nil && g.by[m].Straight }

// Per is what the extents of blocks in x and y are multiples of, so that each begins where a pixel of all that is read at divided coordinates does; 1 where
// nothing is.
func (g *Group) Per() [2]int {
	per := [2]int{1, 1}
	for _, list := range [][]*Window{g.Windows, g.Tiles} {
		for _, w := range list {
			for dim, s := range []Span{w.X, w.Y} {
				if per[dim]%s.By() != 0 {
					per[dim] *= s.By() / gcd(per[dim], s.By())
				}
			}
		}
	}
	return per
}

// Divided is an image that is read at divided coordinates, directly or by way of others; nil where there is none.
func (g *Group) Divided() *hast.Image {
	for _, t := range g.Tiles {
		if t.X.Div+t.Y.Div > 0 {
			return t.Image
		}
	}
	return nil
}

// ends finds out on which axes of an image that is never read outside nothing says that each tile holds a pixel of it.
func (g *Group) ends(t *Window, s *hast.Stage) {
	n := len(s.Space.Vars)
	for dim, span := range []Span{t.X, t.Y}[:min(n, 2)] {
		by, known := shortfall(t.Image.Extent[n-1-dim], s.Space.Ranges[n-1-dim].Hi, span)
		if span.Stride > 0 && (!known || by > span.own()-span.First()) {
			loose := g.loose[t.Image]
			loose[dim] = true
			g.loose[t.Image] = loose
		}
	}
}

// Loose reports whether some blocks may lie behind the end of an image that a part keeps, on the axis of x or y, with all that their tiles hold: nobody reads these then.
func (g *Group) Loose(m *hast.Image, dim int) bool { return g.loose[m][dim] }

// Short is by how many pixels along x and y an image that a part keeps may fall short of the steps of all instances of the last part, where it is read
// outside: the blocks at its ends then hold places that are no pixels of it, though none is beside the block.
func (g *Group) Short(m *hast.Image) [2]int { return g.short[m] }

// IsFar reports whether an image is one that a part keeps whose pixels are computed from memory where blocks reach beyond its ends.
func (g *Group) IsFar(m *hast.Image) bool { return g.by[m] != nil && g.by[m].Far != "" }

// Unsized is an image that a part keeps of which tiles may hold nothing at all: one that is read outside, and of which nothing says how large it is for the space; nil
// where there is none.
func (g *Group) Unsized() *hast.Image {
	for _, t := range g.Tiles {
		if g.unsized[t.Image] {
			return t.Image
		}
	}
	return nil
}
