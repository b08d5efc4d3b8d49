"""Kernels that read the neighbours of each element."""

from __future__ import annotations

from .table import kernel


@kernel(lambda r: (5, r.random(12), r.random(12)))
def jacobi_1d(np, steps, a, b):
    for _ in range(1, steps):
        b[1:-1] = 0.33333 * (a[:-2] + a[1:-1] + a[2:])
        a[1:-1] = 0.33333 * (b[:-2] + b[1:-1] + b[2:])


@kernel(lambda r: (4, r.random((7, 7)), r.random((7, 7))))
def jacobi_2d(np, steps, a, b):
    for _ in range(1, steps):
        b[1:-1, 1:-1] = 0.2 * (
            a[1:-1, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] + a[2:, 1:-1] + a[:-2, 1:-1]
        )
        a[1:-1, 1:-1] = 0.2 * (
            b[1:-1, 1:-1] + b[1:-1, :-2] + b[1:-1, 2:] + b[2:, 1:-1] + b[:-2, 1:-1]
        )


@kernel(lambda r: (3, r.random((5, 5, 5)), r.random((5, 5, 5))))
def heat_3d(np, steps, a, b):
    for _ in range(1, steps):
        for x, y in ((a, b), (b, a)):
            y[1:-1, 1:-1, 1:-1] = (
                0.125 * (x[2:, 1:-1, 1:-1] - 2.0 * x[1:-1, 1:-1, 1:-1] + x[:-2, 1:-1, 1:-1])
                + 0.125 * (x[1:-1, 2:, 1:-1] - 2.0 * x[1:-1, 1:-1, 1:-1] + x[1:-1, :-2, 1:-1])
                + 0.125 * (x[1:-1, 1:-1, 2:] - 2.0 * x[1:-1, 1:-1, 1:-1] + x[1:-1, 1:-1, :-2])
                + x[1:-1, 1:-1, 1:-1]
            )


@kernel(lambda r: (3, r.random((5, 6)), r.random((5, 6)), r.random((5, 6)), r.random(3)))
def fdtd_2d(np, steps, ex, ey, hz, fict):
    for t in range(steps):
        ey[0, :] = fict[t]
        ey[1:, :] -= 0.5 * (hz[1:, :] - hz[:-1, :])
        ex[:, 1:] -= 0.5 * (hz[:, 1:] - hz[:, :-1])
        hz[:-1, :-1] -= 0.7 * (ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1])


@kernel(lambda r: (2, 5, r.random((5, 5))))
def seidel_2d(np, steps, n, a):
    for _ in range(steps - 1):
        for i in range(1, n - 1):
            a[i, 1:-1] += (
                a[i - 1, :-2] + a[i - 1, 1:-1] + a[i - 1, 2:] + a[i, 2:]
                + a[i + 1, :-2] + a[i + 1, 1:-1] + a[i + 1, 2:]
            )  # fmt: skip
            for j in range(1, n - 1):
                a[i, j] += a[i, j - 1]
                a[i, j] /= 9.0


@kernel(lambda r: (2, 6, r.random((6, 6))))
def adi(np, steps, n, u):
    v = np.empty(u.shape, dtype=u.dtype)
    p = np.empty(u.shape, dtype=u.dtype)
    q = np.empty(u.shape, dtype=u.dtype)
    dx, dt = 1.0 / n, 1.0 / steps
    mul1 = 2.0 * dt / (dx * dx)
    a = -mul1 / 2.0
    b, c, d = 1.0 + mul1, a, 1.0 + mul1
    for _ in range(1, steps + 1):
        v[0, 1 : n - 1] = 1.0
        p[1 : n - 1, 0] = 0.0
        q[1 : n - 1, 0] = v[0, 1 : n - 1]
        for j in range(1, n - 1):
            p[1 : n - 1, j] = -c / (a * p[1 : n - 1, j - 1] + b)
            q[1 : n - 1, j] = (
                -a * u[j, 0 : n - 2] + (1.0 + 2.0 * a) * u[j, 1 : n - 1] - a * u[j, 2:n]
                - a * q[1 : n - 1, j - 1]
            ) / (a * p[1 : n - 1, j - 1] + d)  # fmt: skip
        v[n - 1, 1 : n - 1] = 1.0
        for j in range(n - 2, 0, -1):
            v[j, 1 : n - 1] = p[1 : n - 1, j] * v[j + 1, 1 : n - 1] + q[1 : n - 1, j]
        u[1 : n - 1, 1 : n - 1] = v[1 : n - 1, 1 : n - 1] + u[1 : n - 1, 1 : n - 1] * 0.1


@kernel(lambda r: (r.random((8, 8, 3)), r.random((4, 4, 3))))
def hdiff(np, field, coeff):
    i, j = field.shape[0] - 4, field.shape[1] - 4
    lap = 4.0 * field[1 : i + 3, 1 : j + 3, :] - (
        field[2 : i + 4, 1 : j + 3, :] + field[0 : i + 2, 1 : j + 3, :]
        + field[1 : i + 3, 2 : j + 4, :] + field[1 : i + 3, 0 : j + 2, :]
    )  # fmt: skip
    res = lap[1:, 1 : j + 1, :] - lap[:-1, 1 : j + 1, :]
    flx = np.where(
        (res * (field[2 : i + 3, 2 : j + 2, :] - field[1 : i + 2, 2 : j + 2, :])) > 0, 0, res
    )
    res = lap[1 : i + 1, 1:, :] - lap[1 : i + 1, :-1, :]
    fly = np.where(
        (res * (field[2 : i + 2, 2 : j + 3, :] - field[2 : i + 2, 1 : j + 2, :])) > 0, 0, res
    )
    return field[2 : i + 2, 2 : j + 2, :] - coeff * (
        flx[1:, :, :] - flx[:-1, :, :] + fly[:, 1:, :] - fly[:, :-1, :]
    )


@kernel(lambda r: (*[r.random((3, 3, 5)) for _ in range(5)], 3.0 / 20.0))
def vadv(np, utens, u, w, pos, old, dt):
    n = u.shape[2]
    c = np.zeros_like(u)
    d = np.zeros_like(u)
    for k in range(n):
        gav = -0.25 * (w[:, :, k] + w[:, :, k - 1])
        cs = gav * 0.5
        if k == 0:
            divided = 1.0 / (dt - cs)
            c[:, :, 0] = cs * divided
            d[:, :, 0] = (dt * pos[:, :, 0] + utens[:, :, 0]) * divided
        else:
            divided = 1.0 / (dt - cs - c[:, :, k - 1] * cs)
            c[:, :, k] = cs * divided
            d[:, :, k] = (dt * pos[:, :, k] + old[:, :, k] - d[:, :, k - 1] * cs) * divided
    column = d[:, :, n - 1]
    for k in range(n - 1, -1, -1):
        column = d[:, :, k] - c[:, :, k] * column
        utens[:, :, k] = dt * (column - u[:, :, k])
    return utens


@kernel(lambda r: (6, 6, 3, 2, 0.01, 0.2, 0.2, 1.0, 0.1))
def cavity_flow(np, nx, ny, nt, nit, dt, dx, dy, rho, nu):
    u = np.zeros((ny, nx))
    v = np.zeros((ny, nx))
    p = np.zeros((ny, nx))
    b = np.zeros((ny, nx))
    for _ in range(nt):
        un, vn = u.copy(), v.copy()
        b[1:-1, 1:-1] = rho * (
            1 / dt * ((u[1:-1, 2:] - u[1:-1, 0:-2]) / (2 * dx)
                      + (v[2:, 1:-1] - v[0:-2, 1:-1]) / (2 * dy))
            - ((u[1:-1, 2:] - u[1:-1, 0:-2]) / (2 * dx)) ** 2
            - 2 * ((u[2:, 1:-1] - u[0:-2, 1:-1]) / (2 * dy)
                   * (v[1:-1, 2:] - v[1:-1, 0:-2]) / (2 * dx))
            - ((v[2:, 1:-1] - v[0:-2, 1:-1]) / (2 * dy)) ** 2
        )  # fmt: skip
        pn = np.empty_like(p)
        for _ in range(nit):
            pn[:] = p.copy()
            p[1:-1, 1:-1] = (
                (pn[1:-1, 2:] + pn[1:-1, 0:-2]) * dy**2 + (pn[2:, 1:-1] + pn[0:-2, 1:-1]) * dx**2
            ) / (2 * (dx**2 + dy**2)) - dx**2 * dy**2 / (2 * (dx**2 + dy**2)) * b[1:-1, 1:-1]
            p[:, -1] = p[:, -2]
            p[0, :] = p[1, :]
            p[:, 0] = p[:, 1]
            p[-1, :] = 0
        u[1:-1, 1:-1] = (
            un[1:-1, 1:-1] - un[1:-1, 1:-1] * dt / dx * (un[1:-1, 1:-1] - un[1:-1, 0:-2])
            - dt / (2 * rho * dx) * (p[1:-1, 2:] - p[1:-1, 0:-2])
            + nu * (dt / dx**2 * (un[1:-1, 2:] - 2 * un[1:-1, 1:-1] + un[1:-1, 0:-2]))
        )  # fmt: skip
        u[0, :] = 0
        u[:, 0] = 0
        u[:, -1] = 0
        u[-1, :] = 1
        v[1:-1, 1:-1] = vn[1:-1, 1:-1] - dt / (2 * rho * dy) * (p[2:, 1:-1] - p[0:-2, 1:-1])
        v[0, :] = v[-1, :] = v[:, 0] = v[:, -1] = 0
    return u, v, p


@kernel(lambda r: (4, r.random((5, 6)), r.random((5, 6)), 0.01))
def channel_flow(np, steps, u, p, dt):
    udiff = 1.0
    for _ in range(steps):
        un = u.copy()
        u[1:-1, 1:-1] = un[1:-1, 1:-1] - dt * (p[1:-1, 2:] - p[1:-1, :-2])
        u[1:-1, -1] = un[1:-1, -1] - dt * (p[1:-1, 0] - p[1:-1, -2])
        u[0, :], u[-1, :] = 0, 0
        udiff = (np.sum(u) - np.sum(un)) / np.sum(u)
    return udiff
