package docs_test

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"imgc"
	"imgc/imagefile"
	"imgc/pixels"
	"imgc/types"
)

// A step is a pipeline on the way to a picture. An image that it takes is the one of that name, if a step returned one, or else
// the photo; see in.
type step struct {
	file, pipeline string // under samples, or one of the helpers
	scalars        map[string]types.Value
	in             map[string]string // parameters that take an image of another name; "photo" is the part of the photo
	white          float64           // what stands for 255 where pixels are not u8; 0: 255
	extent         map[string]int    // sizes that no image gives
	show           string            // which image is the picture; the first that is returned unless given
}

// helpers is the file of the pipelines that make inputs and show results.
const helpers = "../docs/testdata/pictures/helpers"

// The pictures of the pages: strips of tiles side by side. Each tile is a part of a photo after some steps, none for the
// photo itself.
type picture struct {
	name  string
	photo string
	part  image.Rectangle
	tiles [][]step
}

func f32(v float64) types.Value { return types.Of(types.F32, types.Float(types.Round(types.F32, v))) }
func i32(v int64) types.Value   { return types.Of(types.I32, types.Int(v)) }

const (
	gap       = 4         // white columns between tiles
	mostBytes = 400 << 10 // of one picture
	strayed   = 0.005     // share of the pixels that may differ from what another device gives
)

// TestPicturesShowTheSamples holds the committed pictures against what the samples make of the photos, on the first OpenCL device
// if there is one; -update draws them.
func TestPicturesShowTheSamples(t *testing.T) {
	device, err := imgc.OpenDevice("")
	if err != nil {
		t.Fatal(err)
	}
	defer device.Close()
	for _, p := range pictures {
		t.Run(p.name, func(t *testing.T) {
			if p.slow() && device.IsReference() {
				t.Skip("takes minutes without an OpenCL device")
			}
			strip := p.draw(t, device)
			path := filepath.Join("images", p.name+".png")
			if *update {
				savePicture(t, path, strip)
			}
			comparePicture(t, path, strip)
		})
	}
}

// slow is true of pictures that the interpreter takes minutes for.
func (p picture) slow() bool { return p.name == "nl_means" || p.name == "level_set" }

func (p picture) draw(t *testing.T, device *imgc.Device) *image.NRGBA {
	t.Helper()
	var tiles []*pixels.Image
	width := -gap
	for _, steps := range p.tiles {
		m := p.develop(t, device, steps)
		tiles = append(tiles, m)
		width += m.Extent[1] + gap
	}
	strip := image.NewNRGBA(image.Rect(0, 0, width, p.part.Dy()))
	draw.Draw(strip, strip.Bounds(), image.White, image.Point{}, draw.Src)
	column := 0
	for _, m := range tiles {
		paste(strip, column, m)
		column += m.Extent[1] + gap
	}
	return strip
}

// develop takes the part of the photo through steps, and returns what the last shows.
func (p picture) develop(t *testing.T, device *imgc.Device, steps []step) *pixels.Image {
	t.Helper()
	photo, err := imagefile.Read(filepath.Join(root, p.photo), imagefile.Want{})
	if err != nil {
		t.Fatal(err)
	}
	last := crop(photo, p.part)
	images := map[string]*pixels.Image{"photo": last}
	white := 255.0
	for _, s := range steps {
		if s.white != 0 {
			white = s.white
		}
		last = s.run(t, device, images, white)
	}
	return bytesOf(last, white)
}

// run adds the images that a step returns to those that later steps find, and returns the one to show.
func (s step) run(t *testing.T, device *imgc.Device, images map[string]*pixels.Image, white float64) *pixels.Image {
	t.Helper()
	path := filepath.Join("samples", s.file) + ".img"
	result, err := imgc.Check(context.Background(), filepath.Join(root, path), readPage(t, path).text, imgc.Options{Mode: imgc.Strict})
	if err != nil || result.Program == nil {
		t.Fatalf("%s does not compile: %v %v", path, err, result.Diagnostics)
	}
	pipeline, err := result.Program.Pipeline(s.pipeline)
	if err != nil {
		t.Fatal(err)
	}
	args := imgc.Args{Images: map[string]*pixels.Image{}, Scalars: s.scalars, Sizes: s.extent}
	for _, q := range pipeline.Params {
		if q.IsImage && q.Takes() {
			args.Images[q.Name] = as(q.Type.Kind, images[s.source(q.Name, images)], white)
		}
	}
	results, err := result.Program.Run(context.Background(), device, s.pipeline, args)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	var first *pixels.Image
	for _, q := range pipeline.Params {
		if q.IsImage && q.Returns() {
			images[q.Name] = results.Images[q.Name]
			if first == nil && (s.show == "" || s.show == q.Name) {
				first = results.Images[q.Name]
			}
		}
	}
	return first
}

func (s step) source(param string, images map[string]*pixels.Image) string {
	if name, ok := s.in[param]; ok {
		return name
	}
	if images[param] != nil {
		return param
	}
	return "photo"
}

// crop copies a part of an image with two axes.
func crop(m *pixels.Image, part image.Rectangle) *pixels.Image {
	out, err := pixels.New(m.Elem, part.Dy(), part.Dx())
	if err != nil {
		panic(err)
	}
	size := m.Elem.Bytes()
	for y := range part.Dy() {
		from := ((part.Min.Y+y)*m.Extent[1] + part.Min.X) * size
		copy(out.Data[y*part.Dx()*size:], m.Data[from:from+part.Dx()*size])
	}
	return out
}

// as makes pixels of another kind of those of a u8 image, of which 255 becomes white; other images stay what they are.
func as(kind types.Kind, m *pixels.Image, white float64) *pixels.Image {
	if m.Elem.Kind != types.U8 || kind == types.U8 {
		return m
	}
	return converted(m, kind, func(v float64) float64 { return v * white / 255 })
}

// bytesOf makes a u8 image, of which 255 stands for white.
func bytesOf(m *pixels.Image, white float64) *pixels.Image {
	if m.Elem.Kind == types.U8 {
		return m
	}
	return converted(m, types.U8, func(v float64) float64 { return min(max(v*255/white+0.5, 0), 255) })
}

func converted(m *pixels.Image, kind types.Kind, f func(float64) float64) *pixels.Image {
	elem := types.Vector(kind, int(m.Elem.Lanes))
	out, err := pixels.New(elem, m.Extent...)
	if err != nil {
		panic(err)
	}
	for i := range m.Words() {
		v := types.Convert(m.Word(i), m.Elem.Kind, types.F64).Float()
		out.SetWord(i, types.Convert(types.Float(f(v)), types.F64, kind))
	}
	return out
}

// paste copies an 8-bit grey or RGB image to a column of the strip.
func paste(strip *image.NRGBA, column int, m *pixels.Image) {
	lanes := int(m.Elem.Lanes)
	for y := range m.Extent[0] {
		for x := range m.Extent[1] {
			p := m.Data[(y*m.Extent[1]+x)*lanes:]
			c := color.NRGBA{p[0], p[0], p[0], 255}
			if lanes == 3 {
				c = color.NRGBA{p[0], p[1], p[2], 255}
			}
			strip.SetNRGBA(column+x, y, c)
		}
	}
}

func savePicture(t *testing.T, path string, m image.Image) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(file, m); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
}

// comparePicture allows a step of one, and more for a few pixels: functions such as exp may differ in their last bits from device to
// device, and decisions with them.
func comparePicture(t *testing.T, path string, want *image.NRGBA) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatalf("%v; run go test ./docs -update", err)
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || info.Size() > mostBytes {
		t.Errorf("%s is larger than %d bytes", path, mostBytes)
	}
	got, err := png.Decode(file)
	if err != nil {
		t.Fatal(err)
	}
	if got.Bounds() != want.Bounds() {
		t.Fatalf("%s is %v, should be %v; run go test ./docs -update", path, got.Bounds(), want.Bounds())
	}
	far, first := 0, ""
	for y := range want.Bounds().Dy() {
		for x := range want.Bounds().Dx() {
			a, b := color.NRGBAModel.Convert(got.At(x, y)).(color.NRGBA), want.NRGBAAt(x, y)
			if apart(a.R, b.R) || apart(a.G, b.G) || apart(a.B, b.B) {
				far++
				first = fmt.Sprintf("pixel (%d, %d) is %v, the sample gives %v", x, y, a, b)
			}
		}
	}
	if float64(far) > strayed*float64(want.Bounds().Dx()*want.Bounds().Dy()) {
		t.Errorf("%s: %d pixels differ, as %s; run go test ./docs -update", path, far, first)
	}
}

func apart(a, b uint8) bool { return max(a, b)-min(a, b) > 1 }
