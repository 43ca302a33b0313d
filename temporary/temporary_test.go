package temporary

import (
	"os"
	"path/filepath"
	"testing"
)

func TestRemoveAllRemovesWhatIsRemembered(t *testing.T) {
	defer mutex.Unlock() // which RemoveAll leaves locked
	dir := t.TempDir()
	for _, name := range []string{"kept", "forgotten"} {
		path := filepath.Join(dir, name)
		Keep(path)
		if err := os.Mkdir(path, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	Forget(filepath.Join(dir, "forgotten"))
	RemoveAll()
	left, _ := os.ReadDir(dir)
	if len(left) != 1 || left[0].Name() != "forgotten" {
		t.Errorf("left: %v", left)
	}
}
