package plan

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"imgc/archmodels"
	"imgc/hast"
	"imgc/optimize/feature"
	"imgc/optimize/schedule"
)

// turnedBy is a stage that turns an image of some pixels by an angle that it gets by two numbers.
func turnedBy(t *testing.T, pixel, cos, sin string) *hast.Stage {
	t.Helper()
	value := "sample(src, fy, fx, linear)"
	if pixel[0] != 'f' {
		value = "sat<" + pixel + ">(" + value + ")"
	}
	stages := map[string]*hast.Stage{}
	stagesOf(t, fmt.Sprintf(`pipeline turned(in src: %[1]s[H][W] border clamp, in c: f32, in s: f32, out dst: %[1]s[H][W]) {
		iterate (y, x) over dst {
			let v = f32(y) - f32(H - 1)/2;
			let u = f32(x) - f32(W - 1)/2;
			let fy = f32(H - 1)/2 + %[3]s*u + %[2]s*v;
			let fx = f32(W - 1)/2 + %[2]s*u - %[3]s*v;
			dst[y][x] = %[4]s;
		}
	}`, pixel, cos, sin, value), stages)
	return stages["turned"]
}

// workOf is the work of a stage of 8192 x 8192 pixels.
func workOf(t *testing.T, s *hast.Stage, model string) *work {
	t.Helper()
	m, err := archmodels.Load(model)
	if err != nil {
		t.Fatal(err)
	}
	return newWork(feature.OfStage(s, false), m.WithUsual(), evaluator(func(*hast.Var) int64 { return 8192 }, nil))
}

// TestTurnedImagesTakeWhatWasMeasured holds the time of images that are turned by known angles to what was measured, and what is planned where nothing says by which to the mean over the angles.
func TestTurnedImagesTakeWhatWasMeasured(t *testing.T) {
	names, times := measured(t, "testdata/measured_turned_h100.txt")
	all := map[string]map[schedule.Decisions]float64{} // of pixels, over all angles
	for _, name := range names {
		pixel, degrees, _ := strings.Cut(name, "_")
		angle, err := strconv.ParseFloat(degrees, 64)
		if err != nil {
			t.Fatal(err)
		}
		if all[pixel] == nil {
			all[pixel] = map[schedule.Decisions]float64{}
		}
		sin, cos := math.Sincos(angle * math.Pi / 180)
		w := workOf(t, turnedBy(t, pixel, fmt.Sprintf("%.7f", cos), fmt.Sprintf("%.7f", sin)), "nvidia-h100")
		for _, x := range times[name] {
			all[pixel][x.Decisions] += x.microseconds
			if share := w.cost(x.Decisions).Total() * 1e6 / x.microseconds; share < 0.72 || share > 1.22 {
				t.Errorf("%s: %v is predicted to take %.2f of %.0f us", name, x.Decisions, share, x.microseconds)
			}
		}
	}
	for pixel, sums := range all {
		w := workOf(t, turnedBy(t, pixel, "c", "s"), "nvidia-h200")
		best, least := schedule.Decisions{}, math.Inf(1)
		for d := range sums {
			if c := w.cost(d).Total(); c < least {
				best, least = d, c
			}
		}
		for d, us := range sums {
			if us < sums[best] {
				t.Errorf("%s: %v is best over all angles, not %v", pixel, d, best)
			}
		}
	}
}

// TestSlants looks at how places are found to move from instance to instance.
func TestSlants(t *testing.T) {
	const many = -1
	for _, c := range []struct {
		name, place string
		want        int // how many slants; many for those of all angles
	}{
		{"turned by what the host says", "c*f32(y) + s*f32(x), c*f32(x) - s*f32(y)", many},
		{"turned by numbers", "0.8*f32(y) + 0.6*f32(x), 0.8*f32(x) - 0.6*f32(y)", 1},
		{"along lines", "c*f32(y), s*f32(x)", 0},
		{"across lines", "c*f32(x), s*f32(y)", 1},
		{"where pixels say", "c*f32(src[y][x]) + s*f32(x), c*f32(x) - s*f32(y)", 0},
		{"columns where pixels say", "c*f32(y) + s*f32(x), c*f32(src[y][x])", 0},
	} {
		stages := map[string]*hast.Stage{}
		stagesOf(t, "pipeline p(in src: u8[H][W] border clamp, in c: f32, in s: f32, out dst: f32[H][W]) { iterate (y, x) over dst dst[y][x] = sample(src, "+c.place+", linear); }", stages)
		w, got := workOf(t, stages["p"], "nvidia-h200"), 0
		for _, a := range w.stage.Accesses {
			got = max(got, len(w.slants(a)))
		}
		if want := c.want; got != want && (want != many || got != slantAngles) {
			t.Errorf("%s: %d slants, want %d", c.name, got, want)
		}
	}
}

// TestSlantsOfSmallImages: what follows x in an image of few lines goes through these slowly.
func TestSlantsOfSmallImages(t *testing.T) {
	stages := map[string]*hast.Stage{}
	stagesOf(t, "pipeline p(in cells: u8[8][256] border clamp, in c: f32, in s: f32, out dst: f32[H][W]) { iterate (y, x) over dst dst[y][x] = sample(cells, c*f32(x), s*f32(y), linear); }", stages)
	w := workOf(t, stages["p"], "nvidia-h200")
	want := slant{[2]float64{8. / 8192, 0}, [2]float64{0, 256. / 8192}}
	if got := w.slants(w.stage.Accesses[0]); len(got) != 1 || got[0] != want {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestCyclesOfSlants counts lines of the first cache.
func TestCyclesOfSlants(t *testing.T) {
	cache := firstCache{line: 128, bank: 16, atOnce: 2}
	upright, quarter := slant{[2]float64{0, 1}, [2]float64{1, 0}}, slant{[2]float64{1, 0}, [2]float64{0, -1}}
	for _, c := range []struct {
		name string
		slant
		lattice
		bytes, want float64
	}{
		{"a line", upright, lattice{32, 1, 1}, 4, 1},
		{"a line of large pixels", upright, lattice{32, 1, 1}, 16, 4},
		{"a column", quarter, lattice{32, 1, 1}, 4, 32},
		{"a column of items of four", quarter, lattice{8, 4, 4}, 1, 8},
		{"two rows", quarter, lattice{16, 2, 1}, 1, 16},
		{"lines that are wanted elsewhere", slant{[2]float64{1, 0}, [2]float64{16, 0}}, lattice{32, 1, 1}, 1, 16},
		{"one pixel", slant{}, lattice{32, 1, 1}, 4, 1},
	} {
		if got := cache.cycles(c.slant, c.lattice, [2]float64{5, 64}, c.bytes); got != c.want {
			t.Errorf("%s: %v cycles, want %v", c.name, got, c.want)
		}
	}
}
