package lower

import (
	"slices"

	"imgc/hast"
	"imgc/kir"
	"imgc/optimize/block"
	"imgc/types"
)

// Where groups are counted for the last one, each waits twice for memory: until what it has stored is seen, and for the count. Where each leaves but one
// value, each 32 bits of it bring the number of the launch with them in one word: no group counts, and the one with the highest number waits for the words of
// all others. On an H100 the sum of 1920 x 1080 floats took 5.6 us by a count and 4.8 so, in groups of 256, of which a read of them took 3.4.

// byWaiting adds a stage to the launch before it as what the group does that waits for the parts of all; false where that cannot be.
func (pl *planner) byWaiting(s *hast.Stage, k *kernelBuilder) bool {
	e := pl.whole
	parts, count := block.PartsOf(e.stage)
	if !pl.opts.Waits || parts == nil || e.byImage[parts] == nil {
		return false
	}
	buf := e.byImage[parts].v
	holder, at := storeTo(e.launch.Kernel.Body, buf)
	if holder == nil {
		return false
	}
	left := holder.Then[at].(*kir.Store)
	k.adopt(e)
	k.team = e.team
	form := k.shape(s)
	behind := k.body.scope.stmts
	words := count * parts.Elem.Kind.Bits() / 32
	places := k.buffer(pl.kept(s.Name+"_left", types.U64, words+1, s.At), kir.Reads|kir.Writes).v
	number := &kir.Load{Typed: kir.Typed{T: types.Scalar(types.U64)}, Buffer: places, Offset: i64(int64(words))}
	round := &kir.Decl{Placed: kir.Placed{At: s.At}, Var: &kir.Var{Name: "launch", Type: u32T, Const: true, At: s.At}}
	round.Init = k.body.convert(u32T, number, kir.Wrap)
	holder.Then[at] = &kir.Leave{Placed: left.Placed, Places: places, At: left.Offset, Round: ref(round.Var), Value: left.Value}
	last := &kir.LastWaits{Placed: kir.Placed{At: s.At}, Places: places, Parts: buf, Round: ref(round.Var), Count: count, Body: behind}
	k.goOn(e, form.shared, last)
	body := e.launch.Kernel.Body
	e.launch.Kernel.Body = slices.Insert(body, kir.UntilMemory(body), kir.Stmt(round))
	return true
}
