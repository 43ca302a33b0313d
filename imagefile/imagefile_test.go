package imagefile

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"imgc/pixels"
	"imgc/types"
)

// noise is an image of reproducible values; floats are finite.
func noise(t testing.TB, elem types.Type, extent ...int) *pixels.Image {
	t.Helper()
	m, err := pixels.New(elem, extent...)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(uint64(elem.Kind), uint64(m.Len())))
	for i := range m.Words() {
		v := int64(r.Uint64())
		if elem.Kind == types.Bool || elem.Kind.IsFloat() {
			v = v % 100
		}
		m.SetWord(i, types.Convert(types.Int(v), types.I64, elem.Kind))
	}
	return m
}

// typ parses "u8x3[2][5]".
func typ(t testing.TB, s string) (types.Type, []int) {
	t.Helper()
	elem, extent, err := ParseType(s)
	if err != nil {
		t.Fatal(err)
	}
	return elem, extent
}

// want makes a Want of a type with names or numbers as extents: "u8[3][H][W]".
func want(t testing.TB, s string) Want {
	t.Helper()
	name, rest, _ := strings.Cut(s, "[")
	elem, ok := types.Parse(name)
	if !ok {
		t.Fatalf("%q is no type", s)
	}
	w := Want{Name: "src", Elem: elem}
	for _, e := range strings.Split(strings.TrimSuffix(rest, "]"), "][") {
		n := -1
		fmt.Sscan(e, &n)
		w.Fixed, w.Extent, w.Rank = append(w.Fixed, n), append(w.Extent, e), w.Rank+1
	}
	return w
}

func same(a, b *pixels.Image) bool {
	return a.String() == b.String() && bytes.Equal(a.Data, b.Data)
}

// roundTrips lists for each extension the types that it holds without loss.
var roundTrips = map[string][]string{
	"png":  {"u8[5][7]", "u16[5][7]", "u8x3[5][7]", "u16x3[5][7]", "u8x4[5][7]", "u16x4[5][7]", "u8[5][7][3]", "u8[3][5][7]", "u16[4][5][7]", "u8[1][1]", "u8[5][7][1]"},
	"tif":  {"u8[5][7]", "u16[5][7]", "u8x3[5][7]", "u16x3[5][7]", "u8x4[5][7]", "u16x4[5][7]", "u8[5][7][4]", "u8[1][1]"},
	"tiff": {"u8[5][7]"},
	"bmp":  {"u8[5][7]", "u8x3[5][7]", "u8x3[5][8]", "u8[3][5][7]", "u8[1][1]"},
	"pgm":  {"u8[5][7]", "u16[5][7]", "u8[1][1]"},
	"ppm":  {"u8x3[5][7]", "u16x3[5][7]", "u8[5][7][3]", "u8[3][5][7]"},
	"pnm":  {"u8[5][7]", "u16x3[5][7]"},
	"pam":  {"u8[5][7]", "u16x3[5][7]", "u8x4[5][7]", "u16x2[5][7]"},
	"pfm":  {"f32[5][7]", "f32x3[5][7]", "f32[3][5][7]"},
	"npy": {"bool[5][7]", "i8[5][7]", "i16[5]", "i32[5][7]", "i64[2][3][4][5]", "u8[5][7]", "u16[5][7]", "u32[256]", "u64[5][7]",
		"f16[5][7]", "bf16[5][7]", "f32[5][7]", "f64[5][7]", "u8x3[5][7]", "f32x2[9]", "f16x4[2][3][4][5]", "u8[3][5][7]", "f64[1]"},
	"raw": {"bool[5][7]", "i16[5]", "u8x3[5][7]", "f64[2][3][4][5]", "bf16[5][7]"},
}

func TestWriteThenReadGivesTheSameImage(t *testing.T) {
	dir := t.TempDir()
	for ext, specs := range roundTrips {
		for _, spec := range specs {
			elem, extent := typ(t, spec)
			m := noise(t, elem, extent...)
			w := Want{Elem: elem, Rank: len(extent), Fixed: extent}
			path := filepath.Join(dir, "image."+ext)
			if err := Check(path, w); err != nil {
				t.Errorf("%s: Check refuses %s: %v", ext, spec, err)
			}
			if err := Write(path, m, w); err != nil {
				t.Errorf("%s: %v", spec, err)
				continue
			}
			got, err := Read(path, w)
			if err != nil {
				t.Errorf("%s: %v", spec, err)
			} else if !same(m, got) {
				t.Errorf("%s as %s: the image changed", spec, ext)
			}
			var b bytes.Buffer
			if err := Encode(&b, ext, m, w); err != nil {
				t.Errorf("Encode %s as %s: %v", spec, ext, err)
			}
			if got, err := Decode(&b, "."+ext, w); err != nil || !same(m, got) {
				t.Errorf("Decode %s as %s: %v", spec, ext, err)
			}
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*.tmp")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestJPEGComesBackNearlyTheSame(t *testing.T) {
	for _, spec := range []string{"u8[40][50]", "u8x3[40][50]"} {
		elem, extent := typ(t, spec)
		m, _ := pixels.New(elem, extent...)
		for i := range m.Data { // a ramp
			m.Data[i] = byte(i / int(elem.Lanes) % 50 * 4)
		}
		var b bytes.Buffer
		if err := Encode(&b, "jpg", m, Want{}); err != nil {
			t.Fatal(err)
		}
		got, err := Decode(&b, "jpeg", want(t, strings.Replace(spec, "[40][50]", "[H][W]", 1)))
		if err != nil {
			t.Fatal(err)
		}
		for i := range m.Data {
			if d := int(m.Data[i]) - int(got.Data[i]); d < -6 || d > 6 {
				t.Fatalf("%s: sample %d is %d, was %d", spec, i, got.Data[i], m.Data[i])
			}
		}
	}
}

// pictures are small files for the matching rules, as hand-written PPM, PGM, PFM and, for alpha, NRGBA PNG.
func pictureFile(t testing.TB, spec string, data ...byte) []byte {
	t.Helper()
	elem, extent := typ(t, spec)
	var b bytes.Buffer
	m := &pixels.Image{Elem: elem, Extent: extent, Data: data}
	if err := Encode(&b, "png", m, Want{}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestPictureFitsParameter(t *testing.T) {
	grey := pictureFile(t, "u8[1][2]", 10, 20)
	rgb := pictureFile(t, "u8x3[1][2]", 1, 2, 3, 4, 5, 6)
	opaque := pictureFile(t, "u16x4[1][1]", 1, 0, 2, 0, 3, 0, 255, 255)
	clear := pictureFile(t, "u8x4[1][2]", 1, 2, 3, 4, 5, 6, 7, 255)
	floats := func(v ...float64) []byte {
		m, _ := pixels.New(types.Scalar(types.F32), len(v))
		for i, x := range v {
			m.SetWord(i, types.Float(x))
		}
		return m.Data
	}
	for _, c := range []struct {
		file []byte
		want string
		data []byte // nil: the message
		text string // the type, or the message
	}{
		{grey, "u8[H][W]", []byte{10, 20}, "u8[1][2]"},
		{grey, "u8x3[H][W]", []byte{10, 10, 10, 20, 20, 20}, "u8x3[1][2]"},
		{grey, "u8x4[H][W]", []byte{10, 10, 10, 255, 20, 20, 20, 255}, "u8x4[1][2]"},
		{grey, "f32[H][W]", floats(10, 20), "f32[1][2]"},
		{grey, "u8[H][W][1]", []byte{10, 20}, "u8[1][2][1]"},
		{grey, "u8[1][2]", []byte{10, 20}, "u8[1][2]"},
		{rgb, "u8x3[H][W]", []byte{1, 2, 3, 4, 5, 6}, "u8x3[1][2]"},
		{rgb, "u8[H][W][3]", []byte{1, 2, 3, 4, 5, 6}, "u8[1][2][3]"},
		{rgb, "u8[3][H][W]", []byte{1, 4, 2, 5, 3, 6}, "u8[3][1][2]"},
		{rgb, "u8x4[H][W]", []byte{1, 2, 3, 255, 4, 5, 6, 255}, "u8x4[1][2]"},
		{rgb, "u8[4][H][W]", []byte{1, 4, 2, 5, 3, 6, 255, 255}, "u8[4][1][2]"},
		{rgb, "f32x4[H][W]", floats(1, 2, 3, 255, 4, 5, 6, 255), "f32x4[1][2]"},
		{opaque, "u16x3[H][W]", []byte{1, 0, 2, 0, 3, 0}, "u16x3[1][1]"},
		{opaque, "f32x3[H][W]", floats(1, 2, 3), "f32x3[1][1]"},

		{rgb, "u8[H][W]", nil, "standard input has 3 channels (u8x3[1][2]); parameter src wants u8[H][W]: convert it to grey first, or declare src as u8x3[H][W]"},
		{rgb, "f32[H][W]", nil, "standard input has 3 channels (u8x3[1][2]); parameter src wants f32[H][W]: convert it to grey first, or declare src as f32x3[H][W]"},
		{clear, "u8x3[H][W]", nil, "standard input has 4 channels (u8x4[1][2]); parameter src wants u8x3[H][W], and its alpha is not opaque everywhere: flatten it first, or declare src as u8x4[H][W]"},
		{clear, "u8[3][H][W]", nil, "standard input has 4 channels (u8x4[1][2]); parameter src wants u8[3][H][W], and its alpha is not opaque everywhere: flatten it first"},
		{grey, "u16[H][W]", nil, "standard input is u8[1][2]; parameter src wants u16[H][W]: declare src as u8[H][W], or convert the file to u16 first"},
		{opaque, "f16x3[H][W]", nil, "standard input is u16x3[1][1]; parameter src wants f16x3[H][W]: declare src as u16x3[H][W], or convert the file to f16 first"},
		{grey, "u8[H][640]", nil, "standard input is u8[1][2]; parameter src wants u8[H][640]: extent 1 must be 640, not 2"},
		{rgb, "u8[3][8][W]", nil, "standard input is u8x3[1][2]; parameter src wants u8[3][8][W]: extent 1 must be 8, not 1"},
		{grey, "u8[N]", nil, "standard input is a picture (u8[1][2]); parameter src wants u8[N], which a picture cannot fill: use a .npy or .raw file"},
		{rgb, "u8[D][H][W]", nil, "standard input is a picture (u8x3[1][2]); parameter src wants u8[D][H][W], which a picture cannot fill: use a .npy or .raw file"},
		{rgb, "u8x2[H][W]", nil, "standard input has 3 channels (u8x3[1][2]); parameter src wants u8x2[H][W], which no picture fills: use a .npy or .raw file"},
	} {
		m, err := Decode(bytes.NewReader(c.file), "png", want(t, c.want))
		switch {
		case c.data == nil && err == nil:
			t.Errorf("%s: no error", c.want)
		case c.data == nil && err.Error() != c.text:
			t.Errorf("%s:\n got %v\nwant %s", c.want, err, c.text)
		case c.data != nil && err != nil:
			t.Errorf("%s: %v", c.want, err)
		case c.data != nil && (m.String() != c.text || !bytes.Equal(m.Data, c.data)):
			t.Errorf("%s: got %s %v, want %s %v", c.want, m, m.Data, c.text, c.data)
		}
	}
}

func TestArrayFitsParameter(t *testing.T) {
	for _, c := range []struct{ file, want, message string }{
		{"u8[4][5][3]", "u8x3[H][W]", ""},
		{"u8[4][5][1]", "u8[H][W]", ""},
		{"u8[4][5][3][1]", "u8x3[H][W]", ""},
		{"u8[4][1]", "u8[N]", ""},
		{"u8x3[4][5]", "u8[H][W][3]", ""},
		{"f16[4][5]", "f32[H][W]", ""},
		{"f32[4]", "f64[N]", ""},
		{"i16[4]", "f32[N]", ""},
		{"u32[4]", "f64[N]", ""},
		{"f64[4][5]", "f32[H][W]", "a.npy is f64[4][5]; parameter src wants f32[H][W]: declare src as f64[H][W], or convert the file to f32 first"},
		{"i32[4]", "f32[N]", "a.npy is i32[4]; parameter src wants f32[N]: declare src as i32[N], or convert the file to f32 first"},
		{"u8[4]", "u16[N]", "a.npy is u8[4]; parameter src wants u16[N]: declare src as u8[N], or convert the file to u16 first"},
		{"u8[4][5]", "u8x3[H][W]", "a.npy is u8[4][5]; parameter src wants u8x3[H][W], which a file holds as 3 extents, the last one 3; this has 2"},
		{"u8[4][5][4]", "u8x3[H][W]", "a.npy is u8[4][5][4]; parameter src wants u8x3[H][W], which a file holds with a last extent of 3, not 4"},
		{"u8[4][5][4]", "u8[H][W]", "a.npy is u8[4][5][4]; parameter src wants u8[H][W]: 3 extents, not 2"},
		{"u8[4]", "u8[H][W]", "a.npy is u8[4]; parameter src wants u8[H][W]: 1 extent, not 2"},
		{"u8[255]", "u8[256]", "a.npy is u8[255]; parameter src wants u8[256]: extent 0 must be 256, not 255"},
		{"u8x3[4][5]", "u8x3[3][W]", "a.npy is u8[4][5][3]; parameter src wants u8x3[3][W]: extent 0 must be 3, not 4"},
	} {
		elem, extent := typ(t, c.file)
		m := noise(t, elem, extent...)
		path := filepath.Join(t.TempDir(), "a.npy")
		if err := Write(path, m, Want{}); err != nil {
			t.Fatal(err)
		}
		got, err := Read(path, want(t, c.want))
		if c.message == "" {
			if err != nil {
				t.Errorf("%s as %s: %v", c.file, c.want, err)
			} else if i := 3; got.Word(i) != types.Convert(m.Word(i), elem.Kind, got.Elem.Kind) {
				t.Errorf("%s as %s: a value changed", c.file, c.want)
			}
			continue
		}
		if err == nil || strings.TrimPrefix(err.Error(), filepath.Dir(path)+"/") != c.message {
			t.Errorf("%s as %s:\n got %v\nwant %s", c.file, c.want, err, c.message)
		}
	}
}

func TestWriteSaysWhatWouldFit(t *testing.T) {
	for _, c := range []struct{ path, spec, message string }{
		{"out.png", "f32[4][5]", "out.png: PNG holds 8- and 16-bit grey, RGB and RGBA images, not f32[4][5]: write .pfm or .npy, or convert in the program with sat<u8>(...)"},
		{"out.png", "f32x4[4][5]", "out.png: PNG holds 8- and 16-bit grey, RGB and RGBA images, not f32x4[4][5]: write .npy, or convert in the program with sat<u8>(...)"},
		{"out.png", "bool[4][5]", "out.png: PNG holds 8- and 16-bit grey, RGB and RGBA images, not bool[4][5]: write .npy, or make it u8 in the program, as in m ? 255 : 0"},
		{"out.png", "u8x2[4][5]", "out.png: PNG holds 8- and 16-bit grey, RGB and RGBA images, not u8x2[4][5]: write .npy"},
		{"out.png", "u8[256]", "out.png: PNG holds 8- and 16-bit grey, RGB and RGBA images, not u8[256]: write .npy, which holds any type and any extents"},
		{"out.jpg", "u16[4][5]", "out.jpg: JPEG holds 8-bit grey and RGB images, not u16[4][5]: write .png or .tif or .pgm or .npy, or convert in the program with sat<u8>(...)"},
		{"out.jpg", "u8x4[4][5]", "out.jpg: JPEG holds 8-bit grey and RGB images, not u8x4[4][5]: its alpha is not opaque everywhere; write .png or .tif or .npy"},
		{"out.pgm", "u8x3[4][5]", "out.pgm: PGM holds 8- and 16-bit grey images, not u8x3[4][5]: write .png or .jpg or .tif or .bmp or .ppm or .npy"},
		{"out.pfm", "u8[4][5]", "out.pfm: PFM holds grey and RGB images of f32, not u8[4][5]: write .png or .jpg or .tif or .bmp or .pgm or .npy, or convert to f32 in the program"},
		{"out.pbm", "u8[4][5]", "out.pbm: imgc reads PBM files and writes none: write .png or .jpg or .tif or .bmp or .pgm or .npy"},
		{"out.xyz", "u8[4][5]", "out.xyz: .xyz is no image format that imgc knows; it knows .png .jpg .jpeg .jpe .jfif .tif .tiff .bmp .dib .pgm .ppm .pnm .pam .pbm .pfm .npy .raw"},
		{"out", "u8[4][5]", "out: the extension says which format it has, and there is none; imgc knows .png .jpg .jpeg .jpe .jfif .tif .tiff .bmp .dib .pgm .ppm .pnm .pam .pbm .pfm .npy .raw"},
		{"out.png:u8[4][5]", "u8[4][5]", "out.png: only a .raw file takes a type (u8[4][5]); PNG files say themselves what they hold"},
		{"out.raw:u8[5][4]", "u8[4][5]", "out.raw: the image is u8[4][5], not u8[5][4]"},
	} {
		t.Chdir(t.TempDir())
		elem, extent := typ(t, c.spec)
		err := Write(c.path, noise(t, elem, extent...), Want{})
		if err == nil || err.Error() != c.message {
			t.Errorf("%s to %s:\n got %v\nwant %s", c.spec, c.path, err, c.message)
		}
		if left, _ := os.ReadDir("."); len(left) > 0 {
			t.Errorf("%s to %s left %v behind", c.spec, c.path, left)
		}
	}
}

func TestOpaqueAlphaIsDroppedWhereAFormatHasNone(t *testing.T) {
	m, _ := pixels.New(types.Vector(types.U8, 4), 2, 3)
	for i := range m.Data {
		m.Data[i] = byte(i)
		if i%4 == 3 {
			m.Data[i] = 255
		}
	}
	for _, ext := range []string{"ppm", "bmp"} {
		var b bytes.Buffer
		if err := Encode(&b, ext, m, Want{}); err != nil {
			t.Fatal(err)
		}
		if got, err := Decode(&b, ext, want(t, "u8x4[H][W]")); err != nil || !same(m, got) {
			t.Errorf("%s: %v", ext, err)
		}
	}
}

func TestWantTellsPlanarFromInterleaved(t *testing.T) {
	m := noise(t, types.Scalar(types.U8), 3, 5, 4) // planar, and four pixels wide
	var b bytes.Buffer
	planar := want(t, "u8[3][H][W]")
	if err := Encode(&b, "png", m, planar); err != nil {
		t.Fatal(err)
	}
	got, err := Decode(&b, "png", planar)
	if err != nil || !same(m, got) {
		t.Errorf("the image changed to %v: %v", got, err)
	}
}

func TestRawNeedsAType(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("in.raw", []byte{1, 2, 3, 4, 5, 6}, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ path, want, message string }{
		{"in.raw:u8[2][3]", "u8[H][W]", ""},
		{"in.raw:u16[3]", "u16[N]", ""},
		{"in.raw:u8x3[2]", "u8[N][3]", ""},
		{"in.raw", "u8[2][3]", ""},
		{"in.raw", "u8[H][3]", "in.raw: a .raw file does not say how large it is; write its type behind its name, like in.raw:u8[1080][1920]"},
		{"in.raw:u8[2][4]", "u8[H][W]", "in.raw: u8[2][4] takes 8 bytes, and the file has 6"},
		{"in.raw:u8[2][3]", "u8[N]", "in.raw is u8[2][3]; parameter src wants u8[N]: 2 extents, not 1"},
		{"in.raw:u9[2][3]", "u8[H][W]", `in.raw: "u9[2][3]" is no type; a type looks like u8[1080][1920] or f32x3[480][640]`},
		{"in.raw:u8[2][x]", "u8[H][W]", `in.raw: "u8[2][x]": the extent "x" is no number`},
		{"in.raw:u8[0]", "u8[N]", `in.raw: "u8[0]": extent 0 is 0; every extent must be at least 1`},
		{"in.raw:u8[99999999999][99999999999]", "u8[H][W]", `in.raw: "u8[99999999999][99999999999]": an image of u8 with extents [99999999999 99999999999] is too large`},
		{"no.raw:u8[2][3]", "u8[H][W]", "no.raw: no such file or directory"},
	} {
		_, err := Read(c.path, want(t, c.want))
		if got := fmt.Sprint(err); got != c.message && (err != nil || c.message != "") {
			t.Errorf("%s:\n got %s\nwant %s", c.path, got, c.message)
		}
	}
}

func TestWriteReplacesAndKeepsPermissions(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("permissions and links of Unix")
	}
	t.Chdir(t.TempDir())
	m := noise(t, types.Scalar(types.U8), 4, 5)
	mode := func(name string) os.FileMode {
		info, err := os.Lstat(name)
		if err != nil {
			t.Fatal(err)
		}
		return info.Mode()
	}
	if err := os.WriteFile("plain", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := Write("new.png", m, Want{}); err != nil || mode("new.png") != mode("plain") {
		t.Errorf("a new file has mode %v, not the umask's %v (%v)", mode("new.png"), mode("plain"), err)
	}
	if err := os.Chmod("new.png", 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("new.png", "link.png"); err != nil {
		t.Fatal(err)
	}
	if err := Write("link.png", noise(t, types.Scalar(types.U8), 2, 2), Want{}); err != nil {
		t.Fatal(err)
	}
	if mode("link.png")&os.ModeSymlink == 0 || mode("new.png").Perm() != 0o640 {
		t.Errorf("the link or the permissions were lost: %v, %v", mode("link.png"), mode("new.png"))
	}
	if got, err := Read("new.png", Want{}); err != nil || got.String() != "u8[2][2]" {
		t.Errorf("the link's target holds %v: %v", got, err)
	}
	if err := Write(".png/", m, Want{}); err == nil {
		t.Error("wrote to a folder that does not exist")
	}
	os.Mkdir("folder.png", 0o777)
	if err := Write("folder.png", m, Want{}); err == nil || err.Error() != "folder.png is a folder" {
		t.Errorf("writing to a folder: %v", err)
	}
}

func TestStagedImagesAppearTogetherOrNotAtAll(t *testing.T) {
	t.Chdir(t.TempDir())
	m := noise(t, types.Scalar(types.U8), 4, 5)
	a, err := Stage("a.png", m, Want{})
	if err != nil {
		t.Fatal(err)
	}
	b, err := Stage("b.png", m, Want{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat("a.png"); err == nil {
		t.Error("a.png is there before Commit")
	}
	b.Discard()
	if err := a.Commit(); err != nil {
		t.Error(err)
	}
	if a.Commit() != nil || b.Commit() != nil {
		t.Error("a second Commit fails")
	}
	files, _ := filepath.Glob("*")
	hidden, _ := filepath.Glob(".*.tmp")
	if fmt.Sprint(files) != "[a.png]" || len(hidden) > 0 {
		t.Errorf("left: %v %v", files, hidden)
	}
}
