package docs_test

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"

	"imgc"
	"imgc/pixels"
	"imgc/types"
)

// A show is an ```out fence: a run of the program in the ```img fence before it.
//
//	pipeline blur          only where the program has several
//	W = 4                  a size that no image gives
//	src = [[1, 2], [3, 4]] an argument, then
//	dst = [[2, 4], [6, 8]] what comes back; of an inout image first what goes in, then what comes out
//	error: dst needs ...   instead of results
//
// An image is a list of rows, a pixel of several components (1, 2, 3). A float is compared to as many decimals as are shown.
type show struct {
	pipeline string
	fault    string
	lines    []assignment
}

type assignment struct {
	name  string
	value value
}

// A value is a list of values or one component as it is written.
type value struct {
	list   []value
	isList bool
	word   string
}

func parseShow(text string) (*show, error) {
	s := &show{}
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		line, rest, _ := strings.Cut(text, "\n")
		if name, ok := strings.CutPrefix(line, "pipeline "); ok {
			s.pipeline, text = strings.TrimSpace(name), rest
			continue
		}
		if fault, ok := strings.CutPrefix(line, "error: "); ok {
			s.fault, text = strings.Join(strings.Fields(fault+" "+rest), " "), ""
			continue
		}
		name, after, ok := strings.Cut(text, "=")
		if !ok {
			return nil, fmt.Errorf("%q is no line of an out fence", line)
		}
		v, left, err := parseValue(after)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", strings.TrimSpace(name), err)
		}
		s.lines = append(s.lines, assignment{strings.TrimSpace(name), v})
		text = left
	}
	return s, nil
}

func parseValue(text string) (v value, rest string, err error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return v, "", fmt.Errorf("a value is missing")
	}
	closer := map[byte]byte{'[': ']', '(': ')'}[text[0]]
	if closer == 0 {
		end := strings.IndexFunc(text, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",)]", r) })
		if end < 0 {
			end = len(text)
		}
		return value{word: text[:end]}, text[end:], nil
	}
	v.isList = true
	for text = text[1:]; ; {
		var item value
		if item, text, err = parseValue(text); err != nil {
			return v, "", err
		}
		v.list = append(v.list, item)
		text = strings.TrimSpace(text)
		switch {
		case text == "":
			return v, "", fmt.Errorf("%c is missing", closer)
		case text[0] == closer:
			return v, text[1:], nil
		case text[0] != ',':
			return v, "", fmt.Errorf("%q where a comma or %c should be", text, closer)
		}
		text = text[1:]
	}
}

// An expectation is what a parameter has after the run.
type expectation struct {
	name  string
	param *imgc.Param
	value value
}

// arguments sorts the lines of a show into what goes in and what comes out.
func (s *show) arguments(p *imgc.Pipeline) (args imgc.Args, out []expectation, err error) {
	args = imgc.Args{Images: map[string]*pixels.Image{}, Scalars: map[string]types.Value{}, Sizes: map[string]int{}}
	for _, a := range s.lines {
		q := p.Param(a.name)
		_, given := args.Images[a.name]
		switch {
		case q == nil && p.Size(a.name) != nil:
			args.Sizes[a.name], err = strconv.Atoi(a.value.word)
		case q == nil:
			err = fmt.Errorf("%s has no parameter %s", p.Name, a.name)
		case q.Takes() && !given && q.IsImage:
			args.Images[a.name], err = a.value.image(q)
		case q.Takes() && !q.IsImage:
			args.Scalars[a.name], err = a.value.scalar(q)
		default:
			out = append(out, expectation{name: a.name, param: q, value: a.value})
		}
		if err != nil {
			return args, nil, fmt.Errorf("%s: %w", a.name, err)
		}
	}
	return args, out, nil
}

// words flattens a value of the given extents, the last of them the lanes where there are several.
func (v value) words(extent []int) ([]string, error) {
	if len(extent) == 0 {
		if v.isList {
			return nil, fmt.Errorf("a list where one number should be")
		}
		return []string{v.word}, nil
	}
	if !v.isList || len(v.list) != extent[0] {
		return nil, fmt.Errorf("%d values are needed", extent[0])
	}
	var all []string
	for _, item := range v.list {
		words, err := item.words(extent[1:])
		if err != nil {
			return nil, err
		}
		all = append(all, words...)
	}
	return all, nil
}

// shape is the extents of a list of lists.
func (v value) shape() []int {
	if !v.isList {
		return nil
	}
	return append([]int{len(v.list)}, v.list[0].shape()...)
}

func (v value) image(q *imgc.Param) (*pixels.Image, error) {
	extent := v.shape()
	words, err := v.words(extent)
	if err != nil {
		return nil, err
	}
	if q.Type.Lanes > 1 {
		extent = extent[:len(extent)-1]
	}
	m, err := pixels.New(q.Type, extent...)
	if err != nil {
		return nil, err
	}
	if len(words) != m.Words() {
		return nil, fmt.Errorf("%d components for %s", len(words), m)
	}
	for i, w := range words {
		word, err := parseWord(q.Type.Kind, w)
		if err != nil {
			return nil, err
		}
		m.SetWord(i, word)
	}
	return m, nil
}

func (v value) scalar(q *imgc.Param) (types.Value, error) {
	w, err := parseWord(q.Type.Kind, v.word)
	return types.Of(q.Type.Kind, w), err
}

func parseWord(k types.Kind, s string) (types.Word, error) {
	switch {
	case k == types.Bool:
		b, err := strconv.ParseBool(s)
		return types.Truth(b), err
	case k.IsFloat():
		f, err := strconv.ParseFloat(s, 64)
		return types.Float(types.Round(k, f)), err
	case k.IsSigned():
		n, err := strconv.ParseInt(s, 10, k.Bits())
		return types.Int(n), err
	}
	n, err := strconv.ParseUint(s, 10, k.Bits())
	return types.Uint(n), err
}

// compare says how the result differs from what the page shows; "" where it does not.
func (e expectation) compare(r imgc.Results) string {
	var got []types.Word
	extent := []int(nil)
	if e.param.IsImage {
		m := r.Images[e.name]
		extent = append(extent, m.Extent...)
		for i := range m.Words() {
			got = append(got, m.Word(i))
		}
	} else {
		got = r.Scalars[e.name].Words
	}
	if e.param.Type.Lanes > 1 {
		extent = append(extent, int(e.param.Type.Lanes))
	}
	want, err := e.value.words(extent)
	same := err == nil
	for i := range want {
		same = same && matches(e.param.Type.Kind, got[i], want[i])
	}
	if same {
		return ""
	}
	return fmt.Sprintf("%s is %s, the page shows otherwise", e.name, text(e.param.Type.Kind, got, extent))
}

// matches compares a component with its text: floats to the decimals shown.
func matches(k types.Kind, w types.Word, want string) bool {
	if !k.IsFloat() {
		word, err := parseWord(k, want)
		return err == nil && word == w
	}
	_, decimals, _ := strings.Cut(want, ".")
	f, err := strconv.ParseFloat(want, 64)
	switch {
	case err != nil:
		return false
	case math.IsNaN(f) || math.IsInf(f, 0) || decimals == "" || strings.ContainsAny(want, "eE"):
		return w == types.Float(types.Round(k, f)) || math.IsNaN(f) && math.IsNaN(w.Float())
	}
	got := strconv.FormatFloat(w.Float(), 'f', len(decimals), 64)
	return got == want || f == 0 && strings.TrimPrefix(got, "-") == want // -0.00
}

// text writes components as a page shows them.
func text(k types.Kind, words []types.Word, extent []int) string {
	if len(extent) == 0 {
		switch w := words[0]; {
		case k == types.Bool:
			return fmt.Sprint(w.Truth())
		case k.IsFloat():
			return strconv.FormatFloat(w.Float(), 'g', -1, 64)
		case k.IsSigned():
			return fmt.Sprint(w.Int())
		default:
			return fmt.Sprint(w.Uint())
		}
	}
	parts := make([]string, extent[0])
	for i := range parts {
		n := len(words) / extent[0]
		parts[i] = text(k, words[i*n:(i+1)*n], extent[1:])
	}
	return "[" + strings.Join(parts, ", ") + "]"
}
