"""Fifteen kernels as NumPy programs write them. The benchmark runs the file on each namespace."""

import numpy as np


def stencil_1d(a, b, steps):
    for _ in range(steps):
        b[1:-1] = (a[:-2] + a[1:-1] + a[2:]) / 3
        a[1:-1] = (b[:-2] + b[1:-1] + b[2:]) / 3
    return a


def stencil_2d(a, b, steps):
    for _ in range(steps):
        b[1:-1, 1:-1] = 0.2 * (
            a[1:-1, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] + a[2:, 1:-1] + a[:-2, 1:-1]
        )
        a[1:-1, 1:-1] = 0.2 * (
            b[1:-1, 1:-1] + b[1:-1, :-2] + b[1:-1, 2:] + b[2:, 1:-1] + b[:-2, 1:-1]
        )
    return a


def stencil_3d(a, b, steps):
    c = (slice(1, -1),) * 3
    for _ in range(steps):
        for x, y in ((a, b), (b, a)):
            y[c] = (
                0.125 * (x[2:, 1:-1, 1:-1] - 2.0 * x[c] + x[:-2, 1:-1, 1:-1])
                + 0.125 * (x[1:-1, 2:, 1:-1] - 2.0 * x[c] + x[1:-1, :-2, 1:-1])
                + 0.125 * (x[1:-1, 1:-1, 2:] - 2.0 * x[c] + x[1:-1, 1:-1, :-2])
                + x[c]
            )
    return a


def adi(u, rate):
    """One step of alternating directions: the implicit sweeps solve tridiagonal systems."""
    n = u.shape[0]
    for _ in range(2):
        p, q = np.zeros_like(u), np.zeros_like(u)
        p[:, 0] = -rate / (1 + 2 * rate)
        q[:, 0] = u[:, 0] / (1 + 2 * rate)
        for j in range(1, n):
            scale = 1 + 2 * rate + rate * p[:, j - 1]
            p[:, j] = -rate / scale
            q[:, j] = (u[:, j] + rate * q[:, j - 1]) / scale
        v = np.zeros_like(u)
        v[:, n - 1] = q[:, n - 1]
        for j in range(n - 2, -1, -1):
            v[:, j] = q[:, j] - p[:, j] * v[:, j + 1]
        u = v.T
    return u


def n_body(x, v, mass, steps, dt):
    for _ in range(steps):
        d = x[None, :, :] - x[:, None, :]
        inverse = (np.sum(d * d, axis=-1) + 0.01) ** -1.5
        acceleration = np.sum(d * (inverse * mass[None, :])[:, :, None], axis=1)
        v = v + dt * acceleration
        x = x + dt * v
    return x


def k_means_step(points, centres):
    distance = np.sum((points[:, None, :] - centres[None, :, :]) ** 2, axis=-1)
    near = np.argmin(distance, axis=1)
    member = near[:, None] == np.arange(centres.shape[0])[None, :]
    weight = member.astype(points.dtype)
    return (weight.T @ points) / np.maximum(np.sum(weight, axis=0), 1.0)[:, None]


def mandelbrot(x, y, steps):
    u, v = np.zeros_like(x), np.zeros_like(y)
    count = np.zeros(x.shape, dtype=np.int64)
    for _ in range(steps):
        inside = u * u + v * v < 4.0
        u, v = np.where(inside, u * u - v * v + x, u), np.where(inside, 2 * u * v + y, v)
        count = count + inside
    return count


def softmax(x):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


def conv2d(x, kernel):
    height, width = kernel.shape
    rows, columns = x.shape[0] - height + 1, x.shape[1] - width + 1
    out = np.zeros((rows, columns))
    for i in range(height):
        for j in range(width):
            out += kernel[i, j] * x[i : i + rows, j : j + columns]
    return out


def black_scholes(spot, strike, years, rate, volatility):
    def normal(x):  # Abramowitz and Stegun 26.2.17
        t = 1 / (1 + 0.2316419 * np.abs(x))
        series = t * (
            0.319381530
            + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429)))
        )
        tail = np.exp(-0.5 * x * x) * 0.3989422804014327 * series
        return np.where(x >= 0, 1 - tail, tail)

    root = volatility * np.sqrt(years)
    d1 = (np.log(spot / strike) + (rate + 0.5 * volatility**2) * years) / root
    d2 = d1 - root
    discounted = strike * np.exp(-rate * years)
    call = spot * normal(d1) - discounted * normal(d2)
    return call, call - spot + discounted


def fft_filter(signal, cut):
    spectrum = np.fft.rfft(signal)
    frequency = np.fft.rfftfreq(signal.shape[0])
    gain = 1 / (1 + (frequency / cut) ** 4)
    return np.fft.irfft(spectrum * gain, n=signal.shape[0])


def floyd_warshall(path):
    for k in range(path.shape[0]):
        path = np.minimum(path, path[:, k : k + 1] + path[k : k + 1, :])
    return path


def lu(a):
    n = a.shape[0]
    for k in range(n - 1):
        a[k + 1 :, k] = a[k + 1 :, k] / a[k, k]
        a[k + 1 :, k + 1 :] -= a[k + 1 :, k : k + 1] * a[k : k + 1, k + 1 :]
    return a


def histogram_filter(belief, likelihoods, stay):
    for likelihood in likelihoods:
        moved = (1 - stay) / 2 * (np.roll(belief, 1) + np.roll(belief, -1)) + stay * belief
        belief = moved * likelihood
        belief = belief / np.sum(belief)
    return belief


def gray_scott(u, v, steps, feed, kill):
    for _ in range(steps):
        lu = -4 * u + np.roll(u, 1, 0) + np.roll(u, -1, 0) + np.roll(u, 1, 1) + np.roll(u, -1, 1)
        lv = -4 * v + np.roll(v, 1, 0) + np.roll(v, -1, 0) + np.roll(v, 1, 1) + np.roll(v, -1, 1)
        reaction = u * v * v
        u = u + 0.16 * lu - reaction + feed * (1 - u)
        v = v + 0.08 * lv + reaction - (feed + kill) * v
    return u, v


def distance_matrix(a, b):
    return np.sqrt(np.sum((a[:, None, :] - b[None, :, :]) ** 2, axis=-1))


def knapsack(values, weights, capacity):
    """The best value for each capacity: a table of dynamic programming, row by row."""
    best = np.zeros(capacity + 1)
    for value, weight in zip(values, weights, strict=True):
        taken = best[: capacity + 1 - weight] + value
        best = np.concatenate([best[:weight], np.maximum(best[weight:], taken)])
    return best
