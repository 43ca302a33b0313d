package diag

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"imgc/source"
)

// at is the span of the first occurrence of a text in a file.
func at(f *source.File, text string) source.Span {
	i := strings.Index(f.Text, text)
	if i < 0 {
		panic("no " + text)
	}
	return source.Span{File: f, Start: i, End: i + len(text)}
}

func render(t *testing.T, list *List, opts TextOptions) string {
	t.Helper()
	var b bytes.Buffer
	if err := Text(&b, list, opts); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

const program = "pipeline p(in a: u8[H][W]) {\n\tx = a[y-1][x];\n    z = f(1,\n          2,\n          3);\n}\n"

func TestTextShowsTheLineWithCaretsAndNotes(t *testing.T) {
	f := source.NewFile("a.img", program)
	tests := []struct {
		name   string
		report func(l *List)
		want   string
	}{
		{"a span, a label, notes", func(l *List) {
			l.Errorf("IMG0203", at(f, "a[y-1]"), "this reads outside of 'a'").Mark("y - 1 may be -1").
				Note("add border(a: clamp)").NoteAt(at(f, "in a"), "'a' is declared here")
		}, `a.img:2:6: error[IMG0203]: this reads outside of 'a'
  2 |     x = a[y-1][x];
    |         ^^^^^^ y - 1 may be -1
    = add border(a: clamp)
a.img:1:12: note: 'a' is declared here
  1 | pipeline p(in a: u8[H][W]) {
    |            ^^^^
1 error
`},
		{"an empty span", func(l *List) {
			s := at(f, ";")
			s.End = s.Start
			l.Warnf("IMG0999", s, "w")
		}, `a.img:2:15: warning[IMG0999]: w
  2 |     x = a[y-1][x];
    |                  ^
1 warning
`},
		{"several lines", func(l *List) {
			l.Errorf("IMG0999", at(f, "f(1,\n          2,\n          3)"), "m").Mark("l")
		}, `a.img:3:9: error[IMG0999]: m
  3 |     z = f(1,
    |         ^^^^
...
  5 |           3);
    |           ^^ l
1 error
`},
		{"the end of the file", func(l *List) {
			l.Errorf("IMG0999", source.Span{File: f, Start: len(f.Text), End: len(f.Text)}, "m")
		}, `a.img:7:1: error[IMG0999]: m
  7 |
    | ^
1 error
`},
		{"no place", func(l *List) {
			l.Errorf("IMG0999", source.Span{}, "m").Note("n")
			l.Infof("", source.Span{}, "i")
		}, "error[IMG0999]: m\n  = n\ninfo: i\n1 error\n"},
		{"nothing", func(*List) {}, ""},
		{"infos alone", func(l *List) { l.Infof("", source.Span{}, "i") }, "info: i\nno errors\n"},
		{"sorted and counted", func(l *List) {
			l.Errorf("IMG0002", at(f, "z ="), "second")
			l.Warnf("IMG0003", at(f, "x ="), "first")
			l.Errorf("IMG0002", at(f, "z ="), "the same again")
			l.Errorf("IMG0002", at(f, "3)"), "third")
		}, `a.img:2:2: warning[IMG0003]: first
  2 |     x = a[y-1][x];
    |     ^^^
a.img:3:5: error[IMG0002]: second
  3 |     z = f(1,
    |     ^^^
a.img:5:11: error[IMG0002]: third
  5 |           3);
    |           ^^
2 errors, 1 warning
`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var l List
			test.report(&l)
			if got := render(t, &l, TextOptions{}); got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

func TestTextCutsLongLinesAroundTheSpan(t *testing.T) {
	f := source.NewFile("a.img", strings.Repeat("abcdefghi ", 40)+"HERE "+strings.Repeat("klmnopqrs ", 40))
	tests := []struct{ name, span, want string }{
		{"in the middle", "HERE", "  1 | ...fghi abcdefghi HERE klmnopqrs...\n    |                    ^^^^\n"},
		{"at the start", "abc", "  1 | abcdefghi abcdefghi abcdefghi abcdefg...\n    | ^^^\n"},
		{"longer than the line", f.Text, "  1 | abcdefghi abcdefghi abcdefghi abcdefg...\n    | " + strings.Repeat("^", 40) + "\n"},
	}
	for _, test := range tests {
		var l List
		l.Errorf("IMG0999", at(f, test.span), "m")
		got := render(t, &l, TextOptions{Width: 40})
		_, got, _ = strings.Cut(got, "\n")
		got = strings.TrimSuffix(got, "1 error\n")
		if test.name == "in the middle" {
			if !strings.Contains(got, "HERE") || !strings.Contains(got, "...") {
				t.Errorf("%s: got\n%s", test.name, got)
			}
			lines := strings.Split(got, "\n")
			if i, j := strings.Index(lines[0], "HERE"), strings.Index(lines[1], "^^^^"); i != j {
				t.Errorf("%s: carets at %d, text at %d:\n%s", test.name, j, i, got)
			}
		} else if got != test.want {
			t.Errorf("%s: got\n%s\nwant\n%s", test.name, got, test.want)
		}
		for _, line := range strings.Split(got, "\n") {
			if len(line) > 40+len("  1 | ") {
				t.Errorf("%s: a line of %d columns", test.name, len(line))
			}
		}
	}
}

func TestTextKeepsControlCharactersFromTheTerminal(t *testing.T) {
	f := source.NewFile("a\x1b[31m.img", "x = \x1b[2J\xff漢字;\n")
	var l List
	l.Errorf("IMG0999", at(f, ";"), "bad \x1b[0m \r message")
	got := render(t, &l, TextOptions{})
	if strings.ContainsAny(got, "\x1b\r") || strings.Contains(got, "\xff") {
		t.Errorf("control characters in %q", got)
	}
	lines := strings.Split(got, "\n")
	if want := "    | " + strings.Repeat(" ", len("x = ?[2J?")+4) + "^"; lines[2] != want {
		t.Errorf("carets %q, want %q", lines[2], want)
	}
}

func TestTextPrintsAtMostMax(t *testing.T) {
	f := source.NewFile("a.img", strings.Repeat("x;\n", 60))
	var l List
	for i := range 60 {
		l.Errorf("IMG0999", source.Span{File: f, Start: 3 * i, End: 3*i + 1}, "m")
	}
	for _, test := range []struct{ max, shown int }{{0, 50}, {7, 7}, {-1, 60}, {60, 60}} {
		got := render(t, &l, TextOptions{Max: test.max})
		if n := strings.Count(got, "error[IMG0999]"); n != test.shown {
			t.Errorf("max %d shows %d", test.max, n)
		}
		if more := strings.Contains(got, "that are not shown"); more != (test.shown < 60) {
			t.Errorf("max %d: says that more follow: %v", test.max, more)
		}
		if !strings.HasSuffix(got, "60 errors\n") {
			t.Errorf("max %d: no count of all: %q", test.max, got[len(got)-20:])
		}
	}
}

func TestTextColorsOnlyOnDemand(t *testing.T) {
	f := source.NewFile("a.img", "x;\n")
	var l List
	l.Errorf("IMG0999", at(f, "x"), "m").Note("n")
	plain, color := render(t, &l, TextOptions{}), render(t, &l, TextOptions{Color: true})
	stripped := color
	for _, code := range []string{bold, red, blue, cyan, "0"} {
		stripped = strings.ReplaceAll(stripped, "\x1b["+code+"m", "")
	}
	if plain == color || strings.Contains(plain, "\x1b") || stripped != plain {
		t.Errorf("plain %q, colour %q", plain, color)
	}
}

func TestJSONHasTheDocumentedShape(t *testing.T) {
	f := source.NewFile("a.img", program)
	var l List
	l.Errorf("IMG0203", at(f, "a[y-1]"), "a < b").Mark("l").Note("n").NoteAt(at(f, "in a"), "here")
	l.Infof("", source.Span{}, "i")
	var b bytes.Buffer
	if err := JSON(&b, &l); err != nil {
		t.Fatal(err)
	}
	want := `[
  {
    "severity": "error",
    "code": "IMG0203",
    "message": "a < b",
    "file": "a.img",
    "start": {
      "line": 2,
      "col": 6,
      "offset": 34
    },
    "end": {
      "line": 2,
      "col": 12,
      "offset": 40
    },
    "label": "l",
    "notes": [
      {
        "message": "n"
      },
      {
        "message": "here",
        "file": "a.img",
        "start": {
          "line": 1,
          "col": 12,
          "offset": 11
        },
        "end": {
          "line": 1,
          "col": 16,
          "offset": 15
        }
      }
    ]
  },
  {
    "severity": "info",
    "code": "",
    "message": "i",
    "notes": []
  }
]
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
	b.Reset()
	if err := JSON(&b, &List{}); err != nil || b.String() != "[]\n" {
		t.Errorf("an empty list is %q, %v", b.String(), err)
	}
	if !json.Valid(b.Bytes()) {
		t.Error("not valid")
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, bytes.ErrTooLarge }

func TestRenderersReportWriteErrors(t *testing.T) {
	var l List
	l.Errorf("IMG0999", source.Span{}, "m")
	if Text(brokenWriter{}, &l, TextOptions{}) == nil || JSON(brokenWriter{}, &l) == nil {
		t.Error("no error")
	}
}
