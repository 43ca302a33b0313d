package archmodels

// A Field is one figure of the schema: where it stands in a file, its unit and what it means.
type Field struct {
	Section, Name string
	Unit          string
	Meaning       string
	Max           float64 // the largest value that makes sense; flags have 1
	Whole         bool    // no fractions
	At            func(*Model) *Figure
}

// Path is the field's name with its section: limits.group_size.
func (f *Field) Path() string { return f.Section + "." + f.Name }

// Sections are the sections of a file, in order.
var Sections = []struct{ Name, Meaning string }{
	{"limits", "what one kernel may use"},
	{"memory", "the memory hierarchy"},
	{"bandwidth", "what kernels have been seen to reach"},
	{"rates", "operations of one compute unit in one clock"},
	{"launch", "what it costs to start a kernel"},
	{"features", "what the device has: 1 for yes, 0 for no"},
	{"prefers", "shapes of kernels that were found to pay"},
}

const (
	bytes   = "bytes"
	flag    = "flag"
	perUnit = "per clock and unit"
	seconds = "s"
	perSec  = "bytes/s"
	share   = "share"
	items   = "work-items"
)

// Fields is the schema. Every model states each of them, as a figure or as unknown.
var Fields = []*Field{
	{"limits", "group_size", items, "largest work-group", 1 << 16, true, func(m *Model) *Figure { return &m.Limits.GroupSize }},
	{"limits", "safe_group_size", items, "largest work-group that fits whatever a kernel uses", 1 << 16, true, func(m *Model) *Figure { return &m.Limits.SafeGroupSize }},
	{"limits", "subgroup", items, "work-items that run in step (warp, wave); 1 where they do not", 1024, true, func(m *Model) *Figure { return &m.Limits.Subgroup }},
	{"limits", "items_per_unit", items, "resident work-items of a compute unit", 1 << 20, true, func(m *Model) *Figure { return &m.Limits.ItemsPerUnit }},
	{"limits", "groups_per_unit", "work-groups", "resident work-groups of a compute unit", 1 << 16, true, func(m *Model) *Figure { return &m.Limits.GroupsPerUnit }},
	{"limits", "registers_per_unit", "32-bit registers", "register file of a compute unit", 1 << 24, true, func(m *Model) *Figure { return &m.Limits.RegistersPerUnit }},
	{"limits", "registers_per_item", "32-bit registers", "registers that one work-item can have", 1 << 16, true, func(m *Model) *Figure { return &m.Limits.RegistersPerItem }},
	{"limits", "register_unit", "32-bit registers", "granularity in which a subgroup gets registers", 1 << 16, true, func(m *Model) *Figure { return &m.Limits.RegisterUnit }},
	{"limits", "local_per_unit", bytes, "local memory of a compute unit", 1 << 30, true, func(m *Model) *Figure { return &m.Limits.LocalPerUnit }},
	{"limits", "local_per_group", bytes, "local memory that a work-group can have", 1 << 30, true, func(m *Model) *Figure { return &m.Limits.LocalPerGroup }},
	{"limits", "local_by_opt_in", bytes, "the same where the host asks for more", 1 << 30, true, func(m *Model) *Figure { return &m.Limits.LocalByOptIn }},
	{"limits", "local_unit", bytes, "granularity of local memory", 1 << 20, true, func(m *Model) *Figure { return &m.Limits.LocalUnit }},
	{"limits", "local_reserved", bytes, "local memory of each work-group that the driver keeps", 1 << 20, true, func(m *Model) *Figure { return &m.Limits.LocalReserved }},
	{"limits", "constant", bytes, "constant memory of a kernel", 1 << 40, true, func(m *Model) *Figure { return &m.Limits.Constant }},
	{"limits", "body", "instructions", "length up to which straight-line code runs at full speed", 1 << 24, true, func(m *Model) *Figure { return &m.Limits.Body }},

	{"memory", "l1", bytes, "first-level data cache of a compute unit", 1 << 40, true, func(m *Model) *Figure { return &m.Memory.L1 }},
	{"memory", "l2", bytes, "second-level cache; of a CPU that of one core", 1 << 40, true, func(m *Model) *Figure { return &m.Memory.L2 }},
	{"memory", "l3", bytes, "last-level cache; 0 where there is none", 1 << 40, true, func(m *Model) *Figure { return &m.Memory.L3 }},
	{"memory", "line", bytes, "cache line", 1 << 16, true, func(m *Model) *Figure { return &m.Memory.Line }},
	{"memory", "sector", bytes, "smallest transfer between cache and memory", 1 << 16, true, func(m *Model) *Figure { return &m.Memory.Sector }},
	{"memory", "line_bank", bytes, "part of a line of the first cache of which a clock gives one at a time, of whatever lines: the parts that lie at the same place of theirs", 1 << 16, true, func(m *Model) *Figure { return &m.Memory.LineBank }},
	{"memory", "row_alignment", bytes, "multiple to which rows of images are padded", 1 << 16, true, func(m *Model) *Figure { return &m.Memory.RowAlignment }},
	{"memory", "local_dedicated", flag, "local memory is memory of its own, not a part of main memory", 1, true, func(m *Model) *Figure { return &m.Memory.LocalDedicated }},

	{"bandwidth", "peak", perSec, "of main memory, as its maker states it", 1e15, false, func(m *Model) *Figure { return &m.Bandwidth.Peak }},
	{"bandwidth", "copy", perSec, "read and written by the best copy of images that no cache holds", 1e15, false, func(m *Model) *Figure { return &m.Bandwidth.Copy }},
	{"bandwidth", "read", perSec, "of the best kernel that reads alone", 1e15, false, func(m *Model) *Figure { return &m.Bandwidth.Read }},
	{"bandwidth", "fabric", perSec, "between last-level cache and compute units, re-read bytes included", 1e15, false, func(m *Model) *Figure { return &m.Bandwidth.Fabric }},
	{"bandwidth", "width_1", share, "of bandwidth.copy that is reached by accesses of 1 byte", 1, false, func(m *Model) *Figure { return &m.Bandwidth.Width1 }},
	{"bandwidth", "width_2", share, "the same, 2 bytes", 1, false, func(m *Model) *Figure { return &m.Bandwidth.Width2 }},
	{"bandwidth", "width_4", share, "the same, 4 bytes", 1, false, func(m *Model) *Figure { return &m.Bandwidth.Width4 }},
	{"bandwidth", "width_8", share, "the same, 8 bytes", 1, false, func(m *Model) *Figure { return &m.Bandwidth.Width8 }},
	{"bandwidth", "width_16", share, "the same, 16 bytes", 1, false, func(m *Model) *Figure { return &m.Bandwidth.Width16 }},

	{"rates", "units", "compute units", "number of compute units", 1 << 16, true, func(m *Model) *Figure { return &m.Rates.Units }},
	{"rates", "clock", "Hz", "clock under load", 1e11, false, func(m *Model) *Figure { return &m.Rates.Clock }},
	{"rates", "issue", perUnit, "instructions of work-items", 1 << 16, false, func(m *Model) *Figure { return &m.Rates.Issue }},
	{"rates", "issue_share", share, "of the issue slots that good kernels fill", 1, false, func(m *Model) *Figure { return &m.Rates.IssueShare }},
	{"rates", "pipe_share", share, "of a pipe's rate that good kernels reach", 1, false, func(m *Model) *Figure { return &m.Rates.PipeShare }},
	{"rates", "fma", perUnit, "f32 multiply-adds, additions, multiplications", 1 << 16, false, func(m *Model) *Figure { return &m.Rates.FMA }},
	{"rates", "integer", perUnit, "32-bit multiply-adds", 1 << 16, false, func(m *Model) *Figure { return &m.Rates.Integer }},
	{"rates", "logic", perUnit, "32-bit additions, logic, shifts, minima, selections", 1 << 16, false, func(m *Model) *Figure { return &m.Rates.Logic }},
	{"rates", "dot4", perUnit, "dot products of four bytes with accumulation", 1 << 16, false, func(m *Model) *Figure { return &m.Rates.Dot4 }},
	{"rates", "half2", perUnit, "multiply-adds, additions, multiplications of two f16 at once", 1 << 16, false, func(m *Model) *Figure { return &m.Rates.Half2 }},
	{"rates", "convert", perUnit, "conversions between small integers and floats; where logic and an addition take less, loaded ones become floats by these", 1 << 16, false, func(m *Model) *Figure { return &m.Rates.Convert }},
	{"rates", "convert_word", perUnit, "conversions of 32-bit integers to f32, and of f32 to bytes, saturating; as convert where unknown", 1 << 16, false, func(m *Model) *Figure { return &m.Rates.ConvertWord }},
	{"rates", "special", perUnit, "exponentials, square roots, reciprocals", 1 << 16, false, func(m *Model) *Figure { return &m.Rates.Special }},
	{"rates", "double", perUnit, "f64 multiply-adds", 1 << 16, false, func(m *Model) *Figure { return &m.Rates.Double }},
	{"rates", "local_bytes", "bytes per clock and unit", "traffic of local memory", 1 << 20, false, func(m *Model) *Figure { return &m.Rates.LocalBytes }},
	{"rates", "local_atomics", perUnit, "atomic additions in local memory without conflicts", 1 << 16, false, func(m *Model) *Figure { return &m.Rates.LocalAtomics }},
	{"rates", "requests", perUnit, "accesses of work-items that go beyond the first cache", 1 << 16, false, func(m *Model) *Figure { return &m.Rates.Requests }},
	{"rates", "lines", perUnit, "lines of the first cache of which an access of a subgroup wants something", 1 << 10, false, func(m *Model) *Figure { return &m.Rates.Lines }},

	{"rates", "global_atomics", "per second", "atomic additions of the whole device to 256 places of main memory", 1e15, false, func(m *Model) *Figure { return &m.Rates.GlobalAtomics }},
	{"rates", "spread_atomics", "per second", "the same to so many places that few meet; as of 256 where unknown", 1e15, false, func(m *Model) *Figure { return &m.Rates.SpreadAtomics }},

	{"launch", "fixed", seconds, "of a kernel between others, added to what it moves and computes", 1, false, func(m *Model) *Figure { return &m.Launch.Fixed }},
	{"launch", "dependent", seconds, "of a small kernel that waits for the one before it", 1, false, func(m *Model) *Figure { return &m.Launch.Dependent }},
	{"launch", "group", seconds, "from the start of one group to that of the next one, anywhere on the device", 1, false, func(m *Model) *Figure { return &m.Launch.Group }},
	{"launch", "between", seconds, "that passes between two kernels of a queue, beyond what each takes, outside of graphs", 1, false, func(m *Model) *Figure { return &m.Launch.Between }},
	{"launch", "host", seconds, "that the host takes to enqueue a kernel", 1, false, func(m *Model) *Figure { return &m.Launch.Host }},

	{"features", "half", flag, "f16 arithmetic", 1, true, func(m *Model) *Figure { return &m.Features.Half }},
	{"features", "subgroups", flag, "subgroup operations (shuffles) in OpenCL C or CUDA", 1, true, func(m *Model) *Figure { return &m.Features.Subgroups }},
	{"features", "dot4", flag, "dot products of four bytes", 1, true, func(m *Model) *Figure { return &m.Features.Dot4 }},
	{"features", "halves", flag, "the lesser and the greater of 16-bit integers, two to a word, in one instruction", 1, true, func(m *Model) *Figure { return &m.Features.Halves }},
	{"features", "mul24", flag, "products of integers of 24 bits, in fewer instructions or at a higher rate than those of 32", 1, true, func(m *Model) *Figure { return &m.Features.Mul24 }},
	{"features", "ptx", flag, "PTX instructions inline, from OpenCL C too", 1, true, func(m *Model) *Figure { return &m.Features.PTX }},
	{"features", "async_copy", flag, "copies from main to local memory that do not wait", 1, true, func(m *Model) *Figure { return &m.Features.AsyncCopy }},
	{"features", "atomics_64", flag, "atomic operations on 64 bits", 1, true, func(m *Model) *Figure { return &m.Features.Atomics64 }},
	{"features", "float_atomics", flag, "atomic additions of f32", 1, true, func(m *Model) *Figure { return &m.Features.FloatAtomics }},

	{"prefers", "access", bytes, "of one access by one work-item", 1 << 10, true, func(m *Model) *Figure { return &m.Prefers.Access }},
	{"prefers", "row_bytes", bytes, "of a row of input that a work-item of a stencil computes", 1 << 16, true, func(m *Model) *Figure { return &m.Prefers.RowBytes }},
	{"prefers", "rows", "rows", "that a work-item of a small stencil computes", 1 << 16, true, func(m *Model) *Figure { return &m.Prefers.Rows }},
	{"prefers", "group_x", items, "in the x of a work-group of a stencil", 1 << 16, true, func(m *Model) *Figure { return &m.Prefers.GroupX }},
	{"prefers", "group_y", items, "in its y", 1 << 16, true, func(m *Model) *Figure { return &m.Prefers.GroupY }},
	{"prefers", "items_in_flight", items, "of a compute unit below which memory is not kept busy", 1 << 20, true, func(m *Model) *Figure { return &m.Prefers.ItemsInFlight }},
	{"prefers", "stage_stencils", "pixels", "width of a mask from which staging its input in local memory pays; 0 for never", 1 << 16, true, func(m *Model) *Figure { return &m.Prefers.StageStencils }},
	{"prefers", "groups_per_unit", "work-groups", "of 256 of a reduction", 1 << 16, true, func(m *Model) *Figure { return &m.Prefers.GroupsPerUnit }},
	{"prefers", "loads_in_flight", "accesses", "of a work-item of a reduction", 1 << 10, true, func(m *Model) *Figure { return &m.Prefers.LoadsInFlight }},
	{"prefers", "histogram_copies", "copies", "of a histogram in local memory", 1 << 10, true, func(m *Model) *Figure { return &m.Prefers.HistogramCopies }},
	{"prefers", "matrix_from", "pixels", "width of a u8 mask from which matrix units pay; 0 for never", 1 << 16, true, func(m *Model) *Figure { return &m.Prefers.MatrixFrom }},
}
