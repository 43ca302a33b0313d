package lower_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"imgc/diag"
	"imgc/hast"
	"imgc/kir"
	"imgc/optimize/loops"
	"imgc/optimize/lower"
	"imgc/optimize/schedule"
	"imgc/parser"
	"imgc/sema"
	"imgc/sema/sematest"
	"imgc/source"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// lowered compiles a program that has no errors.
func lowered(t *testing.T, name, text string, opts lower.Options) *kir.Program {
	t.Helper()
	var diags diag.List
	file := source.NewFile(name, text)
	p := sema.Check(parser.Parse(file, &diags), sema.Options{}, &diags)
	if p == nil || diags.HasErrors() {
		t.Fatalf("%s does not compile: %v", name, diags.Sorted()[0].Message)
	}
	out := lower.Program(p, opts)
	if err := kir.Verify(out); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return out
}

// TestSamplesLower also lowers with loops instead of written-out reductions.
func TestSamplesLower(t *testing.T) {
	paths, err := filepath.Glob("../../samples/basics/*.img")
	if err != nil || len(paths) == 0 {
		t.Fatal("no samples", err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "import ") {
			continue // needs a loader
		}
		for _, unroll := range []int{64, 0, 1000} {
			opts := lower.Defaults()
			opts.Unroll = unroll
			a := kir.Dump(lowered(t, filepath.Base(path), string(text), opts))
			if b := kir.Dump(lowered(t, filepath.Base(path), string(text), opts)); a != b {
				t.Errorf("%s lowers differently each time", path)
			}
		}
	}
}

func TestGolden(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.img")
	if err != nil || len(paths) == 0 {
		t.Fatal("no golden programs", err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			got := kir.Dump(lowered(t, filepath.Base(path), string(text), lower.Defaults()))
			golden := strings.TrimSuffix(path, ".img") + ".kir"
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("differs from %s:\n%s", golden, got)
			}
		})
	}
}

// TestReads looks for what the lowered text must or must not contain.
func TestReads(t *testing.T) {
	const head = "pipeline p(in src: u8[H][W], out dst: u8[H][W]) { "
	for _, c := range []struct{ name, text, has, lacks string }{
		{"a pixel inside is read as it is", head + "iterate (y, x) over dst dst[y][x] = src[y][x]; }", "", "border_"},
		{"only the axis that can leave is folded", head + "iterate (y, x) over dst border repeat dst[y][x] = src[y][x+1]; }", "border_repeat(x", "border_repeat(y"},
		{"clamp to the side that can be left", head + "iterate (y, x) over dst border clamp dst[y][x] = src[y-1][x]; }", "max(", "min("},
		{"a written-out window tests each point by itself", head + "iterate (y, x) over dst border reflect dst[y][x] = max(src[y][x-1 : 3]); }", "border_reflect(x - 1", "border_reflect(x,"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := kir.Dump(lowered(t, "p.img", c.text, lower.Defaults()))
			if !strings.Contains(strings.ReplaceAll(got, "(", "("), c.has) || c.lacks != "" && strings.Contains(got, c.lacks) {
				t.Errorf("want %q and not %q in\n%s", c.has, c.lacks, got)
			}
		})
	}
}

// TestMatrixUnitsComputeRowsTogether looks for how many rows below each other matrix units compute at once, where items have four columns and their rows come in
// eights, and in which pitch rows lie so that the items of a subgroup read different banks of local memory.
func TestMatrixUnitsComputeRowsTogether(t *testing.T) {
	const text = "pipeline p(in src: u8[H][W], out dst: u8[H][W]) { iterate (y, x) over dst border clamp dst[y][x] = u8(sum(src[y - 4 : 9][x - 4 : 9]) / 81); }"
	for d, wanted := range map[schedule.Decisions][]string{
		{Tile: [2]int{128, 128}, Item: [2]int{4, 32}}: {"src_tile: local u32[136][38]", "sums: i32[4][2][4]", ", 4 down, 2 across"},
		{Tile: [2]int{128, 128}, Item: [2]int{16, 8}}: {"src_tile: local u32[136][44]", "sums: i32[4][2][4]", ", 1 down, 1 across"},
		{Tile: [2]int{16, 64}, Item: [2]int{4, 8}}:    {"src_tile: local u32[72][12]", "sums: i32[1][2][4]", ", 1 down, 1 across"},
	} {
		opts := lower.Defaults()
		opts.Decide = func(string, *hast.Stage) schedule.Decisions {
			return d.Over(schedule.Decisions{Matrix: 1, Unroll: 81})
		}
		got := kir.Dump(lowered(t, "p.img", text, opts))
		for _, want := range wanted {
			if !strings.Contains(got, want) {
				t.Errorf("%v: no %q in\n%s", d, want, got)
			}
		}
	}
}

// TestRoundsThatHaveSettledLeave has a loop that settles: each kernel of a round leaves where the round before has changed nothing, whatever it begins with, for targets where that pays; one group that runs all
// rounds does not.
func TestRoundsThatHaveSettledLeave(t *testing.T) {
	text, err := os.ReadFile("../../testsuite/differential/testdata/until_nothing_changes.img")
	if err != nil {
		t.Fatal(err)
	}
	for i, d := range []schedule.Decisions{{Item: [2]int{1}}, {Tile: [2]int{128, 16}, Item: [2]int{4, 4}, Vector: 4}, {Item: [2]int{1}, Loops: [2]int{256, 64}}, {Item: [2]int{1}}} {
		opts := lower.Defaults()
		opts.LeavesSettled = i < 3
		opts.Decide = func(_ string, s *hast.Stage) schedule.Decisions {
			if s.Name == "next" {
				return d
			}
			return schedule.Decisions{}
		}
		p := loops.Batched(sematest.Program(t, string(text)), func(name string) bool { return name == "hysteresis" })
		out := lower.Program(p, opts)
		if err := kir.Verify(out); err != nil {
			t.Fatal(err)
		}
		for _, k := range out.Kernels {
			if strings.HasPrefix(k.Name, "hysteresis_next") {
				leaves := strings.Contains(kir.Dump(&kir.Program{Kernels: []*kir.Kernel{k}}), "if (round > 0) && (!changed_rounds[")
				if want := opts.LeavesSettled && !strings.HasSuffix(k.Name, "_loop"); leaves != want {
					t.Errorf("%v: %s leaves: %t, want %t\n%s", d, k.Name, leaves, want, kir.Dump(&kir.Program{Kernels: []*kir.Kernel{k}}))
				}
			}
		}
	}
}

// TestPanelsAreCopied looks for what a device copies to panels by itself: pixels as they are, by vectors where instances lie side by side, and nothing where it does not.
func TestPanelsAreCopied(t *testing.T) {
	product := func(elem string) string {
		return "pipeline product(in a: f32[H][K], in b: f32[K][W], in s: u8[H][K], out c: f32[H][W]) { iterate (i, j) over c c[i][j] = sum(" + elem + " for p in 0:K); }"
	}
	for _, c := range []struct {
		text            string
		copies          bool
		copied, vectors bool
	}{
		{product("a[i][p]*b[p][j]"), true, true, true},
		{product("a[i][p]*b[p][j]"), false, false, false},
		{product("a[i][p]*a[min(j, H - 1)][p]"), true, true, false},
		{product("abs(a[i][p])*f32(s[min(j, H - 1)][p])"), true, false, false},
	} {
		opts := lower.Defaults()
		opts.Copies = c.copies
		opts.Decide = func(string, *hast.Stage) schedule.Decisions {
			return schedule.Decisions{Tile: [2]int{32, 32}, Item: [2]int{4, 4}, Panels: 16, Local: schedule.Shared, Unroll: 16}
		}
		got := kir.Dump(lowered(t, "p.img", c.text, opts))
		copied, vectors := strings.Contains(got, " copied\n"), strings.Contains(got, "aligned copied\n")
		if copied != c.copied || strings.Contains(got, "barrier for copies") != c.copied || vectors != c.vectors {
			t.Errorf("copied %t, by vectors %t, want %t and %t:\n%s", copied, vectors, c.copied, c.vectors, got)
		}
	}
}

// TestAlignedPixels looks for the accesses that move a pixel at once.
func TestAlignedPixels(t *testing.T) {
	const own, last = "image t: f32x2[H][W] = src; ", "dst = t; }"
	pipeline := func(elem string) string {
		return "pipeline p(in src: " + elem + "[H][W], inout dst: " + elem + "[H][W]) { "
	}
	for _, c := range []struct {
		name, text string
		padding    int
		want       bool
	}{
		{"the library's own", pipeline("f32x2") + own + last, 0, true},
		{"padded", pipeline("f32x2") + own + last, 256, true},
		{"padded to odd places", pipeline("f32x2") + own + last, 36, false},
		{"the caller's", pipeline("f32x2") + "dst = src; }", 0, false},
		{"of three components", strings.ReplaceAll(pipeline("f32x2")+own+last, "f32x2", "u8x3"), 0, false},
		{"of one component", strings.ReplaceAll(pipeline("f32x2")+own+last, "f32x2", "f32"), 0, false},
		{"of 32 bytes", strings.ReplaceAll(pipeline("f32x2")+own+last, "f32x2", "f64x4"), 0, false},
		{"of bools", strings.ReplaceAll(pipeline("f32x2")+own+last, "f32x2", "boolx4"), 0, false},
		{"exchanged among themselves", pipeline("f32x2") + own + "image u: f32x2[H][W] = src; swap(t, u); " + last, 0, true},
		{"exchanged with the caller's", pipeline("f32x2") + own + "image u: f32x2[H][W] = src; swap(t, u); swap(u, dst); " + last, 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			opts := lower.Defaults()
			opts.Padding = c.padding
			got := kir.Dump(lowered(t, "p.img", c.text, opts))
			if strings.Contains(got, "] aligned := ") != c.want || strings.Contains(got, " aligned\n") != c.want {
				t.Errorf("aligned accesses: want %v in\n%s", c.want, got)
			}
		})
	}
}
