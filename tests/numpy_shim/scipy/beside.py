"""One call of SciPy's and of ours: the same values, dtypes, shapes, classes and errors."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection
from copy import deepcopy
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy
import torch

import numpy_shim as np

PAGE = Path(__file__).parents[3] / "docs" / "scipy.md"


def check_names(
    scipys: ModuleType, ours: Collection[str], on_the_host: dict[str, str], others: Any = ()
) -> None:
    """Every public function of a module of SciPy's is ours, or stands on the page with a reason."""
    page = PAGE.read_text(encoding="utf-8")
    for name, why in on_the_host.items():
        assert f"| `{name}` | {why} |" in page
    public = {name for name in scipys.__all__ if callable(getattr(scipys, name))}
    different = {*ours, *on_the_host, *others} ^ public
    assert {name for name in different if not is_error(getattr(scipys, name, None))} == set()
    assert not {*ours} & {*on_the_host}


def is_error(value: Any) -> bool:
    return isinstance(value, type) and issubclass(value, Exception)


def outcome(function: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    """What a call returns or raises."""
    with warnings.catch_warnings(), numpy.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return function(*args, **kwargs)
        except Exception as error:
            return error


def moved(x: Any, device: str) -> Any:
    """Arguments with arrays of ours on a device for NumPy's."""
    if isinstance(x, numpy.ndarray):
        return np.asarray(x, device=device)
    return type(x)(moved(v, device) for v in x) if type(x) in (tuple, list) else x


def compare_calls(
    ours: Callable[..., Any], theirs: Callable[..., Any], args: Any, kwargs: Any,
    device: str = "cpu", eps: float = 512,
) -> None:  # fmt: skip
    """The same result, or the same error; numbers to ``eps`` last digits of the largest."""
    expected = outcome(theirs, deepcopy(args), deepcopy(kwargs))  # it may write to them
    given = {key: moved(value, device) for key, value in kwargs.items()}
    shapes = [(x.dtype, x.shape) if isinstance(x, numpy.ndarray) else x for x in args]
    about = (getattr(theirs, "__name__", ""), shapes, kwargs)
    with torch.device(device):
        found = outcome(ours, moved(args, device), given)
    compare_values(found, expected, about, device, eps)


def compare_values(ours: Any, theirs: Any, about: Any, device: str, eps: float = 512) -> None:
    if isinstance(theirs, Exception):
        assert type(ours) is type(theirs), (about, ours, theirs)
        # of dtypes SciPy's C and NumPy speak in other words, and what fails in C++ names its lines
        others = ("not supported", "Assertion failure")
        if not isinstance(theirs, TypeError) and not any(word in str(theirs) for word in others):
            assert str(theirs) in str(ours), (about, ours)  # ours may begin with a function's name
        return
    assert not isinstance(ours, Exception), (about, ours)
    if isinstance(theirs, (tuple, list)):
        assert type(ours).__name__ == type(theirs).__name__, about
        assert len(ours) == len(theirs), about
        for one, other in zip(ours, theirs, strict=True):
            compare_values(one, other, about, device, eps)
        return
    if not hasattr(theirs, "dtype") and hasattr(theirs, "__dict__"):  # a result of attributes
        assert type(ours).__name__ == type(theirs).__name__, about
        ours, theirs = vars(ours), vars(theirs)
    if isinstance(theirs, dict):
        assert list(ours) == list(theirs), about
        for key in theirs:
            compare_values(ours[key], theirs[key], (about, key), device, eps)
        return
    if type(theirs) is float and getattr(ours, "shape", None) == ():
        theirs = numpy.asarray(theirs)  # a number of ours may have a gradient
    if theirs is None or (isinstance(theirs, (int, float, str)) and not is_numpys(theirs)):
        assert type(ours) is type(theirs), (about, ours, theirs)
        assert ours == theirs, about
        return
    assert ours.dtype == theirs.dtype, (about, ours.dtype, theirs.dtype)
    assert ours.shape == theirs.shape, (about, ours.shape, theirs.shape)
    if isinstance(ours, np.ndarray):
        assert ours.device.type == device, about
    got = numpy.asarray(ours.tensor.cpu() if hasattr(ours, "tensor") else ours)
    theirs = numpy.asarray(theirs)
    if theirs.dtype == bool:
        theirs = theirs.view("u1") != 0  # SciPy writes other bytes than 0 and 1
    if theirs.dtype.kind in "fc":
        finite = numpy.abs(theirs[numpy.isfinite(theirs)])
        digit = numpy.finfo(theirs.dtype).eps
        scale = max(finite.max(initial=0), 1e-300)
        numpy.testing.assert_allclose(
            got, theirs, rtol=eps * digit, atol=eps * digit * scale, err_msg=str(about)
        )
    else:
        numpy.testing.assert_array_equal(got, theirs, err_msg=str(about))


def is_numpys(x: Any) -> bool:
    return isinstance(x, numpy.generic)
