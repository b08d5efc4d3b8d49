"""Products of vectors and matrices. ``matmul`` and its like are ufuncs, in ``_ufunc.gufuncs``."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, SupportsIndex

import torch
from torch import Tensor
from torch.compiler import is_compiling

from xp_torch._core import box as _box
from xp_torch._core.errors import translate

from .._array.ndarray import array_of, ndarray, new, scalar, wrap
from .._base import error_checks
from .._base import error_states as errstate
from .._base.axes import broadcast_shapes, normalize_axes, normalize_axis
from .._base.dtypes import FLOATS, promote
from .._base.fast_tables import fast_table
from .._base.release import CROSS_NEEDS_THREE
from .._base.tracing import warn
from .._base.typing import AxesLike
from .._convert.arguments import ArrayLike, as_tensor, finish, operands, promoted
from .._convert.outputs import output_of
from .._host.hand_over import call_beside
from .._host.numpy_calls import is_beside
from .._kernels import products
from .._kernels.casting import cast
from .._kernels.products import vector_product, vector_product_of_three
from .._ufunc.declarations import multiply, negative, subtract
from .._ufunc.gufuncs import matmul

__all__ = ["cross", "dot", "inner", "kron", "outer", "tensordot", "vdot"]

_FLAT = fast_table({
    dtype: dtype for dtype in (torch.float32, torch.float64, torch.complex64, torch.complex128)
})  # fmt: skip
_CROSSED = fast_table({dtype: dtype for dtype in (torch.float32, torch.float64)})


def _pair(name: str, a: ArrayLike, b: ArrayLike) -> list[Tensor]:
    """Two operands in their common dtype, on one device."""
    return promoted(name, operands(name, a, b, arguments=("a", "b")))


def _multiplied(name: str, function: Any, *args: Any) -> Tensor:
    """A product; shapes that do not match raise NumPy's error."""
    a, b = args[:2]
    try:
        result: Tensor = function(*args)
    except RuntimeError as error:
        shapes = f"shapes {tuple(a.shape)} and {tuple(b.shape)}"
        if "shape" in str(error) or "size" in str(error):
            raise ValueError(f"{name}: {shapes} not aligned") from None
        translate(name, error)
    if errstate.active:
        error_checks.check_product("dot", lambda a, b: function(a, b, *args[2:]), a, b, result)
    return result


def times(s: Tensor, t: Tensor) -> Tensor:
    """The element-wise product, computed by the ufunc ``multiply``."""
    result = products.multiply(s, t)
    if errstate.active:
        error_checks.check("multiply", [s, t], (result,))
    return result


def dot(a: ArrayLike, b: ArrayLike, out: ndarray | None = None) -> ndarray:
    """The inner product of vectors, the product of matrices, or a product with a scalar.

    Parameters
    ----------
    a, b : array_like
        Any numeric dtype or boolean. The sum is over the last axis of ``a`` and the second last
        (or only) axis of ``b``; both have the same size.
    out : ndarray, optional
        Where to put the result; it must have its dtype and shape.

    Returns
    -------
    ndarray or scalar
        Shape ``a.shape[:-1] + b.shape[:-2] + b.shape[-1:]``, of the promoted dtype.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.dot([1, 2], [3, 4])
    np.int64(11)
    """
    if out is None and type(a) is ndarray and type(b) is ndarray:
        d, e = a._flat_dtype, b._flat_dtype
        s, t = a._tensor, b._tensor
        rows, columns = s.dim(), t.dim()
        if d is e and d in _FLAT:
            try:
                if _box.several_devices and s.device != t.device:
                    pass  # the general call names both
                elif rows == columns == 1:
                    return scalar(torch.dot(s, t), d)
                elif rows <= 2 and columns <= 2:
                    made = new(ndarray)
                    made._tensor = torch.matmul(s, t)
                    made._flat_dtype = d
                    return made
            except RuntimeError:
                pass  # the general call says what is wrong with the shapes
        elif d is not e and 0 < rows <= 2 and 0 < columns <= 2 and s.shape[-1] == t.shape[0]:
            return matmul(a, b)
    return _general_dot(a, b, out)


def _general_dot(a: ArrayLike, b: ArrayLike, out: ndarray | None) -> ndarray:
    s, t = _pair("dot", a, b)
    if s.dim() and t.dim() and s.shape[-1] != t.shape[max(t.dim() - 2, 0)]:
        raise ValueError(f"dot: shapes {tuple(s.shape)} and {tuple(t.shape)} not aligned")
    result = _multiplied("dot", products.dot, s, t)
    target = None if out is None else output_of("dot", out)._tensor
    if target is not None and not (target.dtype is result.dtype and target.is_contiguous()):
        raise ValueError(
            "dot: output array is not acceptable (must be an array that can be written to, of "
            f"the dtype {wrap(result).dtype}, and contiguous)"
        )
    return finish("dot", result, out)


def vdot(a: ArrayLike, b: ArrayLike, /) -> ndarray:
    """The dot product of flattened arrays, the first one conjugated.

    Parameters
    ----------
    a, b : array_like
        Any numeric dtype or boolean; both have the same size.

    Returns
    -------
    scalar
        Of the promoted dtype.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.vdot([1 + 2j], [3j])
    np.complex128(6+3j)
    """
    plain = type(a) is ndarray and type(b) is ndarray and _are_vectors(a._tensor, b._tensor)
    if plain and not a._tensor.is_complex():  # type: ignore[union-attr]
        return dot(a, b)
    s, t = (x.reshape(-1) for x in _pair("vdot", a, b))
    if s.shape != t.shape:
        raise ValueError(f"vdot: sizes {s.numel()} and {t.numel()} differ")
    return wrap(products.vecdot(s, t, -1))


def _are_vectors(s: Tensor, t: Tensor) -> bool:
    """Whether two tensors are alike and 1-D, so that all kinds of products are the same."""
    return s.dim() == 1 and s.shape == t.shape and s.dtype is t.dtype and s.dtype in _FLAT


def inner(a: ArrayLike, b: ArrayLike, /) -> ndarray:
    """The sum of products over the last axes; with a scalar, the product.

    Parameters
    ----------
    a, b : array_like
        Any numeric dtype or boolean; their last axes have the same size.

    Returns
    -------
    ndarray or scalar
        Shape ``a.shape[:-1] + b.shape[:-1]``, of the promoted dtype.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.inner([[1, 2], [3, 4]], [1, 10])
    array([21, 43])
    """
    if type(a) is ndarray and type(b) is ndarray and _are_vectors(a._tensor, b._tensor):
        return dot(a, b)
    s, t = _pair("inner", a, b)
    if s.dim() == 0 or t.dim() == 0:
        return wrap(times(s, t))
    if s.shape[-1] != t.shape[-1]:
        raise ValueError(f"inner: shapes {tuple(s.shape)} and {tuple(t.shape)} not aligned")
    return wrap(_multiplied("inner", products.tensordot, s, t, (s.dim() - 1,), (t.dim() - 1,)))


def outer(a: ArrayLike, b: ArrayLike, out: ndarray | None = None) -> ndarray:
    """The products of every element of ``a`` with every element of ``b``, both flattened.

    Parameters
    ----------
    a, b : array_like
        Any numeric dtype or boolean, of any shape.
    out : ndarray, optional
        Where the result is written; it is returned.

    Returns
    -------
    ndarray
        Shape ``(a.size, b.size)``, of the promoted dtype.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.outer([1, 2], [3, 4])
    array([[3, 4],
           [6, 8]])
    """
    if type(a) is ndarray and type(b) is ndarray and out is None and not _box.several_devices:
        d = a._flat_dtype
        s, t = a._tensor, b._tensor
        if d in _FLAT and d is b._flat_dtype and s.dim() == t.dim() == 1:
            try:
                # A tensor that is spread over processes has rules for these two operations.
                alone = type(s) is type(t) is Tensor
                product = torch.outer(s, t) if alone else torch.mul(s.unsqueeze(1), t)
            except RuntimeError:
                pass  # no memory for it: the general call says so
            else:
                made = new(ndarray)
                made._tensor = product
                made._flat_dtype = d
                return made
    if out is None and (is_beside(a) or is_beside(b)):
        result = call_beside("outer", (a, b))
        if result is not NotImplemented:
            return result  # type: ignore[no-any-return]
    return _general_outer(a, b, out)


def _general_outer(a: ArrayLike, b: ArrayLike, out: ndarray | None) -> ndarray:
    # A flattened Python number is an array of its own dtype, so it is not weak here.
    s, t = promoted("outer", operands("outer", a, b, arguments=("a", "b")))
    result = times(s.reshape(-1, 1), t if t.dim() == 1 else t.reshape(-1))
    return finish("outer", result, out)


def tensordot(a: ArrayLike, b: ArrayLike, axes: SupportsIndex | Sequence[AxesLike] = 2) -> ndarray:
    """The sum of products over pairs of axes.

    Parameters
    ----------
    a, b : array_like
        Any numeric dtype or boolean.
    axes : int or (2,) array_like
        The number of axes to sum over (the last of ``a``, the first of ``b``), or the axes of
        ``a`` and those of ``b``.

    Returns
    -------
    ndarray or scalar
        The remaining axes of ``a``, then those of ``b``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.tensordot(np.ones((2, 3)), np.ones((3, 4)), axes=1).shape
    (2, 4)
    """
    s, t = _pair("tensordot", a, b)
    if hasattr(axes, "__iter__") and getattr(axes, "ndim", 1) > 0:
        first, second = axes  # type: ignore[misc]
        left = _axes_of("tensordot", first, s.dim())
        right = _axes_of("tensordot", second, t.dim())
    else:
        count = int(axes)  # type: ignore[arg-type]
        left = tuple(range(s.dim() - count, s.dim()))
        right = tuple(range(count))
    fits = len(left) == len(right) and count_fits(left, s.dim()) and count_fits(right, t.dim())
    if not fits or any(s.shape[i] != t.shape[j] for i, j in zip(left, right, strict=True)):
        raise ValueError("tensordot: shape-mismatch for sum")
    return array_of(_multiplied("tensordot", products.tensordot, s, t, left, right))


def count_fits(axes: tuple[int, ...], ndim: int) -> bool:
    """Whether an array of ``ndim`` axes has all of these."""
    return all(0 <= axis < ndim for axis in axes)


def _axes_of(name: str, axes: Any, ndim: int) -> tuple[int, ...]:
    count: Any = getattr(axes, "ndim", 1)
    several = hasattr(axes, "__iter__") and count > 0
    return normalize_axes(name, tuple(axes) if several else (axes,), ndim, "axes")


def kron(a: ArrayLike, b: ArrayLike) -> ndarray:
    """The Kronecker product: blocks of ``b``, each scaled by an element of ``a``.

    Parameters
    ----------
    a, b : array_like
        Any numeric dtype or boolean, of any shape.

    Returns
    -------
    ndarray or scalar
        The shapes are padded with ones on the left to one length and multiplied.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.kron([1, 10], [5, 6])
    array([ 5,  6, 50, 60])
    """
    s, t = _pair("kron", a, b)
    ndim = max(s.dim(), t.dim())
    s = s.reshape((1,) * (ndim - s.dim()) + tuple(s.shape))
    t = t.reshape((1,) * (ndim - t.dim()) + tuple(t.shape))
    if not ndim:
        return wrap(times(s, t))
    spread = [size for pair in zip(s.shape, (1,) * ndim, strict=True) for size in pair]
    within = [size for pair in zip((1,) * ndim, t.shape, strict=True) for size in pair]
    shape = [m * n for m, n in zip(s.shape, t.shape, strict=True)]
    if math.prod(shape) == 0:
        return wrap(s.new_zeros(shape))
    return wrap(times(s.reshape(spread), t.reshape(within)).reshape(shape).contiguous())


def cross(
    a: ArrayLike, b: ArrayLike, axisa: int = -1, axisb: int = -1, axisc: int = -1,
    axis: int | None = None,
) -> ndarray:  # fmt: skip
    """The cross product of vectors of three components.

    Parameters
    ----------
    a, b : array_like
        The vectors; their other axes broadcast. With NumPy before 2.5 they may have two
        components, which is deprecated: the third one then counts as zero.
    axisa, axisb : int
        The axes of the vectors.
    axisc : int
        The axis of the vectors of the result.
    axis : int, optional
        One axis for ``axisa``, ``axisb`` and ``axisc``; it overrides them.

    Returns
    -------
    ndarray
        For two vectors of two components, only the third component, without an axis for it.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.cross(np.array([1, 2, 3]), np.array([4, 5, 6]))
    array([-3,  6, -3])
    """
    if axis is not None:
        axisa = axisb = axisc = axis
    if type(a) is ndarray and type(b) is ndarray and a._flat_dtype in _CROSSED:
        s, t = a._tensor, b._tensor
        if (
            a._flat_dtype is b._flat_dtype
            and s.shape == t.shape == (3,)
            and axisa == axisb == axisc == -1
            and type(s) is type(t) is Tensor
            and not _box.several_devices
            and not is_compiling()
        ):
            return array_of(vector_product_of_three(s, t))
    s, t = operands("cross", a, b, arguments=("a", "b"))
    if s.dim() < 1 or t.dim() < 1:
        raise ValueError("cross: At least one array has zero dimension")
    s = s.movedim(normalize_axis("cross", axisa, s.dim(), "axisa"), -1)
    t = t.movedim(normalize_axis("cross", axisb, t.dim(), "axisb"), -1)
    sizes = s.shape[-1], t.shape[-1]
    if CROSS_NEEDS_THREE and sizes != (3, 3):
        raise ValueError(
            "cross: Both input arrays must be (arrays of) 3-dimensional vectors, but they are "
            f"{sizes[0]} and {sizes[1]} dimensional instead."
        )
    if not {2, 3}.issuperset(sizes):
        raise ValueError(
            f"cross: incompatible dimensions for cross product (dimension must be 2 or 3, got "
            f"{sizes[0]} and {sizes[1]})"
        )
    if 2 in sizes:
        warn(
            "Arrays of 2-dimensional vectors are deprecated. Use arrays of 3-dimensional vectors "
            "instead. (deprecated in NumPy 2.0)",
            DeprecationWarning,
        )
    dtype = promote("cross", s.dtype, t.dtype)
    if dtype is torch.bool and sizes != (2, 2):
        raise TypeError("cross: booleans cannot be subtracted; cast them")
    shape = broadcast_shapes("cross", s.shape[:-1], t.shape[:-1])
    if sizes == (3, 3) and dtype in FLOATS and not errstate.active:
        result = vector_product(cast(s, dtype), cast(t, dtype))
        if axisc != -1:
            dim = normalize_axis("cross", axisc, result.dim(), "axisc")
            result = result.movedim(-1, dim)
        return array_of(result)
    x, y = [[array_of(cast(v[..., i], dtype)) for i in range(v.shape[-1])] for v in (s, t)]
    third = subtract(multiply(x[0], y[1]), multiply(x[1], y[0]))
    if sizes == (2, 2):
        return array_of(as_tensor("cross", third))
    if sizes == (3, 3):
        first = subtract(multiply(x[1], y[2]), multiply(x[2], y[1]))
        second = subtract(multiply(x[2], y[0]), multiply(x[0], y[2]))
    elif sizes == (2, 3):
        first, second = multiply(x[1], y[2]), negative(multiply(x[0], y[2]))
    else:
        first, second = negative(multiply(x[2], y[1])), multiply(x[2], y[0])
    dim = normalize_axis("cross", axisc, len(shape) + 1, "axisc")
    parts = [as_tensor("cross", c).expand(shape) for c in (first, second, third)]
    return array_of(torch.stack(parts, -1).movedim(-1, dim))  # as it lies in NumPy
