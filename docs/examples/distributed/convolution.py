"""A picture made smooth: convolution with a Gaussian, by the fast Fourier transform.

    python -m numpy_shim --ranks 4 --shard-above 1MB docs/examples/distributed/convolution.py
"""

import argparse

import numpy as np


def smooth(picture: np.ndarray, width: float) -> np.ndarray:
    """The picture convolved with a Gaussian of this width, with periodic edges."""
    rows, columns = picture.shape
    spectrum = np.fft.rfft2(picture)
    spectrum *= np.exp(-2 * (np.pi * width * np.fft.fftfreq(rows)) ** 2)[:, None]
    spectrum *= np.exp(-2 * (np.pi * width * np.fft.rfftfreq(columns)) ** 2)
    return np.fft.irfft2(spectrum, s=(rows, columns))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=300, help="rows of the picture")
    parser.add_argument("--columns", type=int, default=256)
    given = parser.parse_args()
    picture = np.random.default_rng(6).random((given.size, given.columns))
    result = smooth(picture, 2.0)
    print(f"mean {result.mean():.9f}, spread {result.std():.9f}")
    print(np.array2string(np.asarray(result[:2, :4]), precision=9))
