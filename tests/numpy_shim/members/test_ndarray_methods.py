"""``ndarray``'s methods: those of its own in full, those that are functions by their results."""

from __future__ import annotations

import inspect
import io
import itertools
import pickle
from typing import Any

import numpy
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import numpy_shim
from tests.differential import Spec
from tests.numpy_shim.differential import ROUNDING, compare
from tests.strategies import arrays, shapes
from xp_torch._core import dtypes

DTYPES = [numpy.dtype(name) for name in dtypes.BY_NAME] + [numpy.dtype("float16")]
SAFE = numpy.array([0, 1, 2, 100, 0, 3])

PLAIN = [
    "all()", "any(axis=0)", "argmax()", "argmin(0)", "argpartition(1)[0]", "argsort()",
    "choose([10, 20, 30])", "clip(0, 1)", "clip(min=1)", "compress([True, False], axis=0)",
    "conj()", "conjugate()", "cumprod()", "cumsum(0)", "diagonal()", "diagonal(1)", "dot(a.T)",
    "flatten()", "flatten('F')", "flatten('A')", "flatten('K')", "flatten('Z')", "max()",
    "max(axis=1, keepdims=True)", "mean()", "mean(0)", "min(1)", "nonzero()", "prod()", "ptp()",
    "ravel()", "ravel('F')", "repeat(2)", "repeat([1, 2], axis=0)", "reshape(4)",
    "reshape(-1, 1)", "reshape((2, 2))", "reshape(3)", "reshape(2, 2, order='F')",
    "reshape(4, copy=True)", "reshape([4])", "reshape('a')", "round()", "searchsorted(1)",
    "squeeze()", "squeeze(0)", "std()", "std(0, ddof=1)", "sum()", "sum(-1)", "sum(dtype='f4')",
    "swapaxes(0, 1)", "take([0, 3])", "take([0, 1], axis=1)", "trace()", "transpose()",
    "transpose(1, 0)", "transpose((0, 1))", "transpose(0, 0)", "transpose(None)", "var()",
    "var(1, keepdims=True)", "tolist()", "item(3)", "item(-4)", "item(1, 0)", "item((0, 1))",
    "item()", "item(4)", "item(0, 2)", "item(0, 0, 0)", "item('a')", "item(1.0)", "itemset(1)",
    "tobytes()", "tobytes('F')", "tobytes('A')", "tobytes('Z')", "copy()", "copy('F')",
    "copy('Z')", "copy('f')", "flatten('f')", "flatten(b'K')", "flatten(1)", "ravel('f')",
    "dot(b=a)", "dot(other=a)", "choose(10, 20, 30)", "choose()", "compress(condition=[1, 0])",
    "put(indices=0, values=1)", "partition(kth=0)", "partition(0, axis=None)", "conj(None)",
    "conj(np.zeros_like(a))", "conjugate(np.zeros(1))", "conjugate(out=a)", "conj(3)",
    "byteswap()", "view()", "view('u1')", "view(type=None)", "view('nonsense')",
    "getfield('u1')", "to_device('cpu')", "swapaxes(0, 2)", "sum(axis=2)", "squeeze(axis=1)",
]  # fmt: skip


@pytest.mark.parametrize("call", PLAIN)
@pytest.mark.parametrize("kind", [float, int, complex, "f4", bool])
def test_method(call: str, kind: Any):
    """Each method by an ordinary call, and its errors."""

    def body(np: Any) -> Any:
        a = np.array([[0, 2], [1, 1]], kind)
        return eval(f"a.{call}", {"a": a, "np": np})

    compare(body, rtol=ROUNDING)


def test_every_public_name_is_there():
    """All attributes and methods of NumPy's arrays, with its argument names."""
    for name in dir(numpy.ndarray):
        if name.startswith("_") or not hasattr(numpy.eye(1), name) or name == "tostring":
            continue
        ours = inspect.getattr_static(numpy_shim.ndarray, name)
        assert getattr(ours, "__doc__", None), name
        theirs = getattr(numpy.ndarray, name)
        if callable(theirs) and callable(ours) and theirs.__text_signature__:
            wanted = [p for p in inspect.signature(theirs).parameters if p not in RENAMED]
            assert not set(wanted) - set(inspect.signature(ours).parameters), name


RENAMED = {"self", "args", "kwargs", "other"}
"""Methods whose NumPy signature is ``**kwargs``: numpy_shim writes the parameters out."""


@pytest.mark.parametrize(("source", "target"), itertools.product(DTYPES, repeat=2), ids=str)
def test_astype(source: Any, target: Any):
    """Every pair of dtypes, on values that both hold."""
    spec = Spec(numpy.array([[0, 1, 2], [100, 1, 3]]).astype(source), "transposed")
    compare(lambda np, a: a.astype(target), spec)
    compare(lambda np, a: a.astype(target, casting="same_kind"), spec)


@given(x=arrays(dtypes.REAL_FLOATING, finite=True))
def test_astype_of_floats(x: Any):
    """Towards zero into a wide integer; true for all but zero."""
    compare(lambda np, a: [a.astype(np.int64), a.astype(bool), a.astype("c8")], x)


def test_astype_options():
    """Order, casting and copy, with NumPy's errors."""

    def same(np: Any, **options: Any) -> bool:
        a = np.array([[1.0, 2], [3, 4]])
        return a.astype(float, **options) is a

    for options in [{}, {"copy": False}, {"copy": False, "order": "C"},
                    {"copy": False, "order": "F"}, {"copy": False, "order": "K"}]:  # fmt: skip
        compare(lambda np, options=options: same(np, **options))
    for order in ["C", "F", "A", "K", "Z"]:
        compare(lambda np, o=order: np.array([[1, 2], [3, 4]]).T.astype("f4", order=o).strides)
        compare(lambda np, o=order: np.array([[1, 2], [3, 4]]).T.copy(order=o).strides)
    compare(lambda np: np.array([1.5]).astype(int, casting="safe"))
    compare(lambda np: np.array([1.5]).astype(int, casting="nonsense"))
    compare(lambda np: np.array([1.5]).astype("nonsense"))
    compare(lambda np: np.array([1.5])[()].astype(np.int8))
    with pytest.warns(numpy.exceptions.ComplexWarning):
        numpy_shim.array([1j]).astype(float)


RESIZED = [
    "x = np.arange(3); x.resize((2, 3))", "x = np.arange(3); y = x; x.resize((2, 3))",
    "x = np.arange(3); y = x[1:]; x.resize(2, 3)", "x = np.arange(3); y = x; x.resize(3, 1)",
    "x = np.arange(3); y = x; x.resize((2, 3), refcheck=False)",
    "x = np.arange(3)[1:]; x.resize(1)",
    "x = np.arange(3); f = x.resize; f(*(2, 2))", "x = np.arange(3); np.ndarray.resize(x, (5,))",
    "x = np.arange(6).reshape(2, 3).T; x.resize(2, 3)", "x = np.arange(6)[::2]; x.resize(3, 1)",
    "x = np.arange(6).reshape(2, 3).copy('F'); x.resize(2, 4)", "x = np.arange(3); x.resize(())",
    "x = np.arange(6)[::-1]; x.resize(3, 2)", "x = np.zeros((0, 4)); x.resize(2, 2)",
    "x = np.arange(3); x.resize('a')", "x = np.arange(3); x.resize(-1)",
    "x = np.arange(3); x.resize(2, refcheck='a')", "x = np.arange(3); x.resize(2, order=1)",
    "x = np.arange(3); x.resize(1.5)", "x = np.arange(3); x.resize()",
]  # fmt: skip


@pytest.mark.parametrize("lines", RESIZED)
def test_resize_in_place(lines: str):
    """In place, over the memory as it lies; refused where something else refers to the array."""

    def body(np: Any) -> Any:
        names: dict[str, Any] = {"np": np}
        exec(lines, names)
        return names["x"]

    compare(body)


@pytest.mark.parametrize(
    "kth",
    [range(2), 1.0, [1.0], True, [True], [[0, 1]], [], None, -1, (0, -1), 5, [5], numpy.int8(1),
     numpy.uint64(2), numpy.array(True), "1", {0}],
    ids=repr,
)  # fmt: skip
def test_places_of_a_partition(kth: Any):
    """``kth`` is an integer or a row of them; nothing else is taken for one."""
    compare(lambda np: np.sort(np.partition([3, 1, 2], kth)))
    compare(lambda np: np.sort(np.array([3, 1, 2]).argpartition(kth)))
    compare(lambda np: np.partition([3, 1, 2], 0, kind=kth))


def test_setflags_by_position():
    """``write`` comes first."""

    def body(np: Any) -> Any:
        a = np.arange(3)
        a.setflags(False)
        return a.flags.writeable

    compare(body)


@given(x=arrays(shape=shapes(min_dims=1)), value=st.sampled_from([0, 1, True]))
def test_fill(x: Any, value: Any):
    """Every dtype and layout."""

    def body(np: Any, a: Any) -> Any:
        a = a.copy()
        a.fill(value)
        a[::2].fill(a.dtype.type(0))
        return a

    compare(body, x)


@pytest.mark.parametrize("value", [300, -1, 1.5, 1j, "a", 1e300, float("nan"), 2**70])
@pytest.mark.parametrize("kind", ["u1", "i8", "f2", "f4", "f8", "c8", "?"])
def test_fill_out_of_range(value: Any, kind: str):
    """What does not fit raises as in NumPy."""

    def body(np: Any) -> Any:
        a = np.zeros(2, kind)
        a.fill(value)
        return a

    if kind == "i8" and value != value:
        pytest.skip("NaN as an integer is undefined")
    compare(body)
    compare(lambda np: np.zeros(2).fill([1, 2]))


@pytest.mark.parametrize("kind", ["u1", "i2", "f4", "i8", "c8", "c16", "f8", "nonsense"])
@pytest.mark.parametrize("key", [(), slice(None, None, -1), (slice(None), slice(2, 4))])
def test_view(kind: str, key: Any):
    """The same bytes as another dtype, through which writes reach the array."""

    def body(np: Any) -> Any:
        a = np.array([[1.0, 2, 3, 4], [5, 6, 7, 8]])
        b = a[key].view(kind)
        b[..., 0] = 0
        return a, b

    compare(body)


def test_view_as_the_class_that_is_wrapped():
    """As autograd wraps classes whose class is not ``type``."""

    def wrapped(*args):
        raise AssertionError("it is not called")

    a = numpy_shim.arange(3)
    with pytest.raises(TypeError, match="data type"):
        a.view(wrapped)
    wrapped.fun = numpy_shim.ndarray
    view = a.view(wrapped)
    assert type(view) is numpy_shim.ndarray
    view[0] = 7
    assert a[0] == 7


def test_view_of_complex():
    """As real numbers, the last axis twice as long, with a gradient."""
    compare(lambda np: np.array([1 + 2j, 3 + 4j]).view(float))
    compare(lambda np: np.array(1 + 2j).view(float))
    compare(lambda np: np.array([1.0, 2]).view(complex))
    compare(lambda np: np.array([[1.0, 2]]).T.view(complex))
    compare(lambda np: np.array([1.0]).view(np.ndarray))
    t = torch.tensor([1 + 2j], requires_grad=True)
    assert numpy_shim.asarray(t).view(numpy_shim.float32).tensor.requires_grad
    with pytest.raises(ValueError, match="must be ndarray"):
        numpy_shim.array([1]).view(type=numpy_shim.generic)
    with pytest.raises(ValueError, match="view: "):
        numpy_shim.array([1.0, 2, 3])[1:].view(complex)  # torch has complex numbers aligned only


@pytest.mark.parametrize(
    "shape", [(2, 2), (3,), 7, (0,), (2, 3, 4), (), (None,), "a", (-1,), (1.5,)]
)
def test_resize(shape: Any):
    """Cut off or filled with zeros."""

    def body(np: Any) -> Any:
        a = np.array([1, 2, 3, 4, 5])
        a.resize(shape, refcheck=False)
        return a

    def view(np: Any) -> Any:
        np.array([1, 2, 3])[1:].resize(5)

    compare(body)
    compare(view)
    compare(lambda np: np.array([1, 2]).resize(2, 2, refcheck=False))
    compare(lambda np: np.array([1, 2]).resize())


def test_sort_and_partition_in_place():
    """They change the array, views of it too, and return nothing."""

    def body(np: Any) -> Any:
        a = np.array([[3, 1, 2], [9, 8, 7]])
        done = [a.sort(), a[:, ::2].sort(axis=0), a.T.sort(), a[0, ::-1].sort()]
        b = np.array([3, 1, 2, 0])
        done.append(b.partition(1))
        done.append(a.put([0, -1], [40, 50]))
        return a, b[:2].sum(), done

    compare(body)
    compare(lambda np: np.array([1, 2]).sort(axis=1))
    compare(lambda np: np.array([1, 2]).partition(5))
    compare(lambda np: np.array(1).sort())


@given(x=arrays())
def test_bytes_and_lists(x: Any):
    """``tobytes``, ``tolist``, ``byteswap`` and ``flatten`` of every dtype and layout."""
    compare(lambda np, a: [a.tobytes(), a.tobytes("F"), a.flatten("F")], x)
    compare(lambda np, a: repr(a.tolist()), x)
    compare(lambda np, a: a.byteswap().byteswap(), x)
    compare(lambda np, a: a.byteswap().tobytes(), x)


def test_byteswap_in_place():
    """The array itself comes back."""

    def body(np: Any) -> Any:
        a = np.array([1, 256], "i2")
        return a.byteswap(inplace=True) is a, a

    compare(body)


def test_fields():
    """Parts of elements as views."""

    def body(np: Any) -> Any:
        a = np.array([1 + 2j, 3 + 4j])
        a.setfield(9.0, float, 8)
        return a, a.getfield("f8", 8)

    compare(body)
    compare(lambda np: np.array([1.0]).getfield("f8", 8))
    compare(lambda np: np.array([1.0]).getfield("f4", -1))


def test_files(tmp_path: Any):
    """``tofile``, ``dump`` and ``dumps``."""
    a = numpy_shim.array([[1.5, 2], [3, 4]])
    a.tofile(tmp_path / "raw")
    assert numpy.fromfile(tmp_path / "raw").tolist() == [1.5, 2, 3, 4]
    a.tofile(str(tmp_path / "text"), sep=",")
    assert (tmp_path / "text").read_text() == "1.5,2.0,3.0,4.0"
    a.dump(tmp_path / "pickle")
    opened = io.BytesIO()
    a.dump(opened)
    for data in ((tmp_path / "pickle").read_bytes(), opened.getvalue(), a.dumps()):
        assert pickle.loads(data).tolist() == a.tolist()


def test_to_device():
    """To another device and back; itself where it is there already."""
    a = numpy_shim.array([1.0])
    assert a.to_device("cpu") is a
    assert a.to_device("meta").device.type == "meta"
    with pytest.raises(ValueError, match="stream"):
        a.to_device("cpu", stream=1)
