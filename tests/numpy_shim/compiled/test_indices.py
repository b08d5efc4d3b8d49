"""Index arrays, iterators over indices, and shapes that need a copy, in compiled programs."""

from __future__ import annotations

import numpy
import pytest
import torch

import numpy_shim as np

from .test_programs import assert_same


def matrix():
    return np.arange(12.0).reshape(3, 4)


def order(x):
    """Indices that run backwards in memory."""
    return x.argsort()[::-1]


def put_backwards(x, y):
    x = x * 1
    x[:, order(y)] = x + 1
    x[1, order(y)] = y
    x[:, order(y)] += y
    return x


def over_indices(x):
    made = x * 0
    for i, j in np.ndindex(*x.shape):
        made[i, j] = x[i, j] * i + j
    return made


def over_elements(x):
    total = 0
    for (i, j), value in np.ndenumerate(x):
        total = total + value * i - j
    return total


def heads(x):
    """The shape of attention: a transposed array, flattened."""
    return (x.reshape(3, 2, 2).transpose(1, 0, 2) * 2).transpose(1, 0, 2).reshape(3, 4)


PROGRAMS = {
    "backwards after a slice": lambda x, y: x[:, order(y)],
    "backwards after an ellipsis": lambda x, y: x[..., order(y)],
    "backwards after an integer": lambda x, y: x[0, order(y)],
    "backwards along two axes": lambda x, y: x[order(y[:3]), order(y[:3])],
    "backwards by itself": lambda x, y: x[order(y[:3])],
    "backwards in take": lambda x, y: np.take(x, order(y), axis=1),
    "backwards in ix_": lambda x, y: x[np.ix_([0, 1], order(y))],
    "a mask that is backwards": lambda x, y: x.sum(where=(y > 0.2)[::-1]),
    "assignment to places that are backwards": put_backwards,
    "ndindex": lambda x, y: over_indices(x),
    "ndenumerate": lambda x, y: over_elements(x),
    "reshape that copies": lambda x, y: (x.T.reshape(-1), x.T.reshape(2, 6)),
    "reshape of heads": lambda x, y: heads(x),
    "reshape with dynamic sizes": lambda x, y: x.T.reshape(x.shape[0] * x.shape[1]),
    "ranges as arrays": lambda x, y: np.meshgrid(range(3), range(2))[1] + np.array(range(3)),
    "ranges as indices": lambda x, y: x[range(2)] + x[:, range(4)][:2],
}


@pytest.mark.parametrize("dynamic", [None, True])
@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_compiles_whole(name, dynamic):
    program = PROGRAMS[name]
    torch._dynamo.reset()
    compiled = torch.compile(program, backend="eager", fullgraph=True, dynamic=dynamic)
    given, same = [(matrix(), np.array([0.3, 0.1, 0.9, 0.4])) for _ in range(2)]
    assert_same(compiled(*given), program(*same))
    assert_same(given, same)


def write_row(a):
    a[0] = np.arange(3.0)[::-1]


def write_by_mask(a):
    a[np.asarray(a) > 1] = 0


def write_an_element_by_mask(a):
    a[np.asarray(a) > 1] = np.ones(1)


def add_by_indices(a):
    a[:, np.arange(2)[::-1]] += np.ones(2)


def write_by_indices(a):
    i = np.arange(2)[::-1]
    a[i, i] = a[i, i] + a[np.arange(2), np.arange(2)]


def write_a_sum(a):
    a[0, 0] = np.arange(4.0).sum() + np.ones(3).sum()


def write_all(a):
    a[...] = np.arange(3) * 1.5


WRITES = [
    write_row, write_by_mask, write_an_element_by_mask, add_by_indices, write_by_indices,
    write_a_sum, write_all,
]  # fmt: skip


INTO = [(w, d) for w in WRITES for d in ("float64", "float32", "complex128", "int32")]
INTO.remove((add_by_indices, "int32"))  # NumPy adds no floats to integers in place


@pytest.mark.parametrize(("write", "dtype"), INTO)
def test_arrays_of_ours_index_and_fill_numpys(write, dtype):
    """An argument that is NumPy's array is written to in the graph, as in eager mode."""
    given, expected = (numpy.arange(6).reshape(2, 3).astype(dtype) for _ in range(2))
    write(expected)
    torch._dynamo.reset()
    torch.compile(write, backend="eager", fullgraph=True)(given)
    numpy.testing.assert_array_equal(given, expected)
    assert given.dtype == expected.dtype


READS = {
    "an element": lambda a, b, x: a[np.argmin(x)],
    "an element of a matrix": lambda a, b, x: b[np.argmin(x), 1],
    "two scalars": lambda a, b, x: b[np.argmin(x), np.argmax(x)],
    "an array without axes": lambda a, b, x: a[np.asarray(np.argmin(x))],
    "an index of a small dtype": lambda a, b, x: a[np.argmin(x).astype("u1")],
    "an element, computed with": lambda a, b, x: x * a[-1 - np.argmin(x)],
    "an element after another": lambda a, b, x: a[np.array([4, 1, 2])[0]],
    "indices": lambda a, b, x: a[np.argsort(x)],
    "indices of a small dtype": lambda a, b, x: a[np.argsort(x).astype("u1")],
    "indices and a scalar": lambda a, b, x: b[np.array([0, 1]), np.argmin(x)],
    "indices and a slice": lambda a, b, x: b[np.argsort(x)[:2], 1:],
    "a list of scalars": lambda a, b, x: a[[np.argmin(x), 0]],
}


@pytest.mark.parametrize("name", READS)
def test_integers_of_ours_read_from_numpys(name):
    """The result is NumPy's, as in eager mode, and an element is a scalar."""
    read = READS[name]
    arguments = numpy.arange(5.0) * 2, numpy.arange(12.0).reshape(3, 4), np.array([3.0, 1.0, 2.0])
    torch._dynamo.reset()
    got = torch.compile(read, backend="eager", fullgraph=True)(*arguments)
    expected = read(*arguments)
    assert_same(got, expected)
    assert isinstance(got, numpy.generic) == isinstance(expected, numpy.generic)
    if isinstance(expected, numpy.ndarray):
        assert type(got) is type(expected)


def write_to_the_row(b, x):
    """The row is a view: a graph has no view at an unknown index, and breaks."""
    row = b[np.argmin(x)]
    row[0] = 50.0


def write_at_integers(b, x):
    b[np.argmin(x), 1] = 5.0
    b[np.argmax(x)] = numpy.ones(4)
    b[:, np.argmin(x)] = x
    b[-1, np.argmax(x)] += x[0]


@pytest.mark.parametrize("write", [write_at_integers, write_to_the_row])
def test_integers_of_ours_write_to_numpys(write):
    x = np.array([3.0, 1.0, 2.0])
    given, expected = (numpy.arange(12.0).reshape(3, 4) for _ in range(2))
    write(expected, x)
    torch._dynamo.reset()
    whole = write is write_at_integers
    torch.compile(write, backend="eager", fullgraph=whole)(given, x)
    numpy.testing.assert_array_equal(given, expected)


def test_a_write_by_mask_keeps_the_order_of_the_axes():
    """AOTAutograd lays the result of torch's masked_fill_ out row by row."""

    def by_columns(x):
        x[x > 1] = -1
        return x.ravel("F")

    for dtype in ("f4", "c8", "i4", "?"):
        operands = [np.array(numpy.arange(24).reshape(2, 3, 4), dtype, order="F") for _ in range(2)]
        torch._dynamo.reset()
        got = torch.compile(by_columns, backend="aot_eager", fullgraph=True)(operands[0])
        assert_same(got, by_columns(operands[1]))
        assert_same(operands[0], operands[1])
        assert np.shares_memory(got, operands[0])


def test_a_write_by_mask_keeps_the_steps_of_a_view():
    """``ravel`` of a view with steps is a copy, also after torch's masked_fill_."""

    def written(x):
        x[x > 0] = 2
        x[~(x < 1)] = 3
        x[0], x[1] = x[1], x[0]
        x.ravel()[0] = 0.5

    given = np.array([-1.0, 2.25, -2.0, 0.0])[::2]
    torch._dynamo.reset()
    torch.compile(written, backend="aot_eager", fullgraph=True)(given)
    assert given.tolist() == [-2.0, -1.0]


def write(x, y):
    row = x[np.argmin(y)]
    row[0] = 5
    return x


def write_in_place(x, y):
    row = x[1:, np.argmin(y)]
    row += 1
    return x


def write_first(x, y):
    row = x[np.argmin(y)]
    x[:] = 7
    return row


@pytest.mark.parametrize("program", [write, write_in_place, write_first])
def test_a_row_at_an_unknown_index_is_a_view(program):
    """The graph breaks, for the memory of a view must be known; a gathered copy loses the write."""

    def arguments(namespace):
        return namespace.zeros((3, 3)), namespace.array([1.0, 0.0, 2.0])

    torch._dynamo.reset()
    compiled = torch.compile(program, backend="eager")
    assert compiled(*arguments(np)).tolist() == program(*arguments(numpy)).tolist()


def test_a_row_at_an_unknown_index_in_one_graph():
    """It is a copy there, which says so when it is written."""

    def read(x, y):
        row = x[np.argmin(y)]
        return row * 2 + x[np.argmin(y), 1] + row[0]

    x, y = np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([1.0, 0.0])
    torch._dynamo.reset()
    assert_same(torch.compile(read, backend="eager", fullgraph=True)(x, y), read(x, y))
    with pytest.raises(torch._dynamo.exc.Unsupported):
        torch.compile(write, backend="eager", fullgraph=True)(x, y)
    assert x.tolist() == [[1.0, 2.0], [3.0, 4.0]]


def test_a_row_at_an_index_on_a_device():
    """Reading the index would wait, so the row is a copy, which says so when it is written."""
    x, y = np.zeros((3, 2), device="meta"), np.zeros(3, device="meta")
    row = x[np.argmin(y)]
    with pytest.raises(ValueError, match="read-only"):
        row[0] = 5
    assert x[np.array(1, device="meta")].flags.writeable  # NumPy copies at a 0-D array
    assert (row + 1).flags.writeable
