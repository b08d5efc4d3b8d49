"""``nditer``: a loop over several arrays at once, in Python."""

from __future__ import annotations

import operator
import warnings
from collections.abc import Sequence
from types import TracebackType
from typing import Any, NoReturn, SupportsIndex, overload

import numpy

from .._array.ndarray import ndarray
from .._convert.host_dtypes import Hosted
from .._core.dtypes import NUMPY
from .._core.typing import ArrayLike, Casting, DTypeLike, Order
from .dump import dump
from .flags import check_external_loop
from .positions import Positions
from .walk import Walk, walk

__all__ = ["nditer"]


class nditer(Positions, metaclass=Hosted):
    """A loop over one or several arrays, broadcast against each other.

    Each step gives 0-D arrays that are views of the elements: ``x[...] = 1`` writes to the
    operand. Every step makes a few Python calls per operand; functions of whole arrays are a
    thousand times as fast, and even more on a device.

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
        may be no elements. ``refs_ok`` is accepted: there are no references.
    op_flags : list of str or list of lists of str, optional
        For all operands or for each: ``readonly``, ``readwrite`` or ``writeonly``; ``allocate``
        for those to be made; ``copy``, ``updateifcopy``: a whole copy may be made, which is
        written back by ``close()``; ``contig``: contiguous runs; ``no_broadcast``; ``arraymask``
        and ``writemasked``: write back only where the mask is true;
        ``overlap_assume_elementwise``. ``aligned``, ``nbo`` and ``no_subtype`` always hold.
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
        For casts that ``casting`` forbids or that need a copy which no flag allows.

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
        self._inner = None
        self._walk = walk(
            op, flags, op_flags, op_dtypes, order, casting, op_axes, itershape, buffersize
        )
        self._restart()

    # advancing

    def __iter__(self) -> nditer:
        return self

    def __next__(self) -> ndarray | tuple[ndarray, ...]:
        if self._walk is None or self._finished:
            raise StopIteration
        if self._started and not self.iternext():
            raise StopIteration
        value = self.value
        self._started = True
        return value

    def iternext(self, /) -> bool:
        """Advance without returning the values; return whether elements are left.

        Returns
        -------
        bool
            Whether the iterator stands on an element.

        Examples
        --------
        >>> import numpy_shim as np
        >>> it = np.nditer(np.array([1, 2]))
        >>> it.iternext(), it.iternext()
        (True, False)
        """
        if self._walk is None or self._finished or not self._walk.step():
            self._finished = True
            return False
        self._moved()
        return True

    def reset(self, /) -> None:
        """Go back to the start.

        Raises
        ------
        ValueError
            For an iterator that is closed.

        Examples
        --------
        >>> import numpy_shim as np
        >>> it = np.nditer(np.array([1, 2]))
        >>> it.iternext()
        True
        >>> it.reset()
        >>> it.iterindex
        0
        """
        self._valid().reset()
        self._restart()

    def copy(self, /) -> nditer:
        """An iterator over the same operands at the same position.

        Returns
        -------
        nditer
            It advances alone.

        Raises
        ------
        ValueError
            For an iterator that is closed.

        Examples
        --------
        >>> import numpy_shim as np
        >>> it = np.nditer(np.array([1, 2]))
        >>> it.iternext()
        True
        >>> it.copy().iterindex
        1
        """
        at = self._valid()
        at.write_back()
        twin = object.__new__(nditer)
        twin._walk = at.copy()
        twin._inner = None
        twin._started, twin._finished = self._started, self._finished
        return twin

    __copy__ = copy

    def close(self, /) -> None:
        """Write back copies; the iterator cannot be used afterwards.

        Examples
        --------
        >>> import numpy_shim as np
        >>> it = np.nditer(np.array([1, 2]))
        >>> it.close()
        """
        at, self._walk = self._walk, None
        self._finished = False
        if at is not None:
            at.close()

    def __enter__(self) -> nditer:
        if self._walk is None:
            raise RuntimeError("nditer: operation on non-initialized iterator")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __del__(self) -> None:
        at = self._walk
        if at is None:
            return
        if any(op.replaced is not None for op in at.operands):
            warnings.warn(
                "Temporary data has not been written back to one of the operands. Typically "
                "nditer is used as a context manager otherwise 'close' must be called before "
                "reading iteration results.",
                RuntimeWarning,
                stacklevel=2,
            )
        at.close()

    # values

    @property
    def value(self) -> ndarray | tuple[ndarray, ...]:
        """The values at this position: one array, or a tuple of arrays for several operands.

        Raises
        ------
        ValueError
            For an iterator that is closed or past its end, or whose buffers are not filled.

        Examples
        --------
        >>> import numpy_shim as np
        >>> np.nditer(np.array([1, 2])).value
        array(1)
        >>> np.nditer([[1, 2], 3]).value
        (array(1), array(3))
        """
        at = self._going()
        count = len(at.operands)
        if count == 1:
            return at.value(0)
        return tuple([at.value(i) for i in range(count)])

    def __len__(self) -> int:
        return 0 if self._walk is None else len(self._walk.operands)

    @overload
    def __getitem__(self, key: SupportsIndex, /) -> ndarray: ...
    @overload
    def __getitem__(self, key: slice, /) -> tuple[ndarray, ...]: ...
    def __getitem__(self, key: SupportsIndex | slice, /) -> ndarray | tuple[ndarray, ...]:
        at = self._going()
        numbers = _numbers(key, len(at.operands))
        if isinstance(numbers, int):
            return at.value(numbers)
        return tuple([at.value(i) for i in numbers])

    def __setitem__(self, key: SupportsIndex | slice, value: ArrayLike, /) -> None:
        at = self._going()
        numbers = _numbers(key, len(at.operands))
        if isinstance(numbers, int):
            self._write(at, numbers, value)
            return
        if not hasattr(value, "__len__") or len(value) != len(numbers):  # type: ignore[arg-type]
            raise ValueError("nditer: Wrong size to assign to iterator slice")
        for number, item in zip(numbers, value, strict=True):  # type: ignore[arg-type]
            self._write(at, number, item)

    @staticmethod
    def _write(at: Walk, number: int, value: Any) -> None:
        if not at.operands[number].written:
            raise RuntimeError(f"nditer: Iterator operand {number} is not writeable")
        at.value(number)[...] = value

    def __delitem__(self, key: object, /) -> NoReturn:
        raise TypeError("nditer: Cannot delete iterator elements")

    @property
    def operands(self) -> tuple[ndarray, ...]:
        """The arrays that are iterated over, including copies and new arrays.

        Raises
        ------
        ValueError
            For an iterator that is closed.

        Examples
        --------
        >>> import numpy_shim as np
        >>> x = np.array([1, 2])
        >>> it = np.nditer([x, None])
        >>> it.operands[0] is x, it.operands[1].shape
        (True, (2,))
        """
        return tuple([op.array for op in self._valid().operands])

    @property
    def itviews(self) -> tuple[ndarray, ...]:
        """The operands with the axes of the iterator; not for a buffered one.

        Raises
        ------
        ValueError
            For an iterator that is closed or buffered.

        Examples
        --------
        >>> import numpy_shim as np
        >>> np.nditer(np.array([[1, 2], [3, 4]])).itviews
        (array([1, 2, 3, 4]),)
        """
        at = self._valid()
        if at.has("buffered"):
            raise ValueError("nditer: cannot provide an iterator view when buffering is enabled")
        return tuple([at.view(i) for i in range(len(at.operands))])

    @property
    def dtypes(self) -> tuple[numpy.dtype[Any], ...]:
        """The dtypes of the values.

        Raises
        ------
        ValueError
            For an iterator that is closed.

        Examples
        --------
        >>> import numpy_shim as np
        >>> np.nditer(([1, 2], 0.5)).dtypes
        (dtype('int64'), dtype('float64'))
        """
        return tuple([NUMPY[op.dtype] for op in self._valid().operands if op.dtype is not None])

    # changing it

    def remove_axis(self, i: int, /) -> None:
        """Remove an axis, staying at its first index.

        Parameters
        ----------
        i : int
            The axis; the multi-index must be tracked.

        Raises
        ------
        RuntimeError
            Without a multi-index, with an index, or with buffers.
        ValueError
            For an axis that is not there.

        Examples
        --------
        >>> import numpy_shim as np
        >>> it = np.nditer(np.zeros((2, 3)), flags=["multi_index"])
        >>> it.remove_axis(1)
        >>> it.shape
        (2,)
        """
        at = self._valid()
        number = operator.index(i)
        if not at.has("multi_index"):
            raise RuntimeError(
                "nditer: Iterator RemoveAxis may only be called if a multi-index is being tracked"
            )
        if at.has_index:
            raise RuntimeError(
                "nditer: Iterator RemoveAxis may not be called on an index is being tracked"
            )
        self._refuse_buffers(at)
        if not 0 <= number < len(at.axes):
            raise ValueError("nditer: axis out of bounds in iterator RemoveAxis")
        at.drop_axis(number)
        self._restart()

    @staticmethod
    def _refuse_buffers(at: Walk) -> None:
        if at.has("buffered"):
            raise RuntimeError(
                "nditer: Iterator RemoveAxis may not be called on a buffered iterator"
            )

    def remove_multi_index(self, /) -> None:
        """Stop tracking the multi-index, so that axes can be merged; return to the start.

        Raises
        ------
        ValueError
            For an iterator that is closed.

        Examples
        --------
        >>> import numpy_shim as np
        >>> it = np.nditer(np.zeros((2, 3)), flags=["multi_index"])
        >>> it.remove_multi_index()
        >>> it.ndim
        1
        """
        self._valid().forget_multi_index()
        self._restart()

    def enable_external_loop(self, /) -> None:
        """Give 1-D arrays from now on, as with the flag ``external_loop``; return to the start.

        Raises
        ------
        ValueError
            If the index or the multi-index is tracked.

        Examples
        --------
        >>> import numpy_shim as np
        >>> it = np.nditer(np.zeros((2, 3)))
        >>> it.enable_external_loop()
        >>> it.value.shape
        (6,)
        """
        at = self._valid()
        check_external_loop(at.flags)
        at.show_runs()
        self._restart()

    def debug_print(self, /) -> None:
        """Print the state of the iterator.

        Examples
        --------
        >>> import numpy_shim as np
        >>> it = np.nditer(np.array([1, 2]))
        >>> it.debug_print()  # doctest: +ELLIPSIS
        <BLANKLINE>
        ------ BEGIN ITERATOR DUMP ------
        ...
        """
        print("Iterator: (nil)" if self._walk is None else dump(self._walk))


def _numbers(key: Any, count: int) -> int | Sequence[int]:
    """The numbers of the operands that a key selects."""
    if isinstance(key, slice):
        if key.step not in (None, 1):
            raise ValueError("nditer: Iterator slicing only supports a step of 1")
        return range(count)[key]
    try:
        number = operator.index(key)
    except TypeError:
        raise TypeError("nditer: invalid index type for iterator indexing") from None
    if not -count <= number < count:
        raise IndexError(f"nditer: Iterator operand index {number} is out of bounds")
    return number % count
