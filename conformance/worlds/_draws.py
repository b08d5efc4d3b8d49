"""Arguments for a function, drawn by its signature."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import numpy as np

from .._results import UnableError

SHAPES: tuple[tuple[int, ...], ...] = ((5,), (4, 4), (3, 4), (2, 3, 4), ())
DTYPES = ("float64", "int64", "bool")
NUMBERS: dict[Any, Any] = {int: 1, float: 0.5, bool: True}


@dataclass(frozen=True)
class Drawn:
    """A value for one parameter: NumPy's array, a Python number, or `xp` for the namespace."""

    value: Any
    is_namespace: bool = False

    def of(self, xp: Any) -> Any:
        """The value in a namespace. Real numbers get the namespace's default dtype."""
        if self.is_namespace:
            return xp
        if not isinstance(self.value, np.ndarray):
            return self.value
        values = self.value.tolist()
        if self.value.dtype.kind == "f":
            return xp.asarray(values)
        return xp.asarray(values, dtype=getattr(xp, self.value.dtype.name))


@dataclass(frozen=True)
class Arguments:
    """The arguments of one call, and what NumPy's arrays give for them."""

    positional: tuple[Drawn, ...]
    named: dict[str, Drawn]
    wanted: Any = None

    def call(self, function: Callable[..., Any], xp: object) -> Any:
        """The function with these arguments in a namespace."""
        args = [drawn.of(xp) for drawn in self.positional]
        return function(*args, **{name: drawn.of(xp) for name, drawn in self.named.items()})


def draw(function: Callable[..., Any], count: int, seed: int) -> list[Arguments]:
    """Arguments that the function takes as NumPy's arrays, with its results.

    Parameters without a default are arrays, but those annotated as int, float or bool, and `xp`,
    which is the namespace. All arrays of a call have one shape, and all calls the first dtype of
    `DTYPES` in which NumPy's arrays are accepted. Raise `UnableError` if there is none.
    """
    rng = np.random.default_rng(seed)
    refused: list[Exception] = []
    for dtype in DTYPES:
        drawn = (_accepted(function, a, refused) for a in _candidates(function, dtype, rng))
        if found := list(islice(filter(None, drawn), count)):
            return found
    raise UnableError(
        f"{function.__name__} takes none of the arrays that were drawn, on NumPy: "
        f"{type(refused[0]).__name__}: {refused[0]}; name arguments with --arguments"
    )


def _accepted(
    function: Callable[..., Any], arguments: Arguments, refused: list[Exception]
) -> Arguments | None:
    """The arguments with NumPy's result; None where NumPy's arrays are refused."""
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            wanted = arguments.call(function, np)
    except Exception as error:
        refused.append(error)
        return None
    return replace(arguments, wanted=wanted)


def _candidates(
    function: Callable[..., Any], dtype: str, rng: np.random.Generator
) -> Iterator[Arguments]:
    parameters = [
        p for p in inspect.signature(function).parameters.values()
        if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)
    ]  # fmt: skip
    for shape in SHAPES:
        values = [(p, _value(p, shape, dtype, rng)) for p in parameters]
        yield Arguments(
            tuple(v for p, v in values if p.kind is not p.KEYWORD_ONLY),
            {p.name: v for p, v in values if p.kind is p.KEYWORD_ONLY},
        )


def _value(
    parameter: inspect.Parameter, shape: tuple[int, ...], dtype: str, rng: np.random.Generator
) -> Drawn:
    if parameter.name == "xp":
        return Drawn(None, is_namespace=True)
    for kind, number in NUMBERS.items():
        if parameter.annotation in (kind, kind.__name__):
            return Drawn(number)
    if parameter.annotation in (str, "str"):
        raise UnableError(f"a text for {parameter.name} cannot be drawn: use --arguments")
    if dtype == "float64":
        return Drawn(rng.uniform(0.25, 4.0, shape))
    return Drawn(np.asarray(rng.integers(0, 2 if dtype == "bool" else 9, shape)).astype(dtype))


def evaluated(text: str, function: Callable[..., Any]) -> Callable[[Any], Any]:
    """A call of the function with arguments from the command line, in a namespace `xp`."""
    code = compile(f"function({text})", "--arguments", "eval")
    return lambda xp: eval(code, {"function": function, "xp": xp})
