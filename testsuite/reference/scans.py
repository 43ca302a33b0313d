"""Recurrences pixel by pixel in 32-bit integers, and the samples that scan."""

import numpy as np
from scipy import signal


def at(a, index, outside=None):
    """The pixel at index, clamped; or the value outside."""
    inside = tuple(min(max(i, 0), n - 1) for i, n in zip(index, a.shape))
    if outside is not None and inside != tuple(index):
        return np.int32(outside)
    return a[inside]


def diagonal(src):
    dst = np.zeros_like(src)
    for y, x in np.ndindex(src.shape):
        dst[y, x] = 3 * at(dst, (y - 1, x - 1), 0) - at(dst, (y - 1, x + 1), 0) + src[y, x]
    return dst


def sums(src):
    dst = np.zeros(src.shape[0], np.int32)
    for x in reversed(range(src.shape[1])):
        dst = 3 * dst + src[:, x]
    return dst


def reflected(i, n):
    i %= 2 * n
    return i if i < n else 2 * n - 1 - i


def strided(src, dst):
    h = src.shape[0]
    for y in sorted(range(h - 1, -1, -2)):
        for x in range(0, src.shape[1], 3):
            if src[y, x] > 0:
                dst[y, x] = dst[reflected(y - 2, h), x] * np.int32(2) + src[y, x]
    return dst


def falling(src, dst):
    for y in range(src.shape[0] - 1, -1, -2):
        for x in range(0, src.shape[1], 3):
            if src[y, x] > 0:
                dst[y, x] = at(dst, (y + 2, x)) * np.int32(2) + src[y, x]
    return dst


def relaxed(dst):
    for i in range(len(dst)):
        dst[i] = at(dst, (i - 1,)) + np.int32(2) * dst[i] + at(dst, (i + 1,))
    return dst


def middle(src):
    dst = np.zeros_like(src)
    for y in reversed(range(src.shape[1])):
        before = dst[:, y + 1] if y + 1 < src.shape[1] else np.ones_like(dst[:, y])
        dst[:, y] = before * np.int32(3) + src[:, y]
    return dst


def slanted(src):
    dst = np.zeros_like(src)
    for z, y, x in np.ndindex(src.shape):
        dst[z, y, x] = at(dst, (z - 1, y, x - 1), 2) * np.int32(3) + at(dst, (z - 1, y + 1, x), 2) + src[z, y, x]
    return dst


def integral(src):
    return src.astype(np.uint32).cumsum(axis=0, dtype=np.uint32).cumsum(axis=1, dtype=np.uint32)


def mean_any(src, radius=7):
    r = min(max(int(radius), 0), 1024)
    h, w = src.shape
    total = np.pad(integral(src).astype(np.int64), ((1, 0), (1, 0)))
    y0, y1 = np.maximum(np.arange(h) - r, 0), np.minimum(np.arange(h) + r, h - 1) + 1
    x0, x1 = np.maximum(np.arange(w) - r, 0), np.minimum(np.arange(w) + r, w - 1) + 1
    window = total[y1][:, x1] - total[y0][:, x1] - total[y1][:, x0] + total[y0][:, x0]
    count = np.outer(y1 - y0, x1 - x0)
    return ((window + count // 2) // count).astype(np.uint8)


def running_mean(src):
    return mean_any(src, 7)


def iir_blur(src, alpha=0.25):
    a = src.astype(np.float64)
    for axis in (0, 1):
        for back in (False, True):
            a = np.flip(a, axis) if back else a
            first = np.take(a, [0], axis) * (1 - alpha)
            a, _ = signal.lfilter([alpha], [1, alpha - 1], a, axis, zi=first)
            a = np.flip(a, axis) if back else a
    return a.astype(np.float32)
