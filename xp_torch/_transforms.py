"""Build the public functions of Fourier transforms from kernels.

The functions of one axis share a signature, and so do those of several axes. ``fft.py`` declares
each function.
"""

from __future__ import annotations

from collections.abc import Sequence
from inspect import cleandoc
from typing import Any, Literal, Protocol, TypeAlias, TypeVar

import torch

from ._array import Array
from ._core.axes import integer, normalize_axis
from ._core.dtypes import BOUNDS
from ._core.errors import AxisError, shown, translate, type_name
from ._dispatch import check_category, document, tensor_of, wrap
from ._kernels import fft as kernels
from ._kernels.fft import Transform

_Function = TypeVar("_Function", bound=Any)
Norm: TypeAlias = Literal["backward", "ortho", "forward"]
_NORMS = ("backward", "ortho", "forward", None)
"""``None`` means ``"backward"``, as it does in NumPy and torch."""

INT64_MAX = BOUNDS[torch.int64][1]


class TransformOfOneAxis(Protocol):
    """The signature that the one-dimensional transforms share."""

    def __call__(
        self, x: Array, /, *, n: int | None = None, axis: int = -1, norm: Norm = "backward"
    ) -> Array: ...


class TransformOfManyAxes(Protocol):
    """The signature that the n-dimensional transforms share."""

    def __call__(
        self,
        x: Array,
        /,
        *,
        s: Sequence[int] | None = None,
        axes: Sequence[int] | None = None,
        norm: Norm = "backward",
    ) -> Array: ...


_ONE_AXIS = """\
{summary}

Parameters
----------
x : Array
    {Label} dtype.
n : int, optional
    {n}
axis : int, optional
    The axis to transform; the last by default.
norm : {{"backward", "ortho", "forward"}}, optional
    {norm}

Returns
-------
Array
    {returns}

Raises
------
TypeError
    For any other dtype, or an ``n`` or ``axis`` that is not an integer.
ValueError
    For ``n`` below 1, an empty axis without ``n``, or an unknown ``norm``.
AxisError
    For an axis that ``x`` does not have.

Notes
-----
Source: the array API standard, ``fft.{name}``.

Examples
--------
>>> import xp_torch as xp
{example}
"""

_MANY_AXES = """\
{summary}

Parameters
----------
x : Array
    {Label} dtype.
s : sequence of int, optional
    {n}
axes : sequence of int, optional
    The axes to transform, in any order; all by default. It must be given where ``s`` is. An
    axis that comes twice is transformed twice.
norm : {{"backward", "ortho", "forward"}}, optional
    {norm}

Returns
-------
Array
    {returns}

Raises
------
TypeError
    For any other dtype, or an ``s`` or ``axes`` that is not a sequence of integers.
ValueError
    For a size below 1, an ``s`` without ``axes`` or of another length, or an unknown ``norm``.
AxisError
    For an axis that ``x`` does not have.

Notes
-----
Source: the array API standard, ``fft.{name}``.

Examples
--------
>>> import xp_torch as xp
{example}
"""

FORWARD = 'No factor for ``"backward"``, ``1/sqrt(n)`` for ``"ortho"``, ``1/n`` for ``"forward"``.'
BACKWARD = '``1/n`` for ``"backward"``, ``1/sqrt(n)`` for ``"ortho"``, no factor for ``"forward"``.'
_N_IN = "The length of the transform: the axis is cut or padded with zeros to it."
_N_OUT = """\
The length of the result along the axis, ``2*(M - 1)`` by default for ``M`` elements; of
    the input ``n//2 + 1`` elements are used, padded with zeros if there are fewer."""
_S_IN = """\
The length of the transform along each of ``axes``, which are cut or padded with zeros to
    it; -1 stands for the size that the axis has."""
_S_OUT = """\
The size of the result along each of ``axes``, ``2*(M - 1)`` by default for the last of
    them if it has ``M`` elements. Of that axis ``s[-1]//2 + 1`` elements are used; each axis
    is cut or padded with zeros. -1 stands for the size that the axis has."""
_SAME = "The same dtype; the same shape but for the transformed axes."
_COMPLEX = """\
The complex dtype of the same precision; of the (last) transformed axis the elements for
    the frequencies that are not negative, ``n//2 + 1``."""
_REAL = "The real dtype of the same precision; the same shape but for the transformed axes."


def _fill(template: str, kind: Transform, summary: str, n: str, norm: str, example: str) -> str:
    returns = _COMPLEX if kind.halves else _REAL if kind.doubles else _SAME
    return template.format(
        name=kind.name,
        summary=summary,
        Label=kind.category.label.capitalize(),
        n=n,
        norm=norm,
        returns=returns,
        example=cleandoc(example),
    )


def _document(function: _Function, kind: Transform, doc: str) -> _Function:
    document(function, kind.name, doc).__module__ = "xp_torch.fft"
    return function


def one_axis(kind: Transform, summary: str, norm: str, *, example: str) -> TransformOfOneAxis:
    """The public function of a transform of one axis."""
    fast, dtypes = kind.torch, kind.category.dtypes
    norm_doc = norm

    def function(
        x: Array, /, *, n: int | None = None, axis: int = -1, norm: Norm = "backward"
    ) -> Array:
        if type(x) is Array:
            t = x._tensor
            if t.dtype in dtypes and t.numel():
                try:
                    out = Array()
                    out._tensor = fast(t, n, axis, norm)
                    return out
                except (RuntimeError, IndexError, TypeError, ValueError):
                    pass  # the general twin raises the error
        return _general_of_one(kind, x, n, axis, norm)

    n_doc = _N_OUT if kind.doubles else _N_IN
    doc = _fill(_ONE_AXIS, kind, summary, n_doc, norm_doc, example)
    return _document(function, kind, doc)


def _general_of_one(kind: Transform, x: object, n: object, axis: Any, norm: Any) -> Array:
    """Every call that the fast path does not handle: empty arrays and wrong arguments."""
    name = kind.name
    t = tensor_of(name, "x", x)
    check_category(name, "x", t.dtype, kind.category)
    axis = normalize_axis(name, axis, t.ndim)
    size = kind.default_size(t.shape[axis]) if n is None else integer(name, "n", n)
    check_size(name, size)
    _check_norm(name, norm)
    try:
        return wrap(kernels.one_axis(kind, t, size, axis, norm))
    except RuntimeError as error:
        translate(name, error)


def many_axes(kind: Transform, summary: str, norm: str, *, example: str) -> TransformOfManyAxes:
    """The public function of a transform of several axes."""
    fast, dtypes = kind.torch, kind.category.dtypes
    norm_doc = norm

    def function(
        x: Array,
        /,
        *,
        s: Sequence[int] | None = None,
        axes: Sequence[int] | None = None,
        norm: Norm = "backward",
    ) -> Array:
        if type(x) is Array and s is None and (axes is None or type(axes) is tuple):
            t = x._tensor
            if t.dtype in dtypes and t.numel():
                try:
                    out = Array()
                    out._tensor = fast(t, None, axes, norm)
                    return out
                except (RuntimeError, IndexError, TypeError, ValueError):
                    pass  # the general twin raises the error
        return _general_of_many(kind, x, s, axes, norm)

    s_doc = _S_OUT if kind.doubles else _S_IN
    doc = _fill(_MANY_AXES, kind, summary, s_doc, norm_doc, example)
    return _document(function, kind, doc)


def _general_of_many(kind: Transform, x: object, s: object, axes: Any, norm: Any) -> Array:
    """Every call that the fast path does not handle: given axes and sizes, wrong arguments."""
    name = kind.name
    t = tensor_of(name, "x", x)
    check_category(name, "x", t.dtype, kind.category)
    if axes is None:
        if s is not None:
            raise ValueError(f"{name}: s is given without axes; give the axes it belongs to")
        axes = tuple(range(t.ndim))
    else:
        axes = tuple([normalize_axis(name, a, t.ndim, "axes") for a in _items(name, "axes", axes)])
    if not axes and (kind.halves or kind.doubles):
        raise AxisError(f"{name}: there must be at least one axis to transform")
    if s is None:
        sizes = [t.shape[axis] for axis in axes]
        if kind.doubles:
            sizes[-1] = kind.default_size(sizes[-1])
    else:
        sizes = [integer(name, "s", n) for n in _items(name, "s", s)]
        if len(sizes) != len(axes):
            raise ValueError(f"{name}: s has {len(sizes)} sizes for {len(axes)} axes")
        sizes = [t.shape[a] if n == -1 else n for n, a in zip(sizes, axes, strict=True)]
    for size in sizes:
        check_size(name, size)
    _check_norm(name, norm)
    try:
        return wrap(kernels.many_axes(kind, t, tuple(sizes), axes, norm))
    except RuntimeError as error:
        translate(name, error)


def check_size(name: str, size: int) -> None:
    if size < 1:
        raise ValueError(f"{name}: a transform of {shown(size)} elements; it takes at least 1")
    if size > INT64_MAX:
        raise ValueError(f"{name}: a transform of {shown(size)} elements is too large")


def _items(name: str, argument: str, value: object) -> Sequence[Any]:
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
        return value
    raise TypeError(f"{name}: {argument} must be a sequence of integers, not {type_name(value)}")


def _check_norm(name: str, norm: object) -> None:
    if norm not in _NORMS:
        raise ValueError(f"{name}: norm must be 'backward', 'ortho' or 'forward', not {norm!r}")
