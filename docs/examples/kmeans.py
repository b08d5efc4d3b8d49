"""Clusters scikit-learn's irises with k-means, and asks how well the clusters match the species.

    python docs/examples/kmeans.py [--clusters 3] [--restarts 8]
    python -m numpy_shim docs/examples/kmeans.py
"""

import argparse

import numpy as np
from sklearn.datasets import load_iris


def distances(points, centres):
    """Squared distance of every point to every centre."""
    difference = points[:, np.newaxis, :] - centres[np.newaxis, :, :]
    return np.einsum("ijk,ijk->ij", difference, difference)


def first_centres(points, count, rng):
    """k-means++: each next centre is drawn far from those there are."""
    centres = points[rng.integers(len(points), size=1)]
    while len(centres) < count:
        nearest = distances(points, centres).min(axis=1)
        cumulative = np.cumsum(nearest / nearest.sum())
        chosen = np.searchsorted(cumulative, rng.random())
        centres = np.vstack([centres, points[chosen]])
    return centres


def kmeans(points, count, rng, tolerance=1e-9):
    """The centres, the cluster of each point, and the sum of squared distances."""
    centres = first_centres(points, count, rng)
    while True:
        squared = distances(points, centres)
        labels = squared.argmin(axis=1)
        members = labels[:, np.newaxis] == np.arange(count)
        sizes = members.sum(axis=0)
        moved = centres.copy()
        filled = sizes > 0  # an empty cluster stays where it is
        moved[filled] = (members.T @ points)[filled] / sizes[filled, np.newaxis]
        shift = np.abs(moved - centres).max()
        centres = moved
        if shift < tolerance:
            return centres, labels, squared.min(axis=1).sum()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clusters", type=int, default=3)
    parser.add_argument("--restarts", type=int, default=8)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()

    data, target = load_iris(return_X_y=True)
    points, species = np.asarray(data), np.asarray(target)
    points = (points - points.mean(axis=0)) / points.std(axis=0)

    rng = np.random.default_rng(options.seed)
    runs = [kmeans(points, options.clusters, rng) for _ in range(options.restarts)]
    centres, labels, inertia = min(runs, key=lambda run: float(run[2]))

    order = np.argsort(centres[:, 0])
    sizes = np.bincount(labels, minlength=options.clusters)[order]
    print(f"{len(points)} flowers, {options.clusters} clusters, {options.restarts} starts")
    print("sum of squared distances:", np.round(inertia, 4))
    print("sizes:", sizes)
    print("centres:")
    print(np.round(centres[order], 3))

    table = np.zeros((options.clusters, 3), dtype=int)
    np.add.at(table, (labels, species), 1)
    print("species in each cluster:")
    print(table[order])
    print(f"in a cluster led by their species: {table.max(axis=1).sum() / len(points):.4f}")


if __name__ == "__main__":
    main()
