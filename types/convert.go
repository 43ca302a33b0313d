package types

import "math"

// Wrap brings the integer in the low 64 bits of w into the range of the integer kind k modulo 2^k.Bits().
func Wrap(k Kind, w Word) Word {
	switch k {
	case I8:
		return Int(int64(int8(w)))
	case I16:
		return Int(int64(int16(w)))
	case I32:
		return Int(int64(int32(w)))
	case U8:
		return Word(uint8(w))
	case U16:
		return Word(uint16(w))
	case U32:
		return Word(uint32(w))
	}
	return w
}

// Convert is the language's T(e), from kind from to kind to = T. Integers wrap modulo 2^n. A float is truncated toward
// zero for an integer kind; out of range it saturates, and NaN is 0. To a float kind it rounds once, to nearest even. To
// bool it is e != 0, which is true of NaN.
func Convert(w Word, from, to Kind) Word {
	switch {
	case from == to:
		return w
	case to == Bool:
		return isTrue(w, from)
	case to.IsFloat():
		return toFloat(w, from, to)
	case from.IsFloat():
		return truncate(w.Float(), to)
	}
	return Wrap(to, w)
}

// Saturate is the language's sat<T>(e), from kind from to kind to = T. A float is rounded to nearest even for an integer
// kind; what is out of range gives the nearest value of the kind, and NaN is 0. To bool and to float kinds it is Convert.
func Saturate(w Word, from, to Kind) Word {
	switch {
	case !to.IsInt():
		return Convert(w, from, to)
	case from.IsFloat():
		return truncate(math.RoundToEven(w.Float()), to)
	}
	return clampInt(w, from, to)
}

// isTrue is w != 0; a float's minus zero is false.
func isTrue(w Word, from Kind) Word {
	if from.IsFloat() {
		return Truth(w.Float() != 0)
	}
	return Truth(w != 0)
}

func toFloat(w Word, from, to Kind) Word {
	if from.IsFloat() {
		return Float(Round(to, w.Float()))
	}
	return Float(intToFloat(w, from, to))
}

// truncate drops the fraction of v and saturates to the integer kind to.
func truncate(v float64, to Kind) Word {
	switch limit := &limits[to]; {
	case v <= limit.least:
		return limit.low
	case v >= limit.past:
		return limit.high
	case v >= 0x1p63:
		return Uint(uint64(v))
	case v != v:
		return 0
	}
	return Int(int64(v))
}

// intToFloat rounds the integer or bool w once, to nearest even.
func intToFloat(w Word, from, to Kind) float64 {
	negative := from.IsSigned() && w.Int() < 0
	size := w.Uint()
	if negative {
		size = -size
	}
	v := float64(size)
	if size >= 1<<53 && to != F64 {
		// float64 would round, and Round again. Of the low bits the narrower kinds need to know only whether one is set.
		v = float64(size>>11|sticky(size<<53)) * 0x1p11
	}
	if negative {
		v = -v
	}
	return Round(to, v)
}

func sticky(lost uint64) uint64 {
	if lost != 0 {
		return 1
	}
	return 0
}

// clampInt brings the integer or bool w of kind from into the range of the integer kind to.
func clampInt(w Word, from, to Kind) Word {
	limit := &limits[to]
	if from.IsSigned() && w.Int() < 0 {
		if to.IsUnsigned() {
			return 0
		}
		return max(w, limit.low) // of two negative words the greater is the nearer to zero
	}
	return min(w, limit.high)
}
