package diag

import (
	"strings"
	"testing"
)

func TestSuggestFindsTheWordThatWasMeant(t *testing.T) {
	rules := []string{"clamp", "reflect", "reflect101", "repeat", "constant", "undefined"}
	tests := []struct {
		name       string
		candidates []string
		want       string
	}{
		{"clam", rules, "clamp"},
		{"calmp", rules, "clamp"}, // exchanged
		{"CONSTANT", rules, "constant"},
		{"reflct", rules, "reflect"},
		{"reflect_101", rules, "reflect101"},
		{"zebra", rules, ""},
		{"clamp", rules, ""}, // the word itself is no suggestion
		{"", rules, ""},
		{"x", []string{"y", "X"}, "X"},
		{"x", []string{"y", "xy", "yz"}, "xy"}, // another letter is another name
		{"src", []string{"dst", "scr"}, "scr"},
		{"ab", []string{"ac", "ad"}, "ac"}, // the first of equals
		{"größe", []string{"grösse", "große"}, "große"},
		{strings.Repeat("a", 100), []string{strings.Repeat("a", 99)}, ""}, // bounded
	}
	for _, test := range tests {
		if got := Suggest(test.name, test.candidates); got != test.want {
			t.Errorf("Suggest(%q) = %q, want %q", test.name, got, test.want)
		}
	}
}
