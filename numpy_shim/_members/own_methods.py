"""The methods of ``ndarray`` that are not functions of the namespace: memory and conversion."""

# The methods below are written as members of ndarray, in which they are installed.
# mypy: disable-error-code="misc"

from __future__ import annotations

import builtins
import ctypes
import math
import operator
import os
import pickle
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from numpy import _CopyMode
from numpy.exceptions import ComplexWarning
from torch import Tensor
from torch.compiler import is_compiling

from xp_torch._core.devices import normalize_device
from xp_torch._core.errors import translate
from xp_torch._kernels.distributed import gathered

from .._array import views
from .._array.layout import is_fortran, lies, order_of, reversed_axes
from .._array.ndarray import array_of, ndarray, new, wrap
from .._array.scalars import TensorScalar
from .._convert.arguments import check_cast
from .._convert.host_dtypes import handed_method
from .._core.axes import normalize_shape
from .._core.dtypes import CASTABLE, HALVES, NUMPY, HostDtypeError, torch_dtype
from .._core.fast_tables import FastTable, fast_table
from .._core.scalar_types import STORED
from .._core.tracing import warn
from .._functions.io import written
from .._indexing.selection import element
from .._kernels.backwards import as_guarded
from .._kernels.casting import cast, keeps_values
from .._ufunc.call import target_of


def _own(a: ndarray, tensor: Tensor) -> ndarray:
    """A result of the kind of ``a``: a scalar for a scalar, an array for an array."""
    return wrap(tensor) if isinstance(a, TensorScalar) else array_of(tensor)


class _Counted:
    """A method that sees the same number of references to its array however it is called.

    A bound method of Python's holds one more if it is stored, or called with ``*args``.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        function.__qualname__ = f"ndarray.{function.__name__}"
        function.__module__ = "numpy_shim"
        self.__doc__ = function.__doc__
        self._function = function

    def __get__(self, instance: Any, owner: type | None = None) -> Callable[..., Any]:
        return self._function if instance is None else partial(self._function, instance)


class _Probe:
    @_Counted
    def count(self) -> int:
        return sys.getrefcount(self)


_probe = _Probe()
_ALONE = _probe.count()
"""The number of references that ``resize`` sees to an array with one name and no view."""


def _laid_out(name: str, tensor: Tensor, order: str | None, model: Tensor) -> Tensor:
    """A copy in a layout; 'A' is that of ``model``."""
    wanted = order_of(name, order, "K" if name == "astype" else "C")
    if wanted == "A":
        wanted = "F" if is_fortran(model) else "C"
    if wanted == "C":
        return tensor.clone(memory_format=torch.contiguous_format)
    if wanted == "F":
        columns = reversed_axes(tensor).clone(memory_format=torch.contiguous_format)
        return reversed_axes(columns)
    return tensor.clone()


_FLOATS = frozenset({torch.float32, torch.float64})
_FILLED: FastTable[type, frozenset[torch.dtype]] = fast_table({
    float: _FLOATS,
    int: _FLOATS | {torch.int8, torch.int16, torch.int32, torch.int64},
})  # fmt: skip
"""The dtypes that torch fills with a Python number as NumPy does, refusing one out of range."""


_REAL = fast_table({dtype: dtype for dtype in NUMPY if not dtype.is_complex})
"""The dtypes that torch casts from as NumPy does."""


class Own:
    """Methods; see ``ndarray``."""

    __slots__ = ()

    _tensor: Tensor

    def astype(
        self: ndarray,
        /,
        dtype: Any,
        order: str | None = "K",
        casting: str = "unsafe",
        subok: bool = True,
        copy: bool = True,
    ) -> ndarray:
        """A copy in another dtype; gradients flow through it where both are inexact.

        Parameters
        ----------
        dtype : dtype
            The dtype to cast to.
        order : {'K', 'A', 'C', 'F'}
            The layout in memory; 'K' keeps that of the array.
        casting : {'no', 'equiv', 'safe', 'same_kind', 'unsafe', 'same_value'}
            Which casts are allowed: ``TypeError`` for others. ``'same_value'`` reads the values and
            allows casts that keep all of them: ``ValueError`` otherwise.
        subok : bool
            Accepted; there are no subclasses.
        copy : bool
            ``False`` returns the array itself if nothing changes.

        Returns
        -------
        ndarray
            The array in the new dtype.

        Raises
        ------
        TypeError
            For a cast that ``casting`` does not allow, or a dtype that does not exist.
        ValueError
            For another ``casting`` or ``order``, or a value that ``'same_value'`` would change.

        Examples
        --------
        >>> import numpy_shim as np
        >>> np.array([1.7, -1.7]).astype(int)
        array([ 1, -1])
        """
        try:
            wanted = torch_dtype("astype", dtype)
        except HostDtypeError as error:
            return handed_method(error, "astype", self, dtype, order, casting, copy=copy)
        if (
            type(self) is ndarray
            and order == "K"
            and casting == "unsafe"
            and (copy is True or copy is False)
        ):
            t = self._tensor
            try:
                if t.dtype is wanted:
                    if copy is True:
                        out = new(ndarray)
                        out._tensor = t.clone()
                        out._flat_dtype = self._flat_dtype
                        return out
                elif t.dtype in _REAL and wanted not in HALVES:
                    out = new(ndarray)
                    out._tensor = t.to(wanted)
                    out._flat_dtype = self._flat_dtype and wanted
                    return out
            except RuntimeError as error:  # no memory for it
                translate("astype", error)
        return _general_astype(self, wanted, order, casting, copy)

    def copy(self: ndarray, /, order: str | None = "C") -> ndarray:
        """A copy with memory of its own.

        Parameters
        ----------
        order : {'C', 'F', 'A', 'K'}
            The layout in memory: row by row, column by column, or ('A', 'K') like the array.

        Returns
        -------
        ndarray
            The copy; gradients flow through it.

        Raises
        ------
        TypeError
            For an ``order`` that is not a string.
        ValueError
            For another ``order``.

        Examples
        --------
        >>> import numpy_shim as np
        >>> a = np.array([1, 2])
        >>> b = a.copy()
        >>> b[0] = 5
        >>> a
        array([1, 2])
        """
        if type(self) is ndarray and order == "C":
            out = new(ndarray)
            try:
                out._tensor = self._tensor.clone(memory_format=torch.contiguous_format)
            except RuntimeError as error:  # no memory for it
                translate("copy", error)
            out._flat_dtype = self._flat_dtype
            return out
        return _own(self, _laid_out("copy", self._tensor, order, self._tensor))

    def flatten(self: ndarray, /, order: str | None = "C") -> ndarray:
        """A 1-D copy of the elements.

        Parameters
        ----------
        order : {'C', 'F', 'A', 'K'}
            The order: row by row, column by column, ('A') of these the one in memory, or ('K') as
            they lie in memory.

        Returns
        -------
        ndarray
            1-D, with memory of its own.

        Raises
        ------
        ValueError
            For another ``order``.

        Examples
        --------
        >>> import numpy_shim as np
        >>> np.array([[1, 2], [3, 4]]).flatten("F")
        array([1, 3, 2, 4])
        """
        t = self._tensor
        if order == "C":
            copied = t.clone(memory_format=torch.contiguous_format)
            return array_of(copied if t.dim() == 1 else copied.view(-1))
        wanted = order_of("flatten", order, "C")
        if wanted == "F" or (wanted == "A" and views.lies_in_columns(self)):
            t = reversed_axes(t)
        elif wanted == "K":
            steps = t.stride()
            t = t.permute(sorted(range(t.dim()), key=lambda i: -steps[i]))
        return array_of(t.clone(memory_format=torch.contiguous_format).view(-1))

    def item(self: ndarray, /, *args: Any) -> Any:
        """One element as a Python number; synchronises with the device.

        Parameters
        ----------
        *args : int or tuple of int
            One integer counts in row-major order, several are one for each axis; without them, the
            array has one element.

        Returns
        -------
        bool, int, float or complex
            The element.

        Raises
        ------
        IndexError
            For an index out of bounds.
        TypeError
            For an index that is not an integer.
        ValueError
            Without an index for more than one element, or for another number of indices.

        Examples
        --------
        >>> import numpy_shim as np
        >>> np.array([[1, 2], [3, 4]]).item(1, 0)
        3
        """
        t = self._tensor
        if not args:
            if t.numel() != 1:
                raise ValueError("item: can only convert an array of size 1 to a Python scalar")
            return t.item()
        if len(args) == 1 and type(args[0]) is int and t.dim() == 1:
            try:
                return t[args[0]].item()
            except IndexError:
                pass  # the error is raised below
        if len(args) == 1 and isinstance(args[0], tuple):
            args = args[0]
        indices = [operator.index(i) for i in args]
        if len(indices) == 1:
            (index,) = indices
            size = t.numel()
            if not -size <= index < size:
                where = f"axis 0 with size {size}" if t.dim() == 1 else f"size {size}"
                raise IndexError(f"item: index {index} is out of bounds for {where}")
            return t.reshape(-1)[index].item()
        if len(indices) != t.dim():
            raise ValueError("item: incorrect number of indices for array")
        for axis, (index, size) in enumerate(zip(indices, t.shape, strict=True)):
            if not -size <= index < size:
                raise IndexError(
                    f"item: index {index} is out of bounds for axis {axis} with size {size}"
                )
        return t[tuple(indices)].item()

    def tolist(self: ndarray, /) -> Any:
        """The elements as Python numbers in nested lists; synchronises with the device.

        Returns
        -------
        list or number
            As many levels as axes; a number for an array without axes.

        Examples
        --------
        >>> import numpy_shim as np
        >>> np.array([[1, 2], [3, 4]]).tolist()
        [[1, 2], [3, 4]]
        """
        return self._tensor.tolist()

    def tobytes(self: ndarray, /, order: str | None = "C") -> bytes:
        """The bytes of the elements; synchronises with the device.

        Parameters
        ----------
        order : {'C', 'F', 'A'}
            The order: row by row, column by column, or the one in memory.

        Returns
        -------
        bytes
            ``nbytes`` bytes.

        Raises
        ------
        ValueError
            For another ``order``.

        Examples
        --------
        >>> import numpy_shim as np
        >>> np.array([97, 98], dtype=np.uint8).tobytes()
        b'ab'
        """
        t = gathered(self._tensor.detach())
        wanted = order_of("tobytes", order, "C")
        if wanted == "F" or (wanted == "A" and views.lies_in_columns(self)):
            t = reversed_axes(t)
        t = t.resolve_conj().resolve_neg().cpu().contiguous()
        return ctypes.string_at(t.data_ptr(), t.numel() * t.itemsize) if t.numel() else b""

    def tofile(self: ndarray, /, fid: Any, sep: str = "", format: str = "%s") -> None:
        """Write the elements to a file: bytes, or text where there is a separator.

        Parameters
        ----------
        fid : file or path
            An open file, or the name of one to write.
        sep : str
            What stands between the elements of a text; nothing for bytes.
        format : str
            How an element of a text is printed.

        Raises
        ------
        OSError
            For a file that cannot be written.

        Examples
        --------
        >>> import numpy_shim as np
        >>> import tempfile
        >>> with tempfile.TemporaryFile() as file:
        ...     np.array([1, 2]).tofile(file)
        ...     file.tell()
        16
        """

        written("tofile", self).tofile(fid, sep, format)

    def dumps(self: ndarray, /) -> bytes:
        """The pickle of the array.

        Returns
        -------
        bytes
            What ``pickle.loads`` reads.

        Examples
        --------
        >>> import numpy_shim as np
        >>> import pickle
        >>> pickle.loads(np.array([1, 2]).dumps())
        array([1, 2])
        """
        return pickle.dumps(self, protocol=pickle.HIGHEST_PROTOCOL)

    def dump(self: ndarray, /, file: Any) -> None:
        """Write the pickle of the array to a file, or to the file of that name.

        Parameters
        ----------
        file : file or path
            A file open for bytes, or the name of one to write.

        Raises
        ------
        OSError
            For a file that cannot be written.

        Examples
        --------
        >>> import numpy_shim as np
        >>> import io
        >>> import pickle
        >>> file = io.BytesIO()
        >>> np.array([1, 2]).dump(file)
        >>> pickle.loads(file.getvalue())
        array([1, 2])
        """
        if isinstance(file, (str, bytes, os.PathLike)):
            with open(file, "wb") as opened:
                opened.write(self.dumps())
        else:
            file.write(self.dumps())

    def fill(self: ndarray, /, value: Any) -> None:
        """Set all elements to one value, cast to the array's dtype.

        Parameters
        ----------
        value : scalar
            The value.

        Raises
        ------
        OverflowError
            For a Python integer beyond the range of the dtype.
        ValueError
            For a sequence, or text that is no number.

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
            try:
                self._tensor.fill_(value)
                return
            except (RuntimeError, OverflowError):
                pass  # out of the dtype's range: stored as infinite, or refused below
        filled = array_of(element("fill", self._tensor, value))
        if not isinstance(self, TensorScalar):  # NumPy fills a copy of a scalar
            self[...] = filled

    def view(self: ndarray, /, dtype: Any = None, type: Any = ndarray) -> ndarray:
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

        Raises
        ------
        TypeError
            For a dtype that does not exist.
        ValueError
            If the sizes of the elements do not fit the last axis, or for another ``type``.

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
            return handed_method(
                None, "view", self, *(() if dtype is None else (dtype,)), type=type
            )
        if dtype is None:
            forward, flips = views.forward_of(self)
            return views.make(self, forward.view(forward.shape), flips)
        try:
            return views.viewed(self, torch_dtype("view", dtype))
        except HostDtypeError as error:
            return handed_method(error, "view", self, dtype)

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
        t = self._tensor
        count = 2 if t.is_complex() else 1
        result = t.detach().clone(memory_format=torch.contiguous_format)
        if result.numel():
            parts = result.view(-1).view(torch.uint8).view(-1, t.itemsize // count)
            parts.copy_(parts.flip(1))
        if not inplace:
            return _own(self, result)
        self[...] = array_of(result)
        return self

    @_Counted
    def resize(self: ndarray, /, *new_shape: Any, refcheck: bool = True) -> None:
        """Change the shape in place, cutting elements off or appending zeros.

        Parameters
        ----------
        *new_shape : int or tuple of int
            The sizes.
        refcheck : bool
            Whether to refuse an array that something else refers to: a view of it, or a second
            name. Without this check its views keep the old memory.

        Raises
        ------
        TypeError
            For sizes that are not integers.
        ValueError
            For negative sizes, a view, an array that is not contiguous, or one that is referred to.

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

        Raises
        ------
        ValueError
            For other values of ``align`` and ``uic``.

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

    def getfield(self: ndarray, /, dtype: Any, offset: int = 0) -> ndarray:
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

        Raises
        ------
        TypeError
            For a dtype that does not exist, or an ``offset`` that is not an integer.
        ValueError
            For a part outside of the element, or one that is not aligned.

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

        Raises
        ------
        TypeError
            For a dtype that does not exist.
        ValueError
            For a part outside of the element, or one that is not aligned.

        Examples
        --------
        >>> import numpy_shim as np
        >>> a = np.array([1 + 2j])
        >>> a.setfield(5.0, np.float64, 8)
        >>> a
        array([1.+5.j])
        """
        self.getfield(dtype, offset)[...] = val

    def to_device(self: ndarray, device: Any, /, *, stream: Any = None) -> ndarray:
        """The array on a device; gradients flow through it.

        Parameters
        ----------
        device : torch.device or str
            The device.
        stream : None
            The current stream; another one is not supported.

        Returns
        -------
        ndarray
            A copy, or the array itself if it lives there.

        Raises
        ------
        ValueError
            For something that is no device, or a ``stream``.

        Examples
        --------
        >>> import numpy_shim as np
        >>> np.array([1, 2]).to_device("cpu")
        array([1, 2])
        """
        if stream is not None:
            raise ValueError("The stream argument in to_device() is not supported")
        device = normalize_device("to_device", device)
        t = self._tensor
        if t.device == device:
            return self
        return _own(self, t.to(device))

    def conjugate(self: ndarray, out: ndarray | None = None, /) -> ndarray:
        """The complex conjugates.

        Parameters
        ----------
        out : ndarray, optional
            Where the result is written; it is returned.

        Returns
        -------
        ndarray
            In the dtype of the array; the array itself if it is real.

        Raises
        ------
        TypeError
            For an ``out`` whose dtype cannot hold the result.
        ValueError
            For an ``out`` whose shape does not fit.

        Examples
        --------
        >>> import numpy_shim as np
        >>> np.array([1 + 2j]).conjugate()
        array([1.-2.j])
        """
        t = self._tensor
        made = torch.conj_physical(t) if t.is_complex() else t
        if out is None:
            return self if made is t else _own(self, made)
        check_cast(
            "conjugate: out", t.dtype, target_of("conjugate", out)._tensor.dtype, "same_kind"
        )
        out[...] = array_of(made)
        return out

    def conj(self: ndarray, out: ndarray | None = None, /) -> ndarray:
        """The complex conjugates: another name of ``conjugate``.

        Parameters
        ----------
        out : ndarray, optional
            Where the result is written; it is returned.

        Returns
        -------
        ndarray
            In the dtype of the array; the array itself if it is real.

        Raises
        ------
        TypeError
            For an ``out`` whose dtype cannot hold the result.
        ValueError
            For an ``out`` whose shape does not fit.

        Examples
        --------
        >>> import numpy_shim as np
        >>> np.array([1 + 2j]).conj()
        array([1.-2.j])
        """
        return self.conjugate(out)


def _general_astype(
    a: ndarray, wanted: torch.dtype, order: str | None, casting: str, copy: bool
) -> ndarray:
    t = a._tensor
    if casting not in CASTABLE and casting != "same_value":
        raise ValueError(
            "astype: casting must be one of 'no', 'equiv', 'safe', 'same_kind', 'unsafe', "
            f"'same_value' (got {casting!r})"
        )
    if isinstance(copy, _CopyMode):
        raise ValueError("astype: the _CopyMode enum is not allowed; use True or False instead")
    keep = casting == "same_value"
    check_cast("astype", t.dtype, wanted, "unsafe" if keep else casting)
    if t.is_complex() and not wanted.is_complex and wanted is not torch.bool:
        warn(
            "astype: casting complex values to real discards the imaginary part",
            ComplexWarning,
            stacklevel=3,
        )
    if wanted is t.dtype:
        if not copy and lies(t, order_of("astype", order, "K")):
            return a
        return _own(a, _laid_out("astype", t, order, t))
    try:
        made = cast(t, wanted)
    except RuntimeError as error:  # no memory for it
        translate("astype", error)
    if keep and not keeps_values(t, made):
        raise ValueError(
            f"astype: could not cast 'same_value' from {NUMPY[t.dtype]} to {NUMPY[wanted]}"
        )
    if order != "K":
        made = _laid_out("astype", made, order, t)
    return _own(a, made)
