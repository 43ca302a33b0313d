package imagefile

import (
	"encoding/binary"
	"errors"
	"io"
	"math"
)

// A file is a header, a directory of 12-byte entries in ascending order of their tags, and strips of samples.
// The library writes RGB with an alpha channel only, so it is written here.

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
