"""What happens at an operator: the rules, in the order in which they are tried.

1. copies between devices and dtypes, and items;
2. views: a meta tensor computes the geometry, the cell is shared;
3. registered operators;
4. in-place operators and ``out=``: the functional operator, then a strided write;
5. decompositions, with a stack of those at work against recursion;
   the compiler, with a graph of one node, is one of them;
6. the CPU, if ``fallback="cpu"``; else an error that says what to register.

Which rule serves an operator is found once and kept as a handler.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from . import _decompositions, _random, _views
from ._blobs import CLONE, COPY, TO_COPY, Blobs
from ._copies import ITEM, Args, Copies, Kwargs, check_placement
from ._errors import BackendError, MissingOperatorError
from ._operators import aten, functional, is_pointwise, is_view, schema, short_name, written
from ._promotion import dtypes, signature_of
from ._report import Counts, line_of_program
from ._tensor import BackendTensor
from ._torch_internals import explicit_composites, is_composite, tensors_in

Handler = Callable[[Args, Kwargs], Any]

INDEXING = frozenset(
    aten(name)
    for name in (
        "index.Tensor", "index_put.default", "index_put_.default", "_index_put_impl_.default",
        "_unsafe_index.Tensor", "_unsafe_index_put.default",
    )
)  # fmt: skip
"""Operators whose second argument is a list of indices, which may be on the CPU."""
SAME_NUMEL = aten("_has_same_storage_numel.default")
COPY_FROM = aten("_copy_from.default")
TARGETS = ("device", "layout", "pin_memory", "memory_format", "non_blocking")
"""Arguments that a registered function does not get: the backend has one place and one layout."""


class Dispatch(Copies):
    """The rules of one backend."""

    def __init__(self, blobs: Blobs, counts: Counts, fallback: str) -> None:
        self.blobs = blobs
        self.counts = counts
        self.fallback = fallback
        self.tables: list[dict[Any, Callable[..., Any]]] = [dict(_decompositions.OWN)]
        self.compile: Callable[[Any, Args, Kwargs], Any] | None = None
        self._handlers: dict[Any, Handler] = {}
        self._strategies: dict[Any, list[Callable[..., Any]]] = {}
        self._local = threading.local()

    def __call__(self, op: object, args: Args, kwargs: Kwargs) -> Any:
        handler = self._handlers.get(op)
        if handler is None:
            handler = self.handler(op)
            if op in INDEXING:
                handler = self.indexing(op, handler)
            self._handlers[op] = handler
        return handler(args, kwargs)

    def forget(self) -> None:
        """Find the handlers again: something was registered."""
        self._handlers.clear()
        self._strategies.clear()

    def handler(self, op: Any) -> Handler:
        """The rule for an operator."""
        if op is ITEM:
            return self.item
        if op is TO_COPY:
            return self.to_copy
        if op is CLONE:
            return self.clone
        if op is COPY:
            return self.copy
        if op is COPY_FROM:
            return lambda args, kwargs: self.copy((args[1], args[0]), {})
        if op is SAME_NUMEL:
            return lambda args, kwargs: True
        name = short_name(op)
        if name in _views.ONTO:
            return lambda args, kwargs: _views.same_view(op, args, kwargs)
        # ``to.other`` and ``reshape`` are annotated as views, but may copy.
        composite = is_composite(op) and op not in self.blobs.operators
        if op is _views.UNSAFE_VIEW or (is_view(op) and not composite):
            return lambda args, kwargs: _views.view(op, args, kwargs)
        if torch.Tag.inplace_view in op.tags:
            if name in ("resize_", "set_"):
                return lambda args, kwargs: self.resized(op, args, kwargs)
            return lambda args, kwargs: _views.change_view(op, args, kwargs)
        function = self.blobs.operators.get(op)
        if function is not None:
            if is_pointwise(op):
                return Pointwise(self, op, function)
            return lambda args, kwargs: self.registered(op, function, args, kwargs)
        if op in _random.FILLING:
            return lambda args, kwargs: _random.fill(self.blobs, op, args, kwargs)
        if schema(op).is_mutable:
            return lambda args, kwargs: self.mutating(op, args, kwargs)
        if name.endswith("_copy") and (base := self.view_of(op, name)) is not None:
            return lambda args, kwargs: copies(base(*args, **kwargs))
        if name.endswith("_scatter") and (base := self.view_of(op, name)) is not None:
            return lambda args, kwargs: scattered(base, args, kwargs)
        return lambda args, kwargs: self.decomposed(op, args, kwargs)

    @staticmethod
    def view_of(op: Any, name: str) -> Any:
        """The view operator behind ``slice_copy`` or ``slice_scatter``, or None."""
        overload = op.name().partition(".")[2] or "default"
        base = name.removesuffix("_copy").removesuffix("_scatter")
        for candidate in (overload, "Tensor", "int", "default"):
            found = aten(f"{base}.{candidate}")
            if found is not None and is_view(found):
                return found
        return None

    def indexing(self, op: object, handler: Handler) -> Handler:
        """A handler that gets the indices here: torch takes them from the CPU for every device."""

        def handle(args: Args, kwargs: Kwargs) -> Any:
            if isinstance(args[0], BackendTensor) and len(args) > 1:
                here = [
                    self.blobs.wrap(self.blobs.from_cpu(i, str(op)))
                    if isinstance(i, Tensor) and i.device.type == "cpu"
                    else i
                    for i in args[1]
                ]
                args = (args[0], here, *args[2:])
            return handler(args, kwargs)

        return handle

    # --- registered operators ---

    def argument(self, value: object, op: object) -> Any:
        """A value as a registered function gets it: blobs in place of tensors."""
        if isinstance(value, BackendTensor):
            return self.blobs.read(value)
        if isinstance(value, Tensor):
            if value.ndim == 0:
                return self.blobs.from_cpu(value, str(op))
            raise self.two_devices(op, value)
        if isinstance(value, (list, tuple)):
            return [self.argument(v, op) for v in value]
        return value

    def two_devices(self, op: object, tensor: Tensor) -> RuntimeError:
        """The error for a tensor that is elsewhere, in torch's words."""
        return RuntimeError(
            f"{op} expected all tensors to be on the same device, but found at least two "
            f"devices, {self.device} and {tensor.device}!"
        )

    def registered(self, op: Any, function: Callable[..., Any], args: Args, kwargs: Kwargs) -> Any:
        """The function of the program over the blobs of the arguments."""
        if kwargs:
            device = kwargs.get("device")
            if device is not None and torch.device(device).type != self.device.type:
                return self.decomposed(op, args, kwargs)
            check_placement(self.blobs.name, kwargs)
        blobs = [self.argument(a, op) for a in args]
        named = {k: self.argument(v, op) for k, v in kwargs.items() if k not in TARGETS}
        self.counts.operators[op] += 1
        result = function(*blobs, **named)
        if result is NotImplemented:
            return self.decomposed(op, args, kwargs)
        return self.wrapped(op, result, [*blobs, *named.values()])

    def wrapped(self, op: object, result: object, given: list[object]) -> Any:
        """Tensors over what a registered function returned."""
        if isinstance(result, (list, tuple)):
            found = [self.wrapped(op, r, given) for r in result]
            return found if isinstance(result, list) else tuple(found)
        if result is None or isinstance(result, bool):
            return result
        if not isinstance(result, self.blobs.blob_type) and self.blobs.own is not None:
            result = self.blobs.own(result)
        if not isinstance(result, self.blobs.blob_type):
            raise TypeError(
                f"the function registered for {op} on backend {self.blobs.name!r} must return "
                f"{self.blobs.blob_type!r}, got {type(result)!r}"
            )
        return self.blobs.wrap(self.fresh(result, given))

    def fresh(self, result: object, given: list[object]) -> Any:
        """A blob that is none of those that a function was given."""
        return self.blobs.clone(result) if any(result is g for g in given) else result

    # --- writes ---

    def mutating(self, op: object, args: Args, kwargs: Kwargs) -> Any:
        """The functional operator, then a write to each argument that is written."""
        other = functional(op)
        if other is None:
            return self.decomposed(op, args, kwargs)
        targets = written(op)
        in_place = targets[0].name == "self"
        names = [t.name for t in targets]
        if in_place:
            destinations = [args[0] if args else kwargs["self"]]
            result = other(*args, **kwargs)
        else:
            positions = {a.name: i for i, a in enumerate(schema(op).arguments)}
            bound = dict(kwargs)
            kept = list(args)
            for name in names:
                if positions[name] < len(args):
                    bound[name] = args[positions[name]]
            kept = [a for i, a in enumerate(args) if schema(op).arguments[i].name not in names]
            destinations = [bound.pop(name) for name in names]
            operands = list(tensors_in([kept, bound]))
            for tensor in [*flat(destinations), *(t for t in operands if t.ndim)]:
                if not isinstance(tensor, BackendTensor):
                    raise self.two_devices(op, tensor)
            if not any(isinstance(t, BackendTensor) for t in operands):
                bound["device"] = self.device
            result = other(*kept, **bound)
        results = list(result) if isinstance(result, (list, tuple)) else [result]
        given = [*tensors_in([args, kwargs])]
        for target, values in zip(flat(destinations), flat(results), strict=False):
            self.assign(op, target, values, in_place, given)
        if not schema(op).returns:
            return None
        return destinations[0] if len(destinations) == 1 else tuple(destinations)

    def assign(
        self, op: object, target: Tensor, values: Tensor, in_place: bool, given: list[Tensor]
    ) -> None:
        """Write a fresh result to a target, without a copy where it takes the target's place."""
        if not torch.can_cast(values.dtype, target.dtype):
            raise RuntimeError(
                f"result type {values.dtype} can't be cast to the desired output type "
                f"{target.dtype} ({op} on backend {self.blobs.name!r})"
            )
        if target.shape != values.shape and in_place:
            raise RuntimeError(
                f"output with shape {list(target.shape)} doesn't match the broadcast shape "
                f"{list(values.shape)} ({op} on backend {self.blobs.name!r})"
            )
        if (
            target.shape != values.shape
            and isinstance(target, BackendTensor)
            and isinstance(values, BackendTensor)
        ):
            if target.numel():
                raise BackendError(
                    f"out= of {op} on backend {self.blobs.name!r} must have the shape "
                    f"{tuple(values.shape)} or no elements, got {tuple(target.shape)}"
                )
            blob = self.blobs.cast(self.blobs.read(values), target.dtype)
            target.data = self.blobs.wrap(self.blobs.clone(blob))
            return
        if (
            isinstance(target, BackendTensor)
            and isinstance(values, BackendTensor)
            and values.whole
            and values.dtype is target.dtype
            and values.shape == target.shape
            and not any(isinstance(g, BackendTensor) and g.cell is values.cell for g in given)
        ):
            self.blobs.write(target, values.cell.blob)
        else:
            self.copy((target, values), {})

    # --- decompositions ---

    def strategies(self, op: Any) -> list[Callable[..., Any]]:
        """The ways to write an operator in terms of others, the best first."""
        kept = self._strategies.get(op)
        if kept is None:
            kept = self._strategies[op] = self._found_strategies(op)
        return kept

    def _found_strategies(self, op: Any) -> list[Callable[..., Any]]:
        found = [table[op] for table in self.tables if op in table]
        if self.compile is not None:
            compile = self.compile
            found.insert(
                0 if torch.Tag.core in op.tags else len(found),
                lambda *args, **kwargs: compile(op, args, kwargs),
            )
        of_prims = getattr(op, "impl_aten", None)
        if of_prims is not None:
            found.append(of_prims)
        found.append(op.decompose)
        # torch's kernels of these refuse every device and name no operator to register.
        return found if "_overrideable" in op.name() else found + explicit_composites(op)

    def decomposed(self, op: object, args: Args, kwargs: Kwargs) -> Any:
        """The first way to write the operator in terms of others that leads to an end."""
        active: list[tuple[Any, int]] = self._local.__dict__.setdefault("active", [])
        missing: MissingOperatorError | None = None
        if not active:
            self._local.line = line_of_program()  # also of the operators that it leads to
        for i, strategy in enumerate(self.strategies(op)):
            if (op, i) in active:
                continue
            active.append((op, i))
            try:
                result = strategy(*args, **kwargs)
            except MissingOperatorError as error:
                missing = missing or error
                continue
            finally:
                active.pop()
            if result is not NotImplemented:
                self.counts.decomposed[str(op), self._local.line] += 1
                return result
        if self.fallback == "cpu":
            return self.on_cpu(op, args, kwargs)
        if missing is not None:
            raise missing
        chain = " <- ".join(dict.fromkeys(str(o) for o, _ in reversed(active)))
        raise MissingOperatorError(
            f"backend {self.blobs.name!r}: {op} is not registered and has no decomposition"
            f"{f' (reached from {chain})' if chain else ''}; register it with "
            f"env.register_op(torch.ops.{op}), call env.register_default_decompositions(), or "
            f'make the backend with fallback="cpu"'
        )

    def on_cpu(self, op: Any, args: Args, kwargs: Kwargs) -> Any:
        """The operator on CPU copies of its arguments; results come back to the backend."""
        self.counts.fallen_back[str(op), line_of_program()] += 1

        def down(value: object) -> Any:
            if isinstance(value, BackendTensor):
                return self.blobs.to_cpu(self.blobs.read(value), str(op))
            if isinstance(value, (list, tuple)):
                return type(value)([down(v) for v in value])
            if isinstance(value, torch.device) and value.type == self.device.type:
                return torch.device("cpu")
            return value

        def up(value: object) -> Any:
            if isinstance(value, Tensor):
                return self.blobs.wrap(self.blobs.from_cpu(value, str(op)))
            if isinstance(value, (list, tuple)):
                return type(value)([up(v) for v in value])
            return value

        return up(op(*down(args), **{k: down(v) for k, v in kwargs.items()}))


class Pointwise:
    """A registered element-wise operator: torch's promotion, then the program's function."""

    __slots__ = ("_counts", "_dispatch", "_fast", "_function", "_op", "_wrap")

    def __init__(self, dispatch: Dispatch, op: object, function: Callable[..., Any]) -> None:
        self._dispatch = dispatch
        self._op = op
        self._function = function
        self._counts = dispatch.counts.operators
        self._wrap = dispatch.blobs.wrap
        self._fast: set[Any] = set()
        """Dtypes of operands, or of one and the type of a number, for which nothing is cast."""

    def __call__(self, args: Args, kwargs: Kwargs) -> Any:
        if not kwargs:
            if len(args) == 2:
                a, b = args
                if type(a) is BackendTensor and a.whole:
                    x = a.cell
                    if type(b) is BackendTensor:
                        y = b.cell
                        if x.dtype is y.dtype and b.whole and x.dtype in self._fast:
                            self._counts[self._op] += 1
                            return self._wrap(self._function(x.blob, y.blob))
                    elif (x.dtype, type(b)) in self._fast:
                        self._counts[self._op] += 1
                        return self._wrap(self._function(x.blob, b))
            elif len(args) == 1:
                a = args[0]
                if type(a) is BackendTensor and a.whole and a.cell.dtype in self._fast:
                    self._counts[self._op] += 1
                    return self._wrap(self._function(a.cell.blob))
            return self.of_views(args)
        return self.general(args, kwargs)

    def of_views(self, args: Args) -> Any:
        """The function where an operand is a view, or a number is on the left."""
        kinds = [a.dtype if type(a) is BackendTensor else type(a) for a in args]
        first, *others = kinds
        if not (
            first in self._fast if not others or others == [first] else tuple(kinds) in self._fast
        ):
            return self.general(args, {})
        read = self._dispatch.blobs.read
        given = [read(a) if type(a) is BackendTensor else a for a in args]
        self._counts[self._op] += 1
        return self._wrap(self._dispatch.fresh(self._function(*given), given))

    def general(self, args: Args, kwargs: Kwargs) -> Any:
        dispatch, op = self._dispatch, self._op
        blobs = dispatch.blobs
        kwargs = {k: v for k, v in kwargs.items() if k not in TARGETS}
        common, found = dtypes(op, signature_of(args, kwargs))
        names = [a.name for a in schema(op).arguments]

        def operand(name: str, value: object) -> Any:
            if isinstance(value, Tensor):
                blob = dispatch.argument(value, op)
                if common is None or value.dtype is common or name in ("condition", "mask"):
                    return blob
                return blobs.cast(blob, common)
            if isinstance(value, int) and common is not None and not common.is_floating_point:
                return wrapped_number(value, common)
            return value

        given = [operand(n, v) for n, v in zip(names, args, strict=False)]
        named = {k: operand(k, v) for k, v in kwargs.items()}
        self._counts[op] += 1
        result = self._function(*given, **named)
        if result is NotImplemented:
            return dispatch.decomposed(op, args, kwargs)
        self.learn(args, kwargs, common, found, result)
        if isinstance(result, (list, tuple)):
            return tuple(
                blobs.wrap(dispatch.fresh(r, given), dtype)
                for r, dtype in zip(result, found, strict=True)
            )
        return blobs.wrap(dispatch.fresh(result, given), found[0])

    def learn(
        self, args: Args, kwargs: Kwargs, common: torch.dtype | None, found: Args, result: object
    ) -> None:
        """Note operand dtypes for which nothing has to be cast, before or after the function."""
        blobs = self._dispatch.blobs
        if kwargs or common is None or isinstance(result, (list, tuple)):
            return
        if blobs.own is not None:
            result = blobs.own(result)
        if not isinstance(result, blobs.blob_type) or blobs.describe(result)[1] is not found[0]:
            return
        if any(result is t.cell.blob for t in args if isinstance(t, BackendTensor)):
            return
        first = args[0]
        if not isinstance(first, BackendTensor) or first.dtype is not common:
            return
        if len(args) == 1:
            self._fast.add(common)
        elif len(args) == 2:
            second = args[1]
            if isinstance(second, BackendTensor) and second.dtype is common:
                self._fast.add(common)
            elif type(second) in (int, float) and common.is_floating_point:
                self._fast.add((common, type(second)))


def wrapped_number(value: int, dtype: torch.dtype) -> int:
    """An integer as it is stored in an integer dtype: torch wraps where NumPy refuses."""
    if isinstance(value, bool) or dtype is torch.bool or dtype.is_complex:
        return value
    info = torch.iinfo(dtype)
    if info.min <= value <= info.max:
        return value
    return (value - info.min) % (info.max - info.min + 1) + info.min


def copies(value: Any) -> Any:
    """Clones of one tensor or of several."""
    if isinstance(value, (list, tuple)):
        return type(value)([v.clone() for v in value])
    return value.clone()


def scattered(base: Any, args: Args, kwargs: Kwargs) -> Tensor:
    """A clone of the first argument, with the second written to a view of it."""
    kwargs = dict(kwargs)
    source = args[1] if len(args) > 1 else kwargs.pop("src")
    result: Tensor = args[0].clone()
    base(result, *args[2:], **kwargs).copy_(source)
    return result


def flat(values: object) -> list[Tensor]:
    """The tensors of a nested list, in order."""
    return list(tensors_in(values))
