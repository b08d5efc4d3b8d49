"""Dask's array backend ``numpy_shim``: ``dask.config.set({"array.backend": "numpy_shim"})``.

Dask loads this module by the entry point ``dask.array.backends``. Collections that Dask then
creates (``da.ones``, ``da.arange``, ``da.random.default_rng``) have chunks of numpy_shim.
``x.to_backend("numpy_shim")`` moves any other collection there, ``x.to_backend("numpy")`` back.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import dask.array as da
import numpy
from dask import config
from dask.array.backends import ArrayBackendEntrypoint
from dask.utils import Dispatch

from .._array.ndarray import ndarray
from .._convert.arguments import as_array
from .._functions.creation import empty
from ..random import PCG64, RandomState

Collection: TypeAlias = Any
"""A ``dask.array.Array``."""

to_numpy_shim_dispatch: Any = Dispatch("to_numpy_shim_dispatch")
"""What moves a chunk here, by the chunk's type."""


def _kept(data: ndarray, **options: object) -> ndarray:
    return data


def _from_numpy(data: Any, **options: Any) -> ndarray:
    """The array on NumPy's memory, or a copy on the default device."""
    return as_array("asarray", data, **options)


to_numpy_shim_dispatch.register(ndarray, _kept)
to_numpy_shim_dispatch.register((numpy.ndarray, numpy.generic), _from_numpy)


def _like() -> ndarray:
    """An array that tells Dask the type of the chunks. It has an axis: ``x[()]`` stays an array."""
    return empty(0)


def _created(name: str, /, *args: object, meta: object = None, **kwargs: object) -> Collection:
    """A function of ``dask.array`` with chunks like ``meta``, an array of ours by default."""
    meta = _like() if meta is None else meta
    with config.set({"array.backend": "numpy"}):
        return getattr(da, name)(*args, meta=meta, **kwargs)


class Backend(ArrayBackendEntrypoint):  # type: ignore[misc]  # an optional library
    """The functions by which Dask creates collections with chunks of numpy_shim."""

    @classmethod
    def to_backend_dispatch(cls) -> Any:
        return to_numpy_shim_dispatch

    @classmethod
    def to_backend(cls, data: Collection, **kwargs: object) -> Collection:
        """The same collection with chunks of numpy_shim."""
        if type(data._meta) is ndarray:
            return data
        return data.map_blocks(cls.to_backend_dispatch(), **kwargs)

    @property
    def RandomState(self) -> type[RandomState]:  # noqa: N802 - Dask's name
        return RandomState

    @property
    def default_bit_generator(self) -> type[PCG64]:
        return PCG64

    @staticmethod
    def ones(*args: object, **kwargs: object) -> Collection:
        return _created("ones", *args, **kwargs)

    @staticmethod
    def zeros(*args: object, **kwargs: object) -> Collection:
        return _created("zeros", *args, **kwargs)

    @staticmethod
    def empty(*args: object, **kwargs: object) -> Collection:
        return _created("empty", *args, **kwargs)

    @staticmethod
    def full(*args: object, **kwargs: object) -> Collection:
        return _created("full", *args, **kwargs)

    @staticmethod
    def arange(*args: object, like: object = None, **kwargs: object) -> Collection:
        like = _like() if like is None else like
        with config.set({"array.backend": "numpy"}):
            return da.arange(*args, like=like, **kwargs)
