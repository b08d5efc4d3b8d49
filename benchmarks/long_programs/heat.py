"""The heat equation in a plate, by slices."""

import numpy as np


def diffuse(u, alpha, dx, dt):
    new = u.copy()
    new[1:-1, 1:-1] = u[1:-1, 1:-1] + alpha * dt / dx**2 * (
        u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1]
    )
    return new


def boundary(u):
    u[0, :] = 100.0
    u[-1, :] = 0.0
    u[:, 0] = u[:, 1]
    u[:, -1] = u[:, -2]


u = np.zeros((400, 400))
boundary(u)
for _ in range(9000):
    u = diffuse(u, 1.0, 1.0, 0.2)
    boundary(u)
print("mean", round(float(u.mean()), 6), "middle", np.round(u[200, 200], 6))
