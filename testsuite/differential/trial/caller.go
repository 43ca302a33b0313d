package trial

import (
	"embed"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"imgc"
	"imgc/testsuite/harness"
)

// callerFiles are what is the same in the callers of all programs.
//
//go:embed caller
var callerFiles embed.FS

// callerMain is what projects are built with instead of demo/main.c: it has that in it, and makes calls with images anywhere in device
// memory, too.
const callerMain = "demo/caller.c"

// A dialect is how the caller speaks of one target.
type dialect struct {
	file  string // of callerFiles
	queue string // its type
	tail  string // of the arguments of an enqueue function
	graph bool   // calls may be graphs
}

var dialects = map[imgc.Target]dialect{
	imgc.TargetOpenCL: {file: "opencl.c", queue: "cl_command_queue", tail: ", 0, NULL, NULL"},
	imgc.TargetCUDA:   {file: "cuda.c", queue: "cudaStream_t", graph: true},
}

// dialect is that of the target's projects.
func (t *Target) dialect() dialect {
	if slices.Contains(t.Options.Targets, imgc.TargetCUDA) {
		return dialects[imgc.TargetCUDA]
	}
	return dialects[imgc.TargetOpenCL]
}

// writeCaller writes the caller of a project, and finds out what it can ask for.
func (p *project) writeCaller(d dialect) error {
	header, err := os.ReadFile(filepath.Join(p.dir, "include", library+".h"))
	if err != nil {
		return err
	}
	p.graphs, p.onDevice = map[string]bool{}, resultsOnDevice(string(header), d, p.program)
	var enqueue, graph []string
	for i, q := range p.program.Pipelines {
		function := library
		if len(p.program.Pipelines) > 1 {
			function += "_" + q.Name
		}
		p.graphs[q.Name] = strings.Contains(string(header), function+"_enqueue_graph(")
		enqueue = append(enqueue, callOf(i, function+"_enqueue", q, d.tail))
		if p.graphs[q.Name] {
			graph = append(graph, callOf(i, function+"_enqueue_graph", q, ""))
		}
	}
	text := "#define main demo_main\n#include \"main.c\"\n#undef main\n\n" +
		fmt.Sprintf("typedef %s call_queue;\ntypedef %s_buffer call_buffer;\n\n", d.queue, library) +
		fmt.Sprintf("static void call_destroy(%s *self) { %[1]s_destroy(self); }\n\n", library) +
		callFunction("call_enqueue", enqueue) + callFunction("call_graph", graph)
	for _, name := range []string{"call.c", d.file} {
		part, err := callerFiles.ReadFile("caller/" + name)
		if err != nil {
			return err
		}
		text += string(part)
	}
	return os.WriteFile(filepath.Join(p.dir, callerMain), []byte(text), 0o644)
}

// callFunction is a C function that makes the call of one of several pipelines.
func callFunction(name string, calls []string) string {
	return fmt.Sprintf(`static int %s(int pipeline, %s *self, call_queue queue, void *const *at) {
    (void)self;
    (void)queue;
    (void)at;
    switch (pipeline) {
%s    }
    return -1;
}

`, name, library, strings.Join(calls, ""))
}

// callOf is the call of the i-th pipeline by a function of the library.
func callOf(i int, function string, q *imgc.Pipeline, tail string) string {
	args := ""
	for k, a := range q.Params {
		switch {
		case a.IsImage:
			args += fmt.Sprintf(", (const %s_buffer *)at[%d]", library, k)
		case harness.ByValue(a):
			args += fmt.Sprintf(", *(const %s *)at[%d]", harness.CTypes[a.Type.Kind], k)
		default:
			args += fmt.Sprintf(", at[%d]", k)
		}
	}
	return fmt.Sprintf("    case %d:\n        return %s(self, queue%s%s);\n", i, function, args, tail)
}
