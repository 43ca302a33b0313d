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
	dir, demo string
	program   *imgc.Program
}

func (p *project) remove() { os.RemoveAll(p.dir) }

// builtProject is the project that calls are made to.
func (r *run) builtProject() (*project, *Outcome) {
	if r.Demo == nil {
		return buildProject(r.program)
	}
	demo, err := r.Demo(r.program)
	if err != nil {
		return nil, &Outcome{Kind: Unbuilt, Detail: err.Error()}
	}
	dir, err := os.MkdirTemp("", "differential")
	if err != nil {
		return nil, &Outcome{Kind: Failed, Detail: err.Error()}
	}
	return &project{dir: dir, demo: demo, program: r.program}, nil
}

// buildProject writes the project, and compiles the library and its demo with every warning an error.
func buildProject(program *imgc.Program) (*project, *Outcome) {
	files, err := program.Project(context.Background(), imgc.ProjectOptions{Name: library})
	if err != nil {
		return nil, &Outcome{Kind: Internal, Detail: err.Error()}
	}
	dir, err := os.MkdirTemp("", "differential")
	if err != nil {
		return nil, &Outcome{Kind: Failed, Detail: err.Error()}
	}
	p := &project{dir: dir, demo: filepath.Join(dir, "demo_program"), program: program}
	for path, text := range files {
		full := filepath.Join(dir, filepath.FromSlash(path))
		err := os.MkdirAll(filepath.Dir(full), 0o755)
		if err == nil {
			err = os.WriteFile(full, text, 0o644)
		}
		if err != nil {
			p.remove()
			return nil, &Outcome{Kind: Failed, Detail: err.Error()}
		}
	}
	args := append([]string{"-O1", "-fsanitize=undefined", "-fno-sanitize-recover=undefined", "-I", "include"}, harness.Warnings...)
	cmd := exec.Command("gcc", append(args, "src/"+library+".c", "demo/main.c", "demo/image.c", "-o", p.demo, "-lOpenCL")...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		p.remove()
		return nil, &Outcome{Kind: Unbuilt, Detail: string(out)}
	}
	return p, nil
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
		switch f := w.Float(); {
		case v.Type.Kind.IsFloat() && (math.IsNaN(f) || math.IsInf(f, 0)):
			return false
		case v.Type.Kind.Bits() == 64 && !v.Type.Kind.IsFloat() && (w.Int() > 1<<53 || w.Int() < -1<<53):
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
	return compare(got, want, harness.Bound{})
}
