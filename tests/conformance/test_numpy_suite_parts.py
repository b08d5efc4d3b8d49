"""The parts of NumPy's suite on any namespace: imports, scope, what is compared and drawn."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path
from typing import Any

import hypothesis
import numpy as np
import pytest

from conformance.numpy_suite import _files, _scope
from conformance.numpy_suite._rewrite import rewrite
from conformance.numpy_suite._testing import adapter, stored, strategies


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("import numpy as np", "np = __conformance__.module('numpy')"),
        ("import numpy", "numpy = __conformance__.module('numpy')"),
        ("import numpy._core.umath as u", "u = __conformance__.module('numpy._core.umath')"),
        ("import numpy.linalg", "__conformance__.module('numpy.linalg')"),
        (
            "from numpy.linalg import norm as n",
            "n = __conformance__.attribute('numpy.linalg', 'norm')",
        ),
        ("from numpy import array", "array = __conformance__.attribute('numpy', 'array')"),
        (
            "from hypothesis.extra import numpy as hynp",
            "hynp = __conformance__.attribute('hypothesis.extra', 'numpy')",
        ),
        ("def f():\n    from numpy import e", "e = __conformance__.attribute('numpy', 'e')"),
        ("import numba, scipy", "import numba, scipy"),
        ("import os, numpy.fft as f", "f = __conformance__.module('numpy.fft')"),
        ("def f(x):\n    return x is np", "return x is __conformance__.itself(np)"),
    ],
)
def test_imports_are_rewritten(source: str, line: str) -> None:
    """Every form in which the tests import NumPy, wherever it stands, on its own line."""
    tree = rewrite(ast.parse(source))
    assert line in ast.unparse(tree)
    compile(tree, "name", "exec")


SCOPE = [
    ("def helper():\n    subprocess.run(['a'])\ndef test_x():\n    helper()", "other processes"),
    (
        "t = [cffi.FFI]\n@pytest.mark.parametrize('t', t)\ndef test_x(t):\n    pass",
        "C extensions",
    ),
    ("from numpy._core import _umath_tests as u\ndef test_x():\n    u.f()", "C test modules"),
    ("def test_x():\n    subprocess.run(['a'])", "other processes"),
    ("def test_x():\n    np.array(['a'])", None),
    ("def test_x():\n    np.zeros(3, dtype=[('x', 'f8')])", None),
    ("def test_x():\n    np.array([None])", None),
    ("def test_x():\n    np.array(1, dtype='M8[s]')", None),
    ("def test_x():\n    np.longdouble(1)", None),
    ("def test_x():\n    np.zeros(1, '>f8')", None),
    ("def test_x():\n    np.ma.array([1])", None),
    ("def test_x():\n    class A(np.ndarray):\n        pass", None),
    ("def test_x():\n    sys.getrefcount(1)", None),
    ("def test_x():\n    np.zeros(1).ctypes.data", None),
    ("def test_x():\n    '''It starts a subprocess.'''", None),
    ("def helper():\n    subprocess.run(['a'])\ndef test_x():\n    pass", None),
]


@pytest.mark.parametrize(("source", "title"), SCOPE)
def test_scope_is_judged_from_the_source(tmp_path: Path, source: str, title: str | None) -> None:
    """What a test uses, itself or through what it names in its file, decides."""
    path = tmp_path / "lib" / "tests" / "test_x.py"
    path.parent.mkdir(parents=True)
    path.write_text(source)
    (file,) = _files.files(tmp_path)
    (test,) = file.functions
    row = _scope.reason(file, test)
    assert (row.title if row else None) == title


def test_every_row_of_the_rule_is_used() -> None:
    """A row that takes out nothing of the installed NumPy's tests has no business there."""
    pytest.importorskip("numpy")
    files = _files.files(_files.root())
    found = [_scope.reason(file, test) for file in files for test in file.functions]
    used = {row.title for row in found if row}
    assert used == {row.title for row in _scope.TABLE}
    single = {test_id for row in _scope.TABLE for test_id in row.tests}
    assert single <= {test.id for file in files for test in file.functions}
    assert 5500 < found.count(None) < 6200


def test_functions_are_those_that_pytest_collects() -> None:
    """Inherited tests and nested classes included, in a file that has many of both."""
    (file,) = [f for f in _files.files(_files.root()) if f.path.name == "test_linalg.py"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "-q", "--noconftest", "-p",
         "no:cacheprovider", "--rootdir", file.root, "-c", "/dev/null", file.path],
        capture_output=True,
        text=True,
        check=False,
    )  # fmt: skip
    lines = [line.strip() for line in done.stdout.splitlines() if "::" in line]
    collected = {_files.function_id(line.split("::", 1)[1]) for line in lines}
    assert collected == {test.id.split("::", 1)[1] for test in file.functions}


def test_arrays_are_converted_before_they_are_compared() -> None:
    """Only arguments of comparisons; lists and dicts are gone through, errors are NumPy's own."""

    class Array:
        def __array__(self, dtype: object = None, copy: object = None) -> np.ndarray:
            return np.arange(3)

    testing: Any = adapter(object())
    testing.assert_equal({"x": [Array(), 1]}, {"x": [np.arange(3), 1]})
    testing.assert_array_equal(Array(), [0, 1, 2])
    testing.assert_raises(TypeError, lambda x: isinstance(x, Array) and x + 1, Array())
    with pytest.raises(AssertionError, match="Mismatched elements: 1 / 3"):
        testing.assert_allclose(Array(), [0, 1, 3])

    class Wrapper:
        """An object of a test, which gives an array of the namespace."""

        def __array__(self, dtype: object = None, copy: object = None) -> Array:
            return Array()

    testing.assert_equal(Wrapper(), [0, 1, 2])


def test_dtypes_that_are_drawn_are_stored() -> None:
    """A strategy for dtypes draws those that the namespace makes arrays of."""

    class Namespace:
        @staticmethod
        def zeros(shape: object, dtype: np.dtype[Any]) -> None:
            if dtype.kind not in "if" or dtype.itemsize > 8:
                raise TypeError(dtype)

    namespace = Namespace()
    found = {d.kind for d in stored(namespace)}
    assert found == {"i", "f"}
    drawn: set[str] = set()

    @hypothesis.given(strategies(namespace).scalar_dtypes())
    def draw(dtype: np.dtype[Any]) -> None:
        drawn.add(dtype.kind)

    draw()
    assert drawn == {"i", "f"}
