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
	vector, memory := fmt.Sprintf("%s%d", memoryTypes[k], count), memoryTypes[k]
	if k == types.F16 { // halves come as floats
		vector = fmt.Sprintf("float%d", count)
	}
	var b strings.Builder
	if !store {
		load := fmt.Sprintf("*(const __global %s *)from", vector)
		if k == types.F16 {
			load = fmt.Sprintf("vloada_half%d(0, from)", count)
		}
		fmt.Fprintf(&b, "void %s(const __global %s *from, %s *to)\n{\n", name, memory, valueTypes[k])
		fmt.Fprintf(&b, "    const %s v = %s;\n", vector, load)
		for i := range count {
			fmt.Fprintf(&b, "    to[%d] = %s;\n", i, decoded(u, k, fmt.Sprintf("v.s%x", i)))
		}
		return b.String() + "}\n"
	}
	fmt.Fprintf(&b, "void %s(__global %s *to, const %s *from)\n{\n", name, memory, valueTypes[k])
	lanes := make([]string, count)
	for i := range lanes {
		lanes[i] = encoded(u, k, fmt.Sprintf("from[%d]", i))
	}
	value := fmt.Sprintf("(%s)(%s)", vector, strings.Join(lanes, ", "))
	if k == types.F16 {
		fmt.Fprintf(&b, "    vstorea_half%d(%s, 0, to);\n}\n", count, value)
	} else {
		fmt.Fprintf(&b, "    *(__global %s *)to = %s;\n}\n", vector, value)
	}
	return b.String()
}

// words are the spellings for runs that lie anywhere.
func words(u *clike.Unit, r clike.Run) clike.Spellings {
	return clike.Spellings{
		Head: "void", Space: "__global ", Word: "uint", Component: map[int]string{1: "uchar", 2: "ushort"}[r.Kind.Bytes()], Byte: "uchar",
		Address: "size_t", Memory: memoryTypes[r.Kind], Value: valueTypes[r.Element()], Realign: u.Use("imgc_realign"),
		Float: func(word string, at int) string { return r.Float(u, word, at) },
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
		access = fmt.Sprintf("uint%d", words)
	case bytes == 4:
		access = "uint"
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
	case types.BF16:
		return u.Use("imgc_from_bf16") + "(" + x + ")"
	}
	return x
}

func encoded(u *clike.Unit, k types.Kind, x string) string {
	if k == types.BF16 {
		return u.Use("imgc_to_bf16") + "(" + x + ")"
	}
	return x
}
