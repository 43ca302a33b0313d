package std_test

import (
	"testing"

	"imgc/std"
)

// TestNamesAreFoundInTheirFiles asks for declarations of each kind, and for what is none.
func TestNamesAreFoundInTheirFiles(t *testing.T) {
	for name, want := range map[string]string{
		"sobel": "std/filters.img", "binomial5": "std/filters.img", "luma": "std/colour.img", "reduce2": "std/pyramid.img", "sobe": "", "src": "",
	} {
		if got := std.Declaring(name); got != want {
			t.Errorf("%s is declared in %q, wanted %q", name, got, want)
		}
	}
}
