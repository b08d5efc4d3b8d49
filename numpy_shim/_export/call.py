"""A call of the function that is exported: its arrays by name, its numbers, and its results."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import FunctionType
from typing import Any

import numpy
import torch
from torch import Tensor

from .._array.ndarray import AnyArray
from .._base.dtypes import TORCH
from .._convert.from_data import asarray
from .._jit.with_torch import WithTorch
from .errors import ExportError
from .trees import (
    NUMBERS,
    Slot,
    as_names,
    check_numbers,
    children,
    host_array,
    is_array,
    kind_of,
    leaves,
    mapped,
    tensor_of,
    with_slots,
)

HostArray = numpy.ndarray[Any, Any]


@dataclass(frozen=True)
class Run:
    """One run of the function itself."""

    result: Any
    given: list[Any]
    """The arrays that it was given, as it has left them."""

    def values(self) -> list[Any]:
        """The arrays and numbers of the result."""
        return [x for _, x in leaves(self.result, "") if _is_result(x)]


class Call:
    """The example of a call: where its arrays stand, and the numbers that stay as they are."""

    def __init__(
        self, f: FunctionType, arguments: tuple[object, ...], keywords: Mapping[str, object]
    ) -> None:
        self.f = f
        self._function: Callable[..., Any] = f
        self.signature = inspect.signature(f)
        try:
            bound = self.signature.bind(*arguments, **keywords)
        except TypeError as error:
            raise TypeError(f"export: {error}") from None
        flat = list(leaves(dict(bound.arguments), ""))
        arrays = [(name, x) for name, x in flat if is_array(x)]
        for name, x in arrays:
            if isinstance(x, (numpy.ndarray, numpy.generic)) and x.dtype not in TORCH:
                raise TypeError(f"export: {name} has the dtype {x.dtype}, which no tensor can have")
        self.names = as_names([name for name, _ in arrays], {"self"}, "input")
        self.template: dict[str, Any] = with_slots(dict(bound.arguments), is_array)
        self.examples = [tensor_of(x, name) for name, x in arrays]
        self._makers = [_maker_of(x) for _, x in arrays]
        self.ran = self._run(self.examples)
        check_numbers(self.ran.result, "the result")
        self.result = with_slots(self.ran.result, _is_result)
        """The result, with a ``Slot`` in the place of each array and number."""
        self.outputs = as_names(_result_names(self.result), set(self.names), "result")

    def bound(self, tree: Mapping[str, object]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments of a call, by position and by keyword, from a tree of all of them."""
        bound = inspect.BoundArguments(self.signature, dict(tree))
        return bound.args, bound.kwargs

    def run_on_ours(self) -> None:
        """Let our arrays, and not NumPy's, say from now on what the function gives."""
        self._function = WithTorch(self.f, False, None, "eager", None, None).eager

    def _run(self, tensors: Sequence[Tensor]) -> Run:
        """Call the function itself with copies of the arrays."""
        given = [make(t) for make, t in zip(self._makers, tensors, strict=True)]
        tree = mapped(self.template, lambda x: given[x.index] if type(x) is Slot else x)
        before = list(leaves(tree, ""))
        args, kwargs = self.bound(tree)
        result = self._function(*args, **kwargs)
        after = list(leaves(tree, ""))
        if [name for name, _ in before] != [name for name, _ in after] or any(
            a is not b for (_, a), (_, b) in zip(before, after, strict=True)
        ):
            raise ExportError(
                f"export: {self.f.__name__} changes a list or dictionary that it is given; return "
                "the new values instead"
            )
        return Run(result, given)

    def expected(self, tensors: Sequence[Tensor], written: Sequence[int]) -> dict[str, HostArray]:
        """What the function gives for copies of arrays, by the names of the outputs."""
        ran = self._run(tensors)
        values = [*ran.values(), *(ran.given[i] for i in written)]
        names = [*self.outputs, *self.written_names(written)]
        if len(values) != len(names):
            raise ExportError(f"export: {self.f.__name__} gives other results for other inputs")
        return {name: host_array(x) for name, x in zip(names, values, strict=True)}

    def returned_arguments(self) -> dict[int, int]:
        """Which outputs are arguments of the call, by the numbers of both."""
        numbers = {id(x): i for i, x in enumerate(self.ran.given)}
        found = enumerate(self.ran.values())
        return {i: numbers[id(x)] for i, x in found if is_array(x) and id(x) in numbers}

    def written_names(self, written: Sequence[int]) -> list[str]:
        """The names of the outputs that say what the function writes to its arguments."""
        taken = {*self.names, *self.outputs}
        return as_names([f"{self.names[i]}_written" for i in written], taken, "argument")

    def arrays_of(self, arguments: tuple[object, ...], keywords: Mapping[str, object]) -> list[Any]:
        """The arrays of another call, in order; ``TypeError`` if it is not like the example."""
        name = self.f.__name__
        try:
            bound = self.signature.bind(*arguments, **keywords)
        except TypeError as error:
            raise TypeError(f"{name}: {error}") from None
        found: list[Any] = []
        _match(name, self.template, dict(bound.arguments), "", found)
        return found


def _match(function: str, template: object, given: object, name: str, found: list[object]) -> None:
    """Collect the arrays of a call, and compare what is fixed with the example."""
    if type(template) is Slot:
        if not (is_array(given) or isinstance(given, NUMBERS)):
            raise TypeError(f"{function}: {name} is an array; got {type(given).__name__}")
        found.append(given)
        return
    items, others = children(template), children(given)
    if items is None:
        if template is not given and (type(template) is not type(given) or template != given):
            raise ValueError(f"{function}: {name} is fixed to {template!r}; got {given!r}")
        return
    if others is None or [key for key, _ in items] != [key for key, _ in others]:
        raise TypeError(f"{function}: {name or 'the arguments'} must have the parts of the example")
    for (key, part), (_, other) in zip(items, others, strict=True):
        _match(function, part, other, f"{name}_{key}" if name else key, found)


def _is_result(x: object) -> bool:
    return is_array(x) or isinstance(x, NUMBERS)


def _result_names(result: object) -> list[str]:
    """The names of outputs: the keys and fields of the result, else ``result``, ``result_0``."""
    has_names = type(result) is dict or hasattr(result, "_fields")
    return [n for n, x in leaves(result, "" if has_names else "result") if type(x) is Slot]


def _maker_of(x: object) -> Callable[[Tensor], Any]:
    """What makes, of a tensor, a copy of the kind that an example is."""
    if isinstance(x, Tensor):
        return torch.clone
    make: Callable[[Tensor], Any] = asarray if isinstance(x, AnyArray) else host_array
    if kind_of(x) == "scalar":
        return lambda t: make(t.clone())[()]
    return lambda t: make(t.clone())
