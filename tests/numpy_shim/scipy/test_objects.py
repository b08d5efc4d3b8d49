"""Functions, classes and objects of SciPy's as the program sees them."""

from __future__ import annotations

import copy
import inspect
import pickle
from typing import Any

import numpy
import pytest
import scipy
import scipy.interpolate
import scipy.signal
import scipy.sparse
import scipy.sparse.linalg
import scipy.special
from numpy_shim.scipy.sparse import linalg as sparse_linalg

import numpy_shim as np
from numpy_shim.scipy import (
    fft,
    interpolate,
    ndimage,
    optimize,
    signal,
    sparse,
    spatial,
    special,
    stats,
)
from numpy_shim.scipy._bridge import bridged

X = np.linspace(0.0, 1.0, 8)
EYE = sparse.csr_array(np.eye(3))


def test_scipys_ufuncs_are_ufuncs():
    assert isinstance(special.hyp2f1, np.ufunc)
    assert isinstance(special.hyp2f1, numpy.ufunc)
    assert isinstance(numpy.add, np.ufunc)
    assert not isinstance(special.hyp2f1, type(np.add))


def test_a_modules_dictionary_has_all_names():
    found = {name for name, value in vars(special).items() if isinstance(value, np.ufunc)}
    theirs = vars(scipy.special).items()
    assert found == {name for name, value in theirs if isinstance(value, numpy.ufunc)}


def test_cython_functions_have_a_function_for_each_type():
    from numpy_shim.scipy.special import cython_special

    assert cython_special.erfi["double"](0.5) == scipy.special.erfi(0.5)
    assert cython_special.erfi(X[3]) == pytest.approx(scipy.special.erfi(float(X[3])), rel=1e-15)


def test_an_object_is_of_scipys_class_for_libraries():
    """scipy.sparse.issparse and sklearn ask isinstance with SciPy's class."""
    assert scipy.sparse.issparse(EYE)
    assert isinstance(EYE, scipy.sparse.csr_array)
    assert isinstance(scipy.sparse.csr_array(numpy.eye(2)), sparse.csr_array)
    assert isinstance(EYE, sparse.sparray)
    assert not isinstance(EYE, sparse.csc_array)
    assert issubclass(sparse.csr_array, sparse.sparray)
    assert type(EYE) == sparse.csr_array  # noqa: E721 - as programs write it


def test_scipy_takes_our_objects():
    """SciPy's functions called beside ours get SciPy's attributes and results."""
    found = scipy.sparse.linalg.norm(EYE)
    assert found == pytest.approx(3**0.5)
    assert type(scipy.sparse.vstack([EYE, EYE])) is scipy.sparse.csr_array


def test_memory_is_shared():
    """What is written to an attribute of an object is in the object."""
    made = sparse.csr_array(np.eye(3))
    made.data[0] = 5.0
    assert made[0, 0] == 5.0
    made.data = np.asarray([1.0, 2.0, 3.0])
    assert made.sum() == 6.0


def test_an_array_in_place_of_an_output_is_the_result():
    out = np.zeros(8)
    assert ndimage.gaussian_filter1d(X, 1.0, output=out) is out
    assert numpy.array_equal(out, scipy.ndimage.gaussian_filter1d(numpy.asarray(X), 1.0))


@pytest.mark.parametrize(
    "value",
    [special.jv, signal.lfilter, sparse.csr_array, stats.norm, interpolate.CubicSpline],
    ids=["ufunc", "function", "class", "distribution", "spline"],
)
def test_names_are_pickled_by_name(value: Any):
    found = pickle.loads(pickle.dumps(value))
    assert found is value or type(found) is type(value)


def test_objects_are_pickled_and_copied():
    for made in (pickle.loads(pickle.dumps(EYE)), copy.copy(EYE), copy.deepcopy(EYE)):
        assert type(made.toarray()) is np.ndarray
    spline = pickle.loads(pickle.dumps(interpolate.CubicSpline(X, X)))
    assert type(spline(X)) is np.ndarray


def test_names_say_what_scipys_say():
    assert inspect.signature(signal.lfilter) == inspect.signature(scipy.signal.lfilter)
    spline = inspect.signature(scipy.interpolate.CubicSpline)
    assert inspect.signature(interpolate.CubicSpline) == spline
    assert signal.lfilter.__doc__ == scipy.signal.lfilter.__doc__
    assert stats.poisson.__doc__ == scipy.stats.poisson.__doc__
    assert signal.lfilter.__name__ == "lfilter"
    assert dir(signal) == dir(scipy.signal)
    made = sparse.csr_array(np.eye(3))
    assert dir(made) == dir(scipy.sparse.csr_array(numpy.eye(3)))
    assert repr(EYE) == repr(scipy.sparse.csr_array(numpy.eye(3)))
    assert inspect.getsource(signal.lfilter) == inspect.getsource(scipy.signal.lfilter)


def test_scipys_errors_for_what_it_lacks():
    with pytest.raises(AttributeError, match=r"scipy\.signal.*no_such"):
        _ = signal.no_such
    with pytest.raises(AttributeError, match="no_such"):
        _ = EYE.no_such
    with pytest.raises(ValueError, match="invalid number of data points"):
        fft.fft(np.zeros(0))
    with pytest.raises(TypeError, match="unexpected keyword argument 'nothing'"):
        signal.lfilter([1.0], [1.0], X, nothing=1)


def test_a_class_of_the_program_is_called_with_our_arrays():
    """LinearOperator and rv_continuous call methods of the program's class."""
    seen: list[type] = []

    class Twice(sparse_linalg.LinearOperator):
        def __init__(self) -> None:
            super().__init__(float, (8, 8))

        def _matvec(self, v: Any) -> Any:
            seen.append(type(v))
            return 2 * np.reshape(v, -1)

    twice = Twice()
    assert isinstance(twice, Twice)
    assert twice.__class__ == Twice
    assert isinstance(twice, scipy.sparse.linalg.LinearOperator)
    assert np.array_equal(twice @ X, 2 * X)
    assert np.allclose(sparse_linalg.cg(twice, X)[0], X / 2)

    class Half(stats.rv_continuous):
        def _pdf(self, q: Any) -> Any:
            seen.append(type(q))
            return np.exp(-(q**2) / 2) / np.sqrt(2 * np.pi)

    assert np.allclose(Half(name="half").pdf(X), stats.norm.pdf(X))
    assert set(seen) == {np.ndarray}


def test_callbacks_take_and_give_our_arrays():
    seen: list[type] = []

    def loss(p: Any, q: Any) -> Any:
        seen.extend((type(p), type(q)))
        return np.sum((p - q) ** 2)

    found = optimize.minimize(loss, np.zeros(8), args=(X,))
    assert type(found) is scipy.optimize.OptimizeResult
    assert type(found.x) is np.ndarray
    assert np.allclose(found.x, X, atol=1e-4)
    assert set(seen) == {np.ndarray}
    line, _ = optimize.curve_fit(lambda t, slope, level: slope * t + level, X, 2 * X + 1)
    assert np.allclose(line, [2.0, 1.0])


def test_the_programs_own_array_comes_to_its_function():
    """An argument that goes through SciPy to the program is the same object."""
    optimize.minimize(lambda p, q: float(q is X) * np.sum(p**2), np.ones(2), args=(X,))
    seen = []
    optimize.brentq(lambda v, q: seen.append(q is X) or v - 0.5, 0, 1, args=(X,))
    assert all(seen)


def test_results_keep_their_classes():
    found = stats.pearsonr(X, X**2)
    theirs = scipy.stats.pearsonr(numpy.asarray(X), numpy.asarray(X) ** 2)
    assert isinstance(found, type(theirs))
    assert found.statistic == theirs.statistic
    assert found.confidence_interval() == theirs.confidence_interval()
    assert pickle.loads(pickle.dumps(found)) == found
    many = stats.pearsonr(np.stack([X, X**2]), np.stack([X**2, X]), axis=1)
    assert type(many.statistic) is type(many.confidence_interval().low) is np.ndarray
    assert type(signal.find_peaks(np.sin(10 * X), height=0.0)[1]["peak_heights"]) is np.ndarray


def test_mixed_arguments_are_one_namespace():
    expected = scipy.signal.lfilter([1.0, 2.0], [1.0, 0.1], numpy.asarray(X))
    assert np.array_equal(signal.lfilter([1.0, 2.0], numpy.asarray([1.0, 0.1]), X), expected)


def test_random_numbers_are_scipys():
    theirs = scipy.stats.norm.rvs(size=4, random_state=numpy.random.default_rng(0))
    assert np.array_equal(stats.norm.rvs(size=4, random_state=np.random.default_rng(0)), theirs)
    np.random.seed(1)
    found = stats.norm.rvs(size=4)
    numpy.random.seed(1)
    assert np.array_equal(found, scipy.stats.norm.rvs(size=4))


def test_operators_beside_arrays():
    assert type(np.ones(3) @ EYE) is np.ndarray
    assert type(EYE @ np.ones(3)) is np.ndarray
    assert type(numpy.ones(3) @ EYE) is np.ndarray
    assert isinstance(2 * EYE, sparse.csr_array)
    made = sparse.csr_array(np.eye(3))
    same = made
    same += made
    assert isinstance(same, sparse.csr_array)


def test_trees_of_our_arrays():
    tree = spatial.KDTree(np.reshape(X, (4, 2)))
    distances, places = tree.query(np.reshape(X, (4, 2)))
    assert type(distances) is type(places) is np.ndarray
    assert tree.sparse_distance_matrix(tree, 0.1).nnz == 4


def test_memory_that_torch_cannot_describe_stays_numpys():
    """Complex numbers at an address that is a multiple of 8 and not of 16: torch would crash."""
    raw = numpy.zeros(9)
    data = (raw[1:] if raw.ctypes.data % 16 == 0 else raw[:8]).view(complex)
    found = sparse.coo_array((data, ([0, 1, 2, 3], [0, 1, 2, 3]))).data
    assert type(found) is numpy.ndarray
    found[1] = 2j
    assert data[1] == 2j
    aligned = sparse.coo_array((numpy.zeros(4, complex), ([0, 1, 2, 3], [0, 1, 2, 3]))).data
    assert type(aligned) is np.ndarray


def test_a_reversed_result_is_an_array_of_its_own():
    """SciPy gives a view that runs backwards; nothing else holds its memory."""
    x = np.linspace(0.0, 1.0, 40)
    found = signal.filtfilt([0.2, 0.3], [1.0, -0.5], x)
    assert found.strides == (8,)
    expected = scipy.signal.filtfilt([0.2, 0.3], [1.0, -0.5], numpy.linspace(0.0, 1.0, 40))
    assert found.tolist() == expected.tolist()


def test_views_of_one_result_stay_views():
    def halves() -> Any:
        whole = numpy.arange(6.0)[::-1]
        return whole[:3], whole[3:], whole

    first, second, whole = bridged(halves, "signal.halves")()
    whole[:] = 0
    assert first.tolist() == second.tolist() == [0, 0, 0]
