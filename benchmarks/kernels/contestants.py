"""Who runs a kernel: NumPy, numpy_shim and torch by hand, eager and compiled, and their peers."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy
import torch

import numpy_shim

from . import by_hand, programs

Function = Callable[..., Any]
SOURCE = Path(programs.__file__)


class Contestant(NamedTuple):
    """How a kernel becomes a function, and how arguments and results are converted."""

    prepare: Callable[[str], Function]
    take: Callable[[Any], Any]
    """An array of NumPy's as the contestant's own, a copy."""
    give: Callable[[Any], Any]
    wait: Callable[[Any], Any] = lambda result: result
    compiles: Callable[[str], Function] | None = None
    """The function that ``torch.compile`` gets, where it does."""


def program_on(namespace: str) -> ModuleType:
    """The file of programs with another namespace in NumPy's place."""
    source = SOURCE.read_text().replace("import numpy as np", f"import {namespace} as np")
    module = ModuleType(f"programs_on_{namespace.replace('.', '_')}")
    module.__file__ = str(SOURCE)
    exec(compile(source, str(SOURCE), "exec"), vars(module))
    return module


OPTIONS: dict[str, Any] = {"unroll_reductions_threshold": 33}
"""What every compiled contestant gets, as ``numpy_shim.jit`` gives it.

Without it inductor reduces a short axis of 8 to 32 elements ten times as slowly on the CPU.
"""


def _compiled(functions: ModuleType) -> Callable[[str], Function]:
    return lambda name: torch.compile(
        getattr(functions, name), fullgraph=True, dynamic=False, options=OPTIONS
    )


def _numpys_compiled(name: str) -> Function:
    return torch.compile(getattr(programs, name), dynamic=False, options=OPTIONS)


def contestants() -> dict[str, Contestant]:
    """The contestants that are installed here, by the heading of their column."""
    shim = program_on("numpy_shim")
    own = (lambda a: numpy_shim.array(a), numpy.asarray)
    tensor = (lambda a: torch.tensor(a), lambda t: numpy.asarray(t))
    found = {
        "NumPy": Contestant(lambda n: getattr(programs, n), numpy.copy, numpy.asarray),
        "numpy_shim": Contestant(lambda n: getattr(shim, n), *own),
        "torch": Contestant(lambda n: getattr(by_hand, n), *tensor),
        "numpy_shim compiled": Contestant(
            _compiled(shim), *own, compiles=lambda n: getattr(shim, n)
        ),
        "torch compiled": Contestant(
            _compiled(by_hand), *tensor, compiles=lambda n: getattr(by_hand, n)
        ),
        "torch.compile of NumPy": Contestant(_numpys_compiled, numpy.copy, numpy.asarray),
    }
    if importlib.util.find_spec("numba"):
        import numba

        found["Numba"] = Contestant(
            lambda n: numba.njit(getattr(programs, n)), numpy.copy, numpy.asarray
        )
    if importlib.util.find_spec("jax"):
        import jax

        jax.config.update("jax_enable_x64", True)
        on_jax = program_on("jax.numpy")
        found["JAX"] = Contestant(
            lambda n: _jitted(getattr(on_jax, n)),
            jax.numpy.array,
            numpy.asarray,
            jax.block_until_ready,
        )
    return found


def guards(contestant: Contestant, name: str, args: Any) -> int | None:
    """How many conditions a compiled function checks before each call, by a trace of its own."""
    if contestant.compiles is None:
        return None
    function = contestant.compiles(name)
    found = torch._dynamo.explain(function)(*args)  # type: ignore[attr-defined]
    return len(found.out_guards)


def _jitted(function: Function) -> Function:
    """``jax.jit`` with the arguments that are not arrays as constants."""
    import jax

    made: dict[Any, Function] = {}

    def call(*args: Any) -> Any:
        if not made:
            constant = [i for i, a in enumerate(args) if not isinstance(a, jax.Array)]
            constant = [i for i in constant if not _holds_arrays(args[i])]
            made["jit"] = jax.jit(function, static_argnums=constant)
        return made["jit"](*args)

    return call


def _holds_arrays(x: Any) -> bool:
    return isinstance(x, tuple) and any(hasattr(item, "shape") for item in x)


def mapped(convert: Callable[[Any], Any], x: Any) -> Any:
    """Arrays in ``x`` and in tuples of it, converted; numbers as they are."""
    if isinstance(x, tuple):
        return tuple([mapped(convert, item) for item in x])
    return convert(x) if hasattr(x, "shape") else x
