package host

import (
	"slices"
	"strings"

	"imgc/emit/ctree"
)

// words are what no C or C++ program may use as a name, and what the included headers define.
var words = strings.Fields(`
		auto break case char const continue default do double else enum extern float for goto if inline int long register
		restrict return short signed sizeof static struct switch typedef union unsigned void volatile while
		alignas alignof and and_eq asm bitand bitor bool catch char8_t char16_t char32_t class compl concept const_cast
		consteval constexpr constinit co_await co_return co_yield decltype delete dynamic_cast explicit export false friend
		mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public reinterpret_cast
		requires static_assert static_cast template this thread_local throw true try typeid typename using virtual wchar_t
		xor xor_eq NULL main abs labs div exit free malloc calloc stdin stdout stderr errno signal time rand linux unix`)

// isIdentifier reports whether s can name C functions and types.
func isIdentifier(s string) bool {
	if s == "" || slices.Contains(words, s) || s[0] >= '0' && s[0] <= '9' || s[0] == '_' {
		return false
	}
	for i := range len(s) {
		if !isWord(s[i]) {
			return false
		}
	}
	return true
}

// namer gives names of the program names in C: the same, unless that is a word of C or one of taken.
func namer(taken ...string) *ctree.Namer { return ctree.NewNamer(append(taken, words...)) }
