package types

import "testing"

func BenchmarkLoadStore(b *testing.B) {
	for _, k := range []Kind{U8, I32, F16, F32} {
		b.Run(k.String(), func(b *testing.B) {
			row := make([]byte, 1024*k.Bytes())
			for b.Loop() {
				for i := 0; i < len(row); i += k.Bytes() {
					Store(k, row[i:], Load(k, row[i:]))
				}
			}
		})
	}
}

func BenchmarkConvert(b *testing.B) {
	for _, c := range []struct{ from, to Kind }{{I32, U8}, {I32, F32}, {F32, U8}, {F32, F16}, {I64, F32}} {
		b.Run(c.from.String()+" to "+c.to.String(), func(b *testing.B) {
			w := Convert(Int(100), I32, c.from)
			for b.Loop() {
				Convert(w, c.from, c.to)
			}
		})
	}
}
