"""Kernels of physics, signals, graphs and finance."""

from __future__ import annotations

import numpy

from .table import kernel


@kernel(lambda r: (r.random(50), r.random(50), 8))
def azimint_hist(np, data, radius, npt):
    histu = np.histogram(radius, npt)[0]
    histw = np.histogram(radius, npt, weights=data)[0]
    return histw / np.maximum(histu, 1)


@kernel(lambda r: (r.random(200), r.random(200), 5))
def azimint_masks(np, data, radius, npt):
    rmax = radius.max()
    res = np.zeros(npt, dtype=np.float64)
    for i in range(npt):
        r1 = rmax * i / npt
        r2 = rmax * (i + 1) / npt
        inside = np.logical_and((r1 <= radius), (radius < r2))
        res[i] = data[inside].mean()
    return res


@kernel(lambda r: (r.random((5, 1)) * 20, r.random((5, 3)), r.random((5, 3)), 3, 0.01, 1.0, 0.1))
def nbody(np, mass, pos, vel, steps, dt, g, softening):
    def acceleration(pos):
        x, y, z = pos[:, 0:1], pos[:, 1:2], pos[:, 2:3]
        dx, dy, dz = x.T - x, y.T - y, z.T - z
        inv_r3 = dx**2 + dy**2 + dz**2 + softening**2
        inv_r3 = np.where(inv_r3 > 0, inv_r3 ** (-1.5), inv_r3)
        ax, ay, az = [g * (d * inv_r3) @ mass for d in (dx, dy, dz)]
        return np.hstack((ax, ay, az))

    def energy(pos, vel):
        kinetic = 0.5 * np.sum(mass * vel**2)
        x, y, z = pos[:, 0:1], pos[:, 1:2], pos[:, 2:3]
        inv_r = np.sqrt((x.T - x) ** 2 + (y.T - y) ** 2 + (z.T - z) ** 2)
        inv_r = np.where(inv_r > 0, 1.0 / np.where(inv_r > 0, inv_r, 1.0), inv_r)
        return kinetic, g * np.sum(np.triu(-(mass * mass.T) * inv_r, 1))

    vel -= np.mean(mass * vel, axis=0) / np.mean(mass)
    acc = acceleration(pos)
    ke = np.zeros(steps + 1, dtype=np.float64)
    pe = np.zeros(steps + 1, dtype=np.float64)
    ke[0], pe[0] = energy(pos, vel)
    for i in range(steps):
        vel += acc * dt / 2.0
        pos += vel * dt
        acc = acceleration(pos)
        vel += acc * dt / 2.0
        ke[i + 1], pe[i + 1] = energy(pos, vel)
    return ke, pe


@kernel(lambda r: (-2.0, 0.5, -1.2, 1.2, 7, 6, 6, 2.0))
def mandelbrot(np, xmin, xmax, ymin, ymax, xn, yn, maxiter, horizon):
    x = np.linspace(xmin, xmax, xn, dtype=np.float64)
    y = np.linspace(ymin, ymax, yn, dtype=np.float64)
    c = x + y[:, None] * 1j
    n = np.zeros(c.shape, dtype=np.int64)
    z = np.zeros(c.shape, dtype=np.complex128)
    for i in range(maxiter):
        inside = np.less(abs(z), horizon)
        n[inside] = i
        z = np.where(inside, z**2 + c, z)
    n[n == maxiter - 1] = 0
    return z, n


@kernel(lambda r: (-2.0, 0.5, -1.2, 1.2, 7, 6, 4, 2.0))
def mandelbrot_masks(np, xmin, xmax, ymin, ymax, xn, yn, maxiter, horizon):
    xi, yi = np.mgrid[0:xn, 0:yn]
    x = np.linspace(xmin, xmax, xn)[xi]
    y = np.linspace(ymin, ymax, yn)[yi]
    c = x + y * 1j
    n = np.zeros(c.shape, dtype=np.int64)
    z = np.zeros(c.shape, dtype=np.complex128)
    xi.shape = yi.shape = c.shape = xn * yn
    z_ = np.zeros(c.shape, np.complex128)
    for i in range(maxiter):
        if not len(z_):
            break
        z_ *= z_
        z_ += c
        outside = abs(z_) > horizon
        n[xi[outside], yi[outside]] = i + 1
        z[xi[outside], yi[outside]] = z_[outside]
        keep = ~outside
        xi, yi = xi[keep], yi[keep]
        z_, c = z_[keep], c[keep]
    return z, n


@kernel(lambda r: (numpy.array([0, 2, 3, 6]), numpy.array([0, 2, 1, 0, 1, 3]), r.random(6),
                   r.random(4)))  # fmt: skip
def spmv(np, rows, columns, values, x):
    lengths = np.diff(rows)
    owner = np.searchsorted(rows, np.arange(values.shape[0]), side="right") - 1
    y = np.zeros(lengths.shape[0], dtype=values.dtype)
    np.add.at(y, owner, values * x[columns])
    return y


@kernel(lambda r: (r.integers(0, 1000, (4, 5)), r.integers(0, 1000, (4, 5)), 4, 3, 9))
def compute(np, x, y, a, b, c):
    return np.clip(x, 2, 10) * a + y * b + c


@kernel(lambda r: (r.random((5, 5)),))
def go_fast(np, a):
    trace = 0.0
    for i in range(a.shape[0]):
        trace += np.tanh(a[i, i])
    return a + trace


@kernel(lambda r: (r.random((5, 5)),))
def go_fast_while(np, a):
    trace, i = 0.0, 0
    while i < a.shape[0] and trace < 2:
        trace += np.tanh(a[i, i])
        i += 1
    return a + trace


@kernel(lambda r: (r.integers(0, 256, 6, dtype=numpy.uint8),))
def crc16(np, data, poly=0x8408):
    crc = 0xFFFF
    for b in data:
        current = 0xFF & b
        for _ in range(8):
            if (crc & 0x0001) ^ (current & 0x0001):
                crc = (crc >> 1) ^ poly
            else:
                crc >>= 1
            current >>= 1
    crc = ~crc & 0xFFFF
    return ((crc << 8) | ((crc >> 8) & 0xFF)) & 0xFFFF


@kernel(lambda r: (
    r.random((2, 2, 2, 2)) + 1j * r.random((2, 2, 2, 2)),
    r.random((2, 2, 3, 2, 2)) + 1j * r.random((2, 2, 3, 2, 2)),
    r.random((3, 2, 2, 2, 2)) + 1j, r.integers(0, 2, (3, 2)),
))  # fmt: skip
def scattering_self_energies(np, sigma, dh, d, neigh):
    for k in range(2):
        for e in range(2):
            for a in range(neigh.shape[0]):
                for b in range(neigh.shape[1]):
                    sigma[k, e] += dh[k, b, a] @ d[a, b, e] @ dh[b, k, a]
    return sigma[:, :, neigh[:, 0]] @ d[:, :, 0][neigh[:2, 0]][:, 0][:, None]


@kernel(lambda r: (3, 2, r.random((4, 5, 5)) + 1j * r.random((4, 5, 5)),
                   r.random((4, 2)) + 1j * r.random((4, 2)), r.random((5, 3))))  # fmt: skip
def contour_integral(np, slab, unit, hams, points, y):
    p0 = np.zeros((5, 3), dtype=np.complex128)
    p1 = np.zeros((5, 3), dtype=np.complex128)
    for index in range(points.shape[1]):
        z = points[0, index]
        t = np.zeros((5, 5), dtype=np.complex128)
        for n in range(4):
            zz = np.power(z, unit / 2 - n)
            t += zz * hams[n]
        x = np.linalg.solve(t + 9 * np.eye(5), y) if y.shape[0] == y.shape[1] else (
            np.linalg.inv(t + 9 * np.eye(5)) @ y
        )  # fmt: skip
        if abs(slab) < 1.0:
            x = -x
        p0 += x
        p1 += z * x
    return p0, p1


@kernel(lambda r: (2, 3, r.random(8) + 1j * r.random(8)))
def stockham_fft(np, radix, k, x):
    n = radix**k
    y = x.copy() + 0j
    dft = np.exp(-2.0j * np.pi * np.outer(np.arange(radix), np.arange(radix)) / radix)
    for i in range(k):
        length = radix**i
        view = np.reshape(y, (radix, length, n // radix // length))
        twiddle = np.exp(
            -2.0j * np.pi * np.outer(np.arange(radix), np.arange(length)) / (radix * length)
        )
        scaled = view * twiddle[:, :, None]
        y = np.reshape(np.einsum("ij,jkl->ikl", dft, scaled), (n,))
        y = np.reshape(np.transpose(np.reshape(y, (radix * length, -1))), (n,))
        y = np.reshape(np.transpose(np.reshape(y, (-1, radix * length))), (n,))
    return y


@kernel(lambda r: (0.25, r.random((5, 6))))
def deriche(np, alpha, image):
    k = (1.0 - np.exp(-alpha)) ** 2 / (1.0 + alpha * np.exp(-alpha) - np.exp(2.0 * alpha))
    a1, a2 = k, k * np.exp(-alpha) * (alpha - 1.0)
    b1, b2, c1 = 2.0 ** (-alpha), -np.exp(-2.0 * alpha), 1
    y1 = np.empty_like(image)
    y1[:, 0] = a1 * image[:, 0]
    y1[:, 1] = a1 * image[:, 1] + a2 * image[:, 0] + b1 * y1[:, 0]
    for j in range(2, image.shape[1]):
        y1[:, j] = a1 * image[:, j] + a2 * image[:, j - 1] + b1 * y1[:, j - 1] + b2 * y1[:, j - 2]
    y2 = np.empty_like(image)
    y2[:, -1] = 0.0
    y2[:, -2] = a1 * image[:, -1]
    for j in range(image.shape[1] - 3, -1, -1):
        y2[:, j] = a1 * image[:, j + 1] + a2 * image[:, j + 2] + b1 * y2[:, j + 1]
    return c1 * (y1 + y2)


@kernel(lambda r: (r.integers(1, 50, (6, 6)),))
def floyd_warshall(np, path):
    for k in range(path.shape[0]):
        path[:] = np.minimum(path[:], np.add.outer(path[:, k], path[k, :]))


@kernel(lambda r: (5, r.integers(0, 4, 5)))
def nussinov(np, n, seq):
    table = np.zeros((n, n), np.int32)
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, n):
            if j - 1 >= 0:
                table[i, j] = np.maximum(table[i, j], table[i, j - 1])
            if i + 1 < n:
                table[i, j] = np.maximum(table[i, j], table[i + 1, j])
            if j - 1 >= 0 and i + 1 < n:
                if i < j - 1:
                    pair = np.where(seq[i] + seq[j] == 3, 1, 0)
                    table[i, j] = np.maximum(table[i, j], table[i + 1, j - 1] + pair)
                else:
                    table[i, j] = np.maximum(table[i, j], table[i + 1, j - 1])
            for k in range(i + 1, j):
                table[i, j] = np.maximum(table[i, j], table[i, k] + table[k + 1, j])
    return table


@kernel(lambda r: tuple(r.random(6) for _ in range(4)))
def arc_distance(np, theta_1, phi_1, theta_2, phi_2):
    temp = (
        np.sin((theta_2 - theta_1) / 2) ** 2
        + np.cos(theta_1) * np.cos(theta_2) * np.sin((phi_2 - phi_1) / 2) ** 2
    )
    return 2 * np.arctan2(np.sqrt(temp), np.sqrt(1 - temp))


@kernel(lambda r: (r.random((6, 2)), r.random((3, 2))))
def kmeans_step(np, points, centres):
    distances = ((points[:, None, :] - centres[None, :, :]) ** 2).sum(axis=-1)
    nearest = np.argmin(distances, axis=1)
    member = nearest[:, None] == np.arange(centres.shape[0])[None, :]
    counts = member.sum(axis=0)
    sums = member.T.astype(points.dtype) @ points
    return np.where(counts[:, None] > 0, sums / np.maximum(counts, 1)[:, None], centres), nearest


@kernel(lambda r: (r.random(9) * 50 + 50, r.random(9) * 50 + 50, r.random(9) + 0.1, 0.05, 0.2))
def black_scholes(np, price, strike, t, rate, vol):
    a = np.log(price / strike)
    z = t * vol * vol * 2
    y = 1.0 / np.sqrt(z)
    w1 = (a - rate * t + 0.25 * z) * y
    w2 = (a - rate * t - 0.25 * z) * y
    d1, d2 = [0.5 + 0.5 * np.tanh(0.7978845608 * (w + 0.044715 * w**3)) for w in (w1, w2)]
    se = np.exp(-rate * t) * strike
    call = price * d1 - se * d2
    return call, call - price + se


@kernel(lambda r: (r.random(16), 5))
def fft_filter(np, x, keep):
    f = np.fft.rfft(x)
    f[keep:] = 0
    return np.fft.irfft(f, n=x.shape[0])


@kernel(lambda r: (3, numpy.ones((6, 6)), r.random((6, 6))))
def gray_scott(np, steps, u, v):
    def laplacian(z):
        return (
            np.roll(z, 1, axis=0) + np.roll(z, -1, axis=0) + np.roll(z, 1, axis=1)
            + np.roll(z, -1, axis=1) - 4 * z
        )  # fmt: skip

    for _ in range(steps):
        uvv = u * v**2
        u += 0.16 * laplacian(u) - uvv + 0.06 * (1 - u)
        v += 0.08 * laplacian(v) + uvv - (0.06 + 0.062) * v
    return u, v


@kernel(lambda r: (r.integers(0, 5, 20),))
def unique_counts(np, x):
    values, counts = np.unique(x, return_counts=True)
    return values[counts > 2], counts
