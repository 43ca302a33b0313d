"""Samples of half-precision pixels, of sound and of transforms: in f64, by SciPy."""

import numpy as np
from scipy import fft, ndimage, signal


def line(src):
    i = np.arange(-8, 9)
    bell = np.exp(-i * i / 32)
    return ndimage.correlate1d(src.astype(np.float64), bell / bell.sum(), mode="nearest").astype(np.float16)


def plane(src):
    y, x = np.mgrid[-3:4, -3:4]
    disc = (y * y + x * x <= 10).astype(np.float64)
    return ndimage.correlate(src.astype(np.float64), disc / disc.sum(), mode="nearest").astype(np.float16)


def lanczos(t):
    return np.where(np.abs(t) < 3, np.sinc(t) * np.sinc(t / 3), 0)


def resampled(src, places, step):
    """Each axis at the places, in pixels of src, by Lanczos' filter for that step; pixels outside are the nearest."""
    values = src.astype(np.float64)
    for axis in (0, 1):
        n = values.shape[axis]
        around = np.arange(-6, n + 6)
        weights = lanczos((around - places(n)[:, None]) / step)
        weights /= weights.sum(axis=1, keepdims=True)
        values = np.moveaxis(np.tensordot(weights, np.take(values, around.clip(0, n - 1), axis), (1, axis)), 0, axis)
    return values.astype(np.float16)


def down(src):
    return resampled(src, lambda n: 2 * np.arange(n // 2) + 0.5, 2)


def up(src):
    return resampled(src, lambda n: (np.arange(2 * n) - 0.5) / 2, 1)


def biquad(src):
    return signal.lfilter(*signal.butter(2, 0.2), src.astype(np.float64), axis=0).astype(np.float32)


def denoise(src, level=40.0):
    h, w = src.shape
    # Windows start 8 above and left of the image, and every pixel is in four of them.
    padded = np.pad(src.astype(np.float64), ((8, 8 + -h % 8), (8, 8 + -w % 8)), mode="symmetric")
    total = np.zeros_like(padded)
    for top in range(0, padded.shape[0] - 8, 8):
        for left in range(0, padded.shape[1] - 8, 8):
            window = np.s_[top : top + 16, left : left + 16]
            c = fft.dctn(padded[window], norm="ortho")
            total[window] += fft.idctn(np.where(np.abs(c) < level, 0, c), norm="ortho") / 4
    return total[8 : 8 + h, 8 : 8 + w].astype(np.float32)
