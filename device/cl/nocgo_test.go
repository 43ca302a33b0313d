//go:build !cgo

package cl

import (
	"errors"
	"testing"
)

func TestWithoutCgoEverythingSaysSo(t *testing.T) {
	_, e1 := Devices()
	_, e2 := Open(&Device{})
	for _, err := range []error{e1, e2} {
		if !errors.Is(err, ErrNoCgo) {
			t.Errorf("got %v", err)
		}
	}
}
