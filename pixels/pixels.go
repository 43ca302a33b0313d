package pixels

import (
	"fmt"
	"math"
	"strings"
	"unsafe"

	"imgc/types"
)

// An Image has one to four extents, slowest first, and its elements packed without gaps, row by row, components in
// little-endian order. A bool is one byte, 0 or 1.
type Image struct {
	Elem   types.Type // scalar or vector
	Extent []int
	Data   []byte // Len()*Elem.Bytes() bytes
}

// MaxBytes bounds the bytes of one image, so that a size never overflows an int.
const MaxBytes = math.MaxInt64 / 16

// New makes an image of zeros. It fails on an extent below 1, on more than four extents and where the size overflows.
func New(elem types.Type, extent ...int) (*Image, error) {
	n, err := Size(elem, extent...)
	if err != nil {
		return nil, err
	}
	return &Image{Elem: elem, Extent: append([]int(nil), extent...), Data: make([]byte, n)}, nil
}

// Size is the number of bytes of an image, or an error that says which extent is wrong.
func Size(elem types.Type, extent ...int) (int, error) {
	if !elem.IsValid() || elem.IsArray() {
		return 0, fmt.Errorf("an image cannot have elements of type %s", elem)
	}
	if len(extent) < 1 || len(extent) > types.MaxRank {
		return 0, fmt.Errorf("an image has 1 to %d extents, not %d", types.MaxRank, len(extent))
	}
	n := elem.Bytes()
	for i, e := range extent {
		if e < 1 {
			return 0, fmt.Errorf("extent %d is %d; every extent must be at least 1", i, e)
		}
		if n > MaxBytes/e {
			return 0, fmt.Errorf("an image of %s with extents %v is too large", elem, extent)
		}
		n *= e
	}
	return n, nil
}

// Len is the number of elements.
func (m *Image) Len() int {
	n := 1
	for _, e := range m.Extent {
		n *= e
	}
	return n
}

// Words is the number of components: Len times the lanes of the element type.
func (m *Image) Words() int { return m.Len() * int(m.Elem.Lanes) }

// Word reads component i, counted through the whole image.
func (m *Image) Word(i int) types.Word {
	return types.Load(m.Elem.Kind, m.Data[i*m.Elem.Kind.Bytes():])
}

// SetWord writes component i.
func (m *Image) SetWord(i int, w types.Word) {
	types.Store(m.Elem.Kind, m.Data[i*m.Elem.Kind.Bytes():], w)
}

// Clone copies the image.
func (m *Image) Clone() *Image {
	return &Image{Elem: m.Elem, Extent: append([]int(nil), m.Extent...), Data: append([]byte(nil), m.Data...)}
}

// String is the type with its extents: "u8x3[480][640]".
func (m *Image) String() string {
	s := m.Elem.String()
	for _, e := range m.Extent {
		s += fmt.Sprintf("[%d]", e)
	}
	return s
}

// Overlap reports whether two images share memory; nil shares none.
func Overlap(m, n *Image) bool {
	if m == nil || n == nil {
		return false
	}
	mLow := uintptr(unsafe.Pointer(unsafe.SliceData(m.Data)))
	nLow := uintptr(unsafe.Pointer(unsafe.SliceData(n.Data)))
	return mLow < nLow+uintptr(len(n.Data)) && nLow < mLow+uintptr(len(m.Data))
}

// Dimensions is "480 x 640", slowest axis first like the declaration.
func Dimensions(extent []int) string {
	parts := make([]string, len(extent))
	for i, e := range extent {
		parts[i] = fmt.Sprint(e)
	}
	return strings.Join(parts, " x ")
}
