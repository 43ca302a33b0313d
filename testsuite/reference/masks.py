"""Filters by masks that are given at run time."""

import numpy as np
from scipy import ndimage


def convolved(src, k):
    return ndimage.correlate(src.astype(np.float64), k.astype(np.float64), mode="nearest").astype(np.float32)


def moved(src, element, outside):
    """The picture moved by each offset of the structuring element's entries other than 0."""
    h, w = src.shape
    rows, columns = element.shape
    top, left = rows // 2, columns // 2
    padded = np.pad(src, ((top, rows), (left, columns)), constant_values=outside)
    return [padded[i : i + h, j : j + w] for i, j in zip(*np.nonzero(element))]


def dilated(src, element):
    return np.max(moved(src, element, 0) or [np.zeros_like(src)], axis=0)


def eroded(src, element):
    return np.min(moved(src, element, 255) or [np.full_like(src, 255)], axis=0)
