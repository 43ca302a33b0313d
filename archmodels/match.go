package archmodels

import (
	"regexp"
	"strings"
)

// A Device is what a driver says of a running device.
type Device struct {
	Name, Vendor string
	Class        Class
}

// The models that stand in for a device that no other model fits.
var fallback = map[Class]string{GPU: "generic-gpu", CPU: "generic-cpu"}

// Match is the model that fits a device best, and whether it was made for that device: of those whose class, vendor and
// expression fit, the one whose expression covers most of the name; else the generic model of the class.
func Match(d Device) (m *Model, made bool) {
	best := 0
	for _, candidate := range All() {
		if n := candidate.fits(d); n > best {
			best, m = n, candidate
		}
	}
	if m != nil {
		return m, true
	}
	m, err := Load(fallback[d.Class])
	if err != nil {
		panic("internal error: " + err.Error())
	}
	return m, false
}

// fits is how many bytes of the device's name the model speaks of; 0 where it does not fit.
func (m *Model) fits(d Device) int {
	if m.Device == "" || m.Class != d.Class || !strings.Contains(strings.ToLower(d.Vendor), strings.ToLower(m.Vendor)) {
		return 0
	}
	at := regexp.MustCompile(m.Device).FindStringIndex(d.Name)
	if at == nil {
		return 0
	}
	return max(at[1]-at[0], 1)
}
