package interp

import (
	"math"

	"imgc/hast"
	"imgc/types"
)

// A conversion of one word of kind from to kind to.
type conversion = func(w types.Word, from, to types.Kind) types.Word

var conversions = [...]conversion{hast.Wrap: types.Convert, hast.Saturate: types.Saturate, hast.Bitcast: types.Bitcast}

// intConvert compiles a conversion to an integer or bool.
func (c *compiler) intConvert(e *hast.Convert) intExpr {
	from, to := e.X.Type().Kind, e.T.Kind
	if from.IsFloat() {
		x := c.float(e.X)
		return foldedInt(intCode(intFromFloat(e.How, x.eval, from, to)), x.constant)
	}
	x := c.int(e.X)
	if from == to || e.How != hast.Bitcast && types.Holds(from, to) {
		return x
	}
	return foldedInt(intCode(intFromInt(e.How, x.eval, from, to)), x.constant())
}

func intFromInt(how hast.How, f intFn, from, to types.Kind) intFn {
	if to == types.Bool {
		return func(fr *frame) int64 { return truth(f(fr) != 0) }
	}
	if how == hast.Saturate {
		return saturateInt(f, from, to)
	}
	switch to { // wraps, and a bitcast between integers is a wrap
	case types.U8:
		return func(fr *frame) int64 { return int64(uint8(f(fr))) }
	case types.I16:
		return func(fr *frame) int64 { return int64(int16(f(fr))) }
	case types.U16:
		return func(fr *frame) int64 { return int64(uint16(f(fr))) }
	case types.I32:
		return func(fr *frame) int64 { return int64(int32(f(fr))) }
	case types.U32:
		return func(fr *frame) int64 { return int64(uint32(f(fr))) }
	}
	return func(fr *frame) int64 { return types.Wrap(to, types.Int(f(fr))).Int() }
}

func saturateInt(f intFn, from, to types.Kind) intFn {
	if from == types.U64 || to.Bits() == 64 {
		return func(fr *frame) int64 { return types.Saturate(types.Int(f(fr)), from, to).Int() }
	}
	low, high := types.Lowest(to).Int(), types.Highest(to).Int()
	return func(fr *frame) int64 { return min(max(f(fr), low), high) }
}

func intFromFloat(how hast.How, f floatFn, from, to types.Kind) intFn {
	if how == hast.Bitcast || to == types.Bool || to.Bits() == 64 {
		convert := conversions[how]
		return func(fr *frame) int64 { return convert(types.Float(f(fr)), from, to).Int() }
	}
	low, high := float64(types.Lowest(to).Int()), float64(types.Highest(to).Int())
	if how == hast.Saturate {
		return func(fr *frame) int64 { return clampFloat(math.RoundToEven(f(fr)), low, high) }
	}
	return func(fr *frame) int64 { return clampFloat(f(fr), low, high) }
}

// clampFloat truncates v within [low, high]; NaN is 0.
func clampFloat(v, low, high float64) int64 {
	switch {
	case v >= high:
		return int64(high)
	case v <= low:
		return int64(low)
	case v != v:
		return 0
	}
	return int64(v)
}

// floatConvert compiles a conversion to a float.
func (c *compiler) floatConvert(e *hast.Convert) floatExpr {
	from, to := e.X.Type().Kind, e.T.Kind
	convert := conversions[e.How]
	if !from.IsFloat() {
		x := c.int(e.X)
		f := x.eval
		code := floatCode(func(fr *frame) float64 { return convert(types.Int(f(fr)), from, to).Float() })
		switch {
		case e.How == hast.Bitcast:
		case to == types.F64 && from != types.U64, to == types.F32 && from.Bits() <= 32: // exact in float64 on the way
			code = floatCode(fromInt(f, to))
		}
		return foldedFloat(code, x.constant())
	}
	x := c.float(e.X)
	if from == to || e.How != hast.Bitcast && types.Holds(from, to) {
		return x
	}
	f := x.eval
	if to == types.F32 && e.How != hast.Bitcast {
		return foldedFloat(floatCode(func(fr *frame) float64 { return float64(float32(f(fr))) }), x.constant)
	}
	return foldedFloat(floatCode(func(fr *frame) float64 { return convert(types.Float(f(fr)), from, to).Float() }), x.constant)
}

func fromInt(f intFn, to types.Kind) floatFn {
	if to == types.F32 {
		return func(fr *frame) float64 { return float64(float32(f(fr))) }
	}
	return func(fr *frame) float64 { return float64(f(fr)) }
}

// convertWord is the conversion of one component in a block.
func convertWord(how hast.How, from, to types.Kind) func(types.Word) types.Word {
	convert := conversions[how]
	return func(w types.Word) types.Word { return convert(w, from, to) }
}
