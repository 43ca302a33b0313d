package imagefile

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"imgc/pixels"
	"imgc/types"
)

// Check reports whether Write could write an image of want's type to path, so that a caller can refuse before it computes
// anything. Only whether an alpha channel is opaque remains to be seen.
func Check(path string, want Want) error {
	file, typ := splitType(path)
	if typ != "" {
		_, _, err := formatAndLayout(file, filepath.Ext(file), typ, want)
		return err
	}
	f, err := formatOf(file, filepath.Ext(file))
	if err != nil {
		return err
	}
	_, err = f.way(file, want)
	return err
}

// way finds how the format holds the type; the zero arrangement is an array.
func (f *format) way(name string, want Want) (arrangement, error) {
	if f.encode == nil {
		hint := "write .npy"
		if ways := arrangements(want); len(ways) > 0 {
			hint = "write " + strings.Join(alternatives(want, ways[0].channels), " or ")
		}
		return arrangement{}, fmt.Errorf("%s: imgc reads %s files and writes none: %s", name, f.name, hint)
	}
	if f.channels == nil {
		return arrangement{}, nil
	}
	if f.kinds != nil && !slices.Contains(f.kinds, want.Elem.Kind) {
		return arrangement{}, f.cannot(name, want, kindHint(f, want))
	}
	ways := arrangements(want)
	for _, a := range ways {
		if slices.Contains(f.channels, a.channels) || a.channels == 4 && slices.Contains(f.channels, 3) {
			return a, nil
		}
	}
	if len(ways) == 0 {
		return arrangement{}, f.cannot(name, want, "write .npy, which holds any type and any extents")
	}
	return arrangement{}, f.cannot(name, want, "write "+strings.Join(alternatives(want, ways[0].channels), " or "))
}

// cannot words the error about an image that the format cannot hold.
func (f *format) cannot(name string, want Want, hint string) error {
	return fmt.Errorf("%s: %s holds %s, not %s: %s", name, f.name, f.holds, want, hint)
}

// kindHint says what to do with samples of the wrong kind.
func kindHint(f *format, want Want) string {
	formats := ".npy"
	if ways := arrangements(want); len(ways) > 0 {
		formats = strings.Join(alternatives(want, ways[0].channels), " or ")
	}
	target := f.kinds[len(f.kinds)-1]
	switch k := want.Elem.Kind; {
	case target.IsFloat():
		return fmt.Sprintf("write %s, or convert to %s in the program", formats, target)
	case k == types.Bool:
		return fmt.Sprintf("write %s, or make it u8 in the program, as in m ? 255 : 0", formats)
	}
	return fmt.Sprintf("write %s, or convert in the program with sat<%s>(...)", formats, f.kinds[0])
}

// alternatives lists the extensions that hold samples of the wanted kind in so many channels.
func alternatives(want Want, channels int) []string {
	var all []string
	for _, f := range formats {
		if !f.aside && (f.kinds == nil || slices.Contains(f.kinds, want.Elem.Kind) && slices.Contains(f.channels, channels)) {
			all = append(all, f.ext[0])
		}
	}
	return all
}

// store brings m into the terms of the format.
func (f *format) store(name string, m *pixels.Image, want Want) (*stored, error) {
	way, err := f.way(name, want)
	if err != nil {
		return nil, err
	}
	kind := m.Elem.Kind
	if f.channels == nil {
		extent := slices.Clone(m.Extent)
		if m.Elem.Lanes > 1 {
			extent = append(extent, int(m.Elem.Lanes))
		}
		return &stored{kind: kind, extent: extent, data: m.Data}, nil
	}
	s := &stored{kind: kind, extent: m.Extent, channels: way.channels, data: m.Data}
	switch {
	case way.planar:
		s.extent = m.Extent[1:]
		s.data = transpose(m.Data, way.channels, s.extent[0]*s.extent[1], kind.Bytes())
	case way.last:
		s.extent = m.Extent[:2]
	}
	if slices.Contains(f.channels, s.channels) {
		return s, nil
	}
	t, why := s.withChannels(3)
	if why != "" {
		return nil, f.cannot(name, want, "its alpha is not opaque everywhere; write "+strings.Join(alternatives(want, way.channels), " or "))
	}
	return t, nil
}
