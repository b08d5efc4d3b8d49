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
        """The index along each axis; may be set, but for a buffered iterator."""
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
        """The index in C or Fortran order; may be set, but for a buffered iterator."""
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
        """How many elements come before the current one in the order of iteration; may be set."""
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
        """The first position and the one after the last; may be set with the flag ``ranged``."""
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
        """Whether the iteration is finished."""
        return self._finished

    @property
    def itersize(self) -> int:
        """How many elements there are."""
        return self._valid().size

    @property
    def ndim(self) -> int:
        """How many axes the iterator has; neighbours are merged unless a multi-index is tracked."""
        return len(self._valid().axes)

    @property
    def nop(self) -> int:
        """How many operands there are."""
        return len(self._valid().operands)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape, as in the multi-index; without one the sizes of the axes, innermost first."""
        at = self._going(filled=False)
        return tuple(at.shape if at.has("multi_index") else [axis.size for axis in at.axes])

    @property
    def has_index(self) -> bool:
        """Whether an index is tracked."""
        return self._valid().has_index

    @property
    def has_multi_index(self) -> bool:
        """Whether a multi-index is tracked."""
        return self._valid().has("multi_index")

    @property
    def has_delayed_bufalloc(self) -> bool:
        """Whether ``reset()`` must be called before there are values."""
        return self._valid().delayed

    @property
    def iterationneedsapi(self) -> bool:
        """False: there are no arrays of Python objects."""
        self._valid()
        return False
