"""Rules that Dynamo lacks for NumPy's own arrays beside ours. Imported when Dynamo is imported.

NumPy's arrays are tensors to Dynamo. Each rule is a ``patch`` (``patches`` says what that
promises), and is for traces of a function that has an array or a module of ours in sight.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import torch

from . import dynamo
from .arrays_in_traces import is_array, is_of_ours, kind_of
from .patches import Call, patch


class Numpys(NamedTuple):
    """What a trace calls in the place of NumPy's own ways."""

    base: type
    """The class of the arrays that are keys."""
    read: Callable[[Any, Any], Any]
    """``a[key]``, where the key has arrays of ours."""
    write: Callable[[Any, Any, Any], None]
    """``a[key] = value``, where the key has an array of ours without axes."""
    dtype_of: Callable[[Any], Any]
    """NumPy's dtype for each of torch's."""
    values: Callable[[Any], torch.Tensor]
    """The tensor of an array, its values in their order."""


known: list[Numpys] = []


def know_numpys(functions: Numpys) -> None:
    """Let traces read, write and ask NumPy's arrays beside ours."""
    known.append(functions)


def is_numpys(variable: object) -> bool:
    """Whether one of Dynamo's variables is NumPy's array."""
    return type(variable).__name__ == "NumpyNdarrayVariable"


@patch(
    "torch._dynamo.variables.tensor:NumpyNdarrayVariable.var_getattr",
    "NumpyNdarrayVariable.tp_getattro_impl",
    takes="self tx name",
    concerns=lambda call: bool(known) and call["name"] == "dtype" and is_of_ours(call["tx"]),
    why="The dtype of NumPy's array is traced in a function of ours. A program that is given such "
    "arrays asks for it, and so do a dozen functions of ours, as `asarray`, `fft` and `isrealobj`.",
    without="`numpy_array.dtype`, and functions of ours that ask for it, break the graph.",
    until="Dynamo tracing `ndarray.dtype`; no public issue",
    gate=False,
)
def ask_dtype(call: Call) -> Any:
    dtype = _example(call["self"]).dtype
    function = dynamo.build(call["tx"], known[0].dtype_of)
    return function.call_function(call["tx"], [dynamo.build(call["tx"], dtype)], {})


@patch(
    "torch._dynamo.variables.tensor:NumpyNdarrayVariable.call_method",
    takes="self tx name args kwargs",
    concerns=lambda call: (
        bool(known) and call["name"] == "__setitem__" and any(map(_has_arrays, call["args"]))
    ),
    why="`a[key] = x` is traced, where `a` is NumPy's and the others are arrays of ours.",
    without="Such an assignment breaks the graph.",
    until="a rule for objects in an assignment to NumPy's array; no public issue",
    gate=False,
)
def write_numpys_array(call: Call) -> Any:
    tx, args = call["tx"], list(call["args"])
    if any(
        issubclass(kind_of(item), known[0].base) and not _example(dynamo.tensor_in(tx, item)).dim()
        for item in _parts(args[0], "TupleVariable")
    ):
        return dynamo.build(tx, known[0].write).call_function(tx, [call["self"], *args], {})
    return call.proceed(args=[tensor_of(tx, item) for item in args])


def _has_arrays(item: object) -> bool:
    return any(map(is_array, _parts(item, "TupleVariable")))


def reads_by_arrays(array: object, key: object) -> bool:
    """Whether NumPy's array is read with a key that has arrays of ours."""
    return (
        bool(known)
        and is_numpys(array)
        and any(is_array(part) for item in _parts(key, "TupleVariable")
                for part in _parts(item, "ListVariable"))
    )  # fmt: skip


def read_numpys_array(call: Call) -> Any:
    """``a[i, j]``, and any key with index arrays of ours, whose result is no view of ``a``."""
    tx, (array, key) = call["tx"], call["args"]
    if _gives_a_copy(tx, array, key):
        return dynamo.build(tx, known[0].read).call_function(tx, [array, key], {})
    return call.proceed(args=[array, tensor_of(tx, key)])


def tensor_of(tx: Any, item: Any) -> Any:
    """The tensor of an array of ours, in a tuple too: NumPy's arrays are tensors to Dynamo."""
    if is_array(item):
        if not known:
            return dynamo.attribute(tx, item, "tensor")
        return dynamo.build(tx, known[0].values).call_function(tx, [item], {})
    if item.is_realized() and type(item).__name__ == "TupleVariable":
        return type(item)([tensor_of(tx, part) for part in item.items])
    return item


def _gives_a_copy(tx: object, array: object, key: object) -> bool:
    """Whether a key with arrays of ours reads elements or selects by index arrays."""
    found = []
    for item in _parts(key, "TupleVariable"):
        parts = _parts(item, "ListVariable")
        if any(issubclass(kind_of(part), known[0].base) for part in parts):
            found.append(_example(dynamo.tensor_in(tx, item)) if parts == [item] else None)
        elif type(item).__name__ != "ConstantVariable" or type(item.value) is not int:
            found.append(Ellipsis)
    tensors = [t for t in found if isinstance(t, torch.Tensor)]
    if None in found or any(t.dim() for t in tensors):
        return True
    count = len(_parts(key, "TupleVariable"))
    return (
        bool(tensors)
        and len(tensors) == len(found)
        and count == _example(array).dim()
        and not any(t.dtype is torch.bool or t.is_floating_point() for t in tensors)
    )


def _parts(item: Any, container: str) -> list[Any]:
    """The items of one of Dynamo's containers; the item itself if it is something else."""
    return list(item.items) if item.is_realized() and type(item).__name__ == container else [item]


def _example(variable: Any) -> Any:
    """The fake tensor of a variable of Dynamo's."""
    return variable.as_proxy().node.meta["example_value"]
