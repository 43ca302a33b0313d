package generate

import (
	"fmt"
	"slices"
	"strings"

	"imgc/types"
)

// A chain is a program such as images are mostly worked on with: every stage computes each of its pixels from windows of some images
// before it, of the same extents, half or twice as many. Of such stages compilers fuse, inline, separate and join most; all that this
// depends on is left to chance, and nothing else.
type chain struct {
	*generator
	kind   types.Kind // computed in
	rank   int
	planes []*plane // that hold something
	params []string
	lines  []string
}

// A plane is an image of a chain.
type plane struct {
	name string
	kind types.Kind
	size int // of the table scales
}

// scales are extents in terms of a size name; neighbours are twice as large, but for what is rounded.
var scales = []string{"(%s + 1)/2", "%s", "2*%s"}

const full = 1 // the scale of images that are given

// pixelsOfChains is about how many pixels their images have: there have to be blocks that lie inside of images.
const pixelsOfChains = 3000

// chainProgram is a whole program of that sort, and how it is tried.
func (g *generator) chainProgram() (directives, text string) {
	c := &chain{generator: g, kind: types.I32, rank: 1 + min(1, g.IntN(4))}
	mode := "strict"
	switch {
	case g.chance(30):
		c.kind = types.F32
	case g.chance(20):
		mode = pick(g, []string{"contract", "fast"})
	}
	for range 1 + g.IntN(2) {
		c.planes = append(c.planes, c.param("in", full))
	}
	if g.chance(30) {
		c.planes = append(c.planes, c.param("inout", full))
	}
	steps := []weighted[func()]{
		{50, c.computed}, {20, c.stated}, {8, c.updated}, {6, c.summed}, {8, c.colours}, {8, c.counted}, {10, c.pyramid}, {7, c.repeated},
		{6, c.padded}, {5, c.part},
	}
	for range 2 + g.IntN(5) {
		choose(g, steps)()
	}
	for range 1 + g.IntN(2) {
		m := c.param("out", c.scale())
		c.lines = append(c.lines, fmt.Sprintf("%s = [%s for %s];", m.name, c.pixel(m, 2), c.vars()))
	}
	extents := pick(g, []int{7, 33, 256, 4096})
	return fmt.Sprintf("%s, large %d, extents %d", mode, pixelsOfChains, extents),
		fmt.Sprintf("pipeline run(%s) %s", strings.Join(c.params, ", "), block(strings.Join(c.lines, "\n")+"\n"))
}

// scale is that of a new image: one next to that of an image that is there.
func (c *chain) scale() int {
	at := pick(c.generator, c.planes).size + pick(c.generator, []int{0, 0, 0, 0, -1, 1})
	return max(0, min(at, len(scales)-1))
}

// declaration is an image that all reads of it have a border rule for.
func (c *chain) declaration(m *plane) string {
	text := fmt.Sprintf("%s: %s", m.name, m.kind)
	for _, s := range c.names() {
		text += "[" + fmt.Sprintf(scales[m.size], s) + "]"
	}
	return text + " border " + c.rule(c.rank, types.Scalar(m.kind))
}

func (c *chain) names() []string { return sizeNames[c.rank] }
func (c *chain) vars() string    { return strings.Join(axes[c.rank], ", ") }

// element is the kind of an image, from which and to which the chain's own converts.
func (c *chain) element() types.Kind {
	if c.kind.IsFloat() && c.chance(50) {
		return types.F32
	}
	return pick(c.generator, []types.Kind{types.U8, types.U8, types.U8, types.U16, types.I16, types.I32})
}

func (c *chain) param(direction string, size int) *plane {
	m := &plane{name: c.generator.name("p"), kind: c.element(), size: size}
	c.params = append(c.params, direction+" "+c.declaration(m))
	return m
}

// computed is a new image of one expression.
func (c *chain) computed() {
	m := &plane{name: c.generator.name("t"), kind: c.element(), size: c.scale()}
	c.lines = append(c.lines, fmt.Sprintf("image %s = [%s for %s];", c.declaration(m), c.pixel(m, 2), c.vars()))
	c.planes = append(c.planes, m)
}

// stated is a new image whose pixels are computed in some steps, for a part of it at times.
func (c *chain) stated() {
	m := &plane{name: c.generator.name("t"), kind: c.element(), size: c.scale()}
	v, w := c.generator.name("v"), c.generator.name("w")
	where := ""
	if c.chance(15) {
		where = fmt.Sprintf(" where (%s > 3)", c.value(m, 0))
	}
	c.lines = append(c.lines, fmt.Sprintf("image %s;\niterate (%s) over %s%s {\n    let %s = %s;\n    var %s = %s;\n    %s\n    %s = %s;\n}",
		c.declaration(m), c.vars(), m.name, where, v, c.value(m, 2), w, c.value(m, 1),
		fmt.Sprintf(pick(c.generator, []string{"if (%[1]s > %[2]s) %[2]s = %[1]s;", "for (n in 0:3) %[2]s += %[1]s;", "%[2]s = %[1]s - %[2]s;"}), v, w),
		m.name+c.at(0), c.stored(m, c.combined(v, w))))
	c.planes = append(c.planes, m)
}

// updated changes an image in place: its own pixel, and windows of others.
func (c *chain) updated() {
	m := pick(c.generator, c.planes)
	if strings.HasPrefix(c.inputs(), m.name) || !c.writable(m) {
		c.computed()
		return
	}
	others := slices.DeleteFunc(slices.Clone(c.planes), func(o *plane) bool { return o == m })
	if len(others) == 0 {
		return
	}
	planes := c.planes
	c.planes = others
	value := c.value(m, 1)
	c.planes = planes
	own := m.name + c.at(0)
	c.lines = append(c.lines, fmt.Sprintf("iterate (%s) over %s\n    %s = %s;", c.vars(), m.name, own,
		c.stored(m, c.combined(fmt.Sprintf("%s(%s)", c.kind, own), value))))
}

// inputs are the parameters so far, as the program has them.
func (c *chain) inputs() string { return strings.Join(c.params, "; ") }

func (c *chain) writable(m *plane) bool { return !strings.Contains(c.inputs(), "in "+m.name+":") }

// summed is a value of all pixels of an image, exact whatever the order, that an image is made of.
func (c *chain) summed() {
	from := pick(c.generator, c.planes)
	m := &plane{name: c.generator.name("t"), kind: c.element(), size: full}
	s := c.generator.name("s")
	of := pick(c.generator, []string{"sum", "min", "max"})
	c.lines = append(c.lines, fmt.Sprintf("let %s = %s(sat<i16>(%s%s) for (%s) over %s);", s, of, from.name, c.at(0), c.vars(), from.name),
		fmt.Sprintf("image %s = [%s for %s];", c.declaration(m), c.stored(m, fmt.Sprintf("%s(%s) + %s", c.kind, s, c.value(m, 1))), c.vars()))
	c.planes = append(c.planes, m)
}

// colours writes three planes of one image, or a vector, with each instance, and an image of these.
func (c *chain) colours() {
	if c.rank == 1 {
		c.computed()
		return
	}
	m := &plane{kind: c.element(), size: full}
	name, rule := c.generator.name("rgb"), pick(c.generator, plainRules)
	values := []string{c.pixel(m, 1), c.pixel(m, 1), c.pixel(m, 1)}
	sum := &plane{name: c.generator.name("t"), kind: c.element(), size: full}
	if c.chance(50) {
		c.lines = append(c.lines, fmt.Sprintf("image %s: %sx3[H][W] border %s = [%sx3(%s) for y, x];", name, m.kind, rule, m.kind, strings.Join(values, ", ")))
		c.lines = append(c.lines, fmt.Sprintf("image %s = [%s for y, x];", c.declaration(sum),
			c.stored(sum, fmt.Sprintf("%[1]s(%[2]s[y][x - 1].x) + %[1]s(%[2]s[y + 1][x].y) - %[1]s(%[2]s[y][x].z)", c.kind, name))))
	} else {
		c.lines = append(c.lines, fmt.Sprintf("image %s: %s[3][H][W] border %s;\niterate (y in 0:H, x in 0:W) {", name, m.kind, rule))
		for i, v := range values {
			c.lines = append(c.lines, fmt.Sprintf("    %s[%d][y][x] = %s;", name, i, v))
		}
		c.lines = append(c.lines, "}", fmt.Sprintf("image %s = [%s for y, x];", c.declaration(sum),
			c.stored(sum, fmt.Sprintf("%[1]s(%[2]s[0][y][x - 1]) + %[1]s(%[2]s[1][y + 1][x]) - %[1]s(%[2]s[2][y][x])", c.kind, name))))
	}
	c.planes = append(c.planes, sum)
}

// padded is a new image of pixels of one that is given, without a border rule: it has some more in each direction than the new one.
func (c *chain) padded() {
	m := &plane{name: c.generator.name("t"), kind: c.element(), size: full}
	wide, kind := c.generator.name("p"), c.element()
	text := fmt.Sprintf("in %s: %s", wide, kind)
	var more []int
	for _, s := range c.names() {
		more = append(more, c.IntN(6))
		text += fmt.Sprintf("[%s + %d]", s, more[len(more)-1])
	}
	c.params = append(c.params, text)
	value := c.value(m, 1)
	for range 1 + c.IntN(3) {
		at := ""
		for i, x := range axes[c.rank] {
			at += fmt.Sprintf("[%s + %d]", x, c.IntN(more[i]+1))
		}
		value = c.combined(value, fmt.Sprintf("%s(%s%s)", c.kind, wide, at))
	}
	c.lines = append(c.lines, fmt.Sprintf("image %s = [%s for %s];", c.declaration(m), c.stored(m, value), c.vars()))
	c.planes = append(c.planes, m)
}

// part is a new image of which only a rectangle is computed; the rest is zeros.
func (c *chain) part() {
	m := &plane{name: c.generator.name("t"), kind: c.element(), size: full}
	var ranges []string
	for i, s := range c.names() {
		end := pick(c.generator, []string{"%s", "%s - 1", "%s - 4", "%s/2"})
		ranges = append(ranges, fmt.Sprintf("%s in %d:"+end, axes[c.rank][i], c.IntN(5), s))
	}
	c.lines = append(c.lines, fmt.Sprintf("image %s;\niterate (%s)\n    %s = %s;", c.declaration(m), strings.Join(ranges, ", "), m.name+c.at(0), c.pixel(m, 1)))
	c.planes = append(c.planes, m)
}

// repeated computes a new image from windows of an older one and puts it in its place, again and again.
func (c *chain) repeated() {
	from := pick(c.generator, c.planes)
	size, kind := from.size, c.element()
	m, next := &plane{name: c.generator.name("t"), kind: kind, size: size}, &plane{name: c.generator.name("t"), kind: kind, size: size}
	first := c.stored(m, fmt.Sprintf("%s(%s%s)", c.kind, from.name, c.at(0)))
	c.lines = append(c.lines, fmt.Sprintf("image %s = [%s for %s];", c.declaration(m), first, c.vars()), fmt.Sprintf("image %s;", c.declaration(next)))
	planes, read := c.planes, []*plane{m, m}
	if c.chance(40) {
		read = append(read, from)
	}
	c.planes = read
	value := c.pixel(next, 1)
	c.planes = append(planes, m)
	c.lines = append(c.lines, fmt.Sprintf("for (n in 0:%d) {\n    %s = [%s for %s];\n    swap(%s, %s);\n}", 1+c.IntN(9), next.name, value, c.vars(),
		m.name, next.name))
}

// counted is a histogram, or what is written somewhere else in its own image.
func (c *chain) counted() {
	name, m := c.generator.name("hist"), pick(c.generator, c.planes)
	c.params = append(c.params, fmt.Sprintf("out %s: u32[64]", name))
	if c.chance(70) {
		c.lines = append(c.lines, fmt.Sprintf("%s = %d;", name, c.IntN(9)))
	}
	c.lines = append(c.lines, fmt.Sprintf("iterate (%s) over %s\n    %s[sat<u8>(%s) / 4] += 1;", c.vars(), m.name, name, c.value(m, 1)))
}

// pyramid takes an image apart and puts it together again, with stages between that belong to their level.
func (c *chain) pyramid() {
	from := pick(c.generator, c.planes)
	if c.rank == 1 || from.size != full {
		c.computed()
		return
	}
	p, q := c.generator.name("pyr"), c.generator.name("pyr")
	rule, kind := pick(c.generator, plainRules), c.element()
	down := pick(c.generator, []string{"sum(%[2]s(%[1]s[-1][2*y - 1 : 3][2*x : 3])) / 9", "%[2]s(%[1]s[-1][2*y][2*x]) + %[2]s(%[1]s[-1][2*y + 1][2*x - 1])"})
	up := pick(c.generator, []string{"%[2]s(%[1]s[+1][y/2][x/2])", "%[2]s(%[1]s[+1][(y + 1)/2][(x + 1)/2 - 1]) + %[2]s(%[1]s[+1][y/2][x/2])"})
	local := c.generator.name("d")
	between := fmt.Sprintf("image %[1]s: %[2]s[%[3]s[0].height][%[3]s[0].width] border %[4]s = [%[2]s(%[5]s(%[3]s[0][y][x]) - %[6]s) for y, x];\n        ",
		local, kind, p, rule, c.kind, fmt.Sprintf(up, p, c.kind))
	back := fmt.Sprintf("%[1]s(%[2]s[y][x - 1]) + %[1]s(%[2]s[y + 1][x]) + %[3]s", c.kind, local, fmt.Sprintf(up, q, c.kind))
	if c.chance(30) {
		between, back = "", fmt.Sprintf("%s(%s[0][y][x]) + %s", c.kind, p, fmt.Sprintf(up, q, c.kind))
	}
	m := &plane{name: c.generator.name("t"), kind: c.element(), size: full}
	c.lines = append(c.lines, fmt.Sprintf(`pyramid %[1]s: %[3]s[H][W] border %[4]s levels %[5]s;
pyramid %[2]s: %[3]s[H][W] border %[4]s levels %[5]s;
%[1]s[0] = [%[3]s(%[6]s[y][x]) for y, x];
traverse (%[1]s, %[2]s) {
    if (!%[1]s.top)
        %[1]s[0] = [%[3]s(%[7]s) for y, x];
    descend;
    if (%[1]s.bottom)
        %[2]s[0] = %[1]s[0];
    else {
        %[8]s%[2]s[0] = [%[3]s(%[9]s) for y, x];
    }
}`, p, q, kind, rule, pick(c.generator, []string{"1", "2", "4", "clamp(H, 1, 5)"}), from.name, fmt.Sprintf(down, p, c.kind), between, back),
		fmt.Sprintf("image %s = [%s for y, x];", c.declaration(m), c.stored(m, fmt.Sprintf("%s(%s[0][y][x]) + %s", c.kind, q, c.value(m, 0)))))
	c.planes = append(c.planes, m)
}

// stored converts a value to the kind of an image: by cutting off where it may lie outside, or by leaving bits out.
func (c *chain) stored(m *plane, value string) string {
	if m.kind == c.kind {
		return value
	}
	if c.kind.IsFloat() || c.chance(40) {
		return fmt.Sprintf("sat<%s>(%s)", m.kind, value)
	}
	return fmt.Sprintf("%s(%s)", m.kind, value)
}

// pixel is the value that a pixel of m gets.
func (c *chain) pixel(m *plane, depth int) string { return c.stored(m, c.value(m, depth)) }

var combinations = []string{"(%s + %s)", "(%s - %s)", "max(%s, %s)", "min(%s, %s)", "(3*%s + %s)", "(%s - 2*%s)", "abs(%s - %s)", "(%s * %s)"}

// combined is made of two values.
func (c *chain) combined(a, b string) string {
	form := pick(c.generator, combinations)
	text := fmt.Sprintf(form, a, b)
	if strings.HasPrefix(form, "m") {
		return c.unsigned(text)
	}
	return text
}

// unsigned adds zero to what may be a zero of either sign.
func (c *chain) unsigned(text string) string {
	if !c.kind.IsFloat() {
		return text
	}
	return "(" + text + " + 0.0)"
}

// value is an expression of the chain's kind, of windows of images near the instance's pixel of m.
func (c *chain) value(m *plane, depth int) string {
	if depth > 0 && c.chance(60) {
		a, b := c.value(m, depth-1), c.value(m, depth-1)
		if c.chance(10) {
			return fmt.Sprintf("(%s > %s ? %s : %s)", c.value(m, 0), c.value(m, 0), a, b)
		}
		return c.combined(a, b)
	}
	var able []*plane
	for _, p := range c.planes {
		if p.size-m.size <= 1 && m.size-p.size <= 1 {
			able = append(able, p)
		}
	}
	if len(able) == 0 {
		return fmt.Sprintf("%s(7)", c.kind)
	}
	switch p := pick(c.generator, able[max(0, len(able)-3):]); p.size - m.size { // of the last ones: chains are long rather than broad
	case 0:
		return c.near(p)
	case 1:
		return c.coarser(p)
	default:
		return c.finer(p)
	}
}

// at is a place near the instance's, as coordinates; 0 is its own.
func (c *chain) at(reach int) string {
	text := ""
	for _, v := range axes[c.rank] {
		if by := c.IntN(2*reach+1) - reach; by != 0 {
			v += fmt.Sprintf(" %+d", by)
		}
		text += "[" + v + "]"
	}
	return text
}

// window is so many pixels along each axis, which begin where the axis says, and a little before or behind the instance's own.
func (c *chain) window(start string, least int) string {
	text := ""
	for _, v := range axes[c.rank] {
		n := least + c.IntN(4)
		if c.chance(6) {
			n = 9
		}
		text += fmt.Sprintf("[%s %+d : %d]", fmt.Sprintf(start, v), -c.IntN(n+1), n)
	}
	return text
}

// near reads an image of the same extents.
func (c *chain) near(p *plane) string {
	switch roll := c.IntN(10); {
	case roll < 2:
		return fmt.Sprintf("%s(%s%s)", c.kind, p.name, c.at(0))
	case roll < 4:
		return fmt.Sprintf("%s(%s%s)", c.kind, p.name, c.at(3))
	case roll < 7:
		of := pick(c.generator, []string{"sum", "sum", "sum", "max", "min", "median"})
		text := fmt.Sprintf("%s(%s(%s%s))", of, c.kind, p.name, c.window("%s", 1))
		if of == "sum" {
			return text
		}
		return c.unsigned(text)
	case roll < 8:
		return fmt.Sprintf("%s(sum(%s(%s[%s]) for %s))", c.kind, c.kind, p.name, strings.Join(c.offsets(), "]["), c.ranges())
	default:
		return fmt.Sprintf("%s(convolve(%s, %s%s))", c.kind, c.weights(p), p.name, c.at(1))
	}
}

// offsets and ranges are of a sum that is written out over variables.
func (c *chain) offsets() []string {
	var list []string
	for _, v := range axes[c.rank] {
		list = append(list, v+" + "+v+v)
	}
	return list
}

func (c *chain) ranges() string {
	var list []string
	for _, v := range axes[c.rank] {
		low := -c.IntN(3)
		list = append(list, fmt.Sprintf("%s in %d:%d", v+v, low, low+1+c.IntN(5)))
	}
	return strings.Join(list, ", ")
}

// weights is a mask: any, symmetric, or the product of a column and a row.
func (c *chain) weights(p *plane) string {
	kind := types.I32
	if c.kind.IsFloat() && p.kind != types.I32 {
		kind = types.F32
	}
	if c.rank == 1 || c.chance(40) {
		return c.mask(kind, c.rank)
	}
	name := c.generator.name("m")
	c.apart(func() string {
		column, row := c.coefficients(kind), c.coefficients(kind)
		rows := make([]string, len(column))
		for j, a := range column {
			products := make([]string, len(row))
			for i, b := range row {
				products[i] = a + "*" + b
			}
			rows[j] = "[" + strings.Join(products, ", ") + "]"
		}
		return fmt.Sprintf("mask %s: %s[%d][%d] = [%s];\n", name, kind, len(column), len(row), strings.Join(rows, ", "))
	})
	return name
}

// coefficients are those of a line, symmetric at times.
func (c *chain) coefficients(k types.Kind) []string {
	list := make([]string, 1+2*c.IntN(4)/2)
	for i := range list {
		list[i] = pick(c.generator, []string{"1", "2", "-1", "3", "0", "6"})
		if k.IsFloat() {
			list[i] += pick(c.generator, []string{".0", ".5", ".25"})
		}
	}
	if c.chance(50) {
		for i := range len(list) / 2 {
			list[len(list)-1-i] = list[i]
		}
	}
	return list
}

// coarser reads an image of twice as many pixels along each axis.
func (c *chain) coarser(p *plane) string {
	if c.chance(50) {
		return fmt.Sprintf("sum(%s(%s%s))", c.kind, p.name, c.window("2*%s", 2))
	}
	text := ""
	for _, v := range axes[c.rank] {
		text += fmt.Sprintf("[2*%s %+d]", v, c.IntN(4)-1)
	}
	return fmt.Sprintf("%s(%s%s)", c.kind, p.name, text)
}

// finer reads an image of half as many, one pixel or between two.
func (c *chain) finer(p *plane) string {
	read := func() string {
		text := ""
		for _, v := range axes[c.rank] {
			text += fmt.Sprintf(pick(c.generator, []string{"[%s/2]", "[%s/2]", "[(%s + 1)/2]", "[(%s + 1)/2 - 1]", "[%s/2 + 1]", "[(%s + 3)/2 - 2]"}), v)
		}
		return fmt.Sprintf("%s(%s%s)", c.kind, p.name, text)
	}
	if c.chance(50) {
		return read()
	}
	return fmt.Sprintf("(3*%s + %s)", read(), read())
}
