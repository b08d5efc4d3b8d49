"""``scipy.spatial`` and ``scipy.cluster.vq`` where the arrays are, beside SciPy."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy
import pytest
import scipy.cluster.vq
import scipy.spatial
import scipy.spatial.distance
import scipy.stats
import torch
from numpy_shim.scipy.cluster import vq
from numpy_shim.scipy.spatial import distance

import numpy_shim as np
import xp_backend.npy  # noqa: F401 - the device
from numpy_shim.scipy import spatial, stats
from numpy_shim.scipy._cluster import ON_THE_HOST as VQ_ON_THE_HOST
from numpy_shim.scipy._cluster import VQ
from numpy_shim.scipy._spatial import DISTANCE, FUNCTIONS, ON_THE_HOST, trees
from numpy_shim.scipy._spatial import _distance_pybind as blocks

from .beside import check_names, compare_calls, moved, outcome

OBJECTS = {
    name
    for name in scipy.spatial.__all__
    if callable(value := getattr(scipy.spatial, name)) and not isinstance(value, FunctionType)
}
RNG = numpy.random.default_rng(0)
A, B = RNG.normal(size=(7, 5)), RNG.normal(size=(6, 5))
W = RNG.uniform(size=5)
METRICS = sorted(scipy.spatial.distance._METRICS)
ROWS: dict[str, tuple[Any, Any]] = {
    "float64": (A, B),
    "positive": (abs(A), abs(B)),
    "bool": (A > 0, B > 0),
    "float32": (A.astype("f"), B.astype("f")),
    "integers": (numpy.round(A).astype(int), numpy.round(B).astype(int)),
    "zeros": (numpy.zeros((2, 5)), numpy.zeros((3, 5))),
    "no rows": (A[:0], B),
    "one row": (A[:1], B[:1]),
}


def test_every_public_name_runs_here_or_says_why_not():
    check_names(scipy.spatial, FUNCTIONS, ON_THE_HOST, OBJECTS)
    check_names(scipy.cluster.vq, VQ, VQ_ON_THE_HOST)
    assert set(DISTANCE) == set(scipy.spatial.distance.__all__)


@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("metric", METRICS)
def test_metrics(metric: str, rows: str, where: str):
    """On the device an array that would cross to the host is an error."""
    a, b = ROWS[rows]
    options: list[dict[str, Any]] = [{}, {"w": W}]
    if metric == "minkowski":
        options += [{"p": 3.0}, {"p": 1.0, "w": W}, {"p": numpy.inf}]
    for kwargs in options:
        for name, args in (("cdist", [a, b, metric]), ("pdist", [a, metric])):
            theirs = getattr(scipy.spatial.distance, name)
            if isinstance(outcome(theirs, args, kwargs), Exception) and where == "npy":
                continue  # the words are compared on the CPU
            compare_calls(DISTANCE[name], theirs, args, kwargs, where)


def test_pairs_are_taken_block_by_block(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(blocks, "BLOCK", 64)
    for metric in ("euclidean", "canberra"):
        compare_calls(DISTANCE["cdist"], scipy.spatial.distance.cdist, [A, B, metric], {}, "npy")
        compare_calls(DISTANCE["pdist"], scipy.spatial.distance.pdist, [A, metric], {}, "npy")


def test_what_is_given_for_the_result():
    for shape, dtype in (((7, 6), "f8"), ((4, 4), "f8"), ((7, 6), "f4")):
        out = np.empty(shape, dtype, device="npy")
        theirs = outcome(scipy.spatial.distance.cdist, [A, B], {"out": numpy.empty(shape, dtype)})
        ours = outcome(DISTANCE["cdist"], moved([A, B], "npy"), {"out": out})
        if isinstance(theirs, Exception):
            assert (type(ours), str(ours)) == (type(theirs), str(theirs))
        else:
            assert ours is out
            numpy.testing.assert_allclose(out.tensor.cpu().numpy(), theirs, rtol=1e-13)


VECTORS = ("braycurtis", "canberra", "chebyshev", "cityblock", "correlation", "cosine", "euclidean",
           "minkowski", "sqeuclidean", "hamming", "jensenshannon")  # fmt: skip


@pytest.mark.parametrize("name", VECTORS)
def test_distances_of_vectors(name: str, where: str):
    theirs = getattr(scipy.spatial.distance, name)
    compare_calls(DISTANCE[name], theirs, [abs(A[0]), abs(B[0])], {}, where)
    short = [np.asarray(A[0], device=where), np.asarray(B[0][:3], device=where)]
    assert type(outcome(DISTANCE[name], short, {})) is type(outcome(theirs, [A[0], B[0][:3]], {}))


OTHERS: list[tuple[Callable[..., Any], Callable[..., Any], list[Any]]] = [
    (DISTANCE["squareform"], scipy.spatial.distance.squareform, [numpy.arange(10.0)]),
    (DISTANCE["squareform"], scipy.spatial.distance.squareform, [A[:5] + A[:5].T]),
    (DISTANCE["directed_hausdorff"], scipy.spatial.distance.directed_hausdorff, [A, B]),
    (FUNCTIONS["distance_matrix"], scipy.spatial.distance_matrix, [A, B]),
    (FUNCTIONS["distance_matrix"], scipy.spatial.distance_matrix, [A, B, 1]),
    (FUNCTIONS["procrustes"], scipy.spatial.procrustes, [A[:6], B]),
    (FUNCTIONS["geometric_slerp"], scipy.spatial.geometric_slerp, [[1.0, 0], [0, 1.0], W]),
    (VQ["whiten"], scipy.cluster.vq.whiten, [A]),
    (VQ["vq"], scipy.cluster.vq.vq, [A, B[:3]]),
    (VQ["kmeans"], scipy.cluster.vq.kmeans, [A, A[:2]]),
]


@pytest.mark.parametrize("case", range(len(OTHERS)))
def test_others(case: int, where: str):
    ours, theirs, args = OTHERS[case]
    compare_calls(ours, theirs, args, {}, where, 4096)


def test_random_centres_are_those_of_scipy():
    """The same stream on a device: SciPy draws from it on the host."""
    points = np.asarray(A, device="npy")
    with np.allow_implicit_host_copy():
        ours = vq.kmeans(points, 2, rng=np.random.default_rng(0))
    theirs = scipy.cluster.vq.kmeans(A, 2, rng=numpy.random.default_rng(0))
    assert ours[0].tolist() == theirs[0].tolist()
    with np.allow_implicit_host_copy():
        found = stats.ttest_ind(points[:, 0], points[:, 1] + 1, method=resampled(stats))
    theirs = scipy.stats.ttest_ind(A[:, 0], A[:, 1] + 1, method=resampled(scipy.stats))
    assert float(found.pvalue) == theirs.pvalue


def resampled(module: Any) -> Any:
    return module.PermutationMethod(n_resamples=30, rng=numpy.random.default_rng(1))


def test_gradients():
    """That of the distance of a row to itself is 0, not NaN."""

    def of_rows(t: torch.Tensor) -> torch.Tensor:
        return distance.cdist(np.asarray(t), np.asarray(B), "euclidean").tensor  # type: ignore[no-any-return]

    t = torch.tensor(A, requires_grad=True)
    assert torch.autograd.gradcheck(of_rows, t)
    distance.cdist(np.asarray(t), np.asarray(t)).tensor.sum().backward()
    assert t.grad is not None
    assert bool(t.grad.isfinite().all())


@pytest.mark.parametrize("metric", ["chebyshev", "cityblock", "euclidean", "sqeuclidean"])
def test_few_distances_with_nan_and_infinity(metric):
    x = numpy.random.default_rng(0).random((7, 3))
    x[1, 1], x[2:4, 0], x[5] = numpy.nan, numpy.inf, x[4]
    for name, args in (("pdist", (x,)), ("cdist", (x, x[:3])), ("pdist", (x[:1],))):
        expected = getattr(scipy.spatial.distance, name)(*args, metric)
        found = DISTANCE[name](*[np.asarray(a) for a in args], metric)
        numpy.testing.assert_allclose(numpy.asarray(found), expected, 1e-14)


POINTS, NEAR = RNG.random((50, 3)), RNG.random((4, 2, 3))


@pytest.mark.parametrize("kind", ["KDTree", "cKDTree"])
@pytest.mark.parametrize("p", [1, 2, 3.5, numpy.inf])
def test_nearest_points(kind: str, p: float, where: str, monkeypatch: pytest.MonkeyPatch):
    """Block by block; some ranks there are no points of."""
    monkeypatch.setattr(trees, "BLOCK", 2 * POINTS.size)
    theirs = getattr(scipy.spatial, kind)(POINTS)
    ours = trees.method_of(theirs, "query")
    assert ours is not None
    for x in (NEAR[0, 0], NEAR, NEAR[:0], NEAR[0].astype("f")):
        for k in (1, [1], [2], 3, 60, [60, 1]):
            options: list[dict[str, Any]] = [{}, {"distance_upper_bound": 0.3, "workers": -1}]
            for kwargs in options:
                theirs_now = [numpy.asarray(v) for v in theirs.query(x, k, p=p, **kwargs)]
                found = ours(np.asarray(x, device=where), k, p=p, **kwargs)
                for one, other in zip(found, theirs_now, strict=True):
                    assert str(one.device).partition(":")[0] == where
                    assert (one.dtype, one.shape) == (other.dtype, other.shape)
                    got = one.tensor.cpu().numpy() if one.ndim else one.item()
                    numpy.testing.assert_allclose(got, other, rtol=1e-13)


def test_trees_of_the_program_are_asked_on_a_device(monkeypatch: pytest.MonkeyPatch):
    """Their points go there once; what SciPy refuses, and what is too much, is SciPy's."""
    tree = spatial.KDTree(np.asarray(POINTS))
    asked = np.asarray(NEAR, device="npy")
    assert tree.query(asked)[0].device.type == "npy"
    with np.allow_implicit_host_copy():
        made = spatial.KDTree(np.asarray(POINTS, device="npy"))
        for args in ((asked[0, 0, :2], 1), (asked, 0), (asked * np.nan, 1)):
            host = [numpy.asarray(args[0]), args[1]]
            theirs = outcome(scipy.spatial.KDTree(POINTS).query, host, {})
            assert repr(outcome(tree.query, args, {})) == repr(theirs)
    assert (
        made.query(asked, 3)[1].tolist() == scipy.spatial.KDTree(POINTS).query(NEAR, 3)[1].tolist()
    )
    monkeypatch.setattr(trees, "MANY", 10)
    with pytest.raises(TypeError, match=r"the array is on npy"):
        tree.query(asked)


def test_gradients_of_the_nearest_points(where: str):
    """Of distances that are 0 it is 0."""
    tree = spatial.KDTree(np.asarray(POINTS))
    x = torch.tensor(NEAR[0], device=where, requires_grad=True)
    found = tree.query(np.asarray(x), 3)[0].tensor
    (got,) = torch.autograd.grad(found.sum(), x)
    step = 1e-6 * numpy.eye(3)
    theirs = [(tree.query(NEAR[0] + d, 3)[0] - tree.query(NEAR[0] - d, 3)[0]).sum(-1) for d in step]
    expected = numpy.stack([numpy.asarray(v) for v in theirs], -1) / 2e-6
    numpy.testing.assert_allclose(got.cpu().numpy(), expected, rtol=1e-6, atol=1e-8)
    itself = torch.tensor(POINTS, device=where, requires_grad=True)
    tree.query(np.asarray(itself))[0].tensor.sum().backward()
    assert itself.grad is not None
    assert not itself.grad.any()
