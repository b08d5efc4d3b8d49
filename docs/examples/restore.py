"""Restores a noisy picture of handwritten digits: median filter, edges, and Otsu's threshold.

    python docs/examples/restore.py [--rows 6] [--columns 10] [--output restored.png]
    python -m numpy_shim docs/examples/restore.py --output restored.png
"""

import argparse

import numpy as np
import pictures
from numpy.lib.stride_tricks import sliding_window_view
from sklearn.datasets import load_digits


def mosaic(tiles, rows, columns, magnify):
    """Pictures of equal size, shape (n, h, w), set apart in rows and columns, and magnified."""
    tiles = np.pad(tiles, ((0, 0), (1, 1), (1, 1)))
    height, width = tiles.shape[1:]
    grid = tiles[: rows * columns].reshape(rows, columns, height, width)
    picture = grid.transpose(0, 2, 1, 3).reshape(rows * height, columns * width)
    return np.kron(picture, np.ones((magnify, magnify)))


def spoil(picture, rng, share=0.08, spread=0.08):
    """The picture with Gaussian noise, and with salt and pepper on a share of the pixels."""
    noisy = picture + rng.normal(scale=spread, size=picture.shape)
    chance = rng.random(picture.shape)
    noisy[chance < share / 2] = 0
    noisy[chance > 1 - share / 2] = 1
    return noisy.clip(0, 1)


def windows(picture, size):
    """Every window of a picture, at its edge too."""
    return sliding_window_view(np.pad(picture, size // 2, mode="reflect"), (size, size))


def convolve(picture, kernel):
    """The picture under a small kernel."""
    return np.einsum("ijkl,kl->ij", windows(picture, len(kernel)), kernel[::-1, ::-1])


def edges(picture):
    """The length of the gradient, by Sobel's kernels."""
    sobel = np.outer([1, 2, 1], [1, 0, -1]) / 8
    return np.hypot(convolve(picture, sobel), convolve(picture, sobel.T))


def otsu(picture, bins=64):
    """The threshold that parts dark from light with the most variance between them."""
    counts, borders = np.histogram(picture, bins=bins, range=(0, 1))
    middle = (borders[:-1] + borders[1:]) / 2
    below = np.cumsum(counts)
    above = below[-1] - below
    total = np.cumsum(counts * middle)
    with np.errstate(divide="ignore", invalid="ignore"):
        between = below * above * (total / below - (total[-1] - total) / above) ** 2
    return middle[np.nanargmax(between)]


def similarity(a, b):
    """The peak ratio of signal to noise, in decibels."""
    return -10 * np.log10(np.mean((a - b) ** 2))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=6)
    parser.add_argument("--columns", type=int, default=10)
    parser.add_argument("--output", help="a .png, .ppm or .pgm file to write")
    options = parser.parse_args()

    images = np.asarray(load_digits().images) / 16
    clean = mosaic(images, options.rows, options.columns, 4)
    noisy = spoil(clean, np.random.default_rng(1))
    restored = np.median(windows(noisy, 5), axis=(-2, -1))
    contour = edges(restored)
    threshold = otsu(restored)

    print(f"picture of {clean.shape[0]} x {clean.shape[1]} pixels")
    print(f"noisy: {similarity(noisy, clean):.4f} dB")
    print(f"restored: {similarity(restored, clean):.4f} dB")
    print(f"threshold: {threshold:.4f}, ink: {(restored > threshold).mean():.4f} of the picture")
    print(f"agreement with the clean picture: {((restored > threshold) == (clean > 0.5)).mean():.4f}")
    print(f"strongest edge: {contour.max():.4f}, mean {contour.mean():.4f}")
    deciles = np.quantile(contour, np.linspace(0.1, 0.9, 5))
    print("deciles of the edges:", np.round(deciles, 4))
    if options.output:
        both = np.vstack([noisy, restored, contour / contour.max()])
        pictures.save(options.output, (255 * both).round().astype(np.uint8))


if __name__ == "__main__":
    main()
