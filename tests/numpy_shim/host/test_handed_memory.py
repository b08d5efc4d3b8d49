"""What a call that NumPy takes reads and writes: memory, devices, gradients."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
import torch

import numpy_shim

WORDS = ["b", "a", "b"]


def test_no_copy_where_numpy_makes_none():
    """``asarray`` gives the very object, ``array`` a copy, and a dtype that is stored ours."""
    x = numpy.array(WORDS)
    assert numpy_shim.asarray(x) is x
    assert numpy_shim.asarray(x, device="cpu") is x
    assert numpy_shim.array(x) is not x
    assert not numpy.shares_memory(numpy_shim.array(x), x)
    assert type(numpy_shim.asarray(numpy.array(["1", "2"]), dtype=int)) is numpy_shim.ndarray


def test_a_device_named_by_the_program_is_an_error():
    """Such an array is on the host; its default device is no matter."""
    for body in (
        lambda: numpy_shim.array(WORDS, device="meta"),
        lambda: numpy_shim.asarray(numpy.array(WORDS), device="meta"),
        lambda: numpy_shim.zeros(2, "U3", device="meta"),
        lambda: numpy_shim.full(2, "x", device="meta"),
        lambda: numpy_shim.arange(3, dtype="m8[s]", device="meta"),
        lambda: numpy_shim.zeros_like(numpy.array(WORDS), device="meta"),
    ):
        with pytest.raises(TypeError, match="no storage"):
            body()
    with torch.device("meta"):
        assert numpy_shim.array(WORDS).tolist() == WORDS
        assert numpy_shim.argsort(numpy.array(WORDS)).device.type == "meta"


def test_an_array_on_a_device_is_not_copied_implicitly():
    """As everywhere: such a copy waits, and is to be asked for."""
    x = numpy_shim.asarray(torch.zeros(3, device="meta"))
    with pytest.raises(TypeError, match="not copied to the host implicitly"):
        numpy_shim.add(x, numpy.array([1, 2, 3], dtype="m8[s]"))
    with pytest.raises(TypeError, match="not copied to the host implicitly"):
        numpy_shim.concatenate([x, numpy.array(["a"])])


def test_arrays_that_are_written_to():
    """``out`` comes back itself; read-only arrays and gradients are respected."""
    x = numpy.array([1, 2, 3], dtype=object)
    target = numpy_shim.zeros(3)
    assert numpy_shim.add(x, x, out=target, casting="unsafe") is target
    assert target.tolist() == [2.0, 4.0, 6.0]
    numpy_shim.put(target, numpy_shim.array([0]), numpy.array(["7"]))
    numpy_shim.copyto(target[1:2], numpy.array(["8"]), casting="unsafe")
    assert target.tolist() == [7.0, 8.0, 6.0]
    with pytest.raises(ValueError, match="read-only"):
        numpy_shim.copyto(numpy_shim.broadcast_to(1.0, 3), x, casting="unsafe")
    leaf = numpy_shim.asarray(torch.zeros(3, requires_grad=True) * 2)
    with pytest.raises(TypeError, match="requires grad"):
        numpy_shim.add(x, x, out=leaf, casting="unsafe")


def test_a_write_is_seen_by_autograd():
    """A tensor that a backward pass needs, written to since, is an error."""
    kept = torch.ones(3)
    weight = torch.ones(3, requires_grad=True)
    product = (weight * kept).sum()
    numpy_shim.copyto(numpy_shim.asarray(kept), numpy.array([5, 5, 5], dtype=object), "unsafe")
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        product.backward()


def test_numbers_are_given_read_only():
    """A function that is given numbers beside such data writes to none of them."""
    numbers = numpy_shim.arange(3)

    def write(x: Any) -> Any:
        x[...] = 7
        return x

    numpy_shim.apply_along_axis(write, 0, numpy.array([None, None, None]))
    seen = []
    numpy_shim.frompyfunc(lambda a, b: seen.append((a, b)), 2, 1)(numpy.array(["a"]), numbers[:1])
    assert seen == [("a", 0)]
    assert numbers.tolist() == [0, 1, 2]
