"""Spots and stripes out of chemistry: the Gray-Scott equations, two substances on a torus.

    du/dt = Du lap(u) - u v^2 + feed (1 - u)
    dv/dt = Dv lap(v) + u v^2 - (feed + kill) v

    python docs/examples/patterns.py [--size 128] [--steps 3000] [--output patterns.png]
    python -m numpy_shim docs/examples/patterns.py --output patterns.png
"""

import argparse

import numpy as np
import pictures


def laplacian(padded, out):
    """The five-point Laplacian of a field that has a border of one cell; the border is renewed."""
    padded[0], padded[-1] = padded[-2], padded[1]
    padded[:, 0], padded[:, -1] = padded[:, -2], padded[:, 1]
    inner = padded[1:-1, 1:-1]
    np.add(padded[:-2, 1:-1], padded[2:, 1:-1], out=out)
    out += padded[1:-1, :-2]
    out += padded[1:-1, 2:]
    out -= 4 * inner
    return out


def start(size, rng):
    """Both fields with their borders: u everywhere, v in a few squares."""
    u = np.ones((size + 2, size + 2))
    v = np.zeros_like(u)
    side = size // 10
    for row, column in rng.integers(1, size - side, size=(6, 2)):
        square = np.s_[row : row + side, column : column + side]
        u[square], v[square] = 0.5, 0.25
    u += 0.01 * rng.standard_normal(u.shape)
    return u, v


def react(u, v, steps, du=0.16, dv=0.08, feed=0.037, kill=0.06):
    """Advance both fields in place by explicit steps of length one."""
    inner_u, inner_v = u[1:-1, 1:-1], v[1:-1, 1:-1]
    lap = np.empty_like(inner_u)
    rate = np.empty_like(inner_u)
    for _ in range(steps):
        np.multiply(inner_v, inner_v, out=rate)
        rate *= inner_u
        change_u = du * laplacian(u, lap) - rate
        change_u += feed * (1 - inner_u)
        rate += dv * laplacian(v, lap)
        rate -= (feed + kill) * inner_v
        inner_u += change_u
        inner_v += rate
    return inner_u, inner_v


def wavelength(field):
    """The period of the strongest wave in a field, in cells, all directions taken together."""
    power = np.abs(np.fft.fftshift(np.fft.fft2(field - field.mean()))) ** 2
    size = len(field)
    y, x = np.indices(power.shape) - size // 2
    ring = np.hypot(x, y).round().astype(int)
    spectrum = np.bincount(ring.ravel(), weights=power.ravel())
    return size / spectrum.argmax()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=int, default=128)
    parser.add_argument("--steps", type=int, default=3000)
    parser.add_argument("--output", help="a .png, .ppm or .pgm file to write")
    options = parser.parse_args()

    u, v = react(*start(options.size, np.random.default_rng(2)), options.steps)
    print(f"{options.size} x {options.size} cells, {options.steps} steps")
    print(f"mean of u: {u.mean():.5f}, of v: {v.mean():.5f}")
    print(f"v reaches {np.ptp(v):.5f}; u and v correlate by {np.corrcoef(u.flat, v.flat)[0, 1]:.5f}")
    print(f"covered: {np.count_nonzero(v > 0.15) / v.size:.4f}")
    print(f"wavelength: {wavelength(v):.3f} cells")
    if options.output:
        pictures.save(options.output, pictures.colour(v, pictures.WATER))


if __name__ == "__main__":
    main()
