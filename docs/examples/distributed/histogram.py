"""A histogram, and quantiles from it.

    python -m numpy_shim --ranks 4 --shard-above 1MB docs/examples/distributed/histogram.py
"""

import argparse

import numpy as np

BINS = 64


def counted(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """How many values are in each bin, and the edges."""
    return np.histogram(values, bins=BINS, range=(0, 8))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=200_000, help="the number of values")
    given = parser.parse_args()
    values = -np.log1p(-np.random.default_rng(5).random(given.size))
    counts, edges = counted(values)
    below = np.cumsum(counts) / counts.sum()
    print("counts", *[int(n) for n in counts[:12]])
    for share in (0.25, 0.5, 0.75):
        print(f"{share:.0%} are below {float(edges[1:][np.searchsorted(below, share)]):.4f}")
    print(f"mean {values.mean():.9f}, largest {values.max():.9f}")
