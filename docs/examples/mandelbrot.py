"""Draws the Mandelbrot set: how soon z -> z*z + c escapes, smoothly coloured.

    python docs/examples/mandelbrot.py [--width 400] [--output mandelbrot.png]
    python -m numpy_shim docs/examples/mandelbrot.py --output mandelbrot.png
"""

import argparse

import numpy as np
import pictures


def plane(width, height, centre, extent):
    """The complex numbers of a picture, row by row from the top."""
    ratio = height / width
    real = np.linspace(centre.real - extent, centre.real + extent, width)
    imaginary = np.linspace(centre.imag + extent * ratio, centre.imag - extent * ratio, height)
    return real + 1j * imaginary[:, np.newaxis]


def escape_times(c, steps, radius=16.0):
    """The number of steps until |z| exceeds the radius, with a fraction; 0 where it never does."""
    z = np.zeros_like(c)
    times = np.zeros(c.shape)
    inside = np.ones(c.shape, dtype=bool)
    for step in range(1, steps + 1):
        z[inside] = z[inside] ** 2 + c[inside]
        escaped = inside & (np.abs(z) > radius)
        times[escaped] = step - np.log2(np.log(np.abs(z[escaped])) / np.log(radius))
        inside &= ~escaped
        if not inside.any():
            break
    return times


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--width", type=int, default=400)
    parser.add_argument("--steps", type=int, default=80)
    parser.add_argument("--centre", type=complex, default=-0.5 + 0j)
    parser.add_argument("--extent", type=float, default=1.75, help="half the width of the view")
    parser.add_argument("--output", help="a .png, .ppm or .pgm file to write")
    options = parser.parse_args()

    c = plane(options.width, options.width * 3 // 4, options.centre, options.extent)
    times = escape_times(c, options.steps)
    escaped = times > 0

    print(f"{times.shape[1]} x {times.shape[0]} points, at most {options.steps} steps")
    print(f"in the set: {1 - escaped.mean():.5f} of the points")
    area = (~escaped).sum() * (2 * options.extent / options.width) ** 2
    print(f"area of the set: {area:.4f}")
    print(f"mean time of escape: {times[escaped].mean():.4f}")
    print("quartiles:", np.round(np.percentile(times[escaped], [25, 50, 75]), 4))

    if options.output:
        picture = pictures.colour(np.log1p(times))
        picture[~escaped] = 0
        pictures.save(options.output, picture)


if __name__ == "__main__":
    main()
