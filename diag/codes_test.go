package diag

import (
	"regexp"
	"strings"
	"testing"
)

func TestEveryCodeIsDocumentedInFull(t *testing.T) {
	code := regexp.MustCompile(`^IMG\d{4}$`)
	since := regexp.MustCompile(`^\d+\.\d+$`)
	for _, e := range Entries() {
		if !code.MatchString(string(e.Code)) {
			t.Errorf("code %q is not of the form IMG0123", e.Code)
		}
		if e.Title == "" || e.Text == "" || e.Failing == "" || e.Mended == "" {
			t.Errorf("%s lacks a title, a text or an example", e.Code)
		}
		if strings.HasSuffix(e.Title, ".") || !strings.HasSuffix(strings.TrimSpace(e.Text), ".") {
			t.Errorf("%s: a title is a noun phrase without a full stop, a text is made of sentences", e.Code)
		}
		if e.Failing == e.Mended {
			t.Errorf("%s: the mended example is the failing one", e.Code)
		}
		if !since.MatchString(e.Since) {
			t.Errorf("%s: since %q is not a release", e.Code, e.Since)
		}
	}
}

func TestDescribeFindsEveryEntryAndNothingElse(t *testing.T) {
	for _, want := range Entries() {
		if got, ok := Describe(want.Code); !ok || got != want {
			t.Errorf("Describe(%s) = %v, %v", want.Code, got, ok)
		}
	}
	if e, ok := Describe("IMG9999"); ok {
		t.Errorf("Describe of an unknown code gave %v", e)
	}
}

func TestIndexRefusesACodeThatIsDocumentedTwice(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	index([]Entry{{Code: "IMG0101"}}, []Entry{{Code: "IMG0101"}})
}
