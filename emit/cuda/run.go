package cuda

import (
	"fmt"
	"strings"

	"imgc/emit/clike"
	"imgc/types"
)

// run moves components by one access of up to 16 bytes, which the address is aligned for. Components of less than 32 bits go by words,
// the first one lowest; each element of the private array is named once, so that compilers keep it in registers.
func run(u *clike.Unit, r clike.Run) string {
	switch {
	case r.Anywhere:
		return clike.Anywhere(r, anywhere(u, r))
	case r.Store:
		return storeRun(u, r, accessOf(r))
	}
	return loadRun(u, r, accessOf(r))
}

// An access is how one of memory moves the elements of a run: as some words, of which each holds some elements.
type access struct {
	word, held types.Kind // of a word, and of what an element is in memory
	words, per int
}

func accessOf(r clike.Run) access {
	bytes := r.Count * r.Kind.Bytes()
	a := access{word: r.Kind, held: r.Kind}
	switch {
	case r.Packed:
		a.word, a.held = types.U32, types.U32
	case r.Kind.Bytes() < 4 && bytes >= 4:
		a.word = types.U32
	case r.Kind.Bytes() < 4:
		a.word = map[int]types.Kind{1: types.U8, 2: types.U16}[bytes]
	}
	if r.Bits {
		a.held = types.U16
	}
	a.words = bytes / a.word.Bytes()
	a.per = bytes / a.held.Bytes() / a.words
	return a
}

// typ is the type of the whole, and lane one word of v, which is of it.
func (a access) typ() string {
	if a.words == 1 {
		return memoryTypes[a.word]
	}
	return vectorType(a.word, a.words)
}

func (a access) lane(word int) string {
	if a.words == 1 {
		return "v"
	}
	return "v." + "xyzw"[word:word+1]
}

// bits is how far above the lowest bit of its word an element lies that is so many behind the first one there.
func (a access) bits(at int) int { return at * a.held.Bytes() * 8 }

func storeRun(u *clike.Unit, r clike.Run, a access) string {
	var b strings.Builder
	fmt.Fprintf(&b, "static __device__ __forceinline__ void %s(%s *to, const %s *from)\n{\n", r.Name, memoryTypes[r.Kind], valueTypes[r.Element()])
	fmt.Fprintf(&b, "    %s v;\n", a.typ())
	for w := range a.words {
		parts := make([]string, a.per)
		for i := range parts {
			parts[i] = shifted(encoded(u, a.held, fmt.Sprintf("from[%d]", w*a.per+i), a.word), "<<", a.bits(i))
		}
		fmt.Fprintf(&b, "    %s = %s;\n", a.lane(w), strings.Join(parts, " | "))
	}
	fmt.Fprintf(&b, "    *(%s *)to = v;\n}\n", a.typ())
	return b.String()
}

func loadRun(u *clike.Unit, r clike.Run, a access) string {
	var b strings.Builder
	fmt.Fprintf(&b, "static __device__ __forceinline__ void %s(const %s *from, %s *to)\n{\n", r.Name, memoryTypes[r.Kind], valueTypes[r.Element()])
	fmt.Fprintf(&b, "    const %s v = *(const %s *)from;\n", a.typ(), a.typ())
	for i := range a.words * a.per {
		value := ""
		if lane, at := a.lane(i/a.per), i%a.per; r.Floats {
			value = r.Float(u, lane, at)
		} else {
			value = decoded(u, a.held, shifted(lane, ">>", a.bits(at)), a.word)
		}
		fmt.Fprintf(&b, "    to[%d] = %s;\n", i, value)
	}
	return b.String() + "}\n"
}

// anywhere are the spellings for runs that lie anywhere.
func anywhere(u *clike.Unit, r clike.Run) clike.Spellings {
	return clike.Spellings{
		Head: "static __device__ __forceinline__ void", Word: valueTypes[types.U32],
		Component: valueTypes[map[int]types.Kind{1: types.U8, 2: types.U16}[r.Kind.Bytes()]], Byte: valueTypes[types.U8],
		Address: "size_t", Memory: memoryTypes[r.Kind], Value: valueTypes[r.Element()], Realign: u.Use("imgc_realign"),
		Float:  func(word string, at int) string { return r.Float(u, word, at) },
		Narrow: func(component string) string { return decoded(u, r.Kind, component, types.U32) },
	}
}

func shifted(x, op string, by int) string {
	if by == 0 {
		return x
	}
	return fmt.Sprintf("%s %s %d", x, op, by)
}

// decoded is the value of the component in the low bits of a word, encoded the opposite; word is the kind of the word.
func decoded(u *clike.Unit, k types.Kind, x string, word types.Kind) string {
	switch {
	case k == word:
		return x
	case k == types.Bool:
		return "(uint8_t)(" + x + ") != 0"
	case clike.Narrow(k):
		return fmt.Sprintf("%s((uint16_t)(%s))", u.Use("imgc_from_"+k.String()), x)
	}
	return fmt.Sprintf("(%s)(%s)", valueTypes[k], x)
}

func encoded(u *clike.Unit, k types.Kind, x string, word types.Kind) string {
	if k == word {
		return x
	}
	cast := "(" + valueTypes[word] + ")"
	switch {
	case clike.Narrow(k):
		return fmt.Sprintf("%s%s(%s)", cast, u.Use("imgc_to_"+k.String()), x)
	case k.IsSigned():
		return fmt.Sprintf("%s(%s)%s", cast, map[int]string{1: "uint8_t", 2: "uint16_t"}[k.Bytes()], x)
	}
	return cast + x
}
