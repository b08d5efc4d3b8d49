"""Compare results of two calls: structure, shape, kind of dtype and values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

HALF_OF_DIGITS = {"float32": 1e-3, "complex64": 1e-3, "float64": 1e-7, "complex128": 1e-7}


def host(value: Any) -> Any:
    """NumPy's array of an array of any world; other values as they are."""
    if type(value).__module__.startswith("xp_torch"):
        import xp_torch

        tensor = xp_torch.to_torch(value).detach().cpu().resolve_conj().resolve_neg()
        return tensor.numpy()
    if type(value).__module__.startswith("torch"):
        return value.detach().cpu().numpy()
    if type(value).__module__.startswith("cupy"):
        return value.get()
    return np.asarray(value)


def is_array(value: object) -> bool:
    """Whether a value is an array of some library. NumPy's scalars are."""
    return hasattr(value, "shape") and hasattr(value, "dtype")


def difference(got: Any, wanted: Any, rtol: float | None = None, *, dtypes: bool = True) -> str:
    """In what a result differs from the one it must be; "" where it does not.

    With `dtypes=False` only values are compared, as of Python numbers beside arrays.
    """
    if isinstance(wanted, Mapping):
        if not isinstance(got, Mapping) or got.keys() != wanted.keys():
            return f"the result is {_shown(got)}, not a mapping with the keys {list(wanted)}"
        got, wanted = list(got.values()), list(wanted.values())
    if isinstance(wanted, Sequence) and not isinstance(wanted, str):
        if not isinstance(got, Sequence) or len(got) != len(wanted):
            return f"the result is {_shown(got)}, not {len(wanted)} values"
        found = (difference(g, w, rtol, dtypes=dtypes) for g, w in zip(got, wanted, strict=True))
        return next((text for text in found if text), "")
    if is_array(wanted) or isinstance(wanted, (int, float, complex)):
        return _array_difference(got, wanted, rtol, dtypes)
    # Objects of a library's own have no comparison that all of them share.
    same = type(got) is type(wanted) and (not isinstance(wanted, str) or got == wanted)
    return "" if same else f"the result is {_shown(got)}, not {_shown(wanted)}"


def _array_difference(got: object, wanted: object, rtol: float | None, dtypes: bool) -> str:
    if not is_array(got) and not isinstance(got, (int, float, complex)):
        return f"the result is {_shown(got)}, not an array"
    a, b = host(got), host(wanted)
    if a.shape != b.shape:
        return f"the result has shape {a.shape}, not {b.shape}"
    if dtypes and a.dtype != b.dtype:
        return f"the result has dtype {a.dtype}, not {b.dtype}"
    tolerance = rtol or max(_tolerance(a), _tolerance(b))
    scale = float(np.max(np.abs(np.nan_to_num(b)), initial=0.0)) if b.dtype.kind in "fc" else 0.0
    if np.allclose(a, b, rtol=tolerance, atol=tolerance * (scale or 1.0), equal_nan=True):
        return ""
    return f"the result is {_shown(a)}, not {_shown(b)}"


def _tolerance(array: Any) -> float:
    return HALF_OF_DIGITS.get(array.dtype.name, 0.0)


def _shown(value: object) -> str:
    text = " ".join((repr(host(value)) if is_array(value) else repr(value)).split())
    return text if len(text) <= 80 else text[:77] + "..."


def arrays_of(result: object) -> list[Any]:
    """The arrays in a result."""
    if isinstance(result, Mapping):
        result = list(result.values())
    if isinstance(result, Sequence) and not isinstance(result, str):
        return [array for value in result for array in arrays_of(value)]
    return [result] if is_array(result) else []
