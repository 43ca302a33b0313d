package feature

import (
	"fmt"
	"strconv"
	"strings"

	"imgc/hast"
)

// Text is what a stage does in one line: "local: reads src[y-1:y+1][x-1:x+1] clamp (9), writes dst[y][x] (1); 9 fma".
func (s *Stage) Text() string {
	var parts []string
	for _, a := range s.Accesses {
		parts = append(parts, a.Text())
	}
	if s.Of.Reduced != nil {
		hast.EachStore(s.Of.Reduced.Body, func(st *hast.Store) { parts = append(parts, "reduces its pixels to "+st.Image.Name) })
	}
	text := s.Class.String() + ": " + strings.Join(parts, ", ")
	if ops := s.Ops.Text(); ops != "" {
		text += "; " + ops
	}
	for _, p := range s.Parts {
		text += "; with " + p.Of.Name
		if ops := p.Ops.Text(); ops != "" {
			text += ": " + ops
		}
	}
	switch {
	case s.Uneven:
		text += "; loops that end where data says"
	case s.Open:
		text += "; loops of unknown length"
	}
	return text
}

// Text is an access with its window.
func (a *Access) Text() string {
	word := "reads"
	switch {
	case a.Updates:
		word = "updates"
	case a.Writes:
		word = "writes"
	}
	text := word + " " + a.Image.Name
	for _, x := range a.Axes {
		text += "[" + x.Text() + "]"
	}
	if a.Rule != nil && a.Outside {
		text += " " + a.Rule.Kind.String()
	}
	return fmt.Sprintf("%s (%s)", text, number(a.Count))
}

// Text is the run of coordinates: "y-1:y+1", "2*x:2*x+1", "(x+0:x+1)/2", "0", "?" where it is not known.
func (a Axis) Text() string {
	switch {
	case a.Host:
		return "host"
	case !a.Known:
		return "?"
	}
	at := func(offset int64) string {
		switch {
		case a.Var == nil:
			return strconv.FormatInt(offset, 10)
		case offset == 0:
			return a.base()
		}
		return fmt.Sprintf("%s%+d", a.base(), offset)
	}
	text := at(a.Lo)
	if a.Hi != a.Lo {
		text += ":" + at(a.Hi)
	}
	if a.Div > 1 {
		return fmt.Sprintf("(%s)/%d", text, a.Div)
	}
	return text
}

func (a Axis) base() string {
	switch a.Mul {
	case 1:
		return a.Var.Name
	case -1:
		return "-" + a.Var.Name
	}
	return fmt.Sprintf("%d*%s", a.Mul, a.Var.Name)
}

// Text lists the pipes that have work: "25 fma, 2 logic". Memory is left to the accesses.
func (o Ops) Text() string {
	var parts []string
	for p, n := range o {
		if n > 0 && Pipe(p) != Memory {
			parts = append(parts, number(n)+" "+Pipe(p).String())
		}
	}
	return strings.Join(parts, ", ")
}

// number is a count, rounded to a tenth.
func number(v float64) string {
	text := strconv.FormatFloat(v, 'f', 1, 64)
	return strings.TrimSuffix(text, ".0")
}
