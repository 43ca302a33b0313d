package harness

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"imgc/imagefile"
	"imgc/pixels"
)

// A ReferenceCase asks for one call of a function of testsuite/reference.
type ReferenceCase struct {
	Function string // "filters.blur"
	Images   []*pixels.Image
	Scalars  map[string]any  // numbers and strings, as JSON has them
	Want     []*pixels.Image // one for each result, for its type; the pixels are not read
}

// A ReferenceResult is what a call returned, or why it failed.
type ReferenceResult struct {
	Images []*pixels.Image
	Err    error
}

// References runs all cases in one Python process. Without Python, or the libraries that the references use, the test is skipped.
func References(t testing.TB, cases []ReferenceCase) []ReferenceResult {
	t.Helper()
	python := filepath.Join(Root, ".venv", "bin", "python")
	if err := exec.Command(python, "-c", "import numpy, scipy.ndimage, cv2").Run(); err != nil {
		t.Skipf("no Python with NumPy, SciPy and OpenCV in .venv, script/setup installs one: %v", err)
	}
	dir := t.TempDir()
	request := make([]pythonCase, len(cases))
	for i, c := range cases {
		request[i] = writeCase(t, filepath.Join(dir, fmt.Sprintf("%04d", i)), c)
	}
	text, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	list := filepath.Join(dir, "request.json")
	if err := os.WriteFile(list, text, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(python, filepath.Join(Root, "testsuite", "reference", "run.py"), list)
	cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("the references: %v\n%s", err, out)
	}
	results := make([]ReferenceResult, len(cases))
	for i, c := range cases {
		results[i] = readResult(request[i], c)
	}
	return results
}

// A pythonCase is what run.py reads.
type pythonCase struct {
	Function string         `json:"function"`
	Images   []string       `json:"images"`
	Scalars  map[string]any `json:"scalars"`
	Out      []string       `json:"out"`
}

func writeCase(t testing.TB, stem string, c ReferenceCase) pythonCase {
	t.Helper()
	p := pythonCase{Function: c.Function, Images: []string{}, Scalars: c.Scalars}
	if p.Scalars == nil {
		p.Scalars = map[string]any{}
	}
	for k, m := range c.Images {
		path := fmt.Sprintf("%s_in%d.npy", stem, k)
		if err := imagefile.Write(path, m, imagefile.Want{}); err != nil {
			t.Fatal(err)
		}
		p.Images = append(p.Images, path)
	}
	for k := range c.Want {
		p.Out = append(p.Out, fmt.Sprintf("%s_out%d.npy", stem, k))
	}
	return p
}

func readResult(p pythonCase, c ReferenceCase) ReferenceResult {
	if text, err := os.ReadFile(p.Out[0] + ".error"); err == nil {
		return ReferenceResult{Err: fmt.Errorf("the reference %s fails:\n%s", c.Function, text)}
	}
	var r ReferenceResult
	for k, path := range p.Out {
		m, err := ReadArray(path, c.Want[k])
		if err != nil {
			return ReferenceResult{Err: err}
		}
		r.Images = append(r.Images, m)
	}
	return r
}

// ReadArray reads an .npy file as an image of want's type; its lanes are the array's last extent.
func ReadArray(path string, want *pixels.Image) (*pixels.Image, error) {
	return imagefile.Read(path, imagefile.Want{Elem: want.Elem, Rank: len(want.Extent), Fixed: want.Extent})
}
