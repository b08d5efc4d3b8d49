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
        assert isinstance(ours, (MemoryError, ValueError, OverflowError))


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
