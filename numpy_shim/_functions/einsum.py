"""``einsum`` and ``einsum_path``: Einstein's summation convention."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Any, Unpack

import numpy
import torch
from torch import Tensor
from torch.compiler import is_compiling

from xp_torch._torch.internals import is_empty

from .._array import views
from .._array.layout import common_order, in_axes, order_of, outermost_first
from .._array.ndarray import ndarray
from .._base.dtypes import NUMPY, check_casting, promote, torch_dtype
from .._base.tracing import constant
from .._base.typing import OptimizeLike, UfuncOptions
from .._convert.arguments import ArrayLike, as_array, check_cast, finish, operands, promoted
from .._convert.outputs import output_of
from .._kernels import products
from .._kernels.casting import cast
from .._ufunc.call import in_order

__all__ = ["einsum", "einsum_path"]

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def einsum(
    *operands: ArrayLike,
    out: ndarray | None = None,
    optimize: OptimizeLike = False,
    **kwargs: Unpack[UfuncOptions],
) -> ndarray:
    """Sums of products over labelled axes; the labels are those of ``numpy.einsum``.

    Parameters
    ----------
    *operands : str and array_like, or array_like and list of int in turn
        ``einsum("ij,jk->ik", a, b)`` or ``einsum(a, [0, 1], b, [1, 2], [0, 2])``: one label
        for each axis, an ellipsis for those that broadcast. If no output is given, it has
        every label that occurs once, in alphabetical order.
    out : ndarray, optional
        Where to put the result.
    optimize : bool, "greedy", "optimal", or a path
        The order of contraction; for ``False`` torch decides (with opt_einsum if it is
        installed). ``einsum_path`` returns such a path.
    **kwargs
        ``dtype``, ``casting`` ("safe") and ``order`` ("K": as the operands lie), as for a ufunc.

    Returns
    -------
    ndarray or scalar
        Of the promoted dtype. For one array, if nothing is summed or converted, a view:
        ``einsum("ii->i", a)`` is the diagonal, and can be written to.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.einsum("ij,j", [[1, 2], [3, 4]], [1, 10])
    array([21, 43])
    """
    dtype, casting, order = _options(kwargs) if kwargs else _NO_OPTIONS
    arrays, tensors, labelled = _understood("einsum", operands, dtype, casting)
    if out is None and len(arrays) == 1 and order in "AK":
        view = _view(arrays[0], labelled, tensors[0])
        if view is not None:
            return view
    if out is not None and dtype is None and optimize is False:
        # The output is an operand of NumPy's iterator: sums are in the common dtype.
        target = output_of("einsum", out)._tensor.dtype
        common = promote("einsum", tensors[0].dtype, target)
        tensors = [cast(t, common) for t in tensors]
    if order == "A":
        order = common_order(tensors)
    path: Any = ((0, 1),)
    in_steps = optimize is not False and len(tensors) > 2
    if in_steps:
        path = _path(_text(labelled), tuple(tuple(t.shape) for t in tensors), _hashable(optimize))
        result = _along(path, labelled, tensors)
    else:
        result = products.einsum(labelled[0], labelled[1], tensors)
    if order != "K":
        result = in_order(result, order)
    elif not in_steps and out is None and result.dim() > 1:
        iterated = _iterated.__wrapped__ if is_compiling() else _iterated
        laid = tuple([(t.shape, t.stride()) for t in tensors])
        result = in_axes(result, iterated(labelled, laid))
    by_pairs = optimize is not False and len(tensors) > 1 and len(path[-1]) == 2
    if by_pairs and "casting" not in kwargs:
        # NumPy's last step is then a ufunc, or it assigns a single element.
        casting = "same_kind" if result.dim() else "unsafe"
    return finish("einsum", result, out, casting)


@lru_cache(1024)
def _iterated(
    labelled: Labelled, laid: tuple[tuple[Sequence[int], Sequence[int]], ...]
) -> list[int]:
    """The axes of the result from the outermost one, as NumPy's iterator goes along the operands.

    It goes along the axes of the result, and inside of them along those that are summed. ``laid``
    has the shape and the strides of each operand.
    """
    terms, output = labelled
    summed = sorted({label for term in terms for label in term} - set(output))
    strides = []
    for term, (shape, steps) in zip(terms, laid, strict=True):
        total = dict.fromkeys([*output, *summed], 0)
        for label, size, step in zip(term, shape, steps, strict=True):
            total[label] += step if size > 1 else 0
        strides.append(list(total.values()))
    return [axis for axis in outermost_first(strides) if axis < len(output)]


def _view(operand: Any, labelled: Labelled, tensor: Tensor) -> ndarray | None:
    """The view of one operand if the output has all its labels once and nothing is converted."""
    labels, output = list(labelled[0][0]), labelled[1]
    if not output or set(labels) != set(output):
        return None
    array = as_array("einsum", operand, "operand 0")
    if array.dtype != NUMPY[tensor.dtype]:
        return None
    labels, array = products.diagonals(labels, array, views.diagonal)
    return views.transposed(array, [labels.index(label) for label in output])


def einsum_path(
    *operands: ArrayLike, optimize: OptimizeLike = "greedy", einsum_call: bool = False
) -> tuple[list[Any], str]:
    """The order of contraction that NumPy would choose, and a report of its cost.

    Nothing is computed: the path follows from the shapes.

    Parameters
    ----------
    *operands : str and array_like, or array_like and list of int in turn
        As in ``einsum``.
    optimize : bool, 'greedy', 'optimal', (str, int) or a path
        How to choose, with a limit on the size of intermediate results; or the path to report on.
    einsum_call : bool
        Private to NumPy: ``True`` raises ``TypeError``.

    Returns
    -------
    path : list
        'einsum_path', and for each step the positions of the operands to contract.
    report : str
        The costs, to print.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.einsum_path("ij,jk,kl", np.ones((2, 2)), np.ones((2, 5)), np.ones((5, 2)))[0]
    ['einsum_path', (1, 2), (0, 1)]
    """
    if einsum_call:
        raise TypeError("einsum_path: einsum_call is private to NumPy and not supported")
    _, tensors, labelled = _understood("einsum_path", operands, None, "safe")
    return _numpys_path(_text(labelled), tuple(tuple(t.shape) for t in tensors), optimize)


_NO_OPTIONS = (None, "safe", "K")


def _options(kwargs: UfuncOptions) -> tuple[torch.dtype | None, str, str]:
    unknown = kwargs.keys() - {"dtype", "casting", "order"}
    if unknown:
        raise TypeError(f"einsum: got an unexpected keyword argument {sorted(unknown)[0]!r}")
    dtype = kwargs.get("dtype")
    if dtype is not None:
        dtype = torch_dtype("einsum", dtype)
    casting = kwargs.get("casting", "safe")
    check_casting("einsum", casting)
    if casting == "same_value":
        raise ValueError("einsum: casting 'same_value' is not supported")
    return dtype, casting, order_of("einsum", kwargs.get("order"), "K")


def _names(count: int) -> tuple[str, ...]:
    """What errors call the operands."""
    return tuple([f"operand {i}" for i in range(count)])


_NAMES = _names(64)
_SHAPE = attrgetter("shape")


def _tensors(name: str, arrays: tuple[ArrayLike, ...], dtype: Any, casting: str) -> list[Tensor]:
    names = _NAMES if len(arrays) <= len(_NAMES) else _names(len(arrays))
    tensors = operands(name, *arrays, arguments=names)
    if dtype is None:
        return promoted(name, tensors)
    for tensor, argument in zip(tensors, names, strict=False):
        check_cast(f"{name}: {argument}", tensor.dtype, dtype, casting)
    return [cast(t, dtype) for t in tensors]


Labels = list[Any]
"""The labels of one operand: integers, and ``Ellipsis``."""
Labelled = tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]
"""The labels of the axes of each operand, and of the result."""


def _understood(
    name: str, args: tuple[Any, ...], dtype: object, casting: str
) -> tuple[tuple[Any, ...], list[Tensor], Labelled]:
    """The operands, their tensors, and the labels of every axis."""
    if len(args) > 1 and isinstance(args[0], str) and not is_compiling():
        arrays = args[1:]
        tensors = _tensors(name, arrays, dtype, casting)
        return arrays, tensors, _known(name, args[0], tuple(map(_SHAPE, tensors)))
    terms, output, arrays = _read(name, args)
    tensors = _tensors(name, arrays, dtype, casting)
    return arrays, tensors, _labelled(name, terms, output, [tuple(t.shape) for t in tensors])


@lru_cache(1024)
def _known(name: str, subscripts: str, shapes: tuple[tuple[int, ...], ...]) -> Labelled:
    """The labels of a call with text, which programs repeat with operands of one shape."""
    terms, output, _ = _read(name, (subscripts, *shapes))
    return _labelled(name, terms, output, list(shapes))


def _read(name: str, args: tuple[Any, ...]) -> tuple[list[Labels], Labels | None, tuple[Any, ...]]:
    """The labels of each operand and of the output, and the operands."""
    if not args:
        raise ValueError(f"{name}: must specify the subscripts string and at least one operand")
    if isinstance(args[0], str):
        inputs, arrow, target = args[0].replace(" ", "").partition("->")
        terms = [_letters(name, t) for t in inputs.split(",")]
        if len(terms) != len(args) - 1:
            raise ValueError(
                f"{name}: {len(terms)} terms in the subscripts string, {len(args) - 1} operands"
            )
        return terms, _letters(name, target) if arrow else None, args[1:]
    if len(args) < 2:
        raise ValueError(f"{name}: must provide at least an operand and a list of its subscripts")
    arrays, terms = args[0 : len(args) // 2 * 2 : 2], list(args[1::2])
    output = _numbers(name, args[-1]) if len(args) % 2 else None
    return [_numbers(name, t) for t in terms], output, arrays


def _letters(name: str, term: str) -> Labels:
    labels: Labels = []
    before, dots, after = term.partition("...")
    for part in (before, None, after) if dots else (before,):
        if part is None:
            labels.append(Ellipsis)
            continue
        for letter in part:
            if letter not in _LETTERS:
                raise ValueError(
                    f"{name}: invalid subscript {letter!r} in einstein sum subscripts string, "
                    "subscripts must be letters"
                )
            labels.append(_LETTERS.index(letter))
    return labels


def _numbers(name: str, term: object) -> Labels:
    labels: Labels = []
    if not isinstance(term, Iterable):
        raise TypeError(f"{name}: the subscripts for each operand must be a list or a tuple")
    for label in term:
        if label is Ellipsis:
            labels.append(label)
            continue
        number = label.__index__() if hasattr(label, "__index__") else None
        if number is None:
            raise TypeError(f"{name}: each subscript must be either an integer or an ellipsis")
        if not 0 <= number < len(_LETTERS):
            raise ValueError(f"{name}: subscript {number} is not within the valid range [0, 52)")
        labels.append(number)
    return labels


def _labelled(
    name: str, terms: list[Labels], output: Labels | None, shapes: list[tuple[int, ...]]
) -> Labelled:
    """Labels as one integer per axis, with ellipses expanded and the output explicit."""
    widths = []
    for term, shape in zip(terms, shapes, strict=True):
        dots = term.count(Ellipsis)
        hidden = len(shape) - (len(term) - dots)
        if dots > 1 or hidden < 0 or (hidden and not dots):
            raise ValueError(
                f"{name}: an operand of {len(shape)} dimensions does not fit its "
                f"{len(term) - dots} subscripts"
            )
        widths.append(hidden if dots else 0)
    width = max(widths)
    used = {label for term in terms for label in term if label is not Ellipsis}
    free = [n for n in range(len(_LETTERS)) if n not in used]
    shared = free[:width]

    def explicit(term: Labels, own: int) -> list[int]:
        expanded: list[int] = []
        for label in term:
            expanded += shared[width - own :] if label is Ellipsis else [label]
        return expanded

    inputs = [explicit(term, own) for term, own in zip(terms, widths, strict=True)]
    if output is None:
        everywhere = [label for term in inputs for label in term]
        once = sorted(x for x in set(everywhere) if everywhere.count(x) == 1 and x not in shared)
        target = shared + once
    else:
        if width and Ellipsis not in output:
            raise ValueError(
                f"{name}: output has broadcast dimensions of the operands but no ellipsis"
            )
        target = explicit(output, width)
    if len(set(target)) < len(target):
        raise ValueError(f"{name}: the output subscripts name a label more than once")
    sizes = _sizes(name, inputs, shapes)
    for label in target:
        if label not in sizes:
            raise ValueError(f"{name}: output subscript {_LETTERS[label]!r} is not in any input")
    return tuple(map(tuple, inputs)), tuple(target)


def _sizes(name: str, inputs: list[list[int]], shapes: list[tuple[int, ...]]) -> dict[int, int]:
    sizes: dict[int, int] = {}
    for number, (term, shape) in enumerate(zip(inputs, shapes, strict=True)):
        for i, (label, size) in enumerate(zip(term, shape, strict=True)):
            first = term.index(label)
            if first != i and shape[first] != size:
                raise ValueError(
                    f"{name}: dimensions in operand {number} for collapsing index "
                    f"{_LETTERS[label]!r} don't match ({shape[first]} != {size})"
                )
            if sizes.setdefault(label, size) in (1, size):
                sizes[label] = 0 if is_empty((size, sizes[label])) else max(size, sizes[label])
            elif size != 1:
                raise ValueError(
                    f"{name}: operands could not be broadcast together: subscript "
                    f"{_LETTERS[label]!r} has sizes {sizes[label]} and {size}"
                )
    return sizes


def _text(labelled: Labelled) -> str:
    inputs, output = labelled
    words = ["".join(_LETTERS[x] for x in term) for term in inputs]
    return ",".join(words) + "->" + "".join(_LETTERS[x] for x in output)


def _hashable(optimize: object) -> Any:
    if isinstance(optimize, (list, tuple)):
        return tuple(tuple(p) if isinstance(p, (list, tuple)) else p for p in optimize)
    return optimize


@constant
def _path(text: str, shapes: tuple[tuple[int, ...], ...], optimize: object) -> Any:
    if isinstance(optimize, tuple):
        optimize = list(optimize)
    return tuple(tuple(step) for step in _numpys_path(text, shapes, optimize)[0][1:])


def _numpys_path(
    text: str, shapes: tuple[tuple[int, ...], ...], optimize: Any
) -> tuple[list[Any], str]:
    stand_ins = [numpy.broadcast_to(numpy.float64(0), shape) for shape in shapes]
    path, report = numpy.einsum_path(text, *stand_ins, optimize=optimize)
    return list(path), report


def _along(path: Any, labelled: Labelled, tensors: list[Tensor]) -> Tensor:
    """Contract in the order of a path."""
    terms, output = list(labelled[0]), labelled[1]
    left = list(tensors)
    for step in path:
        positions = sorted(step, reverse=True)
        taken = [(terms.pop(p), left.pop(p)) for p in positions]
        needed = {label for term in terms for label in term} | set(output)
        own = list(dict.fromkeys(label for term, _ in taken for label in term))
        kept = output if not terms else tuple([x for x in own if x in needed])
        left.append(products.einsum([t for t, _ in taken], kept, [x for _, x in taken]))
        terms.append(kept)
    return left[0]
