package docs_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"imgc/imagefile"
)

var (
	helpVerb = regexp.MustCompile(`(?m)^  (\w+) {2,}\S`)
	helpFlag = regexp.MustCompile(`(?m)^ +(?:-\w, )?(--[a-z][a-z-]*)`)
	longFlag = regexp.MustCompile(`--[a-z][a-z-]*`)
)

// TestCommandLinePageHasEveryVerbAndFlag compares the page with what the program says of itself, both ways.
func TestCommandLinePageHasEveryVerbAndFlag(t *testing.T) {
	dir := newClone(t)
	_, list, _ := strings.Cut(shell(t, dir, "imgc help"), "Available Commands:")
	list, _, _ = strings.Cut(list, "\nFlags:")
	parts := strings.Split(readPage(t, "docs/cli.md").text, "\n## imgc ")
	sections := map[string]string{}
	for _, s := range parts[1:] {
		verb, text, _ := strings.Cut(s, "\n")
		text, _, _ = strings.Cut(text, "\n## ")
		sections[verb] = (&page{text: text}).prose()
	}
	verbs := 0
	for _, m := range helpVerb.FindAllStringSubmatch(list, -1) {
		verb := m[1]
		if verb == "help" {
			continue
		}
		verbs++
		section, ok := sections[verb]
		if !ok {
			t.Errorf("docs/cli.md has no section for imgc %s", verb)
			continue
		}
		if !strings.Contains(parts[0], "imgc "+verb) {
			t.Errorf("the summary of docs/cli.md lacks imgc %s", verb)
		}
		compareFlags(t, verb, section, helpOf(t, dir, verb))
	}
	if verbs == 0 || verbs != len(sections) {
		t.Errorf("docs/cli.md has sections for %d verbs, imgc has %d", len(sections), verbs)
	}
}

// helpOf is the help of a verb and of the verbs below it.
func helpOf(t *testing.T, dir, verb string) string {
	t.Helper()
	text := shell(t, dir, "imgc "+verb+" --help")
	if _, below, ok := strings.Cut(text, "Available Commands:"); ok {
		below, _, _ = strings.Cut(below, "\nFlags:")
		for _, m := range helpVerb.FindAllStringSubmatch(below, -1) {
			text += shell(t, dir, "imgc "+verb+" "+m[1]+" --help")
		}
	}
	return text
}

func compareFlags(t *testing.T, verb, section, help string) {
	t.Helper()
	var flags string
	for _, m := range helpFlag.FindAllStringSubmatch(help, -1) {
		flags += m[1] + " "
	}
	listed, known := flagsIn(section), flagsIn(flags)
	for _, flag := range known {
		if !slices.Contains(listed, flag) && flag != "--help" {
			t.Errorf("docs/cli.md does not mention %s of imgc %s", flag, verb)
		}
	}
	for _, flag := range listed {
		if !slices.Contains(known, flag) {
			t.Errorf("docs/cli.md gives imgc %s the flag %s, which it has not", verb, flag)
		}
	}
}

func flagsIn(text string) []string {
	all := longFlag.FindAllString(text, -1)
	slices.Sort(all)
	return slices.Compact(all)
}

func TestCommandLinePageHasEveryImageFormat(t *testing.T) {
	text := readPage(t, "docs/cli.md").text
	for _, ext := range imagefile.Extensions() {
		if !strings.Contains(text, "`"+ext+"`") {
			t.Errorf("docs/cli.md does not mention %s files", ext)
		}
	}
}
