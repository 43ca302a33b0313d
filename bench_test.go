package imgc_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"imgc"
)

// BenchmarkPlan plans all pipelines of each sample, for a device with many candidates and for rows of processors.
func BenchmarkPlan(b *testing.B) {
	for _, name := range []string{"nvidia-h200", "pocl-avx512"} {
		arch, err := imgc.OpenArchitecture(name)
		if err != nil {
			b.Fatal(err)
		}
		for _, path := range samples(b) {
			text, err := os.ReadFile(path)
			if err != nil {
				b.Fatal(err)
			}
			b.Run(name+"/"+strings.TrimSuffix(strings.TrimPrefix(path, "samples/"), ".img"), func(b *testing.B) {
				result, err := imgc.Check(context.Background(), path, string(text), imgc.Options{})
				if err != nil || result.Program == nil {
					b.Fatal(err)
				}
				for b.Loop() {
					if _, err := result.Program.Explain(arch, nil); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
