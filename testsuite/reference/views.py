"""Parts of images, as NumPy's slices, and images at other sizes."""

import math
from fractions import Fraction

import cv2
import numpy as np
from PIL import Image


def run(src, planes, dst, cube, text):
    """Runs statements on copies of the images and returns what they made of dst and cube."""
    names = {
        "np": np, "src": src, "planes": planes, "dst": dst.copy(), "cube": cube.copy(),
        "H": dst.shape[0], "W": dst.shape[1], "a": dst.shape[0] // 2, "b": dst.shape[1] // 3,
    }
    with np.errstate(over="ignore"):
        exec(text, names)
    return names["dst"], names["cube"]


def resample(src, h, w, mode, rule="clamp", steps=None, value=0):
    """src at another size, from the definition: positions as fractions, each axis by a matrix of weights."""
    out = src.astype(np.float64)
    for axis, n in ((0, h), (1, w)):
        out = np.moveaxis(along(np.moveaxis(out, axis, 0), n, mode, rule, steps and steps[axis], value), 0, axis)
    return out


KERNELS = {
    "linear": (1, lambda d: 1 - d),
    "cubic": (2, lambda d: 1.5*d**3 - 2.5*d**2 + 1 if d <= 1 else -0.5*d**3 + 2.5*d**2 - 4*d + 2),
    "lanczos3": (3, lambda d: np.sinc(d) * np.sinc(d / 3)),
}


def along(src, n, mode, rule, step, value):
    old = src.shape[0]
    result = []
    for i in range(n):
        place = (Fraction(2*i + 1, 2)) * (Fraction(old, n) if step is None else Fraction(step))
        if mode == "nearest":
            result.append(pixel(src, math.floor(place), rule, value))
            continue
        reach, kernel = KERNELS[mode]
        place -= Fraction(1, 2)
        taps = [k for k in range(math.floor(place) - reach + 1, math.floor(place) + reach + 1)]
        weights = np.array([kernel(abs(float(place - k))) for k in taps])
        result.append(sum(u * pixel(src, k, rule, value) for u, k in zip(weights / weights.sum(), taps)))
    return np.stack(result)


def pixel(src, k, rule, value):
    n = src.shape[0]
    if 0 <= k < n:
        return src[k]
    if rule == "constant":
        return np.full_like(src[0], value)
    if rule == "clamp":
        return src[min(max(k, 0), n - 1)]
    if rule == "repeat":
        return src[k % n]
    if rule == "reflect":
        k %= 2 * n
        return src[min(k, 2*n - 1 - k)]
    k %= max(2*n - 2, 1)
    return src[min(k, 2*n - 2 - k)]


def resized(src, text, rows, columns):
    """The value of an expression over src and the size of the result."""
    names = {"np": np, "cv2": cv2, "Image": Image, "src": src, "h": rows, "w": columns, "H": src.shape[0], "W": src.shape[1], "resample": resample, "whole": whole}
    return np.asarray(eval(text, names))


def whole(a):
    """Rounded to nearest even, as bytes."""
    return np.clip(np.rint(a), 0, 255).astype(np.uint8)
