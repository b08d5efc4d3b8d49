"""What ``numba_names`` lists gives through Numba the values, errors and warnings that it gives."""

from __future__ import annotations

import importlib.util
import math
import warnings
from pathlib import Path
from typing import Any

import numpy
import numpy as np
import pytest

import numpy_shim
from numpy_shim._jit import choice
from numpy_shim._jit.numba_names import BUILTINS, DRAWING, FUNCTIONS

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("numba") is None, reason="Numba is an optional extra"
)

INF = math.inf
AWKWARD: dict[str, Any] = {
    "f": np.array([0.0, -0.0, 1, -1, 2.5, -2.5, 0.5, math.nan, INF, -INF, 1e308, 5e-324, 1e17]),
    "i": np.array([0, 1, -1, 2, 3, -3, 7, 2**62, 2**53 + 1, 2**63 - 1, -(2**63)]),
    "c": np.array([0, 1 + 2j, -1 - 2j, complex(0, -0.0), 3.5 - 1j, complex(-1, -0.0)]),
    "b": np.array([True, False]),
}  # fmt: skip
USUAL: dict[str, Any] = {
    "f": np.linspace(0.1, 0.9, 12),
    "i": np.arange(1, 13),
    "c": np.linspace(0.1, 0.9, 12) * (1 + 0.5j),
    "b": np.arange(12) % 3 == 0,
}

CASES: list[tuple[str, str, str, str]] = [
    ("sqrt exp log log2 log10 log1p expm1 exp2 sin cos tan", "np.{}(a)", "if", "v"),
    ("arcsin arccos arctan sinh cosh tanh arcsinh arccosh arctanh", "np.{}(a)", "if", "v"),
    ("fabs cbrt degrees radians isnan isfinite isinf", "np.{}(a)", "if", "v"),
    ("asin acos atan asinh acosh atanh erf sqrt", "math.{}(a)", "if", "s"),
    ("floor ceil trunc", "math.{}(a)", "f", "s"),
    ("floor ceil trunc rint negative positive round", "np.{}(a)", "f", "v"),
    ("absolute abs square", "np.{}(a)", "ifc", "v"),
    ("conj conjugate real imag", "np.{}(a).copy()", "c", "v"),
    ("hypot arctan2 copysign maximum minimum", "np.{}(a, b)", "if", "v"),
    ("fmax fmin add subtract multiply divide true_divide", "np.{}(a, b)", "f", "v"),
    ("logical_and logical_or", "np.{}(a, b)", "b", "v"),
    ("logical_not", "np.{}(a)", "b", "v"),
    ("atan2 pow hypot", "math.{}(a, b)", "f", "s"),
    ("any all zeros_like ones_like copy", "np.{}(a)", "cb", "m"),
    ("ravel transpose", "np.{}(a).copy()", "cb", "m"),
    ("flatten", "a.{}()", "cb", "m"),
    ("reshape", "a.{}(a.size).copy()", "cb", "m"),
    ("sum", "np.{}(a)", "ifcb", "u"),
    ("sum", "np.{}(a, axis=0)", "ic", "m"),
    ("prod cumsum", "np.{}(a)", "i", "v"),
    ("prod cumsum", "np.{}(a)", "fc", "u"),
    ("max min amax amin argmax argmin", "np.{}(a)", "if", "v"),
    ("mean", "a.{}()", "if", "u"),
    ("mean max argmin", "np.{}(a[1:])", "f", "v"),
    ("where", "np.{}(a > 0, a, b)", "if", "v"),
    ("dot", "np.{}(a, b)", "fc", "u"),
    ("outer", "np.{}(a, b)", "ic", "v"),
    ("astype", "a.{}(np.int64)", "ifb", "v"),
    ("astype", "a.{}(np.float64)", "ifb", "v"),
    ("zeros", "np.{}(len(a))", "f", "v"),
    ("ones", "np.{}((len(a), 2), dtype=np.int64)", "f", "v"),
    ("empty", "np.{}(len(a)).size", "f", "v"),
    ("empty_like", "np.{}(a).size", "f", "v"),
    ("full", "np.{}(3, a)", "ifc", "s"),
    ("full_like", "np.{}(a, 2.0)", "f", "v"),
    ("fill", "a.{}(2.0)", "f", "v"),
    ("array", "np.{}([a, a, 1.0])", "f", "s"),
    ("arange", "np.{}(a.size, 1, -2)", "f", "v"),
    ("eye identity", "np.{}(a.size)", "f", "v"),
    ("int float bool abs", "{}(a)", "if", "s"),
    ("abs", "{}(a)", "c", "s"),
    ("round", "{}(a)", "f", "s"),
    ("min max", "np.full(1, {}(a, b))", "if", "s"),
    ("complex", "{}(a, b)", "f", "s"),
]
"""Names, an expression, the kinds of numbers, and what the operands are.

They are scalars (s), vectors (v), matrices (m), or usual vectors (u) where the order of a sum
decides what is not finite.
"""
BY_OTHERS = {"range", "len", "enumerate", "zip"}


@pytest.fixture(autouse=True)
def whatever_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choice, "_FASTER", math.inf)
    monkeypatch.setattr(choice, "_SAMPLE", 10**9)


def test_each_name_is_compared():
    compared = {name for names, *_ in CASES for name in names.split()}
    assert compared | BY_OTHERS | DRAWING == {*FUNCTIONS, *BUILTINS}  # test_numba_drawing has these


def functions(folder: Path, expression: str) -> Any:
    """A function of ``a`` and ``b`` that gives the value of an expression."""
    file = folder / "names.py"
    file.write_text(
        f"import math\nimport numpy as np\ndef f(a, b):\n    x = {expression}\n    return x\n"
    )
    spec = importlib.util.spec_from_file_location(f"names_{abs(hash(expression))}", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.f


def operands(kind: str, form: str) -> list[tuple[Any, Any]]:
    usual, awkward = USUAL[kind], AWKWARD[kind]
    vectors = [usual, usual, *([] if form == "u" else [awkward]), awkward[1:2], awkward[:1]]
    if form == "s":
        pairs = [(a, b) for a in awkward.tolist() for b in awkward.tolist()[::3]]
        return [*[(usual[3].item(), usual[4].item())] * 2, *pairs]
    if form == "m":
        vectors = [usual.reshape(3, 4), usual.reshape(3, 4), awkward[: 2 * (len(awkward) // 2)]]
        vectors[2] = vectors[2].reshape(2, -1)
    return [(v, v[::-1].copy()) for v in vectors]


def outcome(f: Any, a: Any, b: Any) -> tuple[Any, Any, Any]:
    given = [v.copy() if isinstance(v, np.ndarray) else v for v in (a, b)]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result, error = f(*given), ""
        except Exception as found:
            result, error = None, repr(found)
    told = sorted({str(w.message).split(" encountered")[0] for w in caught})
    return [result, *given], error, told


def is_same(a: Any, b: Any) -> bool:
    if type(a) is not type(b):
        return False
    if a is None:
        return True
    a, b = numpy.asarray(a), numpy.asarray(b)
    if a.dtype != b.dtype or a.shape != b.shape:
        return False
    if a.dtype.kind not in "fc":
        return bool((a == b).all())
    return bool(np.isclose(a, b, rtol=64 * np.finfo(float).eps, atol=0, equal_nan=True).all())


@pytest.mark.parametrize(
    ("expression", "kind", "form"),
    [
        (expression.format(name), kind, form)
        for names, expression, kinds, form in CASES
        for name in names.split()
        for kind in kinds
    ],
)
def test_a_name(tmp_path: Path, expression: str, kind: str, form: str):
    f = functions(tmp_path, expression)
    compiled = numpy_shim.jit(f, compiler="numba", eager_compile=True)
    with np.errstate(all="warn", under="ignore"):
        for a, b in operands(kind, form):
            theirs, ours = outcome(f, a, b), outcome(compiled, a, b)
            assert ours[1:] == theirs[1:], (a, b)
            assert all(map(is_same, ours[0], theirs[0])), (a, b, ours, theirs)
    told = [c.told.get("Numba", "") for c in compiled.explain().choices]
    assert not any("line" in text or "depends" in text for text in told), told
