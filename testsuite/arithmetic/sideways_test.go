package arithmetic

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"imgc"
	"imgc/device"
	"imgc/hast"
	"imgc/optimize/schedule"
	"imgc/pixels"
	"imgc/testsuite/harness"
	"imgc/types"
)

// TestFloatsBecomeIntegersSideBySide holds the conversions of neighbours in vector registers against the interpreter: at the ends of kinds, beyond them,
// and of what is no number.
func TestFloatsBecomeIntegersSideBySide(t *testing.T) {
	var text strings.Builder
	var all []conversion
	for _, c := range conversions(types.F32) {
		if c.to.IsInt() && (c.to.Bits() <= 16 || c.to == types.I32 && !c.saturate) {
			all = append(all, c)
			fmt.Fprintf(&text, "pipeline %s(in src: f32[H][W], out dst: %s[H][W]) {\n    iterate (y, x) over src\n        dst[y][x] = %s;\n}\n",
				c.out(), c.to, strings.Replace(c.text(), "[i]", "[y][x]", 1))
		}
	}
	line := operands(types.F32)
	src, err := pixels.New(types.Scalar(types.F32), 1, line.Words())
	if err != nil {
		t.Fatal(err)
	}
	for i := range line.Words() {
		src.SetWord(i, line.Word(i))
	}
	args := imgc.Args{Images: map[string]*pixels.Image{"src": src}}
	for _, lanes := range []int{8, 16} {
		p := harness.CompileWith(t, "sideways.img", text.String(), imgc.Options{Mode: imgc.Strict, Decide: func(string, *hast.Stage) schedule.Decisions {
			return schedule.Decisions{Rows: 1, Lanes: lanes}
		}})
		kernels, err := p.OpenCL()
		if err != nil {
			t.Fatal(err)
		}
		built := harness.BuildPlain(t, p)
		for _, c := range all {
			t.Run(fmt.Sprint(lanes, "_", c.out()), func(t *testing.T) {
				body := kernels.Output.Source[strings.Index(kernels.Output.Source, "__kernel void "+c.out()+"_dst("):]
				if body, _, _ = strings.Cut(body, "\n}\n"); !strings.Contains(body, fmt.Sprint("float", lanes)) {
					t.Errorf("neighbours are not converted side by side:\n%s", body)
				}
				r, err := built.Run(context.Background(), c.out(), device.Args(args), device.Layout{})
				if err != nil {
					t.Fatal(err)
				}
				if err := same(r.Images["dst"], harness.Interpret(t, p, c.out(), args).Images["dst"], src); err != nil {
					t.Error(err)
				}
			})
		}
	}
}
