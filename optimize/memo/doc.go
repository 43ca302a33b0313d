// Package memo remembers what was made for a key, for those who ask for the same again and again. It knows nothing else.
package memo
