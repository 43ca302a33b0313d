package imagefile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
)

// A TIFF file is a list of directories, one for each page, whose entries are numbers under tags (TIFF 6.0). BigTIFF is the
// same with offsets and counts of 64 bits. Exif, which other formats carry for the orientation, is a TIFF of its own.

// Tags of the directory.
const (
	tiffSubfileType     = 254
	tiffWidth           = 256
	tiffHeight          = 257
	tiffBitsPerSample   = 258
	tiffCompression     = 259
	tiffPhotometric     = 262
	tiffFillOrder       = 266
	tiffStripOffsets    = 273
	tiffOrientation     = 274
	tiffSamplesPerPixel = 277
	tiffRowsPerStrip    = 278
	tiffStripByteCounts = 279
	tiffPlanarConfig    = 284
	tiffPredictor       = 317
	tiffColorMap        = 320
	tiffTileWidth       = 322
	tiffTileLength      = 323
	tiffTileOffsets     = 324
	tiffTileByteCounts  = 325
	tiffExtraSamples    = 338
	tiffSampleFormat    = 339
)

// Field types.
const (
	tiffByte  = 1
	tiffShort = 3
	tiffLong  = 4
	tiffLong8 = 16
)

// tiffFieldBytes has the field types that numbers without a sign come in; entries of others mean nothing here.
var tiffFieldBytes = map[int]int{tiffByte: 1, tiffShort: 2, tiffLong: 4, 13: 4, tiffLong8: 8, 18: 8}

// maxPages keeps a chain of tiny directories from being followed for ever.
const maxPages = 1 << 16

// A tiffFile is what the header says of how numbers are written.
type tiffFile struct {
	data  []byte
	order binary.ByteOrder
	big   bool
	first uint64 // offset of the first directory
}

// A tiffDir has the numbers of one directory by tag.
type tiffDir map[int][]uint64

// one is the first number of a tag, or what is meant where the tag is missing.
func (d tiffDir) one(tag, missing int) int {
	if v := d[tag]; len(v) > 0 {
		return int(v[0])
	}
	return missing
}

func openTIFF(data []byte) (*tiffFile, error) {
	if len(data) < 8 {
		return nil, io.ErrUnexpectedEOF
	}
	f := &tiffFile{data: data, order: binary.LittleEndian}
	switch string(data[:4]) {
	case "II*\x00":
	case "MM\x00*":
		f.order = binary.BigEndian
	case "II+\x00":
		f.big = true
	case "MM\x00+":
		f.order, f.big = binary.BigEndian, true
	default:
		return nil, errors.New("it does not begin with II*\\0 or MM\\0*, nor with II+\\0 or MM\\0+ as a BigTIFF does")
	}
	if !f.big {
		f.first = uint64(f.order.Uint32(data[4:]))
		return f, nil
	}
	if len(data) < 16 {
		return nil, io.ErrUnexpectedEOF
	}
	if f.order.Uint16(data[4:]) != 8 {
		return nil, errors.New("the file is damaged: the offsets of a BigTIFF have 8 bytes")
	}
	f.first = f.order.Uint64(data[8:])
	return f, nil
}

// number reads an unsigned number of so many bytes; the caller has seen that it is there.
func (f *tiffFile) number(at uint64, size int) uint64 {
	b := f.data[at:]
	switch size {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(f.order.Uint16(b))
	case 4:
		return uint64(f.order.Uint32(b))
	}
	return f.order.Uint64(b)
}

// has reports whether n bytes lie at an offset.
func (f *tiffFile) has(at, n uint64) bool {
	return at <= uint64(len(f.data)) && n <= uint64(len(f.data))-at
}

// dir reads the directory at an offset, and where the next one is.
func (f *tiffFile) dir(at uint64) (tiffDir, uint64, error) {
	count, offset, entry := 2, 4, uint64(12) // bytes of the number of entries, of an offset, of an entry
	if f.big {
		count, offset, entry = 8, 8, 20
	}
	if !f.has(at, uint64(count)) {
		return nil, 0, io.ErrUnexpectedEOF
	}
	n := f.number(at, count)
	at += uint64(count)
	if n > uint64(len(f.data)) || !f.has(at, n*entry+uint64(offset)) {
		return nil, 0, io.ErrUnexpectedEOF
	}
	d := tiffDir{}
	for ; n > 0; n, at = n-1, at+entry {
		tag, size := int(f.number(at, 2)), tiffFieldBytes[int(f.number(at+2, 2))]
		values, where := f.number(at+4, offset), at+4+uint64(offset)
		if size == 0 {
			continue
		}
		if values > uint64(offset/size) {
			where = f.number(where, offset)
		}
		if values > uint64(len(f.data)) || !f.has(where, values*uint64(size)) {
			if !slices.Contains(tiffTagsRead, tag) {
				continue // what is not read may lie anywhere
			}
			return nil, 0, io.ErrUnexpectedEOF
		}
		if _, twice := d[tag]; twice || !slices.Contains(tiffTagsRead, tag) {
			continue
		}
		list := make([]uint64, values)
		for i := range list {
			list[i] = f.number(where+uint64(i*size), size)
		}
		d[tag] = list
	}
	return d, f.number(at, offset), nil
}

var tiffTagsRead = []int{tiffSubfileType, tiffWidth, tiffHeight, tiffBitsPerSample, tiffCompression, tiffPhotometric, tiffFillOrder,
	tiffStripOffsets, tiffOrientation, tiffSamplesPerPixel, tiffRowsPerStrip, tiffStripByteCounts, tiffPlanarConfig, tiffPredictor,
	tiffColorMap, tiffTileWidth, tiffTileLength, tiffTileOffsets, tiffTileByteCounts, tiffExtraSamples, tiffSampleFormat}

// pages reads the directories of the pages. Smaller copies of a page and masks of one, which the subfile type marks, are
// none.
func (f *tiffFile) pages() ([]tiffDir, error) {
	const smaller, mask = 1, 4
	var all []tiffDir
	seen := map[uint64]bool{}
	for at := f.first; at != 0; {
		if seen[at] || len(seen) == maxPages {
			return nil, errors.New("the file is damaged: its list of pages does not end")
		}
		seen[at] = true
		d, next, err := f.dir(at)
		if err != nil {
			return nil, err
		}
		if len(all) == 0 || d.one(tiffSubfileType, 0)&(smaller|mask) == 0 {
			all = append(all, d)
		}
		at = next
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("it holds no page")
	}
	return all, nil
}
