package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"imgc"
	"imgc/imagefile"
	"imgc/pixels"
)

// A place is where an image comes from or goes to: a file, or a standard stream in some format.
type place struct {
	path   string // as it was given
	stream bool
	format string // of a stream: an extension, for raw with the type behind; "" where it was not given
}

var streamPlace = regexp.MustCompile(`^(?:(\w+):)?-(?::(.+))?$`)

// parsePlace understands a path, "-", and with a format "pgm:-" or "raw:-:u8[480][640]".
func parsePlace(s string) place {
	m := streamPlace.FindStringSubmatch(s)
	if m == nil {
		return place{path: s}
	}
	p := place{path: s, stream: true, format: m[1]}
	if m[2] != "" {
		p.format += ":" + m[2]
	}
	return p
}

// same reports whether two places are one file or stream.
func (p place) same(q place) bool {
	if p.stream || q.stream {
		return p.stream && q.stream
	}
	return filepath.Clean(p.path) == filepath.Clean(q.path)
}

// wantOf is what a parameter asks of a file.
func wantOf(p *imgc.Param) imagefile.Want {
	return imagefile.Want{Name: p.Name, Elem: p.Type, Rank: len(p.Extent), Fixed: p.Fixed, Extent: p.Extent}
}

// magic is how the formats that say what they are begin.
var magic = []struct{ start, format string }{
	{"\x89PNG", "png"}, {"\xff\xd8\xff", "jpg"}, {"II*\x00", "tif"}, {"MM\x00*", "tif"}, {"BM", "bmp"}, {"\x93NUMPY", "npy"},
	{"P2", "pgm"}, {"P3", "ppm"}, {"P5", "pgm"}, {"P6", "ppm"}, {"Pf", "pfm"}, {"PF", "pfm"},
}

// readImage reads a parameter's image.
func readImage(in io.Reader, p place, want imagefile.Want) (*pixels.Image, error) {
	if !p.stream {
		m, err := imagefile.Read(p.path, want)
		return m, badInputOrNil(err)
	}
	data, err := io.ReadAll(in)
	if err != nil {
		return nil, badInput(fmt.Errorf("standard input: %w", err))
	}
	if p.format == "" {
		if p.format = sniff(data); p.format == "" {
			return nil, badInput(errors.New("the image on standard input is of no format that its first bytes tell; " +
				"say which, like raw:-:u8[480][640]"))
		}
	}
	m, err := imagefile.Decode(bytes.NewReader(data), p.format, want)
	return m, badInputOrNil(err)
}

func badInputOrNil(err error) error {
	if err == nil {
		return nil
	}
	return badInput(err)
}

func sniff(data []byte) string {
	for _, m := range magic {
		if bytes.HasPrefix(data, []byte(m.start)) {
			return m.format
		}
	}
	return ""
}

// checkOutput refuses, before anything is computed, a place where an image of a parameter cannot go.
func checkOutput(p place, want imagefile.Want) error {
	path := p.path
	if p.stream {
		path = streamName(p.format)
	}
	return badInputOrNil(imagefile.Check(path, want))
}

// streamName is a file name of a stream's format, "-.raw:u8[480][640]".
func streamName(format string) string {
	if format == "" {
		format = defaultFormat
	}
	return "standard output." + strings.TrimPrefix(format, ".")
}

// defaultFormat is what goes to standard output where no format is given.
const defaultFormat = "png"

// An output is an image that a run returns and where it goes.
type output struct {
	param *imgc.Param
	to    place
}

// writeImages writes all images or none: each is complete under another name before the first is put in its place, and what cannot be
// renamed to its place, which may fail on the way, comes first.
func writeImages(w io.Writer, outputs []output, images map[string]*pixels.Image) error {
	var staged []*imagefile.Staged
	defer func() {
		for _, s := range staged {
			s.Discard() // does nothing to those in place
		}
	}()
	var stream bytes.Buffer
	for _, o := range outputs {
		m, want := images[o.param.Name], wantOf(o.param)
		if o.to.stream {
			if o.to.format == "" {
				o.to.format = defaultFormat
			}
			if err := imagefile.Encode(&stream, o.to.format, m, want); err != nil {
				return failed(err)
			}
			continue
		}
		s, err := imagefile.Stage(o.to.path, m, want)
		if err != nil {
			return failed(err)
		}
		staged = append(staged, s)
	}
	if _, err := stream.WriteTo(w); err != nil {
		return failed(err)
	}
	slices.SortStableFunc(staged, func(a, b *imagefile.Staged) int { return b.Risk() - a.Risk() })
	for _, s := range staged {
		if err := s.Commit(); err != nil {
			return failed(err)
		}
	}
	return nil
}
