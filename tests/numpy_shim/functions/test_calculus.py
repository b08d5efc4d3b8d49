"""Gradients, integrals and cross products against NumPy."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import numpy_shim as ours
from tests.differential import Spec
from tests.numpy_shim.differential import compare, few_roundings, roundings
from tests.strategies import arrays
from xp_torch._core import dtypes

CLOSE = few_roundings()
ALL_DTYPES = [
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "float16", "float32", "float64", "complex64", "complex128",
]  # fmt: skip
DATA = [[1, 0, 3, 7], [4, 5, 120, 3], [2, 2, 9, 1]]


def spec(values: Any, dtype: str = "float64") -> Spec:
    return Spec(numpy.array(values, dtype))


GRADIENTS = [
    lambda np, a: np.gradient(a),
    lambda np, a: np.gradient(a, 2.0),
    lambda np, a: np.gradient(a, 2),
    lambda np, a: np.gradient(a, 2, axis=1),
    lambda np, a: np.gradient(a, 2, 3.5),
    lambda np, a: np.gradient(a, 2, axis=(1, 0)),
    lambda np, a: np.gradient(a, [0, 1, 3], [0, 2, 4, 6]),
    lambda np, a: np.gradient(a, [0.0, 1.5, 3], 2, edge_order=2),
    lambda np, a: np.gradient(a, np.array(3.0), edge_order=2),
    lambda np, a: np.gradient(a, [0, 1, 3, 7], axis=-1),
    lambda np, a: np.gradient(a, edge_order=2),
    lambda np, a: np.gradient(a, edge_order=3),
    lambda np, a: np.gradient(a, [0, 1], axis=1),
    lambda np, a: np.gradient(a, [[0, 1, 2, 3]], axis=1),
    lambda np, a: np.gradient(a, 1, 2, 3),
    lambda np, a: np.gradient(a, axis=2),
    lambda np, a: np.gradient(a, axis=()),
    lambda np, a: np.gradient(a, np.array([1, 2, 4, 5], dtype=np.float32), axis=1),
    lambda np, a: np.gradient(a, np.array([1, 2, 4, 5], dtype=np.uint8), axis=1),
]


@pytest.mark.parametrize("body", GRADIENTS)
@pytest.mark.parametrize("dtype", ALL_DTYPES)
def test_gradient(body: Any, dtype: str):
    compare(body, spec(DATA, dtype), rtol=CLOSE, signed_zeros=False)


@pytest.mark.parametrize("size", [0, 1, 2, 3])
def test_gradient_of_short_axes(size: int):
    for edge_order in (1, 2):
        compare(lambda np, x, e=edge_order: np.gradient(x, edge_order=e), spec(range(size)))


TRAPEZOIDS = [
    lambda np, a: np.trapezoid(a),
    lambda np, a: np.trapezoid(a, axis=0),
    lambda np, a: np.trapezoid(a, dx=2),
    lambda np, a: np.trapezoid(a, [0, 1, 3, 4]),
    lambda np, a: np.trapezoid(a, [0.5, 1, 3], axis=0),
    lambda np, a: np.trapezoid(a, a),
    lambda np, a: np.trapezoid(a, [0, 1, 3]),
    lambda np, a: np.trapezoid(a, axis=2),
    lambda np, a: np.trapezoid([1, 2, 3]),
    lambda np, a: np.trapezoid([]),
    lambda np, a: np.trapezoid([1]),
    lambda np, a: np.trapezoid(3),
]


@pytest.mark.parametrize("body", TRAPEZOIDS)
@pytest.mark.parametrize("dtype", ALL_DTYPES)
def test_trapezoid(body: Any, dtype: str):
    compare(body, spec(DATA, dtype), rtol=CLOSE)


@pytest.mark.parametrize("dtype", ALL_DTYPES)
@pytest.mark.parametrize("other", ["bool", "int8", "uint64", "float32", "complex64"])
@pytest.mark.parametrize("sizes", [(3, 3), (2, 3), (3, 2), (2, 2)])
def test_cross_of_every_dtype(dtype: str, other: str, sizes: tuple[int, int]):
    a = spec(numpy.arange(2 * sizes[0]).reshape(2, -1), dtype)
    b = spec(numpy.arange(3, 3 + sizes[1]), other)
    compare(lambda np, x, y: np.cross(x, y), a, b)
    compare(lambda np, x, y: np.cross(x, y, axisc=0), a, b)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_cross_of_two_vectors(dtype: str):
    """Every product is rounded before the difference, so that a x a is zero; with gradients."""
    rng = numpy.random.default_rng(3)
    for _ in range(20):
        a, b = [Spec(v) for v in rng.normal(size=(2, 3)).astype(dtype)]
        compare(lambda np, x, y: (np.cross(x, y), np.cross(x, x)), a, b)
    x, y = [torch.tensor(v, requires_grad=True) for v in ([1.0, 2.0, 3.0], [4.0, 5.0, 6.0])]
    found = ours.cross(ours.asarray(x), ours.asarray(y)).tensor
    assert [g.tolist() for g in torch.autograd.grad(found[0], [x, y])] == [[0, 6, -5], [0, -3, 2]]
    mapped = torch.func.vmap(lambda t: ours.cross(ours.asarray(t), ours.asarray(t + 1)).tensor)
    assert mapped(torch.eye(3)).tolist() == [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]


@settings(max_examples=50)
@given(arrays(dtypes.REAL_FLOATING, st.sampled_from([(3,), (2, 3), (3, 2), (1, 3), (3, 3)]), True))
def test_cross_with_itself(a: Spec):
    atol = roundings(a, Spec(numpy.abs(a.values) + 1))
    compare(lambda np, x: np.cross(x, x + 1), a, atol=atol)
    compare(lambda np, x: np.cross(x, x + 1, axis=0), a, atol=atol)


@pytest.mark.parametrize(
    "body",
    [
        lambda np: np.cross([1, 2, 3], [4, 5, 6]),
        lambda np: np.cross([1, 2, 3, 4], [4, 5, 6, 7]),
        lambda np: np.cross(3, [4, 5, 6]),
        lambda np: np.cross(np.ones((2, 3)), np.ones((4, 3))),
        lambda np: np.cross(np.ones((2, 3)), np.ones((3, 2)), axisb=0),
        lambda np: np.cross(np.ones((2, 3)), np.ones((3, 2)), axisa=2),
        lambda np: np.cross(np.ones((2, 3)), np.ones((2, 3)), axisc=3),
        lambda np: np.cross(np.ones((5, 1, 3)), np.ones((4, 3)), axisc=1),
    ],
)
def test_cross_arguments_and_errors(body: Any):
    compare(body)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("shapes", [((3,), (3,)), ((4, 3), (3,)), ((2, 1, 3), (4, 3))])
@pytest.mark.parametrize("axisc", [-1, 0])
def test_cross_rounds_as_numpy(dtype: str, shapes: tuple[Any, Any], axisc: int):
    """Every bit; the product of a vector with itself is zero."""
    rng = numpy.random.RandomState(0)
    a, b = (rng.standard_normal(shape).astype(dtype) for shape in shapes)
    compare(lambda np, x, y: np.cross(x, y, axisc=axisc), Spec(a), Spec(b))
    compare(lambda np, x: np.cross(x, x), Spec(a))
