package imagefile

import (
	"image"
	"image/color"

	"imgc/types"
)

// JPEG mostly stores colour at half the resolution. Go's decoder leaves it so; what other programs see is interpolated as
// libjpeg does it: a pixel takes three parts of the nearest sample of colour and one of the next nearest, along each axis.

// fromYCbCr gives RGB.
func fromYCbCr(m *image.YCbCr, h, w int) *stored {
	blue, red := fullChroma(m, m.Cb, h, w), fullChroma(m, m.Cr, h, w)
	data := make([]byte, 0, h*w*3)
	for y := range h {
		cb, cr := blue(y), red(y)
		for x, luma := range m.Y[y*m.YStride : y*m.YStride+w] {
			r, g, b := color.YCbCrToRGB(luma, cb[x], cr[x])
			data = append(data, r, g, b)
		}
	}
	return &stored{kind: types.U8, extent: []int{h, w}, channels: 3, data: data}
}

// interpolated has the ratios along which samples lie between pixels: how many pixels one sample of
// colour covers. libjpeg repeats the samples of others.
var interpolated = map[image.YCbCrSubsampleRatio]struct{ down, across int }{
	image.YCbCrSubsampleRatio422: {1, 2}, image.YCbCrSubsampleRatio440: {2, 1}, image.YCbCrSubsampleRatio420: {2, 2},
}

// fullChroma gives the rows of a plane of colour, one sample for each pixel. A row is good until the next one is asked for.
func fullChroma(m *image.YCbCr, plane []byte, h, w int) func(y int) []byte {
	out := make([]byte, w)
	ratio, ok := interpolated[m.SubsampleRatio]
	cw := (w + ratio.across - 1) / max(ratio.across, 1)
	if !ok || ratio.across == 2 && cw <= 2 { // libjpeg does not interpolate so few columns either
		return func(y int) []byte {
			for x := range out {
				out[x] = plane[m.COffset(m.Rect.Min.X+x, m.Rect.Min.Y+y)]
			}
			return out
		}
	}
	sums := make([]int, cw) // of the two nearest rows, four parts in all where there are two
	ch, parts := (h+ratio.down-1)/ratio.down, 1
	return func(y int) []byte {
		row := plane[y/ratio.down*m.CStride:]
		if ratio.down == 1 {
			for i := range sums {
				sums[i] = int(row[i])
			}
		} else {
			parts = 4
			next := min(max(y/2-1+y%2*2, 0), ch-1) // the row above for even ones, the one below for odd ones
			other := plane[next*m.CStride:]
			for i := range sums {
				sums[i] = 3*int(row[i]) + int(other[i])
			}
		}
		if ratio.across == 1 {
			for x := range out {
				out[x] = byte((sums[x] + 1 + y%2) / 4)
			}
			return out
		}
		// libjpeg rounds halves up and down by turns: to the left and to the right of a sample.
		low, high := 1, 2
		if parts == 4 {
			low, high = 8, 7
		}
		for x := range out {
			i, round := x/2, low
			next := max(i-1, 0)
			if x%2 == 1 {
				next, round = min(i+1, cw-1), high
			}
			out[x] = byte((3*sums[i] + sums[next] + round) / (4 * parts))
		}
		return out
	}
}
