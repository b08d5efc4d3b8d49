"""A module of a program written for NumPy."""

import numpy as np

OFFSET = np.ones(2)


def shifted(x):
    return np.add(x, 2)
