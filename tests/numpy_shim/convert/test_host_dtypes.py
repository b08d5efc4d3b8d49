"""What torch has no storage for is NumPy's: strings, objects, dates, records, long double."""

from __future__ import annotations

import datetime
import decimal
import inspect
import io
import warnings
from collections.abc import Callable
from typing import Any

import numpy
import pytest

import numpy_shim
from numpy_shim._base.dtypes import TORCH
from numpy_shim._host import numpy_calls
from tests.differential import KINDS_OF_ERROR

LONG_IS_DOUBLE = numpy.dtype("longdouble") in TORCH  # as on Windows, and on Apple's processors

WORDS = ["b", "a", "b"]
MADE: dict[str, Callable[[Any], Any]] = {
    "words": lambda np: np.array(WORDS),
    "bytes": lambda np: np.array([b"b", b"a", b"b"]),
    "objects": lambda np: np.array([2, None, 3]),
    "decimals": lambda np: np.array([decimal.Decimal(2), decimal.Decimal(1), decimal.Decimal(2)]),
    "dates": lambda np: np.array(["2020-01-03", "2020-01-01", "2020-01-03"], dtype="M8[D]"),
    "times": lambda np: np.array([3, 1, 3], dtype="m8[s]"),
    "records": lambda np: np.array(
        [(3, 1.0), (1, 2.0), (3, 1.0)], dtype=[("k", "i8"), ("v", "f8")]
    ),
}
if not LONG_IS_DOUBLE:
    MADE["long"] = lambda np: np.array([3, 1, 3], dtype="longdouble")


def outcome(body: Callable[..., Any], *args: Any) -> Any:
    with warnings.catch_warnings(), numpy.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return body(*args)
        except Exception as error:
            return error


def same(ours: Any, theirs: Any, where: str = "result") -> None:
    """NumPy's outcome: arrays of what torch cannot store NumPy's own, arrays of numbers ours."""
    if isinstance(theirs, Exception):
        caught = [k for k in KINDS_OF_ERROR if isinstance(ours, k) and isinstance(theirs, k)]
        assert caught, f"{where}: {ours!r} for {theirs!r}"
    elif isinstance(theirs, (tuple, list)):
        assert len(ours) == len(theirs), where
        for i, (o, t) in enumerate(zip(ours, theirs, strict=True)):
            same(o, t, f"{where}[{i}]")
    elif type(theirs) is numpy.ndarray:
        kind = numpy_shim.ndarray if theirs.dtype in TORCH else numpy.ndarray
        assert type(ours) is kind, f"{where}: {ours!r} for {theirs!r}"
        assert (ours.dtype, tuple(ours.shape)) == (theirs.dtype, theirs.shape), where
        numpy.testing.assert_array_equal(numpy.array(ours), theirs, err_msg=where)
    else:
        assert type(ours) is type(theirs), f"{where}: {ours!r} for {theirs!r}"
        assert ours == theirs or ours != ours, f"{where}: {ours!r} for {theirs!r}"


BODIES: dict[str, Callable[[Any, Any], Any]] = {
    "asarray": lambda np, x: np.asarray(x),
    "array": lambda np, x: np.array(x),
    "list of them": lambda np, x: np.array([x, x]),
    "zeros": lambda np, x: np.zeros(3, x.dtype),
    "zeros 2-D": lambda np, x: np.zeros((2, 3), dtype=x.dtype),
    "ones_like": lambda np, x: np.ones_like(x),
    "zeros_like": lambda np, x: np.zeros_like(x),
    "full_like": lambda np, x: np.full_like(x, x[0]),
    "full": lambda np, x: np.full(2, x[0], x.dtype),
    "empty": lambda np, x: np.empty((2, 0), x.dtype),
    "shape": lambda np, x: (np.shape(x), np.ndim(x), np.size(x)),
    "reshape": lambda np, x: np.reshape(x, (3, 1)),
    "ravel": lambda np, x: np.ravel(x),
    "transpose": lambda np, x: np.transpose(x),
    "expand_dims": lambda np, x: np.expand_dims(x, 0),
    "squeeze": lambda np, x: np.squeeze(x[:1]),
    "atleast": lambda np, x: (np.atleast_1d(x), np.atleast_2d(x), np.atleast_3d(x)),
    "moveaxis": lambda np, x: np.moveaxis(x[None], 0, 1),
    "swapaxes": lambda np, x: np.swapaxes(x[None], 0, 1),
    "broadcast_to": lambda np, x: np.broadcast_to(x, (2, 3)),
    "broadcast_arrays": lambda np, x: np.broadcast_arrays(x, np.arange(2)[:, None]),
    "broadcast": lambda np, x: np.broadcast(x, np.zeros((2, 1))).shape,
    "concatenate": lambda np, x: np.concatenate([x, x]),
    "stack": lambda np, x: np.stack([x, x], axis=1),
    "stacks": lambda np, x: (np.vstack([x, x]), np.hstack([x, x]), np.dstack([x, x])),
    "column_stack": lambda np, x: np.column_stack([x, x]),
    "append": lambda np, x: np.append(x, x),
    "block": lambda np, x: np.block([[x], [x]]),
    "r_": lambda np, x: (np.r_[x, x], np.c_[x, x]),
    "split": lambda np, x: np.split(x, 3),
    "tile": lambda np, x: np.tile(x, 2),
    "repeat": lambda np, x: np.repeat(x, np.array([1, 0, 2])),
    "roll": lambda np, x: np.roll(x, 1),
    "flip": lambda np, x: np.flip(x),
    "rot90": lambda np, x: np.rot90(x[None]),
    "insert": lambda np, x: np.insert(x, 1, x[0]),
    "delete": lambda np, x: np.delete(x, 1),
    "resize": lambda np, x: np.resize(x, 5),
    "pad": lambda np, x: np.pad(x, 1, mode="edge"),
    "take": lambda np, x: np.take(x, np.array([2, 0])),
    "compress": lambda np, x: np.compress(np.array([True, False, True]), x),
    "where": lambda np, x: np.where(np.array([True, False, True]), x, x[0]),
    "select": lambda np, x: np.select([np.array([True, False, True])], [x], x[1]),
    "choose": lambda np, x: np.choose(np.array([0, 1, 0]), [x, x[::-1]]),
    "mask": lambda np, x: x[np.array([True, False, True])],
    "index": lambda np, x: x[np.array([2, 0])],
    "mask of it": lambda np, x: np.arange(3)[x == x[0]],
    "equal": lambda np, x: np.equal(x, x),
    "array_equal": lambda np, x: (np.array_equal(x, x), np.array_equal(x, x[:2])),
    "array_equiv": lambda np, x: np.array_equiv(x, x),
    "sort": lambda np, x: np.sort(x),
    "argsort": lambda np, x: np.argsort(x, kind="stable"),
    "argmax": lambda np, x: (np.argmax(x), np.argmin(x)),
    "max": lambda np, x: (np.max(x), np.amin(x)),
    "maximum": lambda np, x: np.maximum(x, x[::-1]),
    "clip": lambda np, x: np.clip(x, x[1], x[1]),
    "unique": lambda np, x: np.unique(x, return_inverse=True, return_counts=True),
    "isin": lambda np, x: np.isin(x, x[1:2]),
    "sets": lambda np, x: (np.union1d(x, x), np.intersect1d(x, x[:1]), np.setdiff1d(x, x[:1])),
    "searchsorted": lambda np, x: np.searchsorted(np.sort(x), x),
    "lexsort": lambda np, x: np.lexsort((x,)),
    "nonzero": lambda np, x: (np.nonzero(x), np.count_nonzero(x), np.flatnonzero(x)),
    "all": lambda np, x: (np.all(x), np.any(x)),
    "sum": lambda np, x: np.sum(x),
    "sum with axis": lambda np, x: np.sum(x[None], axis=0, keepdims=True),
    "prod": lambda np, x: np.prod(x),
    "mean": lambda np, x: np.mean(x),
    "median": lambda np, x: np.median(x),
    "std": lambda np, x: np.std(x),
    "cumsum": lambda np, x: np.cumsum(x),
    "diff": lambda np, x: np.diff(x),
    "add": lambda np, x: np.add(x, x),
    "add numbers": lambda np, x: x + np.arange(3),
    "numbers add": lambda np, x: np.arange(3) + x,
    "numbers compare": lambda np, x: (np.arange(3) == x, np.arange(3) != x),
    "subtract.outer": lambda np, x: np.subtract.outer(x, x),
    "add.reduce": lambda np, x: np.add.reduce(x),
    "add.accumulate": lambda np, x: np.add.accumulate(x),
    "maximum.reduceat": lambda np, x: np.maximum.reduceat(x, np.array([0, 1])),
    "negative": lambda np, x: np.negative(x),
    "absolute": lambda np, x: np.absolute(x),
    "divmod": lambda np, x: np.divmod(x, x),
    "sqrt": lambda np, x: np.sqrt(x),
    "isnan": lambda np, x: np.isnan(x),
    "isfinite": lambda np, x: np.isfinite(x),
    "isnat": lambda np, x: np.isnat(x),
    "dot": lambda np, x: np.dot(x, x),
    "matmul": lambda np, x: (np.matmul(x, x), np.arange(3) @ x),
    "outer": lambda np, x: np.outer(x, x),
    "astype": lambda np, x: np.arange(3).astype(x.dtype),
    "astype of it": lambda np, x: np.astype(x, x.dtype),
    "array with dtype": lambda np, x: np.array([1, 0, 1], dtype=x.dtype),
    "dtype of a sum": lambda np, x: np.sum(np.arange(3), dtype=x.dtype),
    "to floats": lambda np, x: np.asarray(x, dtype=float),
    "set": lambda np, x: _set(np.zeros(3), x),
    "set element": lambda np, x: _set(np.zeros(3), x[0], 1),
    "copyto": lambda np, x: _copied(np, np.zeros(3), x),
    "out": lambda np, x: np.add(x, x, out=np.zeros(3), casting="unsafe"),
    "out of a sum": lambda np, x: np.sum(x[None], 0, None, np.zeros(3)),
    "in place": lambda np, x: _in_place(np.ones(3), x),
    "in place on it": lambda np, x: _in_place(x.copy(), np.arange(3)),
    "nditer": lambda np, x: [y[()] for y in np.nditer(x, ["refs_ok"])],
    "ndenumerate": lambda np, x: list(np.ndenumerate(x)),
    "vectorize": lambda np, x: np.vectorize(str)(x),
    "apply_along_axis": lambda np, x: np.apply_along_axis(lambda r: r[::-1], 0, x),
    "meshgrid": lambda np, x: np.meshgrid(x, np.arange(2)),
    "array2string": lambda np, x: (np.array2string(x), np.array_repr(x), np.array_str(x)),
    "result_type": lambda np, x: (np.result_type(x), np.can_cast(x.dtype, object)),
    "ix_": lambda np, x: np.ix_(x),
    "histogram": lambda np, x: np.histogram(x, bins=2),
    "shares": lambda np, x: (np.shares_memory(x, x[1:]), np.may_share_memory(x, x.copy())),
    "save": lambda np, x: _saved(np, x),
}  # fmt: skip


def _set(a: Any, value: Any, key: Any = ...) -> Any:
    a[key] = value
    return a


def _copied(np: Any, a: Any, x: Any) -> Any:
    np.copyto(a, x, casting="unsafe")
    return a


def _in_place(a: Any, x: Any) -> Any:
    b = a
    b += x
    assert b is a
    return b


def _saved(np: Any, x: Any) -> Any:
    file = io.BytesIO()
    np.save(file, x)
    file.seek(0)
    return np.load(file, allow_pickle=True)


@pytest.mark.parametrize("name", BODIES)
@pytest.mark.parametrize("made", MADE)
def test_as_numpy(made: str, name: str):
    """A function gives what NumPy's gives, and raises where that does."""
    body = BODIES[name]
    x = MADE[made](numpy_shim)
    assert type(x) is numpy.ndarray
    same(outcome(body, numpy_shim, x), outcome(body, numpy, MADE[made](numpy)))


@pytest.mark.parametrize(
    "data",
    [
        "text", b"bytes", None, object, ["a", 1], [["a"], ["b"]], [1, None], ["2020"],
        datetime.date(2020, 1, 1), [datetime.timedelta(1)], decimal.Decimal(1), {}, {1: 2},
        [2**70], 2**70, [numpy.datetime64("2020")], numpy.str_("a"), [numpy.longdouble(1), 2.0],
        [1.0, 2**70], [1j, 2**70], [[1.0], [-(2**63) - 1]], [True, 1.0, 2**64], [0.5, 2**64 - 1],
        [numpy.float64(1), 2**70],
    ],
    ids=repr,
)  # fmt: skip
def test_data_that_only_such_a_dtype_holds(data: Any):
    """What NumPy makes of it, for ``array`` and ``asarray``."""
    for make in ("array", "asarray", "asanyarray"):
        same(getattr(numpy_shim, make)(data), getattr(numpy, make)(data))


def test_an_int_beyond_64_bits_beside_an_array():
    """It is an object in NumPy, whatever it is joined to or added to."""
    for body in (
        lambda np: np.concatenate((np.array([1.0]), [2**70])),
        lambda np: np.add(np.array([1.0]), [2**70]),
        lambda np: np.add(np.array([1.0]), [1.5, 2**70]),
    ):
        same(body(numpy_shim), body(numpy))


@pytest.mark.parametrize(("x", "y"), [(None, None), (None, 1), ("a", None), ([1.0, 2.0], None)])
def test_none_as_a_choice(x: Any, y: Any):
    """``None`` is an object that ``where`` chooses, not an argument left out."""
    mask = [True, False]
    expected = numpy.where(mask, x, y)
    same(numpy_shim.where(mask, x, y), expected)
    same(
        numpy_shim.where(numpy_shim.array(mask), numpy_shim.array(x) if y is None else x, y),
        expected,
    )


@pytest.mark.parametrize(
    "dtype", ["U3", "S2", object, "M8[D]", "m8[us]", ">i4", [("x", "f8"), ("y", "i4", 2)], "V4"]
)
@pytest.mark.parametrize("make", ["zeros", "ones", "empty", "ndarray"])
def test_made_in_a_dtype(make: str, dtype: Any):
    """Of shape and dtype as asked; the error NumPy's where it has one."""
    made = outcome(lambda: getattr(numpy_shim, make)((2, 3), dtype=dtype))
    theirs = outcome(lambda: getattr(numpy, make)((2, 3), dtype=dtype))
    if isinstance(theirs, Exception):
        same(made, theirs)
    else:
        assert type(made) is numpy.ndarray
        assert (made.dtype, made.shape) == (theirs.dtype, theirs.shape)


@pytest.mark.parametrize(
    "index", ["np.matrix([[0, 2]])", "np.ma.array([2, 0], mask=[0, 1])", "np.array(['a'])",
              "np.array([None])", "np.array([1, 0], '>i8')"],
)  # fmt: skip
def test_indices(index: str):
    """A subclass is read as the array that it is; other dtypes are refused."""

    def body(np: Any) -> Any:
        a = np.arange(3)
        found = a[eval(index)]
        a[eval(index)] = 7
        return found, a.flat[eval(index)] if "matrix" not in index else None, a

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ours, theirs = (outcome(lambda np=np: body(np)) for np in (numpy_shim, numpy))
        same(ours, theirs)


def test_strings_of_any_length():
    """StringDType, which has no byte order."""
    words = numpy_shim.array(["b", "a"], dtype=numpy.dtypes.StringDType())
    assert numpy_shim.sort(words).tolist() == ["a", "b"]
    assert numpy_shim.argmax(words) == 0
    assert (words + words).tolist() == ["bb", "aa"]


def test_arrays_as_objects():
    """An element that is an array of ours stays that array."""
    a, b = numpy_shim.zeros(2), numpy_shim.ones(3)
    held = numpy_shim.array([a, b, None], dtype=object)
    assert held[0] is a
    assert held[1] is b
    nested = numpy_shim.array([a, a], dtype=object)
    assert nested.tolist() == [[0.0, 0.0], [0.0, 0.0]]


def test_a_dtype_that_cannot_be_set():
    """The array cannot become NumPy's in place; ``view`` gives another."""
    a = numpy_shim.zeros(2)
    with pytest.raises(TypeError, match="view"):
        a.dtype = [("x", "f4"), ("y", "f4")]
    assert a.view([("x", "f4"), ("y", "f4")])["y"].tolist() == [0.0, 0.0]


def test_arange_and_linspace():
    """In the dtypes that NumPy has for them."""
    for body in (
        lambda np: np.arange("2020-01", "2020-03", dtype="M8[D]"),
        lambda np: np.arange(3, dtype="m8[s]"),
        lambda np: np.arange(np.datetime64("2020-01-01"), np.datetime64("2020-01-04")),
        lambda np: np.arange(1, 7, 2, dtype="longdouble"),
        lambda np: np.arange(3, dtype=object),
        lambda np: np.linspace(0, 1, 3, dtype="longdouble"),
        lambda np: np.linspace(np.longdouble(0), 1, 3, retstep=True),
    ):
        same(outcome(body, numpy_shim), outcome(body, numpy))


def test_functions_of_submodules():
    """NumPy's function is the one of the same submodule."""
    for body in (
        lambda np: np.fft.fft(np.ones(3, "longdouble")),
        lambda np: np.fft.fftshift(np.arange(3, dtype="longdouble")),
        lambda np: np.linalg.norm(np.ones(3, "longdouble")),
        lambda np: np.linalg.matrix_power(np.array([[1, 2], [3, 4]], object), 2),
        lambda np: np.lib.stride_tricks.sliding_window_view(np.array(["a", "b", "c"]), 2),
    ):
        same(outcome(body, numpy_shim), outcome(body, numpy))


def test_readers():
    """``fromiter``, ``frombuffer``, and files of text."""
    for body in (
        lambda np: np.fromiter(iter(["a", "b"]), "U1"),
        lambda np: np.frombuffer(b"abcd", "S2"),
        lambda np: np.frombuffer(b"abcdabcd", ">f4"),
        lambda np: np.loadtxt(io.StringIO("a b\nc d"), dtype=str),
        lambda np: np.loadtxt(io.StringIO("1 2\n3 4"), dtype=[("a", "i4"), ("b", "f8")]),
        lambda np: np.genfromtxt(io.StringIO("a,1\nb,2"), delimiter=",", dtype=None),
        lambda np: np.fromregex(io.StringIO("1 a"), r"(\d) (\w)", [("n", "i8"), ("t", "U1")]),
    ):
        same(body(numpy_shim), body(numpy))


def test_other_byte_order():
    """Kept where an array is asked for; where its values count they are torch's, in this order."""
    x = numpy.array([3.0, 1.0], dtype=">f8")
    assert numpy_shim.asarray(x) is x
    assert numpy_shim.array([1, 2], dtype=">i4").dtype == numpy.dtype(">i4")
    total = numpy_shim.add(x, 1)
    assert type(total) is numpy_shim.ndarray
    assert total.tolist() == [4.0, 2.0]
    assert numpy_shim.arange(3)[numpy.array([2, 0], dtype=">i8")].tolist() == [2, 0]
    with numpy_shim.set_host_dtypes("error"):
        assert type(numpy_shim.asarray(x)) is numpy_shim.ndarray


def test_masked_arrays_keep_their_mask():
    """``np.ma`` is NumPy's, and functions give what NumPy's give."""
    x = numpy_shim.ma.array([1.0, 5.0, 3.0], mask=[False, True, False])
    assert numpy_shim.sum(x) == 4.0
    assert numpy_shim.max(x) == 3.0
    for total in (x + numpy_shim.arange(3), numpy_shim.arange(3) + x):
        assert type(total) is numpy.ma.MaskedArray
        assert total.tolist() == [1.0, None, 5.0]


def test_named_results_keep_their_names():
    """A result with fields has those of NumPy's."""
    found = numpy_shim.unique_counts(numpy.array(WORDS))
    assert type(found.values) is numpy.ndarray
    assert found.counts.tolist() == [1, 2]
    assert type(found.counts) is numpy_shim.ndarray


def test_numpys_functions_on_both():
    """Called as NumPy's, with an array of ours beside one of its own (NEP 13 and NEP 18)."""
    dates = numpy.array(["2020-01-01", "2020-01-02"], dtype="M8[D]")
    days = numpy_shim.arange(2)
    same(dates + days, dates + numpy.arange(2))
    same(numpy.concatenate([days, numpy.array(["a"])]), numpy.array(["0", "1", "a"], dtype="U21"))
    dates += days
    assert dates.tolist() == [datetime.date(2020, 1, 1), datetime.date(2020, 1, 3)]


def test_names():
    """NumPy's modules and functions about such dtypes; what functions count comes back as ours."""
    assert numpy_shim.char is numpy.char
    assert numpy_shim.strings is numpy.strings
    assert numpy_shim.rec is numpy.rec
    assert numpy_shim.ma is numpy.ma
    assert numpy_shim.memmap is numpy.memmap
    counted = numpy_shim.busday_count(["2020-01-01"], ["2020-02-01"])
    assert type(counted) is numpy_shim.ndarray
    assert counted.tolist() == [23]
    assert numpy_shim.is_busday("2020-01-01")
    assert numpy_shim.datetime_data("M8[25s]") == ("s", 25)
    assert numpy_shim.datetime_as_string(numpy.datetime64("2020"), "D") == "2020-01-01"
    assert numpy_shim.busday_offset(["2020-01-01"], numpy_shim.array([1])).dtype == "M8[D]"
    assert inspect.signature(numpy_shim.busday_count) == inspect.signature(numpy.busday_count)


def test_nothing_numeric_is_handed_over(monkeypatch: pytest.MonkeyPatch):
    """Arrays of numbers, and errors about them, never come to where NumPy computes."""

    def computed(*args: Any) -> Any:
        raise AssertionError("numbers were given to NumPy")

    monkeypatch.setattr(numpy_calls, "_call", computed)
    numbers = {
        name: lambda np, body=body: body(np, np.array([3, 1, 3]))
        for name, body in BODIES.items()
        if name not in MAKES_TEXT
    }
    for name, body in numbers.items():
        result = outcome(body, numpy_shim)
        assert not isinstance(result, AssertionError), f"{name}: {result}"
    for wrong in (
        lambda np: np.sum(np.arange(3), axis=5),
        lambda np: np.concatenate([np.zeros((1, 2)), np.zeros((2, 1))]),
        lambda np: np.reshape(np.arange(3), (2, 2)),
        lambda np: np.array([[1], [1, 2]]),
        lambda np: np.add(np.arange(3), np.arange(2)),
        lambda np: np.arange(3)[5],
        lambda np: np.sort(np.arange(3), order="x"),
    ):
        assert isinstance(outcome(wrong, numpy_shim), (ValueError, IndexError))


MAKES_TEXT = frozenset({"vectorize"})
"""What gives text, whatever it is given."""


@pytest.mark.parametrize("name", ["sort", "sum", "mean", "concatenate", "array", "zeros", "unique"])
def test_signatures_are_those_of_the_functions(name: str):
    """What hands calls over hides no signature, docstring or name."""
    function = getattr(numpy_shim, name)
    assert "args" not in inspect.signature(function).parameters
    assert function.__name__ == name
    assert function.__doc__


def test_numpys_ufuncs_of_strings_take_numbers_of_ours():
    """Those that numpy_shim has no counterpart of, as the one behind ``np.strings.slice``."""
    words = numpy.array(["pear", "fig"])
    if hasattr(numpy.strings, "slice"):  # since NumPy 2.3
        cut = numpy_shim.strings.slice(words, numpy_shim.array([1, 2]))
        assert cut.tolist() == ["p", "fi"]
    found = numpy_shim.strings.find(words, "g", numpy_shim.array([0, 0]))
    assert found.tolist() == [-1, 2]
