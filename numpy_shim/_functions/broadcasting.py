"""Broadcasting: arrays repeated to a common shape."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from torch import Tensor

from xp_torch._core.axes import integer

from .._array import views
from .._array.ndarray import ndarray, view_of, wrap
from .._base.axes import MAX_DIMS, integer_or_none, normalize_shape
from .._base.axes import broadcast_shapes as _common_shape
from .._base.typing import ArrayLike, ShapeLike
from .._convert.arguments import as_array, as_own_array
from .._host.hand_over import HandsOver
from .._indexing.flat import flatiter

__all__ = ["broadcast", "broadcast_arrays", "broadcast_shapes", "broadcast_to"]


def broadcast_to(array: ArrayLike, shape: ShapeLike, subok: bool = False) -> ndarray:
    """A read-only view of an array repeated to a shape.

    Parameters
    ----------
    array : array_like
        The array.
    shape : int or tuple of int
        The shape.
    subok : bool
        Accepted; there are no subclasses.

    Returns
    -------
    ndarray
        A read-only view of shape ``shape`` with the dtype of ``array``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.broadcast_to([1, 2], (2, 2))
    array([[1, 2],
           [1, 2]])
    """
    if type(array) is ndarray and type(shape) is tuple and -1 not in shape:
        t = array._tensor
        try:
            tensor = t.expand(shape)
        except (RuntimeError, TypeError):
            pass  # the general call says what is wrong
        else:
            # For sizes that are arrays of ours, torch calls this library again.
            if type(tensor) is Tensor and type(t) is Tensor:
                return views.read_only(view_of(array, tensor))
    x = as_own_array("broadcast_to", array, "array")
    one = integer_or_none(shape)
    sizes = tuple([integer("broadcast_to", "shape", s) for s in (shape if one is None else [one])])  # type: ignore[union-attr]
    own = tuple(x._tensor.shape)
    if any(s < 0 for s in sizes):
        raise ValueError("all elements of broadcast shape must be non-negative")
    if len(own) > len(sizes) or _common_shape("broadcast_to", own, sizes) != sizes:
        raise ValueError(f"broadcast_to: an array of shape {own} does not broadcast to {sizes}")
    return views.read_only(views.broadcast(x, sizes))


def broadcast_arrays(*args: ArrayLike, subok: bool = False) -> tuple[ndarray, ...]:
    """Views of arrays, all repeated to their common shape.

    Parameters
    ----------
    *args : array_like
        The arrays; one that has the common shape comes back as it is.
    subok : bool
        Accepted; there are no subclasses.

    Returns
    -------
    tuple of ndarray
        One array of the common shape for each argument, in its own dtype.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.broadcast_arrays([1, 2], [[3], [4]])
    (array([[1, 2],
           [1, 2]]), array([[3, 3],
           [4, 4]]))
    """
    arrays = [as_own_array("broadcast_arrays", a, "args", beside=args) for a in args]
    shapes = [tuple(a._tensor.shape) for a in arrays]
    shape = _shape_of_all("broadcast_arrays", shapes)
    return tuple(
        [
            a if own == shape else views.broadcast(a, shape)
            for a, own in zip(arrays, shapes, strict=True)
        ]
    )


def broadcast_shapes(*args: ShapeLike) -> tuple[int, ...]:
    """The shape that arrays of these shapes broadcast to.

    Parameters
    ----------
    *args : int or tuple of int
        The shapes; an int is the shape of one axis.

    Returns
    -------
    tuple of int
        The common shape.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.broadcast_shapes((2, 1), 3)
    (2, 3)
    """
    shapes = [normalize_shape("broadcast_shapes", s, "args") for s in args]
    return _shape_of_all("broadcast_shapes", shapes)


def _shape_of_all(name: str, shapes: list[tuple[int, ...]]) -> tuple[int, ...]:
    """The common shape; the ``ValueError`` names two shapes that do not broadcast."""
    try:
        return _common_shape(name, *shapes)
    except ValueError:
        message = f"{name}: shape mismatch: objects cannot be broadcast to a single shape."
        for (i, one), (j, other) in itertools.combinations(enumerate(shapes), 2):
            pairs = zip(reversed(one), reversed(other), strict=False)
            if any(m != n and 1 not in (m, n) for m, n in pairs):
                message += (
                    f" Mismatch is between arg {i} with shape {one} and arg {j} with shape {other}."
                )
                break
        raise ValueError(message) from None


class broadcast(metaclass=HandsOver):
    """Arrays broadcast against each other, and an iterator over their elements together.

    Parameters
    ----------
    *arrays : array_like
        The arrays.

    Examples
    --------
    >>> import numpy_shim as np
    >>> b = np.broadcast([1, 2], [[3], [4]])
    >>> b.shape
    (2, 2)
    >>> [int(x + y) for x, y in b]
    [4, 5, 5, 6]
    """

    def __init__(self, *arrays: ArrayLike) -> None:
        together = _unpacked(arrays)
        if len(together) > MAX_DIMS:
            raise ValueError(
                f"broadcast: need at least 0 and at most {MAX_DIMS} array objects, not "
                f"{len(together)}"
            )
        self._given = tuple([as_array("broadcast", a, "arrays", beside=together) for a in together])
        self._arrays = broadcast_arrays(*self._given)
        first = [a._tensor.shape for a in self._arrays][:1]
        self.shape: tuple[int, ...] = tuple(first[0]) if first else ()
        self.numiter = len(self._arrays)
        self.nd = self.ndim = len(self.shape)
        self.reset()

    @property
    def size(self) -> int:
        """The number of elements of the common shape.

        Examples
        --------
        >>> import numpy_shim as np
        >>> np.broadcast([1, 2], [[3], [4]]).size
        4
        """
        count = 1
        for n in self.shape:
            count *= n
        return count

    @property
    def iters(self) -> tuple[flatiter, ...]:
        """An iterator over the repeated elements of each array, which is its ``base``.

        Examples
        --------
        >>> import numpy_shim as np
        >>> [list(i) for i in np.broadcast([1, 2], 3).iters]
        [[np.int64(1), np.int64(2)], [np.int64(3), np.int64(3)]]
        """
        both = zip(self._arrays, self._given, strict=True)
        return tuple([flatiter(repeated, given) for repeated, given in both])

    def reset(self, /) -> None:
        """Restart the iteration.

        Examples
        --------
        >>> import numpy_shim as np
        >>> b = np.broadcast([1, 2], 3)
        >>> next(b)
        (np.int64(1), np.int64(3))
        >>> b.reset()
        >>> b.index
        0
        """
        self.index = 0
        every = [_elements(a) for a in self._arrays]
        self._elements = zip(*every, strict=True) if every else iter([()])

    def __iter__(self) -> broadcast:
        return self

    def __next__(self) -> tuple[ndarray, ...]:
        element = next(self._elements)
        self.index += 1
        return element


def _unpacked(arrays: tuple[object, ...]) -> tuple[Any, ...]:
    """The arrays; a ``broadcast`` object is replaced by its own arrays."""
    return tuple(
        itertools.chain.from_iterable(
            a._given if isinstance(a, broadcast) else (a,) for a in arrays
        )
    )


def _elements(a: ndarray) -> Iterator[ndarray]:
    return (wrap(t.clone()) for t in a._tensor.reshape(-1))
