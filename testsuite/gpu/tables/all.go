package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"

	"imgc"
)

// A job is a pipeline that is measured.
type job struct{ file, pipeline string }

// all measures the pipelines of programs, in their order, as long as there is time.
func (c *config) all(files []string) error {
	_, done, err := read(strings.Split(c.earlier, ","))
	if err != nil {
		return err
	}
	jobs, err := jobsOf(files)
	if err != nil {
		return err
	}
	if err := c.tellDevice(); err != nil {
		return err
	}
	lock, err := os.CreateTemp("", "tables-lock")
	if err != nil {
		return err
	}
	defer os.Remove(lock.Name())
	c.lock = lock.Name()
	ctx, cancel := context.WithTimeout(context.Background(), c.budget)
	defer cancel()
	queue := make(chan job)
	var workers sync.WaitGroup
	for range c.workers {
		workers.Go(func() {
			for j := range queue {
				c.measure(ctx, j, done)
			}
		})
	}
	for _, j := range jobs {
		select {
		case queue <- j:
		case <-ctx.Done():
		}
	}
	close(queue)
	workers.Wait()
	return nil
}

func jobsOf(files []string) (jobs []job, err error) {
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		result, err := imgc.Check(context.Background(), f, string(text), imgc.Options{})
		if err != nil || result.Program == nil {
			return nil, fmt.Errorf("%s does not compile: %w", f, err)
		}
		for _, p := range result.Program.Pipelines {
			jobs = append(jobs, job{f, p.Name})
		}
	}
	return jobs, nil
}

// tellDevice says what is measured: which driver a loader finds first is not the same on all machines.
func (c *config) tellDevice() error {
	d, err := imgc.OpenDevice(c.device)
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "device: %s, planned for %s\n", d, c.arch)
	return d.Close()
}

// measure runs processes for a pipeline until one comes to its end: each leaves out what those before have done, or died of.
func (c *config) measure(ctx context.Context, j job, done map[string]line) {
	var skip []string
	for _, l := range done {
		if l.File == j.file && l.Pipeline == j.pipeline {
			skip = append(skip, l.Variant)
		}
	}
	for ctx.Err() == nil {
		last, seen, err := c.process(ctx, j, skip)
		skip = append(skip, seen...)
		if err == nil || ctx.Err() != nil {
			return
		}
		if last == "" { // it did not get as far as a variant
			fmt.Fprintf(os.Stderr, "%s %s: %v\n", j.file, j.pipeline, err)
			return
		}
		emit(line{File: j.file, Pipeline: j.pipeline, Variant: last, Error: err.Error()})
		skip = append(skip, last)
	}
}

// process runs one process and prints what it prints. It returns the variant that was begun and not finished, and those that were finished.
func (c *config) process(ctx context.Context, j job, skip []string) (last string, seen []string, err error) {
	self, err := os.Executable()
	if err != nil {
		return "", nil, err
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	cmd := exec.CommandContext(ctx, self, "-device", c.device, "-arch", c.arch, "-size", strconv.Itoa(c.size), "-count", strconv.Itoa(c.count),
		"-runs", strconv.Itoa(c.runs), "-lock", c.lock, "-only", c.only, "-pipeline", j.pipeline, "-skip", strings.Join(skip, ","), j.file)
	var complaints strings.Builder
	cmd.Stderr = &complaints
	cmd.WaitDelay = time.Second
	out, err := cmd.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := cmd.Start(); err != nil {
		return "", nil, err
	}
	late := time.AfterFunc(c.patience, func() { stop(fmt.Errorf("more than %s", c.patience)) })
	defer late.Stop()
	for s := bufio.NewScanner(out); s.Scan(); {
		late.Reset(c.patience)
		var l line
		switch {
		case json.Unmarshal(s.Bytes(), &l) != nil:
		case l.Begun:
			last = l.Variant
		default:
			last, seen = "", append(seen, l.Variant)
			fmt.Println(s.Text())
		}
	}
	err = cmd.Wait()
	if cause := context.Cause(ctx); err != nil && cause != nil {
		err = cause
	} else if err != nil {
		err = fmt.Errorf("%w: %s", err, strings.TrimSpace(complaints.String()))
	}
	return last, seen, err
}
