package clike

import (
	"fmt"
	"strings"
)

// Spellings are those of a language for runs of components that lie anywhere: of integers of 8 or 16 bits, which go by words, and loads of floats of 16 bits.
type Spellings struct {
	Head      string                           // of the function, up to its parameters
	Space     string                           // the qualifier of pointers to memory, with a space behind it
	Word      string                           // the unsigned type of 32 bits
	Component string                           // the unsigned type of a component's bits
	Byte      string                           // of a byte
	Address   string                           // the unsigned integer that holds an address
	Memory    string                           // what memory holds
	Value     string                           // of a private element
	Realign   string                           // a support function: the four bytes that begin so many behind the lowest of two words
	Float     func(word string, at int) string // a component of a word as f32
	Narrow    func(component string) string    // the value of a float of 16 bits in the lowest bits
}

// Anywhere is the function that moves such a run. Loads read the words that the run begins in, all of which end before the run does, and the
// last components once more by themselves, which lie in a word that need not be memory of the image. A store writes the words that lie in the
// run as a whole, and the components before and behind these by themselves.
func Anywhere(r Run, w Spellings) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	per := 4 / r.Kind.Bytes()
	switch {
	case r.Store:
		line("%s %s(%s%s *to, const %s *from)\n{", w.Head, r.Name, w.Space, w.Memory, w.Value)
		w.store(r, line, per, r.Count/per)
	default:
		line("%s %s(const %s%s *from, %s *to)\n{", w.Head, r.Name, w.Space, w.Memory, w.Value)
		if r.Beyond {
			w.loadBeyond(r, line, per)
		} else {
			w.load(r, line, per, r.Count/per)
		}
	}
	return b.String() + "}\n"
}

// bits are those of a component, as a word.
func (w *Spellings) bits(i int) string {
	if w.Memory != w.Component {
		return fmt.Sprintf("(%s)(%s)from[%d]", w.Word, w.Component, i)
	}
	return fmt.Sprintf("(%s)from[%d]", w.Word, i)
}

// begin finds the word in which a run begins that is loaded, and how many bytes of it lie before, a number that back is, too.
func (w *Spellings) begin(line func(string, ...any), back string) {
	line("    const int skip = (int)((%s)from & 3);", w.Address)
	line("    const %s%s *words = (const %s%s *)((const %s%s *)from - %s);", w.Space, w.Word, w.Space, w.Word, w.Space, w.Byte, back)
}

// loadBeyond loads all words in which a run lies. The last one is loaded only where some of the run lies in it. Items load few runs each so, at addresses of their own: nvcc
// takes four instructions more where it has to extend a sign.
func (w *Spellings) loadBeyond(r Run, line func(string, ...any), per int) {
	bytes, n := r.Count*r.Kind.Bytes(), (r.Count+per-1)/per
	w.begin(line, fmt.Sprintf("((%s)from & 3)", w.Address))
	most := (bytes + 4 - r.Kind.Bytes() + 3) / 4
	for i := range most {
		value := fmt.Sprintf("words[%d]", i)
		if past := 4*i - bytes; past >= 0 {
			value = fmt.Sprintf("skip > %d ? %s : 0", past, value)
		}
		line("    const %s w%d = %s;", w.Word, i, value)
	}
	for i := range n {
		value := fmt.Sprintf("w%d >> 8 * skip", i)
		if i+1 < most {
			value = fmt.Sprintf("%s(w%d, w%d, skip)", w.Realign, i, i+1)
		}
		line("    const %s v%d = %s;", w.Word, i, value)
		for k := range min(per, r.Count-i*per) {
			line("    to[%d] = %s;", i*per+k, w.component(r, fmt.Sprintf("v%d", i), k, k*32/per))
		}
	}
}

// load loads n words of so many components.
func (w *Spellings) load(r Run, line func(string, ...any), per, n int) {
	w.begin(line, "skip")
	for i := range n {
		line("    const %s w%d = words[%d];", w.Word, i, i)
	}
	var end []string
	for i := 1; i < per; i++ {
		end = append(end, fmt.Sprintf("%s << %d", w.bits(r.Count-per+i), i*32/per))
	}
	line("    const %s end = %s;", w.Word, strings.Join(end, " | "))
	for i := range n {
		value := fmt.Sprintf("w%d >> 8 * skip | (end & 0xffffff00u << (24 - 8 * skip))", i)
		if i < n-1 {
			value = fmt.Sprintf("%s(w%d, w%d, skip)", w.Realign, i, i+1)
		}
		if r.Packed {
			line("    to[%d] = %s;", i, value)
			continue
		}
		line("    const %s v%d = %s;", w.Word, i, value)
		for k := range per {
			line("    to[%d] = %s;", i*per+k, w.component(r, fmt.Sprintf("v%d", i), k, k*32/per))
		}
	}
}

// component is component at of a word, that many bits above the lowest, as the private element has it.
func (w *Spellings) component(r Run, word string, at, bits int) string {
	switch {
	case r.Floats:
		return w.Float(word, at)
	case Narrow(r.Kind) && !r.Bits && at == 0:
		return w.Narrow(word)
	case Narrow(r.Kind) && !r.Bits:
		return w.Narrow(fmt.Sprintf("%s >> %d", word, bits))
	case at == 0:
		return fmt.Sprintf("(%s)(%s)", w.Value, word)
	}
	return fmt.Sprintf("(%s)(%s >> %d)", w.Value, word, bits)
}

// store stores n words of so many components.
func (w *Spellings) store(r Run, line func(string, ...any), per, n int) {
	for i := range n {
		value := fmt.Sprintf("from[%d]", i)
		if !r.Packed {
			var parts []string
			for k := range per {
				part := w.bits(i*per + k)
				if k > 0 {
					part += fmt.Sprintf(" << %d", k*32/per)
				}
				parts = append(parts, part)
			}
			value = strings.Join(parts, " | ")
		}
		line("    const %s w%d = %s;", w.Word, i, value)
	}
	line("    const int skip = (int)((0 - (%s)to) & 3);", w.Address)
	line("    %s%s *words = (%s%s *)((%s%s *)to + skip);", w.Space, w.Word, w.Space, w.Word, w.Space, w.Byte)
	for i := range n - 1 {
		line("    words[%d] = %s(w%d, w%d, skip);", i, w.Realign, i, i+1)
	}
	line("    if (skip == 0) {\n        words[%d] = w%d;\n    } else {", n-1, n-1)
	line("        const %s low = 0xffffffffu >> (32 - 8 * skip);", w.Word)
	line("        const %s ends = (w0 & low) | (w%d & ~low);", w.Word, n-1)
	for k := range per {
		at, shift := fmt.Sprint(r.Count-per+k), ""
		switch {
		case k == 0:
			at = "0"
		case k < per-1: // of the first word while it lies before the words, else of the last
			at = fmt.Sprintf("skip > %d ? %d : %s", k*r.Kind.Bytes(), k, at)
		}
		if k > 0 {
			shift = fmt.Sprintf(" >> %d", k*32/per)
		}
		line("        to[%s] = (%s)(ends%s);", at, w.Memory, shift)
	}
	line("    }")
}
