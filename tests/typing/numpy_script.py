"""A NumPy script as type checkers see it; ``make lint`` checks it, and a test runs it.

``import numpy_shim as np`` is the only line that differs from NumPy's. Scalars are arrays
without axes here, so what may be either is an ``ndarray``.
"""
# pyright: strict

from __future__ import annotations

import contextlib
import io
from typing import assert_type

import numpy
import torch

import numpy_shim as np
from numpy_shim.typing import ArrayLike, DTypeLike, NDArray


def standardized(x: ArrayLike, dtype: DTypeLike = None) -> NDArray[np.float64]:
    """Rows of ``x`` without their mean, in units of their deviation."""
    a = np.asarray(x, dtype=dtype)
    return (a - a.mean(axis=0)) / np.maximum(a.std(axis=0), 1e-12)


def operators_and_attributes(a: np.ndarray) -> None:
    assert_type(a + 1, np.ndarray)
    assert_type(2.0 * a[1:], np.ndarray)
    assert_type(-a @ a.T, np.ndarray)
    assert_type(a > 0, np.ndarray)
    assert_type(a == a, np.ndarray)
    assert_type(divmod(a, 2), tuple[np.ndarray, np.ndarray])
    assert_type(float(a[0, 0]), float)
    assert_type(len(a), int)
    assert_type(a.shape, tuple[int, ...])
    assert_type(a.ndim, int)
    assert_type(a.tensor, torch.Tensor)
    assert_type(a.device, torch.device)
    assert isinstance(a.dtype, numpy.dtype)
    for row in a:
        assert_type(row, np.ndarray)
    a[0] += 1
    values: NDArray[np.float64] = np.zeros((2, 3))
    values[:, 0] = a[:2, 0]


def methods(a: np.ndarray) -> None:
    assert_type(a.sum(axis=0), np.ndarray)
    assert_type(a.mean(axis=(0, 1), keepdims=True), np.ndarray)
    assert_type(a.reshape(-1, 1), np.ndarray)
    assert_type(a.astype(np.float32), np.ndarray)
    assert_type(a.copy().ravel().argsort(), np.ndarray)
    assert_type(a.max(initial=0), np.ndarray)
    assert_type(a.nonzero(), tuple[np.ndarray, ...])
    assert_type(a.sort(), None)
    assert_type(a.tobytes(), bytes)


def making_and_joining(a: np.ndarray) -> None:
    assert_type(np.array([[1, 2], [3, 4]], dtype=torch.float32), np.ndarray)
    assert_type(np.array([a, torch.ones(3, 2)]), np.ndarray)
    assert_type(np.zeros((2, 3), "f4"), np.ndarray)
    assert_type(np.ones_like(a, shape=3), np.ndarray)
    assert_type(np.full(3, 1.5, device="cpu"), np.ndarray)
    assert_type(np.arange(1, 10, 0.5), np.ndarray)
    assert_type(np.eye(3, k=1), np.ndarray)
    assert_type(np.linspace(0, 1, 5), np.ndarray)
    assert_type(np.linspace(0, 1, 5, retstep=True), tuple[np.ndarray, np.ndarray])
    assert_type(np.linspace(0, 1, 5, True, True)[1] * 2, np.ndarray)
    assert_type(np.logspace([0, 1], 3), np.ndarray)
    assert_type(np.meshgrid([1, 2], [3, 4]), tuple[np.ndarray, ...])
    assert_type(np.indices((2, 2)), np.ndarray)
    assert_type(np.indices((2, 2), sparse=True), tuple[np.ndarray, ...])
    assert_type(np.mgrid[0:2, 0:3], np.ndarray)
    assert_type(np.ogrid[0:2, 0:3], tuple[np.ndarray, ...])
    assert_type(np.concatenate([a, a], axis=1), np.ndarray)
    assert_type(np.concatenate((a, [[1.0, 2.0]]), out=None), np.ndarray)
    assert_type(np.stack([a, a.T.T]), np.ndarray)
    assert_type(np.vstack((a, a)), np.ndarray)
    assert_type(np.block([[a, a], [a, a]]), np.ndarray)
    assert_type(np.split(a, 3), list[np.ndarray])
    assert_type(np.atleast_2d(3), np.ndarray)
    assert_type(np.atleast_2d(3, [4]), tuple[np.ndarray, ...])
    assert_type(np.pad(a, 1, "reflect"), np.ndarray)
    assert_type(np.tile(a, (2, 1)), np.ndarray)
    assert_type(np.fromfunction(np.add, (2, 2)), np.ndarray)


def computing(a: np.ndarray) -> None:
    assert_type(np.sin(a), np.ndarray)
    assert_type(np.add(a, 1, out=a), np.ndarray)
    assert_type(np.add.reduce(a, axis=0), np.ndarray)
    assert_type(np.multiply.outer([1, 2], a), np.ndarray)
    assert_type(np.divmod(a, 2), tuple[np.ndarray, np.ndarray])
    assert_type(np.matmul(a.T, a), np.ndarray)
    assert_type(np.where(a > 0, a, 0), np.ndarray)
    assert_type(np.where(a > 0), tuple[np.ndarray, ...])
    assert_type(np.clip(a, 0, None), np.ndarray)
    assert_type(np.sum(a, axis=(0, 1), dtype=np.float64), np.ndarray)
    assert_type(np.cumsum(a, axis=-1), np.ndarray)
    assert_type(np.average(a, weights=a), np.ndarray)
    assert_type(np.average(a, returned=True), tuple[np.ndarray, np.ndarray])
    assert_type(np.percentile(a, [25, 75], axis=0), np.ndarray)
    assert_type(np.nanmax(a), np.ndarray)
    assert_type(np.histogram(a, bins=3), tuple[np.ndarray, np.ndarray])
    assert_type(np.gradient(a, axis=0), np.ndarray)
    assert_type(np.diff(a, prepend=0), np.ndarray)
    assert_type(np.interp(1.5, [1, 2], [3, 4]), np.ndarray)
    assert_type(np.einsum("ij,kj->ik", a, a), np.ndarray)
    assert_type(np.tensordot(a, a, axes=([0], [0])), np.ndarray)
    assert_type(np.allclose(a, a), bool)
    assert_type(np.argmax(a), np.ndarray)
    assert_type(np.sort(a, axis=None), np.ndarray)
    assert_type(np.searchsorted([1, 2, 3], a), np.ndarray)
    assert_type(np.unique(a), np.ndarray)
    assert_type(np.unique(a, return_counts=True), tuple[np.ndarray, np.ndarray])
    assert_type(np.unique(a, True, True), tuple[np.ndarray, np.ndarray, np.ndarray])
    assert_type(np.unique_all(a).counts, np.ndarray)
    assert_type(np.intersect1d([1], [1]), np.ndarray)
    assert_type(np.polyfit([1, 2, 3], [1, 2, 3], 1), np.ndarray)
    assert_type(np.poly1d([1, 2])(3), np.ndarray)


def linear_algebra_and_transforms(a: np.ndarray) -> None:
    square = a.T @ a + np.eye(2)
    assert_type(np.linalg.norm(a, "fro"), np.ndarray)
    assert_type(np.linalg.norm(a, axis=1), np.ndarray)
    assert_type(np.linalg.inv(square), np.ndarray)
    assert_type(np.linalg.solve(square, [1.0, 2.0]), np.ndarray)
    u, s, vh = np.linalg.svd(a, full_matrices=False)
    assert_type(u * s @ vh, np.ndarray)
    assert_type(np.linalg.svd(a).S, np.ndarray)
    assert_type(np.linalg.svd(a, compute_uv=False), np.ndarray)
    assert_type(np.linalg.qr(a).R, np.ndarray)
    assert_type(np.linalg.qr(a, mode="r"), np.ndarray)
    assert_type(np.linalg.eigh(square).eigenvectors, np.ndarray)
    assert_type(np.linalg.lstsq(a, [1.0, 2.0, 3.0])[0], np.ndarray)
    assert_type(np.fft.fft(a, norm="ortho"), np.ndarray)
    assert_type(np.fft.rfftn(a, axes=(0, 1)), np.ndarray)
    assert_type(np.fft.fftshift(np.fft.fftfreq(4)), np.ndarray)


def random_numbers() -> None:
    rng = np.random.default_rng(0)
    assert_type(rng, np.random.Generator)
    assert_type(rng.random(), float)
    assert_type(rng.random((2, 3)), np.ndarray)
    assert_type(rng.normal(0, 1, size=3), np.ndarray)
    assert_type(rng.integers(0, 10, size=3), np.ndarray)
    assert_type(rng.choice([1, 2, 3], 2), np.ndarray)
    assert_type(rng.permutation(5), np.ndarray)
    assert_type(rng.dirichlet([1, 2]), np.ndarray)
    np.random.seed(0)
    assert_type(np.random.rand(2, 3), np.ndarray)
    assert_type(np.random.uniform(size=4), np.ndarray)
    assert_type(np.random.RandomState(0).poisson(3.0), int)


def scalars_and_files(a: np.ndarray) -> None:
    assert_type(np.float64(2), np.float64)
    assert_type(np.pi, float)
    assert_type(np.float64(2) * a, np.ndarray)
    file = io.BytesIO()
    np.save(file, a)
    assert_type(np.loadtxt(io.StringIO("1 2\n3 4")), np.ndarray)
    with np.errstate(divide="ignore"):
        assert_type(np.log([0.0]), np.ndarray)
    with contextlib.suppress(AttributeError):
        np.no_such_function  # type: ignore[attr-defined]  # noqa: B018


def main() -> None:
    """Use a little of everything, and say what type it has."""
    a = standardized([[1, 2], [3, 5], [5, 11]], "float64")
    assert_type(a, NDArray[np.float64])
    operators_and_attributes(a)
    methods(a.copy())
    making_and_joining(a)
    computing(a.copy())
    linear_algebra_and_transforms(a)
    random_numbers()
    scalars_and_files(a)


if __name__ == "__main__":
    main()
