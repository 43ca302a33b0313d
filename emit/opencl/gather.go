package opencl

import (
	"fmt"
	"strings"

	"imgc/types"
)

// gather reads components one by one. A processor with AVX-512 first sees whether the places of 16 lanes lie among 32 components from the
// first lane's place to the last lane's, as those of resampling and of slight distortions do: then it loads these components, which
// are within what is read anyway, and each lane takes its own of two registers.
func gather(name string, k types.Kind, lanes int) string {
	parts := make([]string, lanes)
	for i := range parts {
		parts[i] = fmt.Sprintf("from[at[%d]]", i)
	}
	vector := vectorName(k, lanes)
	return fmt.Sprintf("%s %s(__global const %s *from, %s at)\n{\n%s    return (%s)(%s);\n}\n",
		vector, name, memoryTypes[k], vectorName(types.I32, lanes), near(k, lanes), vector, strings.Join(parts, ", "))
}

// A picker has the code by which lanes take components of some size. The names of instructions are clang's; behind is how far a lane's
// place lies behind the first one, mask the components that are loaded.
type picker struct {
	element    string // that a load takes a pointer to
	part, zero string // the type of what one load gives, and as many zeros
	load       string // which leaves those components out that its mask lacks, and reads nothing there
	halves     []string
	own        string // of the halves low and high, as a vector of %s
}

// pickers are by the bytes of components.
var pickers = map[int]picker{
	1: {
		element: "part",
		part:    "typedef char part __attribute__((vector_size(16)))", zero: "(long2)(0)", load: "__builtin_ia32_loaddquqi128_mask",
		halves: []string{"const part low = %s;", "const part high = %s;", "const char16 byte = __builtin_convertvector(behind, char16);"},
		// a byte below 0 gives 0
		own: "__builtin_astype(__builtin_ia32_pshufb128(low, byte + (char)112) | __builtin_ia32_pshufb128(high, byte - (char)16), %s)",
	},
	2: {
		element: "part",
		part:    "typedef short part __attribute__((vector_size(32)))", zero: "(long4)(0)", load: "__builtin_ia32_loaddquhi256_mask",
		halves: []string{
			"const int16 low = __builtin_convertvector(__builtin_astype(%s, short16), int16);",
			"const int16 high = __builtin_convertvector(__builtin_astype(%s, short16), int16);",
		},
		own: "__builtin_astype(__builtin_convertvector(__builtin_astype(__builtin_ia32_vpermi2vard512(low, behind, high), int16), short16), %s)",
	},
	4: {
		element: "int",
		part:    "typedef int part __attribute__((vector_size(64)))", zero: "(long8)(0)", load: "__builtin_ia32_loaddqusi512_mask",
		halves: []string{"const part low = %s;", "const part high = %s;"},
		own:    "__builtin_astype(__builtin_ia32_vpermi2vard512(low, behind, high), %s)",
	},
}

// near is the part of gather for lanes that read near each other; "" where they are not as many as a register has of 32 bits.
func near(k types.Kind, lanes int) string {
	p, ok := pickers[k.Bytes()]
	if !ok || lanes != 16 {
		return ""
	}
	load := func(at int) string {
		return fmt.Sprintf("%s((const %s *)(ulong)(from + at.s0 + %d), __builtin_astype(%s, part), (ushort)(mask >> %d))", p.load, p.element, at, p.zero, at)
	}
	lines := []string{
		"const int16 behind = at - at.s0;",
		"const uint last = min((uint)behind.sf, 31u);",
		"if ((ushort)__builtin_ia32_ucmpd512_mask(behind, (int16)((int)last), 2, -1) == 0xffff) {",
		"    const uint mask = ~0u >> (31 - last);",
		"    " + p.part + ";",
	}
	for i, half := range p.halves {
		if strings.Contains(half, "%s") {
			half = fmt.Sprintf(half, load(16*i))
		}
		lines = append(lines, "    "+half)
	}
	lines = append(lines, "    return "+fmt.Sprintf(p.own, vectorName(k, lanes))+";", "}")
	return "#if defined(__AVX512BW__) && defined(__AVX512VL__)\n    " + strings.Join(lines, "\n    ") + "\n#endif\n"
}
