"""Conversions and operators of the language in terms of NumPy.

    python reference.py FOLDER

FOLDER/a.<kind>, b.<kind> and c.<kind> hold operands of each kind as they are stored. The results go to
FOLDER/<op>.<kind>, convert.<from>.<to> and saturate.<from>.<to>. Where NumPy and the language agree, NumPy's own
function is used; elsewhere the language's rule is written out. Exit status 3: this NumPy cannot serve as a reference.
"""

import pathlib
import sys

import numpy as np

EXACT = np.longdouble  # holds every value of every kind

INTS = {
    "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64,
    "u8": np.uint8, "u16": np.uint16, "u32": np.uint32, "u64": np.uint64,
}
# NumPy has no bf16: its values are kept in float64 and rounded after each operation.
FLOATS = {"f16": np.float16, "bf16": np.float64, "f32": np.float32, "f64": np.float64}
# Significand bits, smallest and largest exponent of a normal value.
FORMAT = {"f16": (11, -14, 15), "bf16": (8, -126, 127), "f32": (24, -126, 127), "f64": (53, -1022, 1023)}
KINDS = ["bool", *INTS, *FLOATS]


def nearest(x, kind):
    """Rounds exact values to a float kind, halves to even."""
    precision, low, high = FORMAT[kind]
    x = EXACT(x)
    _, exponent = np.frexp(x)
    place = np.maximum(exponent - 1, low) - (precision - 1)
    y = np.ldexp(np.rint(np.ldexp(x, -place)), place)
    y = np.where(np.abs(y) >= np.ldexp(EXACT(1), high + 1), np.copysign(EXACT(np.inf), x), y)
    return np.where(np.isfinite(x), np.copysign(y, x), x)


def read(folder, operand, kind):
    data = (folder / f"{operand}.{kind}").read_bytes()
    if kind == "bool":
        return np.frombuffer(data, np.uint8) != 0
    if kind == "bf16":
        return (np.frombuffer(data, np.uint16).astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    return np.frombuffer(data, {**INTS, **FLOATS}[kind])


def write(folder, name, kind, values):
    if kind == "bool":
        stored = values.astype(np.uint8)
    elif kind == "bf16":
        stored = (nearest(values, kind).astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    else:
        stored = values.astype({**INTS, **FLOATS}[kind])
    (folder / name).write_bytes(stored.tobytes())


# Conversions


def to_integer(x, kind, whole):
    """Saturates exact values, made integers by whole; NaN is 0."""
    limits = np.iinfo(INTS[kind])
    return np.where(np.isnan(x), EXACT(0), np.clip(whole(x), EXACT(limits.min), EXACT(limits.max))).astype(INTS[kind])


def convert(values, source, to):
    if to == "bool":
        return values != 0
    if to in INTS:
        return to_integer(EXACT(values), to, np.trunc) if source in FLOATS else values.astype(INTS[to])
    if "bf16" in (source, to) or source in ("i64", "u64"):
        return nearest(EXACT(values), to)
    return values.astype(FLOATS[to])


def saturate(values, source, to):
    return to_integer(EXACT(values), to, np.rint) if to in INTS else convert(values, source, to)


# Operators


def truncated(a, b):
    """C's quotient and remainder, 0 where b is."""
    q, r = np.floor_divide(a, b), np.remainder(a, b)
    adjust = (r != 0) & ((a < 0) != (b < 0))
    one = a.dtype.type(1)
    return np.where(adjust, q + one, q), np.where(adjust, r - b, r)


def bits_of(a):
    """The bits of each integer, the highest first."""
    size = a.dtype.itemsize
    big_endian = a.astype(a.dtype.newbyteorder(">")).view(np.uint8).reshape(-1, size)
    return np.unpackbits(big_endian, axis=1)


def leading_zeros(a):
    bits = bits_of(a)
    return np.where(bits.any(axis=1), bits.argmax(axis=1), bits.shape[1])


COMPARE = {
    "==": np.equal, "!=": np.not_equal, "<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal,
}


def count(a, b):
    return b & a.dtype.type(a.dtype.itemsize * 8 - 1)


INT_OPS = {
    "neg": lambda a, b, c: np.negative(a),
    "~": lambda a, b, c: ~a,
    "abs": lambda a, b, c: np.abs(a),
    "sign": lambda a, b, c: np.sign(a),
    "+": lambda a, b, c: a + b,
    "-": lambda a, b, c: a - b,
    "*": lambda a, b, c: a * b,
    "/": lambda a, b, c: truncated(a, b)[0],
    "%": lambda a, b, c: truncated(a, b)[1],
    "floordiv": lambda a, b, c: np.floor_divide(a, b),
    "mod": lambda a, b, c: np.remainder(a, b),
    "&": lambda a, b, c: a & b,
    "|": lambda a, b, c: a | b,
    "^": lambda a, b, c: a ^ b,
    "<<": lambda a, b, c: np.left_shift(a, count(a, b)),
    ">>": lambda a, b, c: np.right_shift(a, count(a, b)),
    "min": lambda a, b, c: np.minimum(a, b),
    "max": lambda a, b, c: np.maximum(a, b),
    "clamp": lambda a, b, c: np.minimum(np.maximum(a, b), c),
}

INT_COUNTS = {"popcount": lambda a: bits_of(a).sum(axis=1), "clz": leading_zeros}

# Exact or rounded once in the kind's own arithmetic, or step by step.
FLOAT_OPS = {
    "neg": lambda r, a, b, c: -a,
    "abs": lambda r, a, b, c: np.abs(a),
    "sign": lambda r, a, b, c: np.where(np.isnan(a), 0, np.sign(a)),
    "+": lambda r, a, b, c: r(a + b),
    "-": lambda r, a, b, c: r(a - b),
    "*": lambda r, a, b, c: r(a * b),
    "/": lambda r, a, b, c: r(a / b),
    "%": lambda r, a, b, c: np.fmod(a, b),
    "mod": lambda r, a, b, c: r(np.mod(a, b)),
    "min": lambda r, a, b, c: np.fmin(a, b),
    "max": lambda r, a, b, c: np.fmax(a, b),
    "clamp": lambda r, a, b, c: np.fmin(np.fmax(a, b), c),
    "floor": lambda r, a, b, c: np.floor(a),
    "ceil": lambda r, a, b, c: np.ceil(a),
    "trunc": lambda r, a, b, c: np.trunc(a),
    "round": lambda r, a, b, c: np.copysign(np.trunc(np.abs(a)) + (np.abs(a) - np.trunc(np.abs(a)) >= 0.5), a),
    "fract": lambda r, a, b, c: r(a - np.floor(a)),
    "sqrt": lambda r, a, b, c: r(np.sqrt(a)),
    "step": lambda r, a, b, c: np.where(b < a, 0, 1),
    "mix": lambda r, a, b, c: r(a + r(r(b - a) * c)),
    "smoothstep": lambda r, a, b, c: smooth(r, np.fmin(np.fmax(r(r(c - a) / r(b - a)), 0), 1)),
}


def smooth(r, t):
    one = t.dtype.type(1)
    return r(r(t * t) * r(3 * one - r(2 * t)))


# Computed in extended precision and rounded.
FUNCTIONS = {
    "rsqrt": lambda a, b: 1 / np.sqrt(a), "cbrt": lambda a, b: np.cbrt(a), "exp": lambda a, b: np.exp(a),
    "exp2": lambda a, b: np.exp2(a), "log": lambda a, b: np.log(a), "log2": lambda a, b: np.log2(a),
    "log10": lambda a, b: np.log10(a), "sin": lambda a, b: np.sin(a), "cos": lambda a, b: np.cos(a),
    "tan": lambda a, b: np.tan(a), "asin": lambda a, b: np.arcsin(a), "acos": lambda a, b: np.arccos(a),
    "atan": lambda a, b: np.arctan(a), "sinh": lambda a, b: np.sinh(a), "cosh": lambda a, b: np.cosh(a),
    "tanh": lambda a, b: np.tanh(a), "pow": lambda a, b: np.power(a, b), "atan2": lambda a, b: np.arctan2(a, b),
    "hypot": lambda a, b: np.hypot(a, b),
}

FILES = {"/": "div", "*": "mul", "<": "lt", ">": "gt", "|": "or", "<<": "shl", ">>": "shr", "<=": "le", ">=": "ge"}


def operators(folder, kind, a, b, c):
    def put(op, to, values):
        write(folder, f"{FILES.get(op, op)}.{kind}", to, values)

    if kind != "bool":
        for op, f in COMPARE.items():
            put(op, "bool", f(a, b))
    if kind in INTS:
        for op, f in INT_OPS.items():
            put(op, kind, f(a, b, c))
        for op, f in INT_COUNTS.items():
            put(op, "i32", f(a))
    if kind in FLOATS:
        def rounded(x):
            return nearest(x, kind).astype(np.float64) if kind == "bf16" else x

        for op, f in FLOAT_OPS.items():
            put(op, kind, f(rounded, a, b, c))
        for op, f in FUNCTIONS.items():
            put(op, kind, nearest(f(EXACT(a), EXACT(b)), kind))
        put("isnan", "bool", np.isnan(a))
        put("isinf", "bool", np.isinf(a))


def main(folder):
    if np.finfo(EXACT).nmant < 63:
        print("long double has fewer than 64 significand bits here")
        return 3
    np.seterr(all="ignore")
    for kind in KINDS:
        a, b, c = (read(folder, operand, kind) for operand in "abc")
        operators(folder, kind, a, b, c)
        for to in KINDS:
            write(folder, f"convert.{kind}.{to}", to, convert(a, kind, to))
            write(folder, f"saturate.{kind}.{to}", to, saturate(a, kind, to))
    return 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
