"""NumPy's private modules, with our functions and classes where they have a public name."""

from pathlib import Path

import numpy
import pytest

import numpy_shim as np
from numpy_shim._launcher.imports import Redirection


@pytest.mark.filterwarnings("ignore:numpy.core:DeprecationWarning")
@pytest.mark.parametrize(
    ("path", "ours"),
    [
        ("_core.numeric.zeros_like", np.zeros_like),
        ("_core.umath.add", np.add),
        ("_core.multiarray.array", np.array),
        ("_core.numeric.ndarray", np.ndarray),
        ("_core.einsumfunc.einsum", np.einsum),
        ("core.fromnumeric.sum", np.sum),
        ("core.numeric.ones", np.ones),
        ("linalg._linalg.norm", np.linalg.norm),
        ("lib._function_base_impl.percentile", np.percentile),
        ("fft._pocketfft.fft", np.fft.fft),
        ("matrixlib.asmatrix", np.asmatrix),
    ],
)
def test_public_names_are_ours(path: str, ours: object):
    value: object = np
    for name in path.split("."):
        value = getattr(value, name)
    assert value is ours


@pytest.mark.parametrize(
    ("path", "call"),
    [
        ("linalg._linalg.EigResult", lambda a: np.linalg.eig(a)),
        ("linalg._linalg.EighResult", lambda a: np.linalg.eigh(a)),
        ("linalg._linalg.QRResult", lambda a: np.linalg.qr(a)),
        ("linalg._linalg.SVDResult", lambda a: np.linalg.svd(a)),
        ("linalg._linalg.SlogdetResult", lambda a: np.linalg.slogdet(a)),
        ("lib._arraysetops_impl.UniqueAllResult", np.unique_all),
        ("lib._arraysetops_impl.UniqueCountsResult", np.unique_counts),
        ("lib._arraysetops_impl.UniqueInverseResult", np.unique_inverse),
    ],
)
def test_classes_of_results_are_ours(path: str, call):
    """Programs look results up by them, as autograd does."""
    value: object = np
    for name in path.split("."):
        value = getattr(value, name)
    assert type(call(np.eye(2))) is value


def test_other_names_are_numpys():
    theirs = numpy._core.fromnumeric._wrapreduction
    assert np._core.fromnumeric._wrapreduction is theirs
    assert np._core._exceptions._UFuncNoLoopError is numpy._core._exceptions._UFuncNoLoopError
    assert np.version.version == numpy.__version__


@pytest.mark.parametrize("path", ["_nothing", "linalg._nothing", "_core.nothing", "core.nothing"])
@pytest.mark.filterwarnings("ignore:numpy.core:DeprecationWarning")
def test_what_numpy_lacks_is_missing(path: str):
    *modules, name = path.split(".")
    value = np
    for module in modules:
        value = getattr(value, module)
    with pytest.raises(AttributeError, match=name):
        getattr(value, name)


def test_imports_under_the_launcher(tmp_path: Path):
    """Each form of import, in a file of the user's."""
    file = tmp_path / "program.py"
    source = """
import numpy._core.numeric as numeric
import numpy._core.umath
from numpy._core import errstate, multiarray
from numpy._core.einsumfunc import einsum, _parse_einsum_input
from numpy.linalg import _linalg
from numpy.linalg._linalg import norm
"""
    names: dict[str, object] = {"__file__": str(file), "__name__": "program"}
    redirection = Redirection("numpy_shim", [str(tmp_path)])
    redirection.install()
    try:
        exec(compile(source, str(file), "exec"), names)
    finally:
        redirection.remove()
    assert names["einsum"] is np.einsum
    assert names["errstate"] is np.errstate
    assert names["norm"] is np.linalg.norm is names["_linalg"].norm
    assert names["numeric"].full_like is np.full_like
    assert names["multiarray"].array is np.array
    assert names["numpy"]._core.umath.multiply is np.multiply
    assert names["_parse_einsum_input"] is numpy._core.einsumfunc._parse_einsum_input
