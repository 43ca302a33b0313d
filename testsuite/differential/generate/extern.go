package generate

import (
	"fmt"
	"slices"

	"imgc/types"
)

// ExternFiles are the files that extern funcs of programs are in, one for each language of kernels; package trial has the same in Go.
var ExternFiles = map[string]string{externCL: `
int mixed(int a, uint b) { return (int)((uint)a ^ b * 2654435761u); }
uchar4 halved(uchar4 v, bool up) { return (up ? (uchar4)(v + (uchar4)1) : v) / (uchar4)2; }
float weighed(const float *v, int at) { return (at & 1) ? v[0] * 0.5f : v[2] * 2.0f; }
void split(long v, int2 *parts) { *parts = (int2)((int)(v >> 8), (int)(v & 255)); }
void exchange(int *v, int at)
{
    const int t = v[at & 3];
    v[at & 3] = v[0];
    v[0] = t;
}
`, externCU: `
__device__ int mixed(int a, unsigned b) { return (int)((unsigned)a ^ b * 2654435761u); }
__device__ unsigned char half_of(unsigned char v, bool up) { return (unsigned char)(v + up) / 2; }
__device__ uchar4 halved(uchar4 v, bool up)
{
    return make_uchar4(half_of(v.x, up), half_of(v.y, up), half_of(v.z, up), half_of(v.w, up));
}
__device__ float weighed(const float *v, int at) { return (at & 1) ? v[0] * 0.5f : v[2] * 2.0f; }
__device__ void split(long long v, int2 *parts) { *parts = make_int2((int)(v >> 8), (int)(v & 255)); }
__device__ void exchange(int *v, int at)
{
    const int t = v[at & 3];
    v[at & 3] = v[0];
    v[0] = t;
}
`}

// externCL and externCU are the names of these files.
const (
	externCL = "tried.cl"
	externCU = "tried.cu"
)

// An extern is a func of these files.
type extern struct {
	name   string
	params []types.Type
	result types.Type // of those that are expressions
	rest   string     // of the declaration, behind the name
}

// externs are those that give a value.
var externs = []extern{
	{"mixed", []types.Type{tI32, types.Scalar(types.U32)}, tI32, "(a: i32, b: u32): i32"},
	{"halved", []types.Type{types.Vector(types.U8, 4), tBool}, types.Vector(types.U8, 4), "(v: u8x4, up: bool): u8x4"},
	{"weighed", []types.Type{types.Scalar(types.F32).Array(3), tI32}, types.Scalar(types.F32), "(v: f32[3], at: i32): f32"},
}

// externSteps are those that are statements: they write a parameter.
var externSteps = []extern{
	{"split", []types.Type{types.Scalar(types.I64)}, types.Vector(types.I32, 2), "(v: i64, out parts: i32x2) reads(v) writes(parts)"},
	{"exchange", []types.Type{tI32}, tI32.Array(4), "(inout v: i32[4], at: i32) reads(v[0:4]) writes(v[0:4])"},
}

// declareExtern declares it unless the program does.
func (g *generator) declareExtern(e extern) {
	text := fmt.Sprintf("extern func %s%s from opencl %q cuda %q;\n", e.name, e.rest, externCL, externCU)
	if !slices.Contains(g.decls, text) {
		g.decls = append(g.decls, text)
	}
}

// external is the value of an extern func.
func (g *generator) external(depth int) string {
	e := pick(g, externs)
	if g.whole && e.result.Kind.IsFloat() {
		return g.leaf(tI32)
	}
	g.declareExtern(e)
	args := ""
	for i, p := range e.params {
		if i > 0 {
			args += ", "
		}
		args += g.expr(p, depth-1)
	}
	text := fmt.Sprintf("%s(%s)", e.name, args)
	if e.result.Lanes > 1 {
		text += "." + string(pick(g, lanes(int(e.result.Lanes))))
	}
	return text
}

// externStep calls an extern func that writes a variable.
func (g *generator) externStep() string {
	e := pick(g, externSteps)
	g.declareExtern(e)
	v := variable{name: g.name("v"), typ: e.result, mutable: true}
	value, call := "", fmt.Sprintf("%s(%s, %s);\n", e.name, g.expr(e.params[0], 1), v.name)
	if e.result.IsArray() {
		value, call = " = "+g.array(e.result, 1), fmt.Sprintf("%s(%s, %s);\n", e.name, v.name, g.expr(e.params[0], 1))
	}
	g.add(v)
	return fmt.Sprintf("var %s: %s%s;\n%s", v.name, v.typ, value, call)
}
