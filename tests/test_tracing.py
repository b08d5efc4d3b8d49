"""Dynamo's rules for the operators that it lacks: ours, for our arrays alone."""

from __future__ import annotations

import operator
import subprocess
import sys

import pytest
import torch

import numpy_shim
import xp_torch
from tests.releases import TORCH


class Foreign:
    """A class with the operators, over a tensor, that is none of ours."""

    def __init__(self, tensor):
        self.tensor = tensor

    def __matmul__(self, other):
        return self.tensor @ other.tensor

    def __invert__(self):
        return ~self.tensor


def traced(function, *arguments):
    torch._dynamo.reset()
    return torch.compile(function, backend="eager", fullgraph=True)(*arguments)


@pytest.mark.skipif(TORCH >= (2, 14), reason="this torch has rules of its own")
@pytest.mark.parametrize("function", [lambda x: Foreign(x) @ Foreign(x), lambda x: ~Foreign(x)])
def test_other_classes_are_left_alone(function):
    with pytest.raises(torch._dynamo.exc.Unsupported, match="builtin operator"):
        traced(function, torch.ones(2, 2, dtype=torch.int64))


@pytest.mark.parametrize("xp", [xp_torch, numpy_shim])
@pytest.mark.parametrize(
    "function",
    [operator.matmul, lambda x, y: x @ y, lambda x, y: operator.imatmul(x + 0, y),
     lambda x, y: ~x, lambda x, y: operator.inv(x)],
)  # fmt: skip
def test_result_is_that_of_eager(xp, function):
    x, y = xp.asarray([[1, 2], [3, 4]]), xp.asarray([[5, 6], [7, 8]])
    got, expected = traced(function, x, y), function(x, y)
    assert type(got) is type(expected)
    assert torch.equal(got._tensor, expected._tensor)


@pytest.mark.parametrize("xp", [xp_torch, numpy_shim])
def test_operand_without_the_operator(xp):
    """No rule gives a result where the methods give ``NotImplemented``."""
    with pytest.raises((torch._dynamo.exc.Unsupported, TypeError)):
        traced(lambda x: x @ "three", xp.ones((2, 2)))


def test_reflected_operator_of_the_second_operand():
    a = numpy_shim.asarray([[1.0, 2.0], [3.0, 4.0]])
    got = traced(lambda a: [1.0, 2.0] @ a, a)
    assert got.tolist() == [7.0, 10.0]


@pytest.mark.parametrize("first", ["import xp_torch", "import torch._dynamo"])
def test_whichever_is_imported_first(first):
    """The rules come with Dynamo and inductor, and nothing waits for imports after both."""
    program = f"""
{first}
import sys, torch, xp_torch
assert {"not" if first == "import xp_torch" else ""} "torch._dynamo" in sys.modules
x = xp_torch.ones((2, 2))
y = torch.compile(lambda x: x @ x, backend="eager", fullgraph=True)(x)
assert xp_torch.all(y == 2.0)
import torch._inductor.compile_fx
assert not [f for f in sys.meta_path if type(f).__module__.startswith("xp_torch")]
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120)
