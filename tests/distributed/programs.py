"""Checks that run on every process of a group, and compare with NumPy on the whole values."""

from __future__ import annotations

import io
import pathlib
import tempfile
import warnings

import numpy
import pytest
import torch
from torch.distributed import checkpoint
from torch.distributed.tensor import DTensor, Partial, Shard, distribute_tensor

import numpy_shim as np
import xp_torch as xp
from numpy_shim import distributed
from tests.distributed import (  # noqa: F401 - their checks are in the table
    dtype_programs,
    stencil_programs,
)
from tests.distributed.bodies import mesh
from tests.distributed.checks import CHECKS, check, pair, same


def run(name: str) -> None:
    CHECKS[name]()


@check
def a_python_number_is_the_value_of_the_whole() -> None:
    a, n = pair(7, 3)
    same(float(np.sum(a)), n.sum())
    same(a[5, 1].item(), n[5, 1])
    assert bool((a > -100).all())
    assert int((a > 0).sum()) == int((n > 0).sum())
    x = xp.asarray(distribute_tensor(torch.from_numpy(n), mesh(), [Shard(0)]))
    same(float(xp.sum(x)), n.sum())


@check
def a_write_reaches_the_processes_that_have_the_elements() -> None:
    a, n = pair(11, 2)
    for b in (a, n):
        b[2:5] = 0
        b[9] = 7
        b[::3, 1] = -1
        b[-1:2:-4] += 2
        b[b > 1] = 1
        b[[0, 10]] = 5
        b[numpy.array([False, True] * 5 + [True])] *= 3
    same(a, n)


@check
def a_view_sees_what_is_written_to_its_base_and_back() -> None:
    a, n = pair(9)
    for b in (a, n):
        v = b[1:7]
        w = v[::2]
        b[3] = 100
        w[2] = 50
        v[0] += 1
        b += v.sum()
        b[:4][1:] = w[:3]
    same(a, n)
    same(a[1:7][::2], n[1:7][::2])


@check
def a_plain_array_beside_a_distributed_one_is_the_same_everywhere() -> None:
    a, n = pair(5, 4)
    same(a + np.ones((5, 4)), n + 1)
    same(np.arange(4.0) * a, n * numpy.arange(4.0))
    plain = np.zeros((5, 4))
    plain += a
    same(plain, n)
    same(np.concatenate([np.zeros((2, 4)), a]), numpy.concatenate([numpy.zeros((2, 4)), n]))


@check
def overlapping_writes_are_those_of_numpy() -> None:
    a, n = pair(10)
    for b in (a, n):
        b[1:] += b[:-1]
        b[:-2] = b[2:]
    same(a, n)


@check
def printing_shows_the_whole() -> None:
    a, n = pair(6, 2)
    assert repr(a) == repr(np.asarray(n))
    assert str(a) == str(n)


@check
def saving_writes_the_whole() -> None:
    a, n = pair(6, 2)
    file = io.BytesIO()
    np.save(file, a)
    file.seek(0)
    same(np.load(file), n)


@check
def functions_of_many_sizes() -> None:
    for size in (1, 2, 3, 4, 5, 17, 64):
        a, n = pair(size, 3)
        same(a.cumsum(0), n.cumsum(0))
        same(np.sort(a, 0), numpy.sort(n, 0))
        same(np.roll(a, 2, 0), numpy.roll(n, 2, 0))
        same(np.flip(a), numpy.flip(n))
        same(a.std(0), n.std(0))
        same(np.linalg.norm(a), numpy.linalg.norm(n))
        same(a.argmax(0), n.argmax(0))
        same(a.max(), n.max())
        same(np.diff(a, axis=0), numpy.diff(n, axis=0))
        same(a.reshape(-1), n.reshape(-1))
        same(a.reshape(3, size), n.reshape(3, size))
        same(a.T @ a, n.T @ n)
        same(a @ a.T, n @ n.T)
        same(np.fft.fft(a, axis=0), numpy.fft.fft(n, axis=0))
        same(a[a[:, 0] > 0], n[n[:, 0] > 0])
        same(np.unique(a > 0), numpy.unique(n > 0))
        same(np.median(a, 0), numpy.median(n, 0))


def hard_rows() -> list[numpy.ndarray]:
    """Rows that are hard to sort in parts: equal values, NaN, infinities, sorted ones, few."""
    r = numpy.random.default_rng(8)
    mixed = r.integers(0, 4, 301).astype(float)
    mixed[r.integers(0, 301, 40)] = numpy.nan
    mixed[r.integers(0, 301, 40)] = numpy.inf
    mixed[r.integers(0, 301, 40)] = -numpy.inf
    return [
        mixed, r.standard_normal(1000), numpy.arange(50.0), numpy.arange(50.0)[::-1].copy(),
        numpy.zeros(77), numpy.full(5, numpy.nan), r.integers(0, 2, 99) > 0,
        r.integers(-128, 128, 400).astype("int8"), r.integers(0, 2**63, 100).astype("uint64") * 2,
        r.standard_normal(200).astype("float16"), numpy.array([3.0, 1.0]), numpy.array([2.0]),
        numpy.append(numpy.zeros(500), numpy.arange(9)),
    ]  # fmt: skip


@check
def one_axis_is_sorted_in_parts() -> None:
    """Nothing is gathered, equal values keep their order, NaN is the last."""
    for n in hard_rows():
        a = distributed.shard(np.asarray(n.copy()))
        assert "all_gather" not in distributed.explain(np.sort, a).bytes
        numpy.testing.assert_array_equal(distributed.gather(np.sort(a)), numpy.sort(n))
        order = np.argsort(a, kind="stable")
        numpy.testing.assert_array_equal(distributed.gather(order), numpy.argsort(n, kind="stable"))
        strict = n.dtype not in (bool, numpy.float16)  # the standard has neither here
        for descending in (False, True) if strict else ():
            given = xp.asarray(distributed.to_dtensor(a))
            found = xp.argsort(given, descending=descending, stable=True)
            plain = xp.argsort(xp.asarray(torch.from_numpy(n)), descending=descending, stable=True)
            assert found._tensor.tolist() == plain._tensor.tolist()
        if n.dtype != bool:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                for name in ("median", "nanmedian"):
                    same(getattr(np, name)(a), getattr(numpy, name)(n))
                for q in (0, 30, 100):
                    want = np.nanpercentile(np.asarray(n), q)
                    same(np.nanpercentile(a, q), numpy.asarray(want))
        same(np.partition(a, len(n) // 2)[len(n) // 2], numpy.sort(n)[len(n) // 2])


@check
def elements_are_picked_and_written_where_they_are() -> None:
    """Positions and masks on one axis and several, split or not, of operands split or not."""
    r = numpy.random.default_rng(9)
    values = r.standard_normal((23, 7, 4))
    rows, columns = r.integers(-23, 23, 60), r.integers(-7, 7, 60)
    mask, wide = r.random(23) > 0.5, r.random((23, 7)) > 0.7
    keys: dict[str, object] = {
        "rows": rows, "table of rows": rows.reshape(6, 10), "pairs": (rows, columns),
        "columns": (slice(None), columns), "crossed": (rows[:, None], columns),
        "last two": (slice(None), columns, columns % 4), "mask": mask, "two axes": wide,
        "mask of columns": (slice(None), r.random(7) > 0.4), "none": numpy.zeros(23, bool),
        "all": numpy.ones(23, bool), "elements": values > 0.5, "far axes": (rows, slice(None), 2),
        "mask of the last": (slice(None), r.random((7, 4)) > 0.4),
    }  # fmt: skip
    for axis in (0, 1, 2):
        for what, key in keys.items():
            for spread in (False, True):
                given = key
                if isinstance(key, numpy.ndarray) and spread:
                    given = distributed.shard(np.asarray(key))
                a = distributed.shard(np.asarray(values.copy()), axis)
                n = values.copy()
                picked = a[given]
                assert picked.shape == n[key].shape, (what, axis)
                same(picked, n[key])
                a[given], n[key] = 3, 3
                new = r.standard_normal(n[key].shape)
                a[given] = np.asarray(new)
                n[key] = new
                if what in ("mask", "two axes"):
                    a[given] += 1
                    n[key] += 1
                same(a, n)
    flat, n = pair(50)
    with pytest.raises(IndexError):
        flat[numpy.arange(40, 90)]
    with pytest.raises(IndexError):
        flat[numpy.arange(40, 90)] = 1
    with pytest.raises((ValueError, IndexError)):
        flat[n > 0] = np.zeros(3)
    moved = distributed.explain(lambda: flat[distributed.shard(np.asarray(n > 0))]).bytes
    assert moved.get("all_gather", 0) == 0
    same(np.nonzero(flat > 0)[0], numpy.nonzero(n > 0)[0])
    same(np.argwhere(distributed.shard(np.asarray(values), 1) > 0), numpy.argwhere(values > 0))
    np.add.at(flat, rows, 1.0)
    numpy.add.at(n, rows, 1.0)
    same(flat, n)


@check
def matrices_are_multiplied_panel_by_panel() -> None:
    """No process has the whole of the second matrix; transforms and diagonals gather nothing."""
    r = numpy.random.default_rng(10)
    for size in (1, 2, 5, 17):
        a, b = r.standard_normal((size, 13)), r.standard_normal((13, 9))
        cube = r.standard_normal((3, size, 5))
        for i in (0, 1):
            for j in (0, 1):
                x, y = distributed.shard(np.asarray(a), i), distributed.shard(np.asarray(b), j)
                found = distributed.explain(np.matmul, x, y)
                same(found.result, a @ b)
                assert "all_gather" not in found.bytes or size < 17
                same(y.T @ x.T, (a @ b).T)
                same(np.einsum("ij,jk->ki", x, y), (a @ b).T)
        for axis in (0, 1, 2):
            c = distributed.shard(np.asarray(cube), axis)
            same(c @ b[:5], cube @ b[:5])
            same(np.matmul(c.swapaxes(1, 2), c), numpy.matmul(cube.swapaxes(1, 2), cube))
            for k in (-2, 0, 1):
                same(c.diagonal(k, 1, 2), cube.diagonal(k, 1, 2))
                same(c.trace(k, 0, 1), cube.trace(k, 0, 1))
            for f in ("fftn", "ifftn", "rfftn", "fft2", "rfft2"):
                same(getattr(np.fft, f)(c), getattr(numpy.fft, f)(cube))
            spectrum = numpy.fft.rfftn(cube)
            s = distributed.shard(np.asarray(spectrum), axis)
            for norm in ("ortho", "forward", "backward"):
                ours = np.fft.irfftn(s, cube.shape, (0, 1, 2), norm)
                same(ours, numpy.fft.irfftn(spectrum, cube.shape, (0, 1, 2), norm))
            same(c.ravel("F"), cube.ravel("F"))
            same(c.transpose(2, 0, 1).reshape(-1), cube.transpose(2, 0, 1).reshape(-1))
            same(np.sort(c, 1), numpy.sort(cube, 1))
    square, n = r.standard_normal((7, 7)), None
    for axis in (0, 1):
        x, n = distributed.shard(np.asarray(square.copy()), axis), square.copy()
        for m in (x, n):
            m[range(7), range(7)] = 4
            numpy_of = np if m is x else numpy
            numpy_of.fill_diagonal(m, [1, 2, 3])
        same(x, n)


@check
def gradients_are_those_of_one_process() -> None:
    values = torch.arange(10.0, dtype=torch.float64).reshape(5, 2)
    given = distribute_tensor(values, mesh(), [Shard(0)]).requires_grad_()
    a = np.asarray(given)
    ((a[1:] * a[:-1]) ** 2).sum()._tensor.backward()
    plain = values.clone().requires_grad_()
    ((plain[1:] * plain[:-1]) ** 2).sum().backward()
    assert isinstance(given.grad, DTensor)
    same(given.grad.full_tensor().numpy(), plain.grad.numpy())


@check
def a_dtensor_goes_in_and_comes_out() -> None:
    values = torch.arange(7.0)
    given = distribute_tensor(values, mesh(), [Shard(0)])
    x = xp.asarray(given)
    back = xp.to_torch(x * 2)
    assert isinstance(back, DTensor)
    assert back.placements == (Shard(0),)
    same(back.full_tensor().numpy(), (values * 2).numpy())
    x[1] = 50  # the memory is shared
    assert given.full_tensor()[1] == 50
    partial = DTensor.from_local(torch.ones(3), mesh(), [Partial()])
    same(np.asarray(partial) ** 2, [mesh().size() ** 2] * 3)


@check
def what_has_no_memory_to_share_says_so() -> None:
    a, _ = pair(4)
    with pytest.raises((BufferError, RuntimeError), match="distributed array"):
        a.__dlpack__()


@check
def layouts_change() -> None:
    a, n = pair(7, 5)
    b = distributed.shard(a, 1)
    assert distributed.placements(b) == (Shard(1),)
    same(b, n)
    same(distributed.replicate(b), n)
    assert distributed.local(a).shape[1] == 5
    assert distributed.placements(distributed.gather(a)) == ()


@check
def explain_counts() -> None:
    a, _ = pair(8, 2)
    found = distributed.explain(np.sum, a)
    assert found.collectives == {"all_reduce": 1}
    assert distributed.explain(np.add, a, a).collectives == {}


@check
def two_meshes_in_rows_and_columns() -> None:
    values = torch.arange(24.0, dtype=torch.float64).reshape(6, 4)
    if mesh().size() == 2:
        grid = distributed.mesh((2, 1))
        a = np.asarray(distribute_tensor(values, grid, [Shard(0), Shard(1)]))
        n = values.numpy()
        same(a.sum(0), n.sum(0))
        same(a[1:, 1:] * 2, n[1:, 1:] * 2)
        same(a @ a.T, n @ n.T)
        same(np.sort(-a, 0), numpy.sort(-n, 0))
    for shape in ((mesh().size(), 1), (1, mesh().size())):
        a = np.asarray(distribute_tensor(values, distributed.mesh(shape), [Shard(0), Shard(1)]))
        n = values.numpy().copy()

        def shift(m: np.ndarray | numpy.ndarray) -> None:
            m[1:, 1:] -= m[:-1, :-1]

        assert set(distributed.explain(shift, a).bytes) == {"neighbours"}
        shift(n)
        same(a, n)


@check
def out_is_written_where_it_is() -> None:
    a, n = pair(9, 2)
    b, k = distributed.shard(np.zeros((9, 2))), numpy.zeros((9, 2))
    assert np.add(a, 1, out=b) is b
    numpy.add(n, 1, out=k)
    same(b, k)
    np.multiply(a[1:], 2, out=b[:-1])
    numpy.multiply(n[1:], 2, out=k[:-1])
    np.sum(a, 0, out=b[3])
    numpy.sum(n, 0, out=k[3])
    np.cumsum(a, 0, out=b)
    numpy.cumsum(n, 0, out=k)
    b.sort(0)
    k.sort(0)
    b[::-1] += a
    k[::-1] += n
    np.copyto(b, a, where=a > 0)
    numpy.copyto(k, n, where=n > 0)
    np.add.at(b, [1, 1, 8], 5)
    numpy.add.at(k, [1, 1, 8], 5)
    b.flat[3] = 9
    k.flat[3] = 9
    np.put(b, [0, 5], [1, 2])
    numpy.put(k, [0, 5], [1, 2])
    same(b, k)


@check
def random_numbers_are_the_same_everywhere() -> None:
    a = distributed.shard(np.random.default_rng(3).random((7, 2)))
    same(a, numpy.random.default_rng(3).random((7, 2)))
    drawn = torch.rand_like(distributed.shard(np.zeros(6))._tensor)
    every: list[object] = [None] * mesh().size()
    torch.distributed.all_gather_object(every, drawn.whole().tolist())
    assert all(v == every[0] for v in every)


@check
def random_numbers_are_drawn_where_they_belong() -> None:
    """The array of one process and the state after it, with no communication."""
    for name in ("random", "standard_normal", "permutation"):
        for shape in ((7, 3), (1,), (100_001,), (0, 2)):
            given = numpy.arange(7) if name == "permutation" else shape
            for axis in (0, -1):
                ours, theirs = np.random.default_rng(3), numpy.random.default_rng(3)
                method = getattr(ours, name)
                found = distributed.explain(distributed.draw, method, given, axis=axis)
                same(found.result, getattr(theirs, name)(given))
                assert not found.collectives
                assert any(type(p) is Shard for p in distributed.placements(found.result))
                same(ours.random(), theirs.random())


def shared_folder() -> pathlib.Path:
    """One new folder, known to all processes."""
    made = [tempfile.mkdtemp() if torch.distributed.get_rank() == 0 else None]
    torch.distributed.broadcast_object_list(made)
    return pathlib.Path(str(made[0]))


@check
def a_file_is_read_and_written_by_parts() -> None:
    folder = shared_folder()
    a, _ = pair(11, 3)
    for k, b in enumerate((a, distributed.shard(a, 1), a.T, a[2:], a.astype("complex64") * 1j)):
        values = numpy.asarray(distributed.gather(b))
        file = folder / f"{k}.npy"
        moved = distributed.explain(distributed.save, file, b).bytes
        assert sum(moved.values()) < 64
        read = numpy.load(file)
        assert read.dtype == values.dtype
        same(read, values)
        for axis in (0, 1):
            c = distributed.load(file, axis)
            assert distributed.placements(c) == (Shard(axis),)
            same(c, values)
    distributed.save(folder / "plain", np.arange(3))
    same(numpy.load(folder / "plain.npy"), [0, 1, 2])
    distributed.save(folder / "none", a[:0])
    assert numpy.load(folder / "none.npy").shape == (0, 3)
    with pytest.raises(FileNotFoundError):
        distributed.load(folder / "missing.npy")
    with pytest.raises(OSError, match="No such file"):
        distributed.save(folder / "nowhere" / "a.npy", a)


@check
def the_checkpoint_of_torch_takes_and_fills_dtensors() -> None:
    folder = shared_folder()
    a, n = pair(9, 2)
    checkpoint.save({"a": distributed.to_dtensor(a)}, checkpoint_id=folder)
    b = distributed.shard(np.zeros((9, 2)), 1)
    into = {"a": distributed.to_dtensor(b)}
    checkpoint.load(into, checkpoint_id=folder)
    same(b, n)


@check
def an_error_on_one_part_is_the_error_of_all() -> None:
    """The last process alone has the wrong values; the others must not go on."""
    t = distributed.shard(np.arange(8))._tensor
    zero = distributed.shard(np.asarray([1, 1, 1, 1, 1, 1, 1, 0]))._tensor
    with pytest.raises(RuntimeError, match="ZeroDivision"):
        torch.floor_divide(t, zero)
    m = distributed.shard(np.ones((8, 3)))._tensor
    wrong = distributed.shard(np.asarray([[0, 1]] * 7 + [[0, 5]]))._tensor
    with pytest.raises((RuntimeError, IndexError), match="out of bounds"):
        torch.gather(m, 1, wrong)
    same(
        np.floor_divide(np.arange(8), distributed.shard(np.asarray([2] * 8))),
        [0, 0, 1, 1, 2, 2, 3, 3],
    )


@check
def every_process_shows_the_same_strides() -> None:
    """Also where the last part has one row, whose strides say nothing."""
    size = mesh().size()
    a = distributed.shard(np.asfortranarray(np.arange(3.0 * (2 * size - 1)).reshape(-1, 3)))
    for b in (a, a + 1, np.sort(a, 1), a.T.copy(), a @ np.ones((3, 3)), np.exp(a.T)):
        shown: list[object] = [None] * size
        torch.distributed.all_gather_object(shown, (b.strides, b.flags.c_contiguous))
        assert all(s == shown[0] for s in shown)
        values = numpy.asarray(distributed.gather(b))
        same(b.reshape(-1), values.reshape(-1))
        same(b.ravel("K"), b.ravel("F") if b.flags.f_contiguous else values.ravel())
