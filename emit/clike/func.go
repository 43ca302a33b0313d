package clike

import (
	"fmt"

	"imgc/emit/ctree"
	"imgc/kir"
	"imgc/ops"
	"imgc/types"
)

// A KernelParam is a kernel's parameter in the emitted code.
type KernelParam struct {
	Var  *kir.Var
	Name string
}

// Func translates a device function.
func (u *Unit) Func(f *kir.Func) *ctree.Func {
	s := u.function()
	out := &ctree.Func{Prefix: u.Dialect.FuncPre, Name: u.Name(f, f.Name), Result: ctree.Base("void"), At: f.At}
	if f.Rare {
		out.Prefix = u.Dialect.RareFuncPre
	}
	if f.Out == nil {
		out.Result = u.typeName(f.Result)
	}
	for _, p := range f.Params {
		if p.Space == kir.Global {
			out.Params = append(out.Params, ctree.Param{Type: u.Dialect.BufferType(p, p.Access&kir.Shared == 0), Name: s.declare(p)})
			continue
		}
		t := u.varType(p.Type)
		if p.Type.IsArray() && p.Type.Rank == 1 {
			t = ctree.ArrayOf(ctree.Base("const "+string(u.typeName(p.Type.Elem()).(ctree.Base))), extent(u, p.Type))
		}
		out.Params = append(out.Params, ctree.Param{Type: t, Name: s.declare(p)})
	}
	if f.Out != nil {
		out.Params = append(out.Params, ctree.Param{Type: u.varType(f.Out.Type), Name: s.declare(f.Out)})
	}
	out.Body = append(s.arrays(f.Body), s.stmts(withoutReturn(f.Body))...)
	return out
}

func extent(u *Unit, t types.Type) ctree.Expr {
	return u.Dialect.integer(types.I32, types.Int(int64(t.Dims[0]))).X
}

// function starts the scope of a function.
func (u *Unit) function() *scope {
	return &scope{Unit: u, names: u.names.Inner(), vars: map[*kir.Var]string{}, choices: map[*kir.Var]int{}}
}

// alone reports whether a kernel's compiler may hear that a buffer is accessed by its own pointer only. NVIDIA's compilers (up to 13.5) make one
// load of c ? a[i] : b[j], by a path for data that does not change where one of the two is of that sort, even if the kernel writes the
// other one: beside a buffer that is read and written, and has components of that size, none is. Nor is one through which items of a group tell each other
// something: what an item has read of it stays true for a compiler that hears of no other pointer, whatever barrier comes after.
func alone(v *kir.Var, k *kir.Kernel) bool {
	const both = kir.Reads | kir.Writes
	if v.Access&both == both && meetsInBuffers(k) {
		return false
	}
	if v.Access&kir.Writes == 0 {
		for _, p := range k.Params {
			if p.Space == kir.Global && p.Access&both == both && p.Type.Kind.Bytes() == v.Type.Kind.Bytes() {
				return false
			}
		}
	}
	return v.Access&kir.Shared == 0
}

// meetsInBuffers reports whether the items of a group wait for what others write to buffers.
func meetsInBuffers(k *kir.Kernel) (found bool) {
	kir.WalkStmts(k.Body, func(s kir.Stmt) {
		b, ok := s.(*kir.Barrier)
		found = found || ok && b.Buffers
	}, nil)
	return found
}

// Kernel translates a kernel. A scalar that cannot be passed as it is held comes as the type of its memory and is converted at
// the start.
func (u *Unit) Kernel(k *kir.Kernel) (*ctree.Func, []KernelParam) {
	s := u.function()
	s.kernel = k
	out := &ctree.Func{
		Head: u.Dialect.KernelHead(u, k), Prefix: u.Dialect.KernelPre, Result: ctree.Base("void"), Name: u.Name(k, k.Name), At: k.At,
	}
	var params []KernelParam
	var decode []ctree.Stmt
	for _, p := range k.Params {
		if p.Space == kir.Global {
			name := s.declare(p)
			out.Params = append(out.Params, ctree.Param{Type: u.Dialect.BufferType(p, alone(p, k)), Name: name})
			params = append(params, KernelParam{p, name})
			continue
		}
		name, first := s.scalarParam(p, out)
		params = append(params, KernelParam{p, name})
		decode = append(decode, first...)
	}
	if u.grid(k) == InParts {
		out.Params = append(out.Params, u.Dialect.First)
	}
	if u.Dialect.Enter != nil {
		out.Body = u.Dialect.Enter(u, k)
	}
	out.Body = append(append(out.Body, s.arrays(k.Body)...), decode...)
	body := withoutReturn(k.Body)
	if u.Dialect.Start != "" {
		before := kir.UntilMemory(body)
		out.Body = append(out.Body, s.stmts(body[:before])...)
		out.Body = append(out.Body, &ctree.Do{X: ctree.CallTo(u.Use(u.Dialect.Start))})
		body = body[before:]
	}
	out.Body = append(out.Body, s.stmts(body)...)
	return out, params
}

// withoutReturn drops a return without value at the end.
func withoutReturn(body []kir.Stmt) []kir.Stmt {
	if len(body) > 0 {
		if r, ok := body[len(body)-1].(*kir.Return); ok && r.Value == nil {
			return body[:len(body)-1]
		}
	}
	return body
}

func (s *scope) scalarParam(p *kir.Var, out *ctree.Func) (name string, decode []ctree.Stmt) {
	argType := s.Dialect.ArgType(p.Type)
	if argType == "" {
		name = s.declare(p)
		out.Params = append(out.Params, ctree.Param{Type: s.typeName(p.Type), Name: name})
		return name, nil
	}
	local := s.declare(p)
	name = s.names.Give(p.Name + "_arg")
	out.Params = append(out.Params, ctree.Param{Type: ctree.Base(argType), Name: name})
	value := s.Dialect.ArgDecode(s.Unit, p.Type, ctree.Name(name))
	return name, []ctree.Stmt{&ctree.Declare{Prefix: "const", Type: s.typeName(p.Type), Name: local, Init: value.X}}
}

// arrays declares the private arrays of a body that have no values at first, those of its blocks included, before all else. NVIDIA's
// compiler (NVVM 7.0.1) gives arrays whose lives do not overlap one place, and then may take the first 16 bytes of the
// later one for undefined: a product of matrices of 12 x 12 and more lost an element that way. Arrays that are declared together
// have places of their own. Those that become registers cost nothing.
func (s *scope) arrays(body []kir.Stmt) []ctree.Stmt {
	var out []ctree.Stmt
	kir.WalkStmts(body, func(st kir.Stmt) {
		if d, ok := st.(*kir.Decl); ok && isEarly(d) && s.vars[d.Var] == "" {
			out = append(out, s.decl(d, ctree.Pos{At: d.Span()}))
		}
	}, nil)
	return out
}

// isEarly reports whether arrays declares it.
func isEarly(d *kir.Decl) bool {
	return d.Init == nil && d.Var.Type.IsArray() && d.Var.Space != kir.Local
}

func (s *scope) stmts(list []kir.Stmt) []ctree.Stmt {
	s.findColumns(list)
	var out []ctree.Stmt
	for _, st := range list {
		out = append(out, s.stmt(st)...)
	}
	return out
}

// block translates a list of statements in a scope of its own.
func (s *scope) block(list []kir.Stmt) []ctree.Stmt { return s.inner().stmts(list) }

func one(s ctree.Stmt) []ctree.Stmt { return []ctree.Stmt{s} }

func (s *scope) stmt(st kir.Stmt) []ctree.Stmt {
	pos := ctree.Pos{At: st.Span()}
	switch st := st.(type) {
	case *kir.Decl:
		if isEarly(st) {
			return nil
		}
		return one(s.decl(st, pos))
	case *kir.Assign:
		return one(s.assign(st, pos))
	case *kir.Store:
		return s.together(pos, st.First, s.store(st, pos))
	case *kir.LoadRun:
		return one(s.run(pos, Run{Count: st.Count, Anywhere: st.Anywhere, Beyond: st.Beyond}, st.Buffer, st.Offset, st.Var, st.Index))
	case *kir.StoreRun:
		return s.together(pos, st.First, s.run(pos, Run{Store: true, Count: st.Count, Anywhere: st.Anywhere}, st.Buffer, st.Offset, st.Var, st.Index))
	case *kir.Atomic:
		return one(s.atomic(st, pos))
	case *kir.Critical:
		return s.critical(st, pos)
	case *kir.LastGroup:
		return one(s.lastGroup(st, pos))
	case *kir.LastSum:
		return s.lastSum(st, pos)
	case *kir.Leave:
		return one(&ctree.Do{Pos: pos, X: ctree.CallTo(s.Use(s.Dialect.Leave), s.variable(st.Places), s.value(st.At), s.value(st.Round), s.typed(st.Value))})
	case *kir.LastWaits:
		last := ctree.CallTo(s.Use(s.Dialect.LastWaits), s.variable(st.Places), s.value(st.Round), s.variable(st.Parts), ctree.Lit(fmt.Sprint(st.Count)))
		return one(&ctree.If{Pos: pos, Cond: last, Then: s.block(st.Body)})
	case *kir.If:
		return one(&ctree.If{Pos: pos, Cond: s.value(st.Cond), Then: s.block(st.Then), Else: s.block(st.Else)})
	case *kir.For:
		return s.loop(st, pos)
	case *kir.While:
		return one(&ctree.While{Pos: pos, Cond: s.value(st.Cond), Body: s.block(st.Body)})
	case *kir.Break:
		return one(&ctree.Break{Pos: pos})
	case *kir.Continue:
		return one(&ctree.Continue{Pos: pos})
	case *kir.Return:
		out := &ctree.Return{Pos: pos}
		if st.Value != nil {
			out.X = s.value(st.Value)
		}
		return one(out)
	case *kir.CallInto:
		args := append(s.args(st.Args), s.variable(st.Out))
		return one(&ctree.Do{Pos: pos, X: ctree.CallTo(s.globals[st.Func], args...)})
	case *kir.Barrier:
		return s.barrier(st, pos)
	case *kir.MatrixSum:
		return one(&ctree.Do{Pos: pos, X: s.matrixSum(st)})
	case *kir.Comment:
		return one(&ctree.Note{Pos: pos, Text: st.Text})
	}
	panic("internal error: unknown statement")
}

func (s *scope) assign(st *kir.Assign, pos ctree.Pos) ctree.Stmt {
	target := ctree.At(s.variable(st.Var), s.args(st.Index)...)
	if t := st.Value.Type(); st.Copied && t != st.Var.Type.Elem() {
		target = s.Dialect.LocalVector(t, &ctree.Unary{Op: "&", X: target})
	}
	if from := s.copiedFrom(st); from != nil {
		return &ctree.Do{Pos: pos, X: ctree.CallTo(s.Use(s.Dialect.Copy), &ctree.Unary{Op: "&", X: target}, &ctree.Unary{Op: "&", X: from})}
	}
	return &ctree.Set{Pos: pos, Target: target, Value: s.value(st.Value)}
}

func (s *scope) atomic(st *kir.Atomic, pos ctree.Pos) ctree.Stmt {
	update := s.Dialect.Atomic
	if st.Buffer.Access&kir.Shared != 0 {
		update = s.Dialect.SharedAtomic
	}
	place := Address(s.variable(st.Buffer), s.value(st.Offset))
	return &ctree.Do{Pos: pos, X: update(s.Unit, st.Op, st.Value.Type().Kind, place, s.typed(st.Value))}
}

func (s *scope) lastGroup(st *kir.LastGroup, pos ctree.Pos) ctree.Stmt {
	args := []ctree.Expr{s.variable(st.Counter)}
	if st.Flag != nil {
		args = append(args, s.variable(st.Flag))
	}
	return &ctree.If{Pos: pos, Cond: ctree.CallTo(s.Use(s.Dialect.LastGroup), args...), Then: s.block(st.Body)}
}

// barrier waits for copies first, where there are some, and then for the other items of the group.
func (s *scope) barrier(st *kir.Barrier, pos ctree.Pos) (out []ctree.Stmt) {
	if st.Copied && s.Dialect.Copied != "" {
		out = one(&ctree.Do{Pos: pos, X: ctree.CallTo(s.Use(s.Dialect.Copied))})
	}
	wait := s.Dialect.Barrier
	if st.Buffers {
		wait = s.Dialect.BufferBarrier
	} else if g := s.kernel.Group; s.Dialect.Subgroup > 0 && g[0]*g[1]*g[2] <= s.Dialect.Subgroup {
		wait = s.Dialect.SubgroupBarrier
	}
	return append(out, &ctree.Do{Pos: pos, X: wait})
}

func (s *scope) decl(d *kir.Decl, pos ctree.Pos) ctree.Stmt {
	out := &ctree.Declare{Pos: pos, Type: s.varType(d.Var.Type)}
	if d.Var.Space == kir.Local && d.Var.Type.Kind == types.Bool { // as in memory: not every compiler has shared arrays of bools
		out.Type = s.arrayType(ctree.Base(s.Dialect.Memory[types.Bool]), d.Var.Type)
	}
	if d.Init != nil {
		out.Init = s.value(d.Init) // before the name is given: an initializer may mean an outer variable of that name
	}
	wider, widened := s.Dialect.LocalRGB[d.Var.Type.Kind]
	if widened = widened && d.Var.Space == kir.Local && d.Var.Spread; widened {
		s.heldAs[d.Var] = wider
		out.Type = s.arrayType(ctree.Base(s.Dialect.Memory[wider]), d.Var.Type)
	}
	switch {
	case d.Var.Space == kir.Local && s.pool(s.kernel) > 0:
		out.Name = "(&" + s.declare(d.Var) + ")"
		out.Init = s.inPool(d.Var, out.Type)
		return out
	case d.Var.Space == kir.Local && d.Var.Type.Kind.Bytes() == 1 && !widened && s.Dialect.LocalBytes != "":
		out.Prefix = s.Dialect.LocalBytes
	case d.Var.Space == kir.Local:
		out.Prefix = s.Dialect.LocalPre
	case d.Var.Const && d.Init != nil && s.known(d):
		out.Prefix = "const"
	}
	out.Name = s.declare(d.Var)
	return out
}

// mostChoices is how many declared values may follow from each other by conditions before one is no constant.
const mostChoices = 4

// known reports whether a compiler may look for the value of a variable that is assigned once. Clang does so wherever a constant is read, which
// for conditions is in all of their operands, one after the other, each time anew: it took minutes for the median of 25 floats, where
// each exchange reads what others have left.
func (s *scope) known(d *kir.Decl) bool {
	before, chooses := 0, 0
	kir.Walk(d.Init, func(e kir.Expr) {
		switch e := e.(type) {
		case *kir.Ref:
			before = max(before, s.choices[e.Var])
		case *kir.Select:
			chooses = 1
		case *kir.Op:
			if e.Op == ops.LOr || e.Op == ops.LAnd {
				chooses = 1
			}
		}
	})
	if before+chooses > mostChoices {
		return false
	}
	s.choices[d.Var] = before + chooses
	return true
}

// pool is how many bytes of local memory the host has to ask for; 0 where the kernel declares what it takes.
func (u *Unit) pool(k *kir.Kernel) int {
	if _, bytes := kir.Locals(k); u.Dialect.Pool != "" && bytes > u.Dialect.Declared {
		return bytes
	}
	return 0
}

// inPool is the variable of a type that has its place in the memory that the host asks for.
func (s *scope) inPool(v *kir.Var, t ctree.Type) ctree.Expr {
	at, _ := kir.Locals(s.kernel)
	place := ctree.Op2("+", ctree.CallTo(s.Use(s.Dialect.Pool)), ctree.Lit(fmt.Sprint(at[v])))
	return &ctree.Unary{Op: "*", X: &ctree.Cast{Type: ctree.PtrTo(t), X: place}}
}

// matrixSum calls the support function.
func (s *scope) matrixSum(st *kir.MatrixSum) ctree.Expr {
	number := func(n int) ctree.Expr { return ctree.Lit(fmt.Sprint(n)) }
	first := &ctree.Unary{Op: "&", X: ctree.At(s.variable(st.Bytes), s.value(st.Row), s.value(st.Word))}
	weights := &ctree.Unary{Op: "&", X: ctree.At(s.variable(st.Weights), number(0), number(0))}
	rows, steps := int(st.Weights.Type.Dims[0]), int(st.Weights.Type.Dims[1])/128
	unsigned := ctree.Name(s.Dialect.False)
	if st.Unsigned {
		unsigned = ctree.Name(s.Dialect.True)
	}
	return ctree.CallTo(s.Use(s.Dialect.MatrixSum), s.variable(st.Acc), number(int(st.Acc.Type.Dims[0])/st.Down), number(st.Down), number(st.Across), first, number(int(st.Bytes.Type.Dims[1])),
		weights, number(rows), number(steps), unsigned, s.value(st.Lane))
}

// critical waits for a lock. A waiting item must not keep one that has it, of the same wavefront, from going on: all of them go
// around the loop, and whoever has the lock releases it before the next round.
func (s *scope) critical(st *kir.Critical, pos ctree.Pos) []ctree.Stmt {
	place := Address(s.variable(st.Lock), s.value(st.Offset))
	flag := s.names.Give("waiting")
	waiting := ctree.Name(flag)
	body := s.block(st.Body)
	body = append(body,
		&ctree.Do{X: ctree.CallTo(s.Use(s.Dialect.Unlock), place)},
		&ctree.Set{Target: waiting, Value: ctree.Name(s.Dialect.False)})
	take := &ctree.If{Pos: pos, Cond: ctree.CallTo(s.Use(s.Dialect.TryLock), place), Then: body}
	return []ctree.Stmt{
		&ctree.Declare{Pos: pos, Type: ctree.Base(s.Dialect.Types[types.Bool]), Name: flag, Init: ctree.Name(s.Dialect.True)},
		&ctree.While{Pos: pos, Cond: waiting, Body: one(take)},
	}
}

// Address is buffer + offset, without parentheses around an offset that is a sum.
func Address(buffer, offset ctree.Expr) ctree.Expr {
	if sum, ok := offset.(*ctree.Binary); ok && sum.Op == "+" {
		return ctree.Op2("+", Address(buffer, sum.X), sum.Y)
	}
	return ctree.Op2("+", buffer, offset)
}

// AtVector is the pixel-th vector of a type from a place in memory on, or with nil the first.
func AtVector(vector string, place, pixel ctree.Expr) ctree.Expr {
	vectors := &ctree.Cast{Type: ctree.PtrTo(ctree.Base(vector)), X: place}
	if pixel != nil {
		return ctree.At(vectors, pixel)
	}
	return &ctree.Unary{Op: "*", X: vectors}
}

// together is a store, which nothing comes between and the others that follow it where it is the first of several.
func (s *scope) together(pos ctree.Pos, first bool, store ctree.Stmt) []ctree.Stmt {
	if first && s.Dialect.Together != "" {
		return []ctree.Stmt{&ctree.Do{Pos: pos, X: ctree.CallTo(s.Use(s.Dialect.Together))}, store}
	}
	return one(store)
}

// copiedFrom is what of a buffer a device copies without waiting; nil where it loads and stores.
func (s *scope) copiedFrom(st *kir.Assign) ctree.Expr {
	x, load := st.Value.(*kir.Load)
	if !st.Copied || s.Dialect.Copy == "" || !load || x.T.Kind.Bytes() < 4 || x.Buffer.Space != kir.Global || x.Buffer.Access&kir.Shared != 0 || x.Buffer.Type.Kind != x.T.Kind {
		return nil
	}
	return s.load(x).X
}

func (s *scope) store(st *kir.Store, pos ctree.Pos) ctree.Stmt {
	t := st.Value.Type()
	if st.Aligned {
		place, pixel := s.pixel(st.Buffer, st.Offset, t)
		return &ctree.Do{Pos: pos, X: s.Dialect.AlignedStore(s.Unit, t, place, pixel, s.typed(st.Value))}
	}
	buffer, offset := s.variable(st.Buffer), s.value(st.Offset)
	if st.Once && s.Dialect.Once != "" {
		return &ctree.Do{Pos: pos, X: ctree.CallTo(s.Use(s.Dialect.Once), Address(buffer, offset), s.value(st.Value))}
	}
	if kir.Wide(t) {
		return &ctree.Do{Pos: pos, X: s.Dialect.Wide.Store(st.Buffer.Space, t.Kind, int(t.Lanes), Address(buffer, offset), s.typed(st.Value))}
	}
	if st.Buffer.Access&kir.Shared != 0 {
		return &ctree.Do{Pos: pos, X: s.Dialect.SharedStore(s.Unit, t.Kind, Address(buffer, offset), s.typed(st.Value))}
	}
	if bits := s.storedBits(st); bits != nil {
		return &ctree.Set{Pos: pos, Target: ctree.At(buffer, offset), Value: bits}
	}
	if s.Dialect.Store != nil {
		value := s.expr(st.Value).X
		if t.Lanes > 1 {
			value = s.typed(st.Value)
		}
		if x := s.Dialect.Store(s.Unit, t, buffer, offset, value); x != nil {
			return &ctree.Do{Pos: pos, X: x}
		}
	}
	return &ctree.Set{Pos: pos, Target: ctree.At(buffer, offset), Value: s.value(st.Value)}
}

// lastSum declares the sum in front, for the support function to set.
func (s *scope) lastSum(st *kir.LastSum, pos ctree.Pos) []ctree.Stmt {
	tally, part := s.variable(st.Tally), s.value(st.Part)
	sum := ctree.Name(s.declare(st.Sum))
	place := &ctree.Unary{Op: "&", X: sum}
	last := ctree.CallTo(s.Use(s.Dialect.LastSum), tally, part, ctree.Lit(fmt.Sprint(st.Shift)), place)
	return []ctree.Stmt{
		&ctree.Declare{Pos: pos, Type: s.typeName(st.Sum.Type), Name: string(sum)},
		&ctree.If{Pos: pos, Cond: last, Then: s.block(st.Body)},
	}
}

// loop translates a For. A bound that may change while the loop runs, or that is not cheap, is computed before it; a step that
// could carry the variable past the range of int is taken in a wider one.
func (s *scope) loop(st *kir.For, pos ctree.Pos) []ctree.Stmt {
	var out []ctree.Stmt
	in := s.inner()
	lo := s.value(st.Lo)
	hi := s.value(st.Hi)
	if !fixed(st.Hi) {
		end := s.names.Give(st.Var.Name + "_end")
		out = append(out, &ctree.Declare{Pos: pos, Prefix: "const", Type: s.typeName(st.Hi.Type()), Name: end, Init: hi})
		hi = ctree.Name(end)
	}
	test := "<"
	if st.Step < 0 {
		test = ">"
	}
	f := &ctree.For{Pos: pos}
	counter := st.Var
	wide := st.Step != 1 && st.Step != -1 && !isConst(st.Hi) && !st.Exact
	if wide {
		counter = &kir.Var{Name: st.Var.Name + "_next", Type: st.Var.Type.WithKind(types.I64)}
	}
	name := ctree.Name(in.declare(counter))
	f.Init = &ctree.Declare{Type: s.typeName(counter.Type), Name: string(name), Init: lo}
	f.Cond = ctree.Op2(test, name, hi)
	f.Next = &ctree.Set{Target: name, Value: s.step(name, st.Step)}
	if wide {
		narrow := &ctree.Cast{Type: s.typeName(st.Var.Type), X: name}
		f.Body = one(&ctree.Declare{Prefix: "const", Type: s.typeName(st.Var.Type), Name: in.declare(st.Var), Init: narrow})
	}
	f.Body = append(f.Body, in.block(st.Body)...)
	if hint := s.Dialect.Rounds[st.Rounds]; hint != "" {
		out = append(out, &ctree.Verbatim{Pos: pos, Text: hint})
	}
	return append(out, f)
}

func (s *scope) step(x ctree.Expr, by int64) ctree.Expr {
	sign := "+"
	if by < 0 {
		sign, by = "-", -by
	}
	return ctree.Op2(sign, x, s.Dialect.literal(types.I64, types.Int(by)).X)
}

func isConst(e kir.Expr) bool {
	_, ok := e.(*kir.Const)
	return ok
}

// fixed reports whether an expression has the same value however often it is computed, and is cheap: constants and variables that
// never change.
func fixed(e kir.Expr) bool {
	ok := true
	kir.Walk(e, func(x kir.Expr) {
		switch x := x.(type) {
		case *kir.Const, *kir.Op, *kir.Convert, *kir.Select:
		case *kir.Ref:
			ok = ok && x.Var.Const
		default:
			ok = false
		}
	})
	return ok
}
