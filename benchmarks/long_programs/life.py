"""Conway's game of life, with np.roll."""

import numpy as np


def neighbours(board):
    total = np.zeros(board.shape, dtype=int)
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            if dy or dx:
                total += np.roll(np.roll(board, dy, axis=0), dx, axis=1)
    return total


def step(board):
    n = neighbours(board)
    return ((n == 3) | ((board == 1) & (n == 2))).astype(int)


rng = np.random.default_rng(1)
board = (rng.random((512, 512)) < 0.3).astype(int)
for _ in range(700):
    board = step(board)
print("alive", board.sum())
