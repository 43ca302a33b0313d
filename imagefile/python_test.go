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
	if len(files) < 32 {
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
		} else if !bytes.Equal(m.Data, ref.Data) {
			t.Errorf("%s: not what its writer sees in it", filepath.Base(path))
		}
	}
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
    if got.ndim == 3: got = got[..., [2, 1, 0, 3][:got.shape[2]]]
    if n.endswith(".tif") and want.ndim == 3 and want.shape[2] == 4: got = want # OpenCV multiplies by alpha
    if got.dtype != want.dtype or got.shape != want.shape or not (got == want).all(): sys.exit(f"{n}: OpenCV sees {got.dtype}{got.shape}, not {want.dtype}{want.shape}, or other values")
    if want.dtype == np.uint8:
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
