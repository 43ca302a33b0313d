package clike

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"
)

// A Library is support code in real source files: functions, each a block of lines between empty lines that defines one name
// with the helper prefix. A block's comment stands directly above it.
type Library struct {
	blocks []block
	byName map[string]int
}

type block struct {
	name, text string
	needs      []string
}

var (
	helperName = regexp.MustCompile(`\bimgc_\w+`)
	defines    = regexp.MustCompile(`(?m)^(?:#define |[\w ]+?[ *])(imgc_\w+)\s*\(`)
)

// ReadLibrary reads the support files of a folder in the order of their names.
func ReadLibrary(files fs.FS, dir string) (*Library, error) {
	l := &Library{byName: map[string]int{}}
	return l, l.each(files, dir, l.read)
}

// Repeat adds the support files of a folder, once for each of some words, which takes the place of a sign wherever the text has it.
func (l *Library) Repeat(files fs.FS, dir, sign string, words []string) error {
	return l.each(files, dir, func(file, text string) error {
		for _, word := range words {
			if err := l.read(file, strings.ReplaceAll(text, sign, word)); err != nil {
				return err
			}
		}
		return nil
	})
}

// each reads the files of a folder, after which nothing may be missing that a function needs.
func (l *Library) each(files fs.FS, dir string, read func(file, text string) error) error {
	entries, err := fs.ReadDir(files, dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.IsDir() {
			continue
		}
		text, err := fs.ReadFile(files, path.Join(dir, e.Name()))
		if err != nil {
			return err
		}
		if err := read(e.Name(), string(text)); err != nil {
			return err
		}
	}
	return l.complete()
}

func (l *Library) read(file, text string) error {
	for _, part := range strings.Split(text, "\n\n") {
		part = strings.Trim(part, "\n")
		m := defines.FindStringSubmatch(part)
		if m == nil {
			continue // a comment on the file, or what its functions need when they are compiled alone
		}
		if _, twice := l.byName[m[1]]; twice {
			return fmt.Errorf("support file %s defines %s again", file, m[1])
		}
		b := block{name: m[1], text: part}
		for _, n := range helperName.FindAllString(withoutComments(part), -1) {
			if n != b.name {
				b.needs = append(b.needs, n)
			}
		}
		l.byName[b.name] = len(l.blocks)
		l.blocks = append(l.blocks, b)
	}
	return nil
}

// complete checks that every function that a block needs is there.
func (l *Library) complete() error {
	for _, b := range l.blocks {
		for _, n := range b.needs {
			if !l.Has(n) {
				return fmt.Errorf("support function %s needs %s, which no file defines", b.name, n)
			}
		}
	}
	return nil
}

func withoutComments(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i], _, _ = strings.Cut(line, "//")
	}
	return strings.Join(lines, "\n")
}

// Has reports whether a support function exists.
func (l *Library) Has(name string) bool {
	_, ok := l.byName[name]
	return ok
}

// usesWord reports whether a function, or one that it needs, has a word in its code.
func (l *Library) usesWord(name, word string) bool {
	i, ok := l.byName[name]
	if !ok {
		return false
	}
	b := l.blocks[i]
	if regexp.MustCompile(`\b` + regexp.QuoteMeta(word) + `\d*\b`).MatchString(withoutComments(b.text)) {
		return true
	}
	for _, n := range b.needs {
		if l.usesWord(n, word) {
			return true
		}
	}
	return false
}

// Names lists every support function.
func (l *Library) Names() []string {
	var names []string
	for _, b := range l.blocks {
		names = append(names, b.name)
	}
	return names
}

// Text returns the definitions of the named functions and of all that they need, each behind what it needs.
func (l *Library) Text(names map[string]bool) string {
	var parts []string
	done := map[string]bool{}
	var add func(name string)
	add = func(name string) {
		if done[name] {
			return
		}
		done[name] = true
		b := l.blocks[l.byName[name]]
		for _, n := range b.needs {
			add(n)
		}
		parts = append(parts, b.text)
	}
	for _, b := range l.blocks {
		if names[b.name] {
			add(b.name)
		}
	}
	return strings.Join(parts, "\n\n")
}
