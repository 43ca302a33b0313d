package docs_test

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A program is a row of docs/programs.md: one that the papers, or every image library, have.
type program struct {
	group, name string
	file        string // under samples, without .img; "" where it is not written yet
	original    string // lines of the original and of others that the papers compare it with, for the same work; "" where they give none
	picture     string // of the gallery, without .png
}

// programs are the rows in the order of the page. A sample of these groups that no row names fails the test.
var programs = []program{
	{"Basics", "box blur", "basics/box", "", ""},
	{"Basics", "Gaussian blur", "basics/gaussian", "", ""},
	{"Basics", "binomial blur, separable", "basics/blur", "", ""},
	{"Basics", "the same by rows that reach beyond the image", "basics/padded", "", ""},
	{"Basics", "Sobel", "basics/sobel", "", "filters"},
	{"Basics", "Scharr", "basics/scharr", "", ""},
	{"Basics", "Laplace", "basics/laplace", "", ""},
	{"Basics", "unsharp mask", "basics/sharpen", "", "sharpen"},
	{"Basics", "clarity, by an image of half the size", "basics/clarity", "", ""},
	{"Basics", "median 3x3 and 5x5", "basics/median", "", "filters"},
	{"Basics", "erosion, dilation with a domain", "basics/morphology", "", "filters"},
	{"Basics", "thresholds", "basics/threshold", "", "filters"},
	{"Basics", "grey, YCbCr, HSV, interleaved", "basics/colour", "", ""},
	{"Basics", "YCbCr, planar and 4:2:0", "basics/planar", "", ""},
	{"Basics", "gamma and tone curve", "basics/tone", "", ""},
	{"Basics", "alpha blend", "basics/blend", "", ""},
	{"Basics", "halving", "basics/downsample", "", ""},
	{"Basics", "histograms", "basics/histogram", "", ""},
	{"Basics", "integral image", "basics/integral", "", ""},
	{"Basics", "box blur by running sums", "basics/running", "", ""},
	{"Basics", "sums of lines, columns and blocks", "basics/profiles", "", ""},
	{"Basics", "statistics", "basics/statistics", "", ""},
	{"Basics", "how far two images are apart", "basics/errors", "", ""},
	{"Basics", "what is written by hand elsewhere", "basics/by_hand", "", ""},
	{"Basics", "Otsu's threshold", "basics/otsu", "", ""},
	{"Basics", "exposure to a mean", "basics/exposure", "", ""},
	{"Basics", "Poisson's equation, conjugate gradients", "basics/poisson", "", ""},
	{"Basics", "scattered writes", "basics/scatter", "", ""},
	{"Basics", "transposition", "basics/transpose", "", ""},
	{"Basics", "remapping, lenses, polar coordinates, cubes of colours", "basics/geometry", "", ""},
	{"Basics", "mirroring, moving, rolling", "basics/moves", "", ""},
	{"Basics", "colours as an axis, packed pixels", "basics/layouts", "", ""},
	{"Basics", "volumes", "basics/volume", "", ""},
	{"Basics", "parts of an image", "basics/parts", "", ""},
	{"Basics", "planes, each by itself", "basics/planes", "", ""},
	{"Basics", "fast Fourier transform", "basics/fft", "", ""},
	{"Basics", "depth from two views", "basics/stereo", "", ""},
	{"Basics", "depth from two views, semi-global", "basics/sgm", "", ""},
	{"Basics", "Canny's edges", "basics/canny", "", ""},
	{"Basics", "smoothing that keeps edges, by a guide", "basics/guided", "", ""},
	{"Basics", "structural similarity, mutual information, differences of blurs", "basics/similarity", "", ""},
	{"Basics", "adaptive histogram equalization", "basics/clahe", "", ""},
	{"Basics", "seam carving", "basics/seam", "", ""},
	{"Basics", "error diffusion", "basics/dither", "", ""},
	{"Basics", "corners, as a list", "basics/corners", "", ""},
	{"Basics", "game of life", "basics/life", "", ""},
	{"Basics", "Mandelbrot set", "basics/mandelbrot", "", "mandelbrot"},

	{"ParaC", "Laplacian pyramid level, extrapolating border", "parac/laplacian", "59 ParaC, 415 OpenCL", "laplacian"},
	{"ParaC", "up-sampling by 4", "parac/upscale", "48 ParaC, 213 OpenCL", ""},
	{"ParaC", "sharpness", "parac/sharpness", "96 ParaC, 612 OpenCL", "sharpness"},
	{"ParaC", "blur", "parac/blur", "6 ParaC, 6 Halide (kernels alone)", ""},
	{"ParaC", "unsharp mask of RGB", "parac/unsharp", "14 ParaC, 15 Halide (kernels alone)", "unsharp"},

	{"HIPAcc", "Gaussian-Laplacian pyramid, 11 levels", "hipacc/detail", "", "detail"},
	{"HIPAcc", "HDR compression, multigrid V- and W-cycle", "hipacc/multigrid", "56 HIPAcc with pyramids", "multigrid"},
	{"HIPAcc", "bilateral filter, by formula and by table", "hipacc/bilateral", "", "bilateral"},
	{"HIPAcc", "Harris and Shi-Tomasi corners", "hipacc/harris", "", "harris"},
	{"HIPAcc", "optical flow by the census transform", "hipacc/flow", "", "flow"},
	{"HIPAcc", "night filter", "hipacc/night", "", "night"},

	{"Halide", "3x3 blur", "halide/blur", "", ""},
	{"Halide", "camera raw pipeline", "halide/camera", "145 Halide and 23 of schedule, 463 by hand", "camera"},
	{"Halide", "local Laplacian filter", "halide/local_laplacian", "62 Halide and 7 of schedule, 262 C++, 288 ispc", "local_laplacian"},
	{"Halide", "bilateral grid", "halide/bilateral_grid", "34 Halide and 6 of schedule, 122 C++, 370 CUDA", "bilateral_grid"},
	{"Halide", "level-set segmentation", "halide/level_set", "", "level_set"},
	{"Halide", "histogram equalization", "halide/equalize", "", "equalize"},
	{"Halide", "stencil chain, 32 of 5x5", "halide/stencil_chain", "", "stencil_chain"},
	{"Halide", "interpolation by a pyramid", "halide/interpolate", "", "interpolate"},
	{"Halide", "non-local means", "halide/nl_means", "", "nl_means"},
	{"Halide", "separable maximum filter", "halide/max_filter", "", "max_filter"},
	{"Halide", "Lanczos resize by any factor", "halide/resize", "", ""},
	{"Halide", "blur by a recursive filter", "halide/iir_blur", "", "iir_blur"},
	{"Halide", "anisotropic diffusion", "halide/diffusion", "", "diffusion"},

	{"PENCIL", "affine warp", "pencil/warp", "", "warp"},
	{"PENCIL", "resize", "pencil/resize", "", ""},
	{"PENCIL", "convolution with a run-time mask", "pencil/convolve", "", ""},
	{"PENCIL", "Gaussian smoothing", "pencil/smooth", "", ""},
	{"PENCIL", "colour conversion", "basics/colour", "", ""},
	{"PENCIL", "dilation with a run-time element", "pencil/dilate", "", ""},
	{"PENCIL", "histogram", "basics/histogram", "", ""},
	{"PENCIL", "2D stencil of 100 iterations", "pencil/stencil", "", ""},
	{"PENCIL", "SRAD", "pencil/srad", "", "srad"},
	{"PENCIL", "gaussian elimination", "pencil/gauss", "", ""},
	{"PENCIL", "sparse matrix-vector product", "pencil/spmv", "", ""},
	{"PENCIL", "breadth-first search", "pencil/bfs", "", ""},
	{"PENCIL", "gemm, 2mm, 3mm", "pencil/gemm", "", ""},
	{"PENCIL", "gemver, gesummv, atax", "pencil/gemver", "", ""},

	{"HARDBOILED", "1D and 2D convolution, f16 to f32", "hardboiled/convolution", "", ""},
	{"HARDBOILED", "up- and down-sampling by 2", "hardboiled/resample", "", ""},
	{"HARDBOILED", "recursive filter on stereo audio", "hardboiled/biquad", "", ""},
	{"HARDBOILED", "DCT denoising with overlapping windows", "hardboiled/denoise", "", "denoise"},
}

func TestProgramsPageListsThePrograms(t *testing.T) {
	var b strings.Builder
	b.WriteString("| program | sample | lines | original | picture |\n|---|---|---|---|---|\n")
	group := ""
	for _, p := range programs {
		if p.group != group {
			group = p.group
			fmt.Fprintf(&b, "| **%s** | | | | |\n", group)
		}
		sample, lines, picture := "not written yet", "", ""
		if p.file != "" {
			file := "samples/" + p.file + ".img"
			sample = fmt.Sprintf("[%s](../%s)", path.Base(p.file), file)
			lines = fmt.Sprint(lineCount(t, readPage(t, file)))
		}
		if p.picture != "" {
			picture = fmt.Sprintf("[%s](images/%s.png)", p.picture, p.picture)
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", p.name, sample, lines, p.original, picture)
	}
	section(t, "docs/programs.md", "programs", b.String())
}

func TestProgramsPageShowsThePictures(t *testing.T) {
	var b strings.Builder
	shown := map[string]bool{}
	for _, p := range programs {
		if p.picture != "" && !shown[p.picture] {
			shown[p.picture] = true
			fmt.Fprintf(&b, "![%s](images/%s.png)\n\n*%s: %s*\n\n", p.name, p.picture, p.group, p.name)
		}
	}
	section(t, "docs/programs.md", "gallery", b.String())
	for _, p := range pictures {
		if !shown[p.name] {
			t.Errorf("no row of programs_test.go shows the picture %s", p.name)
		}
	}
}

func TestEverySampleOfAGroupIsAProgram(t *testing.T) {
	groups := map[string]bool{}
	for _, p := range programs {
		folder := strings.ToLower(p.group)
		groups[folder] = true
	}
	for folder := range groups {
		files, err := filepath.Glob(filepath.Join(root, "samples", folder, "*.img"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			name := folder + "/" + strings.TrimSuffix(filepath.Base(file), ".img")
			if !slices.ContainsFunc(programs, func(p program) bool { return p.file == name }) {
				t.Errorf("samples/%s.img has no row in programs_test.go", name)
			}
		}
	}
}
