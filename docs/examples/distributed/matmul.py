"""A product of two matrices, panel by panel.

    python -m numpy_shim --ranks 4 --shard-above 1MB docs/examples/distributed/matmul.py
"""

import argparse

import numpy as np


def product(a: np.ndarray, b: np.ndarray, block: int) -> np.ndarray:
    """``a @ b``, the sum of the products of ``block`` columns with ``block`` rows."""
    total = np.zeros((a.shape[0], b.shape[1]))
    for start in range(0, a.shape[1], block):
        total += a[:, start : start + block] @ b[start : start + block]
    return total


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=400, help="rows of the matrices")
    parser.add_argument("--blocks", type=int, default=4)
    given = parser.parse_args()
    rng = np.random.default_rng(2)
    n = given.size
    c = product(rng.random((n, n)), rng.random((n, n)), -(-n // given.blocks))
    print(f"trace {np.trace(c):.6f}, norm {np.sqrt((c**2).sum()):.6f}, corner {c[0, -1]:.9f}")
