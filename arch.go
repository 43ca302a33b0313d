package imgc

import (
	"fmt"
	"io"
	"os"
	"strings"

	"imgc/archmodels"
	"imgc/device/cl"
)

// An Architecture is what is known of a device: limits, bandwidths, rates and preferences, each with its source.
type Architecture = archmodels.Model

// Architectures are the shipped models, sorted by name.
func Architectures() (list []*Architecture, err error) {
	defer guard(&err, "reading architecture models")
	return archmodels.All(), nil
}

// OpenArchitecture returns a shipped model by its name, or the model of a file whose name ends in .yaml. An unknown name is a
// UsageError; the error of a file joins one for each mistake in it.
func OpenArchitecture(nameOrFile string) (m *Architecture, err error) {
	defer guard(&err, "reading the architecture model %q", nameOrFile)
	if !strings.HasSuffix(nameOrFile, ".yaml") && !strings.HasSuffix(nameOrFile, ".yml") {
		if m, err = archmodels.Load(nameOrFile); err != nil {
			return nil, usagef("%v", err)
		}
		return m, nil
	}
	file, err := os.Open(nameOrFile)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, MaxText+1))
	switch {
	case err != nil:
		return nil, err
	case len(text) > MaxText:
		return nil, fmt.Errorf("%s is larger than %d MiB: no architecture model", nameOrFile, MaxText>>20)
	}
	return archmodels.Parse(nameOrFile, text)
}

// ArchitectureOf is the model that fits a device best, and whether it was made for it: for others it is a generic one.
func ArchitectureOf(d *DeviceInfo) (m *Architecture, made bool) {
	class := archmodels.GPU
	if d.Type == cl.CPU {
		class = archmodels.CPU
	}
	return archmodels.Match(archmodels.Device{Name: d.Name, Vendor: d.Vendor, Class: class})
}
