"""Operators and exact built-ins of one kind, an element at a time: integers with Python's, floats with fractions, rounded once."""

import math
from fractions import Fraction

import numpy as np
from conversions import decode, limits, to_float


def wrap(v, kind):
    low, high = limits(kind)
    return (v - low) % (high - low + 1) + low


def truncated(a, b):
    """The quotient towards zero; Python's own rounds down."""
    return 0 if b == 0 else abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def bits(kind):
    return int(kind[1:])


def sign(v):
    return (v > 0) - (v < 0)


# Functions of a, b, c and the kind that is computed in. Their results wrap to it.
INTEGERS = {
    "add": lambda a, b, c, k: a + b,
    "sub": lambda a, b, c, k: a - b,
    "mul": lambda a, b, c, k: a * b,
    "div": lambda a, b, c, k: truncated(a, b),
    "rem": lambda a, b, c, k: 0 if b == 0 else a - b * truncated(a, b),
    "mod": lambda a, b, c, k: 0 if b == 0 else a % b,
    "floordiv": lambda a, b, c, k: 0 if b == 0 else a // b,
    "and": lambda a, b, c, k: a & b,
    "or": lambda a, b, c, k: a | b,
    "xor": lambda a, b, c, k: a ^ b,
    "shl": lambda a, b, c, k: a << b % bits(k),
    "shr": lambda a, b, c, k: a >> b % bits(k),
    "neg": lambda a, b, c, k: -a,
    "not": lambda a, b, c, k: ~a,
    "abs": lambda a, b, c, k: abs(a),
    "sign": lambda a, b, c, k: sign(a),
    "popcount": lambda a, b, c, k: bin(a % (1 << bits(k))).count("1"),
    "clz": lambda a, b, c, k: bits(k) - (a % (1 << bits(k))).bit_length(),
    "min": lambda a, b, c, k: min(a, b),
    "max": lambda a, b, c, k: max(a, b),
    "clamp": lambda a, b, c, k: min(max(a, b), c),
    "less": lambda a, b, c, k: a < b,
    "equal": lambda a, b, c, k: a == b,
}


def root(v):
    """The square root, exact or with a bit far behind that says that it is not."""
    scale = 1 << 1200
    whole = math.floor(v * scale * scale)
    r = math.isqrt(whole)
    return Fraction(2 * r + (r * r != whole), 2 * scale)


def away(v):
    return sign(v) * math.floor(abs(v) + Fraction(1, 2))


def remainder(a, b):
    return a - b * sign(a / b) * math.floor(abs(a / b))


def floored(a, b):
    return a - b * math.floor(a / b)


# Functions of finite numbers, where b is not zero if it divides, and what NumPy says of the others and of the sign of zero.
FLOATS = {
    "add": (lambda a, b, c: a + b, lambda a, b, c: a + b),
    "sub": (lambda a, b, c: a - b, lambda a, b, c: a - b),
    "mul": (lambda a, b, c: a * b, lambda a, b, c: a * b),
    "div": (lambda a, b, c: a / b, lambda a, b, c: a / b),
    "rem": (lambda a, b, c: remainder(a, b), lambda a, b, c: np.fmod(a, b)),
    "fma": (lambda a, b, c: a * b + c, lambda a, b, c: a * b + c),
    "neg": (lambda a, b, c: -a, lambda a, b, c: -a),
    "abs": (lambda a, b, c: abs(a), lambda a, b, c: abs(a)),
    "floor": (lambda a, b, c: math.floor(a), lambda a, b, c: np.floor(a)),
    "ceil": (lambda a, b, c: math.ceil(a), lambda a, b, c: np.ceil(a)),
    "trunc": (lambda a, b, c: math.trunc(a), lambda a, b, c: np.trunc(a)),
    "round": (lambda a, b, c: away(a), lambda a, b, c: np.trunc(a)),
    "fract": (lambda a, b, c: a - math.floor(a), lambda a, b, c: a - np.floor(a)),
    "sqrt": (lambda a, b, c: root(a), lambda a, b, c: np.sqrt(a)),
}
DIVISIONS = ("div", "rem")
UNARY = ("neg", "abs", "floor", "ceil", "trunc", "round", "fract", "sqrt")


def number_or(a, b, choose):
    """The smaller or larger, where NaN loses and -0 is less than 0."""
    if math.isnan(a) or math.isnan(b):
        return b if math.isnan(a) else a
    return choose(a, b, key=lambda v: (v, math.copysign(1, v)))


OTHERS = {
    "min": lambda a, b, c: number_or(a, b, min),
    "max": lambda a, b, c: number_or(a, b, max),
    "clamp": lambda a, b, c: number_or(number_or(a, b, max), c, min),
    "sign": lambda a, b, c: 0.0 if math.isnan(a) else a if a == 0 else math.copysign(1, a),
    "step": lambda a, b, c: 0.0 if b < a else 1.0,
    "less": lambda a, b, c: a < b,
    "equal": lambda a, b, c: a == b,
}


def floats(a, b, c, op, kind):
    if op in OTHERS:
        return OTHERS[op](a, b, c)
    exact, special = FLOATS[op]
    wide = float(special(np.float64(a), np.float64(b), np.float64(c)))
    used = (a,) if op in UNARY else (a, b, c) if op == "fma" else (a, b)
    if not all(math.isfinite(v) for v in used) or op in DIVISIONS and b == 0 or op == "sqrt" and a < 0:
        return infinite_fma(a, b, c) if op == "fma" else wide
    numbers = (Fraction(v) if math.isfinite(v) else None for v in (a, b, c))
    return to_float(Fraction(exact(*numbers)), math.copysign(1, wide) < 0, kind)


def infinite_fma(a, b, c):
    """fma where an operand is no number: a product that is too large for an f64 is no infinity."""
    if math.isfinite(a) and math.isfinite(b):
        return c
    return float(np.float64(a) * np.float64(b) + np.float64(c))


def apply(a, b, c, op, kind, computed, result):
    """op of the elements of a, b and c, which are of a kind and computed in another."""
    if computed[0] == "f":
        rows = zip(*(v.astype(np.float64).tolist() for v in (a, b, c)))
        out = [floats(x, y, z, op, computed) for x, y, z in rows]
    else:
        rows = zip(*([int(v) for v in decode(v, kind)[0]] for v in (a, b, c)))
        out = [wrap(int(INTEGERS[op](x, y, z, computed)), computed) for x, y, z in rows]
    if result == "bool":
        return np.array([bool(v) for v in out], dtype=bool)
    name = {"f": "float", "i": "int", "u": "uint"}[result[0]] + result[1:]
    return np.array(out, dtype=name)
