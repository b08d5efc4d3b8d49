"""Questions about dtypes: NumPy's answers, for our scalar types, arrays and torch's dtypes too."""

from __future__ import annotations

import fractions
import itertools
from typing import Any

import numpy
import pytest
import torch

import numpy_shim
from numpy_shim._base import defaults
from tests.numpy_shim.array.test_scalars import NAMES
from tests.numpy_shim.differential import compare

ABSTRACT = ["generic", "number", "integer", "signedinteger", "unsignedinteger", "inexact",
            "floating", "complexfloating"]  # fmt: skip
CASTINGS = ["no", "equiv", "safe", "same_kind", "unsafe"]
PAIRS = list(itertools.product(NAMES, repeat=2))


def test_pairs():
    """Casting and promotion for every pair, however the dtypes are named."""
    for first, second in PAIRS:

        def body(np: Any, f: str = first, s: str = second) -> Any:
            a, b = getattr(np, f), getattr(np, s)
            return (
                np.promote_types(a, b), np.promote_types(f, np.dtype(b)), np.result_type(a, b),
                [np.can_cast(a, b, c) for c in CASTINGS], np.issubdtype(a, b), np.isdtype(a, b),
                np.result_type(np.zeros(2, a), np.ones(1, b), 1), np.result_type(a(1), 1.5),
                np.can_cast(np.zeros(2, a), b), np.can_cast(a(1), b), np.issubdtype(f, s),
            )  # fmt: skip

        compare(body)


@pytest.mark.parametrize("name", NAMES)
def test_hierarchy(name: str):
    """``issubdtype`` with abstract types, ``isdtype`` with the standard's kinds."""
    kinds = ["bool", "signed integer", "unsigned integer", "integral", "real floating",
             "complex floating", "numeric"]  # fmt: skip
    for abstract in ABSTRACT:
        compare(lambda np, a=abstract: np.issubdtype(getattr(np, name), getattr(np, a)))
        compare(lambda np, a=abstract: np.issubdtype(np.dtype(name), getattr(np, a)))
        compare(lambda np, a=abstract: np.issubdtype(getattr(np, a), np.inexact))
    for kind in kinds:
        compare(lambda np, k=kind: np.isdtype(getattr(np, name), k))
        compare(lambda np, k=kind: np.isdtype(np.dtype(name), (k, np.int8)))
    for python in (bool, int, float, complex):
        compare(lambda np, p=python: np.issubdtype(getattr(np, name), p))


def test_errors():
    """NumPy's errors, for objects that are not a dtype, a kind or a rule."""
    compare(lambda np: np.can_cast(3, np.int8))
    compare(lambda np: np.can_cast("i8", "i4", "nonsense"))
    compare(lambda np: np.promote_types("nonsense", "i4"))
    compare(lambda np: np.result_type())
    compare(lambda np: np.isdtype("float32", "bool"))
    compare(lambda np: np.isdtype(np.float32, "nonsense"))
    compare(lambda np: np.isdtype(np.float32, np.floating))
    compare(lambda np: np.issubdtype(np.array(1), int))
    compare(lambda np: np.common_type(np.array([True])))
    compare(lambda np: np.common_type("a"))
    compare(lambda np: np.finfo(int))
    compare(lambda np: np.iinfo(float))


@pytest.mark.skipif(not hasattr(numpy_shim, "bfloat16"), reason="needs ml_dtypes")
def test_common_type_of_bfloat16():
    """Of which NumPy's function knows nothing."""
    short = numpy_shim.ones(2, "bfloat16")
    assert numpy_shim.common_type(short) is numpy_shim.bfloat16
    assert numpy_shim.common_type(short, numpy_shim.ones(2, "f4")) is numpy_shim.float32
    assert numpy_shim.common_type(numpy_shim.ones(2, int), short) is numpy_shim.float64


def test_torch_dtypes():
    """Count as NumPy's."""
    assert numpy_shim.can_cast(torch.int8, torch.float32)
    assert numpy_shim.promote_types(torch.int8, "u1") == "i2"
    assert numpy_shim.common_type(torch.ones(2), numpy_shim.ones(2, "f2")) is numpy_shim.float32
    assert numpy_shim.result_type(torch.ones(2), torch.float16) == "f4"
    assert numpy_shim.issubdtype(torch.float32, numpy_shim.floating)
    assert numpy_shim.isdtype(torch.float32, "real floating")
    assert numpy_shim.finfo(torch.float32).bits == 32
    with pytest.raises(TypeError, match=r"no storage|float8"):
        numpy_shim.can_cast(torch.float8_e4m3fn, "f4")


@pytest.mark.parametrize("name", NAMES)
def test_limits(name: str):
    """``finfo`` and ``iinfo`` of types, dtypes, scalars and arrays."""
    function = "finfo" if name.startswith(("float", "complex")) else "iinfo"
    if name == "bool":
        compare(lambda np: np.iinfo(np.bool))
        return
    compare(lambda np: repr(getattr(np, function)(getattr(np, name))))
    compare(lambda np: repr(getattr(np, function)(np.dtype(name))))
    compare(lambda np: repr(getattr(np, function)(getattr(np, name)(1))))
    found = getattr(numpy_shim, function)(numpy_shim.zeros(2, name))
    assert isinstance(found, getattr(numpy, function))
    assert found.dtype == getattr(numpy, function)(name).dtype


@pytest.mark.parametrize("name", NAMES)
def test_kinds_of_objects(name: str):
    """Complex or real, scalar or not, the least dtype, the common type."""

    def body(np: Any) -> Any:
        s = getattr(np, name)(1)
        a = np.array([1], name)
        return (
            np.iscomplexobj(a), np.isrealobj(s), np.isscalar(s), np.isscalar(a), np.isscalar(a[0]),
            np.min_scalar_type(s), np.min_scalar_type(a), np.min_scalar_type(np.array(100, name)),
            np.isscalar(np.array(1, name)), np.mintypecode([a.dtype.char, "d"]),
            np.mintypecode(a), np.typename(a.dtype.char),
        )  # fmt: skip

    compare(body)
    if name != "bool":
        compare(lambda np: np.common_type(np.array([1], name), np.float32(1)).__name__)


@pytest.mark.parametrize(
    "x",
    [1, 300, -1, 2**40, 1.5, 1e300, 1j, True, "a", b"a", None, [1], [1j], fractions.Fraction(1)],
)
def test_kinds_of_python_objects(x: Any):
    """The same for objects that are not arrays."""
    compare(lambda np: np.isscalar(x))
    if not isinstance(x, fractions.Fraction) and x is not None:
        compare(lambda np: (np.iscomplexobj(x), np.isrealobj(x)))
    if isinstance(x, (int, float, complex)):
        compare(lambda np: np.min_scalar_type(x))
        compare(lambda np: np.result_type(np.int8, x))


def test_mintypecode_and_typename():
    """Codes."""
    for chars in ["df", "fD", "i", "", ["d", "F"], "zz", 3]:
        compare(lambda np, c=chars: np.mintypecode(c))
        compare(lambda np, c=chars: np.mintypecode(c, typeset="fd", default="f"))
    compare(lambda np: np.typename("F"))
    compare(lambda np: np.typename("nonsense"))


def test_tables():
    """``sctypeDict``, ``ScalarType`` and ``typecodes`` have what torch stores, as NumPy has it."""
    for name, kind in numpy_shim.sctypeDict.items():
        assert kind is numpy.sctypeDict[name]
    stored = {k.__name__ for k in numpy_shim.ScalarType} - {"bfloat16"}
    assert stored <= {k.__name__ for k in numpy.ScalarType}
    assert numpy_shim.float32 in numpy_shim.ScalarType
    for group, codes in numpy_shim.typecodes.items():
        assert set(codes) <= set(numpy.typecodes[group])
        for code in codes:
            assert numpy_shim.zeros(1, code).dtype == code
    assert numpy_shim.typecodes["AllFloat"] == "efdFD"


def test_set_default_dtype():
    """In force from the call on, or within a block; complex numbers follow."""
    np = numpy_shim
    with np.set_default_dtype(np.float32):
        assert np.array([1.5]).dtype == np.zeros(2).dtype == "f4"
        assert np.array([1j]).dtype == "c8"
        with np.set_default_dtype("numpy"):
            assert np.array(1.5).dtype == "f8"
        with np.set_default_dtype("pytorch"):
            assert np.array([1.5]).dtype == "f4"
            torch.set_default_dtype(torch.float64)
            try:
                assert np.array([1.5]).dtype == "f8"
            finally:
                torch.set_default_dtype(torch.float32)
        assert np.array([1.5]).dtype == "f4"
    assert np.array([1.5]).dtype == "f8"
    np.set_default_dtype("f4")
    assert defaults.float_dtype() is torch.float32
    np.set_default_dtype("numpy")
    assert defaults.float_dtype() is torch.float64
    for wrong in (int, "i4", np.complex64):
        with pytest.raises(ValueError, match="set_default_dtype"):
            np.set_default_dtype(wrong)
    with pytest.raises(TypeError):
        np.set_default_dtype("nonsense")
