"""Every private name of torch that ``xp_backend`` uses, and what would replace it.

No other module of ``xp_backend`` uses a private module, function or attribute of torch. Operators
of ATen are looked up by their schema names ("_to_copy.default"), which are public.

========================================  =========================================================
name                                      what would make it unnecessary
========================================  =========================================================
``_setup_privateuseone_for_python_backend``  a public way to define a device in Python; see
                                          https://github.com/pytorch/pytorch/pull/157859; its
                                          docstring says that it may change
``_DummyBackendModule``                   the same
``Tensor._make_wrapper_subclass``         a public constructor of wrapper tensors;
                                          https://github.com/albanD/subclass_zoo documents it; no
                                          public issue known
``_C._disabled_torch_function_impl``      a public name;
                                          https://github.com/pytorch/pytorch/issues/87990
``_python_dispatch.return_and_correct_aliasing``  a public module; no public issue known
``_C._dispatch_get_all_op_names``         a public list of operators; no public issue known
``OpOverload._op_dk``                     a public way to run the composite kernel of an operator;
                                          no public issue known
``_C._dispatch_has_kernel_for_dispatch_key``  the same
``_C.DispatchKey``                        the same
``_decomp``                               a public table of all decompositions:
                                          ``torch.export.default_decompositions`` has the core ones
``OpOverload._schema``                    a public schema; no public issue known
``torch._ops``                            public classes of operators; no public issue known
``_C._set_conj``, ``_C._set_neg``         public names; no public issue known
``Variable._execution_engine``            a public way to call a function when a backward pass
                                          ends; no public issue known
``_utils._rebuild_device_tensor_from_cpu_tensor``  a public function that ``torch.load`` trusts and
                                          that follows ``map_location``; no public issue known
``_utils._rebuild_parameter``             the same, for a parameter
``_C._get_dispatch_mode``, ``_C._TorchDispatchModeKey``  a public way to ask whether ``make_fx`` is
                                          at work; no public issue known
========================================  =========================================================
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

import torch
import torch._decomp
import torch.utils.dlpack
from torch import Tensor
from torch.fx.experimental.proxy_tensor import make_fx as make_fx
from torch.utils._python_dispatch import return_and_correct_aliasing
from torch.utils.backend_registration import (
    _DummyBackendModule,
    _setup_privateuseone_for_python_backend,
)

make_wrapper: Any = Tensor._make_wrapper_subclass
"""Make a tensor of a subclass that has no memory of its own."""

no_torch_function: Any = torch._C._disabled_torch_function_impl
"""What a subclass has as ``__torch_function__`` to leave torch's functions alone."""

correct_aliasing: Any = return_and_correct_aliasing
"""Give the results of a view operator the storage of its argument."""

rebuild_from_cpu: Any = torch._utils._rebuild_device_tensor_from_cpu_tensor
"""What a pickle of a tensor calls; ``torch.load`` trusts it, and ``map_location`` applies to it."""

rebuild_parameter: Any = torch._utils._rebuild_parameter
"""What a pickle of a parameter calls; ``torch.load`` trusts it."""

_mode: Any = torch._C._get_dispatch_mode
_PROXY: Any = torch._C._TorchDispatchModeKey.PROXY


def make_fx_is_tracing() -> bool:
    """Whether ``make_fx`` traces, and has left the operation at hand to the tensors' class."""
    return _mode(_PROXY) is not None


set_conj: Any = torch._C._set_conj
set_neg: Any = torch._C._set_neg

BackendModule: type[Any] = _DummyBackendModule
"""What torch expects of ``torch.<name>``, the module of a device."""


def define_device(name: str, module: object) -> None:
    """Make ``torch.device(name)`` a device whose kernels are written in Python."""
    _setup_privateuseone_for_python_backend(name, backend_module=module)


def guard_dlpack(check: Callable[[str, object], None]) -> None:
    """Call ``check(function, x)`` before torch's functions that make and read DLPack capsules.

    They ask no tensor subclass: ``to_dlpack`` would make a capsule over no memory.
    """
    for name in ("to_dlpack", "from_dlpack"):
        theirs = getattr(torch.utils.dlpack, name)

        def guarded(x: Any, *args: Any, _name: str = name, _theirs: Any = theirs, **kw: Any) -> Any:
            check(_name, x)
            return _theirs(x, *args, **kw)

        for module in (torch, torch.utils.dlpack):
            setattr(module, name, functools.wraps(theirs)(guarded))


def at_end_of_backward(function: Callable[[], None]) -> None:
    """Call a function when the backward pass that is running ends; its error is ``backward``'s."""
    torch.autograd.Variable._execution_engine.queue_callback(function)


def operator_names() -> list[str]:
    """Every operator that torch knows, as "namespace::name.overload"."""
    return torch._C._dispatch_get_all_op_names()


Overload: type[Any] = torch._ops.OpOverload
Packet: type[Any] = torch._ops.OpOverloadPacket
"""The classes of ``torch.ops.aten.add.Tensor`` and ``torch.ops.aten.add``."""


def schema(op: Any) -> Any:
    """The schema of an operator overload."""
    return op._schema


COMPOSITE = (
    torch._C.DispatchKey.CompositeExplicitAutograd,
    torch._C.DispatchKey.CompositeExplicitAutogradNonFunctional,
)


def is_composite(op: Any) -> bool:
    """Whether torch defines an operator by others, for every device."""
    key = torch._C.DispatchKey.CompositeImplicitAutograd
    return torch._C._dispatch_has_kernel_for_dispatch_key(op.name(), key)


def explicit_composites(op: Any) -> list[Callable[..., Any]]:
    """The kernels of an operator that are written in terms of others."""

    def under(key: Any) -> Callable[..., Any]:
        return lambda *args, **kwargs: op._op_dk(key, *args, **kwargs)

    return [
        under(key)
        for key in COMPOSITE
        if torch._C._dispatch_has_kernel_for_dispatch_key(op.name(), key)
    ]


def core_decompositions() -> dict[Any, Callable[..., Any]]:
    """The decompositions into core ATen."""
    return dict(torch._decomp.core_aten_decompositions())


def all_decompositions() -> dict[Any, Callable[..., Any]]:
    """Every decomposition that torch has, most of them into prims."""
    return dict(torch._decomp.decomposition_table)


def tensors_in(value: object) -> Iterator[Tensor]:
    """The tensors in nested lists, tuples and dictionaries."""
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from tensors_in(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from tensors_in(item)
