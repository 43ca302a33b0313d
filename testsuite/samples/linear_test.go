package samples

import (
	"slices"

	"imgc/pixels"
	"imgc/types"
)

// lines are the sizes of filters along one axis.
func lines() []size {
	var all []size
	for _, n := range []int{1, 2, 3, 11, 101, 4099} {
		s := size{label(n), map[string]int{"N": n}, tiny}
		switch {
		case n > 1000:
			s.weight = large
		case n > 50:
			s.weight = small
		}
		all = append(all, s)
	}
	return all
}

// squares are the sizes of programs on square matrices, with a last column for a right side.
func squares() []size {
	var all []size
	for _, n := range []int{1, 2, 3, 11, 37} {
		s := size{label(n), map[string]int{"N": n, "N+1": n + 1}, tiny}
		if n > 11 {
			s.weight = small
		}
		all = append(all, s)
	}
	return all
}

// products are the extents of up to four matrices that are multiplied.
func products() []size {
	var all []size
	for _, e := range [][6]int{
		{1, 1, 1, 1, 1, int(tiny)}, {1, 7, 1, 3, 1, int(tiny)}, {5, 1, 3, 1, 2, int(tiny)}, {3, 5, 7, 2, 11, int(tiny)},
		{37, 23, 29, 31, 19, int(small)}, {131, 97, 113, 101, 127, int(large)},
	} {
		all = append(all, size{label(e[:5]...), map[string]int{"M": e[0], "K": e[1], "N": e[2], "P": e[3], "L": e[4]}, weight(e[5])})
	}
	return all
}

// graphs are the sizes of sparse matrices and graphs: M rows, N columns, K entries.
func graphs() []size {
	var all []size
	for _, e := range [][4]int{
		{1, 1, 1, int(tiny)}, {1, 5, 3, int(tiny)}, {7, 1, 5, int(tiny)}, {11, 13, 23, int(tiny)}, {53, 37, 211, int(small)},
		{4099, 1009, 30011, int(large)},
	} {
		all = append(all, size{label(e[:3]...), map[string]int{"M": e[0], "M+1": e[0] + 1, "N": e[1], "K": e[2]}, weight(e[3])})
	}
	return all
}

// doubled are planes whose inputs have twice the extents.
func doubled() []size {
	all := planes()
	for _, s := range all {
		s.extent["2*H"], s.extent["2*W"] = 2*s.extent["H"], 2*s.extent["W"]
	}
	return all
}

// sparseRows makes a sparse matrix.
func sparseRows(images map[string]*pixels.Image) {
	inRows(images["first"], images["column"], images["x"].Extent[0])
}

// edges makes a graph.
func edges(images map[string]*pixels.Image) {
	inRows(images["first"], images["target"], images["first"].Extent[0]-1)
}

// inRows makes compressed rows: first ascends from 0 to the number of entries, and each entry is a number below n, but for one in
// 32 that may be any.
func inRows(first, column *pixels.Image, n int) {
	entries := column.Extent[0]
	starts := make([]int64, first.Words())
	for i := range starts {
		starts[i] = int64(uint64(first.Word(i).Int()) % uint64(entries+1))
	}
	slices.Sort(starts)
	starts[0], starts[len(starts)-1] = 0, int64(entries)
	for i, s := range starts {
		first.SetWord(i, types.Int(s))
	}
	for i := range column.Words() {
		if v := uint64(column.Word(i).Int()); v%32 != 7 {
			column.SetWord(i, types.Int(int64(v%uint64(n))))
		}
	}
}

// regular makes a matrix well-conditioned, with its largest entries where only an exchange of rows makes them pivots.
func regular(images map[string]*pixels.Image) {
	ab := images["ab"]
	n := ab.Extent[0]
	for i := range n {
		total := 1.0
		for j := range n {
			total += max(ab.Word(i*(n+1)+j).Float(), -ab.Word(i*(n+1)+j).Float())
		}
		place := i*(n+1) + n - 1 - i
		ab.SetWord(place, types.Float(ab.Word(place).Float()+2*total))
	}
}

// powers are the lengths of transforms by halves.
func powers() []size {
	var all []size
	for n, w := range map[int]weight{1: tiny, 2: tiny, 8: tiny, 64: small, 4096: large} {
		all = append(all, size{label(n), map[string]int{"N": n}, w})
	}
	slices.SortFunc(all, func(a, b size) int { return a.extent["N"] - b.extent["N"] })
	return all
}
