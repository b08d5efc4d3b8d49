"""``BackendEnvironment``: one array library as one torch device."""

from __future__ import annotations

import atexit
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Literal, NoReturn, TypeVar

import torch
from torch import Tensor

from ._blobs import EMPTY, Blobs
from ._compiler import Compiler
from ._copies import check_placement
from ._dispatch import Dispatch
from ._errors import BackendError
from ._operators import aten, factories, schema
from ._postponed import carried, let_threads_finish, postponed
from ._report import Counts, Report
from ._tensor import BackendTensor, contiguous_strides
from ._torch_internals import (
    BackendModule,
    Overload,
    Packet,
    all_decompositions,
    core_decompositions,
    define_device,
    explicit_composites,
    guard_dlpack,
)

F = TypeVar("F", bound=Callable[..., Any])
Blob = Any
"""An array of the library: any type that the program names as ``blob_type``."""

EMPTY_STRIDED = aten("empty_strided.default")
PIN_MEMORY = aten("_pin_memory.default")


class BackendEnvironment:
    """An array library as a torch device: a data type, two transfers and operators.

    Parameters
    ----------
    name : str
        The name of the device: ``torch.device(name)``. It renames torch's PrivateUse1 key, so a
        process has one backend, with one name.
    blob_type : type or tuple of types
        The library's array type.
    cpu_to_backend : callable
        Takes a contiguous CPU tensor, returns an array with its shape, dtype and values.
    backend_to_cpu : callable
        Takes an array, returns a CPU tensor.
    fallback : {"error", "cpu"}
        What happens to an operator that is neither registered nor decomposed: an error that names
        it, or a run on the CPU that the report counts.
    own : callable, optional
        For a library whose arrays are written to (``as_strided`` and ``copy_`` are registered): it
        takes a result and returns an array in C order that shares memory with nothing.

    Raises
    ------
    BackendError
        If the process has a backend already.
    TypeError, ValueError
        For wrong arguments.

    Notes
    -----
    After https://github.com/pytorch/pytorch/pull/157859, which lets Python define a device.

    Examples
    --------
    >>> env = BackendEnvironment(
    ...     "npy", numpy.ndarray, lambda t: t.numpy(), torch.from_numpy
    ... )  # doctest: +SKIP
    >>> @env.register_op(torch.ops.aten.add.Tensor)  # doctest: +SKIP
    ... def add(a, b, *, alpha=1):
    ...     return numpy.add(a, b * alpha)
    """

    def __init__(
        self,
        name: str,
        blob_type: type[object] | tuple[type[object], ...],
        cpu_to_backend: Callable[[Tensor], Blob],
        backend_to_cpu: Callable[[Blob], Tensor],
        *,
        fallback: Literal["error", "cpu"] = "error",
        own: Callable[[Blob], Blob] | None = None,
    ) -> None:
        if not isinstance(name, str) or not name.isidentifier():  # type: ignore[redundant-expr]
            raise ValueError(f"name must be an identifier, got {name!r}")
        if fallback not in ("error", "cpu"):
            raise ValueError(f'fallback must be "error" or "cpu", got {fallback!r}')
        for argument, value in (
            ("cpu_to_backend", cpu_to_backend), ("backend_to_cpu", backend_to_cpu),
        ):  # fmt: skip
            if not callable(value):
                raise TypeError(f"{argument} must be callable, got {value!r}")
        there: Any = BackendTensor.environment
        if there is not None:
            raise BackendError(
                f"this process has the backend {there.name!r} already: torch has one PrivateUse1 "
                f"device a process, so {name!r} needs a process of its own"
            )
        self.name = name
        self.blob_type = blob_type
        self.lacking_dtypes: frozenset[torch.dtype] = frozenset()
        self._counts = Counts()
        self._operators: dict[Any, Callable[..., Any]] = {}
        self._blobs = Blobs(
            name, blob_type, cpu_to_backend, backend_to_cpu, self._operators, self._counts, own
        )
        self._dispatch = Dispatch(self._blobs, self._counts, fallback)
        self._compiler: Compiler | None = None
        define_device(name, _module(name, self))
        self.device = torch.device(name, 0)
        BackendTensor.environment = self
        atexit.register(let_threads_finish)
        self._library = torch.library.Library("aten", "IMPL")
        self._make_factories()

    def __repr__(self) -> str:
        return f"BackendEnvironment({self.name!r}, {len(self._operators)} operators)"

    # --- what a program registers ---

    def register_op(self, op: object, function: Callable[..., Any] | None = None) -> Any:
        """Register a function over arrays for an operator; a decorator without ``function``.

        Parameters
        ----------
        op : OpOverload, OpOverloadPacket or callable
            ``torch.ops.aten.add.Tensor``, ``torch.ops.aten.add`` (every overload that returns what
            it computes), or a function of torch (``torch.add``: the packet of that name).
        function : callable
            It gets the operator's arguments, with arrays in place of tensors and without device,
            layout and memory format, and returns arrays. An element-wise operator gets operands
            of one dtype, by torch's promotion, and its result is cast to torch's dtype. A function
            may return NotImplemented; the operator is then decomposed.

        Raises
        ------
        TypeError
            If ``op`` is no operator of torch.
        """
        overloads = _overloads(op)

        def register(function: F) -> F:
            if not callable(function):
                raise TypeError(f"register_op({op}) takes a callable, got {function!r}")
            for overload in overloads:
                self._operators[overload] = function
            self._dispatch.forget()
            return function

        return register if function is None else register(function)

    def register_default_decompositions(self) -> None:
        """Decompose what is not registered by torch's tables: core ATen, then all others."""
        self._dispatch.tables += [core_decompositions(), all_decompositions()]
        self._dispatch.forget()

    def register_compiler(
        self, compiler: Callable[[torch.fx.GraphModule], Callable[..., Any]]
    ) -> Callable[[torch.fx.GraphModule], Callable[..., Any]]:
        """Register a compiler: from a graph of ATen operators to a function over arrays.

        The function takes the arrays of the graph's placeholders and returns a list of arrays.
        It serves ``torch.compile(f, backend=env.dynamo_backend)``, and every operator that is
        neither registered nor decomposed, as a graph of one node.
        """
        if not callable(compiler):
            raise TypeError(f"register_compiler takes a callable, got {compiler!r}")
        self._compiler = Compiler(self._blobs, compiler)
        self._dispatch.compile = self._compiler.operator
        self._dispatch.forget()
        return compiler

    @property
    def operators(self) -> frozenset[Any]:
        """The overloads that are registered."""
        return frozenset(self._operators)

    def function(self, op: object) -> Callable[..., Any]:
        """The function that is registered for an overload; KeyError if none is."""
        return self._operators[op]

    @contextmanager
    def lacking(self, *dtypes: torch.dtype) -> Iterator[None]:
        """Inside the ``with`` block the device refuses tensors of these dtypes.

        ``TypeError`` where one would be made, as on Apple's MPS, which has no float64. Tensors that
        are there already can be read.
        """
        before = self.lacking_dtypes
        self.lacking_dtypes = before | frozenset(dtypes)
        try:
            yield
        finally:
            self.lacking_dtypes = before

    # --- what a program asks ---

    def report(self, *, reset: bool = False) -> Report:
        """What ran, what was decomposed or ran on the CPU, and what moved; then start at zero."""
        found = self._counts.report()
        if reset:
            self._counts.clear()
        return found

    def blob(self, tensor: Tensor) -> Blob:
        """The array with the values of a tensor, of its shape and dtype. Do not write to it.

        Raises
        ------
        TypeError
            If the tensor is not on this device.
        """
        if not isinstance(tensor, BackendTensor):
            raise TypeError(f"blob takes a tensor on {self.name!r}, got one on {tensor.device}")
        plain: Any = tensor.resolve_conj().resolve_neg()
        return self._blobs.read(plain)

    def tensor(self, blob: Blob) -> Tensor:
        """A tensor with the values of an array, which it copies if the library writes to arrays.

        Raises
        ------
        TypeError
            If ``blob`` is not an array of the library.
        """
        if not isinstance(blob, self.blob_type):
            raise TypeError(f"tensor takes a {self.blob_type!r}, got {type(blob)!r}")
        return self._blobs.wrap(self._blobs.clone(blob))

    def dynamo_backend(self, graph: torch.fx.GraphModule, inputs: list[Any]) -> Callable[..., Any]:
        """The backend for ``torch.compile(f, backend=env.dynamo_backend)``.

        Without a compiler the graph runs operator by operator. With one, the graph is traced to
        ATen operators for the shapes and dtypes of its inputs and compiled.
        """
        if self._compiler is None:
            return graph.forward
        return self._compiler.graph(graph)

    # --- what the tensors ask ---

    def dispatch(self, func: object, args: tuple[object, ...], kwargs: dict[str, object]) -> Any:
        """Run an operator; torch calls it."""
        return self._dispatch(func, args, kwargs)

    postponed = staticmethod(postponed)
    carried = staticmethod(carried)

    def to_cpu_tensor(self, tensor: BackendTensor, operator: str) -> Tensor:
        """The values of a tensor on the CPU, counted for ``operator``."""
        plain = tensor.resolve_conj().resolve_neg()
        return self._blobs.to_cpu(self._blobs.read(plain), operator)  # type: ignore[arg-type]

    def _make_factories(self) -> None:
        implement: Any = self._library.impl
        for op in factories():
            implement(op.name().removeprefix("aten::"), self._factory(op), "PrivateUse1")
        implement("_copy_from", self._copy_from, "PrivateUse1")
        implement("_pin_memory", self._pin_memory, "CPU")
        guard_dlpack(self._refuse_capsule)

    def _pin_memory(self, tensor: Tensor, device: Any = None) -> Tensor:
        """What ``tensor.pin_memory()`` and a DataLoader call for tensors of the CPU."""
        if device is not None and torch.device(device).type != self.name:
            found: Tensor = explicit_composites(PIN_MEMORY)[0](tensor, device)
            return found
        raise BackendError(
            f"cannot pin memory for backend {self.name!r}: it copies from ordinary memory; make "
            "the DataLoader with pin_memory=False"
        )

    def _refuse_capsule(self, function: str, x: object) -> None:
        if isinstance(x, BackendTensor):
            raise BufferError(
                f"{function} takes no tensor on {self.name!r}: torch has no memory of it to "
                "describe. x.cpu() copies the values, and x.__dlpack__() exports the array of "
                "the library"
            )

    def _factory(self, op: Any) -> Callable[..., Tensor]:
        """A kernel that makes a tensor: the registered function, or a move from the CPU."""
        random = any(a.name == "generator" for a in schema(op).arguments) or "rand" in op.name()

        def make(*args: Any, **kwargs: Any) -> Tensor:
            check_placement(self.name, kwargs)
            for dropped in ("device", "pin_memory", "layout", "memory_format"):
                kwargs.pop(dropped, None)
            if kwargs.get("dtype") is None:
                kwargs.pop("dtype", None)
            if op is EMPTY or op is EMPTY_STRIDED:
                shape = tuple(args[0])
                strides = tuple(args[1]) if op is EMPTY_STRIDED else contiguous_strides(shape)
                dtype = kwargs.get("dtype") or torch.get_default_dtype()
                return self._blobs.empty(shape, strides, dtype)
            function = None if random else self._operators.get(op)
            if function is not None:
                result = function(*args, **kwargs)
                if result is not NotImplemented:
                    self._counts.operators[op] += 1
                    return self._blobs.wrap(result)
            drawn = op(*args, device="cpu", **kwargs)
            return self._blobs.wrap(self._blobs.from_cpu(drawn, str(op)))

        return make

    def _copy_from(self, source: Tensor, target: Tensor, non_blocking: bool = False) -> Tensor:
        return self._dispatch.copy((target, source), {})


def _overloads(op: Any) -> list[Any]:
    """The overloads that an argument of ``register_op`` stands for."""
    if isinstance(op, Overload):
        return [op]
    if not isinstance(op, Packet):
        name = getattr(op, "__name__", None)
        packet = getattr(torch.ops.aten, name, None) if isinstance(name, str) else None
        if packet is None:
            raise TypeError(
                f"register_op takes an operator of torch.ops or a function of torch, got {op!r}"
            )
        op = packet
    found = [getattr(op, overload) for overload in op.overloads()]
    return [o for o in found if not schema(o).is_mutable]


def _module(name: str, environment: BackendEnvironment) -> Any:
    """The module ``torch.<name>`` of the device."""

    class Module(BackendModule):  # type: ignore[misc]
        """What torch asks of a device: one device, no streams, the generator of the CPU."""

        __name__ = f"torch.{name}"

        @staticmethod
        def synchronize(device: object = None) -> None:
            """Return at once: a backend in Python has finished when a call returns."""

        @staticmethod
        def manual_seed(seed: int) -> None:
            """Seed the generator of the CPU, which draws the numbers."""
            torch.default_generator.manual_seed(seed)

        @staticmethod
        def manual_seed_all(seed: int) -> None:
            """Do nothing: ``torch.manual_seed`` has seeded the generator of the CPU."""

        @staticmethod
        def device(device: object) -> NoReturn:
            """Refuse: torch enters the device to make a storage there, as ``torch.load`` does."""
            raise BackendError(
                f"backend {name!r} has no storages of torch's to fill: load with "
                f"map_location='cpu', and move the tensors with .to({name!r})"
            )

        @staticmethod
        def get_rng_state(device: object = None) -> Tensor:
            return torch.default_generator.get_state()

        @staticmethod
        def set_rng_state(state: Tensor, device: object = None) -> None:
            torch.default_generator.set_state(state)

        @staticmethod
        def get_amp_supported_dtype() -> list[torch.dtype]:
            return [torch.float32, torch.float64]

        @staticmethod
        def lacking_dtypes() -> frozenset[torch.dtype]:
            """The dtypes that the device cannot store now: see ``BackendEnvironment.lacking``."""
            return environment.lacking_dtypes

    module = Module()
    sys.modules.setdefault(f"torch.{name}", module)
    return module
