"""Rules that Dynamo lacks for arrays over a tensor. Imported when Dynamo is imported.

Each function gets a module of Dynamo after its import, and adds one rule; ``torch_internals`` says
when; ``dynamo_numpys`` has those for NumPy's own arrays. Private names of torch stand here, in
``torch_internals`` and in ``dynamo`` only.

==================================  ===============================================================
name                                what would make it unnecessary
==================================  ===============================================================
``has_tensor_in_frame``             a rule for objects that hold tensors; no public issue known
``_handle_insert_op_in_graph``      a rule for operators of an object and a tensor; no public issue
                                    known
``_comparison_with_symnode``        a rule for comparisons of an object and a number that is an
                                    input; no public issue known
``BuiltinVariable``                 torch 2.15: https://github.com/pytorch/pytorch/pull/189585; for
                                    ``isinstance``: a rule for ``__class__``, no public issue known
``UserDefinedObjectVariable``       Dynamo guarding ``type(x)`` where it traces ``x.__class__`` as
                                    ``type(x)``; no public issue known
``SliceVariable``                   a rule for ``__index__`` of objects; no public issue known
``StringFormatVariable``            Dynamo formatting objects after it has set their attributes; no
                                    public issue known
``_flatten_vts``                    Dynamo looking into tuples for ``__torch_function__``, as torch
                                    does; no public issue known
``NumpyVariable``                   a rule for objects as arguments of NumPy's scalar types; no
                                    public issue known
==================================  ===============================================================
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

from .._core.box import TensorBox

# --- operators that Dynamo does not trace on Python classes: @, @= and ~ ---
#
# Before torch 2.15 (https://github.com/pytorch/pytorch/pull/189585 and its like) Dynamo traces
# these operators on tensors and numbers only, and cannot trace a program that uses one on an array;
# the same holds for divmod before 2.12. Every other operator becomes a call of the class's method,
# by a method call_<operator> of Dynamo's own class for builtins. The code below adds the missing
# methods, for arrays over a TensorBox only: other objects behave as before. A rule that torch has
# already is kept. Remove all of this once 2.15 is the oldest torch supported.

_METHODS = {
    "matmul": ("__matmul__", "__rmatmul__"),
    "imatmul": ("__imatmul__", "__rmatmul__"),
    "divmod": ("__divmod__", "__rdivmod__"),
    "invert": ("__invert__", ""),
    "inv": ("__invert__", ""),
}
"""Dynamo's name of each operator, and the methods of its first and second operand."""


def teach(module: ModuleType) -> None:
    """Add the missing rules to Dynamo's class for builtins."""
    builtin = getattr(module, "BuiltinVariable", None)
    for name, methods in _METHODS.items():
        if builtin is not None and not hasattr(builtin, f"call_{name}"):
            setattr(builtin, f"call_{name}", _rule(*methods))
    if builtin is not None:
        _ask_first_operand(builtin)
        _index_numpys_arrays(builtin)
        _compare_with_numbers(builtin)


_FIRST = {
    getattr(operator, method): method
    for name in ("add", "sub", "mul", "matmul", "truediv", "floordiv", "mod", "pow", "lshift",
                 "rshift", "and", "or", "xor")
    for method in (f"__{name}__", f"__i{name}__")
}  # fmt: skip
"""The method of the first operand for each operator, in place too."""


def _ask_first_operand(builtin: Any) -> None:
    """Let Dynamo ask an array of ours for ``a + x`` and ``a += x`` where ``x`` is a tensor to it.

    NumPy's arrays and scalars are tensors to it too. It would call the tensor's reflected method,
    which is not in place.
    """
    plain = getattr(builtin, "_handle_insert_op_in_graph", None)
    if plain is None:
        return

    def handle(self: Any, tx: Any, args: Any, kwargs: Any) -> Any:
        method = _FIRST.get(self.fn)
        if (
            method is not None
            and len(args) == 2
            and issubclass(getattr(args[0], "value_type", object), TensorBox)
        ):
            result = args[0].call_method(tx, method, [args[1]], {})
            if not (result.is_python_constant() and result.as_python_constant() is NotImplemented):
                return result
        # It exchanges the operands in place: in ``f(*pair)`` those of the program's own tuple.
        return plain(self, tx, list(args), kwargs)

    builtin._handle_insert_op_in_graph = handle


def _index_numpys_arrays(builtin: Any) -> None:
    """Let Dynamo trace ``a[0, index]``, where ``a`` is NumPy's array and ``index`` one of ours."""
    plain = getattr(builtin, "_handle_insert_op_in_graph", None)
    if plain is None:
        return

    def handle(self: Any, tx: Any, args: Any, kwargs: Any) -> Any:
        if self.fn is operator.getitem and type(args[0]).__name__ == "NumpyNdarrayVariable":
            args = [args[0], tensor_of(tx, args[1])]
        return plain(self, tx, args, kwargs)

    builtin._handle_insert_op_in_graph = handle


def tensor_of(tx: Any, item: Any) -> Any:
    """The tensor of an array of ours, in a tuple too: NumPy's arrays are tensors to Dynamo."""
    if issubclass(getattr(item, "value_type", object), TensorBox):
        return item.var_getattr(tx, "tensor")
    if item.is_realized() and type(item).__name__ == "TupleVariable":
        return type(item)([tensor_of(tx, part) for part in item.items])
    return item


def _compare_with_numbers(builtin: Any) -> None:
    """Let Dynamo ask an array of ours for ``x > n``, where ``n`` is a number it has made an input.

    It takes a number and an object of a class for different types, and raises TypeError itself.
    """
    plain = getattr(builtin, "_comparison_with_symnode", None)
    if plain is None:
        return

    def compare(self: Any, tx: Any, left: Any, right: Any) -> Any:
        methods = _COMPARISONS.get(self.fn)
        for array, other, method in zip((left, right), (right, left), methods or (), strict=False):
            if issubclass(getattr(array, "value_type", object), TensorBox):
                return array.call_method(tx, method, [other], {})
        return plain(self, tx, left, right)

    builtin._comparison_with_symnode = compare


_COMPARISONS = {
    getattr(operator, name): (f"__{name}__", f"__{reflected}__")
    for name, reflected in (("lt", "gt"), ("le", "ge"), ("gt", "lt"), ("ge", "le"), ("eq", "eq"),
                            ("ne", "ne"))
}  # fmt: skip
"""The methods that the first and the second operand of a comparison have for it."""


def _rule(forward: str, reflected: str) -> Callable[..., Any]:
    """A rule for Dynamo: the result of the operator, or ``None`` if the rule does not apply."""

    def rule(self: Any, tx: Any, a: Any, *others: Any) -> Any:
        for owner, method, operands in (
            (a, forward, others),
            *((b, reflected, (a,)) for b in others),
        ):
            if issubclass(getattr(owner, "value_type", object), TensorBox):
                result = owner.call_method(tx, method, list(operands), {})
                if not (
                    result.is_python_constant() and result.as_python_constant() is NotImplemented
                ):
                    return result
        return None

    return rule


def teach_frames(module: Any) -> None:
    """Let Dynamo compile a function in which all tensors belong to our arrays.

    Dynamo skips a function without a tensor, or a module of torch or NumPy, in sight: of a function
    with a graph break it would compile the first part only. Our own functions stay skipped.
    """
    plain = module.has_tensor_in_frame

    def has_tensor_in_frame(frame: Any) -> bool:
        if plain(frame):
            return True
        if is_ours(frame.f_globals.get("__name__")):
            return False
        return any(isinstance(value, TensorBox) for value in frame.f_locals.values()) or any(
            isinstance(value := frame.f_globals.get(name), ModuleType) and is_ours(value.__name__)
            for name in frame.f_code.co_names
        )

    module.has_tensor_in_frame = has_tensor_in_frame


PACKAGES = ("numpy_shim", "xp_torch")


def is_ours(module: object) -> bool:
    """Whether a module of this name belongs to our packages."""
    return isinstance(module, str) and module.partition(".")[0] in PACKAGES


def teach_formats(module: Any) -> None:
    """Let Dynamo break the graph where an array of the graph is formatted, as in an f-string.

    Dynamo formats when it rebuilds the values after a graph. By then it has made the objects that
    the graph needs, but not set their attributes: ``AttributeError``.
    """
    variable = getattr(module, "StringFormatVariable", None)
    if variable is None:
        return
    plain = variable.create

    def create(text: str, args: Any, kwargs: Any) -> Any:
        for value in (*args, *kwargs.values()):
            kind = getattr(value, "value_type", object)
            if isinstance(kind, type) and issubclass(kind, TensorBox) and value.source is None:
                from torch._dynamo.exc import unimplemented

                unimplemented(
                    gb_type="Format of an array",
                    context=text,
                    explanation="An array is formatted, and a graph has no values.",
                    hints=[],
                )
        return plain(text, args, kwargs)

    variable.create = create


# --- scalars that stay tensors: Dynamo uses their class where Python uses ``__class__`` ---


def teach_isinstance(
    module: ModuleType,
    seen_as: Mapping[type, Callable[[Any], type]],
    extremes: Mapping[Callable[..., Any], Callable[[Any, Any], Any]],
) -> None:
    """Let Dynamo trace ``isinstance(x, numpy.float64)``, ``min(x, y)`` and ``max(x, y)``.

    The arguments are those of ``teach_scalars``.
    """
    builtin = module.BuiltinVariable
    plain = builtin.call_isinstance

    def call_isinstance(self: Any, tx: Any, arg: Any, kinds: Any) -> Any:
        result = plain(self, tx, arg, kinds)
        answer = seen_as.get(getattr(arg, "value_type", None))  # type: ignore[arg-type]
        if answer is None or result.as_python_constant():
            return result
        return type(result)(issubclass(answer(tx), kinds.as_python_constant()))

    builtin.call_isinstance = call_isinstance
    if hasattr(builtin, "_call_min_max_binary"):
        of_two = builtin._call_min_max_binary

        def call_min_max(self: Any, tx: Any, a: Any, b: Any) -> Any:
            kinds = [getattr(v, "value_type", object) for v in (a, b)]
            if self.fn in extremes and any(issubclass(k, TensorBox) for k in kinds):
                function = module.VariableTracker.build(tx, extremes[self.fn])
                result = function.call_function(tx, [a, b], {})
                if not (result.is_python_constant() and result.as_python_constant() is None):
                    return result
            return of_two(self, tx, a, b)

        builtin._call_min_max_binary = call_min_max


def teach_classes(module: ModuleType, seen_as: Mapping[type, Callable[[Any], type]]) -> None:
    """Let Dynamo guard the type of an array of ours where it reads the ``__class__``.

    Dynamo itself reads it to call a class method, such as ``__torch_function__``. It takes
    ``type(x)`` for the answer, and guards ``x.__class__``: the guard fails, since that depends on
    who asks. A program that reads it gets the answer of ``seen_as``.
    """
    variable = module.UserDefinedObjectVariable
    plain = variable.var_getattr

    def var_getattr(self: Any, tx: Any, name: str) -> Any:
        if name != "__class__" or not issubclass(self.value_type, TensorBox):
            return plain(self, tx, name)
        build = module.VariableTracker.build
        answer = seen_as.get(self.value_type)
        if answer is not None and tx.current_instruction.argval == name and not _is_torchs(tx):
            seen = answer(tx)
            if seen is not self.value_type:
                from torch._dynamo.source import AttrSource

                return build(tx, seen, AttrSource(tx.import_source(seen.__module__), seen.__name__))
        return build(tx, self.value_type, getattr(self, "cls_source", None))

    variable.var_getattr = var_getattr


def _is_torchs(tx: Any) -> bool:
    return str(tx.f_globals.get("__name__")).startswith("torch.")


def teach_conversions(module: ModuleType, conversions: Mapping[type, Callable[[Any], Any]]) -> None:
    """Let Dynamo trace ``numpy.float64(x)``."""
    variable = module.NumpyVariable
    plain = variable.call_function

    def call_function(self: Any, tx: Any, args: Any, kwargs: Any) -> Any:
        if len(args) == 1 and not kwargs and isinstance(self.value, type):
            convert = conversions.get(self.value)
            kind = getattr(args[0], "value_type", object)
            number = args[0].as_python_constant() if args[0].is_python_constant() else None
            if convert is not None and (
                issubclass(kind, TensorBox) or _is_number_of(self.value, number)
            ):
                function = module.VariableTracker.build(tx, convert)
                return function.call_function(tx, args, kwargs)
        return plain(self, tx, args, kwargs)

    variable.call_function = call_function


def teach_slices(module: ModuleType) -> None:
    """Let Dynamo trace a slice with arrays as bounds.

    As it does for tensors. It takes any other object in a slice for a constant.
    """
    plain = module.SliceVariable.__init__

    def initialize(self: Any, items: Any, tx: Any = None, **options: Any) -> None:
        bounds = [
            item.call_method(tx, "__index__", [], {})
            if tx is not None and issubclass(getattr(item, "value_type", object), TensorBox)
            else item
            for item in items
        ]
        plain(self, bounds, tx, **options)

    module.SliceVariable.__init__ = initialize


def _is_number_of(kind: type, value: Any) -> bool:
    """Whether a constant is a Python number that NumPy's scalar type ``kind`` takes."""
    if type(value) not in (bool, int, float, complex):
        return False
    try:
        kind(value)
    except (TypeError, OverflowError):
        return False
    return True


# --- subclasses of Tensor in a tuple ---


def teach_tuples(module: Any) -> None:
    """Let Dynamo call ``__torch_function__`` of a class of ours in a tuple, as in ``x[:, index]``.

    torch looks for such classes in lists and tuples, Dynamo in lists and dictionaries only. It
    would take the memory of a tensor that runs backwards for its values.
    """
    plain = getattr(module, "_flatten_vts", None)
    if plain is None:
        return

    def is_class_of_ours(variable: Any) -> bool:
        kind = getattr(variable, "class_type", None)
        return is_ours(getattr(kind, "__module__", ""))

    def flattened(variables: Any) -> list[Any]:
        from torch._dynamo.variables.lists import TupleVariable

        found = []
        for variable in plain(variables):
            inner = []
            if variable.is_realized() and isinstance(variable, TupleVariable):
                inner = flattened(variable.items)
            found += inner if any(is_class_of_ours(v) for v in inner) else [variable]
        return found

    module._flatten_vts = flattened
