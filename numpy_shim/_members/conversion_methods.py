"""The methods of ``ndarray`` that are not functions of the namespace: copies and conversions."""

# The methods below are written as members of ndarray, in which they are installed.
# mypy: disable-error-code="misc"

from __future__ import annotations

import operator
import os
import pickle
from typing import Any

import torch
from numpy import _CopyMode
from numpy.exceptions import ComplexWarning
from torch import Tensor

from xp_torch._core.devices import normalize_device
from xp_torch._core.errors import translate
from xp_torch._kernels.blocks import is_large
from xp_torch._mesh.dtensors import gathered

from .._array import views
from .._array.host_view import to_numpy
from .._array.layout import is_fortran, lies, order_of, reversed_axes
from .._array.ndarray import array_of, ndarray, new, wrap
from .._array.scalars import TensorScalar
from .._base.dtypes import CASTABLE, HALVES, NUMPY, HostDtypeError, torch_dtype
from .._base.fast_tables import fast_table
from .._base.tracing import warn
from .._convert.arguments import check_cast
from .._functions.io import written
from .._host import crossings
from .._host.numpy_calls import call_method
from .._kernels.backwards import copied
from .._kernels.casting import cast, keeps_values
from .._ufunc.call import target_of


def own_kind(a: ndarray, tensor: Tensor) -> ndarray:
    """A result of the kind of ``a``: a scalar for a scalar, an array for an array."""
    return wrap(tensor) if isinstance(a, TensorScalar) else array_of(tensor)


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


_REAL = fast_table({dtype: dtype for dtype in NUMPY if not dtype.is_complex})
"""The dtypes that torch casts from as NumPy does."""


class Conversions:
    """Methods; see ``ndarray``."""

    __slots__ = ()

    _tensor: Tensor

    def astype(
        self: ndarray,
        /,
        dtype: object,
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

        Examples
        --------
        >>> import numpy_shim as np
        >>> np.array([1.7, -1.7]).astype(int)
        array([ 1, -1])
        """
        try:
            wanted = torch_dtype("astype", dtype)
        except HostDtypeError as error:
            return call_method(error, "astype", self, dtype, order, casting, copy=copy)
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
                elif (
                    t.dtype in _REAL
                    and wanted not in HALVES
                    and (t.dtype is not torch.bool or not is_large(t))
                ):
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
                out._tensor = copied(self._tensor)
            except RuntimeError as error:  # no memory for it
                translate("copy", error)
            out._flat_dtype = self._flat_dtype
            return out
        return own_kind(self, _laid_out("copy", self._tensor, order, self._tensor))

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
            return crossings.value(t, "item()")
        if len(args) == 1 and type(args[0]) is int and t.dim() == 1:
            try:
                return crossings.value(t[args[0]], "item()")
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
            return crossings.value(t.reshape(-1)[index], "item()")
        if len(indices) != t.dim():
            raise ValueError("item: incorrect number of indices for array")
        for axis, (index, size) in enumerate(zip(indices, t.shape, strict=True)):
            if not -size <= index < size:
                raise IndexError(
                    f"item: index {index} is out of bounds for axis {axis} with size {size}"
                )
        return crossings.value(t[tuple(indices)], "item()")

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

        Examples
        --------
        >>> import numpy_shim as np
        >>> np.array([97, 98], dtype=np.uint8).tobytes()
        b'ab'
        """
        wanted = order_of("tobytes", order, "C")
        in_columns = wanted == "F" or (wanted == "A" and views.lies_in_columns(self))
        t = gathered(self._tensor.detach()).resolve_conj().resolve_neg().cpu()
        return to_numpy(t).tobytes("F" if in_columns else "C")

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

    def to_device(self: ndarray, device: object, /, *, stream: object = None) -> ndarray:
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
        return own_kind(self, t.to(device))

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

        Examples
        --------
        >>> import numpy_shim as np
        >>> np.array([1 + 2j]).conjugate()
        array([1.-2.j])
        """
        t = self._tensor
        made = torch.conj_physical(t) if t.is_complex() else t
        if out is None:
            return self if made is t else wrap(made)
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
        )
    if wanted is t.dtype:
        if not copy and lies(t, order_of("astype", order, "K")):
            return a
        return own_kind(a, _laid_out("astype", t, order, t))
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
    return own_kind(a, made)
