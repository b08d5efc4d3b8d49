"""Gradients of first and second order on ``npy``, and memory over many operations."""

from __future__ import annotations

import gc
import sys
import tracemalloc
import weakref
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.fx.experimental.proxy_tensor import make_fx

import xp_backend
from xp_backend import BackendEnvironment

F = torch.nn.functional
SQUARE = [[2.0, 0.5], [0.3, 1.5]]
ROWS = [[0.3, 0.8, 1.7], [0.6, 1.2, 0.45]]

ONE: dict[str, Callable[[Tensor], Any]] = {
    **{
        name: getattr(torch, name)
        for name in (
            "abs", "acos", "acosh", "asinh", "atan", "cos", "cosh", "exp", "expm1", "log", "log10",
            "log1p", "log2", "neg", "reciprocal", "rsqrt", "sigmoid", "sin", "sinc", "sinh",
            "sqrt", "square", "tan", "tanh", "sum", "mean", "prod", "std", "var", "amax",
        )
        if name not in ("acos", "acosh")
    },
    "asin": lambda x: torch.asin(x / 2),
    "acos": lambda x: torch.acos(x / 2),
    "acosh": lambda x: torch.acosh(x + 1.5),
    "atanh": lambda x: torch.atanh(x / 2),
    "pow": lambda x: x**2.5,
    "pow of a number": lambda x: 2.0**x,
    "softmax": lambda x: x.softmax(1),
    "log_softmax": lambda x: x.log_softmax(1),
    "logsumexp": lambda x: x.logsumexp(1),
    "cumsum": lambda x: x.cumsum(1),
    "cumprod": lambda x: x.cumprod(1),
    "norm": lambda x: x.norm(),
    "relu": lambda x: F.relu(x - 0.5),
    "silu": F.silu,
    "softplus": F.softplus,
    "elu": lambda x: F.elu(x - 1),
    "leaky_relu": lambda x: F.leaky_relu(x - 1),
    "layer_norm": lambda x: F.layer_norm(x, (3,)),
    "mse_loss": lambda x: F.mse_loss(x, x.detach() * 0 + 1),
    "clamp": lambda x: x.clamp(0.5, 1.5),
    "where": lambda x: torch.where(x > 0.7, x * 2, x.sin()),
    "sort": lambda x: x.sort(1).values,
    "gather": lambda x: x.gather(1, x.argsort(1)),
    "index": lambda x: x[:, [0, 2, 0]],
    "flip": lambda x: x.flip(1),
    "roll": lambda x: x.roll(1, 1),
    "pad": lambda x: F.pad(x, (1, 2)),
    "tril": torch.tril,
    "diagonal": torch.diagonal,
    "matmul": lambda x: x @ x.mT,
    "einsum": lambda x: torch.einsum("ij,kj->ik", x, x),
    "cat": lambda x: torch.cat([x, x * 2]),
    "expand": lambda x: (x[:, :1].expand(2, 4) ** 2),
    "in place through a view": lambda x: (y := x * 1, y[:, 1:].mul_(3), y**2)[2],
    "index_put": lambda x: torch.index_put(x, (torch.tensor([0], device=x.device),), x[1]),
    "atan2": lambda x: torch.atan2(x[0], x[1]),
    "hypot": lambda x: torch.hypot(x[0], x[1]),
    "maximum": lambda x: torch.maximum(x[0], x[1]),
    "fft": lambda x: torch.fft.rfft(x).abs(),
}  # fmt: skip
LINEAR: dict[str, Callable[[Tensor], Any]] = {
    "inv": torch.linalg.inv, "det": torch.linalg.det,
    "slogdet": lambda x: torch.linalg.slogdet(x)[1],
    "solve": lambda x: torch.linalg.solve(x, x.mT), "svdvals": torch.linalg.svdvals,
    "eigvalsh": lambda x: torch.linalg.eigvalsh(x + x.mT),
    "cholesky": lambda x: torch.linalg.cholesky(x @ x.mT), "qr": lambda x: torch.linalg.qr(x)[1],
    "pinv": torch.linalg.pinv,
}  # fmt: skip
ALL = {**{n: (f, ROWS) for n, f in ONE.items()}, **{n: (f, SQUARE) for n, f in LINEAR.items()}}


def test_there_are_enough():
    assert len(ALL) >= 60


@pytest.mark.parametrize("name", ALL)
def test_gradient(name: str, env: BackendEnvironment):
    """By finite differences, to second order; computed on the device."""
    function, values = ALL[name]
    x = torch.tensor(values, dtype=torch.float64, device=env.name, requires_grad=True)
    assert torch.autograd.gradcheck(function, (x,))
    assert torch.autograd.gradgradcheck(function, (x,))


def test_blob_goes_with_its_last_tensor(env: BackendEnvironment):
    x = torch.ones(3, device="npy") * 2
    view, cell = x[1:], weakref.ref(x.cell)
    del x
    assert cell() is not None
    del view
    assert cell() is None


def test_memory_stays(env: BackendEnvironment):
    """100,000 operations, with gradients and views, leave no object and no byte behind.

    CPython's cache of method lookups is emptied before each measurement: it holds up to 4,096
    names, and torch makes a new string for each lookup of ``__torch_dispatch__`` from C++. Without
    it the traced bytes grow at first, by 60 KB, and then no more.
    """
    x = torch.ones(10, device="npy", requires_grad=True)
    y = torch.ones(10, device="npy")

    def work(turns: int) -> None:
        for _ in range(turns):
            (x[2:] * 3).sum().backward()
            x.grad = None
            for _ in range(90):
                y + y
            y.mul_(1.0)
            y[3:].add_(0.0)

    def measured() -> tuple[int, int]:
        gc.collect()
        getattr(sys, "_clear_internal_caches", sys._clear_type_cache)()
        return tracemalloc.get_traced_memory()[0], len(gc.get_objects())

    work(20)
    tracemalloc.start()
    try:
        work(20)
        before, objects = measured()
        work(1000)
        after, objects_after = measured()
    finally:
        tracemalloc.stop()
    assert objects_after - objects < 5
    assert after - before < 4_000


def test_report_names_lines(env: BackendEnvironment):
    x = torch.ones(3, device="npy")
    env.report(reset=True)
    torch.sinc(x).sum().item()
    report = env.report()
    assert report.operators["aten.sum.default"] == 1
    assert any(op == "aten.sinc.default" for op, _ in report.decomposed)
    assert all("test_autograd.py:" in line for _, line in report.decomposed)
    assert report.bytes_moved("to cpu") == 4
    assert "aten._local_scalar_dense.default" in str(report)
    assert not report.fallen_back


def test_errors(env: BackendEnvironment):
    with pytest.raises(NotImplementedError, match=r"npy.*aten\.special_airy_ai\.default is not"):
        torch.special.airy_ai(torch.zeros(2, device="npy"))
    with pytest.raises(TypeError, match=r"takes an operator of torch\.ops"):
        env.register_op("add", abs)
    with pytest.raises(TypeError, match="takes a callable"):
        env.register_op(torch.add, 3)
    with pytest.raises(TypeError, match="got one on cpu"):
        env.blob(torch.ones(2))
    with pytest.raises(xp_backend.BackendError, match="has the backend 'npy' already"):
        xp_backend.BackendEnvironment("two", int, int, int)
    with pytest.raises(ValueError, match='"error" or "cpu"'):
        xp_backend.BackendEnvironment("two", int, int, int, fallback="no")


def test_make_fx_records_arguments_and_nothing_else(env: BackendEnvironment):
    """What torch would record as a constant is refused, never wrong."""
    values = torch.linspace(-1, 1, 5)
    x, c = values.to("npy"), torch.arange(5.0).to("npy")

    def function(x: Tensor, c: Tensor) -> Tensor:
        return torch.sin(x) * c + torch.ones(5, device=x.device)

    recorded = make_fx(function)(x, c)
    torch.testing.assert_close(recorded(2 * x, c).cpu(), function(2 * values, c.cpu()))
    for call in (
        lambda: make_fx(lambda x: function(x, c))(x),
        lambda: make_fx(lambda x: x * (c + 1))(x),
        lambda: torch.func.linearize(torch.sin, x),
    ):
        with pytest.raises(xp_backend.BackendError, match="argument of the function they trace"):
            call()
    assert torch.equal((x * c).cpu(), values * c.cpu())
    pushed = torch.func.jvp(lambda x: function(x, c), (x,), (torch.ones_like(x),))[1]
    torch.testing.assert_close(pushed.cpu(), torch.cos(values) * c.cpu())
