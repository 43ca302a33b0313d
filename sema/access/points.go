package access

import (
	"slices"

	"imgc/hast"
	"imgc/interval"
	"imgc/sema/prove"
)

// maxRuns bounds the alternatives that a point list may be split into; beyond, its bounding box has to do.
const maxRuns = 64

// pointFacts makes the variables of a point list known: the bounding box, and, where that says too much, the points as runs
// along the last variable.
func (a *analysis) pointFacts(sp *hast.Space) (box, exact []prove.Formula) {
	var values []prove.Lin
	volume := int64(1)
	for i, v := range sp.Vars {
		iv := interval.Interval{}
		for k, p := range sp.Points {
			if at := (interval.Between(p[i], p[i])); k == 0 {
				iv = at
			} else {
				iv = iv.Join(at)
			}
		}
		value, ok := a.names[v]
		if !ok {
			value = a.symbol(&symbol{v: v, text: v.Name, limits: iv})
			a.names[v] = value
			a.counts[v] = value.Terms()[0].Var
		}
		values = append(values, value)
		box = append(box, factsOf(iv, value)...)
		volume = interval.Point(volume).Times(interval.Point(iv.Hi - iv.Lo + 1)).Hi
	}
	if len(sp.Points) == 0 {
		return append(box, prove.Or{}), nil // what stands inside never happens
	}
	if volume == int64(len(sp.Points)) {
		return box, nil
	}
	if runs := runsOf(sp.Points, values); len(runs) <= maxRuns {
		exact = []prove.Formula{runs}
	}
	return box, exact
}

// runsOf writes sorted points as a disjunction of runs along the last coordinate.
func runsOf(points [][]int64, values []prove.Lin) prove.Or {
	points = slices.Clone(points)
	slices.SortFunc(points, slices.Compare)
	last := len(values) - 1
	var runs prove.Or
	for i := 0; i < len(points); {
		first := points[i]
		end := first[last]
		for i++; i < len(points) && slices.Equal(points[i][:last], first[:last]) && points[i][last] <= end+1; i++ {
			end = points[i][last]
		}
		var run prove.And
		for k, v := range values[:last] {
			run = append(run, prove.EQ(v, prove.K(first[k])))
		}
		runs = append(runs, append(run, prove.Between(values[last], first[last], end)))
	}
	return runs
}
