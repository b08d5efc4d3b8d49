"""A function that ``jit`` runs in the fastest way: itself, by Numba or by ``torch.compile``."""

from __future__ import annotations

import functools
import inspect
import warnings
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy
import torch
from torch.compiler import is_dynamo_compiling

from xp_torch._torch.dynamo import dynamo

from .._array.ndarray import ndarray
from .._base import error_states
from .candidates import ENOUGH, Candidate, RefusedError, cost_of_torch, in_order
from .choice import Chooser
from .guarded import Counts, traces
from .program import STATE
from .record import Explanation
from .signatures import PLAIN, World, key_of, world_of
from .snapshot import Snapshot
from .unseen import Unseen
from .with_numba import WithNumba
from .with_torch import WithTorch

_UNTRACED = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
_AFTER = 0.2
"""Seconds of calls before anything is tried."""
_KINDS = 256  # kinds of arguments that are remembered


class OfTranslation:
    """``torch.compile`` as a candidate: of the copy in which NumPy is ours."""

    name = "torch"
    shortest = 5e-5
    patience = 1.0

    def __init__(self, function: FunctionType, plain: Callable[..., Any]) -> None:
        self._function = function
        self._plain = plain
        self._made: WithTorch | None = None
        self._counts = Counts()
        self.told = Explanation(function.__qualname__)

    def cost(self, is_cached: bool = False) -> float:
        """See ``Candidate``."""
        return cost_of_torch(is_cached)

    def compiled(self, copies: Snapshot, result: object) -> tuple[OfTorch, Any]:
        """See ``Candidate``."""
        if self._made is None:
            self._made = WithTorch(
                self._function, True, None, "inductor", None, None, None, self._counts
            )
            self._made.told = self.told
        self._counts.refused = ""
        again = copies.again()
        with traces():
            other = self._made(copies.arguments, copies.keywords)
        if self._counts.refused or not self._counts.size:
            raise RefusedError(self._counts.refused or "it calls no torch operator")
        self.look_for_warnings(again)
        return OfTorch(self._made, self._counts, self._plain), other

    def look_for_warnings(self, copies: Snapshot) -> None:
        """Refuse a function that warns: what is compiled tells of nothing."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            self._plain(*copies.arguments, **copies.keywords)
        if caught:
            raise RefusedError(f"it warns: {caught[0].message}")


class OfTorch:
    """What ``torch.compile`` has made; arguments that its guards refuse run as they are.

    Guards compile anew, and without a comparison, where arguments or globals have changed. So only
    arguments that have run before go to them, in a graph of the whole function: what stops the
    compiler there stops it before anything has run.
    """

    def __init__(self, made: WithTorch, counts: Counts, plain: Callable[..., Any]) -> None:
        self._made = made
        self._counts = counts
        self._plain = plain
        self._errors = dynamo().errors
        self._fits: set[Any] = set()
        self._graphs = counts.graphs
        self._made_anew = False

    def call(self, arguments: tuple[object, ...], keywords: dict[str, object]) -> tuple[Any, bool]:
        """See ``Way``."""
        if _tells_of_errors():
            return self._plain(*arguments, **keywords), False
        before = self._counts.calls
        kind = _exact(arguments, keywords)
        try:
            if kind in self._fits:
                result = self._made(arguments, keywords)
                if self._counts.graphs != self._graphs:
                    self._fits, self._made_anew = set(), True
            else:
                with torch.compiler.set_stance("eager_on_recompile"):
                    result = self._made(arguments, keywords)
        except self._errors:  # raised before anything has run
            return self._plain(*arguments, **keywords), False
        fitted = self._counts.calls != before
        if (
            fitted
            and kind
            and self._made.is_whole
            and not self._made_anew
            and len(self._fits) < 256
        ):
            self._fits.add(kind)
        return result, fitted


def _tells_of_errors() -> bool:
    """Whether floating-point errors are to be raised or recorded, which compiled code cannot."""
    return error_states.active or any(
        how not in ("ignore", "warn") for how in numpy.geterr().values()
    )


def _exact(arguments: tuple[object, ...], keywords: dict[str, object]) -> Any:
    """What guards look at in arguments: shapes, strides, numbers; ``None`` if there is more."""
    kinds = tuple([_seen(x) for x in arguments])
    if keywords:
        kinds += tuple([(n, _seen(x)) for n, x in keywords.items()])
    return None if None in kinds else kinds


def _seen(x: Any) -> Any:
    kind = type(x)
    if kind is numpy.ndarray:
        return x.shape, x.strides, x.dtype
    if kind is ndarray:
        tensor = x._tensor
        return tensor.shape, tensor.stride(), tensor.dtype
    return (kind, x) if kind in PLAIN else None


class Fastest:
    """What ``jit`` knows of a function."""

    def __init__(self, function: FunctionType, compiler: str, eager: bool) -> None:
        self.function = function
        self._compiler = compiler
        self._eager = eager
        self._torch = WithTorch(function, False, None, "inductor", None, None)
        self.copy = self._torch.copy
        self._choosers: dict[World, Chooser] = {}
        self._by_kind: dict[Any, Chooser | None] = {}
        self._candidates: list[Any] = []
        self.unseen = Unseen()

    def call(self, arguments: tuple[object, ...], keywords: dict[str, object]) -> Any:
        """Run a call."""
        key = key_of(arguments, keywords)
        try:
            chooser = self._by_kind[key]
        except KeyError:
            chooser = self._chooser(world_of(key))
            if len(self._by_kind) < _KINDS:
                self._by_kind[key] = chooser
        if chooser is None:
            return self._torch(arguments, keywords)
        return chooser.call(arguments, keywords, key)

    def _chooser(self, world: World) -> Chooser | None:
        if world is World.TORCH:
            return None
        found = self._choosers.get(world)
        if found is None:
            is_as_it_was = world is World.NUMPY or self._torch.names_nothing_of_numpys()
            plain = self.function if is_as_it_was else self._torch.eager
            candidates: list[Candidate] = []
            enough = ENOUGH
            if not self.function.__code__.co_flags & _UNTRACED:
                candidates.append(WithNumba(self.function, plain))
                if self._compiler == "auto":
                    of_torch = OfTranslation(self.function, plain)
                    candidates, enough = in_order(self.function, candidates[0], of_torch)
            self._candidates += candidates
            found = Chooser(
                plain,
                candidates,
                after=_AFTER,
                eager=self._eager,
                enough=enough,
                unseen=self.unseen,
                may_fork=True,
            )
            self._choosers[world] = found
        return found

    def explain(self, *arguments: object, **keywords: object) -> Explanation:
        """See ``jit``."""
        if arguments or keywords:
            return self._torch.explain(*arguments, **keywords)
        told = self._torch.told
        if not self._choosers:
            return told
        for candidate in self._candidates:
            if isinstance(candidate, OfTranslation):
                told.graphs, told.operators = candidate.told.graphs, candidate.told.operators
                told.seconds = candidate.told.seconds
        for chooser in self._choosers.values():
            chooser.count_unseen()
        choices = [c for chooser in self._choosers.values() for c in chooser.choices.values()]
        compilers = sorted({c.by for c in choices if c.by})
        told.state = f"compiled by {' and '.join(compilers)}" if compilers else "runs as it was"
        told.choices = choices
        why = [chooser.why_not for chooser in self._choosers.values() if chooser.why_not]
        told.why_not = why[0] if why else ""
        return told


def fastest(function: FunctionType, compiler: str, eager: bool) -> Any:
    """The function that runs another in the fastest way."""
    state = Fastest(function, compiler, eager)
    copy, unseen = state.copy, state.unseen

    @functools.wraps(function)
    def wrapper(*args: object, **kwargs: object) -> Any:
        if is_dynamo_compiling():
            return copy(*args, **kwargs)
        if unseen.left > 0 and unseen.is_alike(args, kwargs, unseen.limits):
            unseen.left -= 1
            return unseen.plain(*args, **kwargs)
        return state.call(args, kwargs)

    vars(wrapper)[STATE] = state
    wrapper.explain = state.explain  # type: ignore[attr-defined]
    return wrapper
