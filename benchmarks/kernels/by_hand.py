"""The kernels as a torch program would have them, for comparison."""

import torch

from . import programs

# These name no function of NumPy: on tensors they are torch programs.
stencil_1d, stencil_2d, stencil_3d = programs.stencil_1d, programs.stencil_2d, programs.stencil_3d
lu = programs.lu


def adi(u, rate):
    n = u.shape[0]
    for _ in range(2):
        p, q = torch.zeros_like(u), torch.zeros_like(u)
        p[:, 0] = -rate / (1 + 2 * rate)
        q[:, 0] = u[:, 0] / (1 + 2 * rate)
        for j in range(1, n):
            scale = 1 + 2 * rate + rate * p[:, j - 1]
            p[:, j] = -rate / scale
            q[:, j] = (u[:, j] + rate * q[:, j - 1]) / scale
        v = torch.zeros_like(u)
        v[:, n - 1] = q[:, n - 1]
        for j in range(n - 2, -1, -1):
            v[:, j] = q[:, j] - p[:, j] * v[:, j + 1]
        u = v.T
    return u


def n_body(x, v, mass, steps, dt):
    for _ in range(steps):
        d = x[None, :, :] - x[:, None, :]
        inverse = ((d * d).sum(-1) + 0.01) ** -1.5
        acceleration = (d * (inverse * mass[None, :])[:, :, None]).sum(1)
        v = v + dt * acceleration
        x = x + dt * v
    return x


def k_means_step(points, centres):
    distance = ((points[:, None, :] - centres[None, :, :]) ** 2).sum(-1)
    near = distance.argmin(1)
    member = near[:, None] == torch.arange(centres.shape[0])[None, :]
    weight = member.to(points.dtype)
    return (weight.T @ points) / weight.sum(0).clamp(min=1.0)[:, None]


def mandelbrot(x, y, steps):
    u, v = torch.zeros_like(x), torch.zeros_like(y)
    count = torch.zeros(x.shape, dtype=torch.int64)
    for _ in range(steps):
        inside = u * u + v * v < 4.0
        u, v = torch.where(inside, u * u - v * v + x, u), torch.where(inside, 2 * u * v + y, v)
        count = count + inside
    return count


def softmax(x):
    e = torch.exp(x - x.amax(-1, keepdim=True))
    return e / e.sum(-1, keepdim=True)


def conv2d(x, kernel):
    height, width = kernel.shape
    rows, columns = x.shape[0] - height + 1, x.shape[1] - width + 1
    out = torch.zeros((rows, columns), dtype=torch.float64)
    for i in range(height):
        for j in range(width):
            out += kernel[i, j] * x[i : i + rows, j : j + columns]
    return out


def black_scholes(spot, strike, years, rate, volatility):
    def normal(x):
        t = 1 / (1 + 0.2316419 * x.abs())
        series = t * (
            0.319381530
            + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429)))
        )
        tail = torch.exp(-0.5 * x * x) * 0.3989422804014327 * series
        return torch.where(x >= 0, 1 - tail, tail)

    root = volatility * years.sqrt()
    d1 = ((spot / strike).log() + (rate + 0.5 * volatility**2) * years) / root
    d2 = d1 - root
    discounted = strike * torch.exp(-rate * years)
    call = spot * normal(d1) - discounted * normal(d2)
    return call, call - spot + discounted


def fft_filter(signal, cut):
    spectrum = torch.fft.rfft(signal)
    frequency = torch.fft.rfftfreq(signal.shape[0], dtype=torch.float64)
    gain = 1 / (1 + (frequency / cut) ** 4)
    return torch.fft.irfft(spectrum * gain, n=signal.shape[0])


def floyd_warshall(path):
    for k in range(path.shape[0]):
        path = torch.minimum(path, path[:, k : k + 1] + path[k : k + 1, :])
    return path


def histogram_filter(belief, likelihoods, stay):
    for likelihood in likelihoods:
        moved = (1 - stay) / 2 * (belief.roll(1) + belief.roll(-1)) + stay * belief
        belief = moved * likelihood
        belief = belief / belief.sum()
    return belief


def gray_scott(u, v, steps, feed, kill):
    for _ in range(steps):
        lu = -4 * u + u.roll(1, 0) + u.roll(-1, 0) + u.roll(1, 1) + u.roll(-1, 1)
        lv = -4 * v + v.roll(1, 0) + v.roll(-1, 0) + v.roll(1, 1) + v.roll(-1, 1)
        reaction = u * v * v
        u = u + 0.16 * lu - reaction + feed * (1 - u)
        v = v + 0.08 * lv + reaction - (feed + kill) * v
    return u, v


def distance_matrix(a, b):
    return ((a[:, None, :] - b[None, :, :]) ** 2).sum(-1).sqrt()


def knapsack(values, weights, capacity):
    best = torch.zeros(capacity + 1, dtype=torch.float64)
    for value, weight in zip(values, weights, strict=True):
        taken = best[: capacity + 1 - weight] + value
        best = torch.cat([best[:weight], torch.maximum(best[weight:], taken)])
    return best
