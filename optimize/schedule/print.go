package schedule

import (
	"fmt"
	"strings"
)

// String is the schedule as a declaration, in the layout of imgc fmt. Read takes it back.
func (s *Schedule) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "schedule %s", s.Pipeline)
	if s.Device != "" {
		fmt.Fprintf(&b, " on %q", s.Device)
	}
	b.WriteString(" {\n")
	for _, st := range s.Stages {
		if text := st.Decisions.String(); text != "" {
			fmt.Fprintf(&b, "    %s: %s;\n", st.Name, text)
		}
	}
	b.WriteString("}\n")
	return b.String()
}

// String is the decisions as a line of a schedule has them; "" where there is none.
func (d Decisions) String() string {
	var items []string
	for _, k := range kinds {
		if !k.chosen(&d) {
			continue
		}
		var numbers []string
		fields := k.fields(&d)
		for _, n := range fields[:k.many()] {
			if *n != 0 {
				numbers = append(numbers, fmt.Sprint(*n))
			}
		}
		if k.max == 0 {
			items = append(items, k.name)
		} else {
			items = append(items, fmt.Sprintf("%s(%s)", k.name, strings.Join(numbers, ", ")))
		}
	}
	return strings.Join(items, " ")
}
