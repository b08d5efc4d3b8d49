"""Operators of two dtypes, and of complex numbers: quick ways that give NumPy's results."""

from __future__ import annotations

import itertools
import subprocess
import sys
from typing import Any

import numpy
import pytest
import torch

import numpy_shim
from tests.numpy_shim.calls import lines
from tests.numpy_shim.differential import compare

ARRAYS = {
    "float64": "np.array([[1.5, -0.0], [np.inf, 3.0]])",
    "float32": "np.array([[1.5, -0.0], [2.0, 3.0]], dtype='f4')",
    "int64": "np.array([[1, 2], [-3, 0]])",
    "uint8": "np.array([[1, 2], [200, 0]], dtype='u1')",
    "bool": "np.array([[True, False], [True, True]])",
    "complex128": "np.array([[1 - 2j, complex(-0.0, 0.0)], [complex(2.0, -0.0), 1j]])",
    "complex64": "np.array([[1 - 2j, 0], [2, 1j]], dtype='c8')",
    "conjugated": "np.array([[1 - 2j, complex(-0.0, 0.0)], [complex(2.0, -0.0), 1j]]).conj()",
    "transposed": "np.array([[1 - 2j, 3 + 1j], [complex(2.0, -0.0), 1j]]).T",
    "a vector": "np.array([1 - 2j, complex(0.0, -0.0)])",
}
PRODUCTS = lines("""
a @ b
np.matmul(a, b)
np.dot(a, b)
a.dot(b)
a[0] @ b
a @ b[0]
a[0] @ b[0]
np.dot(a[0], b[0])
np.stack([a, a]) @ b
np.vecdot(a, b)
""")
NUMBERS = ("1j", "2 - 1j", "complex(-0.0, 0.0)", "complex(np.inf, 1)", "1.0", "-0.0", "2", "True",
           "np.complex64(1j)", "np.complex128(2j)", "np.float32(2)", "np.inf")  # fmt: skip


@pytest.mark.parametrize("product", PRODUCTS)
def test_products_of_two_dtypes(product: str, device: str):
    def body(np: Any) -> Any:
        names = {n: eval(text, {"np": np}) for n, text in ARRAYS.items() if "vector" not in n}
        names["float64"] = np.array([[1.5, -0.0], [2.0, 3.0]])
        pairs = itertools.product(names.values(), repeat=2)
        return [eval(product, {"np": np, "a": a, "b": b}) for a, b in pairs]

    compare(body, signed_zeros=False, device=device)


@pytest.mark.parametrize(
    "product", ["a @ b", "np.matmul(a, b)", "np.dot(a, b)", "np.matmul(a, 2)", "a @ b[0, 0]"]
)
def test_products_of_shapes_that_do_not_fit(product: str, device: str):
    def body(np: Any) -> Any:
        return eval(product, {"np": np, "a": np.ones((2, 3)), "b": np.ones((2, 3)) * 1j})

    compare(body, device=device)


@pytest.mark.parametrize("operator", ["+", "-", "*", "/", "**", "=="])
@pytest.mark.parametrize("array", ARRAYS)
def test_arrays_and_complex_numbers(array: str, operator: str, device: str):
    def body(np: Any) -> Any:
        with np.errstate(all="ignore"):
            a = eval(ARRAYS[array], {"np": np})
            found = [-a]
            for number in NUMBERS:
                if operator == "**" and number != "2":
                    continue
                names = {"a": a, "x": eval(number, {"np": np})}
                found.append(eval(f"a {operator} x", names))
                if operator != "**":
                    found.append(eval(f"x {operator} a", names))
            return found

    compare(body, device=device)


@pytest.mark.parametrize("operator", ["+", "-", "*"])
def test_complex_arrays(operator: str, device: str):
    def body(np: Any) -> Any:
        with np.errstate(all="ignore"):
            arrays = [eval(text, {"np": np}) for text in ARRAYS.values()]
            pairs = itertools.product(arrays, arrays)
            return [eval(f"a {operator} b", {"a": a, "b": b}) for a, b in pairs]

    compare(body, device=device)


def test_a_product_beside_numpys_array():
    a, b = numpy_shim.ones((2, 3)), numpy.arange(6).reshape(3, 2)
    for found, wanted in ((a @ b, [[6, 9], [6, 9]]), (b @ a, [[1] * 3, [5] * 3, [9] * 3])):
        assert type(found) is numpy_shim.ndarray
        assert found.dtype == "float64"
        assert found.tolist() == wanted


def test_gradients():
    x = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
    a = numpy_shim.asarray(x)
    z = numpy_shim.asarray([[1j, 2.0], [3.0, 1 - 1j]])
    y = numpy_shim.sum(numpy_shim.abs(z @ (a * 1j + (1 + 2j) - (-z[0]))) ** 2)
    y.tensor.backward()
    t = x.detach().requires_grad_()
    w = torch.tensor([[1j, 2.0], [3.0, 1 - 1j]], dtype=torch.complex128)
    ((w @ (t * 1j + (1 + 2j) + w[0])).abs() ** 2).sum().backward()
    torch.testing.assert_close(x.grad, t.grad)


@pytest.mark.parametrize(
    "joined",
    [
        "np.concatenate([f, i])", "np.concatenate([i, f, b])", "np.concatenate([f, c])",
        "np.concatenate([i, b])", "np.concatenate([s, i])", "np.concatenate([s, f])",
        "np.concatenate([z, f])", "np.concatenate([u, f])", "np.concatenate([i, [1.5]])",
        "np.concatenate([[1], f])", "np.vstack([i, f])", "np.hstack([b, f])",
        "np.stack([i, f])", "np.column_stack([f, i])", "np.append(f, 1)", "np.append(i, 1.5)",
        "np.append(f, [1, 2])", "np.append(f, i)", "np.append(f, [[1, 2]])", "np.append(f, 1j)",
        "np.append(s, 1.5)", "np.append(b, True)", "np.append(f, [])",
        "np.append(i, 2**63)", "np.append(f, f.reshape(1, 2))", "np.append(f, 1, axis=0)",
    ],
)  # fmt: skip
def test_arrays_of_several_dtypes_joined(joined: str, device: str):
    def body(np: Any) -> Any:
        arrays = {
            "f": np.array([1.5, -0.0]), "i": np.array([1, 2]), "b": np.array([True, False]),
            "c": np.array([1j, 2]), "s": np.array([1.5, 2], dtype="f4"),
            "z": np.array([1j, 2], dtype="c8"), "u": np.array([1, 2**64 - 1], dtype="u8"),
        }  # fmt: skip
        return eval(joined, {"np": np, **arrays})

    compare(body, device=device)


def test_the_first_power_of_a_program():
    """``**`` has tables beside those of ``power``, which it may be the first to need."""
    body = """
import numpy, numpy_shim
x = [0.1 + 0.7j, 3.3 - 1.1j]
assert (numpy_shim.array(x) ** 2).tolist() == numpy.square(x).tolist()
assert numpy_shim.power._spec.right_int
"""
    subprocess.run([sys.executable, "-c", body], check=True)
