"""Stencils under each border rule, by NumPy's padding and, where it has the arithmetic, by SciPy's correlation."""

import numpy as np
from scipy import ndimage

PADDING = {"clamp": "edge", "reflect": "symmetric", "reflect101": "reflect", "repeat": "wrap", "constant": "constant"}
SCIPY = {"clamp": "nearest", "reflect": "reflect", "reflect101": "mirror", "repeat": "grid-wrap", "constant": "constant"}


def pad(src, radius, axes, rule, value):
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
    if np.issubdtype(kind, np.integer) and kind(0).itemsize == 8 and src.ndim == mask.ndim and src.itemsize < 8:
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
