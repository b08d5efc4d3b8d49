"""The array object: ``Array``, its attributes and conversions.

``_operators.py`` adds the operators and is imported last: they are built by
factories that need this class.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Enum
from types import EllipsisType, ModuleType
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

import torch

from . import _flags, _interchange, _printing
from ._core import dtypes
from ._core.box import TensorBox, _box_bits, box, boxed, send_by_value
from ._torch.internals import register_class

Scalar: TypeAlias = "bool | int | float | complex"
Index: TypeAlias = "int | slice | EllipsisType | Array | None"
Key: TypeAlias = "Index | tuple[Index, ...]"


class Array(TensorBox):
    """An array of the standard, over one torch tensor.

    Arrays are made by the creation functions (``asarray``, ``zeros``, …), never by calling
    this class: it takes no arguments, and what a call makes is empty until a function fills
    it (a constructor that refused would cost every call). ``xp_torch.asarray(tensor)``
    wraps a tensor and ``xp_torch.to_torch(x)`` gives it back; both share memory and keep the
    gradient.
    """

    __slots__ = ()

    __array_priority__ = 1000
    """NumPy's operators leave the word to those of ``Array``, as they do for torch's tensors.

    ``numpy_array + x`` would be a NumPy array otherwise, without a word. With
    ``__array_ufunc__ = None`` NumPy's functions would refuse an ``Array`` as well.
    """

    __hash__ = None  # type: ignore[assignment]

    @property
    def dtype(self) -> torch.dtype:
        """The dtype of the elements, a ``torch.dtype``.

        Examples
        --------
        >>> import xp_torch as xp
        >>> xp.asarray([1, 2]).dtype
        torch.int64
        """
        return self._tensor.dtype

    @property
    def device(self) -> torch.device:
        """The device the data resides on.

        Examples
        --------
        >>> import xp_torch as xp
        >>> xp.asarray([1, 2], device="cpu").device
        device(type='cpu')
        """
        return self._tensor.device

    @property
    def ndim(self) -> int:
        """The number of dimensions.

        Examples
        --------
        >>> import xp_torch as xp
        >>> xp.zeros((2, 3)).ndim
        2
        """
        return self._tensor.ndim

    @property
    def shape(self) -> tuple[int, ...]:
        """The size of each dimension, a plain tuple.

        Examples
        --------
        >>> import xp_torch as xp
        >>> xp.zeros((2, 3)).shape
        (2, 3)
        """
        return tuple(self._tensor.shape)

    @property
    def size(self) -> int:
        """The number of elements.

        Examples
        --------
        >>> import xp_torch as xp
        >>> xp.zeros((2, 3)).size
        6
        """
        return self._tensor.numel()

    @property
    def mT(self) -> Array:  # noqa: N802
        """The matrix transpose: the last two dimensions swapped, a view.

        Raises
        ------
        ValueError
            For fewer than two dimensions.

        Examples
        --------
        >>> import xp_torch as xp
        >>> xp.zeros((4, 2, 3)).mT.shape
        (4, 3, 2)
        """
        if self._tensor.ndim < 2:
            raise ValueError(
                f"mT: the array must have at least 2 dimensions, not {self._tensor.ndim}"
            )
        return box(Array, self._tensor.mT)

    @property
    def T(self) -> Array:  # noqa: N802
        """The transpose of a two-dimensional array, a view.

        Raises
        ------
        ValueError
            For any other number of dimensions; use ``mT`` or ``permute_dims`` there.

        Examples
        --------
        >>> import xp_torch as xp
        >>> xp.zeros((2, 3)).T.shape
        (3, 2)
        """
        if self._tensor.ndim != 2:
            raise ValueError(
                f"T: the array must have 2 dimensions, not {self._tensor.ndim}; "
                "use mT for stacks of matrices and permute_dims for other transposes"
            )
        return box(Array, self._tensor.mT)

    def __array_namespace__(self, /, *, api_version: str | None = None) -> ModuleType:
        """The namespace ``xp_torch``, or its view with the names of another version.

        Raises ``ValueError`` for a version of the standard that there is not. Without
        ``api_version`` it is the one in force (``xp_torch.flags`` sets it).
        """
        return _flags.namespace(api_version)

    def to_device(self, device: torch.device | str, /, *, stream: int | Any | None = None) -> Array:
        """The array on another device; the gradient flows through the copy.

        Parameters
        ----------
        device : torch.device or str
            The device.
        stream : torch.cuda.Stream or int, optional
            The stream (or its integer handle) on which the copy is enqueued; by default torch's
            current stream.

        Returns
        -------
        Array
            A copy, or the array itself if it is there already.

        Raises
        ------
        ValueError
            For a device that this machine does not have.

        Examples
        --------
        >>> import xp_torch as xp
        >>> xp.asarray([1, 2]).to_device("cpu").device
        device(type='cpu')
        """
        moved = _interchange.to_device(self._tensor, device, stream)
        return self if moved is None else box(Array, moved)

    def __dlpack__(
        self,
        /,
        *,
        stream: int | Any | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[Enum, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        """A DLPack capsule of the array, for ``from_dlpack``.

        ``max_version`` is the newest DLPack version the consumer takes, ``dl_device`` the
        device it wants the data on, ``copy`` whether to copy (``None``: only if needed).
        Raises ``BufferError`` when that cannot be had, such as ``copy=False`` to another
        device.
        """
        return _interchange.to_dlpack(self._tensor, stream, max_version, dl_device, copy)

    def __dlpack_device__(self, /) -> tuple[Enum, int]:
        """The DLPack device type and the device's index.

        Raises ``BufferError`` for an array on the ``meta`` device, which has no data.
        """
        return _interchange.dlpack_device(self._tensor)

    def __bool__(self) -> bool:
        """The value of a 0-D array as a bool. Synchronises with the device."""
        return bool(self._item("bool"))

    def __int__(self) -> int:
        """The value of a 0-D real array as an int. Synchronises with the device."""
        if self._tensor.dtype.is_complex:
            raise TypeError("int: a complex array cannot be converted to int")
        return int(self._item("int"))

    def __float__(self) -> float:
        """The value of a 0-D real array as a float. Synchronises with the device."""
        if self._tensor.dtype.is_complex:
            raise TypeError("float: a complex array cannot be converted to float")
        return float(self._item("float"))

    def __complex__(self) -> complex:
        """The value of a 0-D array as a complex. Synchronises with the device."""
        return complex(self._item("complex"))

    def __index__(self) -> int:
        """The value of a 0-D integer array as an int. Synchronises with the device."""
        if self._tensor.dtype not in dtypes.INTEGER.dtypes or self._tensor.ndim != 0:
            raise TypeError("only 0-D integer arrays can be used as an index")
        return int(self._item("index"))

    def _item(self, name: str) -> Any:
        if self._tensor.ndim != 0:
            raise TypeError(
                f"{name}: only a 0-D array can be converted, not one of shape {self.shape}"
            )
        if self._tensor.is_meta:
            raise ValueError(f"{name}: an array on the meta device has no value")
        return self._tensor.item()

    def __iter__(self) -> Iterator[Array]:
        """Iterate over a one-dimensional array; the standard defines no other iteration."""
        if self._tensor.ndim != 1:
            raise TypeError(
                f"iter: only a 1-D array can be iterated over, not one of shape {self.shape}; "
                "use unstack"
            )
        return iter([box(Array, t) for t in self._tensor.unbind(0)])

    def __repr__(self) -> str:
        return _printing.array_repr(self._tensor)

    def __array__(self, dtype: object = None, copy: bool | None = None) -> Any:
        """The values as a NumPy array, for ``numpy.asarray(x)`` and NumPy's functions.

        Raises ``TypeError`` for an array on another device than the CPU, or one that needs a
        gradient: nothing is moved or lost in passing.
        """
        return _interchange.to_numpy(self._tensor, dtype, copy)

    @classmethod
    def __torch_function__(
        cls, func: Callable[..., Any], types: object, args: object = (), kwargs: object = None
    ) -> NoReturn:
        name = getattr(func, "__name__", repr(func))
        raise TypeError(
            f"torch function {name} does not take xp_torch arrays; use the function of the "
            "xp_torch namespace, or convert with xp_torch.to_torch(x)"
        )

    if TYPE_CHECKING:  # added to the class by _operators.py

        def __getitem__(self, key: Key, /) -> Array: ...
        def __setitem__(self, key: Key, value: Array | Scalar, /) -> None: ...
        def __add__(self, other: Array | Scalar, /) -> Array: ...
        def __radd__(self, other: Array | Scalar, /) -> Array: ...
        def __iadd__(self, other: Array | Scalar, /) -> Array: ...
        def __sub__(self, other: Array | Scalar, /) -> Array: ...
        def __rsub__(self, other: Array | Scalar, /) -> Array: ...
        def __isub__(self, other: Array | Scalar, /) -> Array: ...
        def __mul__(self, other: Array | Scalar, /) -> Array: ...
        def __rmul__(self, other: Array | Scalar, /) -> Array: ...
        def __imul__(self, other: Array | Scalar, /) -> Array: ...
        def __truediv__(self, other: Array | Scalar, /) -> Array: ...
        def __rtruediv__(self, other: Array | Scalar, /) -> Array: ...
        def __itruediv__(self, other: Array | Scalar, /) -> Array: ...
        def __floordiv__(self, other: Array | float, /) -> Array: ...
        def __rfloordiv__(self, other: Array | float, /) -> Array: ...
        def __ifloordiv__(self, other: Array | float, /) -> Array: ...
        def __mod__(self, other: Array | float, /) -> Array: ...
        def __rmod__(self, other: Array | float, /) -> Array: ...
        def __imod__(self, other: Array | float, /) -> Array: ...
        def __pow__(self, other: Array | Scalar, /) -> Array: ...
        def __rpow__(self, other: Array | Scalar, /) -> Array: ...
        def __ipow__(self, other: Array | Scalar, /) -> Array: ...
        def __matmul__(self, other: Array, /) -> Array: ...
        def __rmatmul__(self, other: Array, /) -> Array: ...
        def __imatmul__(self, other: Array, /) -> Array: ...
        def __and__(self, other: Array | int, /) -> Array: ...
        def __rand__(self, other: Array | int, /) -> Array: ...
        def __iand__(self, other: Array | int, /) -> Array: ...
        def __or__(self, other: Array | int, /) -> Array: ...
        def __ror__(self, other: Array | int, /) -> Array: ...
        def __ior__(self, other: Array | int, /) -> Array: ...
        def __xor__(self, other: Array | int, /) -> Array: ...
        def __rxor__(self, other: Array | int, /) -> Array: ...
        def __ixor__(self, other: Array | int, /) -> Array: ...
        def __lshift__(self, other: Array | int, /) -> Array: ...
        def __rlshift__(self, other: Array | int, /) -> Array: ...
        def __ilshift__(self, other: Array | int, /) -> Array: ...
        def __rshift__(self, other: Array | int, /) -> Array: ...
        def __rrshift__(self, other: Array | int, /) -> Array: ...
        def __irshift__(self, other: Array | int, /) -> Array: ...
        def __lt__(self, other: Array | float, /) -> Array: ...
        def __le__(self, other: Array | float, /) -> Array: ...
        def __gt__(self, other: Array | float, /) -> Array: ...
        def __ge__(self, other: Array | float, /) -> Array: ...
        def __eq__(self, other: Array | Scalar, /) -> Array: ...  # type: ignore[override]
        def __ne__(self, other: Array | Scalar, /) -> Array: ...  # type: ignore[override]
        def __abs__(self, /) -> Array: ...
        def __neg__(self, /) -> Array: ...
        def __pos__(self, /) -> Array: ...
        def __invert__(self, /) -> Array: ...


def _closed(leaf: Any) -> Array:
    """An array of what a transform puts in place of its tensor; not always a tensor.

    An array in that place is the derivative of an array by an array, and is the whole result.
    """
    if isinstance(leaf, Array):
        return leaf
    if isinstance(leaf, torch.Tensor):
        return box(Array, leaf)
    out = object.__new__(Array)
    out._tensor = leaf
    return out


send_by_value(Array)
register_class(Array, lambda x: x._tensor, _closed, "xp_torch.Array")
torch.serialization.add_safe_globals([boxed, _box_bits, Array])  # for torch.load
