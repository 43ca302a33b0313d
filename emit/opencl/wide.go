package opencl

import (
	"fmt"
	"strings"

	"imgc/emit/clike"
	"imgc/emit/ctree"
	"imgc/kir"
	"imgc/types"
)

// Wide values are OpenCL's own vectors, of kir.VectorLanes at most. clang, which the OpenCL drivers for CPUs are built on, adds conversions and shuffles of any
// vector. In memory they start at any component: vload and vstore, which say that, take bytes one by one there.

var wide = &clike.Wide{
	Type: func(k types.Kind, lanes int) string {
		return fmt.Sprintf("typedef %s %s __attribute__((aligned(%d)));", vectorName(k, lanes), inMemory(k, lanes), k.Bytes())
	},
	Convert: func(k types.Kind, lanes int, x ctree.Expr) ctree.Expr {
		return ctree.CallTo("__builtin_convertvector", x, ctree.Name(vectorName(k, lanes)))
	},
	Load: func(in kir.Space, k types.Kind, lanes int, place ctree.Expr) ctree.Expr {
		return &ctree.Unary{Op: "*", X: pointer(spaces[in]+"const ", k, lanes, place)}
	},
	Store: func(in kir.Space, k types.Kind, lanes int, place, value ctree.Expr) ctree.Expr {
		return &ctree.AssignTo{Op: "=", X: &ctree.Unary{Op: "*", X: pointer(spaces[in], k, lanes, place)}, Y: value}
	},
	Every:      every,
	Interleave: interleave,
	Alternate:  alternate,
	Gather:     gather,
}

// spaces are the address spaces of wide values in memory.
var spaces = map[kir.Space]string{kir.Global: "__global "}

func pointer(space string, k types.Kind, lanes int, place ctree.Expr) ctree.Expr {
	return &ctree.Cast{Type: ctree.PtrTo(ctree.Base(space + inMemory(k, lanes))), X: place}
}

// vectorName is the type of a vector.
func vectorName(k types.Kind, lanes int) string { return fmt.Sprintf("%s%d", valueTypes[k], lanes) }

func inMemory(k types.Kind, lanes int) string {
	return fmt.Sprintf("%s%s%d_at", ctree.HelperPrefix, valueTypes[k], lanes)
}

// every reads whole vectors, the last one so that it ends where the last component lies, and takes from each what it has: lane i
// from component i*stride.
func every(in kir.Space, name string, k types.Kind, lanes, stride int) string {
	vector := vectorName(k, lanes)
	last := (lanes-1)*stride + 1 // components in all
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s(const %s%s *from)\n{\n", vector, name, spaces[in], memoryTypes[k])
	at := make([]int, stride)
	for v := range stride {
		at[v] = min(v*lanes, last-lanes)
		fmt.Fprintf(&b, "    const %s v%d = *(const %s%s *)(from + %d);\n", vector, v, spaces[in], inMemory(k, lanes), at[v])
	}
	so := "v0"
	for v := 1; v < stride; v++ {
		picks := make([]string, lanes)
		for i := range picks {
			c := i * stride
			switch {
			case c >= at[v] && c >= v*lanes:
				picks[i] = fmt.Sprint(lanes + min(c-at[v], lanes-1)) // of the new vector; of later ones whatever
			case v == 1:
				picks[i] = fmt.Sprint(c)
			default:
				picks[i] = fmt.Sprint(i)
			}
		}
		so = shuffle(&b, vector, so, v, picks)
	}
	fmt.Fprintf(&b, "    return %s;\n}\n", so)
	return b.String()
}

// shuffle declares s1, s2, ..., what is taken so far and of vector v1, v2, ..., and returns its name.
func shuffle(b *strings.Builder, vector, so string, v int, picks []string) string {
	fmt.Fprintf(b, "    const %s s%d = __builtin_shufflevector(%s, v%d, %s);\n", vector, v, so, v, strings.Join(picks, ", "))
	return fmt.Sprintf("s%d", v)
}

// alternate is one shuffle.
func alternate(name string, k types.Kind, lanes, first, parts int) string {
	picks := make([]string, lanes)
	for i := range picks {
		picks[i] = fmt.Sprint(2*i + first)
	}
	from := vectorName(k, 2*lanes/parts)
	params, second := from+" v", "v"
	if parts == 2 {
		params, second = params+", "+from+" w", "w"
	}
	return fmt.Sprintf("%s %s(%s)\n{\n    return __builtin_shufflevector(v, %s, %s);\n}\n",
		vectorName(k, lanes), name, params, second, strings.Join(picks, ", "))
}

// interleave takes from part after part what the run has of it: lane i of the run is component (piece*lanes + i) % parts of a pixel.
func interleave(name string, k types.Kind, lanes, parts, piece int) string {
	vector := vectorName(k, lanes)
	params := make([]string, parts)
	for p := range params {
		params[p] = fmt.Sprintf("%s v%d", vector, p)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s(%s)\n{\n", vector, name, strings.Join(params, ", "))
	so := "v0"
	for p := 1; p < parts; p++ {
		picks := make([]string, lanes)
		for i := range picks {
			pixel, part := (piece*lanes+i)/parts, (piece*lanes+i)%parts
			switch {
			case part == p:
				picks[i] = fmt.Sprint(lanes + pixel)
			case p == 1:
				picks[i] = fmt.Sprint(pixel) // of the first part, or whatever
			default:
				picks[i] = fmt.Sprint(i)
			}
		}
		so = shuffle(&b, vector, so, p, picks)
	}
	fmt.Fprintf(&b, "    return %s;\n}\n", so)
	return b.String()
}
