package plan_test

import (
	"fmt"
	"strings"
	"testing"

	"imgc/archmodels"
	"imgc/kir"
	"imgc/optimize/plan"
	"imgc/optimize/schedule"
)

// smoothings is a chain of so many stages, each of five pixels of the one before.
func smoothings(n int) string {
	var b strings.Builder
	b.WriteString("pipeline p(in src: f32[H][W], out dst: f32[H][W]) {\n")
	from := "src"
	for i := range n {
		to := fmt.Sprint("t", i)
		if i == n-1 {
			to = "dst"
		} else {
			fmt.Fprintf(&b, "image %s: f32[H][W];\n", to)
		}
		fmt.Fprintf(&b, "iterate (y, x) over %s border clamp %s[y][x] = (%s[y-1][x] + %s[y+1][x] + %s[y][x-1] + %s[y][x+1] + sqrt(%s[y][x])) * 0.2;\n", to, to, from, from, from, from, from)
		from = to
	}
	b.WriteString("}\n")
	return b.String()
}

// TestComputingAgainIsNeverFree plans a chain of which each stage that is fused is computed at more pixels than the one behind it, by models without rates, too: no kernel has all of it.
func TestComputingAgainIsNeverFree(t *testing.T) {
	p := compiled(t, smoothings(12))
	for _, m := range archmodels.All() {
		if m.Class != archmodels.GPU {
			continue
		}
		got := plan.For(p, target(t, m.Name, 4096, kir.Contract))
		if fused := fusedIn(got); fused > 10 {
			t.Errorf("%s fuses all:\n%s", m.Name, got.Text())
		}
		if assumes := strings.Contains(got.Text(), "// assumed, since the model does not know: "); assumes != (len(m.WithUsual().Assumed()) > 0) {
			t.Errorf("%s: what is assumed is said: %v", m.Name, assumes)
		}
	}
}

// TestFusedStagesHaveALimit plans chains for so few pixels that each launch saved is worth much computing: what an item writes out for one pixel stays within the registers of the device.
func TestFusedStagesHaveALimit(t *testing.T) {
	for _, n := range []int{8, 16} {
		got := plan.For(compiled(t, smoothings(n)), target(t, "nvidia-h200", 16, kir.Contract))
		if fused := fusedIn(got); fused == n-1 {
			t.Errorf("all %d stages are one:\n%s", n, got.Text())
		}
		if !strings.Contains(got.Text(), "registers, more than 200") {
			t.Errorf("%d stages: the plan does not say why no more are fused\n%s", n, got.Text())
		}
	}
}

// fusedIn is how many stages are fused with others.
func fusedIn(p *plan.Plan) (n int) {
	for _, s := range p.Schedule().Stages {
		if s.Place == schedule.Fuse {
			n++
		}
	}
	return n
}

// TestProcessorsFuseByRowsAlone plans stages of which one has an array, for which tiles by rows have no form: pixels one by one, with all that each needs, take far longer than two launches.
func TestProcessorsFuseByRowsAlone(t *testing.T) {
	const text = `pipeline p(in u: f32[H][W] border clamp, out next: f32[H][W], in noise: f32) {
    image share: f32[H][W];
    iterate (y, x) over share {
        let here = u[y][x];
        let d = [u[y-1][x], u[y+1][x], u[y][x-1], u[y][x+1]] - here;
        let slope = sum(d .* d) / (here * here);
        let curve = sum(d) / here;
        let q = (slope/2 - curve*curve/16) / ((1 + curve/4) * (1 + curve/4));
        share[y][x] = clamp(1 / (1 + (q - noise)/(noise * (1 + noise))), 0, 1);
    }
    iterate (y, x) over next border clamp {
        let here = u[y][x];
        next[y][x] = here + share[y][x]*(u[y-1][x] - here) + share[y+1][x]*(u[y+1][x] - here) + share[y][x]*(u[y][x-1] - here) + share[y][x+1]*(u[y][x+1] - here);
    }
}`
	for _, model := range []string{"pocl-avx512", "pocl-cpu", "generic-cpu"} {
		got := plan.For(compiled(t, text), target(t, model, 1080, kir.Contract))
		for _, c := range got.Choices {
			if len(c.Stage.Parts) > 0 && c.Picked.Rows == 0 {
				t.Errorf("%s: %s goes pixel by pixel\n%s", model, c.Stage.Of.Name, got.Text())
			}
		}
		if fusedIn(got) == 0 && !strings.Contains(got.Text(), "each instance would compute by itself what it reads") {
			t.Errorf("%s: the plan does not say why nothing is fused\n%s", model, got.Text())
		}
	}
}
