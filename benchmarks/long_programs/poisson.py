"""Poisson's equation by Gauss and Seidel, point by point."""

import numpy as np


def gauss_seidel(u, f, h):
    n, m = u.shape
    worst = 0.0
    for i in range(1, n - 1):
        for j in range(1, m - 1):
            old = u[i, j]
            u[i, j] = 0.25 * (
                u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - h * h * f[i, j]
            )
            worst = max(worst, abs(u[i, j] - old))
    return worst


n = 100
x = np.linspace(0, 1, n)
f = -2 * np.pi**2 * np.outer(np.sin(np.pi * x), np.sin(np.pi * x))
u = np.zeros((n, n))
done, change = 0, 1.0
while done < 800 and change > 1e-6:
    change = gauss_seidel(u, f, x[1] - x[0])
    done += 1
exact = np.outer(np.sin(np.pi * x), np.sin(np.pi * x))
print(done, "error", round(float(np.abs(u - exact).max()), 4))
