package imagefile

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"imgc/pixels"
	"imgc/types"
)

// python is an interpreter with the libraries that the files are exchanged with, as script/setup installs it.
func python(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"../.venv/bin/python", "python3"} {
		if exec.Command(name, "-c", "import numpy, cv2, PIL, tifffile").Run() == nil {
			path, _ := exec.LookPath(name)
			path, _ = filepath.Abs(path)
			return path
		}
	}
	t.Skip("no Python with NumPy, OpenCV, Pillow and tifffile; script/setup installs one")
	return ""
}

func runPython(t *testing.T, interpreter, dir, script string) {
	t.Helper()
	cmd := exec.Command(interpreter, "-c", script)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// theirs writes files with other libraries, and of each the samples that those libraries see as NAME.npy.
const theirs = `
import numpy as np, cv2, tifffile
from PIL import Image
r = np.random.default_rng(7)
def keep(name, a): np.save(name + ".npy", np.ascontiguousarray(a))
def pil(name, mode, a, **k):
    im = Image.fromarray(a, mode) if mode != "P" else a
    im.save(name, **k)
g8, rgb, rgba = (r.integers(0, 256, s, dtype=np.uint8) for s in ((9, 13), (9, 13, 3), (9, 13, 4)))
g16 = r.integers(0, 65536, (9, 13), dtype=np.uint16); rgb16 = r.integers(0, 65536, (9, 13, 3), dtype=np.uint16)
rgba16 = r.integers(0, 65536, (9, 13, 4), dtype=np.uint16)
for ext in ("png", "bmp", "tif", "pgm"): pil("grey." + ext, "L", g8); keep("grey." + ext, g8)
for ext in ("png", "bmp", "tif", "ppm"): pil("rgb." + ext, "RGB", rgb); keep("rgb." + ext, rgb)
for ext in ("png", "tif"): pil("rgba." + ext, "RGBA", rgba); keep("rgba." + ext, rgba)
for ext in ("png", "tif", "pgm"): cv2.imwrite("grey16." + ext, g16); keep("grey16." + ext, g16)
for ext in ("png", "tif", "ppm"): cv2.imwrite("rgb16." + ext, rgb16[..., ::-1]); keep("rgb16." + ext, rgb16)
cv2.imwrite("rgba16.png", rgba16[..., [2, 1, 0, 3]]); keep("rgba16.png", rgba16)
la = rgba[..., :2].copy(); pil("greyalpha.png", "LA", la); keep("greyalpha.png", la)
p = Image.fromarray(rgb, "RGB").quantize(7); p.save("palette.png"); keep("palette.png", np.array(p.convert("RGB")))
p.save("palette.bmp"); keep("palette.bmp", np.array(p.convert("RGB")))
p.save("palette.tif"); keep("palette.tif", np.array(p.convert("RGB")))
t = Image.fromarray(rgb, "RGB").quantize(7); t.save("clear.png", transparency=bytes([0, 90, 200])); keep("clear.png", np.array(Image.open("clear.png").convert("RGBA")))
bit = (g8 > 99); Image.fromarray(bit).save("bit.png"); keep("bit.png", bit.astype(np.uint8) * 255)
for c in ("tiff_lzw", "tiff_adobe_deflate", "packbits"): pil(f"{c}.tif", "RGB", rgb, compression=c); keep(f"{c}.tif", rgb)
tifffile.imwrite("big.tif", rgb16, byteorder=">", photometric="rgb"); keep("big.tif", rgb16)
tifffile.imwrite("tiles.tif", rgb, tile=(16, 16), photometric="rgb"); keep("tiles.tif", rgb)
for t in ("i1", "i2", "i4", "i8", "u4", "u8", "f2", "f4", "f8"):
    a = (rgb16.astype("i8") // 3).astype(t) - np.array(50).astype(t); tifffile.imwrite(f"{t}.tif", a[..., 0]); keep(f"{t}.tif", a[..., 0])
    tifffile.imwrite(f"{t}rgb.tif", a, photometric="rgb", byteorder=">"); keep(f"{t}rgb.tif", a)
    tifffile.imwrite(f"{t}planes.tif", np.moveaxis(a, 2, 0), photometric="rgb", planarconfig="separate"); keep(f"{t}planes.tif", a)
tifffile.imwrite("bigtiff.tif", rgb16, bigtiff=True, photometric="rgb"); keep("bigtiff.tif", rgb16)
tifffile.imwrite("bigtiff>.tif", rgb16, bigtiff=True, byteorder=">", photometric="rgb"); keep("bigtiff>.tif", rgb16)
tifffile.imwrite("pages.tif", np.stack([g16, g16[::-1], g16 // 2]), photometric="minisblack"); keep("pages.tif", np.stack([g16, g16[::-1], g16 // 2]))
tifffile.imwrite("rgbpages.tif", np.stack([rgb, rgb[::-1]]), photometric="rgb"); keep("rgbpages.tif", np.stack([rgb, rgb[::-1]]))
five = r.integers(0, 256, (9, 13, 5), dtype=np.uint8)
tifffile.imwrite("five.tif", five, photometric="minisblack", planarconfig="contig"); keep("five.tif", five)
tifffile.imwrite("rgbwithtwo.tif", five, photometric="rgb", extrasamples=(0, 0)); keep("rgbwithtwo.tif", five)
tifffile.imwrite("white.tif", g16, photometric="miniswhite"); keep("white.tif", g16)
tifffile.imwrite("smalltiles.tif", g16, tile=(16, 16), photometric="minisblack"); keep("smalltiles.tif", g16)
def turn(a, o):
    if o >= 5: a = np.swapaxes(a, 0, 1)
    return {1: a, 2: a[:, ::-1], 3: a[::-1, ::-1], 4: a[::-1], 5: a, 6: a[:, ::-1], 7: a[::-1, ::-1], 8: a[::-1]}[o]
from PIL import ImageOps
for o in range(1, 9):
    e = Image.Exif(); e[274] = o
    for ext in ("png", "jpg"):
        name = f"turned{o}.{ext}"; Image.fromarray(g8).save(name, exif=e.tobytes(), **({"quality": 100} if ext == "jpg" else {}))
        keep(name, np.array(ImageOps.exif_transpose(Image.open(name))))
    tifffile.imwrite(f"turned{o}.tif", rgb, photometric="rgb", extratags=[(274, 3, 1, o, True)]); keep(f"turned{o}.tif", turn(rgb, o))
smooth = np.stack([np.add.outer(np.arange(37) * 5, np.arange(53) * k) % 256 for k in (1, 3, 4)], 2).astype(np.uint8)
for s, factor in (("420", 0x221111), ("422", 0x211111), ("440", 0x121111), ("444", 0x111111), ("411", 0x411111)):
    for size in (53, 52, 5, 4, 3, 2, 1):
        name = f"chroma{s}_{size}.jpg"
        cv2.imwrite(name, smooth[:, :size], [cv2.IMWRITE_JPEG_QUALITY, 90, cv2.IMWRITE_JPEG_SAMPLING_FACTOR, factor]); keep(name, np.array(Image.open(name)))
Image.fromarray(bit).save("bit.pbm"); keep("bit.pbm", bit.astype(np.uint8) * 255)
with open("digits.pbm", "w") as o: o.write("P1\n# c\n13 9\n" + "\n".join("".join("01"[1 - int(v)] for v in row) for row in bit))
keep("digits.pbm", bit.astype(np.uint8) * 255)
for n, tuple in ((1, "GRAYSCALE"), (2, "GRAYSCALE_ALPHA"), (3, "RGB"), (4, "RGB_ALPHA"), (5, "FIVE")):
    with open(f"{n}.pam", "wb") as o: o.write(f"P7\n# c\nWIDTH 13\nHEIGHT 9\nDEPTH {n}\nMAXVAL 255\nTUPLTYPE {tuple}\nENDHDR\n".encode() + five[..., :n].tobytes())
    keep(f"{n}.pam", five[..., :n] if n > 1 else five[..., 0])
f, f3 = r.standard_normal((9, 13), dtype=np.float32), r.standard_normal((9, 13, 3), dtype=np.float32)
cv2.imwrite("grey.pfm", f); keep("grey.pfm", f); cv2.imwrite("rgb.pfm", f3[..., ::-1]); keep("rgb.pfm", f3)
with open("text.pgm", "w") as o: o.write("P2\n# c\n13 9 65535\n" + "\n".join(" ".join(map(str, row)) for row in g16) + "\n")
keep("text.pgm", g16)
Image.fromarray(np.tile(np.arange(0, 260, 20, dtype=np.uint8), (9, 1)), "L").save("grey.jpg", quality=100)
keep("grey.jpg", np.array(Image.open("grey.jpg")))
`

func TestFilesOfOtherLibrariesAreReadAlike(t *testing.T) {
	dir := t.TempDir()
	runPython(t, python(t), dir, theirs)
	files, _ := filepath.Glob(filepath.Join(dir, "*.npy"))
	if len(files) < 110 {
		t.Errorf("only %d files", len(files))
	}
	for _, npy := range files {
		path := strings.TrimSuffix(npy, ".npy")
		ref, err := Read(npy, Want{})
		if err != nil {
			t.Error(err)
			continue
		}
		w := Want{Elem: ref.Elem, Rank: len(ref.Extent), Fixed: ref.Extent} // u8[9][13][3]
		if ref.Extent[len(ref.Extent)-1] == 2 {
			w = Want{Elem: types.Vector(types.U8, 2), Rank: 2}
		}
		if m, err := Read(path, w); err != nil {
			t.Error(err)
		} else if !bytes.Equal(m.Data, ref.Data) && !(strings.Contains(path, "chroma") && nearly(m.Data, ref.Data, 3)) {
			t.Errorf("%s: not what its writer sees in it", filepath.Base(path))
		}
	}
}

// nearly reports whether bytes are within so many of each other, as those of JPEG are between one decoder and another.
func nearly(a, b []byte, within int) bool {
	for i := range a {
		if d := int(a[i]) - int(b[i]); d < -within || d > within {
			return false
		}
	}
	return len(a) == len(b)
}

// ours compares what other libraries see in this package's files with the same image as NPY.
const ours = `
import sys, numpy as np, cv2
from PIL import Image
import glob
names = sorted(n for n in glob.glob("*") if not n.endswith(".npy"))
assert len(names) > 15, names
for n in names:
    want = np.load(n + ".npy")
    got = cv2.imread(n, cv2.IMREAD_UNCHANGED)
    if got is None: sys.exit(n + ": not read by OpenCV")
    if n.endswith('.pam') and want.ndim == 3: continue # OpenCV 4 leaves RGB as it is there
    if got.ndim == 3: got = got[..., [2, 1, 0, 3][:got.shape[2]]]
    if n.endswith(".tif") and want.ndim == 3 and want.shape[2] == 4: got = want # OpenCV multiplies by alpha
    if got.dtype != want.dtype or got.shape != want.shape or not (got == want).all(): sys.exit(f"{n}: OpenCV sees {got.dtype}{got.shape}, not {want.dtype}{want.shape}, or other values")
    if want.dtype == np.uint8 and not n.endswith(".pam"):
        got = np.array(Image.open(n))
        if got.shape != want.shape or not (got == want).all(): sys.exit(f"{n}: Pillow sees {got.dtype}{got.shape}, not {want.dtype}{want.shape}, or other values")
`

func TestOtherLibrariesReadOurFilesAlike(t *testing.T) {
	interpreter, dir := python(t), t.TempDir()
	for ext, specs := range roundTrips {
		if ext == "npy" || ext == "raw" {
			continue
		}
		for _, spec := range specs {
			elem, extent := typ(t, spec)
			if len(extent) > 2 {
				continue
			}
			m := noise(t, elem, extent...)
			path := filepath.Join(dir, fmt.Sprintf("%s.%s", strings.NewReplacer("[", "_", "]", "").Replace(spec), ext))
			for _, p := range []string{path, path + ".npy"} {
				if err := Write(p, m, Want{}); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	runPython(t, interpreter, dir, ours)
}

func TestNumPyAgreesOnEveryType(t *testing.T) {
	interpreter, dir := python(t), t.TempDir()
	codes := map[types.Kind]string{types.Bool: "?", types.I8: "i1", types.I16: "i2", types.I32: "i4", types.I64: "i8", types.U8: "u1",
		types.U16: "u2", types.U32: "u4", types.U64: "u8", types.F16: "f2", types.BF16: "V2", types.F32: "f4", types.F64: "f8"}
	script := "import numpy as np\n"
	images := map[string]*pixels.Image{}
	for _, k := range types.Kinds {
		m := noise(t, types.Scalar(k), 3, 4, 5)
		name := k.String()
		images[name] = m
		if err := Write(filepath.Join(dir, name+".npy"), m, Want{}); err != nil {
			t.Fatal(err)
		}
		if err := Write(filepath.Join(dir, name+".raw"), m, Want{}); err != nil {
			t.Fatal(err)
		}
		script += fmt.Sprintf(`
a = np.load("%[1]s.npy"); b = np.fromfile("%[1]s.raw", "%[2]s").reshape(3, 4, 5)
assert a.dtype == np.dtype("%[2]s") and a.shape == (3, 4, 5) and a.tobytes() == b.tobytes(), "%[1]s"
np.save("back %[1]s.npy", np.asfortranarray(a.astype(a.dtype.newbyteorder(">")) if "%[2]s" != "V2" else a))
with open("v3 %[1]s.npy", "wb") as f: np.lib.format.write_array(f, a, version=(3, 0))
with open("v2 %[1]s.npy", "wb") as f: np.lib.format.write_array(f, a, version=(2, 0))
`, name, codes[k])
	}
	runPython(t, interpreter, dir, script)
	for name, m := range images {
		for _, variant := range []string{"back ", "v2 ", "v3 "} {
			got, err := Read(filepath.Join(dir, variant+name+".npy"), Want{})
			if err != nil || !same(got, m) {
				t.Errorf("%s%s: %v", variant, name, err)
			}
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "bf16.npy")); err != nil {
		t.Error(err)
	}
}
