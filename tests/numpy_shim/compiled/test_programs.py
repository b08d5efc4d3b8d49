"""Small programs that work in eager mode and must not fail when they are compiled."""

from __future__ import annotations

import numpy
import pytest
import torch
from torch._dynamo.exc import TorchRuntimeError

import numpy_shim as np

from .test_kernels import as_numpy

SCALAR = numpy.float64(2.0)
ARRAY = numpy.arange(3.0)


def closed_over(value):
    return lambda x: x * value


def masked(a, b):
    a = a.copy()
    a[a > 0] = b[a > 0]
    return a


def overlapping(x):
    x[1:] *= x[:-1]
    whole, first = x[None], x[:1]
    whole += x
    first -= x[1:2]
    return x


def written_backwards(x):
    y = (x * 2)[None, ::-1]
    y[y == 2.0] = -1.0
    return y


def by_index(x):
    return x[: np.argmax(x) + 1]


def summed(x):
    total = 0.0
    for i in range(len(x)):
        total += x[i] * i
    return total


def by_shape(x):
    return x.sum() if x.shape[0] > 2 and x.ndim == 1 else x


def in_place(x, s):
    """The caller's array changes."""
    x += s
    x //= s
    return x


def matrix_products(x, y):
    """Of two matrices: the order counts."""
    product = x @ y, y @ x, (x + 1).T @ y
    x @= y
    return product, x


def upper_triangle():
    return numpy.triu(numpy.arange(1.0, 10.0).reshape(3, 3))


def into_numpys(x, out):
    """Results are written into NumPy's array, which the caller sees."""
    np.matmul(x, x, out=out)
    np.cumsum(x[0], out=out[1])
    returned = np.multiply(out, 2, out=out)
    np.sum(x, axis=0, out=out[2])
    return returned, returned is out


def assigned_large(x):
    x[0], x[x > 0.7], x[1:2] = 1e300, -1e300, 3.40282355e38
    return x


def bits_in_place(x, s):
    x |= s
    return x & s, s ^ x


def masked_in_place(a):
    a[a > 0] += 1
    return a


def masked_rows(a):
    a[a[:, 0] > 1] = 5
    a[:, a[0] > 1] = 0
    return a


def masked_by(a, b):
    a[a > 0] = b
    return a


def flat_by_columns(a, b):
    a.flat = b
    return a


def anti_diagonal(a):
    return np.diagonal(a[:, ::-1]) * 1, np.diagonal((a * 2)[::-1, 1:])


def changed_at(a):
    """Repeated places count in their order; a list of places is known to the trace."""
    np.subtract.at(a[0], [0, 0, 1], 2.0)
    np.power.at(a[1], [0, -1, 0], 2)
    np.negative.at(a, ([0, 0, 1], [1, 1, 2]))
    np.divide.at(a, ([0, 0, 1], [2, 2, 2]), [2.0, 4.0, 8.0])
    np.add.at(a, [0, 1, 1], np.ones((3, 3)))
    np.multiply.at(a.T, ([0, 0], [1, 1]), 2.0)
    return a


def small_integers():
    return np.arange(6, dtype=np.uint8).reshape(2, 3)


def floats():
    return np.arange(3.0)


def square():
    return np.arange(6.0).reshape(2, 3)


def numbers():
    return np.array([1.0, -1.0, 2.0])


def complexes():
    return np.arange(3.0) + 1j


WHOLE = {
    # NumPy's scalars and arrays as arguments, closures and globals
    "scalar argument": (lambda x, s: x * s, lambda: (floats(), numpy.float64(2))),
    "scalar argument of more precision": (
        lambda x, s: x * s, lambda: (np.ones(3, np.float32), numpy.float64(2))),
    "integer scalar argument": (lambda x, s: x * s, lambda: (np.ones(3, "f4"), numpy.int64(2))),
    "scalar on the left": (lambda x, s: s * x, lambda: (floats(), numpy.float64(2))),
    "scalars alone": (lambda x, s: (s * 2 + 1) * x, lambda: (floats(), numpy.float64(2))),
    "function of a scalar": (lambda x, s: np.sqrt(s) * x, lambda: (floats(), numpy.float64(4))),
    "dtype beside a scalar": (
        lambda x, s: x.astype(np.result_type(x, s)),
        lambda: (np.arange(3, dtype=np.int8), numpy.uint8(3))),
    "dtype beside an array": (
        lambda x, a: x.astype(np.result_type(x, a)),
        lambda: (np.arange(3), numpy.ones(2, "float32"))),
    "array argument": (lambda x, y: x * y, lambda: (floats(), numpy.arange(3))),
    "array on the left": (lambda x, y: y * x, lambda: (floats(), numpy.arange(3))),
    "globals": (lambda x: x * SCALAR + ARRAY, lambda: (floats(),)),
    "closure": (closed_over(numpy.float32(3)), lambda: (floats(),)),
    "constants": (lambda x: np.float32(3) * np.float32(2) * x, lambda: (np.ones(3, "f4"),)),
    # intermediate results as operands of @
    "(x * 2) @ x": (lambda x: (x * 2) @ x, lambda: (floats(),)),
    "x.T @ x": (lambda x: x.T @ x, lambda: (square(),)),
    "x[0] @ x.T": (lambda x: x[0] @ x.T, lambda: (square(),)),
    "x @ (x * 2)": (lambda x: x @ (x * 2), lambda: (floats(),)),
    "(x * 2) @ array": (lambda x, y: (x * 2) @ y, lambda: (floats(), numpy.ones(3))),
    "array @ (x * 2)": (lambda x, y: y @ (x * 2), lambda: (floats(), numpy.ones(3))),
    "matrix @ array of NumPy": (matrix_products, lambda: (np.tri(3), upper_triangle())),
    # a scalar as the result
    **{
        name: (lambda x, name=name: getattr((x - 1) ** 2, name)(), lambda: (floats(),))
        for name in ("sum", "max", "prod", "all", "any", "mean")
    },
    "several results": (lambda x: (x.sum(), {"a": x.max()}, [x.min()]), lambda: (floats(),)),
    "in place by a scalar": (in_place, lambda: (floats(), numpy.float64(2))),
    "in place by an array": (in_place, lambda: (floats(), numpy.array([1.0, 2.0, 3.0]))),
    "in place by a tensor": (in_place, lambda: (floats(), torch.tensor([1.0, 2.0, 3.0]))),
    "into an array of NumPy": (into_numpys, lambda: (np.tri(3), numpy.zeros((3, 3)))),
    "dtype of an array of NumPy": (
        lambda a: (np.zeros_like(a), a.dtype == np.float32, np.result_type(a, 1), np.fft.fft(a)),
        lambda: (numpy.ones(3, "f4"),)),
    **{
        f"{name} of {kind}": (
            lambda x, f=f: f(x), lambda kind=kind: (np.asarray([1, -1, 0.5], kind),))
        for kind in ("float32", "float16")
        for name, f in {
            "maximum of a large number": lambda x: (np.maximum(x, 1e300), np.maximum(1e300, x)),
            "minimum of a large number": lambda x: np.minimum(x, -1e300),
            "clip to large numbers": lambda x: (np.clip(x, 0, 1e300), x.clip(-1e39, 65521.0)),
            "where of large numbers": lambda x: (
                np.where(x > 0, x, 1e39), np.where(x > 0, -3.40282355e38, x)),
            "fill of a large number": lambda x: (x.fill(-1e300), x)[1],
            "assignment of large numbers": assigned_large,
        }.items()
    },
    "changes at places": (changed_at, lambda: (square(),)),
    "subtraction at places of small integers": (
        lambda a: (np.subtract.at(a, ([0, 0], [1, 1]), np.uint8(2)), a)[1],
        lambda: (small_integers(),)),
    "reduceat of a list": (
        lambda a: (np.add.reduceat(a[0], [0, 2, 1]), np.maximum.reduceat(a, (0, 2), axis=1)),
        lambda: (square(),)),
    "bincount": (
        lambda a: (np.bincount(a), np.bincount(a, minlength=7) / 2, np.bincount(a, a * 0.5)),
        lambda: (np.array([1, 0, 3, 1]),)),
    "differences": (
        lambda a: (np.diff(a), np.diff(a, 2, axis=0), np.diff(a[:0], axis=0)),
        lambda: (square(),)),
    "flip": (lambda a: (np.flip(a), np.flip(a[:1]), np.flip(a[:0])), lambda: (square(),)),
    "bits in place by a scalar": (bits_in_place, lambda: (np.arange(3), numpy.int64(2))),
    "bits in place by an array": (bits_in_place, lambda: (np.arange(3), numpy.arange(3) * 3)),
    "comparison with a scalar": (lambda x, s: s == x.sum(), lambda: (floats(), numpy.float64(3))),
    "array ** integers": (
        lambda x, y: x**y, lambda: (numpy.ones(3) * 2, np.array(2, np.uint8))),
    "complex ** integers": (
        lambda z, n: (z**n, 1j**n), lambda: (complexes(), np.array([1, 2, -3]))),
    "complex ** booleans": (
        lambda z, n: 1j ** (z == 1), lambda: (complexes(), 0)),
    "array of elements": (
        lambda x: np.array([x.sum(), x[1], numpy.float64(3)]), lambda: (floats(),)),
    "interp of a scalar": (
        lambda x: np.interp(x.sum(), [0, 1, 4], [1, 3, 2]), lambda: (floats(),)),
    "a scalar that is filled": (
        lambda x: (x.sum().fill(7), x.sum())[1], lambda: (floats(),)),
    "reshape of a reversed view": (lambda x: x.reshape(-1), lambda: (floats()[::-1],)),
    "diagonal of reversed views": (anti_diagonal, lambda: (square(),)),
    "reversed booleans in several dtypes": (
        lambda x: (np.logical_and.reduce(np.array([x.sum(dtype="f8")] * 2)), np.frexp(x)[1]),
        lambda: (np.array([[True, False]] * 2)[::-1],)),
    "isin of a scalar": (
        lambda x: (np.isin(x.sum(), x), np.isin(x[1], x)), lambda: (floats(),)),
    "a scalar that is put to": (
        lambda x: (x.sum().put(0, 7), x.sum())[1], lambda: (floats(),)),
    "reversed views of attributes": (
        lambda z: (z.T[::-1], np.flip(z.mT), z.real[:, ::-1], np.transpose(z)[::-1]),
        lambda: (complexes()[None],)),
    "flat of columns": (flat_by_columns, lambda: (square().copy("F"), np.arange(3.0))),
    "warning": (lambda x: (np.var(x[:1], ddof=1), (x + 1j).astype(int)), lambda: (floats(),)),
    "masked rows": (masked_rows, lambda: (square(),)),
    "overlapping operands": (overlapping, lambda: (floats() + 1,)),
    "write to a reversed view": (written_backwards, lambda: (floats(),)),
    "an element": (lambda x: x[1], lambda: (floats(),)),
    # complex numbers and booleans
    "z ** 2": (lambda z: z**2, lambda: (complexes(),)),
    "z ** 3.0": (lambda z: z**3.0, lambda: (complexes(),)),
    "2 ** z": (lambda z: 2**z, lambda: (complexes(),)),
    "z ** w": (lambda z, w: z**w, lambda: (complexes(), complexes())),
    "complex sign": (lambda z: np.sign(z), lambda: (complexes(),)),
    "complex NaN": (lambda z: np.where(z == 1j, complex("nan+infj"), z), lambda: (complexes(),)),
    "isclose of booleans": (
        lambda a, b: np.isclose(a, b), lambda: (np.array([True, False]), np.array([True, True]))),
    "boolean - float": (lambda a, b: a - b, lambda: (np.array([True, False]), np.ones(2))),
    # Python's own functions and control flow on shapes
    "min and max of shapes": (
        lambda x: x[: min(x.shape[0], 2)] + max(len(x), 1), lambda: (floats(),)),
    "min of elements": (lambda x: min(x[0], x[1], x[2]) + x, lambda: (numbers(),)),
    "max with a number": (lambda x: max(x[1], 0.5) + x, lambda: (numbers(),)),
    "min of a tie": (lambda x, y: min(x[0], y[0]) * 1, lambda: (-np.zeros(1), np.zeros(1))),
    "max of NaN": (lambda x: max(x[0], x[1]), lambda: (np.array([1.0, np.nan]),)),
    "loop over elements": (summed, lambda: (floats(),)),
    "condition on a shape": (by_shape, lambda: (floats(),)),
    "arange over a size": (lambda a: np.arange(a.shape[0]) + a[::-1], lambda: (floats(),)),
    "median": (lambda a: np.median(a), lambda: (floats(),)),
    "broadcast_to a size": (lambda a: np.broadcast_to(a, (2, a.shape[0])), lambda: (floats(),)),
    "broadcast_shapes": (
        lambda a, b: np.zeros(np.broadcast_shapes(a.shape, b.shape)),
        lambda: (np.ones((3, 1)), np.ones(4))),
    "rows": (lambda a: np.stack([r * i for i, r in enumerate(a)]), lambda: (square(),)),
    "unpacked rows": (lambda a: (lambda x, y: x + y)(*a), lambda: (square(),)),
    # what depends on values, in the graph
    "slice by an index": (by_index, lambda: (numbers(),)),
    "slice by elements": (lambda x, y: x[y[0] : y[1]], lambda: (floats(), np.array([0, 2]))),
    "element by an index": (lambda x: x[np.argmax(x)], lambda: (numbers(),)),
    "roll by an element": (
        lambda x, y: [np.roll(x, v) for v in y] + [np.roll(x, (y[0], 1), axis=(0, 0))],
        lambda: (floats(), np.array([1, -2, 0]))),
    "interp of counts": (
        lambda x, y: np.interp(y, np.arange(4), np.bincount(x, minlength=4)),
        lambda: (np.array([2, 0, 2]), floats())),
    "lstsq": (
        lambda a: np.linalg.lstsq(a.T, np.ones(3), rcond=None), lambda: (square(),)),
    "vstack of a row and a matrix": (
        lambda a: np.vstack([a[0], a, a[:1]]), lambda: (square(),)),
    "insert and delete of a list": (
        lambda x: (np.insert(x, [0, 2], [7, 8]), np.delete(x, (0, -1)), np.insert(x, [], [])),
        lambda: (numbers(),)),
    "polyfit": (lambda x: np.polyfit(np.arange(3), x, 1), lambda: (numbers(),)),
    "histogram of a range": (
        lambda x, top: np.histogram(x, bins=2, range=(0, top)), lambda: (numbers(), 1.5)),
    "lstsq of less than full rank": (
        lambda a: np.linalg.lstsq(a.T * 0, np.ones(3), rcond=None), lambda: (square(),)),
    "float()": (lambda x: float(x.sum()) + x, lambda: (floats(),)),
    "np.float64()": (lambda x: np.float64(x.sum()) + x, lambda: (floats(),)),
}  # fmt: skip
"""Programs that compile whole, and functions that make their arguments."""

MASKED = {
    **{
        name: (lambda x, f=f: f(x[x > 0]), lambda: (numbers(),))
        for name, f in {
            "sum": np.sum, "mean": np.mean, "var": np.var, "std": lambda v: v.std(ddof=1),
            "median": np.median, "prod": np.prod, "max": np.max, "norm": np.linalg.norm,
            "quantile": lambda v: np.quantile(v, 0.3), "diff": np.diff,
            "percentile": lambda v: np.percentile(v, [25, 75]), "flip": np.flip,
            "differences twice": lambda v: np.diff(v, 2, append=1.0), "reversed": lambda v: v[::-1],
            "reversed sum": lambda v: (v[::-1] * 2).sum(),
            "average": np.average, "where": lambda v: np.where(v > 1, v, 0), "size": np.size,
            "nansum": np.nansum, "einsum": lambda v: np.einsum("i,i->", v, v),
            "take": lambda v: np.take(np.arange(5), v.astype(int)),
        }.items()
    },
    **{
        f"{name} of nothing": (lambda x, f=f: f(x[x > 5]), lambda: (numbers(),))
        for name, f in {"sum": np.sum, "mean": np.mean, "var": np.var, "median": np.median}.items()
    },
    "piecewise": (
        lambda x: np.piecewise(x, [x < 0, x >= 0], [np.negative, np.square]),
        lambda: (numbers(),)),
    "isin of what is chosen": (lambda x: np.isin(x, x[x > 0]), lambda: (numbers(),)),
    "median of integers": (lambda x: np.median(x[x > 1]), lambda: (np.arange(6),)),
    "mean of integers": (lambda x: np.mean(x[x > 1]), lambda: (np.arange(6),)),
    "var of integers": (lambda x: np.var(x[x > 1], ddof=1), lambda: (np.arange(6),)),
    "assignment": (masked, lambda: (numbers(), floats())),
    "assignment in place": (masked_in_place, lambda: (numbers(),)),
    "assignment to a reversed view": (masked_in_place, lambda: (numbers()[::-1],)),
    "assignment of values": (masked_by, lambda: (numbers(), np.array([7.0, 8.0]))),
    "assignment of one value": (masked_by, lambda: (numbers(), np.array([7.0]))),
    "assignment of no values": (masked_by, lambda: (-np.ones(3), np.array([]))),
}  # fmt: skip
"""Programs whose sizes depend on values: they compile whole where Dynamo is told to capture."""

BREAKING = {
    "masked assignment": (masked, lambda: (numbers(), floats())),
    "mean of a mask": (lambda a: np.mean(a[a > 0]), lambda: (numbers(),)),
    "var of a mask": (lambda a: np.var(a[a > 0]), lambda: (numbers(),)),
    "std of a mask": (lambda a: np.std(a[a > 0]), lambda: (numbers(),)),
    "median of a mask": (lambda a: np.median(a[a > 0]), lambda: (numbers(),)),
    "int()": (lambda x: int(x.sum()) + x, lambda: (floats(),)),
    "condition on a value": (lambda x: x if x.sum() > 0 else -x, lambda: (floats(),)),
}
"""Programs whose shapes or control flow depend on values: the graph may break."""


def assert_same(got, expected):
    """Compare values bit by bit, dtypes, shapes and containers."""
    assert isinstance(got, (tuple, list, dict)) == isinstance(expected, (tuple, list, dict))
    if isinstance(expected, dict):
        assert got.keys() == expected.keys()
        for key in expected:
            assert_same(got[key], expected[key])
    elif isinstance(expected, (tuple, list)):
        assert type(got) is type(expected)
        assert len(got) == len(expected)
        for a, b in zip(got, expected, strict=True):
            assert_same(a, b)
    else:
        a, b = as_numpy(got), as_numpy(expected)
        assert (a.dtype, a.shape) == (b.dtype, b.shape)
        numpy.testing.assert_array_equal(a, b)
        if a.dtype.kind == "f":
            signs = [numpy.signbit(v) & ~numpy.isnan(v) for v in (a, b)]
            numpy.testing.assert_array_equal(*signs)


@pytest.mark.filterwarnings("ignore:Degrees of freedom", "ignore:.*imaginary part")
@pytest.mark.parametrize("dynamic", [None, True])
@pytest.mark.parametrize("name", sorted(WHOLE))
def test_compiles_whole(name, dynamic):
    program, inputs = WHOLE[name]
    torch._dynamo.reset()
    compiled = torch.compile(program, backend="eager", fullgraph=True, dynamic=dynamic)
    given, same = inputs(), inputs()
    assert_same(compiled(*given), program(*same))
    assert_same(given, same)


@pytest.mark.parametrize("name", sorted(BREAKING))
def test_compiles_with_breaks(name):
    program, inputs = BREAKING[name]
    torch._dynamo.reset()
    compiled = torch.compile(program, backend="eager")
    assert_same(compiled(*inputs()), program(*inputs()))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", sorted(MASKED))
def test_sizes_of_data(name):
    program, inputs = MASKED[name]
    torch._dynamo.reset()
    compiled = torch.compile(program, backend="eager", fullgraph=True)
    given, same = inputs(), inputs()
    with torch._dynamo.config.patch(capture_dynamic_output_shape_ops=True):
        assert_same(compiled(*given), program(*same))
    assert_same(given, same)


def test_interp_of_too_few_counts():
    """The graph checks sizes that depend on values."""
    torch._dynamo.reset()
    compiled = torch.compile(
        lambda x: np.interp(0.5, np.arange(2), np.bincount(x)), backend="eager", fullgraph=True
    )
    with pytest.raises(RuntimeError):
        compiled(np.array([2]))


def test_negative_numbers_to_count():
    torch._dynamo.reset()
    compiled = torch.compile(np.bincount, backend="eager", fullgraph=True)
    with pytest.raises(RuntimeError, match="x must have no negative elements"):
        compiled(np.array([1, -1]))


def test_too_few_values_for_a_mask():
    torch._dynamo.reset()
    compiled = torch.compile(masked_by, backend="eager", fullgraph=True)
    with pytest.raises(RuntimeError, match="as many values as places"):
        compiled(numbers(), floats())


def test_a_view_of_a_reversed_view_is_a_view():
    torch._dynamo.reset()
    x = floats()[::-1]
    y = torch.compile(lambda x: x.reshape(-1), backend="eager")(x)
    assert np.shares_memory(x, y)


def test_numpys_values_alone_are_computed_by_torch():
    """A control for the page on compiling: these programs have nothing of ours in them."""

    def written(b):
        total = 0 + b
        total.ravel()[0] = 3
        return total

    torch._dynamo.reset()
    assert written(numpy.float64(0)) == 0
    assert torch.compile(written, backend="eager")(numpy.float64(0)) == 3
    halved = torch.compile(lambda a: a / 2, backend="eager")(numpy.ones(2, "int8"))
    assert halved.dtype == numpy.float32
    with pytest.raises(TorchRuntimeError, match="uint32"):
        torch.compile(lambda a: 9 * a, backend="eager")(numpy.ones(2, "uint32"))
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        torch.compile(lambda a: 2 % a, backend="eager")(numpy.zeros(2, "uint8"))


@pytest.mark.filterwarnings("ignore")
def test_a_read_only_array_of_numpys_becomes_writeable_by_torch():
    """A control for the page on compiling; ``jit`` leaves it read-only, as its tests show."""
    torch._dynamo.reset()
    given = numpy.zeros(2)
    given.flags.writeable = False
    torch.compile(lambda a: a + 1, backend="eager")(given)
    assert given.flags.writeable


def test_a_trace_warns():
    torch._dynamo.reset()
    with pytest.warns(RuntimeWarning, match="Degrees of freedom"):
        torch.compile(lambda x: np.var(x[:1], ddof=1), backend="eager", fullgraph=True)(floats())


def test_library_code_is_traced_in_user_functions_only():
    """After a graph break the interpreter runs the library: it makes no graphs of its own."""
    graphs = []

    def counting(graph, inputs):
        graphs.append([n.target for n in graph.graph.nodes if n.op.startswith("call")])
        return graph

    torch._dynamo.reset()
    result = torch.compile(masked, backend=counting)(numbers(), floats())
    assert result.tolist() == [0.0, -1.0, 2.0]
    assert len(graphs) <= 2  # the copy and the comparison, and the assignment


def test_function_of_the_library_compiles_by_itself():
    torch._dynamo.reset()
    x = floats()
    assert_same(torch.compile(np.sin, backend="eager", fullgraph=True)(x), np.sin(x))
    assert_same(torch.compile(np.var, backend="eager", fullgraph=True)(x), np.var(x))
