package imgc

import (
	"strings"
	"testing"
	"time"
)

func TestPanicsBecomeInternalErrors(t *testing.T) {
	fail := func() (err error) {
		defer guard(&err, "testing %s", "p.img")
		panic("no such thing")
	}
	t.Setenv(debugVariable, "")
	err := fail()
	const want = "internal error: testing p.img: no such thing; this is a fault of imgc, please report it with the program"
	if err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "goroutine") {
		t.Errorf("%v", err)
	}
	t.Setenv(debugVariable, "1")
	if text := err.Error(); !strings.HasPrefix(text, want) || !strings.Contains(text, "errors_test.go") {
		t.Errorf("with %s: %s", debugVariable, text)
	}
}

func TestSummaryTakesTheMiddle(t *testing.T) {
	for _, c := range []struct{ all, want []time.Duration }{
		{[]time.Duration{5}, []time.Duration{5, 5}},
		{[]time.Duration{9, 2, 4}, []time.Duration{4, 2}},
		{[]time.Duration{9, 2, 4, 8}, []time.Duration{6, 2}},
	} {
		if got := summary(c.all); got.Median != c.want[0] || got.Minimum != c.want[1] || got.Runs != len(c.all) {
			t.Errorf("%v: %+v", c.all, got)
		}
	}
}
