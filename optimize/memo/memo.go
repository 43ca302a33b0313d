package memo

// Of is what a map has for a key, or else what is made for it, which the map has then. The map may be nil before.
func Of[K comparable, V any](have *map[K]V, key K, make func() V) V {
	v, known := (*have)[key]
	if !known {
		v = make()
		if *have == nil {
			*have = map[K]V{}
		}
		(*have)[key] = v
	}
	return v
}
