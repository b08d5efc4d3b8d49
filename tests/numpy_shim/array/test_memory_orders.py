"""New arrays lie in memory as NumPy's do: results of ``linalg``, ``fft`` and ``einsum``.

The operands lie row by row, column by column, in steps, backwards, and with permuted axes.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy
import pytest
import torch

import numpy_shim
from tests.numpy_shim.calls import lines


def permuted(x: Any) -> Any:
    """The values with the first axis innermost."""
    axes = (x.ndim - 1, *range(x.ndim - 1))
    return numpy.ascontiguousarray(numpy.moveaxis(x, 0, -1)).transpose(axes)


ORDERS: dict[str, Callable[[Any], Any]] = {
    "rows": numpy.ascontiguousarray,
    "columns": numpy.asfortranarray,
    "transposed": lambda x: numpy.ascontiguousarray(x.swapaxes(0, -1)).swapaxes(0, -1),
    "matrices transposed": lambda x: numpy.ascontiguousarray(x.mT).mT if x.ndim > 1 else x,
    "steps": lambda x: numpy.repeat(x, 2, -1)[..., ::2],
    "backwards": lambda x: numpy.ascontiguousarray(x[::-1])[::-1],
    "permuted": permuted,
}  # fmt: skip


def filled(shape: tuple[int, ...], dtype: str) -> Any:
    """Values of which the matrices, where they are square, are Hermitian and regular."""
    x = numpy.random.default_rng(len(shape)).integers(0, 5, shape).astype("f8")
    if len(shape) > 1 and shape[-1] == shape[-2]:
        x += x.swapaxes(-1, -2) + 30 * numpy.eye(shape[-1])
    return x.astype(dtype)


def facts(result: Any) -> Any:
    """Shape, dtype and steps of arrays, but for axes along which there is no step."""
    if isinstance(result, tuple):
        return [facts(x) for x in result]
    steps = [s for s, n in zip(result.strides, result.shape, strict=True) if n > 1 and result.size]
    flags = result.flags
    return result.shape, result.dtype, steps, flags.c_contiguous, flags.f_contiguous


def same_order(call: str, x: Any) -> None:
    try:
        expected = facts(eval(call, {"np": numpy, "x": x}))
    except (ValueError, IndexError):  # no such axis, or a transform of no elements
        return
    assert facts(eval(call, {"np": numpy_shim, "x": numpy_shim.asarray(x)})) == expected


SQUARE = lines("""
np.linalg.inv(x)
np.linalg.cholesky(x)
np.linalg.cholesky(x, upper=True)
np.linalg.eig(x)
np.linalg.eigvals(x)
np.linalg.eigh(x)
np.linalg.eigh(x, "U")
np.linalg.eigvalsh(x)
np.linalg.svd(x, hermitian=True)
np.linalg.pinv(x, hermitian=True)
np.linalg.solve(x, x)
np.linalg.solve(x, np.matrix_transpose(x))
np.linalg.solve(x, x[(0,) * (x.ndim - 2)][:, :2])
np.linalg.solve(x[(0,) * (x.ndim - 2)], x)
np.linalg.solve(x, x[(0,) * (x.ndim - 1)])
np.linalg.matrix_power(x, 0)
np.linalg.matrix_power(x, 1)
""")
RECTANGULAR = lines("""
np.linalg.qr(x)
np.linalg.qr(x, "complete")
np.linalg.qr(x, "r")
np.linalg.qr(x, "raw")
np.linalg.svd(x)
np.linalg.svd(x, full_matrices=False)
np.linalg.svdvals(x)
np.linalg.pinv(x)
np.kron(x, x)
""")
OF_MATRICES = lines("""
np.linalg.lstsq(x, x, rcond=None)
np.linalg.lstsq(x, x[:, 0], rcond=None)
np.linalg.norm(x, axis=0)
np.linalg.norm(x, axis=1, keepdims=True)
np.linalg.cross(x[:, :3], x[:, :3])
np.cross(x[:3], x[:3], axis=0)
np.cross(x[:3, :2] > 0, x[:3], axisb=0, axisc=0)
np.linalg.outer(x[0], x[:, 0])
np.linalg.matmul(x, np.matrix_transpose(x))
np.linalg.tensordot(x, x, axes=((0,), (0,)))
np.linalg.multi_dot([x, np.matrix_transpose(x), x])
np.linalg.vecdot(x, x, axis=0)
""")


@pytest.mark.parametrize("dtype", ["f8", "f4", "c16", "i8"])
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("call", SQUARE)
def test_of_square_matrices(call: str, order: str, dtype: str):
    for shape in [(3, 3), (2, 3, 3), (2, 2, 3, 3), (1, 3, 3), (2, 1, 1), (0, 2, 2), (2, 0, 0)]:
        if call.startswith("np.linalg.solve") and 0 in shape:
            continue  # no first matrix
        if 0 not in shape[-2:] or "eig" not in call:
            same_order(call, ORDERS[order](filled(shape, dtype)))


@pytest.mark.parametrize("dtype", ["f8", "f4", "c16", "i8"])
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("call", RECTANGULAR)
def test_of_matrices(call: str, order: str, dtype: str):
    for shape in [(3, 3), (4, 3), (3, 4), (1, 3), (2, 4, 3), (2, 3, 4), (2, 2, 3, 4)]:
        same_order(call, ORDERS[order](filled(shape, dtype)))


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("call", OF_MATRICES)
def test_of_one_matrix(call: str, order: str):
    for shape in [(3, 3), (4, 3), (3, 4)]:
        same_order(call, ORDERS[order](filled(shape, "f8")))


TRANSFORMS = [
    f"np.fft.{name}(x, axis={axis})"
    for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")
    for axis in (0, -1)
]
TRANSFORMS += [
    f"np.fft.{name}(x{rest})"
    for name in ("fftn", "ifftn", "rfftn", "irfftn")
    for rest in ("", ", axes=(0,)", ", axes=(-1, 0)", ", s=(5, 2), axes=(0, 1)")
]
TRANSFORMS += lines("""
np.fft.fft(x, 5, axis=0)
np.fft.rfft(x, 5, axis=0)
np.fft.irfft(x, 5, axis=0)
np.fft.fft2(x)
np.fft.irfft2(x)
np.fft.fftn(x, axes=(0, 0))
np.fft.fftshift(x)
np.fft.ifftshift(x, axes=0)
""")  # fmt: skip


@pytest.mark.parametrize("dtype", ["f8", "f4", "f2", "c16", "i8"])
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("call", TRANSFORMS)
def test_of_transforms(call: str, order: str, dtype: str):
    if dtype == "c16" and ("rfft" in call or "ihfft" in call) and "irfft" not in call:
        pytest.skip("real numbers only")
    for shape in [(4,), (4, 3), (3, 1), (1, 3), (3, 4, 2), (2, 3, 4, 2)]:
        if len(shape) > 1 or not any(part in call for part in ("axes=(-1, 0)", "(0, 1)", "fft2")):
            same_order(call, ORDERS[order](filled(shape, dtype)))


OTHERS = lines("""
np.cumsum(x, axis=0)
np.cumsum(x.astype("f4"), axis=-1, dtype="f8")
np.cumprod(x, axis=-1)
np.cumulative_sum(x, axis=0, include_initial=True)
np.nancumsum(x, axis=0)
np.maximum.accumulate(x)
np.fmax.accumulate(x, axis=-1)
np.roll(x, 1)
np.roll(x, 1, axis=0)
np.roll(x, (1, 2), axis=(0, 1))
np.unwrap(x)
np.unwrap(x, axis=0)
np.gradient(x)
np.gradient(x, axis=0)
np.gradient(x, 2.0, axis=-1, edge_order=2)
np.quantile(x, 0.5, axis=0)
np.quantile(x, [0.2, 0.5], axis=0)
np.percentile(x, [[20], [50]], axis=-1, keepdims=True)
np.nanquantile(x, [0.2, 0.5], axis=0)
np.stack([x, x])
np.stack([x, x], axis=1)
np.stack([x, x], axis=-1)
np.stack([x, x.copy()], axis=1)
np.concatenate([x, x])
np.concatenate([x, x[:1]], axis=0)
np.concatenate([x[:1], x], axis=0)
np.concatenate([x, x.copy()], axis=-1)
np.hstack([x, x])
np.vstack([x, x])
np.dstack([x, x])
np.column_stack([x, x])
np.block([[x, x], [x, x]])
np.append(x, x, axis=0)
np.insert(x, 1, 5, axis=0)
np.insert(x, [0, 1], x[..., :1], axis=-1)
np.delete(x, 1, axis=0)
np.delete(x, [0, 1], axis=-1)
np.sort(x, axis=0)
np.argsort(x, axis=0)
np.argsort(x, kind="stable")
np.argpartition(x, 1, axis=0)
np.interp(x, [0, 1, 2], [3, 4, 5])
np.select([x > 1, x > 2], [x, -x])
""")


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("call", OTHERS)
def test_of_other_functions(call: str, order: str):
    for shape in [(3, 3), (4, 3), (3, 4, 2), (2, 3, 4, 2), (3, 4, 1)]:
        same_order(call, ORDERS[order](filled(shape, "f8")))


@pytest.mark.parametrize("order", ["rows", "columns"])
@pytest.mark.parametrize("axis", [0, 1])
def test_of_bits(axis: int, order: str):
    for shape in [(3, 3), (4, 3), (3, 16)]:
        same_order(f"np.unpackbits(x, axis={axis})", ORDERS[order](filled(shape, "u1")))


SUMS = [
    "ij,jk->ik", "ij,jk->ki", "ij,jk,kl->il", "ij,jk,kl->li", "ij,ij->ij", "ij,ij->ji", "i,j->ij",
    "i,j->ji", "ij,j->ij", "ij,j->ji", "ijk,ikl->ijl", "ijk,jkl->il", "ij->ji", "ijk->ki",
    "ijk->ik", "ijj->ij", "iij->ji", "iij->ij", "ij,kj->ki", "ij,kl->ijkl", "ij,kl->ikjl",
    "ij,kl->lkji", "ij,kl,mn->in", "...j,jk->...k", "...ij,...jk->...ki", "ijk,k->ji",
    "ab,bc,cd,de->ae", "ij,ik->kj", "bij,bj->bi", "bij,bj->ib", "bqhd,bkhd->bhqk",
    "bhqk,bkhd->bqhd", "a,b,c->cab", "ab,a->ba",
]  # fmt: skip
SIZES = dict(zip("abcdeijklmnhq", [2, 3, 4, 2, 3, 3, 2, 4, 3, 2, 3, 2, 4], strict=True))


@pytest.mark.parametrize("single", ["", "i", "j"])
@pytest.mark.parametrize("subscripts", SUMS)
def test_of_sums(subscripts: str, single: str):
    """The result lies as NumPy's iterator goes along the operands, where ``single`` has size 1."""
    terms = subscripts.split("->")[0].split(",")
    for orders in itertools.product(
        ["rows", "columns", "permuted", "backwards"], repeat=len(terms)
    ):
        given = []
        for term, order in zip(terms, orders, strict=True):
            shape = tuple(1 if c == single else SIZES[c] for c in term.replace("...", ""))
            x = filled((2, 3, *shape) if term.startswith("...i") else shape, "f8")
            given.append(ORDERS[order](x))
        try:
            expected = numpy.einsum(subscripts, *given)
        except ValueError:  # an axis of size 1 broadcasts to no diagonal
            continue
        assert facts(numpy_shim.einsum(subscripts, *given)) == facts(expected)


@pytest.mark.parametrize("call", ["inv(x)", "solve(x, x)", "cholesky(x)", "qr(x)[0]", "svd(x)[2]"])
def test_views_of_results(call: str):
    """What a result in rows is needed for."""
    for np in (numpy_shim, numpy):
        y = eval(f"np.linalg.{call}", {"np": np, "x": np.asarray(filled((2, 2), "f8"))})
        y.ravel()[0] = 9
        assert y[0, 0] == 9
        assert y.view("i8").shape == (2, 2)
        y.shape = (4,)
        assert y[0] == 9
        assert y.base is None


@pytest.mark.parametrize("call", ["linalg.inv(x)", "linalg.svd(x)[0]", "fft.fft(x, axis=0).real",
                                  "einsum('ij,jk,kl->li', x, x, x)"])  # fmt: skip
def test_gradients_and_traces(call: str):
    """The gradient is that of torch's result, and a graph has the same order."""

    function = eval(f"lambda x: np.{call}", {"np": numpy_shim})
    x = torch.tensor([[4.0, 1, 0], [1, 5, 2], [0, 2, 7]], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda t: function(numpy_shim.asarray(t)).tensor, x)
    given = numpy_shim.asarray(x.detach())
    compiled = torch.compile(lambda t: function(t).tensor, backend="aot_eager", fullgraph=True)
    assert compiled(given).stride() == function(given).tensor.stride()
