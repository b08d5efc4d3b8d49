"""Smoke that rises from a vent past a ball: advection, diffusion, and a pressure solve each step.

A periodic box seen from the side. Velocities are made free of divergence by solving for the
pressure with a Fourier transform; the smoke is carried along by looking up where it came from.

    python docs/examples/smoke.py [--size 96] [--steps 160] [--output smoke.png]
    python -m numpy_shim docs/examples/smoke.py --output smoke.png
"""

import argparse

import numpy as np
import pictures


def advect(field, vx, vy, dt):
    """The field one step later: each cell takes, interpolated, what was upstream of it."""
    height, width = field.shape
    y, x = np.mgrid[0:height, 0:width]
    y = (y - dt * vy) % height
    x = (x - dt * vx) % width
    y0, x0 = np.floor(y).astype(int), np.floor(x).astype(int)
    fy, fx = y - y0, x - x0
    y0, x0 = y0 % height, x0 % width
    y1, x1 = (y0 + 1) % height, (x0 + 1) % width
    top = (1 - fx) * field[y0, x0] + fx * field[y0, x1]
    bottom = (1 - fx) * field[y1, x0] + fx * field[y1, x1]
    return (1 - fy) * top + fy * bottom


def diffuse(field, rate):
    """One explicit step of diffusion, in place."""
    spread = np.roll(field, 1, axis=0)
    for shift, axis in ((-1, 0), (1, 1), (-1, 1)):
        spread += np.roll(field, shift, axis=axis)
    spread -= 4 * field
    field += rate * spread


def project(vx, vy):
    """The part of a velocity field that is free of divergence."""
    ky = 2 * np.pi * np.fft.fftfreq(vx.shape[0])[:, np.newaxis]
    kx = 2 * np.pi * np.fft.rfftfreq(vx.shape[1])
    square = kx**2 + ky**2
    square[0, 0] = 1.0  # the mean flow has no divergence
    fx, fy = np.fft.rfft2(vx), np.fft.rfft2(vy)
    potential = (kx * fx + ky * fy) / square
    fx -= kx * potential
    fy -= ky * potential
    return np.fft.irfft2(fx, s=vx.shape), np.fft.irfft2(fy, s=vy.shape)


def simulate(size, steps, dt=0.6, buoyancy=0.12, viscosity=0.05, fading=0.995):
    """The smoke, the two components of the velocity, and where the ball is."""
    y, x = np.ogrid[0:size, 0:size]
    ball = (x - 0.56 * size) ** 2 + (y - 0.45 * size) ** 2 < (0.1 * size) ** 2
    vent = (np.abs(x - 0.5 * size) < 0.06 * size) & (np.abs(y - 0.88 * size) < 0.03 * size)
    smoke = np.zeros((size, size))
    vx, vy = np.zeros_like(smoke), np.zeros_like(smoke)
    for _ in range(steps):
        smoke[vent] = 1.0
        vy -= dt * buoyancy * smoke  # up is towards row 0
        diffuse(vx, viscosity)
        diffuse(vy, viscosity)
        vx[ball] = vy[ball] = 0.0
        vx, vy = project(vx, vy)
        vx, vy = advect(vx, vx, vy, dt), advect(vy, vx, vy, dt)
        smoke = advect(smoke, vx, vy, dt)
        smoke[ball] = 0.0
        np.multiply(smoke, fading, out=smoke)
        np.clip(smoke, 0.0, 1.0, out=smoke)
    return smoke, vx, vy, ball


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=int, default=96)
    parser.add_argument("--steps", type=int, default=160)
    parser.add_argument("--output", help="a .png, .ppm or .pgm file to write")
    options = parser.parse_args()

    smoke, vx, vy, ball = simulate(options.size, options.steps)
    rows = np.arange(options.size)
    print(f"{options.size} x {options.size} cells, {options.steps} steps")
    print(f"smoke in the box: {smoke.sum():.4f}")
    print(f"its height, from the top: {np.average(rows, weights=smoke.sum(axis=1)):.4f} rows")
    print(f"fastest: {np.hypot(vx, vy).max():.4f} cells per unit of time")
    print(f"energy: {0.5 * (np.square(vx) + np.square(vy)).mean():.6f}")
    print("column sums:", np.round(smoke.sum(axis=0)[:: options.size // 6], 3))
    if options.output:
        picture = pictures.colour(smoke)
        picture[ball] = 90
        pictures.save(options.output, picture)


if __name__ == "__main__":
    main()
