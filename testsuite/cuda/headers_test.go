package cuda

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"imgc"
	"imgc/testsuite/harness"
	"imgc/types"
)

// TestTextsIncludeWhatTheyName converts from every kind to every other and back in a program of its own, and looks for the header of each type and function
// that the text names.
func TestTextsIncludeWhatTheyName(t *testing.T) {
	named := map[string]*regexp.Regexp{
		"cuda_bf16.h": regexp.MustCompile(`\b__\w*bfloat16\w*\b`), "cuda_fp16.h": regexp.MustCompile(`\b__\w*half\w*\b`),
		"limits.h": regexp.MustCompile(`\b(INT|LLONG|UINT|SHRT|CHAR)\w*_(MIN|MAX)\b`),
	}
	seen := map[string]int{}
	for _, from := range types.Kinds() {
		for _, to := range types.Kinds() {
			for _, text := range []string{"%[2]s(a[i])", "%[1]s(%[2]s(a[i]))", "sat<%[1]s>(%[2]s(a[i]))"} {
				e := fmt.Sprintf(text, from, to)
				result := from
				if strings.HasPrefix(text, "%[2]s") {
					result = to
				}
				if strings.HasPrefix(e, "sat<bool") || strings.HasPrefix(e, "sat") && to == types.Bool {
					continue
				}
				p := harness.Compile(t, "one.img", fmt.Sprintf("pipeline p(in a: %s[N], out r: %s[N]) { iterate (i) over r r[i] = %s; }\n", from, result, e), imgc.Contract)
				made, err := p.CUDA()
				if err != nil {
					t.Fatalf("%s: %v", e, err)
				}
				for header, names := range named {
					if name := names.FindString(made.Output.Source); name != "" {
						seen[header]++
						if !strings.Contains(made.Output.Source, "#include <"+header+">") {
							t.Errorf("%s of %s: the text names %s and does not include %s", e, from, name, header)
						}
					}
				}
			}
		}
	}
	if len(seen) < 2 {
		t.Errorf("headers are needed by few texts: %v", seen)
	}
}
