package imagefile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"imgc/types"
)

// NumPy's format, https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html: a magic string, a version, the
// length of the header, the header as a Python dictionary, the elements in C or Fortran order.

const npyMagic = "\x93NUMPY"

// npyTypes are the array-protocol type codes without their byte order.
var npyTypes = map[string]types.Kind{
	"b1": types.Bool,
	"i1": types.I8, "i2": types.I16, "i4": types.I32, "i8": types.I64,
	"u1": types.U8, "u2": types.U16, "u4": types.U32, "u8": types.U64,
	"f2": types.F16, "f4": types.F32, "f8": types.F64,
	"V2": types.BF16,
}

func decodeNPY(src source) (*stored, error) {
	text, body, err := npyParts(src.data)
	if err != nil {
		return nil, err
	}
	h, err := parseNPYHeader(text)
	if err != nil {
		return nil, err
	}
	kind, big, err := npyKind(h.descr)
	if err != nil {
		return nil, err
	}
	// One extent more than an image has, for the lanes of a vector.
	if n := len(h.shape); n < 1 || n > types.MaxRank+1 {
		return nil, fmt.Errorf("the array has %d extents; an image has 1 to %d", n, types.MaxRank)
	}
	size := kind.Bytes()
	if err := checkShape(len(body), 1, size, h.shape...); err != nil {
		return nil, err
	}
	if n, _ := bytesOf(append([]int{size}, h.shape...)...); n != len(body) {
		return nil, fmt.Errorf("%d bytes follow the array of %s", len(body)-n, by(h.shape))
	}
	if big {
		body = swapped(body, size)
	}
	if h.fortran {
		body = rowMajor(body, h.shape, size)
	}
	return &stored{kind: kind, extent: h.shape, data: normalBools(kind, body)}, nil
}

// npyParts splits a file into the text of the header and what follows it.
func npyParts(data []byte) (header, body []byte, err error) {
	if !strings.HasPrefix(string(data[:min(len(data), len(npyMagic))]), npyMagic) {
		return nil, nil, errors.New(`it does not begin with \x93NUMPY`)
	}
	data = data[len(npyMagic):]
	if len(data) < 6 {
		return nil, nil, errors.New("the file is truncated: it ends in the header")
	}
	var n, start uint64
	switch major := data[0]; major {
	case 1:
		n, start = uint64(binary.LittleEndian.Uint16(data[2:])), 4
	case 2, 3:
		n, start = uint64(binary.LittleEndian.Uint32(data[2:])), 6
	default:
		return nil, nil, fmt.Errorf("version %d.%d of the format is not known; 1, 2 and 3 are", major, data[1])
	}
	if start+n > uint64(len(data)) {
		return nil, nil, fmt.Errorf("the file is truncated: its header has %d bytes, and there are %d", n, uint64(len(data))-start)
	}
	return data[start : start+n], data[start+n:], nil
}

// npyKind reads a type code like "<f4".
func npyKind(descr string) (kind types.Kind, big bool, err error) {
	if descr != "" {
		kind = npyTypes[descr[1:]]
		big = descr[0] == '>'
		if kind != types.Invalid && strings.ContainsRune("<>=|", rune(descr[0])) && (kind != types.BF16 || !big) {
			return kind, big, nil
		}
	}
	return kind, false, fmt.Errorf("the array's type is %q; imgc reads b1, i1 to i8, u1 to u8, f2 to f8, and V2 as bf16", descr)
}

// rowMajor reorders an array whose first index is the fastest.
func rowMajor(data []byte, extent []int, size int) []byte {
	rank := len(extent)
	stride := make([]int, rank) // in the file, in bytes
	step := size
	for k, e := range extent {
		stride[k] = step
		step *= e
	}
	out := make([]byte, 0, len(data))
	index := make([]int, rank)
	for from := 0; len(out) < len(data); {
		out = append(out, data[from:from+size]...)
		for k := rank - 1; k >= 0; k-- {
			from += stride[k]
			if index[k]++; index[k] < extent[k] {
				break
			}
			from -= index[k] * stride[k]
			index[k] = 0
		}
	}
	return out
}

func encodeNPY(w io.Writer, s *stored) error {
	code := ""
	for c, k := range npyTypes {
		if k == s.kind {
			code = c
		}
	}
	order := "<"
	if s.kind.Bytes() == 1 {
		order = "|"
	}
	shape := strings.ReplaceAll(by(s.extent), " x ", ", ")
	if len(s.extent) == 1 {
		shape += ","
	}
	header := fmt.Sprintf("{'descr': '%s%s', 'fortran_order': False, 'shape': (%s), }", order, code, shape)
	const before = len(npyMagic) + 4
	pad := 63 - (before+len(header))%64 // so that the array begins at a multiple of 64
	header += strings.Repeat(" ", pad) + "\n"
	start := slices.Concat([]byte(npyMagic), []byte{1, 0}, binary.LittleEndian.AppendUint16(nil, uint16(len(header))), []byte(header))
	if _, err := w.Write(start); err != nil {
		return err
	}
	_, err := w.Write(s.data)
	return err
}
