"""Resampling, by formulas of its own in NumPy."""

import cv2
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


def at(src, index, outside):
    """The pixels at arrays of indices: clamped where outside is None, else with that value outside."""
    sizes = src.shape[: len(index)]
    inside = np.logical_and.reduce([(0 <= i) & (i < n) for i, n in zip(index, sizes)])
    pixels = src[tuple(np.clip(i, 0, n - 1) for i, n in zip(index, sizes))].astype(np.float32)
    inside = inside.reshape(inside.shape + (1,) * (pixels.ndim - inside.ndim))
    return pixels if outside is None else np.where(inside, pixels, np.float32(outside))


def linear(src, coords, outside=None, index=()):
    """Interpolation from the last axis to the first, in f32 as the language defines it."""
    if len(index) == len(coords):
        return at(src, index, outside)
    f = coords[len(index)]
    whole = np.floor(f)
    i = np.clip(np.nan_to_num(whole), -(2**30), 2**30).astype(np.int64)  # where the language cuts indices off
    p = linear(src, coords, outside, index + (i,))
    q = linear(src, coords, outside, index + (i + 1,))
    t = f - whole
    t = t.reshape(t.shape + (1,) * (p.ndim - t.ndim))
    return (np.float32(1) - t) * p + t * q


def grid(*extents):
    return [c.astype(np.float32) for c in np.meshgrid(*map(np.arange, extents), indexing="ij")]


def warp(src, **given):
    m = dict(yy=0.9, yx=0.2, y0=-3.5, xy=-0.2, xx=0.9, x0=4.25) | given
    m = {name: np.float32(v) for name, v in m.items()}
    y, x = grid(*src.shape)
    fy, fx = m["yy"] * y + m["yx"] * x + m["y0"], m["xy"] * y + m["xx"] * x + m["x0"]
    return np.clip(np.rint(linear(src, (fy, fx), 0)), 0, 255).astype(np.uint8)


def probe(src, N, dz=0.3, dy=0.5, dx=0.7):
    (i,) = grid(N)
    return linear(src, [np.float32(d) * i for d in (dz, dy, dx)])


def remapped(src, places):
    return whole(linear(src, (places[..., 1], places[..., 0]), 0))


def straightened(src, focal=300, k1=-0.2, k2=0.05):
    focal, k1, k2, one = (np.float32(v) for v in (focal, k1, k2, 1))
    middle = [np.float32(n - 1) / np.float32(2) for n in src.shape[:2]]
    v, u = ((c - m) / focal for c, m in zip(grid(*src.shape[:2]), middle))
    r = u * u + v * v
    s = focal * (one + r * (k1 + k2 * r))
    return whole(linear(src, (v * s + middle[0], u * s + middle[1]), 0))


def polar(src, h, w):
    y, x = grid(h, w)
    angle = y * (np.float32(2 * 3.14159265) / np.float32(h))
    r = x / np.float32(2)
    middle = [np.float32(n - 1) / np.float32(2) for n in src.shape[:2]]
    return whole(linear(src, (middle[0] + r * np.sin(angle), middle[1] + r * np.cos(angle))))


def graded(src, cube):
    p = src.astype(np.float32) * np.float32(32 / 255)
    return whole(linear(cube, (p[..., 0], p[..., 1], p[..., 2])))


def zoom(src, factor=2.5):
    y, x = grid(*src.shape[:2])
    half = np.float32(0.5)
    index = [np.floor(c / np.float32(factor) + half).astype(np.int64) for c in (y, x)]
    return at(src, index, None).astype(np.uint8)


def folded(k, n, rule):
    if rule == "clamp":
        return np.clip(k, 0, n - 1)
    k = k % max(2 * n - 2, 1)
    return np.minimum(k, 2 * n - 2 - k)


def matrix(old, n, kernel, reach, rule="clamp", stretch=False):
    """The matrix that makes n values of old ones, centres at half-integers; with stretch the kernel widens where n < old."""
    m = np.zeros((n, old))
    scale = max(old / n, 1) if stretch else 1
    for i in range(n):
        place = (2 * i + 1) * old / (2 * n) - 0.5
        taps = np.arange(np.ceil(place - reach * scale), np.floor(place + reach * scale) + 1).astype(int)
        weights = kernel(np.abs(taps - place) / scale)
        np.add.at(m[i], folded(taps, old, rule), weights / weights.sum())
    return m


def lanczos(d):
    return np.where(d < 3, np.sinc(d) * np.sinc(d / 3), 0)


def keys(d):
    return np.where(d <= 1, 1.5 * d**3 - 2.5 * d**2 + 1, np.where(d < 2, -0.5 * d**3 + 2.5 * d**2 - 4 * d + 2, 0))


def whole(a):
    return np.clip(np.rint(a), 0, 255).astype(np.uint8)


def resize(src, h, w):
    down, across = (matrix(old, n, lanczos, 3, stretch=True) for old, n in zip(src.shape, (h, w)))
    return whole(down @ src.astype(np.float64) @ across.T)


def resize_linear(src, h, w):
    return cv2.resize(src, (w, h), interpolation=cv2.INTER_LINEAR)


def resize_cubic(src, h, w):
    down, across = (matrix(old, n, keys, 2, "reflect101") for old, n in zip(src.shape, (h, w)))
    return whole(np.einsum("ij,jkc,lk->ilc", down, src.astype(np.float64), across, optimize=True))


def resize_blocks(src, h, w):
    """The pixels in which the centres lie, exactly; OpenCV's steps are rounded."""
    rows, columns = ((2 * np.arange(n) + 1) * old // (2 * n) for old, n in zip(src.shape, (h, w)))
    return src[rows][:, columns]


def centred(src):
    return np.fft.fftshift(src)


def hidden(picture):
    out = picture.copy()
    h, w = picture.shape[0] // 2, picture.shape[1] // 2
    part = out[picture.shape[0] // 4 :, picture.shape[1] // 4 :][:h, :w]
    part[:] = part[np.ix_(np.arange(h) // 8 * 8, np.arange(w) // 8 * 8)]
    return out


def stretched(src):
    low, high = (f(src.astype(np.int32), axis=(1, 2), keepdims=True) for f in (np.min, np.max))
    return np.where(high > low, 255 * (src - low) // np.maximum(high - low, 1), src).astype(np.uint8)


def less_noisy(src):
    out = src.copy()
    for k in (1, 2):
        p = np.pad(src[k].astype(np.int32), 1, "edge")
        h, w = src[k].shape
        out[k] = (sum(p[y : y + h, x : x + w] for y in range(3) for x in range(3)) + 4) // 9
    return out
