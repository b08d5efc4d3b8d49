"""The surface of numpy_shim against NumPy's: names, signatures, attributes."""

from __future__ import annotations

import importlib
import inspect
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy
import pytest

import numpy_shim
from numpy_shim._base.absent import ABSENT
from numpy_shim._base.release import RELEASE

ROOT = Path(numpy_shim.__file__).parent

MODULES = ["numpy", "numpy.linalg", "numpy.fft", "numpy.random", "numpy.lib.stride_tricks",
           "numpy.lib.scimath", "numpy.exceptions", "numpy.polynomial", "numpy.typing"]  # fmt: skip

NOT_OF_ARRAYS = {
    "__array_finalize__": "there are no subclasses to finish",
    "__array_struct__": "it is a pointer for code in C",
    "__setstate__": "arrays are pickled by their tensors, which come back as they are",
}
"""Attributes of NumPy's ndarray that ours has not, with the reason."""


def names_of(module: Any) -> list[str]:
    names = getattr(module, "__all__", None) or [n for n in vars(module) if not n.startswith("_")]
    return sorted(set(names) - {"test"})


def ours(name: str) -> Any:
    return importlib.import_module(name.replace("numpy", "numpy_shim", 1))


@pytest.mark.parametrize("module", MODULES)
def test_every_name_is_there(module: str):
    """Each public name exists, or the table of absences has its reason, which users are told."""
    theirs = importlib.import_module(module)
    known = ABSENT.keys() | REMOVED
    missing = [n for n in names_of(theirs) if not hasattr(ours(module), n) and n not in known]
    assert not missing


def test_absences_are_true():
    """A name with a reason for its absence is absent, and the error gives the reason."""
    for name, reason in ABSENT.items():
        with pytest.raises(AttributeError) as caught:
            getattr(numpy_shim, name)
        assert reason in str(caught.value)


HOOKS = {"load_ipython_extension", "unload_ipython_extension"}
"""What other programs look up by name."""

NEWER = {"matvec": (2, 2), "vecmat": (2, 2)}
"""Names that older releases of NumPy lack."""

KEPT = {"row_stack"}
"""Names that NumPy 2.5 removed, which scripts for an older one use."""


def test_star_import_is_numpys():
    """``from numpy_shim import *`` brings what NumPy's brings, and the names of ``_NOT_NUMPYS``."""
    brought: dict[str, object] = {}
    exec("from numpy_shim import *", brought)
    theirs = set(numpy.__all__) - ABSENT.keys() - REMOVED
    theirs |= {name for name, since in NEWER.items() if since > RELEASE}
    extra = {n for n in numpy_shim._NOT_NUMPYS if n != "bfloat16" or hasattr(numpy_shim, n)}
    assert brought.keys() - {"__builtins__"} == theirs | extra | KEPT


def test_all_has_what_is_defined():
    """``__all__`` has each public name of the module once, and no other."""
    names = numpy_shim.__all__
    assert len(names) == len(set(names))
    defined = {n for n in vars(numpy_shim) if not n.startswith("_")}
    # loaded on first use
    late = numpy_shim._LATE | {"core", "ctypeslib", "distributed", "f2py", "ma", "scipy"}
    assert defined - HOOKS - late == {n for n in names if n[0] != "_"} - late


def test_chapters_are_loaded_on_first_use():
    """They are in ``dir`` before, and the same modules by each kind of import."""
    program = """if True:
        import sys
        import numpy_shim as np
        early = [n for n in np._LATE if f"numpy_shim.{n}" in sys.modules]
        listed = np._LATE <= set(dir(np))
        from numpy_shim import random
        import numpy_shim.testing
        print(early, listed, np.random is random, np.testing is sys.modules["numpy_shim.testing"])
    """
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=300
    )
    assert done.stdout == "[] True True True\n"


def test_masked_arrays_are_loaded_on_first_use():
    """They are NumPy's, and take as long to import as a chapter of ours."""
    program = """if True:
        import sys
        import numpy_shim as np
        early = "numpy.ma" in sys.modules
        from numpy_shim import ma
        import numpy.lib.recfunctions
        print(early, ma is np.ma is numpy.ma, np.lib.recfunctions is numpy.lib.recfunctions)
    """
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=300
    )
    assert done.stdout == "False True True\n"


CHAPTERS = sorted(
    ".".join(file.relative_to(ROOT.parent).with_suffix("").parts)
    for folder in ("_array", "_convert", "_functions", "_ufunc")
    for file in (ROOT / folder).glob("[!_]*.py")
    if file.stem != "typing"
)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_names_of_chapters_are_imported(chapter: str):
    """What a chapter lists in its ``__all__`` is the same object in the namespace."""
    module = importlib.import_module(chapter)
    for name in getattr(module, "__all__", ()):
        assert getattr(numpy_shim, name) is getattr(module, name), name


@pytest.mark.parametrize("name", ["float_", "in1d", "cast", "trapz", "product", "int", "nonsense"])
def test_removed_names_raise_what_numpy_raises(name: str):
    if hasattr(numpy, name):
        pytest.skip(f"this NumPy still has {name}")
    with pytest.raises(AttributeError) as theirs:
        getattr(numpy, name)
    with pytest.raises(AttributeError) as mine:
        getattr(numpy_shim, name)
    if "module 'numpy' has no attribute" not in str(theirs.value):
        assert str(mine.value) == str(theirs.value)


def test_array_has_numpys_attributes():
    """All of ndarray's, but for those with a reason."""
    there = numpy.eye(1)  # NumPy 2.1 lists methods that only say that they were removed
    theirs = {n for n in dir(numpy.ndarray) if hasattr(there, n)} - REMOVED
    missing = {n for n in theirs if not hasattr(numpy_shim.ndarray, n)}
    assert missing == {n for n in NOT_OF_ARRAYS if hasattr(numpy.ndarray, n)}


def test_ufuncs_are_all_there():
    """Every ufunc of NumPy's, aliases being the same object."""
    for name in dir(numpy):
        theirs = getattr(numpy, name)
        if isinstance(theirs, numpy.ufunc):
            mine = getattr(numpy_shim, name)
            assert isinstance(mine, numpy_shim.ufunc), name
            assert mine is getattr(numpy_shim, theirs.__name__), name


Parameter = tuple[str, Any, Any]


def parameters(function: Any) -> list[Parameter]:
    """Names, kinds and defaults, as they read; annotations are ours."""
    found = []
    for p in inspect.signature(function).parameters.values():
        default = "" if p.default is p.empty else repr(p.default)
        default = default.replace("numpy_shim.", "numpy.").replace("np.", "")
        found.append((p.name, p.kind, default))
    return found


def without_device(found: list[Parameter]) -> list[Parameter]:
    return [p for p in found if p[0] != "device"]


SINCE: dict[str, tuple[int, int]] = {
    "numpy.argsort": (2, 5),  # descending
    "numpy.array2string": (2, 4),  # style, which had no effect, is gone
    "numpy.corrcoef": (2, 4),  # bias and ddof, which had no effect, are gone
    "numpy.fromstring": (2, 5),  # the default of dtype reads None
    "numpy.lib.stride_tricks.as_strided": (2, 5),  # check_bounds
    "numpy.nanpercentile": (2, 4),  # interpolation, the old name of method, is gone
    "numpy.nanquantile": (2, 4),
    "numpy.percentile": (2, 4),
    "numpy.quantile": (2, 4),
    "numpy.reshape": (2, 4),  # newshape, the old name of shape, is gone
    "numpy.save": (2, 4),  # fix_imports, which had no effect, is gone
    "numpy.savez": (2, 2),  # allow_pickle
    "numpy.savez_compressed": (2, 2),
    "numpy.sort": (2, 5),  # descending
    "numpy.take_along_axis": (2, 3),  # the default of axis
    "numpy.trim_zeros": (2, 2),  # axis
    "numpy.unique": (2, 3),  # sorted
}
"""Functions with another signature in an older NumPy: the release that has ours."""

REMOVED = {
    "_get_promotion_state", "_no_nep50_warning", "_set_promotion_state", "in1d", "tostring",
    "trapz",
}  # fmt: skip
"""Names of NumPy 2.1 that a later one has not."""

DIFFERENT: dict[str, str] = {
    "ndarray.dot": "NumPy's takes b=, which its signature calls other",
    "ndarray.view": "NumPy's takes any arguments and sorts them out; its documentation names these",
    "numpy.where": "NumPy's shows None for a choice left out; one that is given is an object",
}
"""Functions whose signature is not NumPy's, with the reason. A stale entry fails."""


def functions() -> list[str]:
    """Every public function that has a signature in NumPy, dotted."""
    found = []
    for module in ("numpy", "numpy.linalg", "numpy.fft", "numpy.lib.stride_tricks"):
        theirs = importlib.import_module(module)
        for name in names_of(theirs):
            value = getattr(theirs, name)
            if isinstance(value, type) or not callable(value) or name in ABSENT.keys() | REMOVED:
                continue
            try:
                inspect.signature(value)
            except (TypeError, ValueError):
                continue
            found.append(f"{module}.{name}")
    return found


@pytest.mark.parametrize("name", functions())
def test_signature_is_numpys(name: str):
    """Names, order, defaults and kinds of the parameters; ``device`` may be one more."""
    if SINCE.get(name, RELEASE) > RELEASE:
        pytest.skip("the signature is that of NumPy " + ".".join(map(str, SINCE[name])))
    module, _, attribute = name.rpartition(".")
    mine = getattr(ours(module), attribute)
    theirs = getattr(importlib.import_module(module), attribute)
    same = without_device(parameters(mine)) == without_device(parameters(theirs))
    assert same != (name in DIFFERENT), f"{inspect.signature(mine)} for {inspect.signature(theirs)}"


def methods() -> list[str]:
    found = []
    for name in dir(numpy.ndarray):
        value = getattr(numpy.ndarray, name)
        if name.startswith("__") or not callable(value) or name in NOT_OF_ARRAYS:
            continue
        try:
            inspect.signature(value)
        except (TypeError, ValueError):
            continue
        found.append(name)
    return found


def names_after_self(function: Any) -> list[str]:
    found = list(inspect.signature(function).parameters.values())[1:]
    return [p.name for p in found if p.kind is not p.VAR_KEYWORD]


@pytest.mark.parametrize("name", methods())
def test_method_has_numpys_parameters(name: str):
    """In NumPy's order; where NumPy's takes any keyword, ours names those it takes."""
    theirs = names_after_self(getattr(numpy.ndarray, name))
    mine = names_after_self(getattr(numpy_shim.ndarray, name))
    same = mine[: len(theirs)] == theirs
    assert same != (f"ndarray.{name}" in DIFFERENT), f"{mine} for {theirs}"
