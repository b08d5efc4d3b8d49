"""Indexing: fixed cases of every promise, hypothesis on every dtype, and random expressions."""

from __future__ import annotations

import operator
import os
from typing import Any

import numpy
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import numpy_shim
from tests.differential import Spec
from tests.keys import WRONG_KEYS, basic_keys
from tests.numpy_shim.differential import build, compare
from tests.numpy_shim.indexing.index_expressions import check
from tests.strategies import arrays, shapes
from xp_torch._core import box
from xp_torch._core.dtypes import ALL

EXPRESSIONS = int(os.environ.get("NUMPY_SHIM_INDEX_EXPRESSIONS", "3000"))
FIRST_SEED = int(os.environ.get("NUMPY_SHIM_INDEX_SEED", "0"))
CUBE = Spec(numpy.arange(24).reshape(2, 3, 4))
VECTOR = Spec(numpy.arange(5.0))


def cases(*bodies: Any) -> Any:
    """One test for each body."""
    return pytest.mark.parametrize("body", bodies)


@pytest.mark.timeout(7200)
def test_random_expressions():
    """Random keys of every form, chains of views and writes give what NumPy gives.

    A million of them, seeds 1,000,000 to 1,999,999, showed no difference but one where NumPy
    copies overlapping memory in the wrong order (see ``check``)::

        NUMPY_SHIM_INDEX_SEED=1000000 NUMPY_SHIM_INDEX_EXPRESSIONS=1000000 \\
            pytest tests/numpy_shim/indexing/test_indexing.py -k random_expressions
    """
    for seed in range(FIRST_SEED, FIRST_SEED + EXPRESSIONS):
        check(seed)


@given(arrays(ALL, shapes(3)), st.data())
def test_basic_keys_of_every_dtype(a, data):
    """Reading and writing, in every layout."""
    key = data.draw(basic_keys(a.values.shape))
    compare(lambda np, x: x[key], a)

    def body(np: Any, x: Any) -> Any:
        y = x + np.zeros((), x.dtype)
        y[key] = y[key]
        y[key] = 1
        return y

    compare(body, a)


@given(arrays(ALL, shapes(3, 1)), st.data())
def test_masks_and_indices_of_every_dtype(a, data):
    """A mask of leading axes, and an index array along the first."""
    shape = a.values.shape
    ndim = data.draw(st.integers(1, len(shape)))
    size = int(numpy.prod(shape[:ndim], dtype=int))
    bits = data.draw(st.lists(st.booleans(), min_size=size, max_size=size))
    mask = Spec(numpy.asarray(bits, bool).reshape(shape[:ndim]))
    compare(lambda np, x, m: x[m], a, mask)
    picked = data.draw(st.lists(st.integers(-shape[0] - 1, shape[0]), max_size=5))
    compare(lambda np, x: x[np.array(picked, int)], a)

    def body(np: Any, x: Any, m: Any) -> Any:
        y = x + np.zeros((), x.dtype)
        y[m] = 1
        y[np.array(picked, int)] = y[:1]
        return y

    compare(body, a, mask)


@cases(
    lambda np, a: a[0, 0, 0],
    lambda np, a: a[0, 0, 0, ...],
    lambda np, a: a[0, 0],
    lambda np, a: a[()],
    lambda np, a: a[...],
    lambda np, a: a[0, 0, 0][()],
    lambda np, a: np.asarray(a[0, 0, 0][...]),
    lambda np, a: np.asarray(a[0, 0, 0][None]),
    lambda np, a: a[0, 0, 0][0],
    lambda np, a: a[0, 0, 0, ...][()],
    lambda np, a: a[0, 0, 0, ...][0],
    lambda np, a: a[0, 0, 0, ...][True],
    lambda np, a: a[0, 0, 0, ...][False],
    lambda np, a: np.asarray(a[0, 0, 0][np.array(True)]),
    lambda np, a: a[np.int64(1)],
    lambda np, a: a[np.array(1)],
    lambda np, a: a[np.array(1), 0, np.uint8(2)],
    lambda np, a: a[a[0, 0, 1]],
    lambda np, a: a[a[0, 0, 1] :],
    lambda np, a: a[:, [0], [1]],
    lambda np, a: a[[0], :, [1]],
    lambda np, a: a[[0], :, 1],
    lambda np, a: a[0, :, [1, 2]],
    lambda np, a: a[0, ..., [1, 2]],
    lambda np, a: a[:, 0, [1, 2]],
    lambda np, a: a[:, [1, 2], None, 0],
    lambda np, a: a[..., [1, 2], [0, 1]],
    lambda np, a: a[:, [[1], [2]], [0, 1]],
    lambda np, a: a[[0, 1], ..., [0, 1]],
    lambda np, a: a[:, True],
    lambda np, a: a[True, :, True],
    lambda np, a: a[False],
    lambda np, a: a[0, True],
    lambda np, a: a[True, :, [0, 1]],
    lambda np, a: a[a > 5],
    lambda np, a: a[a[:, :, 0] > 5],
    lambda np, a: a[:, a[0] > 5],
    lambda np, a: a[[True, False]],
    lambda np, a: a[[True, False], [True, False, True]],
    lambda np, a: a[[True, False, True]],
    lambda np, a: a[:, [True, False, 1]],
    lambda np, a: a[np.array([1, 0], dtype=np.uint8)],
    lambda np, a: a[np.array([1, 0], dtype=np.uint64)],
    lambda np, a: a[np.array([2**63], dtype=np.uint64)],
    lambda np, a: a[[]],
    lambda np, a: a[np.array([])],
    lambda np, a: a[np.array([], int)],
    lambda np, a: a[[[]]],
    lambda np, a: a[(0,)],
    lambda np, a: a[[(0, 1), (1, 0)]],
    lambda np, a: a[range(2)],
    lambda np, a: a[1.0],
    lambda np, a: a[np.float64(1)],
    lambda np, a: a[np.array(1.0)],
    lambda np, a: a["x"],
    lambda np, a: a[{1}],
    lambda np, a: a[object()],
    lambda np, a: a[..., ...],
    lambda np, a: a[0, 0, 0, 0],
    lambda np, a: a[5],
    lambda np, a: a[[5]],
    lambda np, a: a[:, [5]],
    lambda np, a: a[:0][:, [5]],
    lambda np, a: a[2**70],
    lambda np, a: a[::0],
    lambda np, a: a[1.0:],
    lambda np, a: a[:, :: 2**62],
    lambda np, a: a[:, :: -(2**63)],
    lambda np, a: a[-(2**70) : 2**70],
    lambda np, a: a[:, [0, 1], [0, 1, 2]],
    lambda np, a: a[np.ix_([0, 1], [2, 0], [True, False, True, False])],
    lambda np, a: a[::-1, ::-2, 3:0:-1],
    lambda np, a: a[::-1, [0, 2], ::-1],
    lambda np, a: a[::-1][::-1][0, ::-1, 1],
    lambda np, a: a[np.array([0, 5]), 2:2],
    lambda np, a: a[:1.0, [True, False]],
    lambda np, a: a[1 :: 2**62, :, :][:, None, 2:-3:-1][1:-2:1, ..., 3:1],
)
def test_reading(body):
    """Shapes, scalars and errors."""
    compare(body, CUBE)


@pytest.mark.parametrize("key", WRONG_KEYS)
def test_unusual_keys(key):
    """What one library or another refuses: as NumPy."""
    compare(lambda np, a: a[key], VECTOR, allow_numpy=True)


def assigning(key: Any, value: Any) -> Any:
    """A body that assigns to a key; both may be functions of ``np`` and the array."""

    def body(np: Any, a: Any) -> Any:
        k = key(np, a) if callable(key) else key
        a[k] = value(np, a) if callable(value) else value

    return body


NUMBERS: list[Any] = [1, True, 1.5, -1, 300, 2**70, float("nan"), float("inf"), 1j, None, "x"]


@pytest.mark.parametrize(
    "dtype", ["bool", "int8", "uint8", "int64", "uint64", "float32", "complex64"]
)
@pytest.mark.parametrize("value", NUMBERS, ids=str)
@pytest.mark.parametrize("key", [0, slice(None), ([0, 2],), lambda np, a: a == a])
def test_assigning_numbers(dtype, value, key):
    """Into every kind of dtype: what is out of range, or has no value there, is refused."""
    if value == "x" and dtype == "bool":
        pytest.skip("NumPy takes the truth of a string")
    compare(assigning(key, value), Spec(numpy.ones(3, dtype)))


@cases(
    assigning(0, lambda np, a: np.ones((3, 4))),
    assigning(0, lambda np, a: np.ones((1, 1, 3, 4))),
    assigning(0, lambda np, a: np.ones((2, 3, 4))),
    assigning((0, 0, 0), lambda np, a: np.ones(1)),
    assigning((0, 0, 0), [1]),
    assigning((0, 0), [[[1, 2, 3, 4]]]),
    assigning((0, 0), [1, 2, 3]),
    assigning(([0, 1], 0), [[[1, 2, 3, 4]]]),
    assigning(([0, 1], slice(None), 0), lambda np, a: np.arange(6).reshape(2, 3)),
    assigning((0, slice(None), [0, 1]), lambda np, a: np.arange(6).reshape(2, 3)),
    assigning((0, slice(None), [0, 1]), lambda np, a: np.arange(6).reshape(3, 2)),
    assigning((slice(None), 0, [0, 0, 0]), lambda np, a: np.arange(6).reshape(2, 3)),
    assigning(
        (slice(None), slice(None, None, -1), [3, 1]), lambda np, a: np.arange(6).reshape(3, 2)
    ),
    assigning(lambda np, a: a > 5, lambda np, a: a[a > 5] * 10),
    assigning(lambda np, a: a > 5, [1, 2]),
    assigning(lambda np, a: a > 5, lambda np, a: np.ones((1, 18))),
    assigning(lambda np, a: a[0] > 5, 1),
    assigning(lambda np, a: (0, a[0] > 5), lambda np, a: -a[0][a[0] > 5]),
    assigning(lambda np, a: (slice(None), a[0] > 5), lambda np, a: a[:, :2, :3].reshape(2, 6)),
    assigning(True, 5),
    assigning(False, 5),
    assigning(lambda np, a: np.array(True), lambda np, a: a + 1),
    assigning((slice(1, None),), lambda np, a: a[:-1]),
    assigning(slice(None, None, -1), lambda np, a: a),
    assigning((slice(None), slice(1, None)), lambda np, a: a[:, :-1]),
    assigning((slice(None), [0, 1, 2]), lambda np, a: a[:, ::-1]),
    assigning(lambda np, a: (a[:, 0, 0] // 12,), lambda np, a: a[::-1]),
    assigning(([0, 0, 1],), lambda np, a: np.arange(36).reshape(3, 3, 4)),
    assigning((5,), 1),
    assigning(([5],), 1),
    assigning(([0, 5],), 1),
    assigning((..., ...), 1),
    assigning((0, 0, 0, 0), 1),
    assigning(1.0, 1),
    assigning("x", 1),
    assigning(0, lambda np, a: np.array(1 + 2j)),
    assigning(0, lambda np, a: np.array(1.9)),
    assigning(0, lambda np, a: np.float32(2.5)),
    assigning(0, object()),
    assigning(lambda np, a: a == a, lambda np, a: a[0, 0]),
)
def test_writing(body):
    """Broadcasting, casting, overlap and errors; on error nothing is written."""
    compare(body, CUBE)

    def and_after(np: Any, a: Any) -> Any:
        try:
            body(np, a)
        except Exception:
            return a
        return a

    compare(and_after, CUBE)


@cases(
    lambda np, a: operator.delitem(a, 0),
    lambda np, a: operator.setitem(a[0], 0, 1),
    lambda np, a: operator.setitem(np.broadcast_to(a, (2, 5)), 0, 1),
    lambda np, a: operator.setitem(np.broadcast_to(a, (2, 5))[0], 0, 1),
    lambda np, a: operator.setitem(np.broadcast_to(a, (2, 5))[:, ::-1], 0, 1),
    lambda np, a: operator.setitem(np.broadcast_to(a, (2, 5)), ([0], [1]), 1),
)
def test_refused(body):
    """Deleting, and writing to scalars and to read-only arrays and their views."""
    compare(body, VECTOR)


def swap(np: Any, a: Any) -> Any:
    kept = a[0]
    a[0] = a[1]
    a[1] = kept
    return a


def in_place(np: Any, a: Any) -> Any:
    a[1:] += a[:-1]
    a[::-1] -= a
    a[[0, 0, 1]] += 10
    a[a > 3] *= 2
    a[1:4][::-1][0] += 100
    return a


def through_views(np: Any, a: Any) -> Any:
    b = a[::-2]
    c = b[1:]
    a[0] = 50
    c[-1] += 1
    b[...] = b * 2
    return a, b, c


@cases(swap, in_place, through_views)
def test_programs(body):
    """A scalar is a copy; in-place operators on selections; views that see each other."""
    compare(body, VECTOR)


def test_index_objects_of_other_libraries():
    """Tensors and real NumPy arrays and scalars index as arrays of ours do."""
    a = build(numpy_shim, CUBE)
    expected = CUBE.values[[1, 0]].tolist()
    for key in (torch.tensor([1, 0]), numpy.asarray([1, 0]), torch.tensor([1, 0]).byte()):
        assert a[key].tolist() == expected
    assert a[numpy.int64(1), torch.tensor(2), numpy.asarray(3)].tolist() == 23
    mask = CUBE.values > 20
    assert a[mask].tolist() == a[torch.from_numpy(mask)].tolist() == [21, 22, 23]


def test_devices(monkeypatch):
    """An index on another device is refused by an error that names both."""
    monkeypatch.setattr(box, "several_devices", True)
    a = numpy_shim.asarray(torch.zeros(3, device="meta"))
    index = numpy_shim.asarray(torch.tensor([0]))
    with pytest.raises(ValueError, match=r"meta.*cpu|cpu.*meta"):
        a[index]
    with pytest.raises(ValueError, match=r"meta.*cpu|cpu.*meta"):
        a[index] = 1.0


def test_gradient_through_assignment():
    """What is replaced has no gradient; what replaces it has one."""
    x = torch.ones(3, dtype=torch.float64, requires_grad=True)
    y = torch.ones(2, dtype=torch.float64, requires_grad=True)
    a = numpy_shim.asarray(x) * 2
    a[::-2] = numpy_shim.asarray(y) * 3
    a[numpy_shim.asarray([1])] = 5.0
    a.tensor.sum().backward()
    assert x.grad.tolist() == [0, 0, 0]
    assert y.grad.tolist() == [3, 3]
    with pytest.raises(ValueError, match="gradient"):
        numpy_shim.asarray(x)[0] = 1.0


def test_gradient_of_an_element_survives_a_write():
    """Reading an element keeps nothing of the array that a later write would change."""
    t = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    a = numpy_shim.asarray(t) * 1.0
    element = a[1]
    a[1] = 7.0
    (element * a[2]).tensor.backward()
    assert t.grad is not None
    assert t.grad.tolist() == [0.0, 3.0, 2.0]


@pytest.mark.parametrize("count", [31, 32, 63, 64, 70])
def test_most_axes(count: int):
    """An index makes 64 axes at most, ``flat`` goes over 32."""
    key = (None,) * count
    compare(lambda np: np.zeros(2)[key].ndim)
    compare(lambda np: np.float64(2)[key].ndim)
    compare(lambda np: np.zeros((1,) * 60)[(None,) * (count % 8)].ndim)
    compare(lambda np: np.zeros(2).__setitem__(key, 1.0))
    compare(lambda np: np.zeros(2).__setitem__(key, np.ones(2)))
    compare(lambda np: list(np.zeros(2)[key[:63]].flat))


@pytest.mark.parametrize("letters", [[], ["a"]], ids=repr)
def test_flat_of_text_as_an_index_of_flat(letters: list[str]):
    """No text selects nothing; text is an ``IndexError``."""
    compare(lambda np: np.arange(9).reshape(3, 3).flat[np.array(letters, dtype="S").flat])


@pytest.mark.parametrize("dtype", ["U1", "O", "M8[D]", "g"])
@pytest.mark.parametrize(
    "mask", ["[True, False]", "[True] * 4", "[[True, False, True]]", "[False] * 4", "True",
             "[True, False, True]"],
)  # fmt: skip
def test_masks_of_arrays_that_are_numpys(mask: str, dtype: str):
    """A mask of ours must fit, as NumPy's must."""

    def body(np: Any) -> Any:
        a = np.array([1, 2, 3]).astype(dtype)
        found = a[np.array(eval(mask))]
        a[np.array(eval(mask))] = a[-1]
        return found.tolist(), a.tolist()

    compare(body)
