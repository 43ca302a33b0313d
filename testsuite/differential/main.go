package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"imgc/testsuite/differential/generate"
	"imgc/testsuite/differential/shrink"
	"imgc/testsuite/differential/trial"
)

// A plan is what the command line asks for.
type plan struct {
	n         int
	limit     time.Duration // no program is begun or made smaller after it; 0 for none
	seed      uint64
	jobs      int
	calls     uint64
	simulated uint64 // every so many programs; 0 for none
	projects  uint64
	cuda      uint64         // every so many programs, with nvcc and on a device of this machine; 0 for none
	optimized uint64         // every so many programs; all others are compiled for the device without optimizations
	again     bool           // the same programs are tried again and again, as tests do; the kernels of others would fill the disk in vain
	chains    bool           // no other programs
	having    *regexp.Regexp // what is in the CUDA code of programs, in one of the ways in which they are compiled; nil for all programs
	out       string
	attempts  int  // of making a program smaller
	each      int  // programs of one kind of failure that are made smaller
	shrink    bool // programs of files, too
}

func main() {
	var p plan
	isWorker := flag.Bool(workerFlag[1:], false, "answer requests on the standard input (how the command starts itself)")
	flag.BoolVar(&noDevice, "ref", false, "run the interpreter alone, which looks at every index again")
	show := flag.Bool("show", false, "print the programs instead of running them")
	flag.IntVar(&p.n, "n", 100, "how many programs")
	flag.DurationVar(&p.limit, "for", 0, "how long programs are begun and made smaller, as in 90s; 0 for no limit")
	flag.Uint64Var(&p.seed, "seed", 1, "the first program's seed")
	flag.IntVar(&p.jobs, "j", 1, "programs at a time")
	flag.Uint64Var(&p.calls, "calls", 4, "calls of each program")
	flag.Uint64Var(&p.simulated, "oclgrind", 25, "one of so many programs runs under Oclgrind, too; 0 for none")
	flag.Uint64Var(&p.projects, "project", 50, "one of so many programs is built as a C project, too; 0 for none")
	flag.Uint64Var(&p.cuda, "cuda", 0, "one of so many programs is built as CUDA projects, too, on a machine with nvcc and a device; 0 for none")
	flag.Uint64Var(&p.optimized, "optimized", 1, "one of so many programs is compiled with the optimizations of the device's compiler")
	flag.BoolVar(&p.chains, "chains", false, "leave out programs that are no chains of stages on larger images")
	flag.Func("having", "leave out programs whose CUDA code matches this regular expression in no way in which they are compiled, as in __syncthreads",
		func(text string) (err error) { p.having, err = regexp.Compile(text); return err })
	flag.StringVar(&p.out, "out", "", "folder for programs that fail")
	flag.IntVar(&p.attempts, "attempts", 1500, "how often a program that fails is made smaller")
	flag.IntVar(&p.each, "each", 2, "how many programs that fail alike are made smaller")
	flag.BoolVar(&p.shrink, "shrink", false, "make the programs of files that fail smaller, too")
	flag.Parse()
	var err error
	switch {
	case p.optimized == 0:
		err = fmt.Errorf("-optimized 0: one of 1 program is all of them")
	case flag.NArg() > 0:
		err = p.files(flag.Args())
	case *isWorker:
		err = serve(os.Stdin, os.Stdout)
	case *show:
		for i := range p.n {
			fmt.Println(generate.Program(p.seed + uint64(i)))
		}
	default:
		err = p.run()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "differential:", err)
		os.Exit(1)
	}
}

// A tally counts what all jobs find.
type tally struct {
	sync.Mutex
	kinds          map[trial.Kind]int
	alike          map[string]int // failures by what they say
	calls, refused int
	simulated      int
	projects       int
	done           int
	start          time.Time
}

// run tries all programs.
func (p *plan) run() error {
	t := &tally{kinds: map[trial.Kind]int{}, alike: map[string]int{}, start: time.Now()}
	seeds := make(chan uint64)
	var jobs sync.WaitGroup
	for range p.jobs {
		jobs.Go(func() { p.job(seeds, t) })
	}
	for i := 0; i < p.n && !p.late(t); i++ {
		seeds <- p.seed + uint64(i)
	}
	close(seeds)
	jobs.Wait()
	fmt.Println(t.summary())
	bad := 0
	for kind, n := range t.kinds {
		if kind.Bad() {
			bad += n
		}
	}
	if bad > 0 {
		return fmt.Errorf("%d of %d programs fail", bad, t.done)
	}
	return nil
}

// late reports whether the time for all programs is over.
func (p *plan) late(t *tally) bool { return p.limit > 0 && time.Since(t.start) > p.limit }

// job tries programs in processes of its own.
func (p *plan) job(seeds <-chan uint64, t *tally) {
	device := &worker{patience: patience, cached: p.again}
	if p.cuda > 0 {
		device.patience = compilerPatience
	}
	simulator := &worker{patience: 5 * time.Minute, simulated: true}
	defer device.stop()
	defer simulator.stop()
	for seed := range seeds {
		text := generate.Program(seed)
		if p.chains && !generate.IsChain(seed) {
			continue
		}
		if p.having != nil && !trial.CUDAHas(text, p.having) {
			continue
		}
		q := request{Text: text, First: seed * p.calls, Last: seed*p.calls + p.calls - 1, OpenCL: every(p.projects, seed), CUDA: every(p.cuda, seed),
			Unoptimized: !every(p.optimized, seed)}
		used := device
		o := device.try(q)
		if o.Kind == trial.Agrees && every(p.simulated, seed) {
			q.Small, q.OpenCL, q.CUDA, q.Last, used = true, false, false, q.First, simulator
			o2 := simulator.try(q)
			o.Kind, o.Detail, o.Call = o2.Kind, o2.Detail, o2.Call
			t.count(&t.simulated)
		}
		if q.OpenCL || q.CUDA {
			t.count(&t.projects)
		}
		if t.add(o) {
			fmt.Printf("seed %d: %v\n", seed, o)
			if t.first(o, p.each) {
				p.report(fmt.Sprint("seed ", seed), q, o, used, t)
			}
		}
		if (t.done)%200 == 0 {
			simulator.stop() // drivers are not for ever
			device.stop()
		}
	}
}

// every reports whether a seed is the one of n that is tried in some further way; of 0 none is.
func every(n, seed uint64) bool { return n > 0 && seed%n == 0 }

func (t *tally) count(n *int) {
	t.Lock()
	defer t.Unlock()
	*n++
}

// add counts an outcome and reports whether it is a failure.
func (t *tally) add(o trial.Outcome) bool {
	t.Lock()
	defer t.Unlock()
	t.kinds[o.Kind]++
	t.calls += o.Calls
	t.refused += o.Refused
	t.done++
	if t.done%100 == 0 {
		fmt.Println(t.summary())
	}
	return o.Kind.Bad()
}

var digits = regexp.MustCompile(`[0-9]+`)

// first reports whether fewer than so many failures have said the same.
func (t *tally) first(o trial.Outcome, each int) bool {
	t.Lock()
	defer t.Unlock()
	line, _, _ := strings.Cut(o.Detail, "\n")
	key := string(o.Kind) + digits.ReplaceAllString(line, "#")
	if o.Kind == trial.Mismatch {
		key = string(o.Kind)
		each *= 10
	}
	t.alike[key]++
	return t.alike[key] <= each
}

func (t *tally) summary() string {
	var parts []string
	for kind, n := range t.kinds {
		parts = append(parts, fmt.Sprintf("%d %s", n, kind))
	}
	slices.Sort(parts)
	return fmt.Sprintf("%d programs in %s: %s; %d calls, %d refused by both; %d programs under Oclgrind, %d as projects", t.done,
		time.Since(t.start).Round(time.Second), strings.Join(parts, ", "), t.calls, t.refused, t.simulated, t.projects)
}

// report makes a program that fails smaller and writes it.
func (p *plan) report(origin string, q request, o trial.Outcome, w *worker, t *tally) {
	q.First, q.Last = o.Call, o.Call
	fails := func(text string) bool {
		q.Text = text
		return !p.late(t) && w.try(q).Kind == o.Kind
	}
	q.Text = shrink.Shrink(fewerDirectives(q.Text, fails), fails, p.attempts)
	text := q.Text
	o = w.try(q)
	fmt.Printf("shrunk, %s: %v\n%s\n", origin, o, text)
	if p.out == "" {
		return
	}
	if err := os.MkdirAll(p.out, 0o755); err != nil {
		fmt.Fprintln(os.Stderr, "differential:", err)
		return
	}
	name := filepath.Join(p.out, fmt.Sprintf("%s_%s.img", o.Kind, strings.TrimPrefix(origin, "seed ")))
	if err := os.WriteFile(name, fmt.Appendf(nil, "%s\n// call %d: %v\n", text, o.Call, o), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, "differential:", err)
	}
}
