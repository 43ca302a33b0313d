package plan

import (
	"imgc/hast"
	"imgc/optimize/block"
	"imgc/optimize/feature"
	"imgc/optimize/fuse"
	"imgc/optimize/memo"
	"imgc/optimize/twin"
)

// Known is what is the same in all ways to put the stages of pipelines together, and in all plans for a target: nothing of it is found out twice. The zero Known
// is empty. It is not for several goroutines at a time.
type Known struct {
	made       *fuse.Made
	costs      map[*hast.Stage]float64 // of stages by themselves
	alike      map[string]float64      // the same by what stages do
	keys       twin.Keys
	works      map[*hast.Stage]*work
	features   *feature.Finder // with functions as they are in no fast mode
	inFastMode *feature.Finder
	room       []Candidate // for a list of them while it grows
	looks      block.Looks
}

// Looks is what was found of groups of stages.
func (k *Known) Looks() *block.Looks { return &k.looks }

// room is where lists of candidates may grow, one at a time.
func (t Target) room() *[]Candidate {
	if t.Known == nil {
		return new([]Candidate)
	}
	return &t.Known.room
}

// known is what others know, or else nothing.
func (t Target) known() *Known {
	k := t.Known
	if k == nil {
		k = &Known{}
	}
	if k.made == nil {
		k.made = fuse.NewMade(t.Fusing, &k.looks)
		k.features, k.inFastMode = &feature.Finder{Looks: &k.looks}, &feature.Finder{Looks: &k.looks, Fast: true}
	}
	return k
}

// Like is the stage that one of a group is, but for what its variables are called and for what is fused with it; nil where none is known.
func (k *Known) Like(s *hast.Stage) *hast.Stage {
	if k.made == nil {
		return nil
	}
	return k.made.Like(s)
}

// featuresOf are the features of a stage, with functions as they are in no fast mode.
func (k *Known) featuresOf(s *hast.Stage) *feature.Stage {
	return k.features.Of(s)
}

// cost is the predicted time of a stage.
func (g *grouper) cost(s *hast.Stage) float64 {
	return memo.Of(&g.costs, s, func() float64 {
		return memo.Of(&g.alike, g.keys.Of(s, g.eval), func() float64 { return least(g.work(s), g.target) })
	})
}

// work is the work of a stage.
func (g *grouper) work(s *hast.Stage) *work {
	return memo.Of(&g.works, s, func() *work {
		f := g.featuresOf(s)
		if g.target.Fast {
			f = g.inFastMode.Of(s)
		}
		w := newWork(f, g.target.Model, g.eval)
		w.looks = &g.looks
		return w
	})
}
