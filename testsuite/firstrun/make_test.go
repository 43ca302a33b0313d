package firstrun

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// stubs are what the recipes call. The OpenCL loader is there once setup has run; go notes whether it builds with cgo, and what it builds notes
// that it ran.
var stubs = map[string]string{
	"script/setup":    "#!/bin/sh\n[ -z \"$NOTHING_TO_INSTALL\" ] && touch installed\nexit 0\n",
	"path/pkg-config": "#!/bin/sh\n[ -e installed ]\n",
	"path/gcc":        "#!/bin/sh\nexit 0\n",
	"path/go":         "#!/bin/sh\necho \"$1 cgo=$CGO_ENABLED\" >>log\nmkdir -p bin\nprintf '#!/bin/sh\\necho ran >>log\\n' >bin/imgc\nchmod +x bin/imgc\n",
}

// run makes a target in a folder of its own and returns what the stubs noted.
func run(t *testing.T, target string, before []string, env ...string) []string {
	t.Helper()
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip("there is no make")
	}
	dir := t.TempDir()
	files := map[string]string{}
	for _, name := range []string{"Makefile", "script/cgo"} {
		text, err := os.ReadFile(filepath.Join("../..", name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = string(text)
	}
	for name, text := range stubs {
		files[name] = text
	}
	for _, name := range before {
		files[name] = ""
	}
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("make", target)
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + filepath.Join(dir, "path") + string(os.PathListSeparator) + os.Getenv("PATH"), "HOME=" + dir}
	cmd.Env = append(cmd.Env, env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("make %s: %v\n%s", target, err, out)
	}
	log, err := os.ReadFile(filepath.Join(dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(log)), "\n")
}

// TestTheFirstDemoUsesWhatSetupInstalls is of a machine without OpenCL's loader, on which setup installs it.
func TestTheFirstDemoUsesWhatSetupInstalls(t *testing.T) {
	for _, c := range []struct {
		name, target string
		before, env  []string
		want         string
	}{
		{"a fresh machine", "demo", nil, nil, "build cgo=1, ran"},
		{"a machine on which nothing can be installed", "demo", nil, []string{"NOTHING_TO_INSTALL=1"}, "build cgo=0, ran"},
		{"a machine that has it", "demo", []string{"installed"}, nil, "build cgo=1, ran"},
		{"the user decides", "demo", nil, []string{"CGO_ENABLED=0"}, "build cgo=0, ran"},
		{"a fresh machine under test", "test", nil, nil, "test cgo=1"},
		{"build alone installs nothing", "build", nil, nil, "build cgo=0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := strings.Join(run(t, c.target, c.before, c.env...), ", "); got != c.want {
				t.Errorf("make %s: %s, want %s", c.target, got, c.want)
			}
		})
	}
}
