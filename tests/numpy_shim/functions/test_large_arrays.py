"""Functions that take other ways for large arrays on the CPU, against NumPy.

The arrays are larger than ``LARGE``, from which on the kernels compute in blocks.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy
import pytest
import torch

import numpy_shim
from xp_torch._kernels.blocks import LARGE

SIZE = 331 * 2 * (LARGE // 331)
"""No multiple of a block."""
INTEGERS = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
DTYPES = ["bool", "uint8", "int16", "int64", "uint64", "float32", "complex128"]
LAYOUTS: dict[str, Callable[[Any], Any]] = {
    "row": lambda a: a,
    "offset": lambda a: a[1:],
    "strided": lambda a: a.reshape(2, -1)[:, ::2],
    "matrix": lambda a: a.reshape(-1, 331),
    "transposed": lambda a: a.reshape(-1, 331).T,
    "backwards": lambda a: a.reshape(331, -1)[::-1, ::-1],
    "cube": lambda a: a.reshape(2, -1, 331),
}


def same(got: Any, expected: Any) -> None:
    """Values, dtype and shape agree."""
    numpy.testing.assert_array_equal(numpy.asarray(got), expected, strict=True)


def filled(dtype: str, share: Any) -> Any:
    """Zeros but for a share of the elements, for the last one or for a NaN."""
    rng = numpy.random.default_rng(0)
    kind = numpy.dtype(dtype).kind
    x = (rng.random(SIZE) < (share if isinstance(share, float) else 0.0)).astype(dtype)
    if kind in "iu":
        x *= numpy.array(numpy.iinfo(dtype).min or numpy.iinfo(dtype).max, dtype)
    if share == "last":
        x[-1] = 1
    if share == "nan" and kind in "fc":
        x[SIZE // 2 :: 1000] = numpy.nan
    return numpy.where(x == 0, -x, x) if kind == "f" else x


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("share", [0.0, 0.5, "last", "nan"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_truth_and_extrema(dtype: str, share: Any, layout: str):
    """``any``, ``all``, ``count_nonzero``, ``argmax``, ``argmin`` and the sum of booleans."""
    x = filled(dtype, share)
    ours, theirs = LAYOUTS[layout](numpy_shim.array(x)), LAYOUTS[layout](x)
    names = ["any", "all", "count_nonzero", "argmax", "argmin"]
    for axis in [None, *range(theirs.ndim)]:
        for keepdims in (False, True):
            for name in [*names, "sum"] if dtype == "bool" else names:
                got = getattr(numpy_shim, name)(ours, axis=axis, keepdims=keepdims)
                same(got, getattr(numpy, name)(theirs, axis=axis, keepdims=keepdims))
    if theirs.ndim == 3:
        for name in ("any", "all", "count_nonzero"):
            same(getattr(numpy_shim, name)(ours, (0, 2)), getattr(numpy, name)(theirs, (0, 2)))


@pytest.mark.parametrize("index", [0, LARGE // 4, LARGE, SIZE - 1])
def test_search_finds_every_index(index: int):
    """The one true element, and the one false element."""
    x = numpy.zeros(SIZE, bool)
    x[index] = True
    a = numpy_shim.array(x)
    assert numpy_shim.any(a)
    assert not numpy_shim.all(~a)
    assert int(numpy_shim.argmax(a)) == int(numpy_shim.argmin(~a)) == index


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", ["bool", *INTEGERS])
def test_bitwise_count(dtype: str, layout: str):
    """Bits of the magnitude, of the smallest number too."""
    x = numpy.random.default_rng(0).integers(-(2**63), 2**63 - 1, SIZE).astype(dtype)
    if dtype.startswith("int"):
        x[:5] = numpy.iinfo(dtype).min
    got = numpy_shim.bitwise_count(LAYOUTS[layout](numpy_shim.array(x)))
    same(got, numpy.bitwise_count(LAYOUTS[layout](x)))


@pytest.mark.parametrize("special", [False, True])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_cbrt(dtype: str, special: bool):
    """Within a unit of the last place, whatever the exponent; zeros keep their sign.

    The C library's cbrt, which is NumPy's on some processors, is off by three units.
    """
    rng = numpy.random.default_rng(0)
    exponents = rng.integers(*((-320, 300) if dtype == "float64" else (-45, 38)), SIZE)
    x = (rng.standard_normal(SIZE) * 10.0 ** exponents.astype(float)).astype(dtype)
    if special:
        x = rng.standard_normal(SIZE).astype(dtype)
        x[:5] = [0.0, -0.0, numpy.inf, -numpy.inf, numpy.nan]
    got = numpy.asarray(numpy_shim.cbrt(numpy_shim.array(x)))
    expected = numpy.cbrt(x.astype("longdouble")).astype(dtype)
    numpy.testing.assert_array_max_ulp(got[5:], expected[5:], 1)
    same(got[:5], expected[:5])
    same(numpy.signbit(got), numpy.signbit(x))


def test_cbrt_has_a_gradient():
    a = numpy_shim.asarray(torch.full((SIZE,), 8.0, dtype=torch.float64, requires_grad=True))
    (gradient,) = torch.autograd.grad(numpy_shim.cbrt(a).tensor.sum(), a.tensor)
    torch.testing.assert_close(gradient, torch.full_like(gradient, 1 / 12))


def test_under_vmap():
    """Where no value can be looked at, the plain functions of torch give the result."""

    def both(t: torch.Tensor) -> tuple[torch.Tensor, ...]:
        a = numpy_shim.asarray(t)
        return tuple(
            [
                numpy_shim.asarray(f(a)).tensor
                for f in (numpy_shim.any, numpy_shim.all, numpy_shim.cbrt)
            ]
        )

    t = torch.rand(2, SIZE, dtype=torch.float64)
    expected = [torch.stack(pair) for pair in zip(both(t[0]), both(t[1]), strict=True)]
    torch.testing.assert_close(torch.vmap(both)(t), tuple(expected))


@pytest.mark.parametrize("name", ["sum", "sort", "argmax", "diff", "sign"])
def test_wide_unsigned_under_vmap(name: str):
    """They are computed from the bits of signed integers."""
    function = getattr(numpy_shim, name)
    t = torch.arange(12).reshape(3, 4).to(torch.uint16)
    got = torch.vmap(lambda x: numpy_shim.asarray(function(numpy_shim.asarray(x))).tensor)(t)
    expected = [getattr(numpy, name)(row) for row in t.numpy()]
    numpy.testing.assert_array_equal(got.numpy(), expected)


@pytest.mark.parametrize("bitorder", ["big", "little"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_packed_bits(layout: str, bitorder: str):
    """Along every axis, with bits missing at the end, and back."""
    for dtype in ("bool", "uint8", "int64", "uint16"):
        x = filled(dtype, 0.5)
        ours, theirs = LAYOUTS[layout](numpy_shim.array(x)), LAYOUTS[layout](x)
        for axis in [None, *range(theirs.ndim)]:
            expected = numpy.packbits(theirs, axis, bitorder)
            same(numpy_shim.packbits(ours, axis, bitorder), expected)
    x = numpy.random.default_rng(0).integers(0, 256, SIZE, dtype="uint8")
    ours, theirs = LAYOUTS[layout](numpy_shim.array(x)), LAYOUTS[layout](x)
    for axis in [None, *range(theirs.ndim)]:
        for count in (None, 9, -9):
            expected = numpy.unpackbits(theirs, axis, count, bitorder)
            same(numpy_shim.unpackbits(ours, axis, count, bitorder), expected)


@pytest.mark.parametrize(
    ("name", "dtype"),
    [
        (name, dtype)
        for name in ("add", "multiply", "maximum", "minimum", "bitwise_or", "subtract")
        for dtype in ("bool", "uint16", "int64", "float32")
        if (name, dtype) != ("subtract", "bool") and not (name == "bitwise_or" and dtype[0] == "f")
    ],
)
def test_reduceat_of_many_slices(name: str, dtype: str):
    """Slices of many lengths, sorted and not, in one row and along each axis."""
    rng = numpy.random.default_rng(0)
    ufunc, reference = getattr(numpy_shim, name), getattr(numpy, name)
    x = rng.choice([-1, 0, 1], (300, 40)).astype(dtype)
    if dtype[0] == "f":
        x[17, 3], x[100:, 5] = numpy.nan, -0.0
    for values in (x.reshape(-1), x, x.T[:, ::-1]):
        for axis in range(values.ndim):
            for count in (1, 100):
                starts = rng.integers(0, values.shape[axis], count)
                for indices in (starts, numpy.sort(starts), numpy.unique(starts)):
                    ours = ufunc.reduceat(numpy_shim.array(values), indices, axis)
                    same(ours, reference.reduceat(values, indices, axis))


@pytest.mark.parametrize("kind", ["random", "few", "equal", "sorted", "nan"])
@pytest.mark.parametrize("dtype", ["bool", "uint16", "int64", "float16", "float64", "complex128"])
@pytest.mark.parametrize("kth", [0, -1, SIZE // 2, [5, SIZE // 3, SIZE // 3 + 1, -2]], ids=str)
def test_partition(kth: Any, dtype: str, kind: str):
    """Each index of ``kth`` has its sorted element, between smaller and larger ones."""
    rng = numpy.random.default_rng(0)
    x = rng.integers(0, 5 if kind == "few" else 2**15, SIZE).astype(dtype)
    if kind == "equal":
        x[:] = 1
    if kind == "sorted":
        x.sort()
    if kind == "nan" and x.dtype.kind in "fc":
        x[::3] = numpy.nan
    a = numpy_shim.array(x)
    expected = numpy.sort(x)
    got = numpy.asarray(numpy_shim.partition(a, kth))
    indices = numpy.asarray(numpy_shim.argpartition(a, kth))
    same(numpy.sort(got), expected)
    same(numpy.sort(indices), numpy.arange(SIZE))
    bounds = sorted({0, SIZE, *[p % SIZE for p in numpy.atleast_1d(kth).tolist()]})
    for row in (got, x[indices]):
        same(row[kth], expected[kth])
        for start, stop in pairwise(bounds):
            same(numpy.sort(row[start:stop]), expected[start:stop])


def test_partition_has_a_gradient():
    t = torch.rand(SIZE, dtype=torch.float64, requires_grad=True)
    parted = numpy_shim.partition(numpy_shim.asarray(t), SIZE // 2).tensor
    (gradient,) = torch.autograd.grad(parted[: SIZE // 2].sum(), t)
    torch.testing.assert_close(gradient, (t < parted[SIZE // 2]).to(torch.float64))


@pytest.mark.parametrize("exponent", [-3, -1, 1, 2, 3, 99, 2.0, 0.5, 1j], ids=str)
def test_complex_power_of_one_number(exponent: Any):
    rng = numpy.random.default_rng(0)
    x = rng.uniform(0.5, 1.5, SIZE) + 1j * rng.uniform(-1, 1, SIZE)
    got = numpy.asarray(numpy_shim.array(x) ** exponent)
    numpy.testing.assert_allclose(got, x**exponent, rtol=1e-13)


def _numbers(dtype: str) -> Any:
    """Small integers of both signs where there are such, by a dtype."""
    numbers = numpy.random.default_rng(1).integers(-100, 100, SIZE)
    return (numpy.abs(numbers) if dtype[0] == "u" else numbers).astype(dtype)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_sums_in_another_dtype(dtype: str, layout: str):
    """Cast block by block; the numbers are small, so that every sum is exact."""
    x = _numbers(dtype)
    ours, theirs = LAYOUTS[layout](numpy_shim.array(x)), LAYOUTS[layout](x)
    for name in ("sum", "mean", "nansum"):
        same(getattr(numpy_shim, name)(ours), getattr(numpy, name)(theirs))
    wide = "complex128" if dtype == "complex128" else "float64"
    for axis in (None, tuple(range(theirs.ndim))):
        got = numpy_shim.sum(ours, axis, wide, keepdims=True)
        same(got, numpy.sum(theirs, axis, wide, keepdims=True))


WRITES: dict[str, Callable[[Any, Any, Any], Any]] = {
    "sort": lambda np, a, m: a.sort(),
    "sort along the first axis": lambda np, a, m: a.sort(axis=0),
    "putmask": lambda np, a, m: np.putmask(a, m, [1, 2, 3]),
    "putmask from below": lambda np, a, m: np.putmask(a[1:], m[1:], a[:-1].copy()),
    "place": lambda np, a, m: np.place(a, m, [1, 2, 3]),
    "copyto": lambda np, a, m: np.copyto(a, a * 2, where=m),
    "copyto one": lambda np, a, m: np.copyto(a, 1, where=m),
    "copyto from below": lambda np, a, m: np.copyto(a[1:], a[:-1], where=m[1:]),
    "add a mask": lambda np, a, m: a.__iadd__(m),
    "add small integers": lambda np, a, m: a.__iadd__(m.astype("int8")),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("write", WRITES)
def test_writes_in_place(write: str, layout: str):
    """The array, and what is around it in its memory."""
    for dtype in DTYPES:
        x = _numbers(dtype)
        a = numpy_shim.array(x)
        mask = LAYOUTS[layout](numpy.arange(SIZE) % 3 == 0)
        errors = []
        for np, whole in ((numpy_shim, a), (numpy, x)):
            try:
                WRITES[write](np, LAYOUTS[layout](whole), np.asarray(mask))
            except TypeError:
                errors.append(np)
        assert len(errors) in (0, 2)
        same(a, x)


OVERLAPPING: dict[str, Callable[[Any], Any]] = {
    "a column": lambda a: a[:, 0],
    "the transpose": lambda a: a.T,
    "a row": lambda a: a[3],
}


@pytest.mark.parametrize("write", ["copyto", "putmask"])
@pytest.mark.parametrize("values", OVERLAPPING.values(), ids=OVERLAPPING)
def test_values_are_those_of_before(values: Callable[[Any], Any], write: str):
    """Views of the array that is written to, whose elements are not dense in memory."""
    x = numpy.arange(331.0**2).reshape(331, 331)
    mask = numpy.arange(331**2).reshape(331, 331) % 3 == 0
    a = numpy_shim.array(x)
    of_mask = numpy_shim.asarray(mask)
    if write == "copyto":
        numpy_shim.copyto(a, values(a), where=of_mask)
        same(a, numpy.where(mask, values(x), x))
    else:
        numpy_shim.putmask(a, of_mask, values(a))
        same(a, numpy.where(mask, numpy.resize(values(x), x.shape), x))


def test_a_sort_in_place_is_a_write():
    """A gradient that needs the values from before is refused."""
    x = numpy_shim.ones(SIZE)
    scaled = torch.ones(SIZE, dtype=torch.float64, requires_grad=True) * x.tensor
    x.sort()
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        scaled.sum().backward()


ROUNDED: dict[str, Callable[[Any, Any], Any]] = {
    "round": lambda np, a: np.round(a, 2),
    "round to hundreds": lambda np, a: np.round(a, -2),
    "round complex": lambda np, a: np.round(a + 1j * a, 1),
    "interp": lambda np, a: np.interp(a, np.linspace(-200, 200, 301), np.arange(301.0)),
    "interp with ends": lambda np, a: np.interp(a, [-9.0, 0, 9], [1.0, 2, 4], left=0, right=7),
    "interp with a NaN": lambda np, a: np.interp(a, [-9.0, 0, np.nan], [1.0, 2, 4]),
    "copy": lambda np, a: a.copy(),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", ROUNDED)
def test_element_by_element(name: str, layout: str):
    x = numpy.random.default_rng(2).standard_normal(SIZE) * 100
    ours, theirs = LAYOUTS[layout](numpy_shim.array(x)), LAYOUTS[layout](x)
    got, expected = ROUNDED[name](numpy_shim, ours), ROUNDED[name](numpy, theirs)
    numpy.testing.assert_allclose(numpy.asarray(got), expected, rtol=1e-14, strict=True)
