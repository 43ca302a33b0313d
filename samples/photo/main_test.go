package main

import (
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"testing"
)

const photoPath, greyPath = "../photo.png", "../photo_grey.png"

// The files are what the program draws. Processors differ in whether they round between a product and a sum, and one
// rounding may send a ray past an edge: a few values in ten thousand may differ.
func TestFilesAreWhatTheProgramDraws(t *testing.T) {
	if testing.Short() {
		t.Skip("draws for some seconds")
	}
	drawn, err := drawPhoto()
	if err != nil {
		t.Fatal(err)
	}
	committed := readPNG(t, photoPath)
	if drawn.Bounds() != committed.Bounds() {
		t.Fatalf("%s is %v; the program draws %v", photoPath, committed.Bounds(), drawn.Bounds())
	}
	rgba := image.NewRGBA(committed.Bounds())
	draw.Draw(rgba, rgba.Bounds(), committed, image.Point{}, draw.Src)
	different := 0
	for i, v := range drawn.Pix {
		if d := int(v) - int(rgba.Pix[i]); d < -1 || d > 1 {
			different++
		}
	}
	if limit := len(drawn.Pix) / 2000; different > limit {
		t.Errorf("%d values of %s differ from what the program draws, more than %d; go run ./samples/photo writes the file anew",
			different, photoPath, limit)
	}
}

func TestGreyIsMadeOfThePhoto(t *testing.T) {
	photo, ok := readPNG(t, photoPath).(*image.RGBA)
	if !ok {
		t.Fatalf("%s is not 8-bit RGB", photoPath)
	}
	committed, ok := readPNG(t, greyPath).(*image.Gray)
	if !ok {
		t.Fatalf("%s is not 8-bit grey", greyPath)
	}
	made := grey(photo)
	for y := range height {
		for x := range width {
			if got, want := committed.GrayAt(x, y), made.GrayAt(x, y); got != want {
				t.Fatalf("pixel (%d, %d) of %s is %d; the photo's is %d", x, y, greyPath, got.Y, want.Y)
			}
		}
	}
}

// The picture is what filters are tried on, so it has to have something for each of them.
func TestPhotoHasTheWholeRange(t *testing.T) {
	file, err := os.Stat(photoPath)
	if err != nil {
		t.Fatal(err)
	}
	if file.Size() > 600_000 {
		t.Errorf("%s has %d bytes: too many for a repository", photoPath, file.Size())
	}
	var seen [256]bool
	count := 0
	picture := readPNG(t, greyPath)
	for y := range height {
		for x := range width {
			if v := picture.At(x, y).(color.Gray).Y; !seen[v] {
				seen[v] = true
				count++
			}
		}
	}
	if count < 250 {
		t.Errorf("%s has %d of 256 greys", greyPath, count)
	}
}

func readPNG(t *testing.T, path string) image.Image {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	picture, err := png.Decode(file)
	if err != nil {
		t.Fatal(err)
	}
	return picture
}
