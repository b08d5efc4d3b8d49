"""Every private name of torch that the two packages use, and what would replace it.

No other module of ``xp_torch`` and ``numpy_shim`` uses a private module, function or attribute of
torch, except the attributes in ``READ_IN_PLACE``. The import of this module, and so of the
packages, changes nothing in torch: it registers the classes of arrays as pytree nodes and for
``default_collate``, and no more. Dynamo takes seconds to import and most programs never need it,
so only ``dynamo()`` imports it.

==================================  ===============================================================
name                                what would make it unnecessary
==================================  ===============================================================
``Tensor._base``, ``_version``      public attributes; no public issue known
``utils._pytree``                   public names for ``register_pytree_node`` and ``tree_map``; no
                                    public issue known
``data._utils.collate``             a public name for the table that the documentation of
                                    ``default_collate`` describes; no public issue known
``_C.DisableTorchFunctionSubclass`` a public name; https://github.com/pytorch/pytorch/issues/87990
                                    discusses what it disables; no release has one
``_C._DisableTorchDispatch``        a public name; no public issue known
``_C.TensorBase``                   a public list of a tensor's attributes; no public issue known
``Tensor._is_view``                 a public name; no public issue known
``Tensor._is_zerotensor``           a public name; no public issue known
``forward_ad._current_level``       a public question; no public issue known
``_C._disabled_torch_function_impl`` documented for subclasses with ``__torch_dispatch__``, under
                                    this name; no public issue known
``Tensor._make_wrapper_subclass``   a public name; no public issue known
``OpOverload._schema``              a public name; no public issue known
``_C._functorch``                   a public question whether a transform of ``torch.func`` is at
                                    work; no public issue known
``_len_torch_dispatch_stack``,      a public question whether a mode traces; no public issue known
``_get_dispatch_mode``,
``_TorchDispatchModeKey``
``_C._increment_version``           ``torch.autograd.graph.increment_version``, if it cost less; no
                                    public issue known
``_dynamo_marked_constant``         ``torch.compiler.assume_constant_result`` without an import of
                                    Dynamo; no public issue known
``torch._assert_async``             a public check of values that does not wait and can be traced:
                                    ``torch._check`` of values that depend on data waits
``torch._check``                    a public name; it is documented under this one
``torch._standard_gamma``           a generator for ``distributions.Gamma``:
                                    https://github.com/pytorch/pytorch/issues/175478, open
``utils._python_dispatch``          the documented ``TorchDispatchMode`` in a public module, and a
                                    public ``_disable_current_modes``; no public issue known
``guard_or_false``                  documented for users, in a module that is not public
``_dynamo`` in ``dynamo()``         a public trace without execution, that can be stopped, and that
                                    says what it changes; no public issue known
``_TorchCompileInductorWrapper``,   a public way to hand a graph to a compiler with its options; no
``_TorchCompileWrapper``            public issue known
``has_tensor_in_frame``             a rule for objects that hold tensors; no public issue known
``_handle_insert_op_in_graph``      a rule for operators of an object and a tensor; no public issue
                                    known
``BuiltinVariable``                 torch 2.15: https://github.com/pytorch/pytorch/pull/189585; for
                                    ``isinstance``: a rule for ``__class__``, no public issue known
``SliceVariable``                   a rule for ``__index__`` of objects; no public issue known
``_flatten_vts``                    Dynamo looking into tuples for ``__torch_function__``, as torch
                                    does; no public issue known
``NumpyVariable``                   a rule for objects as arguments of NumPy's scalar types; no
                                    public issue known
``trace_rules``                     a public list of code that is traced only when it is called by
                                    traced code; no public issue known
``_register_custom_builtin``,       generated code that can have ``complex("nan+nanj")`` in it; no
``_custom_builtins``                public issue known
==================================  ===============================================================
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import operator
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, TypeVar

import torch
from torch import Tensor
from torch.autograd import forward_ad
from torch.compiler import is_dynamo_compiling
from torch.utils import _pytree
from torch.utils._python_dispatch import TorchDispatchMode as TorchDispatchMode
from torch.utils._python_dispatch import _disable_current_modes
from torch.utils.data._utils import collate

from .box import TensorBox

F = TypeVar("F", bound=Callable[..., object])

READ_IN_PLACE = frozenset({"_base", "_version"})
"""Attributes of tensors that are read directly, because a call would cost more.

``_base`` tells a view from a tensor that owns its memory, at every view that is made. ``_version``
tells whether a tensor has been written to, at every element of a loop.
"""

# --- tensors ---

as_plain: Any = torch._C.DisableTorchFunctionSubclass
"""A context that treats tensors of a subclass as plain tensors."""

without_dispatch: Any = torch._C._DisableTorchDispatch
"""A context in which operators return plain tensors, whatever mode is active."""

TENSOR_ATTRIBUTES: dict[str, Any] = dict(vars(torch._C.TensorBase))
"""The descriptors of the attributes and methods that tensors have from C++, by name."""

is_view: Any = Tensor._is_view
"""Whether a tensor is a view: the function that ``__torch_function__`` receives."""

standard_gamma: Callable[..., Tensor] = torch._standard_gamma
"""Draw from gamma distributions with a generator, which ``distributions.Gamma`` lacks."""

assert_async: Callable[[Tensor, str], None] = torch._assert_async
"""Check a value while the program runs, without a wait, in a trace too."""


no_torch_function: Any = torch._C._disabled_torch_function_impl
"""The ``__torch_function__`` of a class that sees its operations in ``__torch_dispatch__``."""

make_wrapper: Callable[..., Any] = Tensor._make_wrapper_subclass
"""Make a tensor without memory, of a class that computes in ``__torch_dispatch__``."""


def schema_of(operation: Any) -> Any:
    """The arguments of an operation of torch: names, defaults, and which are written to."""
    return operation._schema


def is_zero_tensor(tensor: Tensor) -> bool:
    """Whether a tensor is one of autograd's zeros, which have no memory."""
    return bool(tensor._is_zerotensor())


FORWARD_LEVEL = "_current_level"

forward_mode: dict[str, Any] = (
    vars(forward_ad) if hasattr(forward_ad, FORWARD_LEVEL) else {FORWARD_LEVEL: 0}
)
"""Where torch keeps the level of forward-mode derivatives, which is -1 where none are active.

It is 0 if this torch no longer tells it, so that callers choose the differentiable code. Hot paths
outside of traces read ``forward_mode[FORWARD_LEVEL]``, which costs a quarter of a call of
``in_forward_mode``; Dynamo would guard every name of the dict.
"""


def in_forward_mode() -> bool:
    """Whether forward-mode derivatives are active (``torch.autograd.forward_ad``).

    True if this torch no longer tells it.
    """
    try:
        return forward_ad._current_level >= 0
    except AttributeError:
        return True


def is_transformed() -> bool:
    """Whether a transform is active that must see every operation on a value.

    These are the transforms of ``torch.func``, forward-mode derivatives, and the modes that
    trace: of fake tensors, of ``make_fx`` and of functionalization.
    """
    return (
        transform_level() is not None
        or in_forward_mode()
        or (count_modes() > 0 and any(_mode(key) is not None for key in _TRACING))
    )


transform_level: Callable[[], int | None] = torch._C._functorch.maybe_current_level
"""The number of the innermost transform of ``torch.func`` at work, or ``None``."""

count_modes: Callable[[], int] = torch._C._len_torch_dispatch_stack
"""How many modes see the calls of torch's operators; some of them may trace."""

_mode: Any = torch._C._get_dispatch_mode
_TRACING = tuple(
    getattr(torch._C._TorchDispatchModeKey, name) for name in ("FAKE", "PROXY", "FUNCTIONAL")
)

increment_version: Callable[[tuple[Tensor, ...]], None] = torch._C._increment_version
"""Tell autograd of a write, at half the cost of ``autograd.graph.increment_version``."""

check_in_trace: Callable[..., None] = torch._check
"""Let a graph check a condition on values when it runs, and rely on it."""

# --- arrays as containers of one tensor ---


tree_map: Callable[..., Any] = _pytree.tree_map
"""Apply a function to the leaves of nested lists, tuples and dicts."""


def register_class(
    cls: type[TensorBox], opened: Callable[[Any], Tensor], closed: Callable[[Any], Any], name: str
) -> None:
    """Register a class of arrays with torch, as a pytree node and for ``default_collate``.

    ``opened`` gives the tensor of an array and ``closed`` the array of a tensor. As nodes, arrays
    go in and out of the transforms of ``torch.func``, ``make_fx`` and ``torch.export``. A batch of
    arrays becomes a tensor in a ``DataLoader``, as a batch of NumPy's arrays does.
    """
    _pytree.register_pytree_node(
        cls,
        lambda array: ([opened(array)], None),
        lambda leaves, context: closed(next(iter(leaves))),
        serialized_type_name=name,
        flatten_with_keys_fn=lambda array: (
            [(_pytree.GetAttrKey("_tensor"), opened(array))], None
        ),
    )  # fmt: skip

    def collated(batch: Any, *, collate_fn_map: Any = None) -> Any:
        tensors = [opened(array) for array in batch]
        return collate_fn_map[Tensor](tensors, collate_fn_map=collate_fn_map)

    collate.default_collate_fn_map[cls] = collated


# --- modes ---

disable_current_modes: Any = _disable_current_modes
"""A context in which no ``TorchDispatchMode`` sees the calls."""

# --- Dynamo ---

TRACER = "torch._dynamo.symbolic_convert"
"""Dynamo's module that handles the imports of a traced function."""


def constant(function: F) -> F:
    """Let Dynamo call ``function`` while it traces and take the result as a constant.

    For functions of constants that call NumPy. This is ``torch.compiler.assume_constant_result``
    without the import of Dynamo, which takes two seconds.
    """
    function._dynamo_marked_constant = True  # type: ignore[attr-defined]
    return function


def surely(condition: bool) -> bool:
    """A condition on sizes; false where a trace does not know the sizes, which depend on data."""
    if is_dynamo_compiling():
        from torch.fx.experimental.symbolic_shapes import guard_or_false

        return bool(guard_or_false(condition))
    return condition


class Dynamo(NamedTuple):
    """The parts of Dynamo that trace a function, and its errors."""

    fullgraph_capture: Callable[..., Any]
    get_metrics_context: Callable[..., Any]
    Unsupported: type[Exception]
    errors: tuple[type[Exception], ...]
    """What is raised by the compiler, and not by the program that is compiled."""
    InstructionTranslatorBase: Any
    SideEffects: Any
    config: Any


def dynamo() -> Dynamo:
    """Import Dynamo, which takes seconds, and return the parts that are used."""
    from torch._dynamo import config
    from torch._dynamo.convert_frame import fullgraph_capture
    from torch._dynamo.exc import FailOnRecompileLimitHit, TorchDynamoException, Unsupported
    from torch._dynamo.side_effects import SideEffects
    from torch._dynamo.symbolic_convert import InstructionTranslatorBase
    from torch._dynamo.utils import get_metrics_context

    return Dynamo(
        fullgraph_capture, get_metrics_context, Unsupported,
        (TorchDynamoException, FailOnRecompileLimitHit),
        InstructionTranslatorBase, SideEffects, config,
    )  # fmt: skip


_watchers: list[Callable[[Any], None]] = []


def watch_trace(watcher: Callable[[Any], None]) -> None:
    """Call ``watcher`` before each instruction that Dynamo traces, from now on.

    Its argument is Dynamo's translator, which has the attributes of a frame. It stops a trace by
    raising.
    """
    if watcher in _watchers:
        return
    _watchers.append(watcher)
    translator = dynamo().InstructionTranslatorBase
    plain = translator.step

    def step(self: Any) -> bool:
        watcher(self)
        return bool(plain(self))

    translator.step = step


def graph_size(translator: Any) -> int:
    """The number of nodes in the graph that Dynamo has traced so far."""
    size: int = len(translator.output.graph.nodes)
    return size


def loop_at(translator: Any) -> int:
    """The line of the loop whose end Dynamo is about to trace; 0 elsewhere."""
    pointer = translator.instruction_pointer
    jump = None if pointer is None else translator.instructions[pointer]
    if jump is None or not jump.opname.startswith("JUMP_BACKWARD"):
        return 0
    positions = jump.target.positions
    return int((positions and positions.lineno) or translator.lineno)


LOGGERS = ("torch._dynamo.convert_frame", "torch._dynamo.symbolic_convert")
"""The loggers by which Dynamo tells of breaks and recompilations."""


_followers: list[Callable[[Any], None]] = []


def watch_changes(watcher: Callable[[Any], None]) -> None:
    """Call ``watcher`` with what a traced function changes outside of its graph, from now on.

    Its argument is where each changed object comes from, as Dynamo's ``Source``.
    """
    if watcher in _followers:
        return
    _followers.append(watcher)
    effects = dynamo().SideEffects
    plain = effects.codegen_update_mutated

    def codegen_update_mutated(self: Any, *args: Any, **kwargs: Any) -> Any:
        for variable in self._get_modified_vars():
            watcher(variable.source)
        return plain(self, *args, **kwargs)

    effects.codegen_update_mutated = codegen_update_mutated


def source_of(node: Any) -> Any:
    """Where an input of a graph comes from, as Dynamo's ``Source``; None if it is not told."""
    return getattr(node, "_dynamo_source", None)


def root_of(source: Any) -> tuple[str, str] | None:
    """The kind of Dynamo's source at the root of another, and its name; None for a new object.

    The kinds are Dynamo's: an argument has the kind ``LocalSource``.
    """
    while getattr(source, "base", None) is not None:
        source = source.base
    kind = type(source).__name__
    if source is None or kind.startswith("Temp"):
        return None
    name = getattr(source, "local_name", None) or getattr(source, "global_name", "")
    return kind, str(name)


def compiler(
    backend: str | Callable[..., Any],
    mode: str | None,
    options: Mapping[str, Any] | None,
    dynamic: bool | None,
) -> Callable[..., Any]:
    """What ``torch.compile`` calls with a graph for these arguments."""
    if backend == "inductor":
        return torch._TorchCompileInductorWrapper(mode, options, dynamic)  # type: ignore[no-untyped-call]
    return torch._TorchCompileWrapper(backend, mode, options, dynamic)  # type: ignore[no-untyped-call]


# --- operators that Dynamo does not trace on Python classes: @, @= and ~ ---
#
# Before torch 2.15 (https://github.com/pytorch/pytorch/pull/189585 and its like) Dynamo traces
# these operators on tensors and numbers only, and cannot trace a program that uses one on an array;
# the same holds for divmod before 2.12. Every other operator becomes a call of the class's method,
# by a method call_<operator> of Dynamo's own class for builtins. The code below adds the missing
# methods, for arrays over a TensorBox only: other objects behave as before. A rule that torch has
# already is kept. Remove all of this once 2.15 is the oldest torch supported.

_MODULE = "torch._dynamo.variables.builtin"
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


_FIRST = {
    getattr(operator, method): method
    for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "lshift", "rshift",
                 "and", "or", "xor")
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
        return plain(self, tx, args, kwargs)

    builtin._handle_insert_op_in_graph = handle


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
        if frame.f_globals.get("__name__", "").partition(".")[0] in _PACKAGES:
            return False
        return any(isinstance(value, TensorBox) for value in frame.f_locals.values()) or any(
            isinstance(value := frame.f_globals.get(name), ModuleType)
            and value.__name__.partition(".")[0] in _PACKAGES
            for name in frame.f_code.co_names
        )

    module.has_tensor_in_frame = has_tensor_in_frame


_PACKAGES = ("numpy_shim", "xp_torch")


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


def wait_for_dynamo() -> None:
    """Add the rules when Dynamo is imported. Those for operators do nothing from torch 2.15 on."""
    when_imported("torch._dynamo.convert_frame", teach_frames)
    when_imported("torch._dynamo.variables.misc", teach_formats)
    if tuple(int(part) for part in torch.__version__.split(".")[:2]) < (2, 15):
        when_imported(_MODULE, teach)


# --- code that is traced only as a part of a user's function ---


def trace_when_called(package: str) -> None:
    """Let Dynamo trace the functions of a package inside a user's function, and only there.

    After a graph break the interpreter calls the package's functions. Dynamo would compile each
    of them by itself, with their ``try`` blocks and fallbacks, which makes many small graphs, and
    it fails for some code that it can trace inline. torch's own Python has the same rule.
    """

    def rule(module: ModuleType) -> None:
        called = getattr(module, "BUILTIN_INLINE_WHEN_CALLED", None)
        spec = importlib.util.find_spec(package)
        if called is not None and spec is not None and spec.submodule_search_locations:
            called.update(Path(d).as_posix() + "/" for d in spec.submodule_search_locations)
            module.add(package)

    when_imported("torch._dynamo.trace_rules", rule)


# --- constants in the code that torch.fx generates ---


def know_complex_constants() -> None:
    """Let graphs have complex constants with an infinite or undefined part.

    ``torch.fx`` writes a constant as its ``repr``, and ``(nan+nanj)`` is a name to Python. For
    ``nan`` and ``inf`` of real numbers torch has the same rule.
    """
    from torch.fx import graph

    def rule(module: ModuleType) -> None:
        for name, text in (("nanj", "nan"), ("infj", "inf")):
            if name not in graph._custom_builtins:
                source = f"{name} = complex(0.0, float({text!r}))"
                graph._register_custom_builtin(name, source, complex(0.0, float(text)))

    when_imported("torch.fx.experimental.proxy_tensor", rule)


# --- scalars that stay tensors: Dynamo uses their class where Python uses ``__class__`` ---


def teach_scalars(
    seen_as: Mapping[type, Callable[[Any], type]],
    conversions: Mapping[type, Callable[[Any], Any]],
    extremes: Mapping[Callable[..., Any], Callable[[Any, Any], Any]],
) -> None:
    """Let Dynamo trace ``isinstance(x, numpy.float64)`` and ``numpy.float64(x)`` for scalars.

    Also ``min(x, y)`` and ``max(x, y)``: ``extremes`` has a function of two objects for each, whose
    result is ``None`` if it does not apply. And slices with such scalars as bounds.
    ``seen_as`` maps each class to its ``__class__`` as a function of the frame that reads it
    (Dynamo's translator has the attributes of a frame). ``conversions`` has the function that
    replaces a call of NumPy's type with an array over a ``TensorBox`` or a Python number. Other
    objects behave as before.
    """

    def isinstance_rule(module: ModuleType) -> None:
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

    def conversion_rule(module: ModuleType) -> None:
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

    def slice_rule(module: ModuleType) -> None:
        # As Dynamo does for tensors. It takes any other object in a slice for a constant.
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

    when_imported(_MODULE, isinstance_rule)
    when_imported("torch._dynamo.variables.lists", slice_rule)
    when_imported("torch._dynamo.variables.misc", conversion_rule)


# --- subclasses of Tensor in a tuple ---


def see_into_tuples() -> None:
    """Let Dynamo call ``__torch_function__`` of a class of ours in a tuple, as in ``x[:, index]``.

    torch looks for such classes in lists and tuples, Dynamo in lists and dictionaries only. It
    would take the memory of a tensor that runs backwards for its values.
    """

    def rule(module: Any) -> None:
        plain = getattr(module, "_flatten_vts", None)
        if plain is None:
            return

        def is_ours(variable: Any) -> bool:
            kind = getattr(variable, "class_type", None)
            return getattr(kind, "__module__", "").partition(".")[0] in _PACKAGES

        def flattened(variables: Any) -> list[Any]:
            from torch._dynamo.variables.lists import TupleVariable

            found = []
            for variable in plain(variables):
                inner = []
                if variable.is_realized() and isinstance(variable, TupleVariable):
                    inner = flattened(variable.items)
                found += inner if any(is_ours(v) for v in inner) else [variable]
            return found

        module._flatten_vts = flattened

    when_imported("torch._dynamo.variables.torch_function", rule)


def _is_number_of(kind: type, value: Any) -> bool:
    """Whether a constant is a Python number that NumPy's scalar type ``kind`` takes."""
    if type(value) not in (bool, int, float, complex):
        return False
    try:
        kind(value)
    except (TypeError, OverflowError):
        return False
    return True


# --- when Dynamo is imported ---

_waiting: dict[str, list[Callable[[ModuleType], None]]] = {}
"""The actions to run after the import of a module of Dynamo, by module name."""


class _Finder(importlib.abc.MetaPathFinder):
    """A finder that runs the actions in ``_waiting`` after the imports, then removes itself."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        actions = _waiting.pop(fullname, None)
        if actions is None:
            return None
        if not _waiting:
            sys.meta_path.remove(self)
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.loader is not None:
            execute = spec.loader.exec_module

            def exec_module(module: ModuleType) -> None:
                execute(module)
                for action in actions:
                    action(module)

            spec.loader.exec_module = exec_module  # type: ignore[method-assign]
        return spec


def when_imported(name: str, action: Callable[[ModuleType], None]) -> None:
    """Run an action on a module after its import, or now if it is imported already.

    Until then nothing in torch changes. A finder waits in ``sys.meta_path``, and Python calls it
    for the first import of each module.
    """
    if name in sys.modules:
        action(sys.modules[name])
        return
    if not _waiting:
        sys.meta_path.insert(0, _Finder())
    _waiting.setdefault(name, []).append(action)
