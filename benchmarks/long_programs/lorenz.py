"""Many Lorenz systems by Runge and Kutta's method of fourth order."""

import numpy as np


def lorenz(state, sigma=10.0, rho=28.0, beta=8 / 3):
    x, y, z = state
    return np.array([sigma * (y - x), x * (rho - z) - y, x * y - beta * z])


def rk4(f, state, dt):
    k1 = f(state)
    k2 = f(state + dt / 2 * k1)
    k3 = f(state + dt / 2 * k2)
    k4 = f(state + dt * k3)
    return state + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


rng = np.random.default_rng(7)
state = rng.normal(size=(3, 20000)) + np.array([[0.0], [0.0], [25.0]])
for _ in range(4000):
    state = rk4(lorenz, state, 0.001)
print(np.round(state.mean(axis=1), 1), np.round(state.std(axis=1), 1))
