//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// slow takes the interpreter minutes.
const slow = `pipeline slow(out dst: i32[H][W]) {
    iterate (y, x) over dst {
        var n = 0;
        for (i in 0:1000000) n = n * 3 + i;
        dst[y][x] = n;
    }
}
`

// TestInterruptedRunsLeaveNothing stops runs by signals: a status, a word, and no file, complete or not, beside what was there.
func TestInterruptedRunsLeaveNothing(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"slow.img": slow, "old.npy": "what was there before"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	imgc := filepath.Join(dir, "imgc") // testscript runs main by this name
	if err := os.Symlink(self, imgc); err != nil {
		t.Fatal(err)
	}
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		cmd := exec.Command(imgc, "run", "slow.img", "--out", "dst=old.npy", "--set", "H=1000", "--set", "W=1000", "--device", "ref")
		cmd.Dir = dir
		var said strings.Builder
		cmd.Stderr = &said
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		err := interrupt(cmd.Process, signal, ended)
		if exit, ok := err.(*exec.ExitError); !ok || exit.ExitCode() != 128+int(signal) || said.String() != "imgc: interrupted\n" {
			t.Errorf("%v: ends with %v and says %q", signal, err, said.String())
		}
		text, err := os.ReadFile(filepath.Join(dir, "old.npy"))
		entries, _ := os.ReadDir(dir)
		if err != nil || string(text) != "what was there before" || len(entries) != 3 {
			t.Errorf("%v: leaves %q and %v", signal, text, entries)
		}
	}
}

// interrupt sends a signal once the process has had time to begin, and gives up on one that goes on after it.
func interrupt(p *os.Process, signal os.Signal, ended <-chan error) error {
	time.Sleep(2 * time.Second)
	p.Signal(signal)
	select {
	case err := <-ended:
		return err
	case <-time.After(5 * time.Second):
		p.Kill()
		return <-ended
	}
}
