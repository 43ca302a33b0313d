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
