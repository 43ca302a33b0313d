"""The standard library of the compiler, by NumPy, SciPy, OpenCV and scikit-image."""

import cv2
import numpy as np
from scipy import ndimage
from skimage import color


def saturate(values):
    return np.clip(np.rint(values), 0, 255).astype(np.uint8)


BINOMIAL = np.array([1, 4, 6, 4, 1])


def binomial(src, mode="mirror"):
    """Along the first two axes."""
    out = ndimage.correlate1d(src.astype(np.float64), BINOMIAL, axis=0, mode=mode)
    return ndimage.correlate1d(out, BINOMIAL, axis=1, mode=mode) / 256


def blurred(src):
    return saturate(binomial(src))


def boxes(src):
    wide = src.astype(np.float64)
    return tuple(ndimage.uniform_filter(wide, n, mode="nearest").astype(np.float32) for n in (3, 5))


def softened(src):
    bell = np.exp(-np.arange(-3, 4) ** 2 / (2 * 1.2**2))
    bell /= bell.sum()
    rows = ndimage.correlate1d(src.astype(np.float64), bell, axis=1, mode="nearest")
    return saturate(ndimage.correlate1d(rows, bell, axis=0, mode="nearest"))


def slopes(src):
    def magnitude(derivative):
        dx, dy = (derivative(src, cv2.CV_64F, *d, borderType=cv2.BORDER_REFLECT_101) for d in ((1, 0), (0, 1)))
        return np.hypot(dx, dy)

    four = cv2.Laplacian(src, cv2.CV_64F, ksize=1, borderType=cv2.BORDER_REFLECT_101)
    eight = 9 * cv2.boxFilter(src, cv2.CV_64F, (3, 3), borderType=cv2.BORDER_REFLECT_101) - 9.0 * src
    sobel = magnitude(lambda *a, **k: cv2.Sobel(*a, ksize=3, **k))
    return tuple(x.astype(np.float32) for x in (sobel, magnitude(cv2.Scharr), four, np.rint(eight)))


def ranks(src):
    ones = np.ones((3, 3), np.uint8)
    return (
        cv2.erode(src, ones, borderType=cv2.BORDER_REPLICATE),
        ndimage.median_filter(src, 3, mode="nearest"),
        ndimage.median_filter(src, 5, mode="nearest"),
        cv2.dilate(src, ones, borderType=cv2.BORDER_REPLICATE),
    )


def crisp(src, amount=1.5):
    return saturate(src + amount * (src - binomial(src)))


def greys(src):
    return saturate(src @ np.array([0.299, 0.587, 0.114]))


def brightness(src):
    return (src / 255.0 @ np.array([0.2126, 0.7152, 0.0722])).astype(np.float32)


def differences(src):
    rgb = (src / 255.0).astype(np.float32)
    y = rgb @ np.array([0.299, 0.587, 0.114])
    there = np.stack([y, (rgb[..., 2] - y) / 1.772 + 0.5, (rgb[..., 0] - y) / 1.402 + 0.5], axis=-1)
    return there.astype(np.float32), rgb


def hues(src):
    rgb = (src / 255.0).astype(np.float32)
    return color.rgb2hsv(src / 255.0).astype(np.float32), rgb


def light(src):
    rgb = src / 255.0
    there = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return there.astype(np.float32), rgb.astype(np.float32), rgb[..., 0].astype(np.float32)


def levels(src):
    small = saturate(binomial(src)[::2, ::2])
    spread = small.astype(np.float64)
    for axis in (0, 1):
        padded = np.concatenate([spread.take([0], axis), spread, spread.take([-1], axis)], axis)
        n = spread.shape[axis]
        before, here, after = (padded.take(range(k, k + n), axis) for k in range(3))
        even, odd = before / 8 + here * 0.75 + after / 8, (here + after) / 2
        both = np.stack([even, odd], axis=axis + 1)
        shape = list(spread.shape)
        shape[axis] = 2 * n
        spread = both.reshape(shape).take(range(src.shape[axis]), axis)
    nearest = small.repeat(2, axis=0).repeat(2, axis=1)[: src.shape[0], : src.shape[1]]
    return small, saturate(spread), nearest


def bands(src, fine=1.5, middle=1.25):
    once = binomial(src)
    twice = binomial(once)
    return saturate(twice + middle * (once - twice) + fine * (src - once))
