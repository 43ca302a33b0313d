package project

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"imgc"
	"imgc/testsuite/harness"
)

// programs lists every sample, and the program that the calls are tested with, relative to the repository.
func programs(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, pattern := range []string{"samples/*/*.img", "testsuite/project/testdata/*.img"} {
		paths, err := filepath.Glob(filepath.Join(harness.Root, pattern))
		if err != nil || len(paths) == 0 {
			t.Fatalf("no programs %s: %v", pattern, err)
		}
		for _, path := range paths {
			name, err := filepath.Rel(harness.Root, path)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, name)
		}
	}
	return all
}

// TestLibrariesLiveTogetherInACPlusPlusProgram compiles every library as C99 and links all of them into one program of C++11 that
// includes every header, without a warning. Their objects keep no data that can change, call nothing that ends the program or
// prints, and define no name but their own.
func TestLibrariesLiveTogetherInACPlusPlusProgram(t *testing.T) {
	for _, tool := range []string{"gcc", "g++", "nm"} {
		harness.Need(t, tool)
	}
	var objects, includes []string
	var head, body strings.Builder
	for _, path := range programs(t) {
		p := harness.CompileFile(t, path, imgc.Contract)
		folder := filepath.Base(filepath.Dir(path)) // programs of different folders may have one name
		project := harness.WriteProject(t, p, imgc.ProjectOptions{Name: folder + "_" + p.Name})
		object := project.Path(project.Name + ".o")
		args := append(slices.Clone(harness.Warnings), "-O1", "-I", project.Path("include"), "-c", project.Path("src/"+project.Name+".c"), "-o", object)
		harness.Command(t, project.Dir, "gcc", args...)
		checkSymbols(t, project, object)
		objects = append(objects, object)
		includes = append(includes, "-I", project.Path("include"))
		fmt.Fprintf(&head, "#include \"%s.h\"\n", project.Name)
		body.WriteString(useOf(project.Name, p))
	}
	dir := t.TempDir()
	main := filepath.Join(dir, "main.cpp")
	text := head.String() + "\nint main() {\n    int wrong = 0;\n" + body.String() + "    return wrong;\n}\n"
	if err := os.WriteFile(main, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	args := append([]string{"-std=c++11", "-Wall", "-Wextra", "-Wpedantic", "-Werror"}, includes...)
	args = append(append(args, main), objects...)
	harness.Command(t, dir, "g++", append(args, "-o", filepath.Join(dir, "main"), "-lOpenCL")...)
	harness.Command(t, dir, filepath.Join(dir, "main"))
}

// useOf calls every function of a library with null pointers, which each of them takes.
func useOf(name string, p *imgc.Program) string {
	upper := strings.ToUpper(name)
	text := fmt.Sprintf("    wrong += %s_create(nullptr, nullptr, nullptr) != %s_NULL;\n    %s_destroy(nullptr);\n"+
		"    wrong += %s_status(%s_OK)[0] == 0 || %s_last_error(nullptr)[0] != 0;\n", name, upper, name, name, upper, name)
	for _, q := range p.Pipelines {
		function := name
		if len(p.Pipelines) > 1 {
			function += "_" + q.Name
		}
		args := ""
		for _, r := range q.Params {
			if r.IsImage || r.Returns() {
				args += ", nullptr"
			} else {
				args += ", 0"
			}
		}
		text += fmt.Sprintf("    wrong += %s_run(nullptr%s) != %s_NULL;\n", function, args, upper)
		text += fmt.Sprintf("    wrong += %s_enqueue(nullptr, nullptr%s, 0, nullptr, nullptr) != %s_NULL;\n", function, args, upper)
	}
	return text
}

// unwelcome are functions that a library must not call.
var unwelcome = strings.Fields("exit _exit abort printf puts putchar fprintf fputs vprintf vfprintf stdout stderr perror signal atexit system getenv")

// checkSymbols reads the symbols of an object: B, C and D are data that can change.
func checkSymbols(t *testing.T, project *harness.Project, object string) {
	t.Helper()
	for line := range strings.Lines(harness.Command(t, project.Dir, "nm", object)) {
		fields := strings.Fields(line)
		kind, name := fields[len(fields)-2], fields[len(fields)-1]
		switch {
		case kind == "U" && slices.Contains(unwelcome, name):
			t.Errorf("%s calls %s", project.Name, name)
		case strings.ContainsAny(kind, "BbCD"):
			t.Errorf("%s has global data: %s", project.Name, line)
		case kind == "T" && name != project.Name && !strings.HasPrefix(name, project.Name+"_"):
			t.Errorf("%s defines %s", project.Name, name)
		}
	}
}

func TestBuildingTwiceGivesTheSameBytes(t *testing.T) {
	for _, path := range programs(t) {
		text, err := os.ReadFile(filepath.Join(harness.Root, path))
		if err != nil {
			t.Fatal(err)
		}
		var first map[string][]byte
		for i, name := range []string{filepath.Base(path), filepath.Base(path), "/some/other/folder/" + filepath.Base(path)} {
			files, err := harness.Compile(t, name, string(text), imgc.Contract).Project(context.Background(), imgc.ProjectOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if i == 0 {
				first = files
			}
			if a, b := slices.Sorted(maps.Keys(first)), slices.Sorted(maps.Keys(files)); !slices.Equal(a, b) {
				t.Fatalf("%s: files %v, then %v", path, a, b)
			}
			for file := range first {
				if !bytes.Equal(first[file], files[file]) {
					t.Errorf("%s: %s differs when it is built as %s", path, file, name)
				}
			}
		}
	}
}

// TestTheReadmeNamesWhatTheDemoWants: settings without a default have to be given, those with one may be.
func TestTheReadmeNamesWhatTheDemoWants(t *testing.T) {
	p := harness.Compile(t, "warp.img", `pipeline warp(in src: u8[H][W] border clamp, in by: f32x2, in gain: f32 = 1.0, out dst: u8[h][W]) {
	dst = [sat<u8>(gain * sample(src, y + by.y, x + by.x, linear)) for y, x];
}`, imgc.Contract)
	files, err := p.Project(t.Context(), imgc.ProjectOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want := "src.pgm dst.pgm --set by.x=VALUE --set by.y=VALUE [--set gain=VALUE] --set h=VALUE"
	for _, file := range []string{"README.md", "demo/main.c"} {
		if !strings.Contains(string(files[file]), want) {
			t.Errorf("%s does not say: %s", file, want)
		}
	}
}

// TestCMake builds and installs a project, as a static and as a shared library, and compiles a program against what was
// installed, with the flags that pkg-config names, and with CMake's find_package.
func TestCMake(t *testing.T) {
	for _, tool := range []string{"cmake", "pkg-config", "gcc"} {
		harness.Need(t, tool)
	}
	d := harness.Device(t)
	project := harness.WriteProject(t, harness.CompileFile(t, "testsuite/project/testdata/calls.img", imgc.Contract), imgc.ProjectOptions{})
	for _, shared := range []string{"OFF", "ON"} {
		t.Run("shared="+shared, func(t *testing.T) {
			dir := t.TempDir()
			build, prefix := filepath.Join(dir, "build"), filepath.Join(dir, "prefix")
			out := harness.Command(t, dir, "cmake", "-S", project.Dir, "-B", build, "-DBUILD_SHARED_LIBS="+shared,
				"-DCMAKE_INSTALL_PREFIX="+prefix, "-DCMAKE_INSTALL_LIBDIR=lib",
				"-DCMAKE_C_FLAGS="+strings.Join(harness.Warnings[1:], " "))
			out += harness.Command(t, dir, "cmake", "--build", build)
			out += harness.Command(t, dir, "cmake", "--install", build)
			if strings.Contains(strings.ToLower(out), "warning") {
				t.Errorf("a warning:\n%s", out)
			}
			flags := exec.Command("pkg-config", "--cflags", "--libs", "--static", "calls")
			flags.Env = append(os.Environ(), "PKG_CONFIG_PATH="+filepath.Join(prefix, "lib", "pkgconfig"))
			text, err := flags.Output()
			if err != nil {
				t.Fatalf("pkg-config: %v", err)
			}
			program := filepath.Join(dir, "external")
			args := append(slices.Clone(harness.Warnings), testdata(t, "external.c"), "-o", program)
			harness.Command(t, dir, "gcc", append(args, strings.Fields(string(text))...)...)
			for _, program := range []string{program, withFindPackage(t, dir, prefix)} {
				run := exec.Command(program)
				run.Env = append(os.Environ(), "LD_LIBRARY_PATH="+filepath.Join(prefix, "lib"))
				if out, err := run.CombinedOutput(); err != nil || strings.TrimSpace(string(out)) != "2 4 6" {
					t.Errorf("on %s: %s: %v\n%s", d.Info(), program, err, out)
				}
			}
		})
	}
}

// withFindPackage builds the same program in a CMake project that finds what was installed.
func withFindPackage(t *testing.T, dir, prefix string) string {
	user := filepath.Join(dir, "user")
	if err := os.Mkdir(user, 0o755); err != nil {
		t.Fatal(err)
	}
	text := "cmake_minimum_required(VERSION 3.10)\nproject(user LANGUAGES C)\nfind_package(calls REQUIRED)\n" +
		"add_executable(found " + testdata(t, "external.c") + ")\ntarget_link_libraries(found PRIVATE calls::calls)\n"
	if err := os.WriteFile(filepath.Join(user, "CMakeLists.txt"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	harness.Command(t, dir, "cmake", "-S", user, "-B", filepath.Join(user, "build"), "-DCMAKE_PREFIX_PATH="+prefix)
	harness.Command(t, dir, "cmake", "--build", filepath.Join(user, "build"))
	return filepath.Join(user, "build", "found")
}
