package coarse

import (
	"fmt"
	"strings"

	"imgc/hast"
	"imgc/ops"
	"imgc/optimize/finest"
	"imgc/types"
)

// Unrolled are the level at hand of a traverse and the coarser ones, written out.
type Unrolled struct {
	Steps  []hast.Step // stages under conditions, and declarations that start anew
	Levels []Level     // the images that the stages touch, the first ones first
}

// A Level is an image of a pyramid at a level that is so much coarser than the one at hand. There says whether the pyramid has that level, and an image there.
type Level struct {
	Image *hast.Image
	There hast.Expr
}

// An unroller writes levels out.
type unroller struct {
	t      *hast.Traverse
	levels int
	out    *Unrolled
	known  map[string]*hast.Image // by their pyramids and levels
	number map[*hast.Pyramid]int
}

// Unroll writes out so many levels of a traverse from the one at hand on, which it has at most.
func Unroll(t *hast.Traverse, levels int) *Unrolled {
	u := &unroller{t: t, levels: levels, out: &Unrolled{}, known: map[string]*hast.Image{}, number: map[*hast.Pyramid]int{}}
	for i, p := range families(t) {
		u.number[p] = i
	}
	u.out.Steps = u.steps(t.Body, 0)
	return u.out
}

// Few is the condition that a traverse has at least two levels from the one at hand on, and at most so many, and that each of its pyramids has an image at
// the one at hand, which stands for those that are not there.
func Few(t *hast.Traverse, levels int) hast.Expr {
	left := hast.Binary(ops.Sub, t.Levels.Count, hast.RefTo(t.Levels.Level))
	cond := hast.And(hast.Compare(ops.Ge, left, hast.Int(2)), hast.Compare(ops.Le, left, hast.Int(int64(levels))))
	for _, p := range families(t) {
		if p.Used != nil {
			cond = hast.And(cond, p.Used)
		}
	}
	return cond
}

// steps are steps so many levels coarser than at hand.
func (u *unroller) steps(list []hast.Step, down int) []hast.Step {
	return hast.MapSteps(list, func(s hast.Step) []hast.Step {
		switch s := s.(type) {
		case *hast.Stage:
			var list []hast.Step
			for _, part := range each(s) {
				list = append(list, u.stage(part, down))
			}
			return list
		case *hast.IfHost:
			return u.branch(s, down)
		case *hast.Descend:
			return u.descend(down)
		case *hast.Fresh: // of pixels that nothing reads before they are written
			return []hast.Step{}
		}
		panic(fmt.Sprintf("coarse: %T in a traverse", s))
	})
}

// branch is a condition, or the side of it that is known to be taken.
func (u *unroller) branch(s *hast.IfHost, down int) []hast.Step {
	cond := finest.Folded(hast.Map(u.expr(s.Cond, down), deeper))
	then, otherwise := u.steps(s.Then, down), u.steps(s.Else, down)
	if holds, known := finest.Truth(cond); known && holds {
		return some(then)
	} else if known {
		return some(otherwise)
	}
	return []hast.Step{&hast.IfHost{Cond: cond, Then: then, Else: otherwise, At: s.At}}
}

// some is a list that is not nil.
func some(list []hast.Step) []hast.Step { return append([]hast.Step{}, list...) }

// deeper says that a level that is coarser than some other is not the finest, and so on; nil of what it knows nothing of.
func deeper(e hast.Expr) hast.Expr {
	op, ok := e.(*hast.Op)
	if !ok || op.Op != ops.Eq {
		return nil
	}
	for i, x := range op.Args {
		sum, isOp := x.(*hast.Op)
		n, known := hast.Number(op.Args[1-i])
		if !isOp || !known || sum.Op != ops.Add {
			continue
		}
		level, isRef := sum.Args[0].(*hast.Ref)
		plus, isConst := hast.Number(sum.Args[1])
		if isRef && isConst && level.Var.Class == hast.HostLevel && n < plus {
			return &hast.Const{Typed: op.Typed, Words: []types.Word{types.Truth(false)}}
		}
	}
	return nil
}

// descend is the next level, where there is one.
func (u *unroller) descend(down int) []hast.Step {
	if down+1 == u.levels {
		return []hast.Step{}
	}
	return []hast.Step{&hast.IfHost{Cond: u.exists(int64(down) + 1), Then: u.steps(u.t.Body, down+1), At: u.t.At}}
}

// exists is the condition that there is a level so much coarser than that at hand, or finer.
func (u *unroller) exists(plus int64) hast.Expr {
	if plus < 0 {
		return hast.Compare(ops.Ge, hast.RefTo(u.t.Levels.Level), hast.Int(-plus))
	}
	return hast.Compare(ops.Lt, u.level(plus), u.t.Levels.Count)
}

// level is the number of a level so much coarser than the one at hand, or finer.
func (u *unroller) level(plus int64) hast.Expr { return hast.Plus(hast.RefTo(u.t.Levels.Level), plus) }

// stage is a stage so many levels coarser.
func (u *unroller) stage(s *hast.Stage, down int) *hast.Stage {
	expr := func(e hast.Expr) hast.Expr { return u.expr(e, down) }
	return hast.MapStage(s, expr, expr, func(m *hast.Image) *hast.Image { return u.image(m, down) })
}

// expr is an expression so many levels coarser.
func (u *unroller) expr(e hast.Expr, down int) hast.Expr {
	again := func(e hast.Expr) hast.Expr { return u.expr(e, down) }
	return hast.Map(e, func(e hast.Expr) hast.Expr {
		switch e := e.(type) {
		case *hast.Ref:
			return u.variable(e.Var, down)
		case *hast.Load:
			if e.Image.Of != nil {
				return hast.Reading(e, u.image(e.Image, down), again)
			}
		case *hast.Window:
			if e.Image.Of != nil {
				return hast.Reading(e, u.image(e.Image, down), again)
			}
		}
		return nil
	})
}

// variable is what a variable of the levels is so many levels coarser; nil for others, and where it is what it is.
func (u *unroller) variable(v *hast.Var, down int) hast.Expr {
	if down == 0 {
		return nil
	}
	if v == u.t.Levels.Level {
		return u.level(int64(down))
	}
	for _, s := range u.t.Levels.Scaled {
		if v == s.Var {
			return shrunk(s, down)
		}
		for i, finer := range s.Finer {
			switch up := down - 1 - i; {
			case v != finer:
			case up < 0:
				return hast.RefTo(s.Finer[-up-1])
			case up == 0:
				return hast.RefTo(s.Var)
			default:
				return shrunk(s, up)
			}
		}
	}
	return nil
}

// shrunk is an extent some levels coarser: to divide and round up time after time is to divide by the product and round up.
func shrunk(s *hast.Scaled, times int) hast.Expr {
	by := int64(1)
	for range times {
		if by *= s.Factor; by > hast.MaxExtent {
			return hast.Int(1)
		}
	}
	if by == 1 {
		return hast.RefTo(s.Var)
	}
	return hast.Plus(hast.Binary(ops.Div, hast.Plus(hast.RefTo(s.Var), -1), hast.Int(by)), 1)
}

// image is what an image of a level is so many levels coarser: the same for all that name one level. Others stay what they are.
func (u *unroller) image(m *hast.Image, down int) *hast.Image {
	if m.Of == nil {
		return m
	}
	plus := hast.LevelOf(m.Index).Plus + int64(down)
	key := fmt.Sprint(u.number[m.Of], plus)
	if u.known[key] == nil {
		u.known[key] = u.newImage(m, down, plus)
	}
	return u.known[key]
}

func (u *unroller) newImage(m *hast.Image, down int, plus int64) *hast.Image {
	out := *m
	name, _, _ := strings.Cut(m.Name, "[")
	out.Name, out.Index, out.Extent = fmt.Sprintf("%s[%+d]", name, plus), u.level(plus), nil
	if plus == 0 {
		out.Name = name + "[0]"
	}
	for _, x := range m.Extent {
		out.Extent = append(out.Extent, u.expr(x, down))
	}
	there := u.exists(plus)
	if used := m.Of.Used; used != nil {
		there = hast.And(there, u.expr(used, int(plus)))
	}
	u.out.Levels = append(u.out.Levels, Level{&out, there})
	return &out
}
