"""Solve equations of motion, by steps that the solver chooses, and as a boundary problem."""

import matplotlib.pyplot as plt
import numpy as np
from scipy.integrate import odeint, quad, simpson, solve_bvp, solve_ivp


def pendulum(t, state, damping):
    angle, speed = state
    return np.array([speed, -damping * speed - 5.0 * np.sin(angle)])


def bottom(t, state, damping):
    return state[0]


bottom.direction = -1
times = np.linspace(0, 10, 101)
start = np.array([np.pi - 0.1, 0.0])
found = solve_ivp(pendulum, (0, 10), start, t_eval=times, args=(0.25,), events=bottom, rtol=1e-8)
print(found.message, found.y[:, -1], found.t_events[0])
older = odeint(pendulum, start, times, args=(0.25,), tfirst=True, rtol=1e-8, atol=1e-8)
print(np.abs(older.T - found.y).max() < 1e-2, quad(lambda x: np.exp(-x * x), 0, np.inf)[0])
energy = found.y[1] ** 2 / 2 - 5 * np.cos(found.y[0])
print(bool(np.all(np.diff(energy) < 1e-6)), simpson(energy, x=times))


def lorenz(t, s, a=10.0, b=28.0, c=8 / 3):
    x, y, z = s
    return [a * (y - x), x * (b - z) - y, x * y - c * z]


path = solve_ivp(lorenz, (0, 4), [1.0, 1.0, 1.0], method="LSODA", dense_output=True)
curve = path.sol(np.linspace(0, 4, 300))
grid = np.linspace(0, 1, 5)
bratu = solve_bvp(
    lambda x, y: np.vstack((y[1], -np.exp(y[0]))),
    lambda a, b: np.array([a[0], b[0]]),
    grid,
    np.zeros((2, grid.size)),
)
print(bratu.sol(np.array([0.25, 0.5]))[0], path.nfev > 0)
plt.plot(times, found.y[0], times, found.y[1])
axes = plt.figure().add_subplot(projection="3d")
axes.plot(*curve, lw=0.5)
