"""Resampling, by formulas of its own in NumPy."""

import numpy as np


def between(n):
    """The matrix that interpolates 4*n values linearly from n, pixel centres at half-integers, the ends repeated."""
    m = np.zeros((4 * n, n))
    for i in range(4 * n):
        place = (i + 0.5) / 4 - 0.5
        low = int(np.floor(place))
        for k, weight in ((low, low + 1 - place), (low + 1, place - low)):
            m[i, np.clip(k, 0, n - 1)] += weight
    return m


def upscale_all(down):
    h, w = down.shape
    return np.trunc(between(h) @ down.astype(np.float64) @ between(w).T).astype(np.uint8)


def upscale(down):
    up = upscale_all(down)
    inner = np.zeros_like(up)
    inner[2:-2, 2:-2] = up[2:-2, 2:-2]
    return inner


def enlarge(down):
    return np.kron(down, np.ones((4, 4), np.uint8))
