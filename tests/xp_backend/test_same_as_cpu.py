"""Indices from the CPU, shapes of ``out=``, random numbers, operators that have only kernels.

Each body runs on the CPU too, and gives the same.
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor

import xp_backend
from xp_backend import BackendEnvironment

Body = Callable[[str], Any]
F = torch.nn.functional
BASE = torch.arange(24.0).reshape(2, 3, 4) - 7
VALUES = torch.tensor([3.0, 1, 1, 2, 2, 2, 1, 9, 0.5, -1])
ROWS = torch.tensor([[1.0, 2, 0], [0, 5, 1], [1, 2, 0], [1, 2, 0]])
MASK = torch.tensor([True, False])
WHERE = torch.tensor([1, 0, 1])


def at(device: str) -> Tensor:
    return BASE.clone().to(device)


def assigned(key: Any, value: Any) -> Body:
    def body(d: str) -> Tensor:
        a = at(d)
        a[key] = value
        return a

    return body


def gradient(key: Any) -> Body:
    def body(d: str) -> Any:
        a = at(d).requires_grad_()
        a[key].pow(2).sum().backward()
        return a.grad

    return body


INDICES: dict[str, Body] = {
    "mask": lambda d: at(d)[MASK],
    "whole mask": lambda d: at(d)[BASE > 3],
    "positions": lambda d: at(d)[:, WHERE],
    "a mask and a number": lambda d: at(d)[MASK, 1],
    "two lists of positions": lambda d: at(d)[WHERE, :, WHERE],
    "number to a mask": assigned(MASK, 5.0),
    "number to positions": assigned((slice(None), WHERE), 5.0),
    "gradient of a mask": gradient(BASE > 3),
    "gradient of positions": gradient((slice(None), WHERE)),
    "index_put_ that adds": lambda d: at(d).index_put_(
        (WHERE,), torch.ones(3, 3, 4, device=d), accumulate=True
    ),
}


def shaped(shape: tuple[int, ...]) -> Body:
    def body(d: str) -> Any:
        x = torch.arange(6.0, device=d)
        found = x.resize_(shape)
        return [found is x, x, x.stride()]

    return body


def drawn(draw: Callable[[str], Tensor]) -> Body:
    def body(d: str) -> Tensor:
        torch.manual_seed(3)
        return draw(d)

    return body


def into(d: str) -> Any:
    """``out=`` without elements takes the result's shape, and keeps its dtype."""
    out, whole = torch.empty(0, device=d), torch.empty(0, device=d, dtype=torch.float64)
    found = torch.add(at(d), 1, out=out)
    torch.mul(at(d), 2, out=whole)
    torch.sort(at(d), out=(values := torch.empty(0, device=d), torch.empty(0, device=d).long()))
    return [found is out, out, whole, values]


REST: dict[str, Body] = {
    "out= without elements": into,
    "resize_ to another shape": shaped((2, 3)),
    "resize_ to fewer": shaped((2, 2)),
    "resize_ to none": shaped((0,)),
    "put_": lambda d: at(d).put_(
        torch.tensor([1, 5], device=d), torch.tensor([1.0, 2.0], device=d)
    ),
    "put_ that adds": lambda d: at(d).put_(
        torch.tensor([1, 1], device=d), torch.ones(2, device=d), accumulate=True
    ),
    "runs": lambda d: torch.unique_consecutive(
        VALUES.to(d), return_inverse=True, return_counts=True
    ),
    "runs of nothing": lambda d: torch.unique_consecutive(
        VALUES[:0].to(d), return_inverse=True, return_counts=True
    ),
    "runs of rows": lambda d: torch.unique_consecutive(
        ROWS.to(d), return_inverse=True, return_counts=True, dim=0
    ),
    "unique rows": lambda d: torch.unique(
        ROWS.to(d), return_inverse=True, return_counts=True, dim=0
    ),
    "unique columns": lambda d: torch.unique(ROWS.T.to(d), return_inverse=True, dim=1),
    "unique matrices": lambda d: torch.unique(ROWS.reshape(2, 2, 3).to(d), dim=-1),
    "unique of a row along its axis": lambda d: torch.unique(ROWS[0].to(d), dim=0),
    "bincount": lambda d: torch.bincount(VALUES.abs().int().to(d)),
    "bincount with weights": lambda d: torch.bincount(
        VALUES.abs().int().to(d), VALUES.to(d), minlength=12
    ),
    "bincount of nothing": lambda d: torch.bincount(VALUES[:0].int().to(d), minlength=3),
    "histc": lambda d: torch.histc(VALUES.to(d), 4),
    "histc of a range": lambda d: torch.histc(VALUES.to(d), 5, -2, 3),
    "histc of one value": lambda d: torch.histc(VALUES[:1].to(d), 5),
    "dropout": drawn(lambda d: F.dropout(at(d), 0.3)),
    "dropout of all": drawn(lambda d: F.dropout(at(d), 1.0)),
    "multinomial": drawn(lambda d: torch.multinomial(VALUES.abs().to(d), 30, replacement=True)),
    "multinomial of rows": drawn(
        lambda d: torch.multinomial(VALUES.abs().reshape(2, 5).to(d), 7, replacement=True)
    ),
    "poisson": drawn(lambda d: torch.poisson(VALUES.abs().to(d))),
    "binomial": drawn(
        lambda d: torch.binomial(torch.full((5,), 9.0, device=d), torch.full((5,), 0.3, device=d))
    ),
    "gamma": drawn(
        lambda d: torch.distributions.Gamma(VALUES.abs().to(d), torch.ones(10, device=d)).sample()
    ),
    "dirichlet": drawn(lambda d: torch.distributions.Dirichlet(VALUES.abs().to(d)).sample()),
}


@pytest.mark.parametrize("body", [*INDICES.values(), *REST.values()], ids=[*INDICES, *REST])
def test_same_as_on_the_cpu(body: Body, env: BackendEnvironment):
    torch.testing.assert_close(flat(body("npy")), flat(body("cpu")), rtol=1e-6, atol=0)


def flat(values: Any) -> Any:
    """Tensors on the CPU, in place of those of a device."""
    if isinstance(values, (list, tuple)):
        return [flat(v) for v in values]
    return values.cpu() if isinstance(values, Tensor) else values


def test_format(env: BackendEnvironment):
    x = torch.tensor(7.25, device="npy")
    assert f"{x:.1f} {x.int():04d} {x}" == "7.2 0007 7.25"
    with pytest.raises(TypeError, match="unsupported format string"):
        f"{at('npy'):.1f}"


def foreach(optimizer: str) -> Body:
    def body(d: str) -> Any:
        torch.manual_seed(0)
        layer = torch.nn.Linear(4, 2).to(d)
        steps: Any = getattr(torch.optim, optimizer)(layer.parameters(), lr=0.1, foreach=True)
        for _ in range(3):
            steps.zero_grad()
            layer(at(d)).square().mean().backward()
            steps.step()
        return [p.detach() for p in layer.parameters()]

    return body


@pytest.mark.parametrize("optimizer", ["SGD", "Adam"])
def test_optimizers_over_lists_of_tensors(optimizer: str, env: BackendEnvironment):
    torch.testing.assert_close(flat(foreach(optimizer)("npy")), flat(foreach(optimizer)("cpu")))


def test_a_parameter_is_pickled_as_one(env: BackendEnvironment):
    layer = torch.nn.Linear(4, 2).to("npy")
    again = pickle.loads(pickle.dumps(layer))
    assert all(isinstance(p, torch.nn.Parameter) for p in again.parameters())
    assert again.weight.device == torch.device("npy:0")
    assert torch.equal(again.weight, layer.weight)
    torch.save(layer.weight, stream := io.BytesIO())
    stream.seek(0)
    moved = torch.load(stream, map_location="cpu", weights_only=True)
    assert isinstance(moved, torch.nn.Parameter)
    assert moved.is_cpu


def test_loading_onto_the_device_is_refused(env: BackendEnvironment):
    """torch moves storages there, and a backend in Python has none."""
    torch.save(BASE, stream := io.BytesIO())
    stream.seek(0)
    with pytest.raises(xp_backend.BackendError, match="map_location='cpu'"):
        torch.load(stream, map_location="npy", weights_only=True)


@pytest.mark.parametrize(
    "make", [lambda: BASE.to("npy:1"), lambda: torch.ones(2, device="npy:1")], ids=["to", "ones"]
)
def test_there_is_one_device(make: Callable[[], Tensor], env: BackendEnvironment):
    with pytest.raises(xp_backend.BackendError, match="has one device, npy:0; got npy:1"):
        make()


@pytest.mark.parametrize(("x", "out"), [("npy", "cpu"), ("cpu", "npy")])
def test_out_of_another_device_is_refused(x: str, out: str, env: BackendEnvironment):
    with pytest.raises(RuntimeError, match=r"aten\.add\.out.*npy:0 and cpu"):
        torch.add(at(x), 1, out=torch.empty(2, 3, 4, device=out))


def test_indices_from_the_cpu_are_counted(env: BackendEnvironment):
    """torch takes them for every device; each is a move that the report shows."""
    x = at("npy")
    env.report(reset=True)
    x[MASK]
    (moved,) = env.report().transfers
    assert (moved.direction, moved.operator, moved.nbytes) == ("to backend", "aten.index.Tensor", 2)


def test_indices_of_the_device_do_not_index_the_cpu(env: BackendEnvironment):
    with pytest.raises(RuntimeError, match="npy:0 and cpu"):
        BASE[MASK.to("npy")]


def test_out_of_another_shape_is_refused(env: BackendEnvironment):
    with pytest.raises(
        xp_backend.BackendError, match=r"shape \(2, 3, 4\) or no elements, got \(5,\)"
    ):
        torch.add(at("npy"), 1, out=torch.empty(5, device="npy"))


@pytest.mark.parametrize("dim", [3, -4])
@pytest.mark.parametrize(
    "name", ["sum", "mean", "amax", "argmax", "any", "cumsum", "var", "median"]
)
def test_an_axis_that_is_not_there_is_refused(name: str, dim: int, env: BackendEnvironment):
    for device in ("cpu", "npy"):
        with pytest.raises(IndexError, match=rf"range of \[-3, 2\], but got {dim}"):
            getattr(at(device), name)(dim=dim)


def test_bincount_refuses_negative_numbers(env: BackendEnvironment):
    with pytest.raises(RuntimeError, match="non-negative"):
        torch.bincount(torch.tensor([1, -1], device="npy"))


def test_missing_convolution_names_an_operator(env: BackendEnvironment):
    with pytest.raises(xp_backend.MissingOperatorError, match=r"aten\.convolution_overrideable"):
        F.conv1d(torch.ones(1, 1, 3, device="npy"), torch.ones(1, 1, 2, device="npy"))
