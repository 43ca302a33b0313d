package opencl_test

import (
	"strings"
	"testing"

	"imgc/device/cl"
	"imgc/emit/opencl"
	"imgc/kir"
	"imgc/types"
)

// A machine is an OpenCL device with a program on it.
type machine struct {
	t       *testing.T
	context *cl.Context
	program *cl.Program
	out     *opencl.Output
}

// eachMachine builds a program on every device, and skips the test where there is none.
func eachMachine(t *testing.T, p *kir.Program, test func(m *machine)) {
	t.Helper()
	devices, err := cl.Devices()
	if err != nil {
		t.Skipf("no OpenCL device to test with: %v", err)
	}
	out, err := opencl.Emit(p, opencl.Options{Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range devices {
		t.Run(d.Name, func(t *testing.T) {
			c, err := cl.Open(d)
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			test(&machine{t: t, context: c, program: build(t, c, out), out: out})
		})
	}
}

// build compiles a program, as strictly as its mode asks for, and wants no warning.
func build(t *testing.T, c *cl.Context, out *opencl.Output) *cl.Program {
	t.Helper()
	program, err := c.Build(out.Source, strings.TrimSpace(out.BuildOptions+" "+out.RoundedDivide))
	if err != nil {
		t.Fatalf("%v\n%s", err, out.Source)
	}
	if log := program.Log(); strings.Contains(log, "warning") {
		t.Errorf("warnings:\n%s\n%s", log, out.Source)
	}
	return program
}

// An array is the contents of a buffer of components of one kind.
type array struct {
	kind  types.Kind
	words []types.Word
}

func (a *array) bytes() []byte {
	size := a.kind.Bytes()
	b := make([]byte, len(a.words)*size)
	for i, w := range a.words {
		types.Store(a.kind, b[i*size:], w)
	}
	return b
}

func (a *array) set(b []byte) {
	size := a.kind.Bytes()
	for i := range a.words {
		a.words[i] = types.Load(a.kind, b[i*size:])
	}
}

// run launches kernel number k over n items. Arguments are *array, or values of types that cl takes; arrays are read back.
func (m *machine) run(k, n int, args ...any) {
	m.t.Helper()
	kernel, err := m.program.Kernel(m.out.Kernels[k].Name)
	m.must(err)
	given := make([]any, len(args))
	for i, a := range args {
		given[i] = a
		if arr, ok := a.(*array); ok {
			buffer, err := m.context.Buffer(len(arr.words) * arr.kind.Bytes())
			m.must(err)
			defer buffer.Close()
			m.must(buffer.Write(0, arr.bytes()))
			given[i] = buffer
		}
	}
	group := m.out.Kernels[k].Kernel.Group[0]
	m.must(m.context.Launch(kernel, cl.Range{Global: []int{n}, Local: []int{group}}, given...))
	_, err = m.context.Wait()
	m.must(err)
	for i, a := range args {
		if arr, ok := a.(*array); ok {
			b := make([]byte, len(arr.words)*arr.kind.Bytes())
			m.must(given[i].(*cl.Buffer).Read(0, b))
			arr.set(b)
		}
	}
}

func (m *machine) must(err error) {
	m.t.Helper()
	if err != nil {
		m.t.Fatal(err)
	}
}
