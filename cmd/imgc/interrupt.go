package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"imgc/temporary"
)

// patience is how long the work has to end by itself after a signal. A driver that compiles, and a kernel that runs, cannot be asked to
// stop: the process ends around them.
const patience = 500 * time.Millisecond

// An interruption is what ends the work on SIGINT and SIGTERM.
type interruption struct {
	mutex sync.Mutex
	by    os.Signal // nil as long as none has come
	save  func()    // writes what is worth keeping
}

type interruptionKey struct{}

// interruptible gives a context that a signal ends, and after it, where the work does not, the process.
func interruptible(errOut io.Writer) (context.Context, *interruption) {
	stop := &interruption{}
	ctx, cancel := context.WithCancel(context.WithValue(context.Background(), interruptionKey{}, stop))
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		by := <-signals
		stop.mutex.Lock()
		stop.by = by
		stop.mutex.Unlock()
		cancel()
		select {
		case <-time.After(patience):
		case <-signals: // a second one ends the process at once
		}
		stop.keep()
		temporary.RemoveAll()
		fmt.Fprintln(errOut, "imgc: interrupted")
		os.Exit(stop.status(statusFailed))
	}()
	return ctx, stop
}

// onInterrupt says what is done before an interrupted process ends; nil for nothing.
func onInterrupt(ctx context.Context, save func()) {
	if stop, ok := ctx.Value(interruptionKey{}).(*interruption); ok {
		stop.mutex.Lock()
		defer stop.mutex.Unlock()
		stop.save = save
	}
}

// keep saves what is worth keeping, once.
func (s *interruption) keep() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.by != nil && s.save != nil {
		s.save()
		s.save = nil
	}
}

// status is the exit status of work that has ended with another: what shells expect of a process that a signal has ended.
func (s *interruption) status(ended int) int {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	number, ok := s.by.(syscall.Signal)
	if !ok || ended == statusFine {
		return ended
	}
	return 128 + int(number)
}
