"""Casts to 16-bit floats round once, as NumPy's: torch goes by way of float32."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
import torch

import numpy_shim
from numpy_shim._kernels.casting import narrowed
from tests.numpy_shim.differential import ROUNDING, compare

V = 1 + 2**-11 + 2**-40
"""Just above the middle of two numbers of float16, where it lies in float32."""

CALLS = [
    "np.float16(V)", "np.float16(np.float64(V))", "np.float16(str(V))", "np.array(V, 'e')",
    "np.array([[V, 1], [2, V]], 'e')", "np.array([np.float64(V)], 'e')",
    "np.array([V, V])[::-1].astype('e')", "np.asarray(np.array([V]), dtype='e')",
    "np.array([V], 'D').real.astype('e')", "np.full(2, V, 'e')", "np.full_like(h, V)",
    "h * V", "V * h", "np.float16(1) * V", "np.maximum(h, V)", "h < V",
    "np.multiply([1.0], V, dtype='e')", "np.multiply(np.ones(2), V, out=h)",
    "np.where([False], h, V)", "np.clip(h, V, V)", "np.linspace(V, V, 2, dtype='e')",
    "np.arange(V, V + 1, dtype='e')", "np.max(h, initial=V)", "np.insert(h, 0, V)",
    "np.pad(h, 1, constant_values=V)", "np.fromiter([V], 'e')",
    "np.sum(np.array([V]), out=h[0:1].reshape(()))", "np.float16(1e30)", "np.float16(-1e30)",
    "np.array([1e30, -1e30, np.inf, np.nan, 65519.9999, 65520.0, 5e-324, -0.0]).astype('e')",
]  # fmt: skip
STATEMENTS = [
    "h[0] = V", "h[0] = np.float64(V)", "h[:] = V", "h[:] = np.array([V, V])", "h[[0, 1]] = V",
    "h[[0, 1]] = np.array([V, V])", "h[[True, False]] = V", "h[...] = [V, V]", "h.fill(V)",
    "h[::-1][:1] = np.array([V])", "h += V", "h += np.array([V, V])", "h.flat = V",
    "h.put([0], V)", "np.copyto(h, V)", "np.copyto(h, np.array([V, V]))",
]  # fmt: skip


@pytest.mark.parametrize("call", CALLS)
def test_values_that_are_made(call: str) -> None:
    compare(lambda np: eval(call, {"np": np, "V": V, "h": np.ones(2, "e")}))


@pytest.mark.parametrize("statement", STATEMENTS)
def test_values_that_are_written(statement: str) -> None:
    def body(np: Any) -> Any:
        h = np.zeros(2, "e")
        exec(statement, {"np": np, "V": V, "h": h})
        return h

    compare(body)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_every_tie(dtype: torch.dtype) -> None:
    """Every number of 16 bits, the middle between it and the next, and what is beside that.

    The subnormal numbers of bfloat16 are those of float32, which lacks the digits to tell.
    """
    low, high = (0, 0x7C00) if dtype is torch.float16 else (0x0080, 0x7F80)
    exact = torch.arange(low, high, dtype=torch.int16).view(dtype).double()
    middle = (exact[:-1] + exact[1:]) / 2
    even = torch.where(torch.arange(low, high - 1) % 2 == 0, exact[:-1], exact[1:])
    infinity = torch.tensor(torch.inf, dtype=torch.float64)
    above, below = torch.nextafter(middle, infinity), torch.nextafter(middle, -infinity)
    for x, expected in (
        (exact, exact), (middle, even), (above, exact[1:]), (below, exact[:-1]),
    ):  # fmt: skip
        assert torch.equal(narrowed(x, dtype).double(), expected)
        assert torch.equal(narrowed(-x, dtype).double(), -expected)


@pytest.mark.parametrize("source", ["e", "f", "d", "q", "F"])
@pytest.mark.parametrize("out", ["e", "f", "d", None])
@pytest.mark.parametrize("dtype", ["e", None])
@pytest.mark.parametrize("call", [
    "np.sum", "np.mean", "np.prod", "np.var", "np.std", "np.nansum", "np.nanmean",
    "np.add.reduce", "np.multiply.reduce", "np.maximum.reduce",
])  # fmt: skip
def test_reductions(call: str, dtype: str | None, out: str | None, source: str) -> None:
    """Elements are cast before they are added up, and the sum after."""

    def body(np: Any) -> Any:
        a = np.linspace(1.1, 1.3, 60).reshape(12, 5)
        a = a * 4001 if source == "q" and "mul" not in call and "prod" not in call else a
        made = None if out is None else np.zeros(12, out)
        return eval(call, {"np": np})(a.astype(source), 1, dtype, made)

    # A double output shows the roundings of what is computed in single precision; a deviation
    # is a difference of numbers that are 240 times as large.
    double = ROUNDING["float32"] if source in "efF" or dtype == "e" else 240 * ROUNDING["float64"]
    compare(body, rtol={**ROUNDING, "float64": double})


def test_gradients_and_traces() -> None:
    def function(t: Any) -> Any:
        return (numpy_shim.asarray(t).astype("float16") * V)._tensor

    t = torch.tensor([V, torch.inf, 3.0], dtype=torch.float64, requires_grad=True)
    result = function(t)
    assert result.tolist() == function(t.detach()).tolist()
    result[::2].sum().backward()
    assert t.grad is not None
    assert t.grad.tolist() == [numpy.float16(V), 0, numpy.float16(V)]
    tangent = torch.func.jvp(function, (t.detach(),), (torch.ones_like(t),))[1]
    assert tangent[::2].tolist() == [numpy.float16(V)] * 2
    compiled = torch.compile(function, fullgraph=True, backend="eager")
    assert compiled(t.detach()).tolist() == result.tolist()
