package fusion

import (
	"context"
	"strings"
	"testing"

	"imgc"
)

// TestRowsOfOtherSizesAreNotFolded: groups that go down rows fold what they load, which is right where it is as large as what is made of it.
func TestRowsOfOtherSizesAreNotFolded(t *testing.T) {
	const program = `pipeline run(in src: i32EXTENT, out dst: i32[H][W]) {
    image near: i32[H][W] border reflect = [src[y][x] for y, x];
    dst = [sum(near[y+dy][x+dx]*(dy*2 + dx) for dy in -2:3, dx in -1:3) for y, x];
}
schedule run { near: fuse; dst: tile(16, 20) item(4, 20) local stream(2); }`
	for extent, refused := range map[string]bool{"[H][W]": false, "[H][W + 8]": true, "[H + 4][W]": true} {
		result, err := imgc.Check(context.Background(), "run.img", strings.ReplaceAll(program, "EXTENT", extent), imgc.Options{})
		if err != nil {
			t.Fatal(err)
		}
		said := ""
		for _, d := range result.Diagnostics.Sorted() {
			said += d.Message
		}
		if strings.Contains(said, "near is read outside, and has another size than src") != refused || (result.Program == nil) != refused {
			t.Errorf("%s: %q", extent, said)
		}
	}
}
