"""The in-place operators: overlapping operands, what must not change, and gradients."""

from __future__ import annotations

import operator

import numpy as np
import pytest
import torch

import xp_torch as xp

OPERATORS = {
    "iadd": operator.iadd,
    "isub": operator.isub,
    "imul": operator.imul,
    "itruediv": operator.itruediv,
    "ifloordiv": operator.ifloordiv,
    "imod": operator.imod,
    "ipow": operator.ipow,
    "iand": operator.iand,
    "ior": operator.ior,
    "ixor": operator.ixor,
    "ilshift": operator.ilshift,
    "irshift": operator.irshift,
}
DTYPES = {
    **dict.fromkeys(("iand", "ior", "ixor", "ilshift", "irshift"), ("int64", "uint8", "uint32")),
    "itruediv": ("float64", "complex128"),
    "ifloordiv": ("float64", "int64", "uint64"),
    "imod": ("float64", "int64", "uint64"),
    "ipow": ("float64", "int64", "uint64"),
}
NUMERIC = ("float64", "float32", "complex128", "int64", "uint8", "uint16", "uint64")
CASES = [(name, dtype) for name in OPERATORS for dtype in DTYPES.get(name, NUMERIC)]


def first_into_rest(f, x):
    """A write that runs ahead of the reads sees its own results."""
    y = x[1:, :]
    f(y, x[:-1, :])


def rest_into_first(f, x):
    y = x[:-1, :]
    f(y, x[1:, :])


def backwards(f, x):
    f(x, x[::-1, ::-1])


def itself(f, x):
    f(x, x)


def transposed(f, x):
    f(x, x.T)


def transposed_left(f, x):
    y = x.T
    f(y, x)


def one_row(f, x):
    """An operand that is broadcast, out of the array itself."""
    f(x, x[1, :])


def one_element(f, x):
    f(x, x[0, 0])


LAYOUTS = (
    first_into_rest, rest_into_first, backwards, itself, transposed, transposed_left, one_row,
    one_element,
)  # fmt: skip


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(("name", "dtype"), CASES)
def test_overlapping_operands(name: str, dtype: str, layout):
    """The result is that of operands that do not overlap, written through every view."""
    values = np.arange(1, 17).reshape(4, 4).astype(dtype)
    if dtype == "complex128":
        values = values * (1 - 0.5j)
    x = xp.asarray(torch.from_numpy(values.copy()))
    f = OPERATORS[name]
    with np.errstate(all="ignore"):
        layout(f, values)
    layout(f, x)
    np.testing.assert_allclose(np.asarray(x), values, rtol=1e-6 if dtype == "float32" else 1e-14)


@pytest.mark.parametrize("dtype", ["uint16", "uint32", "uint64"])
def test_wide_unsigned(dtype: str):
    """The same tensor is written to, and wraps around as NumPy's."""
    top = np.iinfo(dtype).max
    values = np.array([top, 1, top // 2 + 1], dtype)
    tensor = torch.from_numpy(values.copy())
    x = xp.asarray(tensor)
    for step in (
        lambda a: operator.iadd(a, 3),
        lambda a: operator.imul(a, a),
        lambda a: operator.isub(a, 5),
        lambda a: operator.ifloordiv(a, 3),
        lambda a: operator.ixor(a, 6),
        lambda a: operator.ilshift(a, 2),
        lambda a: operator.imod(a, 1000),
        lambda a: operator.ipow(a, 3),
        lambda a: operator.irshift(a, 1),
    ):
        values = step(values)
        assert step(x) is x
        np.testing.assert_array_equal(tensor.numpy(), values)


@pytest.mark.parametrize("name", OPERATORS)
def test_identity(name: str):
    """``x += y`` is ``x`` afterwards, and every view of it has the values."""
    dtype = xp.int64 if name in ("iand", "ior", "ixor", "ilshift", "irshift") else xp.float64
    x = xp.asarray([4, 6, 7], dtype=dtype)
    view = x[1:]
    expected = getattr(operator, name.removeprefix("i") + "_" * (name in ("iand", "ior")))(x, 2)
    assert OPERATORS[name](x, 2) is x
    assert xp.all(x == expected)
    assert xp.all(view == expected[1:])


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (xp.int8, xp.int16),
        (xp.int64, xp.uint32),
        (xp.uint16, xp.int16),
        (xp.float32, xp.float64),
        (xp.float64, xp.complex64),
    ],
)
def test_dtype_does_not_change(left, right):
    """A result of a wider dtype than the left operand is refused, and nothing is written."""
    if xp.result_type(left, right) == left:
        x = xp.ones(3, dtype=left)
        x += xp.ones(3, dtype=right)
        assert x.dtype == left
        return
    x = xp.ones(3, dtype=left)
    with pytest.raises(TypeError, match=r"__iadd__: .*cannot be stored"):
        x += xp.ones(3, dtype=right)
    assert xp.all(x == xp.ones(3, dtype=left))


def test_complex_scalar_into_real():
    x = xp.ones(3)
    with pytest.raises(TypeError, match="__imul__"):
        x *= 1j
    assert x.dtype == xp.float64


@pytest.mark.parametrize("name", OPERATORS)
@pytest.mark.parametrize("shapes", [((3,), (2, 3)), ((1,), (3,)), ((), (1,)), ((2, 1), (2, 3))])
def test_shape_does_not_change(name: str, shapes):
    """A left operand is not broadcast: a ``ValueError``, and nothing is written."""
    dtype = xp.int64 if name in ("iand", "ior", "ixor", "ilshift", "irshift") else xp.float64
    x, y = (xp.ones(shape, dtype=dtype) for shape in shapes)
    with pytest.raises(ValueError, match=f"__{name}__: "):
        OPERATORS[name](x, y)
    assert x.shape == shapes[0]
    assert xp.all(x == xp.ones(shapes[0], dtype=dtype))


@pytest.mark.parametrize("name", ["iadd", "imul", "ifloordiv", "imod", "ipow"])
@pytest.mark.parametrize("other", [2.0, 2, "array", "row"])
def test_expanded_left_operand(name: str, other):
    """An array with repeated elements cannot hold a result for each one."""
    operand = {"array": xp.full((2, 3), 2.0), "row": xp.full(3, 2.0)}.get(other, other)
    x = xp.broadcast_to(xp.asarray([1.0, 2.0, 3.0]), (2, 3))
    with pytest.raises(ValueError, match=f"__{name}__: "):
        OPERATORS[name](x, operand)
    assert xp.all(x == xp.asarray([1.0, 2.0, 3.0]))


@pytest.mark.parametrize("name", ["iadd", "isub", "imul", "itruediv", "ifloordiv", "imod", "ipow"])
@pytest.mark.parametrize("other", [2.0, 2, "array"])
def test_leaf_that_requires_a_gradient(name: str, other):
    """It is refused in words of our own, and left as it is; under ``no_grad`` it is allowed."""
    leaf = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
    x = xp.asarray(leaf)
    operand = xp.asarray([2.0, 3.0]) if other == "array" else other
    with pytest.raises(ValueError, match=f"__{name}__: a leaf array that requires a gradient"):
        OPERATORS[name](x, operand)
    assert leaf.tolist() == [1.0, 2.0]
    with torch.no_grad():
        OPERATORS[name](x, operand)
    assert leaf.requires_grad


@pytest.mark.parametrize("name", ["iadd", "isub", "imul", "itruediv", "imod", "ipow"])
def test_gradient_flows_through(name: str):
    """The gradient of an array that was changed in place, in both operands."""
    plain = getattr(operator, name.removeprefix("i"))
    a = torch.tensor([1.5, 2.5], dtype=torch.float64, requires_grad=True)
    b = torch.tensor([0.7, 1.2], dtype=torch.float64, requires_grad=True)

    def in_place(s, t):
        x = xp.positive(xp.asarray(s))
        return OPERATORS[name](x, xp.asarray(t))._tensor

    def out_of_place(s, t):
        return plain(xp.asarray(s), xp.asarray(t))._tensor

    for ours, theirs in zip(
        torch.autograd.grad(in_place(a, b).sum(), (a, b)),
        torch.autograd.grad(out_of_place(a, b).sum(), (a, b)),
        strict=True,
    ):
        torch.testing.assert_close(ours, theirs)


def test_operand_alone_requires_a_gradient():
    """The left operand becomes part of the graph."""
    b = torch.tensor([2.0, 3.0], dtype=torch.float64, requires_grad=True)
    x = xp.asarray([5.0, 7.0])
    x *= xp.asarray(b)
    (grad,) = torch.autograd.grad(xp.to_torch(x).sum(), b)
    assert grad.tolist() == [5.0, 7.0]


def test_empty_array_has_no_shared_memory():
    """Its strides may be 0, as those of an array that was broadcast."""
    x = xp.asarray(xp.zeros((2, 0), dtype=xp.int8), copy=True)
    x @= xp.zeros((0, 0), dtype=xp.int8)
    x += 1
    assert x.shape == (2, 0)
