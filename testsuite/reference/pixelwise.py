"""Colour, tone, composition and geometry: results that hang on few pixels, by NumPy and OpenCV."""

import cv2
import numpy as np

from filters import saturate


def blend(top, bottom):
    alpha = top[..., 3:].astype(np.int64)
    mixed = top[..., :3] * alpha + bottom * (255 - alpha)
    return ((mixed + 127) // 255).astype(np.uint8)


def grey(src):
    r, g, b = (src[..., c].astype(np.int64) for c in range(3))
    return ((77 * r + 150 * g + 29 * b + 128) >> 8).astype(np.uint8)


def ycbcr(src):
    r, g, b = (src[..., c].astype(np.float64) for c in range(3))
    luma = 0.299 * r + 0.587 * g + 0.114 * b
    return saturate(np.stack([luma, (b - luma) / 1.772 + 128, (r - luma) / 1.402 + 128], axis=-1))


def rgb(src):
    luma, cb, cr = (src[..., c].astype(np.float64) - offset for c, offset in enumerate((0, 128, 128)))
    return saturate(np.stack([luma + 1.402 * cr, luma - 0.344136 * cb - 0.714136 * cr, luma + 1.772 * cb], axis=-1))


def hsv(src):
    return cv2.cvtColor(src, cv2.COLOR_RGB2HSV)


def planes(src):
    return np.moveaxis(src, 2, 0)


def gamma(src):
    table = saturate(255 * (np.arange(256) / 255) ** (1 / 2.2))
    return table[src]


def curve(src, strength=0.5):
    p = src / 255.0
    t = np.sqrt(p)
    return saturate(255 * (p + (t * t * (3 - 2 * t) - p) * strength))


def transposed(src):
    return np.swapaxes(src, 0, 1)


def rotated(src):
    return np.rot90(src, -1)


def mirrored(src):
    return src[:, ::-1]


def moved(src, dy=12, dx=-7):
    dst = np.zeros_like(src)
    height, width = src.shape
    top, left, bottom, right = max(dy, 0), max(dx, 0), min(height + dy, height), min(width + dx, width)
    if top < bottom and left < right:
        dst[top:bottom, left:right] = src[top - dy : bottom - dy, left - dx : right - dx]
    return dst


def rolled(src, by=5):
    return np.roll(src, -by, axis=1)


def downsample(src):
    wide = np.pad(src.astype(np.int64), [(0, n % 2) for n in src.shape], mode="edge")
    total = wide[0::2, 0::2] + wide[0::2, 1::2] + wide[1::2, 0::2] + wide[1::2, 1::2]
    return ((total + 2) // 4).astype(np.uint8)


def mandelbrot(H, W, left=-2.0, top=-1.25, step=0.005):
    left, top, step = (np.float32(v) for v in (left, top, step))
    cr, ci = np.meshgrid(left + np.arange(W, dtype=np.float32) * step, top + np.arange(H, dtype=np.float32) * step)
    zr, zi = np.zeros_like(cr), np.zeros_like(ci)
    n = np.zeros((H, W), np.uint8)
    for _ in range(255):
        inside = zr * zr + zi * zi <= 4
        if not inside.any():
            break
        t = zr * zr - zi * zi + cr
        zi = np.where(inside, np.float32(2) * zr * zi + ci, zi)
        zr = np.where(inside, t, zr)
        n += inside
    return n


def rgb_of_hsv(src):
    """Hues from 180 on, which OpenCV does not expect, go round."""
    hsv = src.astype(np.float32) * np.array([2, 1 / 255, 1 / 255], np.float32)
    hsv[..., 0] %= 360
    return saturate(255.0 * cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB))


def to_ycbcr(src):
    return np.moveaxis(ycbcr(np.moveaxis(src, 0, 2)), 2, 0)


def from_ycbcr(src):
    return np.moveaxis(rgb(np.moveaxis(src, 0, 2)), 2, 0)


def to_420(src):
    wide = np.pad(src.astype(np.float64), [(0, 0)] + [(0, n % 2) for n in src.shape[1:]], mode="edge")
    small = (wide[:, 0::2, 0::2] + wide[:, 0::2, 1::2] + wide[:, 1::2, 0::2] + wide[:, 1::2, 1::2]) / 4
    return to_ycbcr(src)[0], to_ycbcr(small)[1:]


def to_nv12(src):
    luma, chroma = to_420(np.moveaxis(src, 2, 0))
    return luma, np.ascontiguousarray(np.moveaxis(chroma, 0, 2))


def from_420(luma, chroma):
    wide = chroma.repeat(2, axis=1).repeat(2, axis=2)[:, : luma.shape[0], : luma.shape[1]]
    return from_ycbcr(np.stack([luma, *wide]))


MEAN = np.array([0.485, 0.456, 0.406], dtype=np.float32)
DEVIATION = np.array([0.229, 0.224, 0.225], dtype=np.float32)


def normalized(src):
    return ((src.astype(np.float32) / np.float32(255) - MEAN) / DEVIATION).transpose(2, 0, 1)


def restored(src):
    last = src.transpose(1, 2, 0).astype(np.float64)
    return np.clip(np.rint((last * DEVIATION + MEAN) * 255), 0, 255).astype(np.uint8)


def exchanged(src):
    return src[:, :, ::-1]


def smoothed(src):
    wide = np.pad(src.astype(np.int64), [(1, 1), (1, 1), (0, 0)], mode="edge")
    height, width, _ = src.shape
    total = sum(wide[j : j + height, i : i + width] for j in range(3) for i in range(3))
    return ((total + 4) // 9).astype(np.uint8)


def unpacked(src):
    fives = src.reshape(src.shape[0], -1, 5).astype(np.uint16)
    low = fives[:, :, 4:] >> np.array([0, 2, 4, 6], dtype=np.uint16) & 3
    return (fives[:, :, :4] << 2 | low).reshape(src.shape[0], -1)
