package kir

import (
	"imgc/ops"
	"imgc/types"
)

func (v *verifier) block(list []Stmt) {
	v.push()
	v.stmts(list)
	v.pop()
}

func (v *verifier) stmts(list []Stmt) {
	for _, s := range list {
		if s.Span().IsValid() {
			v.at = s.Span()
		}
		v.stmt(s)
	}
}

func (v *verifier) stmt(s Stmt) {
	switch s := s.(type) {
	case *Decl:
		v.decl(s)
	case *Assign:
		v.assign(s)
	case *Store:
		v.store(s)
	case *LoadRun:
		v.run(s, Reads)
	case *StoreRun:
		v.run(&LoadRun{Var: s.Var, Index: s.Index, Buffer: s.Buffer, Offset: s.Offset, Count: s.Count, Anywhere: s.Anywhere}, Writes)
	case *Atomic:
		v.atomic(s)
	case *Critical:
		v.critical(s)
	case *If:
		v.cond(s.Cond)
		v.block(s.Then)
		v.block(s.Else)
	case *For:
		v.loop(s)
	case *While:
		v.cond(s.Cond)
		v.loops++
		v.block(s.Body)
		v.loops--
	case *Break, *Continue:
		if v.loops == 0 {
			v.fail("break or continue outside of a loop")
		}
	case *Return:
		v.ret(s)
	case *CallInto:
		v.callInto(s)
	case *Barrier:
		if v.inside != nil {
			v.fail("a func has a barrier")
		}
	case *MatrixSum:
		v.matrixSum(s)
	case *LastGroup:
		v.lastGroup(s)
	case *LastSum:
		v.lastSum(s)
	case *Leave:
		v.leave(s)
	case *LastWaits:
		v.lastWaits(s)
	case *Comment:
	default:
		v.fail("unknown statement %T", s)
	}
}

// matrixSum checks the arrays of a MatrixSum.
func (v *verifier) matrixSum(s *MatrixSum) {
	if !v.writable(s.Acc) || !v.use(s.Bytes) || !v.use(s.Weights) {
		return
	}
	i32, u32 := types.Scalar(types.I32), types.Scalar(types.U32)
	if acc := s.Acc.Type; s.Acc.Space != Private || acc.Elem() != i32 || acc.Rank != 3 || acc.Dims[1] != 2 || acc.Dims[2] != 4 {
		v.fail("sums of matrix units in %s of type %s", s.Acc.Name, acc)
	}
	n := int(s.Acc.Type.Dims[0])
	if down := s.Down >= 1 && s.Down <= 4 && n%s.Down == 0; !down || s.Across != 1 && (s.Across != 2 || n != s.Down) {
		v.fail("matrix units compute %d rows below each other, %d windows side by side, in %s of type %s", s.Down, s.Across, s.Acc.Name, s.Acc.Type)
	}
	for _, x := range []*Var{s.Bytes, s.Weights} {
		if x.Space != Local || x.Type.Elem() != u32 || x.Type.Rank != 2 {
			v.fail("matrix units take words in local memory, not %s of type %s", x.Name, x.Type)
		}
	}
	if s.Weights.Type.Rank == 2 && s.Weights.Type.Dims[1]%128 != 0 {
		v.fail("%s of type %s does not hold weights of matrix units", s.Weights.Name, s.Weights.Type)
	}
	v.expect(s.Row, i32, "a row of "+s.Bytes.Name)
	v.expect(s.Word, i32, "a word of "+s.Bytes.Name)
	if v.expect(s.Lane, i32, "an item's place in its subgroup"); v.inside != nil {
		v.fail("a func uses matrix units")
	}
}

// amongItems looks at what a variable is declared with that items of a subgroup find together, and reports whether it is that.
func (v *verifier) amongItems(s *Decl) bool {
	if s.Init == nil || s.Init.Type() != s.Var.Type || v.host {
		return false
	}
	switch x := s.Init.(type) {
	case *Shuffle:
		v.shuffle(x)
	case *Joined:
		v.joined(x)
	default:
		return false
	}
	return true
}

func (v *verifier) decl(s *Decl) {
	switch {
	case v.amongItems(s):
	case s.Init != nil:
		v.expect(s.Init, s.Var.Type, "the initial value of "+s.Var.Name)
		if s.Var.Type.IsArray() {
			v.fail("array %s has an initial value", s.Var.Name)
		}
	case s.Var.Const:
		v.fail("%s never changes and has no value", s.Var.Name)
	}
	if s.Var.Space != Private && s.Var.Space != Local {
		v.fail("%s is declared in a body but is neither private nor local", s.Var.Name)
	}
	if s.Var.Space == Local && (v.scope.parent != nil && v.scope.parent.parent != nil || v.inside != nil || s.Init != nil || !s.Var.Type.IsArray() || s.Var.Type.Lanes != 1 && !OneAccess(s.Var.Type.Elem())) {
		v.fail("local %s is no array of scalars, or of vectors that one access moves, without values at the start of a kernel", s.Var.Name)
	}
	v.declare(s.Var)
}

func (v *verifier) assign(s *Assign) {
	if !v.writable(s.Var) {
		return
	}
	t := s.Var.Type
	if len(s.Index) > 0 || t.IsArray() {
		v.index(s.Var, s.Index)
		t = t.Elem()
	}
	if vector := s.Value.Type(); s.Copied && vector.IsVector() && severalOf(s.Var, vector) {
		t = vector
	}
	v.expect(s.Value, t, "the value assigned to "+s.Var.Name)
	if s.Copied && (s.Var.Space != Local || len(s.Index) == 0) {
		v.fail("%s is copied to, which is no array in local memory", s.Var.Name)
	}
}

// writable checks that a variable may be changed here; false where there is none at all.
func (v *verifier) writable(x *Var) bool {
	if !v.use(x) {
		return false
	}
	switch {
	case x.Space != Private && x.Space != Local:
		v.fail("%s is assigned but neither private nor local", x.Name)
	case x.Const:
		v.fail("%s is assigned although it never changes", x.Name)
	case v.scope.isFixed(x):
		v.fail("the loop variable %s is assigned", x.Name)
	}
	return true
}

// use checks that a variable is declared here; false where there is none at all.
func (v *verifier) use(x *Var) bool {
	if x == nil {
		v.fail("a variable is missing")
		return false
	}
	if !v.scope.has(x) && !v.tables[x] {
		v.fail("%s is used where it is not declared", x.Name)
	}
	return true
}

func (v *verifier) index(x *Var, index []Expr) {
	if len(index) != int(x.Type.Rank) {
		v.fail("%s of type %s has %d indices", x.Name, x.Type, len(index))
	}
	for k, i := range index {
		v.expr(i)
		if t := i.Type(); !t.IsScalar() || !t.Kind.IsInt() {
			v.fail("index %s of %s is of type %s", ExprText(i), x.Name, t)
		}
		if c, ok := i.(*Const); ok && k < int(x.Type.Rank) && (c.Words[0].Int() < 0 || c.Words[0].Int() >= int64(x.Type.Dims[k])) {
			v.fail("index %s is outside of %s of type %s", ExprText(i), x.Name, x.Type)
		}
	}
}

func (v *verifier) store(s *Store) {
	if v.expr(s.Value); s.Value != nil && v.buffer(s.Buffer, Writes, s.Value.Type()) {
		v.wideAccess(s.Buffer, s.Value.Type(), 0)
		v.aligned(s.Buffer, s.Value.Type(), s.Aligned)
		v.expect(s.Offset, types.Scalar(types.I64), "an offset into "+s.Buffer.Name)
	}
}

// buffer checks a load or store of type t; false where there is no buffer at all.
func (v *verifier) buffer(b *Var, want Access, t types.Type) bool {
	if !v.use(b) {
		return false
	}
	switch {
	case b.Space == Global && b.Access&want == 0:
		v.fail("buffer %s is %s, which its access leaves out", b.Name, map[Access]string{Reads: "loaded from", Writes: "stored to"}[want])
	case b.Space == Private && !t.IsArray() && b.Type.Rank == 1 && b.Type.Lanes == 1 && !b.Const: // an array of the work-item
	case b.Space != Global && b.Space != Local:
		v.fail("%s is accessed as a buffer", b.Name)
	}
	if t.IsArray() || t.Kind != b.Type.Kind {
		v.fail("%s holds components of %s, not %s", b.Name, b.Type.Kind, t)
	}
	return true
}

// aligned checks an access of a vector that is said to be aligned.
func (v *verifier) aligned(b *Var, t types.Type, aligned bool) {
	switch {
	case !aligned:
	case !OneAccess(t):
		v.fail("an aligned access of %s, which no target makes at once", t)
	case b.Space != Global || b.Access&Shared != 0:
		v.fail("an aligned access of %s, which is no buffer or shared", b.Name)
	}
}

// atomic checks an atomic update.
func (v *verifier) atomic(s *Atomic) {
	if v.expr(s.Value); s.Value == nil || !v.buffer(s.Buffer, Writes, s.Value.Type()) || !v.buffer(s.Buffer, Reads, s.Value.Type()) {
		return
	}
	v.expect(s.Offset, types.Scalar(types.I64), "an offset into "+s.Buffer.Name)
	t := s.Value.Type()
	bits := s.Op == ops.And || s.Op == ops.Or || s.Op == ops.Xor
	switch {
	case s.Buffer.Space == Local && (t.Kind != types.I32 && t.Kind != types.U32 || s.Op == ops.Mul):
		v.fail("an atomic update of %s by %s in local memory", t, s.Op)
	case !t.IsScalar() || t.Kind == types.Bool || t.Kind.Bits() < 32:
		v.fail("an atomic update of %s in %s", t, s.Buffer.Name)
	case !ops.Defined(s.Op, t.Kind) || !bits && s.Op != ops.Add && s.Op != ops.Sub && s.Op != ops.Mul && s.Op != ops.Min && s.Op != ops.Max:
		v.fail("an atomic update of %s by %s", t, s.Op)
	}
}

func (v *verifier) critical(s *Critical) {
	u32 := types.Scalar(types.U32)
	if v.buffer(s.Lock, Writes, u32) && v.buffer(s.Lock, Reads, u32) && s.Lock.Space != Global {
		v.fail("the lock %s is not in global memory", s.Lock.Name)
	}
	v.expect(s.Offset, types.Scalar(types.I64), "an offset into the locks")
	loops := v.loops
	v.loops = 0
	v.block(s.Body)
	v.loops = loops
}

func (v *verifier) lastGroup(s *LastGroup) {
	u32 := types.Scalar(types.U32)
	if v.buffer(s.Counter, Writes, u32) && v.buffer(s.Counter, Reads, u32) && s.Counter.Space != Global {
		v.fail("the counter %s is not in global memory", s.Counter.Name)
	}
	if s.Flag != nil && v.use(s.Flag) && (s.Flag.Space != Local || s.Flag.Type != u32.Array(1)) {
		v.fail("the flag %s is no u32[1] in local memory", s.Flag.Name)
	}
	if v.inside != nil || v.scope.parent != nil {
		v.fail("groups are counted inside of something else")
	}
	v.block(s.Body)
}

// places checks the places of values that groups leave.
func (v *verifier) places(p *Var, round Expr) {
	u64 := types.Scalar(types.U64)
	if v.buffer(p, Writes, u64) && v.buffer(p, Reads, u64) && p.Space != Global {
		v.fail("the places %s are not in global memory", p.Name)
	}
	v.expect(round, types.Scalar(types.U32), "the number of a launch")
}

func (v *verifier) leave(s *Leave) {
	v.places(s.Places, s.Round)
	v.expr(s.At)
	v.expr(s.Value)
	if t := s.Value.Type(); !t.IsScalar() || t.Kind.Bits() < 32 {
		v.fail("a value of %s is left", t)
	}
}

func (v *verifier) lastWaits(s *LastWaits) {
	v.places(s.Places, s.Round)
	if t := s.Parts.Type; !t.IsScalar() || t.Kind.Bits() < 32 || s.Parts.Space != Global || s.Parts.Access&Writes == 0 {
		v.fail("the parts %s are not of at least 32 bits in global memory that is written", s.Parts.Name)
	}
	v.use(s.Parts)
	if s.Count < 1 {
		v.fail("a group waits for %d values", s.Count)
	}
	if v.inside != nil || v.scope.parent != nil {
		v.fail("a group waits inside of something else")
	}
	v.block(s.Body)
}

func (v *verifier) lastSum(s *LastSum) {
	u64, i64 := types.Scalar(types.U64), types.Scalar(types.I64)
	if v.buffer(s.Tally, Writes, u64) && v.buffer(s.Tally, Reads, u64) && s.Tally.Space != Global {
		v.fail("the tally %s is not in global memory", s.Tally.Name)
	}
	v.expect(s.Part, i64, "a part of a sum")
	if s.Sum.Type != i64 || s.Sum.Space != Private {
		v.fail("the sum %s is no private i64", s.Sum.Name)
	}
	if s.Shift < 33 || s.Shift > 63 {
		v.fail("a sum has %d bits of 64", s.Shift)
	}
	if v.inside != nil || v.loops > 0 {
		v.fail("groups are counted inside of a func or a loop")
	}
	v.push()
	v.declare(s.Sum)
	v.block(s.Body)
	v.pop()
}

func (v *verifier) loop(s *For) {
	i32 := types.Scalar(types.I32)
	v.expect(s.Lo, i32, "the start of "+s.Var.Name)
	v.expect(s.Hi, i32, "the end of "+s.Var.Name)
	if s.Step == 0 {
		v.fail("the loop over %s never moves", s.Var.Name)
	}
	if _, lo := s.Lo.(*Const); s.Rounds == WrittenOut && !lo {
		v.fail("the loop over %s is unrolled from %s", s.Var.Name, ExprText(s.Lo))
	}
	if _, hi := s.Hi.(*Const); s.Rounds == WrittenOut && !hi {
		v.fail("the loop over %s is unrolled to %s", s.Var.Name, ExprText(s.Hi))
	}
	if s.Var.Type != i32 || s.Var.Space != Private {
		v.fail("the loop variable %s is no private i32", s.Var.Name)
	}
	v.push()
	v.declare(s.Var)
	v.scope.fixed[s.Var] = true
	v.loops++
	v.stmts(s.Body)
	v.loops--
	v.pop()
}

func (v *verifier) ret(s *Return) {
	switch {
	case v.inside != nil && v.inside.Out == nil:
		if s.Value == nil {
			v.fail("a func returns without a value")
			return
		}
		v.expect(s.Value, v.inside.Result, "the result")
	case s.Value != nil:
		v.fail("a value is returned where none is expected")
		v.expr(s.Value)
	}
}

func (v *verifier) callInto(s *CallInto) {
	if s.Func.Out == nil {
		v.fail("%s computes no array", s.Func.Name)
		return
	}
	v.args(s.Func, s.Args)
	if !v.writable(s.Out) {
		return
	}
	if s.Out.Type != s.Func.Out.Type {
		v.fail("%s writes %s, not %s as %s", s.Func.Name, s.Func.Out.Type, s.Out.Type, s.Out.Name)
	}
	for _, a := range s.Args {
		if r, ok := a.(*Ref); ok && r.Var == s.Out {
			v.fail("%s reads and writes %s at once", s.Func.Name, s.Out.Name)
		}
	}
}

func (v *verifier) args(f *Func, args []Expr) {
	if !v.known[f] {
		v.fail("%s is called before it is defined", f.Name)
	}
	if len(args) != len(f.Params) {
		v.fail("%s takes %d arguments, not %d", f.Name, len(f.Params), len(args))
		return
	}
	for i, a := range args {
		p := f.Params[i]
		if p.Space == Global {
			v.bufferArg(f, p, a)
			continue
		}
		if r, ok := a.(*Ref); ok && p.Type.IsArray() {
			if v.use(r.Var) && (r.Var.Space != Private || r.Var.Type != p.Type || r.T != p.Type) {
				v.fail("argument %s of %s is no private %s", r.Var.Name, f.Name, p.Type)
			}
			continue
		}
		v.expect(a, p.Type, "argument "+p.Name+" of "+f.Name)
	}
}

// bufferArg checks that a func gets a buffer of the same kind, which its caller may access as the func does.
func (v *verifier) bufferArg(f *Func, p *Var, a Expr) {
	r, ok := a.(*Ref)
	if !ok || r.Var.Space != Global || !v.use(r.Var) || r.Var.Type != p.Type || r.T != p.Type || r.Var.Access&p.Access != p.Access {
		v.fail("argument %s of %s is no buffer of %s that fits", ExprText(a), f.Name, p.Type)
	}
}

func (v *verifier) cond(e Expr) { v.expect(e, types.Scalar(types.Bool), "a condition") }
