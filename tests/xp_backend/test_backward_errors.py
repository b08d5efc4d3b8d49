"""Errors in a backward pass, which torch runs in threads of its own, and the end of a process."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
from torch import Tensor

import xp_backend
from xp_backend import BackendEnvironment

TANH_BACKWARD = torch.ops.aten.tanh_backward.default


@pytest.fixture
def failing(env: BackendEnvironment) -> Iterator[None]:
    """The gradient of ``tanh`` is a registered function that fails."""

    def fails(*args: Any) -> Any:
        raise ValueError("no gradient today")

    env.register_op(TANH_BACKWARD, fails)
    yield
    env.register_op(TANH_BACKWARD, lambda *args: NotImplemented)


def leaf() -> Tensor:
    return torch.arange(3.0, device="npy").requires_grad_()


@pytest.mark.parametrize(
    "run",
    [
        lambda x: torch.tanh(x).sum().backward(),
        lambda x: torch.autograd.grad(torch.tanh(x).sum(), x),
        lambda x: (torch.tanh(x).cpu() * 2).sum().backward(),
        lambda x: torch.autograd.grad(torch.tanh(x).sum(), x, create_graph=True),
    ],
    ids=["backward", "grad", "over the CPU", "second order"],
)
@pytest.mark.usefixtures("failing")
def test_an_error_of_a_registered_function_reaches_the_program(run: Callable[[Tensor], Any]):
    """torch would end the process; the error is the function's own, with its traceback."""
    with pytest.raises(ValueError, match="no gradient today") as caught:
        run(leaf())
    assert any(entry.name == "fails" for entry in caught.traceback)


@pytest.mark.usefixtures("failing")
def test_gradients_after_an_error_are_nan():
    """What still reaches a leaf cannot pass for a gradient; the next pass is right again."""
    x = leaf()
    with pytest.raises(ValueError, match="no gradient today"):
        torch.tanh(x).sum().backward()
    assert x.grad is None or bool(x.grad.isnan().all())
    x.grad = None
    (x * x).sum().backward()
    assert x.grad is not None
    assert x.grad.tolist() == [0.0, 2.0, 4.0]


def test_a_missing_operator_is_named(env: BackendEnvironment):
    """torch has the forward pass of it alone."""
    x = torch.ones(1, 1, 2, 2, device="npy").requires_grad_()
    grid = torch.zeros(1, 1, 1, 2, device="npy")
    y = torch.nn.functional.grid_sample(x, grid, align_corners=True)
    with pytest.raises(xp_backend.MissingOperatorError, match="grid_sampler_2d_backward"):
        y.sum().backward()


def test_an_error_in_a_function_of_the_program(env: BackendEnvironment):
    class Fails(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Tensor) -> Tensor:
            return x * 2

        @staticmethod
        def backward(ctx: Any, grad: Tensor) -> Tensor:
            return torch.special.airy_ai(grad)

    y: Any = Fails.apply(leaf())
    with pytest.raises(xp_backend.MissingOperatorError, match=r"aten\.special_airy_ai"):
        y.sum().backward()


def test_an_error_in_a_hook(env: BackendEnvironment):
    def fails(grad: Tensor) -> None:
        raise ValueError("no hook today")

    y = leaf() * 2
    y.register_hook(fails)
    with pytest.raises(ValueError, match="no hook today"):
        y.sum().backward()
    z = (x := leaf()) * 2
    z.register_hook(lambda grad: grad * 5)
    z.sum().backward()
    assert x.grad is not None
    assert x.grad.tolist() == [10.0, 10.0, 10.0]


def test_a_process_that_ends_after_backward_ends_well():
    """A thread of torch's that still held a tensor aborted one process in five."""
    program = (
        "import torch, xp_backend.npy\n"
        "x = torch.ones(3, device='npy').requires_grad_()\n"
        "torch.autograd.grad((x * x).sum(), x)\n"
    )
    for _ in range(3):
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")
