"""The memory of an array as a buffer: memoryview, hashlib, files."""

from __future__ import annotations

import hashlib
import io
import sys
import zlib
from collections.abc import Callable
from typing import Any

import numpy
import pytest

import numpy_shim as np
from tests.numpy_shim.differential import compare

NO_BUFFERS = sys.version_info < (3, 12)


@pytest.mark.skipif(not NO_BUFFERS, reason="Python asks classes for __buffer__ from 3.12 on")
def test_the_buffer_protocol_is_refused():
    """joblib and hashlib read a buffer: they say so; NumPy's array on the memory has one."""
    joblib = pytest.importorskip("joblib")
    a = np.arange(6.0).reshape(2, 3)
    for reads in (memoryview, hashlib.sha256, joblib.hash):
        with pytest.raises(TypeError, match=r"ndarray|buffer"):
            reads(a)
        same = reads(a.__array__()), reads(a.__array__().copy())
        digests = [found.digest() if hasattr(found, "digest") else found for found in same]
        assert digests[0] == digests[1]
    assert hashlib.sha256(a.tobytes()).digest() == hashlib.sha256(a.__array__()).digest()


def described(x: Any) -> Any:
    """What a buffer says of itself, and its bytes."""
    view = memoryview(x)
    return view.format, view.shape, view.strides, view.readonly, view.tobytes()


def written(write: Callable[[Any], Any]) -> bytes:
    file = io.BytesIO()
    write(file)
    return file.getvalue()


@pytest.mark.skipif(NO_BUFFERS, reason="a class written in Python has no buffers before 3.12")
@pytest.mark.parametrize("read", [
    described, lambda x: hashlib.sha256(x).hexdigest(), bytearray, zlib.crc32,
    lambda x: written(lambda file: file.write(x)), lambda x: b"".join([x]),
], ids=["memoryview", "hashlib", "bytearray", "zlib", "write", "join"])  # fmt: skip
@pytest.mark.parametrize("make", [
    lambda np: np.arange(6.0).reshape(2, 3), lambda np: np.arange(6)[::-2],
    lambda np: np.zeros((2, 0)), lambda np: np.array(3), lambda np: np.array([1 + 2j]).conj(),
    lambda np: np.broadcast_to(np.arange(3), (2, 3)), lambda np: np.array([True, False]),
    lambda np: np.arange(6.0).reshape(2, 3).T, lambda np: np.array(["2000"], dtype="M8[Y]"),
])  # fmt: skip
def test_buffers(make: Callable[[Any], Any], read: Callable[[Any], Any]):
    if read in (described, bytearray) and not make(numpy).flags.c_contiguous:
        with pytest.raises(ValueError, match="not C-contiguous"):
            read(make(np))
        return
    compare(lambda np: read(make(np)), allow_numpy=True)


@pytest.mark.skipif(NO_BUFFERS, reason="a class written in Python has no buffers before 3.12")
def test_what_is_read_into_a_buffer():
    """It reaches the array; a read-only one refuses it, and one on a device, which has a copy."""

    def program(np: Any) -> Any:
        a = np.zeros(3)
        count = io.BytesIO(b"\x01" * 20).readinto(a)
        fixed = np.broadcast_to(a, (2, 3))
        with pytest.raises((TypeError, BufferError)):
            io.BytesIO(b"12345678").readinto(fixed)
        return count, a

    compare(program, allow_numpy=True)


@pytest.mark.skipif(NO_BUFFERS, reason="a class written in Python has no buffers before 3.12")
def test_buffers_of_a_device(device: str):
    a = np.arange(3.0, device=device)
    if device == "cpu":
        assert bytes(memoryview(a)) == a.tobytes()
        return
    with pytest.raises(TypeError, match="allow_implicit_host_copy"):
        memoryview(a)
    with np.allow_implicit_host_copy():
        assert bytes(memoryview(a)) == a.tobytes()
        with pytest.raises(TypeError, match="read-write"):
            io.BytesIO(b"12345678").readinto(a)
