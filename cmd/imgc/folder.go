package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"imgc/temporary"
)

// manifestName is the file that makes a folder an imgc project. It lists what build has written, in the form of sha256sum, so that
// a later build knows its own files from the user's.
const manifestName = ".imgc-project"

// A folder is a project's folder on disk.
type folder struct {
	dir   string
	files map[string][]byte // what it shall hold, by path with slashes
	old   map[string]string // what the last build wrote: hash by path
	force bool
}

// writeProject writes a project's files to a folder, all or nothing.
func writeProject(dir string, files map[string][]byte, force bool) error {
	f := &folder{dir: filepath.Clean(dir), files: maps.Clone(files), force: force}
	f.files[manifestName] = manifest(files)
	info, err := os.Stat(f.dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return failedOrNil(f.create())
	case err != nil:
		return failed(plainFileError(dir, err))
	case !info.IsDir():
		return wrongUse("-o %s: this is a file, no folder", dir)
	}
	if err := f.mayUpdate(); err != nil {
		return err
	}
	return failedOrNil(f.update())
}

// manifest lists files with their hashes.
func manifest(files map[string][]byte) []byte {
	var b bytes.Buffer
	for _, path := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(&b, "%s  %s\n", hash(files[path]), path)
	}
	return b.Bytes()
}

func hash(contents []byte) string { return fmt.Sprintf("%x", sha256.Sum256(contents)) }

// readManifest reads what the last build wrote; nil where the folder is no project. Only paths inside the folder count.
func readManifest(dir string) (map[string]string, error) {
	text, err := os.ReadFile(filepath.Join(dir, manifestName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	old := map[string]string{}
	for _, line := range strings.Split(string(text), "\n") {
		if sum, path, ok := strings.Cut(line, "  "); ok && filepath.IsLocal(filepath.FromSlash(path)) {
			old[path] = sum
		}
	}
	return old, nil
}

// create makes the folder: complete under another name beside its place, then renamed.
func (f *folder) create() error {
	made, err := makeParents(filepath.Dir(f.dir))
	if err == nil {
		err = f.createIn(filepath.Dir(f.dir))
	}
	if err != nil {
		for _, dir := range slices.Backward(made) {
			os.Remove(dir)
		}
		return fmt.Errorf("%s cannot be written: %w", f.dir, plainCause(err))
	}
	return nil
}

func (f *folder) createIn(parent string) error {
	temp, err := temporaryFolder(parent)
	if err != nil {
		return err
	}
	defer temporary.Forget(temp)
	defer os.RemoveAll(temp) // finds nothing once it is renamed
	if err := f.writeAll(temp); err != nil {
		return err
	}
	return os.Rename(temp, f.dir)
}

// makeParents makes a folder and those above it, and returns the ones it made, the outermost first.
func makeParents(dir string) (made []string, err error) {
	var missing []string
	for d := dir; ; d = filepath.Dir(d) {
		if _, err := os.Stat(d); err == nil || d == filepath.Dir(d) {
			break
		}
		missing = append(missing, d)
	}
	for _, d := range slices.Backward(missing) {
		if err := os.Mkdir(d, 0o777); err != nil {
			return made, err
		}
		made = append(made, d)
	}
	return made, nil
}

// temporaryFolder makes a folder with the permissions that the umask leaves, which os.MkdirTemp would not.
func temporaryFolder(parent string) (string, error) {
	for try := 0; ; try++ {
		dir := filepath.Join(parent, fmt.Sprintf(".imgc-%08x.tmp", rand.Uint32()))
		temporary.Keep(dir)
		err := os.Mkdir(dir, 0o777)
		if err != nil {
			temporary.Forget(dir)
		}
		if err == nil || try == 100 || !errors.Is(err, fs.ErrExist) {
			return dir, err
		}
	}
}

// writeAll writes every file below dir.
func (f *folder) writeAll(dir string) error {
	for path, contents := range f.files {
		place := filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(place), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(place, contents, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// mayUpdate refuses to overwrite what build has not written.
func (f *folder) mayUpdate() error {
	var err error
	if f.old, err = readManifest(f.dir); err != nil {
		return failed(plainFileError(filepath.Join(f.dir, manifestName), err))
	}
	if f.force {
		return nil
	}
	entries, err := os.ReadDir(f.dir)
	if err != nil {
		return failed(plainFileError(f.dir, err))
	}
	if f.old == nil && len(entries) > 0 {
		return wrongUse("-o %s: the folder is not empty and no project of imgc's; choose another, or --force", f.dir)
	}
	var foreign []string
	for _, path := range slices.Sorted(maps.Keys(f.files)) {
		if path != manifestName && !f.mayReplace(path) {
			foreign = append(foreign, path)
		}
	}
	if len(foreign) > 0 {
		return wrongUse("-o %s: changed since imgc wrote it, or not written by it: %s; move it away, or --force overwrites it",
			f.dir, strings.Join(foreign, ", "))
	}
	return nil
}

// mayReplace is true of a file that is absent, as it shall be, or as the last build wrote it.
func (f *folder) mayReplace(path string) bool {
	present, err := os.ReadFile(filepath.Join(f.dir, filepath.FromSlash(path)))
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	return bytes.Equal(present, f.files[path]) || f.old[path] == hash(present)
}

// update brings the folder up to date: files that are the same stay untouched, so that their users need not be built again; the
// others are written aside first and then renamed, the manifest last; and what earlier builds alone wrote goes.
func (f *folder) update() error {
	temp, err := temporaryFolder(f.dir)
	if err == nil {
		defer temporary.Forget(temp)
		defer os.RemoveAll(temp)
		err = f.writeAll(temp)
	}
	if err != nil {
		return fmt.Errorf("%s cannot be written: %w", f.dir, plainCause(err))
	}
	paths := slices.Sorted(maps.Keys(f.files))
	paths = append(slices.DeleteFunc(paths, func(p string) bool { return p == manifestName }), manifestName)
	for _, path := range paths {
		if err := f.replace(temp, filepath.FromSlash(path), f.files[path]); err != nil {
			return fmt.Errorf("%s cannot be written: %w", filepath.Join(f.dir, path), plainCause(err))
		}
	}
	f.removeStale()
	return nil
}

func (f *folder) replace(temp, path string, contents []byte) error {
	place := filepath.Join(f.dir, path)
	if present, err := os.ReadFile(place); err == nil && bytes.Equal(present, contents) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(place), 0o777); err != nil {
		return err
	}
	return os.Rename(filepath.Join(temp, path), place)
}

// removeStale removes files of the last build that this one has not, unless they were changed, and folders that are empty then.
func (f *folder) removeStale() {
	for path, sum := range f.old {
		if _, wanted := f.files[path]; wanted {
			continue
		}
		place := filepath.Join(f.dir, filepath.FromSlash(path))
		if present, err := os.ReadFile(place); err != nil || hash(present) != sum {
			continue
		}
		os.Remove(place)
		for dir := filepath.Dir(place); dir != f.dir; dir = filepath.Dir(dir) {
			if os.Remove(dir) != nil {
				break
			}
		}
	}
}
