"""Every function takes NumPy's own arrays: as ours where torch can store them, else as NumPy does.

The cases are those of the public surface, one body with arrays of a kind that a program gets from
other libraries: views, arrays that run backwards or are locked, other byte orders, subclasses,
records, and dtypes that torch cannot store.
"""

from __future__ import annotations

import operator
import warnings
from collections.abc import Callable
from typing import Any

import numpy
import pytest
import torch

import numpy_shim
from tests.differential import KINDS_OF_ERROR
from tests.numpy_shim.test_surface import CASES
from tests.surface import Case

Array = numpy.ndarray[Any, Any]


class Sub(numpy.ndarray):  # type: ignore[type-arg]
    """A subclass without methods of its own."""


def backwards(a: Array) -> Array:
    return a[::-1].copy()[::-1] if a.ndim else a


def locked(a: Array) -> Array:
    a.flags.writeable = False
    return a


STORED: dict[str, Callable[[Array], Any]] = {
    "array": lambda a: a,
    "view": lambda a: numpy.stack([a, a], -1)[..., 0],
    "backwards": backwards,
    "locked": locked,
    "swapped": lambda a: a.astype(a.dtype.newbyteorder()),
    "tensor": torch.from_numpy,
}
THEIRS: dict[str, Callable[[Array], Any]] = {
    "longdouble": lambda a: a.astype(numpy.longdouble if a.dtype.kind == "f" else object),
    "objects": lambda a: a.astype(object),
    "text": lambda a: a.astype("U8"),
    "times": lambda a: a.real.astype("i8").astype("m8[s]"),
    "subclass": lambda a: a.view(Sub),
    "masked": numpy.ma.array,
    "records": lambda a: numpy.rec.fromarrays([a, a]),
}

OTHER = frozenset({
    "asarray", "empty_like", "isnat", "set_default_dtype", "allow_implicit_host_copy",
})  # fmt: skip
"""Values that are not defined, bodies without a call of NumPy's, and settings."""
NOT_OF = {"swapped": frozenset({"from_dlpack", "array_repr"}), "tensor": frozenset({
    "float64.is_integer", "float64.as_integer_ratio", "float64.hex", "float64.__hash__",
    "float64.__round__", "generic", "number", "inexact", "floating", "intersect1d",
})}  # fmt: skip
"""DLPack has one byte order, and the text of an array names the other; tensors lack steps below
zero and the methods of NumPy's scalars."""
PLAIN = [
    case for case in CASES
    if case.inputs and case.name not in OTHER and not case.name.startswith(("ndarray.", "random."))
]  # fmt: skip


def outcome(case: Case, np: Any, arrays: list[Any]) -> Any:
    with warnings.catch_warnings(), numpy.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return case.body(np, *arrays)
        except Exception as error:
            return error


def arrays_of(case: Case) -> list[Array]:
    return [numpy.array(x, dtype=case.dtype) for x in case.inputs]


def agree(found: Any, expected: Any, rtol: float) -> bool:
    """Whether two outcomes have the same structure, dtypes, shapes and values, or kind of error."""
    if isinstance(expected, Exception):
        kinds = tuple(k for k in KINDS_OF_ERROR if isinstance(expected, k))
        return isinstance(found, kinds or type(expected))
    if isinstance(expected, (tuple, list)):
        return (
            isinstance(found, (tuple, list))
            and len(found) == len(expected)
            and all(agree(f, e, rtol) for f, e in zip(found, expected, strict=True))
        )
    if not hasattr(expected, "__array__"):
        return type(found) is type(expected) and (found == expected or found != found)
    if isinstance(found, Exception) or not hasattr(found, "__array__"):
        return False
    a, b = numpy.asarray(found), numpy.asarray(expected)
    if a.dtype.newbyteorder("=") != b.dtype.newbyteorder("=") or a.shape != b.shape:
        return False
    if a.dtype.kind in "fc":
        return numpy.allclose(a, b, rtol=rtol, equal_nan=True)
    return repr(a.tolist()) == repr(b.tolist())


@pytest.mark.parametrize("form", STORED)
def test_what_torch_can_store(form: str):
    """The values that arrays of ours give, in the other byte order where NumPy keeps it."""
    different = []
    for case in PLAIN:
        if case.name in NOT_OF.get(form, ()):
            continue
        ours = [numpy_shim.asarray(a) for a in arrays_of(case)]
        given = [STORED[form](a) for a in arrays_of(case)]
        found, expected = outcome(case, numpy_shim, given), outcome(case, numpy_shim, ours)
        if not agree(found, expected, 1e-14):
            different.append((case.name, found, expected))
    assert not different


@pytest.mark.parametrize("form", THEIRS)
def test_what_is_numpys(form: str):
    """What NumPy itself gives, its dtype and its errors too; a release may lack a function."""
    different = []
    for case in PLAIN:
        try:
            operator.attrgetter(case.name)(numpy)
            ours, theirs = ([THEIRS[form](a) for a in arrays_of(case)] for _ in range(2))
        except (AttributeError, TypeError, ValueError):  # no function, or no such arrays
            continue
        found, expected = outcome(case, numpy_shim, ours), outcome(case, numpy, theirs)
        if not agree(found, expected, 1e-12):
            different.append((case.name, found, expected))
    assert not different
