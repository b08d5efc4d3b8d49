"""Heat in a plate whose upper edge is hot: Jacobi's five-point stencil.

    python -m numpy_shim --ranks 4 --shard-above 1MB docs/examples/distributed/stencil.py
"""

import argparse

import numpy as np


def heated(rows: int, columns: int, steps: int) -> np.ndarray:
    """The temperatures after ``steps`` steps."""
    plate = np.zeros((rows, columns))
    plate[0] = 100
    for _ in range(steps):
        inner = plate[1:-1, 1:-1]
        around = plate[:-2, 1:-1] + plate[2:, 1:-1] + plate[1:-1, :-2] + plate[1:-1, 2:]
        plate[1:-1, 1:-1] = inner + 0.2 * (around - 4 * inner)
    return plate


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=300, help="rows of the plate")
    parser.add_argument("--columns", type=int, default=200)
    parser.add_argument("--steps", type=int, default=20)
    given = parser.parse_args()
    plate = heated(given.size, given.columns, given.steps)
    print(f"heat {plate.sum():.9f}, warm places {int((plate > 1).sum())}")
    print(np.array2string(np.asarray(plate[1:6, 5]), precision=9))
