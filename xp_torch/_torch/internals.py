"""The private names of torch that eager code uses, and what would replace them.

Outside of this folder, ``xp_torch`` and ``numpy_shim`` use no private module, function or attribute
of torch, except the attributes in ``READ_IN_PLACE``. The import of this module, and so of the
packages, changes nothing in torch: it registers the classes of arrays as pytree nodes and for
``default_collate``, and no more.

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
``utils._device.DeviceContext``,    public questions for the default device and for the mode that it
``_device_constructors``,           is, which cost less than making a tensor; no public issue known
``_C._get_function_stack_at``,
``_GLOBAL_DEVICE_CONTEXT``
``OptimizeContext``                 a public call before something is compiled; no public issue
                                    known
``_inductor.config``                a public name; no public issue known
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
``get_eval_frame_callback``         a public question whether a compiled function has called; no
                                    public issue known
``guard_or_false``                  documented for users, in a module that is not public
``has_static_value``                documented for users, in a module that is not public
==================================  ===============================================================
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import torch
from torch import Tensor
from torch.autograd import forward_ad
from torch.compiler import is_dynamo_compiling
from torch.utils import _pytree
from torch.utils._device import DeviceContext
from torch.utils._python_dispatch import TorchDispatchMode as TorchDispatchMode
from torch.utils._python_dispatch import _disable_current_modes
from torch.utils.data._utils import collate

from .._core.box import TensorBox

TORCH_RELEASE = tuple(int(part) for part in torch.__version__.split(".")[:2])
"""The installed torch, as ``(2, 13)``."""

try:
    from torch._C._dynamo.eval_frame import get_eval_frame_callback
except ImportError:  # then it may compile at any time

    def get_eval_frame_callback() -> object:  # type: ignore[misc]
        """What ``compiles_frames`` takes for an answer where torch gives none."""
        return True


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
    return transform_level() is not None or in_forward_mode() or is_traced()


transform_level: Callable[[], int | None] = torch._C._functorch.maybe_current_level
"""The number of the innermost transform of ``torch.func`` at work, or ``None``."""


is_batched: Callable[[Tensor], bool] = torch._C._functorch.is_batchedtensor
"""Whether ``vmap`` has wrapped a tensor."""


def is_traced() -> bool:
    """Whether a mode traces what torch computes, as ``make_fx`` and fake tensors do."""
    return count_modes() > 0 and any(_mode(key) is not None for key in _TRACING)


def layers_of(tensor: Tensor, in_batches: bool = False) -> list[Tensor]:
    """A tensor, and those that derivatives of ``torch.func`` have wrapped in it, outermost first.

    A batch of ``vmap`` is one tensor: what is inside has another shape, unless that is asked for.
    """
    ask, found = torch._C._functorch, [tensor]
    while ask.is_functorch_wrapped_tensor(found[-1]) and (in_batches or not is_batched(found[-1])):
        found.append(ask.get_unwrapped(found[-1]))
    return found


count_modes: Callable[[], int] = torch._C._len_torch_dispatch_stack
"""How many modes see the calls of torch's operators; some of them may trace."""

count_function_modes: Callable[[], int] = torch._C._len_torch_function_stack
"""How many modes see the calls of torch's functions; a default device is one of them."""

tensor_type_device: Callable[[], str] = torch._C._get_default_device
"""The kind of device of new tensors that no mode moves: ``set_default_tensor_type`` changes it."""


def mode_device() -> torch.device | None:
    """The default device where it is the only mode; ``None`` where torch must be asked."""
    if count_function_modes() == 1:
        mode = torch._C._get_function_stack_at(0)
        if type(mode) is DeviceContext:
            return mode.device
    return None


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


def constant(function: F) -> F:
    """Let Dynamo call ``function`` while it traces and take the result as a constant.

    For functions of constants that call NumPy. This is ``torch.compiler.assume_constant_result``
    without the import of Dynamo, which takes two seconds.
    """
    function._dynamo_marked_constant = True  # type: ignore[attr-defined]
    return function


def compile_in_this_thread() -> None:
    """Let inductor start no threads and no processes: a fork has none of them."""
    os.environ["TORCHINDUCTOR_COMPILE_THREADS"] = "1"
    config: Any = sys.modules.get("torch._inductor.config")
    if config is not None:
        config.compile_threads = 1


@constant
def may_break_graph() -> bool:
    """Whether the program that Dynamo traces may become several graphs."""
    from torch._dynamo.symbolic_convert import InstructionTranslator

    return not InstructionTranslator.current_tx().one_graph


def compiles_frames() -> bool:
    """Whether Dynamo compiles the frames that this thread calls: a compiled function called."""
    return get_eval_frame_callback() not in (None, False)


def break_graph() -> None:
    """End the graph that Dynamo traces; what follows runs in Python."""
    torch._dynamo.graph_break()


def is_certain(condition: bool) -> bool:
    """A condition on sizes; false where a trace does not know the sizes, which depend on data."""
    if is_dynamo_compiling():
        from torch.fx.experimental.symbolic_shapes import guard_or_false

        return bool(guard_or_false(condition))
    return condition


def is_empty(shape: Sequence[int]) -> bool:
    """Whether there is no element; false where a trace does not know the sizes."""
    if is_dynamo_compiling():
        return any(is_certain(size == 0) for size in shape)
    return 0 in shape


def is_known(number: float) -> bool:
    """Whether a trace knows the number: it is not an input of the graph."""
    if is_dynamo_compiling():
        from torch.fx.experimental.symbolic_shapes import has_static_value

        return has_static_value(number)
    return True
