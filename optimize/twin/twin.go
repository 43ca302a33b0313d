package twin

import (
	"encoding/binary"
	"reflect"

	"imgc/hast"
	"imgc/optimize/memo"
	"imgc/source"
	"imgc/types"
)

// Keys writes stages down. The zero Keys is ready. It is not for several goroutines at a time.
type Keys struct {
	out  []byte
	seen map[uintptr]int // of the stage at hand, variables, images and nodes, by the numbers in which they came
	size func(hast.Expr) int64
	form bool        // what is of the host is like what has the same kind and class
	same map[any]int // of all stages, what is equal to itself alone
}

// Of is the same for two stages, with those that are fused with them, if they do the same: their bodies are alike but for what variables and images are called and
// where they are in the text, and their images are alike, each in the place of one. What is one node of hast in several places of the one is so in the other, since
// such nodes are computed once. With size, extents and ranges have the same values, too.
func (k *Keys) Of(s *hast.Stage, size func(hast.Expr) int64) string {
	k.size, k.form = size, false
	return k.stage(s)
}

// Form is the same for two stages whose kernels are alike: Of, with variables of the host and levels of pyramids alike but for their names, too. Those have
// other values, but stand in the same places: pipelines of which one has the finest level of a pyramid apart have levels and extents of their own.
func (k *Keys) Form(s *hast.Stage) string {
	k.size, k.form = nil, true
	return k.stage(s)
}

func (k *Keys) stage(s *hast.Stage) string {
	if k.seen == nil {
		k.seen = map[uintptr]int{}
	}
	clear(k.seen)
	k.out = k.out[:0]
	for _, m := range s.Inner {
		k.image(m)
	}
	for _, p := range s.Parts() {
		k.part(p)
	}
	if s.Reduced != nil {
		k.part(s.Reduced)
	}
	return string(k.out)
}

func (k *Keys) number(n int64) { k.out = binary.AppendVarint(k.out, n) }

func (k *Keys) text(s string) {
	k.number(int64(len(s)))
	k.out = append(k.out, s...)
}

func (k *Keys) part(s *hast.Stage) {
	space, where, body, scan := s.Space, s.Where, s.Body, s.Scan
	for _, x := range []any{&space, &where, &body, &scan} {
		k.value(reflect.ValueOf(x).Elem())
	}
	for _, r := range s.Space.Ranges {
		k.sizes(r.Lo, r.Hi)
	}
}

// sizes are the values of expressions of the host.
func (k *Keys) sizes(list ...hast.Expr) {
	for _, e := range list {
		if k.size != nil {
			k.number(k.size(e))
		}
	}
}

// met writes the number of what has been met before; of others it says that they are new.
func (k *Keys) met(p uintptr) bool {
	n, known := k.seen[p]
	if !known {
		n = len(k.seen)
		k.seen[p] = n
	}
	k.number(int64(n))
	return known
}

// itself writes what has a name and is equal to itself alone.
func (k *Keys) itself(x any) {
	k.number(int64(memo.Of(&k.same, x, func() int { return len(k.same) })))
}

// inside reports whether a variable is one of a stage's.
func inside(c hast.VarClass) bool {
	return c == hast.Iterator || c == hast.Loop || c == hast.Value || c == hast.Mutable
}

func (k *Keys) variable(v *hast.Var) {
	if !k.form && !inside(v.Class) {
		k.itself(v)
		return
	}
	if !k.met(reflect.ValueOf(v).Pointer()) {
		k.number(int64(v.Class))
		k.typed(&v.Type)
	}
}

// image writes what is known of an image, but for what it is called.
func (k *Keys) image(m *hast.Image) {
	if k.met(reflect.ValueOf(m).Pointer()) {
		return
	}
	x := *m
	x.Name, x.Of = "", nil
	if k.form {
		x.Index = nil
	}
	k.value(reflect.ValueOf(&x).Elem())
	switch {
	case m.Of == nil:
		k.number(-1)
	case k.form:
		k.number(0)
	default:
		k.met(reflect.ValueOf(m.Of).Pointer())
	}
	k.sizes(m.Extent...)
}

func (k *Keys) typed(t *types.Type) {
	k.out = append(k.out, byte(t.Kind), t.Lanes, t.Rank)
	for _, n := range t.Dims[:t.Rank] {
		k.number(int64(n))
	}
}

var (
	position = reflect.TypeFor[source.Span]()
	typed    = reflect.TypeFor[types.Type]()
)

// value writes a value of any type of hast.
func (k *Keys) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		k.pointer(v)
	case reflect.Interface:
		if v.IsNil() {
			k.text("")
			return
		}
		k.value(v.Elem())
	case reflect.Struct:
		k.fields(v)
	case reflect.Slice, reflect.Array:
		k.number(int64(v.Len()))
		for i := range v.Len() {
			k.value(v.Index(i))
		}
	case reflect.String:
		k.text(v.String())
	case reflect.Bool:
		k.number(0)
		if v.Bool() {
			k.out[len(k.out)-1] = 1
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		k.number(v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		k.number(int64(v.Uint()))
	default:
		panic("twin: unknown value of type " + v.Type().String())
	}
}

// fields writes a structure, which is part of what a pointer leads to; where it is in the text does not count.
func (k *Keys) fields(v reflect.Value) {
	switch v.Type() {
	case position:
	case typed:
		k.typed(v.Addr().Interface().(*types.Type))
	default:
		for i := range v.NumField() {
			k.value(v.Field(i))
		}
	}
}

// pointer writes what a node has, or what stands for it: what has a name is equal to itself alone, unless it is a variable of the body or an image.
func (k *Keys) pointer(v reflect.Value) {
	k.text(v.Type().Elem().Name())
	if v.IsNil() {
		k.number(-1)
		return
	}
	switch x := v.Interface().(type) {
	case *hast.Var:
		k.variable(x)
	case *hast.Image:
		k.image(x)
	case *hast.Func, *hast.Border, *hast.Levels, *hast.Pyramid:
		k.itself(x)
	default:
		if !k.met(v.Pointer()) {
			k.value(v.Elem())
		}
	}
}
