package imagefile

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"

	"imgc/pixels"
	"imgc/temporary"
)

// Write writes m to the file at path, complete or not at all. Want is the type of the parameter that m is the value of; it
// tells T[3][H][W] from T[H][W][3] where the extents alone do not, and may be zero.
//
// A file that exists is replaced and keeps its permissions. Errors begin with the file's name.
func Write(path string, m *pixels.Image, want Want) error {
	s, err := Stage(path, m, want)
	if err != nil {
		return err
	}
	return s.Commit()
}

// A Staged image is written but not yet in its place. Stage all images of a run, then commit all: a failure among them
// then leaves nothing behind.
type Staged struct {
	path  string
	temp  string // the complete file, beside path
	bytes []byte // what goes to a device or a pipe, which cannot be renamed to
}

// Stage does all of Write but the last step. Commit or Discard must follow.
func Stage(path string, m *pixels.Image, want Want) (*Staged, error) {
	file, typ := splitType(path)
	f, l, err := formatFor(file, filepath.Ext(file), typ, want, m)
	if err != nil {
		return nil, err
	}
	encode := func(w io.Writer) error { return f.write(w, file, m, want, l) }
	place := file
	if real, err := filepath.EvalSymlinks(file); err == nil {
		place = real // a link stays one
	}
	switch info, err := os.Stat(place); {
	case errors.Is(err, fs.ErrNotExist):
		return stageFile(file, place, nil, encode)
	case err != nil:
		return nil, fileError(file, err)
	case info.IsDir():
		return nil, fmt.Errorf("%s is a folder", file)
	case info.Mode().IsRegular():
		return stageFile(file, place, info, encode)
	}
	var b bytes.Buffer
	if err := encode(&b); err != nil {
		return nil, err
	}
	return &Staged{path: place, bytes: b.Bytes()}, nil
}

// stageFile writes the temporary file; old describes the file that it will replace, if there is one.
func stageFile(name, place string, old fs.FileInfo, encode func(io.Writer) error) (_ *Staged, err error) {
	w, err := createBeside(place)
	if err != nil {
		return nil, fileError(name, err)
	}
	defer func() {
		if err != nil {
			w.Close() // a second Close does no harm
			removeTemporary(w.Name())
		}
	}()
	b := bufio.NewWriterSize(w, 1<<16)
	if err := encode(b); err != nil {
		return nil, err
	}
	if err := b.Flush(); err != nil {
		return nil, fileError(name, err)
	}
	if old != nil {
		if err := w.Chmod(old.Mode().Perm()); err != nil {
			return nil, fileError(name, err)
		}
	}
	if err := w.Close(); err != nil {
		return nil, fileError(name, err)
	}
	return &Staged{path: place, temp: w.Name()}, nil
}

// createBeside makes a new file in the folder of path. Unlike os.CreateTemp it leaves the permissions to the umask.
func createBeside(path string) (*os.File, error) {
	dir, _ := filepath.Split(path)
	for try := 0; ; try++ {
		name := fmt.Sprintf("%s.imgc-%08x.tmp", dir, rand.Uint32())
		temporary.Keep(name)
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err != nil {
			temporary.Forget(name)
		}
		if err == nil || try == 100 || !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}

func removeTemporary(name string) {
	os.Remove(name)
	temporary.Forget(name)
}

// Risk orders images for Commit: those that are written to a device or a pipe by then come before those that need a new name only.
func (s *Staged) Risk() int {
	if s.temp == "" {
		return 1
	}
	return 0
}

// Commit puts the image in its place. A second Commit, or one after Discard, does nothing.
func (s *Staged) Commit() error {
	defer func() { *s = Staged{} }()
	if s.path == "" {
		return nil
	}
	if s.temp == "" {
		w, err := os.OpenFile(s.path, os.O_WRONLY, 0)
		if err != nil {
			return fileError(s.path, err)
		}
		_, err = w.Write(s.bytes)
		if closed := w.Close(); err == nil {
			err = closed
		}
		if err != nil {
			return fileError(s.path, err)
		}
		return nil
	}
	defer temporary.Forget(s.temp)
	if err := os.Rename(s.temp, s.path); err != nil {
		os.Remove(s.temp)
		return fmt.Errorf("%s: %w", s.path, errors.Unwrap(err))
	}
	return nil
}

// Discard removes what was written. After Commit it does nothing.
func (s *Staged) Discard() {
	if s.temp != "" {
		removeTemporary(s.temp)
	}
	*s = Staged{}
}
