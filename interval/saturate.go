package interval

// Arithmetic of 64 bits that stops at the least and the greatest value, and reports whether it did not have to.

func add(x, y int64) (int64, bool) {
	s := x + y
	if (s > x) == (y > 0) {
		return s, true
	}
	return last(y < 0), false
}

func subtract(x, y int64) (int64, bool) {
	d := x - y
	if (d < x) == (y > 0) {
		return d, true
	}
	return last(y > 0), false
}

func multiply(x, y int64) (int64, bool) {
	if x == 0 || y == 0 {
		return 0, true
	}
	p := x * y
	if p/y == x && !(x == -1 && y == least) && !(y == -1 && x == least) {
		return p, true
	}
	return last((x < 0) != (y < 0)), false
}

// last is the value at which an arithmetic that leaves 64 bits stops.
func last(below bool) int64 {
	if below {
		return least
	}
	return greatest
}
