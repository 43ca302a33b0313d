package load_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"imgc/diag"
	"imgc/load"
	"imgc/parser"
	"imgc/source"
)

// TestOnlyNamedFoldersAreRead imports by paths and links that lead out of the program's folder.
func TestOnlyNamedFoldersAreRead(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"secret.img": "const SECRET = 1;", "app/main.img": "", "app/inside.img": "const A = 1;", "app/sub/deep.img": "const B = 1;",
		"lib/shared.img": "const C = 1;", "app2/near.img": "const D = 1;",
	} {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for from, to := range map[string]string{"app/link.img": "../secret.img", "app/own.img": "inside.img", "app/outside": "../lib", "app/zero.img": "/dev/zero"} {
		if err := os.Symlink(to, filepath.Join(root, from)); err != nil {
			t.Skip(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(root, "app/pipe.img"), 0o644); err != nil {
		t.Skip(err)
	}
	lib := filepath.Join(root, "lib")
	for _, c := range []struct {
		path, want string // "" where the file is read
		dirs       []string
	}{
		{path: "inside.img"}, {path: "sub/deep.img"}, {path: "sub/../inside.img"}, {path: "../app/inside.img"}, {path: "own.img"},
		{path: "../secret.img", want: "lies outside"}, {path: "sub/../../secret.img", want: "lies outside"}, {path: "link.img", want: "lies outside"},
		{path: "../app2/near.img", want: "lies outside"}, {path: "outside/shared.img", want: "lies outside"},
		{path: "outside/shared.img", dirs: []string{lib}}, {path: "../lib/shared.img", dirs: []string{lib}}, {path: "shared.img", dirs: []string{lib}},
		{path: "zero.img", want: "lies outside"}, {path: "zero.img", dirs: []string{"/dev"}, want: "no regular file"}, {path: "pipe.img", want: "no regular file"},
		{path: "sub", want: "there is no file"}, {path: "../nothing.img", want: "there is no file"},
	} {
		diags := &diag.List{}
		main := filepath.Join(root, "app", "main.img")
		file := parser.Parse(source.NewFile(main, `import "`+c.path+`";`), diags)
		found := load.Imports(file, load.Options{Dirs: c.dirs}, diags)
		report := ""
		for _, d := range diags.Sorted() {
			report += d.Message
		}
		if (c.want == "") != (len(found) == 1) || !strings.Contains(report, c.want) {
			t.Errorf("import %q with -I %v: %d files, %q; wanted %q", c.path, c.dirs, len(found), report, c.want)
		}
	}
}

func TestHugeImportsAreRefused(t *testing.T) {
	dir := t.TempDir()
	text := ""
	for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
		path := filepath.Join(dir, name+".img")
		if err := os.WriteFile(path, []byte("// "+strings.Repeat("x", 3<<20)), 0o644); err != nil {
			t.Fatal(err)
		}
		text += `import "` + name + `.img"; `
	}
	if err := os.WriteFile(filepath.Join(dir, "g.img"), []byte(strings.Repeat("x", load.MaxText+1)), 0o644); err != nil {
		t.Fatal(err)
	}
	for program, want := range map[string]string{text: "larger than 16 MiB together", `import "g.img";`: "larger than 4 MiB"} {
		diags := &diag.List{}
		load.Imports(parser.Parse(source.NewFile(filepath.Join(dir, "m.img"), program), diags), load.Options{}, diags)
		if all := diags.Sorted(); len(all) == 0 || !strings.Contains(all[len(all)-1].Message, want) {
			t.Errorf("%q: %v", program, all)
		}
	}
}
