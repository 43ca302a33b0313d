package plan

import (
	"imgc/hast"
	"imgc/optimize/fuse"
	"imgc/optimize/schedule"
)

// How many rounds of a loop a kernel does.

// leastRounds is the share of the time of a round by itself below which several are put together: they have more registers and code.
const leastRounds = 0.9

// severalRounds has a kernel do several rounds of the loop that a stage is in, as many as are decided, or as take the least time.
func (g *grouper) severalRounds(s *hast.Stage, d schedule.Decisions) {
	if d.Rounds > 1 {
		g.doRounds(s, d.Rounds)
		return
	}
	if d.Rounds == 1 || d.Place != 0 {
		return
	}
	body := fuse.Round(g.pipeline, s)
	if body == nil || len(body) > 1 && !g.manners.longer {
		return
	}
	alone := g.round(body)
	best, at := alone*min(g.share, leastRounds), 0
	for n := 2; n <= g.manners.rounds; n++ {
		next, parts, _, why := fuse.Rounds(g.pipeline, s, n)
		if why != "" {
			return
		}
		if c := g.fused(next, parts) / float64(n); c < best {
			best, at = c, n
		}
	}
	if at > 0 {
		g.list = append(g.list, &Grouping{Stage: s, Rounds: at, Together: best, Apart: alone})
		g.doRounds(s, at)
	}
}

// round is the predicted time of the stages of a round, one by one or fused with the last of them.
func (g *grouper) round(body []*hast.Stage) float64 {
	apart := 0.0
	for _, s := range body {
		apart += g.cost(s)
	}
	if len(body) == 1 {
		return apart
	}
	return min(apart, g.fused(g.pipeline, body[:len(body)-1]))
}

// doRounds has the pipeline do so many rounds as one.
func (g *grouper) doRounds(s *hast.Stage, n int) {
	next, parts, rest, why := fuse.Rounds(g.pipeline, s, n)
	if why != "" {
		return
	}
	g.rounds[s.Name] = n
	for _, x := range rest {
		g.rests[x.Name] = true
	}
	g.replace(next, parts)
}
