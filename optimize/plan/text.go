package plan

import (
	"fmt"
	"strings"

	"imgc/archmodels"
)

// Text is the plan as a schedule that imgc takes back: above each line, as comments, what the stage does, why it is carried out like
// this, the predicted time by its terms, and the next best candidates with theirs.
func (p *Plan) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "schedule %s on %q {\n", p.Pipeline.Name, p.Device)
	if len(p.Assumed) > 0 {
		fmt.Fprintf(&b, "    // assumed, since the model does not know: %s\n", strings.Join(p.Assumed, ", "))
	}
	for _, g := range p.Groups {
		fmt.Fprintf(&b, "    // %s\n", g.Text())
		if g.Place != 0 && !p.rests[g.Stage.Name] { // which is no stage of the program
			fmt.Fprintf(&b, "    %s: %s;\n", g.Stage.Name, g.decisions())
		}
	}
	for i, c := range p.Choices {
		if i+len(p.Groups) > 0 {
			b.WriteByte('\n')
		}
		c.text(&b, p.rests[c.Stage.Of.Name])
	}
	b.WriteString("}\n")
	return b.String()
}

// assumed are the figures of a model that are assumed, as text.
func assumed(m *archmodels.Model) (list []string) {
	for _, f := range m.Assumed() {
		list = append(list, fmt.Sprintf("%s %.4g", f.Path(), f.At(m).Value))
	}
	return list
}

// rejectedShown is how many of the rejected candidates a text names.
const rejectedShown = 3

// text writes what was chosen for a stage; of one that follows from another as a comment alone.
func (c *Choice) text(b *strings.Builder, follows bool) {
	note := func(format string, args ...any) { fmt.Fprintf(b, "    // "+format+"\n", args...) }
	name := c.Stage.Of.Name
	note("%s is %s", name, c.Stage.Text())
	note("%s: %s", c.Picked.Why, c.Picked.Cost.Text())
	for i, r := range c.Rejected {
		if i == rejectedShown && r.Illegal == "" {
			break
		}
		if r.Illegal == "" {
			note("rather than %s: %s", r.name(), r.Cost.Text())
		}
	}
	for _, why := range c.illegal() {
		note("not %s", why)
	}
	line := c.Picked.Decisions.String()
	switch {
	case line == "" && c.Late:
		return
	case line == "":
		note("%s: one instance for each work-item", name)
		return
	case follows:
		note("%s, for the rounds that are left: %s", name, line)
		return
	}
	fmt.Fprintf(b, "    %s: %s;\n", name, line)
}

// illegal are the reasons for which candidates were dropped, each with the first that it concerns.
func (c *Choice) illegal() []string {
	var out []string
	seen := map[string]bool{}
	for _, r := range c.Rejected {
		if r.Illegal == "" || seen[r.Illegal] || len(out) == rejectedShown {
			continue
		}
		seen[r.Illegal] = true
		out = append(out, r.name()+": "+r.Illegal)
	}
	return out
}

// name is what a candidate is called: its line of a schedule.
func (c *Candidate) name() string {
	if text := c.Decisions.String(); text != "" {
		return text
	}
	return "one instance for each work-item"
}
