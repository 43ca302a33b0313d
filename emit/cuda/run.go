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
	if r.Anywhere {
		return clike.Anywhere(r, anywhere(u, r))
	}
	name, store, packed, k, count := r.Name, r.Store, r.Packed, r.Kind, r.Count
	bytes := count * k.Bytes()
	component, held := k, k
	if r.Bits {
		held = types.U16
	}
	switch {
	case packed:
		component = types.U32
	case k.Bytes() < 4:
		component = map[int]types.Kind{1: types.U8, 2: types.U16}[bytes]
		if bytes >= 4 {
			component = types.U32
		}
	}
	words := bytes / component.Bytes()
	access := memoryTypes[component]
	if words > 1 {
		access = vectorType(component, words)
	}
	lane := func(i int) string {
		if words == 1 {
			return "v"
		}
		return "v." + "xyzw"[i:i+1]
	}
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	switch {
	case packed && store:
		line("static __device__ __forceinline__ void %s(uint8_t *to, const uint32_t *from)\n{", name)
		line("    %s v;", access)
		for i := range words {
			line("    %s = from[%d];", lane(i), i)
		}
		line("    *(%s *)to = v;", access)
	case packed:
		line("static __device__ __forceinline__ void %s(const uint8_t *from, uint32_t *to)\n{", name)
		line("    const %s v = *(const %s *)from;", access, access)
		for i := range words {
			line("    to[%d] = %s;", i, lane(i))
		}
	case store:
		line("static __device__ __forceinline__ void %s(%s *to, const %s *from)\n{", name, memoryTypes[k], valueTypes[r.Element()])
		line("    %s v;", access)
		per := count / words
		for w := range words {
			var parts []string
			for i := range per {
				parts = append(parts, shifted(encoded(u, held, fmt.Sprintf("from[%d]", w*per+i), component), "<<", i*k.Bytes()*8))
			}
			line("    %s = %s;", lane(w), strings.Join(parts, " | "))
		}
		line("    *(%s *)to = v;", access)
	default:
		line("static __device__ __forceinline__ void %s(const %s *from, %s *to)\n{", name, memoryTypes[k], valueTypes[r.Element()])
		line("    const %s v = *(const %s *)from;", access, access)
		per := count / words
		for i := range count {
			if r.Floats {
				line("    to[%d] = %s;", i, r.Float(u, lane(i/per), i%per))
				continue
			}
			line("    to[%d] = %s;", i, decoded(u, held, shifted(lane(i/per), ">>", i%per*k.Bytes()*8), component))
		}
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
