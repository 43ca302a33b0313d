"""Programs of HIPAcc's papers, by NumPy and SciPy in f64."""

import numpy as np
from scipy import ndimage

SOBEL = np.array([[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]])
BINOMIAL3 = np.outer([1, 2, 1], [1, 2, 1]) / 16


def tensor(src):
    dx, dy = (ndimage.correlate(src.astype(np.float64), m, mode="nearest") for m in (SOBEL, SOBEL.T))
    return [ndimage.correlate(p, BINOMIAL3, mode="nearest") for p in (dx * dx, dx * dy, dy * dy)]


def harris(src, k=0.04):
    xx, xy, yy = tensor(src)
    return (xx * yy - xy * xy - k * (xx + yy) ** 2).astype(np.float32)


def shi_tomasi(src):
    xx, xy, yy = tensor(src)
    matrices = np.stack([xx, xy, xy, yy], axis=-1).reshape(*src.shape, 2, 2)
    return np.linalg.eigvalsh(matrices)[..., 0].astype(np.float32)


def shifted(image, dy, dx):
    """The image moved so that each pixel holds the one at the offset; edges are repeated."""
    rows = np.clip(np.arange(image.shape[0]) + dy, 0, image.shape[0] - 1)
    columns = np.clip(np.arange(image.shape[1]) + dx, 0, image.shape[1] - 1)
    return image[rows][:, columns]


def bilateral(src, likeness=30.0):
    wide = src.astype(np.float64)
    total, weight = np.zeros_like(wide), np.zeros_like(wide)
    for dy in range(-4, 5):
        for dx in range(-4, 5):
            there = shifted(wide, dy, dx)
            w = np.exp(-(dy * dy + dx * dx) / 8) * np.exp(-(((there - wide) / likeness) ** 2) / 2)
            total += w * there
            weight += w
    return (total / weight).astype(np.float32)


def atrous(src, step, spread):
    total, weight = np.zeros_like(src), np.zeros(src.shape[:2] + (1,))
    taps = np.array([1, 4, 6, 4, 1]) / 16
    for i, wy in enumerate(taps):
        for j, wx in enumerate(taps):
            there = shifted(src, step * (i - 2), step * (j - 2))
            w = wy * wx * np.exp(-((there - src) ** 2).sum(axis=-1, keepdims=True) / spread**2)
            total += w * there
            weight += w
    return total / weight


def night(src, spread=0.35, darkness=0.5):
    stored = src / 255
    c = np.where(stored <= 0.04045, stored / 12.92, ((stored + 0.055) / 1.055) ** 2.4)
    for step in (1, 2, 4, 8, 16):
        c = atrous(c, step, spread)
    x, y, z = (c @ np.array(w) for w in ([0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]))
    rods = np.where(x <= 0, 0, np.maximum(0, y * (1.33 * (1 + (y + z) / np.where(x <= 0, 1, x)) - 1.68)))
    grey = rods[..., None] * np.array([0.9, 1.0, 1.25]) / 3
    t = np.clip(y / darkness, 0, 1)[..., None]
    dark = 1 - t * t * (3 - 2 * t)
    mixed = np.clip(c + (grey - c) * dark, 0, 1)
    out = np.where(mixed <= 0.0031308, mixed * 12.92, 1.055 * mixed ** (1 / 2.4) - 0.055)
    return np.rint(255 * out).astype(np.uint8)


def census(src, margin):
    bits = np.zeros(src.shape, np.uint32)
    wide = src.astype(np.int64)
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            if dy or dx:
                more = shifted(wide, dy, dx) - wide
                bits = bits << 2 | np.where(more > margin, 2, np.where(more < -margin, 1, 0)).astype(np.uint32)
    return bits


def flow(before, after, margin=4):
    a, b = census(before, margin), census(after, margin)
    rows, columns = (np.arange(n) for n in a.shape)

    def at(image, dy, dx):
        return image[np.clip(rows + dy, 0, len(rows) - 1)][:, np.clip(columns + dx, 0, len(columns) - 1)]

    offsets = [(dy, dx) for dy in range(-3, 4) for dx in range(-3, 4)]
    near = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1)]
    costs = [sum(np.bitwise_count(at(a, i, j) ^ at(b, dy + i, dx + j)).astype(np.int64) for i, j in near) for dy, dx in offsets]
    return np.array(offsets, np.int32)[np.argmin(costs, axis=0)][..., ::-1]  # x comes first in a vector
