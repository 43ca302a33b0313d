package plan

import (
	"math"
	"slices"

	"imgc/hast"
	"imgc/kir"
	"imgc/optimize/block"
	"imgc/optimize/feature"
)

// What it costs to load pixels that lie side by side at a place that each instance finds (block.Patch): component by component, or by the words that they lie in.

// patchesOf are those of an image.
func (w *work) patchesOf(m *hast.Image) []*block.Patch {
	if w.patches == nil {
		w.patches = map[*hast.Image][]*block.Patch{}
		for _, p := range block.PatchesOf(w.stage.Of.Body) {
			w.patches[p.Image] = append(w.patches[p.Image], p)
		}
	}
	return w.patches[m]
}

// ownMoves is in how many accesses a pixel is moved by itself: those of the caller's images are not aligned.
func ownMoves(m *hast.Image) float64 {
	if m.Base().Dir == hast.Local && kir.OneAccess(m.Elem) {
		return 1
	}
	return float64(m.Elem.Lanes)
}

// byWords are the patches of what an access reads that are loaded by words.
func (s *shape) byWords(w *work, a *feature.Access) (list []*block.Patch) {
	if a.Writes {
		return nil
	}
	for _, p := range w.patchesOf(a.Image) {
		if p.ByWords(int(ownMoves(a.Image))) || s.wordwise && p.HasWords() {
			list = append(list, p)
		}
	}
	return list
}

// ownAccesses is in how many accesses an instance by itself reaches what it reads or writes of an image. The last word of a line is loaded by some items of a subgroup alone: by a quarter of them, which reach about half
// as many lines as all would.
func (s *shape) ownAccesses(w *work, a *feature.Access) float64 {
	n := a.Count * ownMoves(a.Image)
	for _, p := range s.byWords(w, a) {
		always := float64(p.Words() - 1)
		n += float64(len(p.Lines))*(always+math.Sqrt(p.MeanWords()-always)) - float64(len(p.Spots))*ownMoves(a.Image)
	}
	return max(0, n)
}

// What it takes to load a patch, as nvcc has it: neighbours along a line share all of their place but the last addition; words are found where a line begins, each is shifted into place, and each component is taken out of
// one. A turned image of u8 has 97 instructions for a pixel and 111 by words, of u8x3 131 and 145, of u16x3 131 and 154, where 96 and 108, 134 and 150, 134 and 154 are counted, of f16x3 137 and 146.
const (
	ownPlace  = 5
	wordStart = 3
)

// patchOps corrects what is counted of an access pixel by pixel by what is loaded together, in stages that slant: in others that is as it was fitted.
func (s *shape) patchOps(w *work, a *feature.Access, out *feature.Ops) {
	if a.Writes || !w.slanting() {
		return
	}
	for _, p := range w.patchesOf(a.Image) {
		out[feature.Logic] -= ownPlace * float64(len(p.Spots)-len(p.Lines))
	}
	for _, p := range s.byWords(w, a) {
		lines, components := float64(len(p.Lines)), float64(p.Count())
		out[feature.Memory] += lines*float64(p.Words()) - float64(len(p.Spots))*ownMoves(a.Image)
		out[feature.Logic] += lines * (wordStart + math.Ceil(components*float64(a.Image.Elem.Kind.Bytes())/block.BankBytes))
		if a.Image.Elem.Kind.IsFloat() { // which become f32 from either half of a word
			continue
		}
		out[feature.FMA] += lines * components
		if w.model.Rates.FloatsByLogic() { // as those of windows are
			floats := min(w.stage.Floats, lines*components, out[feature.Convert])
			out[feature.Convert] -= floats
			out[feature.FMA] += floats
		}
	}
}

// wordwise adds to candidates of stages that slant those that load by words what otherwise is not.
func wordwise(w *work, list []Candidate) []Candidate {
	if !w.slanting() || !slices.ContainsFunc(w.stage.Accesses, w.mayHaveWords) {
		return list
	}
	bytes := w.bytesAlone()
	if bytes && slices.ContainsFunc(list, func(c Candidate) bool { return c.Item[0] > 1 }) {
		list = slices.DeleteFunc(list, func(c Candidate) bool { return c.Item[0] <= 1 && c.Tile[0] > 0 && c.Tile[0] < tallGroup })
	}
	for _, c := range list {
		if bytes && c.Item[0] <= 1 {
			continue
		}
		c.Words = 1
		list = append(list, Candidate{Decisions: c.Decisions, Why: c.Why + ", neighbours loaded by words"})
	}
	return list
}

// tallGroup is how many columns groups have at least that are not taller than wide.
const tallGroup = 16

// bytesAlone reports whether all pixels that a stage reads are single bytes. Items of one column take longer by words then: pencil/warp of 8192 x 8192 took 0.2697 ms in groups of 8 x 32 in CUDA on an
// H200, 0.2472 pixel by pixel, and 0.2076 in items of four columns by words.
func (w *work) bytesAlone() bool {
	return !slices.ContainsFunc(w.stage.Accesses, func(a *feature.Access) bool { return !a.Writes && a.Image.Elem.Bytes() > 1 })
}

// mayHaveWords reports whether an access reads patches that are loaded by words where that is decided alone.
func (w *work) mayHaveWords(a *feature.Access) bool {
	return !a.Writes && slices.ContainsFunc(w.patchesOf(a.Image), func(p *block.Patch) bool { return p.HasWords() && !p.ByWords(int(ownMoves(a.Image))) })
}
