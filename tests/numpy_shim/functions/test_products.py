"""Products, ``einsum`` and ``tensordot`` against NumPy."""

from __future__ import annotations

import math
from typing import Any

import numpy
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.utils._python_dispatch import TorchDispatchMode

import numpy_shim
from numpy_shim._base.dtypes import TORCH
from tests.differential import Spec
from tests.numpy_shim.differential import ROUNDING, compare

DTYPES = [d for d in TORCH if d.name != "bfloat16"]
CLOSE = {**ROUNDING, "float16": 5e-3, "float32": 1e-5, "complex64": 1e-5}


def numbers(dtype: Any, shape: tuple[int, ...], seed: int = 0) -> Spec:
    """Small whole numbers, so that sums are exact in every dtype."""
    values = numpy.random.RandomState(seed).randint(0, 4, shape).astype(dtype)
    if numpy.dtype(dtype).kind == "c":
        values = values + values.dtype.type(1j) * (values[::-1] if values.ndim else values)
    return Spec(values)


SHAPES = [
    ((), ()), ((), (3,)), ((3,), ()), ((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 2)),
    ((2, 3), (3, 4)), ((2, 3, 4), (4,)), ((2, 3, 4), (5, 4, 2)), ((0,), (0,)), ((2, 0), (0, 3)),
    ((3,), (4,)), ((2, 3), (2, 3)),
]  # fmt: skip


@pytest.mark.parametrize("name", ["dot", "inner", "vdot", "outer", "kron"])
@pytest.mark.parametrize("shapes", SHAPES, ids=str)
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_product(name: str, shapes: tuple[Any, Any], dtype: Any):
    """Every dtype and combination of dimensions, sizes that do not fit among them."""
    a, b = (numbers(dtype, s, i) for i, s in enumerate(shapes))
    compare(lambda np, x, y: getattr(np, name)(x, y), a, b, rtol=CLOSE)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("number", [True, 2, 2.5, 2j])
def test_outer_with_a_number(dtype: Any, number: Any):
    """A Python number is flattened to an array, which is not weak."""
    a = numbers(dtype, (3,), 0)
    compare(lambda np, x: [np.outer(x, number), np.outer(number, x)], a, rtol=CLOSE)


@given(st.sampled_from(DTYPES), st.sampled_from(DTYPES))
def test_dtypes_promote(s: Any, t: Any):
    a, b = numbers(s, (2, 3)), numbers(t, (3, 2))
    compare(lambda np, x, y: [np.dot(x, y), np.inner(x, y.T)], a, b, rtol=CLOSE)


@pytest.mark.parametrize("shape", [(2, 2), (3, 2), (2,)])
def test_dot_out(shape: tuple[int, ...]):
    """``out`` is filled and returned; another dtype or shape is refused."""

    def body(np: Any, x: Any) -> Any:
        out = np.zeros(shape)
        return np.dot(x, x, out=out) is out, out

    compare(body, numbers("float64", (2, 2)))
    compare(lambda np, x: np.dot(x, x, out=np.zeros((2, 2), "float32")), numbers("f8", (2, 2)))


@pytest.mark.parametrize(
    "axes", [0, 1, 2, ((1, 0), (0, 1)), (0, 1), ([-1], [0]), 3, ((0,), (0, 1)), (5, 0)], ids=str
)
@pytest.mark.parametrize("dtype", ["int64", "float64", "uint16", "bool"])
def test_tensordot(axes: Any, dtype: str):
    a, b = numbers(dtype, (3, 4, 3)), numbers(dtype, (3, 4, 3), 1)
    compare(lambda np, x, y: np.tensordot(x, y, axes=axes), a, b, rtol=CLOSE)


EINSUMS = [
    "ij,jk->ik", "ij,jk", "ij,ij->", "ii", "ii->i", "ij->ji", "ji", "i,j", "...ij,...jk->...ik",
    "ij,kj,kl->il", "iij->j", "ij...->...", "i...,i...", "ij,ik,il->jkl", "ijk,ijk,ijk->",
]  # fmt: skip


@pytest.mark.parametrize("subscripts", EINSUMS)
@pytest.mark.parametrize("dtype", ["float64", "float32", "complex128", "int32", "uint64", "bool",
                                   "float16"])  # fmt: skip
@pytest.mark.parametrize("optimize", [False, True, "greedy", "optimal"])
def test_einsum(subscripts: str, dtype: str, optimize: Any):
    count = subscripts.partition("->")[0].count(",") + 1
    ndim = 3 if "ijk" in subscripts or "iij" in subscripts else 1 if subscripts == "i,j" else 2
    operands = [numbers(dtype, (3,) * ndim, i) for i in range(count)]
    compare(
        lambda np, *xs: np.einsum(subscripts, *xs, optimize=optimize), *operands, rtol=CLOSE,
        kind=False,
    )  # fmt: skip


@pytest.mark.parametrize(
    "subscripts",
    ["ij,jk->im", "ij->ii", "i,j,k", "ij->i1", "i....", "ijk", "", "i->...i...", "ij,jk->...ik"],
)
def test_einsum_refuses(subscripts: str):
    a, b = numbers("float64", (2, 3)), numbers("float64", (3, 2))
    compare(lambda np, x, y: np.einsum(subscripts, x, y), a, b)


def test_einsum_lists_of_labels():
    """Labels as numbers, with and without an output, and an ellipsis."""
    a, b = numbers("float64", (2, 3)), numbers("float64", (3, 4))
    compare(lambda np, x, y: np.einsum(x, [0, 1], y, [1, 2], [2, 0]), a, b)
    compare(lambda np, x, y: np.einsum(x, [0, 1], y, [1, 2]), a, b)
    compare(lambda np, x, y: np.einsum(x, [..., 1], y, [1, 2], [..., 2]), a, b)
    compare(lambda np, x, y: np.einsum("ij,jk", x, y, dtype="complex64"), a, b)
    compare(lambda np, x, y: np.einsum("ij,jk", x, y, dtype="int64"), a, b)
    compare(lambda np, x, y: np.einsum("ij,jk", x, y, dtype="int64", casting="unsafe"), a, b)


def test_einsum_refuses_lists_of_labels():
    refused = ((), ("",), ([1],), ([1], 3), ([1], "i"), ([1], [0], 3), ([1], [0.5]), ([1], [52]))
    for args in refused:
        compare(lambda np, args=args: np.einsum(*args))
    compare(lambda np: np.einsum([1, 2], [0], []))


def test_einsum_out_and_path():
    a, b = numbers("float64", (2, 3)), numbers("float64", (3, 4))
    compare(lambda np, x, y: np.einsum("ij,jk", x, y, out=np.ones((2, 4))), a, b)
    compare(lambda np, x, y: np.einsum_path("ij,jk,kl", x, y, y.T)[0], a, b)
    assert isinstance(numpy_shim.einsum_path("ij,jk", [[1.0]], [[1.0]])[1], str)


@pytest.mark.parametrize("options", [
    {"casting": "other"}, {"casting": "same_value"}, {"order": "x"}, {"order": "c"},
    {"order": "f"}, {"order": 1}, {"order": None}, {"order": b"C"},
], ids=str)  # fmt: skip
def test_einsum_options(options: Any):
    compare(lambda np, x: np.einsum("ij->j", x, **options), numbers("float64", (2, 3)))


VIEWS = [
    "...", "ij", "ji", "ij->ji", "ii->i", "...ii->...i", "ii...->...i", "jii->ij", "iii->i",
    "ijk->jik", "i...i->i...", "ii->ii", "i", "", "ijj", "ij->i",
]  # fmt: skip


@pytest.mark.parametrize("subscripts", VIEWS)
@pytest.mark.parametrize("shape", [(3, 3), (3, 3, 3), (2, 3), (3, 1), (4,), ()], ids=str)
@pytest.mark.parametrize("optimize", [False, True])
def test_einsum_views(subscripts: str, shape: tuple[int, ...], optimize: bool):
    """One operand without a sum gives a view that can be written to."""
    if not subscripts and shape:
        pytest.skip("NumPy's parser of paths fails over it")

    def body(np: Any, x: Any) -> Any:
        result = np.einsum(subscripts, x, optimize=optimize)
        shared = np.shares_memory(result, x)
        if shared:
            result[...] = 7
        return result, shared, result.flags.writeable

    compare(body, numbers("float64", shape))


def test_einsum_view_of_special_arrays():
    a = numpy_shim.arange(6.0).reshape(2, 3)[:, ::-1]
    turned = numpy_shim.einsum("ij->ji", a)
    turned[0] = 7
    assert a.tolist() == [[7.0, 1.0, 0.0], [7.0, 4.0, 3.0]]
    a.flags.writeable = False
    assert not numpy_shim.einsum("ij", a).flags.writeable
    assert numpy_shim.einsum("ij", a, dtype="complex128").dtype == "complex128"  # NumPy drops it


def test_einsum_casts_to_out():
    """``optimize`` lets NumPy cast the result as a ufunc does, and a single one anyhow."""
    a, b = numbers("float64", (7,)), numbers("float64", (7,))
    for optimize in (False, True, "optimal"):
        for subscripts, shape in (("i,i->", ()), ("i,i->i", (7,)), ("i,i,i->i", (7,))):
            for dtype in ("float32", "int64"):
                compare(
                    lambda np, x, y, s=subscripts, n=shape, d=dtype, o=optimize: np.einsum(
                        s, *[x, y, x][: s.count(",") + 1], out=np.zeros(n, d), optimize=o
                    ),
                    a, b, rtol=CLOSE,
                )  # fmt: skip


@pytest.mark.parametrize("dtype", ["bool", "int8", "float32"])
def test_einsum_adds_in_the_dtype_of_out(dtype: str):
    """The output is one of the operands whose common dtype is computed in."""
    for subscripts, shape in (("i->", ()), ("ij,j->i", (2,)), ("ij,jk,kl->il", (2, 2))):
        for out in ("int64", "float64", "complex128"):

            def body(np: Any, s: str = subscripts, shape: Any = shape, out: str = out) -> Any:
                given = [np.full((2,) * len(term), 100).astype(dtype)
                         for term in s.partition("->")[0].split(",")]  # fmt: skip
                return np.einsum(s, *given, out=np.zeros(shape, out))

            compare(body)


@pytest.mark.parametrize("order", ["A", "C", "F"])
def test_einsum_order(order: str):
    """``A`` goes by columns where all operands do."""
    for layouts in ("FF", "FC", "CF", "CC"):

        def body(np: Any, layouts: str = layouts) -> Any:
            a, b = np.ones((2, 3, 5), order=layouts[0]), np.ones((4, 3), order=layouts[1])
            flags = np.einsum("...ft,mf->...mt", a, b, order=order).flags
            return flags.c_contiguous, flags.f_contiguous

        compare(body)


SHAPES = [(3,), (3, 3), (1, 3), (2, 3, 3), (3, 1), (2, 1, 3, 3), (1, 1), (1,)]


@pytest.mark.parametrize("first", SHAPES)
@pytest.mark.parametrize("second", SHAPES)
def test_matmul_in_place(first: tuple[int, ...], second: tuple[int, ...]):
    """The core dimensions of an output are those of the result, and do not broadcast."""

    def body(np: Any) -> Any:
        a, b = np.arange(18.0)[: math.prod(first)].reshape(first), np.ones(second)
        a @= b
        return a

    compare(body)
    compare(lambda np: np.matmul(np.ones(first), np.ones(second), out=np.zeros((3, 3))))


class Sizes(TorchDispatchMode):
    """Inside its ``with`` block, ``largest`` is the size of the largest tensor made."""

    largest = 0

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        result = func(*args, **(kwargs or {}))
        if isinstance(result, torch.Tensor):
            self.largest = max(self.largest, result.numel())
        return result


@pytest.mark.parametrize("dtype", [d for d in DTYPES if d.kind in "biu"], ids=str)
@pytest.mark.parametrize(
    "labels", ["ij,jk->ik", "ij,kj->ki", "lij,ljk->ikl", "jil,jlk", "iij,jk->ik"]
)
def test_einsum_of_integers_is_a_matrix_product(dtype: Any, labels: str):
    """No tensor is larger than the operands or the result."""
    first, second = labels.partition("->")[0].split(",")
    a, b = (numpy_shim.ones([8] * len(t), dtype=dtype) for t in (first, second))
    with Sizes() as sizes:
        result = numpy_shim.einsum(labels, a, b)
    assert 0 < sizes.largest <= max(a.size, b.size, result.size)


@given(st.data())
def test_einsum_of_integers_at_random(data: st.DataObject):
    """Labels that repeat, broadcast, are summed or kept, in every order."""
    dtype = data.draw(st.sampled_from([d for d in DTYPES if d.kind in "biu"]))
    size = {label: data.draw(st.integers(0, 3)) for label in "abcd"}
    terms = data.draw(st.lists(st.text("abcd", max_size=4), min_size=1, max_size=3))
    shapes = [
        tuple(1 if t.count(x) == 1 and data.draw(st.booleans()) else size[x] for x in t)
        for t in terms
    ]
    output = data.draw(st.permutations(sorted(set("".join(terms)))))
    output = output[: data.draw(st.integers(0, len(output)))]
    text = f"{','.join(terms)}->{''.join(output)}"
    operands = [numbers(dtype, shape, i) for i, shape in enumerate(shapes)]
    compare(lambda np, *xs: np.einsum(text, *xs), *operands)
