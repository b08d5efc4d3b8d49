"""What is done to an array that runs backwards, or that is locked, is done as by NumPy."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy
import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.proxy_tensor import make_fx
from torch.utils._python_dispatch import TorchDispatchMode

import numpy_shim
from numpy_shim._kernels import backwards
from tests.differential import Spec
from tests.numpy_shim.differential import compare
from tests.releases import TORCH

MATRIX = Spec(numpy.arange(20.0).reshape(4, 5) + 1)

VIEWS = {
    "rows": lambda a: a[::-1],
    "both": lambda a: a[::-1, ::-2],
    "transposed": lambda a: a[:, ::-1].T,
    "part": lambda a: a[1:4][::-1],
    "column": lambda a: a[::-1][:, 1],
    "row": lambda a: a.T[::-1, 2],
    "last": lambda a: a[..., ::-1],
}


def _locked(v: Any, writeable: bool = False) -> Any:
    v.flags.writeable = writeable
    return v


def _each_row(v: Any) -> None:
    for row in v:
        row[...] = 3


CHANGES = {
    "+=": lambda np, v: v.__iadd__(2),
    "-= reversed": lambda np, v: v.__isub__(v[::-1]),
    "*= copy": lambda np, v: v.__imul__(v.copy()),
    "out": lambda np, v: np.add(v, 1, out=v),
    "out, reversed operand": lambda np, v: np.add(v, v[::-1], out=v),
    "unary out": lambda np, v: np.negative(v, out=v),
    "fill": lambda np, v: v.fill(7),
    "sort": lambda np, v: v.sort(axis=0),
    "put": lambda np, v: np.put(v, [0, 2, -1], [10, 20, 30]),
    "place": lambda np, v: np.place(v, v > 5, [1, 2, 3]),
    "putmask": lambda np, v: np.putmask(v, v > 5, [1, 2, 3]),
    "copyto": lambda np, v: np.copyto(v, v[::-1].copy(), where=v > 4),
    "flat": lambda np, v: v.flat.__setitem__(slice(1, 4), 9),
    "flat as a whole": lambda np, v: setattr(v, "flat", [1, 2, 3]),
    "add.at": lambda np, v: np.add.at(v, [0, 0, 1], 1.0),
    "mask": lambda np, v: v.__setitem__(v > 5, 0),
    "mask of values": lambda np, v: v.__setitem__(v > 5, v[v > 5] * 2),
    "indices": lambda np, v: v.__setitem__([0, 1], 3),
    "slice": lambda np, v: v.__setitem__(slice(1, None), 4),
    "slice backwards": lambda np, v: v.__setitem__(slice(None, None, -2), 4),
    "integer": lambda np, v: v.__setitem__(0, 4),
    "ellipsis": lambda np, v: v.__setitem__(Ellipsis, 4),
    "itself reversed": lambda np, v: v.__setitem__(slice(None), v[::-1]),
    "clip": lambda np, v: v.clip(3, 5, out=v),
    "cumsum": lambda np, v: np.cumsum(v, axis=0, out=v),
    "round": lambda np, v: np.round(v / 3, 1, out=v),
    "reshape": lambda np, v: v.reshape(-1).__setitem__(0, 99),
    "ravel": lambda np, v: v.ravel().__setitem__(0, 99),
    "transpose": lambda np, v: v.T.__setitem__(0, 99),
    "expand_dims": lambda np, v: np.expand_dims(v, 0).__setitem__((0, 0), 99),
    "fill_diagonal": lambda np, v: np.fill_diagonal(v, 5) if v.ndim == 2 else None,
    "put_along_axis": lambda np, v: np.put_along_axis(v, np.argsort(v, axis=0), 1.0, 0),
    "array_split": lambda np, v: np.array_split(v, 2)[0].__setitem__(0, 77),
    "swapaxes": lambda np, v: np.swapaxes(v, 0, -1).__setitem__(0, 5),
    "moveaxis": lambda np, v: np.moveaxis(v, 0, -1).__setitem__(0, 5),
    "view": lambda np, v: v.view().__setitem__(0, 1),
    "view(dtype)": lambda np, v: v.view(np.int64).__setitem__(0, 1),
    "atleast_3d": lambda np, v: np.atleast_3d(v).__setitem__(0, 1),
    "flip": lambda np, v: np.flip(v).__setitem__(0, 3),
    "rot90": lambda np, v: np.rot90(v).__setitem__(0, 3) if v.ndim == 2 else None,
    "real": lambda np, v: v.real.__setitem__(0, 3),
    "unstack": lambda np, v: np.unstack(v)[0].__setitem__(0, 3) if v.ndim == 2 else None,
    "rows": lambda np, v: _each_row(v) if v.ndim == 2 else None,
    "shape": lambda np, v: setattr(v, "shape", (-1,)),
    "resize": lambda np, v: v.resize(3),
    "nan_to_num": lambda np, v: np.nan_to_num(v, copy=False),
    "shuffle": lambda np, v: np.random.default_rng(0).shuffle(v),
    "locked": lambda np, v: _locked(v).__setitem__(0, 1),
    "locked, in place": lambda np, v: _locked(v).__iadd__(1),
    "locked, a view": lambda np, v: _locked(v)[::-1].__setitem__(0, 1),
    "locked, sorted": lambda np, v: _locked(v).T.sort(),
    "locked, out": lambda np, v: np.add(v, 1, out=_locked(v)),
    "unlocked": lambda np, v: _locked(_locked(v), True).__setitem__(0, 1),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)
def test_changes(view: Any, change: Any):
    """What a change leaves in the view and in its base, and its error."""

    def body(np: Any, a: Any) -> Any:
        v = view(a)
        try:
            change(np, v)
        except (ValueError, AttributeError) as error:
            return type(error).__name__, a, np.array(v)
        return a, np.array(v)

    compare(body, MATRIX)


READINGS = {
    "ascontiguousarray": lambda np, v: np.ascontiguousarray(v).flags.c_contiguous,
    "asfortranarray": lambda np, v: np.asfortranarray(v).flags.f_contiguous,
    "array": lambda np, v: np.array(v, copy=None) is v,
    "astype": lambda np, v: v.astype(float, copy=False) is v,
    "ndmin": lambda np, v: np.shares_memory(np.array(v, copy=None, ndmin=3), v),
    "tobytes": lambda np, v: v.tobytes(),
    "tolist": lambda np, v: v.tolist(),
    "flags": lambda np, v: (v.flags.c_contiguous, v.flags.owndata, v.flags.writeable, v.strides),
    "shares_memory": lambda np, v: np.shares_memory(v, v.base),
    "copy": lambda np, v: (v.copy(), v.copy("K").flags.owndata, copy.copy(v), copy.deepcopy(v)),
    "pickle": lambda np, v: pickle.loads(pickle.dumps(v)),
    "matmul": lambda np, v: v @ v.T,
    "concatenate": lambda np, v: np.concatenate([v, v]),
    "einsum": lambda np, v: np.einsum("...i->...", v),
    "reductions": lambda np, v: (v.max(), v.argmin(0), v.mean(0), v.sum(), v.any()),
    "as indices": lambda np, v: np.arange(30)[v.astype(int)[::-1]],
    "as a mask": lambda np, v: v[(v > 3)[::-1]],
    "broadcast_to": lambda np, v: np.broadcast_to(v, (2, *v.shape)) + v,
    "type": lambda np, v: (type(v) is np.ndarray, type(np.broadcast_to(v, v.shape)) is np.ndarray),
}


@pytest.mark.parametrize("reading", READINGS.values(), ids=READINGS)
@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)
def test_readings(view: Any, reading: Any):
    compare(lambda np, a: reading(np, view(a)), MATRIX)


CHECKED = {
    "exponents of a number": lambda np, e, i: 2 ** (e - 4),
    "exponents": lambda np, e, i: np.power([3, 2], e - 4),
    "exponents of scalars": lambda np, e, i: np.int8(2) ** (e - 4),
    "index": lambda np, e, i: np.arange(3)[e],
    "two indices": lambda np, e, i: np.eye(3)[i, e],
    "index written to": lambda np, e, i: np.arange(3).__setitem__(e, 5),
    "take": lambda np, e, i: np.take(np.arange(3), e),
    "method take": lambda np, e, i: np.arange(3).take(e),
    "take along rows": lambda np, e, i: np.take(np.eye(3), e, axis=1),
    "put": lambda np, e, i: np.put(np.arange(3), e, 5),
    "take_along_axis": lambda np, e, i: np.take_along_axis(np.arange(3), e, 0),
    "put_along_axis": lambda np, e, i: np.put_along_axis(np.arange(3), e, 5, 0),
    "choose": lambda np, e, i: np.choose(e, [[1, 2], [3, 4]]),
    "unravel_index": lambda np, e, i: np.unravel_index(e, (2, 3)),
    "ravel_multi_index": lambda np, e, i: np.ravel_multi_index((i, e), (2, 3)),
    "add.at": lambda np, e, i: np.add.at(np.arange(3), e, 5),
    "add.reduceat": lambda np, e, i: np.add.reduceat(np.arange(3), e),
    "delete": lambda np, e, i: np.delete(np.arange(3), e),
    "insert": lambda np, e, i: np.insert(np.arange(3), e, 5),
    "bincount": lambda np, e, i: np.bincount(-e),
    "repeat": lambda np, e, i: np.repeat([1, 2], -e),
    "percentile": lambda np, e, i: np.percentile(np.arange(3.0), e * 100),
    "sorter": lambda np, e, i: np.searchsorted([1, 2], 1, sorter=e),
    "bins": lambda np, e, i: np.histogram([1, 2], -e),
    "weights": lambda np, e, i: np.average([1, 2], weights=e - e),
}


@pytest.mark.parametrize("call", CHECKED.values(), ids=CHECKED)
@pytest.mark.parametrize(
    "pose",
    [
        lambda np, a: a,
        lambda np, a: a[::-1],
        lambda np, a: _locked(a[:]),
        lambda np, a: np.broadcast_to(a[1], (2,)),
        lambda np, a: _locked(a[::-1])[:2],
    ],
    ids=["plain", "backwards", "locked", "broadcast", "both"],
)
def test_values_are_checked(pose: Any, call: Any):
    """Values that a function refuses are found in every operand, as on a plain array."""

    def body(np: Any, index: Any, inside: Any) -> Any:
        return call(np, pose(np, index), pose(np, inside))

    compare(body, Spec(numpy.array([0, 9])), Spec(numpy.array([0, 1])))


def test_torch_reads_and_writes():
    """A tensor that runs backwards under torch's own functions, operators and methods."""
    memory = torch.arange(6.0)
    t = backwards.posed(memory, (0,))
    assert torch.equal(t + 0, torch.flip(memory, (0,)))
    assert t.tolist() == [5, 4, 3, 2, 1, 0]
    assert (t.shape, t.dtype, t.is_contiguous()) == (memory.shape, memory.dtype, False)
    assert type(torch.sort(t).values) is torch.Tensor
    assert torch.equal(torch.where(t > 3, t, 0), torch.tensor([5.0, 4, 0, 0, 0, 0]))
    t[0] = 9
    assert memory[5] == 9
    t += 1
    assert memory.tolist() == [1, 2, 3, 4, 5, 10]
    torch.sub(t, torch.arange(6.0), out=t)
    assert memory.tolist() == [-4, -2, 0, 2, 4, 10]
    t.clamp_(0, 5)
    assert memory.tolist() == [0, 0, 0, 2, 4, 5]
    target = torch.zeros(6)
    target[backwards.posed(torch.tensor([0, 1]), (0,))] = backwards.posed(memory[4:], (0,))
    assert target.tolist() == [4, 5, 0, 0, 0, 0]


def test_torch_does_not_write_to_a_locked_tensor():
    memory = torch.zeros(3)
    t = backwards.posed(memory, (), True)
    for write in (
        lambda: t.fill_(1),
        lambda: t.__setitem__(0, 1),
        lambda: torch.add(memory, 1, out=t),
        lambda: t.copy_(torch.ones(3)),
    ):
        with pytest.raises(ValueError, match="read-only"):
            write()
    assert memory.tolist() == [0, 0, 0]
    assert (t + 1).tolist() == [1, 1, 1]


def test_gradient_of_a_reversed_view():
    x = torch.arange(3.0, requires_grad=True)
    view = numpy_shim.asarray(x)[::-1]
    (view * numpy_shim.array([1.0, 2.0, 3.0])).sum().tensor.backward()
    assert x.grad is not None
    assert x.grad.tolist() == [3, 2, 1]


@pytest.mark.skipif(TORCH < (2, 12), reason="the eager backend of 2.11 shows values twice")
def test_a_reversed_array_enters_a_compiled_function():
    def body(x: Any) -> Any:
        y = x[::-1] * 2
        x[1:] = 5.0
        return y, x[::2], x + x[::-1]

    compiled = torch.compile(body, fullgraph=True, backend="eager")
    for step in (1, -1):
        a, b = numpy_shim.arange(6.0)[::step], numpy_shim.arange(6.0)[::step]
        for got, wanted in zip(compiled(a), body(b), strict=True):
            assert got.tolist() == wanted.tolist()
        assert a.base.tolist() == b.base.tolist()


@pytest.mark.skipif(TORCH < (2, 12), reason="Dynamo of 2.11 forgets the class of a result")
def test_locking_traces():
    def body(x: Any) -> Any:
        y = x * 1.0
        y.flags.writeable = False
        return y, y.flags.writeable

    y, writeable = torch.compile(body, fullgraph=True, backend="eager")(numpy_shim.arange(3.0))
    assert not writeable
    with pytest.raises(ValueError, match="read-only"):
        y[0] = 1


@pytest.mark.parametrize("mode", ["real", "fake", "symbolic"])
def test_make_fx_sees_the_memory(mode: str):
    """Proxies and fake tensors, which know no subclasses, are given plain tensors."""

    def body(t: torch.Tensor) -> torch.Tensor:
        a = numpy_shim.asarray(t) * 1
        a[::-1][1:] = 5.0
        a[::-1] += 1
        return (a[::-1] + numpy_shim.broadcast_to(a[:1], (3,))).tensor

    t = torch.arange(3.0)
    graph = make_fx(body, tracing_mode=mode)(t)
    assert graph(t).tolist() == body(t).tolist()


def test_fake_tensors_run_backwards():
    with FakeTensorMode():
        a = numpy_shim.asarray(torch.zeros(2, 3))[::-1]
        a += 1
        assert ((a * 2).shape, a.dtype, a.strides) == ((2, 3), numpy.float32, (-12, 4))
        assert not numpy_shim.broadcast_to(a, (4, 2, 3)).flags.writeable


def test_a_parameter_runs_backwards():
    parameter = torch.nn.Parameter(torch.arange(3.0))
    view = numpy_shim.asarray(parameter)[::-1]
    (view * view).sum().tensor.backward()
    assert parameter.grad is not None
    assert parameter.grad.tolist() == [0, 2, 4]


def _written(a: Any) -> Any:
    """An array over a tensor of another class, written to in every way."""
    a[1:] = 5.0
    a += 1
    numpy_shim.add(a, a, out=a, casting="unsafe")
    a[::-1][:1] = 7.0
    a.fill(2)
    numpy_shim.cumsum(a, out=a)
    return a


def test_a_parameter_is_written_to():
    parameter = torch.nn.Parameter(torch.zeros(3), requires_grad=False)
    assert _written(numpy_shim.asarray(parameter)).tolist() == [2, 4, 6]
    assert parameter.tolist() == [2, 4, 6]


@pytest.mark.filterwarnings("ignore:Accessing the data pointer of FakeTensor")
def test_a_fake_tensor_is_written_to():
    with FakeTensorMode():
        assert _written(numpy_shim.asarray(torch.zeros(3))).shape == (3,)


@pytest.mark.parametrize(
    "statement",
    [
        "r += 1", "r *= 2.0", "r -= r", "r += a", "r += r[::-1]", "r[1:] += r[:-1]", "r += r[0]",
        "r *= np.array(3.0)", "r **= 2", "r //= 2", "r %= 3", "m[:, ::-1] += a[:3]",
        "m[::-1] *= m", "m[::-1, ::-1] -= a.reshape(4, 3)[:, :1]", "np.add(r, 1, out=r)",
        "m.T[::-1] += 1", "r[::2] += 1", "r -= a[::-1]", "r += a[:1]", "r += np.ones((2, 12))",
        "r /= a + 1", "r += a.astype('f4')", "r.view('i8')[:] |= a.view('i8')[:12]",
        "m[::-1, ::2] += a[:2]", "m[::-1] += m[:, :1]", "m[::-1].T[...] -= m.T", "r[2:9] *= a[:7]",
        "i = a.astype(int)[::-1]; i += i[::-1]; a[:] = i", "i = a.astype('i2')[::-1]; i /= i",
        "s = np.lib.stride_tricks.sliding_window_view(a, 3, writeable=True)[::-1]; s += m[:1]",
    ],
)  # fmt: skip
def test_in_place_operators(statement: str):
    """What is changed in place is changed in the memory, with operands that overlap it too."""

    def body(np: Any) -> Any:
        a = np.arange(12.0)
        m = a.reshape(4, 3)
        names = {"np": np, "a": a, "m": m, "r": a[::-1]}
        exec(statement, names)
        return a

    compare(body)


def test_in_place_by_a_number_makes_no_copy():
    """The memory itself is changed, forward."""
    a = numpy_shim.arange(8)[::-1]
    with Sizes() as sizes:
        a += 1
    assert sizes.copies == 0
    assert a.tolist() == [8, 7, 6, 5, 4, 3, 2, 1]


def test_in_place_by_an_array_copies_the_operand_only():
    """The operand is turned once, and added to the memory."""
    a, b = numpy_shim.arange(8)[::-1], numpy_shim.arange(8)
    with Sizes() as sizes:
        a += b
    assert sizes.copies == 1
    assert a.tolist() == [7] * 8


def test_in_place_keeps_gradients():
    """An operand with a gradient is added as by the general call."""
    b = torch.ones(3, dtype=torch.float64, requires_grad=True)
    a = numpy_shim.zeros(3)
    r = a[::-1]
    r += numpy_shim.asarray(b)
    (a * numpy_shim.array([1.0, 2.0, 3.0])).sum().tensor.backward()
    assert b.grad is not None
    assert b.grad.tolist() == [3, 2, 1]


class Sizes(TorchDispatchMode):
    """Inside its ``with`` block, ``copies`` counts the calls that make or fill a tensor."""

    copies = 0

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        self.copies += func.name() in ("aten::flip", "aten::clone", "aten::copy_")
        return func(*args, **(kwargs or {}))
