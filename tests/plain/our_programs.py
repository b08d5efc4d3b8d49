"""Programs on arrays of ours, for a torch that may not have what our rules need.

Each is compiled and must give what it gives in eager mode, in however many graphs, or be refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy
import torch

import numpy_shim as np
import xp_torch as xp

from .recording import describe, steady

Program = tuple[Callable[..., object], Callable[[], tuple[Any, ...]]]


def operators(x, y):
    x = x @ y
    x @= y
    q, r = divmod(x, y + 1)
    return ~(q > r), r - 1, 2 - x, x * y[0]


def in_place(x, y):
    before = x.copy()
    x[1:] = y[:-1]
    y[0] += before[1]
    x += y
    return x[::-1], before


def formatted(x, y):
    z = x + 1
    return f"{z[0, 0]} {x.shape}", z * 2


def asked_for_classes(x, y):
    s = x.sum()
    kinds = isinstance(s, numpy.float64), isinstance(x, np.ndarray), isinstance(s, float)
    return kinds, s.__class__.__name__, type(x).__name__


def sliced(x, y):
    i = np.argmax(x[0])
    return x[:, :i], x[i - 1 : i + 1], y[0, i]


def extremes(x, y):
    a, b = x[0, 1], y[1, 0]
    return min(a, b), max(a, 3.0), max(x.sum(), y.sum())


def compared(x, y, n=3):
    return x > n, n <= y, x == n


def without_tensors_in_sight(x, y):
    z = x * 2
    print(end="")
    return z + y


def scalar_argument(x, s):
    return x * s, x[1] + s


def numpys_array(a, i):
    b = a + 1
    b[i] = 5.0
    return b, a[i], a[0, i]


def numpys_scalars(x, y):
    return x * numpy.float64(2), numpy.float64(x[0, 1]) + y[0, 0]


def derivative(x, y):
    return np.grad(lambda z: (z * y).sum())(x)


def standard(x, y):
    return (
        x @ y + x[0, :],
        ~(x > 1),
        x[:, 1:],
        xp.sum(x, axis=0),
        x[xp.asarray(0), xp.asarray([1, 0])],
    )


def standard_in_place(x, y):
    x[1, :] = y[0, :] * 2
    x += y
    return x, f"{x.shape}", isinstance(x, type(y))


def _shim() -> tuple[Any, ...]:
    return np.array([[1.0, 5.0], [3.0, 4.0]]), np.array([[2.0, 1.0], [0.0, 7.0]])


def _standard() -> tuple[Any, ...]:
    return tuple(xp.asarray(x.tolist(), dtype=xp.float64) for x in _shim())


PROGRAMS: dict[str, Program] = {
    function.__name__: (function, arguments)
    for arguments, functions in (
        (_shim, (operators, in_place, formatted, asked_for_classes, sliced, extremes, compared,
                 without_tensors_in_sight, numpys_scalars, derivative)),
        (lambda: (np.arange(3), numpy.float32(2)), (scalar_argument,)),
        (lambda: (numpy.arange(6.0).reshape(2, 3), np.array([1, 0])), (numpys_array,)),
        (_standard, (standard, standard_in_place)),
    )
    for function in functions
}  # fmt: skip
INDUCTOR = ("in_place", "standard_in_place")
"""The programs that inductor compiles too."""


def outcomes(coded: bool) -> dict[str, dict[str, Any]]:
    """What became of each program, by name and compiler; inductor is one if ``coded``."""
    found = {name: _outcome(*program, "eager") for name, program in PROGRAMS.items()}
    for name in INDUCTOR if coded else ():
        found[f"{name} by inductor"] = _outcome(*PROGRAMS[name], "inductor")
    return found


def _outcome(
    function: Callable[..., object], make: Callable[[], tuple[Any, ...]], backend: str
) -> dict[str, Any]:
    """``wrong`` is what differs from eager mode, ``error`` what is raised."""
    torch._dynamo.reset()
    torch._dynamo.utils.counters.clear()
    arguments = make()
    expected = _of_either((function(*arguments), arguments))
    arguments = make()
    result: dict[str, Any] = {"wrong": None, "error": None}
    try:
        got = _of_either((torch.compile(function, backend=backend)(*arguments), arguments))
    except Exception as error:
        kind = type(error)
        result["error"] = f"{kind.__module__}.{kind.__qualname__}: {steady(str(error))}"
    else:
        if got != expected:
            result["wrong"] = f"{got}\ninstead of\n{expected}"
    counted = torch._dynamo.utils.counters
    result["graphs"] = counted["stats"]["unique_graphs"]
    result["breaks"] = sorted(map(steady, counted["graph_break"]))
    return result


def _of_either(value: object) -> str:
    """A value as text; compiled code gives scalars of our own classes for those of NumPy's."""
    return re.sub(r"\bnumpy_shim\.(?!ndarray)", "numpy.", describe(value))
