package schedule_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"imgc/diag"
	"imgc/optimize/schedule"
	"imgc/parser"
	"imgc/sema"
	"imgc/source"
)

const program = `pipeline p(in src: u8[H][W], out dst: u8[H][W], out mid: u8[H][W]) {
    iterate (y, x) over dst
        dst[y][x] = u8(src[y][x] / 2);
    late: iterate (y, x) over mid
        mid[y][x] = u8(src[y][x] / 3);
}
`

// read checks the program with schedules behind it.
func read(t *testing.T, schedules string) ([]*schedule.Schedule, string) {
	t.Helper()
	diags := &diag.List{}
	file := parser.Parse(source.NewFile("p.img", program+schedules), diags)
	typed := sema.Check(file, sema.Options{}, diags)
	if typed == nil || diags.HasErrors() {
		t.Fatalf("the program has errors: %s", text(diags))
	}
	list := schedule.Read(file, typed, diags)
	return list, text(diags)
}

func text(diags *diag.List) string {
	var b strings.Builder
	for _, d := range diags.Sorted() {
		b.WriteString(d.Message)
		for _, n := range d.Notes {
			b.WriteString("; " + n.Message)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestSchedulesArePrintedAndReadBack(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 1))
		s := &schedule.Schedule{Pipeline: "p", Device: []string{"", "nvidia-h200"}[rng.IntN(2)]}
		for _, name := range []string{"dst", "late"} {
			if d := schedule.Random(rng); d != (schedule.Decisions{}) {
				s.Stages = append(s.Stages, &schedule.Stage{Name: name, Decisions: d})
			}
		}
		want := s.String()
		list, faults := read(t, want)
		if faults != "" || len(list) != 1 || list[0].String() != want || list[0].Device != s.Device {
			t.Fatalf("%s\nis read back as\n%v\n%s", want, list, faults)
		}
	}
}

func TestSchedulesThatFitNothingAreReported(t *testing.T) {
	for _, c := range []struct{ schedule, want string }{
		{`schedule q { dst: tile(64); }`, "there is no pipeline q; there is p"},
		{`schedule p { dts: tile(64); }`, "p has no stage dts; did you mean dst?"},
		{`schedule p { mid: tile(64); }`, "p has no stage mid; there is dst, late"},
		{`schedule p { dst_row: tile(64); dst: tile(64); }`, "p has no stage dst_row; there is dst, late"},
		{`schedule p { dst: separate; late_row: root; }`, "p has no stage late_row; there is dst, late"},
		{`schedule p { dst: tilt(64); }`, "there is no decision tilt; did you mean tile?"},
		{`schedule p { dst: tile(64) tile(32); }`, "tile is decided twice"},
		{`schedule p { dst: tile(64, 2, 2); }`, "tile takes 1 or 2 numbers"},
		{`schedule p { dst: tile; }`, "tile takes 1 or 2 numbers"},
		{`schedule p { dst: tile(0); }`, "tile takes numbers from 1 to 65536"},
		{`schedule p { dst: tile(99999999999999999999); }`, "tile takes numbers from 1 to 65536"},
		{`schedule p { dst: tile(x: 4); }`, "tile takes numbers from 1 to 65536"},
		{`schedule p { dst: unroll(src); }`, "unroll takes numbers from 1 to 4096"},
		{`schedule p { dst: tile(64); dst: unroll(3); }`, "dst has its decisions already; they are here"},
		{`schedule p { dst: tile(64); } schedule p { dst: tile(32); }`, "p has a schedule for these devices already; it is here"},
		{`schedule p on "" { dst: tile(64); }`, `a schedule for a device without a name; leave out: on ""; then it is for all devices`},
	} {
		if _, got := read(t, c.schedule); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: reported\n%swant\n%s", c.schedule, got, c.want)
		}
	}
}

// TestRowsOfSeparatedStagesHaveLines reads lines for stages that are there where others are separated.
func TestRowsOfSeparatedStagesHaveLines(t *testing.T) {
	const want = "schedule p {\n    dst_row: join;\n    dst_row2: root tile(64);\n    dst: separate tile(32);\n}\n"
	list, faults := read(t, want)
	if faults != "" || len(list) != 1 || list[0].String() != want {
		t.Errorf("%s\nis read as\n%v\n%s", want, list, faults)
	}
}

// TestWhatComputesTablesHasALine reads a line for a stage that is there where another one takes values from tables.
func TestWhatComputesTablesHasALine(t *testing.T) {
	const want = "schedule p {\n    dst_table: root;\n    dst: table tile(32);\n}\n"
	list, faults := read(t, want)
	if faults != "" || len(list) != 1 || list[0].String() != want {
		t.Errorf("%s\nis read as\n%v\n%s", want, list, faults)
	}
	if _, faults := read(t, "schedule p { dst_table: root; dst: tile(32); }"); faults == "" {
		t.Error("a line for tables is read where there are none")
	}
}

func TestDevicesTakeTheScheduleThatNamesThem(t *testing.T) {
	list := []*schedule.Schedule{
		{Pipeline: "p", Device: "H200"}, {Pipeline: "p"}, {Pipeline: "q", Device: "PoCL"},
	}
	for _, c := range []struct {
		pipeline string
		device   []string
		want     *schedule.Schedule
	}{
		{"p", []string{"NVIDIA h200"}, list[0]},
		{"p", []string{"some other", "gpu"}, list[1]},
		{"p", nil, list[1]},
		{"q", []string{"pthread (PoCL)"}, list[2]},
		{"q", nil, nil},
		{"r", nil, nil},
	} {
		if got := schedule.For(list, c.pipeline, c.device); got != c.want {
			t.Errorf("%s on %v gets %v, not %v", c.pipeline, c.device, got, c.want)
		}
	}
}

func TestDecisionsFillWhatIsUndecided(t *testing.T) {
	got := schedule.Decisions{Tile: [2]int{64}}.Over(schedule.Decisions{Tile: [2]int{32, 4}, Unroll: 9})
	if want := (schedule.Decisions{Tile: [2]int{64}, Unroll: 9}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}
