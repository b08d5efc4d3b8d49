"""The attributes of ``ndarray`` that differ from the tensor's."""

# The properties below are written as members of ndarray, in which they are installed.
# mypy: disable-error-code="misc, no-redef"

from __future__ import annotations

import math
import operator
import warnings
from typing import Any

import numpy
import torch
from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._array import views
from .._array.flags import flagsobj
from .._array.host_view import kept_view
from .._array.ndarray import AnyArray, array_of, ndarray, new, view_of
from .._array.scalars import TensorScalar
from .._base.axes import normalize_shape
from .._base.release import PARTS_TAKE_ELEMENTS
from .._base.tracing import caller
from .._convert.arguments import as_array
from .._convert.to_numpy import memory_of, shared
from .._indexing.flat import flatiter
from ..lib.stride_tricks import as_strided


class Attributes:
    """Properties; see ``ndarray``."""

    __slots__ = ()

    _tensor: Tensor

    @property
    def shape(self: ndarray) -> tuple[int, ...]:
        """The number of elements along each axis.

        A new shape may be assigned; one size may be -1.

        Examples
        --------
        >>> import numpy_shim as np
        >>> np.zeros((2, 3)).shape
        (2, 3)
        """
        return tuple(self._tensor.shape)

    @shape.setter
    def shape(self: ndarray, shape: object) -> None:
        made = views.reshaped(self, _resolved(shape, self.size))
        if made is None:
            raise AttributeError(
                "shape: incompatible shape for in-place modification; use `.reshape()` to make a "
                "copy with the desired shape"
            )
        self._tensor = made._tensor
        self._flat_dtype = made._flat_dtype

    @property
    def strides(self: ndarray) -> tuple[int, ...]:
        """How far neighbours along each axis are from each other, in bytes.

        New strides may be assigned, with a ``DeprecationWarning``.

        Examples
        --------
        >>> import numpy_shim as np
        >>> np.zeros((2, 3)).strides
        (24, 8)
        """
        size = self._tensor.itemsize
        return tuple([size * s for s in views.strides_of(self)])

    @strides.setter
    def strides(self: ndarray, strides: object) -> None:

        if isinstance(self, TensorScalar):
            raise AttributeError("strides: those of a scalar cannot be set")
        warnings.warn(_SETTING_STRIDES, DeprecationWarning, stacklevel=caller())
        try:
            steps = _integers(strides)
        except TypeError:
            raise TypeError(f"strides: invalid strides {strides!r}") from None
        self._tensor = as_strided(self, self.shape, steps)._tensor  # of the same shape and dtype

    @property
    def itemsize(self: ndarray) -> int:
        """The size of one element in bytes.

        Examples
        --------
        >>> import numpy_shim as np
        >>> np.zeros(3).itemsize
        8
        """
        return self._tensor.itemsize

    @property
    def nbytes(self: ndarray) -> int:
        """The size of all elements in bytes.

        Examples
        --------
        >>> import numpy_shim as np
        >>> np.zeros(3).nbytes
        24
        """
        t = self._tensor
        return t.numel() * t.itemsize

    @property
    def base(self: ndarray) -> Any:
        """The array that this is a view of, or the object that the memory was taken from.

        ``None`` for an array that has its own memory.

        Examples
        --------
        >>> import numpy_shim as np
        >>> a = np.zeros(3)
        >>> a[1:].base is a
        True
        """
        owner: Any = getattr(self, "_base", None)
        while isinstance(owner, AnyArray):
            further: Any = getattr(owner, "_base", None)
            if not isinstance(further, AnyArray):
                break
            owner = further
        return owner

    @property
    def flags(self: ndarray) -> flagsobj:
        """How the array lies in memory, and whether it may be written to.

        Examples
        --------
        >>> import numpy_shim as np
        >>> np.zeros(3).flags.writeable
        True
        """
        return flagsobj(self)

    @property
    def data(self: ndarray) -> memoryview:
        """The memory as a buffer; on the CPU only.

        Raises
        ------
        TypeError
            For an array on a device, unless ``allow_implicit_host_copy`` is set.
        ValueError
            For bfloat16, which the buffer protocol does not know.

        Examples
        --------
        >>> import numpy_shim as np
        >>> np.zeros(3).data.nbytes
        24
        """
        return memoryview(shared("data", self))  # type: ignore[arg-type]

    @property
    def ctypes(self: ndarray) -> Any:
        """The memory for ``ctypes``: ``a.ctypes.data`` and ``a.ctypes.data_as(...)``, on the CPU.

        The result holds on to the memory. What C code writes there, autograd does not hear of.

        Raises
        ------
        AttributeError
            For an array on a device.

        Examples
        --------
        >>> import numpy_shim as np
        >>> a = np.zeros(3)
        >>> a.ctypes.data == a.tensor.data_ptr()
        True
        """
        if not self._tensor.is_cpu:
            raise AttributeError(f"ctypes: the array is on {self._tensor.device}, not on the CPU")
        return shared("ctypes", self).ctypes

    @property
    def T(self: ndarray) -> ndarray:  # noqa: N802
        """The view with its axes in the other order.

        Examples
        --------
        >>> import numpy_shim as np
        >>> np.zeros((2, 3)).T.shape
        (3, 2)
        """
        t = self._tensor
        if type(t) is Tensor and type(self) is ndarray:
            ndim = t.dim()
            if ndim == 2:
                out = new(ndarray)  # view_of, inlined
                # as in views.exchanged
                out._tensor = t.transpose(0, 1) if is_dynamo_compiling() else t.mT
                out._flat_dtype = self._flat_dtype
                out._base = self if t._base is None else getattr(self, "_base", self)
                return out
            return view_of(self, torch.permute(t, tuple(range(ndim - 1, -1, -1))))
        return views.transposed(self, range(self.ndim - 1, -1, -1))

    @property
    def mT(self: ndarray) -> ndarray:  # noqa: N802
        """The view with its last two axes exchanged.

        Examples
        --------
        >>> import numpy_shim as np
        >>> np.zeros((4, 2, 3)).mT.shape
        (4, 3, 2)
        """
        t = self._tensor
        if type(t) is Tensor and t.dim() >= 2:
            return view_of(self, views.exchanged(t))
        ndim = self.ndim
        if ndim < 2:
            raise ValueError(f"mT: matrix transpose with ndim < 2 is undefined, and ndim is {ndim}")
        return views.transposed(self, [*range(ndim - 2), ndim - 1, ndim - 2])

    @property
    def real(self: ndarray) -> ndarray:
        """The real parts, as a view; may be assigned to.

        Examples
        --------
        >>> import numpy_shim as np
        >>> np.array([1 + 2j]).real
        array([1.])
        """
        return views.real_part(self) if self._tensor.is_complex() else self

    @real.setter
    def real(self: ndarray, value: object) -> None:
        views.real_part(self)[...] = _whole("real", value)

    @property
    def imag(self: ndarray) -> ndarray:
        """The imaginary parts, as a view; read-only zeros for a real array.

        May be assigned to; ``TypeError`` for a real array.

        Examples
        --------
        >>> import numpy_shim as np
        >>> np.array([1 + 2j]).imag
        array([2.])
        """
        if self._tensor.is_complex():
            return views.imaginary_part(self)
        zeros = torch.zeros_like(self._tensor)
        return view_of(self, zeros) if isinstance(self, TensorScalar) else views.locked(zeros)

    @imag.setter
    def imag(self: ndarray, value: object) -> None:
        if not self._tensor.is_complex():
            raise TypeError("imag: array does not have imaginary part to set")
        views.imaginary_part(self)[...] = _whole("imag", value)

    @property
    def flat(self: ndarray) -> flatiter:
        """The elements in row-major order, to loop over, to index and to assign to.

        Examples
        --------
        >>> import numpy_shim as np
        >>> np.array([[1, 2], [3, 4]]).flat[2]
        np.int64(3)
        """
        if isinstance(self, TensorScalar):  # its value cannot change
            return flatiter(array_of(self._tensor.clone()))
        return flatiter(self)

    @flat.setter
    def flat(self: ndarray, value: Any) -> None:
        if isinstance(self, TensorScalar):
            raise AttributeError("attribute 'flat' of 'numpy.generic' objects is not writable")
        flatiter(self)[...] = value

    @property
    def __array_interface__(self: ndarray) -> dict[str, Any]:
        """NumPy's description of the memory.

        For an array on a device it describes a copy, where such copies are allowed. Otherwise that
        is an ``AttributeError``, and so is bfloat16, for which the description has no name: NumPy
        then asks ``__array__``.
        """
        t = self._tensor
        view = kept_view(self) if type(t) is Tensor and type(self) is ndarray else None
        if (
            view is not None
            and t.dtype is not torch.bfloat16
            and view.size
            and view.flags.c_contiguous
        ):
            code = view.dtype.str
            return {
                "data": view.data, "strides": view.strides, "descr": [("", code)],
                "typestr": code, "shape": view.shape, "version": 3,
            }  # fmt: skip
        if t.dtype is torch.bfloat16:
            raise AttributeError("__array_interface__: NumPy's descriptions have no bfloat16")
        try:
            host = shared("__array_interface__", self)
        except TypeError as error:  # hasattr() answers, and NumPy then asks ``__array__``
            if t.is_cpu:
                raise
            raise AttributeError(str(error)) from None
        if isinstance(self, TensorScalar) or t.is_conj() or t.is_neg():
            # The memory is a copy's. NumPy keeps the array alive, which does not own it.
            host = numpy.ascontiguousarray(host).reshape(host.shape)
        described = dict(host.__array_interface__)
        # Pillow asks for a buffer where there are no strides.
        described["strides"] = host.strides
        if host.size:
            # A buffer keeps the memory alive, and lets NumPy set the view writeable again, which
            # SciPy does with indices of sparse arrays; an address does neither.
            whole, offset = memory_of(host)
            described["data"] = whole
            if offset:
                described["offset"] = offset
        return described

    def _set_shape(self: ndarray, object: Any, /) -> None:
        """Assign to ``shape`` without the warning of NumPy 2.5."""
        self.shape = object

    def _set_dtype(self: ndarray, object: object, /) -> None:
        """Assign to ``dtype`` without the warning of NumPy 2.5."""
        self.dtype = object


def _whole(name: str, value: Any) -> Any:
    """The value as the array that NumPy casts; ints beyond 64 bits are unchanged."""
    if PARTS_TAKE_ELEMENTS:
        return value
    try:
        return as_array(name, value, "value")
    except (TypeError, OverflowError):
        return numpy.array(value) if isinstance(value, (str, bytes)) else value


_SETTING_STRIDES = (
    "Setting the strides on a NumPy array has been deprecated in NumPy 2.4.\n"
    "As an alternative, you can create a new view using np.lib.stride_tricks.as_strided."
)


def _integers(given: Any) -> list[int]:
    """One integer or several; ``TypeError`` for anything else."""
    try:
        return [operator.index(given)]
    except TypeError:
        return [operator.index(n) for n in given]


def _resolved(shape: object, size: int) -> tuple[int, ...]:
    """A shape with its -1 replaced by the size that fits."""
    sizes = _integers(shape)
    if -1 in sizes:
        unknown = sizes.index(-1)
        rest = math.prod(sizes[:unknown] + sizes[unknown + 1 :])
        if -1 in sizes[unknown + 1 :]:
            raise ValueError("shape: can only specify one unknown dimension")
        if rest and size % rest == 0:
            sizes[unknown] = size // rest
    if math.prod(sizes) != size:
        raise ValueError(f"shape: cannot reshape array of size {size} into shape {shape!r}")
    return normalize_shape("shape", tuple(sizes))
