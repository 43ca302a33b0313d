package source

import (
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"
)

// A File is one program text and the name it is reported under.
type File struct {
	Name  string // as the user gave it: "blur.img", "std/filters.img"
	Local string // as files of its program call it, wherever the program lies: "blur.img"; "" where nobody has said
	Text  string
	lines []int // byte offset of the first byte of each line
}

// NewFile indexes the lines of text.
func NewFile(name, text string) *File {
	lines := []int{0}
	for i := 0; i < len(text); i++ {
		if text[i] == '\n' {
			lines = append(lines, i+1)
		}
	}
	return &File{Name: name, Text: text, lines: lines}
}

// Told returns the name that what is generated tells, which is the same wherever the program lies.
func (f *File) Told() string {
	if f.Local == "" {
		return f.Name
	}
	return f.Local
}

// Line returns the text of line n (from 1) without its line end; "" if there is no such line.
func (f *File) Line(n int) string {
	if n < 1 || n > len(f.lines) {
		return ""
	}
	start, end := f.lines[n-1], len(f.Text)
	if n < len(f.lines) {
		end = f.lines[n] - 1
	}
	return strings.TrimSuffix(f.Text[start:end], "\r")
}

// Position returns line and column, both from 1, of a byte offset; columns count characters, not bytes.
func (f *File) Position(offset int) (line, col int) {
	offset = min(max(offset, 0), len(f.Text))
	i := sort.SearchInts(f.lines, offset+1) - 1
	return i + 1, utf8.RuneCountInString(f.Text[f.lines[i]:offset]) + 1
}

// A Span is the bytes Start up to End (exclusive) of a file. The zero Span is no place at all.
type Span struct {
	File       *File
	Start, End int
}

// IsValid reports whether the span names a place.
func (s Span) IsValid() bool { return s.File != nil }

// Text returns the bytes that the span covers.
func (s Span) Text() string {
	if s.File == nil || s.Start > s.End || s.End > len(s.File.Text) {
		return ""
	}
	return s.File.Text[s.Start:s.End]
}

// Line returns the line, from 1, on which the span starts; 0 for the zero Span.
func (s Span) Line() int {
	if s.File == nil {
		return 0
	}
	line, _ := s.File.Position(s.Start)
	return line
}

// To returns the smallest span that covers both s and t, which are of one file.
func (s Span) To(t Span) Span {
	if !s.IsValid() {
		return t
	}
	if !t.IsValid() || t.File != s.File {
		return s
	}
	return Span{s.File, min(s.Start, t.Start), max(s.End, t.End)}
}

// String is "file:line:col".
func (s Span) String() string {
	if s.File == nil {
		return "-"
	}
	line, col := s.File.Position(s.Start)
	return fmt.Sprintf("%s:%d:%d", s.File.Name, line, col)
}
