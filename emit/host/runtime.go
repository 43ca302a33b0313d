package host

import (
	"bytes"
	"regexp"
	"strings"
)

// runtimeMark is the line of library.c.tmpl that the shared functions replace.
const runtimeMark = "/* @runtime@ */\n"

// withRuntime puts the shared functions that text uses in place of the mark, so that the library compiles without a warning of
// an unused function. pools says that the library has a table of the local memory that kernels have it ask for.
func withRuntime(text []byte, name string, to *target, pools bool) []byte {
	head, rest, found := bytes.Cut(text, []byte(runtimeMark))
	if !found {
		return text
	}
	runtime := string(support("runtime.c"))
	for _, file := range append(to.support, "last.c") {
		runtime += "\n" + string(support(file))
	}
	stands := map[string]string{"LIBRARY_IMAGE": name + "_image", "LIBRARY_BUFFER": name + "_buffer", "LIBRARY_MEMORY": to.memory, "LIBRARY_KERNEL": name + "_kernel", "LIBRARY_POOL": "0"}
	if pools {
		stands["LIBRARY_POOL"] = "pool_bytes[kernel->index]"
	}
	runtime = placeholder.ReplaceAllStringFunc(runtime, func(word string) string {
		if word == "struct library" {
			return "struct " + name
		}
		return stands[word]
	})
	parts := splitFunctions(runtime)
	kept := make([]bool, len(parts))
	used := string(rest)
	for i := len(parts) - 1; i >= 0; i-- { // a function is used by later ones only
		if parts[i].name == "" || uses(used, parts[i].name) {
			kept[i] = true
			used += parts[i].text
		}
	}
	var b bytes.Buffer
	b.Write(head)
	for i, p := range parts {
		if kept[i] {
			b.WriteString(p.text)
		}
	}
	b.Write(rest)
	return b.Bytes()
}

// A part is a function with the comment before it and the empty line behind it, or, without a name, other text.
type part struct{ name, text string }

// placeholder is a word of the support code that is another one in each library.
var placeholder = regexp.MustCompile(`\bstruct library\b|\bLIBRARY_(?:IMAGE|BUFFER|MEMORY|KERNEL|POOL)\b`)

var functionStart = regexp.MustCompile(`(?m)^static (?:[a-z_0-9]+ )+\*?([a-z_]+)\(`)

// splitFunctions cuts C text at empty lines between top-level items.
func splitFunctions(text string) []part {
	var parts []part
	for _, item := range splitItems(text) {
		p := part{text: item}
		if m := functionStart.FindStringSubmatch(item); m != nil {
			p.name = m[1]
		}
		parts = append(parts, p)
	}
	return parts
}

// splitItems cuts at empty lines that a line in the first column follows.
func splitItems(text string) []string {
	var items []string
	start := 0
	for i := 0; i+2 < len(text); i++ {
		if text[i] == '\n' && text[i+1] == '\n' && text[i+2] != ' ' {
			items = append(items, text[start:i+2])
			start = i + 2
		}
	}
	return append(items, text[start:])
}

func uses(text, name string) bool {
	for i := 0; ; {
		k := strings.Index(text[i:], name+"(")
		if k < 0 {
			return false
		}
		if i += k; i == 0 || !isWord(text[i-1]) {
			return true
		}
		i += len(name)
	}
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
