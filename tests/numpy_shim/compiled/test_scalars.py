"""Scalars in compiled programs: tensors there, which behave as NumPy's scalars do in eager mode."""

from __future__ import annotations

import operator

import numpy
import pytest
import torch
from torch._dynamo.testing import CompileCounter

import numpy_shim as np

from .test_programs import assert_same

OLDEST = torch.__version__.startswith("2.11.")
AFTER_A_BREAK = {
    "compared with a scalar": lambda x, s: x < s,
    "compared by a scalar": lambda x, s: s < x,
    "equal to a scalar": lambda x, s: x == s,
    "added to a scalar": lambda x, s: s + x,
    "compared with an array": lambda x, s: x < numpy.ones(3),
    "a factor of an array": lambda x, s: numpy.ones(3) * x,
    "in place": operator.iadd,
    "in a condition": lambda x, s: np.where(x < s, x, s),
    "in a list": lambda x, s: 1 if x in [s, 1] else 2,
    "ufuncs of both": lambda x, s: (np.add(x, s), numpy.add(s, x), numpy.sin(x)),
    "kinds": lambda x, s: [isinstance(x, k) for k in (numpy.generic, float, int, np.ndarray)],
    "class": lambda x, s: x.__class__.__name__,
    "made by the class": lambda x, s: x.__class__(1) + s,
    "subclass": lambda x, s: issubclass(x.__class__, numpy.generic),
    "torch's function": lambda x, s: np.asarray(torch.as_tensor(x)),
}


@pytest.mark.parametrize("dtype", ["uint32", "float64"])
@pytest.mark.parametrize("name", AFTER_A_BREAK)
def test_a_scalar_lives_across_a_break(name, dtype):
    """Dynamo guards its class where it uses it; a second call needs no second compilation."""
    if name == "torch's function" and OLDEST:
        pytest.skip("torch 2.11 reads memory in as_tensor of any object, which a trace has not")
    operation = AFTER_A_BREAK[name]

    def program(a, s):
        x = a.max()
        torch._dynamo.graph_break()
        return operation(x, s)

    a, s = np.array([1, 3, 2]).astype(dtype), numpy.dtype(dtype).type(2)
    torch._dynamo.reset()
    counter = CompileCounter()
    compiled = torch.compile(program, backend=counter)
    expected = program(a, s)
    assert_alike(compiled(a, s), expected)
    count = counter.frame_count
    assert_alike(compiled(a, s), expected)
    assert counter.frame_count == count


def test_squares_of_booleans():
    """``**`` of an array is ``square``, and that of a scalar ``power``, as outside a trace."""

    def program(np, x):
        found = [x.any() ** 2, x**2, np.sum(x, dtype=bool) ** 2, np.reshape(x[:1], ()) ** 2]
        return [r.dtype for r in found]

    got = torch.compile(program, backend="eager", fullgraph=True)(np, np.array([True, False]))
    assert got == program(numpy, numpy.array([True, False]))


def assert_alike(got, expected):
    """As ``assert_same``, for lists of Python's values and texts, too."""
    if isinstance(expected, (str, bool, int, list)):
        assert got == expected
    else:
        assert_same(got, expected)


@pytest.mark.parametrize("name", ["class", "made by the class", "subclass", "kinds"])
def test_the_class_in_one_graph(name):
    """``x.__class__`` is NumPy's type, which makes scalars."""
    operation = AFTER_A_BREAK[name]

    def program(a, s):
        return operation(a.max(), s), a.max().__class__

    a, s = np.arange(3.0), numpy.float64(2)
    torch._dynamo.reset()
    got = torch.compile(program, backend="eager", fullgraph=True)(a, s)
    expected = program(a, s)
    assert_alike(got[0], expected[0])
    assert got[1] is expected[1] is numpy.float64


COMPARISONS = [operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge]


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "uint16", "uint64", "float16"])
def test_comparisons_with_numpys_scalars(dtype):
    """Both sides are compared in the dtype of both: 300 is not 44, which int8 wraps it to.

    The scalars are arguments, which Dynamo makes tensors.
    """

    def program(a, *scalars):
        pairs = [pair for x in (a, a.max()) for s in scalars for pair in ((x, s), (s, x))]
        return [compare(x, y) for compare in COMPARISONS for x, y in pairs]

    arguments = np.array([44, 1]).astype(dtype), numpy.int64(300), numpy.uint8(44), numpy.float64(1)
    torch._dynamo.reset()
    got = torch.compile(program, backend="eager", fullgraph=True)(*arguments)
    assert_same(got, program(*arguments))


@pytest.mark.parametrize("compare", [operator.lt, operator.ge])
def test_operands_in_a_tuple_keep_their_order(compare):
    """Dynamo exchanges the operands of ``compare(*pair)``, where the second is a tensor to it."""

    def program(a, s):
        pair = (a, s)
        return compare(*pair), compare(*pair), pair[0] + 1

    arguments = np.array([1.0, 3.0]), numpy.float64(2.5)
    torch._dynamo.reset()
    got = torch.compile(program, backend="eager", fullgraph=True)(*arguments)
    assert_same(got, program(*arguments))
