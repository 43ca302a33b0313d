package opencl

import (
	"fmt"
	"strings"

	"imgc/emit/clike"
	"imgc/types"
)

// run moves components by one access of a vector type, which the address is aligned for, and names each lane once, so that
// compilers keep the private array in registers.
func run(u *clike.Unit, r clike.Run) string {
	name, store, k, count := r.Name, r.Store, r.Kind, r.Count
	switch {
	case r.Anywhere:
		return clike.Anywhere(r, words(u, r))
	case r.Packed:
		if store {
			return storePacked(name, count)
		}
		return loadPacked(name, count)
	case r.Floats:
		return loadFloats(u, r)
	}
	whole, byWords := loadVector, loadWords
	head := fmt.Sprintf("void %s(const __global %s *from, %s *to)", name, memoryTypes[k], valueTypes[k])
	if store {
		whole, byWords = storeVector, storeWords
		if r.Ints {
			byWords = storeInts
		}
		head = fmt.Sprintf("void %s(__global %s *to, const %s *from)", name, memoryTypes[k], valueTypes[r.Element()])
	}
	body := whole(u, k, count)
	if bytes := count * k.Bytes(); k.Bytes() < 4 && (bytes > 4 || bytes == 4 && !store) {
		body = fmt.Sprintf("#if %s >= 20\n%s#else\n%s#endif\n", capabilityMacro, byWords(u, k, count, bytes/4), body)
	}
	return head + "\n{\n" + body + "}\n"
}

// loadVector is what loads the components as a vector of their kind; halves come as floats.
func loadVector(u *clike.Unit, k types.Kind, count int) string {
	vector := fmt.Sprintf("%s%d", memoryTypes[k], count)
	load := fmt.Sprintf("*(const __global %s *)from", vector)
	if k == types.F16 {
		vector, load = fmt.Sprintf("float%d", count), fmt.Sprintf("vloada_half%d(0, from)", count)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "    const %s v = %s;\n", vector, load)
	for i := range count {
		lane := fmt.Sprintf("v.s%x", i)
		if k != types.F16 {
			lane = decoded(u, k, lane)
		}
		fmt.Fprintf(&b, "    to[%d] = %s;\n", i, lane)
	}
	return b.String()
}

// loadWords is what loads the components as so many words, the first one lowest, as storeWords stores them: NVIDIA's compiler (NVVM 7.0.1) makes four
// accesses of 32 bits of one of 16 bytes, and two of 64 bits of one of eight times 16 bits, where it does not see words. Halves it may even load one by one.
// What one access of four bytes loads as a vector it moves to registers of 16 bits first, and from there to those that it computes with; to store so many as a
// vector takes no more than to make a word of them.
func loadWords(u *clike.Unit, k types.Kind, count, words int) string {
	var b strings.Builder
	vector := vectorOfWords(words)
	fmt.Fprintf(&b, "    const %s v = *(const __global %s *)from;\n", vector, vector)
	for i := range count {
		word, bits := place(i, count/words)
		lane := "v"
		if words > 1 {
			lane = fmt.Sprintf("v.s%x", word)
		}
		component := fmt.Sprintf("(%s)%s", bitsOf(k), shifted(lane, ">>", bits))
		fmt.Fprintf(&b, "    to[%d] = %s;\n", i, decoded(u, k, component))
	}
	return b.String()
}

// vectorOfWords is the type of so many words.
func vectorOfWords(words int) string {
	if words == 1 {
		return "uint"
	}
	return fmt.Sprintf("uint%d", words)
}

// place is where a component lies of words that have so many each: in which word, and how many bits above the lowest.
func place(i, per int) (word, bits int) { return i / per, i % per * 32 / per }

func storeVector(u *clike.Unit, k types.Kind, count int) string {
	lanes := make([]string, count)
	for i := range lanes {
		if lanes[i] = fmt.Sprintf("from[%d]", i); k != types.F16 {
			lanes[i] = encoded(u, k, lanes[i])
		}
	}
	list := strings.Join(lanes, ", ")
	if k == types.F16 {
		return fmt.Sprintf("    vstorea_half%d((float%d)(%s), 0, to);\n", count, count, list)
	}
	vector := fmt.Sprintf("%s%d", memoryTypes[k], count)
	return fmt.Sprintf("    *(__global %s *)to = (%s)(%s);\n", vector, vector, list)
}

func storeWords(u *clike.Unit, k types.Kind, count, words int) string {
	unsigned := map[int]string{1: "uchar", 2: "ushort"}[k.Bytes()]
	return storeJoined(count, words, func(i int) string {
		return fmt.Sprintf("(uint)(%s)%s", unsigned, encoded(u, k, fmt.Sprintf("from[%d]", i)))
	})
}

// storeInts is storeWords of i32 that components hold, so that no bits have to be cleared.
func storeInts(_ *clike.Unit, _ types.Kind, count, words int) string {
	return storeJoined(count, words, func(i int) string { return fmt.Sprintf("(uint)from[%d]", i) })
}

// storeJoined stores so many words of components.
func storeJoined(count, words int, component func(i int) string) string {
	parts := make([][]string, words)
	for i := range count {
		word, bits := place(i, count/words)
		parts[word] = append(parts[word], shifted(component(i), "<<", bits))
	}
	list := make([]string, words)
	for i, p := range parts {
		list[i] = strings.Join(p, " | ")
	}
	vector := vectorOfWords(words)
	return fmt.Sprintf("    *(__global %s *)to = (%s)(\n        %s);\n", vector, vector, strings.Join(list, ",\n        "))
}

// shifted is a word whose bits have been moved.
func shifted(x, by string, bits int) string {
	if bits == 0 {
		return x
	}
	return fmt.Sprintf("(%s %s %d)", x, by, bits)
}

// words are the spellings for runs that lie anywhere.
func words(u *clike.Unit, r clike.Run) clike.Spellings {
	return clike.Spellings{
		Head: "void", Space: "__global ", Word: "uint", Component: map[int]string{1: "uchar", 2: "ushort"}[r.Kind.Bytes()], Byte: "uchar",
		Address: "size_t", Memory: memoryTypes[r.Kind], Value: valueTypes[r.Element()], Realign: u.Use("imgc_realign"),
		Float:  func(word string, at int) string { return r.Float(u, word, at) },
		Narrow: func(component string) string { return decoded(u, r.Kind, "(ushort)("+component+")") },
	}
}

// loadPacked loads bytes four to a word, the first one lowest, as they lie on the little-endian devices that there are.
func loadPacked(name string, count int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "void %s(const __global uchar *from, uint *to)\n{\n", name)
	if count == 4 {
		return b.String() + "    to[0] = *(const __global uint *)from;\n}\n"
	}
	fmt.Fprintf(&b, "    const uint%d v = *(const __global uint%d *)from;\n", count/4, count/4)
	for i := range count / 4 {
		fmt.Fprintf(&b, "    to[%d] = v.s%x;\n", i, i)
	}
	return b.String() + "}\n"
}

// loadFloats loads small integers by words and converts them.
func loadFloats(u *clike.Unit, r clike.Run) string {
	bytes := r.Count * r.Kind.Bytes()
	access, words := "ushort", 1
	switch {
	case bytes > 4:
		words = bytes / 4
		access = vectorOfWords(words)
	case bytes == 4:
		access = vectorOfWords(1)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "void %s(const __global %s *from, float *to)\n{\n", r.Name, memoryTypes[r.Kind])
	fmt.Fprintf(&b, "    const %s v = *(const __global %s *)from;\n", access, access)
	per := r.Count / words
	for i := range r.Count {
		word := "v"
		if words > 1 {
			word = fmt.Sprintf("v.s%x", i/per)
		}
		fmt.Fprintf(&b, "    to[%d] = %s;\n", i, r.Float(u, word, i%per))
	}
	return b.String() + "}\n"
}

// storePacked is the opposite of loadPacked.
func storePacked(name string, count int) string {
	words := make([]string, count/4)
	for i := range words {
		words[i] = fmt.Sprintf("from[%d]", i)
	}
	vector, value := "uint", words[0]
	if count > 4 {
		vector = fmt.Sprintf("uint%d", len(words))
		value = fmt.Sprintf("(%s)(%s)", vector, strings.Join(words, ", "))
	}
	return fmt.Sprintf("void %s(__global uchar *to, const uint *from)\n{\n    *(__global %s *)to = %s;\n}\n", name, vector, value)
}

// decoded is the value of a component as memory holds it, encoded the opposite.
func decoded(u *clike.Unit, k types.Kind, x string) string {
	switch k {
	case types.Bool:
		return x + " != 0"
	case types.F16, types.BF16:
		return u.Use("imgc_from_"+k.String()) + "(" + x + ")"
	}
	return x
}

func encoded(u *clike.Unit, k types.Kind, x string) string {
	if clike.Narrow(k) {
		return u.Use("imgc_to_"+k.String()) + "(" + x + ")"
	}
	return x
}
