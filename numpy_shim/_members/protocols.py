"""Python's protocols for arrays: conversion, iteration, copying, formatting, exchange."""

# The methods below are written as members of ndarray, in which they are installed.
# mypy: disable-error-code="misc"

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy
import torch
from numpy.exceptions import ComplexWarning
from torch import Tensor

from xp_torch._kernels import interchange

from .._array import views
from .._array.host_view import kept_view
from .._array.iteration import iterate
from .._array.ndarray import ndarray
from .._array.scalars import TensorScalar
from .._base.dtypes import INTEGERS
from .._base.release import SIZE_ONE_IS_A_NUMBER
from .._convert import to_numpy as interop
from .._convert.arguments import as_array
from .._convert.printing import array_repr, array_str
from .._host import crossings
from .._host.loop_reads import elements
from .._interop.numpy_functions import array_function, array_ufunc
from .._interop.torch_function import torch_function
from . import pickling

_VERSIONS = ("2021.12", "2022.12", "2023.12", "2024.12", "2025.12")


def _value(a: ndarray, kind: type) -> Any:
    """The value of an array without axes, for ``int``, ``float`` and ``complex``."""
    t = a._tensor
    if t.dim() and not (SIZE_ONE_IS_A_NUMBER and t.numel() == 1):
        raise TypeError("only 0-dimensional arrays can be converted to Python scalars")
    value = t.item() if t.is_cpu else crossings.value(t, f"{kind.__name__}()")
    if type(value) is complex and kind is not complex and isinstance(a, TensorScalar):
        warnings.warn(
            f"{kind.__name__}: casting complex values to real discards the imaginary part",
            ComplexWarning,
            stacklevel=3,
        )
        return value.real
    return value


_WRITABLE = 1
"""What a reader asks for that writes: ``inspect.BufferFlags``, which Python has from 3.12 on."""


class Protocols:
    """Special methods; see ``ndarray``."""

    __slots__ = ()

    __torch_function__: Any = classmethod(torch_function)
    __array_ufunc__ = array_ufunc
    __array_function__ = array_function

    def __repr__(self: ndarray) -> str:
        """As NumPy prints it."""
        return array_repr(self)

    def __str__(self: ndarray) -> str:
        """As NumPy prints it."""
        return array_str(self)

    def __bool__(self: ndarray) -> bool:
        """The truth of an array of one element. Synchronises with the device."""
        t = self._tensor
        if t.numel() == 1:
            return bool(t.item() if t.is_cpu else crossings.value(t, "bool()"))
        if t.numel():
            raise ValueError(
                "The truth value of an array with more than one element is ambiguous. Use a.any() "
                "or a.all()"
            )
        raise ValueError(
            "The truth value of an empty array is ambiguous. Use `array.size > 0` to check that an "
            "array is not empty."
        )

    def __int__(self: ndarray) -> int:
        """The value of an array without axes. Synchronises with the device."""
        return int(_value(self, int))

    def __float__(self: ndarray) -> float:
        """The value of an array without axes. Synchronises with the device."""
        return float(_value(self, float))

    def __complex__(self: ndarray, /) -> complex:
        """The value of an array without axes. Synchronises with the device."""
        return complex(_value(self, complex))

    def __index__(self: ndarray) -> int:
        """The value of an integer array without axes. Synchronises with the device."""
        t = self._tensor
        if t.dim() or t.dtype not in INTEGERS:
            raise TypeError("only integer scalar arrays can be converted to a scalar index")
        return int(t.item() if t.is_cpu else crossings.value(t, "index()"))

    def __iter__(self: ndarray) -> Iterator[ndarray]:
        """Over the first axis: elements are copies, rows are views.

        In a launched program the elements of a device are NumPy's scalars, of copies on the host.
        """
        t = self._tensor
        read = None if t.is_cpu or t.dim() != 1 else elements(self)
        return read or iterate(self)

    def __contains__(self: ndarray, key: object, /) -> bool:
        """Whether any element equals ``key``. Synchronises with the device."""
        return bool((self == key).any())

    def __format__(self: ndarray, spec: str, /) -> str:
        """``str`` of an array; a number's own format for one without axes."""
        t = self._tensor
        if not t.dim():
            return format(t.item(), spec)
        if spec:
            raise TypeError("unsupported format string passed to numpy_shim.ndarray.__format__")
        return str(self)

    def __array__(
        self: ndarray, /, dtype: Any = None, *, copy: bool | None = None
    ) -> numpy.ndarray[Any, Any]:
        """A real NumPy array, on the same memory where the array is on the CPU.

        It has no gradient. ``TypeError`` for an array on a device unless
        ``allow_implicit_host_copy`` is on; ``ValueError`` if ``copy=False`` is not possible.
        """
        if copy is False and not self._tensor.is_cpu:
            raise ValueError(f"__array__: copy=False, and the array is on {self.device}")
        return numpy.array(interop.shared("__array__", self), dtype=dtype, copy=copy)

    def __buffer__(self: ndarray, flags: int, /) -> memoryview:
        """The memory for ``memoryview``, ``hashlib``, ``file.write``, as NumPy's arrays give it.

        Python asks for it from 3.12 on. Of an array on a device it is a copy, where such copies are
        allowed, and ``BufferError`` for what would write there. ``ValueError`` where the elements
        are not contiguous: NumPy then asks ``__array_interface__``, whose memory it may write to.
        """
        t = self._tensor
        view = kept_view(self) if type(t) is Tensor and type(self) is ndarray else None
        if view is None or t.dtype is torch.bfloat16:
            if flags & _WRITABLE and not t.is_cpu:
                raise BufferError(f"__buffer__: a copy of what is on {t.device} is not written to")
            view = interop.shared("__buffer__", self)
        if not view.flags.c_contiguous:
            raise ValueError(
                "__buffer__: ndarray is not C-contiguous; a.__array__() has its memory"
            )
        return view.data

    def __array_namespace__(self: ndarray, /, *, api_version: str | None = None) -> ModuleType:
        """The module ``numpy_shim``; ``ValueError`` for an unsupported version of the standard."""
        if api_version is not None and not isinstance(api_version, str):
            raise ValueError("Only None and strings are allowed as the Array API version")
        if api_version is not None and api_version not in _VERSIONS:
            raise ValueError(
                f'__array_namespace__: api_version: Version "{api_version}" of the Array API '
                f"Standard is not supported, which are {', '.join(_VERSIONS)}"
            )
        return sys.modules["numpy_shim"]  # importing it here would be an upward import

    def __dlpack__(
        self: ndarray,
        /,
        *,
        stream: Any = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[Any, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        """A DLPack capsule of the memory, for ``from_dlpack`` of any library.

        ``BufferError`` for an impossible export: a read-only array without a copy, another device
        with ``copy=False``.
        """
        if not copy and not isinstance(self, TensorScalar) and not views.is_writeable(self):
            raise BufferError("__dlpack__: a read-only array is exported with copy=True only")
        t = self._tensor.resolve_conj().resolve_neg()
        own = interchange.dlpack_device(t)
        target = own if dl_device is None else (int(dl_device[0]), dl_device[1])
        if target != own:
            if copy is False or target != (1, 0):
                raise BufferError(
                    f"__dlpack__: an array on {t.device} is not exported to {dl_device}"
                )
            t, copy = crossings.copied(t, "__dlpack__", is_allowed=not crossings.mode()), None
        try:
            return interchange.to_dlpack(t, stream, max_version, target, copy)
        except RuntimeError as error:
            raise BufferError(f"__dlpack__: {str(error).splitlines()[0]}") from None

    def __dlpack_device__(self: ndarray, /) -> tuple[Any, int]:
        """The DLPack type and the number of the device."""
        return interchange.dlpack_device(self._tensor)

    def __reduce_ex__(self: ndarray, protocol: Any, /) -> Any:
        """The pickle; from protocol 5 on it has the memory itself, which may go out of band."""
        made = None
        if protocol >= 5:
            made = pickling.reduced(self)
        elif protocol >= 3:  # torch.save pickles by protocol 2, and shares storages
            made = pickling.reduced_to_bytes(self)
        return self.__reduce__() if made is None else made

    def __bytes__(self: ndarray) -> bytes:
        """The elements in row-major order; of an integer without axes so many zeros, as in NumPy.

        Without this method Python reads integers as single bytes.
        """
        is_count = not self.ndim and self.dtype.kind in "iu"
        return bytes(int(self)) if is_count else self.tobytes()

    def __sizeof__(self: ndarray) -> int:
        """The bytes of the object, its shape and strides, and of the memory if it owns that."""
        header = object.__sizeof__(self) + 16 * self.ndim
        return header + (self.nbytes if self.base is None else 0)

    def __copy__(self: ndarray, /) -> ndarray:
        """A copy with memory of its own; gradients flow through it."""
        return self.copy(order="K")

    def __array_wrap__(
        self: ndarray, array: Any, context: object = None, return_scalar: bool | None = True, /
    ) -> Any:
        """``array`` as one of our arrays; 0-D gives a scalar unless ``return_scalar=False``.

        ``context`` describes NumPy's call and has no effect.
        """
        made = as_array("__array_wrap__", array)
        return made if made.ndim or return_scalar is False else made[()]


class Sized:
    """What a scalar does not have; see ``ndarray``."""

    __slots__ = ()

    def __len__(self: ndarray) -> int:
        """The number of elements along the first axis."""
        t = self._tensor
        if not t.dim():
            raise TypeError("len() of unsized object")
        return t.shape[0]
