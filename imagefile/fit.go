package imagefile

import (
	"fmt"
	"slices"
	"strings"

	"imgc/pixels"
	"imgc/types"
)

// stored is what a file holds, in the terms of its format.
type stored struct {
	kind     types.Kind
	extent   []int // slowest first; of a picture height and width
	channels int   // of a picture 1 to 4 (2 is grey and alpha), side by side in data; 0: an array
	beside   bool  // the last channel of two or four is no alpha
	data     []byte
}

// String is the type of the contents: "u8x3[480][640]".
func (s *stored) String() string {
	return (&pixels.Image{Elem: types.Vector(s.kind, max(s.channels, 1)), Extent: s.extent}).String()
}

// fit brings the contents into the form that want asks for.
func (s *stored) fit(name string, want Want) (*pixels.Image, error) {
	switch {
	case !want.Elem.IsValid():
		return s.asItIs(name)
	case s.channels == 0:
		return s.fitArray(name, want)
	}
	return s.fitPicture(name, want)
}

// asItIs serves the zero Want.
func (s *stored) asItIs(name string) (*pixels.Image, error) {
	elem := types.Vector(s.kind, max(s.channels, 1))
	if _, err := pixels.Size(elem, s.extent...); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &pixels.Image{Elem: elem, Extent: s.extent, Data: s.data}, nil
}

// fitArray takes the extents literally; a vector's lanes are the last one.
func (s *stored) fitArray(name string, want Want) (*pixels.Image, error) {
	extent, lanes := s.extent, int(want.Elem.Lanes)
	if n := len(extent); n == want.Rank+min(lanes, 2) && extent[n-1] == 1 {
		extent = extent[:n-1] // one channel, which other libraries keep as an extent
	}
	if n := len(extent); lanes > 1 && n > 0 && extent[n-1] == lanes {
		extent = extent[:n-1]
	} else if lanes > 1 {
		extent = nil
	}
	if !want.admits(extent) {
		return nil, fmt.Errorf("%s is %s; %s%s", name, s, want.wants(), extentHint(s.extent, want))
	}
	if !exact(s.kind, want.Elem.Kind) {
		return nil, s.wrongKind(name, want)
	}
	return &pixels.Image{Elem: want.Elem, Extent: slices.Clone(extent), Data: convert(s.data, s.kind, want.Elem.Kind)}, nil
}

// extentHint says why an array's extents are not those wanted.
func extentHint(extent []int, want Want) string {
	rank, lanes := want.Rank, int(want.Elem.Lanes)
	if lanes > 1 {
		rank++
	}
	switch {
	case len(extent) != rank && lanes > 1:
		return fmt.Sprintf(", which a file holds as %d extents, the last one %d; this has %d", rank, lanes, len(extent))
	case len(extent) != rank:
		if len(extent) == 1 {
			return fmt.Sprintf(": 1 extent, not %d", rank)
		}
		return fmt.Sprintf(": %d extents, not %d", len(extent), rank)
	case lanes > 1 && extent[rank-1] != lanes:
		return fmt.Sprintf(", which a file holds with a last extent of %d, not %d", lanes, extent[rank-1])
	}
	for k := range want.Rank {
		if f := want.fixed(k); f >= 0 && f != extent[k] {
			return fmt.Sprintf(": extent %d must be %d, not %d", k, f, extent[k])
		}
	}
	return ""
}

// An arrangement is a way to see an image as a picture.
type arrangement struct {
	channels int  // 1 to 4
	planar   bool // the first extent counts channels
	last     bool // the last extent counts channels; neither: the lanes do
}

// arrangements lists the ways to see the wanted type as a picture, the likeliest first. A third extent counts channels
// only where it is a constant: T[3][H][W] may be a picture, T[D][H][W] is a volume.
func arrangements(want Want) []arrangement {
	lanes := int(want.Elem.Lanes)
	if want.Rank == 2 {
		return []arrangement{{channels: lanes}}
	}
	var all []arrangement
	if want.Rank == 3 && lanes == 1 {
		if n := want.fixed(2); n >= 1 && n <= 4 {
			all = append(all, arrangement{channels: n, last: true})
		}
		if n := want.fixed(0); n == 3 || n == 4 {
			all = append(all, arrangement{channels: n, planar: true})
		}
	}
	return all
}

// extents puts a picture's height, width and channels in the arrangement's order.
func (a arrangement) extents(h, w int) []int {
	switch {
	case a.planar:
		return []int{a.channels, h, w}
	case a.last:
		return []int{h, w, a.channels}
	}
	return []int{h, w}
}

// fitPicture adapts channels and layout.
func (s *stored) fitPicture(name string, want Want) (*pixels.Image, error) {
	ways := arrangements(want)
	if len(ways) == 0 {
		return nil, fmt.Errorf("%s is a picture (%s); %s, which a picture cannot fill: use a .npy or .raw file", name, s, want.wants())
	}
	way := ways[0]
	for _, a := range ways {
		if want.admits(a.extents(s.extent[0], s.extent[1])) {
			way = a
			break
		}
	}
	extent := way.extents(s.extent[0], s.extent[1])
	if !want.admits(extent) {
		return nil, fmt.Errorf("%s is %s; %s%s", name, s, want.wants(), extentHint(extent, want))
	}
	t, why := s.withChannels(way.channels)
	if why != "" {
		return nil, s.wrongChannels(name, want, way, why)
	}
	if !exact(s.kind, want.Elem.Kind) {
		return nil, s.wrongKind(name, want)
	}
	data := convert(t.data, s.kind, want.Elem.Kind)
	if way.planar {
		data = transpose(data, s.extent[0]*s.extent[1], way.channels, want.Elem.Kind.Bytes())
	}
	return &pixels.Image{Elem: want.Elem, Extent: extent, Data: data}, nil
}

// recipes says which channels of a picture, by number, give a picture with another number of them; opaque stands for an
// alpha at its largest value.
var recipes = map[[2]int][]int{
	{1, 2}: {0, opaque}, {1, 3}: {0, 0, 0}, {1, 4}: {0, 0, 0, opaque},
	{2, 1}: {0}, {2, 3}: {0, 0, 0}, {2, 4}: {0, 0, 0, 1},
	{3, 4}: {0, 1, 2, opaque},
	{4, 3}: {0, 1, 2},
}

const opaque = -1

// withChannels is the picture with n channels, or why it cannot be had.
func (s *stored) withChannels(n int) (t *stored, why string) {
	if s.channels == n {
		return s, ""
	}
	recipe, ok := recipes[[2]int{s.channels, n}]
	switch {
	case !ok:
		return nil, "colour"
	case s.channels%2 == 0 && n < 4 && s.beside:
		return nil, "beside"
	case s.channels%2 == 0 && n < 4 && !s.isOpaque():
		return nil, "alpha"
	}
	return s.pick(recipe), ""
}

// pick makes a picture of some channels of s.
func (s *stored) pick(recipe []int) *stored {
	size := s.kind.Bytes()
	full := make([]byte, size)
	types.Store(s.kind, full, largest(s.kind))
	from, to := s.channels*size, len(recipe)*size
	n := s.extent[0] * s.extent[1]
	out := make([]byte, n*to)
	for i := range n {
		in := s.data[i*from : (i+1)*from]
		for k, c := range recipe {
			value := full
			if c != opaque {
				value = in[c*size : (c+1)*size]
			}
			copy(out[i*to+k*size:], value)
		}
	}
	return &stored{kind: s.kind, extent: s.extent, channels: len(recipe), data: out}
}

// largest is the value of an opaque alpha.
func largest(k types.Kind) types.Word {
	if k.IsFloat() {
		return types.Float(1)
	}
	return types.Highest(k)
}

// isOpaque reports whether the last channel has its largest value everywhere.
func (s *stored) isOpaque() bool {
	size := s.kind.Bytes()
	full := make([]byte, size)
	types.Store(s.kind, full, largest(s.kind))
	step := s.channels * size
	for i := step - size; i < len(s.data); i += step {
		if string(s.data[i:i+size]) != string(full) {
			return false
		}
	}
	return true
}

var channelNames = [...]string{1: "1 channel", 2: "grey and alpha", 3: "3 channels", 4: "4 channels"}

// wrongChannels words the error about colour where grey is wanted, and about alpha that would be lost.
func (s *stored) wrongChannels(name string, want Want, way arrangement, why string) error {
	head := fmt.Sprintf("%s has %s (%s); %s", name, channelNames[s.channels], s, want.wants())
	var outs []string
	switch {
	case why == "alpha":
		head += ", and its alpha is not opaque everywhere"
		outs = append(outs, "flatten it first")
	case why == "beside":
		head += ", and its last channel, which is no alpha, would be lost"
		outs = append(outs, "take it out of the file first")
	case way.channels == 1:
		outs = append(outs, "convert it to grey first")
	default:
		return fmt.Errorf("%s, which no picture fills: use a .npy or .raw file", head)
	}
	if want.Rank == 2 {
		kind := want.Elem.Kind
		if !exact(s.kind, kind) {
			kind = s.kind
		}
		outs = append(outs, want.declare(types.Vector(kind, s.channels)))
	}
	return fmt.Errorf("%s: %s", head, strings.Join(outs, ", or "))
}

func (s *stored) wrongKind(name string, want Want) error {
	return fmt.Errorf("%s is %s; %s: %s, or convert the file to %s first",
		name, s, want.wants(), want.declare(want.Elem.WithKind(s.kind)), want.Elem.Kind)
}

// exact reports whether components of kind from may be read as kind to: the same kind, or a float kind that holds all
// their values. An integer file for another integer type is left to the user, who alone knows whether 255 is white.
func exact(from, to types.Kind) bool {
	switch {
	case from == to:
		return true
	case from.IsFloat() || !to.IsFloat():
		return to.IsFloat() && types.Holds(from, to)
	}
	bits := from.Bits()
	if from.IsSigned() {
		bits--
	}
	return from.IsInt() && bits <= to.Precision()
}

// convert changes the kind of every component.
func convert(data []byte, from, to types.Kind) []byte {
	if from == to {
		return data
	}
	in, out := from.Bytes(), to.Bytes()
	result := make([]byte, len(data)/in*out)
	if in == 1 && len(data) > 256 { // photographs are large, and their values few
		every := make([]byte, 256)
		for i := range every {
			every[i] = byte(i)
		}
		table := convert(every, from, to)
		for i, b := range data {
			copy(result[i*out:(i+1)*out], table[int(b)*out:])
		}
		return result
	}
	for i, o := 0, 0; i+in <= len(data); i, o = i+in, o+out {
		types.Store(to, result[o:], types.Convert(types.Load(from, data[i:]), from, to))
	}
	return result
}

// transpose turns rows × columns elements of size bytes into columns × rows.
func transpose(data []byte, rows, columns, size int) []byte {
	out := make([]byte, len(data))
	for c := range columns {
		plane := out[c*rows*size:]
		for r := range rows {
			from := (r*columns + c) * size
			copy(plane[r*size:(r+1)*size], data[from:from+size])
		}
	}
	return out
}
