package schedule

import (
	"slices"
	"strings"

	"imgc/source"
)

// A Schedule has decisions for the stages of one pipeline.
type Schedule struct {
	Pipeline string
	// Device is part of the name of the devices, or of the architecture, that it is for; "" is for all.
	Device string
	Stages []*Stage // in the order of the text
	At     source.Span
}

// ByRows reports whether a schedule is for items that compute rows of instances, as processors have them, in some stage.
func (s *Schedule) ByRows() bool {
	return slices.ContainsFunc(s.Stages, func(st *Stage) bool { return st.Rows+st.Lanes > 0 })
}

// A Stage has the decisions for one stage: the iterate of that label, else the one that writes the image of that name first.
type Stage struct {
	Name string
	Decisions
	At source.Span
}

// Decisions say how one stage is carried out. A zero field is not decided.
type Decisions struct {
	Place Placement
	// Separate is not 0 where sums over windows weighted by a mask that is the product of a column and a row are computed along one axis,
	// and then along the other.
	Separate Order
	// Gather is not 0 where each pixel is computed by an instance of its own, though the program's write blocks of them.
	Gather int
	// Table is not 0 where what depends on one byte alone is taken from tables, which a stage before this one computes.
	Table int
	// Overlap, if not 0, has blocks of so many instances, in x and y, be the instances, which share the sums over windows that loops compute in each of their rounds.
	Overlap [2]int
	// Rounds, if not 0, has so many rounds of the loop on the host of which the stage is the last one, before a swap of what it writes with what
	// the round reads, done in one: all stages before it are fused with that of the last round.
	Rounds int
	// Finest says which of the finest levels of the traverse that the stage is in are by themselves, before and behind the other levels.
	Finest Levels
	// Rotated is 1 where the traverse that the stage is in does at each level what the next one begins with.
	Rotated  int
	Tile     [2]int // instances, in x and y, that a work-group computes
	Item     [2]int // instances, in x and y, that a work-item computes
	Vector   int    // bytes of the largest memory access: a power of two up to 16; 1 for component by component
	Runs     int    // not 0: items of one instance load what it reads by rows before they compute, as those of several do
	Words    int    // not 0: pixels beside each other at a place that an instance finds (block.Patch) are loaded by the words that they lie in, however few accesses that spares
	Interior int    // not 0: blocks that read nothing outside of images are computed by code of their own, without border rules
	Layers   int    // not 0: the groups of a tile, one for each place along the axes but x and y, come one after the other
	Flat     int    // not 0: where all images lie without gaps, the whole space is one line
	Matrix   int    // not 0: sums of bytes times small constants are computed by the device's matrix units
	Dot4     int    // not 0: sums of bytes times small constants are computed four at a time
	// Rows is how many rows of instances a work-item computes, one after the other from end to end; groups are of one work-item. Lanes
	// is how many instances of a row it computes side by side. Without Rows, Lanes is how many points of a
	// reduction a work-item takes side by side.
	Rows, Lanes int
	RowSums     int // not 0: with Lanes, sums over separable masks are sums of sums along the rows of their windows
	// Line, if not 0, has sums over separable masks computed from sums along columns of their windows, which a work-item keeps for so many
	// neighbouring columns, and for those that the mask reaches besides; with Lanes, of which it is a multiple. What instances have in common
	// with their neighbours (block.Commons) it keeps instead, where they have.
	Line int
	// Block, if not 0, leaves sums over masks loops over the mask's points, which add to the sums of so many neighbouring columns of all Rows
	// of the item; with Lanes, of which it is a multiple.
	Block int
	// Packed16 not 0: integers that 16 bits hold are computed two at a time, in the halves of words.
	Packed16 int
	// Stream, if not 0, has sums computed row by row, while the rows that they read are loaded: so many rows are held, the one in use
	// and those that are loaded ahead of it.
	Stream int
	// Rolled, if not 0, leaves the loop over these rows a loop. Items compute fewer rows than Item says in images that they would divide
	// into fewer than so many work-groups.
	Rolled int
	// Small, if not 0, has images of fewer instances computed one by one: blocks would leave most of the device idle.
	Small int
	// Loops, if not 0, has the loops of the host that are nothing but stages, of which this is the last one, run on the device by one group of so many
	// work-items, where all these stages have at most so many instances.
	Loops [2]int
	// Coarse, if not 0, has the coarse levels of the traverse of which this is the last stage computed by one group of so many work-items in one launch, from the
	// finest level on at which all stages have at most so many instances, where these levels are at most so many.
	Coarse [3]int
	Local  Locality
	// Reduce is how many work-items, a power of two, a group has that share the reductions of an instance, or of Abreast instances, an equal part of them each.
	Reduce, Abreast int
	// Last, if not 0, has the last group of the launch before, which has as many items, share the reductions of the one instance, where the
	// target orders what groups write; elsewhere a launch of its own does. With Copies, the last of the stage's own groups writes what all have found,
	// and what fills before the stage would; elsewhere the fills are launches, and all groups update what these have written.
	Last int
	// Prefix is how many work-items, a power of two, share each line of a prefix; they are a group.
	Prefix int
	// Steps is how many work-items, one group, take the instances of each step of a scan whose lines are not apart, and wait for each other before
	// the next step.
	Steps int
	// Trapezoid is how many work-items a group has that takes a piece of the line across such a scan, how many steps a launch computes of it, each less wide than the
	// step before, and for how many steps at a time what does not depend on steps before is computed first (block.Trapezoid).
	Trapezoid [3]int
	// Band is how many lines of a scan, along lines of images, a group takes (block.Band), how many columns of them at a time, which its work-items
	// load and store together, and how many work-items it has.
	Band [3]int
	// Copies is how many copies of a small image each group updates in local memory, how many items a group has, and how many
	// groups share the instances. With Tile, groups go through tiles in turn, whose instances items compute in blocks.
	Copies [3]int
	// Cells is how many copies in local memory a group has of what its instances update in the cells of its tile (block.Cells), which nobody else updates; where there is one for each
	// work-item of a cell, items update their own.
	Cells int
	// Filled, if not 0, has groups that count in cells write these as fills before the stage would, joined with what they have counted: the fills are no launches then.
	Filled int
	// Parts, if not 0, has a group count only one of so many parts of what Copies are of, so that the others need no room in its local memory; so many
	// groups go through the same instances.
	Parts int
	// Ahead is of how many steps of a scan (block.Ahead) a work-item reads what these need of other images before it computes any of them.
	Ahead int
	// Fetch is the same of the steps of a chunk of a line, which leaves the lines in chunks.
	Fetch int
	// Keep is how many pixels of a line that an instance alone updates (block.Kept) its work-item keeps in local memory at a time.
	Keep int
	// Panels is how many steps of a loop that the instances of a block go through together (block.Panels) are taken at a time; with Local, what the group shares of them is in
	// local memory.
	Panels int
	// Resident is how many groups a unit of the device is to have room for at a time: where compilers can be told, work-items get no more
	// registers than leave that room. Elsewhere it has no effect.
	Resident int
	Unroll   int // reductions and loops over arrays of at most this many points are written out
}

// Levels says whether the levels of a traverse are computed by the same stages. The zero value is undecided.
type Levels int

const (
	_      Levels = iota
	Finest        // all but the finest, which is by itself
	Second        // all but the finest and the second one, each of which is by itself
	Alike         // all of them
)

// A Placement says where the pixels that a stage computes are. The zero Placement is undecided.
type Placement int

const (
	_       Placement = iota
	Root              // in memory: the stage is computed by itself
	Fuse              // in the work-items of the stages that read them, which compute what they need of it
	Inline            // nowhere: whoever reads one computes it
	Join              // in memory, by the work-items of the stage's sibling: the next one over the same space that reads an image which it reads
	Split             // as by Inline for some of the stages that read them, as by Fuse for the others
	Reduced           // in memory, by the work-items of the stage that reduces them, for all others that read them
	Kept              // in memory, by the work-items of the first stage behind it that reads them and can compute them, for all others that read them
)

// A Locality says what a work-group has in local memory, where its items load and compute it together. The zero Locality is nothing, or
// undecided.
type Locality int

const (
	_      Locality = iota
	Shared          // what it reads of images, and what it computes of stages that are fused with this one
	Direct          // what it computes of those; of images not what these stages alone read, which items load for blocks of their own
	Sweep           // what it computes of those that are computed from memory alone; each item computes the others for itself, row by row
)

// Blocks reports whether items compute blocks of instances, for which they load what these read before they compute: of several, or of one that reads runs of pixels.
func (d Decisions) Blocks() bool { return d.Item[0]*max(1, d.Item[1]) > 1 || d.Runs != 0 }

// PlaceAlone reports whether there is nothing but a word about where pixels are, if that: how the stage is carried out is to be planned.
func (d Decisions) PlaceAlone() bool {
	return d.Kernel() == Decisions{}
}

// An Order says whether sums over windows are separated, and along which axis they are computed first. The zero Order is that they are not, or undecided.
type Order int

const (
	_ Order = iota
	RowsFirst
	ColumnsFirst
)

// Name is that of the stage which computes what comes first for a separated stage; others of its stages have a number behind it.
func (o Order) Name(stage string) string {
	if o == ColumnsFirst {
		return stage + "_column"
	}
	return stage + "_row"
}

// TableName is the name of the stage that computes the tables of another one.
func TableName(stage string) string { return stage + "_table" }

// Alone reports whether the stage is in memory, by itself: it is said so, or how its own kernel is.
func (d Decisions) Alone() bool {
	return d.Place == Root || d.Place == 0 && !d.PlaceAlone()
}

// Kernel is what the decisions say of the stage's own kernel, without where pixels are and what becomes stages.
func (d Decisions) Kernel() Decisions {
	d.Place, d.Separate, d.Gather, d.Table, d.Overlap, d.Rounds, d.Finest, d.Rotated = 0, 0, 0, 0, [2]int{}, 0, 0, 0
	return d
}

// Putting is the rest: where pixels are, and what becomes stages.
func (d Decisions) Putting() Decisions {
	return Decisions{Place: d.Place, Separate: d.Separate, Gather: d.Gather, Table: d.Table, Overlap: d.Overlap, Rounds: d.Rounds}
}

// Descends reports whether groups go down the rows of their tiles (block.Descent).
func (d Decisions) Descends() bool { return d.Local != 0 && d.Stream > 0 }

// Lines reports whether groups take lines of scans as wholes.
func (d Decisions) Lines() bool { return d.Prefix > 0 || d.Band[0] > 0 }

// Tiles reports whether work-groups compute tiles of a space by its axes.
func (d Decisions) Tiles() bool {
	return d.Reduce == 0 && d.Copies[0] == 0 && d.Rows == 0 && d.Lanes == 0 && !d.Lines()
}

// Persistent reports whether groups that update copies are persistent: each goes through tiles of the space. It asks what is decided, which has no tile where none is said.
func (d Decisions) Persistent() bool { return d.Copies[0] > 0 && d.Tile[0] > 0 }

// Whole reports whether lines of scans are taken as wholes, by groups or work-items.
func (d Decisions) Whole() bool { return d.Lines() || d.Ahead > 0 }

// Sharing is how many work-items share the reductions of one instance.
func (d Decisions) Sharing() int { return d.Reduce / max(1, d.Abreast) }

// GroupItems is how many work-items a group has, 0 where that is not decided; those for what lies beside its tile are not among them.
func (d Decisions) GroupItems() int {
	switch {
	case d.Reduce > 0:
		return d.Reduce
	case d.Prefix > 0:
		return d.Prefix
	case d.Steps > 0:
		return d.Steps
	case d.Trapezoid[0] > 0:
		return d.Trapezoid[0]
	case d.Band[0] > 0:
		return d.Band[2]
	case d.Copies[0] > 0:
		return d.Copies[1]
	case d.Rows > 0:
		return 1
	}
	return d.Tile[0] * max(1, d.Tile[1]) / (max(1, d.Item[0]) * max(1, d.Item[1]))
}

// MatrixForm is how many windows side by side neighbouring items take, and how many rows below each other an item computes at once, of so many sums that
// matrix units compute: two and four of one sum in items of four columns, where their rows and tiles divide so. Registers do not hold more: a
// mask of 9 x 9 takes 80 of them in CUDA for 32 sums in this form, and 130 for 64, which leaves room for half as many groups.
func (d Decisions) MatrixForm(sums int) (across, down int) {
	if tall := d.Item[1]; sums == 1 && d.Item[0] == 4 && tall > 0 && tall%8 == 0 && d.Tile[0]%32 == 0 && d.Tile[1]%(4*tall) == 0 {
		return 2, 4
	}
	return 1, 1
}

// Over is d with base's decisions where d has none.
func (d Decisions) Over(base Decisions) Decisions {
	for i := range kinds {
		k := &kinds[i]
		to := k.fields(&d)
		if *to[0] != 0 {
			continue
		}
		from := k.fields(&base)
		for i := range k.many() {
			*to[i] = *from[i]
		}
	}
	return d
}

// For is the schedule of a pipeline on a device that has several names: the last one that is for this device by name, else the
// last one that is for all. Nil where there is none.
func For(list []*Schedule, pipeline string, device []string) *Schedule {
	var all, named *Schedule
	for _, s := range list {
		switch {
		case s.Pipeline != pipeline:
		case s.Device == "":
			all = s
		case s.Suits(device):
			named = s
		}
	}
	if named != nil {
		return named
	}
	return all
}

// Suits reports whether a schedule is for a device that has these names: whether its own is a part of one of them. It has to have one.
func (s *Schedule) Suits(device []string) bool {
	for _, name := range device {
		if strings.Contains(strings.ToLower(name), strings.ToLower(s.Device)) {
			return true
		}
	}
	return false
}

// Stage finds the decisions for a stage; none where the schedule, which may be nil, has no line for it.
func (s *Schedule) Stage(name string) Decisions {
	if st := s.Named(name); st != nil {
		return st.Decisions
	}
	return Decisions{}
}

// Named is the line for a stage; nil where the schedule, which may be nil, has none.
func (s *Schedule) Named(name string) *Stage {
	if s != nil {
		for _, st := range s.Stages {
			if st.Name == name {
				return st
			}
		}
	}
	return nil
}
