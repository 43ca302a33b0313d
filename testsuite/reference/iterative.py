"""Iterative programs, in f64."""

import numpy as np


def neighbours(u):
    p = np.pad(u, 1, mode="edge")
    return p[:-2, 1:-1], p[2:, 1:-1], p[1:-1, :-2], p[1:-1, 2:]


def stencil(u, sweeps=100):
    v = u.astype(np.float64)
    for _ in range(sweeps):
        v = sum(neighbours(v)) / 4
    return v.astype(np.float32)


def diffusion(src, rounds=20, kappa=15.0, rate=0.25):
    u = src.astype(np.float64)
    for _ in range(rounds):
        differences = [n - u for n in neighbours(u)]
        u = u + rate * sum(d / (1 + (d / kappa) ** 2) for d in differences)
    return np.clip(np.rint(u), 0, 255).astype(np.uint8)


def srad(src, rounds=50, rate=0.5):
    """As Yu and Acton write it: per pixel, with the gradient and the Laplacian relative to the pixel."""
    u = np.exp(src / 255)
    for _ in range(rounds):
        north, south, west, east = (n - u for n in neighbours(u))
        gradient = np.sqrt(north**2 + south**2 + west**2 + east**2) / u
        laplacian = (north + south + west + east) / u
        q2 = (gradient**2 / 2 - (laplacian / 4) ** 2) / (1 + laplacian / 4) ** 2
        noise = u.var() / u.mean() ** 2
        share = 1 / (1 + (q2 - noise) / (noise * (1 + noise)))
        share = np.clip(np.nan_to_num(share), 0, 1)  # a picture of one value has no noise, and 0/0
        below, right = neighbours(share)[1], neighbours(share)[3]
        u = u + rate / 4 * (share * north + below * south + share * west + right * east)
    return np.clip(np.rint(255 * np.log(u)), 0, 255).astype(np.uint8)
