"""Principal components of a table of numbers.

    python -m numpy_shim --ranks 4 --shard-above 1MB docs/examples/distributed/pca.py
"""

import argparse

import numpy as np


def components(table: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """The variances along the first ``count`` components, and the rows seen from there."""
    centred = table - table.mean(axis=0)
    values, vectors = np.linalg.eigh(centred.T @ centred / (len(table) - 1))
    return values[::-1][:count], centred @ vectors[:, ::-1][:, :count]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=20_000, help="rows of the table")
    given = parser.parse_args()
    table = np.random.default_rng(4).random((given.size, 12))
    table[:, 1] += table[:, 0]
    table[:, 2] += 2 * table[:, 0]
    values, seen = components(table, 3)
    print("variances", np.array2string(np.asarray(values), precision=9))
    print("spread", np.array2string(np.asarray(seen.std(axis=0)), precision=9))
    print("largest", np.array2string(np.asarray(np.abs(seen).max(axis=0)), precision=9))
