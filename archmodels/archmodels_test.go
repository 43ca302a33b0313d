package archmodels

import (
	"errors"
	"reflect"
	"strings"
	"testing"
)

func TestEveryShippedModelStatesEveryFigure(t *testing.T) {
	for _, m := range All() {
		if len(m.usedSources()) == 0 {
			t.Errorf("%s states nothing", m.Name)
		}
		for _, f := range Fields {
			if at := f.At(m); at.Known && at.Source == "" {
				t.Errorf("%s: %s has no source", m.Name, f.Path())
			}
		}
	}
	for _, name := range families() {
		r := &reader{file: name, hows: stated}
		if text, err := shipped.ReadFile("families/" + name + ending); err != nil || r.read(text, nil) == nil || len(r.errs) > 0 {
			t.Errorf("family %s: %v %v", name, err, r.errs)
		}
	}
}

func TestFieldsAreReachedOnceEach(t *testing.T) {
	m := &Model{}
	seen := map[*Figure]string{}
	for _, f := range Fields {
		at := f.At(m)
		if other := seen[at]; other != "" {
			t.Errorf("%s and %s are one figure", f.Path(), other)
		}
		seen[at] = f.Path()
	}
	// Every figure of the structures is in the schema.
	v := reflect.ValueOf(m).Elem()
	figures := 0
	for i := range v.NumField() {
		if s := v.Field(i); s.Kind() == reflect.Struct {
			figures += s.NumField()
		}
	}
	if figures != len(Fields) {
		t.Errorf("%d figures in the structures, %d in the schema", figures, len(Fields))
	}
}

func TestTextIsReadBack(t *testing.T) {
	for _, m := range All() {
		back, err := Parse(m.Name, []byte(m.Text()))
		if err != nil {
			t.Fatalf("%s: %v", m.Name, err)
		}
		if back.Text() != m.Text() {
			t.Errorf("%s changes when it is read back:\n%s\n%s", m.Name, m.Text(), back.Text())
		}
	}
}

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		device Device
		want   string
		made   bool
	}{
		{Device{"NVIDIA H200", "NVIDIA Corporation", GPU}, "nvidia-h200", true},
		{Device{"NVIDIA H100 PCIe", "NVIDIA Corporation", GPU}, "nvidia-h100-pcie", true},
		{Device{"NVIDIA H100 80GB HBM3", "NVIDIA Corporation", GPU}, "nvidia-h100", true},
		{Device{"NVIDIA A100-SXM4-40GB", "NVIDIA Corporation", GPU}, "nvidia-a100-40gb", true},
		{Device{"NVIDIA A100-SXM4-80GB", "NVIDIA Corporation", GPU}, "nvidia-a100", true},
		{Device{"Tesla K40c", "NVIDIA Corporation", GPU}, "nvidia-k40", true},
		{Device{"Tesla K200", "NVIDIA Corporation", GPU}, "generic-gpu", false},
		{Device{"gfx1100", "Advanced Micro Devices, Inc.", GPU}, "amd-rx-7900-xtx", true},
		{Device{"Mali-G78 r0p1", "ARM", GPU}, "arm-mali-g78", true},
		{Device{"Intel(R) Arc(TM) A770 Graphics", "Intel(R) Corporation", GPU}, "intel-arc-a770", true},
		{Device{"QUALCOMM Adreno(TM) 740", "QUALCOMM", GPU}, "qualcomm-adreno-740", true},
		{Device{"pthread-skylake-avx512-Intel(R) Xeon(R) Processor", "GenuineIntel", CPU}, "pocl-avx512", true},
		{Device{"cpu-haswell-AMD EPYC", "AuthenticAMD", CPU}, "pocl-cpu", true},
		{Device{"NVIDIA H200", "NVIDIA Corporation", CPU}, "generic-cpu", false},
		{Device{"Oclgrind Simulator", "University of Bristol", CPU}, "generic-cpu", false},
		{Device{"Some GPU", "Nobody", GPU}, "generic-gpu", false},
	} {
		m, made := Match(c.device)
		if m.Name != c.want || made != c.made {
			t.Errorf("%s (%s): %s %v, want %s %v", c.device.Name, c.device.Class, m.Name, made, c.want, c.made)
		}
	}
}

// small is a correct model of few lines.
const small = `name: mine
title: "My GPU"
inherit: nvidia-cc-9.0
sources:
  ME: "a measurement of mine"
rates:
  units: {value: 7, source: ME, how: measured}
`

func TestUserModelInherits(t *testing.T) {
	m, err := Parse("mine.yaml", []byte(small))
	if err != nil {
		t.Fatal(err)
	}
	if m.Rates.Units.Value != 7 || m.Limits.Subgroup.Value != 32 || m.CUDA != "sm_90" || m.Class != GPU {
		t.Errorf("units %v, subgroup %v, %s, %s", m.Rates.Units, m.Limits.Subgroup, m.CUDA, m.Class)
	}
	if m.Bandwidth.Copy.Known || m.Bandwidth.Copy.Or(3) != 3 || m.Rates.Units.Or(3) != 7 {
		t.Errorf("copy bandwidth %v, units %v", m.Bandwidth.Copy, m.Rates.Units)
	}
}

func TestMistakesAreFoundWithTheirLines(t *testing.T) {
	for _, c := range []struct{ name, old, new, want string }{
		{"unknown section", "rates:", "rate:", `mine.yaml:7: a model has no rate, did you mean rates?`},
		{"unknown figure", "units:", "unit:", `mine.yaml:7: rates has no unit, did you mean units?`},
		{"no number", "value: 7", "value: seven", `mine.yaml:7: rates.units is a number of compute units, found "seven"`},
		{"fraction", "value: 7", "value: 7.5", `mine.yaml:7: rates.units is a whole number of compute units, found 7.5`},
		{"not a number", "value: 7", "value: .nan", `mine.yaml:7: rates.units is a number of compute units, found ".nan"`},
		{"negative", "value: 7", "value: -7", `mine.yaml:7: rates.units is between 0 and 65536 compute units, found -7`},
		{"too large", "value: 7", "value: 1e9", `mine.yaml:7: rates.units is between 0 and 65536`},
		{"no source", ", source: ME", "", `mine.yaml:7: rates.units has no source`},
		{"other source", "source: ME", "source: YOU", `mine.yaml:7: rates.units is from "YOU", which is not among the sources`},
		{"how", "measured}", "guessed}", `mine.yaml:7: how is one of vendor, measured, secondary, inferred, found "guessed"`},
		{"bare number", "{value: 7, source: ME, how: measured}", "7", `mine.yaml:7: rates.units is {value: NUMBER, source: NAME, how: WORD} or unknown, found "7"`},
		{"nothing", "{value: 7, source: ME, how: measured}", "", `mine.yaml:7: rates.units is {value: NUMBER, source: NAME, how: WORD} or unknown, found nothing`},
		{"twice", "title:", "name: other\ntitle:", `mine.yaml:2: name stands a second time in the file; the first is in line 1`},
		{"family", "nvidia-cc-9.0", "nvidia-cc-90", `mine.yaml:3: there is no family or model "nvidia-cc-90" to inherit from, did you mean nvidia-cc-9.0?`},
		{"outside", "nvidia-cc-9.0", "../models/nvidia-h200", `mine.yaml:3: there is no family or model "../models/nvidia-h200" to inherit from`},
		{"nothing inherited", "inherit: nvidia-cc-9.0\n", "", `limits.group_size is missing: largest work-group (work-items); write unknown where nobody knows`},
		{"class", "title:", "class: tpu\ntitle:", `mine.yaml:2: the class is gpu or cpu, found "tpu"`},
		{"expression", "title:", "match: {device: \"(\"}\ntitle:", `mine.yaml:2: not a regular expression`},
		{"capability", "title:", "cuda: 9.0\ntitle:", `mine.yaml:2: a compute capability is written sm_90, found "9.0"`},
		{"list", "rates:\n", "rates: [\n", `not YAML`},
		{"name", "name: mine", "name: My GPU", `mine.yaml: the name "My GPU" is not made of small letters`},
		{"alias", `title: "My GPU"`, "title: &a x\nnotes: *a", `anchors, aliases`},
		{"empty", small, "", `this is no architecture model`},
		{"a list", small, "- a\n- b\n", `this is no architecture model`},
		{"another source", `ME: "a measurement of mine"`, `KM: "a measurement of mine"`, `mine.yaml:5: the source KM stands for something else in the family`},
	} {
		text := strings.Replace(small, c.old, c.new, 1)
		if text == small {
			t.Fatalf("%s: the case changes nothing", c.name)
		}
		m, err := Parse("mine.yaml", []byte(text))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v (model %v), want %s", c.name, err, m != nil, c.want)
		}
		var at *FileError
		if err != nil && !errors.As(err, &at) {
			t.Errorf("%s: %T is no FileError", c.name, err)
		}
	}
}

func TestEveryMistakeIsReported(t *testing.T) {
	text := strings.NewReplacer("value: 7", "value: x", "how: measured", "how: never").Replace(small)
	_, err := Parse("mine.yaml", []byte(text))
	if n := len(strings.Split(err.Error(), "\n")); n != 2 {
		t.Errorf("%d messages, want 2:\n%v", n, err)
	}
}

func TestLoadOfUnknownNames(t *testing.T) {
	for name, want := range map[string]string{
		"nvidia-h20": "did you mean nvidia-h200?", "h200": "did you mean nvidia-h200?", "../families/pocl": "there is no architecture model", "": "there is no architecture model",
	} {
		if _, err := Load(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", name, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(small))
	f.Add([]byte("a: &a [*a]"))
	f.Add([]byte("rates:\n  units: {value: 1e999}\n"))
	for _, name := range [...]string{"nvidia-h200", "pocl-cpu", "generic-gpu"} {
		text, err := shipped.ReadFile("models/" + name + ending)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := Parse("f.yaml", text)
		if err != nil {
			return
		}
		back, err := Parse("f.yaml", []byte(m.Text()))
		if err != nil {
			t.Fatalf("%v\n%s", err, m.Text())
		}
		if back.Text() != m.Text() {
			t.Fatalf("read back differently:\n%s\n%s", m.Text(), back.Text())
		}
	})
}

func TestWithUsualKeepsWhatIsKnown(t *testing.T) {
	for _, m := range All() {
		with := m.WithUsual()
		for _, f := range Fields {
			if at := f.At(m); at.Known && *f.At(with) != *at {
				t.Errorf("%s: %s becomes %v", m.Name, f.Path(), *f.At(with))
			}
		}
		for _, f := range with.Assumed() {
			at := f.At(with)
			if at.Value <= 0 || at.Value > f.Max || with.Sources[at.Source] == "" || f.At(m).Known {
				t.Errorf("%s: %s is assumed to be %v", m.Name, f.Path(), *at)
			}
		}
		if r, b := with.Rates, with.Bandwidth; m.Class == GPU && (!r.Units.Known || !r.Clock.Known || !r.Issue.Known || !r.Integer.Known || b.Copy.Or(b.Peak.Or(0)) == 0) {
			t.Errorf("%s: what it computes costs nothing", m.Name)
		}
	}
}

func TestUsualFiguresFitWhatIsKnown(t *testing.T) {
	unknown, err := Load("generic-gpu")
	if err != nil {
		t.Fatal(err)
	}
	known := func(v float64) Figure { return Figure{Value: v, Known: true, Source: "SELF", How: Vendor} }
	usual := unknown.WithUsual()
	balance := func(m *Model) float64 {
		return m.Rates.Units.Value * m.Rates.Clock.Value * m.Rates.FMA.Value / m.Bandwidth.Copy.Or(m.Bandwidth.Peak.Value)
	}
	for name, set := range map[string]func(*Model){
		"units":             func(m *Model) { m.Rates.Units = known(64) },
		"units and clock":   func(m *Model) { m.Rates.Units, m.Rates.Clock = known(4), known(0.5e9) },
		"peak":              func(m *Model) { m.Bandwidth.Peak = known(1e12) },
		"copy":              func(m *Model) { m.Bandwidth.Copy = known(4e11) },
		"peak and fma":      func(m *Model) { m.Bandwidth.Peak, m.Rates.FMA = known(4e11), known(128) },
		"nothing":           func(*Model) {},
		"copy, next to fma": func(m *Model) { m.Bandwidth.Copy, m.Rates.FMA = known(8e11), known(32) },
	} {
		m := *unknown
		set(&m)
		with := m.WithUsual()
		if got, want := balance(with), balance(usual); got < 0.9*want || got > 1.1*want {
			t.Errorf("%s known: %g multiply-adds for a byte, want about %g", name, got, want)
		}
		if fma := with.Rates.FMA.Value; with.Rates.Special.Value != fma/4 {
			t.Errorf("%s known: %g special functions where there are %g multiply-adds", name, with.Rates.Special.Value, fma)
		}
	}
}

func TestModelsStateNoAssumedFigures(t *testing.T) {
	text := "name: x\ntitle: X\ninherit: generic-gpu\nrates:\n  fma: {value: 64, source: SELF, how: assumed}\n"
	if _, err := Parse("x.yaml", []byte(text)); err == nil || !strings.Contains(err.Error(), "x.yaml:5: how is one of vendor, measured, secondary, inferred, found \"assumed\"") {
		t.Errorf("a model that states what is assumed: %v", err)
	}
}
