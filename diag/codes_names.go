package diag

// nameEntries documents IMG02xx: names, types, expressions and statements.
var nameEntries = []Entry{
	{
		Code: UnknownName, Since: "0.1",
		Title: "name that is not declared",
		Text: "A name stands for a declaration of the file, of the pipeline or of an enclosing block, or for a built-in " +
			"function. Declarations of the file may come in any order; names of a pipeline or body are known from " +
			"their declaration on. Functions of other languages are reported with their name here.",
		Failing: `pipeline p(in src: u8[H][W], out dst: u8[H][W]) {
    iterate (y, x) over dst {
        dst[y][x] = u8(fabs(f32(src[y][x]) - 7.0));
    }
}
`,
		Mended: `pipeline p(in src: u8[H][W], out dst: u8[H][W]) {
    iterate (y, x) over dst {
        dst[y][x] = u8(abs(f32(src[y][x]) - 7.0));
    }
}
`,
	},
	{
		Code: HiddenName, Since: "0.1",
		Title: "name that is declared twice or hides another",
		Text: "No declaration hides a visible name, so that a name means one thing wherever it is read. Built-in " +
			"functions cannot be declared again as funcs.",
		Failing: `pipeline p(in src: u8[H][W], out dst: u8[H][W]) {
    iterate (y, x) over dst {
        let W = src[y][x];
        dst[y][x] = u8(W / 2);
    }
}
`,
		Mended: `pipeline p(in src: u8[H][W], out dst: u8[H][W]) {
    iterate (y, x) over dst {
        let w = src[y][x];
        dst[y][x] = u8(w / 2);
    }
}
`,
	},
	{
		Code: UnknownType, Since: "0.1",
		Title: "type that does not exist",
		Text: "Scalar types say what they hold: bool, i8 to i64, u8 to u64, f16, bf16, f32, f64; a vector of 2 to 4 is " +
			"f32x3. Types of C and OpenCL are reported with their spelling here.",
		Failing: `func half(a: float): f32 = a * 0.5;
`,
		Mended: `func half(a: f32): f32 = a * 0.5;
`,
	},
	{
		Code: NoCommonType, Since: "0.1",
		Title: "operands without a common type",
		Text: "Operands meet in a type that holds all values of both. Signed and unsigned integers of one width have no " +
			"such type, so the program says which it wants. Literals take the type of the other operand where that " +
			"holds them.",
		Failing: `pipeline p(in sizes: u32[H][W], out dst: u8[H][W]) {
    iterate (y, x) over dst {
        dst[y][x] = u8(sizes[y][x] + y);
    }
}
`,
		Mended: `pipeline p(in sizes: u32[H][W], out dst: u8[H][W]) {
    iterate (y, x) over dst {
        dst[y][x] = u8(sizes[y][x] + u32(y));
    }
}
`,
	},
	{
		Code: ImplicitConversion, Since: "0.1",
		Title: "conversion that has to be written",
		Text: "A value becomes another type by itself only where nothing can be lost: an integer a wider integer or a " +
			"float, a float a wider float. All else is written: T(e) wraps integers and truncates floats, sat<T>(e) " +
			"rounds and saturates. Integers under 32 bits are computed in i32.",
		Failing: `pipeline p(in src: u8[H][W], out dst: u8[H][W]) {
    iterate (y, x) over dst {
        dst[y][x] = src[y][x] * 0.5;
    }
}
`,
		Mended: `pipeline p(in src: u8[H][W], out dst: u8[H][W]) {
    iterate (y, x) over dst {
        dst[y][x] = sat<u8>(src[y][x] * 0.5);
    }
}
`,
	},
	{
		Code: OperandKind, Since: "0.1",
		Title: "operand of a kind that the operator does not take",
		Text: "Logical operators take bools, bitwise operators and shifts take integers, and an integer is no " +
			"condition.",
		Failing: `pipeline p(in src: u8[H][W], out dst: u8[H][W]) {
    iterate (y, x) over dst {
        dst[y][x] = !src[y][x] ? 1 : 0;
    }
}
`,
		Mended: `pipeline p(in src: u8[H][W], out dst: u8[H][W]) {
    iterate (y, x) over dst {
        dst[y][x] = src[y][x] == 0 ? 1 : 0;
    }
}
`,
	},
	{
		Code: ArgumentCount, Since: "0.1",
		Title: "wrong number of arguments",
		Text: "A func or built-in is called with as many arguments as it has parameters. A conversion to a scalar type " +
			"takes one.",
		Failing: `pipeline p(in src: u8[H][W], out dst: u8[H][W]) {
    iterate (y, x) over dst {
        dst[y][x] = u8(clamp(src[y][x], 10));
    }
}
`,
		Mended: `pipeline p(in src: u8[H][W], out dst: u8[H][W]) {
    iterate (y, x) over dst {
        dst[y][x] = u8(clamp(src[y][x], 10, 200));
    }
}
`,
	},
	{
		Code: WrongUse, Since: "0.1",
		Title: "name that is used as something else",
		Text: "An image is read by subscripts, the slowest axis first; a func is called; an offset of a domain has " +
			"parts. None of them is a value by itself.",
		Failing: `pipeline p(in src: u8[H][W], out dst: u8[H][W]) {
    iterate (y, x) over dst {
        dst[y][x] = src(x, y);
    }
}
`,
		Mended: `pipeline p(in src: u8[H][W], out dst: u8[H][W]) {
    iterate (y, x) over dst {
        dst[y][x] = src[y][x];
    }
}
`,
	},
	{
		Code: UnknownField, Since: "0.1",
		Title: "component or part that does not exist",
		Text: "The components of a vector are .x .y .z .w or .r .g .b .a, up to four of one row together. An image has " +
			".height and .width, an offset of a domain .y and .x.",
		Failing: `pipeline p(in src: u8[H][W], out dst: u8[H][W]) {
    iterate (y, x) over dst {
        dst[y][x] = u8(src.cols - 1);
    }
}
`,
		Mended: `pipeline p(in src: u8[H][W], out dst: u8[H][W]) {
    iterate (y, x) over dst {
        dst[y][x] = u8(src.width - 1);
    }
}
`,
	},
	{
		Code: BadSubscript, Since: "0.1",
		Title: "subscripts that do not fit",
		Text: "An image takes one subscript for each axis, an array one for each extent, a vector one, the number of a component. A subscript is " +
			"an integer; start : count makes a window of an image.",
		Failing: `pipeline p(in src: u8[H][W], out dst: u8[H][W]) {
    iterate (y, x) over dst {
        dst[y][x] = src[y][x][0];
    }
}
`,
		Mended: `pipeline p(in src: u8[H][W], out dst: u8[H][W]) {
    iterate (y, x) over dst {
        dst[y][x] = src[y][x];
    }
}
`,
	},
	{
		Code: ShapeMismatch, Since: "0.1",
		Title: "vectors or arrays that do not fit",
		Text: "Operators work component by component and element by element, so shapes must be equal; a scalar is " +
			"repeated. * of two arrays is the matrix product, .* and ./ work element by element.",
		Failing: `const A = [1, 2, 3] + [1, 2];
`,
		Mended: `const A = [1, 2, 3] + [1, 2, 0];
`,
	},
	{
		Code: NotAssignable, Since: "0.1",
		Title: "assignment to what does not change",
		Text: "A var, a pixel and an out parameter can be assigned to. A let has one value, iteration variables and " +
			"parameters keep theirs, and a vector is assigned as a whole.",
		Failing: `pipeline p(in src: u8[H][W], out dst: u8[H][W]) {
    iterate (y, x) over dst {
        let v = 1;
        v = 2;
        dst[y][x] = u8(v);
    }
}
`,
		Mended: `pipeline p(in src: u8[H][W], out dst: u8[H][W]) {
    iterate (y, x) over dst {
        var v = 1;
        v = 2;
        dst[y][x] = u8(v);
    }
}
`,
	},
	{
		Code: NotBool, Since: "0.1",
		Title: "condition that is not a bool",
		Text: "if, while, where and ?: take a scalar bool; a number is compared with 0. For vectors there are any(c), " +
			"all(c) and select(c, a, b).",
		Failing: `pipeline p(in src: u8[H][W], out dst: u8[H][W]) {
    iterate (y, x) over dst {
        dst[y][x] = src[y][x] ? 1 : 0;
    }
}
`,
		Mended: `pipeline p(in src: u8[H][W], out dst: u8[H][W]) {
    iterate (y, x) over dst {
        dst[y][x] = src[y][x] != 0 ? 1 : 0;
    }
}
`,
	},
	{
		Code: MissingReturn, Since: "0.1",
		Title: "func that ends without a value",
		Text:  "Every path through a func ends in a return with a value of the result's type.",
		Failing: `func sign_of(a: f32): f32 {
    if (a > 0) return 1;
    if (a < 0) return -1;
}
`,
		Mended: `func sign_of(a: f32): f32 {
    if (a > 0) return 1;
    if (a < 0) return -1;
    return 0;
}
`,
	},
	{
		Code: Recursion, Since: "0.1",
		Title: "func that calls itself",
		Text:  "Devices have no stack, so a func may not call itself, directly or through others.",
		Failing: `func power(a: f32, n: i32): f32 = n == 0 ? 1.0 : a * power(a, n - 1);
`,
		Mended: `func power(a: f32, n: i32): f32 {
    var p = 1.0;
    for (i in 0:n) p *= a;
    return p;
}
`,
	},
	{
		Code: VectorParts, Since: "0.1",
		Title: "vector made of the wrong parts",
		Text: "A vector is made of one scalar, which is repeated, or of scalars and vectors that together have its " +
			"number of components.",
		Failing: `pipeline p(in src: u8[H][W], out dst: f32x3[H][W]) {
    iterate (y, x) over dst {
        dst[y][x] = f32x3(src[y][x], 0);
    }
}
`,
		Mended: `pipeline p(in src: u8[H][W], out dst: f32x3[H][W]) {
    iterate (y, x) over dst {
        dst[y][x] = f32x3(src[y][x], 0, 0);
    }
}
`,
	},
	{
		Code: Misplaced, Since: "0.1",
		Title: "statement in the wrong place",
		Text: "A pipeline declares images and iterates; the body of an iterate computes one pixel; a func returns a " +
			"value. break and continue stand in for and while: iterate is no loop, since its instances run in any " +
			"order.",
		Failing: `pipeline p(in src: u8[H][W], out dst: u8[H][W]) {
    iterate (y, x) over dst {
        if (x > 7) break;
        dst[y][x] = src[y][x];
    }
}
`,
		Mended: `pipeline p(in src: u8[H][W], out dst: u8[H][W]) {
    iterate (y, x) over dst where (x <= 7) {
        dst[y][x] = src[y][x];
    }
}
`,
	},
	{
		Code: BadReduction, Since: "0.1",
		Title: "reduction of the wrong thing",
		Text: "sum, mean, min and the other reductions take a window, an array, or (e for ...). min and max of single " +
			"values take two or more.",
		Failing: `pipeline p(in src: u8[H][W], out dst: u8[H][W]) {
    iterate (y, x) over dst {
        dst[y][x] = u8(sum(src[y][x], src[y][x]));
    }
}
`,
		Mended: `pipeline p(in src: u8[H][W], out dst: u8[H][W]) {
    iterate (y, x) over dst {
        dst[y][x] = u8(sum([src[y][x], src[y][x]]));
    }
}
`,
	},
	{
		Code: MissingValue, Since: "0.1",
		Title: "declaration without a value",
		Text:  "A let has one value, given where it is declared. A var without a value starts at 0 and needs a type.",
		Failing: `pipeline p(in src: u8[H][W], out dst: u8[H][W]) {
    iterate (y, x) over dst {
        var v;
        v = src[y][x];
        dst[y][x] = u8(v);
    }
}
`,
		Mended: `pipeline p(in src: u8[H][W], out dst: u8[H][W]) {
    iterate (y, x) over dst {
        var v: u8;
        v = src[y][x];
        dst[y][x] = v;
    }
}
`,
	},
	{
		Code: BadIteration, Since: "0.1",
		Title: "iteration list that is wrong",
		Text: "A variable runs over lo:hi:step, half open with a constant step that is not 0, or over the offsets of a " +
			"domain. (y, x) over a takes the extents of an image, one variable for each axis. Ranges of one list do " +
			"not depend on its other variables.",
		Failing: `pipeline p(in src: u8[H][H], out dst: u8[H][H]) {
    iterate (y in 0:H, x in 0:y) dst[y][x] = src[y][x];
}
`,
		Mended: `pipeline p(in src: u8[H][H], out dst: u8[H][H]) {
    iterate (y, x) over dst where (x < y) dst[y][x] = src[y][x];
}
`,
	},
	{
		Code: BadParameter, Since: "0.1",
		Title: "parameter of the wrong form",
		Text: "Scalar parameters are in, with or without a default, or out; images are in, out or inout. Funcs take " +
			"values.",
		Failing: `pipeline p(in src: u8[H][W], out dst: u8[H][W], inout total: i32) {
    total = 7;
    dst = src;
}
`,
		Mended: `pipeline p(in src: u8[H][W], out dst: u8[H][W], out total: i32) {
    total = 7;
    dst = src;
}
`,
	},
	{
		Code: SummedProduct, Since: "0.1",
		Title: "matrix product of which a reduction takes all elements",
		Text: "A warning. The * of two arrays is the matrix product, as on paper; element by element, as sums of squares and of products of windows " +
			"are meant, is .*. Who wants the matrix product takes it by a let first.",
		Failing: `pipeline p(in src: f32[H][W] border clamp, out dst: f32[H][W]) {
    iterate (y, x) over dst {
        let w = src[y-2 : 5][x-2 : 5];
        dst[y][x] = mean(w * w) - mean(w) * mean(w);
    }
}
`,
		Mended: `pipeline p(in src: f32[H][W] border clamp, out dst: f32[H][W]) {
    iterate (y, x) over dst {
        let w = src[y-2 : 5][x-2 : 5];
        dst[y][x] = mean(w .* w) - mean(w) * mean(w);
    }
}
`,
	},
	{
		Code: TooNarrow, Since: "0.1",
		Title: "integers that lose what the result is meant to hold",
		Text: "A warning. An operator computes in the kind of its operands, whatever becomes of its result. A sum of i32 wraps around before it becomes an i64, so does a product of " +
			"large pixels before it becomes an i64 or a float, and the quotient of two integers is rounded towards zero before it becomes a weight of a mask. Convert the operands, or write one of two numbers with a point.",
		Failing: `mask box: f32[3] = [1/3, 1/3, 1/3];

pipeline p(in src: u16[D][N] border clamp, out total: i64[N], out dst: f32[N]) {
    total = [sum(src[z][x] for z in 0:D) for x];
    dst = [convolve(box, src[0][x]) for x];
}
`,
		Mended: `mask box: f32[3] = [1.0/3, 1.0/3, 1.0/3];

pipeline p(in src: u16[D][N] border clamp, out total: i64[N], out dst: f32[N]) {
    total = [sum(i64(src[z][x]) for z in 0:D) for x];
    dst = [convolve(box, src[0][x]) for x];
}
`,
	},
	{
		Code: Unused, Since: "0.1",
		Title: "something without effect",
		Text: "A let, var or image that nothing reads, an iterate that writes nothing and a border rule for an image " +
			"that is not read are most likely mistakes.",
		Failing: `pipeline p(in src: u8[H][W], out dst: u8[H][W]) {
    iterate (y, x) over dst {
        let twice = 2 * src[y][x];
        dst[y][x] = src[y][x];
    }
}
`,
		Mended: `pipeline p(in src: u8[H][W], out dst: u8[H][W]) {
    iterate (y, x) over dst {
        let twice = 2 * src[y][x];
        dst[y][x] = u8(twice);
    }
}
`,
	},
	{
		Code: Unreachable, Since: "0.1",
		Title: "statement that is never reached",
		Text:  "The statement before it always leaves by return, break or continue.",
		Failing: `func f(a: f32): f32 {
    return a;
    let b = a;
}
`,
		Mended: `func f(a: f32): f32 {
    let b = 2 * a;
    return b;
}
`,
	},
	{
		Code: PixelByPixel, Since: "0.1",
		Title: "loop of the host over pixels",
		Text: "A for outside of an iterate runs on the host, and each pixel that it assigns takes launches of its own: millions of them for an image. " +
			"The warning stands where the pixels do not depend on each other, so that an iterate computes them all at once.",
		Failing: `pipeline invert(in src: u8[H][W], out dst: u8[H][W]) {
    for (y in 0:H)
        for (x in 0:W)
            dst[y][x] = u8(255 - src[y][x]);
}
`,
		Mended: `pipeline invert(in src: u8[H][W], out dst: u8[H][W]) {
    iterate (y in 0:H, x in 0:W)
        dst[y][x] = u8(255 - src[y][x]);
}
`,
	},
}
