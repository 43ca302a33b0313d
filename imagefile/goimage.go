package imagefile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"

	"golang.org/x/image/bmp"

	"imgc/types"
)

// jpegQuality loses little that can be seen; users who care about every bit write another format.
const jpegQuality = 95

// deflateRatio is the most that a byte of deflated data can become (a match of 258 bytes in two bits).
const deflateRatio = 1032

// decodeWith runs a decoder of another module. A panic in it is a damaged file, not a fault of the caller's.
func decodeWith(decode func(io.Reader) (image.Image, error), data []byte) (s *stored, err error) {
	defer func() {
		if r := recover(); r != nil {
			s, err = nil, fmt.Errorf("the file is damaged (%v)", r)
		}
	}()
	m, err := decode(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	return fromGo(m)
}

func decodePNG(src source) (*stored, error) {
	config, err := png.DecodeConfig(bytes.NewReader(src.data))
	if err != nil {
		return nil, err
	}
	depth, colour := int(src.data[24]), src.data[25] // of the IHDR chunk, which DecodeConfig has found
	samples := map[byte]int{0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[colour]
	row := 1 + (config.Width*samples*depth+7)/8 // sides have 31 bits, so this does not overflow
	switch err := checkShape(len(src.data), deflateRatio, row, config.Height); {
	case err == errUnpacked:
		return nil, err
	case err != nil:
		return nil, fmt.Errorf("the file is truncated or damaged: it says that it is %d x %d, which cannot come out of %d bytes",
			config.Height, config.Width, len(src.data))
	}
	s, err := decodeWith(png.Decode, src.data)
	if err == nil && colour == 4 && s.channels == 4 {
		s = s.pick([]int{0, 3}) // grey and alpha, which the decoder spreads over four channels
	}
	if err != nil {
		return nil, err
	}
	return s.turned(pngOrientation(src.data)), nil
}

func decodeJPEG(src source) (*stored, error) {
	config, err := jpeg.DecodeConfig(bytes.NewReader(src.data))
	if err != nil {
		return nil, err
	}
	// At least one bit for each block of 8 x 8 samples of the component with the most of them.
	if err := checkShape(len(src.data), 8*64, 1, config.Height, config.Width); err != nil {
		return nil, err
	}
	s, err := decodeWith(jpeg.Decode, src.data)
	if err != nil {
		return nil, err
	}
	return s.turned(jpegOrientation(src.data)), nil
}

func decodeBMP(src source) (*stored, error) {
	src.data = withoutGap(src.data)
	config, err := bmp.DecodeConfig(bytes.NewReader(src.data))
	if errors.Is(err, bmp.ErrUnsupported) {
		return nil, errors.New("this kind of BMP is not supported; uncompressed ones with 1, 2, 4, 8, 24 or 32 bits per pixel are")
	}
	if err != nil {
		return nil, err
	}
	bits := int(binary.LittleEndian.Uint16(src.data[28:])) // of the header, which DecodeConfig has found
	row := ((config.Width*bits + 31) / 32) * 4
	if config.Height < 1 || config.Width < 1 {
		row = 0
	}
	if err := checkShape(len(src.data), 1, 1, config.Height, row); err != nil {
		return nil, err
	}
	s, err := decodeWith(bmp.Decode, src.data)
	if p, ok := config.ColorModel.(color.Palette); ok && err == nil && isGrey(p) {
		s = s.pick([]int{0}) // a grey BMP has no other way to say that it is grey
	}
	return s, err
}

// withoutGap takes out what the format allows between the header, or the palette that pixels need, and the pixels. The
// decoder wants them to follow each other.
func withoutGap(data []byte) []byte {
	const fileHeader, infoHeader = 14, 40
	if len(data) < fileHeader+infoHeader {
		return data
	}
	b := binary.LittleEndian
	head, bits := fileHeader+uint64(b.Uint32(data[14:])), b.Uint16(data[28:])
	if bits <= 8 {
		colours := uint64(b.Uint32(data[46:]))
		if colours == 0 {
			colours = 1 << bits
		}
		head += 4 * colours
	}
	start := uint64(b.Uint32(data[10:]))
	if start <= head || start > uint64(len(data)) {
		return data
	}
	out := append(bytes.Clone(data[:head]), data[start:]...)
	b.PutUint32(out[10:], uint32(head))
	return out
}

func isGrey(p color.Palette) bool {
	for _, c := range p {
		if r, g, b, a := c.RGBA(); r != g || g != b || a != 0xffff {
			return false
		}
	}
	return true
}

// fromGo takes the samples of a decoded image as they are stored.
func fromGo(m image.Image) (*stored, error) {
	r := m.Bounds()
	h, w := r.Dy(), r.Dx()
	if h < 1 || w < 1 {
		return nil, fmt.Errorf("its size is %d x %d: it holds no pixels", h, w)
	}
	rgb, rgba := []int{0, 1, 2}, []int{0, 1, 2, 3}
	colour := func(opaque bool) []int { // Go's RGBA is what the decoders make of files without alpha
		if opaque {
			return rgb
		}
		return rgba
	}
	switch m := m.(type) {
	case *image.Gray:
		return packed(m.Pix, m.Stride, h, w, types.U8, 1, []int{0}), nil
	case *image.Gray16:
		return packed(m.Pix, m.Stride, h, w, types.U16, 1, []int{0}), nil
	case *image.RGBA:
		return packed(m.Pix, m.Stride, h, w, types.U8, 4, colour(m.Opaque())), nil
	case *image.RGBA64:
		return packed(m.Pix, m.Stride, h, w, types.U16, 4, colour(m.Opaque())), nil
	case *image.NRGBA:
		return packed(m.Pix, m.Stride, h, w, types.U8, 4, rgba), nil
	case *image.NRGBA64:
		return packed(m.Pix, m.Stride, h, w, types.U16, 4, rgba), nil
	case *image.Paletted:
		return expanded(m, h, w), nil
	case *image.YCbCr:
		return fromYCbCr(m, h, w), nil
	case *image.CMYK:
		return fromCMYK(m, h, w), nil
	}
	return nil, fmt.Errorf("its kind of colour (%T) is not supported", m)
}

// packed takes the chosen channels out of rows of pixels with so many samples; samples of two bytes come big-endian.
func packed(pix []byte, stride, h, w int, kind types.Kind, samples int, channels []int) *stored {
	size := kind.Bytes()
	data := make([]byte, 0, h*w*len(channels)*size)
	for y := range h {
		row := pix[y*stride : y*stride+w*samples*size]
		if len(channels) == samples {
			data = append(data, row...)
			continue
		}
		for x := 0; x < len(row); x += samples * size {
			for _, c := range channels {
				data = append(data, row[x+c*size:x+(c+1)*size]...)
			}
		}
	}
	if size > 1 {
		data = swapped(data, size)
	}
	return &stored{kind: kind, extent: []int{h, w}, channels: len(channels), data: data}
}

// expanded looks the pixels up in their palette. It gives RGB, or RGBA where a colour is not opaque.
func expanded(m *image.Paletted, h, w int) *stored {
	channels := 3
	colours := make([][4]byte, 256)
	for i, c := range m.Palette {
		n := color.NRGBAModel.Convert(c).(color.NRGBA)
		colours[i] = [4]byte{n.R, n.G, n.B, n.A}
		if n.A != 255 {
			channels = 4
		}
	}
	data := make([]byte, 0, h*w*channels)
	for y := range h {
		for _, i := range m.Pix[y*m.Stride : y*m.Stride+w] {
			data = append(data, colours[i][:channels]...)
		}
	}
	return &stored{kind: types.U8, extent: []int{h, w}, channels: channels, data: data}
}

// fromCMYK gives RGB.
func fromCMYK(m *image.CMYK, h, w int) *stored {
	data := make([]byte, 0, h*w*3)
	for y := range h {
		for x := range w {
			p := m.Pix[y*m.Stride+4*x:]
			r, g, b := color.CMYKToRGB(p[0], p[1], p[2], p[3])
			data = append(data, r, g, b)
		}
	}
	return &stored{kind: types.U8, extent: []int{h, w}, channels: 3, data: data}
}

// toGo makes an image for the encoders. Of three channels it makes Go's RGBA with an alpha of all ones, which they write
// without alpha.
func toGo(s *stored) image.Image {
	h, w := s.extent[0], s.extent[1]
	r, data := image.Rect(0, 0, w, h), s.data
	if s.channels == 3 {
		data = s.pick([]int{0, 1, 2, opaque}).data
	}
	if s.kind == types.U16 {
		data = swapped(data, 2)
	}
	wide := s.kind == types.U16
	switch {
	case s.channels == 1 && wide:
		return &image.Gray16{Pix: data, Stride: 2 * w, Rect: r}
	case s.channels == 1:
		return &image.Gray{Pix: data, Stride: w, Rect: r}
	case s.channels == 3 && wide:
		return &image.RGBA64{Pix: data, Stride: 8 * w, Rect: r}
	case s.channels == 3:
		return &image.RGBA{Pix: data, Stride: 4 * w, Rect: r}
	case wide:
		return &image.NRGBA64{Pix: data, Stride: 8 * w, Rect: r}
	}
	return &image.NRGBA{Pix: data, Stride: 4 * w, Rect: r}
}

func encodePNG(w io.Writer, s *stored) error { return png.Encode(w, toGo(s)) }

func encodeBMP(w io.Writer, s *stored) error { return bmp.Encode(w, toGo(s)) }

func encodeJPEG(w io.Writer, s *stored) error {
	return jpeg.Encode(w, toGo(s), &jpeg.Options{Quality: jpegQuality})
}
