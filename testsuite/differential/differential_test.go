package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"imgc/testsuite/differential/generate"
	"imgc/testsuite/differential/trial"
	"imgc/testsuite/harness"
)

// Random programs that every run of the tests tries; the command tries as many as it is asked for.
const (
	programs, fewPrograms = 40, 6 // fewPrograms with -short
	optimizedPrograms     = 12    // one of so many: the compilers of devices take most of the time
	simulatedPrograms     = 4
	calls                 = 4

	claimedPrograms, claimedCalls = 500, 2 // that the interpreter runs alone
	claimedSeed                   = 9400000
)

// How many random programs become CUDA projects on the host, where that is asked for, and which files.
var (
	cudaPrograms = flag.Uint64("cuda", 0, "how many random programs are run as CUDA projects on the host; any number adds all hand-written ones")
	firstSeed    = flag.Uint64("seed", 1, "the first of them")
	watched      = flag.Bool("watched", false, "look at every access of their kernels, for races and the like, instead of having them under the address sanitizer")
	cudaFiles    = flag.String("files", "", "programs, as a pattern of names, that are run as CUDA projects on the host")
	fileWays     = flag.String("ways", "strict", "how these are tried, as in a first line: strict, large 3000, arch nvidia-h200")
)

// TestMain makes the test a worker where a test has started it as one.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == workerFlag {
		if err := serve(os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// TestMendedProgramsAgree runs what has failed once, with the call that failed and others.
func TestMendedProgramsAgree(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.img")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no programs in testdata: %v", err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			ranges, err := callsOf(string(text))
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range ranges {
				o := trial.Run(string(text), trial.Options{First: r[0], Last: r[1], Device: harness.Device(t)})
				if o.Kind != trial.Agrees {
					t.Fatal(o)
				}
			}
		})
	}
}

// inCUDA are the hand-written programs that every run of the tests builds for CUDA.
var inCUDA = []string{"hand_windows.img", "hand_ints.img", "hand_unaligned.img", "hand_levels.img", "hand_phases.img"}

// onHost is a target that builds CUDA projects for a runtime on the host.
func onHost(t *testing.T, host *harness.Host) *trial.Target {
	return &trial.Target{Options: trial.CUDATarget.Options, Build: func(dir, name string) (string, error) {
		p := &harness.Project{Name: name, Dir: dir}
		return host.Build(t, p, nil, "src/"+name+".c", "demo/caller.c", "demo/image.c"), nil
	}}
}

// cudaHost is a runtime on the host that looks at kernels as the flags say.
func cudaHost(t *testing.T) *harness.Host {
	if *watched {
		return harness.WatchedCUDA(t)
	}
	return harness.CUDAOnHost(t, "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined")
}

// TestFilesAgreeInCUDA runs the programs of files as CUDA projects on the host, in all ways.
func TestFilesAgreeInCUDA(t *testing.T) {
	if *cudaFiles == "" {
		t.Skip("-files PATTERN runs it")
	}
	paths, err := filepath.Glob(*cudaFiles)
	if err != nil || len(paths) == 0 {
		t.Fatalf("no programs %s: %v", *cudaFiles, err)
	}
	host := cudaHost(t)
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			program := "// differential: " + *fileWays + "\n" + string(text)
			opts := trial.Options{First: *firstSeed, Last: *firstSeed + calls - 1, Projects: []*trial.Target{onHost(t, host)}, AllWays: true}
			switch o := trial.Run(program, opts); o.Kind {
			case trial.Agrees:
			case trial.Slow:
				t.Skip(o)
			default: // also what the compiler rejects, which would seem to agree
				t.Error(o)
			}
		})
	}
}

// TestHandWrittenProgramsAgreeInCUDA runs what was written to find faults, as CUDA projects on the host: images smaller than their
// windows, indices far outside, the extremes of 64 bits, division by zero, floats that no integer holds. With -cuda it runs all of it,
// in all ways.
func TestHandWrittenProgramsAgreeInCUDA(t *testing.T) {
	host := cudaHost(t)
	paths, err := filepath.Glob("testdata/hand_*.img")
	if err != nil || len(paths) == 0 {
		t.Fatal("no programs", err)
	}
	alone, err := filepath.Glob("testdata/cuda/*.img") // planned for GPUs, for which OpenCL's compilers for processors take minutes
	if err != nil || len(alone) == 0 {
		t.Fatal("no programs", err)
	}
	all := *cudaPrograms > 0
	for _, path := range append(paths, alone...) {
		if !all && !slices.Contains(inCUDA, filepath.Base(path)) && !slices.Contains(alone, path) {
			continue
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if o := trial.Run(string(text), trial.Options{Last: 9, Projects: []*trial.Target{onHost(t, host)}, AllWays: all}); o.Kind != trial.Agrees {
				t.Fatal(o)
			}
		})
	}
}

// TestRandomProgramsAgreeInCUDA runs so many programs as CUDA projects on the host, in all ways.
func TestRandomProgramsAgreeInCUDA(t *testing.T) {
	if *cudaPrograms == 0 {
		t.Skip("-cuda N runs it")
	}
	host := cudaHost(t)
	for seed := *firstSeed; seed < *firstSeed+*cudaPrograms; seed++ {
		t.Run(fmt.Sprint("seed", seed), func(t *testing.T) {
			text := generate.Program(seed)
			opts := trial.Options{First: seed * calls, Last: seed*calls + calls - 1, Projects: []*trial.Target{onHost(t, host)}, AllWays: true}
			if o := trial.Run(text, opts); o.Kind.Bad() {
				t.Errorf("%v\n%s", o, text)
			}
		})
	}
}

// TestRandomProgramsAgree runs the command as it is run by hand, in as many processes as there are cores.
func TestRandomProgramsAgree(t *testing.T) {
	harness.Device(t)
	t.Parallel()
	p := plan{n: programs, jobs: runtime.GOMAXPROCS(0), calls: calls, optimized: optimizedPrograms, again: true}
	if testing.Short() {
		p.n = fewPrograms
	}
	if err := p.run(); err != nil {
		t.Errorf("%v; -n 1 -seed N runs one of them again, and makes it smaller", err)
	}
}

// TestRandomProgramsKeepWhatIsClaimed runs many programs with the interpreter alone, which holds all values against what the proofs take for true of
// them: no device's compiler takes time.
func TestRandomProgramsKeepWhatIsClaimed(t *testing.T) {
	t.Parallel()
	n := uint64(claimedPrograms)
	if testing.Short() {
		n /= 10
	}
	for seed := range n {
		text := generate.Program(claimedSeed + seed)
		if o := trial.Run(text, trial.Options{Last: claimedCalls - 1}); o.Kind.Bad() {
			t.Errorf("seed %d: %v\n%s", claimedSeed+seed, o, text)
		}
	}
}

// try makes so many calls of each of the first n programs.
func try(t *testing.T, n int, calls uint64, opts trial.Options) {
	for seed := range uint64(n) {
		t.Run(fmt.Sprint("seed", seed), func(t *testing.T) {
			opts.First, opts.Last = seed*calls, seed*calls+calls-1
			text := generate.Program(seed)
			if o := trial.Run(text, opts); o.Kind.Bad() {
				t.Errorf("%v\n%s", o, text)
			}
		})
	}
}

// TestRandomProgramsUnderOclgrind has the simulator watch some of them.
func TestRandomProgramsUnderOclgrind(t *testing.T) {
	if harness.UnderOclgrind() {
		t.Skip("runs TestSimulatedRandomPrograms there")
	}
	t.Parallel()
	harness.SimulateTest(t, "TestSimulatedRandomPrograms")
}

// TestSimulatedRandomPrograms runs in the process that TestRandomProgramsUnderOclgrind starts.
func TestSimulatedRandomPrograms(t *testing.T) {
	if !harness.UnderOclgrind() {
		t.Skip("TestRandomProgramsUnderOclgrind runs it in a process of its own")
	}
	try(t, simulatedPrograms, 1, trial.Options{Device: harness.Device(t), Small: true})
}

// TestGeneratedProjectAgrees builds one program with a C compiler.
func TestGeneratedProjectAgrees(t *testing.T) {
	harness.Device(t)
	harness.Need(t, "gcc")
	t.Parallel()
	try(t, 1, calls, trial.Options{Projects: []*trial.Target{trial.OpenCLTarget}})
}
