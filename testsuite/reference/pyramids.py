"""Programs with pyramids, in f64: lists of levels instead of recursion, axes one after the other."""

import numpy as np


def mirrored(i, n):
    i = 0 if n == 1 else i % (2 * n - 2)
    return i if i < n else 2 * n - 2 - i


def clamped(i, n):
    return min(max(i, 0), n - 1)


def shrunk(a, axis, weights, first, outside):
    """Sums of weights along an axis, at every second place from first on."""
    a = np.moveaxis(a, axis, 0)
    n = len(a)
    rows = [sum(w * a[outside(2 * i + first + k, n)] for k, w in enumerate(weights)) for i in range((n + 1) // 2)]
    return np.moveaxis(np.array(rows), 0, axis) / sum(weights)


def shrunk2(a, weights, first, outside):
    return shrunk(shrunk(a, 0, weights, first, outside), 1, weights, first, outside)


def family(a, depth, weights, first, outside):
    levels = [a]
    while len(levels) < depth:
        levels.append(shrunk2(levels[-1], weights, first, outside))
    return levels


def grown(c, n, axis, taps):
    """Pixel i is the sum of weights of pixels of c: taps(i) lists them."""
    c = np.moveaxis(c, axis, 0)
    rows = [sum(w * c[clamped(k, len(c))] for k, w in taps(i)) for i in range(n)]
    return np.moveaxis(np.array(rows), 0, axis)


def grown2(c, shape, taps):
    return grown(grown(c, shape[0], 0, taps), shape[1], 1, taps)


def binomial(i):
    k = i // 2
    return [(k, 0.5), (k + 1, 0.5)] if i % 2 else [(k - 1, 0.125), (k, 0.75), (k + 1, 0.125)]


def quarter(i):
    return [(i // 2, 0.75), (i // 2 + (1 if i % 2 else -1), 0.25)]


def middle(i):
    return [(i // 2, 0.5), ((i + 1) // 2, 0.5)]


def detail(src, gain=1.5, depth=5):
    *fine, out = family(src.astype(np.float64), depth, [1, 4, 6, 4, 1], -2, mirrored)
    for a in reversed(fine):
        smooth = grown2(out, a.shape, binomial)
        out = smooth + gain * (a - smooth)
    return out.astype(np.float32)


def interpolate(src, depth=10):
    a = src.astype(np.float64)
    a[..., :3] *= a[..., 3:]
    *fine, out = family(a, depth, [1, 2, 1], -1, clamped)
    for p in reversed(fine):
        out = p + (1 - p[..., 3:]) * grown2(out, p.shape, middle)
    alpha = out[..., 3:]
    return np.where(alpha > 0, out[..., :3] / alpha, 0).astype(np.float32)


def local_laplacian(src, alpha=0.14, beta=1.0):
    count, depth = 8, 8
    colour = src.astype(np.float64)
    luma = colour @ np.array([0.299, 0.587, 0.114]) / 65535

    def curve(k):
        d = luma - k / (count - 1)
        s = d * (count - 1)
        return beta * d + k / (count - 1) + alpha * s * np.exp(-s * s / 2)

    def levels(a):
        return family(a, depth, [1, 3, 3, 1], -1, clamped)

    own = levels(luma)
    details = []
    for g in (levels(curve(k)) for k in range(count)):
        details.append([a - grown2(c, a.shape, quarter) for a, c in zip(g, g[1:])] + [g[-1]])
    out = None
    for j in reversed(range(depth)):
        at = own[j] * (count - 1)
        k = np.clip(at.astype(int), 0, count - 2)
        stack = np.stack([d[j] for d in details])
        low, high = (np.take_along_axis(stack, (k + n)[None], 0)[0] for n in (0, 1))
        blend = low + (high - low) * (at - k)
        out = blend if out is None else blend + grown2(out, blend.shape, quarter)
    scale = (out / (luma + 0.01))[..., None]
    return np.clip(np.rint((colour + 655.35) * scale), 0, 65535).astype(np.uint16)


def around(u):
    p = np.pad(u, 1, mode="edge")
    return p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:]


def jacobi(u, f, mesh):
    return (u + around(u) - mesh * f) / 5


def gauss_seidel(u, f, mesh):
    y, x = np.indices(u.shape)
    for colour in (0, 1):
        u = np.where((y + x) % 2 == colour, (around(u) - mesh * f) / 4, u)
    return u


def mean2(a):
    p = np.pad(a, ((0, a.shape[0] % 2), (0, a.shape[1] % 2)), mode="edge")
    return (p[0::2, 0::2] + p[1::2, 0::2] + p[0::2, 1::2] + p[1::2, 1::2]) / 4


def cycle(smooth, u, f, levels, gamma, mesh=1.0):
    for _ in range(16 if levels == 1 else 2):
        u = smooth(u, f, mesh)
    if levels == 1:
        return u
    coarse = mean2(f - (around(u) - 4 * u) / mesh)
    e = np.zeros_like(coarse)
    for _ in range(gamma):
        e = cycle(smooth, e, coarse, levels - 1, gamma, 4 * mesh)
    u = u + e.repeat(2, 0).repeat(2, 1)[: u.shape[0], : u.shape[1]]
    for _ in range(2):
        u = smooth(u, f, mesh)
    return u


def compress(luminance, alpha=0.1, beta=0.85, depth=6, gamma=1, cycles=4, red_black=1):
    u = np.log(np.maximum(luminance.astype(np.float64), 1e-6))
    gx, gy = np.zeros_like(u), np.zeros_like(u)
    gx[:, :-1], gy[:-1] = u[:, 1:] - u[:, :-1], u[1:] - u[:-1]
    factor = (np.maximum(np.hypot(gx, gy), 1e-4) / alpha) ** (beta - 1)
    gx, gy = gx * factor, gy * factor
    f = gx + gy
    f[:, 1:] -= gx[:, :-1]
    f[1:] -= gy[:-1]
    for _ in range(cycles):
        u = cycle(gauss_seidel if red_black else jacobi, u, f, depth, gamma)
    return np.exp(u - u.max()).astype(np.float32)
