"""The Mandelbrot set, point by point."""

import numpy as np


def escapes(c, limit):
    z = 0j
    for n in range(limit):
        if abs(z) > 2:
            return n
        z = z * z + c
    return limit


def mandelbrot(width, height, limit):
    image = np.zeros((height, width), dtype=int)
    for row, y in enumerate(np.linspace(-1.25, 1.25, height)):
        for column, x in enumerate(np.linspace(-2, 0.5, width)):
            image[row, column] = escapes(complex(x, y), limit)
    return image


image = mandelbrot(600, 500, 700)
print(image.sum(), (image == 700).mean())
