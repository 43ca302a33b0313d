package grammar

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/alecthomas/participle/v2"
)

// ruleOf makes the rule of a production from the tags of its struct, and those of all that it refers to.
func ruleOf(node reflect.Type, known map[reflect.Type]*rule) *rule {
	if r := known[node]; r != nil {
		return r
	}
	r := &rule{kind: productionRule, node: node, all: -1}
	known[node] = r
	if reflect.PointerTo(node).Implements(reflect.TypeFor[participle.Parseable]()) {
		r.kind = ownRule
		return r
	}
	t := &tags{node: node, known: known}
	for i := range node.NumField() {
		f := node.Field(i)
		if text, ok := f.Tag.Lookup("parser"); ok {
			for _, word := range words(text) {
				t.list = append(t.list, tag{word, i})
			}
		} else if f.Name == "Tokens" {
			r.all = i
		}
	}
	r.parts = []*rule{t.choice()}
	if t.at < len(t.list) {
		panic(fmt.Sprintf("the tags of %s end at %q", node, t.list[t.at].word))
	}
	return r
}

// A tag is a word of the notation: 'literal', Terminal, @@, @, a bracket or a mark, with the field where it stands.
type tag struct {
	word  string
	field int
}

// words splits a tag.
func words(text string) []string {
	var all []string
	for text != "" {
		n := 1
		switch c := text[0]; {
		case c == ' ':
			text = text[1:]
			continue
		case c == '\'':
			n = strings.IndexByte(text[1:], '\'') + 2
		case strings.HasPrefix(text, "@@"):
			n = 2
		case c >= 'A' && c <= 'Z':
			if n = strings.IndexFunc(text, func(r rune) bool { return (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') }); n < 0 {
				n = len(text)
			}
		}
		all = append(all, text[:n])
		text = text[n:]
	}
	return all
}

// tags reads the notation of one struct.
type tags struct {
	node  reflect.Type
	known map[reflect.Type]*rule
	list  []tag
	at    int
}

func (t *tags) word() string {
	if t.at < len(t.list) {
		return t.list[t.at].word
	}
	return ""
}

// choice is sequences with | between them.
func (t *tags) choice() *rule {
	r := &rule{kind: choiceRule, parts: []*rule{t.sequence()}}
	for t.word() == "|" {
		t.at++
		r.parts = append(r.parts, t.sequence())
	}
	if len(r.parts) == 1 {
		return r.parts[0]
	}
	return r
}

func (t *tags) sequence() *rule {
	r := &rule{kind: sequenceRule}
	for w := t.word(); w != "" && w != "|" && w != ")"; w = t.word() {
		r.parts = append(r.parts, t.marked())
	}
	if len(r.parts) == 1 {
		return r.parts[0]
	}
	return r
}

// marked is a term with the mark behind it.
func (t *tags) marked() *rule {
	r := t.term()
	if kind, ok := map[string]ruleKind{"?": optionRule, "*": repeatRule, "+": someRule}[t.word()]; ok {
		t.at++
		return &rule{kind: kind, parts: []*rule{r}}
	}
	return r
}

func (t *tags) term() *rule {
	w, field := t.word(), t.list[t.at].field
	t.at++
	switch {
	case w == "(":
		r := t.choice()
		t.at++ // )
		return r
	case w == "@@":
		f := t.node.Field(field).Type
		for f.Kind() == reflect.Pointer || f.Kind() == reflect.Slice {
			f = f.Elem()
		}
		return &rule{kind: captureRule, field: field, parts: []*rule{ruleOf(f, t.known)}}
	case w == "@":
		return &rule{kind: captureRule, field: field, parts: []*rule{t.term()}}
	case w[0] == '\'':
		return &rule{kind: literalRule, word: strings.Trim(w, "'")}
	}
	kind, ok := kindNames[w]
	if !ok {
		panic(fmt.Sprintf("%s: there is no token %s", t.node, w))
	}
	return &rule{kind: terminalRule, token: kind}
}
