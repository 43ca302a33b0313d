package sema_test

import (
	"io/fs"
	"strings"
	"testing"

	"imgc/diag"
	"imgc/hast"
	"imgc/load"
	"imgc/parser"
	"imgc/sema"
	"imgc/source"
)

// texts are files by name.
type texts map[string]string

func (t texts) ReadFile(name string) ([]byte, error) {
	if text, ok := t[name]; ok {
		return []byte(text), nil
	}
	return nil, fs.ErrNotExist
}

// checkFiles checks main.img with what it imports.
func checkFiles(files texts) (*hast.Program, *diag.List) {
	diags := &diag.List{}
	main := parser.Parse(source.NewFile("main.img", files["main.img"]), diags)
	imports := load.Imports(main, load.Options{Files: files}, diags)
	return sema.Check(main, sema.Options{Imports: imports}, diags), diags
}

const usesLib = `pipeline p(in a: f32[N], out b: f32[N]) { iterate (x) over b border clamp b[x] = `

func TestWhatImportsMakeVisible(t *testing.T) {
	lib := `const K = 3; mask m: f32[3] = [1, 2, 1]; domain d[3] = [1, 0, 1]; func f(x: f32): f32 = x + hidden();
func hidden(): f32 = K; border far(s[M]) { s[-1] = K * s[0]; } else clamp func add<T>(a: T, b: T): T = a + b;
kernel copy(in a: f32[n], out b: f32[n]) { b = [f(a[x]) for x]; } pipeline q(in a: f32[N], out b: f32[N]) { b = a; }`
	for name, c := range map[string]struct {
		main string
		want string // "" or a part of the report
	}{
		"plain":                  {`import "lib.img"; ` + usesLib + `K * f(a[x]) + convolve(m, a[x]); }`, ""},
		"prefix":                 {`import "lib.img" as l; ` + usesLib + `l.K * l.f(a[x]) + convolve(l.m, a[x]); }`, ""},
		"domain":                 {`import "lib.img" as l; ` + usesLib + `sum(a[x + d.x] for d in l.d); }`, ""},
		"fold":                   {`import "lib.img" as l; ` + usesLib + `fold(l.add, 0.0, a[x + i] for i in 0:3); }`, ""},
		"element of a mask":      {`import "lib.img" as l; ` + usesLib + `l.m[1] * a[x]; }`, ""},
		"border":                 {`import "lib.img" as l; pipeline p(in a: f32[N] border l.far, out b: f32[N]) { b = [a[x - 1] for x]; }`, ""},
		"border without prefix":  {`import "lib.img"; pipeline p(in a: f32[N] border far, out b: f32[N]) { b = [a[x - 1] for x]; }`, ""},
		"extent":                 {`import "lib.img" as l; pipeline p(in a: f32[l.K], out b: f32[l.K]) { b = a; }`, ""},
		"kernel":                 {`import "lib.img"; pipeline p(in a: f32[N], out b: f32[N]) { copy(a, b); }`, ""},
		"kernel with prefix":     {`import "lib.img" as l; pipeline p(in a: f32[N], out b: f32[N]) { first: l.copy(a, b); }`, ""},
		"same name in this file": {`import "lib.img" as l; func f(x: f32): f32 = l.f(x); ` + usesLib + `f(a[x]); }`, ""},
		"two ways":               {`import "lib.img"; import "lib.img" as l; const L = K + l.K; pipeline p(in a: f32[L], out b: f32[6]) { b = a; }`, ""},
		"missing behind a prefix": {`import "lib.img" as l; const A = l.Q;`,
			"main.img:1:34: error[IMG0201]: l.Q is not declared"},
		"prefix needed":       {`import "lib.img" as l; const A = K;`, "error[IMG0201]: K is not declared"},
		"prefix alone":        {`import "lib.img" as l; const A = l;`, "l is the prefix of an import, which is no value"},
		"pipeline":            {`import "lib.img" as l; pipeline p(in a: f32[N], out b: f32[N]) { l.q(a, b); }`, "l.q is not declared"},
		"hidden by const":     {`import "lib.img"; const K = 4;`, "main.img:1:25: error[IMG0202]: K "},
		"hidden by let":       {`import "lib.img"; func g(K: f32): f32 = 3;`, "error[IMG0202]: K would hide a const of an imported file"},
		"hidden by a prefix":  {`import "lib.img" as p; ` + usesLib + `0; }`, "error[IMG0202]: p "},
		"two of one name":     {`import "lib.img"; import "other.img"; const A = 3;`, "other.img declares K, which is visible here already"},
		"transitive":          {`import "outer.img"; const A = K;`, "error[IMG0201]: K is not declared"},
		"error in the import": {`import "broken.img"; const A = 3;`, "broken.img:1:11: error[IMG0201]: missing is not declared"},
		"error by the call": {`import "lib.img"; pipeline p(in a: u8[N], out b: u8[N]) { b = [u8(add(a[x], 3.5)) for x]; }`,
			"the result of add is u8"},
	} {
		t.Run(name, func(t *testing.T) {
			p, diags := checkFiles(texts{
				"main.img": c.main, "lib.img": lib, "other.img": "const K = 7;", "broken.img": "const B = missing;",
				"outer.img": `import "lib.img"; const O = K;`,
			})
			report := listing(diags)
			switch {
			case c.want == "" && (p == nil || report != ""):
				t.Errorf("reports\n%s", report)
			case c.want == "" && hast.Verify(p) != nil:
				t.Error(hast.Verify(p))
			case !strings.Contains(report, c.want):
				t.Errorf("reports\n%swanted %s", report, c.want)
			}
		})
	}
}
