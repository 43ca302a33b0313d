package diag

import (
	"strings"
	"testing"

	"imgc/source"
)

// many reports n errors, a warning and an error, each at a place of its own.
func many(n int) *List {
	l := &List{}
	file := source.NewFile("many.img", strings.Repeat("x", n+2))
	for i := range n {
		l.Errorf("IMG0201", source.Span{File: file, Start: i, End: i + 1}, "error %d", i).Note("and so on")
	}
	l.Warnf("IMG0202", source.Span{File: file, Start: n, End: n + 1}, "a warning")
	return l
}

func TestListsKeepTheFirstOfEachSeverity(t *testing.T) {
	const n = 100_000
	l := many(n)
	if len(l.all) != MaxKept+1 || l.Len() != n+1 || l.Dropped() != n-MaxKept || !l.HasErrors() {
		t.Errorf("keeps %d of %d, dropped %d", len(l.all), l.Len(), l.Dropped())
	}
	if d := l.Sorted(); d[len(d)-1].Severity != Warning {
		t.Error("the warning behind the errors is lost")
	}
	before := l.Len()
	l.Warnf("IMG0202", source.Span{}, "one more")
	l.Errorf("IMG0201", source.Span{}, "one too many")
	if since := l.Since(before); len(since) != 1 || since[0].Message != "one more" {
		t.Errorf("since then: %v", since)
	}
	if got := l.Since(l.Len()); len(got) != 0 {
		t.Errorf("since now: %v", got)
	}
}

func TestPrintersSayHowManyAreMissing(t *testing.T) {
	l := many(MaxKept + 500)
	l.Append(many(2))
	for _, c := range []struct {
		max  int
		want string
	}{{10, "... and 1494 more that are not shown\n1502 errors, 2 warnings\n"}, {-1, "... and 500 more that are not shown\n1502 errors, 2 warnings\n"}} {
		var b strings.Builder
		if err := Text(&b, l, TextOptions{Max: c.max}); err != nil || !strings.HasSuffix(b.String(), c.want) {
			t.Errorf("ends with %q, wanted %q", b.String()[max(0, b.Len()-80):], c.want)
		}
	}
	var b strings.Builder
	if err := JSON(&b, l); err != nil || !strings.Contains(b.String(), `"message": "and 500 more that are not shown"`) {
		t.Errorf("the JSON form does not say that any are missing: %v", err)
	}
}
