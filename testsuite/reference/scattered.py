"""What pixels do to other pixels: histograms, splats and collections, by NumPy's unbuffered updates."""

import numpy as np

from filters import saturate


def histogram(src):
    return np.bincount(src.ravel(), minlength=256).astype(np.uint32)


def colours(src):
    cells = (src // 16).reshape(-1, 3)
    return np.histogramdd(cells[:, ::-1], bins=3 * [np.arange(17)])[0].astype(np.uint32)


def equalize(src):
    rank = np.cumsum(histogram(src)).astype(np.float32)
    return saturate(np.float32(255) * rank[src] / np.float32(src.size))


def splat(src, c=0.75, s=0.5):
    height, width = src.shape
    c, s = np.float32(c), np.float32(s)
    y, x = np.indices(src.shape)
    v = (2 * y - height).astype(np.float32) / np.float32(2)
    u = (2 * x - width).astype(np.float32) / np.float32(2)
    row = np.floor(s * u + c * v).astype(np.int64) + height // 2
    column = np.floor(c * u - s * v).astype(np.int64) + width // 2
    inside = (row >= 0) & (row < height) & (column >= 0) & (column < width)
    dst = np.zeros_like(src)
    np.maximum.at(dst, (row[inside], column[inside]), src[inside])
    return dst


def palette(src):
    p = src.astype(np.int64)
    cell = (p[..., 0] + 2 * p[..., 1] + p[..., 2]) // 32
    total, weight = np.zeros((32, 3), np.int64), np.zeros(32, np.int64)
    np.add.at(total, cell, p)
    np.add.at(weight, cell, 1)
    return (total.astype(np.float32) / np.maximum(weight, 1).astype(np.float32)[:, None]).astype(np.float32)


def boxes(labels):
    height, width = labels.shape
    box = np.tile(np.array([height + width, height + width, -1, -1], np.int32), (256, 1))
    y, x = np.indices(labels.shape)
    np.minimum.at(box, labels, np.stack([x, y, x * 0 + height + width, x * 0 + height + width], -1).astype(np.int32))
    np.maximum.at(box, labels, np.stack([x * 0 - 1, x * 0 - 1, x, y], -1).astype(np.int32))
    return box
