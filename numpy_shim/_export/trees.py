"""Arrays in tuples, lists, dictionaries and named tuples: their names, and others for them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from keyword import iskeyword
from typing import Any

import numpy
from torch import Tensor

from .._array.ndarray import AnyArray
from .._array.scalars import TensorScalar
from .._convert.from_data import asarray
from .errors import ExportError

NUMBERS = (bool, int, float, complex)


@dataclass(frozen=True)
class Slot:
    """The place of an array in a tree: the number of the array, and what holds it there."""

    index: int
    kind: str
    """``"array"``, ``"scalar"`` for NumPy's scalars, or the name of a class of Python's numbers."""


def is_array(x: object) -> bool:
    """Whether a value is an array or a scalar: NumPy's, ours, or a tensor."""
    return isinstance(x, (numpy.ndarray, numpy.generic, AnyArray, Tensor))


def kind_of(x: object) -> str:
    """The ``Slot.kind`` of an array, a scalar or a number."""
    if is_array(x):
        return "scalar" if isinstance(x, (numpy.generic, TensorScalar)) else "array"
    return type(x).__name__


def children(tree: Any) -> list[tuple[str, Any]] | None:
    """The names and values in a tuple, list or dictionary; ``None`` for what is no container."""
    if type(tree) is dict:
        return [(str(key), value) for key, value in tree.items()]
    if isinstance(tree, tuple) and hasattr(tree, "_fields"):
        return list(zip(tree._fields, tree, strict=True))
    if type(tree) in (tuple, list):
        return [(str(i), value) for i, value in enumerate(tree)]
    return None


def filled(tree: Any, values: list[object]) -> Any:
    """The tree with other items, in the same order."""
    if type(tree) is dict:
        return dict(zip(tree, values, strict=True))
    return type(tree)(*values) if hasattr(tree, "_fields") else type(tree)(values)


def leaves(tree: object, name: str) -> Iterator[tuple[str, Any]]:
    """What is in a tree and is no container, with its name: ``state_mean``, ``pair_0``."""
    items = children(tree)
    if items is None:
        yield name, tree
        return
    for key, value in items:
        yield from leaves(value, f"{name}_{key}" if name else key)


def mapped(tree: object, function: Callable[[Any], Any]) -> Any:
    """The tree with ``function`` of what is no container in its place."""
    items = children(tree)
    if items is None:
        return function(tree)
    return filled(tree, [mapped(value, function) for _, value in items])


def with_slots(tree: object, has_slot: Callable[[object], bool]) -> Any:
    """The tree with a ``Slot`` in the place of each value that has one, numbered in order."""
    count = iter(range(10**9))
    return mapped(tree, lambda x: Slot(next(count), kind_of(x)) if has_slot(x) else x)


def as_names(names: list[str], taken: set[str], before: str) -> list[str]:
    """Names for parameters of Python, other than each other and than those that are taken.

    ``before`` is put before what is none.
    """
    made: list[str] = []
    for name in names:
        name = re.sub(r"\W", "_", name)
        if not name.isidentifier() or iskeyword(name) or name in taken:
            name = f"{before}_{name}"
        while name in made:
            name += "_"
        made.append(name)
    return made


def tensor_of(x: object, name: str) -> Tensor:
    """A copy of an array or number as a tensor of its own memory."""
    made = x.detach() if isinstance(x, Tensor) else asarray(x, copy=True)
    if not isinstance(made, (Tensor, AnyArray)):
        raise TypeError(f"export: {name} has the dtype {made.dtype}, which no tensor can have")
    return (made if isinstance(made, Tensor) else made.tensor).detach().clone().contiguous()


def host_array(x: object) -> numpy.ndarray[Any, Any]:
    """An array, scalar or number as NumPy's array, to compare its values."""
    if isinstance(x, AnyArray):
        x = x.tensor
    if isinstance(x, Tensor):
        return x.detach().resolve_conj().resolve_neg().cpu().numpy()
    return numpy.asarray(x)


def returned(slot: Slot, x: Any) -> Any:
    """An array as what stood in the place of a slot."""
    if slot.kind in ("array", "scalar"):
        return x
    return {k.__name__: k for k in NUMBERS}[slot.kind](x)


def check_numbers(tree: object, name: str) -> None:
    """Refuse results that no file can have: objects that are no arrays, numbers, text or None."""
    for leaf, x in leaves(tree, name):
        if not (is_array(x) or x is None or isinstance(x, (*NUMBERS, str, bytes))):
            raise ExportError(
                f"export: {leaf} is a {type(x).__name__}; a file gives arrays and numbers, in "
                "tuples, lists and dictionaries"
            )
