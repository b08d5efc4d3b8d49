"""Rules that Dynamo lacks for NumPy's own arrays and scalars beside ours.

As in ``dynamo_rules``, each function gets a module of Dynamo after its import, and adds one rule;
``torch_internals`` says when. Private names of torch stand here, in ``torch_internals``, ``dynamo``
and its rules only.

==================================  ===============================================================
name                                what would make it unnecessary
==================================  ===============================================================
``NumpyNdarrayVariable``            Dynamo tracing ``ndarray.dtype``, and a rule for objects in an
                                    assignment; no public issue known
``NumpyTensorSource``,              ``torch.as_tensor`` of ``numpy.uint64``, as of the other scalar
``from_numpy``                      types; no public issue known
``_handle_insert_op_in_graph``      a rule for operators of an object and a tensor; no public issue
                                    known
==================================  ===============================================================
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from types import ModuleType
from typing import Any

import torch

from .dynamo_rules import tensor_of


def teach_dtypes(module: ModuleType, dtype_of: Callable[[Any], Any]) -> None:
    """Let Dynamo trace the dtype of a NumPy array, which it holds as a tensor."""
    variable = module.NumpyNdarrayVariable
    plain = variable.var_getattr

    def var_getattr(self: Any, tx: Any, name: str) -> Any:
        if name != "dtype":
            return plain(self, tx, name)
        build = module.VariableTracker.build
        dtype = self.as_proxy().node.meta["example_value"].dtype
        return build(tx, dtype_of).call_function(tx, [build(tx, dtype)], {})

    variable.var_getattr = var_getattr


def teach_writes(module: ModuleType) -> None:
    """Let Dynamo trace ``a[mask] = x``, where ``a`` is NumPy's and the others are arrays of ours.

    It has no rule for other objects beside NumPy's array. They become the tensors they hold.
    """
    variable = module.NumpyNdarrayVariable
    plain = variable.call_method

    def call_method(self: Any, tx: Any, name: str, args: Any, kwargs: Any) -> Any:
        if name == "__setitem__":
            args = [tensor_of(tx, item) for item in args]
        return plain(self, tx, name, args, kwargs)

    variable.call_method = call_method


def teach_reads(module: ModuleType, base: type, read: Callable[[Any, Any], Any]) -> None:
    """Let Dynamo trace ``a[i, j]``, where ``a`` is NumPy's array and the integers are ours.

    And any key with index arrays of ours: what NumPy gives for these is no view of ``a``.
    ``base`` is the class of the arrays, and ``read`` makes the array from ``a`` and the key.
    """
    builtin = module.BuiltinVariable
    plain = getattr(builtin, "_handle_insert_op_in_graph", None)
    if plain is None:
        return

    def handle(self: Any, tx: Any, args: Any, kwargs: Any) -> Any:
        if (
            self.fn is operator.getitem
            and type(args[0]).__name__ == "NumpyNdarrayVariable"
            and _gives_a_copy(tx, base, *args)
        ):
            return module.VariableTracker.build(tx, read).call_function(tx, list(args), {})
        return plain(self, tx, args, kwargs)

    builtin._handle_insert_op_in_graph = handle


def _gives_a_copy(tx: Any, base: type, array: Any, key: Any) -> bool:
    """Whether a key with arrays of ours reads elements or selects by index arrays."""
    found = []
    for item in _parts(key, "TupleVariable"):
        parts = _parts(item, "ListVariable")
        if any(issubclass(getattr(part, "value_type", object), base) for part in parts):
            found.append(_example(item.var_getattr(tx, "_tensor")) if parts == [item] else None)
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


def teach_element_writes(
    module: ModuleType, base: type, write: Callable[[Any, Any, Any], None]
) -> None:
    """Let Dynamo trace ``a[i] = x``, where ``a`` is NumPy's array and the integer ``i`` is ours."""
    variable = module.NumpyNdarrayVariable
    plain = variable.call_method

    def call_method(self: Any, tx: Any, name: str, args: Any, kwargs: Any) -> Any:
        if name == "__setitem__" and any(
            issubclass(getattr(item, "value_type", object), base)
            and not _example(item.var_getattr(tx, "_tensor")).dim()
            for item in _parts(args[0], "TupleVariable")
        ):
            function = module.VariableTracker.build(tx, write)
            return function.call_function(tx, [self, *args], {})
        return plain(self, tx, name, args, kwargs)

    variable.call_method = call_method


def _parts(item: Any, container: str) -> list[Any]:
    """The items of one of Dynamo's containers; the item itself if it is something else."""
    return list(item.items) if item.is_realized() and type(item).__name__ == container else [item]


def _example(variable: Any) -> Any:
    """The fake tensor of a variable of Dynamo's."""
    return variable.as_proxy().node.meta["example_value"]


def teach_arguments(module: Any, kind: type[Any]) -> None:
    """Let Dynamo take scalars of ``kind``, NumPy's ``uint64``, as arguments, as it takes others.

    It makes tensors of them by ``torch.as_tensor``, which takes arrays of that dtype only.
    """
    from torch._dynamo.bytecode_transformation import create_call_function

    plain = module.from_numpy
    _refused.add(kind)

    def from_numpy(value: Any) -> Any:
        return plain(value.__array__() if isinstance(value, kind) else value)

    def reconstruct(self: Any, codegen: Any) -> None:
        from torch._dynamo.eval_frame import skip_code

        skip_code(as_tensor.__code__)  # Dynamo would compile it, to code that calls it
        codegen.add_push_null(lambda: codegen.load_import_from(__name__, "as_tensor"))
        codegen(self.base)
        codegen.extend_output(create_call_function(1, False))

    module.from_numpy = from_numpy
    known = getattr(module, "_CLOSURE_VARS", None)  # made for the first guard
    if known is not None:
        known["___from_numpy"] = from_numpy
    module.NumpyTensorSource.reconstruct = reconstruct


_refused: set[type] = set()
"""Types of NumPy's scalars that ``torch.as_tensor`` refuses."""


def as_tensor(value: Any) -> torch.Tensor:
    """The tensor of NumPy's array or scalar: Dynamo's code calls it for an argument."""
    return torch.as_tensor(value.__array__() if type(value) in _refused else value)
