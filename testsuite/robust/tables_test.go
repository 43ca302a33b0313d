package robust

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"imgc"
	"imgc/kir"
	"imgc/pixels"
	"imgc/testsuite/harness"
	"imgc/types"
)

// writeTables writes program.c, by which the C programs know a library.
func writeTables(t *testing.T, r program, p *imgc.Program, project *harness.Project) string {
	t.Helper()
	w := &tables{library: project.Name, only: len(p.Pipelines) == 1, entry: openclEntry}
	w.pipelines(t, r, p)
	w.statuses("OK", "WORKSPACE", "OPENCL")
	fmt.Fprintf(&w.text, `static int create_log(cl_context context, cl_device_id device, void **out, char *message, size_t size) {
    return %[1]s_create_log(context, device, (%[1]s **)out, message, size);
}

static void destroy(void *self) { %[1]s_destroy(self); }

static const char *last_error(const void *self) { return %[1]s_last_error(self); }

const struct subject subject = {"%[1]s", %[2]d, pipelines, create_log, destroy, %[1]s_status, last_error};
`, w.library, len(p.Pipelines))
	path := filepath.Join(t.TempDir(), "program.c")
	text := fmt.Sprintf("#include \"robust.h\"\n\n#include \"%s.h\"\n\n%s", w.library, w.text.String())
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// pipelines writes the table of all pipelines.
func (w *tables) pipelines(t *testing.T, r program, p *imgc.Program) {
	t.Helper()
	var entries []string
	for i, q := range p.Pipelines {
		calls := [2]call{newCall(t, r, p, q, 0), newCall(t, r, p, q, 1)}
		entries = append(entries, w.pipeline(i, q, !r.loose, calls))
	}
	fmt.Fprintf(&w.text, "static const struct pipeline pipelines[] = {\n%s};\n\n", strings.Join(entries, ""))
}

// statuses lets the compiler check that the test programs count statuses as the library does: the first one, the last of those that
// the tests tell apart, and the end.
func (w *tables) statuses(names ...string) {
	for _, name := range names {
		fmt.Fprintf(&w.text, "typedef char status_%s_is_the_library_s[(int)%[1]s == (int)%s_%[1]s ? 1 : -1];\n", name, strings.ToUpper(w.library))
	}
}

// A call is the arguments of a pipeline and what the interpreter makes of them.
type call struct {
	args imgc.Args
	want imgc.Results
}

func newCall(t *testing.T, r program, p *imgc.Program, q *imgc.Pipeline, size int) call {
	t.Helper()
	c := call{args: imgc.Args{Images: map[string]*pixels.Image{}, Scalars: map[string]types.Value{}, Sizes: map[string]int{}}}
	for _, a := range q.Params {
		switch v, given := r.set[a.Name]; {
		case a.IsImage && a.Takes():
			c.args.Images[a.Name] = harness.Input(q.Name+a.Name, harness.Random, a.Type, r.extent(t, a, size)...)
		case a.IsImage || !a.Takes():
		case given:
			c.args.Scalars[a.Name] = filled(a.Type, v)
		case a.Default != nil:
			c.args.Scalars[a.Name] = *a.Default
		default:
			t.Fatalf("%s: no value for %s", r.file, a.Name)
		}
	}
	for _, s := range q.Sizes {
		if !q.Param(s.Param).Takes() {
			c.args.Sizes[s.Name] = r.sizes[size][s.Name]
		}
	}
	copied := c.args
	copied.Images = map[string]*pixels.Image{}
	for name, m := range c.args.Images {
		copied.Images[name] = m.Clone()
	}
	c.want = harness.Interpret(t, p, q.Name, copied)
	return c
}

// extent is that of an input in a call: constants and sizes.
func (r program) extent(t *testing.T, a *imgc.Param, size int) []int {
	t.Helper()
	out := make([]int, len(a.Extent))
	for i, name := range a.Extent {
		n, known := r.sizes[size][name]
		if a.Fixed[i] > 0 {
			n, known = a.Fixed[i], true
		}
		if !known {
			t.Fatalf("%s: no extent for %s", r.file, a)
		}
		out[i] = n
	}
	return out
}

// filled has the same number in every component.
func filled(typ types.Type, v float64) types.Value {
	out := types.Value{Type: typ}
	for range typ.Lanes {
		out.Words = append(out.Words, types.Convert(types.Float(v), types.F64, typ.Kind))
	}
	return out
}

// tables is the text of program.c as it grows.
type tables struct {
	library string
	only    bool
	entry   func(w *tables, i int, function, run, enqueue string) string
	text    strings.Builder
}

func (w *tables) function(q *imgc.Pipeline) string {
	if w.only {
		return w.library
	}
	return w.library + "_" + q.Name
}

// pipeline writes the functions that call one, and the bytes of its examples, and returns its row of the table.
func (w *tables) pipeline(i int, q *imgc.Pipeline, exact bool, calls [2]call) string {
	var run, enqueue, rows strings.Builder
	for k, a := range q.Params {
		at := fmt.Sprintf("at[%d]", k)
		switch {
		case a.IsImage:
			fmt.Fprintf(&run, ", (const %s_image *)%s", w.library, at)
			fmt.Fprintf(&enqueue, ", (const %s_buffer *)%s", w.library, at)
		case harness.ByValue(a):
			at = fmt.Sprintf(", *(const %s *)%s", harness.CTypes[a.Type.Kind], at)
			run.WriteString(at)
			enqueue.WriteString(at)
		default:
			run.WriteString(", " + at)
			enqueue.WriteString(", " + at)
		}
		fmt.Fprintf(&rows, "            {%q, %s, %d, %d, %d, %d, %d, %d, %d, %d},\n", a.Name, direction(a), truth(a.IsImage), len(a.Extent), lineAxis(a),
			a.Type.Kind.Bytes(), a.Type.Lanes, binds(q, a), truth(harness.ByValue(a)), len(harness.HostBytes(filled(a.Type, 0))))
	}
	functions := w.entry(w, i, w.function(q), run.String(), enqueue.String())
	examples := w.example(i, 0, q, calls[0]) + w.example(i, 1, q, calls[1])
	return fmt.Sprintf("    {%q, %d,\n        {\n%s        },\n        {\n%s        },\n        %d, %s},\n",
		q.Name, len(q.Params), rows.String(), examples, truth(exact), functions)
}

// openclEntry writes the functions by which the C programs call the i-th pipeline, and returns their names.
func openclEntry(w *tables, i int, function, run, enqueue string) string {
	fmt.Fprintf(&w.text, `static int run_%[1]d(void *self, void *const *at) {
    (void)at;
    return %[2]s_run(self%[3]s);
}

static int enqueue_%[1]d(void *self, cl_command_queue queue, void *const *at, cl_uint count, const cl_event *wait, cl_event *done) {
    (void)at;
    return %[2]s_enqueue(self, queue%[4]s, count, wait, done);
}

`, i, function, run, enqueue)
	return fmt.Sprintf("run_%d, enqueue_%d", i, i)
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

func direction(a *imgc.Param) string {
	switch {
	case a.Takes() && a.Returns():
		return "reads | writes"
	case a.Takes():
		return "reads"
	}
	return "writes"
}

func lineAxis(a *imgc.Param) int {
	if !a.IsImage {
		return -1
	}
	return kir.LineAxis(len(a.Fixed), int64(a.Fixed[len(a.Fixed)-1]))
}

// binds has a bit for each axis of an image that may have any extent: it is no constant, and no other image of the call has to agree.
func binds(q *imgc.Pipeline, a *imgc.Param) int {
	bits := 0
	for axis, name := range a.Extent {
		others := 0
		for _, b := range q.Params {
			for _, other := range b.Extent {
				others += truth(strings.Contains(other, name))
			}
		}
		if a.Fixed[axis] < 0 && others == 1 {
			bits |= 1 << axis
		}
	}
	return bits
}

// example writes the bytes of a call and returns its row.
func (w *tables) example(i, e int, q *imgc.Pipeline, c call) string {
	var extents, sizes, in, want strings.Builder
	for k, a := range q.Params {
		var before, after []byte
		extent := []int{0}
		if a.IsImage {
			m := c.args.Images[a.Name]
			if m != nil {
				before = m.Data
			}
			if a.Returns() {
				m = c.want.Images[a.Name]
				after = m.Data
			}
			extent = m.Extent
		} else {
			if a.Takes() {
				before = harness.HostBytes(c.args.Scalars[a.Name])
			}
			if a.Returns() {
				after = harness.HostBytes(c.want.Scalars[a.Name])
			}
		}
		name := fmt.Sprintf("p%d_e%d_%d", i, e, k)
		fmt.Fprintf(&extents, "{%s}, ", strings.Trim(strings.ReplaceAll(fmt.Sprint(extent), " ", ", "), "[]"))
		fmt.Fprintf(&sizes, "%d, ", max(len(before), len(after)))
		in.WriteString(w.bytes("in_"+name, before) + ", ")
		want.WriteString(w.bytes("want_"+name, after) + ", ")
	}
	return fmt.Sprintf("            {{%s}, {%s}, {%s}, {%s}},\n", extents.String(), sizes.String(), in.String(), want.String())
}

// bytes writes an array and returns its name, NULL where there is none.
func (w *tables) bytes(name string, data []byte) string {
	if data == nil {
		return "NULL"
	}
	fmt.Fprintf(&w.text, "static const unsigned char %s[] = {", name)
	for i, b := range data {
		if i%32 == 0 {
			w.text.WriteString("\n   ")
		}
		fmt.Fprintf(&w.text, " %d,", b)
	}
	w.text.WriteString("\n};\n\n")
	return name
}
