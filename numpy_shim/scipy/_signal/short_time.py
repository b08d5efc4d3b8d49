"""Short-time Fourier transforms of all slices at once; SciPy goes from slice to slice."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from types import SimpleNamespace
from typing import Any

import torch
from torch.nn.functional import pad

from ..._array.ndarray import ndarray, wrap


def all_at_once(made: Any, detrend: Callable[..., Any]) -> None:
    """Give SciPy's class ``ShortTimeFFT``, executed with our arrays, another ``stft_detrend``.

    It leaves errors, and functions of the program that take a slice, to SciPy's.
    """
    scipys = made.stft_detrend

    @wraps(scipys)
    def stft_detrend(
        self: Any, x: ndarray, detr: Any, p0: int | None = None, p1: int | None = None, *,
        k_offset: int = 0, padding: Any = "zeros", axis: int = -1,
    ) -> Any:  # fmt: skip
        is_refused = self.onesided_fft and x.tensor.is_complex()
        is_short = x.shape[axis] < self.m_num - self.m_num_mid
        if is_refused or is_short or not (detr is None or isinstance(detr, str)):
            return scipys(self, x, detr, p0, p1, k_offset=k_offset, padding=padding, axis=axis)
        begin, end = self.p_range(x.shape[axis], p0, p1)
        lines = wrap(x.tensor.movedim(axis, -1))
        # one slice from the begin of the first to the end of the last
        whole = SimpleNamespace(
            hop=self.hop, m_num=(end - begin - 1) * self.hop + self.m_num, m_num_mid=self.m_num_mid
        )
        offset = k_offset + begin * self.hop
        extended = next(made._x_slices(whole, lines, offset, 0, 1, padding)).tensor
        slices = wrap(extended.unfold(-1, self.m_num, self.hop))
        if detr is not None:
            slices = detrend(slices, type=detr)
        product = (slices * self.win.conj()).tensor
        product = pad(product, (0, max(self.mfft - self.m_num, 0)))
        spectra = self._fft_func(wrap(product)).tensor.to(torch.complex128).mT
        if spectra.dim() == 2:
            return wrap(spectra)
        return wrap(spectra.movedim(-2, axis if axis >= 0 else axis - 1))

    made.stft_detrend = stft_detrend
