"""Prices options by Monte Carlo: a European one, known in closed form, an Asian and a barrier one.

    python docs/examples/options.py [--paths 20000] [--days 60]
    python -m numpy_shim docs/examples/options.py
"""

import argparse
import math

import numpy as np

SPOT, STRIKE, BARRIER = 100.0, 105.0, 125.0
RATE, VOLATILITY, YEARS = 0.03, 0.25, 0.5


def black_scholes():
    """The price of the European call in closed form."""

    def normal(z):
        return 0.5 * (1 + math.erf(z / math.sqrt(2)))

    spread = VOLATILITY * math.sqrt(YEARS)
    d = (math.log(SPOT / STRIKE) + (RATE + VOLATILITY**2 / 2) * YEARS) / spread
    return SPOT * normal(d) - STRIKE * math.exp(-RATE * YEARS) * normal(d - spread)


def paths(count, days, rng):
    """Prices at the end of each day, shape (count, days); every path has its mirror image."""
    half = rng.standard_normal((count // 2, days))
    steps = np.concatenate([half, -half])
    dt = YEARS / days
    steps *= VOLATILITY * math.sqrt(dt)
    steps += (RATE - VOLATILITY**2 / 2) * dt
    np.cumsum(steps, axis=1, out=steps)
    return SPOT * np.exp(steps)


def estimate(payoff):
    """The discounted mean of the payoffs, and its standard error from the mirrored pairs."""
    discounted = math.exp(-RATE * YEARS) * payoff
    pairs = discounted.reshape(2, -1).mean(axis=0)
    return pairs.mean(), pairs.std(ddof=1) / np.sqrt(pairs.size)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--paths", type=int, default=20000)
    parser.add_argument("--days", type=int, default=60)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()

    prices = paths(options.paths, options.days, np.random.default_rng(options.seed))
    last = prices[:, -1]
    highest = np.maximum.accumulate(prices, axis=1)[:, -1]

    european = np.maximum(last - STRIKE, 0)
    asian = np.where(prices.mean(axis=1) > STRIKE, prices.mean(axis=1) - STRIKE, 0.0)
    barrier = european.copy()
    barrier[highest >= BARRIER] = 0.0  # knocked out

    print(f"{options.paths} paths of {options.days} days")
    exact = black_scholes()
    for name, payoff in (("European", european), ("Asian", asian), ("barrier", barrier)):
        price, error = estimate(payoff)
        print(f"{name:8}  price {price:8.4f}  +- {error:.4f}")
    price, error = estimate(european)
    print(f"closed form     {exact:8.4f}, off by {(price - exact) / error:.3f} standard errors")

    knocked_out = (prices >= BARRIER).any(axis=1)
    first = np.argmax(prices >= BARRIER, axis=1)[knocked_out]
    print(f"knocked out: {knocked_out.mean():.4f} of the paths, on day {np.median(first):.1f} (median)")
    tail = np.sort(last)[: max(options.paths // 100, 1)]
    print(f"1 % of the final prices lie below {tail[-1]:.4f}, on average at {tail.mean():.4f}")
    counts, borders = np.histogram(last, bins=6)
    print("histogram:", counts, "between", np.round(borders[[0, -1]], 3))


if __name__ == "__main__":
    main()
