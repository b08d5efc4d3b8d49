"""Collatz chains and primes, number by number."""

import numpy as np


def chain(n):
    steps = 0
    while n != 1:
        n = 3 * n + 1 if n % 2 else n // 2
        steps += 1
    return steps


def longest(limit):
    best, at = 0, 0
    for n in range(1, limit):
        c = chain(n)
        if c > best:
            best, at = c, n
    return best, at


def primes(limit):
    flags = np.ones(limit, dtype=bool)
    flags[:2] = False
    for i in range(2, int(limit**0.5) + 1):
        if flags[i]:
            flags[i * i :: i] = False
    return np.flatnonzero(flags)


print(longest(700_000), primes(2_000_000).sum())
