"""Every table of a fast path is made by ``fast_table``, so that errstate turns all of them off."""

from __future__ import annotations

import importlib
import pkgutil
import sys
from collections.abc import Iterator
from types import FunctionType
from typing import Any

import numpy
import pytest
import torch

import numpy_shim
from numpy_shim._base import fast_tables
from numpy_shim._base.fast_tables import empty_all, fast_table, fill, fill_all, is_fast
from numpy_shim._ufunc import flat
from numpy_shim._ufunc.spec import SPECS, fill_every_spec, newly_filled

OTHERS = {
    # What a dtype is, or becomes: nothing is computed because a dtype is in there.
    "xp_torch._core.dtypes": ("COMPLEX_OF", "PROMOTION", "REAL_OF", "SIGNED_TWIN"),
    "numpy_shim._array.ndarray": ("SCALAR_TYPES",),
    "numpy_shim._base.scalar_types": ("FROM_PYTHON", "HOST"),
    "numpy_shim._base.dtypes": ("NUMPY", "PROMOTION", "_ALIASES", "_KINDS"),
    "numpy_shim._base.error_checks": ("_RANGES",),
    "numpy_shim.scipy._linalg.blas": ("_WIDER",),
    "numpy_shim.scipy._linalg.exponentials": ("_LARGEST",),
    "numpy_shim._convert.sequences": ("NOTHING", "_CODES"),
    "numpy_shim._functions.cumulative": ("WIDE",),
    "numpy_shim._functions.reductions": ("SAME", "TRUTH"),
    "numpy_shim._functions.rounding": ("_INTO_INTEGERS",),
    "numpy_shim._kernels.elementwise": ("_BITS", "_SCALE", "_WIDER"),
    "numpy_shim._kernels.segments": ("_SHORT",),
    "numpy_shim._kernels.selection": ("_LEAST",),
    "numpy_shim._ufunc.declarations": ("_signed_power",),
    "numpy_shim._ufunc.spec": ("_KINDS",),
    "numpy_shim.linalg._matrices": ("_DOUBLE", "_SINGLE"),
    # Reading and searching elements cannot raise a floating-point error.
    "xp_torch._kernels.searching": ("SEARCHES",),
}
"""The other tables by dtype: by module, their names."""

OF_SPEC = {"fast", "mixed", "into", "right_float", "right_int", "left_float", "left_int"}


def modules() -> dict[str, Any]:
    """All modules of the package but the launcher, which computes nothing."""
    for found in pkgutil.walk_packages(numpy_shim.__path__, "numpy_shim."):
        if "_launcher" not in found.name and "__main__" not in found.name:
            importlib.import_module(found.name)
    names = sorted(n for n in sys.modules if n.startswith("numpy_shim"))
    return {n: sys.modules[n] for n in names if "_launcher" not in n}


def is_by_dtype(value: object) -> bool:
    """Whether a value is a dictionary with dtypes, or tuples of dtypes, as keys."""
    return isinstance(value, dict) and any(
        isinstance(key, torch.dtype)
        or (isinstance(key, tuple) and key and all(isinstance(k, torch.dtype) for k in key))
        for key in value
    )


def closed_over(value: Any, seen: set[int]) -> Iterator[Any]:
    """The values that a function, a method or functions in them close over."""
    if isinstance(value, type) and id(value) not in seen:
        seen.add(id(value))
        for member in vars(value).values():
            yield from closed_over(member, seen)
    function = getattr(value, "__func__", value)
    if isinstance(function, FunctionType) and id(function) not in seen:
        seen.add(id(function))
        for cell in function.__closure__ or ():
            yield cell.cell_contents
            yield from closed_over(cell.cell_contents, seen)


def test_every_other_table_is_known():
    """A table by dtype is a fast one, or decides no path and is listed above."""
    fill_every_spec()
    known: set[int] = set()
    for module, names in OTHERS.items():
        for name in names:
            table = getattr(importlib.import_module(module), name)
            assert is_by_dtype(table), (module, name)
            assert not is_fast(table), (module, name)
            known.add(id(table))
    for spec in SPECS.values():
        known |= {id(spec.functions), id(spec.loops), id(spec.made)}
    seen: set[int] = set()
    for module, content in modules().items():
        for name, value in list(vars(content).items()):
            for table in (value, *closed_over(value, seen)):
                if is_by_dtype(table) and not is_fast(table):
                    assert id(table) in known, (module, name)


def test_tables_of_ufuncs():
    """The tables that a ufunc's fast path looks at, empty ones included."""
    assert len(SPECS) >= 90
    for spec in SPECS.values():
        for field in OF_SPEC:
            assert is_fast(getattr(spec, field)), (spec.name, field)
    for name, spec in SPECS.items():
        ufunc = getattr(numpy_shim, name, None)
        if ufunc is not None:
            assert ufunc._fast is spec.fast


def test_a_plain_table_is_noticed():
    assert not is_fast({})
    assert not is_fast(dict(SPECS["add"].fast))


@pytest.fixture
def apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables of this test alone."""
    monkeypatch.setattr(fast_tables, "_tables", {})
    monkeypatch.setattr(fast_tables, "_empty", False)


@pytest.mark.usefixtures("apart")
def test_filled_later():
    """A table that was made empty gets its entries once, while errors are looked for too."""
    first, second = fast_table(), fast_table()
    fill(first, {1: "a"})
    empty_all()
    fill(second, {2: "b"})
    assert first == second == {}
    fill_all()
    assert (first, second) == ({1: "a"}, {2: "b"})


@pytest.mark.usefixtures("apart")
def test_emptied_and_filled():
    first, second = fast_table({1: "a", 2: "b"}), fast_table()
    for _ in range(2):
        empty_all()
        empty_all()
        assert first == second == {}
        fill_all()
        fill_all()
        assert (first, second) == ({1: "a", 2: "b"}, {})


@pytest.mark.usefixtures("apart")
def test_made_while_errors_are_looked_for():
    """A module that is first imported inside an errstate gets empty tables, too."""
    first = fast_table({1: "a"})
    empty_all()
    late = fast_table({2: "b"})
    assert late == {}
    fill_all()
    later = fast_table({3: "c"})
    assert (first, late, later) == ({1: "a"}, {2: "b"}, {3: "c"})
    empty_all()
    assert first == late == later == {}
    fill_all()
    assert (first, late, later) == ({1: "a"}, {2: "b"}, {3: "c"})


def test_functions_of_scalars_are_kept_beside_the_tables(monkeypatch: pytest.MonkeyPatch):
    """A function that is found while another thread starts to look for errors is not used."""
    inside = numpy_shim.errstate(divide="raise")

    def found_late(*args: Any) -> Any:
        inside.__enter__()  # as another thread may at any line
        return found(*args)

    found = flat._of_scalar
    monkeypatch.setattr(flat, "_of_scalar", found_late)
    newly_filled(SPECS["divide"])
    by_scalar = flat._by_scalar(SPECS["divide"], False)
    try:
        assert by_scalar(torch.float64, numpy.float32) is not None
        with pytest.raises(KeyError):
            by_scalar(torch.float64, numpy.float32)
    finally:
        inside.__exit__(None, None, None)
    assert by_scalar(torch.float64, numpy.float32) is not None
