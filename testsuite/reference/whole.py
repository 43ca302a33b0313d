"""What depends on all pixels of an image, by NumPy in f64."""

import numpy as np
import scipy.sparse
import scipy.sparse.linalg
from scipy import ndimage


def statistics(src):
    y, x = np.unravel_index(src.argmax(), src.shape)
    values = np.array([src.min(), src.max(), src.mean(), src.std()], np.float32)
    return values, np.array([[x, y]], np.int32)


def errors(a, b):
    x, y = a.astype(np.float64), b.astype(np.float64)
    apart = np.abs(x - y)
    squares, powers = (apart**2).sum(), (x**2).sum() * (y**2).sum()
    values = [apart.mean(), 10 * np.log10(65025 * a.size / squares) if squares else 99, (x * y).sum() / np.sqrt(powers) if powers else 0]
    row, column = np.unravel_index(apart.argmax(), apart.shape)
    return np.array(values, np.float32), np.array([[column, row]], np.int32)


def stretch(src):
    lo, hi = int(src.min()), int(src.max())
    if lo == hi:
        return src
    return ((255 * (src.astype(np.int64) - lo) + (hi - lo) // 2) // (hi - lo)).astype(np.uint8)


def normalize(src):
    wide = src.astype(np.float64)
    return ((wide - wide.mean()) / np.sqrt(wide.var() + 1)).astype(np.float32)


def profiles(src):
    dark = 255 - src.astype(np.int32)
    return dark.sum(1, dtype=np.int32), dark.sum(0, dtype=np.int32)


def level(src):
    wide = src.astype(np.float64)
    return (wide - wide.mean(0) + wide.mean()).astype(np.float32)


def in_blocks(src, size=16):
    """The pixels of each block along the last axis; the last blocks go on with the last pixels."""
    h, w = src.shape
    p = np.pad(src.astype(np.int32), ((0, -h % size), (0, -w % size)), "edge")
    p = p.reshape(p.shape[0] // size, size, p.shape[1] // size, size)
    return p.swapaxes(1, 2).reshape(p.shape[0], p.shape[2], size * size)


def blocks(src):
    p = in_blocks(src)
    average, contrast = (p.sum(2) + 128) // 256, p.max(2) - p.min(2)
    return average.astype(np.uint8), contrast.astype(np.uint8)


def changed(before, now):
    return np.abs(in_blocks(now) - in_blocks(before)).sum(2, dtype=np.int32)


def otsu(src):
    """The level with the least variance within the groups, weighted by their sizes."""
    best, level = None, 0
    for t in range(256):
        low, high = src[src <= t].astype(np.float64), src[src > t].astype(np.float64)
        if low.size == 0 or high.size == 0:
            continue
        within = low.size * low.var() + high.size * high.var()
        if best is None or within < best * (1 - 1e-12):
            best, level = within, t
    return np.where(src > level, 255, 0).astype(np.uint8)


def expose(src, goal=110.0):
    """The gain with the mean nearest below the goal, among the multiples of the last interval."""
    gains = np.arange(0, 16 * 256 + 1) / 256
    reached = [g for g in gains if np.minimum(g * src.astype(np.float64), 255).mean() < goal]
    gain = min(reached[-1] if reached else 0, 16 - 1 / 256)
    return np.clip(np.rint(gain * src), 0, 255).astype(np.uint8)


def solve(f, tolerance=0.0):
    h, w = f.shape

    def line(n):
        return scipy.sparse.diags([-1, 2, -1], [-1, 0, 1], shape=(n, n))

    matrix = scipy.sparse.kron(line(h), scipy.sparse.eye(w)) + scipy.sparse.kron(scipy.sparse.eye(h), line(w))
    return scipy.sparse.linalg.spsolve(matrix.tocsc(), f.ravel().astype(np.float64)).reshape(h, w).astype(np.float32)


def stereo(left, right, most=16):
    """Block matching by a box filter over each displacement's differences."""
    h, w = left.shape
    a = np.pad(left.astype(np.int64), 2, mode="edge")
    b = np.pad(right.astype(np.int64), ((2, 2), (most + 1, 2)), mode="edge")
    costs = []
    for d in range(most):
        far = np.abs(a - b[:, most - 1 - d : most - 1 - d + w + 4])
        costs.append(sum(far[j : j + h, i : i + w] for j in range(5) for i in range(5)))
    return np.argmin(costs, axis=0).astype(np.uint8)


def canny(src, low=40, high=100):
    """Thinned edges, of which those connected with strong ones are labelled by SciPy."""
    bell = np.array([[2, 4, 5, 4, 2], [4, 9, 12, 9, 4], [5, 12, 15, 12, 5], [4, 9, 12, 9, 4], [2, 4, 5, 4, 2]])
    soft = ndimage.correlate(src.astype(np.int64), bell, mode="nearest") // bell.sum()
    gx, gy = (ndimage.sobel(soft, axis, mode="nearest") for axis in (1, 0))
    squares = np.pad(gx**2 + gy**2, 1)
    inside = squares[1:-1, 1:-1]
    y, x = np.indices(src.shape) + 1
    dx = np.where(5 * abs(gy) > 12 * abs(gx), 0, 1)
    dy = np.where(5 * abs(gx) > 12 * abs(gy), 0, np.where((gx > 0) == (gy > 0), 1, -1))
    thin = (inside >= squares[y + dy, x + dx]) & (inside > squares[y - dy, x - dx])
    labels, _ = ndimage.label(thin & (inside > low * low), np.ones((3, 3)))
    strong = np.unique(labels[thin & (inside > high * high) & (labels > 0)])
    return np.where(np.isin(labels, strong), 255, 0).astype(np.uint8)


def corners(src, contrast=20):
    h, w = src.shape
    circle = [(0, -3), (1, -3), (2, -2), (3, -1), (3, 0), (3, 1), (2, 2), (1, 3)]
    circle += [(-x, -y) for x, y in circle]
    wide = np.pad(src.astype(np.int64), 3)
    d = np.array([wide[3 + y : 3 + y + h, 3 + x : 3 + x + w] for x, y in circle]) - src
    found = np.zeros((h, w), bool)
    for side in (d > contrast, d < -contrast):
        for first in range(16):
            found |= np.all(np.roll(side, -first, axis=0)[:9], axis=0)
    y, x = np.indices((h, w))
    y, x = np.nonzero(found & (np.minimum(y, h - 1 - y) >= 3) & (np.minimum(x, w - 1 - x) >= 3))
    places = np.full((512, 2), -1, np.int32)
    places[: len(x)] = np.stack([x, y], axis=-1)[:512]
    return places


def sgm(left, right, d=16, step=8, jump=60):
    h, w = left.shape
    a = np.pad(left.astype(np.int64), ((0, 0), (1, 1)), mode="edge")
    b = np.pad(right.astype(np.int64), ((0, 0), (d, 1)), mode="edge")
    far = np.array([abs(a - b[:, d - 1 - k : d + 1 - k + w]) for k in range(d)])
    cost = np.moveaxis(far[:, :, :-2] + far[:, :, 1:-1] + far[:, :, 2:], 0, -1)

    def ways(cost):
        """Along the first axis."""
        total = cost.copy()
        for i in range(1, len(cost)):
            before = total[i - 1]
            least = before.min(axis=-1, keepdims=True)
            best = np.minimum(before, least + jump)
            best[:, 1:] = np.minimum(best[:, 1:], before[:, :-1] + step)
            best[:, :-1] = np.minimum(best[:, :-1], before[:, 1:] + step)
            total[i] += best - least
        return total

    across = cost.swapaxes(0, 1)
    total = ways(cost) + ways(cost[::-1])[::-1] + (ways(across) + ways(across[::-1])[::-1]).swapaxes(0, 1)
    return np.argmin(total, axis=-1).astype(np.uint8)


def carve(src):
    h, w = src.shape[:2]
    wide = np.pad(src.astype(np.int64), ((1, 1), (1, 1), (0, 0)), mode="edge")
    across = abs(wide[1:-1, :-2] - wide[1:-1, 2:]).max(axis=-1)
    cost = across + abs(wide[:-2, 1:-1] - wide[2:, 1:-1]).max(axis=-1)
    far = np.full(1, 1 << 28)

    def above(row):
        beside = np.concatenate([far, row, far])
        return np.stack([beside[:-2], beside[1:-1], beside[2:]])

    for y in range(1, h):
        cost[y] += above(cost[y - 1]).min(axis=0)
    x = int(np.argmin(cost[-1]))
    out = np.empty((h, w - 1, 3), np.uint8)
    for y in reversed(range(h)):
        if y < h - 1:
            x += int(np.argmin(above(cost[y])[:, x])) - 1
        out[y] = np.delete(src[y], x, axis=0)
    return out


def guided(src, guide, flat=0.01, radius=8):
    def mean(a):
        return ndimage.uniform_filter(a, 2 * radius + 1, mode="nearest")

    s, g = src.astype(np.float64), guide.astype(np.float64)
    slope = (mean(g * s) - mean(g) * mean(s)) / (mean(g * g) - mean(g) ** 2 + flat)
    level = mean(s) - slope * mean(g)
    return (mean(slope) * g + mean(level)).astype(np.float32)


def guided_by_colours(src, guide, flat=1000, radius=8):
    def mean(a):
        return ndimage.uniform_filter(a, (2 * radius + 1, 2 * radius + 1) + (1,) * (a.ndim - 2), mode="nearest")

    s, g = src.astype(np.float64), guide.astype(np.float64)
    m, p = mean(g), mean(s)
    spread = mean((g[..., :, None] * g[..., None, :]).reshape(*s.shape, 9)).reshape(*s.shape, 3, 3) - m[..., :, None] * m[..., None, :]
    both = mean(g * s[..., None]) - m * p[..., None]
    slope = np.linalg.solve(spread + flat * np.eye(3), both[..., None])[..., 0]
    level = p - (slope * m).sum(axis=-1)
    return ((mean(slope) * g).sum(axis=-1) + mean(level)).astype(np.float32)


def clahe(src, limit=3.0, n=8):
    h, w = src.shape
    th, tw = (h + n - 1) // n, (w + n - 1) // n
    curves = np.empty((n, n, 256))
    for j in range(n):
        for i in range(n):
            rows = slice(j * th, h if j == n - 1 else (j + 1) * th)
            part = src[rows, i * tw : w if i == n - 1 else (i + 1) * tw]
            hist = np.bincount(part.ravel(), minlength=256).astype(np.float64)
            pixels = max(1, part.size)
            most = limit * pixels / 256
            rest = np.maximum(0, hist - most).sum() / 256
            curves[j, i] = 255 * np.cumsum(np.minimum(hist, most) + rest) / pixels
    y = (np.arange(h)[:, None] + 0.5) / th - 0.5
    x = (np.arange(w)[None, :] + 0.5) / tw - 0.5
    top, left = np.floor(y).astype(int), np.floor(x).astype(int)
    fy, fx = y - top, x - left

    def of(j, i):
        return curves[np.clip(j, 0, n - 1), np.clip(i, 0, n - 1), src]

    above = of(top, left) * (1 - fx) + of(top, left + 1) * fx
    under = of(top + 1, left) * (1 - fx) + of(top + 1, left + 1) * fx
    return np.clip(np.rint(above * (1 - fy) + under * fy), 0, 255).astype(np.uint8)


def dither(src):
    """Pixel by pixel, in the order of a page."""
    h, w = src.shape
    lost = [[0] * (w + 2) for _ in range(h + 1)]
    out = np.empty((h, w), np.uint8)
    for y, row in enumerate(src.tolist(), 1):
        above, here = lost[y - 1], lost[y]
        for x, v in enumerate(row, 1):
            taken = 7 * here[x - 1] + 3 * above[x + 1] + 5 * above[x] + above[x - 1]
            v += abs(taken) // 16 * (1 if taken > 0 else -1)
            white = v >= 128
            out[y - 1, x - 1] = 255 if white else 0
            here[x] = v - 255 if white else v
    return out


def centre(src, limit=128):
    down, right = np.nonzero(src > limit)
    at = [right.mean(), down.mean()] if right.size else [-1, -1]
    return np.array([right.size], np.int32), np.array([at], np.float32)
