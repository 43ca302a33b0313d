package parser

import "imgc/syntax"

func (p *printer) decl(d syntax.Decl) {
	switch d := d.(type) {
	case *syntax.Import:
		p.importDecl(d)
	case *syntax.Const:
		p.t("const")
		p.blank()
		p.name(d.Name)
		p.typeBehind(d.Type)
		p.value(d.Value)
		p.t(";")
	case *syntax.Mask:
		p.t("mask")
		p.blank()
		p.name(d.Name)
		p.typeBehind(d.Type)
		p.value(d.Value)
		p.t(";")
	case *syntax.Domain:
		p.t("domain")
		p.blank()
		p.name(d.Name)
		for _, x := range d.Dims {
			p.t("[")
			p.subscript(x)
			p.t("]")
		}
		p.value(d.Value)
		p.t(";")
	case *syntax.Border:
		p.border(d)
	case *syntax.Func:
		p.function(d)
	case *syntax.Extern:
		p.extern(d)
	case *syntax.Kernel:
		p.kernel(d)
	case *syntax.Schedule:
		p.schedule(d)
	}
}

// words prints words with a blank behind each.
func (p *printer) words(words ...string) {
	for _, w := range words {
		p.t(w)
		p.blank()
	}
}

// anyToken prints the next token, whatever it is.
func (p *printer) anyToken() {
	if p.next < len(p.tokens) {
		p.token()
	} else {
		p.lost = true
	}
}

// typeBehind prints the colon and type behind a name, if there are any.
func (p *printer) typeBehind(t *syntax.Type) {
	if t != nil {
		p.t(":")
		p.blank()
		p.typeRef(t)
	}
}

// value prints = and a value, if there is one.
func (p *printer) value(x syntax.Expr) {
	if x != nil {
		p.blank()
		p.t("=")
		p.blank()
		p.expr(x)
	}
}

// list prints what each prints, with commas between, as one group.
func (p *printer) list(n int, each func(i int)) {
	p.group(func() { p.items(n, each) })
}

func (p *printer) items(n int, each func(i int)) {
	for i := range n {
		if i > 0 {
			p.t(",")
			p.brk()
		}
		each(i)
	}
}

// parens prints a list in parentheses.
func (p *printer) parens(n int, each func(i int)) {
	p.args(n, each, nil)
}

// args prints a list in parentheses with the iteration of a comprehension behind it, if there is one.
func (p *printer) args(n int, each func(i int), comp *syntax.Comp) {
	p.t("(")
	p.group(func() {
		if n > 0 {
			p.soft()
		}
		p.items(n, each)
		p.comp(comp)
	})
	p.t(")")
}

func (p *printer) importDecl(d *syntax.Import) {
	p.words("import")
	p.anyToken()
	if d.As != nil {
		p.blank()
		p.words("as")
		p.name(*d.As)
	}
	p.t(";")
}

func (p *printer) border(d *syntax.Border) {
	p.words("border")
	p.name(d.Name)
	p.t("(")
	p.name(d.Image)
	p.typeBehind(d.Elem)
	for _, n := range d.Sizes {
		p.t("[")
		p.name(n)
		p.t("]")
	}
	p.t(")")
	braces(p, d.Frames, p.frame)
	if d.Else == nil {
		return
	}
	p.opening()
	p.words("else")
	p.rule(d.Else)
	if p.next < len(p.tokens) && p.tokens[p.next].Value == ";" && p.tokens[p.next].Pos.Offset < d.At.End {
		p.t(";")
	}
}

func (p *printer) frame(f *syntax.Frame) {
	p.name(f.Image)
	for _, place := range f.Places {
		p.t("[")
		if place.Star {
			p.t("*")
		} else {
			p.t(string(place.Sign))
			p.t(place.N)
		}
		p.t("]")
	}
	p.value(f.Value)
	p.t(";")
}

func (p *printer) rule(r *syntax.Rule) {
	p.name(r.Name)
	if r.Arg != nil {
		p.t("(")
		p.expr(r.Arg)
		p.t(")")
	}
}

// borderRule prints the border clause of a parameter, image or view.
func (p *printer) borderRule(r *syntax.Rule) {
	if r != nil {
		p.brk()
		p.words("border")
		p.rule(r)
	}
}

func (p *printer) tvars(names []syntax.Name) {
	if len(names) > 0 {
		p.t("<")
		p.list(len(names), func(i int) { p.name(names[i]) })
		p.t(">")
	}
}

func (p *printer) funcParams(params []*syntax.FuncParam) {
	p.parens(len(params), func(i int) {
		f := params[i]
		p.dir(f.Dir)
		p.name(f.Name)
		p.typeBehind(f.Type)
	})
}

func (p *printer) dir(d syntax.Dir) {
	if d != syntax.NoDir {
		p.words(d.String())
	}
}

func (p *printer) function(d *syntax.Func) {
	if d.Commutative {
		p.words("commutative")
	}
	p.words("func")
	p.name(d.Name)
	p.tvars(d.Tvars)
	p.funcParams(d.Params)
	p.typeBehind(d.Result)
	if d.Body != nil {
		p.block(d.Body)
		return
	}
	p.value(d.Value)
	p.t(";")
}

func (p *printer) extern(d *syntax.Extern) {
	p.words("extern", "func")
	p.name(d.Name)
	p.funcParams(d.Params)
	p.typeBehind(d.Result)
	p.group(func() {
		for _, a := range d.Access {
			p.brk()
			p.t("reads", "writes")
			p.parens(len(a.Refs), func(i int) { p.expr(a.Refs[i]) })
		}
		p.brk()
		p.t("from")
		p.group(func() {
			for _, s := range d.Sources {
				p.brk()
				p.name(s.Lang)
				p.blank()
				p.anyToken()
			}
		})
	})
	p.t(";")
}

func (p *printer) kernel(d *syntax.Kernel) {
	p.words(map[bool]string{true: "pipeline", false: "kernel"}[d.Pipeline])
	p.name(d.Name)
	p.tvars(d.Tvars)
	p.parens(len(d.Params), func(i int) { p.param(d.Params[i]) })
	p.block(d.Body)
}

func (p *printer) param(d *syntax.Param) {
	p.group(func() {
		p.dir(d.Dir)
		p.name(d.Name)
		p.t(":")
		p.blank()
		if d.Mask {
			p.words("mask")
		}
		p.typeRef(d.Type)
		p.borderRule(d.Border)
		p.value(d.Default)
	})
}

func (p *printer) typeRef(t *syntax.Type) {
	p.name(t.Base)
	for _, d := range t.Dims {
		p.t("[")
		if d.Lo != nil {
			p.colons(d.Lo, d.Hi)
		} else {
			p.subscript(d.Hi)
		}
		p.t("]")
	}
}

func (p *printer) schedule(d *syntax.Schedule) {
	p.words("schedule")
	p.name(d.Name)
	if d.HasDevice {
		p.blank()
		p.words("on")
		p.anyToken()
	}
	braces(p, d.Stages, p.decision)
}

func (p *printer) decision(d *syntax.Decision) {
	for p.next < len(p.tokens) && p.tokens[p.next].Pos.Offset < d.Label.At.End {
		p.anyToken()
	}
	p.t(":")
	p.blank()
	p.group(func() {
		for i, item := range d.Items {
			if i > 0 {
				p.brk()
			}
			p.item(item)
		}
	})
	p.t(";")
}

func (p *printer) item(d *syntax.Item) {
	p.name(d.Name)
	if d.Paren {
		p.parens(len(d.Args), func(i int) { p.itemArg(d.Args[i]) })
	}
}

func (p *printer) itemArg(a *syntax.ItemArg) {
	if a.Name == nil {
		p.t(a.Int)
		return
	}
	p.name(*a.Name)
	if a.Value != nil {
		p.t(":")
		p.blank()
		p.expr(a.Value)
	}
}
