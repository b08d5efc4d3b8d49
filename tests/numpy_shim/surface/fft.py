"""Fourier transforms."""

from __future__ import annotations

from tests.surface import NO_INPUT, Case

X = [0.3, 0.6, -0.9, 1.2]
M = [[0.3, 0.6, -0.9, 1.2], [1.0, 2.0, 0.5, -1.0]]

CASES = [
    Case("fft.fft", lambda np, a: np.fft.fft(a), (X,)),
    Case("fft.fft", lambda np, a: np.fft.fft(a, 6, norm="ortho"), (X,)),
    Case("fft.ifft", lambda np, a: np.fft.ifft(a), (X,)),
    Case("fft.rfft", lambda np, a: np.fft.rfft(a), (X,)),
    Case("fft.irfft", lambda np, a: np.fft.irfft(a), (X,)),
    Case("fft.hfft", lambda np, a: np.fft.hfft(a), (X,)),
    Case("fft.ihfft", lambda np, a: np.fft.ihfft(a), (X,)),
    Case("fft.fftn", lambda np, a: np.fft.fftn(a), (M,)),
    Case("fft.ifftn", lambda np, a: np.fft.ifftn(a), (M,)),
    Case("fft.rfftn", lambda np, a: np.fft.rfftn(a), (M,)),
    Case("fft.irfftn", lambda np, a: np.fft.irfftn(a), (M,)),
    Case("fft.fft2", lambda np, a: np.fft.fft2(a), (M,)),
    Case("fft.ifft2", lambda np, a: np.fft.ifft2(a), (M,)),
    Case("fft.rfft2", lambda np, a: np.fft.rfft2(a), (M,)),
    Case("fft.irfft2", lambda np, a: np.fft.irfft2(a), (M,)),
    Case("fft.fftshift", lambda np, a: np.fft.fftshift(a), (M,)),
    Case("fft.ifftshift", lambda np, a: np.fft.ifftshift(a), (M,)),
    Case("fft.fftfreq", lambda np: np.fft.fftfreq(8, 0.1), grad=NO_INPUT),
    Case("fft.rfftfreq", lambda np: np.fft.rfftfreq(8, 0.1), grad=NO_INPUT),
]
