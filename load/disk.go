package load

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Within reads files of the operating system that lie in the folder of a program's main file or in one of dirs, or below: what a
// program names with "..", or through symbolic links, has to lie there, too. So a program that somebody else wrote reads nothing
// that its user has not named. Other files are errors, as are devices, pipes and folders.
func Within(main string, dirs []string) Reader {
	return &within{folders: append([]string{filepath.Dir(main)}, dirs...)}
}

type within struct{ folders []string }

var (
	errOutside   = errors.New("it lies outside of the folders of this program")
	errIrregular = errors.New("it is no regular file")
)

func (w *within) ReadFile(name string) ([]byte, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, &fs.PathError{Op: "read", Path: name, Err: fs.ErrNotExist}
	case !w.holds(name):
		return nil, &fs.PathError{Op: "read", Path: name, Err: errOutside}
	case !info.Mode().IsRegular():
		return nil, &fs.PathError{Op: "read", Path: name, Err: errIrregular}
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, MaxText+1))
}

// holds reports whether a file lies in one of the folders, once links are followed.
func (w *within) holds(name string) bool {
	place, err := real(name)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(w.folders, func(dir string) bool {
		folder, err := real(dir)
		if err != nil {
			return false
		}
		way, err := filepath.Rel(folder, place)
		return err == nil && way != ".." && !strings.HasPrefix(way, ".."+string(filepath.Separator))
	})
}

// real is the absolute path of a file, with no links in it.
func real(name string) (string, error) {
	path, err := filepath.EvalSymlinks(name)
	if err != nil {
		return "", err
	}
	return filepath.Abs(path)
}
