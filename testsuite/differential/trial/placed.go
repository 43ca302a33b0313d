package trial

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"imgc"
	"imgc/device"
	"imgc/kir"
	"imgc/pixels"
	"imgc/testsuite/harness"
	"imgc/types"
)

// The sorts of arguments in caller/call.c.
const (
	imageSort int64 = iota
	scalarSort
	resultSort
)

// An argument is one of a call as caller/call.c has it.
type argument struct {
	Sort, Size, Offset, Pitch int64
	Extent                    [4]int64
}

// A placed image lies in memory as the layout has it.
type placed struct {
	argument
	param  *imgc.Param
	image  *pixels.Image
	memory []byte
	line   int
	lines  int
}

// untouched is what lies before, between and behind the lines of an image.
const untouched = 0xA5

// place lays an image out; nil stands for what a pipeline writes, of an extent.
func place(q *imgc.Param, m *pixels.Image, contents bool, l device.Layout) *placed {
	axis := kir.LineAxis(len(q.Fixed), int64(q.Fixed[len(q.Fixed)-1]))
	p := &placed{param: q, image: m, line: m.Elem.Bytes(), lines: 1}
	p.Sort = imageSort
	for i, n := range m.Extent {
		p.Extent[i] = int64(n)
		if i <= axis {
			p.lines *= n
		} else {
			p.line *= n
		}
	}
	component := m.Elem.Kind.Bytes()
	pitch := p.line
	if axis >= 0 {
		pitch += l.Pad * component
		multiple := max(1, l.Multiple) * component
		pitch = (pitch + multiple - 1) / multiple * multiple
	}
	p.Offset, p.Pitch = int64(l.Offset*component), int64(pitch)
	p.memory = bytes.Repeat([]byte{untouched}, l.Offset*component+(p.lines-1)*pitch+p.line)
	for i := range p.lines {
		if contents {
			copy(p.at(i, p.memory), m.Data[i*p.line:])
		}
	}
	p.Size = int64(len(p.memory))
	return p
}

// at is line i of the image in its memory.
func (p *placed) at(i int, memory []byte) []byte {
	return memory[int(p.Offset)+i*int(p.Pitch):][:p.line]
}

// taken is the image in memory after a call; an error where anything else in it has changed.
func (p *placed) taken(memory []byte) (*pixels.Image, error) {
	m, err := pixels.New(p.image.Elem, p.image.Extent...)
	if err != nil {
		return nil, err
	}
	rest := bytes.Clone(memory)
	for i := range p.lines {
		copy(m.Data[i*p.line:], p.at(i, memory))
		copy(p.at(i, rest), bytes.Repeat([]byte{untouched}, p.line))
	}
	for i, b := range rest {
		if b != untouched {
			return nil, fmt.Errorf("byte %d of the memory of %s is written (first line at %d, lines of %d bytes every %d)", i, p.param.Name, p.Offset, p.line,
				p.Pitch)
		}
	}
	return m, nil
}

// A placedCall is one call of the caller's program.
type placedCall struct {
	way    string // for messages
	graph  bool
	images map[string]*placed
	inputs []any // argument and bytes by turns
}

// placedCalls are those that the caller makes of one: in a layout, as a graph, as another graph in another one, and again as the first.
func (p *project) placedCalls(q *imgc.Pipeline, number uint64, args imgc.Args, want imgc.Results) []*placedCall {
	list := []*placedCall{{way: "enqueued"}}
	if p.graphs[q.Name] {
		list = append(list, &placedCall{way: "as a graph", graph: true}, &placedCall{way: "as another graph", graph: true}, &placedCall{way: "as a graph again", graph: true})
	}
	for i, c := range list {
		c.images = map[string]*placed{}
		for _, a := range q.Params {
			c.add(p, a, layoutOf(a.Name, number+uint64(i%3/2)), args, want)
		}
	}
	return list
}

// add adds an argument.
func (c *placedCall) add(p *project, a *imgc.Param, l device.Layout, args imgc.Args, want imgc.Results) {
	if a.IsImage {
		m, given := args.Images[a.Name]
		if !given {
			m = want.Images[a.Name]
		}
		x := place(a, m, given, l)
		c.images[a.Name] = x
		c.inputs = append(c.inputs, x.argument, x.memory)
		return
	}
	data := harness.HostBytes(types.Value{Type: a.Type, Words: make([]types.Word, a.Type.Lanes)})
	if v, given := args.Scalars[a.Name]; given {
		data = harness.HostBytes(v)
	} else if a.Default != nil {
		data = harness.HostBytes(*a.Default)
	}
	x := argument{Sort: scalarSort, Size: int64(len(data))}
	if p.onDevice[a.Name] {
		x.Sort = resultSort
	}
	c.inputs = append(c.inputs, x, data)
}

// callPlaced has the caller make the call with images that lie anywhere in device memory, and compares what it leaves there.
func (p *project) callPlaced(ctx context.Context, q *imgc.Pipeline, index int, number uint64, args imgc.Args, want imgc.Results) (Kind, error) {
	list := p.placedCalls(q, number, args, want)
	var in bytes.Buffer
	for _, c := range list {
		graph := int64(0)
		if c.graph {
			graph = 1
		}
		binary.Write(&in, binary.LittleEndian, []int64{int64(index), graph, int64(len(q.Params))})
		for _, x := range c.inputs {
			binary.Write(&in, binary.LittleEndian, x)
		}
	}
	from, to := filepath.Join(p.dir, "arguments"), filepath.Join(p.dir, "results")
	if err := os.WriteFile(from, in.Bytes(), 0o644); err != nil {
		return Failed, err
	}
	if text, err := exec.CommandContext(ctx, p.demo, "--calls", from, to).CombinedOutput(); ctx.Err() != nil {
		return Hung, err
	} else if err != nil {
		return Failed, fmt.Errorf("%w: %s", err, text)
	}
	out, err := os.Open(to)
	if err != nil {
		return Failed, err
	}
	defer out.Close()
	for _, c := range list {
		if err := c.compare(q, out, args, want, p.bound); err != nil {
			return Mismatch, fmt.Errorf("%s: %w", c.way, err)
		}
	}
	return Agrees, nil
}

// compare reads what one call has left of its arguments, and holds it against what is wanted.
func (c *placedCall) compare(q *imgc.Pipeline, from io.Reader, args imgc.Args, want imgc.Results, bound harness.Bound) error {
	got := imgc.Results{Images: map[string]*pixels.Image{}, Scalars: map[string]types.Value{}}
	for i, a := range q.Params {
		memory := make([]byte, len(c.inputs[2*i+1].([]byte)))
		if _, err := io.ReadFull(from, memory); err != nil {
			return err
		}
		if !a.IsImage {
			if a.Returns() {
				got.Scalars[a.Name] = harness.HostValue(a.Type, memory)
			}
			continue
		}
		m, err := c.images[a.Name].taken(memory)
		switch {
		case err != nil:
			return err
		case a.Returns():
			got.Images[a.Name] = m
		case !bytes.Equal(m.Data, args.Images[a.Name].Data):
			return errors.New(a.Name + ", which is only read, is written")
		}
	}
	return compare(got, want, bound)
}

// resultsOnDevice are the out scalars of which the library's header says that kernels write them to where the caller wants them.
func resultsOnDevice(header string, d dialect, p *imgc.Program) map[string]bool {
	all := map[string]bool{}
	for _, q := range p.Pipelines {
		for _, a := range q.Params {
			all[a.Name] = d.graph && strings.Contains(header, " * *"+a.Name+" is computed on the device")
		}
	}
	return all
}
