package block

import (
	"fmt"
	"slices"

	"imgc/hast"
)

// Instances that update pixels together often do so by cells: those of 8 x 8 pixels that a histogram of gradients is of, or of 16 x 16 pixels of which a mean is to be known. All that falls to a
// cell's pixels comes of its own instances, so that who computes these needs nobody else for it.

// Cells are those of a stage.
type Cells struct {
	Size   [2]int // instances of a cell along x and y
	Images []*CellImage
}

// A CellImage is an image that the instances of cells update.
type CellImage struct {
	Image *hast.Image
	// Along says of each axis of the image along which variable it counts cells, 0 for x and 1 for y; negative of an axis along which a cell has pixels, as bins.
	Along []int
	Bins  int // pixels that a cell has
}

// mostOfCell bounds the instances of a cell along an axis, and its pixels.
const mostOfCell = 1 << 12

// CellsOf finds the cells of a stage, all of whose updates are to be those of cells; why is the end of a sentence, "" where it has some.
func CellsOf(s *hast.Stage) (c *Cells, why string) {
	n := len(s.Space.Vars)
	if s.Scan != nil || s.Space.Points != nil || n < 1 || n > 2 || len(Counting(s)) != n {
		return nil, "its instances are not those of one or two variables that count from 0 on"
	}
	c, scope := &Cells{}, ScopeOf(s)
	scope.Lets = hast.Values(s.Body)
	hast.EachStore(s.Body, func(st *hast.Store) {
		if why == "" && Meets(s, st) {
			why = c.add(s, scope, st)
		}
	})
	if why == "" && len(c.Images) == 0 {
		why = "it updates no image"
	}
	if why != "" {
		return nil, why
	}
	return c, ""
}

// add notes an update, or says why it is none of a cell.
func (c *Cells) add(s *hast.Stage, scope *Scope, st *hast.Store) string {
	m := st.Image
	if m.View != nil || m.Of != nil || m.Lower != nil {
		return "it updates a part of an image, a level, or one that does not begin at 0"
	}
	im, size, why := cellsOfStore(s, scope, st)
	if why != "" {
		return why
	}
	if c.Size == [2]int{} {
		c.Size = size
	}
	if c.Size != size {
		return fmt.Sprintf("its updates are of cells of %d x %d and of %d x %d instances", c.Size[0], c.Size[1], size[0], size[1])
	}
	for _, other := range c.Images {
		if other.Image == m {
			if !slices.Equal(other.Along, im.Along) {
				return "its updates of an image are of different cells"
			}
			return ""
		}
	}
	c.Images = append(c.Images, im)
	return ""
}

// cellsOfStore finds along which axes an update counts cells, and of how many instances.
func cellsOfStore(s *hast.Stage, scope *Scope, st *hast.Store) (*CellImage, [2]int, string) {
	im := &CellImage{Image: st.Image, Along: make([]int, len(st.Index)), Bins: 1}
	n := len(s.Space.Vars)
	size := [2]int{0, 1}
	if n > 1 {
		size[1] = 0
	}
	for axis, e := range st.Index {
		l, ok := scope.Linear(e)
		if dim := n - 1 - slices.Index(s.Space.Vars, l.Var); ok && l.Var != nil && l.Stride == 1 && l.Lo == 0 && l.Hi == 0 && size[dim] == 0 {
			im.Along[axis], size[dim] = dim, int(max(1, l.Div))
			continue
		}
		bins, ok := hast.Number(st.Image.Extent[axis])
		if im.Along[axis] = -1; !ok || bins < 1 || bins > mostOfCell || int64(im.Bins)*bins > mostOfCell {
			return nil, size, "what it updates lies neither in cells of instances, by quotients of the coordinates, nor in few places of one"
		}
		im.Bins *= int(bins)
	}
	if size[0]*size[1] == 0 || size[0] > mostOfCell || size[1] > mostOfCell {
		return nil, size, "instances of other cells update the same pixels"
	}
	return im, size, ""
}
