"""Arrays of one NumPy array's memory are related: what overlaps is read before it is written.

The truth is what NumPy gives for operands that were copied first. NumPy itself differs for some of
these writes.
"""

from __future__ import annotations

import gc
import pickle
import threading
import weakref
from collections.abc import Callable
from typing import Any

import numpy
import pytest
import torch

import numpy_shim as np
from numpy_shim._convert import one_storage
from numpy_shim._convert.one_storage import StorageTable

EVERY = numpy.arange(11)
EVEN = EVERY % 2 == 0

WRITES: dict[str, Callable[[Any, Any, Any], Any]] = {
    "iadd": lambda xp, a, b: a.__iadd__(b),
    "isub part": lambda xp, a, b: a[1:-1].__isub__(b[:-2]),
    "imul one": lambda xp, a, b: a.__imul__(b[4:5]),
    "imul steps": lambda xp, a, b: a[::2].__imul__(b[::2]),
    "iadd square": lambda xp, a, b: a[:9].reshape(3, 3).__iadd__(b[:9].reshape(3, 3).T),
    "all": lambda xp, a, b: a.__setitem__(..., b),
    "slice": lambda xp, a, b: a.__setitem__(slice(1, -1), b[:-2]),
    "steps": lambda xp, a, b: a.__setitem__(slice(None, None, 2), b[:6]),
    "backwards": lambda xp, a, b: a.__setitem__(slice(None, None, -1), b),
    "mask": lambda xp, a, b: a.__setitem__(xp.asarray(EVEN), b[:6]),
    "index": lambda xp, a, b: a.__setitem__(xp.asarray(EVERY), b),
    "rows": lambda xp, a, b: a[:9].reshape(3, 3).__setitem__(slice(1, 3), b[:6].reshape(2, 3)),
    "add": lambda xp, a, b: xp.add(a, b, out=a),
    "add twice": lambda xp, a, b: xp.add(b, b, out=a),
    "negative": lambda xp, a, b: xp.negative(b, out=a),
    "where": lambda xp, a, b: xp.add(b, 1, out=a, where=xp.asarray(EVEN)),
    "at": lambda xp, a, b: xp.add.at(a, xp.asarray(EVERY), b),
    "accumulate": lambda xp, a, b: xp.maximum.accumulate(b, out=a),
    "cumsum": lambda xp, a, b: xp.cumsum(b, out=a),
    "clip": lambda xp, a, b: xp.clip(b, 2, 9, out=a),
    "round": lambda xp, a, b: xp.round(b, out=a),
    "take": lambda xp, a, b: xp.take(b, xp.asarray(EVERY[::-1].copy()), out=a, mode="clip"),
    "copyto": lambda xp, a, b: xp.copyto(a, b),
    "put": lambda xp, a, b: xp.put(a, xp.asarray(EVERY), b),
    "put_along_axis": lambda xp, a, b: xp.put_along_axis(a, xp.asarray(EVERY), b, 0),
    "putmask": lambda xp, a, b: xp.putmask(a, xp.asarray(EVEN), b),
    "flat": lambda xp, a, b: a.flat.__setitem__(slice(None), b),
    "real": lambda xp, a, b: setattr(a, "real", b),
    "diagonal": lambda xp, a, b: xp.fill_diagonal(a[:9].reshape(3, 3), b[:3]),
    "matmul": lambda xp, a, b: xp.matmul(
        b[:9].reshape(3, 3), b[:9].reshape(3, 3), out=a[:9].reshape(3, 3)
    ),
    "sum": lambda xp, a, b: xp.sum(b[:9].reshape(3, 3), axis=0, out=a[:3]),
    "ptp": lambda xp, a, b: xp.ptp(b[:9].reshape(3, 3), axis=1, out=a[:3]),
}  # fmt: skip

VIEWS: dict[str, Callable[[Any], tuple[Any, Any]]] = {
    "up": lambda x: (x[1:12], x[:11]),
    "down": lambda x: (x[:11], x[1:12]),
    "whole and part": lambda x: (x[1:], x),
    "part and whole": lambda x: (x, x[1:]),
    "steps": lambda x: (x[::2], x),
    "other steps": lambda x: (x, x[::2]),
    "column": lambda x: (x.reshape(-1, 2)[:, 1], x.reshape(-1, 2)[:, 0]),
    "one": lambda x: (x, x),
}


@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("views", VIEWS)
@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "complex128"])
def test_writes_between_views(dtype: str, views: str, write: str):
    if dtype == "complex128" and write == "real":
        pytest.skip("a complex value has no place there")

    def memory():
        return (numpy.arange(24.0) * 7 % 11 + 1).astype(dtype)

    def cut(x):
        return [v[:11] for v in VIEWS[views](x)]

    expected = memory()
    a, b = cut(expected)
    WRITES[write](numpy, a, b.copy())
    x = memory()
    a, b = map(np.asarray, cut(x))
    WRITES[write](np, a, b)
    numpy.testing.assert_array_equal(x, expected)


def grown(x, a, b):
    expected = x.copy()
    expected[1:] += expected[:-1].copy()
    a += b
    numpy.testing.assert_array_equal(x, expected)


@pytest.mark.parametrize(
    "convert",
    [
        np.asarray, np.asanyarray, np.ascontiguousarray,
        lambda x: np.array(x, copy=False), lambda x: np.array(x, copy=None),
        lambda x: np.asarray(x, x.dtype), lambda x: np.asarray(x, copy=False),
        lambda x: np.asarray(x, device="cpu"), np.require,
    ],
    ids=range(9),
)  # fmt: skip
def test_conversions(convert: Callable[[Any], Any]):
    x = numpy.arange(9.0)
    grown(x, convert(x[1:]), convert(x[:-1]))


def owners():
    """Arrays that have the memory, with the floats in it."""
    whole = numpy.arange(12.0).reshape(3, 4)
    yield "in column order", numpy.asfortranarray(whole), lambda x: x.T.reshape(-1)
    yield (
        "other axes",
        whole.reshape(2, 3, 2).transpose(1, 0, 2).copy("K"),
        lambda x: x.transpose(1, 0, 2).reshape(-1),
    )
    yield "bytes", numpy.frombuffer(whole.tobytes(), numpy.uint8).copy(), lambda x: x.view(float)
    records = numpy.zeros(12, [("a", float), ("b", float)])
    yield "fields", records, lambda x: x["b"]
    yield "a long double", numpy.zeros(3, numpy.longdouble), lambda x: x.view(float)
    yield "big-endian", numpy.arange(12, dtype=">i4"), lambda x: x.view(float)


@pytest.mark.parametrize(("owner", "floats"), [pytest.param(*o[1:], id=o[0]) for o in owners()])
def test_owners_of_other_kinds(owner: Any, floats: Callable[[Any], Any]):
    x = floats(owner)
    assert numpy.shares_memory(x, owner)
    x[:] = numpy.arange(x.size)
    grown(x, np.asarray(x[1:]), np.asarray(x[:-1]))


def test_a_memory_map(tmp_path):
    x = numpy.memmap(tmp_path / "x", float, "w+", shape=9)
    x[:] = numpy.arange(9)
    grown(x, np.asarray(x[1:]), np.asarray(x[:-1]))


def test_one_buffer():
    """Arrays that NumPy made of one buffer, a part of it, and our own of it."""
    buffer = bytearray(numpy.arange(9.0).tobytes())
    a, b = numpy.frombuffer(buffer)[1:], numpy.frombuffer(memoryview(buffer)[:-8])
    grown(numpy.frombuffer(buffer), np.asarray(a), np.asarray(b))
    x = numpy.arange(9.0)
    grown(x, np.frombuffer(x)[1:], np.asarray(x[:-1]))
    x = numpy.arange(9.0)
    grown(x, np.ndarray((8,), float, x, offset=8), np.from_dlpack(x[:-1]))
    locked = numpy.frombuffer(bytes(16), "u1")
    assert np.asarray(locked[1:]).tolist() == [0] * 15


@pytest.mark.parametrize(
    "view",
    [np.real, np.ravel, np.transpose, np.squeeze, np.flip, lambda x: np.reshape(x, (-1,))],
    ids=["real", "ravel", "transpose", "squeeze", "flip", "reshape"],
)
def test_views_by_functions(view: Callable[[Any], Any]):
    """A function of a NumPy array that returns a view returns one of that array."""
    x = numpy.arange(900.0)
    grown(x, view(x[1:]), view(x[:-1]))


def test_memory_of_a_tensor():
    """NumPy's view of our array is an array on the same tensor's storage again."""
    ours = np.arange(9.0)
    theirs = numpy.asarray(ours)
    grown(theirs, np.asarray(theirs[1:]), ours[:-1])
    tensor = torch.arange(9.0)
    grown(tensor.numpy(), np.asarray(tensor.numpy()[1:]), np.asarray(tensor)[:-1])


def test_what_cannot_be_related():
    """Elements between those of the owner, and memory beyond its end: arrays of their own."""
    x = numpy.arange(4)
    between = np.asarray(x.view(numpy.int8)[1:25].view(numpy.int64))
    numpy.testing.assert_array_equal(between, x.view(numpy.int8)[1:25].copy().view(numpy.int64))
    short = x[:2]
    beyond = numpy.lib.stride_tricks.as_strided(short, (4,))
    numpy.testing.assert_array_equal(np.asarray(beyond), x)
    locked = numpy.arange(4.0)
    view = locked[1:]
    locked.flags.writeable = False
    made = np.asarray(view)
    made[0] = 7
    assert locked[1] == 7
    for empty in (x[:0], numpy.zeros((0, 3)), numpy.zeros((3, 0))[1:]):
        assert np.asarray(empty).shape == empty.shape


@pytest.mark.parametrize("convert", [np.asarray, np.array, np.ravel, np.frombuffer])
def test_another_device(convert: Callable[[Any], Any]):
    """An array that is moved to the default device is a copy, and the memory stays NumPy's."""
    x = numpy.arange(9.0)
    for y in (x, x[1:]):
        with torch.device("meta"):
            moved = convert(y)
        assert moved.tensor.is_meta
        if convert is not np.ravel:
            assert moved.base is None
        assert np.asarray(y).tensor.untyped_storage().nbytes() == x.nbytes
    assert np.asarray(x, device="meta").base is None
    grown(x, np.asarray(x[1:]), np.asarray(x[:-1]))


def test_memory_is_given_back():
    """The storage holds the array, and nothing holds the storage."""
    x = numpy.arange(9.0)
    made = [np.asarray(x[1:]), np.asarray(x), np.asarray(x[1:])]
    ended = weakref.ref(x)
    del x
    made.pop()[0] = 5
    assert made[-1][1] == 5
    made.clear()
    gc.collect()
    assert ended() is None


def test_table_of_storages():
    table, kept = StorageTable(), []
    for key in range(2000):
        storage = torch.UntypedStorage(8)
        assert table.get(key) is None
        assert table.get(key, storage) is storage
        if key % 100 == 0:
            kept.append((key, storage))
    assert len(table._references) < 300
    for key, storage in kept:
        assert table.get(key).data_ptr() == storage.data_ptr()
        assert table.get(key, torch.UntypedStorage(8)).data_ptr() == storage.data_ptr()
    del storage, kept
    assert table.get(0) is None
    again = torch.UntypedStorage(8)
    assert table.get(0, again) is again


def test_threads():
    """Threads that take views of one array at once share its storage."""
    for _ in range(50):
        x = numpy.arange(64.0)
        made: list[Any] = []
        start = threading.Barrier(4)

        def take(x=x, made=made, start=start):
            start.wait()
            made.extend([np.asarray(x[i:]) for i in range(4)])

        threads = [threading.Thread(target=take) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len({a.tensor.untyped_storage().data_ptr() for a in made}) == 1
        assert len({a.tensor.untyped_storage()._cdata for a in made}) == 1


@pytest.mark.parametrize("backend", ["aot_eager", "inductor"])
def test_compiled(backend: str):
    """AOTAutograd knows arguments that overlap by their storage."""
    f = torch.compile(lambda a, b: a.__iadd__(b), backend=backend)
    x = numpy.arange(9.0)
    expected = x.copy()
    expected[1:] += x[:-1]
    f(np.asarray(x[1:]), np.asarray(x[:-1]))
    numpy.testing.assert_array_equal(x, expected)


def test_gradients():
    """The tensor is a leaf, and what is written to it has a gradient."""
    w = torch.ones(3, requires_grad=True)
    a = np.asarray(numpy.zeros(5)[1:4])
    a[:] = np.asarray(w) * 2
    a.tensor.sum().backward()
    assert w.grad.tolist() == [2, 2, 2]
    b = np.asarray(numpy.zeros(5)[1:4])
    b.tensor.requires_grad_()
    (b * 3).sum().tensor.backward()
    assert b.tensor.is_leaf
    assert b.tensor.grad.tolist() == [3, 3, 3]


def test_no_more_is_pickled():
    x = numpy.zeros(100_000)
    assert len(pickle.dumps(np.asarray(x[:3]))) < 1000


def test_a_finalizer_within_a_call_of_the_table_neither_waits_nor_changes_it(monkeypatch):
    """A collection of garbage within ``get`` may end an array whose finalizer makes another."""
    table, ended = StorageTable(), []
    first, second = torch.zeros(2).untyped_storage(), torch.zeros(3).untyped_storage()
    table.get(1, first)

    def found(reference: object) -> object:
        ended.append(table.get(1, second))
        return storage_of(reference)

    storage_of = one_storage.storage_of
    monkeypatch.setattr(one_storage, "storage_of", found)
    made = []
    thread = threading.Thread(target=lambda: made.append(table.get(1, second)), daemon=True)
    thread.start()
    thread.join(10)
    assert [s.data_ptr() for s in made] == [first.data_ptr()]
    assert [s.data_ptr() for s in ended] == [second.data_ptr()]


@pytest.mark.parametrize("first", ["i1", "f8"])
@pytest.mark.parametrize("shape", [(), (1,), (5,), (2, 3)])
def test_complex_fields_between_multiples_of_16_bytes(first, shape):
    """torch ends the process at a complex128 whose address is no multiple of 16."""
    for last in ("V7", "f8"):
        fields = numpy.zeros(shape, [("tag", first), ("value", "c16"), ("last", last)])
        x = fields["value"]
        np.add(np.asarray(x), 1, out=x)
        np.copyto(x, np.full(shape, 2) * np.asarray(x))
        assert (np.ones(shape, complex) + x == 3).all()
        for element in np.nditer(x, op_flags=["readwrite"]):
            element[...] = element + 1j
        del element
        assert (x == 2 + 1j).all()
