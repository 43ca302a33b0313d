package recurrence

import (
	"strings"
	"testing"

	"imgc/hast"
	"imgc/kir"
	"imgc/sema/sematest"
	"imgc/types"
)

// TestFirstStepsAreStages runs scans whose first step does something else, which becomes a stage where work-items may share it, and the rest, which may run in parallel then.
func TestFirstStepsAreStages(t *testing.T) {
	for _, c := range []struct {
		clauses, body string
		want          string // the stages
	}{
		{"scan(x) border clamp", "a[x] = x > 0 ? a[x-1] + b[x] : sum(b[i] for i in 0:N);", "a_first a_local a_carry a"},
		{"scan(x) border clamp", "if (0 == x) a[x] = max(b[i] for i in 0:N); else a[x] = a[x-1] - b[x];", "a_first a_local a_carry a"},
		{"scan(-x) border clamp", "a[x] = x < N - 1 ? a[x+1] + c[x] : argmin(b[i] for i in 0:N);", "a_first a_local a_carry a"},
		{"scan(-x) border constant(9)", "if (x != N - 1) { let i = a[x+1]; a[x] = i - 1 + argmin(b[i-1 : 3]); } else { a[x] = argmin(b[i] for i in 0:N); }", "a_first a_table a_carry a"},
		{"scan(x) border clamp", "a[x] = x > 0 ? a[x-1] * a[x-1] + b[x] : sum(b[i] for i in 0:N);", "a_first a"},
		{"scan(x)", "let v = b[x]; a[x] = x > 0 ? max(a[x-1], v) : v;", "a_first a_local a_carry a"},                                        // of one pixel
		{"scan(-x)", "let v = b[x]; let r = v * v; if (x == N - 1) a[x] = v; else a[x] = min(a[x+1] + 1, r);", "a_first a_local a_carry a"}, // which is in the way
		{"scan(x) border clamp", "a[x] = x > 0 ? a[x-1] * a[x-1] + b[x] : sum(b[i] for i in 0:9);", "a"},                                    // of few points, and not cut
		{"scan(x) border clamp", "a[x] = x < N - 1 ? a[x-1] / 2 + b[x] : sum(b[i] for i in 0:N);", "a"},                                     // the last step
		{"scan(x) border clamp", "a[x] = x > 1 ? a[x-1] / 2 + b[x] : sum(b[i] for i in 0:N);", "a"},                                         // two steps
		{"scan(-x) border clamp", "a[x] = x > N - 1 ? sum(b[i] for i in 0:N) : a[x+1] / 2 + b[x];", "a"},                                    // none
		{"scan(x) border clamp", "a[x] = b[x] > 0 ? a[x-1] / 2 + b[x] : sum(b[i] for i in 0:N);", "a"},                                      // by data
		{"scan(x) border clamp", "a[x] = x >= 1 ? a[x-1] / 2 + b[x] : sum(b[i] for i in 0:N);", "a"},                                        // not looked at
	} {
		p := sematest.Program(t, scanned("i32", c.clauses, c.body))
		q := Parallel(p, Options{Mode: kir.Strict, Chunk: 4, Items: 20, Carry: 40, Group: 3})
		if err := hast.Verify(q); err != nil {
			t.Fatalf("%s\n%v\n%s", c.body, err, hast.Dump(q))
		}
		var names []string
		hast.WalkStages(q.Pipelines[0].Steps, func(_ []hast.Step, s *hast.Stage) { names = append(names, s.Name) })
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("%s becomes %s, wanted %s", c.body, got, c.want)
		}
		for _, n := range []int{1, 2, 3, 4, 5, 9, 13, 31, 101} {
			want, got := run(t, p, types.Scalar(types.I32), n, nil), run(t, q, types.Scalar(types.I32), n, nil)
			if at, ok := near(got, want); !ok {
				t.Errorf("%s, %d pixels: pixel %d is %v, wanted %v", c.body, n, at, got.Word(at).Int(), want.Word(at).Int())
				break
			}
		}
	}
}
