package imagefile

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A compressed file whose size could come out of its bytes is refused where that is more than memory should be risked for.
func TestUnpackedSizeIsBounded(t *testing.T) {
	garbage := make([]byte, 6<<20)
	for name, head := range map[string][]byte{".png": pngHeader(70000, 70000, 8, 0), ".tif": tiffHeader(70000, 70000, 8)} {
		_, err := Decode(bytes.NewReader(append(head, garbage...)), name, Want{})
		if err == nil || !strings.Contains(err.Error(), "more than 4 GiB unpacked") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDevicesAreNoImages(t *testing.T) {
	link := filepath.Join(t.TempDir(), "endless.pgm")
	if err := os.Symlink("/dev/zero", link); err != nil {
		t.Skip(err)
	}
	if _, err := Read(link, Want{}); err == nil || !strings.Contains(err.Error(), "is a device") {
		t.Errorf("/dev/zero is read: %v", err)
	}
}
