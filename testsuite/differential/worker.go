package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"imgc/device"
	"imgc/testsuite/differential/trial"
	"imgc/testsuite/harness"
)

// A request is what a worker process is asked: a program, and how to run it.
type request struct {
	Text        string
	First, Last uint64 // numbers of the calls
	OpenCL      bool   // as a C project that is built for OpenCL, too
	CUDA        bool   // as CUDA projects in all ways
	Small       bool
	Unoptimized bool
}

// options are how package trial runs it.
func (q request) options(d *device.Device) trial.Options {
	o := trial.Options{First: q.First, Last: q.Last, Device: d, Small: q.Small, Unoptimized: q.Unoptimized, AllWays: q.CUDA}
	if q.OpenCL {
		o.Projects = append(o.Projects, trial.OpenCLTarget)
	}
	if q.CUDA {
		o.Projects = append(o.Projects, trial.CUDATarget)
	}
	return o
}

// noDevice leaves the OpenCL device out.
var noDevice bool

// serve is the worker process: it answers requests until its input ends. A fault that ends the process, in a driver's compiler or in
// a kernel, takes no more with it.
func serve(in io.Reader, out io.Writer) error {
	var d *device.Device
	if !noDevice {
		var err error
		if d, err = device.Open("opencl"); err != nil {
			return err
		}
	}
	requests, answers := json.NewDecoder(in), json.NewEncoder(out)
	for {
		var q request
		if err := requests.Decode(&q); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		o := trial.Run(q.Text, q.options(d))
		if err := answers.Encode(o); err != nil {
			return err
		}
	}
}

// workerFlag makes a process a worker.
const workerFlag = "-worker"

// A worker is a process that tries programs, started where it is needed.
type worker struct {
	simulated bool   // under Oclgrind
	cached    bool   // with the driver's cache of kernels
	log       string // of Oclgrind
	patience  time.Duration

	cmd     *exec.Cmd
	stdin   io.WriteCloser
	answers *json.Decoder
	stderr  bytes.Buffer
}

// start starts the process.
func (w *worker) start() error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	w.cmd = exec.Command(self, workerFlag, fmt.Sprintf("-ref=%t", noDevice))
	if w.simulated {
		file, err := os.CreateTemp("", "oclgrind*.log")
		if err != nil {
			return err
		}
		w.log = file.Name()
		file.Close()
		w.cmd = exec.Command("oclgrind", "--log", w.log, "--data-races", "--check-api", "--max-errors", "20", "--local-mem-size",
			harness.OclgrindLocal, "--build-options", "-cl-opt-disable",
			self, workerFlag)
	}
	w.cmd.Env = os.Environ()
	if !w.cached {
		w.cmd.Env = append(w.cmd.Env, "POCL_KERNEL_CACHE=0")
	}
	w.stderr.Reset()
	w.cmd.Stderr = &w.stderr
	stdout, err := w.cmd.StdoutPipe()
	if err == nil {
		w.stdin, err = w.cmd.StdinPipe()
	}
	if err != nil {
		return err
	}
	w.answers = json.NewDecoder(stdout)
	return w.cmd.Start()
}

// stop ends the process.
func (w *worker) stop() {
	if w.cmd == nil {
		return
	}
	w.stdin.Close()
	w.cmd.Process.Kill()
	w.cmd.Wait()
	w.cmd = nil
	if w.log != "" {
		os.Remove(w.log)
	}
}

// try has the process try a program. A process that ends or hangs is an outcome, and the next request starts another.
func (w *worker) try(q request) trial.Outcome {
	if w.cmd == nil {
		if err := w.start(); err != nil {
			return trial.Outcome{Kind: trial.Failed, Detail: err.Error()}
		}
	}
	type answer struct {
		o   trial.Outcome
		err error
	}
	done := make(chan answer, 1)
	go func() {
		var a answer
		if a.err = json.NewEncoder(w.stdin).Encode(q); a.err == nil {
			a.err = w.answers.Decode(&a.o)
		}
		done <- a
	}()
	answered := make(chan struct{})
	defer close(answered)
	select {
	case a := <-done:
		if a.err != nil {
			w.stop()
			return trial.Outcome{Kind: trial.Crashed, Call: q.First, Detail: fmt.Sprintf("%v: %s", a.err, tail(w.stderr.String()))}
		}
		return w.reports(a.o)
	case <-expired(w.cmd.Process.Pid, w.patience, answered):
		w.stop()
		return trial.Outcome{Kind: trial.Hung, Call: q.First, Detail: fmt.Sprintf("no answer within %v of computing, or of waiting with nothing to compute", w.patience)}
	}
}

// reports looks at what Oclgrind has said meanwhile.
func (w *worker) reports(o trial.Outcome) trial.Outcome {
	if w.log == "" {
		return o
	}
	text, err := os.ReadFile(w.log)
	if err == nil && len(bytes.TrimSpace(text)) > 0 {
		w.stop() // the next report is another program's
		if !o.Kind.Bad() {
			o.Kind, o.Detail = trial.Reported, strings.TrimSpace(string(text[:min(len(text), 2000)]))
		}
	}
	return o
}

// tail is the end of a long text.
func tail(text string) string { return text[max(0, len(text)-2000):] }
