"""One test body in two namespaces: same values, dtype, shape, and the same kind of error.

``compare(body, *specs)`` builds each spec (see ``strategies.py``) in ``xp_torch`` and in
``array_api_strict``, calls ``body(xp, *arrays)`` in both and compares what comes back: arrays,
tuples of them, dtypes, Python values, or the exception raised.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import array_api_strict
import numpy as np
import pytest
import torch

import xp_torch
from xp_torch._core.errors import AxisError

KINDS_OF_ERROR = (
    TypeError,
    ValueError,
    IndexError,
    OverflowError,
    ZeroDivisionError,
    BufferError,
    AttributeError,
    KeyError,
    RuntimeError,
)


@dataclass
class Spec:
    """An array to build in either namespace: its values, and how they lie in memory."""

    values: np.ndarray
    layout: str = "contiguous"

    def __repr__(self) -> str:
        v = self.values
        return f"Spec({v.tolist()!r}, {v.dtype}, shape={v.shape}, {self.layout})"

    def tensor(self, device: str = "cpu") -> torch.Tensor:
        """The values as a tensor with the layout asked for."""
        plain = torch.from_numpy(np.array(self.values, order="C", copy=True)).to(device)
        if self.layout == "transposed" and plain.ndim >= 2:
            return plain.mT.contiguous().mT
        if self.layout == "strided" and plain.ndim >= 1:
            # Every second element of a buffer twice as long; what lies between is noise.
            wide = torch.stack([plain, torch.ones_like(plain)], dim=-1)
            return wide.reshape(*plain.shape[:-1], 2 * plain.shape[-1])[..., ::2]
        if self.layout == "offset" and plain.ndim >= 1:
            return torch.cat([plain[:1], plain])[plain[:1].shape[0] :]
        if self.layout == "broadcast" and plain.ndim >= 1 and plain.shape[0] > 0:
            return plain[:1].expand(plain.shape)
        return plain

    def numpy(self) -> np.ndarray:
        """The values the tensor has: a broadcast layout repeats its first row."""
        if self.layout == "broadcast" and self.values.ndim >= 1 and self.values.shape[0] > 0:
            return np.broadcast_to(self.values[:1], self.values.shape).copy()
        return self.values


def build(xp: Any, spec: Any, device: str = "cpu") -> Any:
    """A spec as an array of ``xp``; lists and tuples of specs too, anything else as it is."""
    if isinstance(spec, Spec):
        if xp is xp_torch:
            return xp_torch.asarray(spec.tensor(device))
        return xp.asarray(spec.numpy())
    if isinstance(spec, (list, tuple)) and any(isinstance(s, Spec) for s in spec):
        return type(spec)(build(xp, s, device) for s in spec)
    return spec


def outcome(body: Callable[..., Any], xp: Any, specs: tuple[Any, ...], device: str = "cpu") -> Any:
    """What ``body`` returns, or the exception it raises."""
    arrays = [build(xp, s, device) for s in specs]
    with np.errstate(all="ignore"):
        try:
            return body(xp, *arrays)
        except Exception as error:
            return error


def compare(
    body: Callable[..., Any],
    *specs: Any,
    rtol: dict[str, float] | float = 0.0,
    atol: float = 0.0,
    signed_zeros: bool = True,
    device: str = "cpu",
) -> Any:
    """Run ``body`` in both namespaces and assert that the outcomes agree.

    ``rtol`` 0 compares exactly; a dictionary gives one tolerance per dtype name. Returns
    the outcome in ``xp_torch``. No input may be changed.
    """
    ours = outcome(body, xp_torch, specs, device)
    theirs = outcome(body, array_api_strict, specs)
    same(ours, theirs, rtol=rtol, atol=atol, signed_zeros=signed_zeros)
    return ours


def same(
    ours: Any,
    theirs: Any,
    *,
    rtol: Any = 0.0,
    atol: float = 0.0,
    signed_zeros: bool = True,
    where: str = "",
) -> None:
    """Assert that two outcomes agree: the recursion behind ``compare``."""
    if isinstance(ours, Exception) or isinstance(theirs, Exception):
        same_error(ours, theirs)
        return
    if isinstance(theirs, (tuple, list)):
        assert isinstance(ours, (tuple, list)), f"{where}: {ours!r} for {theirs!r}"
        assert len(ours) == len(theirs), f"{where}: {len(ours)} results for {len(theirs)}"
        for i, (o, t) in enumerate(zip(ours, theirs, strict=True)):
            same(o, t, rtol=rtol, atol=atol, signed_zeros=signed_zeros, where=f"{where}[{i}]")
        return
    if isinstance(theirs, array_api_strict._array_object.Array):
        same_array(ours, theirs, rtol, atol, signed_zeros, where)
        return
    if isinstance(ours, torch.dtype):
        assert dtype_name(ours) == dtype_name(theirs), f"{where}: {ours} for {theirs}"
        return
    both_nan = isinstance(theirs, float) and math.isnan(theirs) and math.isnan(ours)
    assert both_nan or ours == theirs, f"{where}: {ours!r} for {theirs!r}"


def same_array(
    ours: Any, theirs: Any, rtol: Any, atol: float, signed_zeros: bool, where: str
) -> None:
    assert isinstance(ours, xp_torch._array.Array), f"{where}: {type(ours)} is not an Array"
    assert dtype_name(ours.dtype) == dtype_name(theirs.dtype), (
        f"{where}: dtype {ours.dtype} for {theirs.dtype}"
    )
    assert ours.shape == theirs.shape, f"{where}: shape {ours.shape} for {theirs.shape}"
    o = ours._tensor.detach().resolve_conj().resolve_neg().cpu().numpy()
    t = np.asarray(theirs)
    if isinstance(rtol, dict):
        rtol = rtol.get(dtype_name(theirs.dtype), 0.0)
    if o.dtype.kind == "c":
        # NumPy compares an infinite complex number exactly, its finite part too.
        infinite = np.isinf(o) & np.isinf(t) & ~np.isnan(o) & ~np.isnan(t)
        if infinite.any():
            parts = np.stack([o[infinite].real, o[infinite].imag])
            wanted = np.stack([t[infinite].real, t[infinite].imag])
            np.testing.assert_allclose(parts, wanted, rtol=rtol, atol=atol, err_msg=where)
            o, t = np.where(infinite, 0, o), np.where(infinite, 0, t)
    same_values(o, t, rtol, atol, signed_zeros, where)


def same_values(
    ours: Any, theirs: Any, rtol: float, atol: float, signed_zeros: bool, where: str
) -> None:
    """Two arrays of NumPy have equal elements, or close ones, and zeros of the same sign."""
    if rtol == 0.0 and atol == 0.0:
        np.testing.assert_array_equal(ours, theirs, err_msg=where)
    else:
        np.testing.assert_allclose(
            ours, theirs, rtol=rtol, atol=atol, equal_nan=True, err_msg=where
        )
    if signed_zeros and ours.dtype.kind == "f":
        zeros = (ours == 0) & (theirs == 0)
        np.testing.assert_array_equal(
            np.signbit(ours)[zeros], np.signbit(theirs)[zeros], err_msg=f"{where}: sign of zero"
        )


def same_error(ours: Any, theirs: Any) -> None:
    """Both raised, and there is a built-in exception that would catch both."""
    assert isinstance(ours, Exception), f"{ours!r} where the reference raises {theirs!r}"
    assert isinstance(theirs, Exception), f"raised {ours!r} where the reference gives {theirs!r}"
    caught = [k for k in KINDS_OF_ERROR if isinstance(ours, k) and isinstance(theirs, k)]
    assert caught, f"{type(ours).__name__}: {ours} for {type(theirs).__name__}: {theirs}"


def dtype_name(dtype: Any) -> str:
    """``float64`` for ``torch.float64`` and ``array_api_strict.float64``."""
    return str(dtype).rpartition(".")[2]


def axis_of_0d(name: str, a: Spec, axis: Any) -> bool:
    """Whether ``axis`` names one of a 0-D array, which NumPy allows and the standard does not."""
    if a.values.ndim or axis in (None, ()) or not isinstance(axis, (int, tuple)):
        return False
    with pytest.raises((AxisError, TypeError)):
        getattr(xp_torch, name)(xp_torch.asarray(a.tensor()), axis=axis)
    return True
