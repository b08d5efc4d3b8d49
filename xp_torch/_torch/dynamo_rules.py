"""Rules that Dynamo lacks for arrays over a tensor. Imported when Dynamo is imported.

Each is a ``patch`` (``patches`` says what that promises), and says itself what would end it.
"""

from __future__ import annotations

import dataclasses
import operator
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MethodType, ModuleType
from typing import Any

from .._core.box import TensorBox
from . import dynamo, dynamo_numpys
from .arrays_in_traces import in_sight, is_array, is_of_ours, kind_of
from .patches import PACKAGES, Call, is_ours, patch

# --- which functions are traced ---

_FOLDERS = tuple(
    f"{Path(__file__).parents[2].joinpath(package).as_posix()}/" for package in PACKAGES
)


@patch(
    "torch._dynamo.trace_rules:check_file",
    takes="filename",
    concerns=lambda call: str(call["filename"]).replace("\\", "/").startswith(_FOLDERS),
    why="A function of ours is traced inside a user's function, and only there. After a graph "
    "break Dynamo would compile each of our functions by itself, and it fails for some that it "
    "can trace inline. torch's own Python has the same rule.",
    without="Functions of ours run as they are beside the graph.",
    until="a public list of code that is traced only when traced code calls it; no public issue",
)
def trace_when_called(call: Call) -> Any:
    inside = bool(call.bound.arguments.get("is_inlined_call", False))
    result = call.proceed()
    return type(result)(not inside, "xp_torch traces its functions in the user's function only")


@patch(
    "torch._dynamo.convert_frame:has_tensor_in_frame",
    takes="",
    concerns=lambda call: (
        not is_ours((frame := call.bound.args[0]).f_globals.get("__name__")) and in_sight(frame)
    ),
    why="A function in which all tensors belong to arrays of ours is compiled: Dynamo skips a "
    "function without a tensor, or a module of torch or NumPy, in sight.",
    without="The parts of a function after a graph break run as they are.",
    until="a rule for objects that hold tensors; no public issue",
    gate=False,
)
def compile_functions_of_arrays(call: Call) -> Any:
    return True


# --- operators and built-in functions ---

_FIRST = {
    getattr(operator, method): method
    for name in ("add", "sub", "mul", "matmul", "truediv", "floordiv", "mod", "pow", "lshift",
                 "rshift", "and", "or", "xor")
    for method in (f"__{name}__", f"__i{name}__")
}  # fmt: skip
"""The method of the first operand for each operator, in place too."""

_COMPARISONS = {
    getattr(operator, name): (f"__{name}__", f"__{reflected}__")
    for name, reflected in (("lt", "gt"), ("le", "ge"), ("gt", "lt"), ("ge", "le"), ("eq", "eq"),
                            ("ne", "ne"))
}  # fmt: skip
"""The methods that the first and the second operand of a comparison have for it."""

_MISSING = {
    operator.matmul: ("__matmul__", "__rmatmul__"),
    operator.imatmul: ("__imatmul__", "__rmatmul__"),
    operator.invert: ("__invert__", ""),
    operator.inv: ("__invert__", ""),
    divmod: ("__divmod__", "__rdivmod__"),
}
"""Operators that Dynamo traces on tensors and numbers only, before torch 2.14."""


def _is_for_us(call: Call) -> bool:
    function, arguments = call["self"].fn, call["args"]
    if function is operator.getitem:
        return dynamo_numpys.reads_by_arrays(*arguments)
    if function is isinstance:
        return kind_of(arguments[0]) in seen_as
    if function is str.format:
        values = (*arguments, *call["kwargs"].values())
        return any(is_array(value) and value.source is None for value in values)
    if function not in _ANSWERS or call["kwargs"]:
        return False
    return any(map(is_array, arguments))


def _share_handlers(module: ModuleType, function: object, wrapper: Any) -> None:
    """Let the table of comparisons have the rule, if Dynamo was imported before our packages."""
    tracer = sys.modules.get(dynamo.TRACER)
    table = getattr(tracer, "compare_op_handlers", {})
    for name, handler in list(table.items()):
        if getattr(handler, "__func__", None) is function:
            table[name] = MethodType(wrapper, handler.__self__)


@patch(
    "torch._dynamo.variables.builtin:BuiltinVariable.call_function",
    takes="self tx args kwargs",
    concerns=_is_for_us,
    also=_share_handlers,
    why="Operators and built-in functions of an array in a graph do what they do of an array. "
    "`a += x` is in place where x is a tensor, or NumPy's array: Dynamo would ask x first. "
    "`a > n` is traced where n is a number that is an input of the graph: Dynamo would answer "
    "False or raise TypeError. `isinstance(x, numpy.float64)` is True of a scalar, and `min` and "
    "`max` of scalars are chosen in the graph. NumPy's array is read by index arrays. An f-string "
    "with an array of the graph breaks the graph: Dynamo would format an object without its "
    "tensor. Before torch 2.14 `a @ b`, `~a` and `divmod` are traced, too.",
    without="Values would be wrong, so the gate is closed.",
    until="rules of Dynamo for operators of an object and a tensor or an input, for `__class__` "
    "and for text; no public issue. `@` and `~`: https://github.com/pytorch/pytorch/pull/189585",
)
def answer_for_arrays(call: Call) -> Any:
    result = _ANSWERS[call["self"].fn](call)
    return call.proceed() if result is None else result


def _of_operator(call: Call) -> Any:
    """``a @ b``, ``a += x``, ``divmod(a, b)`` or ``~a``; None where Dynamo knows what to do."""
    function = call["self"].fn
    first, *others = (operand.realize() for operand in call["args"])
    forward, reflected = _MISSING.get(function, (_FIRST.get(function, ""), ""))
    # torch 2.14 knows ``operator.invert``, and not ``operator.inv``.
    missing = function in _MISSING and (function is operator.inv or not dynamo.knows_matmul())
    asked = dynamo.is_tensor(others[0]) if others and function in _FIRST else False
    if is_array(first) and (asked or missing):
        result = _unless_refused(first.call_method(call["tx"], forward, others, {}))
        if result is not None:
            return result
    # From torch 2.14 on Dynamo exchanges the operands of ``numpy_array @ a``, but not the operator.
    exchanged = function is operator.matmul and dynamo_numpys.is_numpys(first)
    if (missing or exchanged) and others and is_array(others[0]):
        return _unless_refused(others[0].call_method(call["tx"], reflected, [first], {}))
    return None


def _of_comparison(call: Call) -> Any:
    left, right = (operand.realize() for operand in call["args"])
    forward, reflected = _COMPARISONS[call["self"].fn]
    for array, other, method in ((left, right, forward), (right, left, reflected)):
        if is_array(array) and dynamo.is_input_number(other):
            return array.call_method(call["tx"], method, [other], {})
    return None


def _of_isinstance(call: Call) -> Any:
    argument, kinds = call["args"]
    result = call.proceed()
    if result.as_python_constant():
        return result
    seen = seen_as[kind_of(argument)](call["tx"])
    return type(result)(issubclass(seen, kinds.as_python_constant()))


def _of_extreme(call: Call) -> Any:
    """The lesser or the greater of several scalars; None if the graph cannot choose."""
    function = dynamo.build(call["tx"], extremes[call["self"].fn])
    result, *others = call["args"]
    for other in others:
        result = function.call_function(call["tx"], [result, other], {})
        if result.is_python_constant() and result.as_python_constant() is None:
            return None
    return result if others else None


def _of_format(call: Call) -> Any:
    """Dynamo formats after it has made the objects of a graph, but before it fills them."""
    dynamo.unsupported("Format of an array", "An array is formatted, and a graph has no values.")


def _unless_refused(result: Any) -> Any:
    """A result of Dynamo's; None for ``NotImplemented``."""
    refused = result.is_python_constant() and result.as_python_constant() is NotImplemented
    return None if refused else result


_ANSWERS: dict[Any, Callable[[Call], Any]] = {
    **dict.fromkeys([*_FIRST, *_MISSING], _of_operator),
    **dict.fromkeys(_COMPARISONS, _of_comparison),
    operator.getitem: dynamo_numpys.read_numpys_array,
    isinstance: _of_isinstance,
    min: _of_extreme,
    max: _of_extreme,
    str.format: _of_format,
}
"""What answers for each operator and built-in function."""


@patch(
    "torch._dynamo.variables.lists:SliceVariable.__init__",
    takes="items tx",
    concerns=lambda call: (
        call.bound.arguments.get("tx") is not None and any(map(is_array, call["items"]))
    ),
    why="`x[:n]` is traced where n is an array of ours, as it is for tensors.",
    without="Such a slice would be a TypeError, so the gate is closed.",
    until="a rule of Dynamo for `__index__` of objects in slices; no public issue",
)
def take_bounds(call: Call) -> Any:
    items = [
        item.call_method(call["tx"], "__index__", [], {}) if is_array(item) else item
        for item in call["items"]
    ]
    return call.proceed(items=items)


# --- scalars that stay tensors: Dynamo uses their class where Python uses ``__class__`` ---

seen_as: dict[type, Callable[[Any], type]] = {}
"""The ``__class__`` of each class of ours, as a function of the frame that reads it."""
conversions: dict[type, Callable[[Any], Any]] = {}
"""The function that a trace calls for NumPy's scalar type of an array of ours or of a number."""
extremes: dict[Callable[..., Any], Callable[[Any, Any], Any]] = {}
"""For ``min`` and ``max``, a function of two objects; its result is None if it does not apply."""


def know_scalars(
    seen: Mapping[type, Callable[[Any], type]],
    converted: Mapping[type, Callable[[Any], Any]],
    extreme: Mapping[Callable[..., Any], Callable[[Any, Any], Any]],
) -> None:
    """Let traces use ``isinstance(x, numpy.float64)``, ``numpy.float64(x)``, ``min(x, y)``."""
    seen_as.update(seen)
    conversions.update(converted)
    extremes.update(extreme)


def _share_getter(module: ModuleType, function: object, wrapper: object) -> None:
    """Let the table of attributes have the rule too; before torch 2.15 there is none."""
    table = getattr(module.UserDefinedObjectVariable, "tp_getset", {})
    entry = table.get("__class__")
    if entry is not None and entry.getter is function:
        table["__class__"] = dataclasses.replace(entry, getter=wrapper)


@patch(
    "torch._dynamo.variables.user_defined:UserDefinedObjectVariable._class_vt",
    "UserDefinedObjectVariable.tp_getattro_impl",
    "UserDefinedObjectVariable.var_getattr",
    takes="self tx",
    concerns=lambda call: (
        call.bound.arguments.get("name", "__class__") == "__class__"
        and issubclass(call["self"].value_type, TensorBox)
    ),
    also=_share_getter,
    why="The type of an array of ours is guarded, and not its `__class__`, which depends on who "
    "asks. Dynamo reads it to call a class method, such as `__torch_function__`.",
    without="The guard would fail at once, an internal error, so the gate is closed.",
    until="Dynamo guarding `type(x)` where it traces `x.__class__` as `type(x)`; no public issue",
)
def guard_the_type(call: Call) -> Any:
    variable, tx = call["self"], call["tx"]
    answer = seen_as.get(variable.value_type)
    by_program = tx.current_instruction.argval == "__class__" and not str(
        tx.f_globals.get("__name__")
    ).startswith("torch.")
    if answer is not None and by_program:
        seen = answer(tx)
        if seen is not variable.value_type:
            return dynamo.build_class(tx, seen)
    return dynamo.build(tx, variable.value_type, getattr(variable, "cls_source", None))


@patch(
    "torch._dynamo.variables.misc:NumpyVariable.call_function",
    takes="self tx args kwargs",
    concerns=lambda call: (
        call["self"].value in conversions
        and len(call["args"]) == 1
        and not call["kwargs"]
        and (is_array(call["args"][0]) or _is_number_of_ours(call))
    ),
    why="`numpy.float64(x)` of an array of ours, and of a number in a function with one in sight, "
    "is an array of the graph.",
    without="It breaks the graph.",
    until="a rule for objects as arguments of NumPy's scalar types; no public issue",
    gate=False,
)
def convert_to_numpys_type(call: Call) -> Any:
    function = dynamo.build(call["tx"], conversions[call["self"].value])
    return function.call_function(call["tx"], call["args"], call["kwargs"])


def _is_number_of_ours(call: Call) -> bool:
    """Whether a trace with an array of ours in sight converts a number that NumPy's type takes."""
    kind, argument = call["self"].value, call["args"][0]
    number = argument.as_python_constant() if argument.is_python_constant() else None
    if type(number) not in (bool, int, float, complex):
        return False
    if not is_of_ours(call["tx"]):
        return False
    try:
        kind(number)
    except (TypeError, OverflowError):
        return False
    return True
