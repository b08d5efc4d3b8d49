"""Longest common subsequences of random words: a table filled by two loops."""

import numpy as np


def lcs(a, b):
    table = np.zeros((len(a) + 1, len(b) + 1), dtype=np.int64)
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            if a[i - 1] == b[j - 1]:
                table[i, j] = table[i - 1, j - 1] + 1
            else:
                table[i, j] = max(table[i - 1, j], table[i, j - 1])
    return table[-1, -1]


rng = np.random.default_rng(5)
words = rng.integers(0, 4, size=(10, 500))
lengths = np.zeros((10, 10), dtype=int)
for i in range(10):
    for j in range(i):
        lengths[i, j] = lcs(words[i], words[j])
print(lengths.sum(), lengths.max())
