package imagefile

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"imgc/types"
)

// The Portable FloatMap, https://www.pauldebevec.com/Research/HDR/PFM/: "PF" (RGB) or "Pf" (grey), width and height, a
// scale of which only the sign counts here (negative: little-endian), then rows of floats from the bottom to the top.

var pfmMagic = map[string]int{"Pf": 1, "PF": 3}

func decodePFM(src source) (*stored, error) {
	s := &scanner{data: src.data}
	channels, ok := pfmMagic[s.token()]
	if !ok {
		return nil, errors.New("it does not begin with PF or Pf")
	}
	h, w, err := s.sides()
	if err != nil {
		return nil, err
	}
	text := s.token()
	scale, err := strconv.ParseFloat(text, 64)
	if text == "" {
		return nil, errors.New("the file is truncated: it ends before the scale")
	}
	if err != nil || scale == 0 || math.IsNaN(scale) || math.IsInf(scale, 0) {
		return nil, fmt.Errorf("the scale, whose sign says the byte order, is %q", text)
	}
	size := types.F32.Bytes()
	left, err := s.body(size*channels, h, w)
	if err != nil {
		return nil, err
	}
	row := w * channels * size
	data := flipped(left, row)
	if scale > 0 {
		data = swapped(data, size)
	}
	return &stored{kind: types.F32, extent: []int{h, w}, channels: channels, data: data}, nil
}

func encodePFM(w io.Writer, s *stored) error {
	magic := "Pf"
	if s.channels == 3 {
		magic = "PF"
	}
	if _, err := fmt.Fprintf(w, "%s\n%d %d\n-1.0\n", magic, s.extent[1], s.extent[0]); err != nil {
		return err
	}
	_, err := w.Write(flipped(s.data, s.extent[1]*s.channels*s.kind.Bytes()))
	return err
}

// flipped copies data with its rows of so many bytes in the opposite order.
func flipped(data []byte, row int) []byte {
	out := make([]byte, 0, len(data))
	for end := len(data); end >= row; end -= row {
		out = append(out, data[end-row:end]...)
	}
	return out
}
