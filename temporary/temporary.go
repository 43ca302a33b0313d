// Package temporary remembers what this process has written under a name that is not to last, so that a process that is ended
// at once leaves none of it behind. It knows names only.
package temporary

import (
	"os"
	"sync"
)

var (
	mutex sync.Mutex
	names = map[string]bool{}
)

// Keep remembers a file or folder until it is forgotten. Call it before it is made.
func Keep(name string) {
	mutex.Lock()
	defer mutex.Unlock()
	names[name] = true
}

// Forget is for what has its lasting name, or is gone.
func Forget(name string) {
	mutex.Lock()
	defer mutex.Unlock()
	delete(names, name)
}

// RemoveAll removes what is remembered. Nothing is made any more afterwards: Keep and Forget block, since the process is about to end.
func RemoveAll() {
	mutex.Lock()
	for name := range names {
		os.RemoveAll(name)
	}
}
