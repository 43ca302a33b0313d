package imagefile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"imgc/types"
)

// samples are small valid files, one for each format and form.
func samples(t testing.TB) map[string][]byte {
	files := map[string][]byte{
		"text.pgm":     []byte("P2 # comment\n3 2\n# another\n9\n1 2 3\n4 5 9\n"),
		"text.ppm":     []byte("P3\n1 2\n1000\n1 2 3\n4 5 1000\n"),
		"ten bits.pgm": []byte("P5 2 1 1023\n\x03\xff\x00\x01"),
		"big.pfm":      []byte("PF\n1 1\n2.5\n?\x80\x00\x00@\x00\x00\x00@@\x00\x00"),
		"fortran.npy":  npyFile("{'descr': '>i2', 'fortran_order': True, 'shape': (2, 3)}", make([]byte, 12)),
	}
	for ext, specs := range roundTrips {
		for _, spec := range specs {
			if ext == "raw" || spec == "f16x4[2][3][4][5]" { // five extents in the file fit a vector only
				continue
			}
			elem, extent := typ(t, spec)
			var b bytes.Buffer
			if err := Encode(&b, ext, noise(t, elem, extent...), Want{}); err != nil {
				t.Fatal(err)
			}
			files[spec+"."+ext] = b.Bytes()
		}
	}
	for _, spec := range []string{"u8[9][9]", "u8x3[9][9]"} {
		elem, extent := typ(t, spec)
		var b bytes.Buffer
		if err := Encode(&b, "jpg", noise(t, elem, extent...), Want{}); err != nil {
			t.Fatal(err)
		}
		files[spec+".jpg"] = b.Bytes()
	}
	return files
}

func npyFile(header string, body []byte) []byte {
	n := binary.LittleEndian.AppendUint16([]byte("\x93NUMPY\x01\x00"), uint16(len(header)))
	return append(append(n, header...), body...)
}

func extensionOf(name string) string { return name[strings.LastIndexByte(name, '.'):] }

func TestTruncatedFilesAreErrors(t *testing.T) {
	for name, file := range samples(t) {
		whole, err := Decode(bytes.NewReader(file), extensionOf(name), Want{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		// The last digits of text, or bytes that mean nothing, may be gone without notice.
		tail := map[string]int{".pgm": 2, ".ppm": 4}[extensionOf(name)]
		if !strings.HasPrefix(name, "text") {
			tail = 0
		}
		for n := range file {
			m, err := Decode(bytes.NewReader(file[:n]), extensionOf(name), Want{})
			switch {
			case err == nil && n < len(file)-tail:
				t.Errorf("%s: %d of %d bytes are read as %s", name, n, len(file), m)
			case err == nil && m.String() != whole.String():
				t.Errorf("%s: %d of %d bytes are read as %s, the whole as %s", name, n, len(file), m, whole)
			case err != nil && !strings.HasPrefix(err.Error(), "standard input"):
				t.Errorf("%s: %d of %d bytes: the error %q does not name the file", name, n, len(file), err)
			}
		}
	}
}

// A flipped byte is either noticed or changes some pixels; nothing panics.
func TestDamagedFilesDoNotPanic(t *testing.T) {
	for name, file := range samples(t) {
		for i := range file {
			for _, flip := range []byte{1, 0x80, 0xff} {
				bad := bytes.Clone(file)
				bad[i] ^= flip
				if m, err := Decode(bytes.NewReader(bad), extensionOf(name), Want{}); err == nil && len(m.Data) != m.Words()*m.Elem.Kind.Bytes() {
					t.Fatalf("%s with byte %d changed: %s has %d bytes", name, i, m, len(m.Data))
				}
			}
		}
	}
}

// pngHeader claims a size in a file that ends after it.
func pngHeader(w, h uint32, depth, colour byte) []byte {
	chunk := binary.BigEndian.AppendUint32([]byte("IHDR"), w)
	chunk = append(binary.BigEndian.AppendUint32(chunk, h), depth, colour, 0, 0, 0)
	file := append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0d"), chunk...)
	file = binary.BigEndian.AppendUint32(file, crc32.ChecksumIEEE(chunk))
	return append(file, "\x00\x00\x10\x00IDAT\x78\x9c\x00\x00"...)
}

func tiffHeader(w, h uint32, compression uint16) []byte {
	var b bytes.Buffer
	b.WriteString("II*\x00\x08\x00\x00\x00\x08\x00")
	for _, e := range [][2]uint32{{256, w}, {257, h}, {258, 8}, {259, uint32(compression)}, {262, 1}, {273, 8}, {278, h}, {279, 4}} {
		binary.Write(&b, binary.LittleEndian, []uint16{uint16(e[0]), tiffLong})
		binary.Write(&b, binary.LittleEndian, []uint32{1, e[1]})
	}
	b.WriteString("\x00\x00\x00\x00")
	return b.Bytes()
}

func bmpHeader(w, h uint32) []byte {
	b := make([]byte, 54)
	copy(b, "BM")
	b[10], b[14], b[26], b[28] = 54, 40, 1, 24
	binary.LittleEndian.PutUint32(b[18:], w)
	binary.LittleEndian.PutUint32(b[22:], h)
	return b
}

func TestLyingHeadersTakeNoMemory(t *testing.T) {
	const k32 = 32000
	for name, file := range map[string][]byte{
		"a.png":    pngHeader(k32, k32, 8, 6),
		"b.png":    pngHeader(1<<31-1, 1<<31-1, 16, 6),
		"a.jpg":    []byte("\xff\xd8\xff\xc0\x00\x0b\x08\x7d\x00\x7d\x00\x01\x01\x11\x00\xff\xda\x00\x08\x01\x01\x00\x00\x3f\x00\x00\x00"),
		"a.tif":    tiffHeader(k32, k32, 1),
		"b.tif":    tiffHeader(k32, k32, 8),
		"c.tif":    tiffHeader(1<<16-1, 1<<16, 4),
		"d.tif":    tiffHeader(1<<32-1, 1, 4),
		"e.tif":    tiffHeader(1<<32-1, 1<<32-1, 5),
		"a.bmp":    bmpHeader(k32, k32),
		"b.bmp":    bmpHeader(1<<31-1, 1<<31-1),
		"a.pgm":    []byte("P5 100000 100000 255\n.."),
		"b.pgm":    []byte("P2 100000 100000 255\n1 2"),
		"c.pgm":    []byte("P5 2147483647 2147483647 65535\n1 2"),
		"a.pfm":    []byte("PF\n100000 100000\n-1\n...."),
		"a.npy":    npyFile("{'descr': '<f4', 'fortran_order': False, 'shape': (100000, 100000), }", make([]byte, 8)),
		"b.npy":    npyFile("{'descr': '<f8', 'fortran_order': True, 'shape': (4294967296, 4294967296, 2)}", nil),
		"c.npy":    []byte("\x93NUMPY\x02\x00\xff\xff\xff\xff{'descr'"),
		"deep.npy": npyFile(strings.Repeat("(", 60000), nil),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		m, err := Decode(bytes.NewReader(file), extensionOf(name), Want{})
		runtime.ReadMemStats(&after)
		if err == nil {
			t.Errorf("%s: read as %s", name, m)
		} else if !strings.Contains(err.Error(), "truncated") && !strings.Contains(err.Error(), "large") && !strings.Contains(err.Error(), "overflow") && !strings.Contains(err.Error(), "damaged") && !strings.Contains(err.Error(), "not supported") {
			t.Errorf("%s: the message does not say what is wrong: %v", name, err)
		}
		if grown := after.TotalAlloc - before.TotalAlloc; grown > 8<<20 {
			t.Errorf("%s: %d MB were allocated for a file of %d bytes", name, grown>>20, len(file))
		}
	}
}

func TestDamagedFilesHaveClearMessages(t *testing.T) {
	png := samples(t)["u8[5][7].png"]
	for _, c := range []struct{ ext, file, message string }{
		{"png", "", "standard input is empty"},
		{"png", string(png[:40]), "standard input: the PNG file is truncated"},
		{"png", "P5 1 1 255\n1", "standard input: this is no PNG file but looks like PGM: png: invalid format: not a PNG file"},
		{"pgm", string(png), `standard input: this is no PGM file but looks like PNG: it does not begin with P1 to P7`},
		{"pgm", "P5 2 2 255\n123", "standard input: the file is truncated: 2 x 2 needs 4 bytes of pixels, and there are 3"},
		{"pgm", "P5 2 0 255\n123", "standard input: its size is 0 x 2: it holds no pixels"},
		{"pgm", "P5 2 1 0\n12", "standard input: the largest sample is 0"},
		{"pgm", "P5 2 1 65536\n12", "standard input: the largest sample is larger than 65535"},
		{"pgm", "P5 2 x 255\n12", `standard input: the height is no number but begins with 'x'`},
		{"pgm", "P5 2 1 3\n\x01\x04", "standard input: sample 2 of 2 is 4, and the header says that the largest is 3"},
		{"pgm", "P2 2 1 3\n1 4", "standard input: a sample is larger than 3 (number 2 of 2)"},
		{"pgm", "P2 3 1 3\n1 2  ", "standard input: the file is truncated: it ends before a sample (number 3 of 3)"},
		{"pfm", "PF\n1 1\n0\n............", `standard input: the scale, whose sign says the byte order, is "0"`},
		{"pfm", "PF\n1 1\n-1\n...........", "standard input: the file is truncated: 1 x 1 needs 12 bytes of pixels, and there are 11"},
		{"npy", "\x93NUMPY\x04\x00\x00\x00\x00\x00", "standard input: version 4.0 of the format is not known; 1, 2 and 3 are"},
		{"npy", string(npyFile("{'descr': '<c8', 'fortran_order': False, 'shape': (1,)}", make([]byte, 8))), `standard input: the array's type is "<c8"; imgc reads b1, i1 to i8, u1 to u8, f2 to f8, and V2 as bf16`},
		{"npy", string(npyFile("{'descr': [('a', '<i2')], 'fortran_order': False, 'shape': (1,)}", nil)), "standard input: it holds records of several fields; imgc reads arrays of one type"},
		{"npy", string(npyFile("{'descr': '<i2', 'fortran_order': False, 'shape': ()}", nil)), "standard input: the array has 0 extents; an image has 1 to 4"},
		{"npy", string(npyFile("{'descr': '<i2', 'fortran_order': False, 'shape': (2, 0)}", nil)), "standard input: its size is 2 x 0: it holds no pixels"},
		{"npy", string(npyFile("{'descr': '<i2', 'fortran_order': False, 'shape': (1,)}", make([]byte, 5))), "standard input: 3 bytes follow the array of 1"},
		{"npy", string(npyFile("{'descr': '<i2', 'shape': (1,)}", nil)), "standard input: the header does not say the order ('fortran_order')"},
		{"npy", string(npyFile("{'descr': '<i2' 'shape'}", nil)), `standard input: the header is damaged: '\'' at byte 16 is out of place`},
		{"npy", string(npyFile("{'descr': '<i2", nil)), "standard input: the header is damaged: a string does not end"},
		{"bmp", "BM", "standard input: the BMP file is truncated"},
		{"tif", "II+\x00\x08\x00\x00\x00", "standard input: the TIFF file is truncated"},
		{"tif", "II+\x00\x04\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00", "standard input: the file is damaged: the offsets of a BigTIFF have 8 bytes"},
		{"pbm", "P1 2 1 12", "standard input: sample 2 of 2 is '2', not 0 or 1"},
		{"pbm", "P4 9 1\nA", "standard input: the file is truncated: 1 needs 2 bytes of pixels, and there are 1"},
		{"pgm", "P5 1 1 255\nAP5 1 1 255\nB", "standard input: it holds several images, one behind the other; save the one you mean as a file of its own"},
		{"pam", "P7\nWIDTH 1\nHEIGHT 1\nDEPTH 1\nENDHDR\nA", "standard input: its header has no line MAXVAL"},
		{"pam", "P7\nSIZE 1\nENDHDR\nA", `standard input: its header has the line "SIZE", which a PAM has not`},
		{"tif", string(tiffHeader(2, 2, 7)), "standard input: its compression (number 7) is not supported; none, LZW, Deflate and PackBits are"},
	} {
		_, err := Decode(strings.NewReader(c.file), c.ext, Want{})
		if fmt.Sprint(err) != c.message {
			t.Errorf("%s:\n got %v\nwant %s", c.ext, err, c.message)
		}
	}
}

func TestReadErrorsNameTheStream(t *testing.T) {
	_, err := Decode(iotest.ErrReader(errors.New("the cable is gone")), "png", Want{})
	if fmt.Sprint(err) != "standard input: the cable is gone" {
		t.Error(err)
	}
}

func TestNPYHeadersOfOtherWriters(t *testing.T) {
	body := []byte{1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0}
	for _, c := range []struct{ header, typ string }{
		{`{"shape": (2L, 3L), "fortran_order": False, "descr": "<u2"}`, "u16[2][3]"},
		{"{'descr':'=u2','fortran_order':False,'shape':[2,3],}  \n", "u16[2][3]"},
		{"{'descr': '|V2', 'fortran_order': False, 'shape': (6,), 'extra': None}", "bf16[6]"},
	} {
		m, err := Decode(bytes.NewReader(npyFile(c.header, body)), "npy", Want{})
		if err != nil || m.String() != c.typ || !bytes.Equal(m.Data, body) {
			t.Errorf("%s: %v, %v", c.header, m, err)
		}
	}
	fortran := npyFile("{'descr': '<u2', 'fortran_order': True, 'shape': (2, 3)}", body)
	if m, err := Decode(bytes.NewReader(fortran), "npy", Want{}); err != nil || !bytes.Equal(m.Data, []byte{1, 0, 3, 0, 5, 0, 2, 0, 4, 0, 6, 0}) {
		t.Errorf("Fortran order: %v, %v", m, err)
	}
	bools := npyFile("{'descr': '|b1', 'fortran_order': False, 'shape': (3,)}", []byte{0, 1, 7})
	if m, err := Decode(bytes.NewReader(bools), "npy", Want{}); err != nil || !bytes.Equal(m.Data, []byte{0, 1, 1}) {
		t.Errorf("bools: %v, %v", m, err)
	}
}

func TestPFMByteOrderAndRows(t *testing.T) {
	m, err := Decode(strings.NewReader("Pf\n1 2\n1.0\n?\x80\x00\x00@\x00\x00\x00"), "pfm", Want{})
	if err != nil || m.Word(0).Float() != 2 || m.Word(1).Float() != 1 {
		t.Errorf("big-endian, from the bottom: %v, %v", m, err)
	}
}

func fuzz(f *testing.F, ext string) {
	for name, file := range samples(f) {
		if e := extensionOf(name); (e == ext || e == ".ppm" && ext == ".pgm") && len(file) < 1000 {
			f.Add(file)
		}
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		m, err := Decode(bytes.NewReader(file), ext, Want{})
		if err != nil {
			return
		}
		if len(m.Data) != m.Words()*m.Elem.Kind.Bytes() || len(m.Data) > 4*len(file) {
			t.Fatalf("%s has %d bytes from a file of %d", m, len(m.Data), len(file))
		}
		var b bytes.Buffer
		again := ext
		if ext == ".pgm" && m.Elem.Lanes == 3 {
			again = ".ppm"
		}
		if err := Encode(&b, again, m, Want{}); err != nil {
			t.Fatal(err)
		}
		if back, err := Decode(&b, ext, Want{}); err != nil || !same(m, back) {
			t.Fatalf("%s comes back as %s: %v", m, back, err)
		}
	})
}

func FuzzNPY(f *testing.F) { fuzz(f, ".npy") }
func FuzzPNM(f *testing.F) { fuzz(f, ".pgm") }
func FuzzPFM(f *testing.F) { fuzz(f, ".pfm") }

// The decoders of other modules are fuzzed for what this package adds: checks, guards and conversions.
func FuzzPictures(f *testing.F) {
	pictures := []string{".png", ".jpg", ".tif", ".bmp"}
	for name, file := range samples(f) {
		for i, ext := range pictures {
			if extensionOf(name) == ext {
				f.Add(file, byte(i))
			}
		}
	}
	w := Want{Elem: types.Vector(types.F32, 4), Rank: 2}
	f.Fuzz(func(t *testing.T, file []byte, format byte) {
		m, err := Decode(bytes.NewReader(file), pictures[int(format)%len(pictures)], w)
		if err == nil && len(m.Data) != m.Words()*4 {
			t.Fatalf("%s has %d bytes", m, len(m.Data))
		}
	})
}
