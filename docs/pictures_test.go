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

// A filter is a pipeline of a sample that takes an image in src and returns one in dst.
type filter struct {
	sample, pipeline string
	scalars          map[string]types.Value
}

// The pictures of the pages: strips of tiles side by side. Each tile is a part of a photo after some filters, none for the
// photo itself.
var pictures = []struct {
	name  string
	photo string
	part  image.Rectangle
	tiles [][]filter
}{
	{
		name:  "sharpen.png",
		photo: "samples/photo.png",
		part:  image.Rect(200, 200, 520, 440),
		tiles: [][]filter{{}, {{sample: "sharpen", pipeline: "sharpen", scalars: map[string]types.Value{"amount": f32(1.5)}}}},
	},
	{
		name:  "filters.png",
		photo: "samples/photo_grey.png",
		part:  image.Rect(100, 180, 420, 420),
		tiles: [][]filter{
			{{sample: "median", pipeline: "median3"}, {sample: "sobel", pipeline: "sobel"}},
			{{sample: "morphology", pipeline: "erode"}},
			{{sample: "threshold", pipeline: "adaptive", scalars: map[string]types.Value{"offset": f32(8)}}},
		},
	},
}

func f32(v float64) types.Value { return types.Of(types.F32, types.Float(v)) }

const (
	gap       = 4         // white columns between tiles
	mostBytes = 400 << 10 // of one picture
)

// TestPicturesShowTheSamples holds the committed pictures against what the samples make of the photos; -update draws them.
func TestPicturesShowTheSamples(t *testing.T) {
	for _, p := range pictures {
		var tiles []*pixels.Image
		for _, filters := range p.tiles {
			tiles = append(tiles, develop(t, p.photo, filters))
		}
		strip := image.NewNRGBA(image.Rect(0, 0, len(tiles)*(p.part.Dx()+gap)-gap, p.part.Dy()))
		draw.Draw(strip, strip.Bounds(), image.White, image.Point{}, draw.Src)
		for i, m := range tiles {
			paste(strip, i*(p.part.Dx()+gap), m, p.part)
		}
		path := filepath.Join("images", p.name)
		if *update {
			savePicture(t, path, strip)
		}
		comparePicture(t, path, strip)
	}
}

// develop runs filters one after the other on a photo.
func develop(t *testing.T, photo string, filters []filter) *pixels.Image {
	t.Helper()
	m, err := imagefile.Read(filepath.Join(root, photo), imagefile.Want{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range filters {
		path := fmt.Sprintf("samples/basics/%s.img", f.sample)
		result, err := imgc.Check(context.Background(), path, readPage(t, path).text, imgc.Options{})
		if err != nil || result.Program == nil {
			t.Fatalf("%s does not compile: %v", path, err)
		}
		device, err := imgc.OpenDevice("ref")
		if err != nil {
			t.Fatal(err)
		}
		args := imgc.Args{Images: map[string]*pixels.Image{"src": m}, Scalars: f.scalars}
		results, err := result.Program.Run(context.Background(), device, f.pipeline, args)
		if err != nil {
			t.Fatal(err)
		}
		m = results.Images["dst"]
	}
	return m
}

// paste copies a part of an 8-bit grey or RGB image to a column of the strip.
func paste(strip *image.NRGBA, column int, m *pixels.Image, part image.Rectangle) {
	lanes := int(m.Elem.Lanes)
	for y := range part.Dy() {
		for x := range part.Dx() {
			p := m.Data[((part.Min.Y+y)*m.Extent[1]+part.Min.X+x)*lanes:]
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

// comparePicture allows a step of one: exp in the sharpening mask may differ in its last bit from machine to machine.
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
	for y := range want.Bounds().Dy() {
		for x := range want.Bounds().Dx() {
			a, b := color.NRGBAModel.Convert(got.At(x, y)).(color.NRGBA), want.NRGBAAt(x, y)
			if apart(a.R, b.R) || apart(a.G, b.G) || apart(a.B, b.B) {
				t.Fatalf("%s: pixel (%d, %d) is %v, the sample gives %v; run go test ./docs -update", path, x, y, a, b)
			}
		}
	}
}

func apart(a, b uint8) bool { return max(a, b)-min(a, b) > 1 }
