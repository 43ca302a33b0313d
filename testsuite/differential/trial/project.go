package trial

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"imgc"
	"imgc/imagefile"
	"imgc/pixels"
	"imgc/testsuite/harness"
	"imgc/types"
)

// library is the name of the generated library.
const library = "tried"

// A project is a program's generated project, built.
type project struct {
	name      string // of the way in which the program is compiled
	dir, demo string
	program   *imgc.Program
	bound     harness.Bound
	graphs    map[string]bool // pipelines that can be called as graphs
	onDevice  map[string]bool // out scalars that are written in device memory
}

func (p *project) remove() { os.RemoveAll(p.dir) }

// A Target is what projects are generated and built for.
type Target struct {
	Options imgc.ProjectOptions
	// Build makes the demo program of a project of that name in its folder, from callerMain.
	Build func(dir, name string) (demo string, err error)
}

// OpenCLTarget builds projects with gcc, with every warning an error.
var OpenCLTarget = &Target{Build: func(dir, name string) (string, error) {
	args := append([]string{"-O1", "-fsanitize=undefined", "-fno-sanitize-recover=undefined", "-I", "include"}, harness.Warnings...)
	return demoProgram(dir, "gcc", append(args, "src/"+name+".c", callerMain, "demo/image.c", "-lOpenCL")...)
}}

// compilerFlags are those that a generated CMake file gives nvcc.
var compilerFlags = regexp.MustCompile(`<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:(.*?)>`)

// CUDATarget builds projects with nvcc for the devices that this machine has, with every warning an error.
var CUDATarget = &Target{Options: imgc.ProjectOptions{Targets: []imgc.Target{imgc.TargetCUDA}}, Build: func(dir, name string) (string, error) {
	lists, err := os.ReadFile(filepath.Join(dir, "CMakeLists.txt"))
	if err != nil {
		return "", err
	}
	args := []string{"-arch=native", "-O3", "-Werror", "all-warnings", "-I", "include"}
	if m := compilerFlags.FindSubmatch(lists); m != nil {
		args = append(args, strings.Split(string(m[1]), ";")...)
	}
	return demoProgram(dir, "nvcc", append(args, "kernels/"+name+".cu", "src/"+name+".c", callerMain, "demo/image.c")...)
}}

// demoProgram runs a compiler in a project's folder.
func demoProgram(dir, compiler string, args ...string) (string, error) {
	demo := filepath.Join(dir, "demo_program")
	cmd := exec.Command(compiler, append(args, "-o", demo)...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return demo, nil
}

// buildProjects builds the program as a project for each target: as it is written, and where all ways are asked for in each that gives
// other files.
func (r *run) buildProjects(text string) *Outcome {
	all, err := r.variants()
	if err != nil {
		return &Outcome{Kind: Internal, Detail: err.Error()}
	}
	if !r.AllWays {
		all = all[:1]
	}
	for _, t := range r.Projects {
		seen := map[string]bool{}
		for _, v := range all {
			p, err := v.checked(text)
			if err != nil {
				return &Outcome{Kind: Internal, Detail: fmt.Sprintf("%s: %v", v.name, err)}
			}
			if bad := r.buildProject(t, p, v.name, seen); bad != nil {
				return bad
			}
		}
	}
	return nil
}

// buildProject writes a project and builds it, unless one has the same files.
func (r *run) buildProject(t *Target, program *imgc.Program, name string, seen map[string]bool) *Outcome {
	opts := t.Options
	opts.Name = library
	files, err := program.Project(context.Background(), opts)
	if _, refused := err.(*imgc.UsageError); refused && len(r.projects) > 0 {
		return nil // a plan for a processor has vectors that other targets have not
	}
	if err != nil {
		return &Outcome{Kind: Internal, Detail: fmt.Sprintf("the project, %s: %v", name, err)}
	}
	if all := fmt.Sprintf("%q", files); seen[all] {
		return nil
	} else {
		seen[all] = true
	}
	dir, err := os.MkdirTemp("", "differential")
	if err != nil {
		return &Outcome{Kind: Failed, Detail: err.Error()}
	}
	p := &project{name: name, dir: dir, program: program, bound: r.directives.bound}
	r.projects = append(r.projects, p)
	if err := writeFiles(dir, files); err != nil {
		return &Outcome{Kind: Failed, Detail: err.Error()}
	}
	if err := p.writeCaller(t.dialect()); err != nil {
		return &Outcome{Kind: Failed, Detail: err.Error()}
	}
	if p.demo, err = t.Build(dir, library); err != nil {
		return &Outcome{Kind: Unbuilt, Detail: fmt.Sprintf("the project, %s: %v", name, err)}
	}
	return nil
}

func writeFiles(dir string, files map[string][]byte) error {
	for path, text := range files {
		full := filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(full, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// call runs the demo program on files.
func (p *project) call(ctx context.Context, q *imgc.Pipeline, args imgc.Args, want imgc.Results, refusal *imgc.CallError) (Kind, error) {
	var list, files []string
	for _, name := range slices.Sorted(maps.Keys(args.Scalars)) {
		if !isPlain(args.Scalars[name]) {
			return Agrees, nil // the demo's command line takes what an f64 holds
		}
		list = append(list, settings(name, args.Scalars[name])...)
	}
	bound := map[string]bool{}
	for _, m := range q.Params {
		if !m.IsImage {
			continue
		}
		if m.Type.Kind == types.BF16 {
			return Agrees, nil // NumPy has no such type
		}
		path := filepath.Join(p.dir, m.Name+".npy")
		if m.Takes() {
			if args.Images[m.Name] == nil {
				return Agrees, nil // no file holds such an image
			}
			if err := imagefile.Write(path, args.Images[m.Name], imagefile.Want{}); err != nil {
				return Agrees, nil
			}
			files = append(files, path)
		}
		for _, s := range q.Sizes {
			bound[s.Name] = bound[s.Name] || m.Takes() && s.Param == m.Name
		}
		if m.Returns() {
			files = append(files, path)
		}
	}
	for _, s := range q.Sizes {
		if !bound[s.Name] {
			list = append(list, "--set", fmt.Sprintf("%s=%d", s.Name, args.Sizes[s.Name]))
		}
	}
	if len(p.program.Pipelines) > 1 {
		list = append(list, q.Name)
	}
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, p.demo, append(list, files...)...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		return Hung, err
	case err != nil && strings.Contains(stderr.String(), "runtime error"):
		return Failed, fmt.Errorf("%w: %s", err, stderr.String())
	case (err != nil) != (refusal != nil):
		return Refusal, fmt.Errorf("%v, %s; the interpreter: %v", err, stderr.String(), refusal)
	case err != nil:
		return Agrees, nil
	}
	return Mismatch, p.compare(q, want, stdout.String())
}

// isPlain reports whether no component is infinite, NaN or an integer of more than 53 bits.
func isPlain(v types.Value) bool {
	for _, w := range v.Words {
		switch f, k := w.Float(), v.Type.Kind; {
		case k.IsFloat() && (math.IsNaN(f) || math.IsInf(f, 0)):
			return false
		case k == types.U64 && w.Uint() > 1<<53, k == types.I64 && (w.Int() > 1<<53 || w.Int() < -1<<53):
			return false
		}
	}
	return true
}

// settings gives a scalar's components on the command line.
func settings(name string, v types.Value) []string {
	var list []string
	for i, w := range v.Words {
		at, text := name, ""
		if len(v.Words) > 1 {
			at += "." + string("xyzw"[i])
		}
		switch k := v.Type.Kind; {
		case k.IsFloat():
			text = strconv.FormatFloat(w.Float(), 'g', -1, 64)
		case k.IsSigned():
			text = fmt.Sprint(w.Int())
		default:
			text = fmt.Sprint(w.Uint())
		}
		list = append(list, "--set", at+"="+text)
	}
	return list
}

// compare reads what the demo wrote.
func (p *project) compare(q *imgc.Pipeline, want imgc.Results, printed string) error {
	got := imgc.Results{Images: map[string]*pixels.Image{}}
	for name, m := range want.Images {
		file, err := harness.ReadArray(filepath.Join(p.dir, name+".npy"), m)
		if err != nil {
			return err
		}
		got.Images[name] = file
	}
	for name, v := range want.Scalars {
		if v.Type == types.Scalar(types.I32) && !strings.Contains(printed, fmt.Sprintf("%s = %d\n", name, v.Words[0].Int())) {
			return fmt.Errorf("%s is %d, and the program prints %q", name, v.Words[0].Int(), printed)
		}
	}
	want.Scalars = nil
	return compare(got, want, p.bound)
}
