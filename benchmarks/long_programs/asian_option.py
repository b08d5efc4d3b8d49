"""An Asian option by many paths, step by step."""

import numpy as np


def price(s0, k, r, sigma, t, steps, paths, rng):
    dt = t / steps
    s = np.full(paths, s0)
    total = np.zeros(paths)
    for _ in range(steps):
        z = rng.standard_normal(paths)
        s = s * np.exp((r - 0.5 * sigma**2) * dt + sigma * np.sqrt(dt) * z)
        total += s
    payoff = np.maximum(total / steps - k, 0)
    return np.exp(-r * t) * payoff.mean(), np.exp(-r * t) * payoff.std() / np.sqrt(paths)


rng = np.random.default_rng(11)
for k in (90, 100, 110):
    value, error = price(100.0, k, 0.05, 0.2, 1.0, 252, 600_000, rng)
    print(k, round(float(value), 1))
