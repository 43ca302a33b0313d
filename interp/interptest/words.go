package interptest

import (
	"context"
	"testing"

	"imgc/hast"
	"imgc/interp"
	"imgc/types"
)

// Words are the words of an image that a pipeline writes; where it fails the test ends.
func Words(t testing.TB, p *hast.Pipeline, args interp.Args, image string) []types.Word {
	t.Helper()
	r, err := interp.Run(context.Background(), p, args, interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m := r.Images[image]
	out := make([]types.Word, m.Words())
	for i := range out {
		out[i] = m.Word(i)
	}
	return out
}
