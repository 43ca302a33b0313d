package project

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"imgc"
	"imgc/imagefile"
	"imgc/pixels"
	"imgc/testsuite/harness"
	"imgc/types"
)

// TestDemoReadsAndWritesPictures runs demo programs on the formats that a user has pictures in.
func TestDemoReadsAndWritesPictures(t *testing.T) {
	harness.Device(t)
	for _, c := range []struct {
		program, extension string
		elem               types.Type
	}{
		{"blur", ".pgm", types.Scalar(types.U8)},
		{"sharpen", ".ppm", types.Vector(types.U8, 3)},
		{"gaussian", ".pfm", types.Scalar(types.F32)},
	} {
		t.Run(c.program, func(t *testing.T) {
			p := harness.CompileFile(t, "samples/basics/"+c.program+".img", imgc.Strict)
			demo := harness.WriteProject(t, p, imgc.ProjectOptions{}).Demo(t)
			src := harness.Input(c.program, harness.Random, c.elem, 19, 23)
			want := harness.Interpret(t, p, c.program, imgc.Args{Images: map[string]*pixels.Image{"src": src}}).Images["dst"]
			dir := t.TempDir()
			in, out := filepath.Join(dir, "in"+c.extension), filepath.Join(dir, "out"+c.extension)
			if err := imagefile.Write(in, src, imagefile.Want{}); err != nil {
				t.Fatal(err)
			}
			text := harness.Command(t, dir, demo, "--bench", "2", in, out)
			if !strings.Contains(text, "median") || !strings.Contains(text, "minimum") {
				t.Errorf("--bench prints %q", text)
			}
			got, err := imagefile.Read(out, imagefile.Want{Elem: c.elem, Rank: 2})
			if err != nil {
				t.Fatal(err)
			}
			if err := harness.Compare(got, want, harness.Bound{}); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestDemoRefusesWrongUse: a message, a status, and no output file.
func TestDemoRefusesWrongUse(t *testing.T) {
	harness.Device(t)
	project := harness.WriteProject(t, harness.CompileFile(t, "samples/basics/threshold.img", imgc.Strict), imgc.ProjectOptions{})
	demo := project.Compile(t, "demo", "gcc", append([]string{"-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"},
		harness.Warnings...), "src/threshold.c", "demo/main.c", "demo/image.c")
	dir := t.TempDir()
	files := map[string][]byte{
		"good.pgm":  []byte("P5 # a comment\n2 2\n255\nabcd"),
		"short.pgm": []byte("P5 2 2 255\nabc"),
		"large.pgm": []byte("P5 999999999 999999999 255\nabc"),
		"nan.pgm":   []byte("P5 nan nan 255\nabcd"),
		"half.pgm":  []byte("P5 2.5 2 255\nabcdef"),
		"none.pgm":  []byte("P5 2 2 0\nabcd"),
		"far.pgm":   []byte("P5 2 2 70000\nabcdefgh"),
		"text.pgm":  []byte("this is no picture"),
		"deep.pgm":  []byte("P5 2 2 65535\nabcdefgh"),
		"rgb.ppm":   []byte("P6 1 1 255\nabc"),
		"empty.npy": nil,
		"head.npy":  []byte("\x93NUMPY\x01\x00\xff\xff{'descr': '|u1'"),
		"zero.npy":  npy("{'descr': '|u1', 'fortran_order': False, 'shape': (0, 2), }"),
		"less.npy":  npy("{'descr': '|u1', 'fortran_order': False, 'shape': (-1, 2), }"),
		"over.npy":  npy("{'descr': '|u1', 'fortran_order': False, 'shape': (9223372036854775807, 9223372036854775807), }"),
		"float.npy": npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1), }"),
		"cube.npy":  npy("{'descr': '|u1', 'fortran_order': False, 'shape': (1, 1, 2), }"),
		"many.npy":  npy("{'descr': '|u1', 'fortran_order': False, 'shape': (1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1), }"),
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out := filepath.Join(dir, "out.pgm")
	for _, args := range []string{
		"", "threshold", "threshold good.pgm", "threshold good.pgm out.pgm more.pgm", "treshold good.pgm out.pgm", "--what threshold good.pgm out.pgm",
		"--set level=256 threshold good.pgm out.pgm", "--set level=-1 threshold good.pgm out.pgm", "--set level=x threshold good.pgm out.pgm",
		"--set level= threshold good.pgm out.pgm", "--set levle=1 threshold good.pgm out.pgm", "--set threshold good.pgm",
		"--device 99 threshold good.pgm out.pgm", "--device -1 threshold good.pgm out.pgm", "--bench -1 threshold good.pgm out.pgm",
		"--set level=1.5 threshold good.pgm out.pgm", "--set level=nan threshold good.pgm out.pgm", "--bench x threshold good.pgm out.pgm",
		"--device x threshold good.pgm out.pgm", "threshold nan.pgm out.pgm", "threshold half.pgm out.pgm", "threshold none.pgm out.pgm",
		"threshold far.pgm out.pgm", "threshold nowhere.pgm out.pgm", "threshold short.pgm out.pgm", "threshold large.pgm out.pgm", "threshold text.pgm out.pgm",
		"threshold deep.pgm out.pgm", "threshold rgb.ppm out.pgm", "threshold empty.npy out.pgm", "threshold head.npy out.pgm",
		"threshold zero.npy out.pgm", "threshold less.npy out.pgm", "threshold over.npy out.pgm", "threshold float.npy out.pgm",
		"threshold cube.npy out.pgm", "threshold many.npy out.pgm", "threshold good.pgm out.xyz", "threshold good.pgm out.ppm",
		"threshold good.pgm nowhere/out.pgm",
	} {
		cmd := sanitized(t, demo, strings.Fields(args)...)
		cmd.Dir = dir
		var errors bytes.Buffer
		cmd.Stderr = &errors
		err := cmd.Run()
		exit, isExit := err.(*exec.ExitError)
		if !isExit || exit.ExitCode() < 1 || exit.ExitCode() > 2 {
			t.Errorf("%q ends with %v\n%s", args, err, errors.String())
		}
		if errors.Len() < 10 {
			t.Errorf("%q says only %q", args, errors.String())
		}
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		if len(entries) != len(files) {
			t.Fatalf("%q leaves %v", args, entries)
		}
	}
	if text, err := sanitized(t, demo, "threshold", filepath.Join(dir, "good.pgm"), out).CombinedOutput(); err != nil {
		t.Errorf("right use: %v\n%s", err, text)
	}
}

// TestDemoTakesAllValues: defaults and values given, at the ends of what kinds hold, are those that the library gets.
func TestDemoTakesAllValues(t *testing.T) {
	harness.Device(t)
	p := harness.CompileWith(t, "values.img", `
pipeline values(in i: i64 = 9223372036854775807, in u: u64 = 18446744073709551615, in k: i32 = -2147483648, in f: f32 = -1.0 / 0.0, in b: u8 = 255,
        out io: i64, out uo: u64, out ko: i32, out fo: f32, out bo: u8) {
    io = i;
    uo = u;
    ko = k;
    fo = f;
    bo = b;
}`, imgc.Options{Mode: imgc.Strict})
	project := harness.WriteProject(t, p, imgc.ProjectOptions{})
	demo := project.Compile(t, "demo", "gcc", append([]string{"-g", "-Wconversion", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"},
		harness.Warnings...), "src/values.c", "demo/main.c", "demo/image.c")
	for _, c := range []struct{ args, want string }{
		{"", "io = 9223372036854775807\nuo = 18446744073709551615\nko = -2147483648\nfo = -inf\nbo = 255\n"},
		{"--set i=-9223372036854775808 --set u=9007199254740993 --set k=0x7fffffff --set f=nan --set b=0",
			"io = -9223372036854775808\nuo = 9007199254740993\nko = 2147483647\nfo = nan\nbo = 0\n"},
		{"--set i=9007199254740993 --set f=3.4028234663852886e38", "io = 9007199254740993\nuo = 18446744073709551615\nko = -2147483648\nfo = 3.40282347e+38\nbo = 255\n"},
	} {
		text, err := sanitized(t, demo, strings.Fields(c.args)...).Output()
		if err != nil || string(text) != c.want {
			t.Errorf("%q: %v\n%s", c.args, err, text)
		}
	}
}

// npy is a file of version 1 with a header and no pixels but eight.
func npy(header string) []byte {
	return append([]byte("\x93NUMPY\x01\x00"+string([]byte{byte(len(header)), byte(len(header) >> 8)})), header+"abcdefgh"...)
}
