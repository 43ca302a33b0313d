package imagefile

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"imgc/types"
)

// The formats of Netpbm, https://netpbm.sourceforge.net/doc/: a magic number, width, height and the largest sample as
// decimal text with comments, then the samples as text (P2, P3) or binary (P5, P6), of two bytes, the first the more
// significant, where the largest sample is 256 or more. P1 and P4 have bits, 1 for black, and no largest sample; P7 (PAM) names
// what its header says.

// A scanner reads the tokens of a text header.
type scanner struct {
	data []byte
	pos  int
}

// skip passes white space and comments, which run from # to a line feed or a carriage return.
func (s *scanner) skip() {
	for s.pos < len(s.data) {
		switch s.data[s.pos] {
		case ' ', '\t', '\n', '\v', '\f', '\r':
			s.pos++
		case '#':
			s.comment()
		default:
			return
		}
	}
}

// comment passes a comment but for the end of its line.
func (s *scanner) comment() {
	for s.pos < len(s.data) && s.data[s.pos] != '\n' && s.data[s.pos] != '\r' {
		s.pos++
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

// end passes the single white-space character between header and samples, which ends a comment where there is one.
func (s *scanner) end() error {
	if s.pos < len(s.data) && s.data[s.pos] == '#' {
		s.comment()
	}
	if s.pos >= len(s.data) {
		return errors.New("the file is truncated: it ends in the header")
	}
	if s.data[s.pos] > ' ' {
		return fmt.Errorf("white space should end the header, not %q", s.data[s.pos])
	}
	s.pos++
	return nil
}

// body passes the end of the header and gives the samples of size bytes that follow. A header that a Windows program has
// written ends in a carriage return and a line feed; the file is then one byte longer than its samples need.
func (s *scanner) body(size int, extent ...int) ([]byte, error) {
	if err := s.end(); err != nil {
		return nil, err
	}
	left := s.data[s.pos:]
	if err := checkShape(len(left), 1, size, extent...); err != nil {
		return nil, err
	}
	n, _ := bytesOf(append([]int{size}, extent...)...)
	if s.data[s.pos-1] == '\r' && left[0] == '\n' && len(left) == n+1 {
		left = left[1:]
	}
	return left[:n], oneImage(left[n:])
}

// oneImage refuses a file of which another image follows the first.
func oneImage(rest []byte) error {
	if len(rest) > 8 && rest[0] == 'P' && strings.ContainsRune("1234567Ff", rune(rest[1])) && rest[2] <= ' ' {
		return errors.New("it holds several images, one behind the other; save the one you mean as a file of its own")
	}
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
	bits     bool
}{"P1": {1, true, true}, "P2": {1, true, false}, "P3": {3, true, false}, "P4": {1, false, true}, "P5": {1, false, false}, "P6": {3, false, false}}

func decodePNM(src source) (*stored, error) {
	s := &scanner{data: src.data}
	name := s.token()
	if name == "P7" {
		return s.pam()
	}
	magic, ok := pnmMagic[name]
	if !ok {
		return nil, errors.New("it does not begin with P1 to P7")
	}
	h, w, err := s.sides()
	if err != nil {
		return nil, err
	}
	out := &stored{kind: types.U8, extent: []int{h, w}, channels: magic.channels}
	if magic.bits && magic.text {
		return out, s.textBits(out)
	}
	if magic.bits {
		return out, s.binaryBits(out)
	}
	limit, err := s.limit()
	if err != nil {
		return nil, err
	}
	out.kind = kindFor(limit)
	if magic.text {
		if err := s.end(); err != nil {
			return nil, err
		}
		return out, s.textSamples(out, limit)
	}
	return out, s.binarySamples(out, limit)
}

// limit reads the largest sample.
func (s *scanner) limit() (int, error) {
	limit, err := s.number("the largest sample", 65535)
	if err == nil && limit == 0 {
		err = errors.New("the largest sample is 0")
	}
	return limit, err
}

func kindFor(limit int) types.Kind {
	if limit > 255 {
		return types.U16
	}
	return types.U8
}

// pam reads the rest of a PAM: lines of a name and a value up to ENDHDR, then binary samples. Five channels and more are an array's last extent.
func (s *scanner) pam() (*stored, error) {
	number := map[string]int{}
	tuple := ""
	for {
		name := s.token()
		switch name {
		case "WIDTH", "HEIGHT", "DEPTH":
			n, err := s.number("the "+strings.ToLower(name), maxSide)
			if err != nil {
				return nil, err
			}
			number[name] = n
			continue
		case "MAXVAL":
			n, err := s.limit()
			if err != nil {
				return nil, err
			}
			number[name] = n
			continue
		case "TUPLTYPE":
			tuple += s.token()
			continue
		case "":
			return nil, errors.New("the file is truncated: it ends in the header")
		case "ENDHDR":
		default:
			return nil, fmt.Errorf("its header has the line %q, which a PAM has not", name)
		}
		break
	}
	for _, name := range []string{"WIDTH", "HEIGHT", "DEPTH", "MAXVAL"} {
		if _, ok := number[name]; !ok {
			return nil, fmt.Errorf("its header has no line %s", name)
		}
	}
	limit, depth := number["MAXVAL"], number["DEPTH"]
	out := &stored{kind: kindFor(limit), extent: []int{number["HEIGHT"], number["WIDTH"]}, channels: depth}
	out.beside = !strings.HasSuffix(tuple, "_ALPHA")
	if depth < 1 || depth > 4 {
		out.extent, out.channels = append(out.extent, depth), 0
	}
	return out, s.binarySamples(out, limit)
}

// grey is the value of a bit, of which 1 is black.
func grey(bit byte) byte { return 255 * (1 - bit) }

// textBits reads digits, which need no white space between them.
func (s *scanner) textBits(out *stored) error {
	if err := checkShape(len(s.data)-s.pos, 1, 1, out.extent...); err != nil {
		return err
	}
	n := out.extent[0] * out.extent[1]
	out.data = make([]byte, n)
	for i := range out.data {
		s.skip()
		if s.pos == len(s.data) {
			return fmt.Errorf("the file is truncated: it ends before a sample (number %d of %d)", i+1, n)
		}
		bit := s.data[s.pos] - '0'
		if bit > 1 {
			return fmt.Errorf("sample %d of %d is %q, not 0 or 1", i+1, n, s.data[s.pos])
		}
		out.data[i] = grey(bit)
		s.pos++
	}
	return nil
}

// binaryBits reads rows of whole bytes, the most significant bit first.
func (s *scanner) binaryBits(out *stored) error {
	h, w := out.extent[0], out.extent[1]
	if w < 1 {
		return checkShape(0, 1, 1, h, w)
	}
	row := (w + 7) / 8
	in, err := s.body(row, h)
	if err != nil {
		return err
	}
	out.data = make([]byte, 0, h*w)
	for y := range h {
		for x := range w {
			out.data = append(out.data, grey(in[y*row+x/8]>>(7-x%8)&1))
		}
	}
	return nil
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
	s.skip()
	return oneImage(s.data[s.pos:])
}

func (s *scanner) binarySamples(out *stored, limit int) error {
	size := out.kind.Bytes()
	in, err := s.body(size*max(out.channels, 1), out.extent...)
	if err != nil {
		return err
	}
	n := len(in) / size
	out.data = swapped(in, size)
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

// largestSample is what a header says of samples that take all their bits.
func (s *stored) largestSample() int { return 1<<s.kind.Bits() - 1 }

func encodePAM(w io.Writer, s *stored) error {
	tuple := []string{1: "GRAYSCALE", 2: "GRAYSCALE_ALPHA", 3: "RGB", 4: "RGB_ALPHA"}[s.channels]
	if _, err := fmt.Fprintf(w, "P7\nWIDTH %d\nHEIGHT %d\nDEPTH %d\nMAXVAL %d\nTUPLTYPE %s\nENDHDR\n",
		s.extent[1], s.extent[0], s.channels, s.largestSample(), tuple); err != nil {
		return err
	}
	_, err := w.Write(swapped(s.data, s.kind.Bytes()))
	return err
}

func encodePNM(w io.Writer, s *stored) error {
	magic := "P5"
	if s.channels == 3 {
		magic = "P6"
	}
	if _, err := fmt.Fprintf(w, "%s\n%d %d\n%d\n", magic, s.extent[1], s.extent[0], s.largestSample()); err != nil {
		return err
	}
	_, err := w.Write(swapped(s.data, s.kind.Bytes()))
	return err
}
