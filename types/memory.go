package types

import "encoding/binary"

// Load reads a component of kind k from the first k.Bytes() bytes of b, little-endian. A byte other than 0 is true.
func Load(k Kind, b []byte) Word {
	switch k {
	case Bool:
		return Truth(b[0] != 0)
	case U8:
		return Word(b[0])
	case I8:
		return Int(int64(int8(b[0])))
	case U16:
		return Word(binary.LittleEndian.Uint16(b))
	case I16:
		return Int(int64(int16(binary.LittleEndian.Uint16(b))))
	case U32:
		return Word(binary.LittleEndian.Uint32(b))
	case I32:
		return Int(int64(int32(binary.LittleEndian.Uint32(b))))
	case F32:
		return decode32(binary.LittleEndian.Uint32(b))
	case F16, BF16:
		return grids[k].decode(uint64(binary.LittleEndian.Uint16(b)), 16)
	}
	return Word(binary.LittleEndian.Uint64(b)) // i64, u64 and f64 are their own words
}

// Store writes w to the first k.Bytes() bytes of b, little-endian. An integer outside the kind's range wraps, a float is
// rounded to nearest even, and any word but 0 is true.
func Store(k Kind, b []byte, w Word) {
	switch k {
	case Bool:
		b[0] = byte(Truth(w != 0))
	case U8, I8:
		b[0] = byte(w)
	case U16, I16:
		binary.LittleEndian.PutUint16(b, uint16(w))
	case U32, I32:
		binary.LittleEndian.PutUint32(b, uint32(w))
	case F32:
		binary.LittleEndian.PutUint32(b, encode32(w.Float()))
	case F16, BF16:
		binary.LittleEndian.PutUint16(b, uint16(grids[k].encode(w.Float(), 16)))
	default:
		binary.LittleEndian.PutUint64(b, uint64(w))
	}
}

// Bits is w as it is stored: the low k.Bits() bits, the others 0.
func Bits(k Kind, w Word) uint64 {
	switch k {
	case Bool:
		return uint64(Truth(w != 0))
	case F32:
		return uint64(encode32(w.Float()))
	case F16, BF16:
		return grids[k].encode(w.Float(), 16)
	}
	return uint64(w) << (64 - k.Bits()) >> (64 - k.Bits())
}

// FromBits is the component of kind k that is stored as the low k.Bits() bits of bits.
func FromBits(k Kind, bits uint64) Word {
	switch k {
	case F32:
		return decode32(uint32(bits))
	case F16, BF16:
		return grids[k].decode(bits&0xffff, 16)
	case Bool:
		return Truth(uint8(bits) != 0)
	}
	return Wrap(k, Word(bits))
}

// Bitcast reads the stored form of w, of kind from, as a component of kind to, which has the same width.
func Bitcast(w Word, from, to Kind) Word { return FromBits(to, Bits(from, w)) }
