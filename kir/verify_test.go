package kir

import (
	"strings"
	"testing"

	"imgc/ops"
	"imgc/types"
)

func TestVerifyAcceptsAProgramThatKeepsTheRules(t *testing.T) {
	if err := Verify(newCopy().Program); err != nil {
		t.Error(err)
	}
}

// add appends statements to the kernel.
func (p *copyProgram) add(s ...Stmt) { p.kernel.Body = append(p.kernel.Body, s...) }

// use adds a declaration that computes e.
func (p *copyProgram) use(e Expr) {
	p.add(&Decl{Var: fixedVar("used", e.Type()), Init: e})
}

func TestVerifyFindsEachViolation(t *testing.T) {
	f3, b3, h3 := types.Vector(types.F32, 3), types.Vector(types.Bool, 3), types.Vector(types.F16, 3)
	vector := func(t types.Type) Expr { return &Vec{Typed{t}, []Expr{number(t.Kind, 1)}} }
	array := func(p *copyProgram) *Var {
		v := &Var{Name: "a", Type: f32T.Array(3)}
		p.add(&Decl{Var: v})
		return v
	}
	for _, c := range []struct {
		want  string
		spoil func(p *copyProgram)
	}{
		{"operands of x + 1.0 are of types i32 and f32", func(p *copyProgram) { p.use(apply(ops.Add, i32T, read(p.x), number(types.F32, 1))) }},
		{"x < 1 is of type bool, not i32", func(p *copyProgram) { p.use(apply(ops.Lt, i32T, read(p.x), number(types.I32, 1))) }},
		{"! is not defined on i32", func(p *copyProgram) { p.use(apply(ops.Not, boolT, read(p.x))) }},
		{"+ has 1 operands", func(p *copyProgram) { p.use(apply(ops.Add, i32T, read(p.x))) }},
		{"is marked as a division of what is not negative", func(p *copyProgram) {
			p.use(&Op{Typed: Typed{i32T}, Op: ops.Div, Args: []Expr{read(p.x), number(types.I32, 2)}, Natural: true})
		}},
		{"applies < to vectors of f32", func(p *copyProgram) { p.use(apply(ops.Lt, b3, vector(f3), vector(f3))) }},
		{"applies + to vectors of f16", func(p *copyProgram) { p.use(apply(ops.Add, h3, vector(h3), vector(h3))) }},
		{"applies dot to vectors of f32", func(p *copyProgram) { p.use(apply(ops.Dot, f32T, vector(f3), vector(f3))) }},
		{"an aligned access of u8, which", func(p *copyProgram) { p.store.Aligned = true }},
		{"an aligned access of u8x3", func(p *copyProgram) {
			p.use(&Load{Typed: Typed{u8T.WithLanes(3)}, Buffer: p.src, Offset: number(types.I64, 0), Aligned: true})
		}},
		{"an aligned access of src, which", func(p *copyProgram) {
			p.src.Access |= Shared
			p.use(&Load{Typed: Typed{u8T.WithLanes(4)}, Buffer: p.src, Offset: number(types.I64, 0), Aligned: true})
		}},
		{"a is copied to, which is no array in local memory", func(p *copyProgram) {
			p.add(&Assign{Var: array(p), Index: []Expr{number(types.I32, 0)}, Value: number(types.F32, 1), Copied: true})
		}},
		{"an element of panel is of type f32, not f32x4", func(p *copyProgram) {
			v := &Var{Name: "panel", Type: f32T.Array(2, 6), Space: Local} // lines of one vector and a half
			p.add(&Decl{Var: v})
			p.use(&Elem{Typed{f32T.WithLanes(4)}, v, []Expr{number(types.I32, 0), number(types.I32, 0)}})
		}},
		{"matrix units compute 3 rows below each other, 1 windows side by side", matrixSum(4, 3, 1)},
		{"matrix units compute 5 rows below each other, 1 windows side by side", matrixSum(5, 5, 1)},
		{"matrix units compute 2 rows below each other, 2 windows side by side", matrixSum(4, 2, 2)},
		{"count of", func(p *copyProgram) { p.use(apply(ops.Shl, i32T, read(p.x), number(types.F32, 1))) }},
		{"a constant of type i32 has 2 words", func(p *copyProgram) { p.use(&Const{Typed{i32T}, []types.Word{1, 2}, ""}) }},
		{"which is none", func(p *copyProgram) { p.use(&Const{Typed{types.Type{}}, nil, ""}) }},
		{"x is of type i32, not u8", func(p *copyProgram) { p.use(&Ref{Typed{u8T}, p.x}) }},
		{"a variable is missing", func(p *copyProgram) { p.use(&Ref{Typed{u8T}, nil}) }},
		{"y is used where it is not declared", func(p *copyProgram) { p.use(read(fixedVar("y", i32T))) }},
		{"src is read as a variable", func(p *copyProgram) { p.use(&Ref{Typed{u8T}, p.src}) }},
		{"stands where a value is needed", func(p *copyProgram) { p.use(read(array(p))) }},
		{"x is used where it is not declared", func(p *copyProgram) { p.kernel.Body = []Stmt{p.store, p.decl} }},
		{"z is used where it is not declared", func(p *copyProgram) {
			z := &Var{Name: "z", Type: i32T}
			p.add(&If{Cond: number(types.Bool, 1), Then: []Stmt{&Decl{Var: z}}}, &Assign{Var: z, Value: read(p.x)})
		}},
		{"x is declared twice", func(p *copyProgram) { p.add(p.decl) }},
		{"x is assigned although it never changes", func(p *copyProgram) { p.add(&Assign{Var: p.x, Value: read(p.x)}) }},
		{"loop variable i is assigned", func(p *copyProgram) {
			i := &Var{Name: "i", Type: i32T}
			p.add(&For{Var: i, Lo: read(p.x), Hi: read(p.x), Step: 1, Body: []Stmt{&Assign{Var: i, Value: read(p.x)}}})
		}},
		{"never moves", func(p *copyProgram) {
			p.add(&For{Var: &Var{Name: "i", Type: i32T}, Lo: read(p.x), Hi: read(p.x)})
		}},
		{"break or continue outside", func(p *copyProgram) { p.add(&Break{}) }},
		{"never changes and has no value", func(p *copyProgram) { p.add(&Decl{Var: fixedVar("c", i32T)}) }},
		{"initial value of c, x, is of type i32, not f32", func(p *copyProgram) { p.add(&Decl{Var: fixedVar("c", f32T), Init: read(p.x)}) }},
		{"index 3 is outside", func(p *copyProgram) {
			p.use(&Elem{Typed{f32T}, array(p), []Expr{number(types.I32, 3)}})
		}},
		{"has 0 indices", func(p *copyProgram) { p.add(&Assign{Var: array(p), Value: number(types.F32, 1)}) }},
		{"buffer dst is loaded from", func(p *copyProgram) { p.use(&Load{Typed: Typed{u8T}, Buffer: p.dst, Offset: read(p.pitch)}) }},
		{"buffer src is stored to", func(p *copyProgram) { p.store.Buffer = p.src }},
		{"holds components of u8, not i32", func(p *copyProgram) { p.store.Value = read(p.x) }},
		{"an offset into dst, x, is of type i32", func(p *copyProgram) { p.store.Offset = read(p.x) }},
		{"x is accessed as a buffer", func(p *copyProgram) { p.use(&Load{Typed: Typed{i32T}, Buffer: p.x, Offset: read(p.pitch)}) }},
		{"neither read nor written", func(p *copyProgram) { p.src.Access = 0 }},
		{"a condition, x, is of type i32", func(p *copyProgram) { p.add(&While{Cond: read(p.x)}) }},
		{"a work-group has at least one item", func(p *copyProgram) { p.kernel.Group[1] = 0 }},
		{"takes the bits", func(p *copyProgram) { p.use(&Convert{Typed{i64T}, read(p.x), Bitcast, false}) }},
		{"the condition", func(p *copyProgram) { p.use(&Select{Typed{i32T}, read(p.x), read(p.x), read(p.x), false}) }},
		{"has 2 parts", func(p *copyProgram) { p.use(&Vec{Typed{f3}, []Expr{number(types.F32, 1), number(types.F32, 1)}}) }},
		{"has no lane 3", func(p *copyProgram) { p.use(&Lanes{Typed{f32T}, vector(f3), []int{3}}) }},
		{"takes i32 from 32 places away", func(p *copyProgram) {
			p.add(&Decl{Var: fixedVar("c", i32T), Init: &Shuffle{Typed{i32T}, read(p.x), 32}})
		}},
		{"takes i32 from 6 places away", func(p *copyProgram) {
			p.add(&Decl{Var: fixedVar("c", i32T), Init: &Shuffle{Typed{i32T}, read(p.x), 6}})
		}},
		{"stands inside of an expression", func(p *copyProgram) { p.use(&Convert{Typed{f32T}, &Shuffle{Typed{i32T}, read(p.x), 1}, Wrap, false}) }},
		{"joins f32", func(p *copyProgram) {
			p.add(&Decl{Var: fixedVar("c", f32T), Init: &Joined{Typed{f32T}, number(types.F32, 1), ops.Add}})
		}},
		{"stands inside of an expression", func(p *copyProgram) {
			p.use(&Convert{Typed{f32T}, &Joined{Typed{i32T}, read(p.x), ops.Add}, Wrap, false})
		}},
		{"the other bytes of pairs", func(p *copyProgram) {
			word := &Const{Typed: Typed{types.Scalar(types.U32)}}
			p.use(&Convert{Typed{f32T}, &Pairs{Typed{i32T}, Squares, word, number(types.F32, 1), number(types.I32, 0)}, Wrap, false})
		}},
		{"a func takes values of other items", func(p *copyProgram) {
			c := fixedVar("c", i32T)
			p.double.Body = append([]Stmt{&Decl{Var: c, Init: &Shuffle{Typed{i32T}, number(types.I32, 1), 1}}}, p.double.Body...)
		}},
		{"a func asks for the work-item's index", func(p *copyProgram) { p.double.Body = []Stmt{&Return{Value: &GlobalID{Typed{i32T}, 0}}} }},
		{"the end can be reached", func(p *copyProgram) { p.double.Body = nil }},
		{"the result, 1.0, is of type f32", func(p *copyProgram) { p.double.Body = []Stmt{&Return{Value: number(types.F32, 1)}} }},
		{"double is called before it is defined", func(p *copyProgram) { p.Funcs = nil }},
		{"is not in global memory", func(p *copyProgram) {
			v := &Var{Name: "n", Type: types.Scalar(types.U32).Array(1), Space: Local}
			p.kernel.Body = append([]Stmt{&Decl{Var: v}}, p.kernel.Body...)
			p.add(&LastGroup{Counter: v})
		}},
		{"is no u32[1] in local memory", func(p *copyProgram) {
			counter := &Var{Name: "counter", Type: types.Scalar(types.U32), Space: Global, Access: Reads | Writes}
			flag := &Var{Name: "n", Type: types.Scalar(types.U32).Array(2), Space: Local}
			p.kernel.Body = append([]Stmt{&Decl{Var: flag}}, p.kernel.Body...)
			p.kernel.Params = append(p.kernel.Params, counter)
			p.add(&LastGroup{Counter: counter, Flag: flag})
		}},
		{"counted inside of something else", func(p *copyProgram) {
			p.add(&If{Cond: number(types.Bool, 1), Then: []Stmt{&LastGroup{Counter: p.src}}})
		}},
		{"tally u is not in global memory", func(p *copyProgram) {
			v := &Var{Name: "u", Type: types.Scalar(types.U64).Array(1), Space: Local}
			p.kernel.Body = append([]Stmt{&Decl{Var: v}}, p.kernel.Body...)
			p.add(lastSum(v, 53))
		}},
		{"a sum has 16 bits of 64", func(p *copyProgram) { p.add(lastSum(p.src, 16)) }},
		{"counted inside of a func or a loop", func(p *copyProgram) {
			p.add(&While{Cond: number(types.Bool, 1), Body: []Stmt{lastSum(p.src, 53)}})
		}},
		{"a value is returned", func(p *copyProgram) { p.add(&Return{Value: read(p.x)}) }},
		{"computes no array", func(p *copyProgram) { p.add(&CallInto{Func: p.double, Out: array(p)}) }},
		{"reads and writes a at once", func(p *copyProgram) {
			a := array(p)
			in, out := fixedVar("m", a.Type), &Var{Name: "r", Type: a.Type}
			f := &Func{Name: "id", Params: []*Var{in}, Out: out}
			p.Funcs = append(p.Funcs, f)
			p.add(&CallInto{Func: f, Args: []Expr{read(a)}, Out: a})
		}},
		{"do not fill i32[2][2]", func(p *copyProgram) { p.table.Words = p.table.Words[1:] }},
		{"takes 3 arguments, not 2", func(p *copyProgram) { p.launch.Args = p.launch.Args[1:] }},
		{"buffer src of copy gets a value", func(p *copyProgram) { p.launch.Args[0] = p.launch.Args[1] }},
		{"argument pitch of copy, 1, is of type i32", func(p *copyProgram) { p.launch.Args[1].Value = number(types.I32, 1) }},
		{"is not just one", func(p *copyProgram) { p.launch.Args[1] = Arg{} }},
		{"is no table that the host fills", func(p *copyProgram) { p.launch.Args[0] = Arg{Table: bytesTable()} }},
		{"is a table of u8", func(p *copyProgram) {
			t := bytesTable()
			p.Filled, p.launch.Args[1] = append(p.Filled, t), Arg{Table: t}
		}},
		{"2 words do not fill u8[3]", func(p *copyProgram) {
			t := bytesTable()
			t.Words = t.Words[1:]
			p.Filled = append(p.Filled, t)
		}},
		{"is no image of the pipeline", func(p *copyProgram) { p.launch.Args[0].Image = &Image{Name: "other", Elem: u8T} }},
		{"is an image of f32", func(p *copyProgram) { p.in.Elem = f32T }},
		{"writes the in image", func(p *copyProgram) { p.launch.Args[2].Image = p.in }},
		{"gets image src twice", func(p *copyProgram) { p.launch.Args[2].Image = p.in }},
		{"a kernel is launched that", func(p *copyProgram) { p.Kernels = nil }},
		{"is no host expression", func(p *copyProgram) { p.launch.Items[0] = widened(&GlobalID{Typed{i32T}, 0}) }},
		{"x is used where it is not declared", func(p *copyProgram) { p.launch.Items[0] = widened(read(p.x)) }},
		{"has no message", func(p *copyProgram) { p.plan.Checks[0].Message = "" }},
		{"bound by no extent", func(p *copyProgram) { p.size.Axis = 1 }},
		{"its pitch is true", func(p *copyProgram) { p.in.Pitch = fixedVar("q", i64T) }},
		{"is missing", func(p *copyProgram) { p.store.Offset = nil }},
	} {
		p := newCopy()
		c.spoil(p)
		if err := Verify(p.Program); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("want %q, got %v", c.want, err)
		}
	}
}

func TestVerifyReportsAllViolations(t *testing.T) {
	p := newCopy()
	p.kernel.Group[0] = 0
	p.add(&Break{}, &Assign{Var: p.x, Value: read(p.x)})
	if err := Verify(p.Program); err == nil || strings.Count(err.Error(), "\n") != 2 {
		t.Errorf("want three lines, got %v", err)
	}
}

func bytesTable() *Table {
	return &Table{Var: &Var{Name: "bytes", Type: u8T.Array(3), Space: Constant, Const: true}, Words: make([]types.Word, 3)}
}

func TestVerifyFindsEachViolationOfControlFlow(t *testing.T) {
	i64 := types.Scalar(types.I64)
	n, k := &Var{Name: "n", Type: i64}, &Var{Name: "k", Type: i64}
	zero, yes := number(types.I64, 0), number(types.Bool, 1)
	image := func(name string, dir Dir, offset bool) *Image {
		m := &Image{Name: name, Dir: dir, Elem: u8T, Extent: []Expr{number(types.I64, 4)}, LineAxis: -1}
		if offset {
			m.Offset = &Var{Name: name + "_offset", Type: i64}
		}
		return m
	}
	in, a, b, c := image("in", In, true), image("a", Temporary, true), image("b", Temporary, true), image("c", Temporary, false)
	let := &Let{Var: n, Value: zero}
	for _, x := range []struct {
		want  string
		steps []Step
	}{
		{"", []Step{let, &WhileHost{Cond: yes, Body: []Step{&IfHost{Cond: yes, Then: []Step{&BreakHost{}}, Else: []Step{&ContinueHost{}}}}}}},
		{"", []Step{let, &ForHost{Var: k, Lo: zero, Hi: zero, Step: -1, Body: []Step{&SetHost{Var: n, Value: read(k), Narrow: true}}}}},
		{"", []Step{&Swap{A: a, B: b}, &Clear{Image: c}}},
		{"outside of a loop", []Step{&IfHost{Cond: yes, Then: []Step{&BreakHost{}}}}},
		{"runs in steps of 0", []Step{&ForHost{Var: k, Lo: zero, Hi: zero}}},
		{"not bool", []Step{&WhileHost{Cond: zero}}},
		{"n is used where it is not declared", []Step{&SetHost{Var: n, Value: zero}}},
		{"in is changed", []Step{&Swap{A: in, B: a}}},
		{"cannot be swapped", []Step{&Swap{A: a, B: a}}},
		{"one has no offset", []Step{&Swap{A: a, B: c}}},
	} {
		p := &Program{Pipelines: []*Pipeline{{
			Name: "p", Params: []*Param{{Name: "in", Image: in}}, Locals: []*Image{a, b, c}, Steps: x.steps,
		}}}
		if err := Verify(p); (err == nil) != (x.want == "") || err != nil && !strings.Contains(err.Error(), x.want) {
			t.Errorf("%v, want %q", err, x.want)
		}
		if Dump(p) == "" || strings.Contains(Dump(p), "?*") {
			t.Errorf("the dump is %s", Dump(p))
		}
	}
}

func TestSwappedImagesAreGrouped(t *testing.T) {
	images := make([]*Image, 6)
	for i := range images {
		images[i] = &Image{Name: string(rune('a' + i))}
	}
	pl := &Pipeline{
		Params: []*Param{{Image: images[0]}, {Scalar: &Var{}}, {Image: images[1]}, {Image: images[2]}},
		Locals: images[3:],
		Steps: []Step{
			&ForHost{Body: []Step{&Swap{A: images[4], B: images[0]}, &IfHost{Else: []Step{&Swap{A: images[1], B: images[5]}}}}},
			&Swap{A: images[5], B: images[4]}, &Swap{A: images[2], B: images[3]},
		},
	}
	var got []string
	for _, g := range Swapped(pl) {
		names := ""
		for _, m := range g {
			names += m.Image.Name
		}
		got = append(got, names)
	}
	if strings.Join(got, " ") != "abef cd" {
		t.Errorf("%v, want abef cd", got)
	}
}

// matrixSum adds a sum of matrix units for so many windows and rows.
func matrixSum(sums, down, across int) func(p *copyProgram) {
	return func(p *copyProgram) {
		u32T := types.Scalar(types.U32)
		acc := &Var{Name: "acc", Type: i32T.Array(sums, 2, 4)}
		bytes, weights := &Var{Name: "bytes", Type: u32T.Array(9, 9), Space: Local}, &Var{Name: "weights", Type: u32T.Array(3, 128), Space: Local}
		zero := number(types.I32, 0)
		p.add(&Decl{Var: acc}, &Decl{Var: bytes}, &Decl{Var: weights})
		p.add(&MatrixSum{Acc: acc, Bytes: bytes, Weights: weights, Row: zero, Word: zero, Lane: zero, Down: down, Across: across})
	}
}

// lastSum adds nothing.
func lastSum(tally *Var, shift int) *LastSum {
	return &LastSum{Tally: tally, Part: number(types.I64, 0), Sum: &Var{Name: "sum", Type: types.Scalar(types.I64)}, Shift: shift}
}
