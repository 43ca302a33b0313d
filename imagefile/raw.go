package imagefile

import (
	"fmt"
	"io"
	"slices"
)

// A raw file is the packed bytes of a pixels.Image: little-endian components, row by row, without gaps.

func decodeRaw(src source) (*stored, error) {
	elem, extent := src.layout.elem, slices.Clone(src.layout.extent)
	need, ok := bytesOf(append([]int{elem.Bytes()}, extent...)...)
	if !ok || need != len(src.data) {
		return nil, fmt.Errorf("%s takes %d bytes, and the file has %d", src.layout, need, len(src.data))
	}
	if elem.Lanes > 1 {
		extent = append(extent, int(elem.Lanes))
	}
	return &stored{kind: elem.Kind, extent: extent, data: normalBools(elem.Kind, src.data)}, nil
}

func encodeRaw(w io.Writer, s *stored) error {
	_, err := w.Write(s.data)
	return err
}
