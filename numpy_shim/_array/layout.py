"""The layout of tensors in memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from torch import Tensor

from .._kernels.backwards import runs_backwards

_LETTERS: dict[Any, str] = {
    spelling: letter
    for letter in "CFAK"
    for spelling in (letter, letter.lower(), letter.encode(), letter.lower().encode())
}


def order_of(name: str, order: object, default: str, allowed: str = "CFAK") -> str:
    """The capital letter of an ``order=``, which NumPy takes in lower case and as bytes too.

    ``None`` gives ``default``. ``TypeError`` for an argument that is not text, ``ValueError``
    for a letter that is unknown or not in ``allowed``.
    """
    if order is None:
        return default
    if not isinstance(order, (str, bytes)):
        raise TypeError(f"{name}: order must be str, not {type(order).__name__}")
    letter = _LETTERS.get(order)
    if letter is None:
        raise ValueError(f"{name}: order must be one of 'C', 'F', 'A', or 'K' (got {order!r})")
    if letter not in allowed:
        only = ", ".join(map(repr, allowed[:-1])) + f" or {allowed[-1]!r}"
        raise ValueError(f"{name}: only {only} order is permitted (got {order!r})")
    return letter


def reversed_axes(tensor: Tensor) -> Tensor:
    """The tensor with its axes in the other order; a view."""
    return tensor.permute(tuple(range(tensor.dim()))[::-1])


def lies(tensor: Tensor, letter: str) -> bool:
    """Whether a tensor is in a memory order: 'A' is row by row or column by column, 'K' any."""
    if letter == "K":
        return True
    if runs_backwards(tensor):
        return False
    if letter != "F" and tensor.is_contiguous():
        return True
    return letter != "C" and reversed_axes(tensor).is_contiguous()


def is_fortran(tensor: Tensor) -> bool:
    """Whether a tensor lies column by column and not also row by row."""
    return tensor.dim() > 1 and not tensor.is_contiguous() and lies(tensor, "F")


def common_order(tensors: Sequence[Tensor]) -> str:
    """What order 'A' is for several tensors: 'F' where all lie column by column, else 'C'."""
    return "F" if all(lies(t, "F") for t in tensors) else "C"


def in_columns(tensor: Tensor) -> Tensor:
    """The tensor laid out column by column; itself if it is."""
    if lies(tensor, "F"):
        return tensor
    return reversed_axes(reversed_axes(tensor).contiguous())


def in_axes(tensor: Tensor, axes: Sequence[int]) -> Tensor:
    """The tensor laid out with these axes from the outermost to the innermost; itself if it is."""
    if list(axes) == list(range(len(axes))):
        return tensor if tensor.is_contiguous() else tensor.contiguous()
    moved = tensor.permute(tuple(axes))
    if moved.is_contiguous():
        return tensor
    return moved.contiguous().permute(tuple([axes.index(i) for i in range(len(axes))]))


def axes_like(model: Tensor) -> tuple[int, ...]:
    """The axes of ``model`` from the outermost to the innermost, as 'K' has them in a new array."""
    axes = tuple(range(model.dim()))
    if model.is_contiguous():
        return axes
    if is_fortran(model):
        return axes[::-1]
    strides = model.stride()
    return tuple(sorted(axes, key=lambda i: -strides[i]))


def like(tensor: Tensor, model: Tensor) -> Tensor:
    """A new tensor in the memory order of another one of as many axes; itself if it has it."""
    if tensor.dim() < 2:
        return tensor
    return in_axes(tensor, axes_like(model))


def innermost_first(strides: Sequence[Sequence[int]]) -> list[int]:
    """The order in which NumPy's iterator goes along axes, from the innermost one.

    ``strides`` has for each axis, from the last one, the strides of all operands: 0 where one is
    broadcast. An axis goes inside of others where its strides are smaller; where the operands
    disagree, or none of them decides, the axes stay as they are.
    """
    result: list[int] = []
    for axis, own in enumerate(strides):
        position = len(result)
        for i in range(len(result) - 1, -1, -1):
            inside = _belongs_inside(own, strides[result[i]])
            if inside:
                position = i
            elif inside is not None:
                break
        result.insert(position, axis)
    return result


def outermost_first(strides: Sequence[Sequence[int]]) -> list[int]:
    """The axes from the outermost one, as NumPy's iterator goes along operands of these strides."""
    count = len(strides[0])
    inside = innermost_first([[s[axis] for s in strides] for axis in range(count)[::-1]])
    return [count - 1 - i for i in inside[::-1]]


def _belongs_inside(outer: Sequence[int], inner: Sequence[int]) -> bool | None:
    """Whether the outer of two axes has the smaller strides; ``None`` if no operand decides."""
    told = None
    for a, b in zip(inner, outer, strict=True):
        if a and b:
            if abs(b) >= abs(a):
                return False
            told = True
    return told


def laid_out(name: str, tensor: Tensor, order: object) -> Tensor:
    """The tensor in one of NumPy's memory orders, itself if it has that order; 'K' is any."""
    wanted = order_of(name, order, "K")
    if lies(tensor, wanted):
        return tensor
    return in_columns(tensor) if wanted == "F" else tensor.contiguous()
