"""Matrices and vectors: the sums in f64, by NumPy and SciPy."""

import numpy as np
from scipy import sparse
from scipy.sparse import csgraph


def wide(*arrays):
    return [a.astype(np.float64) for a in arrays]


def gemm(a, b, c, alpha=1.5, beta=1.25):
    a, b, c = wide(a, b, c)
    return (alpha * (a @ b) + beta * c).astype(np.float32)


def mm2(a, b, c, d, alpha=1.5, beta=1.25):
    a, b, c, d = wide(a, b, c, d)
    return (alpha * (a @ b @ c) + beta * d).astype(np.float32)


def mm3(a, b, c, d):
    return np.linalg.multi_dot(wide(a, b, c, d)).astype(np.float32)


def gemver(a, u1, v1, u2, v2, y, z, x, alpha=1.5, beta=1.25):
    a, u1, v1, u2, v2, y, z, x = wide(a, u1, v1, u2, v2, y, z, x)
    a = a + np.outer(u1, v1) + np.outer(u2, v2)
    x = x + beta * (y @ a) + z
    return a.astype(np.float32), x.astype(np.float32), (alpha * (a @ x)).astype(np.float32)


def gesummv(a, b, x, alpha=1.5, beta=1.25):
    a, b, x = wide(a, b, x)
    return (alpha * (a @ x) + beta * (b @ x)).astype(np.float32)


def atax(a, x):
    a, x = wide(a, x)
    return (a.T @ (a @ x)).astype(np.float32)


def spmv(first, column, value, x):
    inside = (column >= 0) & (column < x.size)
    entries = np.where(inside, value, 0).astype(np.float64), np.where(inside, column, 0), first
    return (sparse.csr_matrix(entries, shape=(first.size - 1, x.size)) @ x.astype(np.float64)).astype(np.float32)


def gauss(ab):
    return np.linalg.solve(ab[:, :-1], ab[:, -1])


def bfs(first, target, source=0):
    n = first.size - 1
    here = np.repeat(np.arange(n), np.diff(first))
    inside = (target >= 0) & (target < n)
    graph = sparse.coo_matrix((np.ones(inside.sum()), (here[inside], target[inside])), shape=(n, n)).tocsr()
    far = csgraph.shortest_path(graph, unweighted=True, indices=source)
    return np.where(np.isinf(far), -1, far).astype(np.int32)


def fft(src):
    f = np.fft.fft(src[..., 0].astype(np.float64) + 1j * src[..., 1])
    return np.stack([f.real, f.imag], axis=-1).astype(np.float32)
