package imagefile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"golang.org/x/image/tiff"
)

// TIFF 6.0: a header, an image file directory of 12-byte entries in ascending order of their tags, and strips of samples.
// The library reads it but writes RGB with an alpha channel only, so it is written here.

// Tags of the directory.
const (
	tiffWidth           = 256
	tiffHeight          = 257
	tiffBitsPerSample   = 258
	tiffCompression     = 259
	tiffPhotometric     = 262
	tiffStripOffsets    = 273
	tiffSamplesPerPixel = 277
	tiffRowsPerStrip    = 278
	tiffStripByteCounts = 279
	tiffPlanarConfig    = 284
	tiffExtraSamples    = 338
)

// Field types.
const (
	tiffShort = 3
	tiffLong  = 4
)

// tiffRatio is the most that a byte can become, by compression: PackBits repeats a byte 128 times in two; LZW's table
// cannot hold strings of more than 3838 bytes, for codes of 12 bits. The fax compressions are missing on purpose: the
// decoder takes black for white where black is zero.
var tiffRatio = map[int]int{1: 1, 5: 2560, 8: deflateRatio, 32946: deflateRatio, 32773: 64}

// checkTIFF compares the size that the first directory claims with the bytes that are there, and refuses what the
// decoder would misread.
func checkTIFF(data []byte) error {
	tags, err := tiffTags(data)
	if err != nil {
		return err
	}
	h, w, samples := tags[tiffHeight], tags[tiffWidth], max(tags[tiffSamplesPerPixel], 1)
	bits := tags[tiffBitsPerSample] // inline for one or two samples, else the 8 or more that the decoder insists on
	if samples > 2 {
		bits = 8
	}
	if samples > 1 && tags[tiffPlanarConfig] == 2 {
		return errors.New("its channels are stored as separate planes, which is not supported; store them interleaved")
	}
	config, err := tiff.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return err
	}
	if config.Height != h || config.Width != w { // values that stand elsewhere, or two of one tag
		return errors.New("the file is damaged: its directory does not say plainly how large it is")
	}
	compression := max(tags[tiffCompression], 1)
	if ratio, ok := tiffRatio[compression]; ok {
		row, fits := bytesOf(w, samples, max(bits, 1))
		if !fits {
			return fmt.Errorf("its size is %d x %d, which is too large", h, w)
		}
		return checkShape(len(data), ratio, 1, h, (row+7)/8)
	}
	return fmt.Errorf("its compression (number %d) is not supported; none, LZW, Deflate and PackBits are", compression)
}

// tiffTags reads the first value of each tag of the first directory, as far as it stands in the directory itself.
func tiffTags(data []byte) (map[int]int, error) {
	if len(data) < 8 {
		return nil, io.ErrUnexpectedEOF
	}
	var order binary.ByteOrder
	switch string(data[:4]) {
	case "II*\x00":
		order = binary.LittleEndian
	case "MM\x00*":
		order = binary.BigEndian
	case "II+\x00", "MM\x00+":
		return nil, errors.New("it is a BigTIFF, which is not supported")
	default:
		return nil, errors.New("it does not begin with II*\\0 or MM\\0*")
	}
	at := uint64(order.Uint32(data[4:]))
	if at+2 > uint64(len(data)) {
		return nil, io.ErrUnexpectedEOF
	}
	n := uint64(order.Uint16(data[at:]))
	if at += 2; at+n*12 > uint64(len(data)) {
		return nil, io.ErrUnexpectedEOF
	}
	tags := map[int]int{}
	for entry := range n {
		e := data[at+entry*12:]
		switch order.Uint16(e[2:]) {
		case tiffShort:
			tags[int(order.Uint16(e))] = int(order.Uint16(e[8:]))
		case tiffLong:
			tags[int(order.Uint16(e))] = int(order.Uint32(e[8:]))
		}
	}
	return tags, nil
}

// encodeTIFF writes a baseline TIFF: little-endian, uncompressed, one strip, samples interleaved, alpha not premultiplied.
func encodeTIFF(w io.Writer, s *stored) error {
	const header = 8
	photometric := 1 // black is zero
	if s.channels >= 3 {
		photometric = 2 // RGB
	}
	type entry struct{ tag, typ, count, value int }
	entries := []entry{
		{tiffWidth, tiffLong, 1, s.extent[1]},
		{tiffHeight, tiffLong, 1, s.extent[0]},
		{tiffBitsPerSample, tiffShort, s.channels, s.kind.Bits()}, // more than two stand behind the directory
		{tiffCompression, tiffShort, 1, 1},
		{tiffPhotometric, tiffShort, 1, photometric},
		{tiffStripOffsets, tiffLong, 1, 0},
		{tiffSamplesPerPixel, tiffShort, 1, s.channels},
		{tiffRowsPerStrip, tiffLong, 1, s.extent[0]},
		{tiffStripByteCounts, tiffLong, 1, len(s.data)},
		{tiffPlanarConfig, tiffShort, 1, 1},
	}
	if s.channels == 4 {
		entries = append(entries, entry{tiffExtraSamples, tiffShort, 1, 2})
	}
	behind := header + 2 + 12*len(entries) + 4
	pixels := behind
	if s.channels > 2 {
		pixels += 2 * s.channels
	}
	if pixels+len(s.data) > math.MaxUint32 {
		return errors.New("a TIFF file cannot be larger than 4 GB; write .npy")
	}
	b := binary.LittleEndian
	out := b.AppendUint16(b.AppendUint32([]byte("II*\x00"), header), uint16(len(entries)))
	for _, e := range entries {
		switch {
		case e.tag == tiffStripOffsets:
			e.value = pixels
		case e.tag == tiffBitsPerSample && e.count > 2:
			e.value = behind
		}
		out = b.AppendUint16(b.AppendUint16(out, uint16(e.tag)), uint16(e.typ))
		out = b.AppendUint32(b.AppendUint32(out, uint32(e.count)), uint32(e.value))
	}
	out = b.AppendUint32(out, 0) // no further directory
	for len(out) < pixels {
		out = b.AppendUint16(out, uint16(s.kind.Bits()))
	}
	if _, err := w.Write(out); err != nil {
		return err
	}
	_, err := w.Write(s.data)
	return err
}
