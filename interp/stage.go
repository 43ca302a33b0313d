package interp

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"imgc/hast"
	"imgc/types"
)

// A stageRun is a compiled stage with its instances laid out as rows: the last variable runs within a row, the others
// number the rows. A long row counts as several, so that a stage over one axis is shared out too.
type stageRun struct {
	b       *Binding
	stage   *hast.Stage
	c       *compiler
	where   intFn // nil for all
	body    stmtFn
	trips   []Trips
	slots   []int
	pieces  int64 // parts of a row
	rows    int64 // parts of all rows
	batch   int64 // parts that a worker takes at once
	failed  atomic.Int64
	mu      sync.Mutex
	failure error
}

// pieceLength is how many instances of one row a worker runs between two looks at the context.
const pieceLength = 4096

// runStage runs every instance of a stage.
func (b *Binding) runStage(s *hast.Stage, rasters *storage, workers int) (err error) {
	defer guard(b.pipeline.Name, s.At, &err)
	run, err := b.compileStage(s, rasters)
	if err != nil || run.rows == 0 {
		return err
	}
	if run.serial() {
		workers = 1
	}
	if err := run.all(min(int64(workers), (run.rows+run.batch-1)/run.batch)); err != nil {
		return err
	}
	for _, r := range run.c.rounded {
		r.round()
	}
	return nil
}

func (b *Binding) compileStage(s *hast.Stage, rasters *storage) (*stageRun, error) {
	c := newCompiler(b, rasters)
	run := &stageRun{b: b, stage: s, c: c}
	trips, err := b.space(s)
	if err != nil {
		return nil, err
	}
	run.trips = trips
	for _, v := range s.Space.Vars {
		run.slots = append(run.slots, c.slot(v))
	}
	if s.Scan != nil {
		run.order(s.Scan)
	}
	if s.Where != nil {
		run.where = c.truth(s.Where)
	}
	run.body = c.stmts(s.Body)
	last := run.trips[len(run.trips)-1].Count
	run.pieces = (last + pieceLength - 1) / pieceLength
	run.rows = run.pieces
	for _, t := range run.trips[:len(run.trips)-1] {
		if t.Count > 0 && run.rows > math.MaxInt64/2/t.Count {
			return nil, b.failf(s.At, "the stage %s has more instances than can be counted", s.Name)
		}
		run.rows *= t.Count
	}
	run.batch = max(1, pieceLength/max(last, 1))
	run.failed.Store(run.rows)
	return run, nil
}

// order makes the variable of a scan the outermost one, in the direction of the scan.
func (run *stageRun) order(s *hast.Scan) {
	t, slot := run.trips[s.Axis], run.slots[s.Axis]
	if s.Down == (t.Step > 0) {
		t = Trips{From: t.From + (t.Count-1)*t.Step, Step: -t.Step, Count: t.Count}
	}
	run.trips = slices.Insert(slices.Delete(run.trips, s.Axis, s.Axis+1), 0, t)
	run.slots = slices.Insert(slices.Delete(run.slots, s.Axis, s.Axis+1), 0, slot)
}

// serial is true where a promise rather than a proof, or nothing, keeps instances apart.
func (run *stageRun) serial() bool {
	if run.stage.Independent || run.stage.Scan != nil || run.c.updates {
		return true
	}
	return slices.ContainsFunc(run.c.undefined, func(m *hast.Image) bool { return slices.Contains(run.c.written, m) })
}

// all shares the rows out. Workers take them in order, and after a failure finish only rows before it, so that it is the
// first failure that is reported, whatever the number of workers.
func (run *stageRun) all(workers int64) error {
	var taken atomic.Int64
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			fr := run.c.newFrame()
			for {
				first := taken.Add(run.batch) - run.batch
				if first >= run.rows {
					return
				}
				for row := first; row < min(first+run.batch, run.rows) && row < run.failed.Load(); row++ {
					if err := run.row(fr, row); err != nil {
						run.fail(row, err)
					}
				}
			}
		})
	}
	group.Wait()
	return run.failure
}

func (run *stageRun) fail(row int64, err error) {
	run.mu.Lock()
	defer run.mu.Unlock()
	if row < run.failed.Load() {
		run.failed.Store(row)
		run.failure = err
	}
}

// row runs the instances of one row, or of one part of a long one.
func (run *stageRun) row(fr *frame, row int64) (err error) {
	defer guard(run.b.pipeline.Name, run.stage.At, &err)
	if err := stopped(run.b.limit.ctx); err != nil {
		return err
	}
	last := len(run.trips) - 1
	piece := row % run.pieces
	row /= run.pieces
	for k := last - 1; k >= 0; k-- {
		t := run.trips[k]
		fr.w[run.slots[k]] = types.Int(t.From + row%t.Count*t.Step)
		row /= t.Count
	}
	t, slot := run.trips[last], run.slots[last]
	from := piece * pieceLength
	for i := from; i < min(from+pieceLength, t.Count); i++ {
		fr.w[slot] = types.Int(t.From + i*t.Step)
		fr.begin()
		if run.where == nil || run.where(fr) != 0 {
			run.body(fr)
		}
	}
	return nil
}
