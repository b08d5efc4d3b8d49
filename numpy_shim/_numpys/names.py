"""The functions and objects of the main namespace that are NumPy's text, executed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from types import FunctionType
from typing import Any

import numpy
import torch

from xp_torch._core import box

from .._base.typing import DTypeLike
from .._convert.arguments import as_tensor, device_of
from .._convert.foreign import OWN
from .._host.frames import pass_over
from . import executed

TAKEN = {
    "numpy.lib._polynomial_impl": (
        "poly", "poly1d", "polyadd", "polyder", "polydiv", "polyint", "polymul", "polysub",
        "polyval", "roots",
    ),
    "numpy.lib._index_tricks_impl": (
        "c_", "index_exp", "mgrid", "ogrid", "r_", "s_",
    ),
}  # fmt: skip
"""The names that are taken from each module of NumPy's."""

OURS = {
    "polyfit": "graph: NumPy's text asks whether the rank is full",
    "diag_indices": "device=, which NumPy's text does not take",
    "diag_indices_from": "graph: NumPy's text asks whether sizes differ by an array of them",
    "fill_diagonal": "it writes to tensors too",
    "ix_": "device: NumPy's text makes indices of lists on the default device",
    "ndenumerate": "graph: NumPy's text does not trace for sizes that change",
    "ndindex": "graph: before NumPy 2.4 it is an nditer",
    "ravel_multi_index": "NumPy's is written in C",
    "unravel_index": "NumPy's is written in C",
}
"""The public names of these modules that are written here, with what NumPy's text lacks."""


def on_its_device(function: Callable[..., Any]) -> Callable[..., Any]:
    """NumPy's text makes arrays where it is told nothing of devices: on that of an operand."""

    @wraps(function)
    @pass_over
    def call(*args: object, **kwargs: object) -> Any:
        device = _device_among((*args, *kwargs.values())) if box.several_devices else None
        if device is None or device == torch.empty(0).device:  # Dynamo traces this question alone
            return function(*args, **kwargs)
        with device:
            return function(*args, **kwargs)

    return call


def _alone(getitem: Callable[..., Any]) -> Callable[..., Any]:
    """NumPy's text tries a key as a tuple first: errors show without that of the first try."""

    @wraps(getitem)
    def call(self: object, key: object) -> Any:
        try:
            return getitem(self, key)
        except Exception as error:
            raise error from None

    return call


def _device_among(xs: Iterable[object]) -> torch.device | None:
    """The device of the first array, also within a tuple or a dictionary."""
    for x in xs:
        if isinstance(x, poly1d):
            x = x.coeffs
        if isinstance(x, dict):
            x = tuple(x.values())
        found = _device_among(x) if isinstance(x, tuple) else device_of(x)
        if found is not None:
            return found
    return None


def _of_numpy(
    self: poly1d, dtype: DTypeLike = None, copy: bool | None = None
) -> numpy.ndarray[Any, Any]:
    """The coefficients as NumPy's array: its text gives those that it has, which are ours."""
    return self.coeffs.__array__(dtype, copy=copy)


for _source, _names in TAKEN.items():
    _module = executed(_source, f"{__package__}.{_source.rpartition('.')[2]}")
    for _name in _names:
        if isinstance(getattr(_module, _name), FunctionType):
            setattr(_module, _name, on_its_device(getattr(_module, _name)))
        globals()[_name] = getattr(_module, _name)

_concatenator = type(globals()["r_"]).__mro__[1]
_concatenator.__getitem__ = on_its_device(_concatenator.__getitem__)
_grid = type(globals()["mgrid"]).__mro__[1]
_grid.__getitem__ = _alone(_grid.__getitem__)
poly1d: Any = globals()["poly1d"]
poly1d.__array__ = _of_numpy
OWN[poly1d] = lambda p: as_tensor("poly1d", p.coeffs)

__all__ = [name for names in TAKEN.values() for name in names]
