"""Errors are NumPy's: of sizes that fit into no memory, and never with torch's own beside them."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
import torch

import numpy_shim
from tests.numpy_shim.calls import lines

TOO_LARGE = """
np.empty(n)
np.zeros(n)
np.ones((n, 2))
np.full(n, 1)
np.full((n, n), 1.5)
np.empty(n, order="F")
np.zeros_like(x, shape=n)
np.full_like(x, 1, shape=n)
np.ndarray(n)
np.arange(n)
np.arange(0, n)
np.arange(1, n, 2)
np.arange(float(n))
np.arange(n, dtype="f4")
np.linspace(0, 1, n)
np.linspace([0, 1], 1, n)
np.logspace(0, 1, n)
np.geomspace(1, 2, n)
np.eye(n)
np.eye(1, n)
np.identity(n)
np.tri(3, n)
np.tile(x, n)
np.tile(x, (n, 1))
np.repeat(x, n)
np.repeat(x, n, 0)
np.pad(x, n)
np.pad(x, n, "edge")
np.pad(x, (0, n), "constant", constant_values=2)
np.histogram(x, n)
np.histogram_bin_edges(x, n)
np.broadcast_to(x, (n, n, 3))
np.resize(x, n)
np.indices((n,))
np.indices((3, n))
np.fft.fftfreq(n)
np.fft.rfftfreq(n)
np.fromfunction(lambda i: i, (n,))
np.bincount([1], minlength=n)
np.hanning(n)
np.mgrid[0:n]
np.ogrid[0:n]
np.unpackbits(x.astype("u1"), count=n)
np.broadcast_to(1.0, (2**60,)).copy()
np.broadcast_to(1.0, (2**57,)).astype("f4")
np.broadcast_to(1.0, (2**57,)).ravel()
np.exp(np.broadcast_to(1.0, (2**57,)))
np.where(np.broadcast_to(True, (2**57,)), 1.0, 2.0)
"""

KINDS = (MemoryError, ValueError, OverflowError, TypeError, IndexError)
WORDS = ("alloc_cpu", "Storage", "numel:", "unpacking", "Variable", "not implemented for")
"""What torch's messages say."""


def error_of(call: str, np: Any, **names: Any) -> Exception:
    with pytest.raises(Exception) as caught, numpy.errstate(all="ignore"):  # noqa: PT011
        eval(call, {"np": np, "x": np.ones(3), "torch": torch, **names})
    return caught.value


def check_alone(error: Exception) -> None:
    """A traceback shows this error alone, in words of ours."""
    assert error.__cause__ is None
    assert error.__context__ is None or error.__suppress_context__
    assert not any(word in str(error) for word in WORDS), error


@pytest.mark.parametrize("n", [10**17, 2**62, 10**30])
@pytest.mark.parametrize("call", lines(TOO_LARGE))
def test_too_large(call: str, n: int):
    """``MemoryError`` where there is no memory for it, ``ValueError`` for a size that overflows."""
    ours, theirs = (error_of(call, np, n=n) for np in (numpy_shim, numpy))
    check_alone(ours)
    if n == 10**17:
        assert [isinstance(ours, k) for k in KINDS] == [isinstance(theirs, k) for k in KINDS]
    else:  # which of the limits is met first differs from function to function, in NumPy too
        same = type(ours) is type(theirs)
        assert same or isinstance(ours, (MemoryError, ValueError, OverflowError))


REFUSED = """
np.ones(3) + np.ones(4)
np.ones(3)[[5]]
np.ones(3)[np.array([5])]
np.histogramdd(np.ones((3, 2), complex))
np.histogram2d(np.ones(3, complex), np.ones(3))
np.ones((3, 6), "u1")[:, :4].view("u8")
np.linalg.tensorinv(np.zeros((4, 2, 2)), 1)
np.linalg.matrix_power(np.zeros((2, 2)), -1)
np.lib.stride_tricks.as_strided(x, (10,), (8,))
np.asarray(torch.nested.nested_tensor([torch.ones(2), torch.ones(3)]))
np.add(torch.nested.nested_tensor([torch.ones(2), torch.ones(3)]), 1)
np.add(torch.ones(3).to_sparse(), 1)
leaf.__iadd__(1)
leaf.__imul__(np.ones(3))
leaf.__ipow__(2)
leaf.__setitem__(0, 1)
leaf.__setitem__(slice(None), 1)
leaf.fill(1)
leaf.sort()
np.add(leaf, 1, out=leaf)
np.add.at(leaf, [0], 1)
np.sum(np.ones((2, 3)), 0, out=leaf)
np.copyto(leaf, 1)
np.put(leaf, [0], 1)
leaf.flat.__setitem__(0, 1)
"""


@pytest.mark.filterwarnings("ignore:The PyTorch API of nested tensors")
@pytest.mark.parametrize("call", lines(REFUSED))
def test_refused(call: str):
    """What torch refuses is refused by an error of Python's, in our words."""
    leaf = numpy_shim.asarray(torch.ones(3, dtype=torch.float64, requires_grad=True))
    error = error_of(call, numpy_shim, leaf=leaf)
    check_alone(error)
    assert isinstance(error, (TypeError, ValueError, IndexError))


def test_zeros_of_autograd():
    """torch's zeros without memory are read as zeros."""
    a = numpy_shim.asarray(torch._efficientzerotensor(3))
    assert a.tolist() == [0, 0, 0]
    assert numpy.asarray(a).tolist() == [0, 0, 0]


def test_huge_exponent():
    """An exponent beyond 64 bits is halved as others are."""
    power = numpy_shim.linalg.matrix_power(numpy_shim.eye(2), 10**30)
    assert power.tolist() == [[1, 0], [0, 1]]


BEYOND_64_BITS = """
np.tile(x, 10**19)
np.tile(x[:0], 10**19)
np.tile(np.ones((2, 0)), (10**19, 1))
np.take(x, 2**64 - 1)
x.take([2**64 - 1])
np.take(x, [np.uint64(1)])
np.put(x, 2**64 - 1, 1)
np.repeat(x, 10**19)
np.repeat(x[:0], 2**63)
np.repeat(x, [10**19, 1, 1])
np.pad(x, 2**63)
np.pad(x, -(10**19))
np.pad(x, (10**19, 0), "edge")
np.resize(x, 10**19)
np.resize(x, 2**62)
np.resize(x, (2**40, 2**40))
np.resize(x[:0], 10**19)
np.bincount([1], minlength=10**19)
np.bincount([1], None, 2**63)
np.unpackbits(x.astype("u1"), count=10**19)
np.array_split(x, 10**19)
np.array_split(x, 10**17)
np.swapaxes(np.ones((2, 2)), 10**19, 0)
np.trace(np.ones((2, 2)), 10**19)
np.tri(3, k=10**19)
np.tril(np.ones((2, 2)), -(10**19))
np.triu(np.ones((2, 2)), 10**19)
np.diag_indices(10**19)
np.geomspace(1, 2, 10**19)
np.fromiter([1], int, 10**19)
np.frombuffer(b"abc", "u1", 10**19)
np.vander(x, 10**13)
np.vander(x, 2**62)
np.vander(x[:0], 5)
np.pad(x, (10**13, 0), "wrap")
np.pad(x, (10**13, 0), "reflect")
np.ones(3).resize(10**13)
np.ones(3).resize(2**62)
np.ones(3).resize((2**40, 2**40))
"""


@pytest.mark.parametrize("call", lines(BEYOND_64_BITS))
def test_beyond_64_bits(call: str):
    """The value or the type of the error is NumPy's, and neither takes long."""
    results: list[Any] = []
    for np in (numpy_shim, numpy):
        try:
            results.append(eval(call, {"np": np, "x": np.ones(3)}).shape)
        except Exception as error:
            if np is numpy_shim:
                check_alone(error)
            results.append([isinstance(error, k) for k in KINDS])
    assert results[0] == results[1]


def test_order_of_a_difference():
    """An order far beyond the size leaves nothing, for each way to subtract, and at once."""
    for dtype in ("f8", "bool", "f2", "i4"):
        assert numpy_shim.diff(numpy_shim.ones(3, dtype), 10**19).shape == (0,)
