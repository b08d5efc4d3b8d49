"""One table of the public surface: a case per function, for tracing and for gradients.

Each chapter's file lists ``CASES``. ``tests/xp_torch/test_surface.py`` holds the table against
the namespace: every name has a case, every case traces under
``torch.compile(fullgraph=True)`` unless ``trace`` says why it cannot, and its gradient passes
``gradcheck`` unless ``grad`` says why there is none. A reason is refused when it is not true.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Case:
    """One call: ``body(xp, *inputs)`` where the inputs are nested lists of numbers.

    ``name`` is the function's (``"add"``, ``"linalg.eigh"``, ``"Array.__add__"``). ``inputs``
    become float64 arrays unless ``dtype`` names another. ``trace`` and ``grad`` are empty, or the
    reason why the call does not trace, or has no gradient to check. ``nodes`` is the number
    of torch calls in the trace, where that is worth holding.
    """

    name: str
    body: Callable[..., Any]
    inputs: tuple[Any, ...] = ()
    dtype: str = "float64"
    trace: str = ""
    grad: str = ""
    nodes: int | None = field(default=None)


def has_floating_input(case: Case) -> bool:
    """Whether there is an input that could require a gradient, and is precise enough for one."""
    return bool(case.inputs) and case.dtype in ("float32", "float64", "complex64", "complex128")


INTEGER_RESULT = "the result is integer or boolean"
NO_INPUT = "it takes no array"
PIECEWISE_CONSTANT = "it is constant between its steps"
DATA_DEPENDENT = "the shape of the result depends on the values"
