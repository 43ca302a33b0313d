package sema

import (
	"sort"

	"imgc/diag"
	"imgc/hast"
	"imgc/source"
	"imgc/syntax"
	"imgc/types"
)

// An entity is what a name stands for.
type entity interface {
	place() source.Span // where it is declared; no place for what is built in
	noun() string       // what the user would call it, with its article
}

// declared carries the place of a declaration; entities embed it.
type declared struct{ at source.Span }

func (d declared) place() source.Span { return d.at }

type (
	// constEnt is a const, mask or domain. Its value is computed when it is first needed.
	constEnt struct {
		declared
		name  string
		kind  string // "const", "mask" or "domain"
		typ   *syntax.Type
		dims  []syntax.Expr // of a domain
		home  *scope        // of the file that declares it
		init  syntax.Expr   // nil for a full domain
		state progress
		value *constant // nil after an error
	}
	// funcEnt is a func. Its signature is resolved when it is first needed.
	funcEnt struct {
		declared
		decl   *syntax.Func
		home   *scope // of the file that declares it
		fn     *hast.Func
		valid  bool // the signature is
		broken bool // has an error, for a generic func in whatever instance
		calls  []*callSite
		extern *syntax.Extern // of an extern func; nil of all others
		used   bool           // called from a pipeline
		signed progress       // of resolving the signature
		state  progress       // of checking the body

		tvars     []types.Type        // of an instance of a generic func, what its type variables stand for
		instances map[string]*funcEnt // of a generic func, by the types
	}
	// pipelineEnt is a pipeline or kernel.
	pipelineEnt struct {
		declared
		decl *syntax.Kernel
		home *scope // of the file that declares it

		state    progress // of checking a kernel by itself
		valid    bool     // that has found nothing
		sizes    []sizeOf // of a valid kernel, in the order of binding
		expanded bool     // a call has been expanded
		alone    *hast.Pipeline
	}
	// typeEnt is a type variable. Its type is invalid while a generic declaration is checked by itself.
	typeEnt struct {
		declared
		typ types.Type
	}
	// valueEnt is a size or scalar of a kernel: what the call gives for it.
	valueEnt struct {
		declared
		value operand
	}
	// prefixEnt is the prefix of an import. The names behind it are entered as prefix.name.
	prefixEnt struct{ declared }
	// imageEnt is an image parameter or a local image.
	imageEnt struct {
		declared
		img     *hast.Image
		dir     hast.Dir   // of the parameter, which for a kernel's is not the image's
		rule    *hast.Rule // its own border rule; nil without
		badRule bool       // has one that was reported

		resampled *resampling // what a view by resample is computed from; nil of other images

		declaredRule *syntax.Rule // where that rule comes from, for views of the image; nil without
		ruleHome     *env
		*usage
		mask bool        // a mask that is given at run time
		of   *pyramidEnt // of a level; nil for all else
	}
	// varEnt is a variable of any class.
	varEnt struct {
		declared
		v    *hast.Var
		used bool
		img  *hast.Image // of a var that lives on the device; nil of all others
	}
	// boundEnt is a comprehension variable in a constant: it has a value.
	boundEnt struct {
		declared
		value *constant
	}
	// offsetEnt is d of "d in dom": one offset for each axis of the domain.
	offsetEnt struct {
		declared
		dims []int     // 0 where of is set
		of   *imageEnt // the mask, where it is given at run time
		axes []operand
	}
	// badEnt was reported already, as wrong or as not supported yet; using it says nothing more.
	badEnt struct{ declared }
)

// usage is what has been done with an image, by whatever name.
type usage struct {
	read    bool
	written bool
	warned  bool // a read before it was written has been reported
}

// lower is the first index of an axis.
func (m *imageEnt) lower(axis int) int64 { return lowerOf(m.img, axis) }

func lowerOf(m *hast.Image, axis int) int64 { return m.First(axis) }

// callSite is one call of a func in the body of another, for finding recursion.
type callSite struct {
	to *funcEnt
	at source.Span
}

// progress says how far the value of a constant is.
type progress uint8

const (
	untouched progress = iota
	running
	done
)

func (c *constEnt) noun() string { return "a " + c.kind }
func (*funcEnt) noun() string    { return "a func" }
func (*imageEnt) noun() string   { return "an image" }
func (*typeEnt) noun() string    { return "a type variable" }
func (*valueEnt) noun() string   { return "a parameter of a kernel" }
func (*prefixEnt) noun() string  { return "the prefix of an import" }
func (*boundEnt) noun() string   { return "an iteration variable" }
func (*offsetEnt) noun() string  { return "an offset of a domain" }
func (*badEnt) noun() string     { return "a name" }
func (v *varEnt) noun() string   { return classNouns[v.v.Class] }
func (p *pipelineEnt) noun() string {
	if p.decl.Pipeline {
		return "a pipeline"
	}
	return "a kernel"
}

var classNouns = [...]string{
	hast.Iterator:    "an iteration variable",
	hast.Loop:        "an iteration variable",
	hast.Value:       "a let",
	hast.Mutable:     "a var",
	hast.FuncParam:   "a parameter",
	hast.SizeVar:     "a size name",
	hast.ScalarIn:    "a scalar parameter",
	hast.ScalarOut:   "an out parameter",
	hast.HostValue:   "a let",
	hast.HostMutable: "a var",
	hast.HostLoop:    "an iteration variable",
	hast.HostLevel:   "a level",
}

// A scope maps the names of one block; names of enclosing blocks are visible too.
type scope struct {
	parent  *scope
	names   map[string]entity
	fetched map[*hast.Image]*hast.Var // device scalars that the host has waited for here
}

func newScope(parent *scope) *scope { return &scope{parent: parent, names: map[string]entity{}} }

// find looks a name up from the inside out; nil if nothing has it.
func (s *scope) find(name string) entity {
	for ; s != nil; s = s.parent {
		if e, ok := s.names[name]; ok {
			return e
		}
	}
	return nil
}

// visible lists the names for which keep holds, sorted.
func (s *scope) visible(keep func(entity) bool) []string {
	var names []string
	for ; s != nil; s = s.parent {
		for name, e := range s.names {
			if _, bad := e.(*badEnt); !bad && keep(e) {
				names = append(names, name)
			}
		}
	}
	sort.Strings(names)
	return names
}

// declare enters a name. No declaration hides a visible name; where one would, the first keeps its meaning and the scope
// gives the name to nobody else, so that uses say nothing more.
func (e *env) declare(name syntax.Name, ent entity) {
	if name.Text == "" {
		return
	}
	if old := e.scope.find(name.Text); old != nil {
		e.reportHidden(name, old)
		if _, here := e.scope.names[name.Text]; !here {
			e.scope.names[name.Text] = &badEnt{declared{name.At}}
		}
		return
	}
	if _, ok := builtinValues[name.Text]; ok {
		e.errorf(diag.HiddenName, name.At, "%s is a built-in constant and cannot be declared again", name.Text)
		return
	}
	e.scope.names[name.Text] = ent
}

func (e *env) reportHidden(name syntax.Name, old entity) {
	if _, bad := old.(*badEnt); bad && !old.place().IsValid() {
		return
	}
	_, here := e.scope.names[name.Text]
	if imported(old, name.At) {
		e.errorf(diag.HiddenName, name.At, "%s would hide %s of an imported file; choose another name", name.Text, old.noun()).
			NoteAt(old.place(), "%s is declared here", name.Text).
			Note("an import with a prefix brings no names that could be hidden")
		return
	}
	if here {
		e.errorf(diag.HiddenName, name.At, "%s is declared twice", name.Text).
			NoteAt(old.place(), "the other declaration is here")
		return
	}
	e.errorf(diag.HiddenName, name.At, "%s would hide %s of the same name; choose another name", name.Text, old.noun()).
		NoteAt(old.place(), "%s is declared here", name.Text)
}

// builtinValues are the constants that need no declaration.
var builtinValues = map[string]float64{"pi": 3.14159265358979323846264338327950288}

// scalarVar makes a variable entity of kind i32, the kind of iterators, loop variables and sizes.
func scalarVar(name syntax.Name, class hast.VarClass) *varEnt {
	return newVar(name, types.Scalar(types.I32), class)
}

func newVar(name syntax.Name, t types.Type, class hast.VarClass) *varEnt {
	return &varEnt{declared: declared{name.At}, v: &hast.Var{Name: name.Text, Type: t, Class: class, At: name.At}}
}

// visibleHere lists the names of this scope alone, sorted.
func (s *scope) visibleHere() []string {
	names := make([]string, 0, len(s.names))
	for name := range s.names {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}
