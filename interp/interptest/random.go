package interptest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"imgc/hast"
	"imgc/interp"
	"imgc/pixels"
	"imgc/types"
)

// Result is what a pipeline of src, dst and n makes of a random image of numbers from 0 to 999, as text, or why it refuses it.
func Result(t testing.TB, p *hast.Pipeline, n int, size [2]int) string {
	t.Helper()
	random := rand.New(rand.NewPCG(uint64(size[0]), uint64(size[1])))
	src, err := pixels.New(types.Scalar(types.I32), size[0], size[1])
	if err != nil {
		t.Fatal(err)
	}
	for i := range src.Words() {
		src.SetWord(i, types.Int(int64(random.Int32N(1000))))
	}
	args := interp.Args{Images: map[string]*pixels.Image{"src": src}, Scalars: map[string]types.Value{"n": types.Of(types.I32, types.Int(int64(n)))}}
	r, err := interp.Run(context.Background(), p, args, interp.Options{})
	if err != nil {
		return err.Error()
	}
	text, dst := "", r.Images["dst"]
	for i := range dst.Words() {
		text += fmt.Sprint(dst.Word(i).Int(), " ")
	}
	return text
}
