package imagefile

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"imgc/pixels"
	"imgc/types"
)

// A Want is the type of a pipeline's parameter as far as a file can fit it. The zero Want is content with anything.
type Want struct {
	Name   string     // of the parameter, for messages; may be empty
	Elem   types.Type // a scalar or a vector
	Rank   int        // number of extents
	Fixed  []int      // constant extents, -1 for the others; nil where none is constant
	Extent []string   // the extents as the program spells them ("H", "W/2"), for messages; nil: H and W
}

// of is w, or where w is zero or of another rank, exactly m's type.
func (w Want) of(m *pixels.Image) Want {
	if w.Elem == m.Elem && w.Rank == len(m.Extent) {
		return w
	}
	return Want{Name: w.Name, Elem: m.Elem, Rank: len(m.Extent), Fixed: m.Extent}
}

// fixed is the constant extent k, or -1.
func (w Want) fixed(k int) int {
	if k < len(w.Fixed) && w.Fixed[k] > 0 {
		return w.Fixed[k]
	}
	return -1
}

// admits reports whether the extents are as many as w has, and equal to the fixed ones.
func (w Want) admits(extent []int) bool {
	if len(extent) != w.Rank {
		return false
	}
	for k, e := range extent {
		if f := w.fixed(k); f >= 0 && f != e {
			return false
		}
	}
	return true
}

// letters are names for extents of which the program's spelling is not known.
var letters = [types.MaxRank + 1][]string{{}, {"N"}, {"H", "W"}, {"D", "H", "W"}, {"T", "D", "H", "W"}}

// extents is the spelling of the extents: [H][W].
func (w Want) extents() string {
	var b strings.Builder
	for k := range w.Rank {
		switch f := w.fixed(k); {
		case k < len(w.Extent) && w.Extent[k] != "":
			fmt.Fprintf(&b, "[%s]", w.Extent[k])
		case f >= 0:
			fmt.Fprintf(&b, "[%d]", f)
		case w.Rank < len(letters):
			fmt.Fprintf(&b, "[%s]", letters[w.Rank][k])
		default:
			b.WriteString("[_]")
		}
	}
	return b.String()
}

// String is the type as the program has it: u8[H][W].
func (w Want) String() string { return w.Elem.String() + w.extents() }

// wants begins the second half of a message: "parameter src wants u8[H][W]".
func (w Want) wants() string {
	if w.Name == "" {
		return w.String() + " is wanted"
	}
	return fmt.Sprintf("parameter %s wants %s", w.Name, w)
}

// declare ends a message with a way out: "declare src as u16[H][W]".
func (w Want) declare(elem types.Type) string {
	w.Elem = elem
	if w.Name == "" {
		return "declare it as " + w.String()
	}
	return fmt.Sprintf("declare %s as %s", w.Name, w)
}

// A layout is the type of a raw file.
type layout struct {
	elem   types.Type
	extent []int
}

func (l *layout) String() string { return (&pixels.Image{Elem: l.elem, Extent: l.extent}).String() }

func (l *layout) is(m *pixels.Image) bool {
	return l.elem == m.Elem && slices.Equal(l.extent, m.Extent)
}

// splitType splits "in.raw:u8[1080][1920]" at the colon. Typ is empty where what follows the last colon has no brackets,
// so that a path with a colon stays whole.
func splitType(path string) (file, typ string) {
	i := strings.LastIndexByte(path, ':')
	if i < 0 || !strings.HasSuffix(path, "]") || !strings.Contains(path[i:], "[") || strings.ContainsAny(path[i:], `/\`) {
		return path, ""
	}
	return path[:i], path[i+1:]
}

// ParseType reads a type with constant extents as a raw file has it: "u8x3[1080][1920]".
func ParseType(s string) (elem types.Type, extent []int, err error) {
	name, rest, _ := strings.Cut(s, "[")
	elem, ok := types.Parse(name)
	if !ok {
		return elem, nil, fmt.Errorf("%q is no type; a type looks like u8[1080][1920] or f32x3[480][640]", s)
	}
	if body, closed := strings.CutSuffix(rest, "]"); closed {
		for _, digits := range strings.Split(body, "][") {
			n, err := strconv.Atoi(digits)
			if err != nil {
				return elem, nil, fmt.Errorf("%q: the extent %q is no number", s, digits)
			}
			extent = append(extent, n)
		}
	}
	if _, err := pixels.Size(elem, extent...); err != nil {
		return elem, nil, fmt.Errorf("%q: %w", s, err)
	}
	return elem, extent, nil
}

// formatFor finds the format to write m in. A raw file without a type gets what m has.
func formatFor(name, ext, typ string, want Want, m *pixels.Image) (*format, *layout, error) {
	if f, err := formatOf(name, ext); err == nil && f.name == "raw" && typ == "" {
		return f, &layout{m.Elem, m.Extent}, nil
	}
	return formatAndLayout(name, ext, typ, want.of(m))
}

// formatAndLayout finds the format, and of a raw file the type: the one behind the path, else want's.
func formatAndLayout(name, ext, typ string, want Want) (*format, *layout, error) {
	f, err := formatOf(name, ext)
	switch {
	case err != nil:
		return nil, nil, err
	case f.name != "raw" && typ != "":
		return nil, nil, fmt.Errorf("%s: only a .raw file takes a type (%s); %s files say themselves what they hold", name, typ, f.name)
	case f.name != "raw":
		return f, nil, nil
	case typ != "":
		elem, extent, err := ParseType(typ)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", name, err)
		}
		return f, &layout{elem, extent}, nil
	}
	l := &layout{elem: want.Elem}
	for k := range want.Rank {
		if want.fixed(k) < 0 {
			return nil, nil, fmt.Errorf("%s: a .raw file does not say how large it is; write its type behind its name, like %s:u8[1080][1920]", name, name)
		}
		l.extent = append(l.extent, want.fixed(k))
	}
	if !want.Elem.IsValid() {
		return nil, nil, fmt.Errorf("%s: a .raw file does not say what it holds; write its type behind its name, like %s:u8[1080][1920]", name, name)
	}
	return f, l, nil
}
