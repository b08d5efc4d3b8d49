"""What is in no chapter: bits in bytes, strided views, complex domains, memory, files."""

from __future__ import annotations

import io
import random
from typing import Any

import numpy
import pytest

import numpy_shim
from tests.differential import Spec
from tests.numpy_shim.differential import ROUNDING, compare

GRID = Spec(numpy.arange(24.0).reshape(4, 6))


@pytest.mark.parametrize("axis", [None, 0, 1, -1, 2])
@pytest.mark.parametrize("bitorder", ["big", "little"])
@pytest.mark.parametrize("dtype", ["uint8", "bool", "int64"])
@pytest.mark.parametrize("shape", [(3, 9), (8,), (0, 3)])
def test_packbits(axis: Any, bitorder: str, dtype: str, shape: tuple[int, ...]):
    x = Spec(numpy.random.RandomState(0).randint(0, 2, shape).astype(dtype))
    compare(lambda np, a: np.packbits(a, axis, bitorder), x)


@pytest.mark.parametrize("kwargs", [{"bitorder": "other"}, {"axis": 5}], ids=str)
def test_packing_refuses(kwargs: Any):
    compare(lambda np: np.packbits(np.array([1, 0]), **kwargs))
    compare(lambda np: np.unpackbits(np.array([1, 0], "uint8"), **kwargs))
    compare(lambda np: np.packbits(np.array([1.0, 0.0])))


@pytest.mark.parametrize("axis", [None, 0, 1])
@pytest.mark.parametrize("count", [None, 0, 5, 40, -3, -100])
@pytest.mark.parametrize("bitorder", ["big", "little"])
@pytest.mark.parametrize("dtype", ["uint8", "int16"])
def test_unpackbits(axis: Any, count: Any, bitorder: str, dtype: str):
    x = Spec(numpy.random.RandomState(0).randint(0, 256, (2, 3)).astype(dtype))
    compare(lambda np, a: np.unpackbits(a, axis, count, bitorder), x)


@pytest.mark.parametrize("window", [2, (2, 3), (5, 1), -1, (1, 2, 3)])
@pytest.mark.parametrize("axis", [None, 0, 1, (0, 1), (1, 1), 5])
@pytest.mark.parametrize("backwards", [False, True])
def test_sliding_window_view(window: Any, axis: Any, backwards: bool):
    """A view, read-only unless asked for otherwise, of arrays that run backwards too."""

    def body(np: Any, a: Any) -> Any:
        x = a[::-1] if backwards else a
        made = np.lib.stride_tricks.sliding_window_view(x, window, axis)
        again = np.lib.stride_tricks.sliding_window_view(x, window, axis, writeable=True)
        again[(0,) * again.ndim] = 100.0
        return made.copy(), made.flags.writeable, a

    compare(body, GRID)


@pytest.mark.parametrize("strides", [(48, 8), (8, 8), (0, 16), (4, 8), (8,), (48, 800)])
def test_as_strided(strides: Any):
    def body(np: Any, a: Any) -> Any:
        if strides == (48, 800) or strides == (4, 8):
            raise ValueError("NumPy reads what lies beyond the array, or between its elements")
        return np.lib.stride_tricks.as_strided(a, (3, 2), strides).copy()

    compare(body, GRID)
    if strides in ((48, 800), (4, 8)):
        with pytest.raises(ValueError, match="as_strided"):
            numpy_shim.lib.stride_tricks.as_strided(numpy_shim.arange(24.0), (3, 2), strides)


@pytest.mark.parametrize("name", ["sqrt", "log", "log2", "log10", "arccos", "arcsin", "arctanh"])
@pytest.mark.parametrize("values", [[0.5, 0.25], [-0.5, 2.0], [-2, 3], [0.5j, 1.0], 0.5, -2])
def test_complex_domain(name: str, values: Any):
    compare(lambda np: getattr(np.emath, name)(np.array(values)), rtol=ROUNDING, kind=False)


@pytest.mark.parametrize("args", [(2, [4.0, 8.0]), (2, -4.0), (-2, 4)])
def test_emath_logn(args: Any):
    compare(lambda np: np.emath.logn(*args), rtol=ROUNDING, kind=False)


@pytest.mark.parametrize("args", [([2, 4], 2), ([2, 4], -2), ([-2.0, 4.0], 0.5), ([-2, 4], 2)])
def test_emath_power(args: Any):
    compare(lambda np: np.emath.power(*[np.array(a) for a in args]), rtol=ROUNDING, atol=1e-15)


def test_shared_memory():
    def body(np: Any, a: Any) -> Any:
        pairs = [(a, a), (a[:2], a[1:]), (a[:2], a[2:]), (a[:, ::2], a[:, 1::2]), (a, a.copy()),
                 (a[::-1], a[:1]), (a[:0], a)]  # fmt: skip
        return [(np.may_share_memory(x, y), np.shares_memory(x, y)) for x, y in pairs]

    compare(body, GRID)


@pytest.mark.parametrize("work", [None, -1, 0, 1, 2, 3, 100, 10**100, 2.5, "much"])
def test_shared_memory_within_work(work: Any):
    """As much is found out with as many candidates; ``TooHardError`` beyond."""

    def body(np: Any) -> Any:
        x = np.zeros((4, 5, 6), "int8")
        return np.shares_memory(x[:, ::2, ::3], x[:, ::3, ::2], max_work=work)

    compare(body)
    compare(lambda np: np.may_share_memory(np.zeros(6)[::2], np.zeros(6)[1::2], max_work=work))


@pytest.mark.parametrize("seed", range(40))
def test_shared_memory_of_random_views(seed: int):
    """Exactly, of views of several dtypes, steps and directions."""

    def body(np: Any) -> Any:
        draw = random.Random(seed)
        whole = np.zeros((6, 5, 8), "int16")
        found = []
        for _ in range(20):
            pair = []
            for _ in range(2):
                base = whole.view(draw.choice(["int16", "int8", "float32"]))
                ends = [sorted(draw.sample(range(n + 1), 2)) for n in base.shape]
                steps = [draw.choice([1, 2, 3, -1]) for _ in ends]
                view = base[tuple(slice(*end) for end in ends)]
                view = view[tuple(slice(None, None, step) for step in steps)]
                pair.append(view.transpose(draw.sample(range(3), 3)))
            found.append((np.shares_memory(*pair), np.may_share_memory(*pair)))
        return found

    compare(body)


def test_arrayterator():
    """NumPy's own class goes through arrays of ours block by block."""

    def body(np: Any) -> Any:
        a = np.arange(3 * 4 * 5).reshape(3, 4, 5)
        found = []
        for size in (None, 1, 7, 20, 60):
            b = np.lib.Arrayterator(a, size)
            part = b[1:, ::2, 1:4]
            found.append([list(b), part.shape, [x for block in part for x in block.flat]])
        return found

    compare(body)


@pytest.mark.parametrize("number", [0, 5, -5, 255, 2**70, 1.5])
def test_numbers_as_text(number: Any):
    compare(lambda np: [np.base_repr(number, 16, 2), np.binary_repr(number)])
    compare(lambda np: np.binary_repr(number, 12))


@pytest.mark.parametrize("dtype", ["float64", "uint64", "complex64", "bool", "float16"])
def test_npy_and_npz(dtype: str):
    """What one library writes the other reads."""
    values = numpy.arange(6).reshape(2, 3).astype(dtype)
    mine = numpy_shim.asarray(values)
    for write, read in ((numpy_shim.save, numpy.load), (numpy.save, numpy_shim.load)):
        file = io.BytesIO()
        write(file, mine if write is numpy_shim.save else values)
        file.seek(0)
        back = read(file)
        assert back.dtype == values.dtype
        assert numpy.array_equal(numpy.asarray(back), values)
    for write in (numpy_shim.savez, numpy_shim.savez_compressed):
        file = io.BytesIO()
        write(file, mine, named=mine[0])
        file.seek(0)
        with numpy_shim.load(file) as loaded:
            assert sorted(loaded) == ["arr_0", "named"]
            assert isinstance(loaded["named"], numpy_shim.ndarray)
            assert loaded["arr_0"].tolist() == values.tolist()


def test_load_refuses():
    """Pickles without leave, objects at all, memory maps."""
    file = io.BytesIO()
    numpy.save(file, numpy.array([None, 1], dtype=object), allow_pickle=True)
    file.seek(0)
    with pytest.raises(ValueError, match="allow_pickle"):
        numpy_shim.load(file)
    file.seek(0)
    with pytest.raises(TypeError, match="object"):
        numpy_shim.load(file, allow_pickle=True)
    with pytest.raises(ValueError, match="mmap_mode"):
        numpy_shim.load(file, mmap_mode="r")


def test_text_files():
    def body(np: Any, a: Any) -> Any:
        text = io.StringIO()
        np.savetxt(text, a, fmt="%.3f", delimiter=",", header="x")
        written = text.getvalue()
        return [
            written,
            np.loadtxt(io.StringIO(written), delimiter=","),
            np.loadtxt(io.StringIO(written), delimiter=",", usecols=(0, 2), unpack=True),
            np.genfromtxt(io.StringIO("1,,3\n4,5,6"), delimiter=",", filling_values=-1),
            np.loadtxt(io.StringIO("1 2\n3 4"), dtype=np.int16),
        ]

    compare(body, GRID, allow_numpy=True)
    with pytest.raises(TypeError, match="structured"):
        numpy_shim.genfromtxt(io.StringIO("1 2"), names=["x", "y"])


def test_binary_files(tmp_path: Any):
    def body(np: Any, a: Any) -> Any:
        a.tofile(tmp_path / "values")
        return np.fromfile(tmp_path / "values", dtype=np.float64, count=3, offset=8)

    compare(body, GRID, allow_numpy=True)


def test_namespace_info():
    """The array API standard's questions."""
    info = numpy_shim.__array_namespace_info__()
    assert info.default_dtypes()["integral"] == numpy.int64
    assert set(info.dtypes(kind="real floating")) == {"float32", "float64"}
    assert info.default_device() in info.devices()
    with pytest.raises(ValueError, match="kind"):
        info.dtypes(kind="nonsense")
    with pytest.raises(ValueError, match="device"):
        info.default_dtypes(device="nonsense")


@pytest.mark.parametrize("dtype", ["float32", "int64", "complex128"])
@pytest.mark.parametrize("copy", [True, False])
def test_astype(dtype: str, copy: bool):
    compare(lambda np, a: np.astype(a, dtype, copy=copy), GRID)
    compare(lambda np, a: np.astype([1, 2], dtype, copy=copy), GRID)
    compare(lambda np, a: np.isfortran(a.T), GRID)


def test_polynomials():
    """NumPy's classes and functions, on arrays of ours."""

    def body(np: Any) -> Any:
        p, q = np.polynomial.Polynomial([1.0, 2.0, 3.0]), np.polynomial.Chebyshev([0.5, 1.0])
        x = np.linspace(-1, 1, 5)
        fit = np.polynomial.Polynomial.fit(x, 1 + 2 * x + 3 * x**2, 2)
        return [
            (p * p).coef, p.deriv().coef, p.integ().coef, p(x), q(x), p.roots(), str(p), repr(q),
            np.polynomial.legendre.legval(x, [1, 2, 3]), fit.convert().coef,
            np.polynomial.hermite.hermgauss(3)[0], (p // [1.0, 1.0]).coef,
        ]  # fmt: skip

    compare(body, rtol={"float64": 1e-10, "complex128": 1e-10}, atol=1e-12, allow_numpy=True)


def test_packing_refuses_an_order_that_is_no_text():
    compare(lambda np: np.unpackbits(np.array([1], "uint8"), bitorder=10))
    compare(lambda np: np.packbits(np.array([1]), bitorder=10))


@pytest.mark.parametrize("version", [(1, 0), (2, 0), None, (9, 9)])
@pytest.mark.parametrize("dtype", ["float32", "complex128", "uint16", "bool"])
def test_npy_format(version: Any, dtype: str):
    """The bytes are NumPy's, and are read back."""

    def body(np: Any) -> Any:
        file = io.BytesIO()
        np.lib.format.write_array(file, np.ones((2, 3), dtype), version)
        written = file.getvalue()
        file.seek(0)
        return written, np.lib.format.read_array(file)

    compare(body, allow_numpy=True)


def test_npy_format_refuses():
    for values in (b"", b"not a file"):
        with pytest.raises(ValueError, match=r"EOF|magic"):
            numpy_shim.lib.format.read_array(io.BytesIO(values))
    with pytest.raises(TypeError, match="memory"):
        numpy_shim.lib.format.open_memmap("name.npy")


def test_npz_attributes():
    file = io.BytesIO()
    numpy_shim.savez(file, a=numpy_shim.arange(3), b=numpy_shim.ones(2))
    file.seek(0)
    arrays = numpy_shim.load(file).f
    assert arrays.a.tolist() == [0, 1, 2]
    assert sorted(dir(arrays)) == ["a", "b"]
    with pytest.raises(AttributeError, match="c"):
        _ = arrays.c


@pytest.mark.parametrize("kind", ["Polynomial", "Chebyshev", "Legendre", "Hermite", "Laguerre"])
def test_polynomials_of_polynomials(kind: str):
    """Conversion and composition call a polynomial with a polynomial."""

    def body(np: Any) -> Any:
        own = getattr(np.polynomial, kind)
        p = np.polynomial.Polynomial([1.0, 2.0, 3.0])
        q = own([2.0, 1.0], domain=[-2, 2])
        return p.convert(kind=own).coef, own.cast(p).integ(lbnd=1).coef, q(q).coef

    compare(body, rtol=1e-12, atol=1e-12, signed_zeros=False)


@pytest.mark.parametrize(
    "name", [
        "polynomial.polyval", "chebyshev.chebval", "legendre.legval", "hermite.hermval",
        "hermite_e.hermeval", "laguerre.lagval",
    ],
)  # fmt: skip
def test_polynomials_of_several_variables(name: str):
    """In NumPy since 2.5; here beside any."""
    module = getattr(numpy_shim.polynomial, name.partition(".")[0])
    name = name.partition(".")[2]
    c = numpy_shim.arange(6.0).reshape(2, 3)
    x, y = numpy_shim.array([0.5, 2.0]), numpy_shim.array([1.0, -3.0])
    assert f"{name}nd" in module.__all__
    expected = getattr(module, f"{name}2d")(x, y, c)
    numpy_shim.testing.assert_array_equal(getattr(module, f"{name}nd")([x, y], c), expected)
    with pytest.raises(ValueError, match="are incompatible"):
        getattr(module, f"{name}nd")([x, y[:1]], c)


@pytest.mark.parametrize("name", ["polyval2d", "polygrid2d"])
def test_polynomials_of_two_variables(name: str):
    x = Spec(numpy.linspace(-1, 1, 3))
    compare(
        lambda np, a: getattr(np.polynomial.polynomial, name)(a, a, np.ones((2, 3))), x, rtol=1e-12
    )
    compare(lambda np, a: np.polynomial.polynomial.polyvander2d(a, a, [1, 2]), x, rtol=1e-12)
