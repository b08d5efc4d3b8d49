"""NumPy's code on large tensors: the same result as torch's and NumPy's, and who is given to it."""

from __future__ import annotations

import re

import numpy
import pytest
import torch

import numpy_shim as np
from numpy_shim._kernels import host_kernels
from numpy_shim._kernels.host_kernels import HOST_KERNELS, HOST_UFUNCS

SIZE = 8000
DTYPES = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8"]
GENERATOR = numpy.random.default_rng(0)
PLACES = GENERATOR.integers(0, SIZE, 3000)
STARTS = numpy.sort(GENERATOR.choice(3000, 200, replace=False))
TIMES = GENERATOR.integers(0, 3, SIZE)


def values(dtype, seed):
    """Numbers with repeats, extremes and zeros of both signs, NaN and infinities."""
    generator = numpy.random.default_rng(seed)
    kind = numpy.dtype(dtype).kind
    if kind == "b":
        return generator.integers(0, 2, SIZE).astype(bool)
    if kind == "f":
        made = (generator.standard_normal(SIZE) * 100).round().astype(dtype)
        made[::50], made[1::50], made[::97] = -0.0, 0.0, numpy.nan
        made[5:7] = numpy.inf, -numpy.inf
        return made
    info = numpy.iinfo(dtype)
    made = generator.integers(max(info.min, -300), min(info.max, 300), SIZE).astype(dtype)
    made[3:6], made[::31] = [info.min, info.max, 1], 0
    return made


def at(ufunc):
    def call(np, x, y):
        changed = x.copy()
        by = y[:3000] | 1 if ufunc == "divide" and y.dtype.kind in "iu" else y[:3000]
        getattr(np, ufunc).at(changed, PLACES, by)
        return changed

    return call


def changed(write):
    """The array after a function has written to a copy."""

    def call(np, x, y):
        copy = x.copy()
        write(np, copy, y)
        return copy

    return call


METHODS = [
    "add", "bitwise_and", "bitwise_or", "bitwise_xor", "copysign", "divide", "floor_divide", "fmax",
    "fmin", "fmod", "gcd", "lcm", "left_shift", "logical_and", "logical_or", "logical_xor",
    "maximum", "minimum", "multiply", "remainder", "right_shift", "subtract",
]  # fmt: skip

CALLS = {
    "delete slice": lambda np, x, y: np.delete(x, slice(10, 7000, 3)),
    "delete": lambda np, x, y: np.delete(x, PLACES),
    "delete mask": lambda np, x, y: np.delete(x, y != 0),
    "delete columns": lambda np, x, y: np.delete(x.reshape(-1, 10), [1, -3], axis=1),
    "delete beyond": lambda np, x, y: np.delete(x, PLACES + 5),
    "insert": lambda np, x, y: np.insert(x, PLACES, y[:3000]),
    "insert rows": lambda np, x, y: np.insert(x.reshape(10, -1), [3, 3, 1], 1, axis=0),
    "by 7": lambda np, x, y: (x // 7, x % 7, x < 7, x >= 7, x == 7, np.not_equal(7, x)),
    "7 by": lambda np, x, y: (np.less(7, x), np.less_equal(7, x), np.greater(7, x)),
    "by 0.5": lambda np, x, y: (x < 0.5, np.greater_equal(0.5, x), x == 0.5, np.fmax(x, 0.5)),
    "by one": lambda np, x, y: (np.logical_xor(x, 1), np.logical_or(0, x), np.equal(x, x[7])),
    "into": lambda np, x, y: np.less(x, y, out=np.zeros(SIZE, bool)),
    "repeat": lambda np, x, y: np.repeat(x, TIMES),
    "compress": lambda np, x, y: np.compress(y != 0, x),
    "extract": lambda np, x, y: np.extract(y != 0, x),
    "byteswap": lambda np, x, y: x.byteswap(),
    "sort in place": changed(lambda np, x, y: x.sort()),
    "sort rows in place": changed(lambda np, x, y: x.reshape(-1, 50).sort()),
    "sort columns in place": changed(lambda np, x, y: x.reshape(-1, 50)[::2].sort(axis=0)),
    "sort backwards in place": changed(lambda np, x, y: x[::-1].sort(kind="stable")),
    "place": changed(lambda np, x, y: np.place(x, y != 0, y[:5])),
    "place in a view": changed(lambda np, x, y: np.place(x[::2], y[1::2] != 0, y[:1])),
    "putmask": changed(lambda np, x, y: np.putmask(x, y != 0, y[:5])),
    "putmask of its own": changed(lambda np, x, y: np.putmask(x[1:], y[1:] != 0, x[:-1])),
    "copyto": changed(lambda np, x, y: np.copyto(x, y, where=y != 0)),
    "copyto of its own": changed(lambda np, x, y: np.copyto(x[1:], x[:-1], where=y[1:] != 0)),
    "packbits": lambda np, x, y: np.packbits(x.reshape(-1, 100), axis=0, bitorder="little"),
    "unpackbits": lambda np, x, y: np.unpackbits(x),
    "bincount": lambda np, x, y: np.bincount(x),
    "histogram": lambda np, x, y: np.histogram(x, [-100, -5, 0, 3, 10, 50, 1000])[0],
    "unique": lambda np, x, y: np.unique(x),
    "unique of NaN": lambda np, x, y: np.unique(x, equal_nan=False),
    **{name: lambda np, x, y, f=name: getattr(np, f)(x) for name in (
        "argmax", "argmin", "flatnonzero", "max", "min", "nanmax", "nanmin", "nonzero", "sort",
        "square",
    )},
    **{name: lambda np, x, y, f=name: getattr(np, f)(x) for name in HOST_UFUNCS
       if getattr(numpy, name).nin == 1},
    **{f"{name} of rows": lambda np, x, y, f=name: getattr(np, f)(x.reshape(-1, 50), axis=1)
       for name in ("argmax", "argmin", "max", "min", "nanmax", "sort")},
    **{f"{name} of columns": lambda np, x, y, f=name: getattr(np, f)(x.reshape(-1, 50), axis=0)
       for name in ("argmax", "argmin", "max", "min", "nanmax", "sort")},
    **{name: lambda np, x, y, f=name: getattr(np, f)(x, y) for name in HOST_UFUNCS
       if getattr(numpy, name).nin == 2},
    **{f"{name}.accumulate": lambda np, x, y, f=name: getattr(np, f).accumulate(x[:3000])
       for name in METHODS},
    **{f"{name}.reduceat": lambda np, x, y, f=name: getattr(np, f).reduceat(x[:3000], STARTS)
       for name in METHODS if name not in ("add", "multiply")},
    **{f"{name}.at": at(name) for name in METHODS},
    **{f"{name}.reduce": lambda np, x, y, f=name: getattr(np, f).reduce(x[:3000].reshape(-1, 60))
       for name in METHODS if name not in ("add", "multiply")},
}  # fmt: skip
"""Calls that give large arrays to NumPy's code."""


def outcome(call, namespace, x, y):
    """The results of a call in order, or the builtin class of its error."""
    with numpy.errstate(all="ignore"):
        try:
            made = call(namespace, x, y)
        except Exception as error:
            return next(c for c in type(error).__mro__ if c.__module__ == "builtins")
    return [numpy.asarray(part) for part in (made if isinstance(made, tuple) else (made,))]


def assert_same(a, b, zeros=True):
    """The same bits, but for those of NaN; the signs of zeros if ``zeros``."""
    if isinstance(a, type) or isinstance(b, type):
        assert a is b
        return
    assert [(p.dtype, p.shape) for p in a] == [(p.dtype, p.shape) for p in b]
    for p, q in zip(a, b, strict=True):
        numpy.testing.assert_array_equal(p, q)
        if zeros and p.dtype.kind == "f":
            known = ~numpy.isnan(p)
            assert (numpy.signbit(p) == numpy.signbit(q))[known].all()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CALLS)
def test_results_are_torchs(name):
    """With the switch and without it, bit by bit, and NumPy's."""
    for dtype in DTYPES:
        x, y = values(dtype, 1), values(dtype, 2)
        a, b = np.array(x), np.array(y)
        fast = outcome(CALLS[name], np, a, b)
        with np.set_host_kernels(False):
            assert_same(fast, outcome(CALLS[name], np, a, b))
        assert_same(fast, outcome(CALLS[name], numpy, x, y), zeros=not EITHER_ZERO.match(name))


EITHER_ZERO = re.compile("sort|unique|fmax|fmin|maximum|minimum")
"""Calls whose result may be either of two zeros, for NumPy too: its order depends on the CPU."""


@pytest.mark.parametrize("dtype", [*DTYPES, "f2", "c8", "c16"])
def test_argsort_keeps_the_order_of_equals(dtype):
    x = (numpy.random.default_rng(3).standard_normal(SIZE) * 9).round(1).astype(dtype)
    expected = numpy.argsort(x, kind="stable")
    numpy.testing.assert_array_equal(np.asarray(np.argsort(np.array(x))), expected)
    distinct = numpy.random.default_rng(4).permutation(SIZE).astype("f8")
    numpy.testing.assert_array_equal(np.asarray(np.argsort(np.array(distinct))),
                                     numpy.argsort(distinct))  # fmt: skip


def taken(call):
    """Whether NumPy's code was given a tensor."""
    seen = []
    before = host_kernels._as_tensors

    def told(found):
        seen.append(found is not NotImplemented)
        return before(found)

    host_kernels._as_tensors = told
    try:
        call()
    finally:
        host_kernels._as_tensors = before
    return any(seen)


def test_what_numpy_is_given():
    """Large tensors on the CPU, and none with a gradient, in a trace or under a transform."""
    x = np.array(values("i8", 1))
    assert taken(lambda: np.sort(x))
    assert not taken(lambda: np.sort(x[:100]))
    with np.set_host_kernels(False):
        assert not taken(lambda: np.sort(x))
    assert taken(lambda: np.sort(x))
    followed = (
        np.array(values("f8", 2), requires_grad=True)
        if False
        else np.asarray(torch.arange(8000.0, requires_grad=True))
    )
    assert not taken(lambda: np.sort(followed))
    assert not taken(lambda: np.vmap(np.sort)(x.reshape(2, -1)))
    compiled = torch.compile(np.sort, backend="eager", fullgraph=True)
    assert not taken(lambda: compiled(x))
    assert not taken(lambda: torch.fx.experimental.proxy_tensor.make_fx(
        lambda t: np.sort(np.asarray(t))._tensor)(x._tensor))  # fmt: skip


@pytest.mark.filterwarnings("ignore")  # torch.jit.trace is deprecated
def test_torchs_older_trace_has_the_operator():
    x = torch.arange(8000.0).flip(0)
    traced = torch.jit.trace(lambda t: np.sort(np.asarray(t)).tensor, x)
    assert torch.equal(traced(-x), torch.sort(-x).values)


def test_autograd_hears_of_a_write():
    x = np.array(values("f8", 1))
    weights = torch.ones(SIZE, dtype=torch.float64, requires_grad=True)
    product = weights * x._tensor
    assert taken(lambda: np.divide.at(x, PLACES, 2.0 * np.ones(3000)))
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        product.sum().backward()


def test_the_switch_takes_booleans():
    with pytest.raises(TypeError, match="set_host_kernels: value must be a bool, not 'no'"):
        np.set_host_kernels("no")


def test_the_table_is_in_order():
    assert [*HOST_KERNELS] == sorted(HOST_KERNELS)
    assert set(HOST_UFUNCS) <= set(HOST_KERNELS)
