"""The image programs of the ParaC paper."""

import numpy as np
from scipy import ndimage

from filters import saturate


def extended(src):
    """src with two columns more on either side, extrapolated as the line through the last columns and saturated."""
    s = src.astype(np.int32)
    left = [4 * s[:, 3] - 4 * s[:, 1] + 2 * s[:, 0] - s[:, 2], 2 * s[:, 1] - s[:, 3]]
    right = [2 * s[:, -2] - s[:, -4], 4 * s[:, -4] - 4 * s[:, -2] + 2 * s[:, -1] - s[:, -3]]
    wide = np.stack([*left, *s.T, *right], axis=1)
    return np.clip(wide, 0, 255)


def smoothed(src):
    wide = extended(src)
    n = src.shape[1]
    total = sum(c * wide[:, i : i + n] for i, c in enumerate([1, 4, 6, 4, 1]))
    return ((total + 8) // 16).astype(np.uint8)


def level(src):
    half = smoothed(smoothed(src).T).T[::2, ::2]
    h, w = src.shape
    d = half.astype(np.int32)
    # Twice the size with means between the pixels; the last line and column stand again where the size is even.
    d = np.concatenate([d, d[-1:]], axis=0)
    d = np.concatenate([d, d[:, -1:]], axis=1)
    up = np.zeros((2 * d.shape[0], 2 * d.shape[1]), np.int32)
    up[::2, ::2] = d
    up[1:-1:2, ::2] = (d[:-1] + d[1:] + 1) // 2
    up[::2, 1:-1:2] = (d[:, :-1] + d[:, 1:] + 1) // 2
    up[1:-1:2, 1:-1:2] = (d[:-1, :-1] + d[1:, :-1] + d[:-1, 1:] + d[1:, 1:] + 2) // 4
    return half, (src.astype(np.int32) - up[:h, :w]).astype(np.int16)


def blur(src):
    for axis in (1, 0):
        src = (ndimage.correlate1d(src.astype(np.int32), [1, 2, 1], axis=axis, mode="nearest") + 2) // 4
    return src.astype(np.uint8)


def unsharp(src, amount=1.0):
    c = src.astype(np.float64)
    grey = c @ np.array([0.299, 0.587, 0.114])
    sharp = grey + amount * (grey - ndimage.gaussian_filter(grey, 1.5, mode="nearest", radius=3))
    ratio = np.where(grey > 0, sharp / np.where(grey > 0, grey, 1), 1)
    return (ratio[..., None] * c).astype(np.float32)


def enlarged(down, h, w):
    """Four times the size by linear interpolation, rounded down."""
    centres = [np.clip((np.arange(n) - 1.5) / 4, 0, m - 1) for n, m in zip((h, w), down.shape)]
    at = np.meshgrid(*centres, indexing="ij")
    return np.floor(ndimage.map_coordinates(down.astype(np.float64), at, order=1, mode="nearest") + 1e-9)


def sharpness(src, amount=2.0, excess=0.25):
    h, w = src.shape
    wide = np.pad(src.astype(np.int64), [(0, -n % 4) for n in src.shape], mode="edge")
    down = (wide.reshape(wide.shape[0] // 4, 4, wide.shape[1] // 4, 4).sum(axis=(1, 3)) + 8) // 16
    s = src.astype(np.float64)
    edge = sum(np.abs(ndimage.sobel(s, axis=axis, mode="nearest")) for axis in (0, 1))
    first = s + amount * edge / (edge + max(edge.mean(), 1)) * (s - enlarged(down, h, w))
    low, high = ndimage.minimum_filter(s, 3, mode="nearest"), ndimage.maximum_filter(s, 3, mode="nearest")
    limited = np.clip(first, low, high)
    return saturate(limited + excess * (first - limited))
