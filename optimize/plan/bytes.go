package plan

import (
	"maps"
	"math"
	"slices"

	"imgc/hast"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/optimize/feature"
	"imgc/optimize/memo"
	"imgc/optimize/schedule"
	"imgc/types"
)

// What it takes to compute with bytes that lie in words: by dot products of four of them, or in halves of words, two instances at a
// time. The counts are those of the code that lowering makes.

// byteSums are the sums of bytes of a stage whose reductions are written out under decisions.
func (w *work) byteSums(d schedule.Decisions) []*byteSum {
	unroll := max(d.Unroll, defaultUnroll)
	return memo.Of(&w.sums, unroll, func() (sums []*byteSum) {
		block.EachSum(w.perComponent().Of, block.Analyze(w.stage.Of, unroll), unroll, func(e hast.Expr, c *block.Combination) {
			sum := newByteSum(c, feature.OfExpr(e, w.fast))
			sum.again = slices.ContainsFunc(sums, func(s *byteSum) bool { return maps.Equal(s.Taps, c.Taps) })
			sums = append(sums, sum)
		})
		return sums
	})
}

// A byteSum is a sum of bytes with what all candidates ask of it.
type byteSum struct {
	*block.Combination
	all           feature.Ops // of the program
	rows          float64
	kinds         []rowKind
	dots, columns float64 // see dotsOf
	again         bool    // another one has the same taps, and is the same but for a number
}

// A rowKind is how many rows of a sum are multiples of each other, how many there are from the first to the last of them, and the taps of one of them.
type rowKind struct{ count, span, taps float64 }

func newByteSum(c *block.Combination, all feature.Ops) *byteSum {
	rows := c.Rows()
	s := &byteSum{Combination: c, all: all, rows: float64(len(rows))}
	s.dots, s.columns = dotsOf(rows)
	at, first := map[string]int{}, map[string]int{}
	for _, r := range rows {
		k := r.Kind()
		i, known := at[k]
		if !known {
			i, at[k], first[k] = len(s.kinds), len(s.kinds), r.Y
			s.kinds = append(s.kinds, rowKind{})
		}
		s.kinds[i].count++
		s.kinds[i].span = float64(r.Y - first[k] + 1)
		s.kinds[i].taps = float64(len(r.Taps))
	}
	return s
}

// sharedBytes are the reductions over many points that are computed in words where the items of a group take so many neighbouring ones.
func (w *work) sharedBytes(d schedule.Decisions) []block.Dotted {
	width := d.Item[0]
	if d.Reduce == 0 || width%block.PerWord != 0 || width == 0 {
		return nil
	}
	return memo.Of(&w.dots, width, func() []block.Dotted { return block.DottedSums(w.stage.Of, width, max(d.Unroll, defaultUnroll)) })
}

// dotted are those of them that are as decided.
func (w *work) dotted(d schedule.Decisions) (list []block.Dotted) {
	for _, r := range w.sharedBytes(d) {
		if r.Byte == nil && d.Dot4 != 0 || r.Byte != nil && d.Packed16 != 0 {
			list = append(list, r)
		}
	}
	return list
}

// withBytes are decisions of groups that share reductions with those of bytes in words besides: the sums that a device has dot products for, and extremes, too. The last ones have most.
func (w *work) withBytes(c Candidate) (list []Candidate) {
	sums, extremes := false, false
	for _, r := range w.sharedBytes(c.Decisions) {
		sums, extremes = sums || r.Byte == nil, extremes || r.Byte != nil
	}
	if sums && w.model.Features.Dot4.Yes() {
		c.Decisions.Dot4 = 1
		c.Why += ", bytes added four at a time"
		list = append(list, c)
	}
	if extremes {
		c.Decisions.Packed16 = 1
		c.Why += ", bytes compared two at a time"
		list = append(list, c)
	}
	return list
}

// inDots are the operations of an instance that shares its reductions: a dot product for each four bytes in place of what each point computes and adds,
// and for each block the addition of what it comes to; or what extremes take.
func (s *shape) inDots(w *work, out *feature.Ops) {
	for _, r := range s.dotted {
		points := w.taken(r.Reduce.Space)
		for p, n := range feature.OfPoint(r.Reduce, w.fast) {
			out[p] = max(0, out[p]-n*points)
		}
		if r.Byte != nil {
			s.inExtremes(w, &r, points, out)
			continue
		}
		words := max(1, float64(r.Reduce.T.Bytes())/4)
		out[feature.Integer] += points * float64(r.Operations()) / 4
		out[feature.Logic] += points * words / s.ix
	}
}

// blockPlace is about how many operations tell whether a block has a value that counts, of which the place of an extreme is found: what takes the byte out of halves, and comparisons.
const blockPlace = 12

// inExtremes are those of an extreme: of each word one for its halves and one for those moved up, for which a product does.
func (s *shape) inExtremes(w *work, r *block.Dotted, points float64, out *feature.Ops) {
	out[feature.Logic] += halved * s.inHalvesOnce(w) * points
	out[feature.Integer] += points / block.PerWord
	if r.Reduce.Op == hast.ArgMin || r.Reduce.Op == hast.ArgMax {
		out[feature.Logic] += blockPlace * points / s.ix
	}
}

// readInWords is how many components of an image those reductions read that are computed in words, of which nothing is taken out.
func (s *shape) readInWords(w *work, m *hast.Image) (n float64) {
	for _, r := range s.dotted {
		points := w.taken(r.Reduce.Space)
		hast.Walk(r.Reduce.Elem, func(e hast.Expr) {
			if x, ok := e.(*hast.Load); ok && x.Image == m {
				n += points
			}
		})
	}
	return n
}

// taken is how many points of a space an instance takes, about the same number of those of an image each where sizes alone do not tell.
func (w *work) taken(s hast.Space) float64 {
	for _, r := range s.Ranges {
		if !bySizes(r.Lo) || !bySizes(r.Hi) {
			return w.repeats()
		}
	}
	return w.points(s)
}

// points is how many points a space has.
func (w *work) points(s hast.Space) float64 {
	n := 1.0
	for _, r := range s.Ranges {
		n *= max(0, math.Ceil(float64(w.eval(r.Hi)-w.eval(r.Lo))/float64(r.Step)))
	}
	return n
}

// defaultUnroll is how many points of a reduction are written out where nothing is decided.
const defaultUnroll = 64

// byteStride is how many bytes lie between those that neighbouring instances read around them; 0 where a stage does not read single
// bytes. An item that reads more of a row than one access takes is slower: a 3x3 mask at every second pixel took 107 us on an H200
// for 16 x 2 instances, and 87 us for 8 x 4.
func (w *work) byteStride() int {
	stride := 0
	for _, a := range w.stage.Accesses {
		if a.Writes || !w.windowed(a) || a.Image.Elem != types.Vector(types.U8, w.perComponent().N) || a.Count <= 1 {
			continue
		}
		for _, x := range a.Axes {
			if x.Var == w.x {
				stride = max(stride, int(x.Mul))
			}
		}
	}
	return stride
}

// coloursInFloats reports whether a stage computes with floats alone of the components of pixels. What is in words is converted one by one for each instance: a mask of 3 x 3 floats
// took 189 us in halves on an H100 for 8192 x 8192 pixels of three bytes, 170 by vectors.
func (w *work) coloursInFloats() bool {
	read := 0.0
	for _, a := range w.stage.Accesses {
		if !a.Writes && w.windowed(a) && small(a) {
			read += a.Count * float64(a.Image.Elem.Lanes)
		}
	}
	return w.perComponent().N > 1 && w.stage.Floats >= read
}

// perComponent is what the stage does for a component of its pixels.
func (w *work) perComponent() block.Component { return w.looks.ByComponents(w.stage.Of) }

// A worded is a stage of which neighbouring instances are computed at once, from bytes in words.
type worded struct {
	sums      []*byteSum // which each instance computes
	extremes  []extreme  // of integers in halves of words
	products  feature.Ops
	singles   feature.Ops // of one instance after the other, in halves of words
	n         float64     // components of a pixel, which are computed alike
	share     float64     // rows that are loaded for each that is computed
	taken     float64     // operations that take bytes out of words, for each byte that is computed
	computed  float64     // instances for each that is needed, of a part
	absolutes float64     // absolute values of an instance, in halves of words
}

// What it takes to have a byte that is loaded in halves of words: each word has two of two bytes (evenly), and where windows reach sideways shares two of two with its neighbour (alongside), about. With bytes
// beside the block it is as many for each that is computed in wide items of bytes alone. What fused stages hand on in more than bytes is in halves already, of which neighbours share some. Of two masks of
// 5 rows and 5 columns over bytes with 16 bits between them (separable5_u8) ptxas makes 8.4 operations of logic for each byte, and 13.3 were counted with bytes taken out in both.
const (
	evenly     = 0.5
	alongside  = 0.75
	handedOver = 0.5
)

// outOfWords is how many operations that is for a stage, for each of what it loads.
func (w *work) outOfWords() (most float64) {
	for _, a := range w.stage.Accesses {
		if a.Writes || len(a.Axes) == 0 {
			continue
		}
		n := 0.0
		sideways := slices.ContainsFunc(a.Axes, func(x feature.Axis) bool { return x.Var == w.x && x.Span() > 1 })
		switch bytes := a.Image.Elem.Kind == types.U8; {
		case bytes && sideways:
			n = evenly + alongside
		case bytes:
			n = evenly
		case sideways:
			n = handedOver
		}
		most = max(most, n)
	}
	return most
}

// besideWords is what a stage that stands alone takes out of words in blocks of its own: of each word two of two bytes and two of two that it shares with the next one, as far as bytes are read beside
// it, and of those beside the block what is read. Pixels of four bytes have none that share a word. Fitted to kernels of 5 x 5 bytes and pixels of three bytes in items of 4 to 16 columns.
func (s *shape) besideWords(w *work, x *worded) {
	beside := 0.0
	for _, a := range w.stage.Accesses {
		if !a.Writes && w.windowed(a) && a.Image.Elem.Kind == types.U8 {
			_, across := s.window(w, a)
			beside = max(beside, (across-s.ix)/2*x.n)
		}
	}
	words := s.ix * x.n / block.PerWord
	if x.taken = x.share * (1.3 + 0.45*beside/words); int(x.n)%block.PerWord == 0 {
		x.taken /= 2
	}
}

// worded is the stage in words under decisions, of which so many rows are loaded for each.
func (w *work) worded(d schedule.Decisions, share float64) *worded {
	out := &worded{sums: w.byteSums(d), n: float64(w.perComponent().N), share: share, taken: w.outOfWords() * share, computed: 1}
	if d.Packed16 != 0 {
		out.extremes, out.products, out.singles, out.absolutes = w.extremes(d), w.products(d), w.oneByOne(d), w.absolutes()
	}
	return out
}

// wordParts are the stages of a group in words, in their order; nil for those that are computed one instance after the other, of which taken is what each takes out of words.
func (s *shape) wordParts(w *work, d schedule.Decisions) (out []*worded, taken []float64) {
	parts := w.group.Parts
	out, taken = make([]*worded, len(parts)), make([]float64, len(parts))
	columns := w.columnsInWords(s)
	for i, in := range columns {
		if p := parts[i]; in == nil {
			taken[i] = s.takenOut(w, p, columns)
		} else {
			rows, share := int(needed(p.Y, s.iy)), 1.0
			for _, x := range p.Reads() {
				share = max(share, float64(x.Y.Count(rows))/float64(rows))
			}
			out[i] = w.byItself(p.Of).worded(d, share)
			out[i].computed = float64(block.InFours(p.X, int(s.ix))) / needed(p.X, s.ix)
		}
	}
	return out, taken
}

// takenOut is how many bytes each instance of a part that computes them one after the other takes out of the words that others keep, those of its neighbours not counted.
func (s *shape) takenOut(w *work, p *block.Part, columns []*block.Columns) float64 {
	across, down, n := int(needed(p.X, s.ix)), int(needed(p.Y, s.iy)), 0
	for k, r := range p.Reads() {
		of := slices.IndexFunc(w.group.Parts, func(q *block.Part) bool { return slices.Contains(q.Keeps, p.Sources[k]) })
		if of >= 0 && columns[of] != nil && block.HoldsWords(r) {
			n += r.X.Count(across) * r.Y.Count(down)
		}
	}
	return float64(n) / float64(across*down)
}

// columnsInWords are those that stages of a group compute four at a time (block.Group.Words).
func (w *work) columnsInWords(s *shape) []*block.Columns {
	return memo.Of(&w.fours, int(s.ix), func() []*block.Columns { return w.group.Words(int(s.ix)) })
}

// inWords are the operations of one instance on bytes in words: out are those of the program.
func (s *shape) inWords(w *work, x *worded, out *feature.Ops) {
	for p := range out {
		out[p] /= x.n
	}
	s.componentInWords(w, x, out)
	for p := range out {
		out[p] *= x.n
	}
}

// componentInWords are those of one component, of a pixel or of what is one by itself.
func (s *shape) componentInWords(w *work, x *worded, out *feature.Ops) {
	logic, integer := 0.0, 0.0
	adds := func(n, products float64) { logic, integer = logic+n*(1-products), integer+n*products }
	once := s.rowSums(w) > 0
	shifted := false
	for _, c := range x.sums {
		if len(c.Taps) < 2 {
			continue
		}
		for p, n := range c.all {
			out[p] = max(0, out[p]-n)
		}
		switch {
		case c.again:
			adds(1, asProducts)
		case s.addsProducts(w, c):
			logic, integer = logic+c.all[feature.Logic]+s.apartForEach(w), integer+c.all[feature.Integer]
		case s.dots && c.EightBits():
			integer, logic = integer+c.dots+c.columns, logic+1.5*c.columns
			shifted = true
		case s.packed && once && c.Plain():
			adds(c.laneAdds(x.share)/2*threeAtOnce, asProducts)
		case s.packed && once && c.differs():
			adds(c.laneAdds(x.share)/2, subtracted)
		case s.packed && once:
			adds(c.laneAdds(x.share)/2, weighed)
		case s.packed:
			adds(c.laneAdds(x.share)/2, moved)
		}
	}
	for _, e := range x.extremes {
		for p, n := range e.all {
			out[p] = max(0, out[p]-n)
		}
		logic += halved * s.inHalvesOnce(w) * (e.inRow*x.share + e.rows)
	}
	for p, n := range x.products {
		out[p] = max(0, out[p]-n)
	}
	if s.packed {
		single := [2]float64{min(out[feature.Logic], x.singles[feature.Logic]), min(out[feature.Integer], x.singles[feature.Integer])}
		other := out[feature.Logic] + out[feature.Integer] - single[0] - single[1]
		rate := 0.3 * s.inHalvesOnce(w) // two at a time, and what rows have in common serves several instances
		out[feature.Logic], out[feature.Integer] = rate*other+single[0], single[1]
		logic += x.taken + 0.25 + absoluteInHalves*x.absolutes // taken apart and put together
	} else {
		logic += 0.75
	}
	if shifted {
		logic += 0.75 * x.share
	}
	out[feature.Logic] += logic
	out[feature.Integer] += integer
	for p, n := range x.products {
		out[p] += n
	}
}

// addsProducts reports whether a sum has a form neither in halves of words, which it leaves, nor as dot products: neighbours compute it one after the other. Masks of 9 x 9 bytes with weights of up to 144
// have 53 to 61 products for a byte in halves of words (sharpened_9x9), and took as long in items of 4 x 2 as without words. Of pixels of several bytes it is not known what that takes: ptxas makes shifts
// of many of their products, and spills.
func (s *shape) addsProducts(w *work, c *byteSum) bool {
	lo, hi := c.Bounds()
	return w.perComponent().N == 1 && !(s.dots && c.EightBits()) && (!s.packed || hi-min(lo, 0) > math.MaxUint16)
}

// sumsProducts reports whether a stage has such sums, for which each byte that is read is a register of its own.
func (s *shape) sumsProducts(w *work) bool {
	return s.words() && len(w.stage.Parts) == 0 && slices.ContainsFunc(w.byteSums(schedule.Decisions{Unroll: w.unroll()}), func(c *byteSum) bool { return s.addsProducts(w, c) })
}

// apartForEach are the operations that take all bytes that a block reads out of words, for each of its instances.
func (s *shape) apartForEach(w *work) float64 {
	most := 0.0
	for _, a := range w.stage.Accesses {
		if !a.Writes && w.windowed(a) && a.Image.Elem.Kind == types.U8 {
			rows, columns := s.window(w, a)
			most = max(most, rows*columns/(s.ix*s.iy))
		}
	}
	return most
}

// What ptxas makes of additions in halves: a third goes to the pipe of products. Where rows are summed once (rowSums), those of products with weights are one operation with these, which the pipe of products takes, and of others it has that take half; an addition takes three
// operands, and rows of more than a few are some of these. Kernels of 5 x 5 bytes in items of 16 x 4, for a byte: of a binomial 6.2 of products and 1 of additions, of a box 1.9 and 2.1.
const (
	moved       = 1. / 3
	weighed     = 0.9
	subtracted  = 0.5 // of Sobel's masks 208 of 399
	asProducts  = 0.3
	threeAtOnce = 0.55
)

// absoluteInHalves is what an absolute value takes of each of two instances in halves of a word beyond what is counted for it: a negation and a maximum of both. Sobel's two in items of 16 x 4 took 45.8 us
// in CUDA on an H200, by 780 instructions, and by dot products, with 870 of which 128 are absolute values, 36.1.
const absoluteInHalves = 0.7

// differs reports whether a sum has terms that are subtracted.
func (s *byteSum) differs() bool {
	for _, weight := range s.Taps {
		if weight < 0 {
			return true
		}
	}
	return false
}

// absolutes is how many absolute values of integers an instance has.
func (w *work) absolutes() (n float64) {
	hast.WalkBody(w.perComponent().Of.Body, nil, func(e hast.Expr) {
		if o, ok := e.(*hast.Op); ok && o.Op == ops.Abs && o.T.Kind.IsInt() {
			n++
		}
	})
	return n
}

// halved is what two instances at a time are of one.
const halved = 0.5

// inHalvesOnce is how many operations one of halves takes, about: minima and maxima are several where the device has none.
func (s *shape) inHalvesOnce(w *work) float64 {
	if w.model.Features.Halves.Yes() {
		return 1
	}
	return 5
}

// dotsOf are the dot products of a sum: of neighbours, and of four taps below each other where rows have one more than fours take.
func dotsOf(rows []*block.Row) (dots, columns float64) {
	more := 0
	for _, r := range rows {
		if n := r.Width(); n >= 5 && n%4 == 1 {
			more++
			dots += float64(n / 4)
		} else {
			dots += float64((n + 3) / 4)
		}
	}
	return dots + float64(more%4), float64(more / 4)
}

// laneAdds are the additions and products of a sum in halves: of each row that is no multiple of another one once for each row that
// is loaded, and one for each row.
func (s *byteSum) laneAdds(share float64) float64 {
	n := s.rows
	for _, k := range s.kinds {
		n += k.taps * min(k.count, share)
	}
	return n
}

// rowShare is how many rows are loaded for each row that is computed.
func (s *shape) rowShare(w *work) float64 {
	share := 1.0
	for _, a := range w.stage.Accesses {
		if !a.Writes && w.windowed(a) {
			rows, _ := s.window(w, a)
			share = max(share, rows/s.iy)
		}
	}
	return share
}
