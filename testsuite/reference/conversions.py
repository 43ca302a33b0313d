"""Conversions between all kinds in exact arithmetic: an element at a time, with Python's integers and fractions."""

import math
from fractions import Fraction

import numpy as np

FLOATS = {"f16": (11, 15), "bf16": (8, 127), "f32": (24, 127), "f64": (53, 1023)}  # significand bits, largest exponent


def decode(values, kind):
    """The elements as Fractions, or as floats where they are no numbers or infinite. bf16 comes as its 16 bits."""
    if kind == "bf16":
        values = (np.ascontiguousarray(values).view(np.uint16).astype(np.uint32) << 16).view(np.float32)
    if kind in FLOATS:
        wide = values.astype(np.float64)
        return [Fraction(v) if math.isfinite(v) else v for v in wide.tolist()], np.signbit(wide).tolist()
    return [Fraction(int(v)) for v in values.tolist()], [False] * len(values)


def limits(kind):
    bits = int(kind[1:])
    return (-(1 << bits - 1), (1 << bits - 1) - 1) if kind[0] == "i" else (0, (1 << bits) - 1)


def to_float(v, negative, kind):
    """Rounds to the nearest, of two the one with an even significand; returns a float that the kind holds."""
    if isinstance(v, float):
        return v
    if v == 0:
        return -0.0 if negative else 0.0
    digits, top = FLOATS[kind]
    if abs(v) >= Fraction(2) ** (top + 1):
        return -math.inf if v < 0 else math.inf
    exponent = abs(v.numerator).bit_length() - v.denominator.bit_length()
    while Fraction(2) ** exponent > abs(v):
        exponent -= 1
    while Fraction(2) ** (exponent + 1) <= abs(v):
        exponent += 1
    unit = Fraction(2) ** (max(exponent, 1 - top) - digits + 1)
    rounded = round(v / unit) * unit  # of a Fraction, to even
    if abs(rounded) >= Fraction(2) ** (top + 1):
        return -math.inf if v < 0 else math.inf
    return math.copysign(float(rounded), -1 if negative else 1) if rounded == 0 else float(rounded)


def to_int(v, kind, saturate, from_float):
    low, high = limits(kind)
    if isinstance(v, float):
        return 0 if math.isnan(v) else high if v > 0 else low
    if from_float:
        v = round(v) if saturate else math.trunc(v)
        return min(max(v, low), high)
    v = int(v)
    if saturate:
        return min(max(v, low), high)
    return (v - low) % (high - low + 1) + low


def convert(src, source, target, saturate):
    values, negative = decode(src, source)
    from_float = source in FLOATS
    if target == "bool":
        return np.array([isinstance(v, float) or v != 0 for v in values])
    if target not in FLOATS:
        kind = {"i": "int", "u": "uint"}[target[0]] + target[1:]
        return np.array([to_int(v, target, saturate, from_float) for v in values], dtype=kind)
    floats = [to_float(v, n, target) for v, n in zip(values, negative)]
    if target == "bf16":
        return (np.array(floats, np.float32).view(np.uint32) >> 16).astype(np.uint16).view("V2")
    return np.array(floats, dtype="float" + target[1:])
