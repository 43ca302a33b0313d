package arguments

import (
	"fmt"

	"imgc/pixels"
	"imgc/source"
	"imgc/types"
)

// Args are the arguments of a call, by the name of the parameter.
type Args struct {
	// Images holds every in and inout image, and such out images as the caller wants filled rather than allocated.
	Images map[string]*pixels.Image
	// Scalars holds every in scalar without default, in the parameter's type.
	Scalars map[string]types.Value
	// Sizes gives the size names that only absent out images would bind. One that an image binds too has to agree with it.
	Sizes map[string]int
}

// Copied is the same call with images of its own.
func (a Args) Copied() Args {
	images := make(map[string]*pixels.Image, len(a.Images))
	for name, m := range a.Images {
		if m != nil {
			m = m.Clone()
		}
		images[name] = m
	}
	a.Images = images
	return a
}

// A Signature is what a pipeline asks of its arguments.
type Signature struct {
	Params []Param // in the order of the text
	Sizes  []Size  // in the order of binding
	At     source.Span
}

// Dir says which way a parameter's data flows.
type Dir uint8

const (
	In    Dir = iota
	Out       // takes no value; an image may be given to be filled
	InOut     // of images
)

// String is the keyword.
func (d Dir) String() string { return [...]string{"in", "out", "inout"}[d] }

// A Param is an image or a scalar.
type Param struct {
	Name    string
	Dir     Dir
	Type    types.Type   // of a scalar, or of an image's elements
	Extent  []string     // of an image, as the program has them, slowest axis first; nil of a scalar
	Default *types.Value // of an in scalar; nil without
	At      source.Span
}

// IsImage tells images from scalars.
func (p *Param) IsImage() bool { return p.Extent != nil }

// declared is the type as the declaration has it: "u8[H][W]".
func (p *Param) declared() string {
	s := p.Type.String()
	for _, e := range p.Extent {
		s += "[" + e + "]"
	}
	return s
}

// A Size is a size name. Extent Axis of parameter Image, which binds it, equals Mul*n + Add.
type Size struct {
	Name     string
	Image    int // index in Params
	Axis     int
	Mul, Add int64
}

// An Error says why arguments do not fit, in the terms of the program.
type Error struct {
	Message string      // without full stop: "dst is 100 x 99, but H = 98 (bound by src) asks for 98 rows"
	At      source.Span // of the parameter; may be no place
}

func (e *Error) Error() string { return e.Message }

func failf(at source.Span, format string, args ...any) error {
	return &Error{fmt.Sprintf(format, args...), at}
}

// Bound is what arguments say.
type Bound struct {
	Scalars map[string]types.Value // every in scalar
	Sizes   []BoundSize            // for each of the signature's
}

// A BoundSize is the value of a size name, and what it comes from: "bound by src" or "given".
type BoundSize struct {
	Value  int64
	Origin string
}

// Bind holds arguments against all that does not depend on sizes, and gives sizes their values. The error is an *Error.
func (s *Signature) Bind(args Args) (*Bound, error) {
	b := &Bound{Scalars: map[string]types.Value{}}
	for _, rule := range []func(Args, *Bound) error{s.names, s.params, s.overlap, s.sizes} {
		if err := rule(args, b); err != nil {
			return nil, err
		}
	}
	return b, nil
}
