package host

import (
	"fmt"
	"slices"
	"strings"

	"imgc/emit/clike"
	"imgc/emit/ctree"
	"imgc/kir"
	"imgc/types"
)

// A library is what the templates are filled from.
type library struct {
	Name, Upper, Guard string
	Version, Source    string
	Target             string // "OpenCL"
	Statuses           []status
	LastStatus         int
	Kernels            []string // names in the OpenCL program
	KernelSource       []string // C string literals, a line each
	MemoryCount        int
	Padding            int // bytes, to multiples of which lines of the library's own images are padded
	Pipelines          []*pipeline
	Only               bool     // one pipeline
	Graphs             bool     // some pipeline's calls may be graphs
	HasSettings        bool     // some pipeline has a scalar or a size to set in the demo
	HasFloats          bool     // a float among them
	HasIntegers        bool     // an integer among them, of up to 64 bits with a sign
	HasNaturals        bool     // an integer of 64 bits without one
	HasResults         bool     // some pipeline has scalars that kernels compute for the caller
	Arithmetic         string   // support functions of the library's host expressions
	DemoArithmetic     string   // and of the demo's
	Foreign            []string // files of the program whose text is in the kernels
	FP64               bool
	Int64Atomics       bool

	Options, OptionalOptions, Capability string      // of OpenCL's compiler
	Flags, Architectures                 string      // of CUDA's
	MaxArguments                         int         // of a kernel
	Kept                                 []int       // bytes of images that are zeros between calls, by their number in a pipeline: what one has at most
	Tables                               []hostTable // that the host puts into buffers
	Grids                                []grid      // by kernel
	Pools                                []int       // by kernel: bytes of local memory that the host asks for; nil where no kernel has it ask

	tables         map[*kir.Table]int
	to             *target
	unit, demoUnit *unit
}

// A grid is what a library does where a kernel has more groups than one launch may have.
type grid struct {
	how   clike.Grid
	first int // the index of the argument that says where a part begins
}

// String is how C code says that: the argument, or a name.
func (g grid) String() string {
	switch g.how {
	case clike.InParts:
		return fmt.Sprint(g.first)
	case clike.CountsOn:
		return "counts_on"
	}
	return "one_launch"
}

// A status is one row of the table of what can go wrong.
type status struct{ Name, Local, Brief, Sentence string }

func newLibrary(p *kir.Program, to *target, k kernels, opts Options) (*library, error) {
	lib := &library{
		Name: opts.Name, Upper: strings.ToUpper(opts.Name), Guard: strings.ToUpper(opts.Name) + "_H",
		Version: opts.Version, Source: opts.Source, Target: to.title, Statuses: to.statuses, LastStatus: len(to.statuses) - 1,
		FP64: k.fp64, Int64Atomics: k.int64Atomics, Options: k.options, OptionalOptions: k.optionalOptions, Capability: k.capability,
		Flags: k.flags, Architectures: k.architectures, MaxArguments: 1, to: to, unit: newUnit(), demoUnit: newUnit(), Padding: max(1, p.Padding),
	}
	lib.Only = len(p.Pipelines) == 1
	index := map[*kir.Kernel]int{}
	for i, info := range k.list {
		index[info.Kernel] = i
		lib.Kernels = append(lib.Kernels, info.Name)
		lib.MaxArguments = max(lib.MaxArguments, len(info.Params)+1) // the last says where a part of its blocks begins
		lib.Grids = append(lib.Grids, grid{info.Grid, len(info.Params)})
		lib.Pools = append(lib.Pools, info.Pool)
	}
	if slices.Max(append(lib.Pools, 0)) == 0 {
		lib.Pools = nil
	}
	for _, line := range strings.SplitAfter(k.source, "\n") {
		if line != "" {
			lib.KernelSource = append(lib.KernelSource, ctree.Quote(line))
		}
	}
	for _, t := range p.Foreign {
		lib.Foreign = append(lib.Foreign, t.File)
	}
	for _, t := range p.Filled {
		lib.addTable(t)
	}
	for _, pl := range p.Pipelines {
		view, err := newPipeline(lib, pl, lib.Only, index)
		if err != nil {
			return nil, err
		}
		lib.Pipelines = append(lib.Pipelines, view)
		lib.Graphs = lib.Graphs || view.Graph()
		lib.HasSettings = lib.HasSettings || len(view.SettingNames) > 0
		lib.HasFloats = lib.HasFloats || slices.Contains(view.takers, "setting")
		lib.HasIntegers = lib.HasIntegers || slices.Contains(view.takers, "integer")
		lib.HasNaturals = lib.HasNaturals || slices.Contains(view.takers, "natural")
		lib.HasResults = lib.HasResults || view.DeviceResults()
		lib.MemoryCount = max(lib.MemoryCount, view.ImageCount)
		lib.keep(view.keptBytes)
	}
	lib.Arithmetic, lib.DemoArithmetic = lib.unit.definitions(), lib.demoUnit.definitions()
	return lib, nil
}

// keep has the library keep what a pipeline needs, at least so many bytes of each image. Pipelines share what is kept, as calls that use
// the library's memory run one after the other.
func (lib *library) keep(bytes []int) {
	for i, n := range bytes {
		if i == len(lib.Kept) {
			lib.Kept = append(lib.Kept, 0)
		}
		lib.Kept[i] = max(lib.Kept[i], n)
	}
}

// KeptAt are the places of what is kept, one behind the other, each on lines of a cache of its own.
func (lib *library) KeptAt() (at []int) {
	end := 0
	for _, n := range lib.Kept {
		at = append(at, end)
		end += (n + keptLine - 1) / keptLine * keptLine
	}
	return at
}

// KeptBytes is what all of it takes, up to where it may start again.
func (lib *library) KeptBytes() int {
	last := len(lib.Kept) - 1
	return lib.KeptAt()[last] + (lib.Kept[last]+keptLine-1)/keptLine*keptLine
}

// keptLine is the bytes of the longest line that the caches of any device of CUDA's have.
const keptLine = 128

// A pipeline is the view of one entry point.
type pipeline struct {
	Library     *library
	Name, Func  string
	Number      int    // of the pipeline in its library
	Indent      string // below the opening parenthesis of the enqueue function's second line
	Signature   string
	Docs        []string
	Params      []*param
	Images      []*image // parameters first, then locals
	ImageCount  int      // views: one for each row, but for the levels of pyramids
	Pictures    int      // images of the demo
	Levels      bool     // it has pyramids
	Traverses   []*traverse
	ParamImages int
	ImageNames  string
	Locals      bool
	Fields      []field
	CheckLines  []string
	StepLines   []string
	Zeroed      []int
	Kept        []int    // which are zeros between calls
	Pairs       [][2]int // images that must not overlap
	Uploads     []int
	Downloads   []int

	Groups []group  // of swapped images
	Waits  []string // places of the program where the host waits for the device

	Launches []launch
	demo

	unit *unit

	keptBytes []int // of those that are Kept
	padding   int
	plan      *kir.Pipeline
	locals    []*kir.Image // of the plan, and room to sort swapped images out
	depth     int          // of control flow

	checkDepth int                  // of loops around checks
	families   map[*kir.Pyramid]int // the views of the finest levels
	functions  map[*kir.Traverse]*traverse
	counts     map[*kir.Levels]*traverse
	index      map[*kir.Image]int
	vars       map[*kir.Var]string // as C expressions
	parts      map[*kir.Var]vectorPart
	labels     map[*kir.Var]string // as the program calls them
}

// A param is a parameter of the generated functions.
type param struct {
	Name, Ident          string
	IsImage, IsOut       bool
	OnDevice             bool   // an out scalar that kernels compute; Index is that of its image
	Index                int    // of an image
	Forbidden            string // flags of OpenCL buffers that an image cannot lie in
	HostType, DeviceType string // with a trailing space unless a pointer
	Field                string // of a scalar
	Lanes                int    // of a scalar: 1, or the components of a vector
	Take, Give           string // statements that take a scalar in and give an out scalar its value
	ValueType            string // of a scalar, in the demo
	RunArgument          string // in the demo's call
	DeviceArgument       string // in its calls with device memory
}

// An image is a parameter or local as the table of shapes shows it.
type image struct {
	Quoted                           string
	Rank, LineAxis, Component, Lanes int
	Index                            int // among the views
	Shares                           int // one more than the index of the image whose memory it takes; 0 for its own
}

// A field is a member of the call structure.
type field struct{ Type, Ident string }

// reserved are the names that the templates use where parameters are in scope.
var reserved = []string{
	"self", "queue", "count", "wait", "done", "call", "c", "stream", "state", "s", "host", "status", "image", "i", "own", "group", "room", "workspace",
	"workspace_size", "bytes", "kept", "found",
}

// own are the names that a library and a function of it have at file scope.
func own(library, function string) []string {
	out := []string{library + "_image", library + "_buffer"}
	for _, suffix := range []string{"_check", "_steps", "_shapes", "_traverse", "_run", "_enqueue", "_enqueue_in", "_enqueue_graph", "_workspace", "_whole", "_take", "_queue", "_work", "_capture", "_launch"} {
		out = append(out, function+suffix)
	}
	return out
}

func newPipeline(lib *library, p *kir.Pipeline, only bool, kernels map[*kir.Kernel]int) (*pipeline, error) {
	v := &pipeline{
		Library: lib, Name: p.Name, Func: lib.Name, Number: len(lib.Pipelines), plan: p, unit: lib.unit, padding: lib.Padding,
		index: map[*kir.Image]int{}, vars: map[*kir.Var]string{}, parts: map[*kir.Var]vectorPart{}, labels: map[*kir.Var]string{},
		families: map[*kir.Pyramid]int{}, functions: map[*kir.Traverse]*traverse{}, counts: map[*kir.Levels]*traverse{},
	}
	if !only {
		v.Func = lib.Name + "_" + p.Name
	}
	v.Indent = strings.Repeat(" ", len("int (")+len(v.Func)+len("_enqueue")-4)
	params, fields := namer(append(own(lib.Name, v.Func), reserved...)...), namer("image")
	for _, q := range p.Params {
		if q.Image != nil {
			v.addImage(q.Image)
		}
	}
	v.ParamImages = len(v.Images)
	v.Pictures = max(1, v.ParamImages)
	for _, m := range p.Locals {
		v.addImage(m)
	}
	for i, owner := range kir.Owners(p) {
		if owner != i {
			v.Images[v.index[p.Locals[i]]].Shares = v.index[p.Locals[owner]] + 1
		}
	}
	v.locals = append(v.locals, p.Locals...)
	for _, f := range p.Pyramids {
		v.addPyramid(f)
	}
	v.Locals = v.ImageCount > v.ParamImages
	v.swapGroups()
	v.ImageCount = max(1, v.ImageCount)
	for _, s := range p.Sizes {
		v.addField(fields, s.Var)
	}
	for _, q := range p.Params {
		if err := v.addParam(lib, params, fields, q); err != nil {
			return nil, err
		}
	}
	for _, x := range kir.Declared(p.Steps) {
		v.addField(fields, x)
	}
	v.addTraverses(fields)
	v.addLevels(fields)
	v.addLeveled()
	v.describe()
	v.overlaps()
	v.describeDemo(lib, only)
	v.callArguments()
	return v, v.body(kernels)
}

// addRow adds a row of the table of shapes, for n views.
func (v *pipeline) addRow(m *kir.Image, n int) {
	v.Images = append(v.Images, &image{
		Quoted: ctree.Quote(m.Name), Rank: len(m.Extent), LineAxis: m.LineAxis, Component: m.Elem.Kind.Bytes(), Lanes: int(m.Elem.Lanes),
		Index: v.ImageCount,
	})
	v.ImageCount += n
	if v.ImageNames != "" {
		v.ImageNames += ", "
	}
	v.ImageNames += m.Name
	if n > 1 {
		v.ImageNames += fmt.Sprintf(" (%d levels)", n)
	}
}

// place says where an image lies.
func (v *pipeline) place(m *kir.Image) {
	for _, of := range []struct {
		v      *kir.Var
		member string
	}{{m.Offset, "offset"}, {m.Pitch, "pitch"}} {
		if of.v != nil {
			v.vars[of.v] = fmt.Sprintf("(c->image[%s].%s / %d)", v.view(m), of.member, m.Elem.Kind.Bytes())
			v.labels[of.v] = m.Name + "." + of.member
		}
	}
}

func (v *pipeline) addImage(m *kir.Image) {
	i := v.ImageCount
	v.index[m] = i
	v.addRow(m, 1)
	v.place(m)
	if m.Zero {
		v.Zeroed = append(v.Zeroed, i)
	}
	if m.Kept {
		v.Kept = append(v.Kept, i)
		n, _ := intConst(m.Extent[0])
		v.keptBytes = append(v.keptBytes, int(n)*m.Elem.Bytes())
	}
	if m.Dir == kir.In || m.Dir == kir.InOut {
		v.Uploads = append(v.Uploads, i)
	}
	if m.Dir == kir.Out || m.Dir == kir.InOut {
		v.Downloads = append(v.Downloads, i)
	}
}

// addField gives a host variable a member of the call structure.
func (v *pipeline) addField(names *ctree.Namer, hv *kir.Var) string {
	id := names.Give(hv.Name)
	v.Fields = append(v.Fields, field{scalarTypes[hv.Type.Kind].host + " ", id + lanesSuffix(hv.Type)})
	v.vars[hv] = "c->" + id
	v.labels[hv] = hv.Name
	return id
}

func lanesSuffix(t types.Type) string {
	if t.Lanes > 1 {
		return fmt.Sprintf("[%d]", t.Lanes)
	}
	return ""
}

// forbidden are the flags of buffers that an image cannot lie in, by its direction.
var forbidden = map[kir.Dir]string{
	kir.In: "CL_MEM_WRITE_ONLY", kir.Out: "CL_MEM_READ_ONLY", kir.InOut: "CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY",
}

func (v *pipeline) addParam(lib *library, params, fields *ctree.Namer, q *kir.Param) error {
	p := &param{Name: q.Name, Ident: params.Give(q.Name), IsImage: q.Image != nil, IsOut: q.Dir == kir.Out}
	v.Params = append(v.Params, p)
	if p.IsImage {
		p.Index = v.index[q.Image]
		p.Forbidden = forbidden[q.Dir]
		p.HostType, p.DeviceType = "const "+lib.Name+"_image *", "const "+lib.Name+"_buffer *"
		return nil
	}
	t := q.Scalar.Type
	if t.IsArray() {
		return fmt.Errorf("%s: the parameter %s of type %s cannot be passed to a C function; pass a mask", v.Name, q.Name, t)
	}
	for _, s := range v.plan.Steps {
		if s, ok := s.(*kir.SetScalar); ok && s.Var == q.Scalar && s.From != nil {
			p.OnDevice, p.Index = true, v.index[s.From]
		}
	}
	p.Field = v.addField(fields, q.Scalar)
	p.Lanes = int(t.Lanes)
	p.ValueType = scalarTypes[t.Kind].host + " "
	p.HostType, p.DeviceType = p.passedAs(), p.passedAs()
	p.Take, p.Give = p.transfers(t.Kind)
	return nil
}

// passedAs is the C type of a scalar's parameter: the value, a pointer to the components of a vector, or to where a result goes.
func (p *param) passedAs() string {
	switch {
	case p.IsOut:
		return p.ValueType + "*"
	case p.Lanes > 1:
		return "const " + p.ValueType + "*"
	}
	return p.ValueType
}

// transfers spells how a scalar gets into the call structure and out of it.
func (p *param) transfers(k types.Kind) (take, give string) {
	switch {
	case p.Lanes > 1:
		take = fmt.Sprintf("memcpy(c->%s, %s, sizeof c->%s);", p.Field, p.Ident, p.Field)
		give = fmt.Sprintf("memcpy(%s, c->%s, sizeof c->%s);", p.Ident, p.Field, p.Field)
	case k == types.Bool:
		take = fmt.Sprintf("c->%s = %s != 0;", p.Field, p.Ident)
	default:
		take = fmt.Sprintf("c->%s = %s;", p.Field, p.Ident)
	}
	if give == "" {
		give = fmt.Sprintf("*%s = c->%s;", p.Ident, p.Field)
	}
	return take, give
}

// DeviceResults reports whether there are scalars that kernels compute for the caller.
func (v *pipeline) DeviceResults() bool {
	return slices.ContainsFunc(v.Params, func(p *param) bool { return p.OnDevice })
}

// callArguments spells the arguments that the demo passes.
func (v *pipeline) callArguments() {
	for _, p := range v.Params {
		switch {
		case p.IsImage:
			p.RunArgument = fmt.Sprintf("&image[%d]", p.Index)
			p.DeviceArgument = fmt.Sprintf("&buffers[%d]", p.Index)
		case p.IsOut:
			p.RunArgument = "&a->" + p.Field
			if p.Lanes > 1 {
				p.RunArgument = "a->" + p.Field
			}
			p.DeviceArgument = p.RunArgument
			if p.OnDevice {
				p.DeviceArgument = strings.Replace(p.RunArgument, "a->", "r->", 1)
			}
		default:
			p.RunArgument = "a->" + p.Field
			p.DeviceArgument = p.RunArgument
		}
	}
}

// scalarTypes are the C types of scalars: in the interface and in host code, and as a kernel argument. Floats of 16 bits are float
// to the caller, and their bits to the kernel.
var scalarTypes = map[types.Kind]struct{ host, arg string }{
	types.Bool: {"int", "uint8_t"},
	types.I8:   {"int8_t", "int8_t"}, types.I16: {"int16_t", "int16_t"}, types.I32: {"int32_t", "int32_t"}, types.I64: {"int64_t", "int64_t"},
	types.U8: {"uint8_t", "uint8_t"}, types.U16: {"uint16_t", "uint16_t"}, types.U32: {"uint32_t", "uint32_t"}, types.U64: {"uint64_t", "uint64_t"},
	types.F16: {"float", "uint16_t"}, types.BF16: {"float", "uint16_t"}, types.F32: {"float", "float"}, types.F64: {"double", "double"},
}

// overlaps lists the pairs of parameter images that must be apart: every pair of which one is written.
func (v *pipeline) overlaps() {
	var images []*kir.Image
	for _, q := range v.plan.Params {
		if q.Image != nil {
			images = append(images, q.Image)
		}
	}
	for i, a := range images {
		for _, b := range images[:i] {
			if a.Dir != kir.In || b.Dir != kir.In {
				v.Pairs = append(v.Pairs, [2]int{v.index[b], v.index[a]})
			}
		}
	}
}
