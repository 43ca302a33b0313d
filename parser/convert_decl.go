package parser

import (
	"strings"

	"imgc/grammar"
	"imgc/syntax"
)

func (p *parser) decl(d *grammar.Decl) syntax.Decl {
	at := p.place(d.Tokens)
	switch {
	case d.Import != nil:
		return p.importDecl(d.Import, at)
	case d.Const != nil:
		return &syntax.Const{Place: at, Name: p.name(d.Const.Name), Type: optional(d.Const.Type, p.typeRef),
			Value: p.expr(d.Const.Value)}
	case d.Mask != nil:
		return &syntax.Mask{Place: at, Name: p.name(d.Mask.Name), Type: p.typeRef(d.Mask.Type), Value: p.expr(d.Mask.Value)}
	case d.Domain != nil:
		return &syntax.Domain{Place: at, Name: p.name(d.Domain.Name), Dims: p.exprs(d.Domain.Dims),
			Value: p.expr(d.Domain.Value)}
	case d.Border != nil:
		return p.border(d.Border, at)
	case d.Func != nil:
		return p.function(d.Func, at)
	case d.Extern != nil:
		return p.extern(d.Extern, at)
	case d.Kernel != nil:
		return p.kernel(d.Kernel, at)
	}
	return p.schedule(d.Schedule, at)
}

func unquote(t grammar.Token) string {
	return strings.TrimSuffix(strings.TrimPrefix(t.Value, `"`), `"`)
}

func (p *parser) importDecl(d *grammar.Import, at syntax.Place) syntax.Decl {
	out := &syntax.Import{Place: at, Path: unquote(d.Path), PathAt: p.token(d.Path)}
	if d.As != nil {
		as := p.name(d.As.Token)
		out.As = &as
	}
	return out
}

func (p *parser) border(d *grammar.Border, at syntax.Place) syntax.Decl {
	out := &syntax.Border{Place: at, Name: p.name(d.Name), Image: p.name(d.Image), Sizes: p.names(d.Sizes),
		Else: optional(d.Else, p.rule)}
	if d.Elem != nil {
		base := p.name(d.Elem.Token)
		out.Elem = &syntax.Type{Place: base.Place, Base: base}
	}
	out.Frames = within(p, d.Frames.Group, inBorder, p.grammar.Frame, p.frame)
	return out
}

func (p *parser) frame(f *grammar.Frame) *syntax.Frame {
	return &syntax.Frame{Place: p.place(f.Tokens), Image: p.name(f.Image), Places: each(f.Places, p.framePlace),
		Value: p.expr(f.Value)}
}

func (p *parser) framePlace(f *grammar.Place) syntax.FramePlace {
	out := syntax.FramePlace{Place: p.place(f.Tokens), Star: f.Star}
	if !f.Star {
		out.Sign, out.N = f.Sign.Value[0], f.N.Value
	}
	return out
}

func (p *parser) rule(r *grammar.Rule) *syntax.Rule {
	name := p.name(r.Name)
	if r.Member != nil {
		name = member(name, p.name(r.Member.Token))
	}
	return &syntax.Rule{Place: p.place(r.Tokens), Name: name, Arg: p.expr(r.Arg)}
}

func (p *parser) function(d *grammar.Func, at syntax.Place) syntax.Decl {
	return &syntax.Func{Place: at, Commutative: d.Commutative, Name: p.name(d.Name), Tvars: p.names(d.Tvars),
		Params: each(d.Params, p.funcParam), Result: p.typeRef(d.Result), Value: p.expr(d.Value),
		Body: optional(d.Body, p.block)}
}

var directions = map[string]syntax.Dir{"in": syntax.In, "out": syntax.Out, "inout": syntax.InOut}

func direction(d *grammar.Dir) syntax.Dir {
	if d == nil {
		return syntax.NoDir
	}
	return directions[d.Token.Value]
}

func (p *parser) funcParam(f *grammar.FuncParam) *syntax.FuncParam {
	return &syntax.FuncParam{Place: p.place(f.Tokens), Dir: direction(f.Dir), Name: p.name(f.Name), Type: p.typeRef(f.Type)}
}

func (p *parser) extern(d *grammar.Extern, at syntax.Place) syntax.Decl {
	return &syntax.Extern{Place: at, Name: p.name(d.Name), Params: each(d.Params, p.funcParam),
		Result: optional(d.Result, p.typeRef),
		Access: each(d.Access, func(a *grammar.Access) *syntax.Access {
			return &syntax.Access{Place: p.place(a.Tokens), Writes: a.Kind.Value == "writes", Refs: p.exprs(a.Refs)}
		}),
		Sources: each(d.From, func(s *grammar.Source) *syntax.ExternSource {
			return &syntax.ExternSource{Place: p.place(s.Tokens), Lang: p.name(s.Lang), File: unquote(s.File)}
		})}
}

func (p *parser) kernel(d *grammar.Kernel, at syntax.Place) syntax.Decl {
	return &syntax.Kernel{Place: at, Pipeline: d.Word.Value == "pipeline", Name: p.name(d.Name), Tvars: p.names(d.Tvars),
		Params: each(d.Params, p.param), Body: p.block(d.Body)}
}

func (p *parser) param(d *grammar.Param) *syntax.Param {
	return &syntax.Param{Place: p.place(d.Tokens), Dir: direction(d.Dir), Name: p.name(d.Name), Mask: d.Mask,
		Type: p.typeRef(d.Type), Border: optional(d.Border, p.rule), Default: p.expr(d.Default)}
}

func (p *parser) schedule(d *grammar.Schedule, at syntax.Place) syntax.Decl {
	out := &syntax.Schedule{Place: at, Name: p.name(d.Name)}
	if d.Device != nil {
		out.Device, out.HasDevice = unquote(d.Device.Token), true
	}
	out.Stages = within(p, d.Stages.Group, inSchedule, p.grammar.Decision, p.decision)
	return out
}

func (p *parser) decision(d *grammar.Decision) *syntax.Decision {
	return &syntax.Decision{Place: p.place(d.Tokens), Label: p.path(d.Label), Items: each(d.Items, p.item)}
}

// path joins label.stage to one name.
func (p *parser) path(parts []*grammar.Name) syntax.Name {
	label := p.name(parts[0].Token)
	for _, part := range parts[1:] {
		label.Text += "." + part.Token.Value
		label.At = label.At.To(p.token(part.Token))
	}
	return label
}

func (p *parser) item(i *grammar.Item) *syntax.Item {
	return &syntax.Item{Place: p.place(i.Tokens), Name: p.name(i.Name), Paren: i.Paren, Args: each(i.Args, p.itemArg)}
}

func (p *parser) itemArg(a *grammar.ItemArg) *syntax.ItemArg {
	out := &syntax.ItemArg{Place: p.place(a.Tokens), Value: p.expr(a.Value), Int: a.Int.Value}
	if a.Name != nil {
		name := p.name(a.Name.Token)
		out.Name = &name
	}
	return out
}
