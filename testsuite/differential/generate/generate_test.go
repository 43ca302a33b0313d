package generate

import (
	"context"
	"testing"

	"imgc"
	"imgc/diag"
)

// TestProgramsAreValid: programs that the compiler refuses test nothing.
func TestProgramsAreValid(t *testing.T) {
	const programs, most = 150, 5
	refused := 0
	for seed := range uint64(programs) {
		text := Program(seed)
		if text != Program(seed) {
			t.Fatalf("seed %d gives two programs", seed)
		}
		result, err := imgc.Check(context.Background(), "random.img", text, imgc.Options{Mode: imgc.Strict, Files: externFile{}})
		if err != nil {
			t.Errorf("seed %d: %v\n%s", seed, err, text)
			continue
		}
		if result.Program == nil {
			refused++
			t.Logf("seed %d: %s", seed, firstError(result.Diagnostics))
		}
	}
	if refused > most {
		t.Errorf("%d of %d programs are refused", refused, programs)
	}
}

// externFile is whatever file is asked for.
type externFile struct{}

func (externFile) ReadFile(name string) ([]byte, error) { return []byte(ExternFiles[name]), nil }

// firstError is the message that refuses a program, with the text that it is about.
func firstError(all *diag.List) string {
	for _, d := range all.Sorted() {
		if d.Severity == diag.Error {
			return string(d.Code) + ": " + d.Message + " at " + d.Span.Text()
		}
	}
	return ""
}
