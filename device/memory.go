package device

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"

	"imgc/device/cl"
	"imgc/kir"
	"imgc/pixels"
	"imgc/types"
)

// A Layout says how images lie in device memory. The zero Layout has them lie as the program asks for. Any other is for tests: results must
// not depend on it, and what lies between and before the lines of an image must still be there when a call returns.
type Layout struct {
	// In components, or pixels of temporaries that are vectors.
	Pad      int // between the lines of every image
	Offset   int // before the first line of a parameter
	Multiple int // not 0: lines start so many apart, or a multiple of that; what this needs comes behind Pad
	// Each, if not nil, is how each image lies, by its name; the rest of the layout then counts for none.
	Each func(name string) Layout
}

// of is the layout of one image.
func (l Layout) of(m *kir.Image) Layout {
	if l.Each != nil {
		return l.Each(m.Name)
	}
	return l
}

// String is for messages of tests.
func (l Layout) String() string {
	if l.Each != nil {
		return "of each image"
	}
	return fmt.Sprintf("{Pad:%d Offset:%d Multiple:%d}", l.Pad, l.Offset, l.Multiple)
}

// isNone reports whether the program decides.
func (l Layout) isNone() bool { return l.Pad == 0 && l.Offset == 0 && l.Multiple == 0 }

// gap is how many components lie behind a line of so many.
func (l Layout) gap(line int) int {
	if l.Multiple <= 0 {
		return l.Pad
	}
	return (line+l.Pad+l.Multiple-1)/l.Multiple*l.Multiple - line
}

// sizeOf is the number of bytes of an image.
func sizeOf(elem types.Type, extent []int) (int, error) { return pixels.Size(elem, extent...) }

// A block is an image's place in device memory. Lengths are in bytes.
type block struct {
	image  *kir.Image
	buffer *cl.Buffer
	offset int // of the first line
	pitch  int // from line to line
	line   int
	lines  int
	own    bool // what lies between the lines may change
	lent   bool // the buffer is another image's, which is not in use at the same time
}

// newBlock lays an image out, where the layout says nothing as the program asks for. Extents are checked, so only padding can be too
// large.
func newBlock(m *kir.Image, extent []int, l Layout, padding int) (*block, error) {
	l = l.of(m)
	unit := unit(m)
	b := &block{image: m, line: m.Elem.Bytes(), lines: 1, own: l.isNone()}
	for axis, e := range extent {
		if axis <= m.LineAxis {
			b.lines *= e
		} else {
			b.line *= e
		}
	}
	b.pitch = b.line
	switch {
	case m.Pitch == nil:
	case b.own:
		b.pitch = padded(b.line, padding)
	default:
		b.pitch += l.gap(b.line/unit) * unit
	}
	if m.Offset != nil {
		b.offset = l.Offset * unit
	}
	if l.Pad < 0 || l.Offset < 0 || l.Multiple < 0 || b.lines > math.MaxInt/8/b.pitch {
		return nil, fmt.Errorf("%s: the layout %v is not possible for an image of %s", m.Name, l, pixels.Dimensions(extent))
	}
	if b.lines > 1 && b.pitch/m.Elem.Kind.Bytes() > math.MaxInt32 {
		return nil, fmt.Errorf("%s: lines of %s are %d bytes apart, which is more than the %d components that can be handled", m.Name, pixels.Dimensions(extent), b.pitch, math.MaxInt32)
	}
	return b, nil
}

// unit is the bytes to multiples of which a layout moves an image: those of a component, of a pixel in temporaries, of which kernels
// take for granted that the pixels lie at multiples of what they take, and of an access where they take that for granted of lines.
func unit(m *kir.Image) int {
	switch {
	case m.Runs:
		return kir.RunBytes
	case m.Dir == kir.Temporary && kir.OneAccess(m.Elem):
		return m.Elem.Bytes()
	}
	return m.Elem.Kind.Bytes()
}

// padded is a line with the gap behind it: to a multiple of so many bytes, or of fewer, where the gap would be more than an eighth.
func padded(line, multiple int) int {
	gap := func() int { return (multiple - line%multiple) % multiple }
	for multiple = max(1, multiple); multiple > kir.RunBytes && gap() > line/8; {
		multiple /= 2
	}
	return line + gap()
}

// size is the bytes of the whole buffer; a padded one has padding at its end, too.
func (b *block) size() int { return b.offset + b.lines*b.pitch }

// packed reports whether the buffer holds the image's bytes and nothing else.
func (b *block) packed() bool { return b.offset == 0 && b.pitch == b.line }

// guard is what lies between and before the lines of an image that is not packed, and what an out image holds at first.
const guard = 0xA5

// zero reports whether the image is of zeros at first.
func (b *block) zero() bool { return b.image.Zero || b.image.Kept }

// write fills the buffer: with data, or zeros where the image asks for it, or nothing.
func (b *block) write(data []byte) error {
	switch {
	case b.packed() && data != nil:
		return b.buffer.Write(0, data)
	case b.packed() && b.zero():
		return b.buffer.Zero()
	case b.packed():
		return nil
	}
	all := bytes.Repeat([]byte{guard}, b.size())
	for i := range b.lines {
		line := all[b.offset+i*b.pitch:][:b.line]
		if data != nil {
			copy(line, data[i*b.line:])
		} else if b.zero() {
			clear(line)
		}
	}
	return b.buffer.Write(0, all)
}

// start gives the block of a level its first contents. One that moves is laid out later; all of it is zero, if any.
func (b *block) start(moves bool) error {
	switch {
	case !moves:
		return b.write(nil)
	case b.image.Zero:
		return b.buffer.Zero()
	}
	return nil
}

// clear fills the image with zeros, after all that was launched.
func (b *block) clear() error {
	if b.packed() || b.own {
		return b.buffer.Zero()
	}
	for i := range b.lines {
		if err := b.buffer.Write(b.offset+i*b.pitch, make([]byte, b.line)); err != nil {
			return err
		}
	}
	return nil
}

// read copies the image to data, and reports where a kernel has written between its lines.
func (b *block) read(data []byte) error {
	if b.packed() {
		return b.buffer.Read(0, data)
	}
	all := make([]byte, b.size())
	if err := b.buffer.Read(0, all); err != nil {
		return err
	}
	for i := range b.lines {
		copy(data[i*b.line:][:b.line], all[b.offset+i*b.pitch:])
	}
	if b.own {
		return nil
	}
	return b.intact(all)
}

func (b *block) intact(all []byte) error {
	for i, v := range all {
		if at := i - b.offset; v != guard && (at < 0 || at%b.pitch >= b.line) {
			return fmt.Errorf("%w: a kernel wrote outside of %s: byte %d of its buffer (first line at %d, lines of %d bytes every %d)",
				ErrInternal,
				b.image.Name, i, b.offset, b.line, b.pitch)
		}
	}
	return nil
}

// A memory is the blocks of a call: of each image, and of each level of a pyramid.
type memory struct {
	images map[*kir.Image]*block
	levels map[*kir.Pyramid][]*block // by level; nil where the program does not get to it
}

// allocate takes device memory for all images. On failure nothing stays taken.
func (d *Device) allocate(c *call, l Layout, padding int) (*memory, error) {
	mem := &memory{map[*kir.Image]*block{}, map[*kir.Pyramid][]*block{}}
	owners := c.owners()
	sizes := map[*kir.Image]int{}
	for _, m := range c.images {
		b, err := newBlock(m, c.extents[m], l, padding)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.Name, err)
		}
		mem.images[m] = b
		sizes[owners[m]] = max(sizes[owners[m]], b.size())
		c.place(m, b)
	}
	for _, m := range c.images {
		b, owner := mem.images[m], owners[m]
		if b.lent = owner != m; b.lent {
			b.buffer = mem.images[owner].buffer
			continue
		}
		var err error
		if b.buffer, err = d.context.Buffer(sizes[m]); err != nil {
			mem.release()
			return nil, fmt.Errorf("%s: %w", m.Name, err)
		}
	}
	if err := d.allocateLevels(c, l, padding, mem); err != nil {
		mem.release()
		return nil, err
	}
	return mem, nil
}

// owners are the images in whose memory images lie: a local one may lie in that of one before it.
func (c *call) owners() map[*kir.Image]*kir.Image {
	out := map[*kir.Image]*kir.Image{}
	for _, m := range c.images {
		out[m] = m
	}
	for i, owner := range kir.Owners(c.plan) {
		out[c.plan.Locals[i]] = c.plan.Locals[owner]
	}
	return out
}

// place tells the plan's expressions where an image lies.
func (c *call) place(m *kir.Image, b *block) {
	component := m.Elem.Kind.Bytes()
	set := func(v *kir.Var, n int) {
		if v != nil {
			c.values[v] = types.Of(v.Type.Kind, types.Int(int64(n/component)))
		}
	}
	set(m.Offset, b.offset)
	set(m.Pitch, b.pitch)
}

func (mem *memory) release() {
	close := func(b *block) {
		if b != nil && b.buffer != nil && !b.lent {
			b.buffer.Close()
		}
	}
	for _, b := range mem.images {
		close(b)
	}
	for _, blocks := range mem.levels {
		for _, b := range blocks {
			close(b)
		}
	}
}

// upload gives every image its contents before the first launch.
func (mem *memory) upload(c *call) error {
	for _, m := range c.images {
		var data []byte
		if m.Dir == kir.In || m.Dir == kir.InOut {
			data = c.args.Images[m.Name].Data
		}
		if err := mem.images[m].write(data); err != nil {
			return fmt.Errorf("%s: %w", m.Name, err)
		}
	}
	for p, blocks := range mem.levels {
		for _, b := range blocks {
			if b == nil {
				continue
			}
			if err := b.start(p.Moves()); err != nil {
				return fmt.Errorf("%s: %w", p.Name, err)
			}
		}
	}
	return nil
}

// pixel is what the one pixel of an image holds.
func (mem *memory) pixel(c *call, from *kir.Image) (types.Value, error) {
	v := types.Value{Type: from.Elem}
	m, err := pixels.New(from.Elem, 1)
	if err != nil {
		return v, err
	}
	b, err := mem.of(c, from)
	if err == nil {
		err = b.read(m.Data)
	}
	if err != nil {
		return v, err
	}
	for i := range int(from.Elem.Lanes) {
		v.Words = append(v.Words, m.Word(i))
	}
	return v, nil
}

// readScalars takes the out scalars that kernels have computed.
func (mem *memory) readScalars(c *call) error {
	for _, step := range c.plan.Steps {
		s, ok := step.(*kir.SetScalar)
		if !ok || s.From == nil {
			continue
		}
		v, err := mem.pixel(c, s.From)
		if err != nil {
			return fmt.Errorf("%s: %w", s.Var.Name, err)
		}
		v.Type = s.Var.Type
		if v.Type.Kind == types.Bool {
			v.Words[0] = types.Truth(v.Words[0].Int() != 0)
		}
		c.values[s.Var] = v
	}
	return nil
}

// keepsZeros fails where a call has left something in what libraries keep for the next one.
func (mem *memory) keepsZeros(c *call) error {
	for _, m := range c.images {
		if !m.Kept {
			continue
		}
		left, err := pixels.New(m.Elem, c.extents[m]...)
		if err == nil {
			err = mem.images[m].read(left.Data)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", m.Name, err)
		}
		if slices.ContainsFunc(left.Data, func(b byte) bool { return b != 0 }) {
			return fmt.Errorf("%w: the call leaves something in %s", ErrInternal, m.Name)
		}
	}
	return nil
}

// download returns what the pipeline returns. The caller's images are written only when everything has been read.
func (mem *memory) download(c *call) (Results, error) {
	r := Results{Images: map[string]*pixels.Image{}, Scalars: map[string]types.Value{}}
	if err := errors.Join(mem.readScalars(c), mem.keepsZeros(c)); err != nil {
		return Results{}, err
	}
	for _, p := range c.plan.Params {
		switch {
		case p.Dir == kir.In:
		case p.Scalar != nil:
			r.Scalars[p.Name] = c.values[p.Scalar]
		default:
			m, err := pixels.New(p.Image.Elem, c.extents[p.Image]...)
			if err == nil {
				err = mem.images[p.Image].read(m.Data)
			}
			if err != nil {
				return Results{}, fmt.Errorf("%s: %w", p.Name, err)
			}
			r.Images[p.Name] = m
		}
	}
	for name, m := range r.Images {
		if given := c.args.Images[name]; given != nil {
			copy(given.Data, m.Data)
			r.Images[name] = given
		}
	}
	return r, nil
}
