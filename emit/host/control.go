package host

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"imgc/emit/ctree"
	"imgc/kir"
	"imgc/source"
	"imgc/types"
)

// line adds a line to the function that enqueues, indented as deep as control flow has nested.
func (v *pipeline) line(format string, args ...any) {
	v.StepLines = append(v.StepLines, strings.Repeat("    ", v.depth)+fmt.Sprintf(format, args...))
}

func (v *pipeline) steps(list []kir.Step, kernels map[*kir.Kernel]int) error {
	for _, s := range list {
		if err := v.step(s, kernels); err != nil {
			return err
		}
	}
	return nil
}

// block is a list of steps inside of braces that the caller closes.
func (v *pipeline) block(list []kir.Step, kernels map[*kir.Kernel]int) error {
	v.depth++
	defer func() { v.depth-- }()
	return v.steps(list, kernels)
}

// control writes control flow and what acts on images as a whole.
func (v *pipeline) control(s kir.Step, kernels map[*kir.Kernel]int) error {
	var err error
	switch s := s.(type) {
	case *kir.IfHost:
		v.line("if (%s) {", v.expr(s.Cond))
		if err = v.block(s.Then, kernels); err == nil && len(s.Else) > 0 {
			v.line("} else {")
			err = v.block(s.Else, kernels)
		}
		v.line("}")
	case *kir.ForHost:
		return v.forLoop(s, kernels)
	case *kir.WhileHost:
		v.line("while (%s) {", v.expr(s.Cond))
		err = v.block(s.Body, kernels)
		v.line("}")
	case *kir.BreakHost:
		v.line("break;")
	case *kir.ContinueHost:
		v.line("continue;")
	case *kir.SetHost:
		if s.Narrow {
			v.line("TRY(set_int(self, %s, %s, &%s));", v.expr(s.Value), ctree.Quote(v.labels[s.Var]), v.vars[s.Var])
			break
		}
		v.line("%s = %s;", v.vars[s.Var], v.expr(s.Value))
	case *kir.Fetch:
		v.fetch(s)
	case *kir.Clear:
		v.line("TRY(fill_zero(self, s, &c->image[%s])); /* %s */", v.view(s.Image), s.Image.Name)
	case *kir.Swap:
		v.line("swap(&c->image[%s], &c->image[%s]); /* %s, %s */", v.view(s.A), v.view(s.B), s.A.Name, s.B.Name)
	default:
		return v.traversal(s, kernels)
	}
	return err
}

// fetch waits for a value that the device computes, in the type that it has there.
func (v *pipeline) fetch(s *kir.Fetch) {
	i, kind, lanes := v.view(s.From), s.From.Elem.Kind, int(s.From.Elem.Lanes)
	size, address := "", "&value"
	if lanes > 1 {
		size, address = fmt.Sprintf("[%d]", lanes), "value"
	}
	v.line("{")
	v.line("    %s value%s;", scalarTypes[kind].arg, size)
	v.line("    TRY(fetch(self, s, &c->image[%s], %s, 1)); /* waits for %s */", i, address, s.Var.Name)
	for lane := range lanes {
		at, truth := "", ""
		if lanes > 1 {
			at = fmt.Sprintf("[%d]", lane)
		}
		if kind == types.Bool {
			truth = " != 0"
		}
		v.line("    %s%s = value%s%s;", v.vars[s.Var], at, at, truth)
	}
	v.line("}")
	v.Waits = append(v.Waits, place(s.At))
}

// place is where something stands in the program: "blur.img:12"; "" where that is not known.
func place(at source.Span) string {
	if !at.IsValid() {
		return ""
	}
	return strings.ReplaceAll(fmt.Sprintf("%s:%d", path.Base(at.File.Name), at.Line()), "*/", "*-/")
}

// forLoop evaluates the bounds once; an expression without variables needs no place.
func (v *pipeline) forLoop(s *kir.ForHost, kernels map[*kir.Kernel]int) error {
	id := v.vars[s.Var]
	test := map[bool]string{true: "<", false: ">"}[s.Step > 0]
	v.line("{")
	v.depth++
	v.line("int64_t from, to;")
	v.line("TRY(set_int(self, %s, \"the start of %s\", &from));", v.expr(s.Lo), v.labels[s.Var])
	v.line("TRY(set_int(self, %s, \"the end of %s\", &to));", v.expr(s.Hi), v.labels[s.Var])
	v.line("for (%s = from; %s %s to; %s += %d) {", id, id, test, id, s.Step)
	err := v.block(s.Body, kernels)
	v.line("}")
	v.depth--
	v.line("}")
	return err
}

// A group is images that swaps connect, as indices, first the caller's. Those have to be in their own storage when a call with
// device memory ends.
type group struct {
	Params int // number of the caller's
	All    []int
}

// swapGroups lists the groups with images of the caller's. Where no member is ours to use as room for moving, one is added.
func (v *pipeline) swapGroups() {
	for _, members := range kir.Swapped(v.plan) {
		g := group{}
		last := members[len(members)-1]
		for _, m := range members {
			if m.Pyramid != nil {
				for k := range levelViews(m.Pyramid) {
					g.All = append(g.All, v.families[m.Pyramid]+k)
				}
				continue
			}
			if m.Image.Dir != kir.Temporary {
				g.Params++
			}
			g.All = append(g.All, v.index[m.Image])
		}
		if g.Params == 0 {
			continue
		}
		if g.Params == len(g.All) || last.Pyramid != nil { // a level need not have the caller's extents
			g.All = append(g.All, v.addRoom(members[0].Image))
		}
		v.Groups = append(v.Groups, g)
	}
}

// addRoom adds an image of the library's own, like m.
func (v *pipeline) addRoom(m *kir.Image) int {
	room := *m
	room.Name, room.Dir, room.Offset, room.Pitch, room.Zero = "room for "+m.Name, kir.Temporary, nil, nil, false
	v.addImage(&room)
	v.locals = append(v.locals, &room)
	v.Locals = true
	return v.ImageCount - 1
}

// Graph is whether the pipeline has an entry that enqueues its calls as graphs.
func (v *pipeline) Graph() bool { return v.Library.to.graphs && len(v.Waits) == 0 }

// WaitPlaces lists where the host waits, each place once.
func (v *pipeline) WaitPlaces() string {
	return strings.Join(slices.Compact(slices.Clone(v.Waits)), ", ")
}
