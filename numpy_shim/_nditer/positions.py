"""Where an iterator stands: its positions, its range, and the sizes of the loop."""

from __future__ import annotations

import operator
from typing import Any

from .walk import Walk

_PAST = "Iterator is past the end"
_DELAYED = "Iterator construction used delayed buffer allocation, and no reset has been done yet"


class Positions:
    """What the iterator knows of its walk, and the places that it can be set to."""

    _walk: Walk | None = None
    _inner: Positions | None  # the loop inside this one
    _started: bool
    _finished: bool

    def _restart(self) -> None:
        at = self._valid()
        self._started = False
        self._finished = at.position >= at.end
        self._moved()

    def _moved(self) -> None:
        """Move the inner loop to the new element."""
        if self._inner is not None and not self._finished and self._inner._walk is not None:
            self._inner._walk.rebase(self._valid().offsets())
            self._inner._restart()

    def _valid(self) -> Walk:
        if self._walk is None:
            raise ValueError("nditer: Iterator is invalid")
        return self._walk

    def _going(self, *, filled: bool = True) -> Walk:
        """The walk; raises if it has no element at its position, or if buffers are not filled."""
        if self._walk is None or self._finished:
            raise ValueError(f"nditer: {_PAST}")
        if filled and self._walk.delayed:
            raise ValueError(f"nditer: {_DELAYED}")
        return self._walk

    # positions

    @property
    def multi_index(self) -> tuple[int, ...]:
        """The index along each axis; may be set, but for a buffered iterator.

        Raises
        ------
        ValueError
            For an iterator that is closed or past its end, that does not track a multi-index, or
            whose buffers are not filled. For a new multi-index that is not a sequence with an
            integer for each axis; a buffered iterator refuses every one.
        IndexError
            For a new multi-index outside of the shape or the range.
        TypeError
            For a new index that is not an integer.

        Examples
        --------
        >>> import numpy_shim as np
        >>> it = np.nditer(np.array([[1, 2], [3, 4]]), ["multi_index"])
        >>> it.multi_index = (1, 0)
        >>> it.value, it.multi_index
        (array(3), (1, 0))
        """
        return self._tracking_multi_index().multi_index()

    @multi_index.setter
    def multi_index(self, value: Any) -> None:
        at = self._tracking_multi_index()
        if not hasattr(value, "__len__"):
            raise ValueError("nditer: multi_index must be set with a sequence")
        if len(value) != len(at.axes):
            raise ValueError("nditer: Wrong number of indices")
        index = [operator.index(value[i]) for i in range(len(value))]
        self._check_unbuffered(at, "GotoMultiIndex")
        if not all(0 <= i < n for i, n in zip(index, at.shape, strict=True)):
            raise IndexError(
                "nditer: Iterator GotoMultiIndex called with an out-of-bounds multi-index"
            )
        self._go("GotoMultiIndex", "multi-index", at.position_at(index))

    @multi_index.deleter
    def multi_index(self) -> None:
        raise AttributeError("Cannot delete nditer multi_index")

    def _tracking_multi_index(self) -> Walk:
        at = self._going()
        if not at.has("multi_index"):
            raise ValueError("nditer: Iterator is not tracking a multi-index")
        return at

    @staticmethod
    def _check_unbuffered(at: Walk, what: str) -> None:
        if at.has("buffered"):
            raise ValueError(f"nditer: Cannot call {what} on an iterator which is buffered")

    def _go(self, what: str, name: str, position: int) -> None:
        """Go to a position, which must be within the range."""
        at = self._valid()
        if not at.first <= position < at.end:
            raise IndexError(
                f"nditer: Iterator {what} called with {name} outside the iteration range."
            )
        at.go(position)
        self._restart()

    @property
    def index(self) -> int:
        """The index in C or Fortran order; may be set, but for a buffered iterator.

        Raises
        ------
        ValueError
            For an iterator that is closed or past its end, that does not track an index, or whose
            buffers are not filled; a buffered iterator refuses a new index.
        IndexError
            For a new index outside of the shape or the range.
        TypeError
            For a new index that is not an integer.

        Examples
        --------
        >>> import numpy_shim as np
        >>> it = np.nditer(np.array([[1, 2], [3, 4]]), ["f_index"])
        >>> it.index = 1
        >>> it.value
        array(3)
        """
        return self._tracking_index().index()

    @index.setter
    def index(self, value: Any) -> None:
        at = self._tracking_index()
        index = operator.index(value)
        self._check_unbuffered(at, "GotoIndex")
        if not 0 <= index < at.size:
            raise IndexError("nditer: Iterator GotoIndex called with an out-of-bounds index")
        self._go("GotoIndex", "an index", at.position_of_index(index))

    @index.deleter
    def index(self) -> None:
        raise AttributeError("Cannot delete nditer index")

    def _tracking_index(self) -> Walk:
        at = self._going()
        if not at.has_index:
            raise ValueError("nditer: Iterator does not have an index")
        return at

    @property
    def iterindex(self) -> int:
        """How many elements come before the current one in the order of iteration; may be set.

        Raises
        ------
        ValueError
            For an iterator that is closed or past its end; with ``external_loop`` for a new
            position.
        IndexError
            For a new position outside of the range.
        TypeError
            For a new position that is not an integer.

        Examples
        --------
        >>> import numpy_shim as np
        >>> it = np.nditer(np.array([1, 2, 3]))
        >>> it.iterindex = 2
        >>> it.value
        array(3)
        """
        return self._going(filled=False).position

    @iterindex.setter
    def iterindex(self, value: Any) -> None:
        at = self._valid()
        position = operator.index(value)
        if at.has("external_loop"):
            raise ValueError(
                "nditer: Cannot call GotoIterIndex on an iterator which has the flag EXTERNAL_LOOP"
            )
        self._go("GotoIterIndex", "an iterindex", position)

    @iterindex.deleter
    def iterindex(self) -> None:
        raise AttributeError("Cannot delete nditer iterindex")

    @property
    def iterrange(self) -> tuple[int, int]:
        """The first position and the one after the last; may be set with the flag ``ranged``.

        Raises
        ------
        ValueError
            For an iterator that is closed. For a new range without the flag ``ranged``, outside of
            the elements, or whose end is before its start.
        TypeError
            For a new range that is not a tuple of two integers.

        Examples
        --------
        >>> import numpy_shim as np
        >>> it = np.nditer(np.array([1, 2, 3, 4]), ["ranged"])
        >>> it.iterrange = (1, 3)
        >>> [int(x) for x in it]
        [2, 3]
        """
        at = self._valid()
        return at.first, at.end

    @iterrange.setter
    def iterrange(self, value: Any) -> None:
        at = self._valid()
        if not isinstance(value, tuple) or len(value) != 2:
            raise TypeError(f"nditer: iterrange must be a tuple of two integers, not {value!r}")
        first, end = map(operator.index, value)
        if not at.has("ranged"):
            raise ValueError(
                "nditer: Cannot call ResetToIterIndexRange on an iterator without requesting "
                "ranged iteration support in the constructor"
            )
        if first < 0 or end > at.size:
            raise ValueError(
                f"nditer: Out-of-bounds range [{first}, {end}) passed to ResetToIterIndexRange"
            )
        if first > end:
            raise ValueError(
                f"nditer: Invalid range [{first}, {end}) passed to ResetToIterIndexRange"
            )
        at.limit(first, end)
        self._restart()

    @iterrange.deleter
    def iterrange(self) -> None:
        raise AttributeError("Cannot delete nditer iterrange")

    # properties of the loop

    @property
    def finished(self) -> bool:
        """Whether the iteration is finished.

        Examples
        --------
        >>> import numpy_shim as np
        >>> it = np.nditer([1])
        >>> it.finished
        False
        >>> it.iternext(), it.finished
        (False, True)
        """
        return self._finished

    @property
    def itersize(self) -> int:
        """How many elements there are.

        Raises
        ------
        ValueError
            For an iterator that is closed.

        Examples
        --------
        >>> import numpy_shim as np
        >>> np.nditer(np.array([[1, 2], [3, 4]])).itersize
        4
        """
        return self._valid().size

    @property
    def ndim(self) -> int:
        """How many axes the iterator has; neighbours are merged unless a multi-index is tracked.

        Raises
        ------
        ValueError
            For an iterator that is closed.

        Examples
        --------
        >>> import numpy_shim as np
        >>> x = np.ones((2, 3))
        >>> np.nditer(x).ndim, np.nditer(x, ["multi_index"]).ndim
        (1, 2)
        """
        return len(self._valid().axes)

    @property
    def nop(self) -> int:
        """How many operands there are.

        Raises
        ------
        ValueError
            For an iterator that is closed.

        Examples
        --------
        >>> import numpy_shim as np
        >>> np.nditer([[1, 2], 3]).nop
        2
        """
        return len(self._valid().operands)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape, as in the multi-index; without one the sizes of the axes, innermost first.

        Raises
        ------
        ValueError
            For an iterator that is closed or past its end.

        Examples
        --------
        >>> import numpy_shim as np
        >>> x = np.ones((2, 3))
        >>> np.nditer(x).shape, np.nditer(x, ["multi_index"]).shape
        ((6,), (2, 3))
        """
        at = self._going(filled=False)
        return tuple(at.shape if at.has("multi_index") else [axis.size for axis in at.axes])

    @property
    def has_index(self) -> bool:
        """Whether an index is tracked.

        Raises
        ------
        ValueError
            For an iterator that is closed.

        Examples
        --------
        >>> import numpy_shim as np
        >>> np.nditer([1, 2], ["c_index"]).has_index
        True
        """
        return self._valid().has_index

    @property
    def has_multi_index(self) -> bool:
        """Whether a multi-index is tracked.

        Raises
        ------
        ValueError
            For an iterator that is closed.

        Examples
        --------
        >>> import numpy_shim as np
        >>> np.nditer([1, 2], ["multi_index"]).has_multi_index
        True
        """
        return self._valid().has("multi_index")

    @property
    def has_delayed_bufalloc(self) -> bool:
        """Whether ``reset()`` must be called before there are values.

        Raises
        ------
        ValueError
            For an iterator that is closed.

        Examples
        --------
        >>> import numpy_shim as np
        >>> it = np.nditer([1, 2], ["buffered", "delay_bufalloc"])
        >>> it.has_delayed_bufalloc
        True
        >>> it.reset()
        >>> it.has_delayed_bufalloc
        False
        """
        return self._valid().delayed

    @property
    def iterationneedsapi(self) -> bool:
        """False: there are no arrays of Python objects.

        Raises
        ------
        ValueError
            For an iterator that is closed.

        Examples
        --------
        >>> import numpy_shim as np
        >>> np.nditer([1, 2]).iterationneedsapi
        False
        """
        self._valid()
        return False
