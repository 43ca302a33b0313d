package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// patience is more processor time than any program may take, and longer than a process that can go on goes without any.
const patience = 90 * time.Second

// clockTick is the unit of the times in /proc/PID/stat, which Linux shows to all programs in hundredths of a second.
const clockTick = 10 * time.Millisecond

// compilerPatience is that of programs whose kernels other processes compile in several ways, which takes them most of the time.
const compilerPatience = 5 * time.Minute

// processorTime is what a process and those that it has waited for have computed so far; 0 where the system does not say.
func processorTime(pid int) time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), ") ") // behind the name, in which anything may stand
	fields := strings.Fields(rest)
	if len(fields) < 15 {
		return 0
	}
	var sum time.Duration
	for _, f := range fields[11:15] { // utime, stime, cutime and cstime of proc_pid_stat(5)
		n, err := strconv.ParseInt(f, 10, 64)
		if err != nil {
			return 0
		}
		sum += time.Duration(n) * clockTick
	}
	return sum
}

// expired is closed when a process has computed for longer than a limit, or next to nothing for that long. Others on the machine may
// take the processors, so that the time that has passed says nothing.
func expired(pid int, limit time.Duration, done <-chan struct{}) <-chan struct{} {
	out := make(chan struct{})
	go func() {
		start := processorTime(pid)
		for before := start; ; {
			select {
			case <-done:
				return
			case <-time.After(limit):
			}
			now := processorTime(pid)
			if now-start >= limit || now-before < limit/100 {
				close(out)
				return
			}
			before = now
		}
	}()
	return out
}
