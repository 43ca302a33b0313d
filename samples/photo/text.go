package main

import (
	"image"
	"math"

	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// A label is a line of text as a picture of its coverage, one unit high in the coordinates that it is asked in.
type label struct {
	coverage *image.Alpha
	width    float64 // in units of its height
}

// newLabel draws text in a TrueType font, large enough to be sampled smoothly.
func newLabel(ttf []byte, text string) (label, error) {
	const size = 96
	parsed, err := opentype.Parse(ttf)
	if err != nil {
		return label{}, err
	}
	face, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: size, DPI: 72})
	if err != nil {
		return label{}, err
	}
	defer face.Close()
	metrics := face.Metrics()
	wide := font.MeasureString(face, text).Ceil()
	high := (metrics.Ascent + metrics.Descent).Ceil()
	coverage := image.NewAlpha(image.Rect(0, 0, wide, high))
	drawer := font.Drawer{Dst: coverage, Src: image.Opaque, Face: face, Dot: fixed.Point26_6{Y: metrics.Ascent}}
	drawer.DrawString(text)
	return label{coverage, float64(wide) / float64(high)}, nil
}

// at is the coverage at a point; (0, 0) is the middle of the line, y points up and the line is one unit high.
func (l *label) at(x, y float64) float64 {
	b := l.coverage.Bounds()
	px := (x/l.width+0.5)*float64(b.Dx()) - 0.5
	py := (0.5-y)*float64(b.Dy()) - 0.5
	x0, y0 := math.Floor(px), math.Floor(py)
	fx, fy := px-x0, py-y0
	get := func(i, j int) float64 { return float64(l.coverage.AlphaAt(int(x0)+i, int(y0)+j).A) / 255 }
	return (1-fy)*((1-fx)*get(0, 0)+fx*get(1, 0)) + fy*((1-fx)*get(0, 1)+fx*get(1, 1))
}

// line is the coverage of a label centred at (cx, cy), as high as given.
func (l *label) line(x, y, cx, cy, high float64) float64 { return l.at((x-cx)/high, (y-cy)/high) }
