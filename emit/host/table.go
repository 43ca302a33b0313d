package host

import (
	"encoding/binary"
	"fmt"
	"strings"

	"imgc/kir"
	"imgc/types"
)

// A hostTable is a constant array as the host has it: the bits of its components.
type hostTable struct {
	Ident, Type, Shown string // Shown is its name in the program
	Lines              []string
}

// tableLine is how many components of a table stand in a line.
const tableLine = 16

// addTable has the library hand a constant array to kernels.
func (lib *library) addTable(t *kir.Table) {
	if lib.tables == nil {
		lib.tables = map[*kir.Table]int{}
	}
	lib.tables[t] = len(lib.Tables)
	size := t.Var.Type.Kind.Bytes()
	out := hostTable{Ident: fmt.Sprintf("table_%d", len(lib.Tables)), Type: fmt.Sprintf("uint%d_t", 8*size), Shown: t.Var.Name}
	var line strings.Builder
	for i, w := range t.Words {
		var b [8]byte
		types.Store(t.Var.Type.Kind, b[:], w)
		fmt.Fprintf(&line, "0x%x,", binary.LittleEndian.Uint64(b[:]))
		if i%tableLine == tableLine-1 || i == len(t.Words)-1 {
			out.Lines = append(out.Lines, line.String())
			line.Reset()
		} else {
			line.WriteByte(' ')
		}
	}
	lib.Tables = append(lib.Tables, out)
}
