"""Products and views of linear algebra beside array-api-strict."""

from __future__ import annotations

from typing import Any

import array_api_strict
import numpy as np
import pytest
import torch
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import xp_torch
from tests.differential import Spec, compare, outcome
from tests.matrices import STACK_PAIRS, STACKS, compare_products, exact, exact_pairs, matrices
from tests.strategies import arrays, shapes
from xp_torch._core.dtypes import ALL, BOUNDS, INTEGER, NUMERIC, REAL_FLOATING, name_of
from xp_torch._kernels import linalg as kernels

ALIASES = ("matmul", "matrix_transpose", "tensordot", "vecdot")


@st.composite
def factors(draw: Any, fitting: bool = False) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Two shapes for a matrix product; one time in eight ones that may not fit."""
    if not fitting and draw(st.integers(0, 7)) == 0:
        return draw(shapes()), draw(shapes())
    m, k, n = (draw(st.integers(0, 4)) for _ in range(3))
    kind = draw(st.integers(0, 5))
    if kind == 0:
        return (k,), (k,)
    stacks = draw(STACK_PAIRS)
    first, second = stacks.input_shapes
    if kind == 1:
        return (k,), (*second, k, n)
    if kind == 2:
        return (*first, m, k), (k,)
    return (*first, m, k), (*second, k, n)


@given(exact_pairs(ALL, factors()))
def test_matmul(pair):
    """Every dtype and shape: integers wrap around, what does not fit is refused alike."""
    compare_products(lambda xp, a, b: xp.matmul(a, b), *pair)


@given(exact_pairs(ALL, factors()))
def test_matmul_operator(pair):
    compare_products(lambda xp, a, b: a @ b, *pair)


@given(exact_pairs(ALL, factors()))
def test_matmul_in_place(pair):
    """The result must have the left operand's shape and dtype: array-api-strict broadcasts it."""

    def body(xp, a, b):
        a = xp.asarray(a, copy=True)
        a @= b
        return a

    product = outcome(lambda xp, a, b: a @ b, xp_torch, pair)
    if not isinstance(product, Exception) and product.shape != pair[0].values.shape:
        assert isinstance(outcome(body, xp_torch, pair), (TypeError, ValueError))
    else:
        compare_products(body, *pair)


@given(arrays(REAL_FLOATING, (3, 3)), arrays(REAL_FLOATING, (3, 3)))
def test_matmul_special_values(a, b):
    """NaN and infinities spread as the definition says, even where they meet zeros.

    Where products of finite numbers overflow, it depends on the order and on fused additions
    whether two infinities meet.
    """
    with np.errstate(all="ignore"):
        largest = [np.abs(s.numpy()[np.isfinite(s.numpy())]).max(initial=0) for s in (a, b)]
        assume(np.isfinite(4 * largest[0] * largest[1]))
    ours = outcome(lambda xp, a, b: xp.matmul(a, b), xp_torch, (a, b))
    with np.errstate(all="ignore"):
        x, y = a.numpy(), b.numpy()
        products = x[:, :, None] * y[None, :, :]
        expected = products.astype(np.float64).sum(1)
    got = ours._tensor.to(torch.float64).numpy()
    assert np.isnan(got)[np.isnan(expected)].all()
    assert np.isnan(expected)[np.isnan(got)].all()


@given(st.sampled_from(list(BOUNDS)), factors(fitting=True), st.data())
def test_matmul_by_limbs(dtype, sizes, data):
    """What CUDA runs in place of an integer product gives the same bits."""
    kind = np.dtype(name_of(dtype))
    a = data.draw(exact(kind, sizes[0])).tensor()
    b = data.draw(exact(kind, sizes[1])).tensor()
    got = kernels._matmul_by_limbs(a, b)
    assert got.dtype is dtype
    assert torch.equal(got, kernels.matmul(a, b))


def test_matmul_by_limbs_in_chunks(monkeypatch):
    """Longer sums than are exact in float64 are cut."""
    monkeypatch.setattr(kernels, "_TERMS", 3)
    a = torch.randint(-(2**62), 2**62, (2, 4, 10))
    b = torch.randint(-(2**62), 2**62, (10, 5))
    assert torch.equal(kernels._matmul_by_limbs(a, b), a @ b)
    assert torch.equal(kernels._matmul_by_limbs(a[0], b[:, 0]), a[0] @ b[:, 0])


def test_limbs_are_exact_at_their_limit():
    """The largest sum of products that one float64 product has to hold."""
    a = torch.full((1, 2**21), 65535, dtype=torch.uint16)
    expected = (2**21 * 65535**2) % 2**16
    got = kernels._matmul_by_limbs(a, a.mT)
    assert got.view(torch.int16).item() % 2**16 == expected
    assert 2**21 * 65535**2 < 2**53


@pytest.mark.parametrize("scalar", [1, 2.0, 1j, True])
def test_matmul_with_scalars_is_refused(scalar):
    """A Python scalar is no matrix, and the standard allows arrays only."""
    x = xp_torch.ones((2, 2))
    for call in (
        lambda: xp_torch.matmul(x, scalar),
        lambda: xp_torch.matmul(scalar, x),
        lambda: x @ scalar,
        lambda: scalar @ x,
    ):
        with pytest.raises(TypeError):
            call()


@given(arrays(ALL))
def test_matrix_transpose(a):
    compare(lambda xp, a: xp.matrix_transpose(a), a)


@st.composite
def contractions(draw: Any) -> tuple[tuple[Any, Any], Any]:
    """Two shapes and axes to contract, most often ones that fit."""
    if draw(st.integers(0, 5)) == 0:
        wrong = st.one_of(
            st.integers(0, 3),
            st.sampled_from(
                [((0,), (0, 1)), ((0, 0), (0, 1)), ((5,), (0,)), ((0,), (-4,)), (0,), 1.0, None]
            ),
        )
        return (draw(shapes()), draw(shapes())), draw(wrong)
    first = draw(st.lists(st.integers(0, 3), max_size=3))
    second = draw(st.lists(st.integers(0, 3), max_size=3))
    count = draw(st.integers(0, min(len(first), len(second))))
    if draw(st.booleans()):
        if count:
            second[:count] = first[-count:]
        return (tuple(first), tuple(second)), count
    i = draw(st.permutations(range(len(first))))[:count]
    j = draw(st.permutations(range(len(second))))[:count]
    for p, q in zip(i, j, strict=True):
        second[q] = first[p]
    i = [p - len(first) if draw(st.booleans()) else p for p in i]
    return (tuple(first), tuple(second)), (tuple(i), tuple(j))


@given(st.data(), contractions())
def test_tensordot(data, contraction):
    sizes, axes = contraction
    pair = data.draw(exact_pairs(ALL, st.just(sizes)))
    compare_products(lambda xp, a, b: xp.tensordot(a, b, axes=axes), *pair)


@given(exact_pairs(ALL, factors()))
def test_tensordot_by_default_contracts_two_axes(pair):
    compare_products(lambda xp, a, b: xp.tensordot(a, b), *pair)


def test_tensordot_refuses_a_negative_number_of_axes():
    """ "An integer axes value must be nonnegative": NumPy takes it for 0."""
    a = xp_torch.ones((2, 2))
    with pytest.raises(ValueError, match="negative"):
        xp_torch.tensordot(a, a, axes=-1)


@st.composite
def vectors(draw: Any) -> tuple[tuple[Any, Any], int]:
    """Two shapes with vectors of one size along a negative axis, as a rule."""
    axis = draw(st.integers(-3, -1))
    both = draw(hnp.mutually_broadcastable_shapes(num_shapes=2, max_dims=3, max_side=3, min_side=0))
    first, second = (list(s) for s in both.input_shapes)
    if draw(st.integers(0, 5)):
        size = draw(st.integers(0, 4))
        for shape in (first, second):
            shape[:0] = [1] * (-axis - len(shape))
            shape[axis] = size
    return (tuple(first), tuple(second)), axis


def in_both(sizes: Any, axis: int) -> bool:
    return all(len(s) >= -axis for s in sizes)


@given(st.data(), vectors())
def test_vecdot(data, case):
    sizes, axis = case
    pair = data.draw(exact_pairs(ALL, st.just(sizes)))
    if not in_both(sizes, axis):
        # "An integer on the interval [-N, -1], where N is min(x1.ndim, x2.ndim)": array-api-strict
        # allows an axis that only one of them has.
        assert isinstance(
            outcome(lambda xp, a, b: xp.vecdot(a, b, axis=axis), xp_torch, pair),
            (ValueError, TypeError),
        )
        return
    compare_products(lambda xp, a, b: xp.vecdot(a, b, axis=axis), *pair)


@given(exact_pairs(NUMERIC, st.just(((3, 2), (3, 2)))), st.integers(-3, 2))
def test_vecdot_axis(pair, axis):
    compare_products(lambda xp, a, b: xp.vecdot(a, b, axis=axis), *pair)


@given(exact_pairs(NUMERIC, st.just(((2, 3), (4, 2, 3)))), st.integers(-2, 2))
def test_vecdot_before_2023(pair, axis):
    """A positive axis counts in the broadcast shape."""

    def body(xp, a, b):
        flags = (
            xp.flags(api_version="2022.12")
            if xp is xp_torch
            else array_api_strict.ArrayAPIStrictFlags(api_version="2022.12")
        )
        with flags:
            return xp.vecdot(a, b, axis=axis)

    if axis != 0:  # x2 alone has it
        compare_products(body, *pair)


@st.composite
def triples(draw: Any) -> tuple[tuple[Any, Any], int]:
    """Shapes with a negative axis of size 3, as a rule."""
    (first, second), axis = draw(vectors())
    if draw(st.integers(0, 5)):
        first, second = list(first), list(second)
        for shape in (first, second):
            if len(shape) >= -axis:
                shape[axis] = 3
    return (tuple(first), tuple(second)), axis


@given(st.data(), triples())
def test_cross(data, case):
    sizes, axis = case
    pair = data.draw(exact_pairs(ALL, st.just(sizes)))
    compare_products(lambda xp, a, b: xp.linalg.cross(a, b, axis=axis), *pair)


def test_cross_needs_three_components():
    """ "Must have size 3": array-api-strict takes 2 in one of the arrays, as NumPy did."""
    a, b = xp_torch.ones(3), xp_torch.ones(2)
    for pair in ((a, b), (b, a), (b, b)):
        with pytest.raises(ValueError, match=r"^cross: axis -1 must have size 3"):
            xp_torch.linalg.cross(*pair)


@given(exact_pairs(NUMERIC, st.just(((3, 3), (3,)))), st.integers(-3, 2))
def test_cross_axis(pair, axis):
    compare_products(lambda xp, a, b: xp.linalg.cross(a, b, axis=axis), *pair)


@given(exact_pairs(NUMERIC, st.just(((3, 2), (3, 2)))), st.integers(0, 1))
def test_cross_before_2023(pair, axis):
    """A positive axis counts in each array by itself."""

    def body(xp, a, b):
        flags = (
            xp.flags(api_version="2022.12")
            if xp is xp_torch
            else array_api_strict.ArrayAPIStrictFlags(api_version="2022.12")
        )
        with flags:
            return xp.linalg.cross(a, b, axis=axis)

    compare_products(body, *pair)


OFFSETS = st.integers(-6, 6)


@given(arrays(ALL), OFFSETS)
def test_diagonal(a, offset):
    compare(lambda xp, a: xp.linalg.diagonal(a, offset=offset), a)


@pytest.mark.parametrize("offset", [2**31, -(2**31), 2**63, -(2**70)])
def test_diagonal_far_out_is_empty(offset):
    """No bound is in the standard; NumPy's is that of a C int."""
    x = xp_torch.ones((2, 3), dtype=xp_torch.int32)
    assert xp_torch.linalg.diagonal(x, offset=offset).shape == (0,)
    assert int(xp_torch.linalg.trace(x, offset=offset)) == 0


@given(exact_pairs(ALL, st.tuples(shapes(2), shapes(2))))
def test_outer(pair):
    compare_products(lambda xp, a, b: xp.linalg.outer(a, b), *pair)


@given(exact_pairs(ALL, st.tuples(shapes(1, 1), shapes(1, 1))))
def test_outer_of_vectors(pair):
    compare_products(lambda xp, a, b: xp.linalg.outer(a, b), *pair)


@given(st.one_of(matrices(ALL), exact(ALL, shapes())), OFFSETS)
def test_trace(a, offset):
    compare(lambda xp, a: xp.linalg.trace(a, offset=offset), a, signed_zeros=False)


@given(
    exact(INTEGER, STACKS.map(lambda s: (*s, 3, 2))),
    st.sampled_from(["int8", "uint8", "int64", "uint16", "uint64", "float32", "complex64"]),
)
def test_trace_dtype(a, dtype):
    """The diagonal is cast first, so that the sum is computed in the dtype asked for."""
    compare(
        lambda xp, a: xp.linalg.trace(a, dtype=getattr(xp, dtype)), a, rtol=1e-6, signed_zeros=False
    )


@given(exact(NUMERIC, (3, 3)))
def test_trace_before_2023(a):
    """Floating-point sums had at least the default precision."""

    def body(xp, a):
        flags = (
            xp.flags(api_version="2022.12")
            if xp is xp_torch
            else array_api_strict.ArrayAPIStrictFlags(api_version="2022.12")
        )
        with flags:
            return xp.linalg.trace(a)

    compare(body, a, signed_zeros=False)


@pytest.mark.parametrize("name", ALIASES)
def test_aliases(name):
    """The extension's four functions of the main namespace are the very same."""
    assert getattr(xp_torch.linalg, name) is getattr(xp_torch, name)


def test_gradient_survives():
    t = torch.ones(2, 2, dtype=torch.float64, requires_grad=True)
    x = xp_torch.asarray(t)
    assert xp_torch.matmul(x, x)._tensor.requires_grad
    assert (x @ x)._tensor.requires_grad


def test_in_place_on_a_view_reaches_the_base():
    base = Spec(np.arange(8.0).reshape(2, 2, 2))

    def body(xp, a):
        a = xp.asarray(a, copy=True)
        row = a[0, ...]
        row @= row
        return a

    compare(body, base)
