"""Every private name of torch that the two packages use, and what would replace it.

No other module of ``xp_torch`` and ``numpy_shim`` uses a private module, function or attribute of
torch, except the attributes in ``READ_IN_PLACE``; those of Dynamo stand in ``dynamo``,
``dynamo_rules``, ``dynamo_numpys`` and ``dynamo_guards``, those of inductor in ``inductor_rules``
and ``inductor_order``. The import of this module, and so of the packages, changes nothing in torch:
it registers the classes of arrays as pytree nodes and for ``default_collate``, and no more.

==================================  ===============================================================
name                                what would make it unnecessary
==================================  ===============================================================
``Tensor._base``, ``_version``      public attributes; no public issue known
``DeviceMesh._pg_registry``         ``destroy_process_group``, if it ended the threads of a group
                                    that a mesh keeps; no public issue known
``UntypedStorage``'s ``_expired``,  public weak references to storages; no public issue known
``_free_weak_ref``, ``_weak_ref``,
``_new_with_weak_ptr``
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
``_len_torch_function_stack``,      a public question for the default device that costs less than
``_C._get_default_device``          making a tensor; no public issue known
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
``has_static_value``                documented for users, in a module that is not public
``trace_rules``                     a public list of code that is traced only when it is called by
                                    traced code; no public issue known
``_inductor``                       what ends the rules in ``inductor_rules`` and ``inductor_order``
``_register_custom_builtin``,       generated code that can have ``complex("nan+nanj")`` in it; no
``_custom_builtins``                public issue known
==================================  ===============================================================
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

import torch
from torch import Tensor
from torch.autograd import forward_ad
from torch.compiler import is_dynamo_compiling
from torch.utils import _pytree
from torch.utils._python_dispatch import TorchDispatchMode as TorchDispatchMode
from torch.utils._python_dispatch import _disable_current_modes
from torch.utils.data._utils import collate

from .._core.box import TensorBox

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


weak_storage: Any = torch.UntypedStorage._weak_ref
"""A number that refers to a storage without keeping it; ``end_reference`` frees it."""

storage_of: Any = torch.UntypedStorage._new_with_weak_ptr
"""The storage that such a number refers to; ``None`` if no tensor uses it any more."""

has_ended: Any = torch.UntypedStorage._expired
end_reference: Any = torch.UntypedStorage._free_weak_ref


def forget_groups(mesh: Any) -> None:
    """Let a mesh forget its groups of processes, which end when nothing has them any more."""
    mesh._pg_registry.clear()


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

count_function_modes: Callable[[], int] = torch._C._len_torch_function_stack
"""How many modes see the calls of torch's functions; a default device is one of them."""

tensor_type_device: Callable[[], str] = torch._C._get_default_device
"""The kind of device of new tensors that no mode moves: ``set_default_tensor_type`` changes it."""

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

_RULES = "xp_torch._torch.dynamo_rules"
"""Our module with the rules, which is imported when Dynamo is."""


def constant(function: F) -> F:
    """Let Dynamo call ``function`` while it traces and take the result as a constant.

    For functions of constants that call NumPy. This is ``torch.compiler.assume_constant_result``
    without the import of Dynamo, which takes two seconds.
    """
    function._dynamo_marked_constant = True  # type: ignore[attr-defined]
    return function


@constant
def may_break_graph() -> bool:
    """Whether the program that Dynamo traces may become several graphs."""
    from torch._dynamo.symbolic_convert import InstructionTranslator

    return not InstructionTranslator.current_tx().one_graph


def break_graph() -> None:
    """End the graph that Dynamo traces; what follows runs in Python."""
    torch._dynamo.graph_break()


def surely(condition: bool) -> bool:
    """A condition on sizes; false where a trace does not know the sizes, which depend on data."""
    if is_dynamo_compiling():
        from torch.fx.experimental.symbolic_shapes import guard_or_false

        return bool(guard_or_false(condition))
    return condition


def is_known(number: float) -> bool:
    """Whether a trace knows the number: it is not an input of the graph."""
    if is_dynamo_compiling():
        from torch.fx.experimental.symbolic_shapes import has_static_value

        return has_static_value(number)
    return True


def wait_for_dynamo() -> None:
    """Add the rules when Dynamo is imported. Those for operators do nothing from torch 2.15 on."""
    when_imported("torch._dynamo.convert_frame", lambda module: _rules().teach_frames(module))
    when_imported("torch._dynamo.variables.misc", lambda module: _rules().teach_formats(module))
    when_imported("torch._dynamo.variables.tensor", lambda module: _numpys().teach_writes(module))
    when_imported("torch._dynamo.guards", lambda module: _guards().teach_guards(module))
    if tuple(int(part) for part in torch.__version__.split(".")[:2]) < (2, 15):
        when_imported(_BUILTIN, lambda module: _rules().teach(module))


def wait_for_inductor() -> None:
    """Add the rules for compiled copies and writes when inductor is imported."""
    when_imported("torch._inductor.codecache", lambda module: _passes().teach_cache(module))
    passes = "torch._inductor.fx_passes"
    when_imported(f"{passes}.post_grad", lambda module: _passes().teach_copies(module))
    when_imported(f"{passes}.joint_graph", lambda module: _passes().teach_identities(module))
    when_imported(f"{passes}.reinplace", lambda module: _passes().teach_writes_in_place(module))
    when_imported("torch._inductor.scheduler", lambda module: _order().teach_order(module))
    when_imported("torch._inductor.lowering", lambda module: _order().teach_views(module))


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
    when_imported(_BUILTIN, lambda module: _rules().teach_isinstance(module, seen_as, extremes))
    when_imported("torch._dynamo.variables.lists", lambda module: _rules().teach_slices(module))
    when_imported(
        "torch._dynamo.variables.user_defined",
        lambda module: _rules().teach_classes(module, seen_as),
    )
    when_imported(
        "torch._dynamo.variables.misc",
        lambda module: _rules().teach_conversions(module, conversions),
    )


def take_scalars(kind: type) -> None:
    """Let Dynamo take scalars of ``kind``, a type of NumPy's, as arguments of a function."""
    when_imported("torch._dynamo.guards", lambda module: _numpys().teach_arguments(module, kind))


def index_numpys_arrays(
    base: type, read: Callable[[Any, Any], Any], write: Callable[[Any, Any, Any], None]
) -> None:
    """Let Dynamo trace keys with arrays of the class ``base`` for NumPy's arrays.

    It traces ``read(a, key)`` and ``write(a, key, value)`` in their place.
    """
    when_imported(_BUILTIN, lambda module: _numpys().teach_reads(module, base, read))
    when_imported(
        "torch._dynamo.variables.tensor",
        lambda module: _numpys().teach_element_writes(module, base, write),
    )


def know_dtypes(dtype_of: Callable[[Any], Any]) -> None:
    """Let Dynamo trace the dtype of a NumPy array; ``dtype_of`` has NumPy's for each of torch's.

    Dynamo traces ``dtype_of``, too.
    """
    when_imported(
        "torch._dynamo.variables.tensor", lambda module: _numpys().teach_dtypes(module, dtype_of)
    )


def see_into_tuples() -> None:
    """Let Dynamo see classes of ours in a tuple, as in ``x[:, index]``."""
    when_imported(
        "torch._dynamo.variables.torch_function", lambda module: _rules().teach_tuples(module)
    )


_BUILTIN = "torch._dynamo.variables.builtin"


def _rules() -> Any:
    return importlib.import_module(_RULES)


def _numpys() -> Any:
    return importlib.import_module("xp_torch._torch.dynamo_numpys")


def _guards() -> Any:
    return importlib.import_module("xp_torch._torch.dynamo_guards")


def _passes() -> Any:
    return importlib.import_module("xp_torch._torch.inductor_rules")


def _order() -> Any:
    return importlib.import_module("xp_torch._torch.inductor_order")


# --- code that is traced only as a part of a user's function ---


def trace_when_called(package: str) -> None:
    """Let Dynamo trace the functions of a package inside a user's function, and only there.

    After a graph break the interpreter calls the package's functions. Dynamo would compile each
    of them by itself, with their ``try`` blocks and fallbacks, which makes many small graphs, and
    it fails for some code that it can trace inline. torch's own Python has the same rule.
    """

    def rule(module: ModuleType) -> None:
        called = getattr(module, "BUILTIN_INLINE_WHEN_CALLED", None)
        if called is None:  # torch 2.11 has the rule for its own modules, in a set that it keeps
            called = module.get_mod_inlinelist()
        spec = importlib.util.find_spec(package)
        if spec is not None and spec.submodule_search_locations:
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
