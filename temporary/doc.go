// Package temporary remembers what this process has written under a name that is not to last, so that a process that is ended
// at once leaves none of it behind. It knows names only.
package temporary
