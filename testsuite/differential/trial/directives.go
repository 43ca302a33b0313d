package trial

import (
	"fmt"
	"strings"

	"imgc"
	"imgc/testsuite/harness"
)

// prefix begins a first line that says how a program is tried.
const prefix = "// differential: "

// directives are what the first line of a program says: // differential: contract, bound 1e-5, schedule 17, arch nvidia-h200. The
// program runs under random legal decisions of that number and under the plan for that architecture, too: for images of the extents 64,
// with "extents 64". With "plain" the device's compiler leaves the kernels of these two as they are (harness.BuildPlain). With "pixels 5000" its images have so many at most, with "large 5000" mostly about as many.
type directives struct {
	mode     imgc.Mode
	bound    harness.Bound
	schedule uint64 // 0 for none
	arch     string
	extents  int64 // that the plan is made for; 0 for those of a plan for images of any size
	plain    bool  // only kernels of the program as it is written are optimized
	pixels   int   // the most of an image; 0 for the usual ones
	large    int   // the same, of images that mostly have as many
}

// options compile a program as it is written.
func (d *directives) options() imgc.Options {
	return imgc.Options{Mode: d.mode, Files: externFiles{}, Externs: externs, CheckClaims: true}
}

func parseDirectives(text string) (d directives, err error) {
	d.mode = imgc.Strict
	for _, item := range items(text) {
		if n, _ := fmt.Sscanf(item, "bound %g", &d.bound.Rel); n == 1 {
			d.bound.Scale = d.bound.Rel
			continue
		}
		if n, _ := fmt.Sscanf(item, "schedule %d", &d.schedule); n == 1 {
			continue
		}
		if n, _ := fmt.Sscanf(item, "extents %d", &d.extents); n == 1 {
			continue
		}
		if n, _ := fmt.Sscanf(item, "pixels %d", &d.pixels); n == 1 {
			continue
		}
		if n, _ := fmt.Sscanf(item, "large %d", &d.large); n == 1 {
			continue
		}
		if n, _ := fmt.Sscanf(item, "arch %s", &d.arch); n == 1 {
			continue
		}
		if item == "plain" {
			d.plain = true
			continue
		}
		if d.mode, err = imgc.ParseMode(item); err != nil {
			return d, err
		}
	}
	return d, nil
}

// items are the directives of a text one by one.
func items(text string) []string {
	line, _, _ := strings.Cut(text, "\n")
	list, ok := strings.CutPrefix(line, prefix)
	if !ok {
		return nil
	}
	return strings.Split(list, ", ")
}

// Fewer returns the text with one of its directives left out, for each of those that only add ways to run it: under another mode or
// bound, results may differ that do not have to agree.
func Fewer(text string) (all []string) {
	list := items(text)
	_, rest, _ := strings.Cut(text, "\n")
	for i, item := range list {
		if !strings.HasPrefix(item, "schedule") && !strings.HasPrefix(item, "arch") {
			continue
		}
		var kept []string
		kept = append(append(kept, list[:i]...), list[i+1:]...)
		if len(kept) == 0 {
			all = append(all, rest)
			continue
		}
		all = append(all, prefix+strings.Join(kept, ", ")+"\n"+rest)
	}
	return all
}
