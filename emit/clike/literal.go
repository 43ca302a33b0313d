package clike

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"imgc/emit/ctree"
	"imgc/types"
)

// literal writes one component of kind k, as the C kind that its literal has. An i64 that fits an int is written as one.
func (d *Dialect) literal(k types.Kind, w types.Word) Form {
	switch {
	case k == types.Bool:
		if w.Truth() {
			return Form{X: ctree.Name(d.True), Kind: k}
		}
		return Form{X: ctree.Name(d.False), Kind: k}
	case k.IsFloat():
		return Form{X: d.float(Held(k), w.Float()), Kind: Held(k)}
	case k.IsUnsigned():
		return d.unsigned(k, w.Uint())
	case w.Int() == math.MinInt64:
		return Form{X: ctree.Name(d.MinInt64), Kind: types.I64}
	case w.Int() == math.MinInt32:
		return Form{X: ctree.Op2("-", ctree.Lit("-2147483647"), ctree.Lit("1")), Kind: types.I32}
	case w.Int() != int64(int32(w.Int())):
		return d.integer(types.I64, w)
	}
	return d.integer(types.I32, w)
}

// unsigned writes kinds under 32 bits as int, and u64 as u32 where that holds it.
func (d *Dialect) unsigned(k types.Kind, v uint64) Form {
	switch {
	case k.Bits() < 32:
		return d.integer(types.I32, types.Uint(v))
	case v <= math.MaxUint32:
		return d.integer(types.U32, types.Uint(v))
	}
	return d.integer(types.U64, types.Uint(v))
}

// integer writes w with the suffix of kind k, which is at least 32 bits wide.
func (d *Dialect) integer(k types.Kind, w types.Word) Form {
	digits := strconv.FormatInt(w.Int(), 10)
	if k.IsUnsigned() {
		digits = strconv.FormatUint(w.Uint(), 10)
		if k == types.U32 && w.Uint() > 0xffff && w.Uint() != 0xffffffff { // bits rather than a number: masks, bytes and halves in words
			digits = fmt.Sprintf("%#x", w.Uint())
		}
	}
	return Form{X: ctree.Lit(digits + d.Suffix[k]), Kind: k}
}

// float writes v, which kind k holds exactly, with as few digits as tell it apart from its neighbours.
func (d *Dialect) float(k types.Kind, v float64) ctree.Expr {
	switch {
	case v != v:
		return ctree.Name(d.NaN[k])
	case math.IsInf(v, 1):
		return ctree.Name(d.Inf[k])
	case math.IsInf(v, -1):
		return &ctree.Unary{Op: "-", X: ctree.Name(d.Inf[k])}
	}
	digits := strconv.FormatFloat(v, 'g', -1, k.Bits())
	if !strings.ContainsAny(digits, ".e") {
		digits += ".0"
	}
	return ctree.Lit(digits + d.Suffix[k])
}

// recast changes the suffix of an integer literal, so that it has kind k without a cast; false for other expressions. The value
// is known to fit.
func (d *Dialect) recast(f Form, k types.Kind) (Form, bool) {
	l, ok := f.X.(ctree.Lit)
	if !ok || !k.IsInt() || k.Bits() < 32 || d.Suffix[k] == "" && k != types.I32 {
		return f, false
	}
	digits := strings.TrimSuffix(string(l), d.Suffix[f.Kind])
	if k.IsUnsigned() && strings.HasPrefix(digits, "-") {
		return f, false
	}
	return Form{X: ctree.Lit(digits + d.Suffix[k]), Kind: k}, true
}
