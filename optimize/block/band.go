package block

import (
	"slices"

	"imgc/hast"
	"imgc/kir"
)

// The lines of a scan that run along the lines of images are memory that neighbouring items reach far apart from each other. What an instance reads and
// writes of the images that the scan writes is its own pixel, and pixels of the line that instances before it have written. So a group can load pieces of
// some lines (a band) together, neighbours next to each other, each line is run by an item on the pieces, and the group stores what has come of them.

// maxBefore is the most instances before it of whose pixels one may read.
const maxBefore = 4

// A Band is what such a scan reads and writes of pieces.
type Band struct {
	Pieces []*Piece
	Here   map[*hast.Load]*Piece // loads of the instance's own pixel
	Before map[*hast.Load]Behind
	Order  int // how far loads go back
}

// A Piece is of one line of an image for each line of the scan.
type Piece struct {
	Image *hast.Image
	Index []hast.Expr // of the pixel of an instance: each an iteration variable apart from a constant, or a constant
	Read  bool        // instances read their own pixel, as it was
	Store *hast.Store // what they write; nil where they only read
	Order int         // how far loads of it go back
	at    []Linear
}

// Behind says that a load reads the pixel that an instance so many before it has written.
type Behind struct {
	*Piece
	Distance int
}

// AnalyzeBand finds the pieces of a scan; why is the end of a sentence, "" where it can be run on pieces.
func AnalyzeBand(s *hast.Stage) (out *Band, why string) {
	switch {
	case s.Scan == nil:
		return nil, "it is no scan"
	case s.Scan.Meet():
		return nil, "its lines along the scan touch pixels together"
	case s.Space.Points != nil || len(s.Fused) > 0 || s.Where != nil:
		return nil, "it leaves out instances, or others are fused with it"
	case len(s.Space.Vars) < 2:
		return nil, "it has one line"
	case s.Space.Ranges[s.Scan.Axis].Step != 1:
		return nil, "it does not go from pixel to pixel along the scan"
	}
	a := &banding{stage: s, along: s.Space.Vars[s.Scan.Axis], out: &Band{Here: map[*hast.Load]*Piece{}, Before: map[*hast.Load]Behind{}}}
	across := s.Across()
	a.lines = s.Space.Vars[across[len(across)-1]]
	for _, st := range s.Body {
		if st, ok := st.(*hast.Store); ok {
			a.store(st)
		}
	}
	top := len(a.out.Pieces)
	hast.EachStore(s.Body, func(*hast.Store) { top-- })
	if a.why == "" && top != 0 {
		return nil, "it writes pixels under conditions"
	}
	for _, st := range s.Body {
		hast.WalkBody([]hast.Stmt{st}, nil, a.read)
		if st, ok := st.(*hast.Store); ok {
			a.stored = append(a.stored, st)
		}
	}
	if a.why != "" {
		return nil, a.why
	}
	return a.out, ""
}

type banding struct {
	stage        *hast.Stage
	along, lines *hast.Var
	out          *Band
	stored       []*hast.Store // by the statements so far
	why          string
}

func (a *banding) refuse(why string) {
	if a.why == "" {
		a.why = why
	}
}

// place is where subscripts lie: along the image's last axis the scanned variable apart from a constant, elsewhere others or constants.
func (a *banding) place(index []hast.Expr) (at []Linear, ok bool) {
	for k, e := range index {
		l, ok := own(a.stage, e)
		if !ok || (k == len(index)-1) != (l.Var == a.along) {
			return nil, false
		}
		at = append(at, l)
	}
	return at, len(at) > 0
}

func (a *banding) store(st *hast.Store) {
	at, ok := a.place(st.Index)
	switch {
	case st.Updates() || st.Skip:
		a.refuse("it updates pixels, or skips those outside of images")
	case st.Image.View != nil:
		a.refuse("it writes a part of an image")
	case !ok || at[len(at)-1].Lo != 0:
		a.refuse("what it writes are not pixels of its own in lines of images along the scan")
	case a.writes(st.Image) != nil:
		a.refuse("it writes an image twice")
	default:
		a.out.Pieces = append(a.out.Pieces, &Piece{Image: st.Image, Index: st.Index, Store: st, at: at})
	}
}

// writes is the piece of an image that is written, or of which a part is.
func (a *banding) writes(m *hast.Image) *Piece {
	for _, p := range a.out.Pieces {
		if p.Store != nil && p.Image.Base() == m.Base() {
			return p
		}
	}
	return nil
}

func (a *banding) read(e hast.Expr) {
	switch e := e.(type) {
	case *hast.Window:
		if a.writes(e.Image) != nil {
			a.refuse("it reads windows of what it writes")
		}
	case *hast.Load:
		if p := a.writes(e.Image); p != nil {
			a.readWritten(e, p)
			return
		}
		a.readOther(e)
	}
}

// readWritten notes a load of an image that is written.
func (a *banding) readWritten(e *hast.Load, p *Piece) {
	index, inside := make([]hast.Expr, len(e.Index)), true
	last := len(e.Index) - 1
	for k, c := range e.Index {
		index[k] = c.X
		inside = inside && (k == last || !c.Below && !c.Above)
	}
	at, ok := a.place(index)
	if !ok || !inside || e.Image != p.Image || !slices.Equal(at[:last], p.at[:last]) {
		a.refuse("it reads pixels of what it writes that lie elsewhere than on its line")
		return
	}
	d := int(-at[last].Lo)
	if a.stage.Scan.Down {
		d = -d
	}
	switch {
	case d == 0 && slices.Contains(a.stored, p.Store):
		a.refuse("it reads what the instance itself has written")
	case d == 0 && (e.Index[last].Below || e.Index[last].Above):
		a.refuse("its own pixel may lie outside of an image")
	case d == 0:
		a.out.Here[e], p.Read = p, true
	case d < 0:
		a.refuse("it reads pixels that instances behind it will write")
	case d > maxBefore:
		a.refuse("it reads pixels of more instances before than it could remember")
	default:
		a.out.Before[e] = Behind{p, d}
		p.Order = max(p.Order, d)
		a.out.Order = max(a.out.Order, d)
	}
}

// readOther notes a load of an image that is not written, if it is of the instance's pixel in a line of its own.
func (a *banding) readOther(e *hast.Load) {
	index := make([]hast.Expr, len(e.Index))
	for k, c := range e.Index {
		if index[k] = c.X; c.Below || c.Above {
			return
		}
	}
	at, ok := a.place(index)
	if !ok || at[len(at)-1].Lo != 0 || e.Image.View != nil || !slices.ContainsFunc(at, func(l Linear) bool { return l.Var == a.lines }) {
		return
	}
	for _, p := range a.out.Pieces {
		if p.Image == e.Image && slices.Equal(p.at, at) {
			a.out.Here[e] = p
			return
		}
	}
	p := &Piece{Image: e.Image, Index: index, Read: true, at: at}
	a.out.Pieces = append(a.out.Pieces, p)
	a.out.Here[e] = p
}

// LocalBytes is what a group with so many lines and columns has of the pieces in local memory.
func (x *Band) LocalBytes(lines, columns int) (bytes int) {
	for _, p := range x.Pieces {
		bytes += lines * p.Row(columns) * kir.LocalComponent(p.Image.Elem.Kind)
	}
	return bytes
}

// Row is how many components apart the lines of so many columns of a piece are in local memory: so many that items of different lines use different banks.
func (p *Piece) Row(columns int) int {
	n, bytes := columns*int(p.Image.Elem.Lanes), kir.LocalComponent(p.Image.Elem.Kind)
	for n*bytes%max(8, 2*bytes) != max(4, bytes) {
		n++
	}
	return n
}

// Held is how many components of pieces an item of a group of so many has on their way.
func (x *Band) Held(lines, columns, items int) (n int) {
	for _, p := range x.Pieces {
		if p.Read {
			n += lines * columns / items * int(p.Image.Elem.Lanes)
		}
	}
	return n
}
