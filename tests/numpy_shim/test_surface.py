"""The surface of numpy_shim, from one table: it traces, and it has the right gradient."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Sequence
from typing import Any
from unittest.mock import patch

import numpy
import pytest
import torch
from torch.fx.experimental.symbolic_shapes import GuardOnDataDependentSymNode

import numpy_shim
import tests.numpy_shim.surface
from numpy_shim._array.ndarray import AnyArray
from tests.cases import labels, tensors
from tests.releases import differentiated, traced
from tests.surface import Case, has_floating_input
from xp_torch._core import box


def all_cases() -> list[Case]:
    """The cases of every chapter, in the order of the files' names."""
    found: list[Case] = []
    for module in pkgutil.iter_modules(tests.numpy_shim.surface.__path__):
        found += importlib.import_module(f"tests.numpy_shim.surface.{module.name}").CASES
    return found


CASES = all_cases()


NO_CASE: dict[str, str] = {
    **dict.fromkeys(
        ("fromfile", "fromregex", "genfromtxt", "load", "loadtxt", "save", "savetxt", "savez",
         "savez_compressed", "ndarray.dump", "ndarray.tofile"),
        "files are read and written on the host",
    ),
    **dict.fromkeys(
        ("bmat", "getbufsize", "setbufsize"),
        "it is NumPy's, for arrays of NumPy's",
    ),
    **dict.fromkeys(
        ("busday_count", "busday_offset", "datetime_as_string", "datetime_data", "is_busday"),
        "dates are on the host",
    ),
    **dict.fromkeys(
        ("base_repr", "binary_repr", "info", "iterable", "show_config", "show_runtime"),
        "it takes and gives Python's objects",
    ),
    **dict.fromkeys(
        ("geterr", "geterrcall", "load_ipython_extension", "seterr", "seterrcall",
         "unload_ipython_extension"),
        "it is a setting",
    ),
    **dict.fromkeys(
        ("isfortran", "may_share_memory", "shares_memory", "ndarray.__array_interface__",
         "ndarray.__dlpack_device__", "ndarray.ctypes"),
        "it reads memory, which a trace does not have",
    ),
    **dict.fromkeys(
        ("ndarray.__int__", "ndarray.__index__", "ndarray.__complex__"),
        "its result is a Python number: see ndarray.__float__",
    ),
    **dict.fromkeys(
        ("ndarray.__array_function__", "ndarray.__array_priority__", "ndarray.__array_ufunc__",
         "ndarray.__array_wrap__",
         "ndarray.__torch_function__", "ndarray.__class_getitem__"),
        "other libraries call it: see test_interop.py",
    ),
    **dict.fromkeys(
        ("asmatrix", "ndarray.__delitem__"), "it refuses every argument"
    ),
    **dict.fromkeys(
        ("export", "grad", "jacobian", "jit", "value_and_grad", "vmap"),
        "it makes a function: see test_derivatives.py, jit/ and export/",
    ),
    "nested_iters": "it makes loops in Python",
    "ndarray.__deepcopy__": "copy.deepcopy calls it, which Dynamo does not follow",
}  # fmt: skip
"""Public names without a case, with the reason; one that has a case or is gone is an error."""

_OF_CLASSES = {"__annotations__", "__module__", "__slots__", "__weakref__", "__firstlineno__",
               "__static_attributes__"}  # fmt: skip


def surface() -> set[str]:
    """Every function, ufunc, and attribute or method of the array, by name."""
    names: set[str] = set()
    for name, value in vars(numpy_shim).items():
        if not name.startswith("_") and callable(value) and not isinstance(value, type):
            names.add(value.__name__ if isinstance(value, numpy_shim.ufunc) else name)
    for module in (numpy_shim.linalg, numpy_shim.fft):
        short = module.__name__.rpartition(".")[2]
        names |= {f"{short}.{n}" for n in module.__all__ if n != "LinAlgError"}
    for name in dir(numpy_shim.ndarray):
        private = name.startswith("_") and not name.startswith("__")
        if not private and name not in dir(object) and name not in _OF_CLASSES:
            names.add(f"ndarray.{name}")
    return names


def test_table_is_complete():
    """Every public name has a case or a reason for having none."""
    listed = {case.name for case in CASES}
    assert surface() - listed - NO_CASE.keys() == set(), "names without a case"
    assert NO_CASE.keys() - surface() == set(), "reasons without a name"
    assert NO_CASE.keys() & listed == set(), "a reason for a name that has a case"


def leaves(result: Any) -> list[torch.Tensor]:
    """The tensors of a result: an array, a scalar, or a tuple or list of them."""
    if isinstance(result, AnyArray):
        return [result._tensor]
    if isinstance(result, numpy.generic):
        return [numpy_shim.asarray(result, device="cpu")._tensor]
    if isinstance(result, (tuple, list)):
        return [t for part in result for t in leaves(part)]
    return []


def named(cases: list[Case]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    return pytest.mark.parametrize("case", cases, ids=labels(cases))


def arrays(case: Case) -> list[Any]:
    return [numpy_shim.asarray(t) for t in tensors(case)]


GUARDS = 200
"""What Dynamo may compare at each call of compiled code: 1,000 comparisons take 20 us."""


def compiled(case: Case) -> tuple[Any, list[torch.fx.GraphModule]]:
    """The case under ``torch.compile(fullgraph=True)``: its result and the graphs recorded."""
    graphs: list[torch.fx.GraphModule] = []

    def count(guards: Sequence[Any]) -> list[bool]:
        assert len(guards) <= GUARDS, f"{len(guards)} guards, as if a table of ours were compared"
        return [True] * len(guards)

    def record(graph: torch.fx.GraphModule, example: Any) -> Any:
        graphs.append(graph)
        return graph.forward

    torch._dynamo.reset()
    function = torch.compile(
        lambda *a: case.body(numpy_shim, *a),
        backend=record,
        fullgraph=True,
        options={"guard_filter_fn": count},
    )
    return function(*arrays(case)), graphs


@named([c for c in CASES if not c.trace and traced(c)])
def test_traces(case: Case):
    """One graph, no break, and the eager result; no more torch calls than the case allows.

    As in a process of one device: other tests in this one may have used another.
    """
    with patch.object(box, "several_devices", False):
        check_traces(case)


def check_traces(case: Case) -> None:
    expected = case.body(numpy_shim, *arrays(case))
    got, graphs = compiled(case)
    for ours, theirs in zip(leaves(got), leaves(expected), strict=True):
        if not case.name.startswith("empty"):
            torch.testing.assert_close(ours, theirs, equal_nan=True)
    calls = [
        n
        for g in graphs
        for n in g.graph.nodes
        if n.op in ("call_function", "call_method") and n.target is not getattr
    ]
    if case.nodes is not None:
        assert len(calls) <= case.nodes, [str(n.target) for n in calls]


@named([c for c in CASES if c.trace or not traced(c)])
def test_exception_from_tracing_is_true(case: Case):
    """A case that is excepted from tracing does not trace: a stale reason fails."""
    with pytest.raises(
        (torch._dynamo.exc.TorchDynamoException, GuardOnDataDependentSymNode, AssertionError)
    ):
        compiled(case)


@named([c for c in CASES if not c.grad and differentiated(c)])
def test_gradient(case: Case):
    """The gradient agrees with finite differences."""

    def function(*inputs: torch.Tensor) -> tuple[torch.Tensor, ...]:
        result = case.body(numpy_shim, *[numpy_shim.asarray(t) for t in inputs])
        return tuple(t for t in leaves(result) if t.is_floating_point() or t.is_complex())

    assert torch.autograd.gradcheck(function, tensors(case, requires_grad=True))


@named([c for c in CASES if c.grad and differentiated(c) and has_floating_input(c)])
def test_exception_from_gradient_is_true(case: Case):
    """A case without a gradient gives none: no differentiable result, or a zero one."""
    inputs = tensors(case, requires_grad=True)
    result = leaves(case.body(numpy_shim, *[numpy_shim.asarray(t) for t in inputs]))
    for tensor in result:
        if tensor.requires_grad:
            for grad in torch.autograd.grad(
                tensor.sum().abs(), inputs, allow_unused=True, retain_graph=True
            ):
                assert grad is None or not grad.any(), case.grad
