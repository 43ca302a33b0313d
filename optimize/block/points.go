package block

import "imgc/hast"

// Points lists the points of a space, in order, where their coordinates are constants and there are at most limit; false where not.
func Points(s hast.Space, limit int) ([][]int64, bool) {
	if s.Points != nil {
		return s.Points, len(s.Points) <= limit
	}
	counts, total := tripCounts(s, limit)
	if counts == nil {
		return nil, false
	}
	points, all := make([][]int64, 0, total), make([]int64, int(total)*len(counts))
	for i := range total {
		p := all[:len(counts):len(counts)]
		all = all[len(counts):]
		for k, rest := len(counts)-1, i; k >= 0; k-- {
			lo, _ := hast.Number(s.Ranges[k].Lo)
			p[k] = lo + rest%counts[k]*s.Ranges[k].Step
			rest /= counts[k]
		}
		points = append(points, p)
	}
	return points, true
}

// tripCounts are the numbers of values of the ranges of a space, and of all points; nil where that is not known, or more than some.
func tripCounts(s hast.Space, limit int) (counts []int64, total int64) {
	total = 1
	counts = make([]int64, len(s.Ranges))
	for k, r := range s.Ranges {
		n, ok := TripCount(r)
		if !ok || n > int64(limit) {
			return nil, 0
		}
		counts[k] = n
		total *= n
	}
	if total > int64(limit) {
		return nil, 0
	}
	return counts, total
}

// Count is how many points Points lists.
func Count(s hast.Space, limit int) (n int, ok bool) {
	if s.Points != nil {
		return len(s.Points), len(s.Points) <= limit
	}
	counts, total := tripCounts(s, limit)
	return int(total), counts != nil
}

// CountUpTo is how many points a space of ranges is known to have, if it has some and at most so many; else 0.
func CountUpTo(s hast.Space, most int) int64 {
	_, n := tripCounts(s, most)
	return n
}

// Reaches are the least and the greatest coordinate of Points on each axis; nil where there are none.
func Reaches(s hast.Space, limit int) (list [][2]int64) {
	if s.Points != nil {
		if len(s.Points) == 0 || len(s.Points) > limit {
			return nil
		}
		for i := range s.Vars {
			r := [2]int64{s.Points[0][i], s.Points[0][i]}
			for _, p := range s.Points {
				r = [2]int64{min(r[0], p[i]), max(r[1], p[i])}
			}
			list = append(list, r)
		}
		return list
	}
	counts, total := tripCounts(s, limit)
	if total == 0 {
		return nil
	}
	for k, r := range s.Ranges {
		lo, _ := hast.Number(r.Lo)
		last := lo + (counts[k]-1)*r.Step
		list = append(list, [2]int64{min(lo, last), max(lo, last)})
	}
	return list
}

// FromMiddle is how far a column is from the middle of those from left to right, twice. Extremes of rows are folded in this order, and plans count what rows have in
// common that are.
func FromMiddle[N int | int64](x, left, right N) N { return max(2*x-left-right, left+right-2*x) }

// Moved is the number of values of a range that is one with constant bounds, moved as AtPixels does.
func Moved(r hast.Range) (int64, bool) {
	lo, ok1 := r.Lo.(*hast.Op)
	hi, ok2 := r.Hi.(*hast.Op)
	if !ok1 || !ok2 || lo.Op != add || hi.Op != add || !hast.Equal(lo.Args[0], hi.Args[0]) {
		return 0, false
	}
	return TripCount(hast.Range{Lo: lo.Args[1], Hi: hi.Args[1], Step: r.Step})
}

// TripCount is the number of values of a range with constant bounds.
func TripCount(r hast.Range) (int64, bool) {
	lo, ok1 := hast.Number(r.Lo)
	hi, ok2 := hast.Number(r.Hi)
	if !ok1 || !ok2 {
		return 0, false
	}
	if r.Step > 0 {
		return max(0, (hi-lo+r.Step-1)/r.Step), true
	}
	return max(0, (lo-hi-r.Step-1)/-r.Step), true
}
