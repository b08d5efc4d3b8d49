"""The price of an Asian option, and pi, from uniform random numbers.

    python -m numpy_shim --ranks 4 --shard-above 1MB docs/examples/distributed/monte_carlo.py
"""

import argparse

import numpy as np

STEPS = 4


def price(paths: int) -> tuple[float, float, float]:
    """The mean payoff, its standard error, and an estimate of pi."""
    rng = np.random.default_rng(7)
    drawn = rng.random((paths, 2 * STEPS))
    radius = np.sqrt(-2 * np.log1p(-drawn[:, :STEPS]))  # Box and Muller
    normal = radius * np.cos(2 * np.pi * drawn[:, STEPS:])
    logarithm = np.cumsum(0.2 / np.sqrt(STEPS) * normal - 0.02 / STEPS, axis=1)
    payoff = np.maximum(100 * np.exp(logarithm).mean(axis=1) - 100, 0)
    inside = (drawn[:, :2] ** 2).sum(axis=1) <= 1
    return float(payoff.mean()), float(payoff.std() / np.sqrt(paths)), 4 * float(inside.mean())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=100_000, help="the number of paths")
    given = parser.parse_args()
    mean, error, pi = price(given.size)
    print(f"price {mean:.9f}, error {error:.9f}, pi {pi:.9f}")
