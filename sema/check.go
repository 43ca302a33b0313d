package sema

import (
	"path"
	"sort"
	"strings"

	"imgc/diag"
	"imgc/hast"
	"imgc/sema/access"
	"imgc/source"
	"imgc/syntax"
)

// Options are what the command line says about a program.
type Options struct {
	// Defines replace the values of consts, by name: -D R=13.
	Defines map[string]syntax.Expr
	// Imports are the files that imports name, wherever they stand. One that is missing has been reported. No file imports
	// itself, directly or through others.
	Imports map[*syntax.Import]*syntax.File
	// Externs are the texts that extern funcs come from. One that is missing has been reported.
	Externs map[*syntax.ExternSource]string
	Claims  hast.Claims // nil, or where what the proofs take for true is recorded
}

// Check gives a parsed file its meaning. It reports every independent error to diags and returns nil where there is one,
// be it of the parser's: a program that it returns keeps everything that hast promises.
func Check(file *syntax.File, opts Options, diags *diag.List) *hast.Program {
	c := &checker{
		diags:   diags,
		partial: diags.HasErrors(),
		imports: opts.Imports,
		externs: opts.Externs,
		units:   map[*syntax.File]*unit{},
		program: &hast.Program{Name: stem(file.Source), File: file.Source},

		onDevice: map[*syntax.Kernel]map[string]bool{},
	}
	main := c.unit(file)
	e := &env{checker: c, scope: main.scope}
	e.override(opts.Defines)
	e.signatures()
	for _, k := range c.consts {
		e.constant(k)
	}
	for _, f := range c.funcs {
		e.body(f)
	}
	for _, b := range c.borders {
		e.border(b)
	}
	for _, p := range main.pipelines {
		if built := e.pipeline(p); built != nil {
			c.program.Pipelines = append(c.program.Pipelines, built)
		}
	}
	alone := e.neverCalled(main)
	e.recursion()
	e.unusedBorders()
	if diags.HasErrors() {
		return nil
	}
	c.program.Funcs = c.called()
	for _, p := range append(alone, c.program.Pipelines...) {
		access.ProveClaiming(p, diags, opts.Claims)
	}
	if diags.HasErrors() {
		return nil
	}
	serialLoops(append(alone, c.program.Pipelines...), diags)
	return c.program
}

// A checker is the state of one run over a file.
type checker struct {
	diags   *diag.List
	errors  int  // reported by this run
	partial bool // the tree lacks what could not be parsed or read, so an unknown name is nobody's fault
	imports map[*syntax.Import]*syntax.File
	externs map[*syntax.ExternSource]string
	units   map[*syntax.File]*unit
	program *hast.Program

	consts  []*constEnt
	funcs   []*funcEnt   // instances of generic ones are added when they are first called
	borders []*borderEnt // by formula
	between []*interpolation
	trials  []*kernelCall // the kernels being checked by themselves, each for a call in the one before
	calls   int           // of kernels, one in the other, that are being expanded

	onDevice map[*syntax.Kernel]map[string]bool // names of kernels and pipelines whose values the device computes

	waits map[source.Span]bool // places where the host waits, each reported once

	computing []*constEnt // the constants whose values are being computed, each needed by the one before
}

// where says in what kind of text an expression or statement stands.
type where uint8

const (
	inConst where = iota // a constant's value: nothing of run time is visible
	inFunc
	onHost
	inBody // of an iterate or image comprehension
)

// An env is the surroundings of an expression or statement.
type env struct {
	*checker
	scope *scope
	where where
	pipe  *pipe      // nil outside pipelines
	in    *expansion // of a kernel; nil in the text of the pipeline itself
	stage *stage     // nil outside bodies
	fn    *funcEnt   // nil outside funcs
	loop  bool       // inside for or while

	trav      *traversal      // the innermost traverse around, be it the caller's of a kernel; nil outside
	device    map[string]bool // vars and outs of the text that live on the device
	nests     bool            // inside control flow of the host
	again     bool            // inside a loop of the host, be it the caller's of a kernel
	pixelwise bool            // inside a loop of the host that is known to compute one pixel after the other
	guards    []hast.Expr     // conditions of the host that hold here and are known at entry
}

// nested is e with a scope of its own.
func (e *env) nested() *env {
	n := *e
	n.scope = newScope(e.scope)
	return &n
}

func (c *checker) errorf(code diag.Code, at source.Span, format string, args ...any) *diag.Diagnostic {
	c.errors++
	return c.diags.Errorf(code, at, format, args...)
}

// warnf warns, but not in the expansion of a kernel, whose text has been looked at by itself.
func (c *checker) warnf(code diag.Code, at source.Span, format string, args ...any) *diag.Diagnostic {
	if c.calls > 0 {
		return &diag.Diagnostic{}
	}
	return c.diags.Warnf(code, at, format, args...)
}

// stem is the file's name without folders and ending.
func stem(f *source.File) string {
	base := path.Base(strings.ReplaceAll(f.Name, "\\", "/"))
	return strings.TrimSuffix(base, path.Ext(base))
}

// collect enters the file's declarations, so that they may come in any order.
func (e *env) collect(u *unit, decls []syntax.Decl) {
	for _, d := range decls {
		switch d := d.(type) {
		case *syntax.Import: // entered already
		case *syntax.Const:
			e.addConst(d.Name, &constEnt{kind: "const", typ: d.Type, init: d.Value})
		case *syntax.Mask:
			e.addConst(d.Name, &constEnt{kind: "mask", typ: d.Type, init: d.Value})
		case *syntax.Domain:
			e.addConst(d.Name, &constEnt{kind: "domain", dims: d.Dims, init: d.Value})
		case *syntax.Border:
			e.addBorder(d)
		case *syntax.Func:
			e.addFunc(d)
		case *syntax.Extern:
			e.addExtern(d)
		case *syntax.Kernel:
			e.addPipeline(u, d)
		}
	}
}

func (e *env) addConst(name syntax.Name, k *constEnt) {
	k.at, k.name, k.home = name.At, name.Text, e.scope
	e.declare(name, k)
	e.consts = append(e.consts, k)
}

func (e *env) addFunc(d *syntax.Func) {
	f := &funcEnt{declared: declared{d.Name.At}, decl: d, home: e.scope}
	e.refuseBuiltin(d.Name)
	e.declare(d.Name, f)
	e.funcs = append(e.funcs, f)
}

// refuseBuiltin reports a func that has the name of a built-in function: calls could mean either.
func (e *env) refuseBuiltin(name syntax.Name) {
	if isBuiltin(name.Text) {
		e.errorf(diag.HiddenName, name.At, "%s is a built-in function and cannot be declared again", name.Text)
	}
}

func (e *env) addPipeline(u *unit, d *syntax.Kernel) {
	p := &pipelineEnt{declared: declared{d.Name.At}, decl: d, home: e.scope}
	e.declare(d.Name, p)
	u.pipelines = append(u.pipelines, p)
}

// override gives consts the values of -D.
func (e *env) override(defines map[string]syntax.Expr) {
	names := make([]string, 0, len(defines))
	for name := range defines {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		value := defines[name]
		k, ok := e.scope.names[name].(*constEnt)
		if !ok || k.kind != "const" || k.home != e.scope {
			d := e.errorf(diag.UnknownName, value.Span(), "-D %s: the program has no const %s", name, name)
			isConst := func(x entity) bool { k, ok := x.(*constEnt); return ok && k.kind == "const" }
			suggest(d, name, e.scope.visible(isConst))
			continue
		}
		k.init = value // checked against the declared type when the value is needed
	}
}

// suggest adds a did-you-mean to a diagnostic where one of the candidates is close.
func suggest(d *diag.Diagnostic, name string, candidates []string) *diag.Diagnostic {
	if best := diag.Suggest(name, candidates); best != "" {
		d.Note("did you mean %s?", best)
	}
	return d
}
