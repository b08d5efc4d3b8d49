"""The largest eigenvalue of a symmetric matrix, by power iteration.

    python -m numpy_shim --ranks 4 --shard-above 1MB docs/examples/distributed/power_iteration.py
"""

import argparse

import numpy as np


def largest(matrix: np.ndarray, steps: int) -> tuple[float, np.ndarray]:
    """The Rayleigh quotient after ``steps`` products, and the vector."""
    vector = np.ones(matrix.shape[0])
    for _ in range(steps):
        vector = matrix @ vector
        vector /= np.sqrt((vector**2).sum())
    return float(vector @ (matrix @ vector)), vector


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=600, help="rows of the matrix")
    parser.add_argument("--steps", type=int, default=10)
    given = parser.parse_args()
    drawn = np.random.default_rng(11).random((given.size, given.size))
    value, vector = largest((drawn + drawn.T) / 2, given.steps)
    print(f"eigenvalue {value:.9f}")
    print(f"first entries {np.array2string(np.asarray(vector[:4]), precision=9)}")
