package harness

import (
	"encoding/binary"
	"math"

	"imgc"
	"imgc/types"
)

// CTypes are the C types of scalar parameters of generated libraries.
var CTypes = map[types.Kind]string{
	types.Bool: "int", types.I8: "int8_t", types.I16: "int16_t", types.I32: "int32_t", types.I64: "int64_t",
	types.U8: "uint8_t", types.U16: "uint16_t", types.U32: "uint32_t", types.U64: "uint64_t",
	types.F16: "float", types.BF16: "float", types.F32: "float", types.F64: "double",
}

// ByValue reports whether a parameter is passed as it is, and not by a pointer.
func ByValue(a *imgc.Param) bool { return !a.IsImage && !a.Returns() && a.Type.Lanes == 1 }

// HostBytes is a scalar as C programs hold it.
func HostBytes(v types.Value) []byte {
	var out []byte
	for _, word := range v.Words {
		switch k := v.Type.Kind; {
		case k == types.F64:
			out = binary.LittleEndian.AppendUint64(out, math.Float64bits(word.Float()))
		case k.IsFloat():
			out = binary.LittleEndian.AppendUint32(out, math.Float32bits(float32(word.Float())))
		case k == types.Bool:
			out = binary.LittleEndian.AppendUint32(out, uint32(word.Int()))
		default:
			out = append(out, binary.LittleEndian.AppendUint64(nil, uint64(word.Int()))[:k.Bytes()]...)
		}
	}
	return out
}

// HostValue is the scalar that a C program holds in so many bytes.
func HostValue(t types.Type, data []byte) types.Value {
	v := types.Value{Type: t}
	each := len(data) / int(t.Lanes)
	for ; len(data) > 0; data = data[each:] {
		var word [8]byte
		copy(word[:], data[:each])
		bits := binary.LittleEndian.Uint64(word[:])
		switch k := t.Kind; {
		case k == types.F64:
			v.Words = append(v.Words, types.Float(math.Float64frombits(bits)))
		case k.IsFloat():
			v.Words = append(v.Words, types.Float(float64(math.Float32frombits(uint32(bits)))))
		default:
			v.Words = append(v.Words, types.Convert(types.Int(int64(bits)), types.I64, k))
		}
	}
	return v
}
