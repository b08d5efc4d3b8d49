"""Loops over rows and elements, as programs write them, and the arguments that they are timed with.

Each function is timed as it is and under ``numpy_shim.jit``, by ``python -m benchmarks.choices``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

_random = np.random.default_rng(0)


def _matrix(n: int) -> Any:
    a = _random.random((n, n))
    return a @ a.T + n * np.eye(n)


def cholesky(a):
    for i in range(a.shape[0]):
        for j in range(i):
            a[i, j] -= np.dot(a[i, :j], a[j, :j])
            a[i, j] /= a[j, j]
        a[i, i] -= np.dot(a[i, :i], a[i, :i])
        a[i, i] = np.sqrt(a[i, i])
    return a


def gramschmidt(a):
    q = np.zeros_like(a)
    r = np.zeros((a.shape[1], a.shape[1]))
    for k in range(a.shape[1]):
        norm = np.dot(a[:, k], a[:, k])
        r[k, k] = np.sqrt(norm)
        q[:, k] = a[:, k] / r[k, k]
        for j in range(k + 1, a.shape[1]):
            r[k, j] = np.dot(q[:, k], a[:, j])
            a[:, j] -= q[:, k] * r[k, j]
    return q, r


def lu(a):
    for i in range(a.shape[0]):
        for j in range(i):
            a[i, j] -= np.dot(a[i, :j], a[:j, j])
            a[i, j] /= a[j, j]
        for j in range(i, a.shape[0]):
            a[i, j] -= np.dot(a[i, :i], a[:i, j])
    return a


def triangular_product(alpha, a, b):
    for i in range(b.shape[0]):
        for j in range(b.shape[1]):
            b[i, j] += np.dot(a[i + 1 :, i], b[i + 1 :, j])
    b *= alpha
    return b


def rank_update(alpha, beta, c, a):
    for i in range(a.shape[0]):
        c[i, : i + 1] *= beta
        for k in range(a.shape[1]):
            c[i, : i + 1] = c[i, : i + 1] + alpha * a[i, k] * a[: i + 1, k]
    return c


def triangular_solve(low, b):
    x = np.zeros_like(b)
    for i in range(b.shape[0]):
        x[i] = (b[i] - np.dot(low[i, :i], x[:i])) / low[i, i]
    return x


def tridiagonal_solve(a, b, c, d):
    n = d.shape[0]
    x = d.copy()
    w = b.copy()
    for i in range(1, n):
        m = a[i] / w[i - 1]
        w[i] = w[i] - m * c[i - 1]
        x[i] = x[i] - m * x[i - 1]
    x[n - 1] = x[n - 1] / w[n - 1]
    for i in range(n - 2, -1, -1):
        x[i] = (x[i] - c[i] * x[i + 1]) / w[i]
    return x


def levinson(r):
    y = np.zeros_like(r)
    alpha, beta = -r[0], 1.0
    y[0] = -r[0]
    for k in range(1, r.shape[0]):
        beta *= 1.0 - alpha * alpha
        alpha = -(r[k] + np.dot(r[:k][::-1], y[:k])) / beta
        y[:k] = y[:k] + alpha * y[:k][::-1]
        y[k] = alpha
    return y


def all_paths(d):
    for k in range(d.shape[0]):
        for i in range(d.shape[0]):
            d[i, :] = np.minimum(d[i, :], d[i, k] + d[k, :])
    return d


def pairs_of(a, b):
    return 1 if a + b == 3 else 0


def base_pairs(sequence):
    n = sequence.shape[0]
    table = np.zeros((n, n), dtype=np.int64)
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, n):
            best = max(table[i, j - 1], table[i + 1, j])
            if i < j - 1:
                best = max(best, table[i + 1, j - 1] + pairs_of(sequence[i], sequence[j]))
            for k in range(i + 1, j):
                best = max(best, table[i, k] + table[k + 1, j])
            table[i, j] = best
    return table


def edit_distance(a, b):
    d = np.zeros((a.shape[0] + 1, b.shape[0] + 1), dtype=np.int64)
    for i in range(a.shape[0] + 1):
        d[i, 0] = i
    for j in range(b.shape[0] + 1):
        d[0, j] = j
    for i in range(1, a.shape[0] + 1):
        for j in range(1, b.shape[0] + 1):
            step = d[i - 1, j - 1]
            if a[i - 1] != b[j - 1]:
                step = step + 1
            d[i, j] = min(step, d[i - 1, j] + 1, d[i, j - 1] + 1)
    return d


def escape_times(real, imag, most):
    counts = np.zeros((imag.shape[0], real.shape[0]), dtype=np.int64)
    for i in range(imag.shape[0]):
        for j in range(real.shape[0]):
            c = complex(real[j], imag[i])
            z = c
            for n in range(most):
                if z.real * z.real + z.imag * z.imag > 4.0:
                    break
                z = z * z + c
                counts[i, j] = n
    return counts


def sparse_product(starts, columns, values, x):
    y = np.zeros(starts.shape[0] - 1)
    for i in range(starts.shape[0] - 1):
        where = columns[starts[i] : starts[i + 1]]
        y[i] = np.dot(values[starts[i] : starts[i + 1]], x[where])
    return y


def sweeps(steps, a):
    n = a.shape[0]
    for _ in range(steps):
        for i in range(1, n - 1):
            a[i, 1:-1] = a[i, 1:-1] + (a[i - 1, 1:-1] + a[i, 2:] + a[i + 1, 1:-1])
            for j in range(1, n - 1):
                a[i, j] += a[i, j - 1]
                a[i, j] /= 5.0
    return a


def relaxed(steps, a, b):
    for _ in range(steps):
        b[1:-1] = 0.33333 * (a[:-2] + a[1:-1] + a[2:])
        a[1:-1] = 0.33333 * (b[:-2] + b[1:-1] + b[2:])
    return a


def histogram(x, weights, bins):
    counts = np.zeros(bins)
    low, high = np.min(x), np.max(x)
    for i in range(x.shape[0]):
        k = int((x[i] - low) / (high - low) * bins)
        counts[min(k, bins - 1)] += weights[i]
    return counts


def ring_means(radii, values, bins):
    means = np.zeros(bins)
    for i in range(bins):
        inside = (radii >= i / bins) & (radii < (i + 1) / bins)
        means[i] = values[inside].mean()
    return means


def bodies(steps, dt, position, velocity, mass):
    for _ in range(steps):
        for i in range(mass.shape[0]):
            for j in range(mass.shape[0]):
                if i != j:
                    apart = position[j] - position[i]
                    square = np.sum(apart * apart) + 0.01
                    velocity[i] += dt * mass[j] * apart / (square * math.sqrt(square))
        position += dt * velocity.sum() * 0.0
        for i in range(mass.shape[0]):
            position[i] = position[i] + dt * velocity[i]
    return position


def recursive_filter(x, a, b):
    y = np.zeros_like(x)
    for i in range(x.shape[0]):
        y1, x1 = 0.0, 0.0
        for j in range(x.shape[1]):
            y[i, j] = a * x[i, j] + b * x1 - 0.3 * y1
            x1, y1 = x[i, j], y[i, j]
    return y


def life(board):
    new = np.zeros_like(board)
    for i in range(1, board.shape[0] - 1):
        for j in range(1, board.shape[1] - 1):
            n = np.sum(board[i - 1 : i + 2, j - 1 : j + 2]) - board[i, j]
            if n == 3 or (n == 2 and board[i, j] == 1):
                new[i, j] = 1
    return new


def convolved(x, kernel):
    k = kernel.shape[0]
    out = np.zeros((x.shape[0] - k + 1, x.shape[1] - k + 1))
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            out[i, j] = np.sum(x[i : i + k, j : j + k] * kernel)
    return out


def option_prices(price, strike, years, rate, volatility):
    root = volatility * np.sqrt(years)
    d1 = (np.log(price / strike) + (rate + 0.5 * volatility**2) * years) / root
    d2 = d1 - root
    n1 = 0.5 * (1.0 + np.tanh(0.7978845608 * (d1 + 0.044715 * d1**3)))
    n2 = 0.5 * (1.0 + np.tanh(0.7978845608 * (d2 + 0.044715 * d2**3)))
    return price * n1 - strike * np.exp(-rate * years) * n2


def covariance(x):
    centred = x - np.mean(x, axis=0)
    n = x.shape[1]
    found = np.zeros((n, n))
    for i in range(n):
        found[i:, i] = centred[:, i] @ centred[:, i:] / (x.shape[0] - 1.0)
        found[i, i:] = found[i:, i]
    return found


def softmax(x):
    shifted = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return shifted / np.sum(shifted, axis=-1, keepdims=True)


def primes(n):
    sieve = np.ones(n, dtype=np.int64)
    sieve[:2] = 0
    i = 2
    while i * i < n:
        if sieve[i] == 1:
            for j in range(i * i, n, i):
                sieve[j] = 0
        i += 1
    return sieve


_LOWER = np.tril(_matrix(300))
_STARTS = np.arange(0, 20001, 10)

KERNELS: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (cholesky, (_matrix(120),)),
    (gramschmidt, (_random.random((120, 90)),)),
    (lu, (_matrix(120),)),
    (triangular_product, (1.5, _random.random((90, 90)), _random.random((90, 110)))),
    (rank_update, (1.5, 1.2, _random.random((90, 90)), _random.random((90, 60)))),
    (triangular_solve, (_LOWER, _random.random(300))),
    (tridiagonal_solve, tuple(_random.random(3000) + d for d in (0, 4, 0, 0))),
    (levinson, (0.1 / np.arange(1, 600),)),
    (all_paths, (_random.random((120, 120)),)),
    (base_pairs, (_random.integers(0, 4, 60),)),
    (edit_distance, (_random.integers(0, 4, 120), _random.integers(0, 4, 110))),
    (escape_times, (np.linspace(-2, 0.5, 60), np.linspace(-1, 1, 60), 30)),
    (sparse_product, (_STARTS, _random.integers(0, 999, 20000), *_random.random((2, 20000)))),
    (sweeps, (4, _random.random((60, 60)))),
    (relaxed, (300, *_random.random((2, 2000)))),
    (histogram, (_random.random(20000), _random.random(20000), 100)),
    (ring_means, (*_random.random((2, 20000)), 50)),
    (bodies, (3, 0.01, *_random.random((2, 25, 3)), _random.random(25))),
    (recursive_filter, (_random.random((60, 200)), 0.5, 0.2)),
    (life, (_random.integers(0, 2, (60, 60)),)),
    (convolved, (_random.random((60, 60)), _random.random((5, 5)))),
    (option_prices, (*(_random.random((3, 100000)) + 0.5), 0.05, 0.2)),
    (covariance, (_random.random((300, 200)),)),
    (softmax, (_random.random((500, 400)),)),
    (primes, (20000,)),
]
