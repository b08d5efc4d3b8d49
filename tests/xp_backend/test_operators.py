"""Operators that the stand-in device computes by itself, without torch's longer way."""

from __future__ import annotations

import re

import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode

import numpy_shim as np
import xp_backend.npy  # noqa: F401 - it defines the device


@pytest.mark.parametrize(
    "key",
    [1, -1, 5, slice(None), slice(1, 3), slice(-2, None), slice(2, 1), slice(0, 9, 2), (0, 1),
     (slice(1, None), slice(None, None, 2)), (slice(None), -1), (slice(None), 7), None],
    ids=repr,
)  # fmt: skip
def test_everyday_views_have_torchs_geometry(key):
    x = torch.arange(20.0).reshape(4, 5)
    for base in (x, x.T, x[1:, ::2], x[:0]):
        there = base.to("npy") if base is x else torch.empty_strided(
            base.shape, base.stride(), device="npy"
        ).copy_(base.to("npy"))  # fmt: skip
        try:
            expected = base[key]
        except IndexError as error:
            with pytest.raises(IndexError, match=re.escape(str(error))):
                there[key]
            continue
        view = there[key]
        assert (view.shape, view.stride()) == (expected.shape, expected.stride())
        assert torch.equal(view.cpu(), expected)
        view.fill_(-1.0)
        assert int((there == -1.0).sum()) == expected.numel()


@pytest.mark.parametrize("dtype", [torch.float64, torch.int64, torch.complex128])
@pytest.mark.parametrize("equal_nan", [False, True])
def test_closeness_is_torchs(dtype, equal_nan):
    values = torch.tensor([0.0, 1.0, 1.0 + 1e-9, 2.0, float("nan"), float("inf"), -float("inf")])
    values = (values if dtype.is_floating_point or dtype.is_complex else values[:4]).to(dtype)
    a, b = values[:, None], values[None, :]
    expected = torch.isclose(a, b, equal_nan=equal_nan)
    assert torch.equal(torch.isclose(a.to("npy"), b.to("npy"), equal_nan=equal_nan).cpu(), expected)
    assert torch.allclose(values.to("npy"), values.to("npy"), equal_nan=equal_nan) == (
        torch.allclose(values, values, equal_nan=equal_nan)
    )


def test_norms_are_torchs():
    x = torch.linspace(-3, 3, 24, dtype=torch.float64).reshape(2, 3, 4)
    norm = torch.linalg.vector_norm
    for options in (
        {},
        {"dim": 1},
        {"dim": (0, 2), "keepdim": True},
        {"keepdim": True},
        {"ord": 1},
    ):
        assert torch.allclose(norm(x.to("npy"), **options).cpu(), norm(x, **options), rtol=1e-15)


class Names(TorchDispatchMode):
    """The operators that are called."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        self.names.append(function.__name__)
        return function(*args, **(kwargs or {}))


@pytest.mark.parametrize("number", [2.0, -0.25, 2, 3.0, 0.0, float("inf")])
def test_a_quotient_by_a_power_of_two_is_one_operator(number):
    x = np.array([1.0, -7.0, 5e-324, 1e308], device="npy")
    with Names() as called:
        found = x / number
    assert found.tolist() == (np.array(x.tolist()) / number).tolist()
    assert called.names == ["div.Tensor"] or number not in (2, -0.25)
