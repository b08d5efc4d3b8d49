"""Ranks the pages of a random web by PageRank, and looks at how the web hangs together.

    python docs/examples/pagerank.py [--pages 400]
    python -m numpy_shim docs/examples/pagerank.py
"""

import argparse

import numpy as np


def web(pages, rng, links=4):
    """A web that grew: each page links to a few older ones, rather to those much linked to.

    The links as two arrays of page numbers, from and to, none of them twice.
    """
    source, target = [1], [0]
    for page in range(2, pages):
        # A random end of a random link: pages are hit in proportion to the links they have.
        ends = np.array(source + target)
        aim = np.unique(ends[rng.integers(len(ends), size=min(links, page))])
        aim = aim[: rng.integers(len(aim) + 1)]  # some link to few, or to none
        source += [page] * len(aim)
        target += aim.tolist()
    return np.array(source), np.array(target)


def pagerank(source, target, pages, damping=0.85, tolerance=1e-12):
    """The share of time that a surfer spends on each page, and the number of rounds it took."""
    links = np.bincount(source, minlength=pages)
    dangling = links == 0
    weight = 1.0 / np.where(dangling, 1, links)
    rank = np.full(pages, 1 / pages)
    for rounds in range(1, 1000):
        flow = np.zeros(pages)
        np.add.at(flow, target, (rank * weight)[source])
        flow += rank[dangling].sum() / pages
        flow = damping * flow + (1 - damping) / pages
        change = np.abs(flow - rank).sum()
        rank = flow
        if change < tolerance:
            break
    return rank, rounds


def by_linear_algebra(source, target, pages, damping=0.85):
    """The same as the solution of a linear system."""
    matrix = np.zeros((pages, pages))
    matrix[target, source] = 1.0
    links = matrix.sum(axis=0)
    matrix[:, links == 0] = 1.0
    matrix /= matrix.sum(axis=0)
    return np.linalg.solve(np.eye(pages) - damping * matrix, np.full(pages, (1 - damping) / pages))


def islands(source, target, pages):
    """The connected parts: a label for each page, the lowest page number of its part."""
    label = np.arange(pages)
    while np.any(label[source] != label[target]):
        lowest = np.minimum(label[source], label[target])
        np.minimum.at(label, source, lowest)
        np.minimum.at(label, target, lowest)
    return label


def gini(values):
    """How unevenly values are shared: 0 for equal shares, towards 1 for one that has all."""
    ordered = np.sort(values)
    position = np.arange(1, len(ordered) + 1)
    return 2 * np.dot(position, ordered) / (len(ordered) * ordered.sum()) - 1 - 1 / len(ordered)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pages", type=int, default=400)
    parser.add_argument("--seed", type=int, default=11)
    options = parser.parse_args()

    pages = options.pages
    source, target = web(pages, np.random.default_rng(options.seed))
    rank, rounds = pagerank(source, target, pages)
    exact = by_linear_algebra(source, target, pages)
    best = np.argsort(-rank, kind="stable")[:5]
    incoming = np.bincount(target, minlength=pages)

    print(f"{pages} pages, {len(source)} links, {rounds} rounds")
    print("first five:", best)
    print("their ranks:", np.round(rank[best], 5))
    print("links to them:", incoming[best])
    print("power method and linear system agree:", np.allclose(rank, exact, rtol=1e-6, atol=1e-9))
    print(f"sum {rank.sum():.6f}, Gini coefficient {gini(rank):.5f}")
    print(f"correlation with the links to a page: {np.corrcoef(rank, incoming)[0, 1]:.5f}")
    parts, sizes = np.unique(islands(source, target, pages), return_counts=True)
    print(f"connected parts: {len(parts)}, the largest of {sizes.max()} pages")


if __name__ == "__main__":
    main()
