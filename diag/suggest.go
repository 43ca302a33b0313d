package diag

import "unicode"

// Suggest returns the candidate that name was most likely meant to be, or "" if none is near. Near means at most a third of
// the letters of the longer word, one of words of two letters, typed wrongly: inserted, left out, replaced, or exchanged with the next.
// Case does not count. Among equally near candidates the first wins.
func Suggest(name string, candidates []string) string {
	best, bestCost := "", 0
	from := []rune(name)
	for _, c := range candidates {
		to := []rune(c)
		limit := max(min(1, max(len(from), len(to))/2), max(len(from), len(to))/3)
		if best != "" {
			limit = min(limit, bestCost-1)
		}
		if cost, near := distance(from, to, limit); near && c != name {
			best, bestCost = c, cost
		}
	}
	return best
}

// maxWord bounds the words compared, in letters; nobody mistypes longer ones by accident.
const maxWord = 64

// distance is the optimal string alignment distance of two words, case aside. near is false if it exceeds limit.
func distance(a, b []rune, limit int) (cost int, near bool) {
	if diff := len(a) - len(b); len(a) > maxWord || len(b) > maxWord || max(diff, -diff) > limit {
		return 0, false
	}
	// Rows i-2, i-1 and i of the table of distances between prefixes.
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+replacement(a[i-1], b[j-1]))
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	cost = last[len(b)]
	return cost, cost <= limit
}

func replacement(a, b rune) int {
	if a == b || unicode.ToLower(a) == unicode.ToLower(b) {
		return 0
	}
	return 1
}
