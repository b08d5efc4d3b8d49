"""Writes the tables of ``promotion.md`` from what the libraries return.

    python docs/generate_promotion.py [--check]

The tables hold for the library versions named in the page; with others, ``--check`` says so
and compares nothing.
"""

from __future__ import annotations

import re
import sys
import warnings
from typing import Any

import array_api_compat.torch
import array_api_strict
import numpy as np
import torch
from _marked import DOCS, main, table

import xp_torch
from xp_torch._core.dtypes import BY_NAME, PROMOTION, name_of

LIBRARIES: dict[str, Any] = {
    "xp_torch": xp_torch,
    "array-api-strict": array_api_strict,
    "torch": torch,
    "array-api-compat": array_api_compat.torch,
    "NumPy": np,
}

SHORT = {
    "b": "bool", "i8": "int8", "i32": "int32", "i64": "int64", "u8": "uint8", "u16": "uint16",
    "u32": "uint32", "u64": "uint64", "f32": "float32", "f64": "float64", "c64": "complex64",
    "c128": "complex128",
}  # fmt: skip

OPERATORS = [
    "i8 + i32", "u8 + i8", "u32 + i32", "u64 + i8", "u16 + u32", "b + b", "b + i8", "i64 + f32",
    "f32 + f64", "f64 + c64", "i64 + c64", "f32 * f64_0", "f32_0 * f64_0", "i8 * i64_0",
    "i64 * f32_0", "u8 * i8_0", "f32 * 2", "f32 * 2.5", "1j + f32", "1j + f64_0", "i64 * 2.5",
    "i8 + 1", "i8 + 300", "u8 - 1", "u8 + -1", "u64 + 2**63", "b + 1", "b + True", "i8 + True",
    "f32 + True", "c64 * 2.5", "i64 / i64", "i8 / 2", "f32 ** 2", "i8 < 300", "u64 == i64",
]  # fmt: skip

FUNCTIONS = [
    "xp.add(f32, f64_0)", "xp.add(u16, u16)", "xp.add(i64, f32)", "xp.maximum(i8, i64_0)",
    "xp.maximum(f32, 1.0)", "xp.where(b, f32, f64_0)", "xp.where(b, f32, 1.0)",
    "xp.where(b, i64, 1.5)", "xp.concat([f32, f64])", "xp.concat([i64, f32])",
    "xp.result_type(f32, f64_0)", "xp.result_type(u64, i8)", "xp.result_type(i8, f32)",
    "xp.result_type(f32, 1j)", "xp.sum(i8)", "xp.sum(u8)", "xp.sum(f32)", "xp.mean(f32)",
    "xp.mean(i64)", "xp.sqrt(i64)",
]  # fmt: skip


def arrays(xp: Any) -> dict[str, Any]:
    """The names of the expressions: 3-element arrays, and 0-D ones with ``_0`` at the end."""
    asarray = torch.asarray if xp is torch else xp.asarray
    names: dict[str, Any] = {"xp": xp}
    for short, dtype in SHORT.items():
        names[short] = asarray([1, 0, 1], dtype=getattr(xp, dtype))
        names[f"{short}_0"] = asarray(1, dtype=getattr(xp, dtype))
    return names


def returned(expression: str, names: dict[str, Any]) -> str:
    """The dtype of what an expression gives, or the error it raises."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            result = eval(expression, dict(names))
        except (TypeError, ValueError, OverflowError, RuntimeError, AttributeError) as error:
            return f"*{type(error).__name__.lstrip('_')}*"
    dtype = getattr(result, "dtype", result)
    if isinstance(dtype, type):
        dtype = np.dtype(dtype)
    return f"`{str(dtype).rpartition('.')[2]}`"


def compared(expressions: list[str]) -> str:
    """One row per expression, one column per library."""
    columns = [arrays(xp) for xp in LIBRARIES.values()]
    rows = [[f"`{e}`", *[returned(e, names) for names in columns]] for e in expressions]
    return table(["expression", *LIBRARIES], rows)


def versions() -> str:
    """The versions that the tables hold for."""
    numbers = {
        "array-api-strict": array_api_strict.__version__,
        "torch": torch.__version__.partition("+")[0],
        "array-api-compat": array_api_compat.__version__,
        "NumPy": np.__version__,
    }
    listed = ", ".join(f"{name} {number}" for name, number in numbers.items())
    return f"Versions: {listed}."


def standard() -> str:
    """The standard's table for two arrays, as xp_torch holds it, an empty cell for an error."""
    rows = []
    for first, a in BY_NAME.items():
        cells = [PROMOTION.get((a, b)) for b in BY_NAME.values()]
        rows.append(
            [f"**{short(first)}**", *["" if c is None else short(name_of(c)) for c in cells]]
        )
    return table(["", *[short(name) for name in BY_NAME]], rows)


def short(name: str) -> str:
    """``f64`` for ``float64``: the whole table has to fit on a page."""
    return re.sub(r"^(bool|uint|int|float|complex)", lambda m: m[0][0], name)


def categories() -> str:
    """torch's own rule: what decides is the number of dimensions, before the dtype."""
    others = {
        "int64, 1-D": torch.ones(3, dtype=torch.int64),
        "float32, 1-D": torch.ones(3, dtype=torch.float32),
        "int8, 0-D": torch.ones((), dtype=torch.int8),
        "float64, 0-D": torch.ones((), dtype=torch.float64),
        "Python 2": 2,
        "Python 2.5": 2.5,
        "Python 1j": 1j,
    }
    firsts = {
        "int8, 1-D": torch.ones(3, dtype=torch.int8),
        "float32, 1-D": torch.ones(3, dtype=torch.float32),
        "float32, 0-D": torch.ones((), dtype=torch.float32),
    }
    rows = [
        [f"**{label}**", *[f"`{name_of(torch.result_type(t, o))}`" for o in others.values()]]
        for label, t in firsts.items()
    ]
    return table(["`torch.result_type`", *others], rows)


if __name__ == "__main__":
    if "--check" in sys.argv and versions() not in (DOCS / "promotion.md").read_text("utf-8"):
        print(f"not compared: the page was written with other versions. Here: {versions()}")
        sys.exit(0)
    parts = {
        "versions": versions(),
        "standard": standard(),
        "categories": categories(),
        "operators": compared(OPERATORS),
        "functions": compared(FUNCTIONS),
    }
    sys.exit(main("promotion.md", parts, __doc__.splitlines()[0]))
