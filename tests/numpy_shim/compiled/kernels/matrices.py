"""Kernels of linear algebra, and statistics of matrices."""

from __future__ import annotations

import numpy

from .table import kernel


@kernel(lambda r: (1.5, 1.2, r.random((4, 5)), r.random((4, 3)), r.random((3, 5))))
def gemm(np, alpha, beta, c, a, b):
    c[:] = alpha * a @ b + beta * c


@kernel(lambda r: (r.random((4, 3)), r.random(3)))
def atax(np, a, x):
    return (a @ x) @ a


@kernel(lambda r: (r.random((4, 3)), r.random(3), r.random(4)))
def bicg(np, a, p, r):
    return r @ a, a @ p


@kernel(lambda r: (r.random(4), r.random(4), r.random(4), r.random(4), r.random((4, 4))))
def mvt(np, x1, x2, y1, y2, a):
    x1 += a @ y1
    x2 += y2 @ a


@kernel(lambda r: (1.5, 1.2, *[r.random((4, 4)) for _ in range(4)]))
def k2mm(np, alpha, beta, a, b, c, d):
    d[:] = alpha * a @ b @ c + beta * d


@kernel(lambda r: tuple(r.random((4, 4)) for _ in range(4)))
def k3mm(np, a, b, c, d):
    return a @ b @ c @ d


@kernel(lambda r: (r.random((3, 2, 4)), r.random((4, 4))))
def doitgen(np, a, c4):
    nr, nq, np_ = a.shape
    a[:] = np.reshape(np.reshape(a, (nr, nq, 1, np_)) @ c4, (nr, nq, np_))


@kernel(lambda r: (1.5, 1.2, *[r.random(4) for _ in range(8)], r.random((4, 4))))
def gemver(np, alpha, beta, u1, v1, u2, v2, w, x, y, z, a):
    a += np.outer(u1, v1) + np.outer(u2, v2)
    x += beta * y @ a + z
    w += alpha * a @ x


@kernel(lambda r: (1.5, 1.2, r.random((4, 4)), r.random((4, 4)), r.random(4)))
def gesummv(np, alpha, beta, a, b, x):
    return alpha * a @ x + beta * b @ x


@kernel(lambda r: (1.5, 1.2, r.random((4, 5)), r.random((4, 4)), r.random((4, 5))))
def symm(np, alpha, beta, c, a, b):
    temp = np.empty((c.shape[1],), dtype=c.dtype)
    c *= beta
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            c[:i, j] += alpha * b[i, j] * a[i, :i]
            temp[j] = b[:i, j] @ a[i, :i]
        c[i, :] += alpha * b[i, :] * a[i, i] + alpha * temp


@kernel(lambda r: (1.5, 1.2, r.random((4, 4)), r.random((4, 3))))
def syrk(np, alpha, beta, c, a):
    for i in range(a.shape[0]):
        c[i, : i + 1] *= beta
        for k in range(a.shape[1]):
            c[i, : i + 1] += alpha * a[i, k] * a[: i + 1, k]


@kernel(lambda r: (1.5, 1.2, r.random((4, 4)), r.random((4, 3)), r.random((4, 3))))
def syr2k(np, alpha, beta, c, a, b):
    for i in range(a.shape[0]):
        c[i, : i + 1] *= beta
        for k in range(a.shape[1]):
            c[i, : i + 1] += a[: i + 1, k] * alpha * b[i, k] + b[: i + 1, k] * alpha * a[i, k]


@kernel(lambda r: (1.5, r.random((4, 4)), r.random((4, 3))))
def trmm(np, alpha, a, b):
    for i in range(b.shape[0]):
        for j in range(b.shape[1]):
            b[i, j] += np.dot(a[i + 1 :, i], b[i + 1 :, j])
    b *= alpha


@kernel(lambda r: (numpy.eye(5) * 5 + r.random((5, 5)), r.random(5)))
def trisolv(np, low, b):
    x = np.zeros_like(b)
    for i in range(x.shape[0]):
        x[i] = (b[i] - low[i, :i] @ x[:i]) / low[i, i]
    return x


def _spd(r, n):
    a = r.random((n, n))
    return a @ a.T + n * numpy.eye(n)


@kernel(lambda r: (_spd(r, 5),))
def cholesky(np, a):
    a[0, 0] = np.sqrt(a[0, 0])
    for i in range(1, a.shape[0]):
        for j in range(i):
            a[i, j] -= np.dot(a[i, :j], a[j, :j])
            a[i, j] /= a[j, j]
        a[i, i] -= np.dot(a[i, :i], a[i, :i])
        a[i, i] = np.sqrt(a[i, i])


@kernel(lambda r: (_spd(r, 6),))
def cholesky2(np, a):
    a[:] = np.linalg.cholesky(a) + np.triu(a, k=1)


@kernel(lambda r: (_spd(r, 5),))
def lu(np, a):
    for i in range(a.shape[0]):
        for j in range(i):
            a[i, j] -= a[i, :j] @ a[:j, j]
            a[i, j] /= a[j, j]
        for j in range(i, a.shape[0]):
            a[i, j] -= a[i, :i] @ a[:i, j]


@kernel(lambda r: (_spd(r, 5), r.random(5)))
def ludcmp(np, a, b):
    x, y = np.zeros_like(b), np.zeros_like(b)
    lu(np, a)
    for i in range(a.shape[0]):
        y[i] = b[i] - a[i, :i] @ y[:i]
    for i in range(a.shape[0] - 1, -1, -1):
        x[i] = (y[i] - a[i, i + 1 :] @ x[i + 1 :]) / a[i, i]
    return x, y


@kernel(lambda r: (r.random((6, 4)),))
def gramschmidt(np, a):
    q = np.zeros_like(a)
    r = np.zeros((a.shape[1], a.shape[1]), dtype=a.dtype)
    for k in range(a.shape[1]):
        nrm = np.dot(a[:, k], a[:, k])
        r[k, k] = np.sqrt(nrm)
        q[:, k] = a[:, k] / r[k, k]
        for j in range(k + 1, a.shape[1]):
            r[k, j] = np.dot(q[:, k], a[:, j])
            a[:, j] -= q[:, k] * r[k, j]
    return q, r


@kernel(lambda r: (r.random(6) / 10,))
def durbin(np, r):
    y = np.empty_like(r)
    alpha = -r[0]
    beta = 1.0
    y[0] = -r[0]
    for k in range(1, r.shape[0]):
        beta *= 1.0 - alpha * alpha
        alpha = -(r[k] + np.dot(np.flip(r[:k]), y[:k])) / beta
        y[:k] += alpha * np.flip(y[:k])
        y[k] = alpha
    return y


@kernel(lambda r: (6.0, r.random((6, 4))))
def covariance(np, n, data):
    mean = np.mean(data, axis=0)
    data -= mean
    cov = np.zeros((data.shape[1], data.shape[1]), dtype=data.dtype)
    for i in range(data.shape[1]):
        cov[i:, i] = cov[i, i:] = data[:, i] @ data[:, i:] / (n - 1.0)
    return cov


@kernel(lambda r: (6.0, r.random((6, 4))))
def correlation(np, n, data):
    mean = np.mean(data, axis=0)
    std = np.std(data, axis=0)
    std[std <= 0.1] = 1.0
    data -= mean
    data /= np.sqrt(n) * std
    corr = np.eye(data.shape[1], dtype=data.dtype)
    for i in range(data.shape[1] - 1):
        corr[i + 1 :, i] = corr[i, i + 1 :] = data[:, i] @ data[:, i + 1 :]
    return corr
