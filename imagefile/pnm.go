package imagefile

import (
	"errors"
	"fmt"
	"io"

	"imgc/types"
)

// The formats of Netpbm, https://netpbm.sourceforge.net/doc/: a magic number, width, height and the largest sample as
// decimal text with comments, then the samples as text (P2, P3) or binary (P5, P6), of two bytes, the first the more
// significant, where the largest sample is 256 or more.

// A scanner reads the tokens of a text header.
type scanner struct {
	data []byte
	pos  int
}

// skip passes white space and comments, which run from # to the end of the line.
func (s *scanner) skip() {
	for s.pos < len(s.data) {
		switch s.data[s.pos] {
		case ' ', '\t', '\n', '\v', '\f', '\r':
			s.pos++
		case '#':
			for s.pos < len(s.data) && s.data[s.pos] != '\n' {
				s.pos++
			}
		default:
			return
		}
	}
}

// token reads up to the next white space or comment; it is empty at the end.
func (s *scanner) token() string {
	s.skip()
	start := s.pos
	for s.pos < len(s.data) && s.pos-start < 64 {
		if c := s.data[s.pos]; c <= ' ' || c == '#' {
			break
		}
		s.pos++
	}
	return string(s.data[start:s.pos])
}

// number reads a decimal number up to limit.
func (s *scanner) number(what string, limit int) (int, error) {
	s.skip()
	start, n := s.pos, 0
	for ; s.pos < len(s.data); s.pos++ {
		d := int(s.data[s.pos]) - '0'
		if d < 0 || d > 9 {
			break
		}
		if n = n*10 + d; n > limit {
			return 0, fmt.Errorf("%s is larger than %d", what, limit)
		}
	}
	switch {
	case s.pos > start:
		return n, nil
	case s.pos == len(s.data):
		return 0, fmt.Errorf("the file is truncated: it ends before %s", what)
	}
	return 0, fmt.Errorf("%s is no number but begins with %q", what, s.data[s.pos])
}

// end passes the single white-space character between header and samples.
func (s *scanner) end() error {
	if s.pos >= len(s.data) {
		return errors.New("the file is truncated: it ends in the header")
	}
	if s.data[s.pos] > ' ' {
		return fmt.Errorf("white space should end the header, not %q", s.data[s.pos])
	}
	s.pos++
	return nil
}

const maxSide = 1<<31 - 1

// sides reads width and height.
func (s *scanner) sides() (h, w int, err error) {
	if w, err = s.number("the width", maxSide); err != nil {
		return 0, 0, err
	}
	h, err = s.number("the height", maxSide)
	return h, w, err
}

var pnmMagic = map[string]struct {
	channels int
	text     bool
}{"P2": {1, true}, "P3": {3, true}, "P5": {1, false}, "P6": {3, false}}

func decodePNM(src source) (*stored, error) {
	s := &scanner{data: src.data}
	magic, ok := pnmMagic[s.token()]
	if !ok {
		return nil, errors.New("it does not begin with P2, P3, P5 or P6")
	}
	h, w, err := s.sides()
	if err != nil {
		return nil, err
	}
	limit, err := s.number("the largest sample", 65535)
	if err != nil {
		return nil, err
	}
	if limit == 0 {
		return nil, errors.New("the largest sample is 0")
	}
	out := &stored{kind: types.U8, extent: []int{h, w}, channels: magic.channels}
	if limit > 255 {
		out.kind = types.U16
	}
	if err := s.end(); err != nil {
		return nil, err
	}
	if magic.text {
		return out, s.textSamples(out, limit)
	}
	return out, s.binarySamples(out, limit)
}

func (s *scanner) textSamples(out *stored, limit int) error {
	h, w := out.extent[0], out.extent[1]
	left := len(s.data) - s.pos
	if err := checkShape((left+1)/2, 1, out.channels, h, w); err != nil { // a sample takes a digit and white space
		return err
	}
	n, size := h*w*out.channels, out.kind.Bytes()
	out.data = make([]byte, n*size)
	for i := range n {
		v, err := s.number("a sample", limit)
		if err != nil {
			return fmt.Errorf("%w (number %d of %d)", err, i+1, n)
		}
		types.Store(out.kind, out.data[i*size:], types.Uint(uint64(v)))
	}
	return nil
}

func (s *scanner) binarySamples(out *stored, limit int) error {
	size := out.kind.Bytes()
	left := s.data[s.pos:]
	if err := checkShape(len(left), 1, size*out.channels, out.extent...); err != nil {
		return err
	}
	n := out.extent[0] * out.extent[1] * out.channels
	out.data = swapped(left[:n*size], size)
	if limit == 255 || limit == 65535 {
		return nil
	}
	for i := range n {
		if v := types.Load(out.kind, out.data[i*size:]).Uint(); v > uint64(limit) {
			return fmt.Errorf("sample %d of %d is %d, and the header says that the largest is %d", i+1, n, v, limit)
		}
	}
	return nil
}

func encodePNM(w io.Writer, s *stored) error {
	magic, limit := "P5", 255
	if s.channels == 3 {
		magic = "P6"
	}
	if s.kind == types.U16 {
		limit = 65535
	}
	if _, err := fmt.Fprintf(w, "%s\n%d %d\n%d\n", magic, s.extent[1], s.extent[0], limit); err != nil {
		return err
	}
	_, err := w.Write(swapped(s.data, s.kind.Bytes()))
	return err
}
