package block

import "imgc/hast"

// Points lists the points of a space, in order, where their coordinates are constants and there are at most limit; false where not.
func Points(s hast.Space, limit int) ([][]int64, bool) {
	if s.Points != nil {
		return s.Points, len(s.Points) <= limit
	}
	total := int64(1)
	counts := make([]int64, len(s.Ranges))
	for k, r := range s.Ranges {
		n, ok := TripCount(r)
		if !ok || n > int64(limit) {
			return nil, false
		}
		counts[k] = n
		total *= n
	}
	if total > int64(limit) {
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

// FromMiddle is how far a column is from the middle of those from left to right, twice. Extremes of rows are folded in this order, and plans count what rows have in
// common that are.
func FromMiddle[N int | int64](x, left, right N) N { return max(2*x-left-right, left+right-2*x) }

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
