package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// patience is more processor time than any program may take, and longer than a process that can go on goes without any.
const patience = 90 * time.Second

// compilerPatience is that of programs whose kernels other processes compile in several ways, which takes them most of the time.
const compilerPatience = 5 * time.Minute

// clockTick is the unit of the times in /proc/PID/stat, which Linux shows to all programs in hundredths of a second.
const clockTick = 10 * time.Millisecond

// looks is how often within its limit a process is looked at, and mostIdle in how many of these some thread of one that hangs may be
// about to run: those of the runtime wake up now and then.
const (
	looks    = 90
	mostIdle = looks / 5
)

// A state is what Linux says of a process, or of a thread.
type state struct {
	computed time.Duration // by it and those that it has waited for
	ready    bool          // it runs, or would if it had a processor or a disk's answer
}

// stateIn reads a file of the form of /proc/PID/stat; the zero state where the system does not say.
func stateIn(file string) (s state) {
	text, err := os.ReadFile(file)
	if err != nil {
		return state{}
	}
	_, rest, _ := strings.Cut(string(text), ") ") // behind the name, in which anything may stand
	fields := strings.Fields(rest)
	if len(fields) < 15 {
		return state{}
	}
	s.ready = fields[0] == "R" || fields[0] == "D"
	for _, f := range fields[11:15] { // utime, stime, cutime and cstime of proc_pid_stat(5)
		n, err := strconv.ParseInt(f, 10, 64)
		if err != nil {
			return state{}
		}
		s.computed += time.Duration(n) * clockTick
	}
	return s
}

// processorTime is what a process and those that it has waited for have computed so far; 0 where the system does not say.
func processorTime(pid int) time.Duration { return stateIn(fmt.Sprintf("/proc/%d/stat", pid)).computed }

// ready reports whether some thread of a process, or of those that it has started, runs or would if it had a processor.
func ready(pid int) bool {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*", pid))
	for _, dir := range threads {
		if stateIn(filepath.Join(dir, "stat")).ready {
			return true
		}
		children, err := os.ReadFile(filepath.Join(dir, "children"))
		if err != nil {
			continue
		}
		for _, child := range strings.Fields(string(children)) {
			if n, err := strconv.Atoi(child); err == nil && ready(n) {
				return true
			}
		}
	}
	return false
}

// expired is closed when a process has computed for longer than a limit, or for that long none of its threads had anything to compute.
// Others on the machine may take the processors, so that neither the time that has passed nor what it has computed in it says anything:
// the compiler of a device's driver waits for a processor for minutes on a busy machine, and those who launched the kernel for it.
func expired(pid int, limit time.Duration, done <-chan struct{}) <-chan struct{} {
	out := make(chan struct{})
	go func() {
		start := processorTime(pid)
		for {
			busy := 0
			for range looks {
				select {
				case <-done:
					return
				case <-time.After(limit / looks):
				}
				if ready(pid) {
					busy++
				}
				if processorTime(pid)-start >= limit {
					close(out)
					return
				}
			}
			if busy <= mostIdle {
				close(out)
				return
			}
		}
	}()
	return out
}
