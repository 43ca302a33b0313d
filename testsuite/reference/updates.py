"""Commutative updates, pixel after pixel, in the types of the images."""

import numpy as np

OPERATORS = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "least": np.minimum, "greatest": np.maximum,
    "and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor,
}


def value(name, kind, p, y, x):
    """The value of an instance, in the arithmetic of the kind modulo its width, or in floats."""
    if kind.kind == "b":
        return {"and": p % 3 != 0, "or": p % 5 == x % 5, "xor": p % 2 == 1}[name]
    if kind.kind == "f":
        v = {"add": p - 100, "sub": p, "mul": 2 if p > 127 else 0.5, "combine": p - x}.get(name)
        if v is None:
            return (kind.type(p) / kind.type(3) - kind.type(x)).astype(kind)
        return kind.type(v)

    def c(v):
        return int(np.int64(v).astype(kind))

    v = {
        "add": c(p) + c(y), "sub": c(p) * c(x), "mul": 2 * p + 1, "least": c(p) - c(x), "greatest": c(p) - c(x),
        "and": c(p) | c(192), "or": c(p) & c(x), "xor": c(p) << c(y % 8), "combine": c(p) + c(x),
    }[name]
    return np.array(v & 0xFFFFFFFFFFFFFFFF, np.uint64).astype(kind)


def combine(name, pixel, v):
    if name in OPERATORS:
        return OPERATORS[name](pixel, v)
    if np.ndim(pixel) == 0:
        return pixel + v
    return np.stack([np.maximum(pixel[0], v[0]), pixel[1] + v[1], np.minimum(pixel[2], v[2])])


def update(src, bins, wide, part, own, name):
    bins, wide, part, own = (m.copy() for m in (bins, wide, part, own))
    kind = bins.dtype
    if kind == np.float16:  # updated in 32 bits and rounded once
        bins, wide, part = (m.astype(np.float32) for m in (bins, wide, part))
    for (y, x), p in np.ndenumerate(src):
        p = int(p)
        v = value(name, kind, p, y, x)
        bins[p % 7] = combine(name, bins[p % 7], v)
        i = p % 9 - 2
        if 0 <= i < len(wide):
            wide[i] = combine(name, wide[i], np.array([v, 1, v], kind))
        i, j = y - p % 5, x - 3
        if 0 <= i < part.shape[0] and 0 <= j < part.shape[1]:
            part[i, j] = combine(name, part[i, j], v)
        own[y, x] = combine(name, own[y, x], v)
    return bins.astype(kind), wide.astype(kind), part.astype(kind), own
