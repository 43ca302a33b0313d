package schedule

import (
	"slices"
	"strconv"
	"strings"

	"imgc/diag"
	"imgc/hast"
	"imgc/source"
	"imgc/syntax"
)

// Read returns the schedules that a file declares for pipelines of a program, those without fault. It reports names that the
// program has not and what is no decision.
func Read(file *syntax.File, p *hast.Program, diags *diag.List) []*Schedule {
	r := &reader{program: p, diags: diags, seen: map[string]source.Span{}}
	var list []*Schedule
	for _, d := range file.Decls {
		if s, ok := d.(*syntax.Schedule); ok {
			before := diags.Len()
			if out := r.schedule(s); diags.Len() == before {
				list = append(list, out)
			}
		}
	}
	return list
}

type reader struct {
	program *hast.Program
	diags   *diag.List
	seen    map[string]source.Span // by pipeline and device
}

func (r *reader) fail(at source.Span, format string, args ...any) *diag.Diagnostic {
	return r.diags.Errorf(diag.BadSchedule, at, format, args...)
}

// hint adds what a name may have been meant to be, or what there is.
func hint(d *diag.Diagnostic, name string, names []string) {
	switch near := diag.Suggest(name, names); {
	case near != "":
		d.Note("did you mean %s?", near)
	case len(names) > 0:
		d.Note("there is %s", strings.Join(names, ", "))
	}
}

func (r *reader) schedule(s *syntax.Schedule) *Schedule {
	out := &Schedule{Pipeline: s.Name.Text, Device: s.Device, At: s.At}
	if s.HasDevice && s.Device == "" {
		r.fail(s.At, "a schedule for a device without a name").Note("leave out: on \"\"; then it is for all devices")
	}
	key := s.Name.Text + "\x00" + strings.ToLower(s.Device)
	if at, twice := r.seen[key]; twice {
		r.fail(s.Name.At, "%s has a schedule for these devices already", s.Name.Text).NoteAt(at, "it is here")
	}
	r.seen[key] = s.Name.At
	pipeline := r.pipeline(s.Name)
	if pipeline == nil {
		return out
	}
	lines := map[string]source.Span{}
	for _, d := range s.Stages {
		if at, twice := lines[d.Label.Text]; twice {
			r.fail(d.Label.At, "%s has its decisions already", d.Label.Text).NoteAt(at, "they are here")
		}
		lines[d.Label.Text] = d.Label.At
		out.Stages = append(out.Stages, &Stage{Name: d.Label.Text, Decisions: r.decisions(d), At: d.At})
	}
	for _, d := range s.Stages {
		if !out.Makes(d.Label.Text) {
			r.stageNamed(pipeline, d.Label)
		}
	}
	return out
}

// Makes reports whether a name is one of the rows or columns of a stage that the schedule separates, as Order.Name has them, or of one that has tables, as TableName has them; whether
// it has these is seen when that is done.
func (s *Schedule) Makes(name string) bool {
	return slices.ContainsFunc(s.Stages, func(st *Stage) bool {
		return st.Separate != 0 && strings.HasPrefix(name, st.Separate.Name(st.Name)) || st.Table != 0 && strings.HasPrefix(name, TableName(st.Name))
	})
}

func (r *reader) pipeline(name syntax.Name) *hast.Pipeline {
	var names []string
	for _, p := range r.program.Pipelines {
		if p.Name == name.Text {
			return p
		}
		names = append(names, p.Name)
	}
	hint(r.fail(name.At, "there is no pipeline %s", name.Text), name.Text, names)
	return nil
}

func (r *reader) stageNamed(p *hast.Pipeline, label syntax.Name) {
	found := false
	var names []string
	hast.WalkSteps(p.Steps, func(s hast.Step) {
		if s, ok := s.(*hast.Stage); ok {
			found = found || s.Name == label.Text
			names = append(names, s.Name)
		}
	})
	if !found {
		hint(r.fail(label.At, "%s has no stage %s", p.Name, label.Text), label.Text, names)
	}
}

func (r *reader) decisions(d *syntax.Decision) (out Decisions) {
	for _, item := range d.Items {
		k := find(item.Name.Text)
		switch {
		case k == nil:
			hint(r.fail(item.Name.At, "there is no decision %s", item.Name.Text), item.Name.Text, Names())
		case k.decided(&out):
			r.fail(item.Name.At, "%s is decided twice", k.name)
		default:
			r.numbers(k, item, k.fields(&out))
		}
	}
	return out
}

// numbers reads what a decision has in parentheses.
func (r *reader) numbers(k *kind, item *syntax.Item, fields fields) {
	if n := len(item.Args); n < k.min || n > k.max || item.Paren != (k.max > 0) {
		r.fail(item.At, "%s takes %s", k.name, k.numbers())
		return
	}
	if k.max == 0 {
		*fields[0] = k.word
	}
	for i, a := range item.Args {
		n, err := strconv.ParseInt(a.Int, 0, 32)
		if a.Name != nil || err != nil || n < 1 || int(n) > k.limit {
			r.fail(a.At, "%s takes numbers from 1 to %d", k.name, k.limit)
			return
		}
		*fields[i] = int(n)
	}
}
