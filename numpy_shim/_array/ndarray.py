"""``ndarray``: a torch tensor with NumPy's interface.

This file defines the class and the functions that make arrays; ``_members`` installs its
attributes, methods and operators. There are no subclasses: the fast paths only check that
``type(x) is ndarray``, and a class that a program derives from it derives from NumPy's. Special
properties of an array (axes that run backwards, memory that may not be written to) belong to its
tensor, see ``views``. The scalars are siblings.
"""

from __future__ import annotations

import inspect
from functools import update_wrapper
from types import FunctionType, GenericAlias, new_class
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import numpy
import torch
from torch import Tensor
from torch.compiler import is_dynamo_compiling

from xp_torch._core import box as _box
from xp_torch._core.box import TensorBox
from xp_torch._torch.internals import (
    FORWARD_LEVEL,
    count_modes,
    forward_mode,
    is_transformed,
    transform_level,
)

from .._base.docs import of_method
from .._base.dtypes import NUMPY
from .._base.release import NEW_IS_FOLLOWED
from .._base.scalar_types import FROM_PYTHON
from .._kernels.backwards import as_guarded, values
from .asking import asking, wants_own

if TYPE_CHECKING:
    from typing import Generic

    from typing_extensions import TypeVar as Defaulted

    from .members import Hung

    _Shape = Defaulted("_Shape", default=Any)
    _DType = Defaulted("_DType", default=Any)

    class _Base(Hung, TensorBox, Generic[_Shape, _DType]):
        """As type checkers see it: ``ndarray[shape, dtype]``, neither of which is checked."""

        __slots__ = ()
else:
    _Shape = _DType = Any

    class _Parameters:
        def __getitem__(self, parameters: object) -> type:
            return TensorBox

    _Base = _Parameters()


_A = TypeVar("_A")


def new(cls: type[_A], /) -> _A:
    """An array without the constructor. What makes one sets ``_tensor`` and ``_flat_dtype``."""
    return object.__new__(cls)


if NEW_IS_FOLLOWED:
    new = object.__new__


class _AnyArray(_Base[_Shape, _DType]):
    """The base of ``ndarray`` and the scalars; methods and operators are installed here.

    They are siblings as in NumPy, where a scalar is no ``ndarray``.
    """

    __slots__ = ()

    _tensor: Tensor
    _flat_dtype: torch.dtype | None = None

    __hash__ = None  # type: ignore[assignment]
    __array_priority__ = 1000.0
    if not TYPE_CHECKING:
        __class_getitem__ = classmethod(lambda cls, parameters: cls)

    @property
    def tensor(self) -> Tensor:
        """The torch tensor that this array holds; not a copy, so they share writes.

        It is a copy for an array that runs backwards, since torch has no such tensors.

        Notes
        -----
        Source: none of NumPy's; ``torch.Tensor`` is what it gives.

        Examples
        --------
        >>> import numpy_shim as np
        >>> np.array([1, 2]).tensor
        tensor([1, 2])
        """
        return values(self._tensor)

    @property
    def dtype(self) -> numpy.dtype[Any]:
        """The dtype of the elements, NumPy's own object.

        Raises
        ------
        TypeError
            For a new dtype that is not one of torch's.
        ValueError
            For a new dtype whose size does not divide the memory of the last axis.

        Examples
        --------
        >>> import numpy_shim as np
        >>> np.array([1, 2]).dtype
        dtype('int64')
        """
        return NUMPY[self._tensor.dtype]

    @dtype.setter
    def dtype(self, dtype: Any) -> None:
        if type(self) is not ndarray:
            raise AttributeError("dtype: that of a scalar cannot be set; use astype() or view()")
        view = self.view(dtype)
        if type(view) is not ndarray:
            raise TypeError(f"dtype: torch has no storage for {view.dtype}; use view()")
        self._tensor = view._tensor
        self._flat_dtype = view._flat_dtype

    @property
    def device(self) -> torch.device:
        """The device of the elements.

        Examples
        --------
        >>> import numpy_shim as np
        >>> np.array([1, 2], device="cpu").device
        device(type='cpu')
        """
        return self._tensor.device

    @property
    def ndim(self) -> int:
        """The number of axes.

        Examples
        --------
        >>> import numpy_shim as np
        >>> np.zeros((2, 3)).ndim
        2
        """
        return self._tensor.dim()

    @property
    def size(self) -> int:
        """The number of elements.

        Examples
        --------
        >>> import numpy_shim as np
        >>> np.zeros((2, 3)).size
        6
        """
        return self._tensor.numel()


if TYPE_CHECKING:
    _Kind = type
else:

    class _OfPrograms(numpy.ndarray):
        """The base of subclasses: NumPy's class, whose memory may be given by an array of ours."""

        __slots__ = ()
        __module__, __qualname__ = "numpy", "ndarray"

        def __new__(
            cls,
            shape: Any,
            dtype: Any = float,
            buffer: Any = None,
            offset: int = 0,
            strides: Any = None,
            order: str | None = None,
        ) -> numpy.ndarray[Any, Any]:
            if isinstance(buffer, _AnyArray):  # it has no buffer before Python 3.12
                buffer = numpy.asarray(buffer)
            return super().__new__(cls, shape, dtype, buffer, offset, strides, order)

    class _Kind(type):
        """The class of ``ndarray``: an array of NumPy's, which libraries give, is one too.

        Whether an array is over a tensor is asked by ``type(x) is ndarray``. A class statement
        with ``ndarray`` as a base makes a subclass of NumPy's, with all that NumPy has for it.
        """

        def __new__(
            mcs, name: str, bases: tuple[type, ...], namespace: dict[str, object], **options: object
        ) -> type:
            derived = tuple(_OfPrograms if type(b) is _Kind else b for b in bases)
            if derived == bases:
                return super().__new__(mcs, name, bases, namespace)
            return new_class(name, derived, options, lambda body: body.update(namespace))

        def __instancecheck__(cls, x: object) -> bool:
            kind = type(x)
            return kind is cls or issubclass(kind, numpy.ndarray)

        def __subclasscheck__(cls, kind: type) -> bool:
            return kind is cls or issubclass(kind, numpy.ndarray)

        def __eq__(cls, other: object) -> bool:
            """Whether ``other`` is this class, or NumPy's of its name for those who ask for that.

            Libraries have tables by type, and find there what is registered for either class:
            what compiled code gives is of NumPy's. See ``asking`` for who is told the truth.
            """
            return other is cls or (other is numpy.ndarray and not wants_own(asking(1)))

        # Not a function of Python's: it would cost a call wherever a type is looked up.
        __hash__ = type.__hash__.__get__(numpy.ndarray)


class ndarray(_AnyArray[_Shape, _DType], metaclass=_Kind):
    """A multidimensional array over one torch tensor.

    Usually made by ``array``, ``zeros`` and similar functions. The constructor is NumPy's: it
    makes an array that is not initialised, or one on the memory of ``buffer``.

    Parameters
    ----------
    shape : int or tuple of ints
        The number of elements along each axis.
    dtype : dtype
        The dtype of the elements.
    buffer : bytes-like, optional
        An object whose memory the array is to use; a read-only one is copied and the array
        is read-only.
    offset : int
        Where in the buffer the first element is, in bytes.
    strides : tuple of ints, optional
        How far neighbours along each axis are from each other, in bytes; an axis whose stride
        is negative runs backwards.
    order : {'C', 'F'}, optional
        Row by row or column by column, where there are no ``strides``.

    Raises
    ------
    ValueError
        For a negative size.
    TypeError
        For a shape that is not of integers, for a dtype that does not exist, and for a buffer that
        is too small or is not an object with memory.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.ndarray((2, 2), np.uint8, bytearray(b"abcd"))
    array([[ 97,  98],
           [ 99, 100]], dtype=uint8)
    """

    __slots__ = ("_base", "_flat_dtype", "_host")

    _flat_dtype: torch.dtype | None
    """The tensor's dtype, ``None`` if it has no axes: what the flat paths look functions up by.

    Everything that sets ``_tensor`` sets it. A flat path asks for it in place of the dtype and the
    number of axes of tensors, which together cost a tenth of a small call.
    """
    _host: tuple[Tensor, Tensor, Any, int, Any, int, tuple[Tensor]]  # see ``host_view``
    _base: Any  # the array that owns a view's memory, or the object it was taken from

    @classmethod
    def _boxed(cls, tensor: Tensor) -> ndarray:
        return array_of(tensor)

    if not TYPE_CHECKING:
        __class_getitem__ = classmethod(GenericAlias)

        @property
        def __class__(self) -> type:
            """``numpy.ndarray`` for libraries' ``isinstance``, see ``asking``."""
            return ndarray if wants_own(asking(1)) else numpy.ndarray

    if TYPE_CHECKING:

        def __new__(
            cls,
            shape: Any,
            dtype: Any = float,
            buffer: Any = None,
            offset: int = 0,
            strides: Any = None,
            order: str | None = None,
        ) -> ndarray: ...


if TYPE_CHECKING:
    AnyArray: TypeAlias = ndarray
    """An array or a scalar. To type checkers both are ``ndarray``: most functions give either."""
else:
    AnyArray = _AnyArray

ndarray.__module__ = "numpy_shim"  # the public module

ARRAYS = (TensorBox, Tensor, numpy.ndarray, numpy.generic)
"""The classes of arrays and scalars that can be read without a lookup: ours and others'."""

SCALAR_TYPES: dict[torch.dtype, type[ndarray]] = {}
"""The class of tensor scalars for each torch dtype; ``scalars`` fills the table."""


def array_of(tensor: Tensor, dtype: torch.dtype | None = None) -> ndarray:
    """``tensor`` as an ``ndarray``, 0-D too, sharing its memory.

    ``dtype`` is that of the tensor, where the caller knows it and that the tensor has axes.
    """
    if tensor.get_device() >= 0:  # a constant in a trace
        _box.note_device()
    out = new(ndarray)
    out._tensor = tensor
    out._flat_dtype = dtype or (tensor.dtype if tensor.ndim else None)
    return out


def scalar(tensor: Tensor, dtype: torch.dtype | None = None) -> ndarray:
    """A 0-D result as a scalar: NumPy's own where the value can be read on the CPU.

    It is a tensor scalar on another device, in a trace, or if it needs a gradient. ``dtype`` is
    that of the tensor, where the caller knows it.
    """
    # ``is_transformed`` in parts: a call of it would cost as much as two of them.
    if (
        is_dynamo_compiling()
        or type(tensor) is not Tensor
        or (_box.several_devices and not tensor.is_cpu)
        or tensor.requires_grad
        or transform_level() is not None
        or forward_mode[FORWARD_LEVEL] >= 0
        or (count_modes() and is_transformed())
    ):
        return tensor_scalar(tensor)
    try:
        return FROM_PYTHON[dtype or tensor.dtype](tensor.item())  # type: ignore[return-value]
    except RuntimeError:
        if tensor.is_cpu:
            raise
        return tensor_scalar(tensor)  # a user's tensor on the device meta


def tensor_scalar(tensor: Tensor) -> ndarray:
    """A 0-D tensor as a scalar that stays a tensor."""
    out = new(SCALAR_TYPES[tensor.dtype])
    out._tensor = tensor
    return out


def wrap(tensor: Tensor) -> ndarray:
    """A result: an ``ndarray``, or a scalar where it has no axes."""
    if tensor.dim():
        out = new(ndarray)
        out._tensor = tensor
        out._flat_dtype = tensor.dtype
        return out
    return scalar(tensor)


def view_of(base: ndarray, tensor: Tensor) -> ndarray:
    """A view: an array on part of the memory of ``base``, read-only if ``base`` is.

    A scalar ``base`` gives a scalar if the result has no axes, else an array with its own memory.
    """
    if type(base) is not ndarray:
        return array_of(tensor.clone()) if tensor.dim() else wrap(tensor)
    t = base._tensor
    out = new(ndarray)
    # The base is the owner, so that views do not keep a chain of views alive. Whether torch knows
    # the tensor as a view is cheaper to ask than whether a slot is filled.
    if type(t) is Tensor:
        out._tensor = tensor
        out._base = base if t._base is None else getattr(base, "_base", base)
    else:
        out._tensor = as_guarded(tensor, t)
        out._base = getattr(base, "_base", base)
    out._flat_dtype = tensor.dtype if tensor.ndim else None
    return out


def add_members(target: type, source: type) -> None:
    """Install the members of ``source`` in a class: properties, methods, functions as methods."""
    for name, value in vars(source).items():
        if isinstance(value, FunctionType):
            own = (
                value.__module__ == source.__module__
                or value.__qualname__ == f"ndarray.{name}"  # made as a method of this name
            )
            method = value if own else _as_method(value)
            method.__name__ = name
            method.__qualname__ = f"ndarray.{name}"
            method.__module__ = "numpy_shim"
            setattr(target, name, method)
        elif hasattr(value, "__get__"):
            setattr(target, name, value)


def _as_method(function: FunctionType) -> FunctionType:
    """A function of an array under another name and signature: its first argument is ``self``.

    It has the same code, so that a method costs no more than the function.
    """
    method = FunctionType(
        function.__code__, function.__globals__, function.__name__,
        function.__defaults__, function.__closure__,
    )  # fmt: skip
    update_wrapper(method, function)
    del method.__wrapped__  # type: ignore[attr-defined]
    method.__kwdefaults__ = function.__kwdefaults__
    signature = inspect.signature(function)
    first, *rest = signature.parameters.values()
    method.__doc__ = of_method(function.__doc__ or "", first.name)
    first = first.replace(name="self", kind=inspect.Parameter.POSITIONAL_ONLY)
    method.__signature__ = signature.replace(parameters=[first, *rest])  # type: ignore[attr-defined]
    return method
