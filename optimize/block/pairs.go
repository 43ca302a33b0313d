package block

import (
	"maps"

	"imgc/hast"
	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

// Sums over many points of what two bytes make together: the amount of their difference, its square, their product. Four of them take one instruction or two.

// pairTaps is how many bytes a pairing is of.
const pairTaps = 2

// A Pairing is what an expression makes of two bytes of windows.
type Pairing struct {
	Op   kir.PairOp
	X, Y Tap
}

// most is the greatest value of a pairing; the least is 0.
func (p *Pairing) most() int64 {
	if p.Op == kir.Differences {
		return 255
	}
	return 255 * 255
}

// Pairs is what each point adds to a sum whose blocks of so many neighbouring points are added up in words of four bytes, in 32 bits; nil for other reductions.
func (k *Combiner) Pairs(e *hast.Reduce, width int) *Pairing {
	if e.Op != hast.Sum || e.Where != nil || width%4 != 0 || !e.T.Kind.IsInt() {
		return nil
	}
	p := k.pair(e.Elem)
	if p == nil || k.Stage.Windows[p.X.Window].X.apartOne() && k.Stage.Windows[p.Y.Window].X.apartOne() {
		return p
	}
	return nil
}

// apartOne reports whether neighbouring instances read neighbouring places.
func (s Span) apartOne() bool { return s.Stride == 1 && s.Div == 0 }

// pair takes an expression for a pairing whose value it has; nil for others.
func (k *Combiner) pair(e hast.Expr) *Pairing {
	var p *Pairing
	switch t := e.Type(); e := e.(type) {
	case *hast.Convert:
		if e.How != hast.Bitcast && e.X.Type().Kind.IsInt() {
			p = k.pair(e.X)
		}
	case *hast.Call:
		p = k.pairOfCall(e)
	case *hast.Op:
		if t.IsScalar() && t.Kind.IsInt() {
			p = k.pairOf(e)
		}
	}
	if p == nil || p.most() > highestOf(e.Type().Kind) {
		return nil
	}
	return p
}

// highestOf is the greatest value of a kind, as far as 64 bits with a sign have it.
func highestOf(k types.Kind) int64 {
	if k == types.U64 {
		k = types.I64
	}
	return types.Highest(k).Int()
}

// pairOfCall is pair of a call of a func that only returns an expression of its parameters.
func (k *Combiner) pairOfCall(e *hast.Call) *Pairing {
	if len(e.Func.Body) != 1 {
		return nil
	}
	ret, ok := e.Func.Body[0].(*hast.Return)
	if !ok {
		return nil
	}
	inner := *k
	inner.Lets = maps.Clone(k.Lets)
	if inner.Lets == nil {
		inner.Lets = map[*hast.Var]*Combination{}
	}
	for i, v := range e.Func.Params {
		if inner.Lets[v] = k.Of(e.Args[i]); inner.Lets[v] == nil {
			return nil
		}
	}
	return inner.pair(ret.Value)
}

// pairOf is pair of an operator's result.
func (k *Combiner) pairOf(e *hast.Op) *Pairing {
	x := k.Of(e.Args[0])
	switch {
	case x == nil:
		return nil
	case e.Op == ops.Abs:
		return x.difference(kir.Differences)
	case e.Op != ops.Mul:
		return nil
	}
	y := k.Of(e.Args[1])
	if y == nil {
		return nil
	}
	if p, ok := x.only(); ok {
		if q, ok := y.only(); ok {
			return &Pairing{kir.Products, p, q}
		}
		return nil
	}
	if maps.Equal(x.Taps, y.Taps) && x.Plus == y.Plus {
		return x.difference(kir.Squares)
	}
	return nil
}

// only is the one tap of a combination that is nothing but that.
func (c *Combination) only() (tap Tap, ok bool) {
	if len(c.Taps) != 1 || c.Plus != 0 {
		return tap, false
	}
	for p, w := range c.Taps {
		tap, ok = p, w == 1
	}
	return tap, ok
}

// difference pairs the two taps of a combination that is their difference; nil where it is not.
func (c *Combination) difference(op kir.PairOp) *Pairing {
	if len(c.Taps) != 2 || c.Plus != 0 {
		return nil
	}
	places := c.Places()
	if w := c.Taps[places[0]]; w != 1 && w != -1 || c.Taps[places[1]] != -w {
		return nil
	}
	return &Pairing{op, places[0], places[1]}
}
