package schedule

import "math/rand/v2"

// Random makes up decisions, for tests; a stage may refuse them. Sometimes they are many and sometimes few, since most that exclude each other
// are refused.
func Random(rng *rand.Rand) (d Decisions) {
	few := 2 << rng.IntN(4)
	for _, k := range kinds {
		if rng.IntN(few) > 0 {
			continue
		}
		if k.word > 0 {
			*k.fields(&d)[0] = k.word
			continue
		}
		n := k.min + rng.IntN(k.max-k.min+1)
		fields := k.fields(&d)
		for i, field := range fields[:k.many()] {
			if i < max(1, n) {
				*field = min(1<<rng.IntN(6), k.limit)
			}
		}
	}
	return d
}
