"""Programs of Halide's papers and applications, by NumPy, SciPy and OpenCV in f64."""

import cv2
import numpy as np
from scipy import ndimage

from filters import saturate


def blur(src):
    for axis in (1, 0):
        total = ndimage.correlate1d(src.astype(np.int64), [1, 1, 1], axis=axis, mode="nearest")
        src = (total // 3).astype(np.uint16)
    return src


def chain(src, stages=32):
    bell = np.outer([1, 4, 6, 4, 1], [1, 4, 6, 4, 1])
    for _ in range(stages):
        src = ((ndimage.correlate(src.astype(np.int64), bell, mode="nearest") + 128) // 256).astype(np.uint16)
    return src


def equalize(src):
    bright = np.rint((src @ np.array([0.299, 0.587, 0.114])).astype(np.float32)).astype(np.int64)
    level = 255 * np.cumsum(np.bincount(bright.ravel(), minlength=256))[bright] / bright.size
    return saturate(src + (level - bright)[..., None])


def distances(src, offset):
    """How far the 7 x 7 pixels around each pixel are from those around the one at the offset, on the average."""
    r = 8
    p = np.pad(src, [(r, r), (r, r), (0, 0)], mode="edge")
    dy, dx = offset
    far = ((p - np.roll(p, (-dy, -dx), (0, 1))) ** 2).sum(axis=-1)
    return ndimage.uniform_filter(far, 7)[r:-r, r:-r], np.roll(p, (-dy, -dx), (0, 1))[r:-r, r:-r]


def nl_means(src, sigma=30.0):
    wide = src.astype(np.float64)
    total, weight = 0.0, 0.0
    for dy in range(-3, 4):
        for dx in range(-3, 4):
            far, there = distances(wide, (dy, dx))
            w = np.exp(-far / sigma**2)[..., None]
            total, weight = total + w * there, weight + w
    return (total / weight).astype(np.float32)


def max_filter(src):
    y, x = np.mgrid[-26:27, -26:27]
    return cv2.dilate(src, (y * y + x * x <= 26 * 26).astype(np.uint8), borderType=cv2.BORDER_REPLICATE)


def bilateral_grid(src, bins=10):
    s = 8
    v = np.clip(src.astype(np.float64), 0, 1)
    h, w = (-(-n // s) + 1 for n in v.shape)
    p = np.pad(v, [(s // 2, s * h - n - s // 2) for h, n in zip((h, w), v.shape)], mode="edge")
    z = np.rint(p.astype(np.float32) * np.float32(bins)).astype(np.int64)
    y, x = (i // s for i in np.indices(p.shape))
    grid = np.zeros((2, bins + 1, h, w))
    np.add.at(grid[0], (z, y, x), p)
    np.add.at(grid[1], (z, y, x), 1)
    taps = [1, 4, 6, 4, 1]
    for axis, mode in ((1, "constant"), (2, "nearest"), (3, "nearest")):
        grid = ndimage.correlate1d(grid, taps, axis=axis, mode=mode)
    y, x = np.indices(v.shape)
    total, weight = (ndimage.map_coordinates(g, [v * bins, y / s, x / s], order=1, mode="nearest") for g in grid)
    return (total / weight).astype(np.float32)


MATRICES = {
    3200: [[1.6697, -0.2693, -0.4004, -42.4346], [-0.3576, 1.0615, 1.5949, -37.1158], [-0.2175, -1.8751, 6.9640, -26.6970]],
    7000: [[2.2997, -0.4478, 0.1706, -39.0923], [-0.3826, 1.5906, -0.2080, -25.4311], [-0.0888, -0.7344, 2.2832, -20.0826]],
}


def half(total):
    """total / 2, rounded towards zero."""
    return np.trunc(total / 2).astype(np.int64)


def alike(a, b, c, d):
    return np.where(np.abs(a - b) < np.abs(c - d), half(a + b), half(c + d))


def mirrored(image, r):
    """A function that gives the image moved by an offset of at most r, its edges mirrored."""
    h, w = image.shape
    rows, columns = (reflected(np.arange(-r, n + r), n) for n in (h, w))
    p = image[rows][:, columns]
    return lambda dy, dx: p[r + dy : r + dy + h, r + dx : r + dx + w]


def reflected(i, n):
    period = max(2 * (n - 1), 1)
    i = np.abs(i) % period
    return np.minimum(i, period - i) if n > 1 else np.zeros_like(i)


def demosaiced(raw):
    """The red, green and blue of each pixel, from separate planes of the three."""
    at = mirrored(raw.astype(np.int64), 2)
    clean = np.minimum(raw, np.max([at(-2, 0), at(2, 0), at(0, -2), at(0, 2)], axis=0))
    y, x = np.indices(raw.shape)
    at = mirrored(clean, 1)
    green = np.where((y + x) % 2 == 0, clean, alike(at(0, -1), at(0, 1), at(-1, 0), at(1, 0)))
    at = mirrored(clean - green, 1)
    beside, above = half(at(0, -1) + at(0, 1)), half(at(-1, 0) + at(1, 0))
    around = alike(at(-1, -1), at(1, 1), at(-1, 1), at(1, -1))
    kinds = [(y % 2 == 0) & (x % 2 == 0), (y % 2 == 0) & (x % 2 == 1), (y % 2 == 1) & (x % 2 == 0), (y % 2 == 1) & (x % 2 == 1)]
    red = np.select(kinds, [beside, at(0, 0), around, above])
    blue = np.select(kinds, [above, around, at(0, 0), beside])
    return np.stack([green + red, green, green + blue], axis=-1)


def camera(raw, kelvin=3700.0, gamma=2.0, contrast=50.0, black=25, white=1023):
    share = (1 / kelvin - 1 / 3200) / (1 / 7000 - 1 / 3200)
    m = share * np.array(MATRICES[7000]) + (1 - share) * np.array(MATRICES[3200])
    linear = demosaiced(raw) @ m[:, :3].T + m[:, 3]
    v = np.clip((np.arange(1024) - black) / (white - black), 0, 1) ** (1 / gamma)
    b = 2 - 2 ** (contrast / 100)
    a = 2 - 2 * b
    curve = np.where(v > 0.5, 1 - (a * (1 - v) ** 2 + b * (1 - v)), a * v**2 + b * v)
    return saturate(255 * curve)[np.clip(np.rint(linear), 0, 1023).astype(np.int64)]


def gradient(a):
    p = np.pad(a, 1, mode="edge")
    return (p[2:, 1:-1] - p[:-2, 1:-1]) / 2, (p[1:-1, 2:] - p[1:-1, :-2]) / 2


def divergence(y, x):
    return gradient(y)[0] + gradient(x)[1]


def evolved(phi, still, balloon):
    """One round of distance-regularised level set evolution."""
    py, px = gradient(phi)
    s = np.hypot(py, px)
    ny, nx = (p / (s + 1e-3) for p in (py, px))
    a = np.pi * 2 * s
    well = np.where(s > 1, (s - 1) / np.where(s == 0, 1, s), np.where(s == 0, 1, np.sin(a) / np.where(a == 0, 1, a)))
    regular = divergence((well - 1) * py, (well - 1) * px) + ndimage.laplace(phi, mode="nearest")
    dirac = np.where(np.abs(phi) <= 1.5, (1 + np.cos(np.pi * phi / 1.5)) / 3, 0)
    vy, vx = gradient(still)
    edge = dirac * (vy * ny + vx * nx + still * divergence(ny, nx))
    return phi + 0.2 * regular + edge + balloon * dirac * still


def segment(src, margin=8, balloon=1.0, rounds=50):
    y, x = gradient(ndimage.gaussian_filter(src.astype(np.float64), 1.5, mode="nearest", radius=4))
    still = 1 / (1 + y * y + x * x)
    i, j = np.indices(src.shape)
    frame = np.minimum(np.minimum(i, src.shape[0] - 1 - i), np.minimum(j, src.shape[1] - 1 - j))
    phi = np.where(frame < margin, 2.0, -2.0)
    for _ in range(rounds):
        phi = evolved(phi, still, balloon)
    shown = np.repeat(src[..., None], 3, axis=-1)
    shown[(phi >= 0) & (ndimage.minimum_filter(phi, 3, mode="nearest") < 0)] = (255, 0, 0)
    return phi.astype(np.float32), shown
