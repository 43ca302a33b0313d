package access

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"imgc/diag"
	"imgc/hast"
	"imgc/ops"
	"imgc/source"
	"imgc/types"
)

// Programs of these tests are written line by line in a small notation, so that they do not depend on the parser and the
// checker; expressions and statements in it have Go's syntax.
//
//	in src[H][W]                        out, inout, local; ": u8" behind it for another element type than i32
//	scalar k                            a parameter; "flag b" a bool
//	assume KH <= 15
//	let n = (H + 1) / 2
//	iterate y in 0:H, x in 0:W border clamp where x > 0 {
//	    dst[y][x] = src[y][x - 1]       v := e defines; v = e changes; for i := range(lo, hi) { }; sum(i, lo, hi, e);
//	}                                   points(dy, dx, e) sums over the point list of the builder; window(src[y][x], 3, 3)
type builder struct {
	t      *testing.T
	file   *source.File
	base   int // offset in file of the text that is being parsed
	p      *hast.Pipeline
	vars   map[string]*hast.Var
	images map[string]*hast.Image
	points [][]int64
	rule   *hast.Rule
	consts map[string]*hast.Const
}

var i32 = types.Scalar(types.I32)

func build(t *testing.T, text string, points ...[]int64) *hast.Pipeline {
	t.Helper()
	b := &builder{
		t: t, file: source.NewFile("test.img", text), p: &hast.Pipeline{Name: "test"},
		vars: map[string]*hast.Var{}, images: map[string]*hast.Image{}, points: points, consts: map[string]*hast.Const{},
	}
	lines := strings.SplitAfter(text, "\n")
	for i := 0; i < len(lines); i++ {
		line := strings.TrimSpace(lines[i])
		start := b.base
		b.base += len(lines[i])
		word, rest, _ := strings.Cut(line, " ")
		switch word {
		case "":
		case "in", "out", "inout", "local":
			b.image(word, rest)
		case "scalar", "flag":
			b.scalar(word, rest)
		case "table":
			b.table(rest)
		case "assume":
			b.p.Checks = append(b.p.Checks, &hast.Check{Cond: b.expr(rest), Message: "assume " + rest})
		case "let":
			name, value, _ := strings.Cut(rest, " = ")
			e := b.expr(value)
			v := b.define(name, e.Type(), hast.HostValue)
			b.p.Steps = append(b.p.Steps, &hast.DefineHost{Var: v, Value: e})
		case "iterate":
			body := ""
			for i++; lines[i] != "}\n"; i++ {
				body += lines[i]
			}
			bodyStart := start + len(lines[i-strings.Count(body, "\n")-1])
			b.iterate(line, body, bodyStart)
			b.base = bodyStart + len(body) + 2
		default:
			t.Fatalf("line %q is not understood", line)
		}
	}
	return b.p
}

func (b *builder) define(name string, t types.Type, class hast.VarClass) *hast.Var {
	v := &hast.Var{Name: name, Type: t, Class: class}
	b.vars[name] = v
	return v
}

func (b *builder) scalar(word, name string) {
	k := types.I32
	if word == "flag" {
		k = types.Bool
	}
	v := b.define(name, types.Scalar(k), hast.ScalarIn)
	b.p.Params = append(b.p.Params, &hast.Param{Name: name, Scalar: v})
}

// table defines an array of constants: "table offsets -1 0 1".
func (b *builder) table(text string) {
	fields := strings.Fields(text)
	c := &hast.Const{Name: fields[0], Typed: hast.Typed{T: i32.Array(len(fields) - 1)}}
	for _, f := range fields[1:] {
		n, err := strconv.Atoi(f)
		if err != nil {
			b.t.Fatal(err)
		}
		c.Words = append(c.Words, types.Int(int64(n)))
	}
	b.consts[fields[0]] = c
}

var identifier = regexp.MustCompile(`[A-Za-z_]\w*`)

func (b *builder) image(dir, text string) {
	text, kind, typed := strings.Cut(text, ": ")
	elem := i32
	if typed {
		elem, _ = types.Parse(kind)
	}
	name, extents, _ := strings.Cut(text, "[")
	m := &hast.Image{Name: name, Elem: elem, Dir: map[string]hast.Dir{"in": hast.In, "out": hast.Out, "inout": hast.InOut, "local": hast.Local}[dir]}
	for axis, e := range strings.Split(strings.TrimSuffix(strings.TrimSpace(extents), "]"), "][") {
		if lower, extent, ok := strings.Cut(e, "@"); ok { // "[-1@W]" starts at -1
			n, err := strconv.Atoi(lower)
			if err != nil {
				b.t.Fatal(err)
			}
			if m.Lower == nil {
				m.Lower = make([]int64, strings.Count(extents, "[")+1)
			}
			m.Lower[axis], e = int64(n), extent
		}
		for _, size := range identifier.FindAllString(e, -1) {
			if b.vars[size] == nil {
				v := b.define(size, i32, hast.SizeVar)
				s := &hast.Size{Var: v, Image: m, Axis: axis, Mul: 1}
				if factor, _, ok := strings.Cut(e, "*"); ok {
					s.Mul, _ = strconv.ParseInt(strings.TrimSpace(factor), 10, 64)
				}
				b.p.Sizes = append(b.p.Sizes, s)
			}
		}
		m.Extent = append(m.Extent, b.expr(e))
	}
	b.images[name] = m
	b.p.Images = append(b.p.Images, m)
	if m.Dir != hast.Local {
		b.p.Params = append(b.p.Params, &hast.Param{Name: name, Dir: m.Dir, Image: m})
	}
}

var heading = regexp.MustCompile(`^iterate (independent )?(.*?)(?: border (\w+))?(?: where (.*))? \{$`)

func (b *builder) iterate(head, body string, at int) {
	m := heading.FindStringSubmatch(head)
	if m == nil {
		b.t.Fatalf("heading %q is not understood", head)
	}
	st := &hast.Stage{Name: "stage", Independent: m[1] != ""}
	for _, r := range strings.Split(m[2], ", ") {
		name, bounds, _ := strings.Cut(r, " in ")
		st.Space.Ranges = append(st.Space.Ranges, b.rangeOf(bounds))
		st.Space.Vars = append(st.Space.Vars, &hast.Var{Name: name, Type: i32, Class: hast.Iterator})
	}
	for _, v := range st.Space.Vars {
		b.vars[v.Name] = v
	}
	b.rule = nil
	for k, name := range hast.RuleNames {
		if name == m[3] {
			b.rule = &hast.Rule{Kind: hast.RuleKind(k)}
		}
	}
	if m[4] != "" {
		st.Where = b.expr(m[4])
	}
	st.Body = b.body(body, at)
	b.p.Steps = append(b.p.Steps, st)
	b.rule = nil
}

func (b *builder) rangeOf(text string) hast.Range {
	parts := strings.Split(text, ":")
	r := hast.Range{Lo: b.expr(parts[0]), Hi: b.expr(parts[1]), Step: 1}
	if len(parts) == 3 {
		r.Step, _ = strconv.ParseInt(parts[2], 10, 64)
	}
	return r
}

func (b *builder) expr(text string) hast.Expr {
	e, err := parser.ParseExpr(text)
	if err != nil {
		b.t.Fatalf("%s: %v", text, err)
	}
	defer func(base int) { b.base = base }(b.base)
	b.base = -1
	return b.tree(e)
}

const header = "package p; func f() {\n"

func (b *builder) body(text string, at int) []hast.Stmt {
	f, err := parser.ParseFile(token.NewFileSet(), "", header+text+"}", 0)
	if err != nil {
		b.t.Fatalf("%s: %v", text, err)
	}
	b.base = at - len(header)
	return b.stmts(f.Decls[0].(*ast.FuncDecl).Body.List)
}

func (b *builder) span(n ast.Node) source.Span {
	if b.base < 0 {
		return source.Span{}
	}
	return source.Span{File: b.file, Start: b.base + int(n.Pos()) - 1, End: b.base + int(n.End()) - 1}
}

func (b *builder) stmts(list []ast.Stmt) []hast.Stmt {
	var out []hast.Stmt
	for _, s := range list {
		out = append(out, b.stmt(s))
	}
	return out
}

func (b *builder) stmt(s ast.Stmt) hast.Stmt {
	at := b.span(s)
	switch s := s.(type) {
	case *ast.AssignStmt:
		value := b.tree(s.Rhs[0])
		if s.Tok == token.DEFINE {
			return &hast.Define{Var: b.define(s.Lhs[0].(*ast.Ident).Name, value.Type(), hast.Mutable), Init: value, At: at}
		}
		if name, ok := s.Lhs[0].(*ast.Ident); ok {
			return &hast.Set{Var: b.vars[name.Name], Value: value, At: at}
		}
		target := b.tree(s.Lhs[0]).(*hast.Load)
		st := &hast.Store{Image: target.Image, Value: value, At: at}
		if s.Tok == token.ADD_ASSIGN {
			st.Op = ops.Add
		}
		for _, c := range target.Index {
			st.Index = append(st.Index, c.X)
		}
		return st
	case *ast.IfStmt:
		out := &hast.If{Cond: b.tree(s.Cond), Then: b.stmts(s.Body.List), At: at}
		if s.Else != nil {
			out.Else = b.stmts(s.Else.(*ast.BlockStmt).List)
		}
		return out
	case *ast.ForStmt:
		return b.loop(s, at)
	case *ast.BranchStmt:
		if s.Tok == token.BREAK {
			return &hast.Break{At: at}
		}
		return &hast.Continue{At: at}
	}
	b.t.Fatalf("statement %T is not understood", s)
	return nil
}

// loop is "for i := within(lo, hi); ; {" or "for cond {".
func (b *builder) loop(s *ast.ForStmt, at source.Span) hast.Stmt {
	if s.Init == nil {
		return &hast.While{Cond: b.tree(s.Cond), Body: b.stmts(s.Body.List), At: at}
	}
	init := s.Init.(*ast.AssignStmt)
	bounds := init.Rhs[0].(*ast.CallExpr).Args
	r := hast.Range{Lo: b.tree(bounds[0]), Hi: b.tree(bounds[1]), Step: 1}
	v := b.define(init.Lhs[0].(*ast.Ident).Name, i32, hast.Loop)
	return &hast.For{Space: hast.Space{Vars: []*hast.Var{v}, Ranges: []hast.Range{r}}, Body: b.stmts(s.Body.List), At: at}
}

func (b *builder) tree(e ast.Expr) hast.Expr {
	at := hast.Typed{T: i32, At: b.span(e)}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return b.tree(e.X)
	case *ast.BasicLit:
		n, err := strconv.ParseInt(e.Value, 10, 64)
		if err != nil {
			b.t.Fatal(err)
		}
		return &hast.Const{Typed: at, Words: []types.Word{types.Int(n)}}
	case *ast.Ident:
		v := b.vars[e.Name]
		if v == nil {
			b.t.Fatalf("%s is not defined", e.Name)
		}
		return &hast.Ref{Typed: hast.Typed{T: v.Type, At: at.At}, Var: v}
	case *ast.UnaryExpr:
		return b.operator(at, e.Op.String(), b.tree(e.X))
	case *ast.BinaryExpr:
		return b.operator(at, e.Op.String(), b.tree(e.X), b.tree(e.Y))
	case *ast.IndexExpr:
		return b.index(e, at)
	case *ast.CallExpr:
		return b.call(e, at)
	}
	b.t.Fatalf("expression %T is not understood", e)
	return nil
}

func (b *builder) operator(at hast.Typed, name string, args ...hast.Expr) hast.Expr {
	op, ok := ops.Operator(name, len(args))
	if !ok {
		if op, ok = ops.Function(name); !ok {
			b.t.Fatalf("there is no %s", name)
		}
	}
	at.T = args[0].Type()
	if info := op.Info(); info.Result == ops.Truth {
		at.T = types.Scalar(types.Bool)
	}
	return &hast.Op{Typed: at, Op: op, Args: args}
}

func (b *builder) index(e *ast.IndexExpr, at hast.Typed) hast.Expr {
	var subscripts []hast.Expr
	var x ast.Expr = e
	for {
		i, ok := x.(*ast.IndexExpr)
		if !ok {
			break
		}
		subscripts = append([]hast.Expr{b.tree(i.Index)}, subscripts...)
		x = i.X
	}
	name := x.(*ast.Ident).Name
	if c := b.consts[name]; c != nil {
		return &hast.Elem{Typed: at, X: c, Index: subscripts}
	}
	m := b.images[name]
	if m == nil {
		b.t.Fatalf("there is no image %s", name)
	}
	l := &hast.Load{Typed: at, Image: m, Rule: b.rule}
	for _, s := range subscripts {
		l.Index = append(l.Index, hast.Coord{X: s, Below: true, Above: true})
	}
	if l.T = m.Elem; m.Elem.Kind.IsInt() && m.Elem != i32 {
		return &hast.Convert{Typed: at, X: l}
	}
	return l
}

func (b *builder) call(e *ast.CallExpr, at hast.Typed) hast.Expr {
	name := e.Fun.(*ast.Ident).Name
	switch name {
	case "sum":
		r := hast.Range{Lo: b.tree(e.Args[1]), Hi: b.tree(e.Args[2]), Step: 1}
		v := b.define(e.Args[0].(*ast.Ident).Name, i32, hast.Loop)
		return &hast.Reduce{Typed: at, Space: hast.Space{Vars: []*hast.Var{v}, Ranges: []hast.Range{r}}, Elem: b.tree(e.Args[3])}
	case "points":
		y := b.define(e.Args[0].(*ast.Ident).Name, i32, hast.Loop)
		x := b.define(e.Args[1].(*ast.Ident).Name, i32, hast.Loop)
		return &hast.Reduce{Typed: at, Space: hast.Space{Vars: []*hast.Var{y, x}, Points: b.points}, Elem: b.tree(e.Args[2])}
	case "window":
		return b.window(e, at)
	}
	var args []hast.Expr
	for _, arg := range e.Args {
		args = append(args, b.tree(arg))
	}
	if name == "choose" {
		at.T = args[1].Type()
		return &hast.Select{Typed: at, Cond: args[0], Then: args[1], Else: args[2]}
	}
	return b.operator(at, name, args...)
}

// window is "window(src[y][x], 3, 3)", counts of 1 for axes without a colon, and perhaps a stride behind the counts.
func (b *builder) window(e *ast.CallExpr, at hast.Typed) hast.Expr {
	first := b.tree(e.Args[0]).(*hast.Load)
	w := &hast.Window{Image: first.Image, Rule: first.Rule, Typed: at}
	stride := 1
	number := func(k int) int { return int(b.tree(e.Args[k]).(*hast.Const).Words[0].Int()) }
	if len(e.Args) > len(first.Index)+1 {
		stride = number(len(first.Index) + 1)
	}
	dims := []int{}
	for k, c := range first.Index {
		n := number(k + 1)
		w.Axes = append(w.Axes, hast.WindowAxis{Start: c, Count: n, Stride: stride, Colon: n > 1})
		if n > 1 {
			dims = append(dims, n)
		}
	}
	w.T = first.Image.Elem.Array(dims...)
	return &hast.Reduce{Typed: at, Space: hast.Space{}, Elem: w}
}

// proved builds and proves a program.
func proved(t *testing.T, text string, points ...[]int64) (*hast.Pipeline, *diag.List) {
	t.Helper()
	p := build(t, text, points...)
	diags := &diag.List{}
	Prove(p, diags)
	return p, diags
}

// messages lists the errors as "IMG0501 message".
func messages(diags *diag.List) []string {
	var out []string
	for _, d := range diags.Sorted() {
		out = append(out, fmt.Sprintf("%s %s", d.Code, d.Message))
	}
	return out
}

// summary lists what was found of a pipeline: for each read where it can leave, images that start as zeros, checks.
func summary(p *hast.Pipeline, assumed int) []string {
	w := &walker{known: map[*hast.Func]bool{}}
	var out []string
	for _, step := range p.Steps {
		if st, ok := step.(*hast.Stage); ok {
			w.stageBody(st, &scope{})
		}
	}
	for _, r := range w.reads {
		sides := make([]string, len(r.axes))
		for k, ax := range r.axes {
			for _, side := range []struct {
				can  bool
				mark string
			}{{ax.coord.Below, "<"}, {ax.coord.Above, ">"}} {
				if side.can {
					sides[k] += side.mark
				}
			}
			if sides[k] == "" {
				sides[k] = "-"
			}
		}
		out = append(out, r.text()+" "+strings.Join(sides, " "))
	}
	for _, m := range p.Images {
		if m.Zero {
			out = append(out, m.Name+" zero")
		}
	}
	for _, c := range p.Checks[assumed:] {
		out = append(out, c.Message)
	}
	return out
}
