package trial

import (
	"io/fs"
	"math"

	"imgc"
	"imgc/testsuite/differential/generate"
	"imgc/types"
)

// externFiles has just the files of extern funcs.
type externFiles struct{}

func (externFiles) ReadFile(name string) ([]byte, error) {
	text, ok := generate.ExternFiles[name]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return []byte(text), nil
}

// externs are the same funcs for the interpreter.
var externs = map[string]imgc.Extern{
	"mixed": func(a []types.Value) types.Value {
		v := uint32(a[0].Words[0].Int()) ^ uint32(a[1].Words[0].Uint())*2654435761
		return types.Of(types.I32, types.Int(int64(int32(v))))
	},
	"halved": func(a []types.Value) types.Value {
		out := types.Value{Type: a[0].Type, Words: make([]types.Word, 4)}
		for i, w := range a[0].Words {
			v := uint8(w.Uint())
			if a[1].Words[0].Truth() {
				v++
			}
			out.Words[i] = types.Int(int64(v / 2))
		}
		return out
	},
	"weighed": func(a []types.Value) types.Value {
		v := float32(a[0].Words[2].Float()) * 2
		if a[1].Words[0].Int()&1 != 0 {
			v = float32(a[0].Words[0].Float()) * 0.5
		}
		return types.Of(types.F32, types.Float(float64(v)))
	},
	"split": func(a []types.Value) types.Value {
		v := a[0].Words[0].Int()
		return types.Value{Type: types.Vector(types.I32, 2), Words: []types.Word{types.Int(int64(int32(v >> 8))), types.Int(v & math.MaxUint8)}}
	},
	"exchange": func(a []types.Value) types.Value {
		out := types.Value{Type: a[0].Type, Words: append([]types.Word(nil), a[0].Words...)}
		at := a[1].Words[0].Int() & 3
		out.Words[0], out.Words[at] = out.Words[at], out.Words[0]
		return out
	},
}
