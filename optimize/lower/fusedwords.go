package lower

import (
	"imgc/optimize/block"
)

// Parts of a fusion that read bytes in words compute four instances of a row at a time, as strips do, and keep what they write in words where it is bytes. What a block needs of a part
// need not begin or end with four instances: those that nobody needs are computed all the same, by statements that compilers leave out where they can, of pixels that are loaded as well. Blocks that
// are not whole are computed one by one from arrays of single bytes.

// findWords finds these parts, and how far windows and tiles have to reach for them.
func (f *fusion) findWords() {
	if f.decided.Dot4+f.decided.Packed16 == 0 {
		return
	}
	f.words, f.beside = map[*block.Part]*block.Columns{}, map[*block.Window]block.Columns{}
	need := func(w *block.Window, from, to int) {
		c := f.beside[w]
		f.beside[w] = block.Columns{From: min(c.From, from), To: max(c.To, to)}
	}
	for i, c := range f.group.Words(f.item[0]) {
		p := f.group.Parts[i]
		if c == nil {
			continue
		}
		f.words[p] = c
		for _, t := range p.Keeps {
			need(t, c.From, c.To)
		}
		for k, r := range p.Reads() {
			from, to := c.Reads(r)
			need(p.Sources[k], from, to)
		}
	}
}

// oneByOne has all instances computed one by one, from and into arrays of single bytes, until the function that it returns is called.
func (f *fusion) oneByOne() (done func()) {
	words := f.words
	f.words = nil
	var packed []*bool
	none := func(a *tile) {
		if a.packed {
			packed = append(packed, &a.packed)
			a.packed = false
		}
	}
	for _, w := range f.tiles {
		none(&w.tile)
	}
	for _, o := range f.outputs {
		none(&o.tile)
	}
	return func() {
		f.words = words
		for _, p := range packed {
			*p = true
		}
	}
}
