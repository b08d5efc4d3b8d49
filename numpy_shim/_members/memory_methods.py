"""The methods of ``ndarray`` on its memory: to fill it, to see it otherwise, to resize it."""

# The methods below are written as members of ndarray, in which they are installed.
# mypy: disable-error-code="misc"

from __future__ import annotations

import builtins
import math
import operator
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from torch import Tensor
from torch.compiler import is_compiling, is_dynamo_compiling

from xp_torch._kernels.large_numbers import rounded

from .._array import views
from .._array.layout import is_fortran, reversed_axes
from .._array.ndarray import array_of, ndarray
from .._array.scalars import TensorScalar
from .._base.axes import normalize_shape
from .._base.dtypes import HostDtypeError, torch_dtype
from .._base.fast_tables import FastTable, fast_table
from .._base.scalar_types import STORED
from .._host.numpy_calls import call_method
from .._indexing.selection import element
from .._kernels import elements
from .._kernels.backwards import as_guarded
from .conversion_methods import own_kind


class _Counted:
    """A method that sees the same number of references to its array however it is called.

    A bound method of Python's holds one more if it is stored, or called with ``*args``.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        function.__qualname__ = f"ndarray.{function.__name__}"
        function.__module__ = "numpy_shim"
        self.__doc__ = function.__doc__
        self._function = function

    def __get__(self, instance: object, owner: type | None = None) -> Callable[..., Any]:
        return self._function if instance is None else partial(self._function, instance)


class _Probe:
    @_Counted
    def count(self) -> int:
        return sys.getrefcount(self)


_probe = _Probe()
_ALONE = _probe.count()
"""The number of references that ``resize`` sees to an array with one name and no view."""


_FLOATS = frozenset({torch.float32, torch.float64})
_FILLED: FastTable[type, frozenset[torch.dtype]] = fast_table({
    float: _FLOATS,
    int: _FLOATS | {torch.int8, torch.int16, torch.int32, torch.int64},
})  # fmt: skip
"""The dtypes that torch fills with a Python number as NumPy does, refusing one out of range."""


class OnMemory:
    """Methods; see ``ndarray``."""

    __slots__ = ()

    _tensor: Tensor

    def fill(self: ndarray, /, value: Any) -> None:
        """Set all elements to one value, cast to the array's dtype.

        Parameters
        ----------
        value : scalar
            The value.

        Examples
        --------
        >>> import numpy_shim as np
        >>> a = np.zeros(2)
        >>> a.fill(5)
        >>> a
        array([5., 5.])
        """
        if type(value) in STORED and STORED[type(value)] is self._tensor.dtype:
            value = value.item()
        if type(self) is ndarray and self._tensor.dtype in _FILLED.get(type(value), ()):
            if is_dynamo_compiling():
                value = rounded(value, self._tensor.dtype)
            try:
                self._tensor.fill_(value)
                return
            except (RuntimeError, OverflowError):
                pass  # out of the dtype's range: stored as infinite, or refused below
        filled = array_of(element("fill", self._tensor, value))
        if not isinstance(self, TensorScalar):  # NumPy fills a copy of a scalar
            self[...] = filled

    def view(self: ndarray, /, dtype: object = None, type: object = ndarray) -> ndarray:
        """Another array on the same memory, of another dtype if one is given.

        Parameters
        ----------
        dtype : dtype, optional
            The dtype to read the memory as.
        type : type
            ``ndarray``, or a subclass of NumPy's, whose array is on the host. It may stand in the
            place of ``dtype``.

        Returns
        -------
        ndarray
            A view: writing to it writes to the array.

        Examples
        --------
        >>> import numpy_shim as np
        >>> np.array([1.0]).view(np.int64)
        array([4607182418800017408])
        """
        # autograd makes a function of every callable whose class is not `type`, and keeps what it
        # has wrapped as `fun`.
        if getattr(dtype, "fun", None) is ndarray:
            dtype = ndarray
        if isinstance(dtype, builtins.type) and issubclass(dtype, ndarray):
            type, dtype = dtype, None
        if type is not ndarray:
            if not (isinstance(type, builtins.type) and issubclass(type, ndarray)):
                raise ValueError(f"view: type must be ndarray or a subclass of it, not {type!r}")
            return call_method(None, "view", self, *(() if dtype is None else (dtype,)), type=type)
        if dtype is None:
            forward, flips = views.forward_of(self)
            return views.make(self, forward.view(forward.shape), flips)
        try:
            return views.viewed(self, torch_dtype("view", dtype))
        except HostDtypeError as error:
            return call_method(error, "view", self, dtype)

    def byteswap(self: ndarray, /, inplace: bool = False) -> ndarray:
        """The elements with their bytes in the other order.

        Parameters
        ----------
        inplace : bool
            Whether to write to the array itself.

        Returns
        -------
        ndarray
            A copy, or the array itself.

        Examples
        --------
        >>> import numpy_shim as np
        >>> np.array([1, 256], dtype=np.int16).byteswap()
        array([256,   1], dtype=int16)
        """
        result = elements.byteswapped(self._tensor.detach())
        if not inplace:
            return own_kind(self, result)
        self[...] = array_of(result)
        return self

    @_Counted
    def resize(self: ndarray, /, *new_shape: object, refcheck: bool = True) -> None:
        """Change the shape in place, cutting elements off or appending zeros.

        Parameters
        ----------
        *new_shape : int or tuple of int
            The sizes.
        refcheck : bool
            Whether to refuse an array that something else refers to: a view of it, or a second
            name. Without this check its views keep the old memory.

        Examples
        --------
        >>> import numpy_shim as np
        >>> a = np.array([1, 2])
        >>> a.resize(3, refcheck=False)
        >>> a
        array([1, 2, 0])
        """
        if not isinstance(refcheck, int):
            raise TypeError(f"resize: refcheck must be a bool, not {refcheck!r}")
        if not new_shape or new_shape == (None,):
            return
        shape = normalize_shape("resize", new_shape[0] if len(new_shape) == 1 else new_shape)
        t, flips = views.forward_of(self)
        columns = is_fortran(t)
        if flips or not (columns or t.is_contiguous()):
            raise ValueError("resize: resize only works on single-segment arrays")
        flat = (reversed_axes(t) if columns else t).view(-1)
        size = math.prod(shape)
        if size != t.numel():
            if self.base is not None or isinstance(self, TensorScalar):
                raise ValueError("resize: cannot resize this array: it does not own its data")
            if refcheck and not is_compiling() and sys.getrefcount(self) > _ALONE:
                raise ValueError(
                    "resize: cannot resize an array that references or is referenced by another "
                    "object in this way. Use the np.resize function or refcheck=False"
                )
            flat = flat[:size]
            try:
                flat = torch.cat([flat, flat.new_zeros(size - flat.numel())])
            except (RuntimeError, TypeError):
                raise MemoryError(f"resize: unable to allocate {size} elements") from None
        made = reversed_axes(flat.view(shape[::-1])) if columns else flat.view(shape)
        self._tensor = as_guarded(made, self._tensor)
        if not isinstance(self, TensorScalar):
            self._flat_dtype = made.dtype if made.dim() else None

    def setflags(
        self: ndarray,
        /,
        write: bool | None = None,
        align: bool | None = None,
        uic: bool | None = None,
    ) -> None:
        """Make the array read-only or writeable.

        Parameters
        ----------
        write : bool, optional
            Whether the array may be written to.
        align, uic : bool, optional
            Only the values that a tensor has: aligned, and not to be written back.

        Examples
        --------
        >>> import numpy_shim as np
        >>> a = np.array([1, 2])
        >>> a.setflags(write=False)
        >>> a.flags.writeable
        False
        """
        if align is not None and not align:
            raise ValueError("setflags: cannot set ALIGNED flag to False: torch aligns elements")
        if uic:
            raise ValueError("setflags: cannot set WRITEBACKIFCOPY flag to True")
        if write is not None:
            self.flags.writeable = write

    def getfield(self: ndarray, /, dtype: object, offset: int = 0) -> ndarray:
        """The view of a part of each element: the real or imaginary part of a complex one.

        Parameters
        ----------
        dtype : dtype
            The dtype of the part.
        offset : int
            Where the part begins, in bytes; a multiple of its size.

        Returns
        -------
        ndarray
            A view: writing to it writes to the array.

        Examples
        --------
        >>> import numpy_shim as np
        >>> np.array([1 + 2j]).getfield(np.float64, 8)
        array([2.])
        """
        return views.viewed_part(self, torch_dtype("getfield", dtype), operator.index(offset))

    def setfield(self: ndarray, /, val: Any, dtype: Any, offset: int = 0) -> None:
        """Write to a part of each element; see ``getfield``.

        Parameters
        ----------
        val : array_like
            The values; they broadcast to the array.
        dtype : dtype
            The dtype of the part.
        offset : int
            Where the part begins, in bytes; a multiple of its size.

        Examples
        --------
        >>> import numpy_shim as np
        >>> a = np.array([1 + 2j])
        >>> a.setfield(5.0, np.float64, 8)
        >>> a
        array([1.+5.j])
        """
        self.getfield(dtype, offset)[...] = val
