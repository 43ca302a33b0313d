package archmodels

// A Figure is one number of a model with where it comes from. The zero Figure is unknown.
type Figure struct {
	Value  float64 // in the unit that the schema states; flags are 0 or 1
	Known  bool
	Source string // a name of Model.Sources
	How    How
	Note   string
	Line   int // in the file that states it
}

// Or is the figure's value, or v where it is unknown.
func (f Figure) Or(v float64) float64 {
	if f.Known {
		return f.Value
	}
	return v
}

// Int is the figure's value as an integer, or v where it is unknown.
func (f Figure) Int(v int) int { return int(f.Or(float64(v))) }

// Yes reports whether a flag is known to be set.
func (f Figure) Yes() bool { return f.Known && f.Value != 0 }

// How says how far a figure can be trusted.
type How uint8

const (
	Vendor    How = iota // the vendor's documents or staff
	Measured             // measured on the device
	Secondary            // somebody else's account
	Inferred             // follows from other figures, or from a sibling
	Assumed              // as is usual of its class: taken where a model does not know, stated by none
)

var hows = [...]string{"vendor", "measured", "secondary", "inferred", "assumed"}

// stated are the words of what somebody has found out, which models state.
var stated = hows[:Assumed]

// String is the word that model files use.
func (h How) String() string { return hows[h] }

// Class is what kind of processor a device is. Kernels for the two are shaped differently.
type Class uint8

const (
	GPU Class = iota
	CPU
)

var classes = [...]string{"gpu", "cpu"}

// String is the word that model files use.
func (c Class) String() string { return classes[c] }

// A Model is what is known of a device, or of what a family of devices has in common.
type Model struct {
	Name    string // the file's stem, as --arch takes it
	Title   string
	Class   Class
	Vendor  string // part of the name of the vendor of a running device; "" of a model that fits any
	Device  string // a regular expression for the name of a running device; "" of a model that --arch alone selects
	CUDA    string // the compute capability as sm_90; "" of what CUDA does not know
	Inherit string // the family whose figures hold where this file states none; "" for none
	Notes   string
	Sources map[string]string // what the names of sources stand for

	Limits    Limits
	Memory    Memory
	Bandwidth Bandwidth
	Rates     Rates
	Launch    Launch
	Features  Features
	Prefers   Prefers
}

// Limits bound what a kernel may use.
type Limits struct {
	GroupSize, SafeGroupSize                  Figure
	Subgroup                                  Figure
	ItemsPerUnit, GroupsPerUnit               Figure
	RegistersPerUnit, RegistersPerItem        Figure
	RegisterUnit                              Figure
	LocalPerUnit, LocalPerGroup, LocalByOptIn Figure
	LocalUnit, LocalReserved                  Figure
	Constant                                  Figure
	Body                                      Figure
}

// Memory is the memory hierarchy.
type Memory struct {
	L1, L2, L3     Figure
	Line, Sector   Figure
	LineBank       Figure
	RowAlignment   Figure
	LocalDedicated Figure
}

// Bandwidth is what kernels have been seen to reach.
type Bandwidth struct {
	Peak, Copy, Read, Fabric                Figure
	Width1, Width2, Width4, Width8, Width16 Figure
}

// Rates are operations of one compute unit per clock.
type Rates struct {
	Units, Clock                 Figure
	Issue, IssueShare, PipeShare Figure
	FMA, Integer, Logic, Dot4    Figure
	Convert, ConvertWord         Figure
	Special, Double              Figure
	Half2                        Figure
	LocalBytes, LocalAtomics     Figure
	Requests, Lines              Figure
	GlobalAtomics, SpreadAtomics Figure
}

// FloatsByLogic reports whether an integer of 8 or 16 bits of a word becomes an f32 in less time by logic and an addition than by a conversion.
func (r *Rates) FloatsByLogic() bool {
	return r.Convert.Known && r.Logic.Known && r.FMA.Known && 1/r.Logic.Value+1/r.FMA.Value < 1/r.Convert.Value
}

// HalvesByDots reports whether dot products of two integers of 16 bits, which devices have that have those of four bytes and run PTX, take about as much
// as multiply-adds.
func (m *Model) HalvesByDots() bool {
	r := &m.Rates
	return m.Features.Dot4.Yes() && m.Features.PTX.Yes() && r.Dot4.Known && r.Integer.Known && r.Dot4.Value >= r.Integer.Value*0.8
}

// ChosenSums reports whether an addition that a condition leaves out is one instruction, as of what runs PTX, where any may have a condition.
func (m *Model) ChosenSums() bool { return m.Features.PTX.Yes() }

// FloatsByHalves reports whether an operation on two f16 takes no longer than two on f32, which have their results rounded besides.
func (m *Model) FloatsByHalves() bool {
	r := &m.Rates
	return m.Features.Half.Yes() && r.Half2.Known && r.FMA.Known && 2*r.Half2.Value >= r.FMA.Value
}

// Launch is what starting kernels costs.
type Launch struct{ Fixed, Dependent, Group, Between, Host Figure }

// Features are flags: 1 where a device has something.
type Features struct{ Half, Subgroups, Dot4, Halves, Mul24, PTX, AsyncCopy, Atomics64, FloatAtomics Figure }

// Prefers are shapes that were found to pay.
type Prefers struct {
	Access, RowBytes, Rows       Figure
	GroupX, GroupY               Figure
	ItemsInFlight                Figure
	StageStencils                Figure
	GroupsPerUnit, LoadsInFlight Figure
	HistogramCopies              Figure
	MatrixFrom                   Figure
}

// Known counts the figures that the model knows, and all that there are.
func (m *Model) Known() (known, all int) {
	for _, f := range Fields {
		if f.At(m).Known {
			known++
		}
	}
	return known, len(Fields)
}
