"""Calls with arrays on a device, with a gradient, in a transform or a trace."""

from __future__ import annotations

import numpy
import pytest
import scipy.fft
import scipy.linalg
import scipy.ndimage
import scipy.signal
import scipy.stats
import torch

import numpy_shim as np
import xp_backend.npy  # noqa: F401 - the device
from numpy_shim.scipy import interpolate, linalg, ndimage, optimize, signal, sparse, special, stats

HOST = numpy.linspace(0.1, 1.0, 8)


@pytest.fixture
def copies():
    """Copies to the host are allowed."""
    with np.allow_implicit_host_copy():
        yield


def with_gradient() -> np.ndarray:
    return np.asarray(torch.tensor(HOST, requires_grad=True))


MATRIX = numpy.cos(numpy.arange(64.0)).reshape(8, 8)


def reduced(x: np.ndarray) -> np.ndarray:
    """What SciPy computes on the host alone."""
    return linalg.hessenberg(x * MATRIX)


def test_a_copy_to_the_host_is_refused_in_a_library():
    with pytest.raises(TypeError, match=r"scipy\.linalg\.hessenberg: the array is on npy"):
        reduced(np.asarray(HOST, device="npy"))


def test_outputs_on_a_device_are_written():
    x, out = np.asarray(HOST, device="npy"), np.zeros(8, device="npy")
    with np.allow_implicit_host_copy():
        assert ndimage.gaussian_filter1d(x, 1.0, output=out) is out
    expected = scipy.ndimage.gaussian_filter1d(HOST, 1.0)
    assert numpy.array_equal(out.tensor.cpu().numpy(), expected)


def test_callbacks_get_arrays_on_the_device():
    seen = set()

    def loss(p: np.ndarray) -> np.ndarray:
        seen.add(p.device.type)
        return np.sum((p - 1) ** 2)

    with np.allow_implicit_host_copy():
        found = optimize.minimize(loss, np.zeros(2, device="npy"))
    assert seen == {found.x.device.type} == {"npy"}


def test_objects_of_a_program_may_give_our_arrays():
    class Signal:
        def __array__(self, dtype: object = None, copy: object = None) -> np.ndarray:
            return np.asarray(HOST)

    found = signal.detrend(Signal())
    assert type(found) is np.ndarray
    assert found.tolist() == scipy.signal.detrend(HOST).tolist()


def test_scipys_partial_functions_give_our_arrays():
    """As of private modules: ``scipy.fft._pocketfft.fft`` is a ``functools.partial``."""
    import numpy_shim.scipy.fft as ours

    kernels = getattr(ours, "_pocketfft", None) or ours._duccfft  # from SciPy 1.18 on
    found = kernels.fft(np.asarray(HOST))
    assert type(found) is np.ndarray
    assert found.tolist() == scipy.fft.fft(HOST).tolist()


def test_a_chapter_that_does_not_know_scipy_leaves_its_calls_to_it(monkeypatch):
    """As a release of SciPy does that moves what a chapter executes."""
    from numpy_shim.scipy import _bridge

    def no_chapter(name: str) -> object:
        raise ImportError("no module")

    monkeypatch.setattr(_bridge, "_FAILED", {})
    monkeypatch.setattr(_bridge, "_imported", no_chapter)
    with np.allow_implicit_host_copy():
        found = signal.detrend(np.asarray(HOST, device="npy"))
    assert found.device.type == "npy"
    numpy.testing.assert_array_equal(
        numpy.asarray(found.to_device("cpu")), scipy.signal.detrend(HOST)
    )
    assert list(_bridge._FAILED) == ["signal"]
    assert _bridge._why_on_the_host("signal.detrend").endswith("ImportError: no module")


def test_random_streams_go_on_once():
    """A call that SciPy cannot make on the device must not begin there."""
    x = np.asarray(HOST, device="npy")
    with np.allow_implicit_host_copy():
        found = stats.bootstrap((x,), np.mean, rng=np.random.default_rng(0), n_resamples=20)
    theirs = scipy.stats.bootstrap(
        (HOST,), numpy.mean, rng=numpy.random.default_rng(0), n_resamples=20
    )
    assert float(found.standard_error) == pytest.approx(float(theirs.standard_error), rel=1e-13)


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("linalg.hessenberg", lambda x: reduced(x)),
        ("interpolate.UnivariateSpline", lambda x: interpolate.UnivariateSpline(x, x)),
        ("stats.weightedtau", lambda x: stats.weightedtau(x, x)),
    ],
)
def test_a_gradient_is_not_lost(name: str, call):
    """An error that names what would work, in place of a result without the gradient."""
    with pytest.raises(TypeError, match=rf"{name}: an array has a gradient.*detach"):
        call(with_gradient())
    with torch.no_grad():
        call(with_gradient())


def test_scipys_own_code_keeps_the_gradient():
    """With SCIPY_ARRAY_API=1, which the tests set."""
    x = with_gradient()
    np.sum(stats.zscore(x) ** 3).tensor.backward()
    t = torch.tensor(HOST, requires_grad=True)
    z = (t - t.mean()) / t.std(correction=0)
    (z**3).sum().backward()
    source = x.tensor.grad
    assert torch.allclose(source, t.grad, rtol=1e-12)


def test_a_transform_is_refused():
    with pytest.raises(TypeError, match=r"linalg\.hessenberg: an array"):
        np.grad(lambda x: np.sum(reduced(x)))(np.asarray(HOST))
    with pytest.raises(TypeError, match=r"linalg\.hessenberg: an array is in a transform"):
        np.vmap(reduced)(np.ones((2, 8)))


def summed(x: np.ndarray) -> np.ndarray:
    return np.sum(reduced(x) * 2)


def test_a_graph_ends_at_a_call():
    with pytest.raises(Exception, match="SciPy computes outside of graphs"):
        torch.compile(summed, backend="eager", fullgraph=True)(np.asarray(HOST))
    expected = 2 * scipy.linalg.hessenberg(HOST * MATRIX).sum()
    assert torch.compile(summed, backend="eager")(np.asarray(HOST)) == pytest.approx(expected)


def test_our_own_function_comes_first(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(np.special, "erf", lambda x: x * 3)
    x = np.asarray(HOST, device="npy")
    assert special.erf(x).device.type == "npy"


@pytest.mark.parametrize("name", ["erf", "gammaln", "softmax"])
def test_our_own_function_stands_in_the_graph(name: str):
    """SciPy's ufunc, in an object of ours, and a function of SciPy's."""
    torch._dynamo.reset()
    compiled = torch.compile(
        lambda x: getattr(special, name)(x) * 2, backend="eager", fullgraph=True
    )
    expected = 2 * getattr(scipy.special, name)(HOST)
    numpy.testing.assert_allclose(compiled(np.asarray(HOST)).tolist(), expected, rtol=1e-14)


def test_a_copy_on_the_host_has_the_strides_if_that_costs_little():
    """Libraries read the strides of the array, and step through the copy by them."""
    matrix = np.zeros((3, 4), device="npy")
    column = np.zeros((1000, 3000), device="npy")[:, 0]
    with np.allow_implicit_host_copy():
        for view in (matrix[:, 1:3], matrix.T, np.broadcast_to(matrix[0], (2, 4))):
            assert numpy.asarray(view).strides == view.strides
        assert numpy.asarray(column).strides == (8,)


@pytest.mark.usefixtures("copies")
def test_what_is_written_to_an_attribute_changes_the_object():
    """The attribute is a copy on the device, which the object gets before it is used again."""
    matrix = sparse.csr_array(np.asarray([[0.0, 1.0], [2.0, 3.0]], device="npy"))
    data = matrix.data
    assert str(data.device) == "npy:0"
    data[:] = 1
    matrix.data *= 2
    assert matrix.toarray().tolist() == [[0, 2], [2, 2]]
    matrix.data[1:] += 1
    matrix.indices[0] = 0
    assert matrix.sum() == 8
    assert matrix.toarray().tolist() == [[2, 0], [3, 3]]
    matrix *= 2
    assert matrix.data.tolist() == [4, 6, 6]


@pytest.mark.usefixtures("copies")
def test_routines_of_blas_have_their_attributes():
    (gemm,) = linalg.get_blas_funcs(("gemm",), (np.ones((2, 2), device="npy"),))
    assert (gemm.typecode, gemm.dtype) == ("d", "float64")


def test_what_is_sparse():
    """An array of ours is not, and no copy of it is made to see that; a sparse array is."""
    assert sparse.issparse(np.asarray(HOST, device="npy")) is False
    eye = sparse.eye_array(3)
    assert sparse.issparse(eye) is True

    def asked(x: np.ndarray) -> np.ndarray:
        return x * 2 if sparse.issparse(eye) else x

    torch._dynamo.reset()
    assert torch.compile(asked, backend="eager")(np.ones(2)).tolist() == [2, 2]
