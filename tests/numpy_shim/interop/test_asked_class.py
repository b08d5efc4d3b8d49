"""``isinstance(x, numpy.ndarray)`` of our arrays, and ``isinstance(x, np.ndarray)`` of NumPy's."""

from __future__ import annotations

import collections.abc
import copy
import functools
import importlib
import pickle
from collections.abc import Callable
from types import CodeType
from typing import Any, NamedTuple

import numpy
import pytest
import torch

import numpy_shim as np
from numpy_shim._array.asking import wants_own


class Asker(NamedTuple):
    """What is looked at in a frame."""

    f_globals: dict[str, Any]
    f_code: CodeType


def ask(x: Any) -> type:
    """A function that asks as ``isinstance`` does."""
    return numpy.ndarray if isinstance(x, numpy.ndarray) else type(x)


@pytest.mark.parametrize(
    ("module", "own"),
    [
        ("matplotlib.cbook", False),
        ("pandas.core.indexing", False),
        ("pandas.core.construction", True),
        ("pandas.core.algorithms", False),
        ("torch", True),
        ("torch._dynamo.variables.builder", True),
        ("torchvision.transforms", False),
        ("numpy_shim._convert.host", True),
        ("numpy.matrixlib.defmatrix", True),
        ("numpy.testing._private.utils", False),
        ("array_api_compat.common._helpers", True),
        ("sklearn.externals.array_api_compat.common._helpers", True),
        ("scipy._lib._array_api_override", True),
        ("__main__", False),
    ],
)
def test_who_asks_decides(module: str, own: bool):
    assert wants_own(Asker({"__name__": module}, ask.__code__)) is own


def test_one_function_of_a_module_may_decide():
    """``pandas.core.algorithms.isin`` passes NumPy's arrays to compiled code as they are."""
    names = {"__name__": "pandas.core.algorithms"}
    assert wants_own(Asker(names, ask.__code__.replace(co_name="isin")))
    assert not wants_own(Asker(names, ask.__code__.replace(co_name="unique")))


def test_a_namespace_without_a_name_asks():
    """Code that is executed in an empty dictionary."""
    names: dict[str, Any] = {"numpy": numpy, "x": np.ones(2), "__builtins__": __builtins__}
    exec("answer = isinstance(x, numpy.ndarray)", names)
    assert names["answer"] is True


def test_the_class_by_its_name():
    """Who writes ``__class__`` down makes arrays of it, or compares it."""
    a = np.ones(2)
    assert a.__class__ is np.ndarray
    assert type(a) is np.ndarray
    assert isinstance(a.__class__((2, 3)), np.ndarray)
    assert a[::-1].__class__ is np.ndarray


def test_answers_to_isinstance():
    a, n = np.ones(2), numpy.ones(2)
    assert isinstance(a, numpy.ndarray)
    assert isinstance(n, np.ndarray)
    assert isinstance(numpy.ma.array(n), np.ndarray)
    assert issubclass(numpy.ndarray, np.ndarray)
    assert issubclass(numpy.memmap, np.ndarray)
    for kind in (list, tuple, torch.Tensor, numpy.generic, collections.abc.Sequence):
        assert not isinstance(a, kind)
    for x in (1.0, [1.0], numpy.float64(1.0), np.ones(2).sum(), torch.ones(2)):
        assert not isinstance(x, np.ndarray)
    assert not issubclass(numpy.generic, np.ndarray)
    assert type(n) is not np.ndarray


def test_a_function_that_asks_and_writes_the_class():
    """Each question gets its own answer, whatever else stands in the function."""

    def both(x: Any) -> tuple[bool, type, bool]:
        return isinstance(x, numpy.ndarray), x.__class__, isinstance(x, numpy.ndarray)

    def scaled(x: Any) -> Any:
        return x.__class__((2,)) if isinstance(x, numpy.ndarray) else None

    assert both(np.ones(2)) == (True, np.ndarray, True)
    assert both(np.ones(2))[1] is np.ndarray
    assert type(scaled(np.ones(2))) is np.ndarray


def test_dispatch_by_class():
    """``functools.singledispatch`` over our class takes NumPy's arrays too."""

    @functools.singledispatch
    def kind(x: Any) -> str:
        return "other"

    kind.register(np.ndarray, lambda x: "array")
    assert [kind(x) for x in (np.ones(2), numpy.ones(2), [1.0])] == ["array", "array", "other"]


def test_in_a_trace():
    @torch.compile(backend="eager", fullgraph=True)
    def asked(x: Any) -> Any:
        y = x * 2
        answers = isinstance(y, numpy.ndarray), isinstance(y, np.ndarray), isinstance(y, list)
        return y, answers, type(y) is np.ndarray

    y, answers, exact = asked(np.ones(3))
    assert y.tolist() == [2.0, 2.0, 2.0]
    assert answers == (True, True, False)
    assert exact


@pytest.mark.parametrize(
    "through", [copy.copy, copy.deepcopy, lambda a: pickle.loads(pickle.dumps(a))]
)
def test_copies_are_ours(through: Callable[[Any], Any]):
    for a in (np.arange(3), np.arange(4)[::-1], np.ones((2, 2)).T):
        made = through(a)
        assert type(made) is np.ndarray
        assert made.tolist() == a.tolist()


def test_arrays_of_numpys_are_values():
    """Functions that tell one condition from a list of them, and values that must cast safely."""
    a = np.zeros(3)
    mask = numpy.array([True, False, True])
    assert np.piecewise(a, [mask], [1.0, 2.0]).tolist() == [1.0, 2.0, 1.0]
    np.place(a, mask, numpy.array([5.0, 6.0]))
    assert a.tolist() == [5.0, 0.0, 6.0]
    for module, target in ((np, np.zeros(3, "i4")), (numpy, numpy.zeros(3, "i4"))):
        with pytest.raises(TypeError):
            module.place(target, mask, numpy.array([1.5]))


def test_numpys_own_python():
    a = np.arange(4.0).reshape(2, 2)
    numpy.testing.assert_almost_equal(a, a)
    numpy.testing.assert_array_equal(a, numpy.arange(4.0).reshape(2, 2))
    with pytest.raises(AssertionError):
        numpy.testing.assert_almost_equal(a, a + 1)
    with pytest.warns(PendingDeprecationWarning):
        assert type(numpy.matrix(a)) is numpy.matrix
    assert numpy.ma.masked_where(a > 2, a).sum() == 3.0


# --- libraries ---


def in_pandas(np: Any, pd: Any) -> dict[str, Callable[[], Any]]:
    """Uses of an array in pandas, each giving lists and numbers."""
    table = pd.DataFrame
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.0], "y": [4.0, 5.0, 6.0]})
    series = pd.Series([1.0, 2.0, 3.0])
    mask, keys, values = (
        np.array([True, False, True]),
        np.array([1, 2, 1]),
        np.array([1.5, 2.5, 1.5]),
    )

    def written() -> Any:
        changed = frame.copy()
        changed.loc[mask, "x"] = 9.0
        return changed.values.tolist()

    return {
        "frame[mask]": lambda: frame[mask].values.tolist(),
        "frame.loc[mask]": lambda: frame.loc[mask].values.tolist(),
        "frame.loc[mask] = ": written,
        "series[mask]": lambda: series[mask].tolist(),
        "series.loc[int64]": lambda: series.loc[np.int64(1)],
        "series.loc[element]": lambda: series.loc[keys[0]],
        "series.iloc": lambda: series.iloc[keys].tolist(),
        "groupby": lambda: series.groupby(keys).sum().tolist(),
        "frame.groupby": lambda: frame.groupby(keys).sum().values.tolist(),
        "unique": lambda: pd.unique(keys).tolist(),
        "factorize": lambda: [x.tolist() for x in pd.factorize(values)],
        "array * frame": lambda: (np.ones((3, 2)) * frame).values.tolist(),
        "series + array": lambda: (series + values).tolist(),
        "get_indexer": lambda: pd.Index([1, 2, 3]).get_indexer(keys).tolist(),
        "MultiIndex": lambda: pd.MultiIndex.from_arrays([keys, values]).tolist(),
        "cut": lambda: pd.cut(values, 2).codes.tolist(),
        "isin": lambda: series.isin(values).tolist(),
        "to_timedelta": lambda: [str(x) for x in pd.to_timedelta(keys, unit="s")],
        "to_timedelta of floats": lambda: [str(x) for x in pd.to_timedelta(values, unit="s")],
        "TimedeltaIndex": lambda: [str(x) for x in pd.TimedeltaIndex(keys)],
        "to_datetime": lambda: [str(x) for x in pd.to_datetime(keys, unit="s")],
        "DatetimeIndex": lambda: [str(x) for x in pd.DatetimeIndex(keys)],
        "map": lambda: pd.Series(keys).map({1: 3, 2: 4}).tolist(),
        "to_json": lambda: pd.Series(values).to_json(),
        "interpolate": lambda: pd.Series(np.array([1.0, np.nan, 3.0])).interpolate().tolist(),
        "what a series holds": lambda: type(pd.Series(values).values) is numpy.ndarray,
        "what a frame holds": lambda: type(table({"x": values})["x"].values) is numpy.ndarray,
        "to_numpy": lambda: isinstance(frame.to_numpy(), np.ndarray),
    }  # fmt: skip


def test_pandas_takes_arrays():
    """Masks, keys, groups and values give what NumPy's arrays give."""
    pd = pytest.importorskip("pandas")
    ours, theirs = in_pandas(np, pd), in_pandas(numpy, pd)
    for name, call in theirs.items():
        assert ours[name]() == call(), name


def test_matplotlib_draws_columns():
    """A box, a violin and a histogram for each column; bars."""
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    values = numpy.arange(15.0).reshape(5, 3) ** 1.5
    drawn = []
    for a in (np.asarray(values), values):
        figure, axes = pyplot.subplots(1, 4)
        boxes = axes[0].boxplot(a)["medians"]
        violins = axes[1].violinplot(a)["bodies"]
        counts = axes[2].hist(a, bins=4)[0]
        bars = axes[3].bar(a[:, 0], a[:, 1], width=a[:, 2] * 0 + 0.5, bottom=a[:, 0])
        figure.canvas.draw()
        drawn.append(
            (
                [[float(y) for y in line.get_ydata()] for line in boxes],
                len(violins),
                numpy.asarray(counts).tolist(),
                [(float(bar.get_height()), float(bar.get_y())) for bar in bars],
            )
        )
        pyplot.close(figure)
    ours, theirs = drawn
    numpy.testing.assert_allclose(ours[0], theirs[0], rtol=1e-12)
    assert ours[1:3] == theirs[1:3]
    assert ours[1] == 3
    numpy.testing.assert_allclose(ours[3], theirs[3], rtol=1e-12)


def test_sparse_matrices_and_arrays():
    sparse = pytest.importorskip("scipy.sparse")
    from scipy.sparse import linalg

    s = sparse.csr_matrix(numpy.eye(3) * 2)
    values = numpy.arange(9.0).reshape(3, 3)
    a = np.asarray(values)
    for call in (
        lambda x: s + x, lambda x: x + s, lambda x: s - x, lambda x: x - s, lambda x: s > x,
        lambda x: s @ x, lambda x: x @ s,
    ):  # fmt: skip
        assert call(a).tolist() == call(values).tolist()
    assert (linalg.aslinearoperator(a) @ np.ones(3)).tolist() == [3.0, 12.0, 21.0]


def test_tables_by_type_know_both_classes():
    """What is registered for one class is found for the other; torch sees two classes."""
    ours, theirs = type(np.ones(2)), type(numpy.ones(2))
    assert {np.ndarray: 1}[theirs] == {numpy.ndarray: 1}[ours] == 1
    assert ours == theirs
    assert theirs == ours
    assert ours != numpy.float64
    assert ours is not theirs
    table = functools.singledispatch(lambda x: "other")
    table.register(numpy.ndarray, lambda x: "array")
    assert table(np.ones(2)) == table(numpy.ones(2)) == "array"
    as_torch = {"__name__": "torch.nn", "a": ours, "b": theirs}
    exec("same = a == b", as_torch)
    assert not as_torch["same"]


@pytest.mark.parametrize("package", ["array_api_compat", "scipy._lib", "sklearn.externals"])
@pytest.mark.parametrize("first", ["ours", "theirs"])
def test_namespaces_that_are_kept_by_class(package: str, first: str):
    """A library that has seen an array of one class still knows those of the other."""
    name = package if package == "array_api_compat" else f"{package}.array_api_compat"
    compat = pytest.importorskip(name)
    helpers = importlib.import_module(f"{name}.common._helpers")
    for kept in vars(helpers).values():
        if hasattr(kept, "cache_clear"):
            kept.cache_clear()
    a, b = np.arange(3.0), numpy.arange(3.0)
    for x in (a, b, a, b) if first == "ours" else (b, a, b, a):
        assert compat.is_numpy_array(x) is (x is b)
        assert compat.is_array_api_obj(x)
        expected = "numpy_shim" if x is a else f"{name}.numpy"
        assert compat.array_namespace(x).__name__ == expected


def test_jax_makes_its_arrays_of_ours():
    """JAX looks the class of NumPy's arrays up in compiled code, which knows no other."""
    jax = pytest.importorskip("jax.numpy")
    a = np.arange(6.0).reshape(2, 3)
    for made in (jax.array(a), jax.asarray(a), jax.array([a[0], a[1]]), jax.asarray(list(a))):
        assert type(made) is type(jax.zeros(1))
        assert made.tolist() == a.tolist()
    assert jax.array(a, dtype="int32").tolist() == [[0, 1, 2], [3, 4, 5]]
    assert jax.array(np.array(2)).tolist() == 2
