package imagefile

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"imgc/types"
)

// bytesOf is the product of its arguments; false where one is negative or the product overflows.
func bytesOf(factors ...int) (int, bool) {
	n := 1
	for _, f := range factors {
		if f < 0 || f > 0 && n > math.MaxInt/f {
			return 0, false
		}
		n *= f
	}
	return n, true
}

// maxUnpacked bounds what a compressed file becomes: a few megabytes of zeros can stand for all memory of a machine.
const maxUnpacked = 4 << 30

var errUnpacked = fmt.Errorf("it takes more than %d GiB unpacked; only uncompressed files may be larger", maxUnpacked>>30)

// checkShape refuses an extent below 1, and more bytes than could come out of have bytes when each becomes at most ratio
// bytes. A compressed file whose header lies is found out here, before memory is taken for its pixels.
func checkShape(have, ratio, size int, extent ...int) error {
	for _, e := range extent {
		if e < 1 {
			return fmt.Errorf("its size is %s: it holds no pixels", by(extent))
		}
	}
	need, ok := bytesOf(append([]int{size}, extent...)...)
	limit, fits := bytesOf(have, ratio)
	switch {
	case !ok:
		return fmt.Errorf("its size is %s, which is too large", by(extent))
	case ratio > 1 && need > maxUnpacked:
		return errUnpacked
	case fits && need > limit && ratio == 1:
		return fmt.Errorf("the file is truncated: %s needs %d bytes of pixels, and there are %d", by(extent), need, have)
	case fits && need > limit:
		return fmt.Errorf("the file is truncated or damaged: it says that it is %s, which cannot come out of %d bytes", by(extent), have)
	}
	return nil
}

// by writes extents as people do: 480 x 640.
func by(extent []int) string {
	s := make([]string, len(extent))
	for i, e := range extent {
		s[i] = fmt.Sprint(e)
	}
	return strings.Join(s, " x ")
}

// swapped returns data with the bytes of each component of size bytes reversed; data itself stays as it is.
func swapped(data []byte, size int) []byte {
	out := make([]byte, len(data)/size*size)
	switch size {
	case 2:
		for i := 0; i < len(out); i += 2 {
			binary.LittleEndian.PutUint16(out[i:], binary.BigEndian.Uint16(data[i:]))
		}
	case 4:
		for i := 0; i < len(out); i += 4 {
			binary.LittleEndian.PutUint32(out[i:], binary.BigEndian.Uint32(data[i:]))
		}
	case 8:
		for i := 0; i < len(out); i += 8 {
			binary.LittleEndian.PutUint64(out[i:], binary.BigEndian.Uint64(data[i:]))
		}
	default:
		copy(out, data)
	}
	return out
}

// normalBools makes every true 1, as pixels.Image has it.
func normalBools(kind types.Kind, data []byte) []byte {
	if kind != types.Bool {
		return data
	}
	out := make([]byte, len(data))
	for i, b := range data {
		if b != 0 {
			out[i] = 1
		}
	}
	return out
}
