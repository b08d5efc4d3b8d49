"""The whole public surface, from one table: it traces, and it has the right gradient."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

import xp_torch
from tests.cases import all_cases, labels, leaves, tensors
from tests.releases import differentiated, traced
from tests.surface import Case, has_floating_input
from xp_torch._array import Array

CASES = all_cases()
NOT_FUNCTIONS = {"e", "inf", "nan", "newaxis", "pi", "linalg", "fft"}
# What Python itself asks of a class rather than the standard of an array.
NOT_OPERATIONS = {
    "__module__", "__doc__", "__slots__", "__new__", "__hash__", "__init_subclass__",
    "__array_priority__", "__torch_function__", "__annotations__",
    "__static_attributes__", "__firstlineno__", "__qualname__",
}  # fmt: skip


def surface() -> set[str]:
    """Every function, `to_torch`, and every method and attribute of the array, by name."""
    names = {
        n for n in xp_torch.__all__ if n not in NOT_FUNCTIONS and callable(getattr(xp_torch, n))
    }
    for extension in (xp_torch.linalg, xp_torch.fft):
        names |= {f"{extension.__name__.rpartition('.')[2]}.{n}" for n in extension.__all__}
    names |= {f"Array.{n}" for n in vars(Array) if n not in NOT_OPERATIONS and not _private(n)}
    return names | {"to_torch"}


def _private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


def test_table_is_complete():
    """Every public name has a case, and no case names what does not exist."""
    listed = {case.name for case in CASES}
    assert surface() - listed == set(), "names without a case"
    assert listed - surface() == set(), "cases without a name"


def named(cases: list[Case]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    return pytest.mark.parametrize("case", cases, ids=labels(cases))


def compiled(case: Case) -> tuple[Any, list[torch.fx.GraphModule]]:
    """The case under ``torch.compile(fullgraph=True)``: its result and the graphs recorded."""
    graphs: list[torch.fx.GraphModule] = []

    def record(graph: torch.fx.GraphModule, example: Any) -> Any:
        graphs.append(graph)
        return graph.forward

    torch._dynamo.reset()
    function = torch.compile(lambda *a: case.body(xp_torch, *a), backend=record, fullgraph=True)
    return function(*[xp_torch.asarray(t) for t in tensors(case)]), graphs


@named([c for c in CASES if not c.trace and traced(c)])
def test_traces(case: Case):
    """One graph, no break, and the eager result; no more torch calls than the case allows."""
    expected = case.body(xp_torch, *[xp_torch.asarray(t) for t in tensors(case)])
    got, graphs = compiled(case)
    for ours, theirs in zip(leaves(got), leaves(expected), strict=True):
        if not case.name.startswith("empty"):
            torch.testing.assert_close(ours, theirs, equal_nan=True)
    calls = [n for g in graphs for n in g.graph.nodes if n.op in ("call_function", "call_method")]
    if case.nodes is not None:
        assert len(calls) <= case.nodes, [str(n.target) for n in calls]


@named([c for c in CASES if c.trace or not traced(c)])
def test_exception_from_tracing_is_true(case: Case):
    """A case that is excepted from tracing does not trace: a stale reason fails."""
    with pytest.raises((torch._dynamo.exc.TorchDynamoException, AssertionError)):
        compiled(case)


@named([c for c in CASES if not c.grad and differentiated(c)])
def test_gradient(case: Case):
    """The gradient agrees with finite differences."""

    def function(*inputs: torch.Tensor) -> tuple[torch.Tensor, ...]:
        result = case.body(xp_torch, *[xp_torch.asarray(t) for t in inputs])
        return tuple(t for t in leaves(result) if t.is_floating_point() or t.is_complex())

    assert torch.autograd.gradcheck(function, tensors(case, requires_grad=True))


@named([c for c in CASES if c.grad and differentiated(c) and has_floating_input(c)])
def test_exception_from_gradient_is_true(case: Case):
    """A case without a gradient gives none: no differentiable result, or a zero one."""
    inputs = tensors(case, requires_grad=True)
    try:
        result = leaves(case.body(xp_torch, *[xp_torch.asarray(t) for t in inputs]))
    except (TypeError, BufferError) as error:  # refused, where it would be lost
        if "gradient" not in str(error):
            raise
        return
    for tensor in result:
        if tensor.requires_grad:
            for grad in torch.autograd.grad(
                tensor.sum().abs(), inputs, allow_unused=True, retain_graph=True
            ):
                assert grad is None or not grad.any(), case.grad


def writes(case: Case) -> bool:
    """Whether a case is there to change its input."""
    in_place = case.name.startswith("Array.__i") and case.name not in (
        "Array.__int__", "Array.__index__", "Array.__invert__", "Array.__iter__",
    )  # fmt: skip
    return in_place or case.name == "Array.__setitem__"


@named([c for c in CASES if not writes(c)])
def test_inputs_are_not_changed(case: Case):
    """No function changes its input; the in-place operators change only the left operand."""
    inputs = tensors(case)
    before = [t.clone() for t in inputs]
    case.body(xp_torch, *[xp_torch.asarray(t) for t in inputs])
    for after, original in zip(inputs, before, strict=True):
        torch.testing.assert_close(after, original, rtol=0, atol=0, equal_nan=True)
