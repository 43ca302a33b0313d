"""Stencils under each border rule, by NumPy's padding and, where it has the arithmetic, by SciPy's correlation."""

import numpy as np
from scipy import ndimage

PADDING = {"clamp": "edge", "reflect": "symmetric", "reflect101": "reflect", "repeat": "wrap", "constant": "constant"}
SCIPY = {"clamp": "nearest", "reflect": "reflect", "reflect101": "mirror", "repeat": "grid-wrap", "constant": "constant"}


def at(src, *coords):
    return src[tuple(coords)]


# The lines of the borders by formula of the test: the rank, then places (0 inside, -k before the first, +k behind the last) and the
# value at the coordinates, of which those inside are as given.
FORMULAS = {
    1: [((-1,), lambda s, x: at(s, 0 * x) + 3), ((2,), lambda s, x: 2 * at(s, 0 * x - 1))],
    2: [
        ((0, -1), lambda s, y, x: at(s, y, 0 * x) + 3),
        ((-2, 0), lambda s, y, x: 2 * at(s, 0 * y - 1, x)),
        ((1, 1), lambda s, y, x: np.full_like(at(s, 0 * y, 0 * x), 7)),
        ((0, 2), lambda s, y, x: at(s, 0 * y - 1, 0 * x) + at(s, y, 0 * x - 1)),
    ],
    3: [
        ((0, 0, -1), lambda s, z, y, x: at(s, z, y, 0 * x) + 3),
        ((-1, 0, 0), lambda s, z, y, x: 2 * at(s, 0 * z - 1, y, x)),
        ((0, 1, 1), lambda s, z, y, x: at(s, z, 0 * y, 0 * x - 1) + at(s, 0 * z, 0 * y - 1, 0 * x)),
        ((1, -1, -1), lambda s, z, y, x: np.full_like(at(s, 0 * z, 0 * y, 0 * x), 7)),
    ],
    4: [
        ((0, 0, 0, -1), lambda s, w, z, y, x: at(s, w, z, y, 0 * x) + 3),
        ((-1, 0, 0, 0), lambda s, w, z, y, x: 2 * at(s, 0 * w - 1, z, y, x)),
        ((0, 1, 0, 1), lambda s, w, z, y, x: at(s, w, 0 * z, y, 0 * x - 1) + at(s, 0 * w, 0 * z - 1, y, 0 * x)),
        ((0, 0, -1, 2), lambda s, w, z, y, x: at(s, 0 * w - 1, z, 0 * y, 0 * x)),
        ((1, -1, 1, -1), lambda s, w, z, y, x: np.full_like(at(s, 0 * w, 0 * z, 0 * y, 0 * x), 7)),
    ],
}


def saturated(values, kind):
    if np.issubdtype(kind, np.integer):
        low, high = np.iinfo(kind).min, np.iinfo(kind).max
        return np.clip(values, low, high).astype(kind)
    return values.astype(kind)


def promoted(src):
    """Small integers are computed in 32 bits; wider ones wrap in their own kind."""
    return src.astype(np.int32) if np.issubdtype(src.dtype, np.integer) and src.itemsize < 4 else src


def formula(src, coords):
    """Pixels at coords, one array for each axis, by the rule behind else and then by the lines."""
    rank = len(coords)
    folded = []
    for n, c in zip(src.shape, coords):
        if rank == 3:
            folded.append(c % n)
            continue
        period = max(2 * n - 2, 1)
        c = c % period if n > 1 else 0 * c
        folded.append(np.where(c < n, c, period - c))
    out = src[tuple(folded)]
    wide = promoted(src)
    for places, value in FORMULAS[rank]:
        here = np.ones(coords[0].shape, bool)
        for n, c, place in zip(src.shape, coords, places):
            here &= (c >= 0) & (c < n) if place == 0 else c == (place if place < 0 else n - 1 + place)
        if here.any():
            out[here] = saturated(value(wide, *[c[here] for c in coords]), src.dtype)
        inside = [c >= 0 for c in coords] + [c < n for n, c in zip(src.shape, coords)]
        if np.all(inside, axis=0)[here].any():
            raise AssertionError("a line serves a pixel inside")
    return out


def pad(src, radius, axes, rule, value):
    if rule == "formula":
        shape = [n + 2 * radius for n in src.shape[:axes]]
        return formula(src, [c - radius for c in np.indices(shape)])
    widths = [(radius, radius) if axis < axes else (0, 0) for axis in range(src.ndim)]
    if rule == "constant":
        return np.pad(src, widths, mode="constant", constant_values=value)
    return np.pad(src, widths, mode=PADDING[rule])


def stencil(src, mask, kind, rule, value):
    """The sum of products with the centred mask, row by row in arithmetic of this kind; src may have lanes as a last axis."""
    mask = np.array(mask)
    kind = np.dtype(kind).type
    radius = mask.shape[0] // 2
    wide = pad(src, radius, mask.ndim, rule, value)
    total = np.zeros(src.shape, kind)
    for at in np.ndindex(mask.shape):
        if mask[at] != 0:
            window = tuple(slice(o, o + n) for o, n in zip(at, src.shape))
            total = total + kind(mask[at]) * wide[window].astype(kind)
    if rule in SCIPY and np.issubdtype(kind, np.integer) and kind(0).itemsize == 8 and src.ndim == mask.ndim and src.itemsize < 8:
        other = ndimage.correlate(src.astype(kind), mask.astype(kind), mode=SCIPY[rule], cval=value)
        if not np.array_equal(total, other):
            raise AssertionError("NumPy and SciPy disagree")
    return total


def shift(src, offset, rule, value):
    """The pixel at an offset that may be larger than the image."""
    radius = max(abs(o) for o in offset)
    wide = pad(src, radius, len(offset), rule, value)
    return wide[tuple(slice(radius + o, radius + o + n) for o, n in zip(offset, src.shape))]


def median(src, rule, value):
    wide = pad(src, 1, 2, rule, value)
    h, w = src.shape[:2]
    stack = [wide[y : y + h, x : x + w] for y in range(3) for x in range(3)]
    return np.sort(np.stack(stack), axis=0)[4]


def gather(src, at, rule, value):
    """src[at[i]], with the fold of each rule spelled out in unbounded integers."""
    n = len(src)
    if rule == "formula":
        return formula(src, [at.astype(np.int64)])
    out = np.empty(at.shape, src.dtype)
    for k, i in enumerate(int(v) for v in at):
        if rule == "constant":
            out[k] = src[i] if 0 <= i < n else value
            continue
        if rule == "clamp":
            j = min(max(i, 0), n - 1)
        elif rule == "repeat":
            j = i % n
        elif rule == "reflect":
            j = i % (2 * n)
            j = j if j < n else 2 * n - 1 - j
        else:
            j = i % (2 * n - 2) if n > 1 else 0
            j = j if j < n else 2 * n - 2 - j
        out[k] = src[j]
    return out
