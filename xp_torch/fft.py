"""The extension *Fourier transform functions* (``fft``)."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from inspect import cleandoc
from numbers import Real
from typing import Any, Literal, Protocol, TypeAlias

import torch

from ._array import Array
from ._core import defaults
from ._core.axes import integer, normalize_axis
from ._core.box import box, new_box
from ._core.dtypes import FLOATING, REAL_FLOATING, name_of
from ._core.errors import AxisError, translate
from ._dispatch import check_category, document, tensor_of, type_name, wrap
from ._kernels import fft as kernels
from ._kernels.fft import Transform

__all__ = [
    "fft",
    "fftfreq",
    "fftn",
    "fftshift",
    "hfft",
    "ifft",
    "ifftn",
    "ifftshift",
    "ihfft",
    "irfft",
    "irfftn",
    "rfft",
    "rfftfreq",
    "rfftn",
]

Norm: TypeAlias = Literal["backward", "ortho", "forward"]
_NORMS = ("backward", "ortho", "forward", None)
"""``None`` means ``"backward"``, as it does in NumPy and torch."""


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

_FORWARD = 'No factor for ``"backward"``, ``1/sqrt(n)`` for ``"ortho"``, ``1/n`` for ``"forward"``.'
_BACKWARD = (
    '``1/n`` for ``"backward"``, ``1/sqrt(n)`` for ``"ortho"``, no factor for ``"forward"``.'
)
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


def _document(function: Any, kind: Transform, doc: str) -> Any:
    document(function, kind.name, doc)
    function.__module__ = __name__
    return function


def _one_axis(kind: Transform, summary: str, norm: str, *, example: str) -> TransformOfOneAxis:
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
                    out = new_box(Array)
                    out._tensor = fast(t, n, axis, norm)
                    return out
                except (RuntimeError, IndexError, TypeError):
                    pass  # the general twin says what is wrong with the arguments
        return _one_axis_general(kind, x, n, axis, norm)

    n_doc = _N_OUT if kind.doubles else _N_IN
    doc = _fill(_ONE_AXIS, kind, summary, n_doc, norm_doc, example)
    return _document(function, kind, doc)  # type: ignore[no-any-return]


def _one_axis_general(kind: Transform, x: object, n: object, axis: Any, norm: Any) -> Array:
    """Every call that the fast path did not take: empty arrays and wrong arguments."""
    name = kind.name
    t = tensor_of(name, "x", x)
    check_category(name, "x", t.dtype, kind.category)
    _check_norm(name, norm)
    axis = normalize_axis(name, axis, t.ndim)
    size = kind.default_size(t.shape[axis]) if n is None else integer(name, "n", n)
    if size < 1:
        raise ValueError(f"{name}: a transform of n = {size} elements; n must be at least 1")
    try:
        return wrap(kernels.one_axis(kind, t, size, axis, norm))
    except RuntimeError as error:
        translate(name, error)


def _many_axes(kind: Transform, summary: str, norm: str, *, example: str) -> TransformOfManyAxes:
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
                    out = new_box(Array)
                    out._tensor = fast(t, None, axes, norm)
                    return out
                except (RuntimeError, IndexError, TypeError):
                    pass  # the general twin says what is wrong with the arguments
        return _many_axes_general(kind, x, s, axes, norm)

    s_doc = _S_OUT if kind.doubles else _S_IN
    doc = _fill(_MANY_AXES, kind, summary, s_doc, norm_doc, example)
    return _document(function, kind, doc)  # type: ignore[no-any-return]


def _many_axes_general(kind: Transform, x: object, s: Any, axes: Any, norm: Any) -> Array:
    """Every call that the fast path did not take: chosen axes and sizes, wrong arguments."""
    name = kind.name
    t = tensor_of(name, "x", x)
    check_category(name, "x", t.dtype, kind.category)
    _check_norm(name, norm)
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
        if size < 1:
            raise ValueError(
                f"{name}: a transform of {size} elements; each size must be at least 1"
            )
    try:
        return wrap(kernels.many_axes(kind, t, tuple(sizes), axes, norm))
    except RuntimeError as error:
        translate(name, error)


def _items(name: str, argument: str, value: Any) -> Sequence[Any]:
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
        return value
    raise TypeError(f"{name}: {argument} must be a sequence of integers, not {type_name(value)}")


def _check_norm(name: str, norm: object) -> None:
    if norm not in _NORMS:
        raise ValueError(f"{name}: norm must be 'backward', 'ortho' or 'forward', not {norm!r}")


fft = _one_axis(
    kernels.fft,
    "The one-dimensional discrete Fourier transform.",
    _FORWARD,
    example="""
    >>> xp.fft.fft(xp.asarray([1.0 + 0j, 0.0, 0.0, 0.0]))
    Array([1.+0.j, 1.+0.j, 1.+0.j, 1.+0.j], dtype=complex128)
    """,
)

ifft = _one_axis(
    kernels.ifft,
    "The one-dimensional inverse discrete Fourier transform.",
    _BACKWARD,
    example="""
    >>> xp.fft.ifft(xp.asarray([4.0 + 0j, 0.0, 0.0, 0.0]))
    Array([1.+0.j, 1.+0.j, 1.+0.j, 1.+0.j], dtype=complex128)
    """,
)

fftn = _many_axes(
    kernels.fftn,
    "The n-dimensional discrete Fourier transform.",
    _FORWARD,
    example="""
    >>> xp.fft.fftn(xp.ones((2, 2), dtype=xp.complex128))
    Array([[4.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j]], dtype=complex128)
    """,
)

ifftn = _many_axes(
    kernels.ifftn,
    "The n-dimensional inverse discrete Fourier transform.",
    _BACKWARD,
    example="""
    >>> xp.fft.ifftn(xp.ones((2, 2), dtype=xp.complex128))
    Array([[1.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j]], dtype=complex128)
    """,
)

rfft = _one_axis(
    kernels.rfft,
    "The one-dimensional discrete Fourier transform of a real signal.",
    _FORWARD,
    example="""
    >>> xp.fft.rfft(xp.asarray([1.0, 0.0, 0.0, 0.0]))
    Array([1.+0.j, 1.+0.j, 1.+0.j], dtype=complex128)
    """,
)

irfft = _one_axis(
    kernels.irfft,
    "The inverse of ``rfft``: the real signal of a spectrum.",
    _BACKWARD,
    example="""
    >>> xp.fft.irfft(xp.asarray([4.0 + 0j, 0.0, 0.0]))
    Array([1., 1., 1., 1.], dtype=float64)
    """,
)

rfftn = _many_axes(
    kernels.rfftn,
    "The n-dimensional discrete Fourier transform of a real signal.",
    _FORWARD,
    example="""
    >>> xp.fft.rfftn(xp.ones((2, 2)))
    Array([[4.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j]], dtype=complex128)
    """,
)

irfftn = _many_axes(
    kernels.irfftn,
    "The inverse of ``rfftn``: the real signal of a spectrum.",
    _BACKWARD,
    example="""
    >>> xp.fft.irfftn(xp.ones((2, 2), dtype=xp.complex128))
    Array([[1., 0.],
           [0., 0.]], dtype=float64)
    """,
)

hfft = _one_axis(
    kernels.hfft,
    "The one-dimensional discrete Fourier transform of a signal with Hermitian symmetry.",
    _FORWARD,
    example="""
    >>> xp.fft.hfft(xp.asarray([1.0 + 0j, 0.0, 0.0]))
    Array([1., 1., 1., 1.], dtype=float64)
    """,
)

ihfft = _one_axis(
    kernels.ihfft,
    "The inverse of ``hfft``: the first half of a signal with Hermitian symmetry.",
    _BACKWARD,
    example="""
    >>> xp.fft.ihfft(xp.asarray([4.0, 0.0, 0.0, 0.0]))
    Array([1.-0.j, 1.-0.j, 1.-0.j], dtype=complex128)
    """,
)


def fftfreq(
    n: int,
    /,
    *,
    d: float = 1.0,
    dtype: torch.dtype | None = None,
    device: torch.device | str | None = None,
) -> Array:
    """The frequencies that the elements of a transform of ``n`` elements stand for.

    ``[0, 1, ..., n/2-1, -n/2, ..., -1] / (d*n)`` for an even ``n``,
    ``[0, 1, ..., (n-1)/2, -(n-1)/2, ..., -1] / (d*n)`` for an odd one.

    Parameters
    ----------
    n : int
        The length of the transform.
    d : float, optional
        The distance between samples; 1 by default.
    dtype : torch.dtype, optional
        A real floating-point dtype; the default one if not given.
    device : torch.device or str, optional
        Where the result lives; torch's default device if not given.

    Returns
    -------
    Array
        Shape ``(n,)``.

    Raises
    ------
    TypeError
        For a ``d`` that is not a real number.
    ValueError
        For an ``n`` that is negative or not an integer, another dtype, or an unknown device.
    ZeroDivisionError
        For ``n`` or ``d`` of 0.

    Notes
    -----
    Source: the array API standard, ``fft.fftfreq``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.fft.fftfreq(4)
    Array([ 0.  ,  0.25, -0.5 , -0.25], dtype=float64)
    """
    return _frequencies("fftfreq", torch.fft.fftfreq, n, d, dtype, device)


def rfftfreq(
    n: int,
    /,
    *,
    d: float = 1.0,
    dtype: torch.dtype | None = None,
    device: torch.device | str | None = None,
) -> Array:
    """The frequencies that the elements of ``rfft`` of ``n`` elements stand for.

    ``[0, 1, ..., n//2] / (d*n)``: the Nyquist frequency counts as positive.

    Parameters
    ----------
    n : int
        The length of the transform.
    d : float, optional
        The distance between samples; 1 by default.
    dtype : torch.dtype, optional
        A real floating-point dtype; the default one if not given.
    device : torch.device or str, optional
        Where the result lives; torch's default device if not given.

    Returns
    -------
    Array
        Shape ``(n//2 + 1,)``.

    Raises
    ------
    TypeError
        For a ``d`` that is not a real number.
    ValueError
        For an ``n`` that is negative or not an integer, another dtype, or an unknown device.
    ZeroDivisionError
        For ``n`` or ``d`` of 0.

    Notes
    -----
    Source: the array API standard, ``fft.rfftfreq``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.fft.rfftfreq(4)
    Array([0.  , 0.25, 0.5 ], dtype=float64)
    """
    return _frequencies("rfftfreq", torch.fft.rfftfreq, n, d, dtype, device)


def _frequencies(
    name: str, function: Callable[..., torch.Tensor], n: object, d: Any, dtype: Any, device: Any
) -> Array:
    try:
        size = operator.index(n)  # type: ignore[arg-type]
    except TypeError:
        raise ValueError(f"{name}: n must be an integer, not {type_name(n)}") from None
    if not isinstance(d, Real):
        raise TypeError(f"{name}: d must be a real number, not {type_name(d)}")
    if size < 0:
        raise ValueError(f"{name}: n must not be negative, and is {size}")
    if size == 0 or d == 0:
        raise ZeroDivisionError(f"{name}: the frequencies of n = {size} and d = {d} divide by 0")
    if dtype is None:
        dtype = defaults.float_dtype()
    elif dtype not in REAL_FLOATING.dtypes:
        raise ValueError(f"{name}: dtype must be float32 or float64, not {name_of(dtype)}")
    try:
        return box(Array, function(size, d=float(d), dtype=dtype, device=device))
    except RuntimeError as error:
        translate(name, error)


def fftshift(x: Array, /, *, axes: int | Sequence[int] | None = None) -> Array:
    """The halves of each axis swapped, which brings the frequency 0 to the middle.

    Parameters
    ----------
    x : Array
        Floating-point dtype, any shape.
    axes : int or sequence of int, optional
        The axes to shift; all by default.

    Returns
    -------
    Array
        The same dtype and shape, a copy.

    Raises
    ------
    TypeError
        For any other dtype, or axes that are not integers.
    AxisError
        For an axis that ``x`` does not have.

    Notes
    -----
    Source: the array API standard, ``fft.fftshift``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.fft.fftshift(xp.fft.fftfreq(4))
    Array([-0.5 , -0.25,  0.  ,  0.25], dtype=float64)
    """
    if axes is None and type(x) is Array:
        t = x._tensor
        if t.dtype in FLOATING.dtypes and t.ndim:
            out = new_box(Array)
            out._tensor = torch.fft.fftshift(t)
            return out
    return _shifted("fftshift", x, axes, inverse=False)


def ifftshift(x: Array, /, *, axes: int | Sequence[int] | None = None) -> Array:
    """The inverse of ``fftshift``; the two differ where the size of an axis is odd.

    Parameters
    ----------
    x : Array
        Floating-point dtype, any shape.
    axes : int or sequence of int, optional
        The axes to shift; all by default.

    Returns
    -------
    Array
        The same dtype and shape, a copy.

    Raises
    ------
    TypeError
        For any other dtype, or axes that are not integers.
    AxisError
        For an axis that ``x`` does not have.

    Notes
    -----
    Source: the array API standard, ``fft.ifftshift``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.fft.ifftshift(xp.asarray([-0.5, -0.25, 0.0, 0.25]))
    Array([ 0.  ,  0.25, -0.5 , -0.25], dtype=float64)
    """
    if axes is None and type(x) is Array:
        t = x._tensor
        if t.dtype in FLOATING.dtypes and t.ndim:
            out = new_box(Array)
            out._tensor = torch.fft.ifftshift(t)
            return out
    return _shifted("ifftshift", x, axes, inverse=True)


def _shifted(name: str, x: object, axes: Any, *, inverse: bool) -> Array:
    t = tensor_of(name, "x", x)
    check_category(name, "x", t.dtype, FLOATING)
    if axes is None:
        shifted = tuple(range(t.ndim))
    elif isinstance(axes, Sequence) and not isinstance(axes, (str, bytes)):
        shifted = tuple([normalize_axis(name, a, t.ndim, "axes") for a in axes])
    else:
        shifted = (normalize_axis(name, axes, t.ndim, "axes"),)
    return wrap(kernels.shift(t, shifted, inverse=inverse))


_NAMES: dict[str, object] = {name: globals()[name] for name in __all__}
"""The public names in the standard's order, of which the version in force has a part."""
