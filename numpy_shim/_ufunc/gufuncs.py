"""The generalized ufuncs: products of vectors and matrices that broadcast over the other axes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Unpack

import torch
from numpy.exceptions import AxisError
from torch import Tensor

from xp_torch._core import box as _box
from xp_torch._core.errors import translate
from xp_torch._kernels import linalg
from xp_torch._kernels.kernel import Kernel

from .._array.ndarray import ndarray, new, scalar
from .._array.typing import UfuncOut
from .._base import error_checks
from .._base import error_states as errstate
from .._base.axes import broadcast_shapes, normalize_axes, normalize_axis
from .._base.dtypes import COMPLEXES, FLOATS
from .._base.tracing import _NoValue
from .._base.typing import ArrayLike, GufuncOptions
from .._kernels.casting import cast
from .call import check_output, deliver, full_operands, operands, outputs
from .loops import choose
from .objects import NOT_TAKEN, OPTIONS, ufunc
from .spec import Spec, functions_of, make_spec

__all__ = ["matmul", "matvec", "vecdot", "vecmat"]

Core = tuple[str, ...]


def parsed(signature: str) -> tuple[list[Core], Core]:
    """The core dimensions of the operands and of the result: ``(m,n),(n)->(m)``."""
    inputs, _, output = signature.partition("->")
    cores = [tuple(d for d in part.strip("()").split(",") if d) for part in inputs.split("),(")]
    return cores, tuple(d for d in output.strip("()").split(",") if d)


class gufunc(ufunc):
    """A ufunc whose elements are vectors and matrices."""

    _options = (OPTIONS - {"where"}) | {"axes", "axis", "keepdims"}
    _taken = _options - NOT_TAKEN

    def __init__(self, spec: Spec) -> None:
        super().__init__(spec)
        assert self.signature is not None
        self._cores, self._result_core = parsed(self.signature)

    def __call__(
        self,
        x1: ArrayLike,
        x2: ArrayLike,
        /,
        out: UfuncOut = None,
        **options: Unpack[GufuncOptions],
    ) -> ndarray:
        if out is None and not options and type(x1) is ndarray and type(x2) is ndarray:
            a, b = x1._tensor, x2._tensor
            d, e = x1._flat_dtype, x2._flat_dtype
            if (
                d is not None
                and e is not None
                and not (_box.several_devices and a.device != b.device)
            ):
                try:
                    result = self._fast[d](a, b) if d is e else self._mixed[d, e](a, b)
                    if result.ndim:
                        array = new(ndarray)
                        array._tensor = result
                        array._flat_dtype = result.dtype  # autocast may have chosen another
                        return array
                    return scalar(result, result.dtype)
                except (KeyError, RuntimeError):
                    pass  # the general call says what is wrong with the operands
        return self._general((x1, x2), out, options)

    def _of_cores(
        self,
        args: tuple[object, ...],
        out: object,
        *,
        axes: object = _NoValue,
        axis: object = _NoValue,
        keepdims: bool = False,
        casting: str = "same_kind",
        order: str = "K",
        dtype: object = None,
        signature: object = None,
    ) -> Any:
        spec = self._spec
        outs = outputs(spec, out)
        tensors, key = operands(spec.name, args, outs)
        loop = choose(spec, key, casting, dtype, signature)
        if outs[0] is not None:
            check_output(spec.name, loop.outputs[0], outs[0]._tensor.dtype, casting)
        inputs = full_operands(spec, loop, args, tensors)
        cores = self._present(inputs)
        core_axes = self._core_axes(axes, axis, keepdims, cores, inputs)
        moved = [
            t.movedim(p, tuple(range(-len(p), 0))) if p else t
            for t, p in zip(inputs, core_axes[:-1], strict=True)
        ]
        self._check_shapes(moved, cores)
        try:
            result = loop.function(*moved)
            if errstate.active:
                error_checks.check_product(spec.name, loop.function, moved[0], moved[1], result)
            result = cast(result, loop.outputs[0])
        except RuntimeError as error:
            batches = [t.shape[: t.dim() - len(c)] for t, c in zip(moved, cores, strict=True)]
            broadcast_shapes(spec.name, *batches)
            translate(spec.name, error)
        kept = core_axes[-1]
        if keepdims:
            result = result.unsqueeze(normalize_axis(spec.name, kept[0], result.dim() + 1))
        elif kept:
            target = normalize_axes(spec.name, kept, result.dim())
            result = result.movedim(tuple(range(-len(kept), 0)), target)
        if outs[0] is not None:
            self._check_out(outs[0]._tensor, result, kept)
        delivered = deliver(spec.name, (result,), outs, None, order)[0]
        if out is None:
            return delivered
        return out[0] if isinstance(out, tuple) else out

    def _check_out(self, target: Tensor, result: Tensor, cores: tuple[int, ...]) -> None:
        """Raise ``ValueError`` for an output with other core dimensions, which do not broadcast."""
        for axis in cores if target.dim() >= len(cores) else ():
            if target.shape[axis] != result.shape[axis]:
                raise ValueError(
                    f"{self.__name__}: Output operand 0 has a mismatch in its core dimension: size "
                    f"{target.shape[axis]} is different from {result.shape[axis]}"
                )

    def _present(self, inputs: list[Tensor]) -> list[Core]:
        """The core dimensions of each operand; a vector lacks the one marked ``?``."""
        cores = []
        for i, (t, core) in enumerate(zip(inputs, self._cores, strict=True)):
            required = tuple(d for d in core if not d.endswith("?"))
            if t.dim() < len(required):
                raise ValueError(
                    f"{self.__name__}: Input operand {i} does not have enough dimensions (has "
                    f"{t.dim()}, gufunc core with signature {self.signature} requires "
                    f"{len(required)})"
                )
            cores.append(core if t.dim() >= len(core) else required)
        return cores

    def _check_shapes(self, inputs: list[Tensor], cores: list[Core]) -> None:
        sizes: dict[str, int] = {}
        for i, (t, core) in enumerate(zip(inputs, cores, strict=True)):
            for number, dimension in enumerate(core):
                size = t.shape[t.dim() - len(core) + number]
                if sizes.setdefault(dimension, size) != size:
                    raise ValueError(
                        f"{self.__name__}: Input operand {i} has a mismatch in its core dimension "
                        f"{number}, with gufunc signature {self.signature} (size {size} is "
                        f"different from {sizes[dimension]})"
                    )

    def _core_axes(
        self, axes: object, axis: object, keepdims: bool, cores: list[Core], inputs: list[Tensor]
    ) -> list[tuple[int, ...]]:
        """The axes of the core dimensions of each operand, and of the result."""
        name = self.__name__
        same = len(set(cores)) == 1 and len(cores[0]) == 1 and not self._result_core
        left = {d for core in cores for d in core}
        result_core = tuple(d for d in self._result_core if not d.endswith("?") or d in left)
        if keepdims and not same:
            raise TypeError(
                f"{name} does not support keepdims: its signature {self.signature} requires "
                "multiple operands or outputs to have the same core dimensions"
            )
        if axes is not _NoValue and axis is not _NoValue:
            raise TypeError(f"{name}: cannot specify both 'axis' and 'axes'")
        if axis is not _NoValue:
            if not same:
                raise TypeError(
                    f"{name}: axis can only be used with a single shared core dimension, not with "
                    f"the 2 distinct ones implied by signature {self.signature}."
                )
            entries: list[Any] = [axis] * (len(cores) + 1 if keepdims else len(cores))
        elif axes is _NoValue:
            counts = [len(core) for core in [*cores, result_core]]
            if keepdims:
                counts[-1] = 1
            return [tuple(range(-n, 0)) for n in counts]
        else:
            if not isinstance(axes, list):
                raise TypeError(f"{name}: axes should be a list.")
            entries = list(axes)
        if len(entries) == len(cores) and not self._result_core:
            entries.append(entries[0] if keepdims else ())
        if len(entries) != len(cores) + 1:
            raise ValueError(
                f"{name}: axes should be a list with an entry for all {len(cores) + 1} inputs and "
                "outputs; entries for outputs can only be omitted if none of them has core axes."
            )
        counts = [len(core) for core in cores] + [1 if keepdims else len(result_core)]
        core_axes = [
            _entry(name, i, e, n) for i, (e, n) in enumerate(zip(entries, counts, strict=True))
        ]
        return [
            normalize_axes(name, p, t.dim()) for p, t in zip(core_axes[:-1], inputs, strict=True)
        ] + [core_axes[-1]]


def _entry(name: str, i: int, entry: Any, count: int) -> tuple[int, ...]:
    """One operand's entry of ``axes=``: a tuple, or an int for one axis."""
    if not isinstance(entry, tuple):
        if count != 1:
            raise AxisError(
                f"{name}: operand {i} has {count} core dimensions, but the axes item is a single "
                "integer."
            )
        return (entry,)
    if len(entry) != count:
        raise ValueError(
            f"{name}: axes item {i} should be a tuple with {count} elements, or an integer for one"
        )
    return entry


def _general(function: Callable[[Tensor, Tensor], Tensor]) -> Callable[[Tensor, Tensor], Tensor]:
    """Extend a product to booleans, for which it is whether any pair is true."""

    def product(a: Tensor, b: Tensor) -> Tensor:
        if a.dtype is torch.bool:
            return torch.ne(function(a.float(), b.float()), 0)
        return function(a, b)

    return product


def _vecdot(a: Tensor, b: Tensor) -> Tensor:
    _vectors(a.dim() > 0 and b.dim() > 0 and a.shape[-1] == b.shape[-1])
    return linalg.vecdot(a, b, -1)


def _matvec(a: Tensor, b: Tensor) -> Tensor:
    _vectors(a.dim() > 1 and b.dim() > 0)
    return linalg.matmul(a, b.unsqueeze(-1)).squeeze(-1)


def _vecmat(a: Tensor, b: Tensor) -> Tensor:
    _vectors(a.dim() > 0 and b.dim() > 1)
    if a.dtype in COMPLEXES:
        a = a.conj()
    return linalg.matmul(a.unsqueeze(-2), b).squeeze(-2)


def _vectors(fit: bool) -> None:
    if not fit:
        raise RuntimeError("the operands do not have the dimensions of the signature")


def _made(name: str, function: Callable[..., Tensor], native: Callable[..., Tensor]) -> gufunc:
    kernel = Kernel(name, native, (FLOATS | COMPLEXES), _general(function))
    return gufunc(make_spec(name, functions_of(kernel)))


matmul = _made("matmul", linalg.matmul, torch.matmul)
vecdot = _made("vecdot", _vecdot, _vecdot)
matvec = _made("matvec", _matvec, _matvec)
vecmat = _made("vecmat", _vecmat, _vecmat)
