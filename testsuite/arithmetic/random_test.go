package arithmetic

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"imgc"
	"imgc/device"
	"imgc/pixels"
	"imgc/testsuite/harness"
	"imgc/types"
)

// programs is how many random programs are tested; IMGC_RANDOM=FIRST:LAST chooses others by their seeds.
const programs, pipelines = 8, 4

func seeds(t *testing.T) (first, last uint64) {
	text := os.Getenv("IMGC_RANDOM")
	if text == "" {
		return 0, programs - 1
	}
	if n, err := fmt.Sscanf(text, "%d:%d", &first, &last); err != nil || n != 2 {
		t.Fatalf("IMGC_RANDOM=%s: FIRST:LAST is wanted", text)
	}
	return first, last
}

// TestRandomProgramsAgree runs valid programs of every operator and statement on the device, and strictly demands the
// interpreter's bits.
func TestRandomProgramsAgree(t *testing.T) {
	first, last := seeds(t)
	for seed := first; seed <= last; seed++ {
		t.Run("seed"+strconv.FormatUint(seed, 10), func(t *testing.T) { runRandom(t, seed, [][]int{{1, 1}, {5, 9}, {11, 3}}) })
	}
}

func runRandom(t *testing.T, seed uint64, sizes [][]int) {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 2))}
	text := g.program(pipelines)
	p := harness.Compile(t, "random.img", text, imgc.Strict)
	built := harness.Build(t, p)
	for _, q := range p.Pipelines {
		for _, extent := range sizes {
			for _, pattern := range []harness.Pattern{harness.Random, harness.NonFinite} {
				args := imgc.Args{Images: map[string]*pixels.Image{}, Scalars: map[string]types.Value{"k": types.Of(types.I32, types.Int(int64(extent[0]-3)))}}
				for _, v := range inputs {
					args.Images[v.name] = harness.Input(v.name, pattern, v.typ, extent...)
				}
				want := harness.Interpret(t, p, q.Name, args)
				got, err := built.Run(context.Background(), q.Name, device.Args(args), device.Layout{Pad: 1, Offset: 2})
				if err != nil {
					t.Fatalf("%s: %v\n%s", q.Name, err, text)
				}
				if err := harness.Compare(got.Images["dst"], want.Images["dst"], harness.Bound{}); err != nil {
					t.Fatalf("%s at %v, %s: %v\n%s", q.Name, extent, pattern, err, text)
				}
			}
		}
	}
}

// TestRandomProgramsUnderOclgrind has the simulator watch some of them.
func TestRandomProgramsUnderOclgrind(t *testing.T) {
	if harness.UnderOclgrind() {
		t.Skip("runs TestSimulatedRandomPrograms there")
	}
	harness.SimulateTest(t, "TestSimulatedRandomPrograms")
}

// TestSimulatedRandomPrograms runs in the process that TestRandomProgramsUnderOclgrind starts.
func TestSimulatedRandomPrograms(t *testing.T) {
	if !harness.UnderOclgrind() {
		t.Skip("TestRandomProgramsUnderOclgrind runs it in a process of its own")
	}
	for seed := range uint64(4) {
		t.Run("seed"+strconv.FormatUint(seed, 10), func(t *testing.T) { runRandom(t, seed, [][]int{{2, 3}}) })
	}
}
