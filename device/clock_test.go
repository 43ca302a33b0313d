package device

import (
	"testing"
	"time"

	"imgc/device/cl"
)

func TestTimesThatCannotBeAreNotBelieved(t *testing.T) {
	for _, c := range []struct {
		times  []cl.Timing
		waited time.Duration
		sum    time.Duration
		ok     bool
	}{
		{nil, 5, 0, true},
		{[]cl.Timing{{Start: 100, End: 130}, {Start: 140, End: 150}}, 60, 40, true},
		{[]cl.Timing{{Start: 0, End: 0}}, 60, 0, false},                             // no clock
		{[]cl.Timing{{Start: 7, End: 9}, {Start: 7, End: 7}}, 60, 0, false},         // one that stands still
		{[]cl.Timing{{Start: 9, End: 7}}, 60, 0, false},                             // one that runs backwards
		{[]cl.Timing{{Start: 100, End: 130}, {Start: 140, End: 900}}, 60, 0, false}, // more than was waited for
	} {
		sum, ok := kernelTime(c.times, c.waited)
		if ok != c.ok || ok && sum != c.sum {
			t.Errorf("%v in %v: %v, %v", c.times, c.waited, sum, ok)
		}
	}
}
