package scans

import (
	"strings"
	"testing"

	"imgc"
	"imgc/hast"
	"imgc/optimize/lower"
	"imgc/optimize/schedule"
	"imgc/testsuite/harness"
)

// fetchers has items that run chunks of lines read n steps ahead wherever a stage allows it.
func fetchers(n int, mode imgc.Mode, seen map[string]int) imgc.Options {
	return imgc.Options{Mode: mode, Decide: func(pipeline string, s *hast.Stage) schedule.Decisions {
		d := schedule.Decisions{Fetch: n}
		if lower.Refuse(s, d, mode) != "" {
			return schedule.Decisions{}
		}
		seen[pipeline+"."+s.Name]++
		return d
	}}
}

// fetch runs a suite whose chunks are read n steps ahead.
func (s suite) fetch(t *testing.T, n int, mode imgc.Mode) {
	seen := map[string]int{}
	p := harness.CompileWith(t, "fetched.img", s.text, fetchers(n, mode, seen))
	kernels, err := p.OpenCL()
	if err != nil {
		t.Fatal(err)
	}
	for name := range seen {
		if strings.HasSuffix(name, "_carry") || strings.HasSuffix(name, "_spread") {
			t.Errorf("%s runs no chunk by itself, and fetches", name)
		}
	}
	if len(seen) < len(s.calls) || !strings.Contains(kernels.Output.Source, "_ahead[") {
		t.Errorf("%d stages of %d pipelines fetch what steps read: %v", len(seen), len(s.calls), seen)
	}
	s.compare(t, p, harness.BuildPlain(t, p), mode)
}

func TestFetch(t *testing.T) {
	t.Run("every one", func(t *testing.T) { everyOne().fetch(t, 4, imgc.Strict) })
	t.Run("every axis", func(t *testing.T) { everyAxis().fetch(t, 8, imgc.Strict) })
	t.Run("relaxed", func(t *testing.T) { relaxed().fetch(t, 3, imgc.Contract) })
}

// TestFetchRefusals are stages that run no chunks.
func TestFetchRefusals(t *testing.T) {
	for _, body := range []string{
		"iterate (y, x) over d d[y][x] = src[y][x];",
		"iterate (y, x) over d scan(y) border clamp d[y][x] = src[y][x] * d[y-1][x] * d[y-1][x];",
		"iterate (x) over src[0] { var s = 0; for (y in 0:H) s = s * 3 + src[y][x]; d[0][x] = s; }",
	} {
		why := harness.Refused(t, "pipeline refused(in src: i32[H][W], inout d: i32[H][W]) {\n    "+body+"\n}\n", schedule.Decisions{Fetch: 4})
		if !strings.Contains(why, "runs no chunks") {
			t.Errorf("%s is refused since %q", body, why)
		}
	}
}
