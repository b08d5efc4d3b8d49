"""Functions that give views of arrays, of scalars: a scalar again, or an array of its own memory.

In eager mode the scalar is NumPy's, in a compiled program and with a gradient it is a tensor.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy
import pytest
import torch

import numpy_shim

FUNCTIONS: dict[str, Callable[[Any, Any], Any]] = {
    "transpose": lambda np, x: np.transpose(x),
    "transpose of no axes": lambda np, x: np.transpose(x, ()),
    "permute_dims": lambda np, x: np.permute_dims(x, ()),
    "moveaxis": lambda np, x: np.moveaxis(x, (), ()),
    "reshape": lambda np, x: np.reshape(x, ()),
    "reshape by columns": lambda np, x: np.reshape(x, (), order="F"),
    "reshape with a copy": lambda np, x: np.reshape(x, (), copy=True),
    "reshape to one axis": lambda np, x: np.reshape(x, -1),
    "squeeze": lambda np, x: np.squeeze(x),
    "squeeze of an axis": lambda np, x: np.squeeze(x, axis=0),
    "squeeze of no axes": lambda np, x: np.squeeze(x, axis=()),
    "ravel": lambda np, x: np.ravel(x),
    "atleast_1d": lambda np, x: np.atleast_1d(x),
    "atleast_3d": lambda np, x: np.atleast_3d(x),
    "expand_dims": lambda np, x: np.expand_dims(x, 0),
    "broadcast_to": lambda np, x: np.broadcast_to(x, (2,)),
    "broadcast_to no axes": lambda np, x: np.broadcast_to(x, ()),
    "broadcast_arrays": lambda np, x: np.broadcast_arrays(x)[0],
    "broadcast_arrays of others": lambda np, x: np.broadcast_arrays(x, np.ones(2))[0],
    "real": lambda np, x: np.real(x),
    "imag": lambda np, x: np.imag(x),
    "real_if_close": lambda np, x: np.real_if_close(np.real(x)),
    "asarray": lambda np, x: np.asarray(x),
    "astype": lambda np, x: np.astype(x, x.dtype),
    "an index": lambda np, x: x[...],
    "a method": lambda np, x: x.transpose(),
}


def _made(np: Any, function: Callable[[Any, Any], Any], program: Callable[..., Any]) -> Any:
    """What ``function`` gives for the largest of three numbers, twice, and views of it."""

    def with_views(a: Any) -> Any:
        x = a.max()
        made = function(np, x)
        return x, made, function(np, x), made[None], made.reshape(-1)

    return program(with_views)


def _facts(np: Any, found: Any) -> list[Any]:
    """The kind, shape, dtype and value of each, and which of the arrays share memory."""
    arrays = [x for x in found if not isinstance(x, numpy.generic)]
    facts: list[Any] = [
        (isinstance(x, numpy.generic), x.shape, x.dtype, numpy.asarray(x).tolist()) for x in found
    ]
    facts += [bool(np.shares_memory(x, y)) for x in arrays for y in arrays]
    return [*facts, [x.flags.writeable for x in found]]


def _whole(program: Callable[..., Any]) -> Callable[..., Any]:
    torch._dynamo.reset()
    return torch.compile(program, backend="eager", fullgraph=True)


@pytest.mark.filterwarnings("ignore:future versions will not create a writeable array")
@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("dtype", ["float64", "complex64", "uint16"])
def test_kinds_and_memory(dtype: str, name: str):
    """The same in NumPy, in eager mode and compiled."""
    function = FUNCTIONS[name]
    given = numpy.array([1, 3, 2], dtype)
    expected = _facts(numpy, _made(numpy, function, lambda f: f)(given))
    ours = numpy_shim.array(given)
    assert _facts(numpy_shim, _made(numpy_shim, function, lambda f: f)(ours)) == expected
    assert _facts(numpy_shim, _made(numpy_shim, function, _whole)(ours)) == expected


@pytest.mark.parametrize("name", [n for n in FUNCTIONS if n != "imag"])
def test_with_a_gradient(name: str):
    """As without one, and the gradient arrives."""
    function = FUNCTIONS[name]
    given = numpy.array([1.0, 3.0, 2.0])
    expected = _facts(numpy, _made(numpy, function, lambda f: f)(given))
    leaf = torch.tensor(given, requires_grad=True)
    found = _made(numpy_shim, function, lambda f: f)(numpy_shim.asarray(leaf))
    found[1].tensor.sum().backward()
    assert leaf.grad is not None
    assert leaf.grad.tolist() == [0.0, float(found[1].size), 0.0]
    assert [x.shape for x in found] == [fact[1] for fact in expected[:5]]
    assert [isinstance(x, numpy.generic) for x in found] == [fact[0] for fact in expected[:5]]


@pytest.mark.parametrize("call", ["transpose(x, (0,))", "reshape(x, (2,))", "squeeze(x, 1)"])
def test_what_a_scalar_has_not_is_an_error(call: str):
    """A scalar of NumPy's is checked as an array is."""
    raised = []
    for np in (numpy, numpy_shim):
        with pytest.raises(ValueError) as info:  # noqa: PT011 - the kinds are compared
            eval(call, {"x": np.float64(1), **vars(np)})
        raised.append(info.type)
    assert raised[0] is raised[1]


def test_repair_of_a_scalar():
    """``copy=False`` cannot write to a scalar: NumPy's error, from a traced function too."""

    def program(a: Any) -> Any:
        return numpy_shim.nan_to_num(a.max(), copy=False)

    a = numpy_shim.array([1.0, numpy.nan])
    for function in (program, torch.compile(program, backend="eager")):
        with pytest.raises(ValueError, match="copy=False"):
            function(a)
