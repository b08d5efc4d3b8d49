"""Arrays whose tensors are of classes of their own: those of a device, and fake ones."""

from __future__ import annotations

import pickle

import numpy
import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensorMode

import numpy_shim
import xp_torch
from tests.differential import Spec
from tests.numpy_shim.differential import compare

NUMBERS = Spec(numpy.arange(1, 7, dtype="float32").reshape(2, 3))


def pickled(protocol):
    def body(np, a):
        return pickle.loads(pickle.dumps(a, protocol))

    return body


BODIES = {
    "tolist": lambda np, a: a.tolist(),
    "tobytes": lambda np, a: a.tobytes(),
    "tobytes in columns": lambda np, a: a.tobytes("F"),
    "pickle of protocol 2": pickled(2),
    "pickle of protocol 4": pickled(4),
    "pickle of protocol 5": pickled(5),
    "write": lambda np, a: np.multiply(a, 2, out=a),
    "memory": lambda np, a: (np.shares_memory(a, a[1:]), np.shares_memory(a, a + 0)),
}
VIEWS = {
    "whole": lambda np, a: a,
    "reversed": lambda np, a: a[::-1],
    "turned": lambda np, a: a[:, ::-1].T,
    "read-only": lambda np, a: np.broadcast_to(a, (2, *a.shape)),
}


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("body", BODIES)
def test_views(device: str, body: str, view: str):
    """Reversed and read-only arrays of a device are read, pickled and written as others."""

    def program(np, a):
        return BODIES[body](np, VIEWS[view](np, a))

    compare(program, NUMBERS, device=device, allow_numpy=True)


@pytest.mark.parametrize("program", [
    lambda np, a: a[a[1:, 0].astype(int) + 3],
    lambda np, a: a[[0, -3]],
    lambda np, a: a.__setitem__([7], 1),
    lambda np, a: np.add.at(a, [7], 1),
    lambda np, a: np.put(a, [7], 1),
    lambda np, a: len(a[0, 0]),
    lambda np, a: len(a[0]),
    lambda np, a: a[0, 0].flat.__setitem__(slice(None), 9),
    lambda np, a: setattr(a[0, 0], "flat", 9),
    lambda np, a: list(a[0, 0].flat),
    lambda np, a: np.unique(a[[0, 1, 0]], axis=0, return_inverse=True, return_counts=True),
])  # fmt: skip
def test_functions(device: str, program):
    """A device that checks its indices says what is out of bounds as NumPy does."""
    compare(program, NUMBERS, device=device, allow_numpy=True)


@pytest.mark.parametrize("call", [
    lambda np, x, mask: np.multiply(x, 2, out=x, where=mask),
    lambda np, x, mask: np.add(x, 1, where=mask),
    lambda np, x, mask: np.sum(x, where=mask),
    lambda np, x, mask: np.copyto(x, 1, where=mask),
    lambda np, x, mask: np.clip(x, 0, 1, where=mask),
    lambda np, x, mask: np.putmask(x, mask, 1),
    lambda np, x, mask: np.place(x, mask, [1]),
])  # fmt: skip
def test_masks_of_another_device(device: str, call):
    """NumPy's masks come along; an array of another device is refused, and nothing is written."""
    if device == "cpu":
        pytest.skip("the only device")
    there = numpy_shim.asarray(torch.arange(4.0, device=device))
    mask = numpy.arange(4) > 1
    call(numpy_shim, there.copy(), mask)
    out = numpy.zeros(4)
    numpy_shim.add(there, 1, out=out, where=there > 1)
    assert out.tolist() == [0, 0, 3, 4]
    numpy_shim.add(out, [1, 1, 1, 1], out=out, where=there > 2)
    numpy_shim.add(4, 5, out=out, where=there < 1)
    assert out.tolist() == [9, 0, 3, 5]
    here = numpy_shim.asarray(torch.arange(4.0))
    for x, other in ((here, there > 1), (there, here > 1)):
        with pytest.raises(ValueError, match="arrays on two devices"):
            call(numpy_shim, x, other)
        assert x.tolist() == [0, 1, 2, 3]


@pytest.fixture
def fake() -> torch.Tensor:
    """A tensor that has a shape, a dtype and a device, and no memory."""
    return FakeTensorMode().from_tensor(torch.arange(6.0).reshape(2, 3))


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("read", [
    lambda a: a.tobytes(), lambda a: a.tobytes("A"), bytes, lambda a: a.ctypes.data,
    lambda a: a.tofile("never written"), lambda a: numpy_shim.save("never written", a),
])  # fmt: skip
def test_the_memory_of_a_fake_tensor_is_not_read(read, view: str, fake: torch.Tensor):
    a = VIEWS[view](numpy_shim, numpy_shim.asarray(fake))
    with pytest.raises(RuntimeError, match="values of a FakeTensor cannot be read"):
        read(a)


@pytest.mark.parametrize("asarray", [numpy_shim.asarray, xp_torch.asarray])
def test_nor_exported(asarray, fake: torch.Tensor):
    with pytest.raises(BufferError, match="FakeTensor has no memory"):
        asarray(fake).__dlpack__()


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_nor_pickled(protocol: int, fake: torch.Tensor):
    """torch pickles the tensor, which refers to the mode that made it; that it cannot pickle."""
    with pytest.raises(AttributeError, match=r"Can't (pickle|get) local object"):
        pickle.dumps(numpy_shim.asarray(fake), protocol)


def test_no_class_is_derived_from_that_of_a_tensor_scalar():
    """As NumPy's scalars refuse ``object.__new__`` of such a class; programs ask by ``try``."""
    scalar = numpy_shim.ones(2).sum() + numpy_shim.asarray(torch.ones((), requires_grad=True))
    with pytest.raises(TypeError, match=r"Mine: a scalar that stays a tensor .* dtype\.type"):
        type("Mine", (type(scalar),), {})


def test_a_mask_on_a_device_for_a_masked_array(device: str):
    """NumPy's masked arrays take it where it is copied."""
    values = numpy.arange(3)
    mask = numpy_shim.asarray(torch.tensor([True, False, False], device=device))
    if device != "cpu":
        with pytest.raises(numpy_shim.ma.MaskError):
            numpy_shim.ma.array(values, mask=mask)
        mask = mask.to_device("cpu")
    assert numpy_shim.ma.array(values, mask=mask).tolist() == [None, 1, 2]
