package plan

import (
	"imgc/hast"
	"imgc/optimize/block"
	"imgc/optimize/feature"
	"imgc/optimize/schedule"
)

// Groups that count in cells of their own (lower/cells.go): tiles of whole cells, whose updates go to local memory, and of which each pixel is updated once.

// cellsOf are the cells of the stage; nil where it has none.
func (w *work) cellsOf() *block.Cells {
	if !w.celled {
		w.cells, _ = block.CellsOf(w.stage.Of)
		w.celled = true
	}
	return w.cells
}

// inCells are the ways to count in cells by blocks.
func inCells(w *work, blocks []Candidate) (list []Candidate) {
	cells := w.cellsOf()
	if cells == nil {
		return nil
	}
	for _, c := range blocks {
		d := c.Decisions
		if !d.Tiles() || !d.Blocks() || d.Local != 0 || d.Stream > 0 || d.Flat != 0 || d.Runs != 0 || d.Matrix != 0 || d.Layers != 0 {
			continue
		}
		d.Small, d.Resident = 0, 0
		for _, size := range []int{256, 128, 64} {
			if d.Tile = tileOfCells(cells, d.Item, size); d.Tile[0] == 0 {
				continue
			}
			for _, d.Cells = range w.copiesOfCells(cells, d.Item) {
				list = append(list, Candidate{Decisions: d, Why: c.Why + ", and no other group updates the cells of a tile"})
			}
		}
	}
	return list
}

// tileOfCells is a tile of whole cells for about so many items, of which rows are not longer than a subgroup; 0 where a cell takes more.
func tileOfCells(c *block.Cells, item [2]int, size int) (tile [2]int) {
	iy := max(1, item[1])
	if c.Size[0]%item[0] != 0 && item[0]%c.Size[0] != 0 || c.Size[1]%iy != 0 && iy%c.Size[1] != 0 {
		return tile
	}
	x, y := max(c.Size[0], item[0]), max(c.Size[1], iy)
	across, down := x/item[0], y/iy
	for across < 32 && 2*across*down <= size {
		x, across = 2*x, 2*across
	}
	if across*down > size {
		return tile
	}
	if y *= size / (across * down); item[1] == 0 {
		return [2]int{x * y, 0}
	}
	return [2]int{x, y}
}

// fewCopies are how many copies of a cell items may share.
var fewCopies = []int{1, 2, 4, 8}

// copiesOfCells are the numbers of copies that are thought of: one for each item of a cell, and some that items share.
func (w *work) copiesOfCells(c *block.Cells, item [2]int) (list []int) {
	own := ownCells(c, item)
	if own > 0 {
		list = append(list, own)
	}
	if w.updatesFloats() {
		return list
	}
	for _, n := range fewCopies {
		if n != own {
			list = append(list, n)
		}
	}
	return list
}

// ownCells is how many items a cell has, of which each is to have a copy; 0 where blocks are larger than cells.
func ownCells(c *block.Cells, item [2]int) int {
	iy := max(1, item[1])
	if c.Size[0]%item[0] != 0 || c.Size[1]%iy != 0 {
		return 0
	}
	return c.Size[0] / item[0] * (c.Size[1] / iy)
}

// countCells adds what groups do beside their instances: they clear copies, join them, and update the image.
func (w *work) countCells(d schedule.Decisions, chip float64, c *Cost) {
	if d.Cells == 0 || w.cellsOf() == nil {
		return
	}
	words, pixels := 0.0, 0.0
	for _, m := range w.cells.Images {
		n := float64(m.Bins) * float64(m.Image.Elem.Lanes) * w.instances / float64(w.cells.Size[0]*w.cells.Size[1])
		words, pixels = words+n*float64(d.Cells), pixels+n
	}
	r := &w.model.Rates
	if r.LocalBytes.Known {
		c.Local += 4 * (2*words + 2*pixels) / (r.LocalBytes.Value * chip)
	}
	if r.Issue.Known {
		c.Issue += (clearedAndJoined*words + updatedOnce*pixels) / (r.Issue.Value * r.IssueShare.Or(1) * chip)
	}
}

// clearedAndJoined is how many operations each component of a copy takes beside the instances, and updatedOnce those that each pixel of the image takes, to be found, joined and stored.
const (
	clearedAndJoined = 5
	updatedOnce      = 20
)

// inCells is how many updates of an access the instances make in cells: of cells of one pixel an item has its own in a register.
func (w *work) inCells(a *feature.Access, d schedule.Decisions) float64 {
	for _, m := range w.cells.Images {
		if m.Image == a.Image && m.Bins == 1 && d.Cells == ownCells(w.cells, d.Item) {
			return w.instances / float64(d.Item[0]*max(1, d.Item[1]))
		}
	}
	return w.instances
}

// cellUpdate is how many times as long an update of a copy takes as one that meets no other.
func (w *work) cellUpdate(d schedule.Decisions) float64 {
	if d.Cells == ownCells(w.cellsOf(), d.Item) {
		return ownUpdate
	}
	return w.met(float64(d.Cells))
}

// fillCells has groups that count in cells write what fills before them would, which reads the image not even once.
func (p *Plan) fillCells(t Target) {
	choices := p.byStage()
	hast.WalkStages(p.Pipeline.Steps, func(before []hast.Step, s *hast.Stage) {
		c := choices[s]
		if c == nil || c.Picked.Cells == 0 {
			return
		}
		fills, why := block.FillsOfCells(p.Pipeline.Steps, before, s)
		way := c.Picked
		if way.Filled = 1; why != "" || t.Legal(s, way.Decisions) != "" {
			return
		}
		saved := 0.0
		for _, fill := range fills {
			if f := choices[fill]; f != nil {
				saved += f.Picked.Cost.Total()
				f.doneBy("the groups of " + s.Name + " do it")
			}
		}
		way.Why += ", which are filled by it"
		c.instead(way)
		for i := range c.Rejected {
			c.Rejected[i].Cost.Fixed += saved // they need the fills
		}
	})
}
