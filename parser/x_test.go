package parser
import ("testing";"imgc/diag";"imgc/source";"os";"fmt")
func TestXX(t *testing.T){
 for _, s := range []string{
 "pipeline blur(src: u8[H][W]) { x = ; y = ; }", "pipeline blur(in src u8[H][W]) {}", "pipeline blur(in u8[H][W] src) {}", "pipeline blur(in src: u8[H, W]) {}", "pipeline blur(in in: u8[H][W]) {}", "pipeline (in a: u8) {}", "pipeline blur {}", "pipline blur(in a: u8[H][W]) { }", "pipeline a() { x = 1;\nkernel b() { y = ; }", "pipeline a() { x = 1; } }", "pipeline a() { if (x) { y = 1; }\nconst N = 3;", "x = 1;\ny = 2;", "iterate (y, x) over a { }", "const N 3;", "const N = 3", "const N = 3\nconst M = 4;", "const int N = 3;", "mask g = [[1]];", "mask g: f32[3][3] = {{1}};", "domain d = [1];", "border b(s[M][N]) { s[*][0] = 1; s[*][-1] = s; t = 3; s[-1] = ; } else clamp", "border b(s) {}", "func f(a: f32) = a;", "func f(a: f32) { return a; }", "func f(a: f32) -> f32 { return a; }", "func f32 f(a: f32) { return a; }", "float f(float a) { return a; }", "func f(float a, float b): f32 = a;", "func f(a, b): f32 = a;", "def f(a): return a", "void f() {}", "kernel void f(in a: f32[h][w]) {}", "__kernel void f() {}", "pipeline f(in a: u8[H][W]): u8[H][W] {}", "import foo;", "import \"foo\"", "import \"foo\" as;", "#include \"foo\"", "include \"foo\"", "extern func f(in a: f32) reads(a);", "extern func f(in a: f32) reads a from opencl \"f\";", "schedule p { rows inline; dst: tile(32 8); a: pad(128) }", "schedule p on h200 { }", "schedule p { group: 256; a: border(regions); }", "pipeline p() { };", "\"abc", "/* abc", "pipeline p() { x = \"abc; }", "pipeline p() { ´x´ = \x00\xff; }", "pipeline p(in a: u8[H][W],) {}", "pipeline p(in a: u8[H][W] {}", "pipeline p(mask m: f32[3][3]) {}", "pipeline p(in float g, in int n) { x = ; }", "func f<T(a: T): T = a;", "}", "", "   ", "pipeline p() { for (i in 0:3) { x = ; } y = ; while (a) { if (b) { z = ; } else { w = ; } } }", "pipeline p() { iterate (y, x over a) { x = ; y = ; } }", "pipeline p() {\n if (a) {\n  x = 1;\n\n y = 2;\n}\n\npipeline q() { x = ; }", "commutative pipeline p() {}", "const a = (1;\nconst b = ;", "// only a comment", "Func f; Var x;", "struct A { int x; };",
 } {
   l := diag.List{}
   Parse(source.NewFile("x", s+"\n"), &l)
   if l.Len() != 1 { fmt.Println("######", l.Len(), s) }
   diag.Text(os.Stdout, &l, diag.TextOptions{})
 }
}
