package probe

import (
	"encoding/binary"
	"math/bits"
	"math/rand/v2"
	"time"

	"imgc/device/cl"
)

// bandwidth measures copies by the width of their accesses, and reads of memory and of the last cache.
func (p *prober) bandwidth() error {
	from, to, err := p.buffers(p.opts.Bytes)
	if err != nil {
		return err
	}
	defer from.Close()
	defer to.Close()
	speeds, best := make([]float64, len(copies)), 0.0
	for i, c := range copies {
		if speeds[i], err = p.stream(c, from, to); err != nil {
			return err
		}
		best = max(best, speeds[i])
	}
	set(&p.model.Bandwidth.Copy, best, "")
	for i, c := range copies {
		set(c.at(p.model), speeds[i]/best, "")
	}
	for _, r := range reads {
		speed, err := p.stream(r, from, to)
		if err != nil {
			return err
		}
		set(r.at(p.model), speed, "")
	}
	return nil
}

// buffers are two of so many bytes, written to, so that they are there.
func (p *prober) buffers(bytes int) (from, to *cl.Buffer, err error) {
	if from, err = p.cl.Buffer(bytes); err != nil {
		return nil, nil, err
	}
	if to, err = p.cl.Buffer(bytes); err == nil {
		if err = from.Zero(); err == nil {
			err = to.Zero()
		}
		if err != nil {
			to.Close()
		}
	}
	if err != nil {
		from.Close()
	}
	return from, to, err
}

// stream is the bytes per second that a kernel moves, in the best shape.
func (p *prober) stream(s stream, from, to *cl.Buffer) (float64, error) {
	n := from.Size() / s.width
	mask := n - 1
	if s.cached {
		mask = max(1<<16, 1<<bits.Len64(uint64(p.device.Cache))>>3)/s.width - 1 // a quarter of the cache, or less
	}
	best := 0.0
	for _, shape := range shapes {
		k, err := p.kernel(shape.options, s.kernel)
		if err != nil {
			return 0, err
		}
		items := n
		for shape.perUnit > 0 && items > shape.perUnit*p.device.ComputeUnits && items > shape.local {
			items /= 2
		}
		local := min(shape.local, items, p.device.MaxGroup)
		t, err := p.least(k, cl.Range{Global: []int{items}, Local: []int{local}}, from, to, int64(n/items), int64(min(mask, n-1)))
		if err != nil {
			return 0, err
		}
		best = max(best, float64(n*s.width*s.traffic)/t)
	}
	return best, nil
}

// rates measures operations: of a compute unit in a clock, where the driver says how long that is.
func (p *prober) rates() error {
	for _, r := range rates {
		if !r.needs(p.device) || !r.seconds && p.device.ClockMHz == 0 {
			continue
		}
		best := 0.0
		for _, l := range lanes {
			if l.n > 1 && !r.lanes {
				continue
			}
			speed, err := p.rate(r, l.options, l.n)
			if err != nil {
				return err
			}
			best = max(best, speed)
		}
		if !r.seconds {
			best /= float64(p.device.ComputeUnits) * 1e6 * float64(p.device.ClockMHz)
		}
		set(r.at(p.model), best, "")
	}
	return nil
}

// rate is how much a kernel does in a second.
func (p *prober) rate(r rate, options string, lanes int) (float64, error) {
	k, err := p.kernel(options, r.kernel)
	if err != nil {
		return 0, err
	}
	over := spread[p.model.Class]
	local := min(over.local, p.device.MaxGroup)
	items := over.perUnit * p.device.ComputeUnits / local * local
	out, err := p.cl.Buffer(max(items*lanes*r.size, 1024))
	if err != nil {
		return 0, err
	}
	defer out.Close()
	at := cl.Range{Global: []int{items}, Local: []int{local}}
	args := func(n int32) []any {
		if r.local > 0 {
			return []any{out, n, cl.Local(r.local * local)}
		}
		return []any{out, n}
	}
	n, err := p.rounds(func(n int32) (float64, error) { return p.once(k, at, args(n)...) })
	if err != nil {
		return 0, err
	}
	t, err := p.least(k, at, args(n)...)
	return float64(items*lanes) * float64(n) * r.perRound / t, err
}

// queued is how many kernels wait for each other where launches are measured.
const queued = 200

// launches measures kernels that do nothing: how long one takes, one behind another, and the host to enqueue it.
func (p *prober) launches() error {
	k, err := p.kernel("", "nothing")
	if err != nil {
		return err
	}
	out, err := p.cl.Buffer(4)
	if err != nil {
		return err
	}
	defer out.Close()
	at := cl.Range{Global: []int{256}, Local: []int{min(256, p.device.MaxGroup)}}
	fixed, err := p.least(k, at, out, int32(1))
	if err != nil {
		return err
	}
	start := time.Now()
	for range queued {
		if err := p.cl.Launch(k, at, out, int32(1)); err != nil {
			return err
		}
	}
	host := time.Since(start).Seconds() / queued
	times, err := p.cl.Wait()
	if err != nil {
		return err
	}
	set(&p.model.Launch.Fixed, fixed, "a kernel that does nothing, by the device's clock")
	set(&p.model.Launch.Dependent, float64(times[len(times)-1].End-times[0].Start)*1e-9/queued, "")
	set(&p.model.Launch.Host, host, "")
	return nil
}

// Loads that wait for each other take so much longer where they leave a cache.
const slower = 1.5

// caches looks for the size from which on loads take longer than in the first cache.
func (p *prober) caches() error {
	line := max(p.device.CacheLine, 64)
	k, err := p.kernel("", "chase")
	if err != nil {
		return err
	}
	first := 0.0
	for size := 4 << 10; size <= min(p.opts.Bytes, 4<<20); size += size / 2 {
		t, err := p.latency(k, size, line)
		if err != nil {
			return err
		}
		if first == 0 || t < first {
			first = t
		}
		if t > slower*first {
			set(&p.model.Memory.L1, float64(size-size/3), "up to which loads that wait for each other take the same time")
			return nil
		}
	}
	return nil // no such size: what was known stands
}

// latency is the time of one load of a chain through so many bytes, in no order.
func (p *prober) latency(k *cl.Kernel, size, line int) (float64, error) {
	next, out, err := p.buffers(size)
	if err != nil {
		return 0, err
	}
	defer next.Close()
	defer out.Close()
	if err := next.Write(0, chain(size, line)); err != nil {
		return 0, err
	}
	at := cl.Range{Global: []int{1}, Local: []int{1}}
	n, err := p.rounds(func(n int32) (float64, error) { return p.once(k, at, next, out, n) })
	if err != nil {
		return 0, err
	}
	t, err := p.least(k, at, next, out, n)
	return t / float64(n), err
}

// chain is an array in which the first word of each line names that of another one, through all of them.
func chain(size, line int) []byte {
	lines := size / line
	order := rand.New(rand.NewPCG(1, 2)).Perm(lines)
	b := make([]byte, size)
	for i, from := range order {
		binary.NativeEndian.PutUint32(b[from*line:], uint32(order[(i+1)%lines]*line/4))
	}
	return b
}
