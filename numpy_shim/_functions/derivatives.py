"""Derivatives of functions of arrays, and functions mapped over axes: ``torch.func`` for arrays.

NumPy has none of these. The names and arguments are those of JAX.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy
import torch
from torch import Tensor

from xp_torch._torch.dynamo import beside_graphs
from xp_torch._torch.internals import tree_map

from .._array.ndarray import AnyArray, array_of, tensor_scalar, wrap
from .._base.dtypes import COMPLEXES, FLOATS, NUMPY
from .._convert.arguments import as_tensor
from .._convert.to_numpy import to_numpy

__all__ = ["grad", "jacobian", "value_and_grad", "vmap"]

Function = Callable[..., Any]


def grad(fun: Function, argnums: int | tuple[int, ...] = 0, has_aux: bool = False) -> Function:
    """A function that gives the gradient of ``fun``, whose result is a real scalar.

    Parameters
    ----------
    fun : callable
        A function of arrays; it may use this namespace, operators and methods.
    argnums : int or tuple of ints
        The positional arguments to differentiate by: floating-point arrays, numbers, or lists,
        tuples and dicts of them. With a tuple the result is a tuple of gradients. The gradient by
        an array of NumPy's is one too, as compiled code of SciPy wants it.
    has_aux : bool
        Whether ``fun`` returns a pair of the scalar and something else, which is returned too.

    Returns
    -------
    callable
        It takes the arguments of ``fun`` and returns the gradient, or the gradient and the second
        of the pair with ``has_aux``.

    Raises
    ------
    TypeError
        By the call, for an argument that is not floating-point, and for a result that is not a
        real scalar.

    Notes
    -----
    Source: ``torch.func.grad``; the arguments are those of ``jax.grad``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.grad(lambda x: np.sum(x**2))(np.array([1.0, 2.0]))
    array([2., 4.])
    """
    both = value_and_grad(fun, argnums, has_aux)

    def gradient(*args: object, **kwargs: object) -> Any:
        value, slope = both(*args, **kwargs)
        return (slope, value[1]) if has_aux else slope

    return gradient


def value_and_grad(
    fun: Function, argnums: int | tuple[int, ...] = 0, has_aux: bool = False
) -> Function:
    """A function that gives the value of ``fun`` and its gradient; see ``grad``.

    The pair is what ``scipy.optimize.minimize(..., jac=True)`` takes.

    Parameters
    ----------
    fun : callable
        A function of arrays that returns a real scalar; see ``grad``.
    argnums : int or tuple of ints
        The positional arguments to differentiate by; see ``grad``.
    has_aux : bool
        Whether ``fun`` returns a pair of the scalar and something else.

    Returns
    -------
    callable
        It takes the arguments of ``fun`` and returns the value and the gradient.

    Raises
    ------
    TypeError
        By the call, as for ``grad``.

    Notes
    -----
    Source: ``torch.func.grad_and_value``, with the pair the other way round.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.value_and_grad(lambda x: np.sum(x**2))(np.array([1.0, 2.0]))
    (np.float64(5.0), array([2., 4.]))
    """

    def scalar_of(*args: object, **kwargs: object) -> Any:
        result = fun(*args, **kwargs)
        value, aux = result if has_aux else (result, None)
        tensor = as_tensor("grad", value, "the result")
        if tensor.dim() or tensor.dtype not in FLOATS:
            raise TypeError(
                f"grad: the function must return a real scalar, not an array of shape "
                f"{tuple(tensor.shape)} and dtype {NUMPY[tensor.dtype]}"
            )
        return (tensor, _tensors("grad", aux)) if has_aux else tensor

    def both(*args: object, **kwargs: object) -> Any:
        given = _differentiable("grad", args, argnums)
        transformed = beside_graphs(torch.func.grad_and_value(scalar_of, argnums, has_aux))
        slope, value = transformed(*given, **kwargs)
        return _finished(value), _like(_at(args, argnums), _finished(slope))

    return both


def jacobian(
    fun: Function, argnums: int | tuple[int, ...] = 0, *, forward: bool = False
) -> Function:
    """A function that gives the derivatives of each element of the result of ``fun``.

    The axes of the result come first, then those of the argument.

    Parameters
    ----------
    fun : callable
        A function of arrays that returns an array, or a list, tuple or dict of them.
    argnums : int or tuple of ints
        The positional arguments to differentiate by; see ``grad``.
    forward : bool
        Whether to go forward, which is faster for more results than arguments.

    Returns
    -------
    callable
        It takes the arguments of ``fun`` and returns the derivatives.

    Raises
    ------
    TypeError
        By the call, for an argument that is not floating-point.

    Notes
    -----
    Source: ``torch.func.jacrev`` and ``torch.func.jacfwd``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.jacobian(lambda x: x**2)(np.array([1.0, 2.0]))
    array([[2., 0.],
           [0., 4.]])
    """
    transform = torch.func.jacfwd if forward else torch.func.jacrev

    def derivatives(*args: object, **kwargs: object) -> Any:
        given = _differentiable("jacobian", args, argnums)
        return _finished(transform(_opened(fun, "jacobian"), argnums)(*given, **kwargs))

    return derivatives


def vmap(
    fun: Function,
    in_axes: int | tuple[int | None, ...] | list[int | None] | None = 0,
    out_axes: int | tuple[int, ...] = 0,
) -> Function:
    """A function that applies ``fun`` to each entry along an axis of its arguments, all at once.

    Parameters
    ----------
    fun : callable
        A function of arrays that returns an array, or a list, tuple or dict of them.
    in_axes : int, None, or tuple or list of them
        The axis of each positional argument to map over; ``None`` for the same value every time.
    out_axes : int or tuple of ints
        Where the mapped axis is in each result.

    Returns
    -------
    callable
        It takes the arguments of ``fun`` and returns the results of all entries.

    Raises
    ------
    ValueError
        By the call, for axes of different sizes.

    Notes
    -----
    Source: ``torch.func.vmap``; the arguments are those of ``jax.vmap``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.vmap(np.dot)(np.ones((3, 2)), np.ones((3, 2)))
    array([2., 2., 2.])
    """

    def mapped(*args: object, **kwargs: object) -> Any:
        axes = tuple(in_axes) if isinstance(in_axes, list) else in_axes
        ours = tuple(
            a if (axes[i] if isinstance(axes, tuple) else axes) is None
            else _converted("vmap", a)
            for i, a in enumerate(args)
        )  # fmt: skip
        function = torch.func.vmap(_opened(fun, "vmap"), axes, out_axes)  # type: ignore[arg-type]
        return _finished(function(*ours, **kwargs))

    return mapped


def _is_leaf(x: object) -> bool:
    return isinstance(x, AnyArray)


def _converted(name: str, argument: object) -> Any:
    """An argument with arrays of ours for the arrays and numbers in it."""
    return tree_map(lambda x: _ours(as_tensor(name, x, "an argument")), argument, is_leaf=_is_leaf)


def _ours(tensor: Tensor) -> Any:
    return array_of(tensor) if tensor.dim() else tensor_scalar(tensor)


def _differentiable(
    name: str, args: tuple[object, ...], argnums: int | Sequence[int]
) -> tuple[Any, ...]:
    """The arguments, with floating-point arrays for those to differentiate by."""
    wanted = {n % len(args) if args else n for n in _numbers(argnums)}

    def checked(x: Any) -> Any:
        tensor = as_tensor(name, x, "an argument")
        if tensor.dtype not in FLOATS and tensor.dtype not in COMPLEXES:
            raise TypeError(
                f"{name}: the arguments to differentiate by must be floating-point, not "
                f"{NUMPY[tensor.dtype]}"
            )
        return _ours(tensor)

    return tuple(
        tree_map(checked, a, is_leaf=_is_leaf) if i in wanted else a for i, a in enumerate(args)
    )


def _at(args: tuple[object, ...], argnums: int | tuple[int, ...]) -> Any:
    """The arguments of these numbers, as ``torch.func`` arranges their gradients."""
    return args[argnums] if isinstance(argnums, int) else tuple(args[n] for n in argnums)


def _like(arguments: object, slopes: object) -> Any:
    """The gradients, in NumPy's arrays for the arguments that are arrays of NumPy's."""

    def one(argument: object, slope: object) -> Any:
        if not isinstance(argument, numpy.ndarray):
            return slope
        return to_numpy(slope._tensor) if isinstance(slope, AnyArray) else numpy.asarray(slope)

    return tree_map(one, arguments, slopes, is_leaf=_is_leaf)


def _numbers(argnums: int | Sequence[int]) -> Sequence[int]:
    return (argnums,) if isinstance(argnums, int) else argnums


def _opened(fun: Function, name: str) -> Function:
    """The function with tensors as results: constants of NumPy and Python too."""

    def of_tensors(*args: object, **kwargs: object) -> Any:
        return _tensors(name, fun(*args, **kwargs))

    return of_tensors


def _tensors(name: str, results: object) -> Any:
    return tree_map(lambda x: as_tensor(name, x, "a result"), results, is_leaf=_is_leaf)


def _finished(result: object) -> Any:
    """Results with arrays for tensors, and scalars where they have no axes."""
    return tree_map(
        lambda x: wrap(x._tensor if isinstance(x, AnyArray) else x)
        if isinstance(x, (AnyArray, Tensor)) else x,
        result,
        is_leaf=_is_leaf,
    )  # fmt: skip
