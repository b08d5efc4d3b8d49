"""Numerical kernels in the style of public suites, written against NumPy.

Each function takes the namespace ``np`` first, so that one text runs with NumPy, with numpy_shim
and compiled. ``KERNELS`` has the functions and ``arguments(name, np)`` their inputs. Kernels write
their results into arguments or return them, and both are compared.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy

KERNELS: dict[str, Callable[..., Any]] = {}
INPUTS: dict[str, Callable[[numpy.random.Generator], tuple[Any, ...]]] = {}
DATA_DEPENDENT = {"go_fast_while", "crc16", "azimint_masks", "mandelbrot_masks", "unique_counts"}
"""Kernels whose shapes or control flow depend on values: they need not compile whole."""


def kernel(inputs: Callable[[numpy.random.Generator], tuple[Any, ...]]) -> Callable[..., Any]:
    """Put a function into the table, with the function that draws its arguments."""

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        KERNELS[function.__name__] = function
        INPUTS[function.__name__] = inputs
        return function

    return register


def arguments(name: str, np: Any) -> tuple[Any, ...]:
    """Inputs of a kernel, with arrays of the namespace for NumPy's."""
    given = INPUTS[name](numpy.random.default_rng(7))
    return tuple(np.asarray(a) if isinstance(a, numpy.ndarray) else a for a in given)


# --- stencils ---


@kernel(lambda r: (5, r.random(12), r.random(12)))
def jacobi_1d(np, steps, a, b):
    for _ in range(1, steps):
        b[1:-1] = 0.33333 * (a[:-2] + a[1:-1] + a[2:])
        a[1:-1] = 0.33333 * (b[:-2] + b[1:-1] + b[2:])


@kernel(lambda r: (4, r.random((7, 7)), r.random((7, 7))))
def jacobi_2d(np, steps, a, b):
    for _ in range(1, steps):
        b[1:-1, 1:-1] = 0.2 * (
            a[1:-1, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] + a[2:, 1:-1] + a[:-2, 1:-1]
        )
        a[1:-1, 1:-1] = 0.2 * (
            b[1:-1, 1:-1] + b[1:-1, :-2] + b[1:-1, 2:] + b[2:, 1:-1] + b[:-2, 1:-1]
        )


@kernel(lambda r: (3, r.random((5, 5, 5)), r.random((5, 5, 5))))
def heat_3d(np, steps, a, b):
    for _ in range(1, steps):
        for x, y in ((a, b), (b, a)):
            y[1:-1, 1:-1, 1:-1] = (
                0.125 * (x[2:, 1:-1, 1:-1] - 2.0 * x[1:-1, 1:-1, 1:-1] + x[:-2, 1:-1, 1:-1])
                + 0.125 * (x[1:-1, 2:, 1:-1] - 2.0 * x[1:-1, 1:-1, 1:-1] + x[1:-1, :-2, 1:-1])
                + 0.125 * (x[1:-1, 1:-1, 2:] - 2.0 * x[1:-1, 1:-1, 1:-1] + x[1:-1, 1:-1, :-2])
                + x[1:-1, 1:-1, 1:-1]
            )


@kernel(lambda r: (3, r.random((5, 6)), r.random((5, 6)), r.random((5, 6)), r.random(3)))
def fdtd_2d(np, steps, ex, ey, hz, fict):
    for t in range(steps):
        ey[0, :] = fict[t]
        ey[1:, :] -= 0.5 * (hz[1:, :] - hz[:-1, :])
        ex[:, 1:] -= 0.5 * (hz[:, 1:] - hz[:, :-1])
        hz[:-1, :-1] -= 0.7 * (ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1])


@kernel(lambda r: (2, 5, r.random((5, 5))))
def seidel_2d(np, steps, n, a):
    for _ in range(steps - 1):
        for i in range(1, n - 1):
            a[i, 1:-1] += (
                a[i - 1, :-2] + a[i - 1, 1:-1] + a[i - 1, 2:] + a[i, 2:]
                + a[i + 1, :-2] + a[i + 1, 1:-1] + a[i + 1, 2:]
            )  # fmt: skip
            for j in range(1, n - 1):
                a[i, j] += a[i, j - 1]
                a[i, j] /= 9.0


@kernel(lambda r: (2, 6, r.random((6, 6))))
def adi(np, steps, n, u):
    v = np.empty(u.shape, dtype=u.dtype)
    p = np.empty(u.shape, dtype=u.dtype)
    q = np.empty(u.shape, dtype=u.dtype)
    dx, dt = 1.0 / n, 1.0 / steps
    mul1 = 2.0 * dt / (dx * dx)
    a = -mul1 / 2.0
    b, c, d = 1.0 + mul1, a, 1.0 + mul1
    for _ in range(1, steps + 1):
        v[0, 1 : n - 1] = 1.0
        p[1 : n - 1, 0] = 0.0
        q[1 : n - 1, 0] = v[0, 1 : n - 1]
        for j in range(1, n - 1):
            p[1 : n - 1, j] = -c / (a * p[1 : n - 1, j - 1] + b)
            q[1 : n - 1, j] = (
                -a * u[j, 0 : n - 2] + (1.0 + 2.0 * a) * u[j, 1 : n - 1] - a * u[j, 2:n]
                - a * q[1 : n - 1, j - 1]
            ) / (a * p[1 : n - 1, j - 1] + d)  # fmt: skip
        v[n - 1, 1 : n - 1] = 1.0
        for j in range(n - 2, 0, -1):
            v[j, 1 : n - 1] = p[1 : n - 1, j] * v[j + 1, 1 : n - 1] + q[1 : n - 1, j]
        u[1 : n - 1, 1 : n - 1] = v[1 : n - 1, 1 : n - 1] + u[1 : n - 1, 1 : n - 1] * 0.1


@kernel(lambda r: (r.random((8, 8, 3)), r.random((4, 4, 3))))
def hdiff(np, field, coeff):
    i, j = field.shape[0] - 4, field.shape[1] - 4
    lap = 4.0 * field[1 : i + 3, 1 : j + 3, :] - (
        field[2 : i + 4, 1 : j + 3, :] + field[0 : i + 2, 1 : j + 3, :]
        + field[1 : i + 3, 2 : j + 4, :] + field[1 : i + 3, 0 : j + 2, :]
    )  # fmt: skip
    res = lap[1:, 1 : j + 1, :] - lap[:-1, 1 : j + 1, :]
    flx = np.where(
        (res * (field[2 : i + 3, 2 : j + 2, :] - field[1 : i + 2, 2 : j + 2, :])) > 0, 0, res
    )
    res = lap[1 : i + 1, 1:, :] - lap[1 : i + 1, :-1, :]
    fly = np.where(
        (res * (field[2 : i + 2, 2 : j + 3, :] - field[2 : i + 2, 1 : j + 2, :])) > 0, 0, res
    )
    return field[2 : i + 2, 2 : j + 2, :] - coeff * (
        flx[1:, :, :] - flx[:-1, :, :] + fly[:, 1:, :] - fly[:, :-1, :]
    )


@kernel(lambda r: (*[r.random((3, 3, 5)) for _ in range(5)], 3.0 / 20.0))
def vadv(np, utens, u, w, pos, old, dt):
    n = u.shape[2]
    c = np.zeros_like(u)
    d = np.zeros_like(u)
    for k in range(n):
        gav = -0.25 * (w[:, :, k] + w[:, :, k - 1])
        cs = gav * 0.5
        if k == 0:
            divided = 1.0 / (dt - cs)
            c[:, :, 0] = cs * divided
            d[:, :, 0] = (dt * pos[:, :, 0] + utens[:, :, 0]) * divided
        else:
            divided = 1.0 / (dt - cs - c[:, :, k - 1] * cs)
            c[:, :, k] = cs * divided
            d[:, :, k] = (dt * pos[:, :, k] + old[:, :, k] - d[:, :, k - 1] * cs) * divided
    column = d[:, :, n - 1]
    for k in range(n - 1, -1, -1):
        column = d[:, :, k] - c[:, :, k] * column
        utens[:, :, k] = dt * (column - u[:, :, k])
    return utens


@kernel(lambda r: (6, 6, 3, 2, 0.01, 0.2, 0.2, 1.0, 0.1))
def cavity_flow(np, nx, ny, nt, nit, dt, dx, dy, rho, nu):
    u = np.zeros((ny, nx))
    v = np.zeros((ny, nx))
    p = np.zeros((ny, nx))
    b = np.zeros((ny, nx))
    for _ in range(nt):
        un, vn = u.copy(), v.copy()
        b[1:-1, 1:-1] = rho * (
            1 / dt * ((u[1:-1, 2:] - u[1:-1, 0:-2]) / (2 * dx)
                      + (v[2:, 1:-1] - v[0:-2, 1:-1]) / (2 * dy))
            - ((u[1:-1, 2:] - u[1:-1, 0:-2]) / (2 * dx)) ** 2
            - 2 * ((u[2:, 1:-1] - u[0:-2, 1:-1]) / (2 * dy)
                   * (v[1:-1, 2:] - v[1:-1, 0:-2]) / (2 * dx))
            - ((v[2:, 1:-1] - v[0:-2, 1:-1]) / (2 * dy)) ** 2
        )  # fmt: skip
        pn = np.empty_like(p)
        for _ in range(nit):
            pn[:] = p.copy()
            p[1:-1, 1:-1] = (
                (pn[1:-1, 2:] + pn[1:-1, 0:-2]) * dy**2 + (pn[2:, 1:-1] + pn[0:-2, 1:-1]) * dx**2
            ) / (2 * (dx**2 + dy**2)) - dx**2 * dy**2 / (2 * (dx**2 + dy**2)) * b[1:-1, 1:-1]
            p[:, -1] = p[:, -2]
            p[0, :] = p[1, :]
            p[:, 0] = p[:, 1]
            p[-1, :] = 0
        u[1:-1, 1:-1] = (
            un[1:-1, 1:-1] - un[1:-1, 1:-1] * dt / dx * (un[1:-1, 1:-1] - un[1:-1, 0:-2])
            - dt / (2 * rho * dx) * (p[1:-1, 2:] - p[1:-1, 0:-2])
            + nu * (dt / dx**2 * (un[1:-1, 2:] - 2 * un[1:-1, 1:-1] + un[1:-1, 0:-2]))
        )  # fmt: skip
        u[0, :] = 0
        u[:, 0] = 0
        u[:, -1] = 0
        u[-1, :] = 1
        v[1:-1, 1:-1] = vn[1:-1, 1:-1] - dt / (2 * rho * dy) * (p[2:, 1:-1] - p[0:-2, 1:-1])
        v[0, :] = v[-1, :] = v[:, 0] = v[:, -1] = 0
    return u, v, p


@kernel(lambda r: (4, r.random((5, 6)), r.random((5, 6)), 0.01))
def channel_flow(np, steps, u, p, dt):
    udiff = 1.0
    for _ in range(steps):
        un = u.copy()
        u[1:-1, 1:-1] = un[1:-1, 1:-1] - dt * (p[1:-1, 2:] - p[1:-1, :-2])
        u[1:-1, -1] = un[1:-1, -1] - dt * (p[1:-1, 0] - p[1:-1, -2])
        u[0, :], u[-1, :] = 0, 0
        udiff = (np.sum(u) - np.sum(un)) / np.sum(u)
    return udiff


# --- linear algebra ---


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


# --- learning ---


def relu(np, x):
    return np.maximum(x, 0)


@kernel(lambda r: (r.random((2, 2, 3, 3)).astype(numpy.float32),))
def softmax(np, x):
    tmp_max = np.max(x, axis=-1, keepdims=True)
    tmp_out = np.exp(x - tmp_max)
    return tmp_out / np.sum(tmp_out, axis=-1, keepdims=True)


@kernel(lambda r: (r.random((2, 5, 5, 3)).astype("f4"), r.random((2, 2, 3, 4)).astype("f4")))
def conv2d(np, inputs, weights):
    k = weights.shape[0]
    n, h_in, w_in, c_out = *inputs.shape[:3], weights.shape[3]
    h_out, w_out = h_in - k + 1, w_in - k + 1
    output = np.empty((n, h_out, w_out, c_out), dtype=np.float32)
    for i in range(h_out):
        for j in range(w_out):
            output[:, i, j, :] = np.sum(
                inputs[:, i : i + k, j : j + k, :, np.newaxis] * weights[np.newaxis, :, :, :],
                axis=(1, 2, 3),
            )
    return output


def maxpool2d(np, x):
    output = np.empty([x.shape[0], x.shape[1] // 2, x.shape[2] // 2, x.shape[3]], dtype=x.dtype)
    for i in range(x.shape[1] // 2):
        for j in range(x.shape[2] // 2):
            output[:, i, j, :] = np.max(x[:, 2 * i : 2 * i + 2, 2 * j : 2 * j + 2, :], axis=(1, 2))
    return output


@kernel(lambda r: (r.random((2, 6, 6, 1)).astype("f4"), r.random((3, 3, 1, 2)).astype("f4"),
                   r.random((8, 3)).astype("f4"), r.random(3).astype("f4")))  # fmt: skip
def lenet(np, x, weights, dense, bias):
    x = relu(np, conv2d(np, x, weights))
    x = maxpool2d(np, x)
    x = np.reshape(x, (x.shape[0], -1))
    return x @ dense + bias


@kernel(lambda r: (r.random((4, 3)), r.random((3, 5)), r.random(5), r.random((5, 2)), r.random(2)))
def mlp(np, x, w1, b1, w2, b2):
    x = relu(np, x @ w1 + b1)
    return softmax(np, x @ w2 + b2)


def batchnorm2d(np, x, eps=1e-5):
    mean = np.mean(x, axis=0, keepdims=True)
    std = np.std(x, axis=0, keepdims=True)
    return (x - mean) / np.sqrt(std + eps)


@kernel(
    lambda r: tuple(
        r.random(shape).astype("f4")
        for shape in ((2, 4, 4, 3), (1, 1, 3, 2), (3, 3, 2, 2), (1, 1, 2, 3))
    )
)
def resnet(np, x, w1, w2, w3):
    padded = np.zeros((x.shape[0], x.shape[1] + 2, x.shape[2] + 2, w1.shape[3]), dtype=np.float32)
    padded[:, 1:-1, 1:-1, :] = conv2d(np, x, w1)
    y = relu(np, batchnorm2d(np, padded))
    y = relu(np, batchnorm2d(np, conv2d(np, y, w2)))
    return relu(np, batchnorm2d(np, conv2d(np, y, w3)) + x)


# --- physics, signals and others ---


@kernel(lambda r: (r.random(50), r.random(50), 8))
def azimint_hist(np, data, radius, npt):
    histu = np.histogram(radius, npt)[0]
    histw = np.histogram(radius, npt, weights=data)[0]
    return histw / np.maximum(histu, 1)


@kernel(lambda r: (r.random(200), r.random(200), 5))
def azimint_masks(np, data, radius, npt):
    rmax = radius.max()
    res = np.zeros(npt, dtype=np.float64)
    for i in range(npt):
        r1 = rmax * i / npt
        r2 = rmax * (i + 1) / npt
        inside = np.logical_and((r1 <= radius), (radius < r2))
        res[i] = data[inside].mean()
    return res


@kernel(lambda r: (r.random((5, 1)) * 20, r.random((5, 3)), r.random((5, 3)), 3, 0.01, 1.0, 0.1))
def nbody(np, mass, pos, vel, steps, dt, g, softening):
    def acceleration(pos):
        x, y, z = pos[:, 0:1], pos[:, 1:2], pos[:, 2:3]
        dx, dy, dz = x.T - x, y.T - y, z.T - z
        inv_r3 = dx**2 + dy**2 + dz**2 + softening**2
        inv_r3 = np.where(inv_r3 > 0, inv_r3 ** (-1.5), inv_r3)
        ax, ay, az = [g * (d * inv_r3) @ mass for d in (dx, dy, dz)]
        return np.hstack((ax, ay, az))

    def energy(pos, vel):
        kinetic = 0.5 * np.sum(mass * vel**2)
        x, y, z = pos[:, 0:1], pos[:, 1:2], pos[:, 2:3]
        inv_r = np.sqrt((x.T - x) ** 2 + (y.T - y) ** 2 + (z.T - z) ** 2)
        inv_r = np.where(inv_r > 0, 1.0 / np.where(inv_r > 0, inv_r, 1.0), inv_r)
        return kinetic, g * np.sum(np.triu(-(mass * mass.T) * inv_r, 1))

    vel -= np.mean(mass * vel, axis=0) / np.mean(mass)
    acc = acceleration(pos)
    ke = np.zeros(steps + 1, dtype=np.float64)
    pe = np.zeros(steps + 1, dtype=np.float64)
    ke[0], pe[0] = energy(pos, vel)
    for i in range(steps):
        vel += acc * dt / 2.0
        pos += vel * dt
        acc = acceleration(pos)
        vel += acc * dt / 2.0
        ke[i + 1], pe[i + 1] = energy(pos, vel)
    return ke, pe


@kernel(lambda r: (-2.0, 0.5, -1.2, 1.2, 7, 6, 6, 2.0))
def mandelbrot(np, xmin, xmax, ymin, ymax, xn, yn, maxiter, horizon):
    x = np.linspace(xmin, xmax, xn, dtype=np.float64)
    y = np.linspace(ymin, ymax, yn, dtype=np.float64)
    c = x + y[:, None] * 1j
    n = np.zeros(c.shape, dtype=np.int64)
    z = np.zeros(c.shape, dtype=np.complex128)
    for i in range(maxiter):
        inside = np.less(abs(z), horizon)
        n[inside] = i
        z = np.where(inside, z**2 + c, z)
    n[n == maxiter - 1] = 0
    return z, n


@kernel(lambda r: (-2.0, 0.5, -1.2, 1.2, 7, 6, 4, 2.0))
def mandelbrot_masks(np, xmin, xmax, ymin, ymax, xn, yn, maxiter, horizon):
    xi, yi = np.mgrid[0:xn, 0:yn]
    x = np.linspace(xmin, xmax, xn)[xi]
    y = np.linspace(ymin, ymax, yn)[yi]
    c = x + y * 1j
    n = np.zeros(c.shape, dtype=np.int64)
    z = np.zeros(c.shape, dtype=np.complex128)
    xi.shape = yi.shape = c.shape = xn * yn
    z_ = np.zeros(c.shape, np.complex128)
    for i in range(maxiter):
        if not len(z_):
            break
        z_ *= z_
        z_ += c
        outside = abs(z_) > horizon
        n[xi[outside], yi[outside]] = i + 1
        z[xi[outside], yi[outside]] = z_[outside]
        keep = ~outside
        xi, yi = xi[keep], yi[keep]
        z_, c = z_[keep], c[keep]
    return z, n


@kernel(lambda r: (numpy.array([0, 2, 3, 6]), numpy.array([0, 2, 1, 0, 1, 3]), r.random(6),
                   r.random(4)))  # fmt: skip
def spmv(np, rows, columns, values, x):
    lengths = np.diff(rows)
    owner = np.searchsorted(rows, np.arange(values.shape[0]), side="right") - 1
    y = np.zeros(lengths.shape[0], dtype=values.dtype)
    np.add.at(y, owner, values * x[columns])
    return y


@kernel(lambda r: (r.integers(0, 1000, (4, 5)), r.integers(0, 1000, (4, 5)), 4, 3, 9))
def compute(np, x, y, a, b, c):
    return np.clip(x, 2, 10) * a + y * b + c


@kernel(lambda r: (r.random((5, 5)),))
def go_fast(np, a):
    trace = 0.0
    for i in range(a.shape[0]):
        trace += np.tanh(a[i, i])
    return a + trace


@kernel(lambda r: (r.random((5, 5)),))
def go_fast_while(np, a):
    trace, i = 0.0, 0
    while i < a.shape[0] and trace < 2:
        trace += np.tanh(a[i, i])
        i += 1
    return a + trace


@kernel(lambda r: (r.integers(0, 256, 6, dtype=numpy.uint8),))
def crc16(np, data, poly=0x8408):
    crc = 0xFFFF
    for b in data:
        current = 0xFF & b
        for _ in range(8):
            if (crc & 0x0001) ^ (current & 0x0001):
                crc = (crc >> 1) ^ poly
            else:
                crc >>= 1
            current >>= 1
    crc = ~crc & 0xFFFF
    return ((crc << 8) | ((crc >> 8) & 0xFF)) & 0xFFFF


@kernel(lambda r: (
    r.random((2, 2, 2, 2)) + 1j * r.random((2, 2, 2, 2)),
    r.random((2, 2, 3, 2, 2)) + 1j * r.random((2, 2, 3, 2, 2)),
    r.random((3, 2, 2, 2, 2)) + 1j, r.integers(0, 2, (3, 2)),
))  # fmt: skip
def scattering_self_energies(np, sigma, dh, d, neigh):
    for k in range(2):
        for e in range(2):
            for a in range(neigh.shape[0]):
                for b in range(neigh.shape[1]):
                    sigma[k, e] += dh[k, b, a] @ d[a, b, e] @ dh[b, k, a]
    return sigma[:, :, neigh[:, 0]] @ d[:, :, 0][neigh[:2, 0]][:, 0][:, None]


@kernel(lambda r: (3, 2, r.random((4, 5, 5)) + 1j * r.random((4, 5, 5)),
                   r.random((4, 2)) + 1j * r.random((4, 2)), r.random((5, 3))))  # fmt: skip
def contour_integral(np, slab, unit, hams, points, y):
    p0 = np.zeros((5, 3), dtype=np.complex128)
    p1 = np.zeros((5, 3), dtype=np.complex128)
    for index in range(points.shape[1]):
        z = points[0, index]
        t = np.zeros((5, 5), dtype=np.complex128)
        for n in range(4):
            zz = np.power(z, unit / 2 - n)
            t += zz * hams[n]
        x = np.linalg.solve(t + 9 * np.eye(5), y) if y.shape[0] == y.shape[1] else (
            np.linalg.inv(t + 9 * np.eye(5)) @ y
        )  # fmt: skip
        if abs(slab) < 1.0:
            x = -x
        p0 += x
        p1 += z * x
    return p0, p1


@kernel(lambda r: (2, 3, r.random(8) + 1j * r.random(8)))
def stockham_fft(np, radix, k, x):
    n = radix**k
    y = x.copy() + 0j
    dft = np.exp(-2.0j * np.pi * np.outer(np.arange(radix), np.arange(radix)) / radix)
    for i in range(k):
        length = radix**i
        view = np.reshape(y, (radix, length, n // radix // length))
        twiddle = np.exp(
            -2.0j * np.pi * np.outer(np.arange(radix), np.arange(length)) / (radix * length)
        )
        scaled = view * twiddle[:, :, None]
        y = np.reshape(np.einsum("ij,jkl->ikl", dft, scaled), (n,))
        y = np.reshape(np.transpose(np.reshape(y, (radix * length, -1))), (n,))
        y = np.reshape(np.transpose(np.reshape(y, (-1, radix * length))), (n,))
    return y


@kernel(lambda r: (0.25, r.random((5, 6))))
def deriche(np, alpha, image):
    k = (1.0 - np.exp(-alpha)) ** 2 / (1.0 + alpha * np.exp(-alpha) - np.exp(2.0 * alpha))
    a1, a2 = k, k * np.exp(-alpha) * (alpha - 1.0)
    b1, b2, c1 = 2.0 ** (-alpha), -np.exp(-2.0 * alpha), 1
    y1 = np.empty_like(image)
    y1[:, 0] = a1 * image[:, 0]
    y1[:, 1] = a1 * image[:, 1] + a2 * image[:, 0] + b1 * y1[:, 0]
    for j in range(2, image.shape[1]):
        y1[:, j] = a1 * image[:, j] + a2 * image[:, j - 1] + b1 * y1[:, j - 1] + b2 * y1[:, j - 2]
    y2 = np.empty_like(image)
    y2[:, -1] = 0.0
    y2[:, -2] = a1 * image[:, -1]
    for j in range(image.shape[1] - 3, -1, -1):
        y2[:, j] = a1 * image[:, j + 1] + a2 * image[:, j + 2] + b1 * y2[:, j + 1]
    return c1 * (y1 + y2)


@kernel(lambda r: (r.integers(1, 50, (6, 6)),))
def floyd_warshall(np, path):
    for k in range(path.shape[0]):
        path[:] = np.minimum(path[:], np.add.outer(path[:, k], path[k, :]))


@kernel(lambda r: (5, r.integers(0, 4, 5)))
def nussinov(np, n, seq):
    table = np.zeros((n, n), np.int32)
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, n):
            if j - 1 >= 0:
                table[i, j] = np.maximum(table[i, j], table[i, j - 1])
            if i + 1 < n:
                table[i, j] = np.maximum(table[i, j], table[i + 1, j])
            if j - 1 >= 0 and i + 1 < n:
                if i < j - 1:
                    pair = np.where(seq[i] + seq[j] == 3, 1, 0)
                    table[i, j] = np.maximum(table[i, j], table[i + 1, j - 1] + pair)
                else:
                    table[i, j] = np.maximum(table[i, j], table[i + 1, j - 1])
            for k in range(i + 1, j):
                table[i, j] = np.maximum(table[i, j], table[i, k] + table[k + 1, j])
    return table


@kernel(lambda r: tuple(r.random(6) for _ in range(4)))
def arc_distance(np, theta_1, phi_1, theta_2, phi_2):
    temp = (
        np.sin((theta_2 - theta_1) / 2) ** 2
        + np.cos(theta_1) * np.cos(theta_2) * np.sin((phi_2 - phi_1) / 2) ** 2
    )
    return 2 * np.arctan2(np.sqrt(temp), np.sqrt(1 - temp))


@kernel(lambda r: (r.random((6, 2)), r.random((3, 2))))
def kmeans_step(np, points, centres):
    distances = ((points[:, None, :] - centres[None, :, :]) ** 2).sum(axis=-1)
    nearest = np.argmin(distances, axis=1)
    member = nearest[:, None] == np.arange(centres.shape[0])[None, :]
    counts = member.sum(axis=0)
    sums = member.T.astype(points.dtype) @ points
    return np.where(counts[:, None] > 0, sums / np.maximum(counts, 1)[:, None], centres), nearest


@kernel(lambda r: (r.random(9) * 50 + 50, r.random(9) * 50 + 50, r.random(9) + 0.1, 0.05, 0.2))
def black_scholes(np, price, strike, t, rate, vol):
    a = np.log(price / strike)
    z = t * vol * vol * 2
    y = 1.0 / np.sqrt(z)
    w1 = (a - rate * t + 0.25 * z) * y
    w2 = (a - rate * t - 0.25 * z) * y
    d1, d2 = [0.5 + 0.5 * np.tanh(0.7978845608 * (w + 0.044715 * w**3)) for w in (w1, w2)]
    se = np.exp(-rate * t) * strike
    call = price * d1 - se * d2
    return call, call - price + se


@kernel(lambda r: (r.random(16), 5))
def fft_filter(np, x, keep):
    f = np.fft.rfft(x)
    f[keep:] = 0
    return np.fft.irfft(f, n=x.shape[0])


@kernel(lambda r: (3, numpy.ones((6, 6)), r.random((6, 6))))
def gray_scott(np, steps, u, v):
    def laplacian(z):
        return (
            np.roll(z, 1, axis=0) + np.roll(z, -1, axis=0) + np.roll(z, 1, axis=1)
            + np.roll(z, -1, axis=1) - 4 * z
        )  # fmt: skip

    for _ in range(steps):
        uvv = u * v**2
        u += 0.16 * laplacian(u) - uvv + 0.06 * (1 - u)
        v += 0.08 * laplacian(v) + uvv - (0.06 + 0.062) * v
    return u, v


@kernel(lambda r: (r.integers(0, 5, 20),))
def unique_counts(np, x):
    values, counts = np.unique(x, return_counts=True)
    return values[counts > 2], counts
