package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"imgc"
	"imgc/temporary"
)

// A progress says what goes on: on a terminal in a line that changes, to a file or a pipe in a line every few seconds.
type progress struct {
	w        io.Writer
	terminal bool
	shown    time.Time
}

// progressEvery is how often anything but a terminal hears of it.
const progressEvery = 10 * time.Second

func newProgress(cmd *cobra.Command) *progress {
	w := cmd.ErrOrStderr()
	return &progress{w: w, terminal: isTerminal(w), shown: time.Now()}
}

func (p *progress) show(text string) {
	switch {
	case p.terminal:
		fmt.Fprintf(p.w, "\r\x1b[K%s", text)
	case time.Since(p.shown) >= progressEvery:
		fmt.Fprintf(p.w, "imgc: %s\n", text)
		p.shown = time.Now()
	}
}

func (p *progress) end() {
	if p.terminal {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}

// openDevice opens the device of a selector and, where the choice was left to imgc, says which it is.
func openDevice(cmd *cobra.Command, selector string) (*imgc.Device, error) {
	device, err := imgc.OpenDevice(selector)
	if err != nil || selector != "" {
		return device, err
	}
	reason := ""
	if device.Fallback() != nil {
		reason = fmt.Sprintf(" (%v)", device.Fallback())
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "imgc: running on %s%s\n", device, reason)
	return device, nil
}

// writeText writes a file, completely or not at all; "-" is standard output.
func writeText(out io.Writer, path, text string) error {
	if path == "-" {
		_, err := io.WriteString(out, text)
		return failedOrNil(err)
	}
	exists, err := isFile(path)
	switch {
	case err != nil:
		return failed(err)
	case exists:
		return failedOrNil(replaceFile(path, []byte(text)))
	}
	return failedOrNil(createFile(path, []byte(text)))
}

// isFile reports whether there is a file, and fails where something else is in its place.
func isFile(path string) (bool, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, plainFileError(path, err)
	case !info.Mode().IsRegular():
		return false, fmt.Errorf("%s is no file", path)
	}
	return true, nil
}

// willWrite fails where writeText would, but for a full disk: who measures for an hour wants to know before.
func willWrite(path string) error {
	if path == "-" {
		return nil
	}
	_, err := isFile(path)
	if err != nil {
		return failed(err)
	}
	temp, err := os.CreateTemp(filepath.Dir(path), ".imgc-*.tmp")
	if err != nil {
		return failed(fmt.Errorf("%s cannot be written: %w", path, plainCause(err)))
	}
	defer os.Remove(temp.Name())
	return failedOrNil(temp.Close())
}

// createFile writes a file that is not there yet: first under another name, so that there is none where it fails.
func createFile(path string, contents []byte) error {
	name := filepath.Join(filepath.Dir(path), fmt.Sprintf(".imgc-%08x.tmp", rand.Uint32()))
	temporary.Keep(name)
	defer temporary.Forget(name)
	temp, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return fmt.Errorf("%s cannot be written: %w", path, plainCause(err))
	}
	defer os.Remove(name) // fails once it is renamed
	_, err = temp.Write(contents)
	if closed := temp.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(name, path)
	}
	if err != nil {
		return plainFileError(path, err)
	}
	return nil
}
