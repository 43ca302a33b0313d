package imgc_test

import (
	"context"
	"fmt"
	"os"

	"imgc"
	"imgc/diag"
	"imgc/pixels"
	"imgc/types"
)

// A program is checked once and then run, here by the reference interpreter; OpenDevice("") would take an OpenCL device.
func Example() {
	const text = `
// Differences of neighbours.
pipeline slope(in src: u8[W] border clamp, out dst: i32[W]) {
    iterate (x) over dst
        dst[x] = src[x+1] - src[x];
}`
	ctx := context.Background()
	result, err := imgc.Check(ctx, "slope.img", text, imgc.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	diag.Text(os.Stdout, result.Diagnostics, diag.TextOptions{})
	if result.Program == nil {
		return // the text has errors
	}
	device, err := imgc.OpenDevice("ref")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer device.Close()
	src := &pixels.Image{Elem: types.Scalar(types.U8), Extent: []int{4}, Data: []byte{1, 4, 9, 16}}
	results, err := result.Program.Run(ctx, device, "slope", imgc.Args{Images: map[string]*pixels.Image{"src": src}})
	if err != nil {
		fmt.Println(err)
		return
	}
	dst := results.Images["dst"]
	for i := range dst.Words() {
		fmt.Println(dst.Word(i).Int())
	}
	// Output:
	// 3
	// 5
	// 7
	// 0
}

// Diagnostics are values; a text with errors has no program.
func ExampleCheck() {
	const text = `pipeline p(in src: u8[H][W], out dst: u8[H][W]) {
    iterate (y, x) over dst
        dst[y][x] = src[y][x-1];
}`
	result, err := imgc.Check(context.Background(), "p.img", text, imgc.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, d := range result.Diagnostics.Sorted() {
		fmt.Printf("%v: %s\n", d.Span, d.Message)
	}
	fmt.Println(result.Program != nil)
	// Output:
	// p.img:3:21: for x = 0 this reads src[y][-1]
	// false
}
