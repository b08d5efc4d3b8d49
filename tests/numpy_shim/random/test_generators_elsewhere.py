"""Generators of ours given to libraries that check for NumPy's."""

import copy
import pickle

import numpy
import pytest

import numpy_shim as np

KINDS = [
    pytest.param(lambda m: m.random.default_rng(7), id="default_rng"),
    pytest.param(lambda m: m.random.RandomState(7), id="RandomState"),
]


def test_classes_are_subclasses():
    assert issubclass(np.random.Generator, numpy.random.Generator)
    assert issubclass(np.random.RandomState, numpy.random.RandomState)
    assert numpy.random.default_rng(generator := np.random.default_rng(0)) is generator


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (np.random.Generator, numpy.random.Generator),
        (np.random.RandomState, numpy.random.RandomState),
    ],
)
def test_no_method_of_numpys_is_inherited(ours: type, theirs: type):
    """The base class's own stream is never drawn from."""
    names = [n for n in dir(theirs) if not n.startswith("_")]
    assert not [n for n in names if getattr(ours, n) is getattr(theirs, n)]


@pytest.mark.parametrize("make", KINDS)
def test_copies_continue(make):
    generator = make(np)
    generator.standard_normal(3)  # a legacy normal keeps its second half
    copies = [pickle.loads(pickle.dumps(generator)), copy.deepcopy(generator)]
    expected = generator.standard_normal(4).tolist()
    for other in copies:
        assert type(other) is type(generator)
        assert other.standard_normal(4).tolist() == expected


@pytest.mark.parametrize("make", KINDS)
def test_scipy(make):
    stats = pytest.importorskip("scipy.stats")
    sparse = pytest.importorskip("scipy.sparse")
    ours, theirs = make(np), make(numpy)
    for draw in (
        lambda r: stats.norm.rvs(size=5, random_state=r),
        lambda r: stats.gamma(2.0).rvs(size=5, random_state=r),
        lambda r: stats.multivariate_normal.rvs(numpy.zeros(2), size=3, random_state=r),
        lambda r: stats.ortho_group.rvs(3, random_state=r),
        lambda r: sparse.random_array((5, 5), density=0.3, rng=r).toarray(),
    ):
        # SciPy computes with arrays of ours too: torch's products round differently.
        numpy.testing.assert_allclose(numpy.asarray(draw(ours)), draw(theirs), rtol=1e-13)


def test_sklearn():
    cluster = pytest.importorskip("sklearn.cluster")
    from sklearn.model_selection import train_test_split

    x = numpy.random.default_rng(0).normal(size=(60, 3))
    results = []
    for module in (np, numpy):
        part = train_test_split(x, random_state=module.random.RandomState(0))[0]
        model = cluster.KMeans(3, n_init=2, random_state=module.random.RandomState(1))
        results.append((part, model.fit(part).cluster_centers_))
    for ours, theirs in zip(*results, strict=True):
        numpy.testing.assert_array_equal(numpy.asarray(ours), theirs)
