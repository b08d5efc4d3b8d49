"""Arrays of ours beside torch's, NumPy's and those of other libraries."""

from __future__ import annotations

import io
import operator
import pickle
from collections.abc import Callable
from typing import Any

import numpy
import pytest
import torch

import numpy_shim as np
from numpy_shim.testing import assert_allclose, assert_array_equal
from tests.numpy_shim.differential import compare

BINARY: list[Callable[[Any, Any], Any]] = [
    operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod,
    operator.pow, operator.matmul, operator.lt, operator.le, operator.gt, operator.ge,
    operator.eq, operator.ne,
]  # fmt: skip
BITS: list[Callable[[Any, Any], Any]] = [
    operator.and_, operator.or_, operator.xor, operator.lshift, operator.rshift,
]  # fmt: skip


def named(functions: Any) -> Any:
    return pytest.mark.parametrize("function", functions, ids=lambda f: f.__name__)


# --- torch ---


@named(BINARY + BITS)
@pytest.mark.parametrize("other_dtype", [torch.float64, torch.float32, torch.int16])
def test_operators_with_tensors_are_symmetric(function: Any, other_dtype: torch.dtype):
    """Whichever stands first: an array of ours, with NumPy's promotion."""
    bits = function in BITS
    t = torch.tensor([1, 2, 3], dtype=torch.int16 if bits else other_dtype)
    a = np.array([3, 1, 2], dtype="int32" if bits else "float64")
    for left, right in ((t, a), (a, t)):
        ours = function(left, right)
        theirs = function(*[numpy.array(x.tolist(), str(x.dtype)[-7:].lstrip(".h"))
                            if isinstance(x, torch.Tensor) else numpy.asarray(x)
                            for x in (left, right)])  # fmt: skip
        assert isinstance(ours, (np.ndarray, np.generic))
        assert ours.dtype == theirs.dtype
        assert_allclose(ours, theirs, rtol=1e-6)


def test_zero_dimensional_tensors_promote_as_arrays():
    """torch would keep float32 beside a 0-D float64 tensor."""
    a, t = np.ones(3, dtype="float32"), torch.tensor(2.0, dtype=torch.float64)
    assert (a * t).dtype == (t * a).dtype == numpy.float64


def test_functions_of_torch_take_arrays():
    """They give arrays; a tensor that is written to stays the tensor it is."""
    a, b = np.array([1.0, 2.0]), np.array([3.0, 4.0])
    t = torch.ones(2, dtype=torch.float64)
    for result in (torch.add(t, a), torch.sin(a), torch.stack([a, b]), torch.cat((a, t))):
        assert isinstance(result, (np.ndarray, np.generic))
    values, indices = torch.sort(b)
    assert isinstance(values, np.ndarray)
    assert isinstance(indices, np.ndarray)
    same = t
    t[0] = a[1]
    t += a
    assert t is same
    assert t.tolist() == [3.0, 3.0]
    assert torch.add(a, b, out=t) is t
    assert torch.is_tensor(torch.nn.functional.relu(a).tensor)


def test_functions_of_ours_take_tensors():
    t = torch.tensor([4.0, 9.0], dtype=torch.float64)
    assert_array_equal(np.sqrt(t), [2.0, 3.0])
    assert_array_equal(np.concatenate([t, np.zeros(1)]), [4.0, 9.0, 0.0])
    assert np.asarray(t).tensor is t
    assert isinstance(np.sum(t), np.float64)


def test_gradient_flows_through_both():
    """From a tensor into an array, through torch and NumPy functions, and back."""
    t = torch.tensor([1.0, 2.0], requires_grad=True)
    loss = torch.sum(np.sin(np.asarray(t)) * t)
    loss.tensor.backward()
    x = t.detach()
    torch.testing.assert_close(t.grad, torch.cos(x) * x + torch.sin(x))


@pytest.mark.parametrize(
    "make",
    [
        lambda: np.arange(3),
        lambda: np.float64(2.5),
        lambda: np.arange(4)[::-1],
        lambda: np.array([2**63], "u8"),
    ],
)
def test_saved_by_torch(make: Any):
    """``torch.save`` and ``torch.load`` with its safe defaults; pickle too."""
    a = make()
    file = io.BytesIO()
    torch.save(a, file)
    file.seek(0)
    for back in (torch.load(file), pickle.loads(pickle.dumps(a))):
        assert back.dtype == a.dtype
        assert_array_equal(back, a)


# --- NumPy ---


@named(BINARY)
def test_operators_with_numpy_give_ours(function: Any):
    a, n = np.array([3.0, 1.0, 2.0]), numpy.array([1.0, 2.0, 3.0])
    for left, right in ((n, a), (a, n), (numpy.float64(2), a), (a, numpy.float64(2))):
        if function is operator.matmul and not all(hasattr(x, "__len__") for x in (left, right)):
            continue
        ours = function(left, right)
        assert isinstance(ours, (np.ndarray, np.generic))
        assert_allclose(ours, function(numpy.asarray(left), numpy.asarray(right)))


def test_numpys_functions_dispatch():
    """Whole arrays at a time, to ours of the same name; what is missing says so."""
    a = np.array([3.0, 1.0, 2.0])
    for result in (
        numpy.sin(a), numpy.concatenate([a, a]), numpy.linalg.norm(a), numpy.add.reduce(a),
        numpy.add.outer(a, a), numpy.where(a > 1, a, 0.0), numpy.fft.fft(a), numpy.sum(a),
        numpy.sort(a), numpy.multiply(a, 2, out=np.zeros(3)),
    ):  # fmt: skip
        assert isinstance(result, (np.ndarray, np.generic)), result
    n = numpy.ones(3)
    n += a
    assert type(n) is numpy.ndarray
    assert n.tolist() == [4.0, 2.0, 3.0]
    assert numpy.asarray(a) is not a


def test_ufuncs_of_other_libraries():
    """They compute on the arrays' memory, and give arrays of ours where torch can store them."""
    special = pytest.importorskip("scipy.special")
    values = numpy.array([3.0, 1.0, 2.0])
    for ufunc in (special.erf, special.gamma, special.expit):
        for a, n in ((np.asarray(values), values), (np.asarray(values)[::-1], values[::-1])):
            result = ufunc(a)
            assert type(result) is np.ndarray
            # SciPy calls numpy_shim.special, whose last digit may be another
            numpy.testing.assert_allclose(result.tolist(), ufunc(n), rtol=1e-15)
    a = np.asarray(values)
    assert special.xlogy(a, a).tolist() == special.xlogy(values, values).tolist()
    out = np.zeros(3)
    version = out.tensor._version
    assert special.erf(a, out=out) is out
    numpy.testing.assert_allclose(out.tolist(), special.erf(values), rtol=1e-15)
    assert out.tensor._version > version  # autograd knows of the write
    sine, cosine, *_ = special.sici(a)
    assert type(sine) is type(cosine) is np.ndarray
    objects = numpy.frompyfunc(lambda x: (x,), 1, 1)(a)
    assert type(objects) is numpy.ndarray
    assert objects.tolist() == [(3.0,), (1.0,), (2.0,)]
    leaf = np.asarray(torch.zeros(3, dtype=torch.float64, requires_grad=True))
    with pytest.raises(ValueError, match="gradient"):
        special.erf(a, out=leaf)  # ours
    with pytest.raises(TypeError, match="gradient"):
        special.hyp0f1(a, a, out=leaf)  # SciPy's


def test_images():
    """Pillow reads the memory by its description, whatever the layout."""
    image = pytest.importorskip("PIL.Image")
    values = numpy.arange(24, dtype="uint8").reshape(4, 2, 3)
    a = np.asarray(values)
    for ours, theirs in ((a, values), (a[::-1], values[::-1]), (a[:, :, 0], values[:, :, 0])):
        assert numpy.asarray(image.fromarray(ours)).tolist() == theirs.tolist()


@pytest.mark.parametrize("protocol", [3, 4, 5])
def test_equal_arrays_have_equal_pickles(protocol: int):
    """And keep their layout, and can be written to."""
    for make in (lambda: np.arange(6.0).reshape(2, 3), lambda: np.ones((2, 3), "f4").T):
        first, second = make(), make()
        data = pickle.dumps(first, protocol)
        assert data == pickle.dumps(second, protocol)
        back = pickle.loads(data)
        assert type(back) is np.ndarray
        assert back.strides == first.strides
        assert back.dtype == first.dtype
        back[0, 0] = 7.0
        assert back[0, 0] == 7.0
        assert pickle.dumps(first + 1, protocol) != data


def test_bytes_are_those_of_the_elements():
    for a in (np.arange(3), np.arange(6.0).reshape(2, 3).T, np.ones(2, "f4")[::-1]):
        assert bytes(a) == a.__array__().tobytes()


def test_memory_is_shared_with_numpy():
    a = np.zeros(3)
    n = numpy.asarray(a)
    n[0] = 7.0
    a[1] = 8.0
    assert a.tolist() == n.tolist() == [7.0, 8.0, 0.0]
    back = np.asarray(n)
    n[2] = 9.0
    assert back.tolist() == [7.0, 8.0, 9.0]


def test_real_dtypes_and_scalars():
    """NumPy's dtypes and scalars stand wherever ours do."""
    assert np.zeros(2, numpy.float32).dtype is numpy.dtype("float32")
    assert np.dtype is numpy.dtype
    assert numpy.dtype(np.int16) == numpy.int16
    assert (np.zeros(2, "f4") + numpy.float64(1)).dtype == numpy.float64
    assert np.zeros(3)[numpy.int64(1)] == 0.0
    assert np.ones(numpy.int64(3)).shape == (3,)
    assert numpy.result_type(np.zeros(2, "f4").dtype, numpy.float64) == numpy.float64


def test_foreign_types_have_their_say():
    """A type with an ``__array_ufunc__`` of its own gets the operator."""

    class Foreign:
        __array_ufunc__ = None

        def __radd__(self, other: Any) -> str:
            return "theirs"

    assert np.ones(2) + Foreign() == "theirs"
    assert np.ones(2).__add__(Foreign()) is NotImplemented

    class Held:
        def __init__(self, array: Any) -> None:
            self.array = array

        def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any) -> Any:
            return getattr(ufunc, method)(self.array, *inputs[1:])

    held = Held(np.array([1, 2, 3]))
    np.add.at(held, [0, 0, 2], 10)
    assert held.array.tolist() == [21, 2, 13]


def test_copies_from_a_device_are_explicit(device: str):
    """Implicitly only where the switch allows it."""
    a = np.zeros(3, device=device)
    if device == "cpu":
        assert numpy.asarray(a).tolist() == [0.0, 0.0, 0.0]
        return
    with pytest.raises(TypeError, match="allow_implicit_host_copy"):
        numpy.asarray(a)
    with np.allow_implicit_host_copy():
        assert numpy.asarray(a).tolist() == [0.0, 0.0, 0.0]
    assert a.tolist() == [0.0, 0.0, 0.0]


# --- other libraries ---


def test_dask():
    """Chunks of ours stay ours: element-wise, reductions, products, slices, fancy indexing."""
    da = pytest.importorskip("dask.array")
    values = numpy.random.RandomState(0).rand(6, 4)
    x = da.from_array(np.asarray(values), chunks=(3, 2), asarray=False)
    n = da.from_array(values, chunks=(3, 2))
    for body in (
        lambda d: d + 1, lambda d: da.sin(d) * d, lambda d: d.sum(axis=0), lambda d: d.mean(),
        lambda d: d.max(axis=1), lambda d: d.std(axis=0), lambda d: d @ d.T,
        lambda d: d.rechunk((2, 4)), lambda d: d.map_blocks(lambda b: b * 2),
        lambda d: d[::2, 1:], lambda d: d[[0, 2, 5]], lambda d: d[d[:, 0] > 0.5],
        lambda d: da.concatenate([d, d]), lambda d: da.where(d > 0.5, d, 0.0), lambda d: d.T,
        lambda d: d.astype("float32"),
    ):  # fmt: skip
        ours, theirs = body(x).compute(scheduler="threads"), body(n).compute()
        assert isinstance(ours, (np.ndarray, np.generic))
        assert_allclose(ours, theirs, rtol=1e-6)
    processes = (x + 1).sum(axis=0).compute(scheduler="processes", num_workers=1)
    assert isinstance(processes, np.ndarray)


def test_pandas():
    pd = pytest.importorskip("pandas")
    a = np.arange(6.0).reshape(3, 2)
    frame = pd.DataFrame(numpy.asarray(a), columns=["x", "y"])
    assert pd.Series(a[:, 0]).tolist() == [0.0, 2.0, 4.0]
    assert pd.DataFrame({"x": a[:, 0], "y": a[:, 1]}).equals(frame)
    assert_array_equal(np.asarray(frame["x"]), a[:, 0])
    assert_array_equal(np.asarray(frame.to_numpy()), a)


def test_scipy():
    """Where SciPy takes array-likes it takes ours."""
    scipy = pytest.importorskip("scipy")
    from scipy import integrate, interpolate, optimize, sparse

    x = np.linspace(0.0, 1.0, 11)
    assert integrate.simpson(numpy.asarray(x**2), x=numpy.asarray(x)) == pytest.approx(1 / 3)
    curve = interpolate.CubicSpline(x, x**2)
    assert curve(0.55) == pytest.approx(0.3025)
    found = optimize.minimize(lambda p: float(np.sum((np.asarray(p) - 1.0) ** 2)), np.zeros(2))
    assert found.x == pytest.approx([1.0, 1.0], abs=1e-4)
    assert sparse.csr_matrix(numpy.asarray(np.eye(3))).nnz == 3
    assert scipy.__version__


@pytest.mark.parametrize("method", ["L-BFGS-B", "SLSQP", "BFGS", "CG", "TNC", "trust-constr"])
@pytest.mark.parametrize("together", [True, False])
def test_scipys_minimizers_take_our_gradients(method: str, together: bool):
    """Some give the gradient that a program's function returns to compiled code."""
    optimize = pytest.importorskip("scipy.optimize")

    def value(p: Any) -> float:
        return float(np.sum((np.asarray(p) - 1.0) ** 2))

    def gradient(p: Any) -> Any:
        return 2.0 * (np.asarray(p) - np.ones(2))

    above = {"type": "ineq", "fun": lambda p: np.asarray(p)[0] - 2.0, "jac": lambda p: np.eye(2)[0]}
    found = optimize.minimize(
        (lambda p: (value(p), gradient(p))) if together else value,
        np.zeros(2),
        jac=True if together else gradient,
        method=method,
        constraints=[above] if method == "SLSQP" else (),
    )
    assert found.x == pytest.approx([2.0 if method == "SLSQP" else 1.0, 1.0], abs=1e-4)


def test_matplotlib():
    """Lines, images and histograms of arrays of ours."""
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 3)
    x = np.linspace(0, 6, 50)
    (line,) = axes[0].plot(x, np.sin(x))
    assert_allclose(line.get_ydata(), np.sin(x))
    axes[1].imshow(np.outer(x, x))
    counts, _, _ = axes[2].hist(np.sin(x), bins=5)
    assert counts.sum() == 50
    axes[0].scatter(x, np.cos(x))
    axes[0].errorbar(x, x, yerr=np.ones(50))
    figure.canvas.draw()
    pyplot.close(figure)


def test_array_function_is_called_by_hand() -> None:
    """A function that is none of NumPy's is called; the arguments are looked at."""
    a = np.array([1, 2])
    dispatch = a.__array_function__
    assert dispatch(lambda x: x * 2, (np.ndarray,), (a,), {}).tolist() == [2, 4]
    assert dispatch(np.sum, (np.ndarray,), (a,), {"axis": 0}) == 3
    assert dispatch(numpy.sum, (np.ndarray,), (a,), {"axis": 0}) == 3
    with pytest.raises(TypeError, match="args must be a tuple"):
        dispatch(numpy.reshape, (np.ndarray,), a, (2, 1))
    with pytest.raises(TypeError, match="kwargs must be a dict"):
        dispatch(numpy.reshape, (np.ndarray,), (a,), (2, 1))


def test_assertions_about_objects_that_make_arrays():
    """A program's ``__array__`` gives an array of ours, which NumPy's conversion refuses."""

    class Parameter:
        def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
            return np.array(2.0)

    assert_allclose(Parameter(), 2.0)
    with pytest.raises(AssertionError, match="Not equal to tolerance"):
        assert_allclose(Parameter(), 3.0)
    with pytest.raises(AssertionError):
        assert_array_equal([Parameter(), 1.0], [3.0, 1.0])
    assert_array_equal([Parameter(), 1.0], [2.0, 1.0])


def test_functions_of_other_libraries_with_numpys_dispatcher():
    """A function that a library gave NumPy's dispatcher runs on our arrays."""
    from numpy._core.overrides import array_function_dispatch

    @array_function_dispatch(lambda a, b: (a, b), module="elsewhere")
    def doubled(a: Any, b: Any) -> Any:
        return a + 2 * b

    a = np.array([1.0, 2.0])
    result = doubled(a, 1)
    assert type(result) is np.ndarray
    assert result.tolist() == [3.0, 4.0]


BESIDE: list[Callable[[Any], Any]] = [
    lambda n: n, lambda n: n[::-1], lambda n: n[::2], lambda n: n.astype(">f8"),
    lambda n: n.astype("f4"), lambda n: n.astype("i2"), lambda n: n > 1, lambda n: n[:, None],
    lambda n: n[0, ...], lambda n: n[:0], lambda n: n[:2], lambda n: n.astype("c8"),
    lambda n: numpy.broadcast_to(n, (2, 4)),
]  # fmt: skip


@pytest.mark.parametrize("change", BESIDE)
@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "bool", "uint16"])
def test_numpys_array_on_either_side(dtype: str, change: Callable[[Any], Any]):
    """As views of any layout, read-only, and of another dtype or byte order."""
    own = numpy.array([3, 0, 1, 2]).astype(dtype)
    other = change(numpy.array([1.0, 2.0, 0.5, 4.0]))
    for function in (numpy.add, numpy.subtract, numpy.arctan2, numpy.less, numpy.power):
        for ours in (getattr(np, function.__name__), function):
            for ab in ((own, other), (other, own)):
                made = [np.array(x) if x is own else x for x in ab]
                try:
                    wanted = function(*ab)
                except (TypeError, ValueError) as error:
                    with pytest.raises(type(error)):
                        ours(*made)
                    continue
                found = ours(*made)
                assert found.dtype == wanted.dtype
                assert_allclose(found.astype(wanted.dtype), wanted, rtol=1e-6)


def test_numpys_array_beside_an_array_with_a_gradient():
    weight = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
    given = numpy.array([3.0, 4.0])
    for call in (
        lambda w: given * w, lambda w: w * given, lambda w: np.multiply(w, given),
        lambda w: np.multiply(given, w, where=True), lambda w: np.matmul(w, given),
    ):  # fmt: skip
        weight.grad = None
        product = call(np.asarray(weight))
        numpy.add(given, 1, out=given)  # the gradient is of the values that were multiplied
        product.tensor.sum().backward()
        assert weight.grad is not None
        assert (weight.grad.numpy() == given - 1).all()


@pytest.mark.parametrize(("mine", "theirs"), [
    (5, [3]), ([5], 3), (True, True), ([1, 2], 1.5), ([1, 2], [[3, 4]]), ([[1, 2]], [3, 4]),
])  # fmt: skip
def test_numpys_arrays_in_place(mine: Any, theirs: Any):
    """An operand of more axes is refused, and a scalar without axes is an operand like others."""

    def program(np: Any) -> Any:
        x = numpy.array(mine)
        x *= np.array(theirs)
        return x.tolist()

    compare(program, allow_numpy=True)
