package recurrence

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"imgc/hast"
	"imgc/interp"
	"imgc/kir"
	"imgc/pixels"
	"imgc/sema/sematest"
	"imgc/types"
)

// scanned is a pipeline of one scan along a line: of pixels a, from pixels b and c, with the factor s.
func scanned(elem, clauses, body string) string {
	return fmt.Sprintf("pipeline p(in b: %s[N], in c: %s[N], in s: %s = %s, inout a: %s[N]) {\n    iterate (x) over a %s {\n        %s\n    }\n}\n",
		elem, elem, elem, map[bool]string{true: "0.75", false: "3"}[strings.HasPrefix(elem, "f")], elem, clauses, body)
}

// found is what find makes of the only scan of a program: "add", "linear 2", "" where it stays as it is; several states are joined.
func found(p *hast.Program, mode kir.Mode) string {
	out := ""
	hast.WalkSteps(p.Pipelines[0].Steps, func(s hast.Step) {
		stage, ok := s.(*hast.Stage)
		if !ok || stage.Scan == nil {
			return
		}
		r := find(stage, mode)
		if r == nil {
			if findTable(stage, pixelsBefore(stage, mode)) != nil {
				out += "table"
			}
			return
		}
		for _, st := range r.states() {
			if out != "" {
				out += ", "
			}
			if st.clamps {
				out += "clamp"
			} else if st.op == 0 {
				out += fmt.Sprintf("linear %d", st.order)
			} else {
				out += st.op.String()
			}
		}
	})
	return out
}

// cases are bodies of scanned, with what they are found to be; exact is of integers and strict, relaxed of floats otherwise.
var cases = []struct {
	elem, clauses, body string
	exact, relaxed      string
}{
	{"i32", "scan(x) border constant(7)", "a[x] = a[x-1] + b[x];", "+", ""},
	{"u8", "scan(x) border constant(7)", "a[x] = u8(a[x-1] + b[x]);", "+", ""},
	{"u8", "scan(-x) border clamp", "a[x] = u8(a[x+1] + b[x] - c[x]);", "+", ""},
	{"i64", "scan(-x) border reflect", "a[x] = (b[x] * a[x+1]) * c[x];", "*", ""},
	{"u16", "scan(x) border clamp", "a[x] = u16(a[x-1] & (b[x] | c[x]));", "&", ""},
	{"u32", "scan(x) border clamp", "a[x] = a[x-1] | b[x] & c[x] & 0x1010101;", "|", ""},
	{"u32", "scan(x) border clamp", "a[x] = ~(a[x-1] ^ b[x]);", "^", ""},
	{"i16", "scan(x) border repeat", "a[x] = min(a[x-1], b[x]);", "min", ""},
	{"u8", "scan(x) border repeat", "a[x] = max(max(c[x], a[x-1]), b[x]);", "max", ""},
	{"u8", "scan(x) border constant(3)", "a[x] = u8(max(i32(a[x-1]), 200));", "max", ""},
	{"u8", "scan(x) border constant(3)", "a[x] = u8(max(i32(a[x-1]), 300));", "", ""}, // 300 is no u8
	{"i32", "scan(x) border constant(3)", "a[x] += a[x-1];", "+", ""},
	{"u8", "scan(x) border constant(3)", "a[x] += a[x-1];", "+", ""},
	{"i32", "scan(x) border constant(3)", "a[x] = b[x] > 0 ? min(a[x-1], b[x]) : min(c[x], a[x-1]);", "min", ""},
	{"i32", "scan(x) border constant(3)", "let i = x - 1; let v = a[i]; a[x] = v ^ b[x];", "^", ""},
	{"i32", "scan(x) border constant(3)", "let v = a[x-1] / 2; a[x] = v ^ b[x];", "", ""}, // of what the pixel before is made into
	{"i32x3", "scan(x) border constant(3)", "a[x] = a[x-1] + b[x] * c[x];", "+", ""},
	{"u8x4", "scan(x) border clamp", "a[x] = max(a[x-1], b[x]);", "max", ""},

	{"i32", "scan(x) border constant(3)", "a[x] = s*a[x-1] + b[x];", "linear 1", ""},
	{"i32", "scan(x) border constant(3)", "a[x] = b[x] - a[x-1];", "linear 1", ""},
	{"u8", "scan(x) border constant(3)", "a[x] = u8(3*a[x-1] + b[x]);", "linear 1", ""},
	{"i32", "scan(x) border constant(3)", "a[x] = b[x] > 0 ? c[x] : a[x-1] + b[x];", "linear 1", ""},
	{"i32", "scan(x) border constant(3)", "a[x] = (a[x-1] << 2) + b[x];", "linear 1", ""},
	{"i32", "scan(x) border reflect101", "a[x] = c[x]*a[x-1] + b[x]*a[x-2] + a[x];", "linear 2", ""},
	{"i64", "scan(-x) border repeat", "let v = a[x+1] + a[x+2]; let q = 2*v + b[x]; a[x] = q - v + a[x+4];", "linear 4", ""},
	{"i32", "scan(x) border clamp", "a[x] = a[x-3] + b[x];", "linear 3", ""},
	{"i32", "scan(x) border clamp", "a[x] = a[x-5] + b[x];", "", ""}, // of a large order
	{"i32x2", "scan(x) border clamp", "a[x] = 5*a[x-1] - 7*a[x-2] + b[x];", "linear 2", ""},
	{"i32x2", "scan(x) border clamp", "a[x] = a[x-1].yx + b[x];", "", ""}, // components meet

	{"u8", "scan(x) border constant(200)", "a[x] = u8(max(b[x], a[x-1] - 4));", "clamp", ""},
	{"u8", "scan(x) border constant(200)", "a[x] = u8(min(b[x], a[x-1] - 4));", "", ""}, // may wrap
	{"u16", "scan(-x) border constant(255)", "a[x] = b[x] > 60000 ? 0 : u16(min(a[x+1] + 1, 255));", "clamp", ""},
	{"i16", "scan(x) border clamp", "let v = max(a[x-1], b[x]); a[x] = i16(clamp(v - 3000, c[x] + 5, 20000) / 1);", "", ""},
	{"i16", "scan(x) border clamp", "let v = max(a[x-1], b[x]); a[x] = i16(clamp(v - 3000, c[x] / 2 - 100, 20000));", "", ""}, // quotients are not looked at
	{"i16", "scan(x) border clamp", "let v = max(a[x-1], b[x]); a[x] = i16(clamp(v - 3000, max(c[x] - 100, -32000), 20000));", "clamp", ""},
	{"i8", "scan(x) border clamp", "a[x] = sat<i8>(a[x-1] + b[x]);", "clamp", ""},
	{"i8", "scan(x) border clamp", "a[x] = sat<i8>(b[x] > 0 ? a[x-1] - b[x] : c[x] > 0 ? min(a[x-1], c[x]) + 1 : c[x]);", "clamp", ""},
	{"i8", "scan(x) border clamp", "a[x] = sat<i8>(b[x] - a[x-1]);", "", ""}, // falls
	{"i8", "scan(x) border clamp", "a[x] = sat<i8>(a[x-2] + b[x]);", "", ""},
	{"i16", "scan(x) border clamp", "a[x] = a[x-1] > b[x] ? min(a[x-1], c[x]) : max(a[x-1], c[x]);", "", ""}, // a choice by the pixel before
	{"i16", "scan(x) border clamp", "a[x] = b[x] > 0 ? i16(a[x-1] / 2) : max(a[x-1], c[x]);", "", ""},        // one side does not clamp
	{"i8x3", "scan(-x) border clamp", "a[x] = sat<i8x3>(max(a[x+1] + b[x], i32x3(c[x])));", "clamp", ""},
	{"i32", "scan(x) border constant(10000)", "a[x] = b[x] > 1500000000 ? 0 : min(a[x-1] + 1, 10000);", "clamp", ""},
	{"i32", "scan(-x) border constant(10000)", "a[x] = min(a[x], a[x+1] + 1);", "clamp", ""},
	{"i32", "scan(x) border constant(0)", "a[x] = max(a[x-1] - 5, min(b[x], 600000000));", "clamp", ""},
	{"i32", "scan(x) border constant(0)", "a[x] = max(min(b[x], 268435456), a[x-1] + 100000);", "clamp", ""},
	{"i32", "scan(x) border constant(0)", "a[x] = max(min(b[x], 268435400), a[x-1] - 100000000);", "clamp", ""},
	{"i32", "scan(x) border constant(0)", "a[x] = max(b[x] >> 4, a[x-1] - 1000);", "clamp", ""},
	{"i32", "scan(x) border constant(0)", "a[x] = clamp(a[x-1] + (b[x] >> 5 & 1023), b[x] >> 3, c[x] >> 3);", "", ""},
	{"i32", "scan(x) border constant(0)", "a[x] = clamp(a[x-1] + i32(i16(b[x])), b[x] >> 3, c[x] >> 3);", "clamp", ""},
	{"i32", "scan(x) border constant(0)", "a[x] = max(b[x] >> 4, a[x-1] + 400000000);", "clamp", ""}, // wraps
	{"i32", "scan(x) border constant(0)", "a[x] = max(b[x], a[x-1] + c[x]);", "", ""},                // may wrap
	{"u32", "scan(x) border constant(0)", "a[x] = max(b[x], a[x-1] - 1);", "", ""},

	{"f32", "scan(x) border clamp", "a[x] = a[x-1] + b[x];", "", "+"},
	{"f32", "scan(x) border clamp", "a[x] = min(a[x-1], b[x]);", "min", "min"},
	{"f64", "scan(-x) border constant(-1e9)", "a[x] = max(b[x], a[x+1]);", "max", "max"},
	{"f32", "scan(x) border clamp", "a[x] = 0.25*a[x] + 0.75*a[x-1];", "", "linear 1"},
	{"f32", "scan(x) border clamp", "a[x] = mix(a[x-1], b[x], s);", "", "linear 1"},
	{"f32", "scan(x) border clamp", "a[x] = fma(a[x-1], s, b[x]);", "", "linear 1"},
	{"f32", "scan(x) border clamp", "a[x] = (a[x-1] + b[x]) / 3.0;", "", "linear 1"},
	{"f64", "scan(-x) border clamp", "a[x] = 1.2*a[x+1] - 0.4*a[x+2] + b[x];", "", "linear 2"},
	{"f32x3", "scan(x) border clamp", "a[x] = b[x] + s*(a[x-1] - b[x]);", "", "linear 1"},
	{"f32", "scan(x) border clamp", "a[x] = f32(0.5*f64(a[x-1])) + b[x];", "", ""}, // rounds twice

	{"i32", "scan(x) border constant(3)", "a[x] = (b[a[x-1]] + c[x]) & 31;", "table", ""},
	{"i32", "scan(x) border constant(3)", "a[x] = (b[a[x-1]] & 63) - 9;", "table", ""}, // sometimes below
	{"i32", "scan(-x) border constant(3)", "a[x] = b[a[x+1] >> 3];", "table", ""},      // mostly outside
	{"u8", "scan(-x) border clamp", "let i = a[x+1]; let j = i32(i) / 3; a[x] = u8(b[j] + c[x]);", "table", ""},
	{"i16", "scan(x) border clamp", "let i = a[x-1]; a[x] = i16(i - 1 + argmin(b[i-1 : 3]));", "table", ""},
	{"u32", "scan(x) border clamp", "a[x] = b[i32(a[x-1])];", "", ""},
	{"i32", "scan(x) border clamp", "a[x] = b[a[x-2]];", "", ""},
	{"i32", "scan(x) border clamp", "a[x] = b[x] + c[a[x]];", "", ""}, // no recurrence
	{"i32", "scan(x) border clamp", "a[x] = a[x-1] / 2 + b[x];", "", ""},
	{"i32", "scan(x) border clamp", "a[x] = a[x-1] * a[x-1] + b[x];", "", ""},
	{"i32", "scan(x) border clamp", "a[x] = a[x-1] * a[x-2] + b[x];", "", ""},
	{"i32", "scan(x) border clamp", "a[x] = a[x-1] + a[x+1];", "", ""}, // an old pixel of another chunk
	{"i32", "scan(x) border clamp", "a[x] = a[x-1] + b[x] + a[0];", "", ""},
	{"i32", "scan(x) border clamp", "a[x] = b[x] > 0 ? b[x] : max(a[x-1], c[x]);", "clamp", ""},
	{"i32", "scan(x) border clamp", "if (b[x] > 0) a[x] = a[x-1];", "", ""},
	{"i32", "scan(x) where (b[x] > 0) border clamp", "a[x] = a[x-1] + b[x];", "", ""},
	{"i32", "scan(x) border clamp", "a[x] = clamp(a[x-1] + b[x], -9, 9);", "", ""},
	{"i32", "scan(x) border clamp", "var v = a[x-1]; v += b[x]; a[x] = v;", "", ""},
	{"i32", "scan(x) border clamp", "a[x] = a[x] + b[x];", "", ""}, // no recurrence
	{"i32", "scan(x) border clamp", "a[x] = sum(a[x-2 : 2]) + b[x];", "", ""},
}

func TestRecurrencesAreFound(t *testing.T) {
	for _, c := range cases {
		p := sematest.Program(t, scanned(c.elem, c.clauses, c.body))
		for _, mode := range []kir.Mode{kir.Strict, kir.Contract, kir.Fast} {
			want := c.exact
			if mode != kir.Strict && c.elem[0] == 'f' {
				want = c.relaxed
			}
			if got := found(p, mode); got != want {
				t.Errorf("%s, %s: %s\nis found to be %q, wanted %q", c.elem, mode, c.body, got, want)
			}
		}
	}
}

// TestStagesComputeTheSame runs the parallel form of every case on the interpreter, at all sizes around those of chunks.
func TestStagesComputeTheSame(t *testing.T) {
	for _, c := range cases {
		mode := kir.Strict
		if c.relaxed != "" {
			mode = kir.Contract
		}
		p := sematest.Program(t, scanned(c.elem, c.clauses, c.body))
		if found(p, mode) == "" {
			continue
		}
		for _, opts := range []Options{
			{Mode: mode, Chunk: 4, Items: 1000, Carry: 1000, Group: 32}, {Mode: mode, Chunk: 5, Items: 3, Carry: 9, Group: 2},
			{Mode: mode, Chunk: 2, Items: 20, Carry: 4, Group: 3},
		} {
			q := Parallel(p, opts)
			if err := hast.Verify(q); err != nil {
				t.Fatalf("%s\n%v\n%s", c.body, err, hast.Dump(q))
			}
			for _, n := range []int{1, 2, 3, 4, 5, 6, 8, 9, 13, 31, 64, 101} {
				elem, _ := types.Parse(c.elem)
				want, got := run(t, p, elem, n, nil), run(t, q, elem, n, nil)
				if at, ok := near(got, want); !ok {
					t.Errorf("%s %s, %d pixels, %+v: pixel %d is %v, wanted %v", c.elem, c.body, n, opts, at, got.Word(at).Float(), want.Word(at).Float())
					break
				}
			}
		}
	}
}

// run runs the pipeline p on images of n pixels. Values come from next, or are spread over the type.
func run(t *testing.T, p *hast.Program, elem types.Type, n int, next func(i int) float64) *pixels.Image {
	t.Helper()
	random := rand.New(rand.NewPCG(uint64(n), 1))
	args := interp.Args{Images: map[string]*pixels.Image{}, Scalars: map[string]types.Value{}}
	for _, name := range []string{"b", "c", "a"} {
		m, err := pixels.New(elem, n)
		if err != nil {
			t.Fatal(err)
		}
		for i := range m.Words() {
			switch {
			case next != nil:
				m.SetWord(i, types.Float(types.Round(elem.Kind, next(i))))
			case elem.Kind.IsFloat():
				m.SetWord(i, types.Float(types.Round(elem.Kind, random.NormFloat64())))
			default:
				m.SetWord(i, types.Convert(types.Int(int64(random.Uint64())), types.I64, elem.Kind))
			}
		}
		args.Images[name] = m
	}
	if _, err := interp.Run(context.Background(), p.Pipelines[0], args, interp.Options{}); err != nil {
		t.Fatal(err)
	}
	return args.Images["a"]
}

// near compares integers exactly, and floats with the bound of the package, relative to the largest one.
func near(got, want *pixels.Image) (int, bool) {
	most := 1.0
	k := want.Elem.Kind
	for i := range want.Words() {
		if v := math.Abs(want.Word(i).Float()); k.IsFloat() && v > most && !math.IsInf(v, 0) {
			most = v
		}
	}
	for i := range want.Words() {
		x, y := got.Word(i), want.Word(i)
		same := x == y
		if k.IsFloat() {
			f, g := x.Float(), y.Float()
			same = f == g || f != f && g != g || math.Abs(f-g) <= most*growthLimit*float64(want.Words())*0x1p-24
		}
		if !same {
			return i, false
		}
	}
	return 0, true
}

// TestRoundingStaysSmall runs recurrences whose chunks must not be taken as maps: errors would grow, or numbers leave the kind.
func TestRoundingStaysSmall(t *testing.T) {
	inf := math.Inf(1)
	at := func(place int, v, other float64) func(int) float64 {
		return func(i int) float64 {
			if i == place {
				return v
			}
			return other
		}
	}
	for _, c := range []struct {
		name, body string
		values     func(i int) float64
	}{
		{"a fixed point that repels", "a[x] = 2.0*a[x-1] - b[x];", at(-1, 0, 1)},
		{"growth that is taken back", "a[x] = x % 8 < 4 ? 1000.0*a[x-1] : 0.001*a[x-1] + b[x];", at(-1, 0, 1)},
		{"infinity that is kept by small factors", "a[x] = 0.0001*a[x-1] + b[x];", at(3, inf, 1)},
		{"what was tiny grows again", "a[x] = ((x + 31) % 32 < 8 ? 1 / 8192.0 : (x + 31) % 32 < 16 ? 8192.0 : 1.0) * a[x-1];", at(-1, 0, 0x1p100)},
		{"forgotten and grown again", "a[x] = (x % 32 < 6 ? 0.0 : 2.0) * a[x-1] + b[x];", at(-1, 0, 1)},
		{"a line of zeros", "a[x] = 3.0*a[x-1] + b[x];", at(-1, 0, 0)},
		{"sums of a chunk that leave f32", "a[x] = a[x-1] + b[x];", func(i int) float64 { return []float64{-3e38, 0, 0, 0, 0, 3e38, 0, 3e38}[min(i, 7)%8] }},
		{"NaN", "a[x] = 0.5*a[x-1] + b[x];", at(9, math.NaN(), 1)},
		{"an infinite factor, forgotten", "a[x] = b[x] > 4.0 ? 0.0 : b[x]*a[x-1] + 1.0;", func(i int) float64 { return []float64{1, 1, 1, inf, 5, 1, 1, 1}[i%8] }},
		{"nothing but NaN", "a[x] = min(a[x-1], b[x]);", at(-1, 0, math.NaN())},
		{"NaN loses", "a[x] = max(a[x-1], b[x]);", at(90, 1, math.NaN())},
	} {
		p := sematest.Program(t, scanned("f32", "scan(x) border clamp", c.body))
		if found(p, kir.Contract) == "" {
			t.Fatalf("%s: %s is not parallel", c.name, c.body)
		}
		q := Parallel(p, Options{Mode: kir.Contract, Chunk: 32, Items: 1 << 17, Carry: 512, Group: 32})
		want, got := run(t, p, types.Scalar(types.F32), 300, c.values), run(t, q, types.Scalar(types.F32), 300, c.values)
		if at, ok := near(got, want); !ok {
			t.Errorf("%s: pixel %d is %v, wanted %v", c.name, at, got.Word(at).Float(), want.Word(at).Float())
		}
	}
}

// TestStagesOfSeveralAxes looks at lines, states and stores side by side.
func TestStagesOfSeveralAxes(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"pipeline p(in b: i32[H][W], out a: i32[H][W]) { iterate (y, x) over a scan(y) border constant(1) a[y][x] = a[y-1][x] + b[y][x]; }", "+"},
		{"pipeline p(in b: i32[H][W], out a: i32[H][W]) { iterate (y, x) over a scan(x) border constant(1) a[y][x] = a[y-1][x-1] + b[y][x]; }", ""},
		{"pipeline p(in b: i32[H][W], out a: i32[W][H]) { iterate (y, x) over b scan(-x) border constant(1) a[x][y] = a[x+1][y] + b[y][x]; }", "+"},
		{"pipeline p(in b: i32[H], out a: i32[2*H]) { iterate (y) over b scan(y) border constant(1) { a[2*y] = a[2*y-2] + b[y]; } }", "+"},
		{"pipeline p(in b: i32[H], out a: i32[2*H]) { iterate (y) over b scan(y) border constant(1) { a[2*y] = a[2*y-1] + b[y]; } }", ""},
		{"pipeline p(in b: i32[H], out a: i32[H], out c: i64[H]) { iterate (y) over b scan(y) border constant(1) { a[y] = a[y-1] + b[y]; c[y] = c[y-1] * 3 + b[y]; } }", "+, linear 1"},
		{"pipeline p(in b: i32[H], out a: i32[H], out c: i32[H]) { iterate (y) over b scan(y) border constant(1) { a[y] = a[y-1] + b[y]; c[y] = a[y-1] * 3; } }", "+"},
		{"pipeline p(in b: i32[H], out a: i32[H], out c: i32[H]) { iterate (y) over b scan(y) border constant(1) { a[y] = a[y-1] + b[y]; c[y] = c[y-1] + a[y-1]; } }", ""},
		{"pipeline p(in b: i32[H], out a: i32[H], out c: i32[H]) { iterate (y) over b scan(y) border constant(1) { a[y] = a[y-1] + b[y]; c[y] = a[y]; } }", ""},
		{"pipeline p(in n: i32, inout a: i32[H]) { assume(n >= 0 && n <= H); view v = a[0 : n]; iterate (y) over v scan(y) border clamp v[y] = v[y-1] + v[y]; }", "+"},
		{"pipeline p(inout a: i32[H]) { view v = a[0 : H-1]; iterate (y) over v scan(y) border clamp v[y] = v[y-1] + a[H-1]; }", ""},
		{"pipeline p(inout a: i32[H][W]) { pyramid g: i32[H][W] levels 2; g[0] = a; iterate (y, x) over a scan(x) border constant(0) g[0][y][x] = g[0][y][x-1] + a[y][x]; a = g[0]; }", ""},
		{"pipeline p(in b: i32[H][W], inout a: i32[H][W]) { iterate (y, x) over a scan(x) where (y % 2 == 0 && b[y][0] > 0) border constant(1) a[y][x] = a[y][x-1] + b[y][x]; }", "+"},
		{"pipeline p(in b: i32[H][W], inout a: i32[H][W]) { iterate (y, x) over a scan(x) where (x > 0) border constant(1) a[y][x] = a[y][x-1] + b[y][x]; }", ""},
		{"pipeline p(in b: i32[H][W], inout a: i32[H][W]) { iterate (y, x) over a scan(x) where (a[y][0] > 0) border constant(1) a[y][x] = a[y][x-1] + b[y][x]; }", ""},
		{"pipeline p(in n: i32, inout a: i32[H]) { assume(n >= 0 && n <= H); iterate (y in n : H-9) scan(-y) border clamp a[y] = a[y+1] + a[y]; }", "+"},
		{"pipeline p(in n: i32, inout a: i32[H]) { assume(n >= 0 && n <= H); iterate (y in n : H) scan(-y) border clamp a[y] = a[y+1] + a[y]; }", "+"},
		{"pipeline p(inout a: i32[H]) { iterate (y in H-1:0:-2) scan(y) border clamp a[y] = 3*a[y-2] + a[y]; }", "linear 1"},
		{"pipeline p(inout a: i32[H]) { iterate (y in H-1:0:-2) scan(-y) border reflect a[y] = 3*a[y+2] - a[y+4]; }", "linear 2"},
		{"pipeline p(inout a: i32[H]) { iterate (y in 0:H:3) scan(-y) border repeat a[y] = max(a[y+3], a[y]); }", "max"},
		{"pipeline p(inout a: i32[H][W]) { iterate (y in 0:H:3, x in W-1:0:-1) scan(x) border repeat a[y][x] = max(a[y][x-1], a[y][x]); }", "max"},
		{"pipeline p(in b: u8[H][3], out a: i32[H][3]) { iterate (y in 0:H) scan(y) border constant(0) { a[y][0] = a[y-1][0] + b[y][0]; a[y][2] = a[y-1][2] + b[y][1]; } }", "+, +"},
	} {
		p := sematest.Program(t, c.text)
		if got := found(p, kir.Strict); got != c.want {
			t.Errorf("%s\nis found to be %q, wanted %q", c.text, got, c.want)
		}
		q := Parallel(p, Options{Mode: kir.Strict, Chunk: 3, Items: 1000, Carry: 100, Group: 2})
		if err := hast.Verify(q); err != nil {
			t.Errorf("%s\n%v\n%s", c.text, err, hast.Dump(q))
		}
		want, got := runAny(t, p), runAny(t, q)
		for name, m := range want {
			if at, ok := near(got[name], m); !ok {
				t.Errorf("%s\n%s: pixel %d is %d, wanted %d", c.text, name, at, got[name].Word(at).Int(), m.Word(at).Int())
			}
		}
	}
}

// runAny runs the pipeline p on images of H = 11 and W = 13 pixels, with n = 7, and returns what is written.
func runAny(t *testing.T, p *hast.Program) map[string]*pixels.Image {
	t.Helper()
	extents := map[string]int{"H": 11, "W": 13, "2*H": 22, "3": 3}
	args := interp.Args{Images: map[string]*pixels.Image{}, Scalars: map[string]types.Value{"n": types.Of(types.I32, 7)}}
	if p.Pipelines[0].Params[0].Name != "n" {
		delete(args.Scalars, "n")
	}
	for i, q := range p.Pipelines[0].Params {
		if q.Image == nil || q.Dir == hast.Out && i == 0 {
			continue
		}
		var extent []int
		for _, e := range q.Image.Extent {
			extent = append(extent, extents[hast.Written(e)])
		}
		m, err := pixels.New(q.Image.Elem, extent...)
		if err != nil {
			t.Fatal(err)
		}
		random := rand.New(rand.NewPCG(uint64(i), 1))
		for k := range m.Words() {
			m.SetWord(k, types.Convert(types.Int(int64(random.Uint64())), types.I64, q.Image.Elem.Kind))
		}
		args.Images[q.Name] = m
	}
	r, err := interp.Run(context.Background(), p.Pipelines[0], args, interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r.Images
}
