package samples

import (
	"imgc/pixels"
	"imgc/testsuite/harness"
	"imgc/types"
	"slices"
)

// A row says how one pipeline of a sample is tested.
type row struct {
	file      string // under samples/basics, or with another folder under samples; without .img
	pipeline  string
	reference string                                // module.function under testsuite/reference
	sizes     func() []size                         // plane unless given
	adjust    func(images map[string]*pixels.Image) // makes an input of random values one that means something
	scalars   []map[string]any                      // settings besides the defaults: numbers
	rounds    bool                                  // launches kernels hundreds of times: they take longer than to compile them
	few       map[string]any                        // settings of a few rounds, where the defaults make many
	usual     map[string]any                        // settings instead of defaults
	// The bounds of the interpreter against the reference, and of a device against the interpreter where multiply-add may be fused.
	// Under strict arithmetic a device's result equals the interpreter's, but for functions such as pow.
	near, strict, contract harness.Bound
	// Programs of integers alone are exact in every mode.
}

// brief is the row with a few rounds where its defaults make many. A simulator, which takes minutes for these, sees nothing more in
// them: the launches of the third round and of all later ones have the kernels and the memory of earlier ones.
func (r row) brief() row {
	r.usual = r.few
	return r
}

// Bounds that rows share.
var (
	// A rounding to u8 falls to the other side where the exact value is near a half.
	oneStep = harness.Bound{Abs: 1}
	// Weighted means in f32, of up to 121 pixels: of the largest pixel, since small results may come from large pixels.
	floatMean = harness.Bound{Scale: 121 * 0x1p-24}
	// Means whose weights are exponentials, too.
	weighted = harness.Bound{Scale: 0x1p-18}
	// Recursive filters of first order, of the largest pixel: each step rounds, and forgets what came before.
	recursive = harness.Bound{Scale: 256 * 0x1p-24}
	// Single operations in f32 after exact sums.
	lastBits = harness.Bound{Rel: 0x1p-22}
	// Level sets of many rounds: where a pixel is next to the contour, a rounding decides on which side it is drawn.
	contour = harness.Bound{Abs: 1e-2, Outliers: 0.02}
	// Ranks of rounded values.
	ranked = harness.Bound{Abs: 1, Outliers: 1e-3}
	// Quotients of differences of such means.
	modelled = harness.Bound{Scale: 1e-3}
	// Differences of means of pixels that may be alike, or large: 121 roundings of the largest pixel, some times the largest difference.
	blurs = harness.Bound{Abs: 1e-3, Scale: 0x1p-18}
	// Differences of means of squares up to 65025.
	spread = harness.Bound{Abs: 0.05}
	// Quotients of differences of means of squares up to 65025.
	likened = harness.Bound{Abs: 1e-3}
	// Quotients of such means.
	quotient = harness.Bound{Scale: 121 * 0x1p-24, Outliers: 0.01}
	// A hundred means of four.
	manyMeans = harness.Bound{Scale: 400 * 0x1p-24}
	// Conjugate gradients until what is left is a hundred-thousandth, of the largest value.
	solved = harness.Bound{Scale: 1e-3}
	// Colours from 0 to 1 in f32.
	colourBits = harness.Bound{Abs: 0x1p-20}
	// Sums of products in f32, of the largest of them.
	dotProducts = harness.Bound{Scale: 0x1p-18}
	// Elimination in f64 of well-conditioned matrices.
	solutions = harness.Bound{Scale: 0x1p-40}
	// Rounded to f16 after sums in f32.
	halfBits = harness.Bound{Rel: 0x1p-10, Scale: 0x1p-18}
	// Many cycles of multigrid on logarithms, and their exponentials up to 1.
	cycles = harness.Bound{Abs: 0x1p-10}
	// Exponentials and quotients, of 65535.
	curves = harness.Bound{Abs: 4}
	// A transform of 256 pixels there and back, and decisions about its coefficients.
	transformed = harness.Bound{Scale: 0x1p-16, Outliers: 0.02}
	// The same where a product is not rounded by itself and does not overflow.
	dotProductsFused = harness.Bound{Scale: 0x1p-18, Outliers: 0.1}
	// OpenCV computes HSV in fixed point; hues at 0 and 180 are the same.
	hueStep = harness.Bound{Abs: 1, Modulus: 180}
)

var rows = []row{
	{file: "blend", pipeline: "blend", reference: "pixelwise.blend"},
	{file: "blur", pipeline: "blur", reference: "filters.blur"},
	{file: "box", pipeline: "box", reference: "filters.box"},
	{file: "canny", pipeline: "canny", reference: "whole.canny", sizes: patches, scalars: []map[string]any{{"low": 0, "high": 300}}},
	{file: "clahe", pipeline: "clahe", reference: "whole.clahe", sizes: tiled, near: oneStep, contract: oneStep},
	{file: "corners", pipeline: "corners", reference: "whole.corners", scalars: []map[string]any{{"contrast": 3}}},
	{file: "colour", pipeline: "grey", reference: "pixelwise.grey"},
	{file: "colour", pipeline: "ycbcr", reference: "pixelwise.ycbcr", near: oneStep, contract: oneStep},
	{file: "colour", pipeline: "rgb", reference: "pixelwise.rgb", near: oneStep, contract: oneStep},
	{file: "colour", pipeline: "hsv", reference: "pixelwise.hsv", near: hueStep, contract: hueStep},
	{file: "colour", pipeline: "planes", reference: "pixelwise.planes"},
	{file: "colour", pipeline: "rgb_of_hsv", reference: "pixelwise.rgb_of_hsv", near: oneStep, contract: oneStep},
	{file: "dither", pipeline: "dither", reference: "whole.dither"},
	{file: "downsample", pipeline: "downsample", reference: "pixelwise.downsample"},
	{file: "fft", pipeline: "fft", reference: "linear.fft", sizes: powers, near: dotProducts, strict: dotProducts, contract: dotProducts},
	{file: "clarity", pipeline: "clarity", reference: "filters.clarity", near: floatMean, contract: floatMean, scalars: []map[string]any{{"amount": -0.75}}},
	{file: "gaussian", pipeline: "gaussian", reference: "filters.gaussian", near: floatMean, contract: floatMean},
	{file: "guided", pipeline: "guided", reference: "whole.guided", near: modelled, contract: modelled},
	{file: "guided", pipeline: "by_colours", reference: "whole.guided_by_colours", near: modelled, contract: modelled},
	{file: "histogram", pipeline: "histogram", reference: "scattered.histogram"},
	{file: "histogram", pipeline: "colours", reference: "scattered.colours"},
	{file: "histogram", pipeline: "equalize", reference: "scattered.equalize", contract: oneStep},
	{file: "halide/diffusion", pipeline: "diffusion", reference: "iterative.diffusion", near: oneStep, contract: oneStep,
		sizes: patches, scalars: []map[string]any{{"rounds": 1, "kappa": 40}, {"rounds": 0}}},
	{file: "laplace", pipeline: "laplace", reference: "filters.laplace"},
	{file: "layouts", pipeline: "normalized", reference: "pixelwise.normalized", near: dotProducts, contract: dotProducts},
	{file: "layouts", pipeline: "restored", reference: "pixelwise.restored", near: oneStep, contract: oneStep},
	{file: "layouts", pipeline: "exchanged", reference: "pixelwise.exchanged"},
	{file: "layouts", pipeline: "smoothed", reference: "pixelwise.smoothed"},
	{file: "layouts", pipeline: "unpacked", reference: "pixelwise.unpacked", sizes: tens},
	{file: "life", pipeline: "life", reference: "filters.life"},
	// The orbits are chaotic: next to the set a rounding decides when they leave the disc.
	{file: "mandelbrot", pipeline: "mandelbrot", reference: "pixelwise.mandelbrot", sizes: patches, contract: harness.Bound{Outliers: 0.15},
		scalars: []map[string]any{{"left": -0.75, "top": 0.1, "step": 0.0001220703125}}},
	{file: "median", pipeline: "median3", reference: "filters.median3"},
	{file: "median", pipeline: "median5", reference: "filters.median5"},
	{file: "morphology", pipeline: "erode", reference: "filters.erode"},
	{file: "morphology", pipeline: "dilate", reference: "filters.dilate"},
	{file: "morphology", pipeline: "outline", reference: "filters.outline"},
	{file: "geometry", pipeline: "remapped", reference: "resampling.remapped", near: oneStep, contract: oneStep},
	{file: "geometry", pipeline: "straightened", reference: "resampling.straightened", near: oneStep, strict: oneStep, contract: oneStep,
		scalars: []map[string]any{{"focal": 7.5, "k1": 0.25}, {"k2": -3.0}}},
	{file: "geometry", pipeline: "polar", reference: "resampling.polar", sizes: resizes, near: oneStep, strict: oneStep, contract: oneStep},
	{file: "geometry", pipeline: "graded", reference: "resampling.graded", near: oneStep, contract: oneStep},
	{file: "moves", pipeline: "mirrored", reference: "pixelwise.mirrored"},
	{file: "moves", pipeline: "moved", reference: "pixelwise.moved", scalars: []map[string]any{{"dy": -3}, {"dy": 1000000, "dx": 2}}},
	{file: "moves", pipeline: "rolled", reference: "pixelwise.rolled", scalars: []map[string]any{{"by": -70}}},
	{file: "parts", pipeline: "centred", reference: "resampling.centred"},
	{file: "parts", pipeline: "hidden", reference: "resampling.hidden"},
	{file: "planes", pipeline: "stretched", reference: "resampling.stretched"},
	{file: "planes", pipeline: "less_noisy", reference: "resampling.less_noisy"},
	// Weights from sines.
	{file: "halide/resize", pipeline: "resize", reference: "resampling.resize", sizes: resizes, near: oneStep, strict: oneStep, contract: oneStep},
	// OpenCV weights in fixed point.
	{file: "pencil/resize", pipeline: "resize", reference: "resampling.resize_linear", sizes: resizes, near: oneStep, contract: oneStep},
	{file: "pencil/resize", pipeline: "smooth", reference: "resampling.resize_cubic", sizes: resizes, near: oneStep, contract: oneStep},
	{file: "pencil/resize", pipeline: "blocks", reference: "resampling.resize_blocks", sizes: resizes},
	{file: "pencil/stencil", pipeline: "stencil", reference: "iterative.stencil", near: manyMeans, contract: manyMeans,
		sizes: patches, rounds: true, scalars: []map[string]any{{"sweeps": 1}, {"sweeps": -3}}},
	{file: "padded", pipeline: "padded", reference: "filters.blur"},
	{file: "planar", pipeline: "to_ycbcr", reference: "pixelwise.to_ycbcr", near: oneStep, contract: oneStep},
	{file: "planar", pipeline: "from_ycbcr", reference: "pixelwise.from_ycbcr", near: oneStep, contract: oneStep},
	{file: "planar", pipeline: "to_420", reference: "pixelwise.to_420", near: oneStep, contract: oneStep},
	{file: "planar", pipeline: "to_nv12", reference: "pixelwise.to_nv12", near: oneStep, contract: oneStep},
	{file: "planar", pipeline: "from_420", reference: "pixelwise.from_420", sizes: subsampled, near: oneStep, contract: oneStep},
	{file: "scharr", pipeline: "scharr", reference: "filters.scharr"},
	// A rounding sends a pixel to its neighbour where the exact place is next to the edge between two.
	{file: "scatter", pipeline: "splat", reference: "scattered.splat", contract: harness.Bound{Outliers: 0.02},
		scalars: []map[string]any{{"c": 0.0, "s": -1.5}}},
	{file: "scatter", pipeline: "palette", reference: "scattered.palette", contract: floatMean},
	{file: "scatter", pipeline: "boxes", reference: "scattered.boxes"},
	{file: "sharpen", pipeline: "sharpen", reference: "filters.sharpen", near: oneStep, contract: oneStep,
		scalars: []map[string]any{{"amount": -0.75}}},
	{file: "sobel", pipeline: "sobel", reference: "filters.sobel", contract: oneStep},
	{file: "otsu", pipeline: "otsu", reference: "whole.otsu"},
	{file: "exposure", pipeline: "expose", reference: "whole.expose", near: oneStep, contract: oneStep, scalars: []map[string]any{{"goal": 40}, {"goal": 255}}},
	{file: "poisson", pipeline: "solve", reference: "whole.solve", sizes: patches, rounds: true, near: solved, contract: solved,
		few: map[string]any{"tolerance": 0.3}, scalars: []map[string]any{{"tolerance": 1e-6}}},
	{file: "seam", pipeline: "carve", reference: "whole.carve", sizes: narrowed},
	{file: "sgm", pipeline: "sgm", reference: "whole.sgm", sizes: patches},
	{file: "profiles", pipeline: "profiles", reference: "whole.profiles"},
	{file: "profiles", pipeline: "level", reference: "whole.level", near: harness.Bound{Abs: 1e-4, Rel: 1e-5}, contract: harness.Bound{Abs: 1e-4, Rel: 1e-5}},
	{file: "profiles", pipeline: "blocks", reference: "whole.blocks"},
	{file: "profiles", pipeline: "changed", reference: "whole.changed"},
	{file: "errors", pipeline: "errors", reference: "whole.errors", near: floatMean, strict: floatMean, contract: floatMean},
	{file: "errors", pipeline: "bell", reference: "filters.bell", near: blurs, strict: blurs, contract: blurs},
	{file: "by_hand", pipeline: "eroded", reference: "filters.eroded"},
	{file: "by_hand", pipeline: "inside", reference: "filters.inside", near: lastBits, contract: lastBits},
	{file: "by_hand", pipeline: "variance", reference: "filters.variance", near: spread, contract: spread},
	{file: "by_hand", pipeline: "centre", reference: "whole.centre", near: lastBits, contract: lastBits, scalars: []map[string]any{{"limit": 0}, {"limit": 255}}},
	{file: "similarity", pipeline: "similarity", reference: "filters.similarity", near: likened, contract: likened},
	{file: "similarity", pipeline: "likeness", reference: "filters.likeness", near: likened, contract: likened},
	{file: "similarity", pipeline: "mutual", reference: "filters.mutual", near: likened, contract: likened},
	{file: "similarity", pipeline: "blobs", reference: "filters.blobs", near: blurs, contract: blurs},
	{file: "statistics", pipeline: "statistics", reference: "whole.statistics", near: floatMean, contract: floatMean},
	{file: "statistics", pipeline: "stretch", reference: "whole.stretch"},
	{file: "statistics", pipeline: "normalize", reference: "whole.normalize", near: harness.Bound{Abs: 1e-4}, contract: harness.Bound{Abs: 1e-4}},
	{file: "stereo", pipeline: "stereo", reference: "whole.stereo", sizes: patches, scalars: []map[string]any{{"most": 1}, {"most": 40}}},
	{file: "threshold", pipeline: "threshold", reference: "filters.threshold", scalars: []map[string]any{{"level": 0}, {"level": 255}}},
	{file: "threshold", pipeline: "adaptive", reference: "filters.adaptive", sizes: patches, scalars: []map[string]any{{"offset": -7.25}}},
	{file: "tone", pipeline: "gamma", reference: "pixelwise.gamma"},
	{file: "tone", pipeline: "curve", reference: "pixelwise.curve", near: oneStep, contract: oneStep,
		scalars: []map[string]any{{"strength": 1.0}}},
	{file: "transpose", pipeline: "transposed", reference: "pixelwise.transposed"},
	{file: "transpose", pipeline: "rotated", reference: "pixelwise.rotated"},
	{file: "volume", pipeline: "smooth", reference: "filters.smooth", sizes: volumes, near: floatMean, contract: floatMean},
	{file: "hipacc/bilateral", pipeline: "table", reference: "hipacc.bilateral", sizes: patches, near: weighted, strict: weighted, contract: weighted,
		scalars: []map[string]any{{"likeness": 200.0}}},
	{file: "hipacc/bilateral", pipeline: "formula", reference: "hipacc.bilateral", sizes: patches, near: weighted, strict: weighted, contract: weighted},
	{file: "hipacc/flow", pipeline: "flow", reference: "hipacc.flow", sizes: patches},
	{file: "hipacc/harris", pipeline: "harris", reference: "hipacc.harris", near: floatMean, contract: floatMean},
	{file: "hipacc/harris", pipeline: "shi_tomasi", reference: "hipacc.shi_tomasi", near: floatMean, strict: floatMean, contract: floatMean},
	{file: "hipacc/night", pipeline: "night", reference: "hipacc.night", sizes: patches, near: oneStep, strict: oneStep, contract: oneStep,
		scalars: []map[string]any{{"darkness": 0.125}}},
	{file: "kernels/bands", pipeline: "bands", reference: "library.bands", near: oneStep, contract: oneStep,
		scalars: []map[string]any{{"fine": 0.0, "middle": 2.5}}},
	{file: "library/filters", pipeline: "blurred", reference: "library.blurred"},
	{file: "library/filters", pipeline: "boxes", reference: "library.boxes", near: floatMean, contract: floatMean},
	{file: "library/filters", pipeline: "softened", reference: "library.softened", near: oneStep, contract: oneStep},
	{file: "library/filters", pipeline: "slopes", reference: "library.slopes", near: lastBits, contract: lastBits},
	{file: "library/filters", pipeline: "ranks", reference: "library.ranks"},
	{file: "library/filters", pipeline: "crisp", reference: "library.crisp", near: oneStep, contract: oneStep,
		scalars: []map[string]any{{"amount": -0.75}}},
	{file: "library/colours", pipeline: "greys", reference: "library.greys", near: oneStep, contract: oneStep},
	{file: "library/colours", pipeline: "brightness", reference: "library.brightness", near: colourBits, contract: colourBits},
	{file: "library/colours", pipeline: "differences", reference: "library.differences", near: colourBits, contract: colourBits},
	{file: "library/colours", pipeline: "hues", reference: "library.hues", near: colourBits, contract: colourBits},
	{file: "library/colours", pipeline: "light", reference: "library.light", near: colourBits, strict: colourBits, contract: colourBits},
	{file: "library/levels", pipeline: "levels", reference: "library.levels"},
	{file: "running", pipeline: "running_mean", reference: "scans.running_mean"},
	{file: "integral", pipeline: "integral", reference: "scans.integral"},
	{file: "integral", pipeline: "mean_any", reference: "scans.mean_any", scalars: []map[string]any{{"radius": 0}, {"radius": 5000}}},
	{file: "halide/iir_blur", pipeline: "iir_blur", reference: "scans.iir_blur", near: recursive, contract: recursive,
		scalars: []map[string]any{{"alpha": 0.05}, {"alpha": 1.0}}},
	{file: "parac/laplacian", pipeline: "level", reference: "parac.level", sizes: extrapolated},
	{file: "volume", pipeline: "average", reference: "filters.average", sizes: stacks, near: floatMean, contract: floatMean},
	// Coefficients and pixels near the largest float: a product that is not rounded by itself does not overflow.
	{file: "pencil/convolve", pipeline: "convolved", reference: "masks.convolved", sizes: masked, near: floatMean,
		contract: harness.Bound{Scale: 121 * 0x1p-24, Outliers: 0.1}},
	{file: "pencil/dilate", pipeline: "dilated", reference: "masks.dilated", sizes: masked},
	{file: "pencil/dilate", pipeline: "eroded", reference: "masks.eroded", sizes: masked},
	{file: "pencil/warp", pipeline: "warp", reference: "resampling.warp", near: oneStep, contract: oneStep,
		scalars: []map[string]any{{"yy": 1.0, "yx": 0.0, "y0": 0.0, "xy": 0.0, "xx": 1.0, "x0": 0.5}}},
	// A coordinate that is fused with the subtraction of its whole part may miss 0: then an infinite pixel counts, not 0 times it.
	{file: "pencil/warp", pipeline: "probe", reference: "resampling.probe", sizes: probes, near: floatMean,
		contract: harness.Bound{Scale: 121 * 0x1p-24, Outliers: 0.1}},
	{file: "pencil/warp", pipeline: "zoom", reference: "resampling.zoom"},
	{file: "pencil/smooth", pipeline: "smooth", reference: "filters.smooth_by", near: floatMean, strict: floatMean, contract: floatMean,
		scalars: []map[string]any{{"sigma": 0.25}, {"sigma": 7.0}}},
	{file: "pencil/srad", pipeline: "srad", reference: "iterative.srad", sizes: patches, rounds: true, near: oneStep, strict: oneStep, contract: oneStep,
		few: map[string]any{"rounds": 4}, scalars: []map[string]any{{"rounds": 1, "rate": 1.0}, {"rounds": 0}}},
	{file: "pencil/gemm", pipeline: "gemm", reference: "linear.gemm", sizes: products, near: dotProducts, contract: dotProductsFused,
		scalars: []map[string]any{{"alpha": 0.0, "beta": 1.0}}},
	{file: "pencil/gemm", pipeline: "mm2", reference: "linear.mm2", sizes: products, near: dotProducts, contract: dotProducts},
	{file: "pencil/gemm", pipeline: "mm3", reference: "linear.mm3", sizes: products, near: dotProducts, contract: dotProducts},
	{file: "pencil/gemver", pipeline: "gemver", reference: "linear.gemver", sizes: squares, near: dotProducts, contract: dotProductsFused},
	{file: "pencil/gemver", pipeline: "gesummv", reference: "linear.gesummv", sizes: squares, near: dotProducts, contract: dotProducts},
	{file: "pencil/gemver", pipeline: "atax", reference: "linear.atax", sizes: products, near: dotProducts, contract: dotProducts},
	{file: "pencil/spmv", pipeline: "spmv", reference: "linear.spmv", sizes: graphs, adjust: sparseRows, near: dotProducts, contract: dotProducts},
	{file: "pencil/bfs", pipeline: "bfs", reference: "linear.bfs", sizes: graphs, adjust: edges},
	{file: "pencil/gauss", pipeline: "gauss", reference: "linear.gauss", sizes: squares, adjust: regular, near: solutions, contract: solutions},
	{file: "hardboiled/convolution", pipeline: "line", reference: "hardboiled.line", sizes: lines, near: halfBits, contract: halfBits},
	{file: "hardboiled/convolution", pipeline: "plane", reference: "hardboiled.plane", near: halfBits, contract: halfBits},
	{file: "hardboiled/resample", pipeline: "down", reference: "hardboiled.down", sizes: doubled, near: halfBits, contract: halfBits},
	{file: "hardboiled/resample", pipeline: "up", reference: "hardboiled.up", near: halfBits, contract: halfBits},
	{file: "hardboiled/biquad", pipeline: "biquad", reference: "hardboiled.biquad", sizes: lines, near: recursive, contract: recursive},
	// A coefficient next to the level may be kept or not.
	{file: "hardboiled/denoise", pipeline: "denoise", reference: "hardboiled.denoise", near: transformed, contract: transformed,
		scalars: []map[string]any{{"level": 0.0}, {"level": 500.0}}},
	{file: "parac/blur", pipeline: "blur", reference: "parac.blur"},
	{file: "parac/sharpness", pipeline: "sharpness", reference: "parac.sharpness", near: oneStep, contract: oneStep,
		scalars: []map[string]any{{"amount": -1.5, "excess": 0.0}, {"excess": 1.0}}},
	// Where the terms of a grey cancel, it is far off in relation, and so is what it divides.
	{file: "parac/unsharp", pipeline: "unsharp", reference: "parac.unsharp", near: quotient, contract: quotient,
		scalars: []map[string]any{{"amount": -0.75}}},
	{file: "halide/blur", pipeline: "blur", reference: "halide.blur"},
	{file: "halide/stencil_chain", pipeline: "chain", reference: "halide.chain", sizes: costly,
		scalars: []map[string]any{{"stages": 1}, {"stages": 0}}},
	// A brightness next to the half of two levels may be either, and their ranks may be far apart.
	{file: "halide/equalize", pipeline: "equalize", reference: "halide.equalize", near: ranked, contract: ranked},
	{file: "halide/nl_means", pipeline: "nl_means", reference: "halide.nl_means", sizes: costly, near: weighted, strict: weighted,
		contract: weighted, scalars: []map[string]any{{"sigma": 250.0}}},
	{file: "halide/max_filter", pipeline: "max_filter", reference: "halide.max_filter", sizes: costly},
	{file: "halide/bilateral_grid", pipeline: "bilateral_grid", reference: "halide.bilateral_grid", near: floatMean, contract: floatMean,
		scalars: []map[string]any{{"bins": 1}, {"bins": 23}}},
	{file: "halide/camera", pipeline: "camera", reference: "halide.camera", near: oneStep, strict: oneStep, contract: oneStep,
		scalars: []map[string]any{{"kelvin": 7000.0, "gamma": 1.0, "contrast": 0.0}}},
	{file: "halide/level_set", pipeline: "segment", reference: "halide.segment", sizes: costly, rounds: true, near: contour, strict: contour,
		contract: contour, scalars: []map[string]any{{"margin": 3, "balloon": -1.5, "rounds": 7}}},
	{file: "hipacc/detail", pipeline: "detail", reference: "pyramids.detail", near: floatMean, contract: floatMean,
		scalars: []map[string]any{{"depth": 1}, {"depth": 9, "gain": 0.25}}},
	{file: "hipacc/multigrid", pipeline: "compress", reference: "pyramids.compress", sizes: costly, rounds: true,
		near: cycles, strict: cycles, contract: cycles,
		scalars: []map[string]any{{"gamma": 2, "cycles": 1, "depth": 4}, {"red_black": 0}, {"depth": 1, "red_black": 0}}},
	{file: "halide/interpolate", pipeline: "interpolate", reference: "pyramids.interpolate", adjust: shares, near: floatMean,
		contract: floatMean, scalars: []map[string]any{{"depth": 1}, {"depth": 3}}},
	{file: "halide/local_laplacian", pipeline: "local_laplacian", reference: "pyramids.local_laplacian", sizes: costly, near: curves,
		strict: curves, contract: curves, scalars: []map[string]any{{"alpha": 1.0, "beta": 0.25}}},
	{file: "parac/upscale", pipeline: "upscale", reference: "resampling.upscale"},
	{file: "parac/upscale", pipeline: "upscale_all", reference: "resampling.upscale_all"},
	{file: "parac/upscale", pipeline: "enlarge", reference: "resampling.enlarge"},
}

// A size gives the size names of a pipeline their values.
type size struct {
	label  string
	extent map[string]int
	weight weight
}

// A weight says who can afford a size.
type weight int

const (
	tiny  weight = iota // everyone, Oclgrind too
	small               // everyone but Oclgrind
	large               // the interpreter and the device
)

func plane(h, w int, c weight) size {
	return size{label: label(h, w), extent: map[string]int{"H": h, "W": w}, weight: c}
}

// planes are the sizes of filters in two dimensions: a pixel, a line, a column, less than the mask, primes, a photo of more pixels than 16 bits
// count, and no larger: the interpreter takes most of the time of the tests for it.
func planes() []size {
	return []size{
		plane(1, 1, tiny), plane(1, 23, tiny), plane(19, 1, tiny), plane(2, 3, tiny), plane(11, 13, tiny), plane(37, 53, small),
		plane(240, 320, large),
	}
}

// extrapolated are sizes of at least 4, which the borders of extrapolating samples ask for.
func extrapolated() []size {
	return []size{
		plane(4, 4, tiny), plane(4, 23, tiny), plane(19, 5, tiny), plane(11, 13, tiny), plane(38, 53, small), plane(240, 320, large),
	}
}

// subsampled are planes for images of half their size.
func subsampled() []size {
	all := planes()
	for _, s := range all {
		s.extent["(H + 1)/2"], s.extent["(W + 1)/2"] = (s.extent["H"]+1)/2, (s.extent["W"]+1)/2
	}
	return all
}

// tens are planes for images of four pixels in five bytes.
func tens() []size {
	all := planes()
	for _, s := range all {
		s.extent["5*W"], s.extent["4*W"] = 5*s.extent["W"], 4*s.extent["W"]
	}
	return all
}

// narrowed are planes for images of a column less.
func narrowed() []size {
	all := slices.DeleteFunc(planes(), func(s size) bool { return s.extent["W"] < 2 })
	for _, s := range all {
		s.extent["W - 1"] = s.extent["W"] - 1
	}
	return all
}

// tiled are planes that are cut into 8 x 8 parts.
func tiled() []size {
	return []size{plane(8, 8, tiny), plane(9, 23, tiny), plane(11, 13, tiny), plane(37, 53, small), plane(240, 320, large)}
}

// patches are planes for programs of many rounds, or of hundreds of operations for a pixel.
func patches() []size {
	all := planes()
	return append(all[:len(all)-1], plane(97, 131, large))
}

// costly are planes for programs that take a simulator minutes.
func costly() []size {
	return []size{plane(1, 1, tiny), plane(5, 3, tiny), plane(1, 23, small), plane(19, 1, small), plane(11, 13, small), plane(97, 131, large)}
}

// masked are the sizes of filters by masks that are given at run time: with odd and even extents, and more than the image has.
func masked() []size {
	var all []size
	for _, e := range [][5]int{
		{1, 1, 3, 3, int(tiny)}, {2, 3, 4, 6, int(tiny)}, {19, 1, 1, 5, int(tiny)}, {11, 13, 3, 5, int(tiny)}, {37, 53, 7, 2, int(small)},
		{23, 31, 15, 15, int(small)}, {240, 320, 5, 5, int(large)},
	} {
		s := plane(e[0], e[1], weight(e[4]))
		s.extent["KH"], s.extent["KW"] = e[2], e[3]
		all = append(all, s)
	}
	return all
}

// resizes are sizes with the ones to come to: larger, smaller, equal, and one of each.
func resizes() []size {
	var all []size
	for _, e := range [][5]int{
		{1, 1, 1, 1, int(tiny)}, {1, 1, 4, 3, int(tiny)}, {1, 17, 2, 5, int(tiny)}, {19, 1, 7, 1, int(tiny)}, {11, 13, 11, 13, int(small)},
		{11, 13, 23, 5, int(small)}, {37, 53, 9, 41, int(small)}, {23, 31, 97, 101, int(small)}, {240, 320, 101, 427, int(large)},
	} {
		s := plane(e[0], e[1], weight(e[4]))
		s.extent["h"], s.extent["w"] = e[2], e[3]
		all = append(all, s)
	}
	return all
}

func volumes() []size {
	var all []size
	for _, e := range [][4]int{
		{1, 1, 1, int(tiny)}, {1, 1, 17, int(tiny)}, {1, 13, 1, int(tiny)}, {5, 1, 1, int(tiny)}, {2, 2, 2, int(tiny)},
		{5, 7, 11, int(tiny)}, {7, 37, 53, int(small)}, {3, 240, 320, int(large)},
	} {
		all = append(all, size{label(e[:3]...), map[string]int{"D": e[0], "H": e[1], "W": e[2]}, weight(e[3])})
	}
	return all
}

// probes are volumes with lines that leave them.
func probes() []size {
	all := volumes()
	for i := range all {
		all[i].extent["N"] = 2 * all[i].extent["W"]
	}
	return all
}

func stacks() []size {
	all := volumes()
	for i := range all {
		all[i].extent["N"] = all[i].extent["D"]
		delete(all[i].extent, "D")
	}
	return all
}

// shares brings pixels into the range from 0 to 1, with many of the last component 0.
func shares(images map[string]*pixels.Image) {
	m := images["src"]
	for i := range m.Words() {
		v := m.Word(i).Float() / 300
		v = min(max(v, -v), 1)
		if i%4 == 3 && v < 0.4 {
			v = 0
		}
		m.SetWord(i, types.Float(types.Round(types.F32, v)))
	}
}
