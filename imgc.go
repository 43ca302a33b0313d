package imgc

import (
	"context"
	"maps"
	"slices"

	"imgc/diag"
	"imgc/hast"
	"imgc/interp"
	"imgc/kir"
	"imgc/load"
	"imgc/optimize/schedule"
	"imgc/parser"
	"imgc/sema"
	"imgc/source"
	"imgc/syntax"
)

// Options says how a program is compiled. The zero value takes it as it is written, all of it.
type Options struct {
	Defines   map[string]string // values of consts as the language writes them: -D R=13
	Mode      Mode
	Pipelines []string // the ones to keep; all where it is empty

	// Schedule is a file of schedules, which take precedence over those of the program; nil for none.
	Schedule *Text

	// IncludeDirs are the folders in which imports are looked for after that of the importing file: -I.
	IncludeDirs []string
	// Arch is the architecture that kernels are made for where no schedule says how; the running device's where it is nil, and one
	// instance for each work-item in projects.
	Arch *Architecture
	// Decide, where it is set, proposes decisions for stages. What a stage refuses is decided by the schedules, as without it.
	Decide func(pipeline string, s *hast.Stage) schedule.Decisions
	// Passes says which passes over kernels are left out, and what is done after each.
	Passes PassOptions
	// Files reads imported files, and those of extern funcs; where it is nil, those of the operating system that lie in the program's
	// folder or in IncludeDirs, or below.
	Files FileReader
	// Externs are what the reference interpreter computes for extern funcs, by their names; a call of one that is missing fails there.
	Externs map[string]Extern
	// CheckClaims has the reference interpreter look whether what the proofs take for true of integers is true. One that is not is an
	// InternalError of the run. It is for tests: runs take several times as long.
	CheckClaims bool
}

// An Extern computes an extern func: of the values of its parameters, an out one aside, what it returns or leaves in the parameter that
// it writes.
type Extern = interp.Extern

// MaxText bounds the bytes of a file that is taken for a program, a schedule or a model.
const MaxText = load.MaxText

// A FileReader reads files by name, as os.ReadFile does: where there is none, the error wraps fs.ErrNotExist.
type FileReader interface {
	ReadFile(name string) ([]byte, error)
}

// A Mode says how freely floating-point arithmetic may be compiled.
type Mode = kir.Mode

// The modes. Integer programs are exact in each.
const (
	Contract Mode = kir.Contract // multiply-add may be fused
	Strict   Mode = kir.Strict   // + - * / sqrt fma as written: equal to the reference interpreter bit for bit
	Fast     Mode = kir.Fast     // native and reciprocal approximations
)

// ParseMode finds the mode spelled s on the command line.
func ParseMode(s string) (Mode, error) {
	if i := slices.Index(ModeNames(), s); i >= 0 {
		return Mode(i), nil
	}
	return 0, usagef("there is no floating-point mode %q; there are contract, strict and fast", s)
}

// ModeNames lists the spellings of the modes.
func ModeNames() []string { return slices.Clone(kir.ModeNames[:]) }

// A Result is what is known of a text.
type Result struct {
	Diagnostics *diag.List
	Program     *Program // nil where a diagnostic is an error
}

// A Program is a text without errors.
type Program struct {
	Name      string      // the stem of the file's name
	Pipelines []*Pipeline // in the order of the text

	typed     *hast.Program
	options   Options
	schedules [][]*schedule.Schedule // of the program, then of the file that came with it, which takes precedence
	updates   updateStages           // by whose names schedules say which form of updates they are for
	sizes     map[string]int64       // that plans are made for
	claims    hast.Claims            // of the proofs; nil where they are not checked
}

// ImageSizes are the extents that images of so many rows and columns give to the names of the last two extents of a pipeline's images, as PlannedFor takes them.
func (p *Program) ImageSizes(rows, columns int64) map[string]int64 {
	sizes := map[string]int64{}
	for _, q := range p.Pipelines {
		for _, s := range q.Sizes {
			switch s.FromEnd {
			case 2:
				sizes[s.Name] = rows
			case 1:
				sizes[s.Name] = columns
			}
		}
	}
	return sizes
}

// PlannedFor is the program with its plans made for extents, by the names that they have in the program; a name without one stands
// for 4096. They decide between shapes of kernels, never about results, and kernels take images of every size. It pays for small
// images, which leave a GPU half empty under a plan for large ones.
func (p *Program) PlannedFor(sizes map[string]int64) *Program {
	planned := *p
	planned.sizes = maps.Clone(sizes)
	return &planned
}

// Check parses a text, gives it its meaning and proves what has to be proved. Name is what diagnostics call the text. The error is
// a UsageError where Options name a pipeline that the program has not.
func Check(ctx context.Context, name, text string, opts Options) (result *Result, err error) {
	defer guard(&err, "checking %s", name)
	result = &Result{Diagnostics: &diag.List{}}
	file := parser.Parse(source.NewFile(name, text), result.Diagnostics)
	defines := parseDefines(opts.Defines, result.Diagnostics)
	if err := stopped(ctx); err != nil {
		return nil, err
	}
	imports, externs := load.All(file, load.Options{Dirs: opts.IncludeDirs, Files: opts.Files}, result.Diagnostics)
	var claims hast.Claims
	if opts.CheckClaims {
		claims = hast.Claims{}
	}
	typed := sema.Check(file, sema.Options{Defines: defines, Imports: imports, Externs: externs, Claims: claims}, result.Diagnostics)
	if err := stopped(ctx); err != nil {
		return nil, err
	}
	if typed == nil || result.Diagnostics.HasErrors() {
		return result, nil
	}
	p := newProgram(typed, opts)
	p.claims = claims
	if p.schedules = p.readSchedules(file, opts.Schedule, result.Diagnostics); result.Diagnostics.HasErrors() {
		return result, nil
	}
	if err := p.keep(opts.Pipelines); err != nil {
		return nil, err
	}
	result.Program = p
	return result, nil
}

// parseDefines reads the values of -D, reporting at a file that is named after the option.
func parseDefines(defines map[string]string, diags *diag.List) map[string]syntax.Expr {
	out := map[string]syntax.Expr{}
	for _, name := range slices.Sorted(maps.Keys(defines)) {
		if x := parser.ParseExpr(source.NewFile("-D "+name, defines[name]), diags); x != nil {
			out[name] = x
		}
	}
	return out
}

// keep drops the pipelines that are not named.
func (p *Program) keep(names []string) error {
	if len(names) == 0 {
		return nil
	}
	for _, name := range names {
		if _, err := p.Pipeline(name); err != nil {
			return err
		}
	}
	isNamed := func(name string) bool { return slices.Contains(names, name) }
	typed := *p.typed
	typed.Pipelines = slices.DeleteFunc(slices.Clone(typed.Pipelines), func(q *hast.Pipeline) bool { return !isNamed(q.Name) })
	p.typed = &typed
	p.Pipelines = slices.DeleteFunc(p.Pipelines, func(q *Pipeline) bool { return !isNamed(q.Name) })
	return nil
}
