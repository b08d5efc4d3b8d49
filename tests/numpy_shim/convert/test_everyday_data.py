"""Arrays from what most programs give: short lists, single numbers, arrays that exist already."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
import torch

import numpy_shim as ours
from tests.differential import Spec
from tests.numpy_shim.differential import compare

_SCALAR = numpy.float64(0.1)


@pytest.mark.parametrize("values", [
    [_SCALAR, 2.0], [_SCALAR, 3], (_SCALAR, 3, 0.5), [[_SCALAR, 1.0], (2, 3)], (1, 2.5),
    ((1, 2), (3, 4)),
    [numpy.int64(1), 2], [_SCALAR, 2**63], [_SCALAR, -(2**63)], [numpy.int64(1), 2**63], [1, 2**63],
    [[]], [[], []], ((),), [_SCALAR, True], [numpy.float32(1), 0.1], [numpy.float32(1), _SCALAR],
])  # fmt: skip
@pytest.mark.parametrize("name", ["array", "asarray"])
def test_short_lists_of_several_kinds_of_numbers(name: str, values: Any):
    """NumPy's scalars beside Python's numbers, rows that are tuples, and ints that do not fit."""
    compare(lambda np: getattr(np, name)(values))


@pytest.mark.parametrize("values", [
    range(5), range(5, 0, -2), range(7, 8, 100), range(2**63 - 3, 2**63 - 1), range(0),
    range(0, 2**63, 2**62), range(2**63 - 1, 2**63 + 1),
])  # fmt: skip
def test_ranges(values: range):
    compare(lambda np: np.asarray(values))
    compare(lambda np: np.array(values, dtype=np.float32))
    compare(lambda np, x: x[values, 0] if len(values) < 6 else x, Spec(numpy.ones((9, 2))))


def test_lists_of_alike_arrays():
    """Arrays of one dtype and shape are stacked, others promoted; the gradient stays."""
    compare(lambda np, x, y: np.array([x, y]), Spec(numpy.arange(3.0)), Spec(numpy.ones(3)))
    compare(lambda np, x, y: np.array((x, y)), Spec(numpy.arange(3)), Spec(numpy.ones(3)))
    compare(lambda np, x, y: np.array([x, y]), Spec(numpy.array(1.5)), Spec(numpy.array(2.5)))
    compare(lambda np, x, y: np.array([[x, y]]), Spec(numpy.ones((2, 2))), Spec(numpy.ones((2, 2))))
    t = torch.ones(2, requires_grad=True)
    assert ours.array([ours.asarray(t), ours.asarray(t)]).tensor.requires_grad


def test_short_lists_have_the_default_dtype():
    """Floats alone have the default dtype; NumPy's float64 scalars have their own."""
    with ours.set_default_dtype("float32"):
        assert ours.array([1.5, 2]).dtype == "float32"
        assert ours.array((1.5,)).dtype == "float32"
        assert ours.array([_SCALAR, 2.0]).dtype == "float64"
        assert ours.sqrt(2.0).dtype == "float32"


def test_device_of_short_lists():
    """Numbers go to torch's default device; arrays stay where they are."""
    x, pair = ours.zeros(2), (1.0, 2.0)
    with torch.device("meta"):
        assert ours.array([_SCALAR, 2.0]).device.type == "meta"
        assert ours.array((1, 2)).device.type == "meta"
        assert ours.array([x, x]).device.type == "cpu"
        assert ours.sqrt(2.0).device.type == "meta"
        assert (x + pair).device.type == "cpu"


def test_list_of_scalars_with_gradients():
    """The scalars are stacked: no gradient is lost, and on a device none of them is read."""
    t = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
    x = ours.asarray(t)
    made = ours.array([x.sum(), (x * x).sum()])
    made._tensor.sum().backward()
    assert t.grad is not None
    assert t.grad.tolist() == [3.0, 5.0]


def test_list_of_scalars_reads_no_value():
    with torch.device("meta"):
        scalars = [ours.ones(3).sum(), ours.ones(3).max()]
        assert ours.array(scalars).shape == (2,)
        assert ours.mean(scalars).shape == ()


def test_an_array_that_has_the_dtype_already():
    a = ours.arange(3.0)
    assert ours.asarray(a, dtype=float) is a
    assert ours.asarray(a, "float64") is a
    assert ours.asarray(a, dtype=ours.float32) is not a
    copied = ours.array(a, dtype=ours.float64)
    assert not ours.shares_memory(copied, a)
    assert ours.array(a, dtype=float, copy=None) is a
    assert ours.array(a, dtype=float, ndmin=2).shape == (1, 3)
    for function in (ours.array, ours.asarray):
        with pytest.raises(TypeError):
            function(a, dtype="no dtype")
        assert function(a, dtype=object).dtype == object


@pytest.mark.parametrize("number", [2.5, 3, -(2**63), 2**63, numpy.float64(2.5), numpy.int64(3)])
def test_a_single_number_is_an_array_that_can_be_written_to(number: Any):
    """Each call makes memory of its own, and views of it name their base."""
    for make in ("array", "asarray", "ravel", "atleast_1d", "atleast_2d", "atleast_3d"):
        expected, result = getattr(numpy, make)(number), getattr(ours, make)(number)
        assert (result.dtype, result.shape) == (expected.dtype, expected.shape)
        assert (result.base is None) == (expected.base is None)
        result[...] = 1
        assert getattr(ours, make)(number).item() == number
    assert ours.array(number, dtype=float).dtype == numpy.float64


@pytest.mark.parametrize(
    "view", [lambda x: x, lambda x: x[::-1], lambda x: x.T, lambda x: x[1:, 1]]
)
@pytest.mark.parametrize("dtype", ["f8", "i4", "?", "c8", ">f8"])
def test_numpys_arrays_are_copied_and_shared(view: Any, dtype: str):
    """Values and dtype stay, and memory is shared where torch can describe it."""
    x = view(numpy.arange(6).reshape(3, 2).astype(dtype))
    wanted = numpy.dtype(dtype).newbyteorder("=")
    copied, shared = ours.array(x, dtype=wanted), ours.asarray(x, dtype=wanted)
    assert copied.dtype == shared.dtype == wanted
    x[0] = 0
    assert copied.tolist() == view(numpy.arange(6).reshape(3, 2).astype(dtype)).tolist()
    assert (shared.tolist() == x.tolist()) == x.dtype.isnative
