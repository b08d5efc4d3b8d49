"""``scipy.fft`` where the arrays are, beside SciPy: values, dtypes, shapes and errors."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
import scipy.fft
import torch

import numpy_shim as np
import xp_backend.npy  # noqa: F401 - the device
from numpy_shim.scipy import fft
from numpy_shim.scipy._fft import FUNCTIONS, ON_THE_HOST

from .beside import check_names, compare_calls, compare_values

COMPLEX = ("fft", "ifft", "hfft", "irfft")
REAL = ("rfft", "ihfft")
COSINES = ("dct", "dst", "idct", "idst")
DTYPES = ("float64", "float32", "complex128", "complex64", "int64", "uint8", "bool", "float16")


def values(dtype: str, *shape: int) -> Any:
    x = numpy.random.default_rng(0).normal(size=shape) * 9
    if dtype.startswith("complex"):
        x = x + 1j * numpy.random.default_rng(1).normal(size=shape)
    return (numpy.abs(x) if dtype == "uint8" else x).astype(dtype)


def compare(name: str, *args: Any, device: str = "cpu", **kwargs: Any) -> None:
    compare_calls(FUNCTIONS[name], getattr(scipy.fft, name), args, kwargs, device, 64)


def test_every_public_name_runs_here_or_says_why_not():
    check_names(scipy.fft, FUNCTIONS, ON_THE_HOST)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", COMPLEX + REAL + COSINES)
def test_lines(name: str, dtype: str, device: str):
    x = values(dtype, 7, 6)
    for n in (None, 1, 4, 5, 9, 0, -1):
        for axis in (-1, 0, 2):
            compare(name, x, n=n, axis=axis, device=device)
    for norm in ("ortho", "forward", "backward", "no norm"):
        compare(name, x[::2, ::-1], norm=norm, device=device)
    compare(name, x[:, :0], device=device)
    compare(name, x[:0], device=device)
    compare(name, x[0, 0], device=device)
    compare(name, x, workers=0)
    compare(name, x, plan=1)


@pytest.mark.parametrize("dtype", ["float64", "float32", "complex128", "int64"])
@pytest.mark.parametrize("name", ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft", "dct", "idst"])
def test_many_axes(name: str, dtype: str, device: str):
    x = values(dtype, 4, 5, 6)
    for axes in (None, (0,), (0, 2), (-1, 0), (1, 1), (3,), ()):
        compare(f"{name}n", x, axes=axes, device=device)
        compare(f"{name}n", x, s=(3, 7), axes=axes, norm="ortho", device=device)
    compare(f"{name}n", x, s=(2, -1, 9), device=device)
    compare(f"{name}n", x[0, 0], s=(2, 3), device=device)
    if not name.startswith(("dct", "idst")):
        for s in (None, (3, 8)):
            compare(f"{name}2", x, s, axes=(0, 1), norm="forward", device=device)


@pytest.mark.parametrize("name", [*COSINES, *[f"{name}n" for name in COSINES]])
@pytest.mark.parametrize("type", [1, 2, 3, 4, 5])
def test_types_of_cosine_transforms(name: str, type: int):
    for n in (1, 2, 3, 4, 5, 8, 15, 100):
        for dtype in ("float64", "float32", "complex128"):
            for norm in (None, "ortho", "forward"):
                for orthogonalize in (None, True, False):
                    x = values(dtype, 3, n)
                    compare(name, x, type, norm=norm, orthogonalize=orthogonalize)
    compare(name, values("float64", 3, 5), type, overwrite_x=True)


def test_hankel_transforms(device: str):
    r = numpy.logspace(-4, 4, 17)
    for mu, offset, bias in ((0.0, 0.0, 0.0), (0.5, 0.3, -0.2), (2, 0.0, 0.4), (-1.0, 0.1, 0.0)):
        for name in ("fht", "ifht"):
            compare(name, r, 0.3, mu, offset, bias, device=device)
            compare(name, r[:16], 0.3, mu, offset, bias, device=device)


def test_frequencies_and_shifts(device: str):
    with torch.device(device):
        for name in ("fftfreq", "rfftfreq"):
            for n in (1, 4, 7):
                compare_calls(
                    getattr(fft, name), getattr(scipy.fft, name), (n, 0.5), {}, device
                )  # fmt: skip
    for name in ("fftshift", "ifftshift"):
        compare(name, values("float64", 4, 5), device=device)
        compare(name, values("int64", 4, 5), axes=1, device=device)


@pytest.mark.parametrize("n", [6, 7])
@pytest.mark.parametrize("name", sorted(FUNCTIONS.keys() - {"fftfreq", "rfftfreq"}))
def test_gradients(name: str, n: int):
    dtype = torch.float64
    if name in (*COMPLEX, "fft2", "fftn", "ifft2", "ifftn", "irfftn", "hfftn", "irfft2", "hfft2"):
        dtype = torch.complex128
    t = torch.randn(4, n, dtype=dtype, generator=torch.Generator().manual_seed(0))
    more = (0.3, 0.5) if name in ("fht", "ifht") else ()
    t.requires_grad_()
    assert torch.autograd.gradcheck(lambda t: FUNCTIONS[name](np.asarray(t), *more).tensor, (t,))


@pytest.mark.parametrize("type", [1, 2, 3, 4])
@pytest.mark.parametrize("name", COSINES)
def test_gradients_of_types(name: str, type: int):
    t = torch.arange(5.0, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradgradcheck(
        lambda t: FUNCTIONS[name](np.asarray(t), type).tensor ** 2, (t,)
    )


@pytest.mark.parametrize("name", ["fft", "rfft", "ihfft", "irfftn", "dct", "idstn"])
def test_compiled_in_one_graph(name: str):
    torch.compiler.reset()
    function = getattr(fft, name)
    x = values("float64", 5, 8)
    compiled = torch.compile(lambda a: function(a + 1), backend="eager", fullgraph=True)
    theirs = getattr(scipy.fft, name)(x + 1)
    compare_values(compiled(np.asarray(x)), theirs, name, "cpu")


@pytest.mark.parametrize("name", sorted(FUNCTIONS.keys() - {"fftfreq", "rfftfreq"}))
def test_nothing_crosses_to_the_host(name: str):
    x = np.asarray(values("float64", 4, 8), device="npy")
    more = (0.3, 0.5) if name in ("fht", "ifht") else ()
    with np.allow_implicit_host_copy(False):
        assert getattr(fft, name)(x, *more).device.type == "npy"
