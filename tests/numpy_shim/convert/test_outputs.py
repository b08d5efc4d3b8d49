"""``out=`` takes an array, a tensor, or an array of NumPy's, and returns that object."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
import torch

import numpy_shim
from tests.numpy_shim.calls import lines

WRITTEN = """
np.sin(x, out=o)
np.sin(x, o)
np.add(x, 1, out=(o,))
np.add(x, o, out=o)
np.modf(x, o, None)
np.add.accumulate(x, out=o)
np.add.reduce([x, x], out=o)
np.matmul(np.eye(3), x, out=o)
np.dot(np.eye(3), x, out=o)
np.sum([x, x], 0, out=o)
np.max([x, x], 0, out=o)
np.mean([x, x], 0, out=o)
np.var([x, 2 * x], 0, out=o)
np.nanmax([x, x], 0, out=o)
np.nansum([x, x], 0, out=o)
np.nanmean([x, x], 0, out=o)
np.cumsum(x, out=o)
np.nancumsum(x, out=o)
np.take(x, [2, 1, 0], out=o)
np.compress([True, True, True], x, out=o)
np.choose([0, 0, 0], [x], out=o)
np.clip(x, 0, 1, out=o)
np.round(x, out=o)
np.round(x, 1, out=o)
np.concatenate([x[:2], x[:1]], out=o)
np.stack([x[0], x[1], x[2]], out=o)
np.quantile([x, x], 0.5, 0, out=o)
np.median([x, x], 0, out=o)
np.nanmedian([x, x], 0, out=o)
x.cumsum(out=o)
x.clip(0, 1, o)
"""
OUTPUTS = {
    "plain": lambda: numpy.full(3, 0.5),
    "reversed": lambda: numpy.full(3, 0.5)[::-1],
    "strided": lambda: numpy.full((3, 2), 0.5)[:, 1],
    "narrow": lambda: numpy.full(3, 0.5, "f4"),
    "longlong": lambda: numpy.zeros(3, numpy.longlong),
    "swapped": lambda: numpy.full(3, 0.5, ">f8"),
    "short": lambda: numpy.zeros(2),
}


@pytest.mark.parametrize("kind", OUTPUTS)
@pytest.mark.parametrize("call", lines(WRITTEN))
def test_of_numpy(call: str, kind: str):
    """The values, or whether the call is refused, are NumPy's; the object is returned."""
    found: list[Any] = []
    for np in (numpy_shim, numpy):
        given = OUTPUTS[kind]()
        try:
            result = eval(call, {"np": np, "x": np.asarray([0.25, 1.5, 2.75]), "o": given})
        except (TypeError, ValueError) as error:
            found.append(type(error).__mro__[-4:])
        else:
            assert given is (result[0] if isinstance(result, tuple) else result)
            found.append(given.tolist())
    if call.startswith("np.sin") and kind not in ("short", "longlong"):
        eps = numpy.finfo(given.dtype).eps  # two libraries, each within a unit in the last place
        assert numpy.allclose(*found, rtol=2 * eps, atol=0)
    else:
        assert found[0] == found[1]


def test_of_integers():
    """The results that are indices."""
    given = numpy.zeros(2, numpy.int64)
    assert numpy_shim.argmax(numpy_shim.eye(2), 0, out=given) is given
    assert given.tolist() == [0, 1]
    with pytest.raises(TypeError, match="Cannot cast"):
        numpy_shim.argmax(numpy_shim.eye(2), 0, out=numpy.zeros(2))


def test_result_of_a_scalar_type():
    """``np.float32`` of an array is an array of NumPy's, which is then written to."""
    given = numpy_shim.float32(numpy_shim.array([0.0, 1.0]))
    assert numpy_shim.exp2(given, out=given) is given
    assert given.tolist() == [1.0, 2.0]


def test_refused():
    """Read-only memory, and objects that are not arrays."""
    locked = numpy.zeros(2)
    locked.setflags(write=False)
    with pytest.raises(ValueError, match="read-only"):
        numpy_shim.sin([1.0, 2.0], out=locked)
    for other in ([0.0, 0.0], 3, numpy.float64(3), numpy_shim.float64(3)):
        with pytest.raises(TypeError, match="must be of ArrayType"):
            numpy_shim.sin([1.0, 2.0], out=other)
        with pytest.raises(TypeError, match="must be of ArrayType"):
            numpy_shim.sum([1.0, 2.0], out=other)


def test_of_tensors():
    """A tensor is written to, by functions as by ufuncs."""
    given = torch.zeros(2, dtype=torch.float64)
    for call in (numpy_shim.cumsum, numpy_shim.sqrt, numpy_shim.round):
        assert call(numpy_shim.array([4.0, 9.0]), out=given) is given
    assert given.tolist() == [4.0, 9.0]
