"""Assignment of views of the same array, and of NumPy's scalars, to slices and rows."""

from __future__ import annotations

import numpy
import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode

import numpy_shim as np
from tests.numpy_shim.differential import compare

LINES = [
    "a[:, 1] = a[:, 0]", "a[1:] = a[:-1]", "a[:-1] = a[1:]", "a[0] = a[2]",
    "a[:, ::2] = a[:, 1::2]", "a[2:] = a[:2]", "a[1:3] = a[:2]", "a[1:] = a[2:3]", "a[::2] = a[:2]",
    "a[1:3, 1:3] = a[0:2, 0:2]", "a[2] = a[:, 0]", "a[:] = a.T", "a[1] = a[1:2]", "a[0] = a[3, 3]",
    "a[1:] += a[:-1]", "a[:, 1] -= a[:, 0]", "a[::-1][1] = a[0]", "a[1] = a[::-1][1]",
    "a[None][0, 1] = a[2]", "a[None, 1] = 3", "b = a[None]; b[0, 0] = 9", "a[...] = a[1]",
]  # fmt: skip


@pytest.mark.parametrize("dtype", ["int64", "float32", "uint16", "complex128"])
@pytest.mark.parametrize("line", LINES)
def test_values_of_the_same_array(line: str, dtype: str):
    def body(np):
        a = np.arange(16).reshape(4, 4).astype(dtype)
        exec(line, {"np": np, "a": a})
        return a

    compare(body)


@pytest.mark.parametrize("value", ["float64(2.5)", "float32(1.5)", "int8(-3)", "bool(True)",
                                   "complex64(1)", "float64('nan')", "int64(2**60)"])  # fmt: skip
@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "bool", "float16"])
@pytest.mark.parametrize("key", ["1", "slice(1, None)", "(slice(None), 2)", "(0, 0)", "None"])
@pytest.mark.filterwarnings("ignore")
def test_scalars_of_numpys(value: str, dtype: str, key: str):
    def body(np):
        if dtype in ("int64", "bool") and "nan" in value:
            return None  # what C makes of it differs by processor
        a = np.zeros((3, 4), dtype)
        a[eval(key)] = eval(f"np.{value}", {"np": np})
        return a

    compare(body)


def test_a_value_that_is_saved_for_the_gradient():
    """The copy of a view of the array keeps its gradient, and the array stays differentiable."""
    import torch

    import numpy_shim as np

    t = torch.arange(4.0, dtype=torch.float64, requires_grad=True)
    a = np.asarray(t) * 1.0
    a[1:] = a[:-1]
    a.tensor.sum().backward()
    assert t.grad is not None
    assert t.grad.tolist() == [2, 1, 1, 0]


def test_rows_of_a_loop_take_values_with_a_gradient():
    """The rows of a loop are views that autograd lets a program write to, unlike unbind's."""
    weight = torch.ones(3, requires_grad=True)
    rows = np.zeros((2, 3), np.float32)
    for row in rows:
        row += np.asarray(weight)
    rows.sum().tensor.backward()
    assert weight.grad.tolist() == [2.0, 2.0, 2.0]


@pytest.mark.parametrize(
    "line",
    ["a[1:] = n[:-1]", "a[:-1] = n[1:]", "a[0] = n[2]", "a[:, 1] = n[:, 0]", "a[:] = n.T",
     "a[0] = n[::-1][0]", "a[0] = n[0, 1:2]", "a[0, 0] = n[1, 1:2].reshape(())",
     "a[1] = n[0].astype('f4')", "a[1] = n[0].astype('>f8')", "a[1] = n[None, 0]",
     "n.flags.writeable = False; a[1] = n[0]"],
)  # fmt: skip
def test_values_of_numpys_array_on_the_same_memory(line: str):
    results = []
    for namespace in (numpy, np):
        a = namespace.arange(16.0).reshape(4, 4)
        exec(line, {"a": a, "n": numpy.asarray(a).view()})
        results.append(a.tolist())
    assert results[1] == results[0]


class Rotation(numpy.ndarray):
    """A class of a program, whose objects are NumPy's."""


@pytest.mark.parametrize("key", ["1", "slice(None), 1", "slice(1, 3), 2", "Ellipsis, 0", "-1"])
def test_rows_of_subclasses_are_written_without_torch(key: str):
    """They move from memory to memory."""
    values = numpy.array([1.0, 2.0, 3.0, 4.0]).view(Rotation)
    values = values[: numpy.zeros((4, 4))[eval(key)].size]
    a, expected = np.zeros((4, 4)), numpy.zeros((4, 4))
    a[eval(key)] = expected[eval(key)] = values  # makes NumPy's view of the memory
    with Operators() as called:
        a[eval(key)] = values * 2
    expected[eval(key)] = values * 2
    assert called.names == []
    assert a.tolist() == expected.tolist()
    values[0] = 9
    assert a.tolist() == expected.tolist()


class Operators(TorchDispatchMode):
    """Writes down the operators of torch that are called."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        self.names.append(str(func))
        return func(*args, **(kwargs or {}))


def test_a_row_of_a_subclass_is_told_to_autograd():
    weight = torch.ones(3, dtype=torch.float64, requires_grad=True)
    a = np.ones((2, 3))
    product = weight * a.tensor
    a[0] = numpy.zeros(3).view(Rotation)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        product.sum().backward()


def test_a_row_of_a_subclass_cuts_the_gradient():
    weight = torch.ones(2, 3, dtype=torch.float64, requires_grad=True)
    a = np.asarray(weight * 1)
    a[0] = numpy.zeros(3).view(Rotation)
    a.sum().tensor.backward()
    assert weight.grad.tolist() == [[0.0] * 3, [1.0] * 3]


def test_a_row_of_numpys_array_in_a_compiled_function():
    """The array keeps a view of its memory, which is none of the graph's."""

    @torch.compile(fullgraph=True, backend="eager")
    def written(a, values):
        a[0] = values
        return a * 2

    a = np.zeros((2, 3))
    assert a[1, 1] == 0
    assert written(a, numpy.array([1.0, 2.0, 3.0])).tolist() == [[2.0, 4.0, 6.0], [0.0] * 3]


def test_rows_of_subclasses_that_do_not_fit():
    a = np.zeros((2, 3))
    with pytest.raises(ValueError, match="shape"):
        a[0] = numpy.zeros(2).view(Rotation)
    a.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        a[0] = numpy.ones(3).view(Rotation)
    assert a.tolist() == [[0.0] * 3] * 2


def test_the_first_write_to_an_element_is_told_to_autograd():
    weight = torch.ones(3, requires_grad=True)
    for prepare in (lambda a: None, lambda a: a[0:1]):
        a = np.ones((3,))
        prepare(a)
        product = weight * a.tensor
        a[0] = 5.0
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            product.sum().backward()


def test_an_element_is_written_after_rows_were_read():
    a = np.zeros((2, 2))
    row = a[0]
    a[0, 1] = 3
    a[1, np.int64(0)] = 4.0
    assert row.tolist() == [0.0, 3.0]
    assert a.tensor.tolist() == [[0.0, 3.0], [4.0, 0.0]]
    with pytest.raises(IndexError):
        np.zeros((2, 2))[0, 2] = 1.0
    with pytest.raises(OverflowError):
        np.zeros(2, "int8")[0] = 300


MASKED = [
    "a[m] = v[:3]", "a[m] = v[:2]", "a[m] = v", "a[m] = v[:1]", "a[m] = a[1:4]", "a[m] = a[m]",
    "a[m] = v[:3].astype('f4')", "a[m] = v[:3].reshape(3, 1)",
    "a[m] = v[:3].astype(complex)", "a[m & False] = v[:0]", "b = a[::-1]; b[m] = v[:3]",
    "b = a > 2; b[b] = m[:3]", "a.flags.writeable = False; a[m] = v[:3]", "a[~m] = v[1:3]",
    "b = a.reshape(5, 1) + v; b[b > 4] = v[:1] * b[b > 4]", "b = a.astype('u2'); b[m] = b[:3] * 2",
]  # fmt: skip


@pytest.mark.parametrize("line", MASKED)
def test_values_where_a_mask_is_true(line: str):
    """One value for each, of the same array too; NumPy's error for another number of values."""

    def body(np):
        a, v = np.arange(5.0), np.array([7.0, 8.0, 9.0, 6.0])
        names = {"a": a, "v": v, "m": np.array([True, False, True, True, False])}
        exec(line, names)
        return a, names.get("b")

    compare(body)


def test_values_behind_a_mask_keep_their_gradient():
    values = np.asarray(torch.tensor([2.0, 3.0], requires_grad=True))
    a = np.zeros(3, "float32")
    a[np.array([True, False, True])] = values
    assert a.tensor.requires_grad
    a.tensor.pow(2).sum().backward()
    assert values.tensor.grad.tolist() == [4.0, 6.0]
