"""The surface table as a whole: all cases, their inputs on any device, the tensors of a result.

Imports nothing but torch and the table, so that ``tools/gpu_check.py`` can use it on a
machine that has no test tools.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from contextlib import AbstractContextManager
from typing import Any

import torch

import tests.surface
import xp_torch
from tests.surface import Case
from xp_torch._array import Array


def all_cases() -> list[Case]:
    """The cases of every chapter, in the order of the files' names."""
    found: list[Case] = []
    for module in pkgutil.iter_modules(tests.surface.__path__):
        found += importlib.import_module(f"tests.surface.{module.name}").CASES
    return found


def labels(cases: list[Case]) -> list[str]:
    """One name per case: the function's, numbered from the second case of a function on."""
    counted: dict[str, int] = {}
    made = []
    for case in cases:
        counted[case.name] = counted.get(case.name, 0) + 1
        made.append(case.name if counted[case.name] == 1 else f"{case.name}-{counted[case.name]}")
    return made


def tensors(
    case: Case, requires_grad: bool = False, device: str | None = None
) -> list[torch.Tensor]:
    """The case's inputs; float64 ones have a gradient where one is asked for."""
    dtype = getattr(torch, case.dtype)
    made = [torch.tensor(i, dtype=dtype, device=device) for i in case.inputs]
    return [t.requires_grad_(requires_grad) for t in made]


def arrays(case: Case, device: str) -> list[Array]:
    """The case's inputs as arrays on a device."""
    return [xp_torch.asarray(t) for t in tensors(case, device=device)]


def on(device: str) -> AbstractContextManager[Any]:
    """What makes ``device`` the default one, for the arrays that a case creates itself."""
    return torch.device(device)


def leaves(result: Any) -> list[torch.Tensor]:
    """The tensors of a result: an array, or a tuple of them."""
    if isinstance(result, Array):
        return [result._tensor]
    if isinstance(result, (tuple, list)):
        return [t for part in result for t in leaves(part)]
    return []


def label(value: object) -> str:
    """A test's id from its parameter, the same in every process: no address in it."""
    return re.sub(r" at 0x[0-9a-f]+", "", repr(value))
