package imagefile

import (
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"slices"

	"golang.org/x/image/tiff/lzw"

	"imgc/types"
)

// The TIFF library of Go gives colours, not samples: it knows unsigned ones of 8 and 16 bits, one page, turns grey values over
// where white is zero, and does not see the order of bits. So samples are taken out of the strips here, and libraries unpack them.

// tiffRatio is the most that a byte can become, by compression: PackBits repeats a byte 128 times in two; LZW's table
// cannot hold strings of more than 3838 bytes, for codes of 12 bits.
var tiffRatio = map[int]int{1: 1, 5: 2560, 8: deflateRatio, 32946: deflateRatio, 32773: 64}

const (
	tiffPlain    = 1
	tiffLZW      = 5
	tiffPackBits = 32773
)

// tiffColours are the meanings of samples that are understood, by the number of samples that they need.
var tiffColours = map[int]int{0: 1, 1: 1, 2: 3, 3: 1} // white is zero, black is zero, RGB, palette

const tiffPalette = 3

// tiffRefused names other meanings for the message.
var tiffRefused = map[int]string{4: "a mask", 5: "CMYK", 6: "YCbCr", 8: "CIE L*a*b*", 9: "ICC L*a*b*", 10: "ITU L*a*b*", 32803: "the filters of a camera's sensor",
	32844: "CIE log L", 32845: "CIE log Luv", 34892: "a camera's linear samples"}

// tiffKinds says what samples become, by their format (unsigned, signed, float) and the bits that they have. Unsigned ones take any number
// of bits up to 64 and are not in it.
var tiffKinds = map[[2]int]types.Kind{{2, 8}: types.I8, {2, 16}: types.I16, {2, 32}: types.I32, {2, 64}: types.I64,
	{3, 16}: types.F16, {3, 32}: types.F32, {3, 64}: types.F64}

// A tiffPage is one page, its directory understood.
type tiffPage struct {
	file          *tiffFile
	dir           tiffDir
	h, w          int
	samples, bits int
	kind          types.Kind
	compression   int
	colour        int
}

func decodeTIFF(src source) (*stored, error) {
	f, err := openTIFF(src.data)
	if err != nil {
		return nil, err
	}
	dirs, err := f.pages()
	if err != nil {
		return nil, err
	}
	first, err := f.page(dirs[0])
	if err != nil {
		return nil, err
	}
	// All pages together, so that pages that share strips do not make much of a small file.
	row, fits := bytesOf(first.w, first.samples, first.bits)
	if !fits {
		return nil, fmt.Errorf("its size is %d x %d, which is too large", first.h, first.w)
	}
	if err := checkShape(len(src.data), tiffRatio[first.compression], (row+7)/8, first.h); err != nil {
		return nil, err
	}
	if err := checkShape(len(src.data), tiffRatio[first.compression], (row+7)/8*len(dirs), first.h); err != nil {
		return nil, err
	}
	s, err := first.read()
	if err != nil || len(dirs) == 1 {
		return s, err
	}
	// Pages are the first extent of an array, as in a NumPy file.
	all := &stored{kind: s.kind, extent: append([]int{len(dirs)}, s.extent...), data: slices.Clone(s.data)}
	if s.channels > 1 {
		all.extent = append(all.extent, s.channels)
	}
	for i, d := range dirs[1:] {
		p, err := f.page(d)
		if err == nil && (p.h != first.h || p.w != first.w || p.kind != first.kind || p.samples != first.samples || p.compression != first.compression) {
			err = fmt.Errorf("its %d pages differ in size or type; save the one you mean as a file of its own", len(dirs))
		}
		if err != nil {
			return nil, err
		}
		t, err := p.read()
		if err == nil && (t.channels != s.channels || len(t.data) != len(s.data) || !slices.Equal(t.extent, s.extent)) {
			err = fmt.Errorf("its %d pages differ in size or type; save the one you mean as a file of its own", len(dirs))
		}
		if err != nil {
			return nil, fmt.Errorf("page %d of %d: %w", i+2, len(dirs), err)
		}
		all.data = append(all.data, t.data...)
	}
	return all, nil
}

// page understands a directory, or says what in it is not supported.
func (f *tiffFile) page(d tiffDir) (*tiffPage, error) {
	p := &tiffPage{file: f, dir: d, h: d.one(tiffHeight, 0), w: d.one(tiffWidth, 0), samples: d.one(tiffSamplesPerPixel, 1),
		compression: d.one(tiffCompression, tiffPlain), colour: d.one(tiffPhotometric, 1), bits: d.one(tiffBitsPerSample, 1)}
	if p.h < 1 || p.w < 1 || p.h > maxSide || p.w > maxSide {
		return nil, fmt.Errorf("its size is %d x %d: it holds no pixels, or is too large", uint64(p.h), uint64(p.w))
	}
	if _, ok := tiffRatio[p.compression]; !ok {
		return nil, fmt.Errorf("its compression (number %d) is not supported; none, LZW, Deflate and PackBits are", p.compression)
	}
	needs, ok := tiffColours[p.colour]
	if !ok {
		name := tiffRefused[p.colour]
		if name == "" {
			name = fmt.Sprintf("colours of number %d", p.colour)
		}
		return nil, fmt.Errorf("its samples are %s, which is not supported; save it as grey or RGB", name)
	}
	if p.samples < needs || p.samples > 1<<15 || p.colour == tiffPalette && p.samples > 1 {
		return nil, fmt.Errorf("the file is damaged: %d samples for each pixel do not fit its colours", p.samples)
	}
	for _, b := range d[tiffBitsPerSample] {
		if int(b) != p.bits {
			return nil, fmt.Errorf("its samples have different numbers of bits (%v), which is not supported; save it with 8 or 16", d[tiffBitsPerSample])
		}
	}
	format := d.one(tiffSampleFormat, 1)
	for _, v := range d[tiffSampleFormat] {
		if int(v) != format {
			return nil, errors.New("its samples have different types, which is not supported; save them as one type")
		}
	}
	switch {
	case (format == 1 || format == 4) && p.bits >= 1 && p.bits <= 64:
		p.kind = map[int]types.Kind{8: types.U8, 16: types.U16, 32: types.U32, 64: types.U64}[max(8, 1<<bits.Len(uint(p.bits-1)))]
	default:
		p.kind = tiffKinds[[2]int{format, p.bits}]
	}
	if p.kind == types.Invalid {
		name := map[int]string{1: "unsigned", 2: "signed", 3: "floating-point", 5: "complex", 6: "complex"}[format]
		return nil, fmt.Errorf("it has %s samples of %d bits, which are not supported; save it as u8, u16, i16, u32 or f32", name, p.bits)
	}
	if p.colour == tiffPalette && (p.bits > 8 || p.kind != types.U8 || len(d[tiffColorMap]) < 3<<p.bits) {
		return nil, errors.New("the file is damaged: its palette does not fit its samples")
	}
	return p, nil
}

// read takes the samples of the page out of the file.
func (p *tiffPage) read() (*stored, error) {
	data, err := p.unpacked()
	if err != nil {
		return nil, err
	}
	extra := p.samples - tiffColours[p.colour]
	s := &stored{kind: p.kind, extent: []int{p.h, p.w}, channels: p.samples, data: data}
	switch {
	case p.colour == tiffPalette:
		s = p.coloured(data)
	case extra > 1 || p.samples > 4:
		s.extent, s.channels = append(s.extent, p.samples), 0 // an array with the samples of a pixel as its last extent
	case extra == 1:
		switch p.dir.one(tiffExtraSamples, 0) {
		case 0:
			s.beside = true
		case 1:
			if !s.isOpaque() {
				return nil, errors.New("its colours are multiplied by alpha (associated alpha), which is not supported; save it with alpha that is not, or without")
			}
		}
	}
	return s.turned(p.dir.one(tiffOrientation, 1)), nil
}

// coloured looks the samples up in the palette. Its entries have 16 bits, but some writers fill in 8.
func (p *tiffPage) coloured(index []byte) *stored {
	palette, n := p.dir[tiffColorMap], 1<<p.bits
	shift := 8
	if slices.Max(palette) < 256 {
		shift = 0
	}
	out := make([]byte, 0, 3*len(index))
	for _, i := range index {
		for c := range 3 {
			out = append(out, byte(palette[c*n+int(i)]>>shift))
		}
	}
	return &stored{kind: types.U8, extent: []int{p.h, p.w}, channels: 3, data: out}
}

// unpacked gives the samples of all pixels, side by side, in little-endian order.
func (p *tiffPage) unpacked() ([]byte, error) {
	// A strip is a tile of the whole width, but that the last one may be lower.
	th, tw := min(p.dir.one(tiffRowsPerStrip, p.h), p.h), p.w
	offsets, counts := p.dir[tiffStripOffsets], p.dir[tiffStripByteCounts]
	tiled := len(p.dir[tiffTileOffsets]) > 0
	if tiled {
		th, tw = p.dir.one(tiffTileLength, 0), p.dir.one(tiffTileWidth, 0)
		offsets, counts = p.dir[tiffTileOffsets], p.dir[tiffTileByteCounts]
	}
	if th < 1 || tw < 1 || th > maxSide || tw > maxSide {
		return nil, errors.New("the file is damaged: its strips or tiles have no size")
	}
	if len(counts) == 0 && len(offsets) == 1 && p.compression == tiffPlain && p.file.has(offsets[0], 0) {
		counts = []uint64{uint64(len(p.file.data)) - offsets[0]} // old writers leave it out
	}
	planes, each := 1, p.samples // samples that lie side by side
	if p.dir.one(tiffPlanarConfig, 1) == 2 {
		planes, each = p.samples, 1
	}
	down, across := (p.h+th-1)/th, (p.w+tw-1)/tw
	if n, ok := bytesOf(down, across, planes); !ok || n > len(offsets) || n > len(counts) {
		return nil, errors.New("the file is damaged: strips or tiles are missing")
	}
	tile, ok := bytesOf(tw, each, p.bits)
	if !ok {
		return nil, errors.New("the file is damaged: its tiles are too large")
	}
	if err := checkShape(len(p.file.data), tiffRatio[p.compression], (tile+7)/8, th); err != nil {
		return nil, err
	}
	size := p.kind.Bytes()
	out := make([]byte, p.h*p.w*p.samples*size)
	for i := range planes * down * across {
		plane, y0, x0 := i/(down*across), i/across%down*th, i%across*tw
		rows := th
		if !tiled {
			rows = min(th, p.h-y0)
		}
		if !p.file.has(offsets[i], counts[i]) {
			return nil, io.ErrUnexpectedEOF
		}
		packed := p.file.data[offsets[i] : offsets[i]+counts[i]]
		chunk, err := p.chunk(packed, rows, (tile+7)/8)
		if err != nil {
			return nil, err
		}
		for y := range min(rows, p.h-y0) {
			row := p.row(chunk[y*((tile+7)/8):(y+1)*((tile+7)/8)], tw, each)
			to := out[((y0+y)*p.w+x0)*p.samples*size:]
			n := min(tw, p.w-x0)
			if planes == 1 {
				copy(to, row[:n*each*size])
				continue
			}
			for x := range n {
				copy(to[(x*p.samples+plane)*size:], row[x*size:(x+1)*size])
			}
		}
	}
	return out, nil
}

// chunk unpacks a strip or tile of rows of so many bytes.
func (p *tiffPage) chunk(packed []byte, rows, row int) ([]byte, error) {
	if p.dir.one(tiffFillOrder, 1) == 2 {
		packed = slices.Clone(packed)
		for i, b := range packed {
			packed[i] = bits.Reverse8(b)
		}
	}
	var r io.Reader
	switch p.compression {
	case tiffPlain:
		if len(packed) < rows*row {
			return nil, io.ErrUnexpectedEOF
		}
		return packed[:rows*row], nil
	case tiffLZW:
		r = lzw.NewReader(bytes.NewReader(packed), lzw.MSB, 8)
	case tiffPackBits:
		return unpackBits(packed, rows*row)
	default:
		z, err := zlib.NewReader(bytes.NewReader(packed))
		if err != nil {
			return nil, fmt.Errorf("the file is damaged: %w", err)
		}
		r = z
	}
	out := make([]byte, rows*row)
	if _, err := io.ReadFull(r, out); err != nil {
		return nil, fmt.Errorf("the file is truncated or damaged: %w", err)
	}
	return out, nil
}

// unpackBits undoes PackBits: a count n from 0 on, and n + 1 bytes; or -n, and one byte that stands n + 1 times.
func unpackBits(packed []byte, size int) ([]byte, error) {
	out := make([]byte, 0, size)
	for len(out) < size {
		if len(packed) < 2 {
			return nil, io.ErrUnexpectedEOF
		}
		n := int(int8(packed[0]))
		packed = packed[1:]
		switch {
		case n >= 0 && n+1 > len(packed):
			return nil, io.ErrUnexpectedEOF
		case n >= 0:
			out, packed = append(out, packed[:n+1]...), packed[n+1:]
		case n > -128:
			out, packed = append(out, bytes.Repeat(packed[:1], 1-n)...), packed[1:]
		}
	}
	return out[:size], nil
}

// row gives the samples of n pixels of a row in whole bytes, without the predictor. It may change in.
func (p *tiffPage) row(in []byte, n, each int) []byte {
	size := p.kind.Bytes()
	predictor := 1
	if p.compression != tiffPlain && p.compression != tiffPackBits {
		predictor = p.dir.one(tiffPredictor, 1)
	}
	switch {
	case p.bits != 8*size:
		return p.widened(in, n*each)
	case predictor == 3 && p.kind.IsFloat():
		return unpredictedFloats(in, size, each)
	case p.file.order.Uint16([]byte{1, 0}) != 1:
		in = swapped(in, size)
	}
	if predictor == 2 {
		mask := ^uint64(0) >> (64 - 8*size)
		for i := each * size; i+size <= len(in); i += size {
			v := (little(in[i:i+size]) + little(in[i-each*size:i-each*size+size])) & mask
			for k := range size {
				in[i+k] = byte(v >> (8 * k))
			}
		}
	}
	return in
}

// little is the number in little-endian bytes.
func little(b []byte) uint64 {
	v := uint64(0)
	for k := len(b) - 1; k >= 0; k-- {
		v = v<<8 | uint64(b[k])
	}
	return v
}

// widened takes n samples out of a row of bits, the most significant first. Those of fewer than 8 bits are stretched to 0 to 255,
// unless they choose colours.
func (p *tiffPage) widened(in []byte, n int) []byte {
	size := p.kind.Bytes()
	out := make([]byte, n*size)
	most := uint64(1)<<p.bits - 1
	at := 0
	for i := range n {
		v := uint64(0)
		for left := p.bits; left > 0; {
			take := min(left, 8-at%8)
			v = v<<take | uint64(in[at/8])>>(8-at%8-take)&(1<<take-1)
			at, left = at+take, left-take
		}
		if p.bits < 8 && p.colour != tiffPalette {
			v = (v*255 + most/2) / most
		}
		for k := range size {
			out[i*size+k] = byte(v >> (8 * k))
		}
	}
	return out
}

// unpredictedFloats undoes the predictor of floats: the differences of bytes, of which the most significant of all samples
// come first.
func unpredictedFloats(in []byte, size, each int) []byte {
	for i := each; i < len(in); i++ {
		in[i] += in[i-each]
	}
	out := make([]byte, len(in))
	n := len(in) / size
	for i := range n {
		for k := range size {
			out[i*size+size-1-k] = in[k*n+i]
		}
	}
	return out
}
