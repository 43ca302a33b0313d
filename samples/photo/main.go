// Command photo draws the picture that imgc's samples are shown on: a still life of the things that image filters are
// judged by. There are gradients (wall, shadows), sharp and blurred edges (depth of field), fine texture (cloth, wood,
// pages), text, a test card with a zone plate, checks, bars and a star, highlights, saturated colours and sensor noise.
//
//	go run ./samples/photo
//
// writes samples/photo.png (8-bit RGB) and samples/photo_grey.png (8-bit grey). The picture depends on nothing but this
// program: no random source, clock or file goes into it, and a test keeps the files and the program in step.
package main

import (
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
)

// The size of the picture, and the samples that each pixel averages: strata × strata.
const (
	width, height = 640, 480
	strata        = 5
)

func main() {
	dir := flag.String("dir", "samples", "folder to write photo.png and photo_grey.png to")
	flag.Parse()
	if err := write(*dir); err != nil {
		fmt.Fprintln(os.Stderr, "photo:", err)
		os.Exit(1)
	}
}

func write(dir string) error {
	photo, err := drawPhoto()
	if err != nil {
		return err
	}
	if err := writePNG(filepath.Join(dir, "photo.png"), photo); err != nil {
		return err
	}
	return writePNG(filepath.Join(dir, "photo_grey.png"), grey(photo))
}

func writePNG(path string, picture image.Image) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(file, picture); err != nil {
		file.Close()
		return err
	}
	return file.Close()
}

// drawPhoto renders the scene, rows in parallel; each pixel depends only on its place.
func drawPhoto() (*image.RGBA, error) {
	s, err := newScene()
	if err != nil {
		return nil, err
	}
	picture := image.NewRGBA(image.Rect(0, 0, width, height))
	var row atomic.Int64
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for y := int(row.Add(1)) - 1; y < height; y = int(row.Add(1)) - 1 {
				for x := range width {
					picture.SetRGBA(x, y, develop(s.pixel(x, y), x, y))
				}
			}
		})
	}
	workers.Wait()
	return picture, nil
}

// develop turns the light that reached a pixel into its colour: vignette, a film-like curve, the sRGB curve, and the
// noise of a sensor, which is strongest in the mid-tones.
func develop(light vec, x, y int) color.RGBA {
	dx, dy := float64(2*x-width)/width, float64(2*y-height)/width
	light = light.scale(0.94 * (1 - 0.22*(dx*dx+dy*dy)))
	channel := func(v float64, seed uint64) uint8 {
		v = srgb(film(v))
		noise := gaussian(uint64(y)*width+uint64(x), seed) * (0.3 + 0.8*math.Sqrt(v*(1-v)))
		return uint8(max(0, min(255, math.Round(255*v+noise))))
	}
	return color.RGBA{channel(light.x, 1), channel(light.y, 2), channel(light.z, 3), 255}
}

// film is Narkowicz's fit of the ACES tone curve.
func film(v float64) float64 {
	v = max(0, v)
	return min(1, v*(2.51*v+0.03)/(v*(2.43*v+0.59)+0.14))
}

func srgb(v float64) float64 {
	if v <= 0.0031308 {
		return 12.92 * v
	}
	return 1.055*math.Pow(v, 1/2.4) - 0.055
}

// grey weighs the channels as ITU-R BT.601 does, rounding to nearest.
func grey(photo *image.RGBA) *image.Gray {
	picture := image.NewGray(photo.Bounds())
	for y := range height {
		for x := range width {
			c := photo.RGBAAt(x, y)
			luma := (299*int(c.R) + 587*int(c.G) + 114*int(c.B) + 500) / 1000
			picture.SetGray(x, y, color.Gray{Y: uint8(luma)})
		}
	}
	return picture
}
