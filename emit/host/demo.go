package host

import (
	"fmt"
	"math"
	"strings"

	"imgc/emit/ctree"
	"imgc/kir"
	"imgc/types"
)

// A demo is what demo/main.c says about one pipeline.
type demo struct {
	Usage        string // a C string literal
	Example      string // behind the program's name in the README
	SettingNames []string
	settings     string   // how they are given: those in brackets have defaults
	takers       []string // functions by which they are taken
	SizeFields   []string
	FileCount    int
	DemoLines    []string
	WriteLines   []string
}

func (d *demo) line(format string, args ...any) {
	d.DemoLines = append(d.DemoLines, fmt.Sprintf(format, args...))
}

// describeDemo works out how the demo reads, sizes and writes the images of a pipeline.
func (v *pipeline) describeDemo(lib *library, only bool) {
	d := &v.demo
	vars := map[*kir.Var]string{}
	files := map[*kir.Image][]int{}
	var words []string
	for i, q := range v.plan.Params {
		p := v.Params[i]
		if q.Image == nil {
			vars[q.Scalar] = "a->" + p.Field
			continue
		}
		d.picture(p.Index, q.Image)
		for range 1 + b2i(q.Dir == kir.InOut) {
			files[q.Image] = append(files[q.Image], d.FileCount)
			d.FileCount++
		}
		words = append(words, fileWords(q, lib.Name)...)
	}
	v.readInputs(d, files)
	v.takeScalars(d)
	v.takeSizes(d, vars)
	v.sizeOutputs(d, lib.demoUnit, vars, files)
	for i, q := range v.plan.Params {
		if q.Image == nil && q.Dir == kir.Out {
			d.printScalar(q, v.Params[i].Field)
		}
	}
	head := ""
	if !only {
		head = v.Name + " "
	}
	d.Example = head + strings.Join(words, " ") + d.settings
	d.Usage = ctree.Quote("  " + d.Example + "\n")
}

// setting notes a name that --set takes.
func (d *demo) setting(name string, required bool) {
	d.SettingNames = append(d.SettingNames, ctree.Quote(name))
	if required {
		d.settings += " --set " + name + "=VALUE"
	} else {
		d.settings += " [--set " + name + "=VALUE]"
	}
}

// printScalar prints an out scalar as imgc run does.
func (d *demo) printScalar(q *kir.Param, field string) {
	verb, cast := "%.9g", "(double)"
	switch k := q.Scalar.Type.Kind; {
	case k.IsUnsigned():
		verb, cast = "%llu", "(unsigned long long)"
	case !k.IsFloat():
		verb, cast = "%lld", "(long long)"
	}
	format, values := verb, cast+"a->"+field
	if n := int(q.Scalar.Type.Lanes); n > 1 {
		format, values = "", ""
		for lane := range n {
			sep := map[bool]string{true: ", ", false: ""}[lane > 0]
			format += sep + verb
			values += fmt.Sprintf("%s%sa->%s[%d]", sep, cast, field, lane)
		}
	}
	d.WriteLines = append(d.WriteLines, fmt.Sprintf("if (!bad)\n        printf(\"%s = %s\\n\", %s);", q.Name, format, values))
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// fileWords names example files for an image: the format that can hold it.
func fileWords(q *kir.Param, lib string) []string {
	ext := ".npy"
	m := q.Image
	switch last, _ := m.Extent[len(m.Extent)-1].(*kir.Const); {
	case len(m.Extent) == 3 && last != nil && last.Words[0].Int() == 3 && m.Elem.Lanes == 1, len(m.Extent) == 2 && m.Elem.Lanes == 3:
		ext = map[types.Kind]string{types.U8: ".ppm", types.U16: ".ppm", types.F32: ".pfm"}[m.Elem.Kind]
	case len(m.Extent) == 2 && m.Elem.Lanes == 1:
		ext = map[types.Kind]string{types.U8: ".pgm", types.U16: ".pgm", types.F32: ".pfm"}[m.Elem.Kind]
	}
	if ext == "" {
		ext = ".npy"
	}
	if q.Dir == kir.InOut {
		return []string{q.Name + "_before" + ext, q.Name + "_after" + ext}
	}
	return []string{q.Name + ext}
}

// descr spells a component type as NPY does; bf16, which NPY lacks, goes as its bits.
func descr(k types.Kind) string {
	switch {
	case k == types.Bool:
		return "|b1"
	case k == types.BF16:
		return "<u2"
	}
	class := "f"
	if k.IsSigned() {
		class = "i"
	} else if k.IsUnsigned() {
		class = "u"
	}
	order := "<"
	if k.Bytes() == 1 {
		order = "|"
	}
	return fmt.Sprintf("%s%s%d", order, class, k.Bytes())
}

// picture sets what is known of an image before any file is read.
func (d *demo) picture(i int, m *kir.Image) {
	d.line("a->picture[%d].name = %s;", i, ctree.Quote(m.Name))
	d.line("a->picture[%d].descr = %s;", i, ctree.Quote(descr(m.Elem.Kind)))
	d.line("a->picture[%d].component = %d;", i, m.Elem.Kind.Bytes())
	d.line("a->picture[%d].rank = %d;", i, len(m.Extent))
	d.line("a->picture[%d].channels = %d;", i, m.Elem.Lanes)
	for axis, e := range m.Extent {
		if c, ok := e.(*kir.Const); ok {
			d.line("a->picture[%d].extent[%d] = %d;", i, axis, c.Words[0].Int())
		}
	}
}

func (v *pipeline) readInputs(d *demo, files map[*kir.Image][]int) {
	for _, q := range v.plan.Params {
		if q.Image != nil && q.Dir != kir.Out {
			d.line("bad = bad || picture_read(&a->picture[%d], o->file[%d]) != 0;", v.index[q.Image], files[q.Image][0])
		}
	}
}

func (v *pipeline) takeScalars(d *demo) {
	for i, q := range v.plan.Params {
		if q.Scalar == nil || q.Dir == kir.Out {
			continue
		}
		kind := q.Scalar.Type.Kind
		way := settingOf(kind)
		for lane := range int(q.Scalar.Type.Lanes) {
			name, field := q.Name, v.Params[i].Field
			if q.Scalar.Type.Lanes > 1 {
				name, field = fmt.Sprintf("%s.%c", q.Name, "xyzw"[lane]), fmt.Sprintf("%s[%d]", field, lane)
			}
			value, required := "0", 1
			if q.Default != nil {
				value, required = cNumber(types.Of(kind, q.Default.Words[lane])), 0
			}
			d.setting(name, required != 0)
			d.set(way, value, name, required)
			d.line("a->%s = (%s)%s;", field, scalarTypes[kind].host, way.variable)
		}
	}
}

// A setting is how the demo takes a value: the function, the variable that it fills, and what it is told of the range.
type setting struct{ function, variable, limits string }

// settingOf is that of a scalar's kind.
func settingOf(k types.Kind) setting {
	switch {
	case k == types.F64:
		return setting{"setting", "value", ", 1.7976931348623157e308"}
	case k == types.F16:
		return setting{"setting", "value", ", 65504.0"}
	case k.IsFloat():
		return setting{"setting", "value", ", 3.4028234663852886e38"}
	case k == types.U64:
		return setting{"natural", "count", ""}
	case k == types.I64:
		return setting{"integer", "whole", ", INT64_MIN, INT64_MAX"}
	case k == types.Bool:
		return integers(0, 1)
	case k.IsSigned():
		return integers(int64(-1)<<(k.Bits()-1), int64(1)<<(k.Bits()-1)-1)
	}
	return integers(0, int64(1)<<k.Bits()-1)
}

// integers is that of integers of a range.
func integers(lo, hi int64) setting {
	return setting{"integer", "whole", fmt.Sprintf(", %d, %d", lo, hi)}
}

// set takes a value that --set may give under a name, and notes that the demo needs the function.
func (d *demo) set(way setting, value, name string, required int) {
	d.takers = append(d.takers, way.function)
	d.line("%s = %s;", way.variable, value)
	d.line("bad = bad || %s(o, %s, &%s%s, %d) != 0;", way.function, ctree.Quote(name), way.variable, way.limits, required)
}

// cNumber spells a scalar constant in C.
func cNumber(v types.Value) string {
	k, w := v.Type.Kind, v.Words[0]
	switch {
	case k == types.Bool:
		return fmt.Sprint(b2i(w.Truth()))
	case k.IsFloat() && math.IsNaN(w.Float()):
		return "NAN"
	case k.IsFloat() && math.IsInf(w.Float(), 0):
		return map[bool]string{true: "-"}[w.Float() < 0] + "INFINITY"
	case k.IsFloat():
		return fmt.Sprintf("%.17g", w.Float())
	case k == types.U64:
		return fmt.Sprintf("UINT64_C(%d)", w.Uint())
	case k == types.I64 && w.Int() == math.MinInt64:
		return "INT64_MIN"
	case k == types.I64:
		return fmt.Sprintf("INT64_C(%d)", w.Int())
	}
	return wordText(k, w)
}

// takeSizes computes the sizes that inputs bind and asks for the others.
func (v *pipeline) takeSizes(d *demo, vars map[*kir.Var]string) {
	names := namer("a", "o", "m", "image", "status", "bad", "next", "value", "whole", "count", "names", "arguments")
	for _, s := range v.plan.Sizes {
		id := names.Give("size_" + s.Var.Name)
		vars[s.Var] = id
		d.SizeFields = append(d.SizeFields, id)
		if i := v.index[s.Image]; s.Image.Dir != kir.Out {
			d.line("%s = (a->picture[%d].extent[%d] - %d) / %d;", id, i, s.Axis, s.Add, s.Mul)
			continue
		}
		d.setting(s.Var.Name, true)
		d.set(integers(1, 1<<30), "0", s.Var.Name, 1)
		d.line("%s = bad ? 1 : whole;", id)
	}
	for _, id := range d.SizeFields {
		d.line("(void)%s;", id) // not every size is one of an output
	}
}

func (v *pipeline) sizeOutputs(d *demo, u *unit, vars map[*kir.Var]string, files map[*kir.Image][]int) {
	for _, q := range v.plan.Params {
		if q.Image == nil || q.Dir == kir.In {
			continue
		}
		i := v.index[q.Image]
		if q.Dir == kir.Out {
			for axis, e := range q.Image.Extent {
				e = v.scalars(e)
				for part, p := range v.parts { // of the vectors as the demo has them
					vars[part] = fmt.Sprintf("%s[%d]", vars[p.of], p.lane)
				}
				d.line("a->picture[%d].extent[%d] = %s;", i, axis, u.hostExpr(e, vars))
			}
			d.line("bad = bad || picture_allocate(&a->picture[%d]) != 0;", i)
		}
		last := files[q.Image][len(files[q.Image])-1]
		d.WriteLines = append(d.WriteLines, fmt.Sprintf("bad = bad || picture_write(&a->picture[%d], o->file[%d]) != 0;", i, last))
	}
}
