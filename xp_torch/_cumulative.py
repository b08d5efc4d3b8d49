"""The cumulative functions of the chapter *Statistical functions*."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import torch
from torch import Tensor

from ._array import Array
from ._core.axes import normalize_axis
from ._core.dtypes import NUMERIC
from ._core.errors import translate
from ._core.scalars import truth
from ._dispatch import check_category, fill, tensor_of, wrap
from ._kernels import reductions as kernels
from ._reduce import result_dtype

__all__ = ["cumulative_prod", "cumulative_sum"]

# The dtypes that sums and products keep, in the standard and in torch.
_KEPT = frozenset({torch.int64, torch.float32, torch.float64, torch.complex64, torch.complex128})


class Cumulative(Protocol):
    """The signature of the cumulative functions."""

    def __call__(
        self,
        x: Array,
        /,
        *,
        axis: int | None = None,
        dtype: torch.dtype | None = None,
        include_initial: bool = False,
    ) -> Array: ...


def _cumulative(
    name: str,
    torchs: Callable[..., Tensor],
    kernel: Callable[..., Tensor],
    **words: str,
) -> Cumulative:
    """The function of a cumulative sum or product."""

    def function(
        x: Array,
        /,
        *,
        axis: int | None = None,
        dtype: torch.dtype | None = None,
        include_initial: bool = False,
    ) -> Array:
        """The {noun} of the elements up to each one along an axis.

        Parameters
        ----------
        x : Array
            Numeric dtype, at least one dimension.
        axis : int or None
            The axis; it may be left out for a 1-D array only.
        dtype : torch.dtype or None
            The dtype to compute in. By default that of ``x``, or int64 and uint64 for narrower
            signed and unsigned integers.
        include_initial : bool
            Whether the result starts with a {initial}, and is one element longer.

        Returns
        -------
        Array
            The shape of ``x``, but for the initial {initial}.

        Raises
        ------
        TypeError
            For any other dtype, a complex array with a real ``dtype``, anything but an
            ``xp_torch`` array, or an axis that is not an integer.
        AxisError
            For an axis that ``x`` does not have.
        ValueError
            For a 0-D array, or no axis and more than one dimension.

        Notes
        -----
        Integers wrap around.

        Source: the array API standard, ``{name}``.

        Examples
        --------
        >>> import xp_torch as xp
        >>> xp.{name}(xp.asarray([1, 2, 3]), include_initial=True)
        {example}
        """
        if type(x) is Array and dtype is None and include_initial is False:
            t = x._tensor
            if t.dtype in _KEPT:
                if axis is None and t.ndim == 1:
                    out = Array()
                    out._tensor = torchs(t, 0)
                    return out
                if type(axis) is int and -t.ndim <= axis < t.ndim:
                    out = Array()
                    out._tensor = torchs(t, axis)
                    return out
        t, dim = _accumulated(name, x, axis)
        result = result_dtype(name, t, dtype)
        first = truth(name, "include_initial", include_initial)
        try:
            return wrap(kernel(t, dim, result, first))
        except RuntimeError as error:
            translate(name, error)

    return fill(function, name, **words)


def _accumulated(name: str, x: Array, axis: int | None) -> tuple[Tensor, int]:
    """The tensor and the axis of a cumulative function."""
    t = tensor_of(name, "x", x)
    check_category(name, "x", t.dtype, NUMERIC)
    if t.ndim == 0:
        raise ValueError(f"{name}: x must have at least one dimension, not 0")
    if axis is not None:
        return t, normalize_axis(name, axis, t.ndim)
    if t.ndim > 1:
        raise ValueError(f"{name}: axis must be given for an array of {t.ndim} dimensions")
    return t, 0


cumulative_prod = _cumulative(
    "cumulative_prod",
    torch.cumprod,
    kernels.cumulative_prod,
    noun="product",
    initial="one",
    example="Array([1, 1, 2, 6], dtype=int64)",
)
cumulative_sum = _cumulative(
    "cumulative_sum",
    torch.cumsum,
    kernels.cumulative_sum,
    noun="sum",
    initial="zero",
    example="Array([0, 1, 3, 6], dtype=int64)",
)
