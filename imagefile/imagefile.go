package imagefile

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"imgc/pixels"
	"imgc/types"
)

// A format is a row of the table of file formats.
type format struct {
	name     string
	ext      []string
	holds    string       // what it can hold, for messages
	kinds    []types.Kind // of samples that can be written; nil: all
	channels []int        // of pictures that can be written; nil: an array of any extents
	aside    bool         // left out where formats are offered: another name, or one that few programs read
	decode   func(source) (*stored, error)
	encode   func(io.Writer, *stored) error // nil: imgc reads it only
}

// A source is the whole of a file and what is known about it from outside.
type source struct {
	data   []byte
	layout *layout // of a raw file
}

var formats = []format{
	{"PNG", []string{".png"}, "8- and 16-bit grey, RGB and RGBA images", bits8or16, []int{1, 3, 4}, false, decodePNG, encodePNG},
	{"JPEG", []string{".jpg", ".jpeg", ".jpe", ".jfif"}, "8-bit grey and RGB images", bits8, []int{1, 3}, false, decodeJPEG, encodeJPEG},
	{"TIFF", []string{".tif", ".tiff"}, "8- and 16-bit grey, RGB and RGBA images", bits8or16, []int{1, 3, 4}, false, decodeTIFF, encodeTIFF},
	{"BMP", []string{".bmp", ".dib"}, "8-bit grey and RGB images", bits8, []int{1, 3}, false, decodeBMP, encodeBMP},
	{"PGM", []string{".pgm"}, "8- and 16-bit grey images", bits8or16, []int{1}, false, decodePNM, encodePNM},
	{"PPM", []string{".ppm"}, "8- and 16-bit RGB images", bits8or16, []int{3}, false, decodePNM, encodePNM},
	{"PNM", []string{".pnm"}, "8- and 16-bit grey and RGB images", bits8or16, []int{1, 3}, true, decodePNM, encodePNM},
	{"PAM", []string{".pam"}, "8- and 16-bit grey, RGB and RGBA images", bits8or16, []int{1, 2, 3, 4}, true, decodePNM, encodePAM},
	{"PBM", []string{".pbm"}, "black and white images", nil, nil, true, decodePNM, nil},
	{"PFM", []string{".pfm"}, "grey and RGB images of f32", []types.Kind{types.F32}, []int{1, 3}, false, decodePFM, encodePFM},
	{"NPY", []string{".npy"}, "arrays of any type", nil, nil, false, decodeNPY, encodeNPY},
	{"raw", []string{".raw"}, "arrays of any type", nil, nil, true, decodeRaw, encodeRaw},
}

var (
	bits8     = []types.Kind{types.U8}
	bits8or16 = []types.Kind{types.U8, types.U16}
)

// Extensions lists the file name extensions that Read and Write know.
func Extensions() []string {
	var all []string
	for _, f := range formats {
		all = append(all, f.ext...)
	}
	return all
}

// formatOf finds the format of a file by its extension. Name is for messages.
func formatOf(name, ext string) (*format, error) {
	for i := range formats {
		if slices.Contains(formats[i].ext, strings.ToLower(ext)) {
			return &formats[i], nil
		}
	}
	known := strings.Join(Extensions(), " ")
	if ext == "" {
		return nil, fmt.Errorf("%s: the extension says which format it has, and there is none; imgc knows %s", name, known)
	}
	return nil, fmt.Errorf("%s: %s is no image format that imgc knows; it knows %s", name, ext, known)
}

// Read reads the image in the file at path in the form that want asks for, as the package comment says. The zero Want
// takes the file as it is.
//
// A raw file says nothing about its contents, so its type follows the path, "in.raw:u8[1080][1920]", unless want fixes
// every extent. Errors begin with the file's name.
func Read(path string, want Want) (*pixels.Image, error) {
	file, typ := splitType(path)
	f, l, err := formatAndLayout(file, filepath.Ext(file), typ, want)
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(file); err == nil && info.Mode()&fs.ModeDevice != 0 {
		return nil, fmt.Errorf("%s is a device, no image file", file) // /dev/zero does not end
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fileError(file, err)
	}
	return f.read(file, source{data, l}, want)
}

// Decode is Read from a stream. Format is an extension with or without its dot: "png", "raw:u8[1080][1920]".
func Decode(r io.Reader, format string, want Want) (*pixels.Image, error) {
	const name = "standard input"
	ext, typ := splitType(dotted(format))
	f, l, err := formatAndLayout(name, ext, typ, want)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, fileError(name, err)
	}
	return f.read(name, source{data, l}, want)
}

func (f *format) read(name string, src source, want Want) (*pixels.Image, error) {
	if len(src.data) == 0 {
		return nil, fmt.Errorf("%s is empty", name)
	}
	s, err := f.decode(src)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, f.explain(src.data, err))
	}
	return s.fit(name, want)
}

// Encode writes m to a stream. Format and want are as for Decode and Write.
func Encode(w io.Writer, format string, m *pixels.Image, want Want) error {
	const name = "standard output"
	ext, typ := splitType(dotted(format))
	f, l, err := formatFor(name, ext, typ, want, m)
	if err != nil {
		return err
	}
	return f.write(w, name, m, want, l)
}

// write encodes m; nothing is written where the format cannot hold it.
func (f *format) write(w io.Writer, name string, m *pixels.Image, want Want, l *layout) error {
	if n, err := pixels.Size(m.Elem, m.Extent...); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	} else if n != len(m.Data) {
		return fmt.Errorf("%s: %s has %d bytes, not %d", name, m, n, len(m.Data))
	}
	if l != nil && !l.is(m) {
		return fmt.Errorf("%s: the image is %s, not %s", name, m, l)
	}
	s, err := f.store(name, m, want.of(m))
	if err != nil {
		return err
	}
	if err := f.encode(w, s); err != nil {
		return fileError(name, err)
	}
	return nil
}

func dotted(ext string) string {
	if strings.HasPrefix(ext, ".") {
		return ext
	}
	return "." + ext
}

// fileError puts the file's name in front of an error of the operating system, once.
func fileError(name string, err error) error {
	if p, ok := err.(*os.PathError); ok {
		err = p.Err
	}
	return fmt.Errorf("%s: %w", name, err)
}

// magics tells formats apart by their first bytes, for the message about a file with another format's extension.
var magics = []struct{ start, name string }{
	{"\x89PNG", "PNG"}, {"\xff\xd8\xff", "JPEG"}, {"II*\x00", "TIFF"}, {"MM\x00*", "TIFF"}, {"II+\x00", "TIFF"}, {"MM\x00+", "TIFF"}, {"BM", "BMP"},
	{"P2", "PGM"}, {"P5", "PGM"}, {"P3", "PPM"}, {"P6", "PPM"}, {"PF", "PFM"}, {"Pf", "PFM"}, {npyMagic, "NPY"},
	{"GIF8", "GIF"}, {"RIFF", "WebP"}, {"P1", "PBM"}, {"P4", "PBM"}, {"P7", "PAM"}, {"%PDF", "PDF"}, {"v/1\x01", "OpenEXR"},
}

// explain says what a file that could not be decoded may be, and words the errors that the decoders leave bare.
func (f *format) explain(data []byte, err error) error {
	for _, m := range magics {
		if strings.HasPrefix(string(data[:min(len(data), 8)]), m.start) {
			if m.name != f.name && !(isPNM(m.name) && isPNM(f.name)) {
				return fmt.Errorf("this is no %s file but looks like %s: %w", f.name, m.name, err)
			}
			break
		}
	}
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return fmt.Errorf("the %s file is truncated", f.name)
	}
	return err
}

// isPNM reports whether a file of any Netpbm format may have that name.
func isPNM(name string) bool {
	return slices.Contains([]string{"PBM", "PGM", "PPM", "PNM", "PAM"}, name)
}
