"""``nditer`` and ``nested_iters``: NumPy's own iterators, over the memory of our arrays."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import Any, NoReturn, SupportsIndex, overload

import numpy
import torch
from torch import Tensor
from torch.compiler import is_compiling

from xp_torch._core.devices import default_is_cpu
from xp_torch._torch.internals import increment_version, is_transformed

from .._array import views
from .._array.host_view import kept_view, to_numpy
from .._array.ndarray import AnyArray, array_of, ndarray
from .._array.scalars import TensorScalar
from .._base.dtypes import NUMPY, TORCH, torch_dtype
from .._base.host_setting import may_hand, unless_host
from .._base.typing import ArrayLike, Casting, DTypeLike, Order
from .._convert.arguments import as_array, as_tensor, assign
from .._convert.foreign import from_numpy, is_shareable

__all__ = ["nditer", "nested_iters"]

_Host = numpy.ndarray[Any, Any]
_CPU = torch.device("cpu")
_NDITER: Any = numpy.nditer  # NumPy's annotations name each flag
_NESTED_ITERS: Any = numpy.nested_iters


class _Copy:
    """An array that NumPy cannot address, and its values on the host, where the loop runs."""

    def __init__(self, ours: ndarray, host: _Host) -> None:
        self.ours, self.host, self.before = ours, host, host.copy()

    def meet(self) -> None:
        """Give each of the two what the other one was given since they last met."""
        written = self.host != self.before
        numpy.copyto(self.host, _fetched("nditer", self.ours), where=~written)
        if written.any():
            assign(self.ours, from_numpy("nditer", self.host, "op", self.ours.device))
        self.before = self.host.copy()


class _Kept:
    """The memory of a value, with the copies that it may be part of: they outlive the iterator."""

    def __init__(self, value: _Host, copies: list[_Copy]) -> None:
        self.__array_interface__ = value.__array_interface__
        self._owners = value, copies


class _Operands:
    """The operands of iterators as NumPy takes them: memory on the CPU is lent, the rest copied."""

    def __init__(self, name: str, op: Any) -> None:
        self.name = name
        self.home: torch.device | None = None  # where new arrays go; the default device
        self.copies: list[_Copy] = []
        self.known: dict[int, tuple[Any, Any]] = {}
        """By the ``id`` of an array of NumPy's, that array and what the program knows it as."""
        several = isinstance(op, (list, tuple))
        lent = [self._lend(x) for x in (op if several else (op,))]
        self.given = lent if several else lent[0]
        self.written: list[Tensor] = []  # lent, and written to by the loop
        self.shows_ours = bool(self.copies) or not default_is_cpu()

    def _lend(self, x: Any) -> Any:
        if x is None:
            return x
        if not isinstance(x, (AnyArray, Tensor)):
            if isinstance(x, numpy.ndarray) and may_hand():
                self.known[id(x)] = x, x
                return x
            tensor = unless_host(as_tensor, self.name, x, "op", _CPU)
            return x if tensor is None else to_numpy(tensor)
        a = as_array(self.name, x, "op")
        self.home = self.home or a.device
        self._check(a._tensor)
        view = kept_view(a)
        if isinstance(a, TensorScalar):
            return _fetched(self.name, a)
        if view is None:
            host = _fetched(self.name, a)
            self.copies.append(_Copy(a, host))
            view = host
        view = view[...]
        view.flags.writeable = views.is_writeable(a)
        self.known[id(view)] = view, a
        return view

    def _check(self, t: Tensor) -> None:
        """Raise ``TypeError`` for what the values alone are not enough for."""
        if is_compiling() or is_transformed():
            raise TypeError(
                f"{self.name}: the loop is NumPy's, which needs values, and a trace or a transform "
                "has none; call functions of whole arrays there"
            )
        if t.requires_grad and torch.is_grad_enabled():
            raise TypeError(
                f"{self.name}: an operand requires grad, and no gradient is recorded of a loop of "
                "NumPy's; call functions of whole arrays, take a[i] for i in ndindex(a.shape), or "
                "loop under torch.no_grad()"
            )

    def watch(self, op_flags: object) -> None:
        """Note which of the operands the loop writes to, after NumPy has checked the flags."""
        for number, x in enumerate(self.given if isinstance(self.given, list) else [self.given]):
            if x is None or not any("write" in f for f in _flags_of(op_flags, number)):
                continue
            if id(x) not in self.known:
                raise TypeError(f"{self.name}: operand {number} is to be written to, and no array")
            ours = self.known[id(x)][1]
            if type(ours) is ndarray:
                self.written.append(views.forward_of(ours)[0])
        self.meet()

    def meet(self) -> None:
        """Let both sides have all values; autograd hears of what the loop may have written."""
        if self.written:
            increment_version(tuple(self.written))
        for copy in self.copies:
            copy.meet()

    def known_as(self, host: _Host) -> Any:
        """The array of the program that NumPy's array stands for, or one made of a new one.

        A copy that NumPy made, and writes back, stays its own.
        """
        if id(host) not in self.known:
            made: Any = host
            is_plain = type(host) is numpy.ndarray and not host.flags.writebackifcopy
            if is_plain and host.dtype in TORCH:
                made = array_of(from_numpy(self.name, host, "op", self.home))
                if not made._tensor.is_cpu:
                    self.copies.append(_Copy(made, host))
            self.known[id(host)] = host, made
        return self.known[id(host)][1]

    def show(self, value: Any) -> Any:
        """What a loop gives: NumPy's own arrays, if all of the program is on the CPU."""
        if not self.shows_ours:
            return value
        if isinstance(value, tuple):
            return tuple(map(self.show, value))
        is_writeable = value.flags.writeable
        if value.dtype not in TORCH or (is_writeable and not is_shareable(value)):
            return value
        if self.copies:
            value = numpy.asarray(_Kept(value, self.copies)).view(value.dtype)
        memory = from_numpy(self.name, value, "op", _CPU)
        return array_of(memory) if is_writeable else views.locked(memory)


def _flags_of(op_flags: Any, number: int) -> list[str]:
    """The flags of one operand: ``op_flags`` has them for all or for each."""
    flags = op_flags or ()
    own = flags if all(isinstance(flag, (str, bytes)) for flag in flags) else flags[number]
    return list(map(str, own))


def _fetched(name: str, a: ndarray) -> _Host:
    """The values of an array on the host, with its axes in the order and direction of its own."""
    memory, flips = views.forward_of(a)
    steps = memory.stride()
    order = sorted(range(memory.dim()), key=lambda axis: -steps[axis])
    try:
        fetched = memory.detach().permute(order).cpu().resolve_conj().resolve_neg()
        values = to_numpy(fetched).transpose(sorted(order, key=order.__getitem__))
    except RuntimeError:
        raise TypeError(f"{name}: an operand is on {a.device}, without values") from None
    return numpy.flip(values, flips) if flips else values


def _dtypes(name: str, op_dtypes: object) -> Any:
    """``op_dtypes`` for NumPy, which does not know torch's; checked if torch must store them."""
    if isinstance(op_dtypes, (list, tuple)):
        return type(op_dtypes)([_dtype(name, dtype) for dtype in op_dtypes])
    return _dtype(name, op_dtypes)


def _dtype(name: str, dtype: object) -> Any:
    if dtype is None or (may_hand() and not isinstance(dtype, torch.dtype)):
        return dtype
    return NUMPY[torch_dtype(name, dtype, "op_dtypes")]


def _asked(name: str, text: str) -> Any:
    """A property that NumPy's iterator has."""
    return property(
        attrgetter(f"_it.{name}"),
        lambda self, value: setattr(self._it, name, value),
        lambda self: delattr(self._it, name),
        text,
    )


class nditer:
    """A loop over one or several arrays, broadcast against each other.

    It is NumPy's own, over the memory of arrays on the CPU: its steps give NumPy's own arrays,
    without axes unless there are runs, and ``x[...] = 1`` writes to the operand. Of an array on a
    device it takes a copy, and the steps give arrays of ours on the CPU. What was written to them
    is on the device when the loop ends, when the iterator is closed, and in ``operands``. Functions
    of whole arrays are hundreds of times as fast, and even more on a device.

    Parameters
    ----------
    op : array_like or sequence of array_like
        The operands; ``None`` for an array that is to be made.
    flags : sequence of str, optional
        ``multi_index``, ``c_index`` or ``f_index``: follow an index. ``external_loop``: give 1-D
        arrays as long as possible. ``buffered``: copy where needed, ``buffersize`` elements at a
        time; ``grow_inner``: more of them where nothing is copied; ``delay_bufalloc``: allocate
        buffers only at ``reset()``. ``ranged``: ``iterrange`` may be set. ``common_dtype``: cast
        all operands to one dtype. ``copy_if_overlap``: copy what is written to and shares memory.
        ``reduce_ok``: elements that are written to may be broadcast. ``zerosize_ok``: there
        may be no elements. ``refs_ok``: there may be Python objects.
    op_flags : list of str or list of lists of str, optional
        For all operands or for each: ``readonly``, ``readwrite`` or ``writeonly``; ``allocate``
        for those to be made; ``copy``, ``updateifcopy``: a whole copy may be made, which is
        written back by ``close()``; ``contig``: contiguous runs; ``aligned``, ``nbo``: in the
        machine's order; ``no_broadcast``; ``no_subtype``; ``arraymask`` and ``writemasked``: write
        back only where the mask is true; ``overlap_assume_elementwise``.
    op_dtypes : dtype or sequence of dtypes, optional
        The dtypes of the values.
    order : {'C', 'F', 'A', 'K'}, optional
        The order of the elements; 'K' is near to that in memory.
    casting : {'no', 'equiv', 'safe', 'same_kind', 'unsafe'}, optional
        Which casts are allowed.
    op_axes : list of lists of int, optional
        For each operand (or ``None``) its axis for each axis of the iterator; -1 is a new axis.
    itershape : tuple of int, optional
        The shape of the iteration, -1 where the operands are to tell.
    buffersize : int, optional
        The size of buffers, 8192 by default.

    Raises
    ------
    ValueError
        For operands that do not broadcast, flags that are unknown or exclude each other,
        reductions without ``reduce_ok``, and no elements without ``zerosize_ok``.
    TypeError
        For casts that ``casting`` forbids or that need a copy which no flag allows. For an operand
        that requires grad, since no gradient is recorded, and in a trace.

    Examples
    --------
    >>> import numpy_shim as np
    >>> a = np.arange(3)
    >>> with np.nditer([a, None], flags=["multi_index"]) as it:
    ...     for x, y in it:
    ...         y[...] = 2 * x
    ...     it.operands[1]
    array([0, 2, 4])
    """

    _it: Any = None
    _operands: _Operands
    _inner = False  # its loop is within the loop of another iterator

    def __init__(
        self,
        op: ArrayLike | Sequence[ArrayLike | None],
        flags: Sequence[str] | None = None,
        op_flags: Sequence[str] | Sequence[Sequence[str]] | None = None,
        op_dtypes: DTypeLike | Sequence[DTypeLike] = None,
        order: Order = "K",
        casting: Casting = "safe",
        op_axes: Sequence[Sequence[SupportsIndex | None] | None] | None = None,
        itershape: Sequence[SupportsIndex] | None = None,
        buffersize: SupportsIndex = 0,
    ) -> None:
        operands = self._operands = _Operands("nditer", op)
        dtypes = _dtypes("nditer", op_dtypes)
        self._it = _NDITER(
            operands.given, flags, op_flags, dtypes, order, casting, op_axes, itershape, buffersize
        )
        operands.watch(op_flags)

    @classmethod
    def _over(cls, it: object, operands: _Operands, inner: bool) -> nditer:
        made = object.__new__(cls)
        made._it, made._operands, made._inner = it, operands, inner
        return made

    def _meet(self) -> None:
        if not self._inner:
            self._operands.meet()

    def __iter__(self) -> Iterator[Any]:
        self._meet()
        return self if self._operands.shows_ours else self._it

    def __next__(self) -> ndarray | tuple[ndarray, ...]:
        try:
            value = next(self._it)
        except StopIteration:
            self._meet()
            raise
        return self._operands.show(value)  # type: ignore[no-any-return]

    def iternext(self, /) -> bool:
        """Advance without returning the values; return whether elements are left."""
        more: bool = self._it.iternext()
        if not more:
            self._meet()
        return more

    def reset(self, /) -> None:
        """Go back to the start."""
        self._operands.meet()
        self._it.reset()

    def copy(self, /) -> nditer:
        """An iterator over the same operands at the same position."""
        return self._over(self._it.copy(), self._operands, self._inner)

    __copy__ = copy

    def close(self, /) -> None:
        """Write back copies; the iterator cannot be used afterwards."""
        self._operands.meet()
        self._it.close()
        self._operands.meet()

    def __enter__(self) -> nditer:
        self._it.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __del__(self) -> None:
        if self._it is not None and self._operands.copies:
            # A value of the loop that is still in use holds NumPy's iterator, and that the memory.
            if sys.getrefcount(self._it) > 2:
                self._operands.meet()
            else:
                self.close()

    @property
    def value(self) -> ndarray | tuple[ndarray, ...]:
        """The values at this position: one array, or a tuple of arrays for several operands."""
        return self._operands.show(self._it.value)  # type: ignore[no-any-return]

    def __len__(self) -> int:
        return len(self._it)

    @overload
    def __getitem__(self, key: SupportsIndex, /) -> ndarray: ...
    @overload
    def __getitem__(self, key: slice, /) -> tuple[ndarray, ...]: ...
    def __getitem__(self, key: SupportsIndex | slice, /) -> ndarray | tuple[ndarray, ...]:
        return self._operands.show(self._it[key])  # type: ignore[no-any-return]

    def __setitem__(self, key: SupportsIndex | slice, value: ArrayLike, /) -> None:
        self._it[key] = value

    def __delitem__(self, key: object, /) -> NoReturn:
        raise TypeError("nditer: Cannot delete iterator elements")

    @property
    def operands(self) -> tuple[ndarray, ...]:
        """The arrays that are iterated over, including copies and new arrays."""
        self._operands.meet()
        return tuple([self._operands.known_as(x) for x in self._it.operands])

    @property
    def itviews(self) -> tuple[ndarray, ...]:
        """The operands with the axes of the iterator; not for a buffered one."""
        return self._operands.show(self._it.itviews)  # type: ignore[no-any-return]

    def remove_axis(self, i: int, /) -> None:
        """Remove an axis, staying at its first index; the multi-index must be tracked."""
        self._it.remove_axis(i)

    def remove_multi_index(self, /) -> None:
        """Stop tracking the multi-index, so that axes can be merged; return to the start."""
        self._it.remove_multi_index()

    def enable_external_loop(self, /) -> None:
        """Give 1-D arrays from now on, as with the flag ``external_loop``; return to the start."""
        self._it.enable_external_loop()

    def debug_print(self, /) -> None:
        """Print the state of the iterator, on the standard output of the process."""
        self._it.debug_print()

    dtypes: tuple[numpy.dtype[Any], ...] = _asked("dtypes", "The dtypes of the values.")
    finished: bool = _asked("finished", "Whether the iteration is finished.")
    has_delayed_bufalloc: bool = _asked(
        "has_delayed_bufalloc", "Whether ``reset()`` must be called before there are values."
    )
    has_index: bool = _asked("has_index", "Whether an index is tracked.")
    has_multi_index: bool = _asked("has_multi_index", "Whether a multi-index is tracked.")
    index: int = _asked("index", "The index in C or Fortran order; may be set.")
    iterationneedsapi: bool = _asked("iterationneedsapi", "Whether there are Python objects.")
    iterindex: int = _asked("iterindex", "How many elements came before; may be set.")
    iterrange: tuple[int, int] = _asked(
        "iterrange", "The first position and the end; may be set with the flag ``ranged``."
    )
    itersize: int = _asked("itersize", "How many elements there are.")
    multi_index: tuple[int, ...] = _asked("multi_index", "The index along each axis; may be set.")
    ndim: int = _asked("ndim", "How many axes the iterator has, after merging.")
    nop: int = _asked("nop", "How many operands there are.")
    shape: tuple[int, ...] = _asked("shape", "The sizes of the axes.")


def nested_iters(
    op: ArrayLike | Sequence[ArrayLike | None],
    axes: Sequence[Sequence[SupportsIndex]],
    flags: Sequence[str] | None = None,
    op_flags: Sequence[str] | Sequence[Sequence[str]] | None = None,
    op_dtypes: DTypeLike | Sequence[DTypeLike] = None,
    order: Order = "K",
    casting: Casting = "safe",
    buffersize: SupportsIndex = 0,
) -> tuple[nditer, ...]:
    """Iterators for nested loops, each over some of the axes.

    A step of an iterator moves all iterators inside it to its new element.

    Parameters
    ----------
    op : array_like or sequence of array_like
        The operands.
    axes : sequence of sequences of int
        The axes of each loop, from the outermost in; at least two.
    flags, op_flags, op_dtypes, order, casting, buffersize
        As for ``nditer``; only the innermost loop is buffered or gives 1-D arrays.

    Returns
    -------
    tuple of nditer
        One for each item of ``axes``.

    Raises
    ------
    ValueError
        For an axis that is out of bounds or in two loops, and what ``nditer`` refuses.
    TypeError
        For casts that ``nditer`` refuses, for an operand that requires grad, and in a trace.

    Examples
    --------
    >>> import numpy_shim as np
    >>> i, j = np.nested_iters(np.arange(6).reshape(2, 3), [[1], [0]])
    >>> [[int(y) for y in j] for x in i]
    [[0, 3], [1, 4], [2, 5]]
    """
    operands = _Operands("nested_iters", op)
    dtypes = _dtypes("nested_iters", op_dtypes)
    loops = _NESTED_ITERS(operands.given, axes, flags, op_flags, dtypes, order, casting, buffersize)
    operands.watch(op_flags)
    return tuple([nditer._over(it, operands, i > 0) for i, it in enumerate(loops)])
