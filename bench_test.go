package imgc_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"imgc"
)

// BenchmarkPlan plans all pipelines of each sample, for a device with many candidates and for rows of processors: what Explain takes, the forms before
// the plan with it, parsing and checking without. Machines are noisy, so that it reports the least time of all rounds, too:
//
//	go test -run '^$' -bench 'BenchmarkPlan$' -benchtime 5x .
func BenchmarkPlan(b *testing.B) {
	benchmarkPlan(b, "nvidia-h200", "pocl-avx512")
}

// BenchmarkPlanByModel is BenchmarkPlan for all shipped models.
func BenchmarkPlanByModel(b *testing.B) {
	models, err := imgc.Architectures()
	if err != nil {
		b.Fatal(err)
	}
	var names []string
	for _, m := range models {
		names = append(names, m.Name)
	}
	benchmarkPlan(b, names...)
}

func benchmarkPlan(b *testing.B, models ...string) {
	for _, model := range models {
		arch, err := imgc.OpenArchitecture(model)
		if err != nil {
			b.Fatal(err)
		}
		for _, size := range [][2]int64{{8192, 8192}, {1080, 1920}} {
			for _, path := range samples(b) {
				sample := strings.TrimSuffix(strings.TrimPrefix(path, "samples/"), ".img")
				b.Run(fmt.Sprintf("%s/%dx%d/%s", model, size[0], size[1], sample), func(b *testing.B) {
					benchmarkPlanOf(b, path, arch, size[0], size[1])
				})
			}
		}
	}
}

func benchmarkPlanOf(b *testing.B, path string, arch *imgc.Architecture, rows, columns int64) {
	text, err := os.ReadFile(path)
	if err != nil {
		b.Fatal(err)
	}
	result, err := imgc.Check(context.Background(), path, string(text), imgc.Options{})
	if err != nil || result.Program == nil {
		b.Fatal(err)
	}
	sizes := result.Program.ImageSizes(rows, columns)
	least := math.Inf(1)
	for b.Loop() {
		start := time.Now()
		if _, err := result.Program.Explain(arch, sizes); err != nil {
			b.Fatal(err)
		}
		least = min(least, time.Since(start).Seconds())
	}
	b.ReportMetric(least*1e3, "least-ms")
}
