"""Dask on chunks of ours: the array backend, the functions that Dask looks up by type, xarray."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import entry_points
from typing import Any

import numpy
import pytest
import torch

import numpy_shim as np
from numpy_shim.testing import assert_allclose, assert_array_equal

dask = pytest.importorskip("dask")
da = pytest.importorskip("dask.array")

VALUES = numpy.random.RandomState(0).rand(12, 8)


def chunked(values: Any, chunks: Any = (4, 3)) -> Any:
    return da.from_array(np.asarray(values), chunks=chunks, asarray=False)


def is_ours(x: Any) -> bool:
    return type(x) is np.ndarray


@pytest.fixture
def backend() -> Any:
    """The configuration that names the backend, found by its entry point."""
    if "numpy_shim" not in entry_points(group="dask.array.backends").names:
        pytest.skip("the installed metadata has no entry point of Dask's: pip install -e . again")
    with dask.config.set({"array.backend": "numpy_shim", "scheduler": "sync"}):
        yield


# --- registered without a setting ---


def test_importing_does_not_import_dask():
    code = "import sys, numpy_shim; print({'dask', 'distributed', 'xarray'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


@pytest.mark.parametrize("order", ["dask.array, numpy_shim", "numpy_shim, dask.array"])
def test_either_may_be_imported_first(order: str):
    code = (
        f"import {order}\nfrom dask.array.dispatch import percentile_lookup as p\n"
        "from dask.array.chunk_types import is_valid_chunk_type\n"
        "print(p.dispatch(numpy_shim.ndarray).__module__, is_valid_chunk_type(numpy_shim.ndarray))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["numpy_shim._interop.dask_hooks", "True"]


CHUNKWISE: dict[str, Callable[[Any], Any]] = {
    "concatenate": lambda d: da.concatenate([d, d], axis=1),
    "take": lambda d: d[[5, 0, 11], :],
    "tensordot": lambda d: da.tensordot(d, d, axes=[(1,), (1,)]),
    "einsum": lambda d: da.einsum("ij,kj->ik", d, d),
    "percentile": lambda d: da.percentile(d[:, 0].rechunk(12), [10, 50, 90]),
    "histogram": lambda d: da.histogram(d, bins=5, range=(0, 1))[0],
    "digitize": lambda d: da.digitize(d, np.linspace(0, 1, 5)),
    "bincount": lambda d: da.bincount((d[:, 0] * 5).astype(int), minlength=6),
    "mean": lambda d: d.mean(axis=0),
    "nanmean": lambda d: da.nanmean(da.where(d > 0.5, d, numpy.nan), axis=1),
    "var": lambda d: d.var(axis=1),
    "moment": lambda d: d.moment(3, axis=0),
    "argmax": lambda d: d.argmax(axis=0),
    "nanargmin": lambda d: da.nanargmin(d, axis=1),
    "topk": lambda d: da.topk(d, 2, axis=0),
    "unique": lambda d: da.unique((d * 4).astype(int)),
    "cumsum": lambda d: da.cumsum(d, axis=0),
    "svd": lambda d: abs(da.linalg.svd(d.rechunk((4, 8)))[1]),
    "lstsq": lambda d: da.linalg.lstsq(d.rechunk((4, 8)), d[:, 0].rechunk(4))[0],
    "solve": lambda d: da.linalg.solve((d.T @ d).rechunk(4), d[0].rechunk(4)),
    "fft": lambda d: da.fft.fft(d.rechunk((4, 8))),
    "map_overlap": lambda d: d.map_overlap(np.roll, depth=1, boundary="reflect", shift=1, axis=0),
    "rechunk": lambda d: d.rechunk((5, 2)),
    "where": lambda d: da.where(d > 0.5, d, 0.0),
    "pad": lambda d: da.pad(d, 2, mode="reflect"),
    "masks": lambda d: d[d[:, 0] > 0.5],
    "percentiles of rows": lambda d: da.quantile(d.rechunk((4, 8)), 0.5, axis=1),
}


META_BY_DASK = ["histogram", "fft", "percentiles of rows"]
"""Dask makes a meta of NumPy's there, whatever the chunks are."""


@pytest.mark.parametrize("name", CHUNKWISE)
def test_functions_keep_the_chunks(name: str):
    """Every chunk and the meta stay ours; values, dtype and shape are those of NumPy's chunks."""
    function = CHUNKWISE[name]
    ours, theirs = function(chunked(VALUES)), function(da.from_array(VALUES, chunks=(4, 3)))
    assert is_ours(ours._meta) == (name not in META_BY_DASK)
    computed, wanted = ours.compute(scheduler="sync"), theirs.compute(scheduler="sync")
    assert is_ours(computed)
    assert computed.dtype == wanted.dtype
    assert_allclose(computed, wanted, rtol=1e-12, atol=1e-14)


def test_products_without_axes():
    """The chunks get axes from Dask before they are added: they have to be arrays of ours."""
    d, n = chunked(VALUES), da.from_array(VALUES, chunks=(4, 3))
    for function in (
        lambda a: da.einsum("ij,ij->", a, a), lambda a: da.tensordot(a, a, axes=2),
        lambda a: da.dot(a[:, 0], a[:, 1]), lambda a: a.sum(), lambda a: a.std(), lambda a: a.max(),
    ):  # fmt: skip
        assert float(function(d).compute()) == pytest.approx(float(function(n).compute()))
    (product,) = da.einsum("ij,ij->", d[:4, :3], d[:4, :3]).to_delayed().ravel()[:1]
    assert isinstance(product.compute(scheduler="sync"), (np.ndarray, np.generic))


def test_singular_triangle():
    a = da.from_array(np.asarray(numpy.diag([1.0, 0.0])), chunks=2, asarray=False)
    with pytest.raises(numpy.linalg.LinAlgError, match="singular"):
        da.linalg.solve_triangular(a, da.ones(2, chunks=2)).compute(scheduler="sync")


@pytest.mark.parametrize("dtype", ["float16", "float32", "int64", "complex64"])
@pytest.mark.parametrize("lower", [False, True])
def test_triangular_systems(dtype: str, lower: bool):
    """SciPy's dtype and values, with one and with several right-hand sides."""
    linalg = pytest.importorskip("scipy.linalg")
    a = numpy.array([[2, 1, 1], [1, 3, 1], [1, 1, 4]], dtype)
    for b in (numpy.array([1, 2, 3], dtype), numpy.array([[1, 2], [3, 4], [5, 6]], dtype)):
        wanted = linalg.solve_triangular(a, b, lower=lower)
        got = da.utils.solve_triangular_safe(np.asarray(a), np.asarray(b), lower=lower)
        assert is_ours(got)
        assert got.dtype == wanted.dtype
        assert_allclose(got, wanted, rtol=1e-5 if got.dtype.itemsize % 8 else 1e-6)


def test_values_that_dask_keeps_apart_for_others():
    """Dask asks for records like a chunk; elsewhere they are NumPy's arrays, as before."""
    with pytest.raises(ValueError, match="structured"):
        da.unique(chunked(VALUES), return_index=True)
    records = numpy.empty_like(np.ones(3), dtype=[("a", int), ("b", float)])
    assert type(records) is numpy.ndarray


def test_size_counts_the_memory():
    from dask.sizeof import sizeof

    for a in (np.ones((3, 4)), np.ones(5, dtype="uint16"), np.ones((0, 3)), np.array(1.0)):
        assert sizeof(a) == a.nbytes
    assert sizeof(np.broadcast_to(np.ones(4), (1000, 4))) == 32
    assert sizeof(np.ones((4, 4))[:, ::-1]) == 128


def test_tokens():
    """Equal arrays have one token, whatever their layout in memory; NumPy's have another."""
    from dask.base import tokenize

    a = np.arange(6.0).reshape(2, 3)
    assert tokenize(a) == tokenize(np.copy(a))
    distinct = [a, a + 1, a.T, a.astype("float32"), numpy.asarray(a), np.array(1.0), np.ones(0)]
    needs = np.copy(a)
    needs.tensor.requires_grad_(True)
    assert len({tokenize(x) for x in [*distinct, needs]}) == len(distinct) + 1


def test_operators_with_collections():
    """Dask's collection handles the operator on both sides, as with NumPy's arrays."""
    d, a = chunked(VALUES), np.asarray(VALUES)
    for result in (d + a, a + d, a * d, np.add(a, d)):
        assert isinstance(result, da.Array)
        assert is_ours(result.compute(scheduler="sync"))


# --- the backend ---


def test_creation(backend: Any):
    """What Dask creates has chunks of ours, with NumPy's values and dtypes."""
    for name, arguments, options in (
        ("ones", ((4, 3),), {"chunks": 2}), ("zeros", (5,), {"dtype": "int16"}),
        ("full", ((3, 2), 7), {}), ("arange", (2, 20, 3), {"chunks": 2}),
        ("arange", (5,), {"dtype": "float32"}),
        ("ones_like", (np.zeros((2, 3)),), {}), ("full_like", (np.zeros(3), 2.5), {}),
    ):  # fmt: skip
        made = getattr(da, name)(*arguments, **options)
        assert is_ours(made._meta), name
        options.pop("chunks", None)
        plain = [numpy.asarray(x) if is_ours(x) else x for x in arguments]
        wanted = getattr(numpy, name)(*plain, **options)
        computed = made.compute()
        assert is_ours(computed), name
        assert computed.dtype == wanted.dtype
        assert_array_equal(computed, wanted)
    assert is_ours(da.empty((2, 2)).compute())


@pytest.mark.parametrize("kind", ["default_rng", "RandomState"])
def test_random_numbers_are_numpys(backend: Any, kind: str):
    """A seed gives the numbers that Dask gives with NumPy's chunks."""
    draws: list[Callable[[Any], Any]] = [
        lambda g: g.normal(size=(6, 4), chunks=(3, 2)), lambda g: g.poisson(3, size=9, chunks=4),
    ]  # fmt: skip
    for draw in draws:
        ours = draw(getattr(da.random, kind)(7))
        with dask.config.set({"array.backend": "numpy"}):
            theirs = draw(getattr(da.random, kind)(7))
        assert is_ours(ours._meta)
        assert type(theirs._meta) is numpy.ndarray
        computed = ours.compute()
        assert is_ours(computed)
        assert_array_equal(computed, theirs.compute())


def test_moving_between_backends(backend: Any):
    plain = da.from_array(VALUES, chunks=(5, 8))
    ours = plain.to_backend("numpy_shim")
    assert is_ours(ours._meta)
    assert is_ours(ours.compute())
    assert is_ours(plain.to_backend().compute()), "the backend of the configuration"
    assert ours.to_backend("numpy_shim") is ours
    back = ours.to_backend("numpy")
    assert type(back._meta) is numpy.ndarray
    assert type(back.compute()) is numpy.ndarray
    assert_array_equal(back.compute(), VALUES)


def test_moving_shares_the_memory():
    """Both ways, on the CPU."""
    from dask.array.dispatch import to_numpy_dispatch

    from numpy_shim._interop.dask_backend import to_numpy_shim_dispatch

    moved = to_numpy_shim_dispatch(VALUES)
    assert is_ours(moved)
    assert np.shares_memory(moved, VALUES)
    assert to_numpy_shim_dispatch(moved) is moved
    back = to_numpy_dispatch(moved)
    assert type(back) is numpy.ndarray
    assert numpy.shares_memory(back, VALUES)


def test_files(backend: Any, tmp_path: Any):
    """Stacks of .npy files, written by either library and read back."""
    ours = chunked(VALUES)
    da.to_npy_stack(str(tmp_path / "ours"), ours, axis=0)
    read = da.from_npy_stack(str(tmp_path / "ours"))
    assert_array_equal(read.compute(), VALUES)
    moved = read.to_backend()
    assert is_ours(moved._meta)
    assert_array_equal(moved.compute(), VALUES)


def test_gradients_pass_through():
    """The threads of Dask run torch's functions, so a gradient arrives at the input."""
    a = np.asarray(VALUES.copy())
    a.tensor.requires_grad_(True)
    total = (da.from_array(a, chunks=(4, 8), asarray=False) ** 2).sum().compute(scheduler="sync")
    total.tensor.backward()
    assert_allclose(a.tensor.grad.numpy(), 2 * VALUES, rtol=1e-12)


# --- serialization, as between workers ---


LAYOUTS: dict[str, Callable[[], Any]] = {
    "contiguous": lambda: np.arange(12.0).reshape(3, 4),
    "columns": lambda: np.arange(12.0).reshape(3, 4).T,
    "0-D": lambda: np.array(3.5),
    "strided": lambda: np.arange(24.0).reshape(4, 6)[::2, 1:],
    "backwards": lambda: np.arange(5)[::-1],
    "broadcast": lambda: np.broadcast_to(np.arange(4.0), (1000, 4)),
    "broadcast inside": lambda: np.broadcast_to(np.arange(4.0)[:, None], (2, 4, 100)),
    "empty": lambda: np.ones((0, 3)),
    "uint16": lambda: np.arange(3, dtype="uint16"),
    "complex": lambda: np.arange(3) * 1j,
    "conjugate": lambda: np.conj(np.arange(3) * 1j),
    "bool": lambda: np.array([True, False]),
    "read-only": lambda: read_only(np.arange(4.0)),
}


def read_only(a: Any) -> Any:
    a.flags.writeable = False
    return a


def sent(x: Any) -> tuple[list[Any], Any, Any]:
    """The frames of an array, the memory they arrive in as from a socket, and the array of it."""
    protocol = pytest.importorskip("distributed.protocol")
    header, frames = protocol.serialize(x)
    assert header["serializer"] == "dask"
    arrived = [bytearray(memoryview(f).cast("B")) for f in frames]
    return frames, arrived, protocol.deserialize(header, arrived)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_what_travels_is_numpys(layout: str):
    """The bytes, strides and flags are those of NumPy's array; it is copied where that is."""
    a = LAYOUTS[layout]()
    plain = numpy.asarray(a)
    frames, arrived, made = sent(a)
    theirs, _, wanted = sent(plain)
    assert [memoryview(f).nbytes for f in frames] == [memoryview(f).nbytes for f in theirs]
    assert is_ours(made)
    assert (made.dtype, made.shape) == (wanted.dtype, wanted.shape)
    assert_array_equal(made, wanted)
    assert made.flags.writeable == a.flags.writeable
    # Out of NumPy's memory, without a copy where NumPy's array needs none.
    if a.size:
        shares = numpy.shares_memory(numpy.frombuffer(frames[0], "u1"), plain)
        assert shares == numpy.shares_memory(numpy.frombuffer(theirs[0], "u1"), plain)
        assert made.strides == wanted.strides
        assert numpy.shares_memory(numpy.frombuffer(arrived[0], "u1"), numpy.asarray(made))


def test_arrays_that_need_a_gradient_are_pickled():
    protocol = pytest.importorskip("distributed.protocol")
    a = np.ones(3)
    a.tensor.requires_grad_(True)
    header, frames = protocol.serialize(a)
    assert header["serializer"] == "pickle"
    assert protocol.deserialize(header, frames).tensor.requires_grad


def test_an_array_may_arrive_at_any_byte():
    """Where several messages share one buffer, torch cannot describe the memory of each."""
    protocol = pytest.importorskip("distributed.protocol")
    header, (frame,) = protocol.serialize(np.arange(6.0).reshape(2, 3))
    buffer = bytearray(b"-") + bytes(frame)
    made = protocol.deserialize(header, [memoryview(buffer)[1:]])
    assert is_ours(made)
    assert_array_equal(made, numpy.arange(6.0).reshape(2, 3))


def test_device_memory_as_bytes():
    """The functions of the family ``cuda``, on the CPU's memory: what they send gives the array."""
    pytest.importorskip("distributed")
    from numpy_shim._interop import dask_serialization as family

    for layout, make in LAYOUTS.items():
        a = make()
        header, (frame,) = family._serialize_cuda(a)
        assert frame.dtype == torch.uint8, layout
        made = family._restored(header, frame)
        assert_array_equal(made, a)
        assert made.dtype == a.dtype
