// Package imports_test holds the architecture to its word: which package may know which, and that each says what it is
// for.
package imports_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "imgc"

// anything, as the one thing that a package may import, lifts the restriction.
const anything = "..."

// allowed is the architecture's table: for each package of the module, the packages of the module that it may import,
// both written without the module's path and "" for the façade. A name that ends in "/..." stands for a folder and all
// below it. Only non-test files are held to it.
//
// A new package starts with a line here. An import that a package does not have yet is a decision about the
// architecture, not a formality: the arrows point one way, from syntax towards targets.
var allowed = map[string][]string{
	// What everything is made of.
	"source":   {},
	"types":    {},
	"ops":      {"types"},
	"interval": {"types", "ops"},
	"pixels":   {"types"},
	"diag":     {"source"},

	// What a caller passes, whoever runs it.
	"arguments": {"types", "pixels", "source"},

	// Text to the typed program.
	"grammar":           {},
	"syntax":            {"source"},
	"parser":            {"grammar", "syntax", "diag", "source"},
	"std":               {},
	"load":              {"std", "parser", "syntax", "diag", "source"},
	"hast":              {"source", "types", "ops"},
	"hast/evaluate":     {"hast", "types", "ops"},
	"hast/deal":         {"hast", "source", "types", "ops"},
	"hast/bounds":       {"hast", "interval", "types", "ops"},
	"hast/linear":       {"hast", "types", "ops"},
	"hast/nest":         {"hast", "hast/linear", "types", "ops"},
	"hast/accumulate":   {"hast", "types", "ops"},
	"sema":              {"sema/...", "interval", "syntax", "diag", "source", "hast", "hast/evaluate", "hast/deal", "hast/nest", "types", "ops", "std"},
	"sema/access":       {"sema/prove", "diag", "source", "hast", "types", "ops", "interval"},
	"sema/prove":        {},
	"interp/interptest": {"hast", "interp", "pixels", "types"},
	"sema/sematest":     {"sema", "parser", "diag", "source", "hast"},

	// The definition of every result.
	"interp": {"arguments", "hast", "types", "ops", "pixels", "source"},

	// The typed program to the device program.
	"archmodels":          {},
	"kir":                 {"source", "types", "ops"},
	"optimize/block":      {"hast", "hast/linear", "kir", "types", "ops", "optimize/memo"},
	"optimize/separable":  {},
	"optimize/feature":    optimizer,
	"optimize/fuse":       optimizer,
	"optimize/lower":      optimizer,
	"optimize/pass":       optimizer,
	"optimize/plan":       optimizer,
	"optimize/recurrence": optimizer,
	"optimize/relax":      {"hast", "types", "ops", "optimize/normal"},
	"optimize/schedule":   {"syntax", "diag", "source", "hast"},
	"optimize/finest":     {"hast", "ops", "types"},
	"optimize/overlap":    {"hast", "hast/accumulate", "hast/linear", "ops", "optimize/block", "source", "types"},
	"optimize/singles":    {"hast", "types"},
	"optimize/skew":       {"hast", "hast/linear", "ops", "types"},
	"optimize/memo":       {},
	"optimize/twin":       {"hast", "optimize/memo", "source", "types"},
	"optimize/loops":      {"hast", "ops", "optimize/block", "types"},
	"optimize/rotate":     {"hast", "ops", "types", "optimize/finest"},
	"optimize/coarse":     {"hast", "ops", "types", "optimize/finest", "optimize/loops"},
	"optimize/borders":    {"hast", "hast/accumulate", "hast/evaluate", "hast/linear", "interval", "ops", "optimize/block", "types"},
	"optimize/ratios":     {"hast", "hast/evaluate", "ops", "optimize/block", "types"},
	"optimize/normal":     {"hast", "hast/accumulate", "hast/bounds", "hast/evaluate", "hast/deal", "hast/linear", "interval", "ops", "optimize/block", "optimize/borders", "optimize/ratios", "optimize/separable", "source", "types"},
	"optimize/gather":     {"hast", "hast/linear", "ops", "optimize/block", "source", "types"},
	"optimize/tables":     {"hast", "ops", "optimize/feature", "optimize/schedule", "types"},
	"optimize/tune":       {"optimize/plan", "optimize/schedule"},

	// The device program to text.
	"emit/ctree":  {"types", "ops", "source"},
	"emit/clike":  {"kir", "types", "ops", "source", "emit/ctree"},
	"emit/cuda":   emitter,
	"emit/opencl": emitter,
	"emit/host":   append([]string{"emit/opencl", "emit/cuda"}, emitter...),

	// Devices and files.
	"device":       {"arguments", "device/cl", "kir", "types", "ops", "pixels", "source", "emit/opencl"},
	"device/cl":    {},
	"device/probe": {"device/cl", "archmodels"},
	"temporary":    {},
	"imagefile":    {"types", "pixels", "temporary"},

	// The façade and its callers.
	"":              {anything},
	"cmd/imgc":      {"", "imagefile", "pixels", "diag", "types", "temporary"},
	"samples/...":   {anything},
	"testsuite/...": {anything},
}

var (
	optimizer = []string{"hast", "hast/bounds", "hast/evaluate", "hast/linear", "archmodels", "kir", "types", "ops", "interval", "source", "optimize/..."}
	emitter   = []string{"kir", "types", "ops", "source", "emit/ctree", "emit/clike"}
)

// confined lists the modules of others that only some packages may know: a device binding that needs cgo, or a parser
// generator whose types must not leak, stays replaceable that way.
var confined = map[string][]string{
	"github.com/alecthomas/participle/v2": {"grammar", "parser"},
	"github.com/jgillich/go-opencl":       {"device/cl"},
	"github.com/spf13/cobra":              {"cmd/imgc"},
	"golang.org/x/image":                  {"imagefile", "samples/..."},
	"go.yaml.in/yaml/v3":                  {"archmodels"},
	"github.com/rogpeppe/go-internal":     {"cmd/imgc", "testsuite/..."},
}

// withoutDoc are the folders whose package needs no doc.go: single-file programs that say it where they start.
var withoutDoc = []string{"samples/photo"}

func TestImportsFollowTheArchitecture(t *testing.T) {
	for _, pkg := range packages(t) {
		may, known := lookup(pkg.name)
		if !known {
			t.Errorf("package %s is not in the architecture's table; add it to allowed in this test, with what it may import",
				display(pkg.name))
			continue
		}
		for _, imp := range pkg.imports {
			if own, ok := ownPackage(imp.path); ok && !matchesAny(may, own) {
				t.Errorf("%s: %s may not import %s (it may import: %s)",
					imp.pos, display(pkg.name), imp.path, strings.Join(may, ", "))
			}
			for mod, users := range confined {
				if within(imp.path, mod) && !matchesAny(users, pkg.name) {
					t.Errorf("%s: %s may not import %s; only %s may", imp.pos, display(pkg.name), imp.path, strings.Join(users, ", "))
				}
			}
		}
	}
}

func TestTableNamesItsOwnPackages(t *testing.T) {
	for pkg, may := range allowed {
		for _, m := range may {
			if m == anything {
				continue
			}
			folder, isFolder := strings.CutSuffix(m, "/...")
			found := false
			for other := range allowed {
				found = found || other == m || isFolder && within(other, folder)
			}
			if !found {
				t.Errorf("%s may import %q, which is no package of the table", display(pkg), m)
			}
		}
	}
}

func TestPackagesSayWhatTheyAreFor(t *testing.T) {
	for _, pkg := range packages(t) {
		if slices.Contains(withoutDoc, pkg.name) {
			continue
		}
		switch {
		case pkg.doc == nil:
			t.Errorf("%s has no doc.go", display(pkg.name))
		case len(*pkg.doc) <= 80:
			t.Errorf("%s/doc.go should say what the package is for and what it may know; it says %q", display(pkg.name), *pkg.doc)
		}
	}
}

// lookup finds what a package may import: its own line of the table, or the nearest folder's.
func lookup(pkg string) (may []string, known bool) {
	if may, known = allowed[pkg]; known {
		return may, true
	}
	for dir := pkg; dir != "."; dir = path.Dir(dir) {
		if may, known = allowed[dir+"/..."]; known {
			return may, true
		}
	}
	return nil, false
}

// matchesAny reports whether a package of the module is one of, or below one of, the patterns.
func matchesAny(patterns []string, pkg string) bool {
	for _, p := range patterns {
		folder, isFolder := strings.CutSuffix(p, "/...")
		if p == anything || p == pkg || isFolder && within(pkg, folder) {
			return true
		}
	}
	return false
}

// within reports whether an import path is dir or below it.
func within(importPath, dir string) bool {
	return importPath == dir || strings.HasPrefix(importPath, dir+"/")
}

// ownPackage is the table's name of an import path, if that belongs to this module.
func ownPackage(importPath string) (name string, ok bool) {
	if !within(importPath, module) {
		return "", false
	}
	return strings.TrimPrefix(strings.TrimPrefix(importPath, module), "/"), true
}

func display(pkg string) string { return path.Join(module, pkg) }

// A goPackage is a folder with Go files that are not tests.
type goPackage struct {
	name    string // relative to the module, "" for its root
	imports []goImport
	doc     *string // doc.go's package comment; nil without a doc.go
}

type goImport struct {
	path string
	pos  token.Position
}

// packages reads every package of the module. It parses the files itself rather than asking the go command, so that
// files for other systems, and those that need cgo, are held to the same rules on every machine.
func packages(t *testing.T) []goPackage {
	t.Helper()
	root := moduleRoot(t)
	files := token.NewFileSet()
	byName := map[string]*goPackage{}
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := entry.Name()
		if entry.IsDir() {
			if file != root && (base == "testdata" || base == "vendor" || strings.ContainsAny(base[:1], "._")) {
				return fs.SkipDir
			}
			return nil
		}
		if filepath.Ext(base) != ".go" || strings.HasSuffix(base, "_test.go") || strings.ContainsAny(base[:1], "._") {
			return nil
		}
		rel, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		name := strings.TrimPrefix(path.Dir(filepath.ToSlash(rel)), ".")
		if byName[name] == nil {
			byName[name] = &goPackage{name: name}
		}
		return byName[name].read(files, root, rel)
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(byName) == 0 {
		t.Fatalf("no packages below %s", root)
	}
	var all []goPackage
	for _, pkg := range byName {
		all = append(all, *pkg)
	}
	slices.SortFunc(all, func(a, b goPackage) int { return strings.Compare(a.name, b.name) })
	return all
}

// read adds one file's imports, and doc.go's comment.
func (pkg *goPackage) read(files *token.FileSet, root, rel string) error {
	text, err := os.ReadFile(filepath.Join(root, rel))
	if err != nil {
		return err
	}
	file, err := parser.ParseFile(files, rel, text, parser.ImportsOnly|parser.ParseComments)
	if err != nil {
		return err
	}
	for _, spec := range file.Imports {
		importPath, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return err
		}
		pkg.imports = append(pkg.imports, goImport{importPath, files.Position(spec.Pos())})
	}
	if filepath.Base(rel) == "doc.go" {
		comment := commentText(file.Doc)
		pkg.doc = &comment
	}
	return nil
}

func commentText(doc *ast.CommentGroup) string {
	if doc == nil {
		return ""
	}
	return strings.TrimSpace(doc.Text())
}

// moduleRoot is the nearest folder above the test's with a go.mod.
func moduleRoot(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			t.Fatal("no go.mod above the test")
		}
		dir = parent
	}
}
