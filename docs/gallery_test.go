package docs_test

import (
	"image"

	"imgc/types"
)

const (
	colourPhoto = "samples/photo.png"
	greyPhoto   = "samples/photo_grey.png"
)

// Parts of the photos, 640 x 480 pixels large.
var (
	mug   = image.Rect(200, 210, 392, 354)
	pear  = image.Rect(36, 108, 172, 262)
	card  = image.Rect(366, 126, 558, 270)
	balls = image.Rect(180, 250, 468, 442)
	wide  = image.Rect(20, 4, 308, 220)
)

var pictures = []picture{
	{"sharpen", colourPhoto, image.Rect(200, 200, 520, 440), [][]step{
		{}, {{file: "basics/sharpen", pipeline: "sharpen", scalars: map[string]types.Value{"amount": f32(1.5)}}},
	}},
	{"filters", greyPhoto, image.Rect(100, 180, 420, 420), [][]step{
		{{file: "basics/median", pipeline: "median3"}, {file: "basics/sobel", pipeline: "sobel", in: map[string]string{"src": "dst"}}},
		{{file: "basics/morphology", pipeline: "erode"}},
		{{file: "basics/threshold", pipeline: "adaptive", scalars: map[string]types.Value{"offset": f32(8)}}},
	}},
	{"mandelbrot", greyPhoto, mug, [][]step{{
		{file: "basics/mandelbrot", pipeline: "mandelbrot", extent: map[string]int{"H": 144, "W": 192},
			scalars: map[string]types.Value{"left": f32(-2.25), "top": f32(-1.125), "step": f32(0.015625)}},
		{file: helpers, pipeline: "orbits", in: map[string]string{"steps": "dst"}},
	}}},

	{"laplacian", greyPhoto, balls, [][]step{
		{}, {{file: "parac/laplacian", pipeline: "level"}},
		{{file: "parac/laplacian", pipeline: "level"}, {file: helpers, pipeline: "signed"}},
	}},
	{"sharpness", greyPhoto, card, [][]step{{}, {{file: "parac/sharpness", pipeline: "sharpness"}}}},
	{"unsharp", colourPhoto, mug, [][]step{{}, {{file: "parac/unsharp", pipeline: "unsharp"}}}},

	{"detail", greyPhoto, mug, [][]step{{}, {{file: "hipacc/detail", pipeline: "detail", scalars: map[string]types.Value{"gain": f32(1.3)}}}}},
	{"bilateral", greyPhoto, mug, [][]step{{}, {{file: "hipacc/bilateral", pipeline: "table"}}}},
	{"harris", greyPhoto, balls, [][]step{{
		{file: "hipacc/harris", pipeline: "harris"},
		{file: helpers, pipeline: "marked", scalars: map[string]types.Value{"least": f32(2e8)}},
	}, {
		{file: "hipacc/harris", pipeline: "shi_tomasi"},
		{file: helpers, pipeline: "marked", scalars: map[string]types.Value{"least": f32(8e3)}},
	}}},
	{"flow", greyPhoto, balls, [][]step{{}, {
		{file: helpers, pipeline: "moved", scalars: map[string]types.Value{"cy": i32(78), "cx": i32(214), "r": i32(47)}},
		{file: "hipacc/flow", pipeline: "flow", in: map[string]string{"before": "photo"}},
		{file: helpers, pipeline: "arrows"},
	}}},
	{"multigrid", greyPhoto, wide, [][]step{
		{{file: helpers, pipeline: "radiance"}, {file: helpers, pipeline: "exposed"}},
		{
			{file: helpers, pipeline: "radiance"}, {file: "hipacc/multigrid", pipeline: "compress"},
			{file: helpers, pipeline: "exposed", in: map[string]string{"luminance": "dst"}},
		},
	}},
	{"night", colourPhoto, wide, [][]step{{}, {{file: "hipacc/night", pipeline: "night", scalars: map[string]types.Value{"spread": f32(0.15)}}}}},

	{"camera", colourPhoto, balls, [][]step{
		{{file: helpers, pipeline: "mosaic"}, {file: helpers, pipeline: "shown"}},
		{{file: helpers, pipeline: "mosaic"}, {file: "halide/camera", pipeline: "camera", scalars: map[string]types.Value{"contrast": f32(20)}}},
	}},
	{"local_laplacian", colourPhoto, wide, [][]step{{}, {
		{file: "halide/local_laplacian", pipeline: "local_laplacian", white: 65535, scalars: map[string]types.Value{"alpha": f32(0.14)}},
	}}},
	{"bilateral_grid", greyPhoto, mug, [][]step{{}, {{file: "halide/bilateral_grid", pipeline: "bilateral_grid", white: 1}}}},
	{"level_set", greyPhoto, pear, [][]step{
		segmented(40), segmented(120), segmented(300),
	}},
	{"equalize", colourPhoto, wide, [][]step{{}, {{file: "halide/equalize", pipeline: "equalize"}}}},
	{"stencil_chain", greyPhoto, mug, [][]step{{}, {{file: "halide/stencil_chain", pipeline: "chain", white: 65535}}}},
	{"nl_means", colourPhoto, mug, [][]step{{}, {{file: "halide/nl_means", pipeline: "nl_means"}}}},
	{"max_filter", colourPhoto, balls, [][]step{{}, {{file: "halide/max_filter", pipeline: "max_filter"}}}},
	{"iir_blur", greyPhoto, mug, [][]step{{}, {{file: "halide/iir_blur", pipeline: "iir_blur"}}}},
	{"diffusion", greyPhoto, mug, [][]step{{}, {{file: "halide/diffusion", pipeline: "diffusion"}}}},
	{"interpolate", colourPhoto, mug, [][]step{
		{{file: helpers, pipeline: "scattered"}, {file: helpers, pipeline: "dots"}},
		{{file: helpers, pipeline: "scattered"}, {file: "halide/interpolate", pipeline: "interpolate", in: map[string]string{"src": "known"}}},
	}},
	{"warp", greyPhoto, mug, [][]step{{}, {{file: "pencil/warp", pipeline: "warp"}}}},
	{"srad", greyPhoto, mug, [][]step{{}, {{file: "pencil/srad", pipeline: "srad", scalars: map[string]types.Value{"rounds": i32(10)}}}}},
	{"denoise", greyPhoto, mug, [][]step{{}, {{file: "hardboiled/denoise", pipeline: "denoise"}}}},
}

// segmented is the picture of a level set after so many rounds.
func segmented(rounds int64) []step {
	return []step{{file: "halide/level_set", pipeline: "segment", scalars: map[string]types.Value{"rounds": i32(rounds)}, show: "dst"}}
}
