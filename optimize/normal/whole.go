package normal

import (
	"math"
	"slices"

	"imgc/hast"
	"imgc/hast/bounds"
	"imgc/hast/evaluate"
	"imgc/interval"
	"imgc/ops"
	"imgc/optimize/block"
	"imgc/optimize/separable"
	"imgc/types"
)

// A sum of small integers as floats, times weights that are all multiples of one number,
//
//	convolve(binomial / 256.0, src[y][x])
//
// is a sum of integers, times that number, once. Integers of a sum are computed in words, several at a time, and pixels need not become floats: of bytes of 8192 x 8192 pixels under a
// binomial of 5 x 5 that took 0.0641 ms by floats in CUDA on an H200, and 0.0486 by integers (3 x 3 0.0547 and 0.0364, a gradient's magnitude 0.1160 and 0.0853, 5 x 5 of pixels of 16 bits
// 0.0770 and 0.0706).
//
// Where the number is a power of two and f32 holds all sums on the way, floats round nothing, in whatever order they are added, and what comes out is the same to the bit. Other numbers are for
// programs whose sums need not be exact: what comes out is rounded twice, where floats round at each point.

// A wholer finds such sums, and those that are written out.
type wholer struct {
	exact  bool // results are to be the same to the bit
	blocks bool // blocks of neighbouring instances are computed together, in words

	lets map[*hast.Var]hast.Expr         // pixels of integers as floats, of the statements at hand, that are the same wherever they are read
	sums map[hast.Expr]interval.Interval // of integers, that have taken the place of others
}

// stmts is a list of statements of a stage that has such sums as sums of integers; as it is where other sums and loops want the same pixels as floats, or pixels of several components lie in no words,
// which are computed one by one then.
func (w wholer) stmts(s *hast.Stage, list []hast.Stmt) []hast.Stmt {
	w.lets, w.sums = map[*hast.Var]hast.Expr{}, map[hast.Expr]interval.Interval{}
	written := writtenIn(list)
	hast.WalkBody(list, func(s hast.Stmt) {
		if d, ok := s.(*hast.Define); ok && d.Var.Class == hast.Value && d.Init != nil && isWholePixel(d.Init) && sameEverywhere(d.Init, written) {
			w.lets[d.Var] = d.Init
		}
	}, nil)
	out := w.rounded(formed(list, []form{w.sum, w.written, w.distance}))
	if inFloats(out) || w.blocks && w.sumsVectors() && !inWords(s, out) {
		return list
	}
	pixels := map[*hast.Var]bool{}
	for v := range w.lets {
		pixels[v] = true
	}
	return hast.WithoutUnread(out, pixels)
}

// sumsVectors reports whether sums of pixels of several components are among those that have been found.
func (w wholer) sumsVectors() bool {
	for e := range w.sums {
		if e.Type().IsVector() {
			return true
		}
	}
	return false
}

// inWords reports whether what a stage with a body computes of the components of its pixels may be computed in words.
func inWords(s *hast.Stage, body []hast.Stmt) bool {
	x := *s
	x.Body = body
	return block.ByComponents(&x).Beside(&x, block.Analyze(&x, most)).N > 1
}

// isWholePixel reports whether an expression is a pixel of integers as a float.
func isWholePixel(e hast.Expr) bool {
	c, ok := e.(*hast.Convert)
	return ok && c.How == hast.Wrap && c.T.Kind == types.F32 && c.X.Type().Kind.IsInt() && isPixel(c.X)
}

// fewPixels is how many pixels a sum has at least that is written out.
const fewPixels = 3

// written is what takes the place of a sum of bytes as floats that is written out; nil where an expression stays.
func (w wholer) written(e hast.Expr) hast.Expr {
	x, ok := e.(*hast.Op)
	if !ok || x.Op != ops.Add && x.Op != ops.Sub || !w.kind(x.T) || negativeZero(x) {
		return nil
	}
	pixels, bytes := 0, true
	hast.Walk(x, func(e hast.Expr) {
		if r, ok := e.(*hast.Ref); ok && w.lets[r.Var] != nil {
			e = w.lets[r.Var].(*hast.Convert).X
		}
		if isPixel(e) {
			pixels++
			bytes = bytes && e.Type().Kind.Bits() == 8
		}
	})
	if pixels < fewPixels || !bytes {
		return nil
	}
	whole := w.integer(x)
	if whole == nil {
		return nil
	}
	w.sums[whole] = w.interval(whole)
	return &hast.Convert{Typed: x.Typed, X: whole}
}

// distance is what takes the place of a hypot of integers as floats: the root of a sum of squares that f32 holds; nil where an expression stays. What computes hypot for all floats scales them: a
// gradient's magnitude took 0.1000 ms with it, and 0.0852 by the root.
func (w wholer) distance(e hast.Expr) hast.Expr {
	x, ok := e.(*hast.Op)
	if !ok || x.Op != ops.Hypot || !w.kind(x.T) {
		return nil
	}
	squares, total := make([]hast.Expr, 2), 0.0
	for i, a := range x.Args {
		whole := w.integer(a)
		if whole == nil {
			return nil
		}
		squares[i] = hast.Binary(ops.Mul, a, a)
		total += w.greatest(whole) * w.greatest(whole)
	}
	if total > exactly {
		return nil
	}
	return &hast.Op{Typed: x.Typed, Op: ops.Sqrt, Args: []hast.Expr{hast.Binary(ops.Add, squares[0], squares[1])}}
}

// negativeZero reports whether what is computed with integers as floats may be 0 with a sign.
func negativeZero(e hast.Expr) bool {
	some := func(list []hast.Expr) bool { return slices.ContainsFunc(list, negativeZero) }
	switch e := e.(type) {
	case *hast.Convert, *hast.Ref:
		return false
	case *hast.Splat:
		return negativeZero(e.X)
	case *hast.Const:
		return slices.ContainsFunc(e.Words, func(x types.Word) bool { return x.Float() == 0 && math.Signbit(x.Float()) })
	case *hast.Op:
		switch e.Op {
		case ops.Add:
			return negativeZero(e.Args[0]) && negativeZero(e.Args[1])
		case ops.Sub:
			return negativeZero(e.Args[0])
		case ops.Abs:
			return false
		case ops.Min, ops.Max:
			return some(e.Args)
		case ops.Mul:
			return some(e.Args) || slices.ContainsFunc(e.Args, belowZero)
		}
	}
	return true
}

// belowZero reports whether an integer as a float may be less than 0.
func belowZero(e hast.Expr) bool {
	switch e := e.(type) {
	case *hast.Splat:
		return belowZero(e.X)
	case *hast.Const:
		return slices.ContainsFunc(e.Words, func(x types.Word) bool { return !(x.Float() >= 0) })
	case *hast.Convert:
		return e.How != hast.Wrap || !e.X.Type().Kind.IsInt() || bounds.Of(e.X, nil).Lo < 0
	}
	return true
}

// kind reports whether sums of a type are taken.
func (w wholer) kind(t types.Type) bool {
	return t.Kind == types.F32 && !t.IsArray()
}

// sum is what takes the place of a sum; nil where an expression stays.
func (w wholer) sum(e hast.Expr) hast.Expr {
	r, ok := e.(*hast.Reduce)
	if !ok || r.Op != hast.Sum || r.Where != nil || !w.kind(r.T) || r.Elem.Type() != r.T {
		return nil
	}
	if n, ok := block.Count(r.Space, most); !ok || n < 2 {
		return nil
	}
	var weight, term hast.Expr
	unit := 1.0
	for _, f := range hast.Factors(r.Elem) {
		if x := w.pixel(f); x != nil && term == nil && !isClosed(f, r.Space.Vars) {
			term = x
		} else if x, u := w.weight(f); x != nil {
			weight, unit = times(weight, x), unit*u
		} else {
			return nil
		}
	}
	if term == nil || unit < smallUnit {
		return nil
	}
	points, _ := block.Points(r.Space, most)
	within, ok := w.pays(term, weight, r.Space.Vars, points)
	if !ok {
		return nil
	}
	sum := *r
	w.sums[&sum] = within
	sum.T, sum.Elem, sum.Ways = term.Type(), times(splatted(weight, term.Type()), term), 0
	var out hast.Expr = &hast.Convert{Typed: r.Typed, X: &sum}
	if unit != 1 {
		out = hast.Binary(ops.Mul, out, number(r.T, types.Convert(types.Float(unit), types.F64, types.F32), r))
	}
	return out
}

// isClosed reports whether a factor is known at each point.
func isClosed(f hast.Expr, vars []*hast.Var) bool {
	return evaluate.Closed(f, func(v *hast.Var) bool { return slices.Contains(vars, v) })
}

// pays is what a sum of integers with weights, nil for none, lies in, and whether it is exact as a float and takes no longer than one of floats.
func (w wholer) pays(term, weight hast.Expr, vars []*hast.Var, points [][]int64) (iv interval.Interval, ok bool) {
	if weight == nil {
		weight = hast.Int(1)
	}
	all, ok := evaluate.Over(weight, vars, points)
	if !ok || tooLarge(all) || w.greatest(term)*magnitude(all) > exactly {
		return iv, false
	}
	for _, x := range all {
		product, _ := interval.Of(ops.Mul, w.interval(term), interval.Point(x.Int()))
		iv = interval.Between(iv.Lo+product.Lo, iv.Hi+product.Hi)
	}
	return iv, w.greatest(term) <= math.MaxUint8 || w.blocks && isShort(points, all)
}

// splatted is a weight for all components of a type; nil for none.
func splatted(weight hast.Expr, t types.Type) hast.Expr {
	if weight == nil || t.IsScalar() {
		return weight
	}
	return &hast.Splat{Typed: hast.Typed{T: t, At: weight.Span()}, X: weight}
}

// times is a product of what there is.
func times(x, y hast.Expr) hast.Expr {
	if x == nil {
		return y
	}
	return hast.Binary(ops.Mul, x, y)
}

// wholeOps are the operators whose results are integers where the operands are.
var wholeOps = map[ops.Op]bool{ops.Add: true, ops.Sub: true, ops.Mul: true, ops.Neg: true, ops.Abs: true, ops.Min: true, ops.Max: true}

// integer is a float that is an integer which f32 holds, and computed with such, as i32; nil for others. What is 0 has no sign there.
func (w wholer) integer(e hast.Expr) hast.Expr {
	t := e.Type().WithKind(types.I32)
	var x hast.Expr
	switch e := e.(type) {
	case *hast.Const:
		if words := multiplesOf(1, e.Words, 0); words != nil {
			x = &hast.Const{Typed: hast.Typed{T: t, At: e.At}, Words: words}
		}
	case *hast.Splat:
		if of := w.integer(e.X); of != nil {
			x = &hast.Splat{Typed: hast.Typed{T: t, At: e.At}, X: of}
		}
	case *hast.Ref:
		if of := w.lets[e.Var]; of != nil {
			return w.integer(of)
		}
	case *hast.Convert:
		x = w.integerOfConvert(e)
	case *hast.Op:
		x = w.integerOfOp(e)
	}
	if x == nil || w.greatest(x) > exactly {
		return nil
	}
	return x
}

func (w wholer) integerOfConvert(e *hast.Convert) hast.Expr {
	t := e.T.WithKind(types.I32)
	switch {
	case e.How != hast.Wrap || !e.X.Type().Kind.IsInt() || w.greatest(e.X) > exactly:
		return nil
	case e.X.Type() == t:
		return e.X
	}
	return &hast.Convert{Typed: hast.Typed{T: t, At: e.At}, X: e.X}
}

func (w wholer) integerOfOp(e *hast.Op) hast.Expr {
	x := &hast.Op{Typed: hast.Typed{T: e.T.WithKind(types.I32), At: e.At}, Op: e.Op}
	if !wholeOps[e.Op] {
		return nil
	}
	for _, a := range e.Args {
		of := w.integer(a)
		if of == nil {
			return nil
		}
		x.Args = append(x.Args, of)
	}
	return x
}

// pixel is a factor that is an integer as a float, as i32; nil for others. Sums of what is computed with several pixels stay: a variance of 5 x 5 bytes took 0.1040 ms by floats in CUDA on an H200, and
// 0.1109 by integers.
func (w wholer) pixel(f hast.Expr) hast.Expr {
	if r, ok := f.(*hast.Ref); ok && w.lets[r.Var] != nil {
		f = w.lets[r.Var]
	}
	if c, ok := f.(*hast.Convert); ok {
		return w.integerOfConvert(c)
	}
	return nil
}

// greatest is the greatest magnitude of an integer.
func (w wholer) greatest(e hast.Expr) float64 {
	iv := w.interval(e)
	return max(math.Abs(float64(iv.Lo)), math.Abs(float64(iv.Hi)))
}

// interval is what an integer lies in.
func (w wholer) interval(e hast.Expr) interval.Interval {
	return bounds.Of(e, func(e hast.Expr) (interval.Interval, bool) { iv, ok := w.sums[e]; return iv, ok })
}

// magnitude is that of integers together, which bounds the sum of as many pixels of magnitude 1.
func magnitude(all []types.Word) (total float64) {
	for _, x := range all {
		total += math.Abs(float64(x.Int()))
	}
	return total
}

// fewProducts is how many products of integers of more than a byte, which are computed one by one and at half the speed of those of floats, take no longer than converting pixels does.
const fewProducts = 10

// isShort reports whether a sum at some points with such weights has so few products, in two steps where they are those of a column and a row.
func isShort(points [][]int64, all []types.Word) bool {
	if len(points) <= fewProducts {
		return true
	}
	wide := 0
	for wide < len(points) && points[wide][0] == points[0][0] {
		wide++
	}
	if len(points)%wide != 0 || len(points)/wide+wide > fewProducts {
		return false
	}
	rows := make([][]int64, len(points)/wide)
	for i, p := range points {
		if rows[i/wide] = append(rows[i/wide], all[i].Int()); p[0] != points[i/wide*wide][0] {
			return false // no rectangle
		}
	}
	_, _, ok := separable.Integers(rows)
	return ok
}

// weight is a factor that is a constant or an entry of constants, all of them integers times a unit, as that integer; nil for others.
func (w wholer) weight(f hast.Expr) (whole hast.Expr, unit float64) {
	at := hast.Typed{T: types.Scalar(types.I32), At: f.Span()}
	switch f := f.(type) {
	case *hast.Splat:
		return w.weight(f.X)
	case *hast.Const:
		if words, unit := w.multiples(f.Words); words != nil && f.T.IsScalar() {
			return &hast.Const{Typed: at, Words: words}, unit
		}
	case *hast.Elem:
		if !ofConstant(f) {
			return nil, 0
		}
		if words, unit := w.multiples(f.X.(*hast.Const).Words); words != nil {
			return entryLike(f, at, words), unit
		}
	}
	return nil, 0
}

// multiples are floats as multiples of a unit, the largest there is of powers of two; where none is large enough and results need not be exact, that is the least of their magnitudes, if all
// are multiples of it but for their rounding. They are nil where there is no unit.
func (w wholer) multiples(floats []types.Word) (list []types.Word, unit float64) {
	least := math.Inf(1)
	for _, f := range floats {
		if v := math.Abs(f.Float()); v != 0 {
			least = min(least, v) // NaN stays
		}
	}
	if math.IsNaN(least) || math.IsInf(least, 0) || least < smallUnit {
		return nil, 0
	}
	_, exponent := math.Frexp(least)
	for unit = math.Ldexp(1, exponent-1); unit > least/exactly; unit /= 2 {
		if list = multiplesOf(unit, floats, 0); list != nil {
			break
		}
	}
	if (list == nil || tooLarge(list)) && !w.exact {
		if of := multiplesOf(least, floats, rounding); of != nil {
			return of, least
		}
	}
	return list, unit
}

// Units are no smaller than this, so that products with sums are no denormal numbers.
const smallUnit = 0x1p-100

// rounding is how far f32 is from a number that it stands for, as a part of it.
const rounding = 0x1p-24

// tooLarge reports whether an integer is beyond those that are multiplied several at a time.
func tooLarge(list []types.Word) bool {
	for _, x := range list {
		if v := x.Int(); v < math.MinInt8 || v > math.MaxUint8 {
			return true
		}
	}
	return false
}

// multiplesOf are floats as multiples of a unit, of which each is a part away at most; nil where one is none, or is no integer that f32 holds.
func multiplesOf(unit float64, floats []types.Word, part float64) []types.Word {
	list := make([]types.Word, len(floats))
	for i, f := range floats {
		v := f.Float()
		n := math.RoundToEven(v / unit)
		if !(math.Abs(n) <= exactly) || math.Abs(n*unit-v) > part*math.Abs(v) {
			return nil
		}
		list[i] = types.Int(int64(n))
	}
	return list
}
