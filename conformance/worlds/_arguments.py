"""Worlds of other arguments: scalars, mixed dtypes, empty arrays, another library's arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import xp_torch

from ._calls import Call, Slot, must_agree
from ._comparison import arrays_of, host
from ._world import Unportable

Function = Callable[..., Any]
Vary = Callable[[Call, float | None], None]

SCALARS: tuple[tuple[Any, str], ...] = (
    (True, "bool"), (2, "numeric"), (0.5, "floating"), (1 + 2j, "complex floating"),
)  # fmt: skip
"""A Python scalar of each kind, and the kinds of dtypes that it may stand beside."""


def varying(vary: Vary) -> Callable[..., Any]:
    """The check of a world: the call itself, then its variations."""

    def check(
        function: Function,
        args: tuple[object, ...],
        kwargs: dict[str, object],
        xp: object,
        rtol: float | None = None,
        gradcheck: bool = False,
    ) -> Any:
        call = Call(function, args, kwargs)
        vary(call.mapped(lambda x: xp_torch.asarray(x, copy=True)), rtol)
        return call()

    return check


def _beside_others(call: Call) -> Iterator[tuple[Slot, Any]]:
    """The array arguments that stand beside another array, which gives the namespace."""
    found = list(call.arrays())
    return iter(found if len(found) > 1 else ())


def _has_kind(dtype: Any, kind: str) -> bool:
    kinds = ("real floating", "complex floating") if kind == "floating" else kind
    return bool(xp_torch.isdtype(dtype, kinds))


def _scalars(call: Call, rtol: float | None) -> None:
    for slot, array in _beside_others(call):
        for value, kind in SCALARS:
            what = f"with {value!r} for argument {slot!r}"
            varied = call.replaced(**{str(slot): value})
            if _has_kind(array.dtype, kind):
                full = xp_torch.asarray(value, dtype=array.dtype)
                must_agree(varied, call.replaced(**{str(slot): full}), what, rtol)
            else:
                must_agree(varied, varied, what, rtol)


def _mixed_kinds(call: Call, rtol: float | None) -> None:
    for slot, array in _beside_others(call):
        for name in ("float32", "float64", "int32", "int64"):
            dtype = getattr(xp_torch, name)
            if dtype is array.dtype or xp_torch.isdtype(array.dtype, "bool"):
                continue
            if xp_torch.isdtype(array.dtype, "complex floating"):
                continue
            other = xp_torch.astype(array, dtype)
            what = f"with {name} for argument {slot!r}, of {array.dtype}"
            common = _common(other, array)
            alike = xp_torch.astype(other, common or array.dtype)
            reference = call.mapped(partial(_cast, dtype=common)) if common else call
            reference = reference.replaced(**{str(slot): alike})
            varied = call.replaced(**{str(slot): other})
            must_agree(varied, reference, what, rtol)
            try:
                must_agree(varied, reference, what, rtol, dtypes=bool(common))
            except Unportable:
                # The dtype of a result may follow one argument, as with NumPy.
                must_agree(varied, varied.mapped(host), what, rtol, dtypes=True)


def _common(x: Any, y: Any) -> Any:
    """The dtype to which two arrays promote; None for two kinds, which the standard leaves open."""
    try:
        return xp_torch.result_type(x, y)
    except TypeError:
        return None


def _cast(array: Any, dtype: Any) -> Any:
    """The array in a dtype if it promotes to it."""
    return xp_torch.astype(array, dtype) if xp_torch.can_cast(array.dtype, dtype) else array


def _zero_size(call: Call, rtol: float | None) -> None:
    shape = next((array.shape for _, array in call.arrays() if array.ndim), ())
    for axis, length in enumerate(shape[:2]):

        def emptied(x: Any, axis: int = axis, length: int = length) -> Any:
            if x.ndim <= axis or x.shape[axis] != length:
                return x
            return x[(*(slice(None),) * axis, slice(0, 0), ...)]

        varied = call.mapped(emptied)
        must_agree(
            varied,
            varied.mapped(host),  # on NumPy's arrays
            f"with no elements along axis {axis}",
            rtol,
            refusals=(TypeError, ValueError),
            excuse=False,
        )


def _foreign(call: Call, rtol: float | None) -> None:
    for slot, array in _beside_others(call):
        what = f"with NumPy's array for argument {slot!r}"
        varied = call.replaced(**{str(slot): host(array)})

        must_agree(Call(_ours, (varied, what), {}), call, what, rtol)


def _ours(call: Call, what: str) -> Any:
    """The result of a call, whose arrays must be of the world's namespace."""
    result = call()
    for got in arrays_of(result):
        if type(got) is not type(xp_torch.asarray(0)):
            call.fail(f"{what}: the result is a {type(got).__module__} array")
    return result


scalars = varying(_scalars)
mixed_kinds = varying(_mixed_kinds)
zero_size = varying(_zero_size)
foreign = varying(_foreign)
