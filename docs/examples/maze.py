"""Builds a maze, a random spanning tree of a grid, and finds the way out with Bellman and Ford.

Both are loops over whole arrays: Boruvka's algorithm adds the cheapest way out of every part of the
maze at once, and Bellman and Ford's relaxes every passage at once.

    python docs/examples/maze.py [--size 24] [--output maze.png]
    python -m numpy_shim docs/examples/maze.py --output maze.png
"""

import argparse

import numpy as np
import pictures


def walls(size):
    """The pairs of neighbouring cells of a square grid, as two arrays of cell numbers."""
    cells = np.arange(size * size).reshape(size, size)
    first = np.concatenate([cells[:, :-1].ravel(), cells[:-1].ravel()])
    second = np.concatenate([cells[:, 1:].ravel(), cells[1:].ravel()])
    return first, second


def build(size, rng):
    """The passages of the maze: those walls that come down, as two arrays of cell numbers."""
    first, second = walls(size)
    price = rng.permutation(len(first))
    by_price = np.argsort(price)
    part = np.arange(size * size)
    opened = np.zeros(len(first), dtype=bool)
    while (part != part[0]).any():
        between = part[first] != part[second]
        cheapest = np.full(size * size, len(price))
        np.minimum.at(cheapest, part[first[between]], price[between])
        np.minimum.at(cheapest, part[second[between]], price[between])
        chosen = by_price[np.unique(cheapest[cheapest < len(price)])]
        opened[chosen] = True
        # Cells joined by an open passage get the lowest number among them.
        a, b = first[opened], second[opened]
        while (part[a] != part[b]).any():
            lowest = np.minimum(part[a], part[b])
            np.minimum.at(part, a, lowest)
            np.minimum.at(part, b, lowest)
    return first[opened], second[opened]


def distances(a, b, count, start):
    """Steps from a cell to every other, by relaxing all passages until nothing changes."""
    steps = np.full(count, np.inf)
    steps[start] = 0.0
    while True:
        before = steps.copy()
        np.minimum.at(steps, b, before[a] + 1)
        np.minimum.at(steps, a, before[b] + 1)
        if np.array_equal(steps, before):
            return steps


def way(a, b, there, back):
    """The cells of the shortest way: those whose two distances add up to its length."""
    on_way = there + back == there.max(initial=0, where=back == 0)
    return np.flatnonzero(on_way)[np.argsort(there[on_way])]


def draw(size, a, b, cells):
    """A picture: cells and passages white on black, the way in colour."""
    picture = np.zeros((2 * size + 1, 2 * size + 1, 3), dtype=np.uint8)
    row, column = np.divmod(np.arange(size * size), size)
    picture[2 * row + 1, 2 * column + 1] = 255
    picture[row[a] + row[b] + 1, column[a] + column[b] + 1] = 255
    y, x = 2 * row[cells] + 1, 2 * column[cells] + 1
    picture[y, x] = 220, 40, 40
    picture[(y[1:] + y[:-1]) // 2, (x[1:] + x[:-1]) // 2] = 220, 40, 40
    return picture.repeat(6, axis=0).repeat(6, axis=1)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=int, default=24, help="cells along a side")
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--output", help="a .png, .ppm or .pgm file to write")
    options = parser.parse_args()

    size, count = options.size, options.size**2
    a, b = build(size, np.random.default_rng(options.seed))
    there = distances(a, b, count, 0)
    back = distances(a, b, count, count - 1)
    cells = way(a, b, there, back)
    degree = np.bincount(np.concatenate([a, b]), minlength=count)

    print(f"{size} x {size} cells, {len(a)} passages")
    print(f"dead ends: {np.count_nonzero(degree == 1)}, crossings: {(degree > 2).sum()}")
    print(f"the way out takes {int(there[-1])} steps, over {len(cells)} cells")
    print("its first cells:", [divmod(int(cell), size) for cell in cells[:6]])
    print(f"mean distance of a cell from the entrance: {there.mean():.4f}")
    if options.output:
        pictures.save(options.output, draw(size, a, b, cells))


if __name__ == "__main__":
    main()
