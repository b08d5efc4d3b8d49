"""errstate, seterr and their like: what is found, what is done, and that it costs nothing else."""

from __future__ import annotations

import contextlib
import io
import threading
import warnings
from typing import Any

import numpy
import pytest
import torch

import numpy_shim
from numpy_shim import _errors

EXPRESSIONS = """
np.divide(1.0, np.array([0.0]))
np.array([1.0]) / 0
np.array([0.0]) / 0
np.log(np.array([0.0]))
np.log(np.array([-1.0]))
np.log1p(np.array([-1.0]))
np.arctanh(np.array([1.0]))
np.array([1e308]) * 10
np.exp(np.array([1000.0]))
np.exp(np.array([-1000.0]))
np.array([1e-308]) * 1e-10
np.array([1e-308]) * 1e-308
np.array([1]) // 0
np.array([1]) % 0
np.array([1], np.uint32) // np.array([0], np.uint32)
np.divmod(np.array([1]), 0)
np.divmod(np.array([1.0]), 0)
np.array([1.0]) // 0
np.array([1.0]) % 0
np.fmod(np.array([1]), 0)
np.power(np.array([0.0]), -1.0)
np.power(np.array([1e300]), 2)
np.power(np.array([-1.0]), 0.5)
np.reciprocal(np.array([0.0]))
np.reciprocal(np.array([0]))
np.sqrt(np.array([-1.0]))
np.array([np.inf]) - np.inf
np.array([127], np.int8) + np.int8(1)
np.array([-128], np.int8) // np.int8(-1)
-np.array([-128], np.int8)
np.add.reduce([1e308, 1e308])
np.multiply.reduce([1e308, 1e308])
np.add(1e308, 1e308)
np.array([60000], np.float16) * 2
np.array([np.nan]) < 1
np.hypot(np.array([1e308]), 1e308)
np.sinh(np.array([1000.0]))
np.ldexp(np.array([1.0]), 2000)
np.array([np.inf]) // 1
np.array([np.inf]) % 1
np.arccos(np.array([2.0]))
np.array([1 + 1j]) / 0
np.log(np.array([0j]))
np.float_power(0.0, -1)
np.cbrt(np.array([-1.0]))
np.tan(np.array([np.inf]))
np.square(np.array([1e200]))
np.spacing(np.array([np.inf]))
np.spacing(np.array([np.inf], np.float16))
np.spacing(np.array([np.nan], np.float16))
np.nextafter(np.array([65504], np.float16), np.float16(np.inf))
np.nextafter(np.array([-1.7976931348623157e308]), -np.inf)
np.nextafter(np.array([np.inf]), 0)
np.maximum(np.array([np.nan]), 1)
np.array([1e-320]) + 0.0
np.array([2.0]) * 5e-324
np.array([5e-324]) / 2.0
np.divide([1.0, 2], [0.0, 1], where=[False, True], out=np.zeros(2))
np.add([1, 2], 3)
np.sum(np.array([1e308, 1e308]))
np.sum(np.array([np.inf, -np.inf]))
np.sum(np.array([np.inf, 1]))
np.sum(np.array([np.nan, 1]))
np.array([1e308, 1e308]).sum()
np.array([[1e308, 1e308]]).sum(axis=1)
np.array([[1e308, 1e308]]).sum(axis=0)
np.sum(np.array([[1e308, 1e308], [np.nan, 1]]), axis=1)
np.sum(np.array([1e308 + 0j, 1e308]))
np.array([60000, 60000], np.float16).sum()
np.sum(np.array([127, 127], np.int8), dtype=np.int8)
np.sum(np.array([1e300]), dtype=np.float32)
np.sum(np.array([np.nan]), dtype=int)
np.prod(np.array([1e308, 1e308]))
np.prod(np.array([0.0, np.inf]))
np.prod(np.array([1e-200, 1e-200]))
np.max(np.array([np.nan, 1]))
np.array([np.nan]).max()
np.ptp(np.array([-1e308, 1e308]))
np.trace(np.full((2, 2), 1e308))
np.mean(np.array([1e308, 1e308]))
np.mean(np.array([[1e308, 1e308]]), axis=1)
np.mean(np.array([np.inf, -np.inf]))
np.mean(np.array([]))
np.mean(np.zeros((0, 2)), axis=0)
np.mean(np.array([60000, 60000], np.float16))
np.mean(np.array([1.0]), where=[False])
np.std(np.array([1e200, -1e200]))
np.var(np.array([1e308, 1e308]))
np.var(np.array([1e200, 3]), mean=0.0)
np.var(np.array([1e200j, -1e200j]))
np.std(np.array([np.inf, 1]))
np.std(np.array([]))
np.var(np.array([1.0]), ddof=1)
np.var(np.zeros((0, 2)), axis=0)
np.var(np.zeros((1, 2)), axis=0, ddof=1)
np.average(np.array([1e308, 1e308]))
np.nansum(np.array([1e308, 1e308]))
np.nansum(np.array([1e308, 1e308, np.nan]))
np.nanprod(np.array([1e308, 1e308]))
np.nanmean(np.array([1e308, 1e308, np.nan]))
np.nanmean(np.array([1e308, 1e308]))
np.cumsum(np.array([1e308, 1e308]))
np.cumsum(np.array([np.inf, -np.inf]))
np.cumsum(np.array([1e308, 1e308, np.nan, np.inf]))
np.cumprod(np.array([1e308, 1e308]))
np.cumprod(np.array([1e-200, 1e-200]))
np.cumulative_sum(np.array([1e308, 1e308]))
np.cumulative_sum(np.array([1e308, 1e308]), include_initial=True)
np.nancumsum(np.array([1e308, 1e308]))
np.diff(np.array([-1e308, 1e308]))
np.diff(np.array([-1e308, 1e308]), prepend=1.0)
np.add.reduce(np.array([1e308, 1e308]), initial=1.0)
np.add.accumulate(np.array([1e308, 1e308]))
np.add.reduceat(np.array([1e308, 1e308]), [0])
np.add.outer(np.array([1e308]), np.array([1e308]))
np.divide.outer(np.array([1.0]), np.array([0.0]))
np.divide.reduce(np.array([1.0, 0]))
np.divide.accumulate(np.array([1.0, 0]))
np.divide.reduceat(np.array([1.0, 0]), [0])
np.floor_divide.reduce(np.array([1, 0]))
np.floor_divide(np.array([1e308]), 1e-308)
np.divmod(4, np.finfo(np.float64).tiny)
divmod(np.float64(1e308), 1e-308)
np.power.reduce(np.array([10.0, 400]))
np.subtract.reduce(np.array([np.inf, np.inf]))
np.maximum.reduce(np.array([np.nan, 1e308]))
np.logaddexp.reduce(np.array([1.0, 0]))
np.hypot.reduce(np.array([1e308, 1e300]))
np.multiply.accumulate(np.array([1e-200, 1e-200]))
np.add.at(np.array([1e308]), [0], 1e308)
np.add.at(np.array([np.inf]), [0], -np.inf)
np.add.at(np.array([[1e308]]), ([0], [0]), 1e308)
np.divide.at(np.array([1.0, 0]), [0], 0)
np.divide.at(np.array([1.0, 0]), [0], 0.0)
np.power.at(np.array([1e300]), [0], 2.0)
np.log.at(np.array([0.0]), [0])
np.negative.at(np.array([0.0]), [0])
np.array([np.nan]).astype(int)
np.array([np.inf]).astype(np.int8)
np.array([1e300]).astype(int)
np.array([300.0]).astype(np.int8)
np.array([-1.0]).astype(np.uint8)
np.array([-1.0]).astype(np.uint64)
np.array([2.0**31]).astype(np.int16)
np.array([2.0**31]).astype(np.uint16)
np.array([2.0**31 - 0.5]).astype(np.int32)
np.array([-(2.0**31) - 0.5]).astype(np.int32)
np.array([-(2.0**31) - 1]).astype(np.int32)
np.array([2.0**40]).astype(np.uint32)
np.array([2.0**63]).astype(np.int64)
np.array([-(2.0**63)]).astype(np.int64)
np.array([2.0**63]).astype(np.uint64)
np.array([2.0**64]).astype(np.uint64)
np.array([np.nan]).astype(bool)
np.array([np.nan]).astype(np.float32)
np.array([np.nan], np.float16).astype(np.int32)
np.array([1e300]).astype(np.float32)
np.array([1e300, np.inf]).astype(np.float16)
np.array([70000]).astype(np.float16)
np.array([1e-300]).astype(np.float32)
np.array([1e-40]).astype(np.float32)
np.array([2.0**-140]).astype(np.float32)
np.array([1e30], np.float32).astype(np.float16)
np.array([1e300j]).astype(np.complex64)
np.array([complex(1e300, np.nan)]).astype(np.complex64)
np.array([1e300], dtype=np.float32)
np.array([[1e300]], np.float16)
np.array(1e300, dtype=np.float32)
np.array(np.array([np.nan]), dtype=int)
np.asarray(np.array([1e300]), np.float32)
np.float32(1e300)
np.float16(1e300)
np.complex64(1e300)
np.float32(np.float64(1e300))
np.int64(np.float64("nan"))
np.float64("nan").astype(int)
np.full(1, 1e300, np.float32)
np.full(1, np.nan, int)
np.full_like(np.zeros(1, np.float32), 1e300)
np.zeros(1, np.float32).fill(1e300)
np.zeros(1, int).__setitem__(0, np.array(np.nan))
np.zeros(1, int).__setitem__(slice(None), np.array([np.nan]))
np.zeros(1, np.float32).__setitem__(slice(None), np.array([1e300]))
np.zeros(1, np.float32).__setitem__(0, 1e300)
np.zeros(1, np.float32).__setitem__(0, np.float64(1e300))
np.zeros(1, np.float32).__setitem__([0], np.array([1e300]))
np.zeros(1, np.float32).__setitem__([0], 1e300)
np.zeros(1, np.float32).__setitem__(np.array([True]), 1e300)
np.zeros(1, np.float32).__setitem__(np.array([True]), np.array([1e300]))
np.copyto(np.zeros(1, np.float32), np.array([1e300]))
np.copyto(np.zeros(1, int), np.array([np.nan]), casting="unsafe")
np.put(np.zeros(1, np.float32), [0], [1e300])
np.concatenate([np.array([1e300])], dtype=np.float32, casting="unsafe")
np.add(np.array([1e300]), 1, out=np.zeros(1, np.float32))
np.add(np.array([1e300]), 1, dtype=np.float32)
np.zeros(1, np.float32).__iadd__(np.array([1e300]))
np.array([1.0], np.float32) * 1e300
np.array([1.0], np.float32) < 1e39
np.array([1.0], np.float32) * np.float64(1e300)
np.array([1], np.float16) * 1e5
np.ones((2, 2)) @ np.full((2, 2), 1e308)
np.full((2, 2), np.inf) @ np.zeros((2, 2))
np.full((2, 2), np.inf) @ np.array([[1.0, 1], [-1, -1]])
np.full((2, 2), np.nan) @ np.ones((2, 2))
np.full(2, 1e308) @ np.full(2, 1e308)
np.full((2, 2), 1e308) @ np.full(2, 1e308)
np.full((3, 2, 2), 1e308) @ np.full((3, 2, 2), 1e308)
np.array([[1e-200]]) @ np.array([[1e-200]])
np.array([[1, -1]]) @ np.array([[1.0], [1]])
np.matmul(np.full((2, 2), 1e308), np.full((2, 2), 1e308), out=np.zeros((2, 2)))
np.vecdot(np.full(2, 1e308), np.full(2, 1e308))
np.matvec(np.full((2, 2), 1e308), np.full(2, 1e308))
np.vecmat(np.full(2, 1e308), np.full((2, 2), 1e308))
np.dot(np.full(2, 1e308), np.full(2, 1e308))
np.dot(np.full((2, 2), 1e308), np.full((2, 2), 1e308))
np.dot(np.array([np.inf, -np.inf]), np.ones(2))
np.dot(1e308, np.array([10.0]))
np.array([1e308]).dot(np.array([10.0]))
np.vdot(np.full(2, 1e308), np.full(2, 1e308))
np.inner(np.full((2, 2), 1e308), np.full((2, 2), 1e308))
np.tensordot(np.full((2, 2), 1e308), np.full((2, 2), 1e308))
np.outer(np.full(2, 1e308), np.full(2, 1e308))
np.kron(np.full(2, 1e308), np.full(2, 1e308))
np.einsum("i,i", np.full(2, 1e308), np.full(2, 1e308))
np.float64(1) / 0
np.float64(1) / np.float64(0)
1 / np.float64(0)
np.float64(0) / 0
np.float64(1) // 0
np.float64(1) % 0
divmod(np.float64(1), 0)
np.float64(1e308) * 10
np.float64(1e200) ** 2
np.float64(0) ** -1
np.float64(-1) ** 0.5
2 ** np.float64(1e5)
np.float64(1e-308) * 1e-308
np.float32(1) * 1e300
np.float16(6e4) + np.float16(6e4)
np.int8(127) + np.int8(1)
np.int8(127) + 1
1 + np.int64(2**63 - 1)
np.uint8(0) - np.uint8(1)
np.uint64(2**63) * 2
np.int8(-128) * np.int8(-1)
np.int8(2) ** 8
np.int8(-128) // np.int8(-1)
np.int8(-128) % np.int8(-1)
divmod(np.int8(1), np.int8(0))
np.int64(1) / 0
-np.int8(-128)
abs(np.int8(-128))
-np.uint8(1)
np.int8(1) << np.int8(9)
np.int8(100) + np.array(100, np.int8)
np.float64(1e308) * np.array(10.0)
np.float64(1) / np.array([0.0])
np.add(np.int8(100), np.int8(100))
np.divide(np.float64(1), 0)
np.float64(1) / np.bool(0)
np.bool(1) / np.float64(0)
np.array([1e200]) ** 2
np.array([1e200]) ** 2.0
np.array([-1.0]) ** 0.5
np.array([0.0]) ** -1
np.array([1e200]).__ipow__(2)
np.round(np.array([1e308, 1.5]), 300)
np.round(np.array([1.5]), 400)
np.round(np.array([1.5]), -400)
np.round(np.array([np.inf, np.nan]), 2)
np.round(np.array([1.0], np.float32), 50)
np.round(np.array([60000], np.float16), 2)
np.round(np.array([1e-300]), -20)
np.round(np.array([1e308 + 1j]), 2)
np.round(np.array([127], np.int8), -1)
np.array([1e308]).round(2)
np.float64(1e308).round(2)
np.linalg.det(np.diag([1e200, 1e200]))
np.linalg.det(np.diag([1e-200, 1e-200]))
np.linalg.det(np.diag([1e30, 1e30]).astype(np.float32))
np.linalg.det(np.diag([1e-30, 1e-30]).astype(np.float32))
np.linalg.det(np.full((2, 2), np.nan))
np.linalg.det(np.full((2, 2), np.inf))
np.linalg.det(np.diag([np.inf, 1]))
np.linalg.det(np.zeros((2, 2)))
np.linalg.slogdet(np.zeros((2, 2)))
np.linalg.slogdet(np.full((2, 2), np.nan))
np.linalg.inv(np.full((2, 2), np.nan))
np.linalg.inv(np.array([[1e-310]]))
np.linalg.solve(np.array([[1e-320]]), np.array([[1.0]]))
np.linalg.eigh(np.full((2, 2), np.inf))
np.linalg.qr(np.full((2, 2), np.nan))
np.linalg.pinv(np.array([[1e-309]]))
np.linalg.norm(np.array([1e200, 1e200]))
np.linalg.norm(np.array([1e200j, 1]))
np.linalg.norm(np.array([1e200, 1e200]), axis=0)
np.linalg.norm(np.array([[1e200j, 1]]), axis=1)
np.linalg.norm(np.array([1e308, 1e308]), 1)
np.linalg.norm(np.array([1e200, 1]), 3)
np.linalg.norm(np.array([1e-200, 1]), 3)
np.linalg.norm(np.array([0.0, 1]), -1)
np.linalg.norm(np.array([0.0, 1]), -2)
np.linalg.norm(np.array([1e308, 1e308]), 0.5)
np.linalg.norm(np.array([[1e308, 1e308]]), 0.5, axis=1)
np.linalg.norm(np.array([6e4, 6e4], np.float16))
np.linalg.norm(np.full((2, 2), 1e308), 1)
np.linalg.norm(np.full((2, 2), 1e308), np.inf)
np.linalg.norm(np.full((2, 2), 1e308), 2)
np.linalg.norm(np.full((2, 2), 1e200), "fro")
np.linalg.matrix_norm(np.full((2, 2), 1e200))
np.linalg.vector_norm(np.full(2, 1e200))
np.linalg.cond(np.diag([1.0, 0.0]), 1)
np.linalg.cond(np.full((2, 2), 1e308), 1)
np.linalg.matrix_power(np.diag([1e200, 1.0]), 2)
np.linalg.matrix_power(np.diag([1e100, 1.0]), 5)
np.linalg.multi_dot([np.diag([1e200, 1.0])] * 2)
np.linalg.outer(np.array([1e200]), np.array([1e200]))
np.fft.fft(np.full(2, 1e308))
np.fft.fft(np.full(5, 1e308))
np.fft.fft(np.full(3, np.inf))
np.fft.fft(np.array([1e38, 3e38, 3e38], np.float32))
np.fft.ifft(np.full(2, 1e308))
np.fft.rfft(np.full(2, 1e308))
np.fft.rfft(np.full(3, 1e308))
np.fft.irfft(np.full(2, 1e308))
np.fft.hfft(np.full(2, 1e308))
np.fft.ihfft(np.full(4, 1e308))
np.fft.fft2(np.full((2, 2), 1e308))
np.fft.rfft2(np.full((2, 2), 1e308))
np.fft.rfft2(np.full((2, 3), 4e307))
np.fft.irfft2(np.full((2, 2), 1e308))
np.fft.ifftn(np.full((2, 2), 1e308))
np.fft.fft([[1.0, 2.0], [1e308, 1e308]])
np.fft.fftfreq(3, 1e-320)
np.isclose(np.array([np.inf]), np.inf)
np.median(np.array([]))
np.median(np.zeros((2, 0)), axis=1)
""".strip().splitlines()


def messages(np: Any, expression: str) -> list[str]:
    with warnings.catch_warnings(record=True) as caught, np.errstate(all="warn"):
        warnings.simplefilter("always")
        eval(expression, {"np": np})
    return [str(w.message) for w in caught]


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_warnings_are_numpys(expression: str):
    """The same errors are found in the same calls, and told in the same words."""
    assert messages(numpy_shim, expression) == messages(numpy, expression)


UNSEEN = """
np.sum(np.array([1e308, 1e308, np.nan]))
np.prod(np.array([1e-200, 1e-200, 0.0]))
np.einsum("i,i", np.full(2, 1e308), np.full(2, 1e308))
np.fft.fft(np.full(3, 1e-308))
np.fft.fft(np.array([np.nan, 1e308, 1e308]))
np.linalg.norm(np.array([1e308, np.inf]))
""".strip().splitlines()


@pytest.mark.parametrize("expression", UNSEEN)
def test_what_is_not_seen(expression: str):
    """Errors that leave no trace in the result are not found, nor is underflow in transforms."""
    assert messages(numpy_shim, expression) == []


@pytest.mark.parametrize("source", ["float16", "float32", "float64", "complex64", "complex128"])
@pytest.mark.parametrize("target", ["bool", "int8", "uint16", "int32", "int64", "float16",
                                    "float32", "complex64"])  # fmt: skip
def test_casts_of_every_pair(source: str, target: str):
    """What a cast of special, large and small numbers meets, from and to every kind of dtype."""
    numbers = [0.0, -1.0, 1e30, -1e30, 1e300, 1e-30, "nan", "inf", "-inf", 70000, 2.0**31, 2.0**63]
    for number in numbers:
        cast = f"np.array([float({str(number)!r})]).astype({source!r})"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            made = {np: eval(cast, {"np": np}) for np in (numpy, numpy_shim)}
        found = []
        for np, array in made.items():
            with warnings.catch_warnings(record=True) as caught, np.errstate(all="warn"):
                warnings.simplefilter("always")
                array.astype(target)
            found.append({str(w.message) for w in caught if "omplex" not in str(w.message)})
        assert found[0] == found[1], (source, target, number)


def test_fast_tables_come_back():
    """After the last context that looks, reductions and casts are quick again."""
    from numpy_shim import _methods_own, _reductions
    from numpy_shim._spec import FAST_TABLES

    with numpy_shim.errstate(all="raise"):
        assert not any(FAST_TABLES)
        assert numpy_shim.ones(3).sum() == 3
        assert numpy_shim.ones((2, 3)).max(axis=0).tolist() == [1, 1, 1]
        assert numpy_shim.ones(3).astype(int).tolist() == [1, 1, 1]
    assert torch.float64 in _methods_own._REAL
    assert any(torch.float64 in table for table in FAST_TABLES)
    assert _reductions.SUM.ufunc == "add"


def test_nothing_is_written_where_it_raises():
    """A cast or a product that raises leaves what it was to write to alone."""
    a = numpy_shim.zeros(1, numpy_shim.float32)
    m = numpy_shim.zeros((2, 2))
    with numpy_shim.errstate(all="raise"):
        with pytest.raises(FloatingPointError, match="overflow encountered in cast"):
            a[:] = numpy_shim.array([1e300])
        with pytest.raises(FloatingPointError, match="overflow encountered in matmul"):
            numpy_shim.matmul(m + 1e308, m + 2, out=m)
    assert a.tolist() == [0]
    assert m.tolist() == [[0, 0], [0, 0]]


def test_nothing_is_looked_for_by_default():
    """The default is to ignore, and says so."""
    assert numpy_shim.geterr() == dict.fromkeys(("divide", "over", "under", "invalid"), "ignore")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        numpy_shim.ones(1) / 0


def test_raise():
    """Mode ``raise`` raises FloatingPointError before anything is written."""
    out = numpy_shim.zeros(1)
    with numpy_shim.errstate(divide="raise"):
        with pytest.raises(FloatingPointError, match="divide by zero encountered in divide"):
            numpy_shim.divide(numpy_shim.ones(1), 0.0, out=out)
        numpy_shim.sqrt(-numpy_shim.ones(1))
    assert out.tolist() == [0]


def test_operators_are_checked():
    """Operators and in-place operators are ufuncs too."""
    a = numpy_shim.ones(1)
    with numpy_shim.errstate(all="raise"):
        for action in (lambda: a / 0, lambda: a / numpy_shim.zeros(1), lambda: a.__itruediv__(0)):
            with pytest.raises(FloatingPointError):
                action()


def test_call_print_and_log():
    """The handler is called or written to, or the message printed."""
    calls: list[Any] = []
    with numpy_shim.errstate(all="call", call=lambda *a: calls.append(a)):
        numpy_shim.ones(1) / 0
    assert calls == [("divide by zero", 1)]
    log = io.StringIO()
    with numpy_shim.errstate(all="log", call=log):
        numpy_shim.ones(1) / 0
    assert log.getvalue() == "Warning: divide by zero encountered in divide\n"
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), numpy_shim.errstate(all="print"):
        numpy_shim.ones(1) / 0
    assert printed.getvalue() == "Warning: divide by zero encountered in divide\n"
    with numpy_shim.errstate(all="call"), pytest.raises(NameError):
        numpy_shim.ones(1) / 0


def test_seterr_returns_what_was():
    """seterr, seterrcall and their getters."""
    before = numpy_shim.seterr(divide="raise", over="warn")
    try:
        assert numpy_shim.geterr()["divide"] == "raise"
        assert numpy_shim.geterr()["under"] == "ignore"
        assert not numpy_shim.add._fast
    finally:
        assert numpy_shim.seterr(**before)["over"] == "warn"
    assert torch.float64 in numpy_shim.add._fast
    handler = print
    assert numpy_shim.seterrcall(handler) is None
    assert numpy_shim.geterrcall() is handler
    assert numpy_shim.seterrcall(None) is handler


@pytest.mark.parametrize("np", [numpy, numpy_shim])
def test_refusals(np: Any):
    """A mode that is none, a handler that is none, a context entered twice."""
    with pytest.raises(ValueError, match="mode"):
        np.seterr(all="foo") if np is numpy_shim else np.seterr(all="mode")
    with pytest.raises(TypeError, match="callable"):
        np.seterrcall(3)
    context = np.errstate(all="ignore")
    with context, pytest.raises(TypeError, match="twice"):
        context.__enter__()


def test_decorator_and_nesting():
    """Contexts nest, and decorate functions that may call themselves."""

    @numpy_shim.errstate(divide="raise")
    def divided(n: int) -> Any:
        with numpy_shim.errstate(all="ignore"):
            numpy_shim.ones(1) / 0
        assert numpy_shim.geterr()["divide"] == "raise"
        return divided(n - 1) if n else numpy_shim.ones(1) / 0

    with pytest.raises(FloatingPointError):
        divided(2)
    assert numpy_shim.geterr()["divide"] == "ignore"
    assert not _errors.active


def test_other_threads_are_left_alone():
    """What one thread looks for, another does not."""
    seen: list[Any] = []

    def other() -> None:
        seen.append(numpy_shim.geterr()["divide"])
        seen.append((numpy_shim.ones(1) / 0).tolist())

    with numpy_shim.errstate(all="raise"):
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
    assert seen == ["ignore", [float("inf")]]


def test_traces():
    """``errstate`` that ignores traces; one that looks for errors says why it cannot."""

    def ignoring(a: Any) -> Any:
        with numpy_shim.errstate(all="ignore"):
            return a / 0.0

    def raising(a: Any) -> Any:
        with numpy_shim.errstate(all="raise"):
            return a / 0.0

    a = numpy_shim.ones(2)
    compiled = torch.compile(ignoring, backend="eager", fullgraph=True)
    assert compiled(a).tolist() == [float("inf")] * 2
    with pytest.raises(Exception, match="trace"):
        torch.compile(raising, backend="eager", fullgraph=True)(a)
