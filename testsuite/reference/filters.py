"""Linear filters, gradients and reductions of neighbourhoods, by SciPy and OpenCV."""

import cv2
import numpy as np
from scipy import ndimage


def saturate(values):
    """To u8 as sat<u8> has it: to the nearest, of two the even one."""
    return np.clip(np.rint(values), 0, 255).astype(np.uint8)


def sharpen(src, amount=1.5):
    y, x = np.mgrid[-2:3, -2:3]
    bell = np.exp(-(y * y + x * x) / (2 * 1.2 * 1.2))
    bell /= bell.sum()
    pixel = src.astype(np.float64)
    blurred = np.stack([ndimage.correlate(pixel[..., c], bell, mode="nearest") for c in range(3)], axis=-1)
    return saturate(pixel + amount * (pixel - blurred))


def blur(src):
    rows = ndimage.correlate1d(src.astype(np.int64), [1, 4, 6, 4, 1], axis=1, mode="mirror")
    both = ndimage.correlate1d(rows, [1, 4, 6, 4, 1], axis=0, mode="mirror")
    return ((both + 128) // 256).astype(np.uint8)


def box(src):
    total = cv2.boxFilter(src, cv2.CV_32S, (5, 5), normalize=False, borderType=cv2.BORDER_REFLECT)
    return ((total + 12) // 25).astype(np.uint8)


def gaussian(src):
    return ndimage.gaussian_filter(src.astype(np.float64), 1.5, mode="nearest", radius=5).astype(np.float32)


def clarity(src, amount=0.5):
    """The mean of 3 x 3 at every second pixel, and between these the mean of the nearest."""
    half = ndimage.uniform_filter(src.astype(np.float64), 3, mode="nearest")[::2, ::2]
    y, x = np.ogrid[: src.shape[0], : src.shape[1]]
    low, right = np.minimum((y + 1) // 2, half.shape[0] - 1), np.minimum((x + 1) // 2, half.shape[1] - 1)
    around = (half[y // 2, x // 2] + half[y // 2, right] + half[low, x // 2] + half[low, right]) / 4
    return (src + amount * (src - around)).astype(np.float32)


def smooth_by(src, sigma=1.5):
    """With a radius of three standard deviations, as f32 has it."""
    radius = int(np.ceil(np.float32(3) * np.float32(sigma)))
    return ndimage.gaussian_filter(src.astype(np.float64), sigma, mode="nearest", radius=radius).astype(np.float32)


def sobel(src):
    dx = cv2.Sobel(src, cv2.CV_64F, 1, 0, ksize=3, borderType=cv2.BORDER_REFLECT_101)
    dy = cv2.Sobel(src, cv2.CV_64F, 0, 1, ksize=3, borderType=cv2.BORDER_REFLECT_101)
    return saturate(np.hypot(dx, dy))


def scharr(src):
    return (
        cv2.Scharr(src, cv2.CV_16S, 1, 0, borderType=cv2.BORDER_REFLECT_101),
        cv2.Scharr(src, cv2.CV_16S, 0, 1, borderType=cv2.BORDER_REFLECT_101),
    )


def laplace(src):
    wide = src.astype(np.int64)
    around = sum(np.roll(wide, shift, axis) for shift in (1, -1) for axis in (0, 1))
    return saturate(128 + around - 4 * wide)


def median3(src):
    return ndimage.median_filter(src, 3, mode="nearest")


def median5(src):
    return ndimage.median_filter(src, 5, mode="nearest")


def disc():
    y, x = np.mgrid[-3:4, -3:4]
    return y * y + x * x <= 10


def erode(src):
    return ndimage.grey_erosion(src, footprint=disc(), mode="constant", cval=255)


def dilate(src):
    return ndimage.grey_dilation(src, footprint=disc(), mode="constant", cval=0)


def outline(src):
    return dilate(src) - erode(src)


def threshold(src, level=128):
    return np.where(src > level, 255, 0).astype(np.uint8)


def adaptive(src, offset=5.0):
    total = cv2.boxFilter(src, cv2.CV_32S, (15, 15), normalize=False, borderType=cv2.BORDER_REPLICATE)
    local = total.astype(np.float32) / np.float32(225)
    return np.where(src.astype(np.float32) > local - np.float32(offset), 255, 0).astype(np.uint8)


def life(src):
    alive = src != 0
    n = sum(
        np.roll(alive.astype(np.int64), (dy, dx), (0, 1)) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if (dy, dx) != (0, 0)
    )
    return np.where((n == 3) | (n == 2) & alive, 255, 0).astype(np.uint8)


def smooth(src):
    return ndimage.uniform_filter(src.astype(np.float64), 3, mode="nearest").astype(np.float32)


def average(src):
    return src.astype(np.float64).mean(axis=0).astype(np.float32)


def _alike(a, b, mean):
    """Structural similarity (Wang, Bovik, Sheikh and Simoncelli, 2004) under a mean of windows."""
    a, b = a.astype(np.float64), b.astype(np.float64)
    ma, mb = mean(a), mean(b)
    va, vb, vab = mean(a * a) - ma * ma, mean(b * b) - mb * mb, mean(a * b) - ma * mb
    luminance = (2 * ma * mb + (0.01 * 255) ** 2) / (ma * ma + mb * mb + (0.01 * 255) ** 2)
    structure = (2 * vab + (0.03 * 255) ** 2) / (va + vb + (0.03 * 255) ** 2)
    return (luminance * structure).astype(np.float32)


def similarity(a, b):
    found = _alike(a, b, lambda x: ndimage.gaussian_filter(x, 1.5, mode="mirror", radius=5))
    return found, np.array([found.mean(dtype=np.float64)], np.float32)


def likeness(a, b):
    return _alike(a, b, lambda x: ndimage.uniform_filter(x, 7, mode="nearest"))


def mutual(a, b):
    """The joint histogram, and the mutual information in bits: what the entropies of both images have more than that of the pairs."""
    joint = np.histogram2d(a.ravel(), b.ravel(), bins=256, range=[[0, 256], [0, 256]])[0]
    entropy = lambda p: -(p[p > 0] * np.log2(p[p > 0])).sum()
    p = joint / a.size
    told = entropy(p.sum(axis=1)) + entropy(p.sum(axis=0)) - entropy(p)
    return joint.astype(np.uint32), np.array([told], np.float32)


def bell(src):
    j, i = np.mgrid[-3:4, -3:4]
    weights = np.exp(-(j * j + i * i) / 4.5)
    return ndimage.correlate(src.astype(np.float64), weights / weights.sum(), mode="nearest").astype(np.float32)


def blobs(src):
    pixel = src.astype(np.float64)
    narrow = ndimage.gaussian_filter(pixel, 1.5, mode="mirror", radius=4)
    wide = ndimage.gaussian_filter(pixel, np.sqrt(4.5), mode="mirror", radius=6)
    return (narrow - wide).astype(np.float32)


def eroded(src):
    shape = np.ones((5, 5), bool)
    shape[[0, 0, 4, 4], [0, 4, 0, 4]] = False
    return ndimage.minimum_filter(src, footprint=shape, mode="nearest")


def inside(src):
    ones = np.ones((5, 5))
    total = ndimage.correlate(src.astype(np.float64), ones, mode="constant")
    count = ndimage.correlate(np.ones(src.shape), ones, mode="constant")
    return (total / count).astype(np.float32)


def variance(src):
    mean, squares = (ndimage.uniform_filter(v, 5, mode="mirror") for v in (src.astype(np.float64), src.astype(np.float64) ** 2))
    return (squares - mean**2).astype(np.float32)
