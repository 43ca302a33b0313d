package main

import (
	"os/exec"
	"testing"
	"time"
)

// TestProcessesThatOnlyWaitExpire: a process that computes nothing does not get to its end.
func TestProcessesThatOnlyWaitExpire(t *testing.T) {
	cmd := exec.Command("sleep", "1000")
	if err := cmd.Start(); err != nil {
		t.Skip(err)
	}
	defer cmd.Wait()
	defer cmd.Process.Kill()
	<-expired(cmd.Process.Pid, 10*time.Millisecond, nil)
}

// TestProcessesThatComputeExpire: so does none that never ends.
func TestProcessesThatComputeExpire(t *testing.T) {
	cmd := exec.Command("sh", "-c", "while :; do :; done")
	if err := cmd.Start(); err != nil {
		t.Skip(err)
	}
	defer cmd.Wait()
	defer cmd.Process.Kill()
	<-expired(cmd.Process.Pid, 200*time.Millisecond, nil)
}
