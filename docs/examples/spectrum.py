"""Finds the tones in a noisy recording: Welch's spectrum, peaks, a spectrogram, a clean signal.

    python docs/examples/spectrum.py [--seconds 4] [--output spectrogram.png]
    python -m numpy_shim docs/examples/spectrum.py --output spectrogram.png
"""

import argparse

import numpy as np
import pictures

RATE = 4096  # samples a second
TONES = np.array([[220.0, 1.0], [523.0, 0.6], [1318.5, 0.4]])  # frequency in Hz, amplitude


def record(seconds, rng):
    """Three tones and a rising chirp, and the same with noise upon them."""
    t = np.arange(int(seconds * RATE)) / RATE
    clean = (TONES[:, 1, None] * np.sin(2 * np.pi * TONES[:, :1] * t)).sum(axis=0)
    clean += 0.5 * np.sin(2 * np.pi * (700 + 50 * t) * t)
    return clean, clean + rng.normal(scale=1.5, size=t.shape)


def frames(signal, length=512, hop=128):
    """Overlapping pieces of a signal under a Hann window, shape (pieces, length)."""
    starts = np.arange(0, len(signal) - length + 1, hop)
    return signal[starts[:, np.newaxis] + np.arange(length)] * np.hanning(length)


def power(pieces):
    """The power in each frequency of each piece."""
    return np.abs(np.fft.rfft(pieces, axis=-1)) ** 2 / pieces.shape[-1]


def peaks(spectrum, count):
    """The indices of the highest local maxima, in order of frequency."""
    middle = spectrum[1:-1]
    is_peak = (middle > spectrum[:-2]) & (middle >= spectrum[2:])
    (indices,) = np.nonzero(is_peak)
    indices += 1
    return np.sort(indices[np.argsort(spectrum[indices])[::-1][:count]])


def refine(spectrum, indices):
    """Peaks between the bins, from the parabola through three logarithms."""
    left, top, right = np.log(spectrum[indices + np.array([[-1], [0], [1]])])
    return indices + 0.5 * (left - right) / (left - 2 * top + right)


def denoise(signal, factor=6.0):
    """The signal from its strong frequencies alone."""
    transform = np.fft.rfft(signal)
    magnitude = np.abs(transform)
    transform[magnitude < factor * np.median(magnitude)] = 0
    return np.fft.irfft(transform, n=len(signal))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--output", help="a .png, .ppm or .pgm file to write: the spectrogram")
    options = parser.parse_args()

    clean, noisy = record(options.seconds, np.random.default_rng(5))
    spectrogram = power(frames(noisy))
    welch = spectrogram.mean(axis=0)
    frequency = np.fft.rfftfreq(512, 1 / RATE)

    found = peaks(welch, 3)
    exact = np.interp(refine(welch, found), np.arange(len(frequency)), frequency)
    print(f"{len(noisy)} samples, {len(spectrogram)} pieces")
    print("strongest bins:", frequency[found], "Hz")
    print("refined:", np.round(exact, 2), "Hz, from", TONES[:, 0])
    share = np.trapezoid(welch[frequency < 1000], frequency[frequency < 1000])
    print(f"power below 1000 Hz: {share / np.trapezoid(welch, frequency):.4f}")

    restored = denoise(noisy)
    for name, signal in (("noisy", noisy), ("restored", restored)):
        ratio = 10 * np.log10(np.var(clean) / np.var(signal - clean))
        print(f"{name}: {ratio:.4f} dB above the noise")
    lag = np.argmax(np.correlate(restored[:600], clean[:400], mode="valid"))
    print(f"the restored signal lags by {lag} samples")
    smooth = np.convolve(restored**2, np.ones(64) / 64, mode="same")
    print("loudness:", np.round(np.sqrt(smooth[:: len(smooth) // 5]), 3))
    if options.output:
        picture = pictures.colour(np.log10(spectrogram.T[::-1] + 1e-6))
        pictures.save(options.output, picture)


if __name__ == "__main__":
    main()
