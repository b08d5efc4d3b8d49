"""Large arrays that are computed block by block, or written into the result, against NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy
import pytest
import torch

import numpy_shim
from xp_torch._kernels.blocks import LARGE

SIZE = 3 * LARGE + 331
SPECIAL = [0.0, -0.0, numpy.inf, -numpy.inf, numpy.nan, 5e-324, 1e-160, 1e200, 88.5, -89.3]
RNG = numpy.random.default_rng(0)
F = RNG.standard_normal(SIZE)
I = RNG.integers(-1000, 1000, SIZE)  # noqa: E741 - as in the statements of the benchmark
B = RNG.random(SIZE) < 0.5
N = numpy.where(RNG.random(SIZE) < 0.1, numpy.nan, F)
LAYOUTS: dict[str, Callable[[Any], Any]] = {
    "row": lambda a: a,
    "strided": lambda a: a[::2],
    "transposed": lambda a: a[: SIZE // 331 * 331].reshape(-1, 331).T,
}


def same(got: Any, expected: Any, rtol: float = 0.0) -> None:
    """Values, dtype and shape agree, and the signs of zeros."""
    got = numpy.asarray(got)
    assert (got.dtype, got.shape) == (expected.dtype, expected.shape)
    numpy.testing.assert_allclose(got, expected, rtol=rtol, atol=0.0)
    if expected.dtype.kind == "f":
        zeros = expected == 0
        assert (numpy.signbit(got) == numpy.signbit(expected))[zeros].all()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("special", [False, True])
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("name", ["arcsinh", "cosh", "exp", "heaviside", "isnan", "sinh", "sqrt"])
def test_real_functions(name: str, dtype: str, special: bool, layout: str):
    """Within some units of the last place, for every kind of number."""
    x = (F * (5 if dtype == "float16" else 20)).astype(dtype)
    if special:
        x[100 : 100 + len(SPECIAL)] = numpy.array(SPECIAL).astype(dtype)
    ours, theirs = LAYOUTS[layout](numpy_shim.array(x)), LAYOUTS[layout](x)
    more = (numpy.dtype(dtype).type(0.25),) if name == "heaviside" else ()
    got = getattr(numpy_shim, name)(ours, *more)
    same(got, getattr(numpy, name)(theirs, *more), 4 * float(numpy.finfo(dtype).eps))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("special", [False, True])
@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("name", ["abs", "angle"])
def test_complex_functions(name: str, dtype: str, special: bool):
    z = (F + 1j * F[::-1]).astype(dtype)
    if special:
        z[: len(SPECIAL) ** 2] = numpy.add.outer(SPECIAL, 1j * numpy.array(SPECIAL)).ravel()
    z[200:300] = 0
    rtol = 4 * float(numpy.finfo(dtype).eps)
    same(getattr(numpy_shim, name)(numpy_shim.array(z)), getattr(numpy, name)(z), rtol)


def test_a_gradient_takes_the_general_way():
    x = torch.linspace(-3, 3, SIZE, dtype=torch.float64, requires_grad=True)
    (slope,) = torch.autograd.grad(numpy_shim.arcsinh(numpy_shim.asarray(x)).tensor.sum(), x)
    torch.testing.assert_close(slope, 1 / torch.sqrt(1 + x.detach() ** 2))


@pytest.mark.parametrize("equal_nan", [False, True])
def test_isclose(equal_nan: bool):
    a, b = F.copy(), F * (1 + 1e-6 * I)
    a[:10], b[:10] = SPECIAL, SPECIAL
    a[10:20], b[10:20] = SPECIAL, SPECIAL[::-1]
    mine = [numpy_shim.array(x) for x in (a, b)]
    same(numpy_shim.isclose(*mine, equal_nan=equal_nan), numpy.isclose(a, b, equal_nan=equal_nan))
    for x, y in (mine, (mine[0], mine[0]), (mine[1], mine[0] + 1)):
        expected = numpy.allclose(numpy.asarray(x), numpy.asarray(y), equal_nan=equal_nan)
        assert numpy_shim.allclose(x, y, equal_nan=equal_nan) is expected


EXACT = {
    "argsort": lambda np, x, y: np.argsort(x, kind="stable"),
    "argsort of rows": lambda np, x, y: np.argsort(x[:-3].reshape(-1, 8), kind="stable"),
    "argsort of columns": lambda np, x, y: np.argsort(x[:-3].reshape(-1, 8), axis=0, kind="stable"),
    "lexsort": lambda np, x, y: np.lexsort((y, x)),
    "unique": lambda np, x, y: np.unique(x),
    "intersect1d": lambda np, x, y: np.intersect1d(x, y),
    "setdiff1d": lambda np, x, y: np.setdiff1d(x, y),
    "mask": lambda np, x, y: x[y > 0],
    "columns": lambda np, x, y: x[:-3].reshape(-1, 8)[:, [2, 0, 1]],
    "delete": lambda np, x, y: np.delete(x, slice(10, 100)),
    "delete nothing": lambda np, x, y: np.delete(x, slice(100, 10)),
    "repeat": lambda np, x, y: np.repeat(x, (y > 0) * 2),
    "choose": lambda np, x, y: np.choose((y > 0) * 1, [x, y]),
    "select": lambda np, x, y: np.select([x > 3, y > 0], [x, y]),
    "pad": lambda np, x, y: np.pad(x[:-3].reshape(-1, 8), ((0, 2), (5, 0))),
    "count": lambda np, x, y: np.count_nonzero(x > 0) + np.zeros(1, int),
}


@pytest.mark.parametrize("dtype", ["int8", "uint16", "int32", "int64", "uint64", "float64"])
@pytest.mark.parametrize("name", EXACT)
def test_exact(name: str, dtype: str):
    """With NumPy's code and without it."""
    x, y = (I + 1000).astype(dtype), RNG.integers(0, 99, SIZE).astype(dtype)
    expected = EXACT[name](numpy, x, y)
    for kernels in (True, False):
        with numpy_shim.set_host_kernels(kernels):
            same(EXACT[name](numpy_shim, numpy_shim.array(x), numpy_shim.array(y)), expected)


@pytest.mark.parametrize("scale", [1, 2**40, 2**52])
@pytest.mark.parametrize("kind", ["int64", "uint64"])
def test_argsort_of_integers_of_any_range(kind: str, scale: int):
    x = (I * scale).astype(kind)
    same(numpy_shim.argsort(numpy_shim.array(x)), numpy.argsort(x, kind="stable"))


WRITES = {
    "floats += ints": lambda np, w, k: w.__iadd__(k),
    "multiply": lambda np, w, k: np.multiply(w, 2, out=w),
    "multiply ints": lambda np, w, k: np.multiply(k, 2, out=k),
    "cumsum": lambda np, w, k: np.cumsum(k, out=k),
    "cumsum elsewhere": lambda np, w, k: np.cumsum(k, out=np.zeros(k.shape, int)),
    "reversed": lambda np, w, k: w.__setitem__(slice(None), k[::-1]),
    "reversed itself": lambda np, w, k: w.__setitem__(slice(None), w[::-1]),
    "shuffle": lambda np, w, k: np.random.default_rng(3).shuffle(w),
    "shuffle of RandomState": lambda np, w, k: np.random.RandomState(3).shuffle(w),
    "shuffle every other": lambda np, w, k: np.random.RandomState(3).shuffle(k[::2]),
}


@pytest.mark.parametrize("name", WRITES)
def test_writes(name: str):
    mine, theirs = (numpy_shim.array(F), numpy_shim.array(I)), (F.copy(), I.copy())
    got, expected = WRITES[name](numpy_shim, *mine), WRITES[name](numpy, *theirs)
    assert (got is None) is (expected is None)
    for a, b in zip(mine, theirs, strict=True):
        same(a, b)
    if expected is not None:
        same(got, expected)


@pytest.mark.parametrize("dtype", ["int32", "uint8", "float32", "float64"])
@pytest.mark.parametrize("k", [0, 10, SIZE // 2, SIZE - 5, -1])
def test_partition_in_place(k: int, dtype: str):
    """The same elements as by the function, whichever side is the larger one."""
    x = (N if dtype == "float64" else F * 50).astype(dtype)
    a = numpy_shim.array(x)
    a.partition(k)
    same(a, numpy.asarray(numpy_shim.partition(numpy_shim.array(x), k)))
    ordered, at = numpy.sort(x), k % SIZE
    same(numpy.asarray(a)[at : at + 1], ordered[at : at + 1])
    same(numpy.sort(numpy.asarray(a)[:at]), ordered[:at])


FOLDS = {
    "sum where": lambda np: np.sum(np.array(F), where=np.array(B)),
    "sum of ints where": lambda np: np.sum(np.array(I), where=np.array(B), initial=3),
    "kept": lambda np: np.sum(np.array(F), where=np.array(B), initial=3.0, keepdims=True),
    "std": lambda np: np.std(np.array(I)),
    "trapezoid": lambda np: np.trapezoid(np.array(F), dx=0.5),
    "einsum": lambda np: np.einsum("i,i->", np.array(I), np.array(I)),
    "bincount": lambda np: np.bincount(np.array(I) + 1000, minlength=5000),
    "histogram": lambda np: np.histogram(np.array(I), 50)[0],
    "nanquantile": lambda np: np.nanquantile(
        np.array(N[: SIZE // 9 * 9]).reshape(9, -1), [0.1, 0.5], axis=1
    ),
}


@pytest.mark.parametrize("name", FOLDS)
def test_folds(name: str):
    same(FOLDS[name](numpy_shim), numpy.asarray(FOLDS[name](numpy)), 1e-12)
