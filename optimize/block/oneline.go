package block

import (
	"slices"

	"imgc/hast"
)

// OneLine is a stage with an instance for each point of the reduction that the instances of another one have parts of, where groups may take all of them as the points of one line: it
// does not matter which part has which point, and each reads its own pixel of images with the extents of the whole and nothing else; and what matters about it. nil where that is not so.
func OneLine(s *hast.Stage, unroll int) (points *hast.Stage, what *Stage) {
	store := onlyPixel(s)
	if store == nil || store.Image.Dealt == nil {
		return nil, nil
	}
	whole := store.Image.Dealt
	part, ok := unconverted(store.Value).(*hast.Reduce)
	if !ok || part.T.Kind.IsFloat() && part.Op != hast.Min && part.Op != hast.Max || part.Space.Points != nil || !dealt(s, part.Space.Ranges[0], whole) {
		return nil, nil
	}
	points = PointStage(&hast.Stage{Name: s.Name, At: s.At}, part.Space, []*hast.Reduce{part})
	points.Space.Ranges = slices.Clone(points.Space.Ranges)
	points.Space.Ranges[0] = whole.Range
	if what = Analyze(points, unroll); !what.Flat || what.Alone != "" {
		return nil, nil
	}
	return points, what
}

// dealt reports whether a range is still what each instance of a stage was dealt of the whole, whatever the stage has been made of since.
func dealt(s *hast.Stage, r hast.Range, whole *hast.Dealt) bool {
	ref, ok := r.Lo.(*hast.Ref)
	count, known := TripCount(s.Space.Ranges[0])
	if !ok || !known || r.Step != whole.Range.Step*count || !hast.Equal(r.Hi, whole.Range.Hi) {
		return false
	}
	return slices.ContainsFunc(s.Body, func(st hast.Stmt) bool {
		d, ok := st.(*hast.Define)
		return ok && d.Var == ref.Var && d.Init != nil && hast.Equal(d.Init, whole.First)
	})
}
