package probe

import (
	"imgc/archmodels"
	"imgc/device/cl"
)

// A told figure is one that the driver states. Zero is what drivers say that do not know.
type told struct {
	at    func(*archmodels.Model) *archmodels.Figure
	value func(*cl.Device) float64
	note  string
}

func flag(set bool) float64 {
	if set {
		return 1
	}
	return 0
}

var byDriver = []told{
	{func(m *archmodels.Model) *archmodels.Figure { return &m.Limits.GroupSize }, func(d *cl.Device) float64 { return float64(d.MaxGroup) }, ""},
	{func(m *archmodels.Model) *archmodels.Figure { return &m.Limits.LocalPerGroup }, func(d *cl.Device) float64 { return float64(d.LocalMem) }, ""},
	{func(m *archmodels.Model) *archmodels.Figure { return &m.Limits.Constant }, func(d *cl.Device) float64 { return float64(d.ConstantMem) }, ""},
	{func(m *archmodels.Model) *archmodels.Figure { return &m.Memory.Line }, func(d *cl.Device) float64 { return float64(d.CacheLine) }, ""},
	{func(m *archmodels.Model) *archmodels.Figure { return &m.Rates.Units }, func(d *cl.Device) float64 { return float64(d.ComputeUnits) }, ""},
	{func(m *archmodels.Model) *archmodels.Figure { return &m.Rates.Clock }, func(d *cl.Device) float64 { return 1e6 * float64(d.ClockMHz) }, "the highest"},
	{func(m *archmodels.Model) *archmodels.Figure { return &m.Features.Half }, func(d *cl.Device) float64 { return flag(d.HalfFP) }, ""},
	{func(m *archmodels.Model) *archmodels.Figure { return &m.Features.Atomics64 }, func(d *cl.Device) float64 { return flag(d.Has("cl_khr_int64_base_atomics")) }, ""},
}

// lastLevel is the cache that drivers mean where they speak of one.
var lastLevel = map[archmodels.Class]func(*archmodels.Model) *archmodels.Figure{
	archmodels.GPU: func(m *archmodels.Model) *archmodels.Figure { return &m.Memory.L2 },
	archmodels.CPU: func(m *archmodels.Model) *archmodels.Figure { return &m.Memory.L3 },
}

// A shape is how a kernel that goes through memory is spread over work-items.
type shape struct {
	options string
	local   int
	perUnit int // work-items for each compute unit; 0 for one for each element
}

var shapes = []shape{
	{"", 256, 0},
	{"", 256, 2048},
	{"-DBLOCKED", 1, 8},
}

// A stream is a kernel that reads, or reads and writes, one element after the other.
type stream struct {
	kernel  string
	width   int // bytes of an element
	traffic int // elements that are moved for each
	cached  bool
	at      func(*archmodels.Model) *archmodels.Figure
}

// copies give shares of the best of them; reads a bandwidth each.
var copies = []stream{
	{"copy_1", 1, 2, false, func(m *archmodels.Model) *archmodels.Figure { return &m.Bandwidth.Width1 }},
	{"copy_2", 2, 2, false, func(m *archmodels.Model) *archmodels.Figure { return &m.Bandwidth.Width2 }},
	{"copy_4", 4, 2, false, func(m *archmodels.Model) *archmodels.Figure { return &m.Bandwidth.Width4 }},
	{"copy_8", 8, 2, false, func(m *archmodels.Model) *archmodels.Figure { return &m.Bandwidth.Width8 }},
	{"copy_16", 16, 2, false, func(m *archmodels.Model) *archmodels.Figure { return &m.Bandwidth.Width16 }},
}

var reads = []stream{
	{"read_16", 16, 1, false, func(m *archmodels.Model) *archmodels.Figure { return &m.Bandwidth.Read }},
	{"read_16", 16, 1, true, func(m *archmodels.Model) *archmodels.Figure { return &m.Bandwidth.Fabric }},
}

// A rate is a kernel that computes, and how much of it one round of a lane of a work-item is.
type rate struct {
	kernel   string
	perRound float64 // operations, or bytes
	lanes    bool    // work-items may compute several lanes
	local    int     // bytes of local memory for each work-item
	size     int     // bytes that a lane of a work-item writes in the end
	seconds  bool    // the figure is per second, of the whole device; else per clock and compute unit
	needs    func(*cl.Device) bool
	at       func(*archmodels.Model) *archmodels.Figure
}

func always(*cl.Device) bool      { return true }
func doubles(d *cl.Device) bool   { return d.Has("cl_khr_fp64") }
func dedicated(d *cl.Device) bool { return d.DedicatedLocal }

// chains is how many operations kernels.cl has in a round of a rate.
const chains = 8

var rates = []rate{
	{"multiply_add", chains, true, 0, 4, false, always, func(m *archmodels.Model) *archmodels.Figure { return &m.Rates.FMA }},
	{"integer_multiply_add", chains, true, 0, 4, false, always, func(m *archmodels.Model) *archmodels.Figure { return &m.Rates.Integer }},
	{"add_and_xor", 2 * chains, true, 0, 4, false, always, func(m *archmodels.Model) *archmodels.Figure { return &m.Rates.Logic }},
	{"to_byte_and_back", 2 * chains, true, 0, 4, false, always, func(m *archmodels.Model) *archmodels.Figure { return &m.Rates.Convert }},
	{"root", chains, true, 0, 4, false, always, func(m *archmodels.Model) *archmodels.Figure { return &m.Rates.Special }},
	{"double_multiply_add", chains, true, 0, 8, false, doubles, func(m *archmodels.Model) *archmodels.Figure { return &m.Rates.Double }},
	{"local_read", 16, false, 16, 16, false, dedicated, func(m *archmodels.Model) *archmodels.Figure { return &m.Rates.LocalBytes }},
	{"local_add", 1, false, 4, 4, false, dedicated, func(m *archmodels.Model) *archmodels.Figure { return &m.Rates.LocalAtomics }},
	{"global_add", 1, false, 0, 4, true, always, func(m *archmodels.Model) *archmodels.Figure { return &m.Rates.GlobalAtomics }},
	{"global_add_apart", 1, false, 0, 4, true, always, func(m *archmodels.Model) *archmodels.Figure { return &m.Rates.SpreadAtomics }},
}

// lanes are the widths in which a rate is tried.
var lanes = []struct {
	options string
	n       int
}{{"", 1}, {"-DLANES=4", 4}, {"-DLANES=16", 16}}

// spread is how many work-items a kernel that computes has on each compute unit, and in a group.
var spread = map[archmodels.Class]struct{ local, perUnit int }{archmodels.GPU: {256, 2048}, archmodels.CPU: {4, 16}}
