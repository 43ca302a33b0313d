package ctree

import (
	"fmt"
	"path"
	"strings"

	"imgc/source"
)

// Options of the printer.
type Options struct {
	Places     bool // a comment "// blur.img:7" before the first statement of each source line
	Directives bool // #line directives, so that compilers and debuggers name the source
}

const (
	indentStep = 4
	lineWidth  = 110
)

// Print writes a file. Lines has for each line of the text, the first at index 0, the source place that it comes from.
func Print(f *File, opts Options) (text string, lines []source.Span) {
	p := &printer{opts: opts}
	for i, d := range f.Decls {
		if i > 0 && apart(f.Decls[i-1], d) {
			p.blank()
		}
		p.decl(d)
	}
	return p.out.String(), p.lines
}

type printer struct {
	opts   Options
	out    strings.Builder
	lines  []source.Span
	indent int
	at     source.Span // of what is being printed
	noted  int         // the source line of the last place comment
	next   int         // the source line that a compiler takes the next line for; 0 if it is of the generated file
}

// line writes one line as it is.
func (p *printer) line(s string) {
	p.out.WriteString(strings.TrimRight(s, " "))
	p.out.WriteByte('\n')
	p.lines = append(p.lines, p.at)
	if p.next > 0 {
		p.next++
	}
}

func (p *printer) blank() { p.line("") }

func (p *printer) pad() string { return strings.Repeat(" ", p.indent*indentStep) }

// text writes an inline, broken where it is too long; further lines are indented by extra steps.
func (p *printer) text(b *inline, extra int) {
	first := p.indent * indentStep
	for _, l := range wrap(b.String(), b.breaks, first, first+extra*indentStep, lineWidth) {
		p.line(l)
	}
}

// put writes a short line.
func (p *printer) put(s string) { p.line(p.pad() + s) }

// comment writes each line of a text as a comment.
func (p *printer) comment(text string) {
	for _, l := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		// A backslash at its end would draw the next line into the comment.
		l = strings.TrimRight(l, " \t\r")
		if strings.HasSuffix(l, `\`) {
			l += "."
		}
		p.put(strings.TrimRight("// "+l, " "))
	}
}

func (p *printer) doc(text string) {
	if text != "" {
		p.comment(text)
	}
}

// enter notes the source place of what follows.
func (p *printer) enter(at source.Span) {
	p.at = at
	if !at.IsValid() {
		return
	}
	line := at.Line()
	if p.opts.Places && line != p.noted {
		p.put(fmt.Sprintf("// %s:%d", path.Base(at.File.Name), line))
	}
	p.noted = line
	if p.opts.Directives && line != p.next {
		p.line(fmt.Sprintf("#line %d %s", line, Quote(at.File.Told())))
		p.next = line
	}
}

// apart reports whether an empty line stands between two declarations.
func apart(before, after Decl) bool {
	if r, ok := before.(*Remark); ok && !r.Apart {
		return false
	}
	_, d1 := before.(Directive)
	_, d2 := after.(Directive)
	if d1 && d2 {
		return false
	}
	f1, ok1 := before.(*Func)
	f2, ok2 := after.(*Func)
	if ok1 && ok2 && f1.Prototype && f2.Prototype && f2.Doc == "" {
		return false
	}
	t1, ok1 := before.(*Typedef)
	t2, ok2 := after.(*Typedef)
	return !(ok1 && ok2 && t1 != nil && t2.Doc == "")
}

func (p *printer) decl(d Decl) {
	p.at, p.noted = source.Span{}, 0
	switch d := d.(type) {
	case *Func:
		p.function(d)
	case *Global:
		p.doc(d.Doc)
		p.at = d.At
		p.declare(d.Prefix, d.Type, d.Name, d.Init)
	case *Struct:
		p.structure(d)
	case *Enum:
		p.enum(d)
	case *Typedef:
		p.doc(d.Doc)
		p.put("typedef " + Declarator(d.Type, d.Name) + ";")
	case Directive:
		p.line(d.Text)
	case *Remark:
		p.comment(d.Text)
	case *Raw:
		p.raw(d.Text)
	}
}

func (p *printer) raw(text string) {
	for _, l := range strings.Split(strings.Trim(text, "\n"), "\n") {
		p.line(l)
	}
}

func (p *printer) function(f *Func) {
	p.doc(f.Doc)
	p.at = f.At
	if f.Head != "" {
		p.put(f.Head)
	}
	var b inline
	if f.Prefix != "" {
		b.write(f.Prefix + " ")
	}
	b.write(Declarator(f.Result, f.Name+"("))
	for i, param := range f.Params {
		if i > 0 {
			b.write(",")
			b.space(0)
		}
		b.declarator(param.Type, param.Name)
	}
	if len(f.Params) == 0 {
		b.write("void")
	}
	if b.write(")"); f.Prototype {
		b.write(";")
	}
	p.text(&b, 1)
	if f.Prototype {
		return
	}
	p.put("{")
	p.body(f.Body)
	p.at = source.Span{}
	p.put("}")
}

func (p *printer) structure(s *Struct) {
	p.doc(s.Doc)
	head := "struct " + s.Name + " {"
	end := "};"
	if s.Typedef {
		head, end = "typedef "+head, "} "+s.Name+";"
	}
	p.put(head)
	p.indent++
	for _, f := range s.Fields {
		p.doc(f.Doc)
		p.put(Declarator(f.Type, f.Name) + ";")
	}
	p.indent--
	p.put(end)
}

func (p *printer) enum(e *Enum) {
	p.doc(e.Doc)
	head := "enum " + e.Name + " {"
	end := "};"
	if e.Typedef {
		head, end = "typedef "+head, "} "+e.Name+";"
	}
	p.put(head)
	p.indent++
	for i, v := range e.Values {
		p.doc(v.Doc)
		text := v.Name
		if v.Value != nil {
			text += " = " + Text(v.Value)
		}
		if i < len(e.Values)-1 {
			text += ","
		}
		p.put(text)
	}
	p.indent--
	p.put(end)
}
