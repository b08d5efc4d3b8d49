"""The Ising model by Metropolis, spin by spin."""

import numpy as np


def sweep(spins, beta, rng):
    n = len(spins)
    places = rng.integers(0, n, size=(n * n, 2))
    chance = rng.random(n * n)
    for k in range(n * n):
        i, j = places[k]
        around = spins[(i + 1) % n, j] + spins[i - 1, j] + spins[i, (j + 1) % n] + spins[i, j - 1]
        change = 2 * spins[i, j] * around
        if change <= 0 or chance[k] < np.exp(-beta * change):
            spins[i, j] = -spins[i, j]


rng = np.random.default_rng(3)
for temperature in (1.5, 2.27, 3.5):
    spins = np.where(rng.random((64, 64)) < 0.5, 1, -1)
    sizes = []
    for _ in range(150):
        sweep(spins, 1 / temperature, rng)
        sizes.append(abs(spins.mean()))
    print(temperature, round(float(np.mean(sizes[75:])), 3))
