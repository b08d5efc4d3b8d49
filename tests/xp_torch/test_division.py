"""Division with a remainder: special values, gradients, traces, and looks at values."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
import torch
from torch._subclasses import FakeTensorMode
from torch.fx.experimental.proxy_tensor import make_fx

import xp_torch as xp
from xp_torch._kernels import host_reads

VALUES = (
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.1,
    2.5,
    -7.0,
    1e300,
    -1e300,
    5e-324,
    math.inf,
    -math.inf,
    math.nan,
)
PAIRS = np.array(list(itertools.product(VALUES, VALUES)))


def expected_quotient(a: float, b: float) -> float:
    """Python's, but ``floor(a / b)`` for infinities, which the standard prefers."""
    with np.errstate(all="ignore"):
        if math.isinf(a) or math.isinf(b):
            return float(np.floor(np.divide(a, b)))
        return float(np.floor_divide(a, b))


def same(got: torch.Tensor, expected: np.ndarray) -> None:
    np.testing.assert_array_equal(got.numpy(), expected)
    numbers = ~np.isnan(expected)
    np.testing.assert_array_equal(np.signbit(got.numpy())[numbers], np.signbit(expected)[numbers])


@pytest.mark.parametrize("size", [1, 7, host_reads.FEW, len(PAIRS)])
def test_special_values(size: int):
    """All pairs of special values, in arrays that are looked at as a list, a sum or not at all."""
    with np.errstate(all="ignore"):
        remainders = np.remainder(PAIRS[:, 0], PAIRS[:, 1])
    quotients = np.array([expected_quotient(a, b) for a, b in PAIRS])
    for start in range(0, len(PAIRS), size):
        part = slice(start, start + size)
        a, b = (xp.asarray(torch.from_numpy(PAIRS[part, i].copy())) for i in (0, 1))
        same(xp.to_torch(a // b), quotients[part])
        same(xp.to_torch(a % b), remainders[part])
        for operands in ((part, None), (None, part, None), *([(start,)] if size == 1 else [])):
            x, y = (xp.asarray(torch.from_numpy(PAIRS[:, i])[operands].clone()) for i in (0, 1))
            same(xp.to_torch(x // y), quotients[operands])
            same(xp.to_torch(x % y), remainders[operands])


@pytest.mark.parametrize("number", VALUES)
def test_special_numbers(number: float):
    """The same with a Python number on either side."""
    values = np.array(VALUES)
    x = xp.asarray(torch.from_numpy(values.copy()))
    with np.errstate(all="ignore"):
        same(xp.to_torch(x % number), np.remainder(values, number))
        same(xp.to_torch(number % x), np.remainder(number, values))
    same(xp.to_torch(x // number), np.array([expected_quotient(v, number) for v in VALUES]))
    same(xp.to_torch(number // x), np.array([expected_quotient(number, v) for v in VALUES]))


def test_exact_quotients():
    """Where the rounded quotient is an integer, the exact one may lie below."""
    assert float(xp.asarray(1.0) // 0.1) == 9.0
    assert float(xp.asarray([6.0])[0] // 0.1) == 59.0


@pytest.mark.parametrize("name", ["floor_divide", "remainder"])
def test_a_look_changes_nothing(name: str, monkeypatch: pytest.MonkeyPatch):
    """The same values with and without looking at them."""
    function = getattr(xp, name)
    floats = [xp.asarray(torch.from_numpy(PAIRS[:, i].copy())) for i in (0, 1)]
    small = list(range(-4, 4))
    ints = [xp.asarray(v) for v in zip(*itertools.product(small, small), strict=True)]
    for a, b in (floats, ints):
        firsts = range(a.shape[0] - 5)
        seen = [function(a[i : i + 5], b[i : i + 5]) for i in firsts]
        with monkeypatch.context() as patch:
            patch.setattr(host_reads, "is_dynamo_compiling", lambda: True)
            patch.setattr("xp_torch._kernels.division.is_dynamo_compiling", lambda: True)
            unseen = [function(a[i : i + 5], b[i : i + 5]) for i in firsts]
        for one, other in zip(seen, unseen, strict=True):
            same(xp.to_torch(one), xp.to_torch(other).numpy())


@pytest.mark.parametrize("first", [1.0, math.inf])
@pytest.mark.parametrize("divisor", ["array", "number"])
def test_gradient_of_a_zero_divisor(divisor: str, first: float):
    """No exception: 0 for a quotient, and 1 for the dividend of a remainder."""
    a = torch.tensor([first, -2.0, 0.0, 5.0], dtype=torch.float64, requires_grad=True)
    b = 0.0 if divisor == "number" else xp.asarray([0.0, -0.0, 0.0, 2.0])
    (grad,) = torch.autograd.grad(xp.to_torch(xp.asarray(a) // b).sum(), a)
    assert grad.tolist() == [0.0] * 4
    (grad,) = torch.autograd.grad(xp.to_torch(xp.asarray(a) % b).sum(), a)
    assert grad.tolist() == [1.0] * 4


@pytest.mark.parametrize("backend", ["eager", "aot_eager", None])
def test_gradient_of_a_zero_remainder(backend: str | None):
    """1 for the dividend and minus the quotient for the divisor, compiled or not."""

    def function(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        return xp.to_torch(xp.asarray(a) % xp.asarray(b))

    a = torch.tensor([4.0, -4.0, 5.0, 0.0], dtype=torch.float64, requires_grad=True)
    b = torch.tensor([2.0, -2.0, 3.0, -1.0], dtype=torch.float64, requires_grad=True)
    torch._dynamo.reset()
    called = torch.compile(function, backend=backend, fullgraph=True) if backend else function
    result = called(a, b)
    same(result.detach(), np.array([0.0, -0.0, 2.0, -0.0]))
    of_a, of_b = torch.autograd.grad(result.sum(), (a, b))
    assert of_a.tolist() == [1.0] * 4
    assert of_b.tolist() == [-2.0, -2.0, -1.0, 0.0]


@pytest.mark.parametrize("dtype", ["uint16", "uint32", "uint64"])
@pytest.mark.parametrize(
    "name",
    ["add", "multiply", "floor_divide", "remainder", "pow", "less", "maximum", "bitwise_xor",
     "bitwise_right_shift", "equal", "subtract"],
)  # fmt: skip
def test_wide_unsigned_traces(name: str, dtype: str):
    """One graph, and the eager values."""
    top = np.iinfo(dtype).max
    a = torch.from_numpy(np.array([top, top - 1, 7, 0], dtype))
    b = torch.from_numpy(np.array([3, top, 0, 2], dtype))

    def function(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        return xp.to_torch(getattr(xp, name)(xp.asarray(a), xp.asarray(b)))

    torch._dynamo.reset()
    got = torch.compile(function, backend="eager", fullgraph=True)(a, b)
    np.testing.assert_array_equal(got.numpy(), function(a, b).numpy())


@pytest.mark.parametrize(
    ("name", "dtype"),
    [
        *itertools.product(["sign", "add", "negative"], [torch.float64, torch.complex128]),
        *itertools.product(["floor_divide", "remainder"], [torch.float64]),
    ],
)
def test_without_values_to_look_at(name: str, dtype: torch.dtype):
    """Under vmap and of fake tensors, which are on the CPU and have no values."""
    count = 1 if name in ("sign", "negative") else 2

    def function(*operands: torch.Tensor) -> torch.Tensor:
        return xp.to_torch(getattr(xp, name)(*[xp.asarray(t) for t in operands]))

    operands = [torch.randn(4, 3, dtype=dtype) for _ in range(count)]
    torch.testing.assert_close(torch.vmap(function)(*operands), function(*operands))
    with FakeTensorMode() as mode:
        assert function(*[mode.from_tensor(t) for t in operands]).shape == (4, 3)


@pytest.mark.parametrize("name", ["floor_divide", "remainder", "sign", "searchsorted"])
@pytest.mark.parametrize("how", ["export", "make_fx"])
def test_exported_programs_look_at_nothing(name: str, how: str):
    """A graph made of fake tensors, which Dynamo has no part in, is right for all values."""

    class Module(torch.nn.Module):
        def forward(self, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
            x, y = xp.asarray(a), xp.asarray(b)
            result = xp.sign(x) if name == "sign" else getattr(xp, name)(x, y)
            return xp.to_torch(result)

    module = Module()
    ones = torch.ones(2, len(PAIRS), dtype=torch.float64).unbind()
    if how == "export":
        program = torch.export.export(module, ones, strict=False)
        called, graph = program.module(), program.graph
    else:
        called = make_fx(module, tracing_mode="fake")(*ones)
        graph = called.graph
    nodes = {str(node.target) for node in graph.nodes}
    assert not nodes & {"aten.equal.default", "aten._local_scalar_dense.default"}
    a, b = (torch.from_numpy(PAIRS[:, i].copy()) for i in (0, 1))
    if name == "searchsorted":
        a = torch.sort(a).values
    same(called(a, b), module(a, b).numpy())
