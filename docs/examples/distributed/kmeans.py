"""Lloyd's algorithm for k-means on points in a cube.

    python -m numpy_shim --ranks 4 --shard-above 1MB docs/examples/distributed/kmeans.py
"""

import argparse

import numpy as np


def cluster(points: np.ndarray, count: int, steps: int) -> tuple[np.ndarray, np.ndarray, float]:
    """The centres, the number of points of each, and the mean squared distance to them."""
    centres = points[:count].copy()
    squares = (points**2).sum(axis=1)
    for _ in range(steps):
        distances = squares[:, None] - 2 * (points @ centres.T) + (centres**2).sum(axis=1)
        nearest = distances.argmin(axis=1)
        member = (nearest[:, None] == np.arange(count)).astype(points.dtype)
        sizes = member.sum(axis=0)
        centres = (member.T @ points) / np.maximum(sizes, 1)[:, None]
    return centres, sizes, float(distances.min(axis=1).mean())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=50_000, help="the number of points")
    parser.add_argument("--steps", type=int, default=5)
    given = parser.parse_args()
    cloud = np.random.default_rng(3).random((given.size, 4))
    centres, sizes, spread = cluster(cloud, 8, given.steps)
    print(np.array2string(np.asarray(centres), precision=8))
    print(*[int(n) for n in sizes])
    print(f"mean squared distance {spread:.9f}")
