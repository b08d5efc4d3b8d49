"""torch's functions and operators on our arrays.

One rule decides the type of results: *an operation with one of our arrays gives one of our
arrays*, whichever operand comes first. In-place operations on a tensor (``t[0] = a``, ``t += a``,
``out=t``) keep it a tensor. Between a tensor and an array, operators follow NumPy
(``t + a`` is ``asarray(t) + a``); a function of ``torch`` follows torch, on the arrays' tensors.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy
import torch
from torch import Tensor
from torch.compiler import is_dynamo_compiling

from xp_torch._core.box import _box_bits, boxed
from xp_torch._torch.internals import register_class

from .._array.ndarray import SCALAR_TYPES, AnyArray, array_of, ndarray, new, tensor_scalar, wrap
from .._array.scalars import rebuilt
from .._base.dtypes import NUMPY, TORCH
from .._kernels.backwards import values

_OPERATORS: dict[Any, Callable[..., Any]] = {
    Tensor.add: operator.add, Tensor.sub: operator.sub, Tensor.mul: operator.mul,
    Tensor.div: operator.truediv, Tensor.remainder: operator.mod,
    Tensor.pow: operator.pow, Tensor.matmul: operator.matmul,
    Tensor.__and__: operator.and_, Tensor.__or__: operator.or_, Tensor.__xor__: operator.xor,
    Tensor.__lshift__: operator.lshift, Tensor.__rshift__: operator.rshift,
    Tensor.lt: operator.lt, Tensor.le: operator.le, Tensor.gt: operator.gt,
    Tensor.ge: operator.ge, Tensor.eq: operator.eq, Tensor.ne: operator.ne,
    Tensor.__eq__: operator.eq,
}  # fmt: skip
"""The function that torch calls for ``t + a`` and so on, and our operator for it.

For torch ``t.add(a)`` is the same call, so the result is the same. Dynamo calls ``__eq__`` where
NumPy's scalar is an operand of ``==``.
"""

_IN_PYTHON: dict[str, Callable[..., Any]] = {"__floordiv__": operator.floordiv}
_REFLECTED: dict[str, Callable[..., Any]] = {
    "__rsub__": operator.sub, "__rdiv__": operator.truediv, "__rtruediv__": operator.truediv,
    "__rfloordiv__": operator.floordiv, "__rmod__": operator.mod, "__rpow__": operator.pow,
    "__rmatmul__": operator.matmul, "__rlshift__": operator.lshift, "__rrshift__": operator.rshift,
}  # fmt: skip
"""Operators that torch has in Python, by name: Dynamo does not find such functions in a table."""


def torch_function(
    cls: type, func: Any, types: object, args: tuple[Any, ...] = (), kwargs: object = None
) -> Any:
    """``func(*args, **kwargs)`` with the tensors of our arrays, the results arrays again."""
    if not kwargs and len(args) == 2:
        left, right = args
        name = getattr(func, "__name__", None)
        if name in _IN_PYTHON:
            return _IN_PYTHON[name](_as_ours(left), _as_ours(right))
        if name in _REFLECTED:
            return _REFLECTED[name](_as_ours(right), _as_ours(left))
        if name == "pow" and func is not torch.pow:  # Tensor.__pow__ is in Python too
            return operator.pow(_as_ours(left), _as_ours(right))
        if func in _OPERATORS:
            return _OPERATORS[func](_as_ours(left), _as_ours(right))
    given: list[Tensor] = []
    arguments = _opened(args, given)
    options = _opened(kwargs or {}, given)
    return _closed(func(*arguments, **options), given)


def _as_ours(x: object) -> Any:
    """An operand of an operator: a tensor as an array, and in a trace a NumPy array or scalar too.

    Dynamo turns those into tensors that it treats as NumPy's.
    """
    if isinstance(x, Tensor):
        return array_of(x)
    if isinstance(x, numpy.ndarray) and is_dynamo_compiling():
        return array_of(torch.as_tensor(x))
    return x


def _opened(x: object, given: list[Tensor]) -> Any:
    """Arguments with tensors for arrays; the tensors among them are put into ``given``."""
    if isinstance(x, AnyArray):
        return x._tensor
    if isinstance(x, Tensor):
        given.append(x)
        return x
    if isinstance(x, numpy.ndarray) and is_dynamo_compiling():
        return torch.as_tensor(x)
    if isinstance(x, (list, tuple)):
        opened = [_opened(v, given) for v in x]
        return type(x)(opened) if type(x) in (list, tuple) else type(x)(*opened)
    if isinstance(x, dict):
        return {k: _opened(v, given) for k, v in x.items()}
    return x


def _closed(x: object, given: list[Tensor]) -> Any:
    """Results with arrays for tensors, except for a tensor that was given to be written to."""
    if isinstance(x, Tensor):
        if x.dtype not in NUMPY or any(x is g for g in given):
            return x
        return wrap(x)
    if isinstance(x, (list, tuple)):
        closed = [_closed(v, given) for v in x]
        return (
            type(x)(closed)
            if type(x) in (list, tuple) or hasattr(x, "n_fields")
            else (type(x)(*closed))
        )
    return x


def _as_it_was(leaf: Any) -> Any:
    """An array of what a transform puts in place of its tensor; not always a tensor.

    An array in that place is the derivative of an array by an array, and is the whole result.
    """
    if isinstance(leaf, AnyArray):
        return leaf
    if isinstance(leaf, Tensor):
        return array_of(leaf)
    out = new(ndarray)
    out._tensor = leaf
    out._flat_dtype = None
    return out


def _scalar_as_it_was(leaf: object) -> Any:
    """A scalar of what a transform puts in place of its tensor; an array if that has axes."""
    if isinstance(leaf, Tensor) and not leaf.dim() and leaf.dtype in NUMPY:
        return tensor_scalar(leaf)
    return _as_it_was(leaf)


register_class(ndarray, lambda x: values(x._tensor), _as_it_was, "numpy_shim.ndarray")
for _kind in SCALAR_TYPES.values():
    register_class(_kind, lambda x: x._tensor, _scalar_as_it_was, f"numpy_shim.{_kind.__name__}")

# The function with which torch.load makes an array; it refuses unregistered classes.
torch.serialization.add_safe_globals([boxed, _box_bits, ndarray, rebuilt])

# Also NumPy's scalars, which are made of a dtype and bytes.
_MAKER: Any = numpy.float64(0).__reduce__()[0]
torch.serialization.add_safe_globals([_MAKER, numpy.dtype, *{type(d) for d in TORCH}])
