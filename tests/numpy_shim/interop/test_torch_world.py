"""Arrays in the rest of torch: transforms, graphs, loaders, files, and how they are printed."""

from __future__ import annotations

import copy
import io

import numpy
import pytest
import torch
from torch._subclasses import FakeTensorMode
from torch.fx.experimental.proxy_tensor import make_fx
from torch.utils import checkpoint
from torch.utils.data import DataLoader, default_collate

import numpy_shim as np
import xp_torch as xp


def wave(x):
    return np.sin(x) * x


X = numpy.arange(3.0)
SLOPE = numpy.cos(X) * X + numpy.sin(X)


def as_arrays(*tensors):
    return [np.asarray(torch.tensor(t, dtype=torch.float64, requires_grad=True)) for t in tensors]


def test_transforms_take_and_give_arrays():
    x = np.asarray(X)
    primal, tangent = torch.func.jvp(wave, (x,), (np.ones(3),))
    assert type(primal) is type(tangent) is np.ndarray
    assert np.allclose(tangent, SLOPE)
    assert np.allclose(torch.func.vjp(wave, x)[1](np.ones(3))[0], SLOPE)
    for transform in (torch.func.jacrev, torch.func.jacfwd):
        found = transform(wave)(x)
        assert type(found) is np.ndarray
        assert np.allclose(found, np.diag(np.asarray(SLOPE)))
    hessian = torch.func.hessian(lambda x: np.sum(x**3).tensor)(x)
    assert np.allclose(hessian, np.diag(6 * x))
    assert torch.func.vmap(lambda x: np.sum(x * x))(np.ones((2, 3))).tolist() == [3, 3]
    assert torch.func.grad(lambda x: np.sum(x**2).tensor)(x).tolist() == [0, 2, 4]


def test_transforms_take_arrays_of_the_standard():
    found = torch.func.jacrev(lambda x: x * x)(xp.asarray([1.0, 2.0]))
    assert type(found) is type(xp.ones(1))
    assert xp.to_torch(found).tolist() == [[2, 0], [0, 4]]
    doubled = torch.func.vmap(lambda x: x + x)(xp.ones((2, 3)))
    assert xp.to_torch(doubled).tolist() == [[2, 2, 2], [2, 2, 2]]


@pytest.mark.parametrize("strict", [True, False])
def test_graphs(strict):
    class Module(torch.nn.Module):
        def forward(self, x):
            return wave(x)

    x = np.asarray(X)
    assert np.allclose(make_fx(wave)(x)(x), wave(x))
    torch._dynamo.reset()
    exported = torch.export.export(Module(), (x,), strict=strict)
    targets = [str(n.target) for n in exported.graph.nodes if n.op == "call_function"]
    assert targets == ["aten.sin.default", "aten.mul.Tensor"]
    result = exported.module()(x)
    assert type(result) is np.ndarray
    assert np.allclose(result, wave(x))


def test_checkpoint():
    (x,) = as_arrays(X)
    y = checkpoint.checkpoint(wave, x, use_reentrant=False)
    y.tensor.sum().backward()
    assert numpy.allclose(x.tensor.grad, SLOPE)


@pytest.mark.parametrize("make", [np.ones, xp.ones])
def test_a_batch_of_arrays_is_a_tensor(make):
    """As a batch of NumPy's arrays is."""
    batch = default_collate([make(2), make(2)])
    assert type(batch) is torch.Tensor
    assert batch.tolist() == [[1, 1], [1, 1]]
    loaded = list(DataLoader([(make(2), 1), (make(2), 2), (make(2), 3)], batch_size=2))
    assert [tuple(arrays.shape) for arrays, _ in loaded] == [(2, 2), (1, 2)]


def test_a_reversed_array_in_a_batch():
    assert default_collate([np.arange(3)[::-1], np.arange(3)]).tolist() == [[2, 1, 0], [0, 1, 2]]


@pytest.mark.parametrize(
    "x",
    [np.arange(3.0), np.arange(3, dtype=np.uint16), np.ones(2, np.complex128), np.float64(2),
     np.asarray(torch.ones(2, requires_grad=True)), xp.ones(2), xp.ones(2, dtype=xp.uint16),
     [xp.ones(1), np.ones(1)]],
)  # fmt: skip
def test_files_with_weights_only(x):
    file = io.BytesIO()
    torch.save({"x": x}, file)
    file.seek(0)
    again = torch.load(file, weights_only=True)["x"]
    assert type(again) is type(x)
    assert str(again) == str(x)


def test_printing_without_values():
    meta = np.asarray(torch.ones(2, 3, device="meta"))
    assert repr(meta) == "array(..., shape=(2, 3), dtype=float32, device=meta)"
    assert "shape=(), dtype=float32" in repr(np.sum(meta))
    shown = []
    torch.func.vmap(lambda x: shown.extend([repr(x), str(x[0])]) or x)(np.ones((2, 3)))
    assert shown[0] == "array(..., shape=(3,), dtype=float64, device=cpu)"
    assert "shape=(), dtype=float64" in shown[1]
    torch.func.vmap(lambda x: shown.append(repr(x)) or x)(xp.ones((2, 3)))
    assert shown[-1] == "Array(..., shape=(3,), dtype=float64)"
    with FakeTensorMode():
        assert "shape=(3,), dtype=float64" in repr(np.ones(3))
        assert "shape=(3,), dtype=float64" in repr(xp.ones(3))


MASK = numpy.array([True, False])


@pytest.mark.parametrize(
    ("function", "operands", "slopes"),
    [
        (np.sqrt, [[4.0, 0.0]], [[0.25, 0.0]]),
        (np.log, [[2.0, 0.0]], [[0.5, 0.0]]),
        (np.reciprocal, [[1.0, 0.0]], [[-1.0, 0.0]]),
        (np.arcsin, [[0.0, 1.0]], [[1.0, 0.0]]),
        (np.divide, [[1.0, 1.0], [1.0, 0.0]], [[1.0, 0.0], [-1.0, 0.0]]),
        (np.power, [[1.0, 0.0], [2.0, 0.5]], [[2.0, 0.0], [0.0, 0.0]]),
    ],
)
def test_gradient_where_elements_are_left_out(function, operands, slopes):
    """No NaN from the elements that ``where=`` leaves out."""
    arrays = as_arrays(*operands)
    result = function(*arrays, out=np.zeros(2), where=np.asarray(MASK))
    found = torch.autograd.grad(result.tensor.sum(), [a.tensor for a in arrays])
    assert [f.tolist() for f in found] == slopes


def slope(function, *values):
    arrays = as_arrays(*values)
    found = torch.autograd.grad(function(*arrays).tensor.sum(), [a.tensor for a in arrays])
    return [f.tolist() for f in found]


def test_gradients_at_special_points():
    assert slope(np.nanstd, [2.0, 2.0]) == [[0, 0]]
    assert slope(lambda x: np.sum(x, where=~np.isnan(x)), [2.0, numpy.nan]) == [[1, 0]]
    for function in (np.maximum, np.minimum):
        of_number = slope(lambda x, f=function: f(x, 2.0), [2.0, 3.0])
        assert of_number == slope(lambda x, f=function: f(x, np.full(2, 2.0)), [2.0, 3.0])
    assert slope(np.heaviside, [1.0, 0.0], [3.0, 4.0]) == [[0, 0], [0, 1]]


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ([0, 0, 1], [0, 1, 1]),
        ([0, 0, -3], [0, 0, 1]),
        (np.array([0, 0, 1]), [0, 1, 1]),
        ([[0, 0, 1]], None),
        (([0, 0, 0], [1, 1, 0]), [0, 1, 1]),
    ],
)
def test_gradient_of_replaced_values(key, expected):
    """Where an index is repeated the last value stays, and only that one has a gradient."""
    shape = (3, 2) if isinstance(key, tuple) else (3,)

    def assigned(values):
        x = np.zeros(shape) * values[0]
        x[key] = values
        return x

    if expected is None:
        expected = [0, 1, 1]
    assert slope(assigned, [1.0, 2.0, 3.0]) == [expected]


def test_deepcopy_of_a_result_is_refused():
    (x,) = as_arrays([1.0, 2.0])
    assert copy.deepcopy(x).tensor.is_leaf
    with pytest.raises(RuntimeError, match="deepcopy"):
        copy.deepcopy(x * 2)
    with pytest.raises(RuntimeError, match="deepcopy"):
        copy.deepcopy(np.sum(x))


def test_second_derivatives():
    """Functions whose kernels are our own, at values inside their domain."""
    for function in (np.hypot, np.logaddexp, np.arctan2, np.power, np.maximum):
        t, u = (torch.rand(3, dtype=torch.float64, requires_grad=True) for _ in range(2))
        assert torch.autograd.gradgradcheck(
            lambda a, b, f=function: f(np.asarray(a), np.asarray(b)).tensor, (t + 0.5, u + 0.7)
        )


MAPPED = {
    "convolve": lambda v: np.convolve(v, np.arange(3.0)),
    "correlate": lambda v: np.correlate(v, np.arange(3.0), "same"),
    "pad": lambda v: np.pad(v, 1, mode="reflect"),
    "array of elements": lambda v: np.array([v[1], v[0]]),
    "insert": lambda v: np.insert(v, 1, 5.0),
    "out": lambda v: np.divide(v, v, where=v > 0, out=np.ones_like(v)),
    "masked": lambda v: np.where(v > 1, v, 0),
    "select": lambda v: np.select([v > 2, v > 1], [v, -v], 0),
}


@pytest.mark.parametrize("name", sorted(MAPPED))
def test_functions_that_make_arrays_can_be_mapped(name):
    x = np.arange(12.0).reshape(3, 4)
    expected = [MAPPED[name](row.copy()).tolist() for row in x]
    assert torch.func.vmap(MAPPED[name])(x).tolist() == expected


def assigned(v, made):
    for i in range(4):
        made[i] = v[i] * 2
    return made


def test_assignment_under_vmap():
    """torch cannot write mapped values into other memory; the error says what can be done."""
    x = np.arange(12.0).reshape(3, 4)
    mapped = torch.func.vmap(lambda v: assigned(v, np.zeros_like(v)))(x)
    assert mapped.tolist() == (x * 2).tolist()

    def added(v):
        total = np.zeros(4)
        total += v
        return total

    for function in (lambda v: assigned(v, np.zeros(4)), added,
                     lambda v: np.multiply(v, 2, out=np.empty(4))):  # fmt: skip
        with pytest.raises(ValueError, match=r"under vmap.*zeros_like"):
            torch.func.vmap(function)(x)
