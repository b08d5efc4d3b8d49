"""The extension ``fft``."""

from __future__ import annotations

from tests.surface import NO_INPUT, Case

REAL = ([[1.0, -0.5, 2.0, 0.25], [0.5, 3.0, -1.0, 0.0]],)
COMPLEX = ([[1.0 + 1j, -0.5j, 2.0, 0.25], [0.5, 3.0 - 2j, -1.0, 1j]],)

CASES = [
    Case("fft.fft", lambda xp, a: xp.fft.fft(a), COMPLEX, "complex128", nodes=1),
    Case("fft.ifft", lambda xp, a: xp.fft.ifft(a, n=3), COMPLEX, "complex128", nodes=1),
    Case("fft.fftn", lambda xp, a: xp.fft.fftn(a), COMPLEX, "complex128", nodes=1),
    Case(
        "fft.ifftn",
        lambda xp, a: xp.fft.ifftn(a, s=(3, -1), axes=(0, 1)),
        COMPLEX,
        "complex128",
        nodes=1,
    ),
    Case("fft.rfft", lambda xp, a: xp.fft.rfft(a, norm="ortho"), REAL, nodes=1),
    Case("fft.irfft", lambda xp, a: xp.fft.irfft(a, n=5), COMPLEX, "complex128", nodes=1),
    Case("fft.rfftn", lambda xp, a: xp.fft.rfftn(a), REAL, nodes=1),
    Case("fft.irfftn", lambda xp, a: xp.fft.irfftn(a), COMPLEX, "complex128", nodes=1),
    Case("fft.hfft", lambda xp, a: xp.fft.hfft(a, axis=0, n=3), COMPLEX, "complex128", nodes=1),
    Case("fft.ihfft", lambda xp, a: xp.fft.ihfft(a), REAL, nodes=2),
    Case("fft.fftfreq", lambda xp: xp.fft.fftfreq(5, d=0.5), grad=NO_INPUT, nodes=2),
    Case("fft.rfftfreq", lambda xp: xp.fft.rfftfreq(5, d=0.5), grad=NO_INPUT, nodes=2),
    Case("fft.fftshift", lambda xp, a: xp.fft.fftshift(a), REAL, nodes=1),
    Case("fft.ifftshift", lambda xp, a: xp.fft.ifftshift(a, axes=0), REAL, nodes=1),
]
