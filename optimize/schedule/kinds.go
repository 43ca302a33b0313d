package schedule

import "fmt"

// A kind is one kind of decision: how it is spelled, and where its numbers are kept.
type kind struct {
	name     string
	min, max int // how many numbers it takes; 0 for a word alone
	limit    int // of each number; the least is 1
	word     int // of a word alone: the number that it stands for, where several words share a field
	fields   func(d *Decisions) fields
}

// fields are those of a kind of decision, as many as the numbers that it takes, but one for a word. An array needs no memory of its own.
type fields [3]*int

// many is how many fields there are.
func (k *kind) many() int { return max(1, k.max) }

// MaxVector is the most bytes of one memory access.
const MaxVector = 16

// MaxRounds is the most rounds of a loop that are done in one.
const MaxRounds = 8

// MaxUnroll is the most points that are written out. Masks of 63 x 63 have as many: their rows are added in loops, whose code has each weight once for each column of an item.
const MaxUnroll = 1 << 12

// kinds are all decisions, in the order in which they are printed.
var kinds = []kind{
	{"root", 0, 0, 1, int(Root), func(d *Decisions) fields { return fields{(*int)(&d.Place)} }},
	{"fuse", 0, 0, 1, int(Fuse), func(d *Decisions) fields { return fields{(*int)(&d.Place)} }},
	{"inline", 0, 0, 1, int(Inline), func(d *Decisions) fields { return fields{(*int)(&d.Place)} }},
	{"join", 0, 0, 1, int(Join), func(d *Decisions) fields { return fields{(*int)(&d.Place)} }},
	{"split", 0, 0, 1, int(Split), func(d *Decisions) fields { return fields{(*int)(&d.Place)} }},
	{"reduced", 0, 0, 1, int(Reduced), func(d *Decisions) fields { return fields{(*int)(&d.Place)} }},
	{"kept", 0, 0, 1, int(Kept), func(d *Decisions) fields { return fields{(*int)(&d.Place)} }},
	{"separate", 0, 0, 1, int(RowsFirst), func(d *Decisions) fields { return fields{(*int)(&d.Separate)} }},
	{"columns", 0, 0, 1, int(ColumnsFirst), func(d *Decisions) fields { return fields{(*int)(&d.Separate)} }},
	{"gather", 0, 0, 1, 1, func(d *Decisions) fields { return fields{&d.Gather} }},
	{"table", 0, 0, 1, 1, func(d *Decisions) fields { return fields{&d.Table} }},
	{"overlap", 2, 2, 64, 0, func(d *Decisions) fields { return fields{&d.Overlap[0], &d.Overlap[1]} }},
	{"rounds", 1, 1, MaxRounds, 0, func(d *Decisions) fields { return fields{&d.Rounds} }},
	{"finest", 0, 0, 1, int(Finest), func(d *Decisions) fields { return fields{(*int)(&d.Finest)} }},
	{"second", 0, 0, 1, int(Second), func(d *Decisions) fields { return fields{(*int)(&d.Finest)} }},
	{"alike", 0, 0, 1, int(Alike), func(d *Decisions) fields { return fields{(*int)(&d.Finest)} }},
	{"rotated", 0, 0, 1, 1, func(d *Decisions) fields { return fields{&d.Rotated} }},
	{"tile", 1, 2, 1 << 16, 0, func(d *Decisions) fields { return fields{&d.Tile[0], &d.Tile[1]} }},
	{"item", 1, 2, 1 << 10, 0, func(d *Decisions) fields { return fields{&d.Item[0], &d.Item[1]} }},
	{"vector", 1, 1, MaxVector, 0, func(d *Decisions) fields { return fields{&d.Vector} }},
	{"runs", 0, 0, 1, 1, func(d *Decisions) fields { return fields{&d.Runs} }},
	{"words", 0, 0, 1, 1, func(d *Decisions) fields { return fields{&d.Words} }},
	{"interior", 0, 0, 1, 1, func(d *Decisions) fields { return fields{&d.Interior} }},
	{"layers", 0, 0, 1, 1, func(d *Decisions) fields { return fields{&d.Layers} }},
	{"flat", 0, 0, 1, 1, func(d *Decisions) fields { return fields{&d.Flat} }},
	{"dot4", 0, 0, 1, 1, func(d *Decisions) fields { return fields{&d.Dot4} }},
	{"matrix", 0, 0, 1, 1, func(d *Decisions) fields { return fields{&d.Matrix} }},
	{"rows", 1, 1, 1 << 10, 0, func(d *Decisions) fields { return fields{&d.Rows} }},
	{"lanes", 1, 1, 64, 0, func(d *Decisions) fields { return fields{&d.Lanes} }},
	{"rowsums", 0, 0, 1, 1, func(d *Decisions) fields { return fields{&d.RowSums} }},
	{"line", 1, 1, 1 << 12, 0, func(d *Decisions) fields { return fields{&d.Line} }},
	{"block", 1, 1, 256, 0, func(d *Decisions) fields { return fields{&d.Block} }},
	{"packed16", 0, 0, 1, 1, func(d *Decisions) fields { return fields{&d.Packed16} }},
	{"stream", 1, 1, 8, 0, func(d *Decisions) fields { return fields{&d.Stream} }},
	{"rolled", 1, 1, 1 << 16, 0, func(d *Decisions) fields { return fields{&d.Rolled} }},
	{"small", 1, 1, 1 << 20, 0, func(d *Decisions) fields { return fields{&d.Small} }},
	{"loops", 2, 2, 1 << 20, 0, func(d *Decisions) fields { return fields{&d.Loops[0], &d.Loops[1]} }},
	{"coarse", 3, 3, 1 << 20, 0, func(d *Decisions) fields { return fields{&d.Coarse[0], &d.Coarse[1], &d.Coarse[2]} }},
	{"local", 0, 0, 1, int(Shared), func(d *Decisions) fields { return fields{(*int)(&d.Local)} }},
	{"direct", 0, 0, 1, int(Direct), func(d *Decisions) fields { return fields{(*int)(&d.Local)} }},
	{"sweep", 0, 0, 1, int(Sweep), func(d *Decisions) fields { return fields{(*int)(&d.Local)} }},
	{"reduce", 1, 2, 1024, 0, func(d *Decisions) fields { return fields{&d.Reduce, &d.Abreast} }},
	{"prefix", 1, 1, 1024, 0, func(d *Decisions) fields { return fields{&d.Prefix} }},
	{"steps", 1, 1, 1024, 0, func(d *Decisions) fields { return fields{&d.Steps} }},
	{"trapezoid", 3, 3, 1 << 10, 0, func(d *Decisions) fields { return fields{&d.Trapezoid[0], &d.Trapezoid[1], &d.Trapezoid[2]} }},
	{"ahead", 1, 1, 32, 0, func(d *Decisions) fields { return fields{&d.Ahead} }},
	{"fetch", 1, 1, 32, 0, func(d *Decisions) fields { return fields{&d.Fetch} }},
	{"band", 3, 3, 1 << 10, 0, func(d *Decisions) fields { return fields{&d.Band[0], &d.Band[1], &d.Band[2]} }},
	{"copies", 3, 3, 1 << 16, 0, func(d *Decisions) fields { return fields{&d.Copies[0], &d.Copies[1], &d.Copies[2]} }},
	{"cells", 1, 1, 1 << 10, 0, func(d *Decisions) fields { return fields{&d.Cells} }},
	{"filled", 0, 0, 1, 1, func(d *Decisions) fields { return fields{&d.Filled} }},
	{"parts", 1, 1, 1 << 8, 0, func(d *Decisions) fields { return fields{&d.Parts} }},
	{"panels", 1, 1, 64, 0, func(d *Decisions) fields { return fields{&d.Panels} }},
	{"keep", 1, 1, 1 << 12, 0, func(d *Decisions) fields { return fields{&d.Keep} }},
	{"last", 0, 0, 1, 1, func(d *Decisions) fields { return fields{&d.Last} }},
	{"resident", 1, 1, 32, 0, func(d *Decisions) fields { return fields{&d.Resident} }},
	{"unroll", 1, 1, MaxUnroll, 0, func(d *Decisions) fields { return fields{&d.Unroll} }},
}

// Names are the spellings of all decisions.
func Names() []string {
	out := make([]string, len(kinds))
	for i, k := range kinds {
		out[i] = k.name
	}
	return out
}

func find(name string) *kind {
	for i := range kinds {
		if kinds[i].name == name {
			return &kinds[i]
		}
	}
	return nil
}

// numbers says what a decision takes in parentheses.
func (k *kind) numbers() string {
	switch {
	case k.max == 0:
		return "nothing"
	case k.max == 1:
		return "one number"
	case k.min == k.max:
		return fmt.Sprintf("%d numbers", k.max)
	}
	return fmt.Sprintf("%d or %d numbers", k.min, k.max)
}

// Wrong says of decisions that nobody has read which numbers a schedule cannot have, as a sentence; "" where there are none.
func (d *Decisions) Wrong() string {
	for i := range kinds {
		k := &kinds[i]
		if k.max == 0 {
			continue
		}
		fields := k.fields(d)
		if *fields[0] == 0 {
			continue
		}
		for i, n := range fields[:k.many()] {
			if *n < 0 || *n > k.limit || *n == 0 && i < k.min {
				return fmt.Sprintf("%s takes %s from 1 to %d", k.name, k.numbers(), k.limit)
			}
		}
	}
	return ""
}

// decided reports whether d has a decision of this kind, or of one that it excludes.
func (k *kind) decided(d *Decisions) bool { return *k.fields(d)[0] != 0 }

// chosen reports whether d has this decision.
func (k *kind) chosen(d *Decisions) bool {
	n := *k.fields(d)[0]
	return n != 0 && (k.word == 0 || k.word == n)
}
