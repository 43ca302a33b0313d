package imagefile

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
)

// An npyHeader is the dictionary at the start of an NPY file.
type npyHeader struct {
	descr   string
	fortran bool
	shape   []int
}

// parseNPYHeader reads the dictionary. NumPy reads it with Python's literal_eval, so key order, quotes, spaces and a last
// comma are free.
func parseNPYHeader(text []byte) (*npyHeader, error) {
	p := &literalParser{text: text}
	value, err := p.value(0)
	if err != nil {
		return nil, fmt.Errorf("the header is damaged: %w", err)
	}
	dict, ok := value.(map[string]any)
	if p.space(); !ok || p.pos < len(text) {
		return nil, errors.New("the header is damaged: it is not one Python dictionary")
	}
	h := &npyHeader{}
	if h.descr, ok = dict["descr"].(string); !ok {
		if _, list := dict["descr"].([]any); list {
			return nil, errors.New("it holds records of several fields; imgc reads arrays of one type")
		}
		return nil, errors.New("the header names no type ('descr')")
	}
	if h.fortran, ok = dict["fortran_order"].(bool); !ok {
		return nil, errors.New("the header does not say the order ('fortran_order')")
	}
	shape, ok := dict["shape"].([]any)
	if !ok {
		return nil, errors.New("the header names no extents ('shape')")
	}
	for _, v := range shape {
		n, ok := v.(int)
		if !ok {
			return nil, errors.New("an extent in the header is no number")
		}
		h.shape = append(h.shape, n)
	}
	return h, nil
}

// A literalParser reads the Python literals that such a header is made of: dictionaries with string keys, tuples, lists,
// strings without escapes, integers, True and False.
type literalParser struct {
	text []byte
	pos  int
}

func (p *literalParser) space() {
	for p.pos < len(p.text) && bytes.IndexByte([]byte(" \t\r\n"), p.text[p.pos]) >= 0 {
		p.pos++
	}
}

// peek is the next character after white space, or 0 at the end.
func (p *literalParser) peek() byte {
	if p.space(); p.pos < len(p.text) {
		return p.text[p.pos]
	}
	return 0
}

// maxDepth bounds the nesting, so that a hostile header cannot exhaust the stack.
const maxDepth = 8

func (p *literalParser) value(depth int) (any, error) {
	c := p.peek()
	switch {
	case depth > maxDepth:
		return nil, errors.New("it is nested too deeply")
	case c == '{':
		return p.dict(depth)
	case c == '(':
		return p.sequence(')', depth)
	case c == '[':
		return p.sequence(']', depth)
	case c == '\'' || c == '"':
		return p.string()
	case c == '-' || c >= '0' && c <= '9':
		return p.integer()
	}
	for word, v := range map[string]any{"True": true, "False": false, "None": nil} {
		if bytes.HasPrefix(p.text[p.pos:], []byte(word)) {
			p.pos += len(word)
			return v, nil
		}
	}
	return nil, p.unexpected()
}

func (p *literalParser) unexpected() error {
	if c := p.peek(); c != 0 {
		return fmt.Errorf("%q at byte %d is out of place", c, p.pos)
	}
	return errors.New("it ends too early")
}

func (p *literalParser) dict(depth int) (any, error) {
	p.pos++
	dict := map[string]any{}
	for p.peek() != '}' {
		key, err := p.value(depth + 1)
		if err != nil {
			return nil, err
		}
		name, ok := key.(string)
		if !ok || p.peek() != ':' {
			return nil, p.unexpected()
		}
		p.pos++
		if dict[name], err = p.value(depth + 1); err != nil {
			return nil, err
		}
		if err := p.comma('}'); err != nil {
			return nil, err
		}
	}
	p.pos++
	return dict, nil
}

func (p *literalParser) sequence(end byte, depth int) (any, error) {
	p.pos++
	list := []any{}
	for p.peek() != end {
		v, err := p.value(depth + 1)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
		if err := p.comma(end); err != nil {
			return nil, err
		}
	}
	p.pos++
	return list, nil
}

// comma passes a comma, which may be missing before the end.
func (p *literalParser) comma(end byte) error {
	switch p.peek() {
	case ',':
		p.pos++
		return nil
	case end:
		return nil
	}
	return p.unexpected()
}

func (p *literalParser) string() (any, error) {
	quote := p.text[p.pos]
	p.pos++
	n := bytes.IndexByte(p.text[p.pos:], quote)
	if n < 0 {
		return nil, errors.New("a string does not end")
	}
	s := string(p.text[p.pos : p.pos+n])
	p.pos += n + 1
	return s, nil
}

func (p *literalParser) integer() (any, error) {
	start := p.pos
	for p.pos++; p.pos < len(p.text) && p.text[p.pos] >= '0' && p.text[p.pos] <= '9'; {
		p.pos++
	}
	digits := string(p.text[start:p.pos])
	if p.pos < len(p.text) && p.text[p.pos] == 'L' { // Python 2 wrote long integers so
		p.pos++
	}
	n, err := strconv.Atoi(digits)
	if err != nil {
		return nil, fmt.Errorf("the number %s is out of range", digits)
	}
	return n, nil
}
