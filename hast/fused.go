package hast

import "imgc/ops"

// Parts are the stages that run as one with s, in order; s is the last.
func (s *Stage) Parts() []*Stage { return append(s.Fused[:len(s.Fused):len(s.Fused)], s) }

// Alone is the stage without those that are fused with it: as if it read what they write in memory.
func (s *Stage) Alone() *Stage {
	out := *s
	out.Fused, out.Inner, out.Reduced = nil, nil, nil
	return &out
}

// fused checks the stages that run as a part of another, and declares the images that are theirs alone.
func (v *verifier) fused(s *Stage) {
	for _, m := range s.Inner {
		v.images[m] = true
		if v.image(m); m.Dir != Local || m.View != nil || m.Of != nil {
			v.failf("%s: %s cannot be an inner image of %s", s.At, m.Name, s.Name)
		}
	}
	for _, part := range s.Fused {
		if part.Scan != nil || s.Scan != nil || len(part.Fused) > 0 {
			v.failf("%s: %s cannot be fused with %s", part.At, part.Name, s.Name)
		}
		v.step(part, map[string]bool{}, false)
	}
}

// reduced checks the stage that reduces what another one writes.
func (v *verifier) reduced(s *Stage) {
	if r := s.Reduced; r != nil {
		if r.Scan != nil || s.Scan != nil || len(r.Fused) > 0 || r.Reduced != nil {
			v.failf("%s: %s cannot reduce what %s writes", r.At, r.Name, s.Name)
		}
		v.step(r, map[string]bool{}, false)
	}
}

// fused dumps them.
func (d *dumper) fused(s *Stage) {
	for _, m := range s.Inner {
		d.image(m)
	}
	for _, part := range s.Fused {
		d.step(part)
	}
}

// Possible is the condition that each extent of an image is one that an image may have.
func Possible(m *Image) Expr {
	var all Expr
	for _, n := range m.Extent {
		all = And(all, And(Compare(ops.Ge, n, Int(1)), Compare(ops.Le, n, Int(MaxExtent))))
	}
	return all
}
