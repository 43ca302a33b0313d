package loops

import (
	"slices"

	"imgc/hast"
	"imgc/optimize/block"
)

// What a round computes anew and no round reads, as a flag that each round lowers before its pixels raise it and that the host asks for behind the last
// one, only the last round has to compute. Such a flag takes a launch, some microseconds, in each round else.

// LastAlone are the stages of a loop that only its last round has to run: each does no more than to compute whole images, which nothing in the loop reads
// and no other stage of it does more to than to store, so that a round replaces all that those before have made of them.
func LastAlone(l *hast.ForHost) (list []*hast.Stage) {
	if l.Range.Step < 0 || turns(l, l.Range.Hi) || !onlyStages(l) {
		return nil
	}
	for _, step := range l.Body {
		if s, ok := step.(*hast.Stage); ok && replaced(l, s) {
			list = append(list, s)
		}
	}
	return list
}

// onlyStages reports whether a loop does no more than to run stages and to exchange images.
func onlyStages(l *hast.ForHost) bool {
	return !slices.ContainsFunc(l.Body, func(step hast.Step) bool {
		switch step.(type) {
		case *hast.Stage, *hast.Swap:
			return false
		}
		return true
	})
}

// replaced reports whether all that a stage of a loop does is replaced in the next round, before anything has read it.
func replaced(l *hast.ForHost, s *hast.Stage) bool {
	if RefuseStage(s) != "" {
		return false
	}
	count, all := 0, true
	hast.EachStore(s.Body, func(st *hast.Store) {
		count++
		all = all && !st.Skip && st.Image.Of == nil && fills(s, st) && storedAlone(l, st.Image)
	})
	return count > 0 && all
}

// storedAlone reports whether all that a loop does to an image is to store pixels.
func storedAlone(l *hast.ForHost, m *hast.Image) bool {
	return !slices.ContainsFunc(l.Body, func(step hast.Step) bool {
		switch step := step.(type) {
		case *hast.Swap:
			return step.A == m || step.B == m
		case *hast.Stage:
			return touches(step, m)
		}
		return true
	})
}

// touches reports whether a stage does more to an image than to store pixels of it, as those do that set a flag.
func touches(s *hast.Stage, m *hast.Image) (more bool) {
	s.EachRead(func(read *hast.Image) { more = more || read.Base() == m })
	hast.EachStore(s.Body, func(st *hast.Store) {
		more = more || st.Image.Base() == m && st.Updates() && !block.Flag(s, m)
	})
	return more || len(s.Fused) > 0 || len(s.Inner) > 0 || s.Reduced != nil
}
