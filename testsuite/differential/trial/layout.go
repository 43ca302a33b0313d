package trial

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"

	"imgc/device"
)

// layouts are how the images of a call lie in memory, one after the other: all alike, and each in its own way.
func layouts(number uint64) []device.Layout {
	return []device.Layout{{Pad: int(number % 3), Offset: int(number % 5)}, {Each: func(name string) device.Layout { return layoutOf(name, number) }}}
}

// aligned is a number of components at whose multiples vectors may start, whatever their kind.
const aligned = 16

// layoutOf is how one image of a call lies: as the library would have it, packed, as part of a larger image from a vector on or from anywhere on.
// In one of four calls all images start at vectors.
func layoutOf(name string, number uint64) device.Layout {
	hash := fnv.New64a()
	fmt.Fprint(hash, name)
	r := rand.New(rand.NewPCG(number, hash.Sum64()))
	part := device.Layout{Offset: aligned * r.IntN(3), Multiple: aligned, Pad: aligned * r.IntN(2)}
	ways := []device.Layout{part, {}, {Multiple: 1}, {Offset: r.IntN(2 * aligned), Pad: r.IntN(2 * aligned), Multiple: 1}}
	if number%4 == 0 {
		ways = ways[:2]
	}
	return ways[r.IntN(len(ways))]
}
